/* SPDX-License-Identifier: BSD-3-Clause */
/* User constraints whose error functions contradict each other, a joint or a motor, although their accelerations agree
 * (A q'' = 0): two heights, two rates, two moving heights. Every integrator refuses them, and names the row. Motors of
 * one axis with different rates, without a user's row, reach the mean rate under every integrator, and
 * ukReport.compromise reports the contradiction. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/plain_world.h"

static const double h = 0.01;

typedef struct Wish {
    double place, rate; /* z = place + rate (t - from), or z' = rate */
    double from;
    bool holonomic;
} Wish;

static int wishRow(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)c, (void)b, (void)data;
    A[2] = 1;
    return 0;
}

static int wishError(const struct ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    const Wish *w = data;
    phi[0] = w->holonomic ? c->bodies->position[2] - w->place - w->rate * (c->time - w->from) : NAN;
    psi[0] = c->bodies->velocity[2] - w->rate;
    return 0;
}

static void constrain(dWorldID w, dBodyID body, Wish *wish)
{
    const ukConstraintID c = ukConstraintCreate(w, 1, &body, 1, wishRow, wish);
    CHECK(c && ukConstraintSetError(c, wishError, wish) == 0);
}

typedef enum Other { User, Rail, Pivot, Motor, Others } Other;
static const char *const other_name[] = {"constraint", "slider along x", "hinge", "motor along z"};

/* what opposes the wish; the motor has another rate */
static void oppose(dWorldID w, dBodyID body, Other other, bool reverse, double rate)
{
    const dJointID joint = other == Pivot ? dJointCreateHinge(w, 0) : dJointCreateSlider(w, 0);
    dJointAttach(joint, reverse ? 0 : body, reverse ? body : 0);
    if (other == Pivot) {
        dJointSetHingeAnchor(joint, 0, 0, 0);
        dJointSetHingeAxis(joint, 1, 0, 0);
        return;
    }
    dJointSetSliderAxis(joint, other == Rail, 0, other == Motor);
    if (other == Rail) return;
    dJointSetSliderParam(joint, dParamVel, reverse ? -rate : rate);
    dJointSetSliderParam(joint, dParamFMax, dInfinity);
}

/* what the step with the contradiction does */
static void judge(dWorldID w, dBodyID body, ukIntegrator integrator, Other other, const char *what)
{
    const double z = dBodyGetPosition(body)[2], v = dBodyGetLinearVel(body)[2];
    const int taken = ukWorldStep(w, h);
    const char *const says = ukGetLastErrorMessage();
    const bool named = (strstr(says, "constraint") || strstr(says, "joint")) && strstr(says, "in its row ");
    if (!CHECK(taken == 0 && ukGetLastError() == ukErrorContradiction && named))
        printf("integrator %d, %s against %s: %s\n", integrator, what, other_name[other], taken ? "stepped" : says);
    CHECK(dBodyGetPosition(body)[2] == z && dBodyGetLinearVel(body)[2] == v);
}

static const struct {
    const char *name;
    Wish one, two;
    bool heights; /* the rates agree */
} wishes[] = {
    {"z = 0.05", {.place = 0.05, .holonomic = true}, {.place = -0.05, .holonomic = true}, true},
    {"z = 0.001", {.place = 1e-3, .holonomic = true}, {.place = 0, .holonomic = true}, true},
    {"z' = 1", {.rate = 1}, {.rate = 2}, false},
    {"z = t", {.rate = 1, .holonomic = true}, {.rate = 2, .holonomic = true}, false},
};
enum { Wishes = sizeof wishes / sizeof *wishes };

/* A world that contradicts itself from its first step on. bits: attachment order, whether the user's row is last,
 * whether another body hangs from the first. */
static void contradictsAtOnce(ukIntegrator integrator, int wish, Other other, int bits)
{
    const dWorldID w = newWorld(9.81);
    const dBodyID body = box(w, 2, 0, 0, 0);
    Wish one = wishes[wish].one, two = wishes[wish].two;
    CHECK(ukWorldSetIntegrator(w, integrator) == 0);
    if (bits & 4) {
        const dJointID ball = dJointCreateBall(w, 0);
        dJointAttach(ball, body, box(w, 1, 1, 0, 0));
        dJointSetBallAnchor(ball, 0.5, 0, 0);
    }
    if (!(bits & 2)) constrain(w, body, &one);
    if (other == User)
        constrain(w, body, &two);
    else
        oppose(w, body, other, bits & 1, 0.7);
    if (bits & 2) constrain(w, body, &one);
    judge(w, body, integrator, other, wishes[wish].name);
    dWorldDestroy(w);
}

/* A consistent world whose constraint begins to contradict after three steps; saved and restored before that step. The
 * world goes on when it no longer does. */
static void contradictsLater(ukIntegrator integrator, Other other, bool saved, bool reverse)
{
    const dWorldID w = newWorld(9.81);
    const dBodyID body = box(w, 2, 0, 0, 0);
    const double rate = other == User || other == Motor;
    Wish one = {.rate = rate}, two = one;
    CHECK(ukWorldSetIntegrator(w, integrator) == 0);
    constrain(w, body, &one);
    if (other == User)
        constrain(w, body, &two);
    else
        oppose(w, body, other, reverse, rate);
    for (int i = 0; i < 3; i++) CHECK(ukWorldStep(w, h) == 1);
    static unsigned char bytes[1 << 16];
    const size_t size = ukWorldSave(w, NULL, 0);
    if (saved)
        CHECK(size <= sizeof bytes && ukWorldSave(w, bytes, size) == size && ukWorldRestore(w, bytes, size) == 0);
    one.rate = rate + 0.5;
    judge(w, body, integrator, other, "a later rate");
    one.rate = rate;
    ukReport r;
    CHECK(ukWorldStep(w, h) == 1 && ukWorldGetReport(w, &r) == 0 && r.ok && r.compromise < 1e-9);
    CHECK_NEAR(dBodyGetPosition(body)[2], 4 * h * rate, 1e-8);
    dWorldDestroy(w);
}

/* Rows that agree are redundant, and are stepped. */
static void agrees(ukIntegrator integrator)
{
    const dWorldID w = newWorld(9.81);
    const dBodyID body = box(w, 2, 0, 0, 0);
    Wish one = {.rate = 1, .holonomic = true}, two = {.rate = 1};
    CHECK(ukWorldSetIntegrator(w, integrator) == 0);
    constrain(w, body, &one);
    constrain(w, body, &two);
    ukReport r;
    for (int i = 0; i < 3; i++)
        CHECK(ukWorldStep(w, h) == 1 && ukWorldGetReport(w, &r) == 0 && r.ok && r.compromise == 0);
    CHECK_NEAR(dBodyGetPosition(body)[2], 3 * h, 1e-8);
    dWorldDestroy(w);
}

/* ---- motors alone ------------------------------------------------------------------------------------------------ */

typedef enum Pair { Hinges, HingeAMotor, SliderLMotor, Pairs } Pair;

static void drive(dWorldID w, dBodyID body, Pair pair, int which, bool reverse, double rate)
{
    const dBodyID one = reverse ? 0 : body, two = reverse ? body : 0;
    const double sign =
        reverse && pair == SliderLMotor && which == 0 ? -1 : 1; /* ODE inverts a slider (0, body) alone */
    dJointID j;
    if (pair == SliderLMotor && which == 1) {
        j = dJointCreateLMotor(w, 0);
        dJointAttach(j, one, two);
        dJointSetLMotorNumAxes(j, 1);
        dJointSetLMotorAxis(j, 0, 0, 0, 0, 1);
        dJointSetLMotorParam(j, dParamVel, sign * rate);
        dJointSetLMotorParam(j, dParamFMax, dInfinity);
    } else if (pair == SliderLMotor) {
        j = dJointCreateSlider(w, 0);
        dJointAttach(j, one, two);
        dJointSetSliderAxis(j, 0, 0, 1);
        dJointSetSliderParam(j, dParamVel, sign * rate);
        dJointSetSliderParam(j, dParamFMax, dInfinity);
    } else if (pair == HingeAMotor && which == 1) {
        j = dJointCreateAMotor(w, 0);
        dJointAttach(j, one, two);
        dJointSetAMotorNumAxes(j, 1);
        dJointSetAMotorAxis(j, 0, 0, 0, 1, 0);
        dJointSetAMotorParam(j, dParamVel, sign * rate);
        dJointSetAMotorParam(j, dParamFMax, dInfinity);
    } else {
        j = dJointCreateHinge(w, 0);
        dJointAttach(j, one, two);
        dJointSetHingeAnchor(j, 0, 0, 0);
        dJointSetHingeAxis(j, 0, 1, 0);
        dJointSetHingeParam(j, dParamVel, sign * rate);
        dJointSetHingeParam(j, dParamFMax, dInfinity);
    }
}

static void motorsDiffer(ukIntegrator integrator, Pair pair, bool reverse, bool last, double cfm)
{
    enum { Steps = 10 };
    const dWorldID w = newWorld(9.81);
    const dBodyID body = box(w, 1, 0, 0, 0);
    dWorldSetCFM(w, cfm);
    CHECK(ukWorldSetIntegrator(w, integrator) == 0);
    for (int i = 0; i < 2; i++) drive(w, body, pair, last ? 1 - i : i, reverse, i == 0 ? 2 : 1);
    ukReport r = {0};
    for (int i = 0; i < Steps; i++) CHECK(ukWorldStep(w, h) == 1 && ukWorldGetReport(w, &r) == 0 && r.ok);
    const dReal *q = dBodyGetQuaternion(body);
    const double rate = pair == SliderLMotor ? dBodyGetLinearVel(body)[2] : dBodyGetAngularVel(body)[1];
    const double place = pair == SliderLMotor ? dBodyGetPosition(body)[2] : 2 * atan2(q[2], q[0]);
    /* the angle has the error of RATTLE's order, (h w)^2/3 of it, as with one motor */
    const double miss = integrator == ukIntegratorRattle ? h * h * 1.5 * 1.5 * 1.5 * Steps * h : 1e-5;
    if (!CHECK(fabs(rate - 1.5) < 1e-5 && fabs(place - 1.5 * Steps * h) < miss && r.compromise > 0.1))
        printf("integrator %d, pair %d, reverse %d, last %d, CFM %g: rate %g, place %g, compromise %g\n", integrator,
               pair, reverse, last, cfm, rate, place, r.compromise);
    CHECK_NEAR(r.velocity_error, 0.5, 1e-5);
    dWorldDestroy(w);
}

int main(void)
{
    dInitODE2(0);
    for (int k = ukIntegratorEuler; k <= ukIntegratorRadau; k++) {
        const ukIntegrator integrator = (ukIntegrator)k;
        for (int wish = 0; wish < Wishes; wish++)
            for (int other = 0; other < Others; other++)
                for (int bits = 0; bits < 8; bits++)
                    if (!(other == Motor && wishes[wish].heights))
                        contradictsAtOnce(integrator, wish, (Other)other, bits);
        for (int other = 0; other < Others; other++)
            for (int bits = 0; bits < 4; bits++) contradictsLater(integrator, (Other)other, bits & 1, bits & 2);
        agrees(integrator);
        for (int pair = 0; pair < Pairs; pair++)
            for (int bits = 0; bits < 8; bits++)
                motorsDiffer(integrator, (Pair)pair, bits & 1, bits & 2, bits & 4 ? 1e-10 : 0);
    }
    dCloseODE();
    return ukTestEnd();
}
