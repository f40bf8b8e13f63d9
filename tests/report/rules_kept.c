/* SPDX-License-Identifier: BSD-3-Clause */
/* Contact joints that are never removed, and contacts that are many, or stay, for another reason. */
#include "tests/report/model.h"

enum { Never = 1 << 20 };

static dBodyID body;

static void restsOnGround(void)
{
    ground();
    body = box(1, 0.3, 0.3, 0.3, 0, 0, 0.15);
}

static void keptAtRest(void)
{
    restsOnGround();
    empty_each = Never;
}

static void keptSliding(void)
{
    keptAtRest();
    surface.surface.mu = 0.1;
    surface.surface.mode = dContactApprox1;
    dBodySetLinearVel(body, 2, 0, 0);
}

static void keptRolling(void)
{
    ground();
    body = ball(1, 0.2, 0, 0, 0.2);
    dBodySetLinearVel(body, 1, 0, 0);
    dBodySetAngularVel(body, 0, 5, 0);
    empty_each = Never;
}

static void keptStack(void)
{
    ground();
    for (int i = 0; i < 3; i++) box(1, 0.3, 0.3, 0.3, 0, 0, 0.15 + 0.301 * i);
    empty_each = Never;
}

/* removed now and then, which is not enough */
static void keptLong(void)
{
    restsOnGround();
    empty_each = 60;
}

/* ---- look-alikes ------------------------------------------------------------------------------------------------- */

static void collidedSeldom(void)
{
    restsOnGround();
    collide_each = empty_each = 5;
}

/* one that the program makes once, as a constraint */
static void contactAsConstraint(void)
{
    dContact contact = surface;
    body = ball(1, 0.2, 0, 0, 0.2);
    contact.geom.pos[0] = contact.geom.pos[1] = contact.geom.pos[2] = 0;
    contact.geom.normal[0] = contact.geom.normal[1] = 0, contact.geom.normal[2] = 1;
    contact.geom.depth = 0;
    dJointAttach(dJointCreateContact(world, 0, &contact), body, 0);
}

static void manyBoxes(void)
{
    ground();
    for (int i = 0; i < 12; i++) box(1, 0.3, 0.3, 0.3, 0.5 * (i % 4), 0.5 * (i / 4), 0.2 + 0.3 * i);
}

/* a body of many balls that sinks into soft ground, one pair of balls after the other */
static void caterpillar(void)
{
    dMass m;
    ground();
    body = box(2, 3, 0.1, 0.1, 0, 0, 0.1);
    dMassSetBoxTotal(&m, 2, 3, 0.1, 0.1);
    for (int i = -12; i <= 12; i++) {
        const dGeomID g = dCreateSphere(space, 0.1);
        dGeomSetBody(g, body);
        dGeomSetOffsetPosition(g, 0.12 * i, 0, 0.0015 * (i < 0 ? -i : i));
    }
    surface.surface.mode = dContactSoftERP | dContactSoftCFM;
    surface.surface.soft_erp = 0;
    surface.surface.soft_cfm = 0.002;
}

static void rolls(void)
{
    ground();
    body = ball(1, 0.2, 0, 0, 0.2);
    dBodySetLinearVel(body, 1, 0, 0);
    dBodySetAngularVel(body, 0, 5, 0);
}

/* for a few steps only */
static void keptForThreeSteps(void)
{
    restsOnGround();
    empty_each = 3;
}

const RuleModel kept_models[] = {
    {{"kept_at_rest", "+contacts_kept", 0.01, 60, keptAtRest, NULL}, 0},
    {{"kept_sliding", "+contacts_kept", 0.01, 60, keptSliding, NULL}, 0},
    {{"kept_rolling", "+contacts_kept", 0.01, 60, keptRolling, NULL}, 0},
    {{"kept_stack_natively", "+contacts_kept", 0.01, 40, keptStack, NULL}, ModelNative},
    {{"kept_for_sixty_steps", "+contacts_kept", 0.01, 120, keptLong, NULL}, 0},
    {{"collided_seldom", "!contacts_kept", 0.01, 200, collidedSeldom, NULL}, 0},
    {{"contact_as_constraint", "!contacts_kept", 0.01, 100, contactAsConstraint, NULL}, 0},
    {{"boxes_that_fall", "!contacts_kept", 0.01, 200, manyBoxes, NULL}, 0},
    {{"caterpillar", "!contacts_kept", 0.01, 200, caterpillar, NULL}, 0},
    {{"rolls_away", "!contacts_kept", 0.01, 200, rolls, NULL}, 0},
    {{"kept_for_three_steps", "!contacts_kept", 0.01, 200, keptForThreeSteps, NULL}, 0},
    {{"rests_on_ground", "!contacts_kept", 0.01, 200, restsOnGround, NULL}, 0},
    {{NULL, NULL, 0, 0, NULL, NULL}, 0},
};
