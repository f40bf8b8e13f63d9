/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/world/name.h"

#include <stdlib.h>
#include <string.h>

#include "bridge/world/registry.h"

static ukNameDefault *defaults;
static int default_count;

bool ukNameSet(char **place, const char *name)
{
    char *const copy = name && *name ? strdup(name) : NULL;
    if (name && *name && !copy) return false;
    free(*place);
    *place = copy;
    return true;
}

static void freeNames(ukNameDefault *names, int count)
{
    for (int i = 0; names && i < count; i++) free(names[i].name);
    free(names);
}

bool ukNameSetDefaults(const ukNameDefault *names, int count)
{
    ukNameDefault *const copy = count > 0 ? calloc((size_t)count, sizeof *copy) : NULL;
    bool good = count == 0 || copy;
    for (int i = 0; good && i < count; i++) {
        copy[i] = names[i];
        copy[i].name = strdup(names[i].name);
        good = copy[i].name != NULL;
    }
    if (!good) {
        freeNames(copy, count);
        return false;
    }
    ukRegistryLock();
    freeNames(defaults, default_count);
    defaults = copy;
    default_count = count;
    ukRegistryUnlock();
    return true;
}

void ukNameApplyDefaults(char **place, bool joint, uint64_t serial)
{
    for (int i = 0; i < default_count; i++) {
        if (defaults[i].joint != joint || defaults[i].serial != serial) continue;
        defaults[i].met = true;
        ukNameSet(place, defaults[i].name);
    }
}

uint64_t ukNameUnmetDefault(bool joint)
{
    for (int i = 0; i < default_count; i++)
        if (defaults[i].joint == joint && !defaults[i].met) return defaults[i].serial;
    return 0;
}
