/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/analyze/tangent_space.h: motions that a world's rigid rows A admit, by one sparse factorization
 * (solvers/kkt/kkt.h). With N spanning null(A), orthonormal in the metric of M, and A_M^+ = M^-1 A' (A M^-1 A')^+,
 *
 *      x = N N' f + A_M^+ g,
 *
 * the motion with A x = g that is nearest to M^-1 f in the M-norm: N N' M projects onto the admissible motions. Of
 * dependent rows those count that singular values leave; g is to be consistent. */
#ifndef UKODE_BRIDGE_ANALYZE_TANGENT_SPACE_H
#define UKODE_BRIDGE_ANALYZE_TANGENT_SPACE_H

#include "bridge/analyze/probe.h"
#include "solvers/equality/equality.h"

typedef struct ukTangentSpace {
    ukProblem problem;    /* copies of the world's bodies and of these rows */
    int *row;             /* (rows) the number of each among the world's rigid rows */
    int rank;             /* of these rows */
    unsigned char *keeps; /* (rows) 1: independent */
    bool independent;     /* all are */
    ukEquality *equality; /* owned */
    ukKktFactor factor;
    double *g, *l; /* (rows) scratch */
    void *memory;  /* owned */
} ukTangentSpace;

/* Builds the tangent space of the rigid rows, or of the holonomic ones alone, of an assembled probe. ukOk;
 * ukErrorSingular: the rank is not determined; ukErrorMemory or a status of the factorization. ukTangentSpaceEnd is to
 * be called in any case. */
int ukTangentSpaceBegin(ukTangentSpace *space, const ukProbe *probe, bool holonomic);
void ukTangentSpaceEnd(ukTangentSpace *space);

/* x (6 per moving body) = N N' f + A_M^+ g, f as x (NULL: 0), g (rigid rows of the world; NULL: 0). l (the same; NULL:
 * not asked for): multipliers with M x = f + A' l, -(A_M^+)' f if g is NULL; 0 for dependent rows. No allocation. */
void ukTangentSpaceSolve(const ukTangentSpace *space, const double *f, const double *g, double *x, double *l);

/* The largest |g| of unit rows, g as above. */
double ukTangentSpaceLargest(const ukTangentSpace *space, const double *g);
/* The largest |A x - g| of unit rows: rounding for x of consistent g. */
double ukTangentSpaceInconsistency(const ukTangentSpace *space, const double *x, const double *g);

#endif
