/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/analysis/transport.h: A of the continuous form in velocity coordinates that turn with the rows. The rows of
 * eta of ukLinearization are N_v' M dv' with N_v as it is at the state. Where the rows turn with the motion, N_v
 * does, too, and the velocities dv_j = M^-1 A' mu_j that a displacement xi_j demands, which N_v' M leaves out at the
 * state, have a part along N_v a moment later:
 *
 *      d/dt (N_v' M dv_j) = N_v' M dv_j' + N_v' (M' dv_j - A'' mu_j),     M' and A'' the rates of M and A' along the
 *      motion,
 *
 * by which the eigenvalues of mechanisms that turn steadily (a governor), and of single-degree mechanisms that move,
 * are those of coordinates that move with them. Coordinates along several directions turn among each other, too, where
 * the whole world turns steadily, v = Omega x (r - r_0): then N(t) = exp(t Omega) N, and
 *
 *      d xi/dt -= N_q' M (Omega x) N_q xi,     d eta/dt -= N_v' M (Omega x) N_v eta.
 *
 * Where neither rows nor inertia change, as of a top that spins about the vertical, nothing is added. */
#ifndef UKODE_PLUGIN_ANALYSIS_TRANSPORT_H
#define UKODE_PLUGIN_ANALYSIS_TRANSPORT_H

#include "plugin/analysis/trial.h"

/* Adds these terms to A (positions + velocities squared) of trials that are continuous, f (the same) of the present
 * state;
 * *error: estimate of their largest error. Leaves the probe at the base state. ukOk, or a status of an assembly, LAPACK
 * or memory. */
int ukTransportAdd(ukTrials *t, const double *f, double *A, double *error);

#endif
