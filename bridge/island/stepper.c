/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/island/stepper.h"

#include <stdlib.h>

#include "bridge/base/contact_memory.h"
#include "bridge/user/law_rows.h"
#include "solvers/base/status.h"

/* The functions that carve are called twice: without memory, to measure its size, then to set the pointers. */
static void carveBodies(ukStepper *s, ukArena *arena, int bodies, int joints, int elements)
{
    const size_t n = (size_t)bodies, m = 2 * (size_t)(joints + elements);
    ukBodyArrays *const b = &s->bodies;
    s->frames = ukArenaBytes(arena, n * sizeof *s->frames);
    s->stack = ukArenaBytes(arena, (n + 1) * sizeof(ukBody *));
    s->islands = ukArenaBytes(arena, n * sizeof *s->islands);
    s->problems = ukArenaBytes(arena, n * sizeof *s->problems);
    s->ideal = ukArenaBytes(arena, n * sizeof *s->ideal);
    s->outcomes = ukArenaBytes(arena, n * sizeof *s->outcomes);
    b->mass = ukArenaDoubles(arena, n);
    UKODE_DOUBLES(arena, 9 * n, &b->inertia, &b->inverse_inertia);
    UKODE_DOUBLES(arena, 6 * n, &b->Q, &b->C, &b->qdd, &b->shift, &b->impressed);
    b->massless = ukArenaBytes(arena, n);
    s->states.base = ukArenaBytes(arena, n * sizeof *s->states.base);
    s->states.arrived = ukArenaDoubles(arena, 6 * n);
    s->states.stage = ukArenaDoubles(arena, 48 * n);
    b->frame = ukArenaBytes(arena, (n + 1) * sizeof *b->frame);
    b->handle = ukArenaBytes(arena, (n + 1) * sizeof(dBodyID));
    s->joints = ukArenaBytes(arena, (size_t)joints * sizeof(ukJoint *));
    s->modal_motors = ukArenaBytes(arena, ukMostModalMotors * (size_t)joints * sizeof *s->modal_motors);
    s->stops = ukArenaBytes(arena, ukMostModalMotors * (size_t)joints * sizeof *s->stops);
    s->elements = ukArenaBytes(arena, (size_t)elements * sizeof(ukElement *));
    s->rows.blocks = ukArenaBytes(arena, m * sizeof *s->rows.blocks);
    s->rows.owners = ukArenaBytes(arena, m * sizeof *s->rows.owners);
    s->partition.owner = ukArenaInts(arena, n);
    s->partition.shared = ukArenaBytes(arena, m);
    s->partition.sharing = ukArenaInts(arena, m);
}

static void carveRows(ukStepper *s, ukArena *arena, int rows, int slots, size_t coefficients)
{
    const size_t m = (size_t)rows;
    ukRowArrays *const r = &s->rows;
    r->slot_body = ukArenaInts(arena, (size_t)slots);
    r->slot_state = ukArenaBytes(arena, (size_t)slots * sizeof(ukState *));
    r->A = ukArenaDoubles(arena, coefficients);
    UKODE_DOUBLES(arena, m, &r->b, &r->c, &r->push, &r->restitution, &r->phi, &r->rate, &r->target, &r->erp, &r->bias,
                  &r->cfm, &r->softness, &r->lo, &r->hi, &r->lambda, &r->lambda0, &r->loads, &r->lambda_ideal,
                  &r->loads_ideal, &r->bound_lo, &r->bound_hi);
    r->normal = ukArenaInts(arena, m);
    r->velocity = ukArenaBytes(arena, m);
    r->discrete_only = ukArenaBytes(arena, m);
    r->cone = ukArenaBytes(arena, m);
    r->spring = ukArenaBytes(arena, m);
    UKODE_DOUBLES(arena, m, &r->pose_lambda, &r->pose_push, &r->pose_side);
    r->pose = ukArenaBytes(arena, m);
}

/* replaces a block by one of the measured size, aligned for the arena */
static bool replaceBlock(void **memory, size_t size)
{
    void *fresh = aligned_alloc(64, (size + 127) / 64 * 64);
    if (!fresh) return false;
    free(*memory);
    *memory = fresh;
    return true;
}

static int grownCapacity(int needed, int had)
{
    return needed > had ? needed + needed / 4 + 8 : had;
}

int ukStepperReserveBodies(ukStepper *s, const ukWorld *w)
{
    if (s->body_memory && w->body_count <= s->capacity.bodies && w->joint_count <= s->capacity.joints &&
        w->element_count <= s->capacity.elements)
        return ukOk;
    const int bodies = grownCapacity(w->body_count, s->capacity.bodies),
              joints = grownCapacity(w->joint_count, s->capacity.joints);
    const int elements = grownCapacity(w->element_count, s->capacity.elements);
    ukArena measure = ukArenaOver(NULL, 0);
    ukStepper sized = *s;
    carveBodies(&sized, &measure, bodies, joints, elements);
    if (!replaceBlock(&s->body_memory, measure.used)) return ukErrorMemory;
    ukArena arena = ukArenaOver(s->body_memory, measure.used);
    carveBodies(s, &arena, bodies, joints, elements);
    s->graph = 0; /* the islands were stored in the old block */
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
    const int rows = grownCapacity(need->rows, s->capacity.rows), slots = grownCapacity(need->slots, s->capacity.slots);
    const size_t had = s->capacity.coefficients;
    const size_t coefficients = need->coefficients > had ? need->coefficients * 5 / 4 + 96 : had;
    ukArena measure = ukArenaOver(NULL, 0);
    ukStepper sized = *s;
    carveRows(&sized, &measure, rows, slots, coefficients);
    if (!replaceBlock(&s->row_memory, measure.used)) return ukErrorMemory;
    ukArena arena = ukArenaOver(s->row_memory, measure.used);
    carveRows(s, &arena, rows, slots, coefficients);
    s->capacity.rows = rows;
    s->capacity.slots = slots;
    s->capacity.coefficients = coefficients;
    return ukOk;
}

void ukStepperBindIslands(ukStepper *s)
{
    s->places.joints = 0;
    for (int i = 0; i < s->island_count; i++) {
        ukIsland *island = &s->islands[i];
        const size_t frame = (size_t)island->first_frame;
        island->number = i;
        island->modal_motor = s->modal_motors + ukMostModalMotors * (size_t)island->first_joint;
        island->stop = s->stops + ukMostModalMotors * (size_t)island->first_joint;
        island->problem = &s->problems[i];
        island->ideal = &s->ideal[i];
        island->outcome = &s->outcomes[i];
        island->states = (ukFrameArrays){.base = s->states.base + frame,
                                         .arrived = s->states.arrived + 6 * frame,
                                         .stage = s->states.stage + 48 * frame};
        island->world = s->world;
        island->stepper = s;
        island->solvers = &s->solvers;
        island->report = &s->report;
        island->impulses = &s->impulses;
        island->last_h = &s->h;
        island->gravity = s->potential_g;
        island->rank_least = 0;
    }
}

ukRowBound ukStepperRowBound(const ukStepper *s)
{
    ukRowBound bound = {0};
    for (int i = 0; i < s->joint_count; i++) {
        const ukLaw *law = s->joints[i]->law;
        const int rows = s->joints[i]->class->max_rows + (law ? ukLawRowBound(law) : 0);
        bound.rows += rows;
        bound.slots += law ? 4 : 2;
        bound.coefficients += 12 * (size_t)rows;
    }
    for (int i = 0; i < s->element_count; i++) {
        const ukElement *e = s->elements[i];
        const struct ukConstraint *c = e->is_force ? NULL : (const struct ukConstraint *)e;
        const int rows = c ? c->rows + (c->law ? ukLawRowBound(c->law) : 0) : 0;
        bound.rows += rows;
        bound.slots += c && c->law ? 2 * e->count : e->count;
        bound.coefficients += 6 * (size_t)rows * (size_t)e->count;
    }
    return bound;
}

ukStepper *ukStepperOf(ukWorld *world)
{
    if (world->stepper) return world->stepper;
    ukStepper *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->world = world;
    s->solvers.equality = ukEqualityCreate();
    s->solvers.contacts = ukContactMemoryCreate();
    if (!s->solvers.equality || !s->solvers.contacts) {
        ukStepperDestroy(s);
        return NULL;
    }
    return world->stepper = s;
}

void ukStepperForget(ukStepper *s)
{
    for (int k = 0; k < ukSolverSlots; k++) {
        ukFrictionSolverDestroy(s->solvers.friction[k]);
        ukFrictionSolverDestroy(s->solvers.pose_friction[k]);
        s->solvers.friction[k] = s->solvers.pose_friction[k] = NULL;
    }
}

void ukStepperDestroy(ukStepper *s)
{
    if (!s) return;
    ukStepperForget(s);
    ukFrictionSolverDestroy(s->solvers.ideal_friction);
    ukEqualityDestroy(s->solvers.equality);
    ukEqualityDestroy(s->solvers.polish);
    free(s->solvers.stiff_memory);
    free(s->solvers.weigh_memory);
    free(s->solvers.unprojected_rows);
    free(s->springs);
    free(s->impulses.of);
    free(s->undo.memory);
    ukContactMemoryDestroy(s->solvers.contacts);
    free(s->body_memory);
    free(s->row_memory);
    free(s->solvers.pose_memory);
    free(s->solvers.scratch);
    free(s->diagnosis);
    for (int i = 0; i < ukAnalyses; i++) free(s->analysis[i]);
    free(s);
}
