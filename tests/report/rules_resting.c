/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies that lie, slide or shake on others: penetration, missing friction, jitter; and joints that constrain the same
 * motion twice. Each rule with models that have the fault and with others that look alike. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "tests/report/model.h"

static dBodyID first;

/* ---- penetration ------------------------------------------------------------------------------------------------- */

static void lies(double mass)
{
    ground();
    first = box(mass, 0.4, 0.4, 0.2, 0, 0, 0.1);
}
static void onSoftGround(double mass, double cfm)
{
    lies(mass);
    surface.surface.mode |= dContactSoftCFM;
    surface.surface.soft_cfm = cfm;
}
static void softGround(void)
{
    onSoftGround(10, 0.1);
}
static void softUnderAPair(void)
{
    onSoftGround(10, 0.1);
    box(40, 0.4, 0.4, 0.2, 0, 0, 0.3);
}
static void yieldsLittle(void)
{
    onSoftGround(1, 1e-3);
}
static void lands(void)
{
    lies(1);
    dBodySetPosition(first, 0, 0, 1);
}
static void landsFast(void)
{
    lies(1);
    dBodySetPosition(first, 0, 0, 0.4);
    dBodySetLinearVel(first, 0, 0, -6);
}
static void thickOnSoftGround(void)
{
    ground();
    box(10, 2, 2, 2, 0, 0, 1);
    surface.surface.mode |= dContactSoftCFM;
    surface.surface.soft_cfm = 0.01;
}
static void restsHeavily(void)
{
    lies(1000);
}

/* ---- what contacts show of the model ---------------------------------------------------------------------------------- */

static void halfInTheGround(void)
{
    ground();
    box(10, 0.5, 0.5, 0.5, 0, 0, 0.1);
}
static void boxInABox(void)
{
    ground();
    box(10, 0.5, 0.5, 0.5, 0, 0, 0.25);
    box(10, 0.5, 0.5, 0.5, 0.2, 0, 0.45);
}
/* two links whose shapes overlap at their hinge, and collide */
static void links(void)
{
    first = box(1, 0.5, 0.1, 0.1, 0.25, 0, 1);
    const dBodyID second = box(1, 0.5, 0.1, 0.1, 0.7, 0, 1);
    hinge(first, 0, 0, 0, 1, 0, 1, 0);
    hinge(second, first, 0.475, 0, 1, 0, 1, 0);
}
static void linksThatCollide(void)
{
    links();
    collide_joined = true;
}
static void touching(void)
{
    ground();
    box(10, 0.5, 0.5, 0.5, 0, 0, 0.25);
    box(10, 0.5, 0.5, 0.5, 0, 0, 0.75);
}
static void aLittleDeep(void)
{
    ground();
    box(10, 0.5, 0.5, 0.5, 0, 0, 0.245);
}
static void bouncesBy(double bounce)
{
    ground();
    ball(1, 0.1, 0, 0, 0.6);
    surface.surface.mode |= dContactBounce;
    surface.surface.bounce = bounce;
}
static void gainsAtImpacts(void)
{
    bouncesBy(1.5);
}
static void gainsALittle(void)
{
    bouncesBy(1.05);
}
static void elastic(void)
{
    bouncesBy(1);
}
static void inelastic(void)
{
    bouncesBy(0.3);
}

/* ---- friction that is missing
 * ----------------------------------------------------------------------------------------- */

static void slides(double mu, double speed)
{
    lies(1);
    surface.surface.mu = mu;
    dBodySetLinearVel(first, speed, 0, 0);
}
static void onIce(void)
{
    slides(0, 2);
}
static void bothOnIce(void)
{
    slides(0, 2);
    dBodySetLinearVel(box(3, 0.4, 0.4, 0.2, 0, 3, 0.1), 0, 1, 0);
}
static void iceOnABox(void)
{
    ground();
    const dBodyID base = box(100, 6, 2, 0.4, 0, 0, 0.2);
    first = box(1, 0.4, 0.4, 0.2, -2, 0, 0.5);
    dBodySetKinematic(base);
    dBodySetLinearVel(first, 2, 0, 0);
    surface.surface.mu = 0;
}
static void slidesRoughly(void)
{
    slides(0.3, 2);
}
static void iceAtRest(void)
{
    slides(0, 0);
}
static void stopsAtOnce(void)
{
    slides(1, 1e-3);
}
static void rolls(void)
{
    ground();
    first = ball(1, 0.2, 0, 0, 0.2);
    dBodySetLinearVel(first, 1, 0, 0);
    dBodySetAngularVel(first, 0, 5, 0);
}
static void fliesPast(void)
{
    slides(0, 2);
    dBodySetPosition(first, 0, 0, 3);
}

/* ---- jitter ------------------------------------------------------------------------------------------------------------- */

/* reversed after so many steps; of one step, the first is half as large: the velocity is then reversed, too */
static void shakeBy(double force, int steps, int step)
{
    if (steps == 1 && step == 0) force /= 2;
    dBodyAddForce(first, step / steps % 2 ? force : -force, 0, 0);
}
static void fast(int step)
{
    shakeBy(100, 1, step);
}
static void slow(int step)
{
    shakeBy(10, 50, step);
}
static void gently(int step)
{
    shakeBy(0.05, 1, step);
}
static void smoothBox(void)
{
    slides(0, 0);
}
static void roughBox(void)
{
    slides(0.2, 0);
}
static void weightless(void)
{
    dWorldSetGravity(world, 0, 0, 0);
    first = box(1, 0.4, 0.4, 0.2, 0, 0, 0.1);
}

/* ---- the same motion constrained twice
 * -------------------------------------------------------------------------------------- */

static void fixedTo(dBodyID a, dBodyID b)
{
    const dJointID j = dJointCreateFixed(world, 0);
    dJointAttach(j, a, b);
    dJointSetFixed(j);
}
static void fixedTwice(void)
{
    first = box(1, 1, 0.1, 0.1, 0, 0, 0);
    fixedTo(first, 0);
    fixedTo(0, first);
}
static void plank(void)
{
    first = box(1, 2, 0.3, 0.1, 0, 0, 0);
    hinge(first, 0, -1, 0, 0, 1, 0, 0);
    hinge(0, first, 1, 0, 0, 1, 0, 0);
}
static void fourBarOfHinges(void)
{
    const dBodyID left = box(1, 0.1, 0.1, 1, -1, 0, 0.5), right = box(1, 0.1, 0.1, 1, 1, 0, 0.5),
                  top = box(1, 2, 0.1, 0.1, 0, 0, 1);
    hinge(left, 0, -1, 0, 0, 0, 1, 0);
    hinge(left, top, -1, 0, 1, 0, 1, 0);
    hinge(top, right, 1, 0, 1, 0, 1, 0);
    hinge(right, 0, 1, 0, 0, 0, 1, 0);
}
static void plankOfAHinge(void)
{
    first = box(1, 2, 0.3, 0.1, 0, 0, 0);
    hinge(first, 0, -1, 0, 0, 1, 0, 0);
}
static void fourBarWithBalls(void) /* hinge, hinge, ball, universal: 5 + 5 + 3 + 4 rows of 18 */
{
    const dBodyID left = box(1, 0.1, 0.1, 1, -1, 0, 0.5), right = box(1, 0.1, 0.1, 1, 1, 0, 0.5),
                  top = box(1, 2, 0.1, 0.1, 0, 0, 1);
    hinge(left, 0, -1, 0, 0, 0, 1, 0);
    hinge(left, top, -1, 0, 1, 0, 1, 0);
    ballJoint(top, right, 1, 0, 1);
    const dJointID j = dJointCreateUniversal(world, 0);
    dJointAttach(j, right, 0);
    dJointSetUniversalAnchor(j, 1, 0, 0);
    dJointSetUniversalAxis1(j, 1, 0, 0);
    dJointSetUniversalAxis2(j, 0, 1, 0);
}
static void openChain(void)
{
    dBodyID last = 0;
    for (int i = 0; i < 3; i++) {
        const dBodyID b = box(1, 1, 0.1, 0.1, 0.5 + i, 0, 0);
        hinge(b, last, i, 0, 0, 0, 1, 0);
        last = b;
    }
}
static void hingeAndMotor(void)
{
    plankOfAHinge();
    const dJointID j = dJointCreateAMotor(world, 0);
    dJointAttach(j, first, 0);
    dJointSetAMotorNumAxes(j, 1);
    dJointSetAMotorAxis(j, 0, 0, 1, 0, 0);
    dJointSetAMotorParam(j, dParamFMax, 1);
}
static void twoDoors(void)
{
    hinge(box(1, 1, 0.1, 2, 0.5, 0, 1), 0, 0, 0, 1, 0, 0, 1);
    hinge(box(1, 1, 0.1, 2, 0.5, 3, 1), 0, 0, 3, 1, 0, 0, 1);
}

const RuleModel resting_models[] = {
    {{"sinks_into_soft_ground", "+contact_sinks", 0.01, 100, softGround, NULL}, 0},
    {{"sinks_natively", "+contact_sinks", 0.01, 100, softGround, NULL}, ModelNative},
    {{"sinks_under_a_pair", "+contact_sinks", 0.01, 100, softUnderAPair, NULL}, 0},
    {{"yields_little", "!contact_sinks", 0.01, 100, yieldsLittle, NULL}, 0},
    {{"lands", "!contact_sinks", 0.01, 150, lands, NULL}, 0},
    {{"lands_fast", "!contact_sinks", 0.01, 150, landsFast, NULL}, 0},
    {{"thick_on_soft_ground", "!contact_sinks", 0.01, 100, thickOnSoftGround, NULL}, 0},
    {{"rests_heavily", "!contact_sinks", 0.01, 100, restsHeavily, NULL}, 0},
    {{"half_in_the_ground", "+overlap_at_start", 0.01, 50, halfInTheGround, NULL}, 0},
    {{"half_in_the_ground_natively", "+overlap_at_start", 0.01, 50, halfInTheGround, NULL}, ModelNative},
    {{"box_in_a_box", "+overlap_at_start", 0.01, 50, boxInABox, NULL}, 0},
    {{"links_that_collide", "+overlap_at_start", 0.01, 50, linksThatCollide, NULL}, 0},
    {{"links_that_do_not_collide", "!overlap_at_start", 0.01, 50, links, NULL}, 0},
    {{"boxes_that_touch", "!overlap_at_start", 0.01, 50, touching, NULL}, 0},
    {{"a_little_deep", "!overlap_at_start", 0.01, 50, aLittleDeep, NULL}, 0},
    {{"on_soft_ground", "!overlap_at_start", 0.01, 50, softGround, NULL}, 0},
    {{"lands_later", "!overlap_at_start", 0.01, 100, lands, NULL}, 0},
    {{"lands_deep", "!overlap_at_start", 0.01, 100, landsFast, NULL}, 0},
    {{"gains_at_impacts", "+bounce_above_one", 0.01, 100, gainsAtImpacts, NULL}, 0},
    {{"gains_a_little", "+bounce_above_one", 0.01, 100, gainsALittle, NULL}, 0},
    {{"gains_natively", "+bounce_above_one", 0.01, 100, gainsAtImpacts, NULL}, ModelNative},
    {{"elastic_ball", "!bounce_above_one", 0.01, 100, elastic, NULL}, 0},
    {{"inelastic_ball", "!bounce_above_one", 0.01, 100, inelastic, NULL}, 0},
    {{"slides_on_ice", "+friction_missing", 0.01, 100, onIce, NULL}, 0},
    {{"both_slide_on_ice", "+friction_missing", 0.01, 100, bothOnIce, NULL}, 0},
    {{"slides_on_an_icy_box", "+friction_missing", 0.01, 100, iceOnABox, NULL}, 0},
    {{"slides_roughly", "!friction_missing", 0.01, 100, slidesRoughly, NULL}, 0},
    {{"ice_at_rest", "!friction_missing", 0.01, 100, iceAtRest, NULL}, 0},
    {{"stops_at_once", "!friction_missing", 0.01, 100, stopsAtOnce, NULL}, 0},
    {{"rolls", "!friction_missing", 0.01, 100, rolls, NULL}, 0},
    {{"flies_past", "!friction_missing", 0.01, 50, fliesPast, NULL}, 0},
    {{"shaken_on_ice", "+jitter", 0.01, 200, smoothBox, fast}, 0},
    {{"shaken_on_rough_ground", "+jitter", 0.01, 200, roughBox, fast}, 0},
    {{"shaken_on_ice_natively", "+jitter", 0.01, 200, smoothBox, fast}, ModelNative},
    {{"shaken_slowly", "!jitter", 0.01, 200, smoothBox, slow}, 0},
    {{"shaken_gently", "!jitter", 0.01, 200, smoothBox, gently}, 0},
    {{"shaken_in_the_air", "!jitter", 0.01, 200, weightless, fast}, 0},
    {{"rests_on_rough_ground", "!jitter", 0.01, 200, roughBox, NULL}, 0},
    {{"slides_straight", "!jitter", 0.01, 100, slidesRoughly, NULL}, 0},
    {{"fixed_twice", "+redundant_joints", 0.01, 50, fixedTwice, NULL}, 0},
    {{"plank_on_two_hinges", "+redundant_joints", 0.01, 50, plank, NULL}, 0},
    {{"four_bar_of_hinges", "+redundant_joints", 0.01, 50, fourBarOfHinges, NULL}, 0},
    {{"plank_on_a_hinge", "!redundant_joints", 0.01, 50, plankOfAHinge, NULL}, 0},
    {{"four_bar_with_a_ball", "!redundant_joints", 0.01, 50, fourBarWithBalls, NULL}, 0},
    {{"open_chain_of_hinges", "!redundant_joints", 0.01, 50, openChain, NULL}, 0},
    {{"hinge_and_its_motor", "!redundant_joints", 0.01, 50, hingeAndMotor, NULL}, 0},
    {{"two_doors", "!redundant_joints", 0.01, 50, twoDoors, NULL}, 0},
    {{NULL, NULL, 0, 0, NULL, NULL}, 0},
};
