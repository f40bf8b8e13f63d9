/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/world/energy.h: what bodies have, as ODE holds them now. */
#ifndef UKODE_BRIDGE_WORLD_ENERGY_H
#define UKODE_BRIDGE_WORLD_ENERGY_H

#include "bridge/world/frame.h"

/* w' R B R' w / 2, for B (9) in the body's frame; `stride` of R's rows */
double ukSpinEnergy(const double *R, int stride, const double B[9], const double *w);

/* Adds the body's kinetic energy, and -m g x where gravity pulls it [J]; of a kinematic one nothing. */
void ukBodyEnergy(ukBody *body, const double g[3], dReal *kinetic, dReal *potential);

#endif
