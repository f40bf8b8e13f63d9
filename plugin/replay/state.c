/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/replay/state.h"

#include <stdlib.h>
#include <string.h>

const void *ukBuildKey(uint64_t number)
{
    return (const void *)(uintptr_t)(number << 4);
}

void *ukBuildFound(ukBuild *b, const ukMap *map, uint64_t number)
{
    void *record = ukMapFind(map, ukBuildKey(number));
    if (!record) b->failed = true;
    return record;
}

ukBody *ukBuildReadBody(ukBuild *b, ukByteReader *r)
{
    return ukBuildFound(b, &b->bodies, ukReadNumber(r));
}

ukJoint *ukBuildReadJoint(ukBuild *b, ukByteReader *r, const void **name)
{
    const uint64_t number = ukReadNumber(r);
    const bool contact = number & 1;
    *name = ukBuildKey(contact ? b->last_contact - number / 2 : number / 2);
    ukJoint *joint = ukMapFind(contact ? &b->contacts : &b->joints, *name);
    if (!joint) b->failed = true;
    return joint;
}

void ukBuildPut(ukBuild *b, ukMap *map, uint64_t number, void *record)
{
    if (!record || !ukMapPut(map, ukBuildKey(number), record)) b->failed = true;
}

static void setPose(const ukBody *body, const double pose[ukPoseWords])
{
    dReal *const R = (dReal *)body->rotation;
    memcpy((dReal *)body->position, pose, 3 * sizeof *pose);
    memcpy((dReal *)body->quaternion, pose + 3, 4 * sizeof *pose);
    for (int i = 0; i < 3; i++) memcpy(R + 4 * i, pose + 7 + 3 * i, 3 * sizeof *pose);
}

static void keepPose(ukBuild *b, ukBody *body)
{
    for (int i = 0; i < b->placed_count; i++)
        if (b->placed[i].body == body) return;
    if (b->placed_count == b->placed_capacity) {
        const int capacity = b->placed_capacity ? 2 * b->placed_capacity : 16;
        Placed *grown = realloc(b->placed, (size_t)capacity * sizeof *grown);
        if (!grown) {
            b->failed = true;
            return;
        }
        b->placed = grown;
        b->placed_capacity = capacity;
    }
    Placed *placed = &b->placed[b->placed_count++];
    placed->body = body;
    ukPoseOf(body, placed->pose);
}

void ukBuildPlacesBack(ukBuild *b)
{
    for (int i = 0; i < b->placed_count; i++)
        if (b->placed[i].body->handle) setPose(b->placed[i].body, b->placed[i].pose);
    b->placed_count = 0;
}

void ukBuildReadPose(ukBuild *b, ukByteReader *r, ukBody *body)
{
    double pose[ukPoseWords];
    const int words = ukReadInt(r, ukPoseWords);
    if (words == 0) return;
    if (!body || (words != 7 && words != ukPoseWords)) {
        r->bad = true;
        return;
    }
    ukReadDoubles(r, pose, words);
    if (words == 7) {
        dMatrix3 R;
        dQtoR(pose + 3, R);
        for (int i = 0; i < 3; i++) memcpy(pose + 7 + 3 * i, R + 4 * i, 3 * sizeof *pose);
    }
    keepPose(b, body);
    setPose(body, pose);
}
