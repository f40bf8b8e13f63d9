/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/diagnose/audit.h: compares a user constraint's A and b with finite differences of its own phi and psi. With
 * psi = A v - target:
 *      A = dphi/dq,   A = dpsi/dv,   psi = dphi/dt,   b = -dpsi/dt at constant velocities   (since dpsi/dt = A qdd -
 * b). */
#ifndef UKODE_BRIDGE_DIAGNOSE_AUDIT_H
#define UKODE_BRIDGE_DIAGNOSE_AUDIT_H

#include "bridge/user/constraint.h"

/* At the present state; nothing moves. ukOk (whatever was found), ukErrorArgument (no error function), ukErrorMemory,
 * or a status of the evaluation. */
int ukAuditConstraint(struct ukConstraint *c, ukAudit *result);

#endif
