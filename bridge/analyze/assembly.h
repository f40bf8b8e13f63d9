/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/analyze/assembly.h: moves the bodies of a world from distant poses to poses that satisfy its joints, with
 * targets (<ukode/analysis.h>). */
#ifndef UKODE_BRIDGE_ANALYZE_ASSEMBLY_H
#define UKODE_BRIDGE_ANALYZE_ASSEMBLY_H

#include <ukode/analysis.h>

#include "bridge/world/record.h"

/* ukOk, whatever was found (out->met); the arrays of *out belong to the stepper. Or a status as ukWorldAssemble's.
 * ODE's bodies stay where they are. Targets are not NULL where count > 0. */
int ukAssemblyFind(ukWorld *world, const ukTarget *target, int count, ukAssembly *out);

#endif
