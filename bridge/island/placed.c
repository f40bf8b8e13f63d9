/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/island/placed.h"

#include <stdlib.h>
#include <string.h>

#include "bridge/base/contact_memory.h"
#include "bridge/base/grow.h"
#include "bridge/island/stepper.h"
#include "bridge/joints/turn.h"
#include "bridge/ode/class.h"

typedef struct PlacedPose {
    uint64_t serial;
    dReal position[3], quaternion[4];
} PlacedPose;

typedef struct ukPlaced {
    PlacedPose *pose; /* (count) in the order of the bodies */
    size_t count, capacity;
} ukPlaced;

static bool isPlaced(const ukBody *body, const PlacedPose *pose)
{
    return memcmp(body->position, pose->position, sizeof pose->position) != 0 ||
           memcmp(body->quaternion, pose->quaternion, sizeof pose->quaternion) != 0;
}

static size_t countPlaced(const ukWorld *world)
{
    const ukPlaced *const placed = world->placed;
    size_t k = 0, count = 0;
    for (const ukBody *b = world->oldest_body; b; b = b->newer) {
        while (k < placed->count && placed->pose[k].serial < b->serial) k++;
        count += k < placed->count && placed->pose[k].serial == b->serial && isPlaced(b, &placed->pose[k]);
    }
    return count;
}

static void dropLearned(ukWorld *world)
{
    ukStepper *const s = world->stepper;
    for (ukJoint *j = world->oldest_joint; j; j = j->newer) {
        ukTurnForget(j);
        j->reaction->rows = 0;
    }
    for (ukBody *b = world->oldest_body; b; b = b->newer) {
        b->substep.h = b->substep.stiff = 0;
        b->substep.left_step = 0;
    }
    if (!s) return;
    s->graph = 0;
    ukStepperForget(s);
    for (int i = 0; i < ukContactSteps && s->solvers.contacts; i++) ukContactMemoryRenew(s->solvers.contacts, 0);
}

void ukPlacedLook(ukWorld *world)
{
    const ukPlaced *const placed = world->placed;
    if (!placed || placed->count == 0 || ukWorldWithinStep(world)) return;
    if (2 * countPlaced(world) < placed->count) return;
    dropLearned(world);
    ukPlacedLeft(world);
}

void ukPlacedLeft(ukWorld *world)
{
    if (!(world->rules & ukRuleWebots) || ukWorldWithinStep(world)) return;
    if (!world->placed) world->placed = calloc(1, sizeof *world->placed);
    ukPlaced *const placed = world->placed;
    if (!placed) return;
    placed->count = 0;
    if (!ukArrayReserve(&placed->pose, sizeof *placed->pose, (size_t)world->body_count, &placed->capacity)) return;
    for (const ukBody *b = world->oldest_body; b; b = b->newer) {
        PlacedPose *const pose = &placed->pose[placed->count++];
        pose->serial = b->serial;
        memcpy(pose->position, b->position, sizeof pose->position);
        memcpy(pose->quaternion, b->quaternion, sizeof pose->quaternion);
    }
}

void ukPlacedFree(ukWorld *world)
{
    if (world->placed) free(world->placed->pose);
    free(world->placed);
    world->placed = NULL;
}
