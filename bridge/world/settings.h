/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/world/settings.h: what a user chose for one world; the public enumerations of <ukode/ukode.h>. */
#ifndef UKODE_BRIDGE_WORLD_SETTINGS_H
#define UKODE_BRIDGE_WORLD_SETTINGS_H

#include <ukode/ukode.h>

typedef struct ukSettings {
    ukSolver solver;
    ukIntegrator integrator;
    double tolerance, absolute;    /* of the adaptive one: relative; [m] */
    ukStabilization stabilization; /* of the integrators of the continuous form */
    double alpha, beta;            /* Baumgarte [1/s]; 0: the default */
    ukFriction friction;
    ukCfmRule cfm_rule;
    int friction_rounds;    /* of frozen bounds that an island takes, 2 ... 100 */
    double check_tolerance; /* of the scaled residuals */
    ukCheckAction check;
    int threads;           /* that solve islands, the caller's included: 1 ... ukPoolMost */
    double rank_tolerance; /* relative; 0: automatic */
    double time;           /* [s] */
} ukSettings;

extern ukSettings ukSettingsDefault; /* of worlds created from now on; changed by UKODE_* at load */

#endif
