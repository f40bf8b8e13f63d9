/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/replay/state.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bridge/base/grow.h"

void ukBuildRefuse(ukBuild *b, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!b->why[0]) vsnprintf(b->why, sizeof b->why, format, arguments);
    va_end(arguments);
    b->failed = true;
}

uint64_t ukBuildSerial(ukBuild *b, ukByteReader *r, uint64_t *last, const char *what)
{
    const uint64_t left_out = ukReadNumber(r);
    if (r->bad) return 0;
    if (left_out >= UKODE_MOST_SERIAL - 1 - *last) {
        ukBuildRefuse(b, "a %s has the serial %llu + %llu, which exceeds the largest", what,
                      (unsigned long long)*last + 1, (unsigned long long)left_out);
        return 0;
    }
    return *last += 1 + left_out;
}

const void *ukBuildKey(uint64_t number)
{
    return (const void *)(uintptr_t)(number << 4);
}

void *ukBuildFound(ukBuild *b, const ukMap *map, uint64_t number)
{
    void *record = number < UKODE_MOST_SERIAL ? ukMapFind(map, ukBuildKey(number)) : NULL;
    if (!record) ukBuildRefuse(b, "there is no object with the serial %llu", (unsigned long long)number);
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
    const bool known = contact ? number / 2 < b->last_contact : number > 0 && number / 2 <= b->last_joint;
    *name = ukBuildKey(!known ? 0 : contact ? b->last_contact - number / 2 : number / 2);
    ukJoint *joint = known ? ukMapFind(contact ? &b->contacts : &b->joints, *name) : NULL;
    if (!joint) ukBuildRefuse(b, "there is no %s %llu", contact ? "contact" : "joint", (unsigned long long)number / 2);
    return joint;
}

void ukBuildPut(ukBuild *b, ukMap *map, uint64_t number, void *record)
{
    if (ukMapFind(map, ukBuildKey(number)))
        ukBuildRefuse(b, "there are two objects with the serial %llu", (unsigned long long)number);
    else if (!record || !ukMapPut(map, ukBuildKey(number), record))
        ukBuildRefuse(b, "an object cannot be created: %s",
                      record ? "no memory" : "ODE does not accept it, or no memory");
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
    if (ukMapFind(&b->placed_at, body)) return;
    if (!ukArrayReserve(&b->placed, sizeof *b->placed, (size_t)b->placed_count + 1, &b->placed_capacity) ||
        !ukMapPut(&b->placed_at, body, body)) {
        b->failed = true;
        return;
    }
    Placed *placed = &b->placed[b->placed_count++];
    placed->body = body;
    ukPoseOf(body, placed->pose);
}

void ukBuildPlacesBack(ukBuild *b)
{
    for (int i = 0; i < b->placed_count; i++) {
        if (b->placed[i].body->handle) setPose(b->placed[i].body, b->placed[i].pose);
        ukMapRemove(&b->placed_at, b->placed[i].body);
    }
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
