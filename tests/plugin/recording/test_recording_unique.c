/* SPDX-License-Identifier: BSD-3-Clause */
/* unique_reaction of joint_step: of each joint for itself what a diagnosis finds from all singular vectors; also beside
 * motors and stops; looked at again when what holds has changed; unknown where there are contacts. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include <ukode/ukode.h>

#include "demos/scenes.h"
#include "plugin/formats/recording/reader.h"
#include "tests/check.h"

enum { Most = 16, Bodies = 5 };

static char path[64];

/* of step `step`, by the joints' order; -1: NULL, -2: no row */
static void recorded(int step, int unique[Most])
{
    ukReader r;
    for (int k = 0; k < Most; k++) unique[k] = -2;
    CHECK(ukReaderOpen(&r, path));
    sqlite3_stmt *const q = ukReaderAsk(&r, "SELECT joint, unique_reaction FROM joint_step WHERE step = ?1");
    ukSql.bind_int64(q, 1, step);
    while (ukReaderNext(&r, q)) {
        const long long joint = ukSql.column_int64(q, 0);
        const bool known = ukSql.column_type(q, 1) != ukSqlNull;
        if (CHECK(joint >= 1 && joint <= Most)) unique[joint - 1] = known ? (int)ukSql.column_int64(q, 1) : -1;
    }
    ukReaderDone(q);
    ukReaderClose(&r);
}

static void record(dWorldID world, int steps)
{
    const ukRecordOptions options = {.every_step = 1};
    CHECK(ukWorldRecord(world, path, &options) == ukOk);
    for (int i = 0; i < steps; i++) CHECK(ukWorldStep(world, 0.01) == 1);
    CHECK(ukWorldRecord(world, NULL, NULL) == ukOk);
}

/* ---- against the diagnosis --------------------------------------------------------------------------------------- */

static uint64_t state;
static int unknown; /* mechanisms of which it was not told */

static double pick(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-53;
}

static dJointID joinOf(dWorldID w, dBodyID a, dBodyID b)
{
    const double x = pick(), y = pick(), z = pick(), kind = pick();
    if (kind < 0.3) {
        const dJointID j = dJointCreateBall(w, 0);
        dJointAttach(j, a, b);
        dJointSetBallAnchor(j, x, y, z);
        return j;
    }
    if (kind < 0.5) {
        const dJointID j = dJointCreateFixed(w, 0);
        dJointAttach(j, a, b);
        dJointSetFixed(j);
        return j;
    }
    const dJointID j = dJointCreateHinge(w, 0);
    dJointAttach(j, a, b);
    dJointSetHingeAnchor(j, x, y, z);
    dJointSetHingeAxis(j, pick() - 0.5, pick() - 0.5, pick() - 0.5);
    return j;
}

/* some bodies at random places, joined at random: loops and branches; how many reactions are not unique */
static int mechanism(uint64_t seed)
{
    dBodyID body[Bodies + 1] = {NULL};
    dJointID joint[Most];
    int unique[Most], loose = 0;
    state = seed;
    const dWorldID w = dWorldCreate();
    const int joints = Bodies + (int)(4 * pick());
    dWorldSetGravity(w, 0, 0, -9.81);
    for (int i = 0; i < Bodies; i++) {
        dMass m;
        dMassSetBoxTotal(&m, 1 + pick(), 0.3, 0.4, 0.5);
        body[i] = dBodyCreate(w);
        dBodySetMass(body[i], &m);
        dBodySetPosition(body[i], pick(), pick(), pick());
    }
    for (int k = 0; k < joints; k++) {
        const int a = k < Bodies ? k : (int)(Bodies * pick());
        const int b = k < Bodies ? (int)(k * pick()) - 1 : (int)((Bodies + 1) * pick()) - 1;
        joint[k] = joinOf(w, body[a], b < 0 || b == a ? NULL : body[b]);
    }
    ukDiagnosis d;
    CHECK(ukWorldDiagnose(w, &d) == ukOk);
    int expected[Most];
    for (int i = 0; i < d.count; i++)
        for (int k = 0; k < joints; k++)
            if (d.joints[i].joint == joint[k]) expected[k] = d.joints[i].unique;
    record(w, 1);
    recorded(1, unique);
    for (int k = 0; k < joints; k++) {
        unknown += k == 0 && unique[k] == -1;
        if (!CHECK(unique[k] == expected[k] || unique[0] == -1))
            printf("seed %d: joint %d of %d: %d, not %d\n", (int)seed, k + 1, joints, unique[k], expected[k]);
        loose += unique[k] == 0;
    }
    dWorldDestroy(w);
    return loose;
}

static void mechanisms(void)
{
    int loose = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) loose += mechanism(seed);
    printf("300 mechanisms: %d reactions are not the only ones, %d mechanisms unknown\n", loose, unknown);
    CHECK(loose > 500 && unknown <= 1);
}

/* ---- a door on two hinges, a handle on it ------------------------------------------------------------------------ */

static Scene *door(void)
{
    Scene *const s = sceneNew(2, 3, 0.01);
    const dReal low[3] = {0, 0, 0.3}, high[3] = {0, 0, 1.7}, grip[3] = {0.85, 0.05, 1};
    const dBodyID leaf = sceneAddBox(s, 20, 0.9, 0.04, 2, 0.45, 0, 1);
    const dBodyID handle = sceneAddBox(s, 2, 0.3, 0.1, 0.1, 0.9, 0.05, 1);
    sceneAddHinge(s, leaf, 0, low, 0, 0, 1);
    sceneAddHinge(s, leaf, 0, high, 0, 0, 1);
    sceneAddHinge(s, handle, leaf, grip, 0, 1, 0);
    return s;
}

static void beside(void)
{
    int unique[Most];
    Scene *s = door();
    record(s->world, 3);
    for (int step = 1; step <= 3; step++) {
        recorded(step, unique);
        CHECK(unique[0] == 0 && unique[1] == 0 && unique[2] == 1);
    }
    const ukRecordOptions options = {.every_step = 1};
    CHECK(ukWorldRecord(s->world, path, &options) == ukOk);
    CHECK(ukWorldStep(s->world, 0.01) == 1);
    dJointAttach(s->joints[1], s->bodies[1], s->bodies[0]); /* the second hinge is the handle's now */
    CHECK(ukWorldStep(s->world, 0.01) == 1);
    dJointAttach(s->joints[1], NULL, NULL);
    CHECK(ukWorldStep(s->world, 0.01) == 1);
    CHECK(ukWorldRecord(s->world, NULL, NULL) == ukOk);
    recorded(1, unique);
    CHECK(unique[0] == 0 && unique[1] == 0 && unique[2] == 1);
    recorded(2, unique);
    CHECK(unique[0] == 1);
    recorded(3, unique);
    CHECK(unique[0] == 1 && unique[2] == 1);
    sceneDestroy(s);
}

/* a motor that is strong enough holds, and its hinge's reaction is as unique as it was */
static void motors(void)
{
    int unique[Most];
    Scene *s = door();
    dJointSetHingeParam(s->joints[2], dParamFMax, 1e3);
    dJointSetHingeParam(s->joints[2], dParamVel, 0.5);
    record(s->world, 2);
    for (int step = 1; step <= 2; step++) {
        recorded(step, unique);
        CHECK(unique[0] == 0 && unique[1] == 0 && unique[2] == 1);
    }
    /* two motors against each other on the leaf: who bears what is anyone's guess, but not where one is at its limit */
    for (int i = 0; i < 2; i++) {
        dJointSetHingeParam(s->joints[i], dParamFMax, 1e3);
        dJointSetHingeParam(s->joints[i], dParamVel, 0.1);
    }
    record(s->world, 1);
    recorded(1, unique);
    CHECK(unique[0] == 0 && unique[1] == 0 && unique[2] == 1);
    sceneDestroy(s);
}

/* Under the adaptive integrator what a CFM makes a spring bears what it does, and nobody else could. */
static void springs(void)
{
    int unique[Most];
    Scene *s = door();
    dWorldSetCFM(s->world, 1e-4);
    CHECK(ukWorldSetIntegrator(s->world, ukIntegratorAdaptive) == 0);
    record(s->world, 2);
    for (int step = 1; step <= 2; step++) {
        recorded(step, unique);
        CHECK(unique[0] == 1 && unique[1] == 1 && unique[2] == 1);
    }
    sceneDestroy(s);
}

static void contacts(void)
{
    int unique[Most];
    Scene *s = door();
    dContact c;
    memset(&c, 0, sizeof c);
    c.geom.pos[0] = 0.9, c.geom.normal[2] = 1, c.geom.depth = 1e-3;
    const dJointID contact = dJointCreateContact(s->world, 0, &c);
    dJointAttach(contact, s->bodies[0], NULL);
    record(s->world, 1);
    recorded(1, unique);
    CHECK(unique[0] == -1 && unique[1] == -1 && unique[2] == -1);
    dJointDestroy(contact);
    sceneDestroy(s);
}

int main(void)
{
    if (!ukSqliteReady()) return printf("skipped: %s\n", UKODE_SQLITE_MISSING), 77;
    snprintf(path, sizeof path, "recording_unique_%d.ukode", (int)getpid());
    dInitODE2(0);
    mechanisms();
    beside();
    motors();
    springs();
    contacts();
    dCloseODE();
    unlink(path);
    return ukTestEnd();
}
