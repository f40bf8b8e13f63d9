/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/analysis/target_list.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/log.h"
#include "plugin/analysis/signal_list.h"

static int refuseTarget(const char *text, const char *why)
{
    return ukErrorSet(ukErrorArgument, "target '%s': %s", text, why);
}

/* Reads "X,Y,Z" and nothing more. */
static bool readPoint(const char *text, dReal point[3])
{
    for (int i = 0; i < 3; i++) {
        char *end;
        point[i] = strtod(text, &end);
        if (end == text || !isfinite(point[i]) || *end != (i < 2 ? ',' : 0)) return false;
        text = end + 1;
    }
    return true;
}

static int readTarget(ukWorld *world, const char *text, ukTargetList *list)
{
    char name[128];
    const char *const colon = strrchr(text, ':');
    if (!colon || colon - text >= (long)sizeof name) return refuseTarget(text, "not BODY:X,Y,Z");
    if (list->count == ukMostTargets) return refuseTarget(text, "too many");
    snprintf(name, sizeof name, "%.*s", (int)(colon - text), text);
    const ukBody *const body = ukBodyNamed(world, name);
    if (!body) return refuseTarget(text, "no such body");
    ukTarget *const target = &list->target[list->count++];
    *target = (ukTarget){.body = body->handle, .orientation = {1}, .position_weight = 1};
    return readPoint(colon + 1, target->position) ? ukOk : refuseTarget(text, "not BODY:X,Y,Z");
}

int ukTargetListRead(ukWorld *world, const char *text, ukTargetList *list)
{
    list->count = 0;
    while (*text) {
        char one[256];
        const size_t length = strcspn(text, ";");
        snprintf(one, sizeof one, "%.*s", (int)length, text);
        if (length >= sizeof one) return refuseTarget(one, "too long");
        const int status = length > 0 ? readTarget(world, one, list) : ukOk;
        if (status != ukOk) return status;
        text += length + (text[length] == ';');
    }
    return ukOk;
}
