/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/world/fluid.h"

#include <stdlib.h>
#include <string.h>

#include "bridge/base/grow.h"
#include "bridge/base/log.h"
#include "bridge/world/storage.h"
#include "solvers/base/status.h"

/* A body's accumulators (force; torque) [N, N m]. */
typedef struct FluidForce {
    uint64_t serial;
    dReal before[6], after[6];
} FluidForce;

typedef struct ukFluid {
    FluidForce *force; /* (count) in the order of the bodies */
    size_t count, capacity;
    bool applied;
} ukFluid;

static void readAccumulators(const ukBody *body, dReal value[6])
{
    memcpy(value, body->force, 3 * sizeof *value);
    memcpy(value + 3, body->torque, 3 * sizeof *value);
}

/* false: no memory */
static bool reserveForces(ukWorld *world)
{
    const size_t bodies = (size_t)world->body_count;
    if (!world->fluid) world->fluid = calloc(1, sizeof *world->fluid);
    ukFluid *const fluid = world->fluid;
    return fluid && ukArrayReserve(&fluid->force, sizeof *fluid->force, bodies, &fluid->capacity);
}

int ukFluidApply(ukWorld *world)
{
    if (!ukOde.dFluidDynamicsStep || ukWorldWithinStep(world)) return ukOk;
    if (!reserveForces(world)) return ukErrorSet(ukErrorMemory, "no memory for the forces of fluids");
    ukFluid *const fluid = world->fluid;
    fluid->count = 0;
    ukWorldRead(world);
    for (const ukBody *b = world->oldest_body; b; b = b->newer) {
        fluid->force[fluid->count].serial = b->serial;
        readAccumulators(b, fluid->force[fluid->count++].before);
    }
    ukOde.dFluidDynamicsStep(world->handle);
    ukWorldRead(world);
    size_t k = 0;
    for (const ukBody *b = world->oldest_body; b; b = b->newer) readAccumulators(b, fluid->force[k++].after);
    fluid->applied = true;
    return ukOk;
}

static void restoreAccumulators(const ukBody *body, const FluidForce *force)
{
    dReal now[6];
    readAccumulators(body, now);
    for (int i = 0; i < 6; i++)
        now[i] = memcmp(&now[i], &force->after[i], sizeof *now) == 0 ? force->before[i]
                                                                     : now[i] - (force->after[i] - force->before[i]);
    dBodySetForce(body->handle, now[0], now[1], now[2]);
    dBodySetTorque(body->handle, now[3], now[4], now[5]);
}

void ukFluidRemove(ukWorld *world)
{
    ukFluid *const fluid = world->fluid;
    if (!fluid || !fluid->applied) return;
    fluid->applied = false;
    ukWorldRead(world);
    size_t k = 0;
    for (const ukBody *b = world->oldest_body; b && k < fluid->count; b = b->newer) {
        while (k < fluid->count && fluid->force[k].serial < b->serial) k++; /* destroyed in a callback */
        if (k < fluid->count && fluid->force[k].serial == b->serial) restoreAccumulators(b, &fluid->force[k]);
    }
}

void ukFluidEnd(ukWorld *world, bool taken)
{
    if (!world->fluid || ukWorldWithinStep(world)) return;
    if (!taken) ukFluidRemove(world);
    world->fluid->applied = false;
}

void ukFluidFree(ukWorld *world)
{
    if (world->fluid) free(world->fluid->force);
    free(world->fluid);
    world->fluid = NULL;
}
