/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/support/certified.h: recordings with certificates, written as the recorder does it, and what is told of
 * them. */
#ifndef UKODE_TESTS_CERTIFIED_H
#define UKODE_TESTS_CERTIFIED_H

#include <ukode/ukode.h>

#include <stdio.h>

#include "demos/scenes.h"
#include "plugin/formats/recording/reader.h"
#include "plugin/tools/verify/file.h"

typedef struct Case {
    const char *scene;
    int n, steps;
    ukFriction friction;
    bool quick;
    ukIntegrator integrator;
    bool split;
    void (*prepare)(Scene *); /* NULL: nothing */
} Case;

/* the steps of a scene, sealed, in a file that is made anew */
bool certifiedRecord(const char *path, const Case *c);

/* what bodies do after the equations; joints that are off their places */
void whirl(Scene *s);
void disturb(Scene *s);

long long certifiedNumber(ukReader *r, const char *sql); /* the first that is found; -1: none */

/* what the verifier said: how often, and first */
typedef struct Told {
    int count;
    long long step;
    char why[256];
} Told;

static inline void tell(void *context, long long step, const char *why)
{
    Told *const told = context;
    if (told->count++ == 0) {
        told->step = step;
        snprintf(told->why, sizeof told->why, "%s", why);
    }
}

/* whether all steps and tables hold */
static inline bool holds(ukReader *reader, Verdict *verdict, Told *told)
{
    *told = (Told){0};
    const bool good = verifyFile(reader, 1e-9, tell, told, verdict);
    reader->error[0] = 0;
    return good && told->count == 0 && verdict->verified == verdict->steps && verdict->tables;
}

#endif
