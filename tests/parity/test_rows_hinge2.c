/* SPDX-License-Identifier: BSD-3-Clause */
/* Hinge2: rows against ODE's own step: axes at any angle, set in any order and at other poses, suspension, stops and
 * bounce on axis 1, motors on both; free axes' rates against ODE's getters; joints not seen being set up. */
#include <math.h>
#include <stdio.h>

#include "bridge/base/vector.h"
#include "bridge/joints/class.h"
#include "solvers/base/status.h"
#include "tests/check.h"
#include "tests/parity/joint_oracle.h"
#include "tests/parity/precision.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* the one-axis setters, which programs still call */

enum { Worlds = 6000 };

static bool chance(Oracle *o, double p)
{
    return randomUniform(&o->random, 0, 1) < p;
}

/* two axes that are far from parallel: ODE aborts on parallel ones */
static void anyAxes(Oracle *o, double axis1[6], double axis2[6])
{
    double n[3];
    do {
        oracleAnyAxis(o, axis1, chance(o, 0.5));
        oracleAnyAxis(o, axis2, chance(o, 0.5));
        ukCross(axis1, axis2, n);
    } while (ukDot(n, n) < 0.1 * ukDot(axis1, axis1) * ukDot(axis2, axis2));
}

static void setUp(Oracle *o)
{
    double x[6] = {0}, axis1[6] = {0}, axis2[6] = {0};
    oracleAnyPoint(o, x);
    anyAxes(o, axis1, axis2);
    if (chance(o, 0.8)) {
        dJointSetHinge2Anchor(o->joint, x[0], x[1], x[2]);
        oracleNote(o, ukNoteAnchor, 0, 0, x);
    }
    const dVector3 a1 = {axis1[0], axis1[1], axis1[2]}, a2 = {axis2[0], axis2[1], axis2[2]};
    dJointSetHinge2Axes(o->joint, a1, a2);
    oracleNote(o, ukNoteAxes, 0, 0, NULL);
    if (chance(o, 0.3)) {
        /* one axis again, a little off, so that the two stay independent */
        for (int i = 0; i < 3; i++) axis1[i] += 0.05 * (i - 1), axis2[i] += 0.05 * (1 - i);
        if (chance(o, 0.5)) {
            dJointSetHinge2Axis1(o->joint, axis1[0], axis1[1], axis1[2]);
            oracleNote(o, ukNoteAxis, 0, 0, axis1);
        } else {
            dJointSetHinge2Axis2(o->joint, axis2[0], axis2[1], axis2[2]);
            oracleNote(o, ukNoteAxis2, 0, 0, axis2);
        }
    }
    if (chance(o, 0.3)) {
        oracleMove(o, 0.05); /* the angle's zero, not the axes' own angle, is set again with the anchor */
        dJointSetHinge2Anchor(o->joint, x[0], x[1], x[2]);
        oracleNote(o, ukNoteAnchor, 0, 0, x);
    }
    for (int k = 0; k < 2; k++) oracleMotor(o, dJointSetHinge2Param, k * dParamGroup, 1, true);
    if (chance(o, 0.7)) {
        dJointSetHinge2Param(o->joint, dParamSuspensionERP, randomUniform(&o->random, 0.1, 0.9));
        dJointSetHinge2Param(o->joint, dParamSuspensionCFM,
                             exp(randomUniform(&o->random, log(PARITY_LEAST_CFM), log(1e-1))));
        oracleNote(o, ukNoteParam, dParamSuspensionERP, 0, NULL);
    }
}

static OracleAttachment anyAttachment(Oracle *o)
{
    return chance(o, 0.5) ? OracleBoth : OracleSwapped;
}

static void rowsGiveTheStep(void)
{
    double worst = 0;
    int wrong = 0, stops = 0, motors = 0;
    for (uint64_t seed = 1; seed <= Worlds; seed++) {
        Oracle o;
        OracleRows r;
        oracleBegin(&o, seed, &ukHinge2Class, dJointCreateHinge2);
        oracleAttach(&o, anyAttachment(&o));
        setUp(&o);
        if (chance(&o, 0.3)) {
            oracleMove(&o, 0.2);
            oracleAttach(&o, o.row_maker.body[0] == &o.record[0] ? OracleBoth : OracleSwapped);
        }
        oracleMove(&o, chance(&o, 0.5) ? 0.05 : 1);
        for (int k = 0; k < 3; k++) {
            oracleRows(&o, &o.row_maker, &r);
            for (int i = 0; i < r.rows; i++) {
                stops += r.stop[i];
                motors += r.velocity[i];
            }
            const double e = oracleStep(&o);
            if (!CHECK(e <= PARITY_STEP) && wrong++ < 5)
                printf("seed %llu, step %d: %.3g\n", (unsigned long long)seed, k, e);
            worst = fmax(worst, e);
            oracleMove(&o, 0.05);
        }
        oracleEnd(&o);
    }
    printf("hinge2 %d worlds, %d stops, %d motors: worst %.2g\n", Worlds, stops, motors, worst);
    CHECK(!PARITY_ROWS || (stops > Worlds / 10 && motors > Worlds / 10));
}

#if PARITY_ROWS
static void ratesAreThoseOfOde(void)
{
    for (uint64_t seed = 1; seed <= 500; seed++) {
        Oracle o;
        OracleRows r;
        double axis[3][3], rate[3];
        int translation[3];
        oracleBegin(&o, seed + 20000, &ukHinge2Class, dJointCreateHinge2);
        oracleAttach(&o, anyAttachment(&o));
        setUp(&o);
        oracleMove(&o, 0.3);
        oracleRows(&o, &o.row_maker, &r);
        const ukState a = ukStateOf(o.row_maker.body[0]), b = ukStateOf(o.row_maker.body[1]);
        CHECK(ukHinge2Class.axes(&o.row_maker, &a, &b, axis, rate, translation) == 2);
        CHECK_NEAR(rate[0], dJointGetHinge2Angle1Rate(o.joint), 1e-12);
        CHECK_NEAR(rate[1], dJointGetHinge2Angle2Rate(o.joint), 1e-12);
        CHECK(!translation[0] && !translation[1]);
        oracleEnd(&o);
    }
}

static void assumedIsNoted(void)
{
    for (uint64_t seed = 1; seed <= 500; seed++) {
        Oracle o;
        oracleBegin(&o, seed + 40000, &ukHinge2Class, dJointCreateHinge2);
        oracleAttach(&o, anyAttachment(&o));
        setUp(&o);
        oracleAttach(&o, o.row_maker.body[0] == &o.record[0] ? OracleBoth : OracleSwapped);
        oracleAssumedIsNoted(&o, true);
        oracleEnd(&o);
    }
}

/* attached to one body, which only an ODE without assertions allows: the rows say no */
static void halfAttached(void)
{
    Oracle o;
    OracleRows r;
    oracleBegin(&o, 3, &ukHinge2Class, dJointCreateHinge2);
    oracleAttach(&o, OracleBoth);
    setUp(&o);
    o.row_maker.body[1] = NULL;
    o.row_maker.stale = true;
    oracleRows(&o, &o.row_maker, &r);
    CHECK(r.rows == ukErrorParameter);
    oracleEnd(&o);
}
#endif

int main(void)
{
    dInitODE2(0);
    rowsGiveTheStep();
#if PARITY_ROWS
    ratesAreThoseOfOde();
    assumedIsNoted();
    halfAttached();
#endif
    dCloseODE();
    return ukTestEnd();
}
