/* SPDX-License-Identifier: BSD-3-Clause */
/* Stops of reports, under every stepper: of joints with two axes (gazebo-classic#2708, drcsim#322), of a joint that is
 * thrown at them from within (gazebo-classic#2257), and made a damper by ERP and CFM. */
#include <math.h>
#include <stdio.h>

#include "tests/check.h"
#include "tests/users/stepped.h"

static const double origin[3] = {0};

/* ---- stops of joints with two axes
 * ----------------------------------------------------------------------------------- */

typedef enum Axes { Universal1, Universal2, UniversalOfWorld, Hinge2Axis1, AxesKinds } Axes;

/* with stops at -hi and hi about the axis that is z, or y for Universal2 */
static void stopAxis(Stepped *s, Axes kind, dBodyID body, double hi)
{
    const dVector3 z = {0, 0, 1}, y = {0, 1, 0};
    static const double sides[3] = {1, 1, 1};
    dJointID j;
    if (kind == Hinge2Axis1) {
        const dBodyID base = steppedBox(s, 100, origin, sides, false);
        const dJointID fixed = dJointCreateFixed(s->world, 0);
        dJointAttach(fixed, base, 0);
        dJointSetFixed(fixed);
        j = dJointCreateHinge2(s->world, 0);
        dJointAttach(j, base, body);
        dJointSetHinge2Anchor(j, 0, 0, 0);
        dJointSetHinge2Axes(j, z, y);
        dJointSetHinge2Param(j, dParamLoStop, -hi);
        dJointSetHinge2Param(j, dParamHiStop, hi);
        return;
    }
    j = dJointCreateUniversal(s->world, 0);
    if (kind == UniversalOfWorld)
        dJointAttach(j, 0, body);
    else
        dJointAttach(j, body, 0);
    dJointSetUniversalAnchor(j, 0, 0, 0);
    dJointSetUniversalAxis1(j, 0, 0, 1);
    dJointSetUniversalAxis2(j, 0, 1, 0);
    const int group = kind == Universal1 ? 0 : dParamGroup; /* (0, body): group 2 acts about axis 1 */
    dJointSetUniversalParam(j, group + dParamLoStop, -hi);
    dJointSetUniversalParam(j, group + dParamHiStop, hi);
}

/* thrown at 4 rad/s: it turns by no more than a step beyond the stop, and reaches it */
static void thrown(Axes kind, Stepper stepper, double hi, double h)
{
    const double speed = 4;
    const int axis = kind == Universal2 ? 1 : 2;
    Stepped s = steppedBegin(stepper, h, 0);
    const dBodyID body = steppedBall(&s, 1, origin, 0.3, false);
    stopAxis(&s, kind, body, hi);
    dBodySetAngularVel(body, 0, axis == 1 ? speed : 0, axis == 2 ? speed : 0);
    double turn = 0, most = 0;
    for (int k = 0; k * h < 3; k++) {
        if (!CHECK(steppedStep(&s) == 1)) break;
        turn += h * dBodyGetAngularVel(body)[axis];
        most = fmax(most, fabs(turn));
    }
    if (!CHECK(most <= hi + speed * h && most >= hi - speed * h))
        printf("axis %d, %s, stop %g, h %g: %g\n", (int)kind, stepper_name[stepper], hi, h, most);
    steppedEnd(&s);
}

/* ---- thrown at stops from within; a damper
 * ----------------------------------------------------------------------------- */

/* at 10 rad/s between -1 and 0.05: neither energy nor a way beyond the stops by more than a step */
static void between(Stepper stepper, double h)
{
    Stepped s = steppedBegin(stepper, h, 0);
    const dBodyID body = steppedBall(&s, 1, origin, 0.3, false);
    const dJointID j = dJointCreateHinge(s.world, 0);
    dJointAttach(j, body, 0);
    dJointSetHingeAnchor(j, 0, 0, 0);
    dJointSetHingeAxis(j, 0, 0, 1);
    dJointSetHingeParam(j, dParamLoStop, -1);
    dJointSetHingeParam(j, dParamHiStop, 0.05);
    dBodySetAngularVel(body, 0, 0, 10);
    bool ok = true;
    for (int k = 0; k < 200 && ok; k++) {
        const double angle = (steppedStep(&s), dJointGetHingeAngle(j));
        ok = CHECK(fabs(dBodyGetAngularVel(body)[2]) <= 10 * (1 + 1e-12) && angle <= 0.05 + 10 * h &&
                   angle >= -1 - 10 * h);
    }
    if (!ok) printf("between stops, %s, h %g\n", stepper_name[stepper], h);
    steppedEnd(&s);
}

/* Stops at 0 with ERP 0 and CFM 20 are a damper of 1/20 N s/m: v = exp(-t/20); by Euler's steps (1 + h/20)^-n. */
static void damper(Stepper stepper, double h)
{
    Stepped s = steppedBegin(stepper, h, 0);
    const dBodyID body = steppedBall(&s, 1, origin, 0.3, false);
    const dJointID j = dJointCreateSlider(s.world, 0);
    const int steps = (int)lround(2 / h);
    dJointAttach(j, body, 0);
    dJointSetSliderAxis(j, 1, 0, 0);
    dJointSetSliderParam(j, dParamLoStop, 0);
    dJointSetSliderParam(j, dParamHiStop, 0);
    dJointSetSliderParam(j, dParamStopERP, 0);
    dJointSetSliderParam(j, dParamStopCFM, 20);
    dBodySetLinearVel(body, 1, 0, 0);
    for (int k = 0; k < steps; k++)
        if (!CHECK(steppedStep(&s) == 1)) break;
    const double v = dBodyGetLinearVel(body)[0];
    const bool ok =
        stepperDivides(stepper) ? CHECK_NEAR(v, exp(-2.0 / 20), 1e-6) : CHECK_NEAR(v, pow(1 + h / 20, -steps), 1e-9);
    if (!ok) printf("damper, %s, h %g\n", stepper_name[stepper], h);
    steppedEnd(&s);
}

int main(void)
{
    static const double h[] = {0.01, 0.003};
    dInitODE2(0);
    for (int k = 0; k < Steppers; k++)
        for (int i = 0; i < 2; i++) {
            for (int kind = 0; kind < AxesKinds; kind++) {
                thrown((Axes)kind, (Stepper)k, 0.5, h[i]);
                thrown((Axes)kind, (Stepper)k, 3.1, h[i]);
            }
            between((Stepper)k, h[i]);
            damper((Stepper)k, i ? 0.005 : 0.01);
        }
    dCloseODE();
    return ukTestEnd();
}
