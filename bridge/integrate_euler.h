/* bridge/integrate_euler.h: ODE's semi-implicit Euler step on the solved island. */
#ifndef UKODE_BRIDGE_INTEGRATE_EULER_H
#define UKODE_BRIDGE_INTEGRATE_EULER_H

#include "bridge/stepper.h"

/* v += h qdd, then body by body in the island's order: speed cap, pose with the new velocity, write back, callback,
 * damping. Kinematic bodies keep their velocity. ukOk, or ukErrorHandle if a callback destroyed the world. */
int ukIntegrateEuler(ukStepper *stepper, int island, double h);

#endif
