/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/factor/plan.h"

#include "solvers/base/arena.h"
#include "solvers/base/status.h"

#include <string.h>

static int slotCountOf(const ukProblem *p)
{
    int n = 0;
    for (int k = 0; k < p->blocks; k++)
        if (p->block[k].slot + p->block[k].slots > n) n = p->block[k].slot + p->block[k].slots;
    return n;
}

/* The wish for block k: of more than two bodies it is not condensed (condensed.h). */
static unsigned char wishFor(const ukProblem *p, int k, unsigned char wish)
{
    return p->block[k].slots > 2 ? wish & (unsigned char)~ukGroupSoft : wish;
}

bool ukSymbolicFits(const ukSymbolic *s, const ukProblem *p, const unsigned char *soft)
{
    const int slots = slotCountOf(p);
    if (s->bodies != p->bodies || s->blocks != p->blocks || s->rows != p->rows || s->slots != slots) return false;
    for (int k = 0; k < p->blocks; k++)
        if ((s->wish[k] & ukGroupSoft) != (soft && soft[k] ? wishFor(p, k, ukGroupSoft) : 0)) return false;
    return (p->blocks == 0 || memcmp(s->block, p->block, (size_t)p->blocks * sizeof *p->block) == 0) &&
           (slots == 0 || memcmp(s->body, p->body, (size_t)slots * sizeof *p->body) == 0);
}

/* arrays of one plan that exist during planning only, and the graph */
typedef struct Plan {
    ukSymbolic *s;
    const ukProblem *p;
    ukGraph graph;
    int *rows, *start, *neighbour; /* the graph's, writable */
    int *group, *offset;           /* (blocks) group of a block, -1: no rows; its first row in the group */
    int *of;                       /* (nodes) front */
    int *at;                       /* (nodes) position */
    int *sequence;                 /* nodes in the order of elimination */
    int *parent, *p_size, *u_size, *into, *first, *link, *order, *mark; /* (nodes) per front */
    int *local;                                                         /* (positions) row in the front at hand */
} Plan;

static bool reservePlan(Plan *w)
{
    ukSymbolic *s = w->s;
    const size_t bodies = (size_t)w->p->bodies, blocks = (size_t)w->p->blocks, slots = (size_t)s->slots;
    const size_t nodes = bodies + blocks, unknowns = 6 * bodies + (size_t)w->p->rows;
    if (!ukGrow(&s->front, s->capacity, (nodes + 1) * sizeof *s->front) ||
        !ukGrow(&s->entry, s->capacity + 1, (slots + 1) * sizeof *s->entry) ||
        !ukGrow(&s->row, s->capacity + 2, (unknowns + 1) * sizeof *s->row) ||
        !ukGrow(&s->body_at, s->capacity + 3, (bodies + 1) * sizeof *s->body_at) ||
        !ukGrow(&s->row_at, s->capacity + 4, ((size_t)w->p->rows + 1) * sizeof *s->row_at) ||
        !ukGrow(&s->block, s->capacity + 5, (blocks + 1) * sizeof *s->block) ||
        !ukGrow(&s->body, s->capacity + 6, (slots + 1) * sizeof *s->body) ||
        !ukGrow(&s->graph, s->capacity + 7, (blocks + nodes + 1 + 2 * slots + 1) * sizeof *s->graph) ||
        !ukGrow(&s->work, s->capacity + 13, 2 * (nodes + 1) * sizeof *s->work) ||
        !ukGrow(&s->traits, s->capacity + 8, blocks + 1) || !ukGrow(&s->wish, s->capacity + 11, blocks + 1) ||
        !ukGrow(&s->scratch, s->capacity + 9, (2 * blocks + 11 * (nodes + 1) + unknowns) * sizeof *s->scratch))
        return false;
    w->rows = s->graph;
    w->start = w->rows + blocks;
    w->neighbour = w->start + nodes + 1;
    int **each[] = {&w->of,   &w->at,    &w->sequence, &w->parent, &w->p_size, &w->u_size,
                    &w->into, &w->first, &w->link,     &w->order,  &w->mark};
    int *next = s->scratch;
    w->group = next, next += blocks;
    w->offset = next, next += blocks;
    for (size_t k = 0; k < sizeof each / sizeof *each; k++, next += nodes + 1) *each[k] = next;
    w->local = next;
    return true;
}

/* bodies of block k that can move -> members; also whether it acts on something that cannot */
static int countMovingSlots(const ukProblem *p, int k, int *members, unsigned char *traits)
{
    const ukBlock *b = p->block + k;
    int n = 0;
    *traits = 0;
    for (int c = 0; c < b->slots; c++) {
        if (p->body[b->slot + c] >= 0)
            members[n++] = p->body[b->slot + c];
        else
            *traits |= ukGroupWorld;
    }
    if (b->slots < 2) *traits |= ukGroupWorld;
    return n;
}

/* Blocks between the same one or two bodies (the points of one contact, say) form one group. Groups get their numbers
 * in the order of their first blocks. */
static void formGroups(Plan *w)
{
    const ukProblem *p = w->p;
    const int n = p->bodies;
    int groups = 0, edges = 0;
    int *table = w->first, *next = w->link, *member_at = w->order; /* borrowed as a hash table of body pairs */
    for (int k = 0; k < p->blocks; k++) table[k] = -1;
    for (int k = 0; k < p->blocks; k++) {
        unsigned char traits;
        w->group[k] = -1;
        if (p->block[k].rows == 0) continue;
        int *mine = w->neighbour + edges;
        const int count = countMovingSlots(p, k, mine, &traits);
        if (count > 0) traits |= w->s->wish[k];
        if (count == 2 && mine[1] < mine[0]) {
            const int swap = mine[0];
            mine[0] = mine[1], mine[1] = swap;
        }
        int g = -1, *slot = NULL;
        if (count == 1 || count == 2) {
            slot = table + ((unsigned)mine[0] * 2654435761u + (unsigned)mine[count - 1] * 40503u) % (unsigned)p->blocks;
            for (g = *slot; g >= 0; g = next[g])
                if (((w->s->traits[g] ^ traits) & ukGroupSoft) == 0 && w->neighbour[member_at[g]] == mine[0] &&
                    w->neighbour[member_at[g] + w->mark[g] - 1] == mine[count - 1])
                    break;
        }
        if (g < 0) {
            g = groups++;
            member_at[g] = edges;
            w->mark[g] = count;
            w->rows[g] = 0;
            w->s->traits[g] = 0;
            edges += count;
            if (slot) next[g] = *slot, *slot = g;
        }
        w->group[k] = g;
        w->offset[k] = w->rows[g];
        w->rows[g] += p->block[k].rows;
        w->s->traits[g] |= traits;
    }
    member_at[groups] = edges;

    /* the bodies' lists come first in the graph: count, then place; the groups' own lists follow them */
    memset(w->start, 0, (size_t)(n + groups + 1) * sizeof *w->start);
    for (int e = 0; e < edges; e++) w->start[w->neighbour[e] + 1]++;
    for (int i = 0; i < n; i++) w->start[i + 1] += w->start[i];
    memmove(w->neighbour + edges, w->neighbour, (size_t)edges * sizeof *w->neighbour);
    memcpy(w->mark, w->start, (size_t)n * sizeof *w->mark);
    for (int g = 0; g < groups; g++) {
        for (int e = member_at[g]; e < member_at[g + 1]; e++) w->neighbour[w->mark[w->neighbour[edges + e]]++] = n + g;
        w->start[n + g + 1] = edges + member_at[g + 1];
    }
    w->graph = (ukGraph){.bodies = n,
                         .groups = groups,
                         .rows = w->rows,
                         .traits = w->s->traits,
                         .start = w->start,
                         .neighbour = w->neighbour};
}

static int scalarCountOf(const Plan *w, int node)
{
    return node < w->graph.bodies ? 6 : w->rows[node - w->graph.bodies];
}

/* nodes sorted by key (nodes) < keys, equal ones in the order of `from` (NULL: by number); count (keys + 1) scratch */
static void sortNodes(const Plan *w, const int *key, int keys, const int *from, int *to, int *count)
{
    const int n = w->graph.bodies + w->graph.groups;
    memset(count, 0, (size_t)(keys + 1) * sizeof *count);
    for (int i = 0; i < n; i++) count[key[i] + 1]++;
    for (int f = 0; f < keys; f++) count[f + 1] += count[f];
    for (int k = 0; k < n; k++) {
        const int i = from ? from[k] : k;
        to[count[key[i]]++] = i;
    }
}

/* Update rows of every front: a node is an update row in all fronts on the path from the fronts of its earlier
 * neighbours up to its own (its row subtree). Visited in the order of elimination, so that runs are sorted. place NULL
 * only counts. */
static void visitRows(Plan *w, int *u_size, int *nodes_in, int *place)
{
    const int n = w->graph.bodies + w->graph.groups;
    const int fronts = w->s->fronts;
    for (int f = 0; f < fronts; f++) w->mark[f] = -1;
    for (int k = 0; k < n; k++) {
        const int i = w->sequence[k], mine = w->of[i], size = scalarCountOf(w, i);
        for (int e = w->start[i]; e < w->start[i + 1]; e++)
            for (int f = w->of[w->neighbour[e]]; f < mine && w->mark[f] != i; f = w->parent[f]) {
                w->mark[f] = i;
                if (place)
                    w->s->run[place[f]++] = (ukRun){.at = w->at[i], .count = size};
                else
                    u_size[f] += size, nodes_in[f]++;
            }
    }
}

/* The parent of a front is the front of its first update row: the elimination tree after Liu 1990, by fronts. */
static void findParents(Plan *w)
{
    const int n = w->graph.bodies + w->graph.groups, fronts = w->s->fronts;
    int *ancestor = w->link; /* borrowed: shortcut to the root of the tree so far */
    for (int f = 0; f < fronts; f++) w->parent[f] = ancestor[f] = -1;
    for (int k = 0; k < n; k++) {
        const int i = w->sequence[k], mine = w->of[i];
        for (int e = w->start[i]; e < w->start[i + 1]; e++)
            for (int f = w->of[w->neighbour[e]]; f < mine;) {
                const int above = ancestor[f];
                ancestor[f] = mine;
                if (above < 0) w->parent[f] = mine;
                if (above < 0 || above == mine) break;
                f = above;
            }
    }
}

/* Merges a front with its parent, bodies with bodies and groups with groups, if that costs few zeros: larger dense
 * blocks, fewer fronts. */
static void amalgamateFronts(Plan *w)
{
    const int fronts = w->s->ordering.fronts, n = w->graph.bodies + w->graph.groups;
    unsigned char *doubtful = w->s->ordering.doubtful;
    int *body = w->mark; /* borrowed: whether a front belongs to a body, or to a condensed block */
    int *soft = w->first;
    for (int i = 0; i < n; i++) {
        body[w->of[i]] = i < w->graph.bodies;
        soft[w->of[i]] = i >= w->graph.bodies && w->s->traits[i - w->graph.bodies] & ukGroupSoft;
    }
    for (int f = 0; f < fronts; f++) {
        const int g = w->parent[f];
        w->into[f] = f;
        if (g < 0 || body[f] != body[g] || soft[f] || doubtful[f] != doubtful[g]) continue;
        const int zeros = w->p_size[g] + w->u_size[g] - w->u_size[f];
        if (zeros > 0 && (zeros * w->p_size[f] > 64 || 4 * zeros > w->u_size[f])) continue;
        w->into[f] = g;
        w->p_size[g] += w->p_size[f];
    }
    for (int f = fronts - 1; f >= 0; f--)
        if (w->into[f] != f) w->into[f] = w->into[w->into[f]];
}

/* final numbers of the remaining fronts, in postorder -> w->order (by present number), s->fronts, s->front[].first */
static void orderFronts(Plan *w)
{
    ukSymbolic *s = w->s;
    const int fronts = s->ordering.fronts;
    int *child = w->first, *sibling = w->link, count = 0;
    for (int f = 0; f < fronts; f++) child[f] = -1;
    int roots = -1;
    for (int f = fronts - 1; f >= 0; f--) {
        if (w->into[f] != f) continue;
        const int g = w->parent[f] < 0 ? -1 : w->into[w->parent[f]];
        int *list = g < 0 ? &roots : child + g;
        w->parent[f] = g;
        sibling[f] = *list;
        *list = f;
    }
    for (int root = roots; root >= 0; root = sibling[root]) {
        int f = root;
        for (;;) {
            while (child[f] >= 0) { /* descends to the first leaf, marking the path as visited */
                const int c = child[f];
                child[f] = sibling[c];
                f = c;
            }
            w->order[f] = count++;
            if (f == root) break;
            f = w->parent[f];
        }
    }
    s->fronts = count;
}

/* the plan's own arrays, in final numbers */
static int layOutFronts(Plan *w)
{
    ukSymbolic *s = w->s;
    const ukProblem *p = w->p;
    const int n = w->graph.bodies + w->graph.groups, old = s->ordering.fronts;

    /* fronts and nodes in final order: nodes of one front as they went */
    sortNodes(w, w->of, old, NULL, w->at, w->first);
    for (int i = 0; i < n; i++) w->of[i] = w->order[w->into[w->of[i]]];
    sortNodes(w, w->of, s->fronts, w->at, w->sequence, w->first);
    for (int f = 0; f < s->fronts; f++) s->front[f] = (ukFront){.body = -1, .parent = -1, .first = f};
    for (int f = 0; f < old; f++) {
        if (s->ordering.doubtful[f]) s->front[w->order[w->into[f]]].doubtful = 1;
        if (w->into[f] == f && w->parent[f] >= 0) s->front[w->order[f]].parent = w->order[w->parent[f]];
    }
    for (int f = 0; f < s->fronts; f++) {
        const int g = w->parent[f] = s->front[f].parent;
        w->p_size[f] = w->u_size[f] = w->link[f] = 0;
        if (g >= 0 && s->front[f].first < s->front[g].first) s->front[g].first = s->front[f].first;
    }
    int at = 0;
    s->condensed = 0;
    for (int k = 0; k < n; k++) {
        const int i = w->sequence[k];
        ukFront *f = s->front + w->of[i];
        if (f->p == 0) f->at = at;
        if (i < p->bodies) {
            if (f->body < 0) f->body = i;
            s->body_at[i] = at;
            for (int c = 0; c < 6; c++) s->row[at + c] = -1 - (6 * i + c);
        }
        if (i >= p->bodies && s->traits[i - p->bodies] & ukGroupSoft) {
            f->kind = ukFrontCondensed;
            s->condensed++;
        }
        w->at[i] = at;
        f->p += scalarCountOf(w, i);
        at += scalarCountOf(w, i);
    }
    for (int k = 0; k < p->blocks; k++)
        for (int r = 0; r < p->block[k].rows; r++) {
            const int to = w->at[p->bodies + w->group[k]] + w->offset[k] + r;
            s->row_at[p->block[k].row + r] = to;
            s->row[to] = p->block[k].row + r;
        }

    visitRows(w, w->u_size, w->link, NULL);
    s->runs = 0;
    for (int f = 0; f < s->fronts; f++) {
        s->front[f].run = w->first[f] = s->runs;
        s->front[f].u = w->u_size[f];
        s->runs += w->link[f];
    }
    if (!ukGrow(&s->run, s->capacity + 10, (size_t)(s->runs + 1) * sizeof *s->run)) return ukErrorMemory;
    visitRows(w, NULL, NULL, w->first);
    return ukOk;
}

/* coefficient blocks, by front: w->first counts, then places */
static void placeEntries(Plan *w)
{
    ukSymbolic *s = w->s;
    const ukProblem *p = w->p;
    memset(w->first, 0, (size_t)(s->fronts + 1) * sizeof *w->first);
    for (int sweep = 0; sweep < 2; sweep++) {
        for (int k = 0; k < p->blocks; k++) {
            const ukBlock *b = p->block + k;
            if (b->rows == 0) continue;
            const int group = p->bodies + w->group[k];
            for (int c = 0; c < b->slots; c++) {
                const int i = p->body[b->slot + c];
                if (i < 0) continue;
                const int f = w->of[i] < w->of[group] ? w->of[i] : w->of[group];
                if (sweep == 0)
                    s->front[f].entries++;
                else
                    s->entry[w->first[f]++] = (ukEntry){.A = b->A + (size_t)(6 * c),
                                                        .stride = 6 * b->slots,
                                                        .row = b->row,
                                                        .rows = b->rows,
                                                        .body = i,
                                                        .at = w->at[group] + w->offset[k],
                                                        .column = w->at[i]};
            }
        }
        for (int f = 0, at = 0; f < s->fronts && sweep == 0; f++) {
            s->front[f].entry = w->first[f] = at;
            at += s->front[f].entries;
            s->entries = at;
        }
    }
}

/* In problems with at least this many unknowns fronts are divided into parts, and the order may be changed for them.
 * With one thread, another order costs a chain that hangs at one end 22 % of its instructions (counted for 4000
 * bodies): 9 % of those of factorization and solution, and a second refinement, because the side towards the world is
 * rounded more. */
enum { unknowns_with_parts = 40000, unknowns_with_separator = 100000 };

/* The order is changed if the work on the longest path, relative to all of it, is more than `enough`, and can be made
 * `worthwhile` times as much by at most `most_work` times the work. */
static const double parts_enough = 0.75, parts_worthwhile = 0.8, parts_most_work = 1.5;

/* marks the parts, and the fronts in them that update unknowns of the top */
static int layOutParts(Plan *w, const ukSubtrees *subtrees)
{
    ukSymbolic *s = w->s;
    const int unknowns = 6 * w->p->bodies + w->p->rows;
    s->subtrees = *subtrees;
    s->outers = 0;
    for (int f = 0; f < s->fronts; f++) s->front[f].part = -1;
    if (subtrees->parts == 0) return ukOk;
    if (!ukGrow(&s->outer, s->capacity + 12, (size_t)(unknowns + 1) * sizeof *s->outer)) return ukErrorMemory;
    for (int k = 0; k < subtrees->parts; k++)
        for (int f = subtrees->first[k]; f <= subtrees->last[k]; f++) s->front[f].part = (signed char)k;
    for (int f = 0; f < s->fronts; f++)
        for (int c = 0; c < s->front[f].p; c++) s->outer[s->front[f].at + c] = s->front[f].part < 0 ? s->outers++ : -1;
    for (int f = 0; f < s->fronts; f++) {
        ukFront *front = s->front + f;
        const int end = f + 1 < s->fronts ? front[1].run : s->runs;
        for (int r = front->run; r < end && front->part >= 0; r++) front->outside |= s->outer[s->run[r].at] >= 0;
    }
    return ukOk;
}

/* parts of the fronts as they are laid out */
static ukSubtrees chooseParts(const Plan *w)
{
    const ukSymbolic *s = w->s;
    double *work = s->work, *total = work + s->fronts;
    int *first = w->first;
    for (int f = 0; f < s->fronts; f++) {
        const double p = s->front[f].p, n = p + s->front[f].u;
        work[f] = 200 + p * n * n;
        first[f] = s->front[f].first;
    }
    return ukSubtreesChoose(s->fronts, w->parent, first, work, total);
}

/* Orders and lays out the fronts; distance: ukGraph's. */
static int orderAndLayOut(Plan *w, const int *distance)
{
    ukSymbolic *s = w->s;
    w->graph.distance = distance;
    const int status = ukOrder(&s->ordering, &w->graph);
    w->graph.distance = NULL;
    if (status != ukOk) return status;

    /* the fronts of the ordering and their sizes, from which amalgamation decides */
    const int n = w->graph.bodies + w->graph.groups;
    s->fronts = s->ordering.fronts;
    memcpy(w->of, s->ordering.front, (size_t)n * sizeof *w->of);
    sortNodes(w, w->of, s->fronts, NULL, w->sequence, w->first);
    findParents(w);
    memset(w->p_size, 0, (size_t)s->fronts * sizeof *w->p_size);
    memset(w->u_size, 0, (size_t)s->fronts * sizeof *w->u_size);
    memset(w->link, 0, (size_t)s->fronts * sizeof *w->link);
    for (int i = 0; i < n; i++) w->p_size[w->of[i]] += scalarCountOf(w, i);
    visitRows(w, w->u_size, w->link, NULL);
    amalgamateFronts(w);
    orderFronts(w);
    return layOutFronts(w);
}

/* Large problems: parts of the fronts. If the order leaves nearly all of the work on one path, as that of a chain's
 * leaves does, the best of three orders that begin on both sides of a separator is used instead. Where the separator
 * is best depends on how much an unknown costs on either side: a chain's side to the world has larger fronts. */
static int orderForParts(Plan *w)
{
    ukSymbolic *s = w->s;
    const int unknowns = 6 * w->p->bodies + w->p->rows;
    int *distance = w->at, *queue = w->sequence; /* free during the ordering */
    int status = orderAndLayOut(w, NULL);
    if (status != ukOk || unknowns < unknowns_with_parts || s->condensed > 0)
        return status == ukOk ? layOutParts(w, &(ukSubtrees){.parts = 0}) : status;
    ukSubtrees parts = chooseParts(w);
    const double all = parts.all;
    double best = parts_worthwhile * parts.longest, share = 0, tried = 0;
    for (int k = 0;
         k < 3 && status == ukOk && unknowns >= unknowns_with_separator && parts.longest > parts_enough * all; k++) {
        static const double shares[] = {0.5, 0.42, 0.58};
        if (!ukOrderingSeparate(&w->graph, shares[k], distance, queue)) break;
        status = orderAndLayOut(w, distance);
        const ukSubtrees other = chooseParts(w);
        tried = shares[k];
        if (status == ukOk && other.longest < best && other.all <= parts_most_work * all)
            best = other.longest, share = shares[k];
    }
    if (status == ukOk && tried != share) {
        const bool separated = share > 0 && ukOrderingSeparate(&w->graph, share, distance, queue);
        status = orderAndLayOut(w, separated ? distance : NULL);
    }
    if (status == ukOk) parts = chooseParts(w);
    return status == ukOk ? layOutParts(w, &parts) : status;
}

/* makes the plan for s->wish */
static int makePlan(Plan *w)
{
    ukSymbolic *s = w->s;
    const ukProblem *p = w->p;
    s->late = false;
    for (int k = 0; k < p->blocks; k++) s->late |= (s->wish[k] & ukGroupLate) != 0;
    formGroups(w);
    const int status = orderForParts(w);
    if (status != ukOk) return status;
    placeEntries(w);
    ukSymbolicConnect(s, w->local, (unsigned char *)w->link);
    s->blocks = p->blocks, s->rows = p->rows, s->bodies = p->bodies;
    return ukOk;
}

/* copies the structure of w->p, for the caller's wishes and makePlan() */
static int beginPlan(Plan *w)
{
    ukSymbolic *s = w->s;
    const ukProblem *p = w->p;
    s->bodies = -1;
    s->slots = slotCountOf(p);
    if (!reservePlan(w)) return ukErrorMemory;
    if (p->blocks > 0) memcpy(s->block, p->block, (size_t)p->blocks * sizeof *p->block);
    if (s->slots > 0) memcpy(s->body, p->body, (size_t)s->slots * sizeof *p->body);
    return ukOk;
}

int ukSymbolicPlan(ukSymbolic *s, const ukProblem *p, const unsigned char *soft)
{
    if (ukSymbolicFits(s, p, soft)) return ukOk;
    Plan w = {.s = s, .p = p};
    const int status = beginPlan(&w);
    for (int k = 0; k < p->blocks && status == ukOk; k++) s->wish[k] = soft && soft[k] ? wishFor(p, k, ukGroupSoft) : 0;
    return status == ukOk ? makePlan(&w) : status;
}

int ukSymbolicRenew(ukSymbolic *s, const ukProblem *p, const unsigned char *wish)
{
    Plan w = {.s = s, .p = p};
    const int status = beginPlan(&w);
    for (int k = 0; k < p->blocks && status == ukOk; k++) s->wish[k] = wishFor(p, k, wish[k]);
    return status == ukOk ? makePlan(&w) : status;
}

int ukSymbolicDelay(ukSymbolic *s, const ukProblem *p, const int *rows, int count)
{
    Plan w = {.s = s, .p = p};
    s->bodies = -1;
    for (int k = 0; k < count; k++) {
        int low = 0, high = p->blocks - 1; /* blocks are contiguous */
        while (low < high) {
            const int middle = (low + high + 1) / 2;
            if (p->block[middle].row <= rows[k])
                low = middle;
            else
                high = middle - 1;
        }
        s->wish[low] |= ukGroupLate;
    }
    for (int k = 0; k < p->blocks && count < 0; k++) s->wish[k] |= ukGroupLate;
    return reservePlan(&w) ? makePlan(&w) : ukErrorMemory;
}
