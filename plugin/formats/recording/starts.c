/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/recording/starts.h"

#include <stdlib.h>

#include "bridge/base/grow.h"
#include "bridge/joints/class.h"
#include "bridge/joints/getters.h"

static const int64_t seldom = 10; /* steps between two events of one body, which a program may move in every step */

/* ---- new objects ------------------------------------------------------------------------------------------------- */

static void copyBody(ukStartBody *to, const ukBody *b)
{
    to->serial = b->serial;
    memcpy(to->state, b->position, 3 * sizeof *to->state);
    memcpy(to->state + 3, b->quaternion, 4 * sizeof *to->state);
    memcpy(to->state + 7, b->linear, 3 * sizeof *to->state);
    memcpy(to->state + 10, b->angular, 3 * sizeof *to->state);
}

static void copyVector(const ukJoint *joint, ukVectorGetter get, double x[3])
{
    dVector3 found = {0};
    if (get) (*get)(joint->handle, found);
    for (int i = 0; i < 3; i++) x[i] = get ? found[i] : (double)NAN;
}

static void copyJoint(ukStartJoint *to, const ukJoint *j)
{
    static const ukJointGetters none;
    const ukJointGetters *const g = ukJointGettersOf(j->class->type), *const get = g && j->body[0] ? g : &none;
    double rate[3];
    to->serial = j->serial;
    for (int i = 0; i < 3; i++) to->angle[i] = (double)NAN;
    if (j->body[0]) ukJointMoves(j, to->angle, rate);
    copyVector(j, get->anchor, to->anchor[0]);
    copyVector(j, get->anchor_2, to->anchor[1]);
    copyVector(j, get->axis_1, to->axis[0]);
    copyVector(j, get->axis_2, to->axis[1]);
}

static void copyNew(ukStarts *s, const ukWorld *world)
{
    int bodies = 0, joints = 0;
    for (const ukBody *b = world->newest_body; b; b = b->older) bodies += b->recorded.key == 0;
    for (const ukJoint *j = world->newest_joint; j; j = j->older) joints += !ukIsContact(j) && j->key == 0;
    s->bodies = s->joints = 0;
    if (!ukArrayReserve(&s->body, sizeof *s->body, (size_t)bodies, &s->body_capacity) ||
        !ukArrayReserve(&s->joint, sizeof *s->joint, (size_t)joints, &s->joint_capacity))
        return;
    for (const ukBody *b = world->oldest_body; b; b = b->newer)
        if (b->recorded.key == 0) copyBody(&s->body[s->bodies++], b);
    for (const ukJoint *j = world->oldest_joint; j; j = j->newer)
        if (!ukIsContact(j) && j->key == 0) copyJoint(&s->joint[s->joints++], j);
}

/* the place of a serial among `count` ascending ones that begin elements of `size` bytes; NULL: it is not there */
static const void *findBySerial(const void *array, int count, size_t size, uint64_t serial)
{
    int low = 0, high = count;
    while (low < high) {
        const int middle = (low + high) / 2;
        const void *const at = (const char *)array + (size_t)middle * size;
        uint64_t found;
        memcpy(&found, at, sizeof found);
        if (found == serial) return at;
        if (found < serial)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

void ukStartsPutBody(const ukStarts *s, ukQueue *queue, const ukBody *body, int64_t step)
{
    const ukStartBody *const b = findBySerial(s->body, s->bodies, sizeof *s->body, body->serial);
    if (!b) return;
    const double *const x = b->state;
    ukQueuePut(queue, ukInsertBodyStart, (long long)step, (long long)body->recorded.key, x[0], x[1], x[2], x[3], x[4],
               x[5], x[6], x[7], x[8], x[9], x[10], x[11], x[12]);
}

void ukStartsPutJoint(const ukStarts *s, ukQueue *queue, const ukJoint *joint, int64_t step)
{
    const ukStartJoint *const j = findBySerial(s->joint, s->joints, sizeof *s->joint, joint->serial);
    if (!j) return;
    const double *const a = j->anchor[0], *const b = j->anchor[1], *const u = j->axis[0], *const v = j->axis[1];
    ukQueuePut(queue, ukInsertJointStart, (long long)step, (long long)joint->key, j->angle[0], j->angle[1], j->angle[2],
               a[0], a[1], a[2], b[0], b[1], b[2], u[0], u[1], u[2], v[0], v[1], v[2]);
}

/* ---- poses that the program sets --------------------------------------------------------------------------------- */

/* the record of a body among those of the last step; `at`: where the one before it in the list was */
static ukEndState *endOf(const ukStarts *s, const ukBody *b, int *at)
{
    while (*at < s->ends && s->end[*at].serial < b->serial) ++*at;
    return *at < s->ends && s->end[*at].serial == b->serial ? &s->end[*at] : NULL;
}

/* Whether any of the bits differ; end->moved is set where the pose does. */
static bool isChanged(ukEndState *end, const ukBody *b)
{
    const double *const p = end->pose;
    const bool moved = memcmp(p, b->position, 3 * sizeof *p) != 0 || memcmp(p + 3, b->quaternion, 4 * sizeof *p) != 0;
    double square = 0;
    end->moved = (double)NAN;
    if (!moved)
        return memcmp(end->velocity, b->linear, 3 * sizeof *p) != 0 ||
               memcmp(end->velocity + 3, b->angular, 3 * sizeof *p) != 0 ||
               end->heavy != (dBodyGetGravityMode(b->handle) != 0);
    for (int k = 0; k < 3; k++) square += (b->position[k] - p[k]) * (b->position[k] - p[k]);
    end->moved = sqrt(square);
    return true;
}

bool ukStartsSearch(ukStarts *s, const ukWorld *world)
{
    int at = 0;
    bool changed = !s->ours || s->changes != world->changes;
    s->any_moved = false;
    for (const ukBody *b = world->oldest_body; b; b = b->newer) {
        ukEndState *const end = endOf(s, b, &at);
        const bool differs = end && isChanged(end, b);
        changed |= !end || differs || b->moved;
        s->any_moved |= differs && !isnan(end->moved);
    }
    if (s->changes == world->changes) return changed;
    s->changes = world->changes;
    copyNew(s, world);
    return changed;
}

int64_t ukStartsMoved(ukStarts *s, const ukWorld *world, int64_t number, int *from, double *distance)
{
    int at = 0, place = 0;
    for (const ukBody *b = s->any_moved ? world->oldest_body : NULL; b; b = b->newer) {
        ukEndState *const end = endOf(s, b, &at);
        if (place++ < *from || !end || isnan(end->moved) || dBodyIsKinematic(b->handle)) continue;
        const bool soon = end->last_event > 0 && number - end->last_event <= seldom;
        end->last_event = number;
        if (soon) continue;
        *from = place;
        *distance = end->moved;
        return b->recorded.key;
    }
    return 0;
}

void ukStartsKeep(ukStarts *s, const ukWorld *world, bool ours)
{
    int count = 0;
    s->ours = ours;
    s->bodies = s->joints = 0;
    if (!ukArrayReserve(&s->end, sizeof *s->end, (size_t)world->body_count, &s->end_capacity)) {
        s->ends = 0;
        return;
    }
    for (const ukBody *b = world->oldest_body; b; b = b->newer, count++) {
        ukEndState *const end = &s->end[count];
        if (count >= s->ends || end->serial != b->serial)
            *end = (ukEndState){.serial = b->serial, .moved = (double)NAN};
        memcpy(end->pose, b->position, 3 * sizeof *end->pose);
        memcpy(end->pose + 3, b->quaternion, 4 * sizeof *end->pose);
        memcpy(end->velocity, b->linear, 3 * sizeof *end->velocity);
        memcpy(end->velocity + 3, b->angular, 3 * sizeof *end->velocity);
        end->heavy = dBodyGetGravityMode(b->handle) != 0;
    }
    s->ends = count;
}

void ukStartsFailed(ukStarts *s)
{
    s->ours = false;
    s->changes = 0;
    s->bodies = s->joints = 0;
}

void ukStartsFree(ukStarts *s)
{
    free(s->body);
    free(s->joint);
    free(s->end);
    *s = (ukStarts){0};
}
