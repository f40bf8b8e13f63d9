/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/factor/symbolic.h: the plan of the factorization as its users read it: fronts, and where every coefficient
 * goes. plan.h makes it from the structure of a problem alone.
 *
 * A front eliminates p scalar unknowns (the 6 of each of its bodies, or the rows of groups) out of a dense symmetric
 * matrix of p + u; the u that remain (its update rows) receive a Schur complement, which the parent front adds to its
 * own matrix (multifrontal method, Duff & Reid 1983). Fronts stand in postorder: the children of f end at f - 1.
 * Unknowns are renumbered in the order of elimination ("positions"). */
#ifndef UKODE_SOLVERS_FACTOR_SYMBOLIC_H
#define UKODE_SOLVERS_FACTOR_SYMBOLIC_H

#include "solvers/factor/ordering.h"
#include "solvers/factor/subtrees.h"
#include "solvers/problem/problem.h"

/* consecutive update rows: their positions, and their places in the parent's front */
typedef struct ukRun {
    int at, count, to;
} ukRun;

/* one block's coefficients on one body, in the front that eliminates the first of the two */
typedef struct ukEntry {
    size_t A;   /* offset of the first coefficient in ukProblem.A */
    int stride; /* from row to row there */
    int row;    /* first row in the problem */
    int body;   /* the body eliminated, if several the first one; -1: rows of groups */
    int rows;
    int at;     /* first of the block's rows in the front */
    int column; /* first column of the body in the front */
} ukEntry;

/* A condensed block is a group of soft rows that is eliminated first, each on its own softness (static condensation):
 * only A and 1/d are stored for it. The other special kinds are those of branch.h. */
enum {
    ukFrontAny,
    ukFrontCondensed,
    ukFrontLeafBody3,
    ukFrontLeafBody5,
    ukFrontLeafJoint3,
    ukFrontLeafJoint5,
    ukFrontInteriorBody3,
    ukFrontInteriorBody5,
    ukFrontInteriorJoint3,
    ukFrontInteriorJoint5,
    ukFrontRootBody
};

typedef struct ukFront {
    int body;          /* the body eliminated; -1: rows of groups */
    int p, u, ld, ldu; /* ldu: u rounded up to even, ld: p + ldu rounded up to even */
    int at;            /* position of the first pivot */
    int first;         /* its first descendant; itself if it has none */
    int parent;        /* -1: none */
    int run, runs;     /* runs of its update rows */
    int entry, entries;
    size_t L,
        U; /* panel in the factor (ld x p, column-major; condensed: p, 1/d); Schur complement (ldu x u) on the stack */
    unsigned char rest;     /* children have update rows beyond the pivots */
    unsigned char doubtful; /* see ordering.h */
    unsigned char kind;     /* ukFrontAny, ... */
    signed char part;       /* of ukSymbolic.subtrees; -1: in the top, or there are no parts */
    unsigned char outside;  /* some update rows belong to the top; the kind is then ukFrontAny */
} ukFront;

typedef struct ukSymbolic {
    int bodies, blocks, rows, slots; /* sizes of the problem that was planned for; bodies -1: none */
    int fronts, runs, entries;
    size_t factor, stack; /* [doubles] */
    ukFront *front;
    ukRun *run;
    ukEntry *entry;
    int *row;            /* (6 bodies + rows) position -> row of the problem, or -1 - (6 body + component) */
    int *body_at;        /* (bodies) position of the first of its 6 */
    int *row_at;         /* (rows) */
    ukSubtrees subtrees; /* of large problems: parts that are factorized and solved at the same time */
    int *outer;          /* (6 bodies + rows; with parts) number of a position among those of the top; -1: in a part */
    int outers;          /* positions of the top */
    /* own: the structure planned for, the graph, the order and scratch; kept, never shrunk */
    ukBlock *block;
    int *body;
    ukOrdering ordering;
    int *graph;
    unsigned char *traits;
    unsigned char *wish; /* (blocks) ukGroupSoft, ukGroupLate */
    int condensed;       /* fronts of that kind */
    bool late;           /* some block is ukGroupLate */
    int *scratch;
    double *work; /* scratch */
    size_t capacity[16];
} ukSymbolic;

/* Whether some blocks are late (ukSymbolicDelay of plan.h): the order then follows from values, not only from the
 * structure. */
bool ukSymbolicIsLate(const ukSymbolic *plan);
void ukSymbolicFree(ukSymbolic *plan);

/* The last stage of planning, of fronts in postorder with their runs and entries by position: the places of entries and
 * Schur complements within the fronts, the kinds of the fronts, and their memory. local (positions) and stack_of
 * (fronts) are scratch. */
void ukSymbolicConnect(ukSymbolic *plan, int *local, unsigned char *stack_of);

#endif
