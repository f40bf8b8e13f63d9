/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/mesh.h: the points at which the two wheels of a transmission mesh, or its chain touches them, the
 * tangents of their rims there, and the rates of change of both.
 *
 * ODE's two forces are along each wheel's own tangent. They are not a wrench and its opposite if the axes are not
 * parallel, nor in a chain, whose geometry ODE computes incorrectly. An exact mesh (ukGear.exact) has one tangent for
 * both wheels of a pair, across the mean of their axes, and a chain that runs straight from wheel to wheel. */
#ifndef UKODE_BRIDGE_JOINTS_MESH_H
#define UKODE_BRIDGE_JOINTS_MESH_H

#include "bridge/joints/class.h"

/* The wheels at one instant, world frame: centres, axes, and lever arms from centre to contact. */
typedef struct ukGearMesh {
    double A[2][3], n[2][3], lever[2][3];
} ukGearMesh;

/* Computes centres and axes at the states of both wheels. */
void ukMeshPlace(const ukGear *gear, const ukState *const s[2], ukGearMesh *mesh);
/* Computes contacts and tangents of the gear from the mesh's centres and axes, and the lever arms. ukOk, or
 * ukErrorParameter where ODE aborts. */
int ukMeshComputeContacts(ukGear *gear, ukGearMesh *mesh);
/* The same for a chain whose other branch is tight. */
int ukMeshMirrorChain(ukGear *gear, const ukGearMesh *mesh);
/* Jdot v of the gear's row, after ukMeshComputeContacts at the states. */
double ukMeshBias(const ukGear *gear, const ukState *const s[2]);

#endif
