/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/factor/ordering.h"

#include "solvers/base/arena.h"
#include "solvers/base/status.h"

#include <stdlib.h>
#include <string.h>

/* Ground of an eliminated, connected part of the graph (an element), to which it is fixed: the index of a body, or one
 * of these. */
enum { nothing = -1, world = -2, several = -3 };

typedef struct Work {
    const ukGraph *graph;
    ukOrdering *out;
    int nodes, left;             /* scalars not yet eliminated */
    int *weight;                 /* number of scalars of a variable with those merged into it; 0 once it is eliminated
                                  * or merged */
    int *at, *elements, *length; /* lists in `list`: first the elements next to a variable, then the variables */
    int *list;
    int *degree, *next, *previous, *head; /* buckets of variables that may be eliminated, by approximate degree */
    int *mark, stamp;
    int *outside, *counted;    /* |L_e \ L_p| in scalars; the pivot for which that was counted */
    int *ground;               /* ground of an element: the body or the world that fixes it */
    int *merged, *tail;        /* chain of the variables merged into one */
    int *hash, *chain, *table; /* for the detection of variables with equal lists */
    size_t *element_at;        /* an element's variables, in the pool */
    int *element_length, *element_weight;
    int *absorbed; /* the element that absorbed an element; -1: none */
    int buckets;
    int bucket;   /* no variable that may be eliminated has a smaller degree */
    bool waiting; /* bodies of distance 0 are not eliminated yet */
    size_t pool_used;
} Work;

static void insertByDegree(Work *w, int i)
{
    const int d = w->degree[i];
    w->next[i] = w->head[d];
    w->previous[i] = -1;
    if (w->head[d] >= 0) w->previous[w->head[d]] = i;
    w->head[d] = i;
    if (d < w->bucket) w->bucket = d;
}

static void withdrawFromDegree(Work *w, int i)
{
    if (w->previous[i] == -2) return; /* in no bucket */
    if (w->next[i] >= 0) w->previous[w->next[i]] = w->previous[i];
    if (w->previous[i] >= 0)
        w->next[w->previous[i]] = w->next[i];
    else
        w->head[w->degree[i]] = w->next[i];
    w->previous[i] = -2;
}

/* Combines the grounds of two parts of an element: the common one, or `several`. An element with a single ground is
 * harmless. */
static int combineGrounds(int a, int b)
{
    if (a == nothing || a == b) return b;
    return b == nothing ? a : several;
}

/* Ground of the element that the elimination of group i would create; `several`: the group must wait. */
static int groundedAfter(const Work *w, int i)
{
    const ukGraph *g = w->graph;
    const int traits = g->traits[i - g->bodies];
    int ground = traits & ukGroupWorld ? world : nothing, gone = 0;
    for (int e = g->start[i]; e < g->start[i + 1]; e++) {
        if (w->weight[g->neighbour[e]] > 0)
            ground = traits & ukGroupLate ? several : combineGrounds(ground, g->neighbour[e]);
        else
            gone++;
    }
    for (int e = 0; e < w->elements[i]; e++) ground = combineGrounds(ground, w->ground[w->list[w->at[i] + e]]);
    return gone > 0 || g->start[i] == g->start[i + 1] ? ground : several;
}

static bool isDeferred(const Work *w, int i)
{
    return w->waiting && i < w->graph->bodies && w->graph->distance[i] == 0;
}

static bool mayBeEliminated(const Work *w, int i)
{
    return i < w->graph->bodies ? !isDeferred(w, i) : groundedAfter(w, i) != several;
}

static bool reserveOrdering(Work *w, size_t need)
{
    ukOrdering *o = w->out;
    if (w->pool_used + need <= o->pool_capacity) return true;
    const size_t capacity = 2 * (w->pool_used + need);
    int *pool = realloc(o->pool, capacity * sizeof *pool);
    if (!pool) return false;
    o->pool = pool;
    o->pool_capacity = capacity;
    return true;
}

/* L_p: every live variable adjacent to p, directly or through an element that p absorbs */
static bool gatherNeighbours(Work *w, int p)
{
    ukOrdering *o = w->out;
    size_t need = (size_t)(w->length[p] - w->elements[p]);
    for (int e = 0; e < w->elements[p]; e++) need += (size_t)w->element_length[w->list[w->at[p] + e]];
    if (!reserveOrdering(w, need)) return false;
    int *L = o->pool + w->pool_used, n = 0, weight = 0;
    w->mark[p] = ++w->stamp;
    for (int e = 0; e <= w->elements[p]; e++) {
        const bool direct = e == w->elements[p];
        const int element = direct ? -1 : w->list[w->at[p] + e];
        const int *v = direct ? w->list + w->at[p] + w->elements[p] : o->pool + w->element_at[element];
        const int count = direct ? w->length[p] - w->elements[p] : w->element_length[element];
        for (int k = 0; k < count; k++)
            if (w->weight[v[k]] > 0 && w->mark[v[k]] != w->stamp) {
                w->mark[v[k]] = w->stamp;
                L[n++] = v[k];
                weight += w->weight[v[k]];
            }
        if (!direct) w->absorbed[element] = p;
    }
    w->element_at[p] = w->pool_used;
    w->element_length[p] = n;
    w->element_weight[p] = weight;
    w->pool_used += (size_t)n;
    return true;
}

/* The list of variable i after the elimination of p: live elements and p, then the variables that no element covers;
 * and its degree. */
static void updateDegrees(Work *w, int i, int p)
{
    int *list = w->list + w->at[i], n = 0, kept = 0;
    int degree = w->element_weight[p] - w->weight[i];
    unsigned hash = (unsigned)p;
    const int bound = w->degree[i] + degree, elements = w->elements[i];
    for (int e = 0; e < elements; e++)
        if (w->absorbed[list[e]] < 0) {
            hash += (unsigned)list[e];
            degree += w->outside[list[e]];
            list[n++] = list[e];
        }
    for (int k = elements; k < w->length[i]; k++)
        if (w->weight[list[k]] > 0 && w->mark[list[k]] != w->stamp) {
            hash += (unsigned)list[k];
            degree += w->weight[list[k]];
            list[elements + kept++] = list[k];
        }
    /* the list has capacity: either an element was absorbed, or p itself was among the variables */
    memmove(list + n + 1, list + elements, (size_t)kept * sizeof *list);
    list[n] = p;
    w->elements[i] = n + 1;
    w->length[i] = n + 1 + kept;
    w->hash[i] = (int)(hash % (unsigned)w->nodes);
    if (bound < degree) degree = bound;
    if (w->left - w->weight[i] < degree) degree = w->left - w->weight[i];
    w->degree[i] = degree;
}

/* groups all of whose bodies are eliminated, adjacent to elements only */
static bool isSettled(const Work *w, int i)
{
    const ukGraph *g = w->graph;
    if (i < g->bodies || w->weight[i] == 0 || w->length[i] != w->elements[i]) return false;
    for (int e = g->start[i]; e < g->start[i + 1]; e++)
        if (w->weight[g->neighbour[e]] > 0) return false;
    return true;
}

static void assignOrder(Work *w, int i, int front)
{
    w->left -= w->weight[i];
    w->weight[i] = 0;
    for (; i >= 0; i = w->merged[i]) w->out->front[i] = front;
}

/* Groups adjacent only to the element p are eliminated with the group p: this adds no coupling. */
static void eliminateAlong(Work *w, int p, int front)
{
    int *L = w->out->pool + w->element_at[p], n = 0, taken = 0;
    for (int k = 0; k < w->element_length[p]; k++) {
        const int i = L[k];
        if (w->length[i] == 1 && isSettled(w, i) && mayBeEliminated(w, i)) {
            taken += w->weight[i];
            assignOrder(w, i, front);
        } else {
            L[n++] = i;
        }
    }
    w->element_length[p] = n;
    w->element_weight[p] -= taken;
    for (int k = 0; taken > 0 && k < n; k++) w->degree[L[k]] -= w->degree[L[k]] < taken ? w->degree[L[k]] : taken;
}

static bool areIndistinguishable(Work *w, int i, int j)
{
    const ukGraph *g = w->graph;
    if (w->length[i] != w->length[j] || g->traits[i - g->bodies] != g->traits[j - g->bodies]) return false;
    w->stamp++;
    for (int e = 0; e < w->length[i]; e++) w->mark[w->list[w->at[i] + e]] = w->stamp;
    for (int e = 0; e < w->length[j]; e++)
        if (w->mark[w->list[w->at[j] + e]] != w->stamp) return false;
    return true;
}

/* Settled groups adjacent to the same elements will be eliminated together: from now on they are one variable. */
static void mergeIndistinguishable(Work *w, int p)
{
    const int *L = w->out->pool + w->element_at[p], n = w->element_length[p];
    for (int k = 0; k < n; k++) {
        const int i = L[k];
        if (!isSettled(w, i)) continue;
        int j = w->table[w->hash[i]];
        while (j >= 0 && !areIndistinguishable(w, i, j)) j = w->chain[j];
        if (j < 0) {
            w->chain[i] = w->table[w->hash[i]];
            w->table[w->hash[i]] = i;
            continue;
        }
        w->weight[j] += w->weight[i];
        w->degree[j] -= w->degree[j] < w->weight[i] ? w->degree[j] : w->weight[i];
        w->weight[i] = 0;
        w->merged[w->tail[j]] = i;
        w->tail[j] = w->tail[i];
    }
    for (int k = 0; k < n; k++) w->table[w->hash[L[k]]] = -1;
}

static bool eliminateGroup(Work *w, int p)
{
    ukOrdering *o = w->out;
    const ukGraph *g = w->graph;
    const int front = o->fronts++;
    const bool body = p < g->bodies;
    int ground = body ? nothing : groundedAfter(w, p);
    for (int e = 0; body && e < w->elements[p]; e++) {
        const int on = w->ground[w->list[w->at[p] + e]];
        if (on != p) ground = combineGrounds(ground, on);
    }
    o->doubtful[front] = !body && ground >= 0;
    withdrawFromDegree(w, p);
    assignOrder(w, p, front);
    if (!gatherNeighbours(w, p)) return false;

    const int *L = o->pool + w->element_at[p], n = w->element_length[p];
    bool bodies = false;
    for (int k = 0; k < n; k++) {
        const int i = L[k];
        bodies = bodies || i < g->bodies;
        withdrawFromDegree(w, i);
        for (int e = 0; e < w->elements[i]; e++) {
            const int element = w->list[w->at[i] + e];
            if (w->counted[element] != p) {
                w->counted[element] = p;
                w->outside[element] = w->element_weight[element];
            }
            w->outside[element] -= w->weight[i];
        }
    }
    w->ground[p] = ground == several && !bodies ? world : ground;
    /* an element all of whose variables are in L_p is redundant beside p */
    for (int k = 0; k < n; k++)
        for (int e = 0; e < w->elements[L[k]]; e++) {
            const int element = w->list[w->at[L[k]] + e];
            if (w->absorbed[element] < 0 && w->outside[element] == 0 &&
                (w->ground[element] == nothing || w->ground[element] == w->ground[p]))
                w->absorbed[element] = p;
        }
    for (int k = 0; k < n; k++) updateDegrees(w, L[k], p);
    if (!body) eliminateAlong(w, p, front);
    mergeIndistinguishable(w, p);
    for (int k = 0; k < w->element_length[p]; k++)
        if (w->weight[L[k]] > 0 && mayBeEliminated(w, L[k])) insertByDegree(w, L[k]);
    return true;
}

/* Trees: a body with one remaining group is eliminated, then that group if it leads to one body or to the world, and so
 * on. This causes no fill, and only counts must be kept. `count`, `stack` (nodes) scratch. */
static void eliminateLeaves(Work *w, int *count, int *stack)
{
    const ukGraph *g = w->graph;
    ukOrdering *o = w->out;
    int top = 0;
    for (int i = g->bodies - 1; i >= 0; i--) {
        count[i] = g->start[i + 1] - g->start[i];
        if (count[i] < 2) stack[top++] = i;
    }
    while (top > 0) {
        const int i = stack[--top];
        int group = -1, other = -1, bodies = 0;
        if (w->weight[i] == 0 || isDeferred(w, i)) continue;
        for (int e = g->start[i]; e < g->start[i + 1] && count[i] > 0; e++)
            if (w->next[g->neighbour[e]] == 0) group = g->neighbour[e]; /* next: 1 once a group is peeled */
        for (int e = group < 0 ? 0 : g->start[group]; group >= 0 && e < g->start[group + 1]; e++) {
            bodies++;
            if (g->neighbour[e] != i) other = g->neighbour[e];
        }
        const int traits = group < 0 ? 0 : g->traits[group - g->bodies];
        const bool soft = traits & ukGroupSoft, relative = bodies == 1 || (bodies == 2 && !(traits & ukGroupWorld));
        if (group >= 0 && !soft && (!relative || (traits & ukGroupLate && bodies > 1))) continue;
        if (group >= 0 && soft && bodies > 2) continue;
        o->doubtful[o->fronts] = 0;
        assignOrder(w, i, o->fronts++);
        if (group < 0) continue;
        w->next[group] = 1;
        if (!soft) {
            o->doubtful[o->fronts] = other >= 0;
            assignOrder(w, group, o->fronts++);
        }
        if (other >= 0 && --count[other] == 1) stack[top++] = other;
        if (other >= 0 && count[other] == 0 && w->weight[other] > 0) stack[top++] = other;
    }
}

/* Soft groups are elements from the start. */
static bool eliminateCondensed(Work *w, int i)
{
    const ukGraph *g = w->graph;
    ukOrdering *o = w->out;
    const size_t need = (size_t)(g->start[i + 1] - g->start[i]);
    if (!reserveOrdering(w, need)) return false;
    int n = 0;
    w->element_at[i] = w->pool_used;
    for (int e = g->start[i]; e < g->start[i + 1]; e++)
        if (w->weight[g->neighbour[e]] > 0) o->pool[w->pool_used + (size_t)n++] = g->neighbour[e];
    w->pool_used += (size_t)n;
    w->element_length[i] = n;
    w->element_weight[i] = 6 * n;
    w->ground[i] = nothing;
    return true;
}

/* one block of ints for all; run without memory it measures */
static size_t carveOrdering(Work *w, const ukGraph *g, int *memory, size_t scalars)
{
    const size_t n = (size_t)(g->bodies + g->groups), edges = (size_t)g->start[n];
    int **each[] = {&w->out->front, &w->weight, &w->at,       &w->elements,       &w->length,
                    &w->degree,     &w->next,   &w->previous, &w->mark,           &w->outside,
                    &w->counted,    &w->ground, &w->merged,   &w->tail,           &w->hash,
                    &w->chain,      &w->table,  &w->absorbed, &w->element_length, &w->element_weight};
    const size_t arrays = sizeof each / sizeof *each;
    if (memory) {
        for (size_t k = 0; k < arrays; k++) *each[k] = memory + k * n;
        w->list = memory + arrays * n;
        w->head = w->list + edges + n;
    }
    return arrays * n + edges + n + scalars + 1;
}

/* Makes the variables that may be eliminated available. Of one bucket, the last one inserted is taken first: the one of
 * the lowest number, or the farthest from the bodies of distance 0. */
static void insertEligible(Work *w)
{
    const int n = w->nodes, *distance = w->graph->distance;
    int *count = w->hash, *sorted = w->chain; /* free until the first elimination */
    memset(count, 0, (size_t)n * sizeof *count);
    for (int i = 0; i < n && distance; i++) count[distance[i]]++;
    for (int d = 1; d < n && distance; d++) count[d] += count[d - 1];
    for (int i = 0; i < n && distance; i++) sorted[--count[distance[i]]] = i;
    for (int k = 0; k < n; k++) {
        const int i = distance ? sorted[k] : n - 1 - k;
        if (w->weight[i] > 0 && mayBeEliminated(w, i)) insertByDegree(w, i);
    }
}

/* allocates lists, degrees and buckets of the remaining graph; false: no memory */
static bool beginOrdering(Work *w)
{
    const ukGraph *g = w->graph;
    const int n = w->nodes;
    int at = 0;
    for (int i = g->bodies; i < n; i++)
        if (g->traits[i - g->bodies] & ukGroupSoft && !eliminateCondensed(w, i)) return false;
    for (int d = 0; d <= w->left; d++) w->head[d] = -1;
    w->bucket = w->buckets = w->left;
    for (int i = 0; i < n; i++) {
        w->previous[i] = -2;
        w->mark[i] = 0;
        w->counted[i] = w->table[i] = w->absorbed[i] = -1;
        w->tail[i] = i;
        if (w->weight[i] == 0) continue;
        w->at[i] = at;
        w->degree[i] = 0;
        for (int soft = 1; soft >= 0; soft--) {
            for (int e = g->start[i]; e < g->start[i + 1]; e++) {
                const int j = g->neighbour[e];
                const bool element = i < g->bodies && g->traits[j - g->bodies] & ukGroupSoft;
                if (element != soft || (w->weight[j] == 0 && !(element && w->element_length[j] > 1))) continue;
                w->list[at++] = j;
                w->degree[i] += element ? w->element_weight[j] - 6 : w->weight[j];
            }
            if (soft) w->elements[i] = at - w->at[i];
        }
        w->length[i] = at - w->at[i];
        if (w->degree[i] > w->left - w->weight[i]) w->degree[i] = w->left - w->weight[i];
    }
    insertEligible(w);
    return true;
}

/* A variable of least degree; bodies of distance 0 once there are no others. */
static int nextVariable(Work *w)
{
    while (w->bucket <= w->buckets && w->head[w->bucket] < 0) w->bucket++;
    if (w->bucket <= w->buckets) return w->head[w->bucket];
    w->waiting = false;
    for (int i = w->graph->bodies - 1; i >= 0; i--)
        if (w->weight[i] > 0 && w->graph->distance[i] == 0) insertByDegree(w, i);
    while (w->head[w->bucket] < 0) w->bucket++;
    return w->head[w->bucket];
}

int ukOrder(ukOrdering *ordering, const ukGraph *graph)
{
    const size_t n = (size_t)(graph->bodies + graph->groups);
    Work w = {.graph = graph, .out = ordering, .nodes = (int)n, .waiting = graph->distance != NULL};
    w.left = 6 * graph->bodies;
    for (int k = 0; k < graph->groups; k++) w.left += graph->rows[k];
    const size_t ints = carveOrdering(&w, graph, NULL, (size_t)w.left),
                 size = ints * sizeof(int) + n * (sizeof(size_t) + 1);
    if (!ukGrow(&ordering->memory, &ordering->capacity, size)) return ukErrorMemory;
    w.element_at = ordering->memory;
    carveOrdering(&w, graph, (int *)(w.element_at + n), (size_t)w.left);
    ordering->doubtful = (unsigned char *)((int *)(w.element_at + n) + ints);
    ordering->fronts = 0;

    for (int i = 0; i < (int)n; i++) {
        w.weight[i] = i < graph->bodies ? 6 : graph->rows[i - graph->bodies];
        w.merged[i] = -1;
        w.next[i] = 0;
        if (i < graph->bodies || !(graph->traits[i - graph->bodies] & ukGroupSoft)) continue;
        ordering->doubtful[ordering->fronts] = 0;
        assignOrder(&w, i, ordering->fronts++);
    }
    eliminateLeaves(&w, w.at, w.length);
    if (w.left == 0) return ukOk;
    if (!beginOrdering(&w)) return ukErrorMemory;
    while (w.left > 0)
        if (!eliminateGroup(&w, nextVariable(&w))) return ukErrorMemory;
    return ukOk;
}

static int scalarsOf(const ukGraph *g, int node)
{
    return node < g->bodies ? 6 : g->rows[node - g->bodies];
}

/* distance from the nodes queue[0 ... count - 1], -1 where there is no path; queue: the nodes by their distance.
 * Returns how many are reached. */
static int measureDistances(const ukGraph *g, int *distance, int *queue, int count)
{
    const int n = g->bodies + g->groups;
    for (int i = 0; i < n; i++) distance[i] = -1;
    for (int k = 0; k < count; k++) distance[queue[k]] = 0;
    for (int k = 0; k < count; k++)
        for (int e = g->start[queue[k]]; e < g->start[queue[k] + 1]; e++) {
            const int j = g->neighbour[e];
            if (distance[j] >= 0) continue;
            distance[j] = distance[queue[k]] + 1;
            queue[count++] = j;
        }
    return count;
}

bool ukOrderingSeparate(const ukGraph *g, double share, int *distance, int *queue)
{
    if (g->bodies == 0) return false;
    int end = 0, reached = 0;
    for (int sweep = 0; sweep < 3; sweep++) { /* from the far end of the far end, even levels are bodies */
        queue[0] = end;
        reached = measureDistances(g, distance, queue, 1);
        for (int k = 0; k < reached; k++)
            if (queue[k] < g->bodies) end = queue[k];
    }
    const int n = g->bodies + g->groups;
    int all = 0, from = 0;
    for (int k = 0; k < reached; k++) all += scalarsOf(g, queue[k]);
    for (int sum = 0; sum < share * all; from++) sum += scalarsOf(g, queue[from]);
    while (from < reached && queue[from] >= g->bodies) from++;
    if (from == reached || distance[queue[from]] == 0) return false;
    const int level = distance[queue[from]];
    int count = 0;
    for (int k = 0; k < reached; k++)
        if (distance[queue[k]] == level) queue[count++] = queue[k];
    measureDistances(g, distance, queue, count);
    for (int i = 0; i < n; i++)
        if (distance[i] < 0) distance[i] = n - 1; /* of another component */
    return true;
}

void ukOrderingFree(ukOrdering *ordering)
{
    free(ordering->memory);
    free(ordering->pool);
    *ordering = (ukOrdering){0};
}
