/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program set, or forgot to set: models with such a fault, and models that look like them. */
#include <stddef.h>

#include "tests/report/model.h"

/* 14 robots' feet, each with the moments of a box of 2 m */
static void copies(void)
{
    for (int i = 0; i < 14; i++) {
        dMass m;
        const dBodyID b = box(1, 0.2, 0.2, 0.2, i, 0, 3);
        dMassSetBoxTotal(&m, 1, 2, 2, 2);
        dBodySetMass(b, &m);
    }
}

const Model settings_models[] = {
    {"copies_of_a_fault", "inertia", 0.01, 50, copies, NULL},
    {NULL, NULL, 0, 0, NULL, NULL},
};
