/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/factor/tree.h: the trees of fronts of a factorization, one per connected component of the problem. */
#ifndef UKODE_SOLVERS_FACTOR_TREE_H
#define UKODE_SOLVERS_FACTOR_TREE_H

#include "solvers/factor/front.h"

/* fronts first ... last, and its shifted pivots: factor->shifted[shift ... shift + shifts - 1] */
typedef struct ukTree {
    int first, last, shift, shifts;
} ukTree;

/* The start of an iteration over all trees, from the last one to the first. */
static inline ukTree ukTreesOf(const ukFactor *factor, const ukSymbolic *plan)
{
    return (ukTree){.first = plan->fronts, .shift = factor->shifts};
}

/* Moves on to the tree before; false: there are no more. */
static inline bool ukTreePrevious(const ukFactor *factor, const ukSymbolic *plan, ukTree *tree)
{
    const int end = tree->shift;
    tree->last = tree->first - 1;
    if (tree->last < 0) return false;
    tree->first = plan->front[tree->last].first;
    while (tree->shift > 0 && factor->shifted[tree->shift - 1] >= plan->front[tree->first].at) tree->shift--;
    tree->shifts = end - tree->shift;
    return true;
}

#endif
