/* SPDX-License-Identifier: BSD-3-Clause */
/* ukWorldRecord: what is in a recording is what ODE's getters told after each step; recording changes no bit of the
 * motion; worlds, bodies and joints come and go; files are replaced, shared and refused as they are meant to be. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ukode/ukode.h>

#include "bridge/joints/getters.h"
#include "bridge/world/registry.h"
#include "demos/scenes.h"
#include "plugin/formats/recording/reader.h"
#include "tests/check.h"
#include "tests/plugin/recording/ask.h"
#include "tests/support/random_world.h"

static const ukRecordOptions every_step = {.every_step = 1};

/* ---- contents ---------------------------------------------------------------------------------------------------- */

enum { Steps = 40 };
static RandomWorldKind all_kinds = {
    .cfm_lo = 1e-8, .cfm_hi = 1e-3, .stops = 1, .bounded_motors = 1, .contacts = 3, .friction = 1};

/* what is told of one step */
typedef struct Told {
    double body[MaxWorldBodies][13];
    double angle[MaxWorldJoints][3], rate[MaxWorldJoints][3], force[MaxWorldJoints][6];
    double power[MaxWorldJoints], kinetic, potential;
} Told;

static void listen(const RandomWorld *w, Told *t)
{
    ukReport report;
    for (int i = 0; i < w->bodies; i++) {
        memcpy(t->body[i], dBodyGetPosition(w->body[i]), 3 * sizeof(double));
        memcpy(t->body[i] + 3, dBodyGetQuaternion(w->body[i]), 4 * sizeof(double));
        memcpy(t->body[i] + 7, dBodyGetLinearVel(w->body[i]), 3 * sizeof(double));
        memcpy(t->body[i] + 10, dBodyGetAngularVel(w->body[i]), 3 * sizeof(double));
    }
    for (int i = 0; i < w->joints; i++) {
        const dJointFeedback *const f = dJointGetFeedback(w->joint[i]);
        ukJointMoves(ukRegistryJoint(w->joint[i]), t->angle[i], t->rate[i]);
        t->power[i] = 0;
        for (int c = 0; c < 6 && f; c++) {
            const dBodyID one = dJointGetBody(w->joint[i], 0), other = dJointGetBody(w->joint[i], 1);
            const dBodyID body[2] = {one ? one : other, one ? other : NULL};
            const double force[2] = {c < 3 ? f->f1[c] : f->t1[c - 3], c < 3 ? f->f2[c] : f->t2[c - 3]};
            t->force[i][c] = force[0];
            for (int k = 0; k < 2; k++)
                if (body[k])
                    t->power[i] +=
                        force[k] * (c < 3 ? dBodyGetLinearVel(body[k])[c] : dBodyGetAngularVel(body[k])[c - 3]);
        }
    }
    CHECK(ukWorldGetReport(w->world, &report) == ukOk);
    t->kinetic = report.kinetic_energy;
    t->potential = report.potential_energy;
}

/* NaN is NULL */
static void same(double x, double y, double tolerance)
{
    CHECK((isnan(x) && isnan(y)) || fabs(x - y) <= tolerance * fmax(1, fabs(y)));
}

static void compareBodies(ukReader *r, const RandomWorld *w, const Told *told)
{
    sqlite3_stmt *const q = ukReaderAsk(r, "SELECT * FROM body_step ORDER BY step, body");
    for (int k = 0; k < Steps; k++)
        for (int i = 0; i < w->bodies; i++) {
            if (!CHECK(ukReaderNext(r, q) && ukReaderReal(q, 0) == k + 1 && ukReaderReal(q, 1) == i + 1)) break;
            for (int c = 0; c < 13; c++) CHECK(ukReaderReal(q, 2 + c) == told[k].body[i][c]);
            CHECK(ukReaderReal(q, 15) == dBodyIsEnabled(w->body[i]));
        }
    CHECK(!ukReaderNext(r, q));
    ukReaderDone(q);
}

static void compareJoint(sqlite3_stmt *q, const Told *told, int i)
{
    double size = 1, sum;
    for (int c = 0; c < 6; c++) size = fmax(size, fabs(told->force[i][c]));
    for (int c = 0; c < 3; c++) {
        same(ukReaderReal(q, 2 + c), told->angle[i][c], 1e-11);
        same(ukReaderReal(q, 5 + c), told->rate[i][c], 1e-11);
    }
    for (int c = 0; c < 6; c++) {
        sum = 0;
        for (int part = 0; part < 4; part++) sum += ukReaderReal(q, 8 + 6 * part + c);
        CHECK(fabs(sum - told->force[i][c]) <= 1e-11 * size);
    }
    CHECK(fabs(ukReaderReal(q, 32) - told->power[i]) <= 1e-9 * fmax(size, fabs(told->power[i])));
}

static void compareJoints(ukReader *r, const RandomWorld *w, const Told *told)
{
    sqlite3_stmt *const q = ukReaderAsk(r, "SELECT * FROM joint_step ORDER BY step, joint");
    sqlite3_stmt *const list = ukReaderAsk(r, "SELECT joint FROM joint WHERE body_1 IS NOT NULL OR body_2 IS NOT NULL");
    int joint[MaxWorldJoints], joints = 0;
    while (ukReaderNext(r, list)) joint[joints++] = (int)ukReaderReal(list, 0) - 1;
    ukReaderDone(list);
    for (int k = 0; k < Steps; k++)
        for (int i = 0; i < joints; i++)
            if (CHECK(ukReaderNext(r, q) && ukReaderReal(q, 1) == joint[i] + 1)) compareJoint(q, &told[k], joint[i]);
    CHECK(!ukReaderNext(r, q));
    CHECK(joints <= w->joints);
    ukReaderDone(q);
}

static void compareSteps(ukReader *r, const Told *told)
{
    sqlite3_stmt *const q = ukReaderAsk(r, "SELECT number, h, kinetic_energy, potential_energy, ukode FROM step");
    for (int k = 0; k < Steps; k++) {
        if (!CHECK(ukReaderNext(r, q) && ukReaderReal(q, 0) == k + 1 && ukReaderReal(q, 1) == 0.01)) break;
        same(ukReaderReal(q, 2), told[k].kinetic, 1e-13);
        same(ukReaderReal(q, 3), told[k].potential, 1e-13);
        CHECK(ukReaderReal(q, 4) == 1);
    }
    ukReaderDone(q);
}

static void contents(uint64_t seed)
{
    static Told told[Steps];
    RandomWorld recorded, plain;
    ukReader r;
    randomWorldBuild(&recorded, seed, &all_kinds);
    randomWorldBuild(&plain, seed, &all_kinds);
    CHECK(ukWorldRecord(recorded.world, path, &every_step) == ukOk);
    for (int k = 0; k < Steps; k++) {
        const int stepped = ukWorldStep(recorded.world, 0.01);
        CHECK(ukWorldStep(plain.world, 0.01) == stepped);
        listen(&recorded, &told[k]);
        for (int i = 0; i < plain.bodies; i++) {
            CHECK(memcmp(dBodyGetPosition(plain.body[i]), told[k].body[i], 3 * sizeof(double)) == 0);
            CHECK(memcmp(dBodyGetQuaternion(plain.body[i]), told[k].body[i] + 3, 4 * sizeof(double)) == 0);
            CHECK(memcmp(dBodyGetLinearVel(plain.body[i]), told[k].body[i] + 7, 3 * sizeof(double)) == 0);
        }
    }
    CHECK(ukWorldRecord(recorded.world, NULL, NULL) == ukOk);
    if (CHECK(ukReaderOpen(&r, path)) && ask("SELECT count(*) FROM event WHERE kind = 'refused'") == 0) {
        compareBodies(&r, &recorded, told);
        compareJoints(&r, &recorded, told);
        compareSteps(&r, told);
    }
    if (r.error[0]) printf("%s\n", r.error);
    ukReaderClose(&r);
    randomWorldDestroy(&recorded);
    randomWorldDestroy(&plain);
}

/* ---- what happens ------------------------------------------------------------------------------------------------ */

static void ragdolls(void)
{
    Scene *const scene = sceneRagdolls(1);
    CHECK(ukWorldSetLedger(scene->world, 1) == ukOk);
    CHECK(ukWorldRecord(scene->world, path, NULL) == ukOk);
    for (int k = 0; k < 200; k++) sceneStep(scene, 0.005, ukWorldStep);
    CHECK(ukWorldRecord(scene->world, NULL, NULL) == ukOk);
    CHECK(ask("SELECT count(*) FROM step") == 200);
    CHECK(ask("SELECT count(DISTINCT step) FROM body_step") == 60); /* of a second */
    CHECK(ask("SELECT count(*) FROM event WHERE kind = 'contact_begin'") >= 1);
    CHECK(ask("SELECT count(*) >= (SELECT count(*) FROM event WHERE kind = 'contact_end') FROM event "
              "WHERE kind = 'contact_begin'") == 1);
    CHECK(ask("SELECT max(force_z) FROM contact_step") > 0 && ask("SELECT min(force_z) FROM contact_step") >= 0);
    CHECK(ask("SELECT max(abs(normal_x * slip_x + normal_y * slip_y + normal_z * slip_z)) FROM contact_step") < 1e-12);
    CHECK(ask("SELECT max(abs(torque_stop_x)) FROM joint_step") > 0);
    CHECK(ask("SELECT count(*) FROM (SELECT joint, max(abs(power)) FROM joint_step GROUP BY joint)") == 15);
    CHECK(ask("SELECT count(*) FROM ledger_step WHERE cause = 'contact_normal'") == 60);
    CHECK(ask("SELECT max(abs(work)) FROM ledger_step WHERE cause = 'residual'") < 1e-9);
    CHECK(ask("SELECT sum(microseconds) > 0 FROM step") == 1);
    sceneDestroy(scene);
}

/* A recording at its rate has the work of all steps, those without rows included: here of a force that acts in one step
 * of five and of an impact on the ground. The world itself keeps no ledger, before or after. */
static void worksOfAllSteps(void)
{
    const double h = 0.004, force = 30, mass = 2;
    double work = 0;
    const dWorldID world = dWorldCreate();
    const dBodyID body = dBodyCreate(world);
    dMass m;
    dMassSetSphereTotal(&m, mass, 0.1);
    dBodySetMass(body, &m);
    dWorldSetGravity(world, 0, 0, -9.81);
    CHECK(ukWorldRecord(world, path, NULL) == ukOk);
    for (int k = 0; k < 300; k++) {
        const double before = dBodyGetLinearVel(body)[2], pushed = k % 5 == 0 ? force : 0;
        dBodyAddForce(body, 0, 0, pushed);
        CHECK(ukWorldStep(world, h));
        work += pushed * h * (before + dBodyGetLinearVel(body)[2]) / 2;
        CHECK(ukRegistryWorld(world)->book == NULL);
    }
    CHECK(ukWorldRecord(world, NULL, NULL) == ukOk);
    CHECK(ukRegistryWorld(world)->lent == NULL);
    CHECK(ask("SELECT count(DISTINCT step) FROM ledger_step") == ask("SELECT count(DISTINCT step) FROM body_step"));
    CHECK(ask("SELECT count(DISTINCT step) FROM ledger_step") < 300 / 3);
    CHECK_NEAR(ask("SELECT work FROM ledger_step WHERE cause = 'applied' ORDER BY step DESC LIMIT 1"), work,
               1e-12 * fabs(work));
    CHECK(ask("SELECT max(abs(work)) FROM ledger_step WHERE cause = 'residual'") < 1e-10);
    dWorldDestroy(world);
}

/* A joint that its bodies were moved out of throws them together: that is an event, whoever records. */
static void surges(void)
{
    const dWorldID world = dWorldCreate();
    dBodyID body[2];
    dMass m;
    dMassSetBoxTotal(&m, 1, 1, 0.2, 0.2);
    for (int i = 0; i < 2; i++) {
        body[i] = dBodyCreate(world);
        dBodySetMass(body[i], &m);
        dBodySetPosition(body[i], i, 0, 0);
    }
    const dJointID ball = dJointCreateBall(world, 0);
    dJointAttach(ball, body[0], body[1]);
    dJointSetBallAnchor(ball, 0.5, 0, 0);
    CHECK(ukWorldRecord(world, path, NULL) == ukOk);
    for (int k = 0; k < 20; k++) CHECK(ukWorldStep(world, 0.02) == 1);
    dBodySetPosition(body[1], 1, 2, 0);
    CHECK(ukWorldStep(world, 0.02) == 1);
    CHECK(ukWorldRecord(world, NULL, NULL) == ukOk);
    CHECK(ask("SELECT count(*) FROM event WHERE kind = 'surge'") == 1);
    CHECK(ask("SELECT step FROM event WHERE text LIKE 'energy without a physical cause%'") == 21);
    dWorldDestroy(world);
}

/* a hinge that turns far in its first step, and a body that the program sets elsewhere; steps of ODE's own as well */
static void starts(bool enabled)
{
    const double h = 0.1, w = 2;
    dMass m;
    const dWorldID world = dWorldCreate();
    const dBodyID body = dBodyCreate(world), other = dBodyCreate(world);
    dMassSetBoxTotal(&m, 1, 1, 0.2, 0.2);
    dBodySetMass(body, &m);
    dBodySetPosition(body, 3, 0, 0);
    dBodySetPosition(other, 0, 5, 0);
    dBodySetLinearVel(other, 0, 0, 1);
    const dJointID hinge = dJointCreateHinge(world, 0);
    dJointAttach(hinge, body, 0);
    dJointSetHingeAnchor(hinge, 3, 0, 0);
    dJointSetHingeAxis(hinge, 0, 0, 1);
    dBodySetAngularVel(body, 0, 0, w);
    if (!enabled) ukWorldDisable(world);
    CHECK(ukWorldRecord(world, path, &every_step) == ukOk);
    for (int i = 0; i < 6; i++) {
        if (i == 2 || i == 3) dBodySetPosition(other, 0, 5, 2.0 * i);
        CHECK(dWorldStep(world, h) == 1);
    }
    CHECK(ukWorldRecord(world, NULL, NULL) == ukOk);
    CHECK(ask("SELECT count(*) FROM body_start") == 2 && ask("SELECT count(*) FROM joint_start") == 1);
    CHECK(ask("SELECT count(*) FROM body_start WHERE step = 1 AND spin_z = 2 AND position_x = 3") == 1);
    CHECK(ask("SELECT count(*) FROM body_start WHERE position_y = 5 AND velocity_z = 1 AND orientation_w = 1") == 1);
    CHECK(ask("SELECT count(*) FROM joint_start WHERE angle_1 = 0 AND angle_2 IS NULL AND anchor_x = 3 AND "
              "anchor_2_x = 3 AND axis_1_z = 1 AND axis_2_z IS NULL") == 1);
    CHECK_NEAR(ask("SELECT angle_1 FROM joint_step WHERE step = 1"), 2 * atan(h * w / 2), 1e-12);
    CHECK(ask("SELECT count(*) FROM event WHERE kind = 'moved'") == 1); /* twice within ten steps: told once */
    CHECK(ask("SELECT step FROM event WHERE kind = 'moved' AND body = 2") == 3);
    CHECK_NEAR(ask("SELECT value FROM event WHERE kind = 'moved'"), 4 - 2 * h, 1e-12);
    dWorldDestroy(world);
}

static void objectsComeAndGo(void)
{
    const dWorldID world = dWorldCreate();
    dBodyID body[3];
    for (int i = 0; i < 3; i++) body[i] = dBodyCreate(world);
    const dJointID hinge = dJointCreateHinge(world, 0), ball = dJointCreateBall(world, 0);
    dJointAttach(hinge, body[0], body[1]);
    dJointAttach(ball, body[2], 0);
    CHECK(ukBodySetName(body[0], "torso") == ukOk);
    CHECK(ukWorldRecord(world, path, &every_step) == ukOk);
    CHECK(ukWorldStep(world, 0.01) == 1);
    CHECK(ukJointSetName(hinge, "knee") == ukOk);
    dJointDestroy(ball);
    dBodyDestroy(body[2]);
    const dBodyID late = dBodyCreate(world);
    dBodyDisable(late);
    CHECK(ukWorldStep(world, 0.01) == 1);
    dBodyDisable(body[1]);
    dBodyDisable(body[0]);
    for (int k = 0; k < 4; k++) CHECK(ukWorldStep(world, 0.01) == 1);
    CHECK(ukWorldStep(world, -1) == 0);
    dWorldDestroy(world); /* ends it */
    CHECK(ask("SELECT count(*) FROM body WHERE name = 'torso' AND body = 1 AND created_step = 1 AND "
              "destroyed_step IS NULL") == 1);
    CHECK(ask("SELECT destroyed_step FROM body WHERE body = 3") == 2);
    CHECK(ask("SELECT created_step FROM body WHERE body = 4") == 2);
    CHECK(ask("SELECT count(*) FROM joint WHERE name = 'knee' AND type = 'hinge' AND body_1 = 1 AND body_2 = 2") == 1);
    CHECK(ask("SELECT destroyed_step FROM joint WHERE type = 'ball'") == 2);
    CHECK(ask("SELECT count(*) FROM joint_parameter WHERE joint = 1 AND name = 'hi_stop'") == 1);
    CHECK(ask("SELECT count(*) FROM event WHERE kind = 'sleep' AND step = 3") == 2);
    CHECK(ask("SELECT count(*) FROM event WHERE kind = 'refused'") == 1);
    CHECK(ask("SELECT count(*) FROM body_step WHERE body = 1") == 3); /* asleep: once */
    CHECK(ask("SELECT count(*) FROM run WHERE ended IS NOT NULL AND every_step = 1") == 1);
}

static void native(void)
{
    Scene *const scene = sceneFourBar();
    sceneWatch(scene);
    CHECK(ukWorldRecord(scene->world, path, &every_step) == ukOk);
    for (int k = 0; k < 5; k++) dWorldStep(scene->world, 0.01);
    const dJointID joint = ukWorldGetJoint(scene->world, 0);
    const double force = dJointGetFeedback(joint)->f1[0], angle = dJointGetHingeAngle(joint);
    CHECK(ukWorldRecord(scene->world, NULL, NULL) == ukOk);
    CHECK(ask("SELECT count(*) FROM step WHERE ukode = 0 AND rows IS NULL AND kinetic_energy > 0") == 5);
    CHECK(ask("SELECT force_ideal_x FROM joint_step WHERE step = 5 AND joint = 1") == force);
    CHECK_NEAR(ask("SELECT angle_1 FROM joint_step WHERE step = 5 AND joint = 1"), angle, 1e-13);
    CHECK(ask("SELECT count(*) FROM joint_step WHERE force_motor_x IS NOT NULL") == 0);
    sceneDestroy(scene);
}

/* ---- one-sided and bounded rows ---------------------------------------------------------------------------------- */

/* height above z = 0.1, and the rate along x, with the target 2 m/s */
static int writeTwoRows(const ukConstraintContext *c, double *A, double *b, void *data)
{
    (void)c, (void)b, (void)data;
    return A[2] = A[6] = 1, 0;
}
static int twoErrors(const ukConstraintContext *c, double *phi, double *psi, void *data)
{
    (void)data;
    phi[0] = c->bodies->position[2] - 0.1, psi[0] = c->bodies->velocity[2];
    phi[1] = NAN, psi[1] = c->bodies->velocity[0] - 2;
    return 0;
}

/* Of 1 kg, 0.2 m above its floor: each step has the gap, rates and multipliers before the next one; a sleeping body
 * none. */
static void boundedRows(ukIntegrator integrator)
{
    const dWorldID w = dWorldCreate();
    const dBodyID b = dBodyCreate(w);
    double z[41], vz[41], vx[41], lift = 0, push = 0;
    char sql[200];
    dWorldSetGravity(w, 0, 0, -10);
    dBodySetPosition(b, 0, 0, 0.3);
    dBodySetLinearVel(b, 1, 0, 0);
    ukConstraintID c = ukConstraintCreate(w, 2, &b, 1, writeTwoRows, NULL);
    CHECK(ukConstraintSetError(c, twoErrors, NULL) == ukOk && ukConstraintSetOneSided(c, 0) == ukOk);
    CHECK(ukConstraintSetBounds(c, 1, -3, 4) == ukOk && ukConstraintSetRestitution(c, 0, 0.25) == ukOk);
    CHECK(ukWorldSetIntegrator(w, integrator) == ukOk);
    CHECK(ukWorldRecord(w, path, &every_step) == ukOk);
    for (int k = 0; k <= 40; k++) {
        double force[6];
        z[k] = dBodyGetPosition(b)[2], vz[k] = dBodyGetLinearVel(b)[2], vx[k] = dBodyGetLinearVel(b)[0];
        if (k == 40) dBodyDisable(b);
        CHECK(ukWorldStep(w, 0.01) == 1 && ukConstraintGetForce(c, force) == ukOk);
        if (k < 40) lift += force[2], push += force[0];
    }
    CHECK(ukWorldRecord(w, NULL, NULL) == ukOk);
    CHECK(ask("SELECT count(*) FROM bounded_row_step") == 80 && lift > 1);
    CHECK_NEAR(ask("SELECT sum(multiplier) FROM bounded_row_step WHERE row = 0"), lift, 1e-12 * lift);
    CHECK_NEAR(ask("SELECT sum(multiplier) FROM bounded_row_step WHERE row = 1"), push, 1e-12 * push);
    for (int k = 0; k < 40; k += 3) {
        const char *const query = "SELECT %s FROM bounded_row_step WHERE step = %d AND row = %d AND one_sided = %d";
        snprintf(sql, sizeof sql, query, "position_error", k + 1, 0, 1);
        CHECK_NEAR(ask(sql), z[k] - 0.1, 1e-15);
        snprintf(sql, sizeof sql, query, "rate_error", k + 1, 0, 1);
        CHECK_NEAR(ask(sql), vz[k], 1e-15);
        snprintf(sql, sizeof sql, query, "rate_error", k + 1, 1, 0);
        CHECK_NEAR(ask(sql), vx[k] - 2, 1e-15);
        snprintf(sql, sizeof sql, query, "rate", k + 1, 1, 0);
        CHECK_NEAR(ask(sql), vx[k + 1], 1e-15);
    }
    CHECK(
        ask("SELECT count(*) FROM bounded_row_step WHERE low = -3 AND high = 4 AND row = 1 AND position_error IS NULL "
            "AND restitution IS NULL AND bounded_row = 2 AND constraint_number = 1 AND compliance = 1") == 40);
    CHECK(ask("SELECT count(*) FROM bounded_row_step WHERE low = 0 AND high > 1e300 AND row = 0 AND restitution = 0.25 "
              "AND "
              "bounded_row = 1 AND body_1 = 1 AND body_2 IS NULL") == 40);
    dWorldDestroy(w);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static void files(void)
{
    const dWorldID one = dWorldCreate(), two = dWorldCreate();
    dBodyCreate(one);
    dBodyCreate(two);
    CHECK(ukWorldRecord(one, path, NULL) == ukOk && ukWorldRecord(two, path, NULL) == ukOk);
    CHECK(ukWorldStep(one, 0.01) == 1 && ukWorldStep(two, 0.01) == 1 && ukWorldStep(one, 0.01) == 1);
    CHECK(ukWorldRecord(one, NULL, NULL) == ukOk && ukWorldRecord(one, NULL, NULL) == ukOk);
    CHECK(ukWorldStep(two, 0.01) == 1);
    CHECK(ukWorldRecord(two, NULL, NULL) == ukOk);
    CHECK(ask("SELECT count(*) FROM step WHERE world = 1") == 2 &&
          ask("SELECT count(*) FROM step WHERE world = 2") == 2);
    CHECK(ask("SELECT count(*) FROM world") == 2 && ask("SELECT count(DISTINCT body) FROM body") == 2);
    CHECK(ukWorldRecord(one, path, NULL) == ukOk); /* replaces it */
    dWorldDestroy(one);
    CHECK(ask("SELECT count(*) FROM step") == 0);
    FILE *const other = fopen(path, "w");
    CHECK(other && fputs("precious", other) >= 0 && fclose(other) == 0);
    CHECK(ukWorldRecord(two, path, NULL) == ukErrorArgument && strstr(ukGetLastErrorMessage(), "exists"));
    CHECK(ukWorldRecord(two, "/no/such/folder/x.ukode", NULL) == ukErrorArgument);
    CHECK(ukWorldRecord(two, "", NULL) == ukErrorArgument && ukWorldRecord(NULL, path, NULL) == ukErrorHandle);
    CHECK(ukWorldRecord(two, path, &(ukRecordOptions){.rate = -1}) == ukErrorArgument);
    CHECK(ukWorldStep(two, 0.01) == 1);
    dWorldDestroy(two);
}

int main(void)
{
    dInitODE2(0);
    snprintf(path, sizeof path, "recording_%d.ukode", (int)getpid());
    if (!CHECK(ukSqliteReady())) return ukTestEnd();
    all_kinds.types = randomEqualityTypes & ~(1 << dJointTypeTransmission);
    for (uint64_t seed = 1; seed <= 12; seed++) contents(seed);
    ragdolls();
    worksOfAllSteps();
    surges();
    starts(true);
    starts(false);
    objectsComeAndGo();
    native();
    for (int integrator = ukIntegratorEuler; integrator <= ukIntegratorRattle; integrator++)
        boundedRows((ukIntegrator)integrator);
    files();
    unlink(path);
    dCloseODE();
    return ukTestEnd();
}
