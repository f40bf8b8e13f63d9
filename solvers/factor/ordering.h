/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/factor/ordering.h: in which order to eliminate the nodes of [M A'; A -S], a minimum-degree order on the
 * quotient graph (approximate external degree after Amestoy, Davis & Duff 1996) under one additional rule.
 *
 * Nodes are bodies (6 scalars) and groups (blocks of rows over the same bodies). A body may be eliminated at any time:
 * its pivot is a mass matrix plus something semi-definite. The pivot of a group is the Schur complement of its rows on
 * the part eliminated before, so it may be eliminated only if its rows have the same rank on that part as on the whole.
 * They do if
 *   - all of its bodies are eliminated (then the pivot is that of A M^-1 A'), or
 *   - the eliminated part that it joins is connected to one remaining body only, or to the world only. Fixing one of
 * these takes no freedom from the rest, since joints constrain relative motion; fixing two would. Leaf body, its
 * joint, parent body, ... is such an order: no fill on a tree, and a hub body is last. User constraints need not be
 * relative; a front where that matters is marked, see `doubtful`. */
#ifndef UKODE_SOLVERS_FACTOR_ORDERING_H
#define UKODE_SOLVERS_FACTOR_ORDERING_H

#include <stdbool.h>
#include <stddef.h>

enum {
    ukGroupWorld = 1, /* the group also acts on something that cannot move */
    ukGroupSoft = 2,  /* the group's own softness makes a sound pivot: it is eliminated first */
    ukGroupLate = 4   /* the group is eliminated after all of its bodies in any case */
};

typedef struct ukGraph {
    int bodies, groups;          /* nodes: bodies 0 ... bodies - 1, then groups */
    const int *rows;             /* (groups) */
    const unsigned char *traits; /* (groups) */
    const int *start;     /* (bodies + groups + 1) node i's neighbours are neighbour[start[i]] ... ; a body's are */
    const int *neighbour; /* groups, a group's are bodies; each at most once */
    /* (nodes) distance from a set of bodies that are eliminated last; those have 0. Among equal nodes, the farther one
     * is eliminated first. NULL: there is no such set */
    const int *distance;
} ukGraph;

/* Result: nodes that are eliminated together form a front; fronts are numbered in the order of elimination. */
typedef struct ukOrdering {
    int fronts;
    int *front;              /* (nodes) the front of a node */
    unsigned char *doubtful; /* (fronts) the pivot of its groups relies on rows that constrain relative motion only */
    void *memory;            /* internal memory, kept from call to call */
    size_t capacity;
    int *pool;
    size_t pool_capacity;
} ukOrdering;

/* Orders `graph`. The arrays live in the ordering (zero it before first use), grow when needed and are valid until the
 * next call. ukOk, ukErrorMemory. */
int ukOrder(ukOrdering *ordering, const ukGraph *graph);
/* distance (nodes) from bodies that separate the graph: those that are equally far from one end of it, where `share` of
 * its scalars are nearer. queue (nodes): scratch. False: there are no such bodies. */
bool ukOrderingSeparate(const ukGraph *graph, double share, int *distance, int *queue);
void ukOrderingFree(ukOrdering *ordering);

#endif
