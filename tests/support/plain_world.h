/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/support/plain_world.h: what tests of a few bodies begin with. */
#ifndef UKODE_TESTS_PLAIN_WORLD_H
#define UKODE_TESTS_PLAIN_WORLD_H

#include <ode/ode.h>

dWorldID newWorld(double gravity);                                /* along -z; CFM 0 */
dBodyID ball(dWorldID w, double m, double x, double y, double z); /* of radius 0.1 */
dBodyID box(dWorldID w, double m, double x, double y, double z);  /* 0.4 x 0.3 x 0.2 */
void rk4(dWorldID w);                                             /* with projection */

double apart(const double x[3], const double y[3]); /* |x - y| */
double kineticEnergy(dBodyID body);                 /* [J] */

#endif
