/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/analysis/signal_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/base/plain.h"
#include "bridge/joints/class.h"
#include "bridge/joints/getters.h"
#include "bridge/joints/label.h"
#include "solvers/base/status.h"

static const struct {
    const char *word;
    ukSignalKind kind;
} words[] = {{"force", ukSignalJointForce},       {"motor", ukSignalMotorVelocity}, {"push", ukSignalBodyForce},
             {"position", ukSignalJointPosition}, {"rate", ukSignalJointRate},      {"reaction", ukSignalReaction},
             {"place", ukSignalBodyPosition},     {"speed", ukSignalBodyVelocity}};

void ukSignalJointLabel(const ukJoint *joint, char *label, size_t size)
{
    ukJointLabel(joint, label, size);
    ukPlainMake(label, size);
}

void ukBodyLabel(const ukBody *body, char *label, size_t size)
{
    if (body->name)
        snprintf(label, size, "%s", body->name);
    else
        snprintf(label, size, "body %llu", (unsigned long long)body->serial);
    ukPlainMake(label, size);
}

static int appendSignal(ukSignalList *list, const ukSignal *signal, const char *word, const char *label)
{
    if (list->count == ukMostSignals) return ukErrorSet(ukErrorArgument, "more than %d signals", ukMostSignals);
    snprintf(list->name[list->count], sizeof list->name[0], "%s of %s, axis %d", word, label, signal->axis);
    list->signal[list->count++] = *signal;
    return ukOk;
}

static int appendJoint(ukSignalList *list, const ukJoint *joint, ukSignalKind kind, int axis)
{
    char label[64];
    const ukSignal signal = {.kind = kind, .joint = joint->handle, .axis = axis};
    ukSignalJointLabel(joint, label, sizeof label);
    return appendSignal(list, &signal, words[kind].word, label);
}

/* Appends all motors, or all free axes of joints. */
static int appendAll(ukWorld *world, bool motors, bool input, ukSignalList *list)
{
    int status = ukOk;
    for (ukJoint *j = world->oldest_joint; j && status == ukOk; j = j->newer) {
        const ukJointGetters *const getters = j->handle && j->body[0] ? ukJointGettersOf(j->class->type) : NULL;
        if (!getters || ukIsContact(j)) continue;
        for (int k = 0; motors && getters->stops && k < getters->groups && status == ukOk; k++)
            if ((*getters->parameter)(j->handle, dParamFMax + dParamGroup * k) > 0)
                status = appendJoint(list, j, ukSignalMotorVelocity, k);
        for (int k = 0; !motors && getters->rate[0] && k < getters->moves && status == ukOk; k++) {
            status = appendJoint(list, j, input ? ukSignalJointForce : ukSignalJointPosition, k);
            if (status == ukOk && !input) status = appendJoint(list, j, ukSignalJointRate, k);
        }
    }
    return status;
}

static bool isNumber(const char *text, uint64_t *number)
{
    char *end;
    *number = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end;
}

/* ".AXIS" at the end of the text is cut off; whether there is such an axis is checked with the signal */
static int cutAxis(char *text)
{
    char *const dot = strrchr(text, '.');
    uint64_t axis;
    if (!dot || !isNumber(dot + 1, &axis) || axis > 99) return 0;
    *dot = 0;
    return (int)axis;
}

static const ukJoint *jointNamed(const ukWorld *world, const char *text)
{
    uint64_t number;
    const bool numbered = isNumber(text, &number);
    for (const ukJoint *j = world->oldest_joint; j; j = j->newer) {
        if (!j->handle || ukIsContact(j)) continue;
        if ((j->name && strcmp(j->name, text) == 0) || (numbered && j->serial == number)) return j;
    }
    return NULL;
}

const ukBody *ukBodyNamed(const ukWorld *world, const char *text)
{
    uint64_t number;
    const bool numbered = isNumber(text, &number);
    for (const ukBody *b = world->oldest_body; b; b = b->newer) {
        if (!b->handle) continue;
        if ((b->name && strcmp(b->name, text) == 0) || (numbered && b->serial == number)) return b;
    }
    return NULL;
}

static int refuseWord(const char *word, const char *why)
{
    return ukErrorSet(ukErrorArgument, "'%s': %s", word, why);
}

static int appendWord(ukWorld *world, const char *word, bool input, ukSignalList *list)
{
    char text[128], label[64];
    if (strcmp(word, "joints") == 0) return appendAll(world, false, input, list);
    if (strcmp(word, "motors") == 0 && input) return appendAll(world, true, input, list);
    snprintf(text, sizeof text, "%s", word);
    char *const colon = strchr(text, ':');
    if (!colon) return refuseWord(word, input ? "no input of that name" : "no output of that name");
    *colon = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(words[i].word, text) != 0) continue;
        const ukSignalKind kind = words[i].kind;
        if ((kind <= ukSignalBodyForce) != input)
            return refuseWord(word, input ? "an output: name it with --outputs" : "an input: name it with --inputs");
        int axis = 0;
        if (kind != ukSignalBodyForce && kind != ukSignalBodyPosition && kind != ukSignalBodyVelocity) {
            const ukJoint *joint = jointNamed(world, colon + 1); /* a name may end like an axis */
            if (!joint) axis = cutAxis(colon + 1), joint = jointNamed(world, colon + 1);
            return joint ? appendJoint(list, joint, kind, axis) : refuseWord(word, "no such joint");
        }
        const ukBody *body = ukBodyNamed(world, colon + 1);
        if (!body) axis = cutAxis(colon + 1), body = ukBodyNamed(world, colon + 1);
        if (!body) return refuseWord(word, "no such body");
        const ukSignal signal = {.kind = kind, .body = body->handle, .axis = axis};
        ukBodyLabel(body, label, sizeof label);
        return appendSignal(list, &signal, words[i].word, label);
    }
    return refuseWord(word, input ? "no input of that name" : "no output of that name");
}

int ukSignalListRead(ukWorld *world, const char *text, bool input, ukSignalList *list)
{
    int status = ukOk;
    list->count = 0;
    while (*text && status == ukOk) {
        char word[128];
        const size_t length = strcspn(text, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        if (length >= sizeof word) return refuseWord(word, "too long");
        if (length > 0) status = appendWord(world, word, input, list);
        text += length + (text[length] == ',');
    }
    return status;
}
