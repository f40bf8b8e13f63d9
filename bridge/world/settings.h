/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/world/settings.h: the settings of one world; the public enumerations of <ukode/ukode.h>. */
#ifndef UKODE_BRIDGE_WORLD_SETTINGS_H
#define UKODE_BRIDGE_WORLD_SETTINGS_H

#include <ukode/ukode.h>

#include <float.h>
#include <stdbool.h>

/* Every setting: what is saved (plugin/formats/snapshot/world.c), recorded and replayed
 * (plugin/formats/inputs/fields.h), in this order; a setting cannot be anywhere else. INTEGER(type, name, least, most),
 * REAL(name, least, most). */
#define UKODE_SETTINGS(INTEGER, REAL)                                                                                  \
    INTEGER(ukSolver, solver, ukSolverAuto, ukSolverLagrange)                                                          \
    INTEGER(ukIntegrator, integrator, ukIntegratorEuler, ukIntegratorRadau)                                            \
    INTEGER(ukStabilization, stabilization, ukStabilizeErp, ukStabilizeSplit) /* ukStabilizeSplit: of both forms */    \
    REAL(alpha, 0, DBL_MAX)                                                   /* Baumgarte [1/s]; 0: the default */    \
    REAL(beta, 0, DBL_MAX)                                                                                             \
    INTEGER(ukFriction, friction, ukFrictionOde, ukFrictionCone)                                                       \
    INTEGER(ukCfmRule, cfm_rule, ukCfmAuto, ukCfmOde)                                                                  \
    INTEGER(int, friction_rounds, ukFewestRounds, ukMostRounds) /* of frozen bounds that an island takes */            \
    REAL(check_tolerance, DBL_TRUE_MIN, DBL_MAX)                /* of the scaled residuals */                          \
    INTEGER(ukCheckAction, check, ukCheckOff, ukCheckStop)                                                             \
    INTEGER(int, threads, 1, ukPoolMost)     /* that solve islands, the caller's included */                           \
    REAL(rank_tolerance, 0, 1 - DBL_EPSILON) /* relative; 0: automatic */                                              \
    REAL(time, -DBL_MAX, DBL_MAX)            /* [s] */                                                                 \
    REAL(tolerance, 0, DBL_MAX)              /* of the adaptive integrator: relative */                                \
    REAL(absolute, 0, DBL_MAX)               /* ... [m] */                                                             \
    INTEGER(ukJointRule, joint_rule, ukJointRuleODE, ukJointRuleExact)                                                 \
    INTEGER(int, budget, 0, ukMostBudget) /* evaluations of a step; 0: by the number of bodies */                      \
    INTEGER(int, passes, 0, ukMostBudget) /* of an island with bounded rows; 0: any number */

enum { ukMostBudget = 1000000000 };

typedef struct ukSettings {
#define UKODE_INTEGER(type, name, ...) type name;
#define UKODE_REAL(name, ...) double name;
    UKODE_SETTINGS(UKODE_INTEGER, UKODE_REAL)
#undef UKODE_INTEGER
#undef UKODE_REAL
} ukSettings;

/* Whether the integrator takes sub-steps to a tolerance (bridge/integrate/integrate_adaptive.h). */
static inline bool ukIsAdaptive(const ukSettings *settings)
{
    return settings->integrator == ukIntegratorAdaptive || settings->integrator == ukIntegratorRadau;
}

/* their places in the order */
enum {
#define UKODE_INTEGER(type, name, ...) ukPlaceOf_##name,
#define UKODE_REAL(name, ...) ukPlaceOf_##name,
    UKODE_SETTINGS(UKODE_INTEGER, UKODE_REAL)
#undef UKODE_INTEGER
#undef UKODE_REAL
        ukSettingsCount
};

extern ukSettings ukSettingsDefault; /* of worlds created from now on; changed by UKODE_* at load */

/* Step size of all worlds [s], whatever the program passes; 0: as the program passes it. Recordings, saved states and
 * replays have the step that was taken. An invalid step size stays invalid. */
extern double ukSettingsStep;

static inline double ukSettingsStepOf(double asked)
{
    return asked > 0 && ukSettingsStep > 0 ? ukSettingsStep : asked;
}

/* As numbers, in their order. */
static inline void ukSettingsNumbers(const ukSettings *settings, double number[ukSettingsCount])
{
#define UKODE_INTEGER(type, name, ...) number[ukPlaceOf_##name] = settings->name;
#define UKODE_REAL(name, ...) number[ukPlaceOf_##name] = settings->name;
    UKODE_SETTINGS(UKODE_INTEGER, UKODE_REAL)
#undef UKODE_INTEGER
#undef UKODE_REAL
}

#endif
