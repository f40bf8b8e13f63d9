/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/analyze/approach.h: moves the bodies of a world from distant poses to poses that satisfy its joints: min
 * |r(q)|^2 by the Levenberg-Marquardt method in the M-norm (Nocedal & Wright, 10.3; damping by Nielsen 1999), one
 * singular value decomposition per step, rotations by exponentials.
 *
 *      dy = -V diag(sigma/(sigma^2 + mu)) U' r,   B = U diag(sigma) V',
 *
 * where singular values that are below the rank rule's tolerance at the present error are left out, so that the last
 * steps are Gauss-Newton steps even with redundant rows. */
#ifndef UKODE_BRIDGE_ANALYZE_APPROACH_H
#define UKODE_BRIDGE_ANALYZE_APPROACH_H

#include <stdint.h>

#include "bridge/analyze/errors.h"

typedef struct ukApproach {
    ukPoses *poses;
    ukErrors errors;
    double *U, *V, *sigma, *scratch; /* (most x k), (n x n), (k), (2 most + 3 n) */
    ukState *begin, *best, *last;    /* (bodies) */
    double enough;                   /* |r_i| that is rounding: a search ends at it */
    int decompositions;              /* so far */
    int rank;                        /* of the rows at the last decomposition */
} ukApproach;

/* ukOk, ukErrorMemory, ukErrorLapack. */
int ukApproachBegin(ukApproach *a, ukPoses *poses);
void ukApproachEnd(ukApproach *a);

/* Moves the bodies from the frames' poses to poses that satisfy the joints (errors.in: those that count). The method
 * tends to poses that are near in the M-norm. The frames and errors are those of its last poses: *met, the joints are
 * satisfied there; else the poses are a local minimum of |r|^2. ukOk, statuses of the assembly, ukErrorLapack. */
int ukApproachJoints(ukApproach *a, bool *met);
/* The same from poses that nearly satisfy the joints: begins with Gauss-Newton steps; damping is raised only when one
 * fails. */
int ukApproachNearJoints(ukApproach *a, bool *met);

/* The same from several starts: the present poses first; then, by turns, the poses of the least error so far and the
 * present ones, with bodies turned and moved in a fixed pseudo-random sequence, by angles that grow up to pi. Ends at
 * the first poses that satisfy the joints, or at those of the least error. *starts: their number, at most `most`. */
int ukApproachFromMany(ukApproach *a, int most, bool *met, int *starts);

/* ukApproachJoints from the frames' poses after bodies were turned by up to pi and moved by up to the world's length;
 * `random` is the state of a pseudo-random sequence. */
int ukApproachScattered(ukApproach *a, uint64_t *random, bool *met);

/* The singular value decomposition of B at the poses that were filled last, and the rank. ukOk, ukErrorLapack. */
int ukApproachDecompose(ukApproach *a);

/* Input of a damped step: a decomposition of rows (rows x n), U (rows x width), sigma (width), V (width x n), and their
 * errors r (rows); `rank` singular values count. */
typedef struct ukDamped {
    const double *U, *V, *sigma, *r;
    int rows, width, rank;
} ukDamped;

/* dy of the damped step, as dq (n); returns the decrease of |r|^2 that it predicts. */
double ukApproachDamped(const ukPoses *poses, const ukDamped *damped, double mu, double *dq);
/* the largest rotation of a step [rad] */
double ukApproachTurn(const double *dq, int bodies);
/* The rows and errors at the frames' poses. */
int ukApproachRefill(ukApproach *a);

#endif
