/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/replay/divide.h"

#include <stdlib.h>
#include <string.h>

/* Contents of a body's force accumulators. */
typedef struct Load {
    uint64_t body; /* serial; a moved callback may destroy bodies */
    double force[3], torque[3];
} Load;

static void readLoads(const ukWorld *world, Load *load)
{
    for (const ukBody *b = world->oldest_body; b; b = b->newer, load++) {
        load->body = b->serial;
        memcpy(load->force, dBodyGetForce(b->handle), sizeof load->force);
        memcpy(load->torque, dBodyGetTorque(b->handle), sizeof load->torque);
    }
}

/* both lists are in the order of creation */
static void writeLoads(const ukWorld *world, const Load *load, int count)
{
    int i = 0;
    for (const ukBody *b = world->oldest_body; b; b = b->newer) {
        while (i < count && load[i].body < b->serial) i++;
        if (i == count) return;
        if (load[i].body != b->serial) continue;
        dBodySetForce(b->handle, load[i].force[0], load[i].force[1], load[i].force[2]);
        dBodySetTorque(b->handle, load[i].torque[0], load[i].torque[1], load[i].torque[2]);
    }
}

int ukDivideStep(ukWorld *world, int parts, double h, ukStepFunction *step)
{
    const int bodies = world->body_count;
    Load *const load = malloc(((size_t)bodies + 1) * sizeof *load);
    int taken = load ? 1 : 0;
    if (load) readLoads(world, load);
    for (int i = 0; i < parts && taken == 1; i++) {
        if (i > 0) writeLoads(world, load, bodies);
        taken = step(world->handle, h / parts);
    }
    free(load);
    return taken;
}
