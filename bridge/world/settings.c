/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/world/settings.h"

double ukSettingsStep = 0;

ukSettings ukSettingsDefault = {
    .solver = ukSolverAuto,
    .integrator = ukIntegratorEuler,
    .tolerance = 1e-8,
    .stabilization = ukStabilizeProjection,
    .friction = ukFrictionOde,
    .friction_rounds = 5,
    .check_tolerance = 1e-9, /* a correct solve has scaled residuals of at most 1e-12 */
    .check = ukCheckWarn,
    .threads = 1,
};
