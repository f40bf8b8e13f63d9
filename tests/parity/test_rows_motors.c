/* SPDX-License-Identifier: BSD-3-Clause */
/* AMotor and LMotor: rows against ODE's own step, several in a row: axes in every frame, set before and after attaching
 * anew, user and Euler mode, the angles that ODE's getter tells after each step, joints not seen being set up. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bridge/base/vector.h"
#include "bridge/joints/class.h"
#include "bridge/ode/class.h"
#include "bridge/ode/ode.h"
#include "solvers/base/status.h"
#include "tests/check.h"
#include "tests/parity/joint_oracle.h"
#include "tests/parity/precision.h"

enum { Worlds = 6000 };

static bool chance(Oracle *o, double p)
{
    return randomUniform(&o->random, 0, 1) < p;
}

static OracleAttachment anyAttachment(Oracle *o)
{
    return (OracleAttachment)randomBelow(&o->random, OracleAttachments);
}

static void setAMotorAxis(Oracle *o, int i, int rel, const double x[6])
{
    dJointSetAMotorAxis(o->joint, i, rel, x[0], x[1], x[2]);
    oracleNote(o, ukNoteAxis, i, rel, x);
}

static void setAMotorMode(Oracle *o, int mode)
{
    dJointSetAMotorMode(o->joint, mode);
    oracleNote(o, ukNoteMode, mode, 0, NULL);
}

static void setUserAMotor(Oracle *o)
{
    const int count = randomBelow(&o->random, 4);
    setAMotorMode(o, dAMotorUser);
    dJointSetAMotorNumAxes(o->joint, count);
    oracleNote(o, ukNoteCount, count, 0, NULL);
    for (int i = 0; i < 3; i++) {
        double x[6] = {0}, angle[6] = {randomUniform(&o->random, -3, 3)};
        oracleAnyAxis(o, x, chance(o, 0.5));
        if (i >= count && chance(o, 0.5)) continue;
        setAMotorAxis(o, i, randomBelow(&o->random, 3), x);
        if (chance(o, 0.2)) continue;
        dJointSetAMotorAngle(o->joint, i, angle[0]);
        oracleNote(o, ukNoteAngle, i, 0, angle);
    }
}

/* axis 0 on the user's body 1, axis 2 on body 2, a good way from parallel; the mode before or after the axes */
static void setEulerAMotor(Oracle *o)
{
    const bool first = chance(o, 0.5), right = chance(o, 0.5);
    double x[6] = {0}, z[6] = {0}, n[3];
    do {
        oracleAnyAxis(o, x, chance(o, 0.5));
        oracleAnyAxis(o, z, chance(o, 0.5));
        ukCross(x, z, n);
        if (right) ukCross(x, n, z);
    } while (ukDot(n, n) < 0.1);
    if (first) setAMotorMode(o, dAMotorEuler);
    setAMotorAxis(o, 0, 1, x);
    setAMotorAxis(o, 2, 2, z);
    if (!first) setAMotorMode(o, dAMotorEuler);
}

static void setAMotor(Oracle *o)
{
    if (chance(o, 0.5)) {
        setEulerAMotor(o);
    } else {
        setUserAMotor(o);
    }
    for (int k = 0; k < 3; k++) oracleMotor(o, dJointSetAMotorParam, k * dParamGroup, 1, true);
}

static void setLMotor(Oracle *o)
{
    const int count = randomBelow(&o->random, 4);
    dJointSetLMotorNumAxes(o->joint, count);
    oracleNote(o, ukNoteCount, count, 0, NULL);
    for (int i = 0; i < 3; i++) {
        const int rel = randomBelow(&o->random, 3);
        double x[6] = {0};
        oracleAnyAxis(o, x, chance(o, 0.5));
        dJointSetLMotorAxis(o->joint, i, rel, x[0], x[1], x[2]);
        oracleNote(o, ukNoteAxis, i, rel, x);
    }
    for (int k = 0; k < 3; k++) oracleMotor(o, dJointSetLMotorParam, k * dParamGroup, 1, false);
}

typedef struct Kind {
    const ukJointClass *class;
    dJointID (*make)(dWorldID, dJointGroupID);
    void (*set)(Oracle *o);
    void (*set_param)(dJointID, int, dReal);
} Kind;

static const Kind kinds[] = {{&ukAMotorClass, dJointCreateAMotor, setAMotor, dJointSetAMotorParam},
                             {&ukLMotorClass, dJointCreateLMotor, setLMotor, dJointSetLMotorParam}};

#if PARITY_ROWS
/* a motor without stops */
static void limp(Oracle *o, const Kind *kind, int i, double fmax)
{
    kind->set_param(o->joint, i * dParamGroup + dParamFMax, fmax);
    kind->set_param(o->joint, i * dParamGroup + dParamLoStop, -dInfinity);
    kind->set_param(o->joint, i * dParamGroup + dParamHiStop, dInfinity);
    o->row_maker.stale = true;
}
#endif

/* ODE reads an axis it never wrote */
static bool readsNothing(const Oracle *o)
{
    const ukMotorAxes *axes = &o->row_maker.of.axes;
    for (int i = 0; i < 3; i++)
        if (o->row_maker.class->type == dJointTypeLMotor && !o->row_maker.body[1] && axes->rel[i] == 2) return true;
    return false;
}

/* Whether ODE's stops of Euler angles drive the body on: attached as (0, B) (test_rows_exact), or near the singular
 * pose (test_users_gimbal). ukode's hold it. */
static bool drivenOn(const Oracle *o, const OracleRows *r)
{
    static const double near = 0.3; /* sine of the angle between axes 1 and 3 */
    const ukJoint *joint = &o->row_maker;
    bool stops = false;
    if (joint->class->type != dJointTypeAMotor || joint->of.axes.mode != dAMotorEuler) return false;
    for (int i = 0; i < 3; i++)
        stops |= dJointGetAMotorParam(o->joint, dParamLoStop + i * dParamGroup) > -dInfinity ||
                 dJointGetAMotorParam(o->joint, dParamHiStop + i * dParamGroup) < dInfinity;
    if (!PARITY_ROWS) return stops; /* nothing tells whether one is reached */
    bool stop = false;
    ukTurn turn[3];
    int motor[3];
    for (int i = 0; i < r->rows; i++) stop |= !r->velocity[i];
    const ukState a = ukStateOf(joint->body[0]), b = joint->body[1] ? ukStateOf(joint->body[1]) : a;
    joint->class->turns(joint, &a, joint->body[1] ? &b : NULL, ukTurnNeedRate, motor, turn);
    return stop && (joint->reverse || fabs(cos(turn[1].angle)) < near);
}

static void rowsGiveTheStep(const Kind *kind)
{
    double worst = 0;
    int wrong = 0, stops = 0, powered = 0, compared = 0;
    for (uint64_t seed = 1; seed <= Worlds; seed++) {
        Oracle o;
        OracleRows r;
        oracleBegin(&o, seed, kind->class, kind->make);
        oracleAttach(&o, anyAttachment(&o));
        kind->set(&o);
        if (chance(&o, 0.3)) {
            oracleMove(&o, 0.5);
            oracleAttach(&o, anyAttachment(&o)); /* stored axes then belong to whoever is a and b now */
        }
        oracleMove(&o, chance(&o, 0.5) ? 0.05 : 1);
        for (int k = 0; k < 4 && !readsNothing(&o); k++) {
            oracleRows(&o, &o.row_maker, &r);
            for (int i = 0; i < r.rows; i++) {
                stops += r.stop[i];
                powered += r.velocity[i];
                if (kind->class == &ukLMotorClass) CHECK(r.velocity[i] && !r.stop[i]);
            }
            const bool parts = drivenOn(&o, &r);
            const double e = oracleStep(&o);
            if (!CHECK(parts || e <= PARITY_STEP) && wrong++ < 5)
                printf("%s: seed %llu, step %d: %.3g\n", kind->class->name, (unsigned long long)seed, k, e);
            if (!parts) worst = fmax(worst, e);
            compared += !parts;
#if PARITY_ROWS
            if (kind->class == &ukAMotorClass && !(o.world.rules & ukRuleWebots)) /* there, of the present pose */
                for (int i = 0; i < 3; i++)
                    CHECK_NEAR(o.row_maker.of.axes.angle[i], ukOde.dJointGetAMotorAngle(o.joint, i), 1e-12);
#endif
            if (chance(&o, 0.5)) oracleMove(&o, 0.3);
        }
        oracleEnd(&o);
    }
    printf("%-7s %d steps, %d stops, %d motors: worst %.2g\n", kind->class->name, compared, stops, powered, worst);
    CHECK(PARITY_ROWS ? powered > Worlds / 4 && compared > 3 * Worlds : compared > Worlds);
}

#if PARITY_ROWS
/* The getters that ODE has give axes and angles; the motors of an LMotor that nobody saw act along world axes. */
static void assumedIsNoted(const Kind *kind)
{
    int compared = 0;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        Oracle o;
        oracleBegin(&o, seed + 70000, kind->class, kind->make);
        oracleAttach(&o, anyAttachment(&o));
        kind->set(&o);
        oracleMove(&o, 0.5);
        /* Euler angles that ODE tells are those of its last step's start: one at rest, with all motors off */
        for (int i = 0; i < 3; i++) limp(&o, kind, i, 0);
        for (int k = 0; k < 2; k++) {
            dBodySetLinearVel(o.body[k], 0, 0, 0);
            dBodySetAngularVel(o.body[k], 0, 0, 0);
            dBodySetForce(o.body[k], 0, 0, 0);
            dBodySetTorque(o.body[k], 0, 0, 0);
        }
        ukOde.dWorldStep(o.world.handle, o.h);
        for (int i = 0; i < 3; i++) oracleMotor(&o, kind->set_param, i * dParamGroup, 1, true);
        bool world_axes = true;
        for (int i = 0; i < 3; i++) world_axes = world_axes && o.row_maker.of.axes.rel[i] == 0;
        OracleRows r; /* exact stops know that references were not perpendicular, which no getter tells */
        oracleRows(&o, &o.row_maker, &r);
        if (drivenOn(&o, &r)) world_axes = false;
        if ((kind->class == &ukAMotorClass && !drivenOn(&o, &r)) || world_axes) {
            oracleAssumedIsNoted(&o, false);
            compared++;
        }
        oracleEnd(&o);
    }
    CHECK(compared > 10);
}

/* rates about and along the motors' axes: what the rows of motors at that rate would measure */
static void ratesAreThoseOfTheRows(const Kind *kind)
{
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        Oracle o;
        OracleRows r;
        double axis[3][3], rate[3];
        int translation[3];
        oracleBegin(&o, seed + 90000, kind->class, kind->make);
        oracleAttach(&o, anyAttachment(&o));
        kind->set(&o);
        for (int i = 0; i < 3; i++) limp(&o, kind, i, 1);
        oracleMove(&o, 0.5);
        oracleRows(&o, &o.row_maker, &r);
        const ukState a = ukStateOf(o.row_maker.body[0]), b = o.row_maker.body[1] ? ukStateOf(o.row_maker.body[1]) : a;
        const int n = kind->class->axes(&o.row_maker, &a, o.row_maker.body[1] ? &b : NULL, axis, rate, translation);
        CHECK(n == r.rows);
        for (int i = 0; i < n; i++) {
            const double *J = r.J + i * r.stride, *u = J + (translation[i] ? 0 : 3);
            double measured = 0;
            for (int k = 0; k < r.stride; k++) measured += J[k] * (k < 6 ? a.v[k] : b.v[k - 6]);
            CHECK_NEAR(rate[i] * sqrt(ukDot(u, u)), measured, 1e-12);
            const bool turned = o.row_maker.reverse && !(o.world.rules & ukRuleFormerAMotor);
            if (kind->class == &ukAMotorClass && o.row_maker.of.axes.mode == dAMotorUser)
                CHECK_NEAR(rate[i], (turned ? -1 : 1) * dJointGetAMotorAngleRate(o.joint, i), 1e-12);
        }
        oracleEnd(&o);
    }
}

static void unknownMode(void)
{
    Oracle o;
    OracleRows r;
    oracleBegin(&o, 1, &ukAMotorClass, dJointCreateAMotor);
    oracleAttach(&o, OracleFirst);
    o.row_maker.stale = false;
    o.row_maker.of.axes.mode = 7;
    oracleRows(&o, &o.row_maker, &r);
    CHECK(r.rows == ukErrorParameter);
    oracleEnd(&o);
}
#endif

int main(void)
{
    dInitODE2(0);
    for (int k = 0; k < 2; k++) {
        rowsGiveTheStep(&kinds[k]);
#if PARITY_ROWS
        assumedIsNoted(&kinds[k]);
        ratesAreThoseOfTheRows(&kinds[k]);
#endif
    }
#if PARITY_ROWS
    unknownMode();
#endif
    dCloseODE();
    return ukTestEnd();
}
