/* SPDX-License-Identifier: BSD-3-Clause */
/* One step of ukode equals one step of dWorldStep on random worlds without active inequalities: every joint type that
 * makes equality rows, both attach orders, kinematic bodies, damping, caps, rotation modes, infinite motors.
 * See sweep.h. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/check.h"
#include "tests/parity/precision.h"
#include "tests/parity/sweep.h"

int main(int argc, char **argv)
{
    const int worlds = argc > 1 ? atoi(argv[1]) : 6000;
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateFlagCollisionData);
    RandomWorldKind kind = {.types = randomEqualityTypes, .cfm_lo = PARITY_CFM, .cfm_hi = 1e-2};
    paritySweep("every type", worlds, 1, &kind, PARITY_AGREES);
    for (int type = dJointTypeBall; type <= dJointTypeTransmission; type++) {
        if (!(randomEqualityTypes >> type & 1)) continue;
        char name[32];
        snprintf(name, sizeof name, "type %d", type);
        kind.types = 1 << type;
        paritySweep(name, worlds / 20, 100000 * (uint64_t)type, &kind, PARITY_AGREES);
    }
    const RandomWorldKind closed = {
        .types = randomEqualityTypes, .cfm_lo = PARITY_CFM, .cfm_hi = PARITY_CFM, .loops = 1};
    paritySweep("loops, ODE's default CFM", 2 * worlds / 3, 8000000, &closed, PARITY_AGREES);
    parityEnd();
    dCloseODE();
    return ukTestEnd();
}
