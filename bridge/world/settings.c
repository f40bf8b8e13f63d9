/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/world/settings.h"

double ukSettingsStep = 0;

/* a correct solve leaves scaled residuals of 1e-12 and less */
ukSettings ukSettingsDefault = {
    .solver = ukSolverAuto,
    .integrator = ukIntegratorEuler,
    .tolerance = 1e-8,
    .stabilization = ukStabilizeProjection,
    .friction = ukFrictionOde,
    .friction_rounds = 5,
    .check_tolerance = 1e-9,
    .check = ukCheckWarn,
    .threads = 1,
};
