/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/analyze/carried.h: the forces of joints, contacts and user constraints at an equilibrium, and whether they are
 * determined: A_k' lambda_k is the same for all multipliers if A_k' y_k = 0 for each y with y' A = 0, A the active
 * rows. */
#ifndef UKODE_BRIDGE_ANALYZE_CARRIED_H
#define UKODE_BRIDGE_ANALYZE_CARRIED_H

#include <ukode/analysis.h>

#include "bridge/analyze/stiffness.h"

/* Number of joints and constraints that have rows. */
int ukCarriedCount(const ukPoses *poses);

/* Fills in the forces of these joints and constraints (as many), for stiffness split into motions of all rows that may
 * push (ukStaticsWiden). */
void ukCarriedFill(const ukStiffness *k, ukCarried *carried);

#endif
