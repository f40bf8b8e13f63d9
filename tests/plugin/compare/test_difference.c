/* SPDX-License-Identifier: BSD-3-Clause */
/* What two states of a world differ by: q and -q are one orientation; a NaN is never overlooked; what is not there, or
 * not known, is not compared; and where two runs part, in words. */
#include "plugin/tools/compare/difference.h"

#include <math.h>
#include <string.h>

#include "plugin/tools/compare/parting.h"
#include "tests/check.h"

/* a state of one body and one joint */
typedef struct One {
    WalkBody body;
    WalkJoint joint;
    WalkContact contact;
} One;

static const double none[4] = {1, 0, 0, 0};

static One one(const double q[4])
{
    One o;
    memset(&o, 0, sizeof o);
    o.body.key = o.joint.key = 1;
    o.body.present = o.joint.present = o.joint.force_known = true;
    memcpy(o.body.q, q, sizeof o.body.q);
    strcpy(o.joint.type, "hinge");
    return o;
}

static Walk walk(One *o)
{
    return (Walk){.body = &o->body,
                  .bodies = 1,
                  .joint = &o->joint,
                  .joints = 1,
                  .contact = &o->contact,
                  .number = 1,
                  .rows = -1,
                  .active = -1,
                  .rank = -1};
}

static Difference difference(One *x, One *y)
{
    const Walk a = walk(x), b = walk(y);
    return differenceOf(&a, &b);
}

static double orientation(const double p[4], const double q[4])
{
    One x = one(p), y = one(q);
    const Difference d = difference(&x, &y);
    CHECK(d.alike && d.position == 0 && d.velocity == 0);
    return d.orientation;
}

static void angles(void)
{
    const double half = 0.35, turned[4] = {cos(half), 0, sin(half), 0}, back[4] = {-cos(half), 0, -sin(half), 0};
    const double opposite[4] = {-1, 0, 0, 0}, about[4] = {0, 0, 0, 1}, nan[4] = {1, 0, NAN, 0};
    CHECK(orientation(none, none) == 0);
    CHECK(orientation(none, opposite) == 0);
    CHECK(orientation(turned, back) == 0);
    CHECK_NEAR(orientation(none, turned), 2 * half, 1e-15);
    CHECK_NEAR(orientation(none, back), 2 * half, 1e-15);
    CHECK_NEAR(orientation(none, about), acos(-1.0), 1e-7); /* as far as it goes */
    CHECK(isnan(orientation(none, nan)));
}

static void others(void)
{
    One x = one(none), y = one(none);
    y.body.x[1] = 3, y.body.x[2] = -4;
    y.body.v[5] = -2;
    x.joint.force[0] = 10, y.joint.force[0] = 13;
    Walk a = walk(&x), b = walk(&y);
    b.energy = 7, a.energy = 2;
    Difference d = differenceOf(&a, &b);
    CHECK(d.alike && d.position == 5 && d.velocity == 2 && d.energy == 5 && d.reaction == 3 && d.load == 13);
    CHECK(d.farthest == 0 && d.farthest_position == 5 && d.farthest_angle == 0);
    CHECK(differenceOf(&b, &a).energy == -5);
    x.joint.force_known = false;
    CHECK(isnan(difference(&x, &y).reaction) && isnan(difference(&x, &y).load) && difference(&x, &y).alike);
    a.contacts = b.contacts = 1;
    y.contact.force[2] = 4;
    CHECK(differenceOf(&a, &b).reaction == 4);
    x.contact.body[0] = 1; /* another contact */
    CHECK(isnan(differenceOf(&a, &b).reaction) && !differenceSameContacts(&a, &b));
    strcpy(y.joint.type, "ball");
    CHECK(!difference(&x, &y).alike);
    y.joint.present = false;
    CHECK(!difference(&x, &y).alike);
    y.body.v[0] = NAN;
    CHECK(isnan(difference(&x, &y).velocity));
    y.body.present = false;
    CHECK(!difference(&x, &y).alike && difference(&x, &y).farthest == -1);
}

/* what is told of x and y as first step, and of y's number */
static const char *told(One *x, One *y)
{
    static char text[1300];
    const Walk a = walk(x), b = walk(y);
    const Difference d = differenceOf(&a, &b);
    Parting p = {.parted = false};
    partingTake(&p, &a, &b, &d, "natively");
    partingDescribe(&p, "natively", text, sizeof text);
    return text;
}

static void parting(void)
{
    One x = one(none), y = one(none);
    CHECK(strstr(told(&x, &y), "The runs do not diverge: after each step (of 1) every"));
    y.body.x[0] = 2e-6;
    CHECK(strstr(told(&x, &y), "The runs diverge at step 1, 0 s: body 1 is 2e-06 m and 0 rad from its pose natively."));
    CHECK(strstr(told(&x, &y), "All joint reactions are the same"));
    strcpy(y.body.name, "torso");
    strcpy(y.joint.name, "knee");
    x.joint.force[4] = 3, y.joint.force[4] = 5, y.joint.force[1] = 1e-3;
    CHECK(strstr(told(&x, &y), "body 1 (torso)"));
    CHECK(strstr(told(&x, &y), "of hinge joint 1 (knee): torque y by 2 of 3 N m."));
    y.joint.force[2] = 0.5; /* a quarter of the largest is named, a thousandth is not */
    CHECK(strstr(told(&x, &y), "(knee): force z by 0.5 of 0 N, torque y by 2 of 3 N m."));
    One turned = one((const double[4]){cos(1e-3), sin(1e-3), 0, 0}), later = one(none);
    CHECK(strstr(told(&later, &turned), "The runs diverge at step 1, 0 s: body 1 is 0 m and 0.002 rad from"));
    Walk a = walk(&later), b = walk(&turned);
    const Difference d = differenceOf(&a, &b);
    Parting p = {.number = 3};
    char text[1300];
    b.number = 7, b.time = 0.5; /* of steps 4 to 6 nothing is recorded */
    partingTake(&p, &a, &b, &d, "natively");
    partingDescribe(&p, "natively", text, sizeof text);
    CHECK(strstr(text, "The runs have diverged by step 7, 0.5 s: body 1 is"));
    CHECK(strstr(text, "At the end, 0.5 s, body 1 differs most: 0 m, 0.002 rad."));
    x.joint.force_known = false;
    CHECK(strstr(told(&x, &y), "No joint has a dJointFeedback"));
    y.body.x[0] = NAN;
    CHECK(strstr(told(&x, &y), "The runs diverge at step 1, 0 s: body 1 (torso) is nan m"));
    y.body.present = false;
    CHECK(strstr(told(&x, &y), "the bodies are not the same natively"));
}

int main(void)
{
    angles();
    others();
    parting();
    return ukTestEnd();
}
