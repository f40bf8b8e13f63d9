/* SPDX-License-Identifier: BSD-3-Clause */
/* A ball joint that its CFM and ERP make a spring, between two bodies that both move, under the adaptive integrator:
 * the closed form of their oscillation; the ledger has all of the spring's work as that of applied forces, on either
 * body, and none of a motor's; its reaction is recorded as the only one. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <ukode/ukode.h>

#include "plugin/formats/recording/reader.h"
#include "tests/check.h"
#include "tests/support/plain_world.h"

static const double h = 0.01, kp = 300, x0 = 0.1, mass[2] = {2, 3};
static char path[64];

/* the first value of a query; NaN: NULL, or no row */
static double ask(const char *sql)
{
    ukReader r;
    CHECK(ukReaderOpen(&r, path));
    sqlite3_stmt *const query = r.file ? ukReaderAsk(&r, sql) : NULL;
    const double x = query && ukReaderNext(&r, query) ? ukReaderReal(query, 0) : (double)NAN;
    ukReaderDone(query);
    ukReaderClose(&r);
    return x;
}

static void pair(bool swapped, double kd)
{
    const double reduced = mass[0] * mass[1] / (mass[0] + mass[1]), zeta = kd / (2 * sqrt(kp * reduced));
    const double w = sqrt(kp / reduced), damped = w * sqrt(1 - zeta * zeta), off = 1e-8;
    const dWorldID world = newWorld(0);
    const dBodyID body[2] = {box(world, mass[0], 0, 0, 0), box(world, mass[1], 0, 0, 0)};
    const dJointID joint = dJointCreateBall(world, 0);
    CHECK(ukWorldSetIntegrator(world, ukIntegratorAdaptive) == 0 && ukWorldSetTolerance(world, 1e-10, 0) == 0);
    CHECK(ukWorldSetLedger(world, 1) == 0);
    dJointAttach(joint, body[swapped], body[!swapped]);
    dJointSetBallAnchor(joint, 0, 0, 0);
    dJointSetBallParam(joint, dParamERP, h * kp / (h * kp + kd));
    dJointSetBallParam(joint, dParamCFM, 1 / (h * kp + kd));
    dBodySetPosition(body[0], x0, 0, 0);
    if (ukSqliteReady()) CHECK(ukWorldRecord(world, path, &(ukRecordOptions){.every_step = 1}) == 0);
    CHECK(ukWorldResetLedger(world) == 0);
    for (int i = 1; i <= 30; i++) {
        CHECK(ukWorldStep(world, h) == 1);
        const double t = i * h, x = dBodyGetPosition(body[0])[0] - dBodyGetPosition(body[1])[0];
        const double expected = x0 * exp(-zeta * w * t) * (cos(damped * t) + zeta * w / damped * sin(damped * t));
        CHECK_NEAR(x, expected, off);
    }
    ukLedger l;
    CHECK(ukWorldGetLedger(world, &l) == 0);
    const double v[2] = {dBodyGetLinearVel(body[0])[0], dBodyGetLinearVel(body[1])[0]};
    const double kinetic = 0.5 * mass[0] * v[0] * v[0] + 0.5 * mass[1] * v[1] * v[1], scale = 0.5 * kp * x0 * x0;
    CHECK_NEAR(l.kinetic, kinetic, 1e-14 * scale);
    CHECK(kinetic > 1e-3 * scale);
    bool good = CHECK_NEAR(l.applied, kinetic, 1e3 * off * scale);
    good &= CHECK(l.motors == 0 && l.ideal == 0 && l.nonideal == 0 && l.stops == 0);
    good &= CHECK_NEAR(l.residual, 0, 1e-13);
    if (!good) printf("swapped %d, kd %g\n", swapped, kd);
    if (ukSqliteReady()) {
        CHECK(ukWorldRecord(world, NULL, NULL) == 0);
        CHECK(ask("SELECT count(*) FROM joint_step") == 30 && ask("SELECT min(unique_reaction) FROM joint_step") == 1);
        CHECK(unlink(path) == 0);
    }
    dWorldDestroy(world);
}

int main(void)
{
    dInitODE2(0);
    snprintf(path, sizeof path, "spring_pair_%d.ukode", (int)getpid());
    for (int swapped = 0; swapped < 2; swapped++)
        for (int damped = 0; damped < 2; damped++) pair(swapped, 5 * damped);
    dCloseODE();
    return ukTestEnd();
}
