/* SPDX-License-Identifier: BSD-3-Clause */
/* Transmission: rows and running values (phases, radii, ratio, contact points) against ODE's own over many steps in a
 * row, in all three modes, with setters in between and backlash.
 *
 * A chain whose wheels have slipped by less than rounding (|delta| < 1e-12, as at the first step) lies on the branch
 * that rounding chooses: its velocities are not compared then. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bridge/joints/geometry.h"
#include "bridge/ode/ode.h"
#include "solvers/base/status.h"
#include "tests/check.h"
#include "tests/parity/joint_oracle.h"

enum { Worlds = 4000, Steps = 12 };

static bool chance(Oracle *o, double p)
{
    return randomUniform(&o->random, 0, 1) < p;
}

static void real(Oracle *o, void (*set)(dJointID, dReal), ukNoteKind kind, int i, double value)
{
    const double x[6] = {value};
    set(o->joint, value);
    oracleNote(o, kind, i, 0, x);
}

static void anchors(Oracle *o)
{
    double x[6] = {0};
    oracleAnyPoint(o, x);
    dJointSetTransmissionAnchor1(o->joint, x[0], x[1], x[2]);
    oracleNote(o, ukNoteAnchor, 0, 0, x);
    oracleAnyPoint(o, x);
    dJointSetTransmissionAnchor2(o->joint, x[0], x[1], x[2]);
    oracleNote(o, ukNoteAnchor2, 0, 0, x);
}

static void axes(Oracle *o)
{
    double x[6] = {0}, y[6] = {0}, n[3];
    oracleAnyAxis(o, x, chance(o, 0.5));
    if (o->row_maker.of.gear.mode != dTransmissionIntersectingAxes) {
        dJointSetTransmissionAxis(o->joint, x[0], x[1], x[2]);
        oracleNote(o, ukNoteAxes, 0, 0, x);
        return;
    }
    do {
        oracleAnyAxis(o, y, chance(o, 0.5));
        ukCross(x, y, n);
    } while (ukDot(n, n) < 0.2 * ukDot(x, x) * ukDot(y, y));
    dJointSetTransmissionAxis1(o->joint, x[0], x[1], x[2]);
    oracleNote(o, ukNoteAxis, 0, 0, x);
    dJointSetTransmissionAxis2(o->joint, y[0], y[1], y[2]);
    oracleNote(o, ukNoteAxis2, 0, 0, y);
}

static void numbers(Oracle *o)
{
    const int mode = o->row_maker.of.gear.mode;
    if (mode == dTransmissionParallelAxes)
        real(o, dJointSetTransmissionRatio, ukNoteRatio, 0, exp(randomUniform(&o->random, -1, 1)));
    if (mode == dTransmissionChainDrive) {
        real(o, dJointSetTransmissionRadius1, ukNoteRadius, 0, randomUniform(&o->random, 0.1, 1));
        real(o, dJointSetTransmissionRadius2, ukNoteRadius, 1, randomUniform(&o->random, 0.1, 1));
    }
    real(o, dJointSetTransmissionBacklash, ukNoteBacklash, 0, chance(o, 0.5) ? 0 : randomUniform(&o->random, 0, o->h));
    if (chance(o, 0.7)) {
        dJointSetTransmissionParam(o->joint, dParamERP, randomUniform(&o->random, 0.1, 0.9));
        dJointSetTransmissionParam(o->joint, dParamCFM, exp(randomUniform(&o->random, log(1e-6), log(1e-2))));
        oracleNote(o, ukNoteParam, dParamERP, 0, NULL);
    }
}

static void setUp(Oracle *o, int mode)
{
    dJointSetTransmissionMode(o->joint, mode);
    oracleNote(o, ukNoteMode, mode, 0, NULL);
    anchors(o);
    axes(o);
    numbers(o);
}

/* what a program reads after the step */
static void runningValuesAreThoseOfOde(const Oracle *o)
{
    const ukOdeFunctions *ode = &ukOde;
    const ukGear *gear = &o->row_maker.of.gear;
    const dJointID j = o->joint;
    dVector3 x;
    CHECK_NEAR(gear->phase[0], ode->dJointGetTransmissionAngle1(j), 1e-11 * (1 + fabs(gear->phase[0])));
    CHECK_NEAR(gear->phase[1], ode->dJointGetTransmissionAngle2(j), 1e-11 * (1 + fabs(gear->phase[1])));
    CHECK_NEAR(gear->radius[0], ode->dJointGetTransmissionRadius1(j), 1e-12 * (1 + gear->radius[0]));
    CHECK_NEAR(gear->radius[1], ode->dJointGetTransmissionRadius2(j), 1e-12 * (1 + gear->radius[1]));
    CHECK_NEAR(gear->ratio, ode->dJointGetTransmissionRatio(j), 1e-11 * gear->ratio);
    if (gear->mode == dTransmissionChainDrive && fabs(gear->delta) < 1e-12) return;
    ode->dJointGetTransmissionContactPoint1(j, x);
    CHECK_NEAR_ALL(gear->contact[0], x, 3, 1e-10 * (1 + sqrt(ukDot(x, x))));
    ode->dJointGetTransmissionContactPoint2(j, x);
    CHECK_NEAR_ALL(gear->contact[1], x, 3, 1e-10 * (1 + sqrt(ukDot(x, x))));
    /* the axis that ODE turned round when it measured the mesh */
    const ukState s = ukStateOf(&o->record[0]), t = ukStateOf(&o->record[1]);
    double n[3];
    ukAxis(o->row_maker.body[0] == &o->record[0] ? &s : &t, gear->axis[0], n);
    ode->dJointGetTransmissionAxis1(j, x);
    CHECK_NEAR_ALL(n, x, 3, 1e-12);
}

static void rowsGiveTheStep(const char *name, int mode)
{
    double worst = 0;
    int wrong = 0, gaps = 0, sided = 0, turns = 0, branch = 0;
    for (uint64_t seed = 1; seed <= Worlds; seed++) {
        Oracle o;
        OracleRows r;
        oracleBegin(&o, seed + 10000u * (unsigned)mode, &ukTransmissionClass, dJointCreateTransmission);
        oracleAttach(&o, chance(&o, 0.5) ? OracleBoth : OracleSwapped);
        setUp(&o, mode);
        for (int k = 0; k < Steps; k++) {
            const ukGear before = o.row_maker.of.gear;
            oracleRows(&o, &o.row_maker, &r);
            CHECK(memcmp(&before, &o.row_maker.of.gear, sizeof before) == 0);
            const double e = oracleStep(&o);
            const ukGear *gear = &o.row_maker.of.gear;
            const bool undecided = mode == dTransmissionChainDrive && fabs(gear->delta) < 1e-12;
            gaps += r.lo[0] == r.hi[0];
            sided += r.lo[0] != r.hi[0] && r.stop[0];
            turns += fabs(gear->phase[0]) > 4;
            branch += gear->delta < 0;
            if (!undecided) {
                if (!CHECK(e <= 1e-9) && wrong++ < 5)
                    printf("%s: seed %llu, step %d: %.3g\n", name, (unsigned long long)seed, k, e);
                worst = fmax(worst, e);
            }
            runningValuesAreThoseOfOde(&o);
            if (k == 6 && chance(&o, 0.3)) numbers(&o);
            if (k == 8 && chance(&o, 0.3)) axes(&o);
            /* spinning fast, so that phases pass through whole turns */
            if (chance(&o, 0.3))
                for (int i = 0; i < 2; i++) {
                    double w[3];
                    oracleAnyAxis(&o, w, true);
                    const double speed = randomUniform(&o.random, 0, 2 / o.h);
                    dBodySetAngularVel(o.body[i], speed * w[0], speed * w[1], speed * w[2]);
                }
        }
        oracleEnd(&o);
    }
    printf("%-12s %d steps, %d in the gap, %d on one side, %d beyond a turn, %d negative: worst %.2g\n", name,
           Worlds * Steps, gaps, sided, turns, branch, worst);
    CHECK(gaps > 100 && sided > 100 && turns > 100 && branch > 100);
}

/* a gear that nobody saw starts anew from the present pose, as ODE's would after a setter */
static void assumedStartsAnew(void)
{
    for (uint64_t seed = 1; seed <= 300; seed++) {
        Oracle o;
        OracleRows noted, assumed;
        oracleBegin(&o, seed + 50000, &ukTransmissionClass, dJointCreateTransmission);
        oracleAttach(&o, OracleBoth);
        setUp(&o, randomBelow(&o.random, 3));
        ukJoint unseen = {.handle = o.joint,
                          .world = &o.world,
                          .class = &ukTransmissionClass,
                          .body = {o.row_maker.body[0], o.row_maker.body[1]},
                          .stale = true,
                          .assumed = true};
        ukTransmissionClass.create(&unseen);
        ukTransmissionClass.assume(&unseen);
        oracleRows(&o, &o.row_maker, &noted);
        oracleRows(&o, &unseen, &assumed);
        CHECK(noted.rows == assumed.rows);
        CHECK_NEAR_ALL(assumed.c, noted.c, 1, 1e-9);
        if (o.row_maker.of.gear.mode != dTransmissionChainDrive) CHECK_NEAR_ALL(assumed.J, noted.J, 12, 1e-11);
        oracleEnd(&o);
    }
}

/* Of perpendicular axes, a bevel gear's, rounding decides whether axis 1 is turned round, and the sign of the slip goes
 * with it: the same rounding as ODE's, or half of such gears would run otherwise. */
static void bevelGears(void)
{
    Random random = {4711};
    int turned = 0;
    for (int k = 0; k < 300; k++) {
        double n[2][3], square = 0, dot = 0;
        dQuaternion q[2];
        for (int i = 0; i < 3; i++) n[0][i] = randomUniform(&random, -1, 1), n[1][i] = randomUniform(&random, -1, 1);
        for (int i = 0; i < 8; i++) q[i / 4][i % 4] = randomUniform(&random, -1, 1);
        for (int i = 0; i < 3; i++) square += n[0][i] * n[0][i], dot += n[0][i] * n[1][i];
        for (int i = 0; i < 3; i++) n[1][i] -= dot / square * n[0][i];
        dVector3 axis[2];
        dReal spin[2];
        for (int ours = 0; ours < 2; ours++) {
            const dWorldID w = dWorldCreate();
            dBodyID b[2];
            for (int i = 0; i < 2; i++) dBodySetQuaternion(b[i] = dBodyCreate(w), q[i]);
            dBodySetPosition(b[1], n[0][0] + n[1][0], n[0][1] + n[1][1], n[0][2] + n[1][2]);
            dBodySetAngularVel(b[0], n[0][0], n[0][1], n[0][2]);
            const dJointID gear = dJointCreateTransmission(w, 0);
            dJointAttach(gear, b[0], b[1]);
            dJointSetTransmissionMode(gear, dTransmissionIntersectingAxes);
            dJointSetTransmissionAxis1(gear, n[0][0], n[0][1], n[0][2]);
            dJointSetTransmissionAxis2(gear, n[1][0], n[1][1], n[1][2]);
            dJointSetTransmissionAnchor1(gear, n[1][0], n[1][1], n[1][2]);
            dJointSetTransmissionAnchor2(gear, n[0][0], n[0][1], n[0][2]);
            for (int step = 0; step < 20; step++) CHECK((ours ? ukWorldStep : dWorldStep)(w, 0.01) == 1);
            dJointGetTransmissionAxis1(gear, axis[ours]);
            spin[ours] = dBodyGetAngularVel(b[1])[0];
            if (!ours) turned += dJointGetTransmissionAngle1(gear) < 0;
            dWorldDestroy(w);
        }
        CHECK_NEAR_ALL(axis[1], axis[0], 3, 1e-9);
        CHECK_NEAR(spin[1], spin[0], 1e-9);
    }
    CHECK(turned > 50 && turned < 250);
}

/* what ODE aborts on */
static void impossibleGears(void)
{
    for (int k = 0; k < 6; k++) {
        Oracle o;
        OracleRows r;
        oracleBegin(&o, 77, &ukTransmissionClass, dJointCreateTransmission);
        oracleAttach(&o, OracleBoth);
        setUp(&o, k % 3);
        ukGear *gear = &o.row_maker.of.gear;
        switch (k) {
        case 0: gear->ratio = -1; break;
        case 1: /* parallel axes do not intersect */
            dBodySetQuaternion(o.body[1], dBodyGetQuaternion(o.body[0]));
            memcpy(gear->axis[1], gear->axis[0], sizeof gear->axis[0]);
            gear->axis[0][0] = gear->axis[1][0] = 1;
            gear->axis[0][1] = gear->axis[1][1] = gear->axis[0][2] = gear->axis[1][2] = 0;
            dBodySetQuaternion(o.body[0], (dQuaternion){1, 0, 0, 0});
            dBodySetQuaternion(o.body[1], (dQuaternion){1, 0, 0, 0});
            break;
        case 2: gear->radius[1] = 0; break;
        case 3: /* no distance between the wheels */
        case 5: {
            const dReal *x = dBodyGetPosition(o.body[0]);
            dBodySetPosition(o.body[1], x[0], x[1], x[2]);
            memset(gear->anchor, 0, sizeof gear->anchor);
            break;
        }
        default: gear->backlash = (double)NAN; break;
        }
        oracleRows(&o, &o.row_maker, &r);
        if (!CHECK(r.rows == ukErrorParameter)) printf("case %d: %d\n", k, r.rows);
        if (k == 0) {
            o.row_maker.body[1] = NULL;
            oracleRows(&o, &o.row_maker, &r);
            CHECK(r.rows == ukErrorParameter);
        }
        oracleEnd(&o);
    }
}

int main(void)
{
    dInitODE2(0);
    rowsGiveTheStep("parallel", dTransmissionParallelAxes);
    rowsGiveTheStep("intersecting", dTransmissionIntersectingAxes);
    rowsGiveTheStep("chain", dTransmissionChainDrive);
    assumedStartsAnew();
    impossibleGears();
    bevelGears();
    dCloseODE();
    return ukTestEnd();
}
