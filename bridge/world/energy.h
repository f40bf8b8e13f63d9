/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/world/energy.h: the energies of bodies, from ODE's present state. */
#ifndef UKODE_BRIDGE_WORLD_ENERGY_H
#define UKODE_BRIDGE_WORLD_ENERGY_H

#include "bridge/world/frame.h"

/* w' R B R' w / 2, for a symmetric B (9) in the body's frame; `stride` of R's rows */
static inline double ukSpinEnergy(const double *R, int stride, const double B[9], const double *w)
{
    const double *const S = R + stride, *const T = S + stride;
    const double x = R[0] * w[0] + S[0] * w[1] + T[0] * w[2];
    const double y = R[1] * w[0] + S[1] * w[1] + T[1] * w[2];
    const double z = R[2] * w[0] + S[2] * w[1] + T[2] * w[2];
    return 0.5 * (B[0] * x * x + B[4] * y * y + B[8] * z * z) + B[1] * x * y + B[2] * x * z + B[5] * y * z;
}

/* Adds the body's kinetic energy, and -m g x where gravity pulls it [J]; of a kinematic one nothing. */
void ukBodyEnergy(ukBody *body, const double g[3], dReal *kinetic, dReal *potential);

#endif
