/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/analysis/linear_operator.h: A and B of the continuous form as products with vectors of the bodies' motions
 * (ukLinearOperator), by the stored tangent (bridge/analyze/sparse_tangent.h) and sparse factorizations of the rows
 * (bridge/analyze/tangent_space.h). With S_q = N_q N_q', S_v = N_v N_v', G = A_M^+, W dq = w x (its rotation):
 *
 *      a = S_q M dq,   b = S_v M dv - G J_q a,        A [dq; dv] = [S_q M (W a + b); S_v (R_q a + R_v b)]
 *      b = -G d(A v - target)/du u,                   B u        = [S_q M b; S_v (dr/du u + R_v b)] */
#ifndef UKODE_PLUGIN_ANALYSIS_LINEAR_OPERATOR_H
#define UKODE_PLUGIN_ANALYSIS_LINEAR_OPERATOR_H

#include <ukode/analysis.h>

#include "bridge/analyze/sparse_tangent.h"
#include "bridge/analyze/tangent_space.h"

struct ukLinearOperator {
    ukLinearOperatorInfo info;
    ukSparseTangent tangent;
    ukTangentSpace velocities, poses; /* of all rigid rows; of the holonomic ones, if there are others */
    int n, rows;                      /* 6 x bodies; rigid rows */
    double *spin;                     /* (3 x bodies) angular velocities */
    int *start, *index; /* (inputs + 1), entries of an input's derivative of [r; A v - target] that are not zero, */
    double *value;      /* and these; owned */
    size_t index_capacity, value_capacity;
    double *a, *b, *r, *force, *rates, *l; /* (n), (n), (n), (n), (rows), (rows) scratch */
    double *x, *y[2];                      /* (2 n) the same */
    double *f;
    dBodyID *body;
    char *activity;
    void *memory; /* owned */
};

void ukLinearOperatorState(struct ukLinearOperator *o, bool transposed, const double *x, double *y);
void ukLinearOperatorInputs(struct ukLinearOperator *o, bool transposed, const double *from, double *to);

#endif
