/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/analyze/sparse_tangent.h: the derivatives of bridge/analyze/tangent.h, stored once per state, for products
 * with any number of vectors:
 *
 *      R_q = dr/dq,   R_v = dr/dv,   J_q = d(A v - target)/dq      (rigid rows)
 *
 * One block of 6 x 6 for each body and group of bodies that acts on it, and one of 6 for each row and group. */
#ifndef UKODE_BRIDGE_ANALYZE_SPARSE_TANGENT_H
#define UKODE_BRIDGE_ANALYZE_SPARSE_TANGENT_H

#include "bridge/analyze/tangent.h"

typedef struct ukSparseTangent {
    int bodies, rows, groups;
    int *owner;                   /* (groups x bodies) body that the block is a derivative by; -1: none */
    int *row_owner;               /* (groups x rows) */
    double *poses, *velocities;   /* (groups x bodies x 36) of r */
    double *rates;                /* (groups x rows x 6) of A v - target by poses */
    double *coarse[3];            /* the same three of lower order; as long as the estimate of errors needs them */
    void *memory, *coarse_memory; /* owned */
} ukSparseTangent;

/* At the base state of a tangent that has begun. ukOk, ukErrorMemory or a status of an assembly. To be ended in any
 * case. */
int ukSparseTangentBegin(ukSparseTangent *s, ukTangent *t);
void ukSparseTangentEnd(ukSparseTangent *s);

/* Exchanges the derivatives with those of lower order; ukSparseTangentSettle frees these. */
void ukSparseTangentSwap(ukSparseTangent *s);
void ukSparseTangentSettle(ukSparseTangent *s);

/* r (6 x bodies) += R_q dq,  rates (rows) += J_q dq */
void ukSparseTangentPoses(const ukSparseTangent *s, const double *dq, double *r, double *rates);
/* terms (rows) = the sums of absolute values that J_q dq adds up */
void ukSparseTangentRateTerms(const ukSparseTangent *s, const double *dq, double *terms);
/* r += R_v dv */
void ukSparseTangentVelocities(const ukSparseTangent *s, const double *dv, double *r);
/* dq += R_q' r,  dv += R_v' r,  dq += J_q' rates */
void ukSparseTangentPosesTransposed(const ukSparseTangent *s, const double *r, double *dq);
void ukSparseTangentVelocitiesTransposed(const ukSparseTangent *s, const double *r, double *dv);
void ukSparseTangentRatesTransposed(const ukSparseTangent *s, const double *rates, double *dq);

#endif
