/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/support/ledgers.h"

#include <math.h>
#include <string.h>

#include "tests/check.h"

ukLedger ledgerOf(dWorldID world)
{
    ukLedger l;
    memset(&l, 0x55, sizeof l);
    CHECK(ukWorldGetLedger(world, &l) == 0);
    return l;
}

double ledgerTurnover(const ukLedger *l)
{
    return fabs(l->kinetic) + fabs(l->potential) + fabs(l->kinetic_start) + fabs(l->potential_start) +
           fabs(l->applied) + fabs(l->ideal) + fabs(l->nonideal) + fabs(l->motors) + fabs(l->stops) +
           fabs(l->contact_normal) + fabs(l->contact_friction) + fabs(l->gyroscopic) + fabs(l->stabilization) +
           fabs(l->damping) + fabs(l->sleeping) + fabs(l->outside) + fabs(l->integration);
}

double ledgerCauses(const ukLedger *l)
{
    return l->applied + l->ideal + l->nonideal + l->motors + l->stops + l->contact_normal + l->contact_friction +
           l->gyroscopic + l->stabilization + l->damping + l->sleeping + l->outside + l->integration;
}

dWorldID ledgerWorld(void)
{
    const dWorldID w = dWorldCreate();
    dWorldSetGravity(w, 0, 0, -g);
    dWorldSetCFM(w, 0);
    CHECK(ukWorldResetLedger(w) == 0);
    return w;
}

void ledgerSteps(dWorldID w, int steps, double h)
{
    for (int i = 0; i < steps; i++) CHECK(ukWorldStep(w, h) == 1);
}
