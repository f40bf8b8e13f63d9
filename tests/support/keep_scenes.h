/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/support/keep_scenes.h: worlds of which the state is saved: each has something else that the future depends
 * on. */
#ifndef UKODE_TESTS_KEEP_SCENES_H
#define UKODE_TESTS_KEEP_SCENES_H

#include <ukode/ukode.h>

#include "demos/scenes.h"

typedef struct Kept {
    Scene *scene;
    int step; /* of the program: what it does goes by it */
    void (*act)(struct Kept *k);
    SceneStepFn *stepper;
    ukForceID force;
    ukConstraintID constraint;
} Kept;

enum { keptCount = 13 };
extern const char *const keptName[keptCount];

Kept *keptMake(const char *name);
void keptStep(Kept *kept);
void keptDestroy(Kept *kept);

#endif
