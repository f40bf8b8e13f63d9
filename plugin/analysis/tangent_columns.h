/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/analysis/tangent_columns.h: A, B, C, D of the continuous form by the tangent (bridge/analyze/tangent.h). With
 * unit motions e_j of the coordinates,
 *
 *      xi_j   dq = N_q e_j, dv = -A_M^+ d(A v - target)/dq dq     eta_j   dv = N_v e_j
 *      motor  dv = A_M^+ d(target)/du                              force   dr = the wrench
 *
 *      d(xi')/dt = N_q' M dv + N_q' M (w x theta),   d(eta')/dt = N_v' dr. */
#ifndef UKODE_PLUGIN_ANALYSIS_TANGENT_COLUMNS_H
#define UKODE_PLUGIN_ANALYSIS_TANGENT_COLUMNS_H

#include "plugin/analysis/trial.h"

typedef struct ukTangentColumns {
    double *A, *B, *C, *D; /* as in ukLinearization */
    double off[2][2];      /* out: estimates of the largest errors of [state, outputs] by [state, input] */
} ukTangentColumns;

/* Continuous, no reaction among the outputs, and ukTangentPossible, whose statuses it returns. */
int ukTangentColumnsPossible(const ukTrials *t, bool *possible);

/* Refuses dependent rows that are independent near the base state: there is no tangent. */
enum { ukTangentInconsistent = 1 };

/* At the base state, of which the accelerations have just been evaluated. ukOk, ukTangentInconsistent, or a status of
 * the assembly, LAPACK or memory. */
int ukTangentColumnsFill(ukTrials *t, ukTangentColumns *out);

#endif
