/* SPDX-License-Identifier: BSD-3-Clause */
/* What a recording says of forces by part and of equations by joint, for joints whose own rows are on velocities: a
 * Plane2D bears a body's weight by its constraint and drives it by its motors; contacts have no key. */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include <ukode/ukode.h>

#include "plugin/formats/recording/reader.h"
#include "tests/check.h"
#include "tests/support/plain_world.h"

static const double h = 0.01, g = 9.81, m = 2;
static char path[64];

/* the first value of a query; NaN: NULL, or no row */
static double ask(const char *sql)
{
    ukReader r;
    CHECK(ukReaderOpen(&r, path));
    sqlite3_stmt *const query = r.file ? ukReaderAsk(&r, sql) : NULL;
    const double x = query && ukReaderNext(&r, query) ? ukReaderReal(query, 0) : (double)NAN;
    if (r.error[0]) printf("%s\n", r.error);
    ukReaderDone(query);
    ukReaderClose(&r);
    return x;
}

static void record(dWorldID w)
{
    CHECK(ukWorldRecord(w, path, &(ukRecordOptions){.every_step = 1, .certificates = 1}) == 0);
    for (int i = 0; i < 3; i++) CHECK(ukWorldStep(w, h) == 1);
    CHECK(ukWorldRecord(w, NULL, NULL) == 0);
}

/* pushed along y, tilted, driven along x at 1 m/s by a motor of this bound, from rest; its weight is across the
 * plane */
static void plane(double bound)
{
    const double push = 3, tilt[2] = {0.5, -0.7}, driven = fmin(bound, m * 1 / h);
    const dWorldID w = newWorld(g);
    const dBodyID b = ball(w, m, 0, 0, 0);
    const dJointID j = dJointCreatePlane2D(w, 0);
    dJointAttach(j, b, 0);
    dJointSetPlane2DXParam(j, dParamVel, 1);
    dJointSetPlane2DXParam(j, dParamFMax, bound);
    dBodyAddForce(b, 0, push, 0);
    dBodyAddTorque(b, tilt[0], tilt[1], 0);
    record(w);
    CHECK_NEAR(ask("SELECT force_ideal_z FROM joint_step WHERE step = 1"), m * g, 1e-9);
    CHECK_NEAR(ask("SELECT ifnull(force_motor_z, 0) FROM joint_step WHERE step = 1"), 0, 1e-9);
    CHECK_NEAR(ask("SELECT torque_ideal_x FROM joint_step WHERE step = 1"), -tilt[0], 1e-9);
    CHECK_NEAR(ask("SELECT torque_ideal_y FROM joint_step WHERE step = 1"), -tilt[1], 1e-9);
    CHECK_NEAR(ask("SELECT abs(ifnull(torque_motor_x, 0)) + abs(ifnull(torque_motor_y, 0)) FROM joint_step"), 0, 1e-9);
    CHECK_NEAR(ask("SELECT force_ideal_x FROM joint_step WHERE step = 1"), 0, 1e-9);
    CHECK_NEAR(ask("SELECT ifnull(force_motor_x, 0) FROM joint_step WHERE step = 1"), driven, 1e-9 * fmax(1, driven));
    CHECK_NEAR(ask("SELECT force_ideal_y + ifnull(force_motor_y, 0) FROM joint_step WHERE step = 1"), 0, 1e-9);
    dWorldDestroy(w);
    unlink(path);
}

/* of an equation's first block: kind, joint, rows, slots, as integers of 32 bits */
static void keys(void)
{
    const dWorldID w = newWorld(g);
    const dBodyID resting = ball(w, m, 0, 0, 0), hung = ball(w, m, 5, 0, 0);
    const dContact c = {.geom = {.pos = {0, 0, -0.1}, .normal = {0, 0, 1}}};
    dJointAttach(dJointCreateContact(w, 0, &c), resting, 0);
    const dJointID j = dJointCreateBall(w, 0);
    dJointAttach(j, hung, 0);
    dJointSetBallAnchor(j, 5, 0, 0);
    record(w);
    const double key = ask("SELECT joint FROM joint");
    char sql[200];
    CHECK(ask("SELECT count(*) FROM equation") == 6 && key == 1);
    CHECK(ask("SELECT count(*) FROM equation WHERE substr(block, 5, 4) = x'00000000' AND substr(block, 9, 4) = "
              "x'01000000'") == 3); /* one row of a contact */
    snprintf(sql, sizeof sql,
             "SELECT count(*) FROM equation WHERE substr(block, 5, 4) = x'%02x000000' AND substr(block, 9, 4) = "
             "x'03000000'",
             (int)key);
    CHECK(ask(sql) == 3);
    dWorldDestroy(w);
    unlink(path);
}

/* work by cause is of ukode's own steps: a world that ODE steps has none, one that changes hands has it then */
static void causesOfOwnSteps(void)
{
    for (int enabled = 0; enabled < 3; enabled++) {
        const dWorldID w = newWorld(g);
        dBodyAddForce(ball(w, m, 0, 0, 0), 0, 1, 0);
        CHECK(ukWorldRecord(w, path, &(ukRecordOptions){.every_step = 1}) == 0);
        for (int i = 0; i < 6; i++) {
            if (i == 0 && enabled > 0) CHECK(ukWorldEnable(w) == 0);
            if (i == 3 && enabled == 2) CHECK(ukWorldDisable(w) == 0);
            CHECK(dWorldStep(w, h) == 1);
        }
        CHECK(ukWorldRecord(w, NULL, NULL) == 0);
        const double steps = ask("SELECT count(DISTINCT step) FROM ledger_step");
        const double native =
            ask("SELECT count(*) FROM ledger_step WHERE step IN (SELECT step FROM step WHERE ukode = 0)");
        CHECK(native == 0 && ask("SELECT count(*) FROM step") == 6);
        if (!CHECK(steps == (enabled == 0 ? 0 : enabled == 1 ? 6 : 3)))
            printf("enabled %d: %g steps\n", enabled, steps);
        dWorldDestroy(w);
        unlink(path);
    }
}

static int gap(const ukConstraintContext *c, double *A, double *b, void *data)
{
    (void)b, (void)data;
    A[6 * (c->count - 1) + 2] = A[2] = 1;
    return 0;
}

static dJointID pinned(dWorldID w, dBodyID first, dBodyID second, double x)
{
    const dJointID j = dJointCreateBall(w, NULL);
    dJointAttach(j, first, second);
    dJointSetBallAnchor(j, x, 0, 0);
    return j;
}

static void sleepAtOnce(dBodyID body)
{
    dBodyDisable(body);
}

/* Rows of steps at whose end a body of the joint or constraint is awake, whichever of them it is. */
static void sleepers(void)
{
    const dWorldID w = newWorld(g);
    const dBodyID still = ball(w, m, 0, 0, 0), post[2] = {ball(w, m, 5, 0, 0), ball(w, m, 9, 0, 0)};
    const dBodyID awake[2] = {ball(w, m, 6, 0, 0), ball(w, m, 10, 0, 0)};
    const dBodyID pair[3][2] = {{still, NULL}, {post[0], awake[0]}, {awake[1], post[1]}};
    for (int k = 0; k < 3; k++) {
        pinned(w, pair[k][0], pair[k][1], 4.0 * k + 1);
        const ukConstraintID c = ukConstraintCreate(w, 1, pair[k], k > 0 ? 2 : 1, gap, NULL);
        CHECK(ukConstraintSetOneSided(c, 0) == 0);
    }
    for (int k = 0; k < 2; k++) dBodySetMovedCallback(post[k], sleepAtOnce);
    dBodyDisable(still);
    record(w);
    CHECK(!dBodyIsEnabled(still) && !dBodyIsEnabled(post[0]) && !dBodyIsEnabled(post[1]));
    CHECK(dBodyIsEnabled(awake[0]) && dBodyIsEnabled(awake[1]));
    for (int k = 0; k < 3; k++) {
        char sql[120];
        snprintf(sql, sizeof sql, "SELECT count(*) FROM joint_step WHERE joint = %d", k + 1);
        if (!CHECK(ask(sql) == (k > 0 ? 3 : 0))) printf("%s: %g\n", sql, ask(sql));
        snprintf(sql, sizeof sql, "SELECT count(*) FROM bounded_row_step WHERE constraint_number = %d", k + 1);
        if (!CHECK(ask(sql) == (k > 0 ? 3 : 0))) printf("%s: %g\n", sql, ask(sql));
    }
    for (int k = 0; k < 2; k++) dBodySetMovedCallback(post[k], NULL);
    dWorldDestroy(w);
    unlink(path);
}

/* The recording's ledger begins anew after the program has kept one of its own in between. */
static void ledgerInBetween(void)
{
    static const double force = 3;
    const dWorldID w = newWorld(0);
    const dBodyID b = ball(w, m, 0, 0, 0);
    double x[10] = {0};
    CHECK(ukWorldEnable(w) == 0 && ukWorldRecord(w, path, &(ukRecordOptions){.rate = 1e4}) == 0); /* no ledger */
    for (int i = 1; i < 10; i++) {
        if (i == 4) CHECK(ukWorldSetLedger(w, 1) == 0);
        if (i == 7) CHECK(ukWorldSetLedger(w, 0) == 0);
        if (i == 5) dBodySetLinearVel(b, 0, 2, 0);
        dBodyAddForce(b, 0, force, 0);
        CHECK(dWorldStep(w, h) == 1);
        x[i] = dBodyGetLinearVel(b)[1];
    }
    CHECK(ukWorldRecord(w, NULL, NULL) == 0);
    for (int i = 1; i < 10; i++) {
        char sql[120];
        const int since = i < 4 ? 0 : i < 7 ? 3 : 7;
        double applied = 0, outside = 0;
        for (int k = since + 1; k <= i; k++) { /* force x mean velocity x h */
            const double before = k == 5 ? 2 : x[k - 1];
            applied += force * h * 0.5 * (before + x[k]);
            if (k == 5) outside = 0.5 * m * (4 - x[4] * x[4]);
        }
        snprintf(sql, sizeof sql, "SELECT work FROM ledger_step WHERE cause = 'applied' AND step = %d", i);
        if (i == 7) {
            CHECK(isnan(ask(sql)));
            continue;
        }
        if (!CHECK_NEAR(ask(sql), applied, 1e-12)) printf("step %d\n", i);
        snprintf(sql, sizeof sql, "SELECT work FROM ledger_step WHERE cause = 'outside' AND step = %d", i);
        if (!CHECK_NEAR(ask(sql), outside, 1e-12)) printf("step %d\n", i);
    }
    dWorldDestroy(w);
    unlink(path);
}

int main(void)
{
    dInitODE2(0);
    snprintf(path, sizeof path, "recorded_parts_%d.ukode", (int)getpid());
    if (!ukSqliteReady()) return printf("skipped: %s\n", UKODE_SQLITE_MISSING), 77;
    plane(0);
    plane(7);
    plane(1e6);
    keys();
    causesOfOwnSteps();
    sleepers();
    ledgerInBetween();
    dCloseODE();
    return ukTestEnd();
}
