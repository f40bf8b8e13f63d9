/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/support/rolling_disc.h: a thin disc that rolls on the plane z = 0 without slipping, as a user constraint of its
 * lowest point: two nonholonomic rows and one of its height. */
#ifndef UKODE_TESTS_ROLLING_DISC_H
#define UKODE_TESTS_ROLLING_DISC_H

#include <ukode/ukode.h>

/* The axle is the body's y axis. radius [m]: kept by the caller as long as the constraint. */
void rollingDisc(dWorldID world, dBodyID disc, dReal *radius);

#endif
