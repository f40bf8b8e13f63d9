/* SPDX-License-Identifier: BSD-3-Clause */
/* What the summary says of the worst that a process has met: the largest surge, of several, with the time of its step;
 * the stops without effect of the world that has most of them, whenever they are set. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ukode/ukode.h>

#include "bridge/island/stepper.h"
#include "bridge/world/registry.h"
#include "plugin/summary/process.h"
#include "tests/check.h"
#include "tests/support/plain_world.h"

static char path[] = "worst-XXXXXX";

/* the value of a key in the report's last line; NaN: it has none */
static double reported(const char *key)
{
    static char text[1 << 16];
    char quoted[64];
    FILE *const file = fopen(path, "r");
    const size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file) fclose(file);
    text[size] = 0;
    char *last = strstr(text, "\"event\":\"end\"");
    for (char *next = last; next; next = strstr(next + 1, "\"event\":\"end\"")) last = next;
    while (last && last > text && last[-1] != '\n') last--;
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *const found = last ? strstr(last, quoted) : NULL;
    return found ? strtod(found + strlen(quoted), NULL) : (double)NAN;
}

static bool reportedText(const char *part)
{
    static char text[1 << 16];
    FILE *const file = fopen(path, "r");
    const size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file) fclose(file);
    text[size] = 0;
    return strstr(text, part) != NULL;
}

static dJointID hung(dWorldID w, dBodyID b)
{
    const dJointID j = dJointCreateHinge(w, 0);
    dJointAttach(j, b, 0);
    dJointSetHingeAnchor(j, dBodyGetPosition(b)[0], 0, 0);
    dJointSetHingeAxis(j, 0, 0, 1);
    return j;
}

static void step(dWorldID w, double h, int count)
{
    for (int i = 0; i < count; i++) CHECK(ukWorldStep(w, h) == 1);
}

/* twice a ball is put away from its joint: by 1 m, and by more */
static void surges(void)
{
    const double h = 0.02;
    const dWorldID w = newWorld(0);
    const dBodyID b = ball(w, 1, 0, 0, 0);
    const dJointID j = dJointCreateBall(w, 0);
    dJointAttach(j, b, 0);
    dJointSetBallAnchor(j, 0, 0, 0);
    ukProcessOpen(path, NULL);
    double work[3];
    for (int k = 0; k < 3; k++) {
        step(w, h, 20);
        dBodySetPosition(b, k == 1 ? 40 : 10, 0, 0);
        dBodySetLinearVel(b, 0, 0, 0);
        step(w, h, 1);
        work[k] = ukRegistryWorld(w)->stepper->surge.work;
        CHECK(work[k] > 0);
        dBodySetPosition(b, 0, 0, 0);
        dBodySetLinearVel(b, 0, 0, 0);
    }
    CHECK(work[1] > 2 * work[0] && work[1] > 2 * work[2]);
    ukProcessClose();
    CHECK(reported("surges") == 3);
    CHECK_NEAR(reported("surge_work"), work[1], 1e-3 * work[1]);
    CHECK_NEAR(reported("surge_time"), 42 * h, 1e-9); /* the end of its step */
    dWorldDestroy(w);
}

/* The first world gets a stop that cannot act before its first step; the second gets one, and later two more. */
static void idleStops(void)
{
    const dWorldID one = newWorld(0), two = newWorld(0);
    dJointID j[3];
    ukProcessOpen(path, NULL);
    const dJointID first = hung(one, ball(one, 1, 0, 0, 0));
    CHECK(ukJointSetName(first, "alone") == 0);
    dJointSetHingeParam(first, dParamLoStop, 0.5);
    dJointSetHingeParam(first, dParamHiStop, -0.5);
    for (int k = 0; k < 3; k++) {
        char name[16];
        snprintf(name, sizeof name, "late%d", k);
        j[k] = hung(two, ball(two, 1, k, 0, 0));
        CHECK(ukJointSetName(j[k], name) == 0);
    }
    step(one, 0.01, 2);
    for (int k = 0; k < 3; k++) {
        step(two, 0.01, 1 + k); /* the summary looks at the steps 1, 2, 4, 8 */
        dJointSetHingeParam(j[k], dParamLoStop, 0.5);
        dJointSetHingeParam(j[k], dParamHiStop, -0.5);
    }
    step(two, 0.01, 2);
    ukProcessClose();
    CHECK(reported("idle_limits") == 3);
    CHECK(reportedText("late0"));
    dWorldDestroy(one);
    dWorldDestroy(two);
}

int main(void)
{
    dInitODE2(0);
    const int file = mkstemp(path);
    if (file < 0) return 2;
    close(file);
    surges();
    idleStops();
    unlink(path);
    dCloseODE();
    return ukTestEnd();
}
