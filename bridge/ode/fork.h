/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/ode/fork.h: what Webots' fork of ODE adds to ODE 0.13.1: forces of fluids, and suspensions of hinges and
 * hinge2s along an axis of their own. Other copies lack these functions: their members of ukOde are NULL there. */
#ifndef UKODE_BRIDGE_ODE_FORK_H
#define UKODE_BRIDGE_ODE_FORK_H

#include <ode/ode.h>

/* Adds the forces of fluids to the accumulators of the bodies; dWorldStep of the fork begins with it. */
int dFluidDynamicsStep(dWorldID world);
/* The axis, in body 1's frame, along which the first of the three rows of the anchors lies; world axes in the
 * arguments. */
void dJointSetHingeSuspensionAxis(dJointID joint, dReal x, dReal y, dReal z);
void dJointGetHingeSuspensionAxis(dJointID joint, dVector3 axis);
void dJointSetHinge2SuspensionAxis(dJointID joint, dReal x, dReal y, dReal z);
void dJointGetHinge2SuspensionAxis(dJointID joint, dVector3 axis);

/* Setters, wrapped like those of bridge/ode/ode.h: X(function, note kind) */
#define UKODE_SETTERS_FORK(X) /* (dJointID, x, y, z) */                                                                \
    X(dJointSetHingeSuspensionAxis, ukNoteSuspension)                                                                  \
    X(dJointSetHinge2SuspensionAxis, ukNoteSuspension)

/* Called, not wrapped: X(function) */
#define UKODE_CALLED_FORK(X)                                                                                           \
    X(dFluidDynamicsStep)                                                                                              \
    X(dJointGetHingeSuspensionAxis)                                                                                    \
    X(dJointGetHinge2SuspensionAxis)

#endif
