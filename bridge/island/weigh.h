/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/weigh.h: right-hand sides of weighted user constraints: rows that contradict each other, or the rigid
 * rows of their island, are satisfied in the user's metric W (Udwadia, Kalaba & Hee-Chang 1997 [37], [38]).
 *
 * The wanted x minimise, among all with A_h x = r_h (rigid rows), (A_w x - r_w)' W (A_w x - r_w). With x_h any solution
 * of the rigid rows and P their projector onto A_h x = 0, these are the solutions of A_h x = r_h, A_w x = r_w',
 *
 *      r_w' = A_w x_h + T (T'WT)^-1 T'W (r_w - A_w x_h),    range T = range A_w P
 *
 * which are consistent: every solver, integrator and projection treats them as rows of any other constraint. */
#ifndef UKODE_BRIDGE_ISLAND_WEIGH_H
#define UKODE_BRIDGE_ISLAND_WEIGH_H

#include "bridge/island/island.h"

/* Whether a constraint of the island has a weight. */
bool ukWeighs(const ukIsland *island);

/* Replaces b, c, phi and rate of the weighted rows of an assembled island; h: step of the discrete form, 0: continuous.
 * ukOk, ukErrorMemory. */
int ukWeighRows(ukIsland *island, double h);

/* Memory of at least `size` bytes, a multiple of 64, in solvers->weigh_memory; its contents are lost. Weights and
 * actuators use it one after the other. false: there is none. */
bool ukWeighReserve(ukIslandSolvers *solvers, size_t size);

#endif
