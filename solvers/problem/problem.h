/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/problem/problem.h: the equations of constrained motion in blocks, free of ODE.
 *
 *      M qdd = Q + C + A' lambda,    A qdd + softness lambda = b  (active rows),    lo <= lambda <= hi
 *
 * One body has 6 rows of v = [linear velocity of the centre of mass; angular velocity], world frame;
 * M_i = diag(mass I3, inertia). One block is a joint, a contact or a user constraint: `rows` rows of A over `slots`
 * bodies, stored as one dense (rows x 6 slots) row-major matrix. All arrays are the caller's. */
#ifndef UKODE_SOLVERS_PROBLEM_PROBLEM_H
#define UKODE_SOLVERS_PROBLEM_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ukBlock {
    int row, rows;   /* its rows are row ... row + rows - 1; blocks follow one another without gaps */
    int slot, slots; /* its bodies are body[slot] ... body[slot + slots - 1] (of ukProblem) */
    size_t A;        /* offset of its (rows x 6 slots) coefficients in ukProblem.A */
} ukBlock;

typedef struct ukProblem {
    int bodies, blocks, rows;
    const double *mass;            /* (bodies) > 0 */
    const double *inertia;         /* (bodies x 9) world frame, about the centre of mass, s.p.d. */
    const double *inverse_inertia; /* (bodies x 9) */
    const double *Q;               /* (bodies x 6) impressed force and torque */
    const double *C;               /* (bodies x 6) prescribed non-ideal force and torque; NULL: none */
    const ukBlock *block;          /* (blocks) */
    const int *body;               /* slots of all blocks: index of a body, or -1 where it cannot move (its columns
                                      of A are ignored); a body stands at most once in a block */
    const double *A;               /* coefficients of all blocks */
    const double *b;               /* (rows) */
    const double *softness;        /* (rows) >= 0, cfm/h: A qdd + softness lambda = b; NULL: all 0 */
    const double *lo, *hi;         /* (rows) bounds of lambda, lo <= 0 <= hi, infinite for an equality; NULL: all rows
                                      are equalities */
    const int *normal;             /* (rows) friction: the row of the normal force that scales this row's bounds
                                      (lo, hi are then -mu, mu), -1 for constant bounds; NULL: none */
    const unsigned char *cone;     /* (rows) 1 on the first of two consecutive tangent rows of an elliptic Coulomb cone
                                      (their mu in hi, their normal in `normal`); 1 or 2 on the first of two or three
                                      with constant bounds: |lambda| of them <= hi, which they share, lo = -hi.
                                      NULL: none, all boxes and pyramids */
    const struct ukTeam *team;     /* threads that may share the work (solvers/base/team.h); NULL: the caller's only */
    const struct ukPartition *partition; /* of a large problem (solvers/problem/partition.h); NULL: it is not divided */
} ukProblem;

typedef struct ukSolution {
    double *qdd;     /* (bodies x 6) acceleration */
    double *lambda;  /* (rows) multiplier: the force of each row, of least norm where it is not unique */
    double *lo, *hi; /* (rows) the bounds used at the solution, those of friction rows scaled by the normal force of
                        the friction law; infinite for equalities. NULL: not requested */
    double *loads;   /* (rows) in: normal forces of the initial friction bounds, NaN or infinite: unknown; out: those
                        for the next step. Two-phase law: the multipliers of phase 1. NULL: not known, not requested.
                        Solvers without friction leave them unchanged */
    double coupling; /* friction by the normal forces of the same solution: |x - y| / |x - a|, metric of M, of the
                        accelerations of the last two fixed-point iterations, which is 0 where the law is met */
    int rank;        /* numerical rank of the active rows; -1 where a solver did not determine it */
    int active; /* rows that are equalities at the solution (bounded rows strictly between their bounds included) */
    int pivots; /* changes of the active set: rows that became free or met a bound, over all iterations */
    int passes; /* factorizations of a working set; a homotopy, which updates one factor, counts as one */
    double residual; /* natural residual of the complementarity problem, scaled, dimensionless; 0 for equalities only */
} ukSolution;

/* the row of the normal force that scales a row's bounds, -1: they are constant */
static inline int ukProblemNormal(const ukProblem *p, int row)
{
    return p->normal ? p->normal[row] : -1;
}

/* How many rows share the disc or ball that begins at `row`, 1: a box; `end` is one after the last row of its block, hi
 * (rows) p's own or the current bounds. They have one normal row, or none; with one they are a disc where the law is
 * `elliptic`. Segments and strips are boxes, as are discs whose squared radius underflows. */
int ukProblemDisc(const ukProblem *p, const double *hi, bool elliptic, int row, int end);

/* y (rows) = A x for x (bodies x 6) */
void ukProblemApply(const ukProblem *p, const double *x, double *y);
/* f (bodies x 6) += A' lambda */
void ukProblemApplyTransposed(const ukProblem *p, const double *lambda, double *f);
/* a (bodies x 6) = M^-1 f */
void ukProblemAccelerate(const ukProblem *p, const double *f, double *a);
/* f (bodies x 6) = M a */
void ukProblemInertia(const ukProblem *p, const double *a, double *f);

/* f' M^-1 g of two forces (6) on one body. */
double ukProblemMobility(const ukProblem *p, int body, const double *f, const double *g);

/* (A M^-1 A')_ii of row i of a block [acceleration per force]: what one unit of its multiplier moves it by. */
double ukProblemCompliance(const ukProblem *p, const ukBlock *block, int row);

/* Whether the blocks of one island, all of whose bodies they connect, close loops over the bodies and the world. A
 * block on one body is one on the world, too. */
bool ukProblemHasLoops(const ukProblem *p);

#endif
