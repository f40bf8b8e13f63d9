/* SPDX-License-Identifier: BSD-3-Clause */
/* One step of ukode equals one step of dWorldStep on random worlds with active inequalities, where CFM >= 1e-3 makes
 * the solution unique: stops with bounce, motors of finite force, contacts without friction, and with each of ODE's
 * laws. See sweep.h. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/check.h"
#include "tests/parity/precision.h"
#include "tests/parity/sweep.h"

int main(int argc, char **argv)
{
    const int worlds = argc > 1 ? atoi(argv[1]) : 5000;
    const double lo = 1e-3, hi = 1e-1;
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateFlagCollisionData);
    const RandomWorldKind stops = {.types = randomEqualityTypes, .cfm_lo = lo, .cfm_hi = hi, .stops = 1};
    const RandomWorldKind motors = {
        .types = randomEqualityTypes, .cfm_lo = lo, .cfm_hi = hi, .stops = 1, .bounded_motors = 1};
    const RandomWorldKind contacts = {.types = randomEqualityTypes, .cfm_lo = lo, .cfm_hi = hi, .contacts = 8};
    const RandomWorldKind friction = {
        .types = randomEqualityTypes, .cfm_lo = lo, .cfm_hi = hi, .contacts = 8, .friction = 1};
    const RandomWorldKind all = {.types = randomEqualityTypes,
                                 .cfm_lo = lo,
                                 .cfm_hi = hi,
                                 .stops = 1,
                                 .bounded_motors = 1,
                                 .contacts = 8,
                                 .friction = 1};
    paritySweep("stops", worlds, 1000000, &stops, PARITY_BOUNDED);
    paritySweep("bounded motors", worlds, 2000000, &motors, PARITY_BOUNDED);
    paritySweep("frictionless contacts", worlds, 3000000, &contacts, PARITY_BOUNDED);
    paritySweep("contacts with friction", worlds, 4000000, &friction, PARITY_BOUNDED);
    paritySweep("all together", worlds, 5000000, &all, PARITY_BOUNDED);
    parityEnd();
    dCloseODE();
    return ukTestEnd();
}
