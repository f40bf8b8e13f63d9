/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/unit/plain_world.h: what tests of user constraints begin with. */
#ifndef UKODE_TESTS_PLAIN_WORLD_H
#define UKODE_TESTS_PLAIN_WORLD_H

#include <ode/ode.h>

dWorldID newWorld(double gravity); /* along -z; CFM 0 */
dBodyID ball(dWorldID w, double m, double x, double y, double z);
void rk4(dWorldID w); /* with projection */

#endif
