/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/diagnose/diagnose.h: which joints are redundant, whose reactions are determined, and which contradict each
 * other.
 *
 * With N a basis of the y that have y' A = 0: a joint k takes part in rank(N_k) dependences (its redundant rows); its
 * reaction A_k' lambda_k is the same for every choice of multipliers where A_k' N_k = 0; and a right-hand side r can be
 * satisfied only where N' r = 0. A set of joints is in conflict if that fails for its rows alone. With y the part of r
 * that the set cannot satisfy, its size is y' r for y scaled to a largest coefficient of 1 (among rows in metres, if
 * any): two hinges a millimetre apart are in conflict by a millimetre. */
#ifndef UKODE_BRIDGE_DIAGNOSE_DIAGNOSE_H
#define UKODE_BRIDGE_DIAGNOSE_DIAGNOSE_H

#include "bridge/world/record.h"

/* ukOk, a status of the assembly, ukErrorMemory, ukErrorLapack; memory is the stepper's. */
int ukDiagnose(ukWorld *world, ukDiagnosis *diagnosis);

#endif
