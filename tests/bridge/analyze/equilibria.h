/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/bridge/analyze/equilibria.h: worlds and checks that the tests of equilibria share. */
#ifndef UKODE_TESTS_BRIDGE_ANALYZE_EQUILIBRIA_H
#define UKODE_TESTS_BRIDGE_ANALYZE_EQUILIBRIA_H

#include <stdbool.h>

#include <ukode/analysis.h>

static const double pi = 3.14159265358979323846, g = 9.81;

/* the next number of a sequence, in [-1, 1) */
double uniform(unsigned long *state);
/* Searches an equilibrium, which must not fail; returns whether it found one. */
bool search(dWorldID world, ukEquilibrium *e);
const ukCarried *carriedBy(const ukEquilibrium *e, dJointID joint);
dBodyID boxOfSides(dWorldID world, double mass, double a, double b, double c);
dWorldID heavyWorld(void);
void turnAbout(dBodyID body, double x, double y, double z, double angle);

#endif
