/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/factor/symbolic.h"

#include <stdlib.h>

void ukSymbolicFree(ukSymbolic *s)
{
    void *all[] = {s->front, s->run,   s->entry,  s->row,     s->body_at, s->row_at, s->block,
                   s->body,  s->graph, s->traits, s->scratch, s->wish,    s->outer,  s->work};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
    ukOrderingFree(&s->ordering);
    *s = (ukSymbolic){.bodies = -1};
}

bool ukSymbolicIsLate(const ukSymbolic *s)
{
    return s->bodies >= 0 && s->late;
}

/* whether the update rows of body f's children are exactly its pivots */
static bool isStructureEqual(const ukSymbolic *s, int f)
{
    const ukFront *front = s->front + f;
    if (front->body < 0 || front->p != 6 || front->rest) return false;
    for (int c = f - 1; c >= front->first; c = s->front[c].first - 1)
        if (s->front[c].u != 6 || s->front[c].runs != 1) return false;
    return true;
}

/* Which of branch.h's kinds front f has; it and its children are connected. */
static int frontKindOf(const ukSymbolic *s, int f)
{
    const ukFront *front = s->front + f, *child = front - 1; /* child: the last one */
    const ukEntry *e = s->entry + front->entry;
    if (front->outside) return ukFrontAny;
    if (isStructureEqual(s, f)) {
        if (front->entries == 1 && front->u == e->rows)
            return e->rows == 3 ? ukFrontLeafBody3 : e->rows == 5 ? ukFrontLeafBody5 : ukFrontAny;
        if (front->entries == 2 && front->runs == 2 && e[0].rows == e[1].rows && front->u == 2 * e->rows)
            return e->rows == 3 ? ukFrontInteriorBody3 : e->rows == 5 ? ukFrontInteriorBody5 : ukFrontAny;
        if (front->entries == 0 && front->u == 0) return ukFrontRootBody;
    }
    if (front->body >= 0 || front->first == f || (front->p != 3 && front->p != 5)) return ukFrontAny;
    if (front->entries == 1 && !front->rest && e->rows == front->p && front->u == 6 && child->first == front->first &&
        child->body >= 0 && child->p == 6 && child->u == front->p && child->runs == 1)
        return front->p == 3 ? ukFrontLeafJoint3 : ukFrontLeafJoint5;
    if (front->entries == 0 && front->runs == 1 && front->u == front->p &&
        child->kind == (front->p == 3 ? ukFrontInteriorBody3 : ukFrontInteriorBody5) && s->run[child->run].to == 0 &&
        s->run[child->run + 1].to == front->p) {
        for (int c = child->first - 1; c >= front->first; c = s->front[c].first - 1)
            if (s->front[c].u != front->p || s->front[c].runs != 1 || s->run[s->front[c].run].to != 0)
                return ukFrontAny;
        return front->p == 3 ? ukFrontInteriorJoint3 : ukFrontInteriorJoint5;
    }
    return ukFrontAny;
}

/* Schur complements of one part's fronts, in two stacks, used alternately by depth: a front's result never overwrites
 * results of its children that are still needed. */
typedef struct Stacks {
    size_t begin, most[2], top[2];
} Stacks;

static int partOrLast(const ukFront *front)
{
    return front->part < 0 ? ukMostSubtrees : front->part;
}

/* one stack after the other, the first of a part before its second */
static void placeStacks(ukSymbolic *s, Stacks *stacks, const unsigned char *stack_of)
{
    s->stack = 0;
    for (int k = 0; k <= ukMostSubtrees; k++) {
        stacks[k].begin = s->stack;
        s->stack += stacks[k].most[0] + stacks[k].most[1];
    }
    for (int f = 0; f < s->fronts; f++) {
        const Stacks *of = stacks + partOrLast(s->front + f);
        s->front[f].U += of->begin + (stack_of[f] ? of->most[0] : 0);
    }
}

void ukSymbolicConnect(ukSymbolic *s, int *local, unsigned char *stack_of)
{
    size_t factor = 0;
    Stacks stacks[ukMostSubtrees + 1] = {0}; /* the last one: of the fronts in no part */
    for (int f = s->fronts - 1; f >= 0; f--) stack_of[f] = s->front[f].parent < 0 ? 0 : !stack_of[s->front[f].parent];
    for (int f = 0; f < s->fronts; f++) {
        ukFront *front = s->front + f;
        const int runs = (f + 1 < s->fronts ? s->front[f + 1].run : s->runs) - front->run;
        int next = front->p;
        for (int c = 0; c < front->p; c++) local[front->at + c] = c;
        for (int k = 0; k < runs; k++) {
            const ukRun *run = s->run + front->run + k;
            for (int c = 0; c < run->count; c++) local[run->at + c] = next++;
        }
        for (int e = front->entry; e < front->entry + front->entries; e++) {
            s->entry[e].at = local[s->entry[e].at];
            s->entry[e].column = local[s->entry[e].column];
        }
        /* children: runs that stay together become one */
        for (int c = f - 1; c >= front->first; c = s->front[c].first - 1) {
            ukFront *child = s->front + c;
            ukRun *to = s->run + child->run;
            int kept = 0;
            for (int k = 0; k < child->runs; k++) {
                ukRun run = to[k];
                run.to = local[run.at];
                const bool pair =
                    child->kind == ukFrontInteriorBody3 || child->kind == ukFrontInteriorBody5; /* keeps its two runs */
                if (kept > 0 && !pair && to[kept - 1].at + to[kept - 1].count == run.at &&
                    to[kept - 1].to + to[kept - 1].count == run.to)
                    to[kept - 1].count += run.count;
                else
                    to[kept++] = run;
                if (run.to >= front->p) front->rest = 1;
            }
            child->runs = kept;
            if (child->part == front->part) stacks[partOrLast(front)].top[stack_of[c]] = child->U;
        }
        front->runs = runs;
        if (front->kind != ukFrontCondensed) front->kind = (unsigned char)frontKindOf(s, f);
        front->ldu = (front->u + 1) & ~1;
        front->ld = (front->p + front->ldu + 1) & ~1;
        front->L = factor;
        factor += (size_t)(front->kind == ukFrontCondensed ? front->p : front->ld * front->p);
        Stacks *of = stacks + partOrLast(front);
        front->U = of->top[stack_of[f]];
        of->top[stack_of[f]] += (size_t)front->ldu * (size_t)front->u;
        if (of->top[stack_of[f]] > of->most[stack_of[f]]) of->most[stack_of[f]] = of->top[stack_of[f]];
    }
    s->factor = factor;
    placeStacks(s, stacks, stack_of);
}
