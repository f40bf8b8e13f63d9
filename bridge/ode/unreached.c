/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/ode/unreached.h"

#include <stdio.h>

typedef struct Look {
    char ode[ukObjectPathLength];     /* an object that defines dWorldStep; "": none */
    uintptr_t begin, end;             /* its addresses */
    char caller[ukObjectPathLength];  /* one whose calls of dWorldStep are bound to it */
    char hidden[ukObjectPathLength];  /* one with ODE in it that defines no such symbol */
    char another[ukObjectPathLength]; /* one with ODE in another namespace */
    bool bound;                       /* an object's calls of dWorldStep are bound to this library */
} Look;

static bool isSelf(const ukObject *object)
{
    static const char here;
    return ukObjectHolds(object, &here);
}

/* ODE's configuration, a text beside its stepper; in this file in two parts, so that a program with this library in it
 * is not taken for ODE */
static bool hasOde(const ukObject *object)
{
    static const char *const words[] = {"double_precision", "single_precision"};
    for (int i = 0; i < 2; i++) {
        char word[40], start[44];
        snprintf(word, sizeof word, "ODE_%s", words[i]);
        snprintf(start, sizeof start, "ODE_EXT_");
        if (ukObjectHasText(object, word) && ukObjectHasText(object, start)) return true;
    }
    return false;
}

static bool lookForOde(const ukObject *object, void *data)
{
    Look *const look = data;
    if (isSelf(object)) return true;
    if (ukObjectSymbol(object, "dWorldStep") && ukObjectSymbol(object, "dWorldCreate")) {
        if (!look->ode[0]) ukObjectPath(object, look->ode);
        if (!look->end) look->begin = object->begin, look->end = object->end;
    } else if (!look->hidden[0] && hasOde(object)) {
        ukObjectPath(object, look->hidden);
    }
    return true;
}

static bool lookForCaller(const ukObject *object, void *data)
{
    static const char *const names[] = {"dWorldStep", "dWorldQuickStep"};
    Look *const look = data;
    const bool self = isSelf(object) || ((uintptr_t)object->begin == look->begin && look->end);
    for (int i = 0; i < 2 && !self; i++) {
        const uintptr_t to = (uintptr_t)ukObjectBinding(object, names[i]);
        if (!to || (to >= object->begin && to < object->end)) continue; /* unused: it points to the object's own code */
        if (to >= look->begin && to < look->end)
            ukObjectPath(object, look->caller);
        else
            look->bound = true;
    }
    return true;
}

static bool lookElsewhere(const ukObject *object, void *data)
{
    Look *const look = data;
    if (!look->another[0] && ukObjectSymbol(object, "dWorldStep")) ukObjectPath(object, look->another);
    return true;
}

bool ukUnreached(char reason[ukUnreachedLength])
{
    Look look = {.bound = false};
    ukObjectsVisit(lookForOde, &look);
    ukObjectsVisit(lookForCaller, &look);
    ukObjectsVisitOthers(lookElsewhere, &look);
    if (look.caller[0])
        snprintf(
            reason, ukUnreachedLength,
            "the calls of %s are bound to %s and do not reach ukode: it was loaded with RTLD_DEEPBIND, or ODE precedes "
            "ukode in its search order",
            look.caller, look.ode);
    else if (look.another[0])
        snprintf(reason, ukUnreachedLength, "%s was loaded with dlmopen into another namespace, where ukode is not",
                 look.another);
    else if (look.hidden[0])
        snprintf(reason, ukUnreachedLength,
                 "ODE is linked statically into %s, where calls of dWorldStep need no dynamic symbol: link it with "
                 "ukode::embedded",
                 look.hidden);
    else if (look.ode[0] && !look.bound)
        snprintf(
            reason, ukUnreachedLength,
            "%s is loaded, but no object is linked with its dWorldStep: it was called through dlsym, or inside that "
            "object, or not at all",
            look.ode);
    else if (look.ode[0])
        snprintf(reason, ukUnreachedLength, "%s is loaded, but neither dWorldStep nor dWorldQuickStep was called",
                 look.ode);
    else
        return false;
    return true;
}
