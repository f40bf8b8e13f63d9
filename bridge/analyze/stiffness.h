/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/analyze/stiffness.h: the stiffness of a world at rest along the motions that its active rows leave. With N, an
 * orthonormal basis of these motions in the metric of M, and F = Q + A' lambda for the multipliers of the statics,
 *
 *      K = -N' dF/dq N,     c = N' M qdd,
 *
 * the Hessian and the negative gradient of the energy on the constraint manifold, where forces have one. */
#ifndef UKODE_BRIDGE_ANALYZE_STIFFNESS_H
#define UKODE_BRIDGE_ANALYZE_STIFFNESS_H

#include "bridge/analyze/statics.h"

typedef struct ukStiffness {
    ukStatics *statics;
    int n, free, rank; /* motions left; rank of the active rows */
    double *V;         /* (n x n) rows: an orthonormal basis of the row space, then N, in the metric of M */
    double *U;         /* (actives x actives) */
    double *sigma;     /* (n or actives, the larger) */
    double *K;         /* (free x free) */
    double *c;         /* (free) */
    double *kappa,
        *Z;        /* (free), (free x free): eigenvalues, ascending, and vectors (columns) of the symmetric part of K */
    double skew;   /* the largest element of the other part [1/s^2] */
    double *work;  /* (4 n + n n) */
    ukState *keep; /* (bodies) */
    void *memory;  /* owned */
} ukStiffness;

/* ukOk, ukErrorMemory, ukErrorLapack. */
int ukStiffnessBegin(ukStiffness *k, ukStatics *statics);
void ukStiffnessEnd(ukStiffness *k);

/* At the poses of the last ukStaticsSolve, which stay; the world is assembled there again. ukOk, statuses of the
 * assembly, ukErrorLapack. */
int ukStiffnessFind(ukStiffness *k);

/* The least eigenvalue of the symmetric part of K in the metric of M, without the auxiliary masses that bodies without
 * mass have in N's (bridge/island/massless.h). ukOk, ukErrorMemory, ukErrorLapack. */
int ukStiffnessSoftest(const ukStiffness *k, double *softest);

/* U, V, sigma, rank and free alone, for the rows that are active now. ukOk, ukErrorMemory, ukErrorLapack. */
int ukStiffnessSplit(ukStiffness *k);

/* dq (n) of Newton's step with |kappa| for kappa, which goes downhill. No eigenvector moves a body by more than `most`
 * of the world's length or radians, nor do all. Returns c' x >= 0, the rate at which the energy falls along it. */
double ukStiffnessStep(const ukStiffness *k, double most, double *dq);

#endif
