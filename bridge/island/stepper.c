/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/island/stepper.h"

#include <stdlib.h>

#include "bridge/island/contact_memory.h"
#include "solvers/base/status.h"

/* One layout measures and carves. */
static void carveBodies(ukStepper *s, ukArena *arena, int bodies, int joints, int elements)
{
    const size_t n = (size_t)bodies, m = 2 * (size_t)(joints + elements);
    s->frames = ukArenaBytes(arena, n * sizeof *s->frames);
    s->stack = ukArenaBytes(arena, (n + 1) * sizeof(ukBody *));
    s->islands = ukArenaBytes(arena, n * sizeof *s->islands);
    s->problems = ukArenaBytes(arena, n * sizeof *s->problems);
    s->ideal = ukArenaBytes(arena, n * sizeof *s->ideal);
    s->outcomes = ukArenaBytes(arena, n * sizeof *s->outcomes);
    s->mass = ukArenaDoubles(arena, n);
    s->inertia = ukArenaDoubles(arena, 9 * n);
    s->inverse_inertia = ukArenaDoubles(arena, 9 * n);
    s->Q = ukArenaDoubles(arena, 6 * n);
    s->C = ukArenaDoubles(arena, 6 * n);
    s->qdd = ukArenaDoubles(arena, 6 * n);
    s->shift = ukArenaDoubles(arena, 6 * n);
    s->base = ukArenaBytes(arena, n * sizeof *s->base);
    s->stage = ukArenaDoubles(arena, 48 * n);
    s->moving_frame = ukArenaInts(arena, n + 1);
    s->moving_handle = ukArenaBytes(arena, (n + 1) * sizeof(dBodyID));
    s->joints = ukArenaBytes(arena, (size_t)joints * sizeof(ukJoint *));
    s->elements = ukArenaBytes(arena, (size_t)elements * sizeof(ukElement *));
    s->blocks = ukArenaBytes(arena, m * sizeof *s->blocks);
    s->owners = ukArenaBytes(arena, m * sizeof *s->owners);
}

static void carveRows(ukStepper *s, ukArena *arena, int rows, int slots, size_t coefficients)
{
    const size_t m = (size_t)rows;
    s->slot_body = ukArenaInts(arena, (size_t)slots);
    s->slot_state = ukArenaBytes(arena, (size_t)slots * sizeof(ukState *));
    s->A = ukArenaDoubles(arena, coefficients);
    s->b = ukArenaDoubles(arena, m);
    s->c = ukArenaDoubles(arena, m);
    s->push = ukArenaDoubles(arena, m);
    s->phi = ukArenaDoubles(arena, m);
    s->rate = ukArenaDoubles(arena, m);
    s->target = ukArenaDoubles(arena, m);
    s->bias = ukArenaDoubles(arena, m);
    s->cfm = ukArenaDoubles(arena, m);
    s->softness = ukArenaDoubles(arena, m);
    s->lo = ukArenaDoubles(arena, m);
    s->hi = ukArenaDoubles(arena, m);
    s->lambda = ukArenaDoubles(arena, m);
    s->lambda0 = ukArenaDoubles(arena, m);
    s->loads = ukArenaDoubles(arena, m);
    s->lambda_ideal = ukArenaDoubles(arena, m);
    s->loads_ideal = ukArenaDoubles(arena, m);
    s->bound_lo = ukArenaDoubles(arena, m);
    s->bound_hi = ukArenaDoubles(arena, m);
    s->normal = ukArenaInts(arena, m);
    s->velocity = ukArenaBytes(arena, m);
    s->stop = ukArenaBytes(arena, m);
    s->cone = ukArenaBytes(arena, m);
    s->spring = ukArenaBytes(arena, m);
}

/* a block of the measured size, aligned for the arena; the old one is replaced */
static bool replace(void **memory, size_t size)
{
    void *fresh = aligned_alloc(64, (size + 127) / 64 * 64);
    if (!fresh) return false;
    free(*memory);
    *memory = fresh;
    return true;
}

static int grown(int needed, int had)
{
    return needed > had ? needed + needed / 4 + 8 : had;
}

int ukStepperReserveBodies(ukStepper *s, const ukWorld *w)
{
    if (s->body_memory && w->body_count <= s->capacity.bodies && w->joint_count <= s->capacity.joints &&
        w->element_count <= s->capacity.elements)
        return ukOk;
    const int bodies = grown(w->body_count, s->capacity.bodies), joints = grown(w->joint_count, s->capacity.joints);
    const int elements = grown(w->element_count, s->capacity.elements);
    ukArena measure = ukArenaOver(NULL, 0);
    ukStepper sized = *s;
    carveBodies(&sized, &measure, bodies, joints, elements);
    if (!replace(&s->body_memory, measure.used)) return ukErrorMemory;
    ukArena arena = ukArenaOver(s->body_memory, measure.used);
    carveBodies(s, &arena, bodies, joints, elements);
    s->graph = 0; /* the islands were in the old block */
    s->capacity.bodies = bodies;
    s->capacity.joints = joints;
    s->capacity.elements = elements;
    return ukOk;
}

int ukStepperReserveRows(ukStepper *s, const ukRowBound *need)
{
    if (s->row_memory && need->rows <= s->capacity.rows && need->slots <= s->capacity.slots &&
        need->coefficients <= s->capacity.coefficients)
        return ukOk;
    const int rows = grown(need->rows, s->capacity.rows), slots = grown(need->slots, s->capacity.slots);
    const size_t had = s->capacity.coefficients;
    const size_t coefficients = need->coefficients > had ? need->coefficients * 5 / 4 + 96 : had;
    ukArena measure = ukArenaOver(NULL, 0);
    ukStepper sized = *s;
    carveRows(&sized, &measure, rows, slots, coefficients);
    if (!replace(&s->row_memory, measure.used)) return ukErrorMemory;
    ukArena arena = ukArenaOver(s->row_memory, measure.used);
    carveRows(s, &arena, rows, slots, coefficients);
    s->capacity.rows = rows;
    s->capacity.slots = slots;
    s->capacity.coefficients = coefficients;
    return ukOk;
}

ukStepper *ukStepperOf(ukWorld *world)
{
    if (world->stepper) return world->stepper;
    ukStepper *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->world = world;
    s->sparse = ukSparseCreate();
    s->contacts = ukContactMemoryCreate();
    if (!s->sparse || !s->contacts) {
        ukStepperDestroy(s);
        return NULL;
    }
    return world->stepper = s;
}

void ukStepperForget(ukStepper *s)
{
    for (int k = 0; k < ukSolverSlots; k++) {
        ukLawSolverDestroy(s->set[k]);
        ukLawSolverDestroy(s->pose_set[k]);
        s->set[k] = s->pose_set[k] = NULL;
    }
}

void ukStepperDestroy(ukStepper *s)
{
    if (!s) return;
    ukStepperForget(s);
    ukLawSolverDestroy(s->ideal_set);
    ukSparseDestroy(s->sparse);
    ukSparseDestroy(s->held);
    ukContactMemoryDestroy(s->contacts);
    free(s->body_memory);
    free(s->row_memory);
    free(s->pose_memory);
    free(s->scratch);
    free(s->diagnosis);
    free(s);
}

int ukStepperScratch(ukStepper *s, size_t bytes)
{
    if (bytes <= s->scratch_size) return ukOk;
    const size_t size = (bytes + bytes / 4 + 127) / 64 * 64;
    void *fresh = aligned_alloc(64, size);
    if (!fresh) return ukErrorMemory;
    free(s->scratch);
    s->scratch = fresh;
    s->scratch_size = size;
    return ukOk;
}
