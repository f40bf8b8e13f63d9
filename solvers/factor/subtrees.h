/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/factor/subtrees.h: which parts of a forest of fronts are factorized at the same time.
 *
 * Fronts stand in postorder: children before their parent, the descendants of f are first[f] ... f - 1. A part is a
 * range of fronts that consists of whole subtrees, so that parts depend on nothing outside of them. The fronts in no
 * part (the top) follow when all parts are done. */
#ifndef UKODE_SOLVERS_FACTOR_SUBTREES_H
#define UKODE_SOLVERS_FACTOR_SUBTREES_H

enum { ukMostSubtrees = 16 };

typedef struct ukSubtrees {
    int parts;
    int first[ukMostSubtrees], last[ukMostSubtrees]; /* fronts of a part, ascending */
    double all, longest; /* the work of all fronts, and with two threads that of the one that is last */
} ukSubtrees;

/* Chooses parts for the given work of each front. parent (fronts; -1: none), first (fronts: first descendant),
 * work (fronts), total (fronts, scratch). */
ukSubtrees ukSubtreesChoose(int fronts, const int *parent, const int *first, const double *work, double *total);

#endif
