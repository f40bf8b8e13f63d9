/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/report/rules_steps.c: steps that contradict themselves, are not certified, are left to ODE, or solve other
 * equations: models with the fault and models that look like them. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include <dlfcn.h>
#include <stddef.h>

#include "tests/report/model.h"

static dBodyID arm;

/* ---- constraints of the program that cannot act together
 * --------------------------------------------------------------- */

struct ukConstraintContext;
typedef int WriteRows(const struct ukConstraintContext *context, dReal *A, dReal *b, void *data);

/* A row of ukConstraintCreate of the preloaded library on the body's acceleration along axis `axis`. */
typedef struct Demand {
    int axis;
    double coefficient, acceleration;
} Demand;

static int writeDemand(const struct ukConstraintContext *context, dReal *A, dReal *b, void *data)
{
    const Demand *const d = data;
    (void)context;
    A[d->axis] = d->coefficient;
    b[0] = d->acceleration;
    return 0;
}
static void demand(dBodyID body, Demand *of)
{
    void *(*create)(dWorldID, int, const dBodyID *, int, WriteRows *, void *) = NULL;
    *(void **)&create = dlsym(RTLD_DEFAULT, "ukConstraintCreate");
    if (create) create(world, 1, &body, 1, writeDemand, of);
}
static void demandTwice(double first, double second)
{
    static Demand of[2];
    arm = box(1, 0.2, 0.2, 0.2, 0, 0, 1);
    of[0] = (Demand){2, 1, first}, of[1] = (Demand){2, 1, second};
    for (int i = 0; i < 2; i++) demand(arm, &of[i]);
}
static void riseAtTwoRates(void)
{
    demandTwice(1, 2);
}
static void riseAtOneRate(void)
{
    demandTwice(1, 1);
}
static void slider(double x, double z)
{
    const dJointID j = dJointCreateSlider(world, 0);
    arm = box(1, 0.2, 0.2, 0.2, 0, 0, 1);
    dJointAttach(j, arm, 0);
    dJointSetSliderAxis(j, x, 0, z);
}
static void acrossItsSlider(void)
{
    static Demand of = {2, 1, 3};
    slider(1, 0);
    demand(arm, &of);
}
static void alongItsSlider(void)
{
    static Demand of = {2, 1, 3};
    slider(0, 1);
    demand(arm, &of);
}
static void acrossAtRest(void)
{
    static Demand of = {2, 1, 0}; /* as the slider has it */
    slider(1, 0);
    demand(arm, &of);
}
static void nothingIsOne(void)
{
    static Demand of = {2, 0, 1};
    arm = box(1, 0.2, 0.2, 0.2, 0, 0, 1);
    demand(arm, &of);
}
static void nothingIsNothing(void)
{
    static Demand of = {2, 0, 0};
    arm = box(1, 0.2, 0.2, 0.2, 0, 0, 1);
    demand(arm, &of);
}
static void twoAxes(void)
{
    static Demand of[2] = {{0, 1, 1}, {2, 1, 2}};
    arm = box(1, 0.2, 0.2, 0.2, 0, 0, 1);
    for (int i = 0; i < 2; i++) demand(arm, &of[i]);
}

/* ---- steps that the check rejects
 * -------------------------------------------------------------------------------------- */

static void links(void)
{
    dBodyID last = 0;
    for (int i = 0; i < 3; i++) {
        const dBodyID link = box(1, 0.3, 0.05, 0.05, 0.15 + 0.3 * i, 0, 2);
        ballJoint(last, link, 0.3 * i, 0, 2);
        last = link;
    }
}
static void restsOnGround(void)
{
    ground();
    box(1, 0.4, 0.3, 0.2, 0, 0, 0.1);
}
static void rolls(void)
{
    ground();
    dBodySetLinearVel(ball(1, 0.1, 0, 0, 0.1), 1, 0, 0);
}

/* ---- conflicting positions
 * --------------------------------------------------------------------------------------------- */

/* a rigid bar between two pivots, displaced by `gap` along it */
static void barBetween(double gap)
{
    dWorldSetCFM(world, 0);
    arm = box(1, 1, 0.1, 0.1, 0, 0, 1);
    for (int side = -1; side <= 1; side += 2) {
        dBodySetPosition(arm, side > 0 ? gap : 0, 0, 1);
        ballJoint(arm, 0, 0.5 * side, 0, 1);
    }
}
static void barTooLong(void)
{
    barBetween(0.01);
}
static void barOnHinges(void)
{
    dWorldSetCFM(world, 0);
    arm = box(1, 1, 0.1, 0.1, 0, 0, 1);
    for (int side = -1; side <= 1; side += 2) {
        dBodySetPosition(arm, side > 0 ? 0.02 : 0, 0, 1);
        hinge(arm, 0, 0.5 * side, 0, 1, 0, 1, 0);
    }
}
static void weldsApart(void)
{
    dWorldSetCFM(world, 0);
    arm = box(1, 1, 0.1, 0.1, 0, 0, 1);
    for (int i = 0; i < 2; i++) {
        const dJointID weld = dJointCreateFixed(world, 0);
        dJointAttach(weld, arm, 0);
        dBodySetPosition(arm, 0, 0.03 * i, 1);
        dJointSetFixed(weld);
    }
}
static void barFits(void)
{
    barBetween(0);
}

/* Servos: motors of unlimited force whose velocity the program sets to what is left, over h. They yield by their CFM. */
static dJointID servo;
static double gain;
static void servoOn(int upright, double share)
{
    arm = box(1, 0.2, 0.2, 0.2, 0, 0, 3);
    servo = dJointCreateSlider(world, 0);
    dJointAttach(servo, arm, 0);
    dJointSetSliderAxis(servo, !upright, 0, upright);
    dJointSetSliderParam(servo, dParamFMax, dInfinity);
    gain = share;
}
static void servoAcross(void)
{
    servoOn(0, 1);
}
static void servoLifts(void)
{
    servoOn(1, 1);
}
static void servoGently(void)
{
    servoOn(1, 0.3);
}
static void servoHeld(void) /* by two that agree */
{
    servoOn(1, 1);
    const dJointID j = dJointCreateLMotor(world, 0);
    dJointAttach(j, arm, 0);
    dJointSetLMotorNumAxes(j, 1);
    dJointSetLMotorAxis(j, 0, 0, 1, 0, 0);
    dJointSetLMotorParam(j, dParamFMax, dInfinity);
}
static void toTarget(int step)
{
    (void)step;
    dJointSetSliderParam(servo, dParamVel, gain * (0.5 - dJointGetSliderPosition(servo)) / 0.01);
}

const RuleModel step_models[] = {
    {{"rises_at_two_rates", "+conflict", 0.01, 20, riseAtTwoRates, NULL}, 0},
    {{"moves_across_its_slider", "+conflict", 0.01, 20, acrossItsSlider, NULL}, ModelRk4},
    {{"nothing_is_one", "+conflict", 0.01, 20, nothingIsOne, NULL}, 0},
    {{"rises_at_one_rate", "!conflict", 0.01, 20, riseAtOneRate, NULL}, 0},
    {{"moves_along_its_slider", "!conflict", 0.01, 20, alongItsSlider, NULL}, ModelRk4},
    {{"rests_across_its_slider", "!conflict", 0.01, 20, acrossAtRest, NULL}, ModelRk4},
    {{"nothing_is_nothing", "!conflict", 0.01, 20, nothingIsNothing, NULL}, 0},
    {{"moves_along_two_axes", "!conflict", 0.01, 20, twoAxes, NULL}, 0},
    {{"links_checked_too_strictly", "+not_certified", 0.01, 20, links, NULL}, ModelStrict},
    {{"box_checked_too_strictly", "+not_certified", 0.01, 20, restsOnGround, NULL}, ModelStrict},
    {{"ball_checked_too_strictly", "+not_certified", 0.01, 20, rolls, NULL}, ModelStrict},
    {{"links_left_to_ode", "+left_to_ode", 0.01, 20, links, NULL}, ModelStrict | ModelFallback},
    {{"box_left_to_ode", "+left_to_ode", 0.01, 20, restsOnGround, NULL}, ModelStrict | ModelFallback},
    {{"ball_left_to_ode", "+left_to_ode", 0.01, 20, rolls, NULL}, ModelStrict | ModelFallback},
    {{"links_natively", "!left_to_ode", 0.01, 20, links, NULL}, ModelNative},
    {{"bar_too_long", "+compromise", 0.01, 20, barTooLong, NULL}, 0},
    {{"bar_too_long_on_hinges", "+compromise", 0.01, 20, barOnHinges, NULL}, 0},
    {{"welds_apart", "+compromise", 0.01, 20, weldsApart, NULL}, 0},
    {{"bar_that_fits", "!compromise", 0.01, 20, barFits, NULL}, 0},
    {{"servo_across", "!compromise", 0.01, 60, servoAcross, toTarget}, 0},
    {{"servo_lifts", "!compromise", 0.01, 60, servoLifts, toTarget}, 0},
    {{"servo_lifts_gently", "!compromise", 0.01, 60, servoGently, toTarget}, 0},
    {{"servo_beside_a_lock", "!compromise", 0.01, 60, servoHeld, toTarget}, 0},
    {{NULL, NULL, 0, 0, NULL, NULL}, 0},
};
