/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ukode/ukode.h>

#include "tests/fuzz/files/files.h"

/* ---- files ------------------------------------------------------------------------------------------------------- */

static char folder[256];

static void removeFolder(void)
{
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0) fprintf(stderr, "%s is left\n", folder);
}

const char *fuzzPath(const char *name)
{
    static char paths[4][512];
    static unsigned next;
    if (!folder[0]) {
        const char *const base = getenv("TMPDIR");
        snprintf(folder, sizeof folder, "%s/ukode-fuzz-XXXXXX",
                 base                       ? base
                 : access("/dev/shm", W_OK) ? "/tmp"
                                            : "/dev/shm");
        if (!mkdtemp(folder)) abort();
        atexit(removeFolder);
    }
    char *const path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

bool fuzzWriteFile(const char *path, const void *bytes, size_t size)
{
    FILE *const file = fopen(path, "wb");
    if (!file) return false;
    const bool good = fwrite(bytes, 1, size, file) == size;
    return fclose(file) == 0 && good;
}

uint8_t *fuzzReadFile(const char *path, size_t *size)
{
    FILE *const file = fopen(path, "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    uint8_t *const bytes = malloc(*size + 1);
    const bool good = bytes && fread(bytes, 1, *size, file) == *size;
    fclose(file);
    if (good) return bytes;
    free(bytes);
    return NULL;
}

/* ---- ODE's assertions -------------------------------------------------------------------------------------------- */

static jmp_buf back;
static volatile bool guarded, left;

/* What ODE had allocated where it asserted is lost, so leaks say nothing from then on. (The leak sanitizer asks.) */
__attribute__((visibility("default"))) int __lsan_is_turned_off(void);

int __lsan_is_turned_off(void)
{
    return left;
}

static void refuse(int number, const char *message, va_list list)
{
    (void)number;
    (void)message;
    (void)list;
    if (guarded) longjmp(back, 1);
    abort();
}

void fuzzGuarded(void (*function)(void *), void *context)
{
    dSetErrorHandler(refuse);
    dSetDebugHandler(refuse);
    if (setjmp(back) == 0) {
        guarded = true;
        function(context);
    } else {
        left = true;
    }
    guarded = false;
}

/* ---- the world --------------------------------------------------------------------------------------------------- */

static struct {
    dWorldID world;
    dBodyID body[5];
    dJointGroupID contacts;
    int steps;
} w;

static int constrain(const struct ukConstraintContext *context, dReal *A, dReal *b, void *data)
{
    (void)context;
    (void)data;
    A[2] = 1;
    b[0] = -0.25;
    return 0;
}

static int push(const struct ukConstraintContext *context, dReal *force, void *data)
{
    (void)data;
    force[0] = 0.5 - context->time;
    return 0;
}

static void drag(const struct ukNonIdealContext *context, dReal force[2][6], void *data)
{
    (void)context;
    (void)data;
    force[0][3] = -0.01;
    force[1][3] = 0.01;
}

static void moved(dBodyID body)
{
    dBodyAddForce(body, 0, 0, 0.125);
}

static void makeJoints(void)
{
    dJointID j = dJointCreateHinge(w.world, 0);
    dJointAttach(j, w.body[0], w.body[1]);
    dJointSetHingeAnchor(j, 0.5, 0, 1);
    dJointSetHingeAxis(j, 0, 1, 0);
    dJointSetHingeParam(j, dParamVel, 1);
    dJointSetHingeParam(j, dParamFMax, 2);
    ukJointSetName(j, "knee");
    ukJointSetNonIdeal(j, drag, NULL);
    j = dJointCreateSlider(w.world, 0);
    dJointAttach(j, w.body[2], 0);
    dJointSetSliderAxis(j, 1, 0, 0);
    dJointSetSliderParam(j, dParamHiStop, 0.1);
    ukJointSetCoulomb(j, 0.1, 0);
    j = dJointCreateAMotor(w.world, 0);
    dJointAttach(j, w.body[0], w.body[1]);
    dJointSetAMotorNumAxes(j, 1);
    dJointSetAMotorAxis(j, 0, 1, 0, 0, 1);
    dJointSetAMotorParam(j, dParamFMax, 0.5);
    j = dJointCreateUniversal(w.world, 0);
    dJointAttach(j, w.body[1], w.body[3]);
    dJointSetUniversalAnchor(j, 1.5, 0, 1);
    dJointSetUniversalAxis1(j, 1, 0, 0);
    dJointSetUniversalAxis2(j, 0, 1, 0);
}

void *fuzzWorldMake(void)
{
    w.world = dWorldCreate();
    w.contacts = dJointGroupCreate(0);
    w.steps = 0;
    dWorldSetGravity(w.world, 0, 0, -9.81);
    ukWorldEnable(w.world);
    for (int i = 0; i < 5; i++) {
        dMass mass;
        w.body[i] = dBodyCreate(w.world);
        dMassSetBox(&mass, 1 + i, 0.5, 0.4, 0.3);
        dMassAdjust(&mass, 1 + 0.5 * i);
        dBodySetMass(w.body[i], &mass);
        dBodySetPosition(w.body[i], i, 0, 1);
        if (i % 2) dBodySetAngularVel(w.body[i], 0.1, 0.2 * i, 0);
    }
    ukBodySetName(w.body[0], "trunk");
    dBodySetMovedCallback(w.body[4], moved);
    dBodySetAutoDisableFlag(w.body[4], 1);
    makeJoints();
    ukConstraintCreate(w.world, 1, w.body, 1, constrain, NULL);
    ukForceCreate(w.world, w.body + 2, 2, push, NULL);
    return w.world;
}

void fuzzWorldStep(void)
{
    for (int k = 0; k < 3; k++) {
        dContact contact = {.surface = {.mode = dContactApprox1 | dContactBounce, .mu = 0.5, .bounce = 0.1},
                            .geom = {.pos = {4 + 0.1 * k, 0.1 * (k % 2), 0.8}, .normal = {0, 0, 1}, .depth = 0.001}};
        dJointAttach(dJointCreateContact(w.world, w.contacts, &contact), w.body[4], 0);
    }
    if (w.steps == 2) dBodyAddTorque(w.body[1], 0, 0.5, 0);
    if (w.steps == 3) ukWorldSetFriction(w.world, ukFrictionCone);
    dWorldStep(w.world, 0.01);
    w.steps++;
    dJointGroupEmpty(w.contacts);
}

void fuzzWorldDestroy(void)
{
    dJointGroupDestroy(w.contacts);
    dWorldDestroy(w.world);
}

bool fuzzRecordTemplate(const char *path)
{
    const ukRecordOptions options = {.every_step = 1, .inputs = 1, .certificates = 1};
    fuzzWorldMake();
    const bool good = ukWorldRecord(w.world, path, &options) == ukOk;
    for (int i = 0; i < 6 && good; i++) fuzzWorldStep();
    ukWorldRecord(w.world, NULL, NULL);
    fuzzWorldDestroy();
    return good;
}
