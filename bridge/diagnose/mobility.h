/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/diagnose/mobility.h: the mobility of an island: a basis of the velocities that an island's rigid rows admit,
 * and a second basis by independent coordinates, described in words.
 *
 * With M = L L' and B = A L^-T of unit rows (metric.h), the right null vectors y of B give velocities v = L^-T y that
 * are orthonormal in M. Free axes of joints and directions of bodies are functionals g . v on that space. Of these, as
 * many as the space has dimensions are chosen in order, each independent of those before; motion i has g_i . v > 0 and
 * g_k . v = 0 for the other chosen ones. */
#ifndef UKODE_BRIDGE_DIAGNOSE_MOBILITY_H
#define UKODE_BRIDGE_DIAGNOSE_MOBILITY_H

#include "bridge/world/record.h"

/* ukOk, a status of the assembly, ukErrorMemory, ukErrorLapack; memory is the stepper's. */
int ukMobilityOf(ukWorld *world, ukMobility *mobility);

#endif
