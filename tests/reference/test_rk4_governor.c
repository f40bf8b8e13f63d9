/* SPDX-License-Identifier: BSD-3-Clause */
/* IFToMM A05: a flyball governor with spring-dampers whose poles lie at -8000/s, in fast rotation. */
#include <math.h>

#include "tests/check.h"
#include "tests/reference/mechanism.h"

enum { Shaft, Slider, Right, Left };

static const double stiffness = 8e5, damping = 4e4, free_length = 0.5, rate = 6.28318530717958648,
                    lean = 0.5235987755982989;
/* a rod of 0.3 kg and 1 m with 5 kg at its end: centre of mass from its hinge */
static const double centre = (0.3 * 0.5 + 5) / 5.3;

static void cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* the point `along` the body's x axis: from the centre of mass, its place and velocity */
static void pointOn(const ukBodyState *s, double along, double arm[3], double x[3], double v[3])
{
    const double *q = s->orientation;
    double turn[3];
    arm[0] = along * (1 - 2 * (q[2] * q[2] + q[3] * q[3]));
    arm[1] = along * 2 * (q[1] * q[2] + q[0] * q[3]);
    arm[2] = along * 2 * (q[1] * q[3] - q[0] * q[2]);
    cross(s->spin, arm, turn);
    for (int i = 0; i < 3; i++) {
        x[i] = s->position[i] + arm[i];
        v[i] = s->velocity[i] + turn[i];
    }
}

/* a spring-damper between points of two bodies */
static void spring(const ukBodyState *a, double along_a, dReal *force_a, const ukBodyState *b, double along_b,
                   dReal *force_b)
{
    double arm[2][3], x[2][3], v[2][3], f[3], torque[3], square = 0, product = 0;
    pointOn(a, along_a, arm[0], x[0], v[0]);
    pointOn(b, along_b, arm[1], x[1], v[1]);
    for (int i = 0; i < 3; i++) {
        square += (x[1][i] - x[0][i]) * (x[1][i] - x[0][i]);
        product += (x[1][i] - x[0][i]) * (v[1][i] - v[0][i]);
    }
    const double length = sqrt(square), pull = stiffness * (length - free_length) + damping * product / length;
    for (int i = 0; i < 3; i++) {
        f[i] = pull * (x[1][i] - x[0][i]) / length;
        force_a[i] += f[i];
        force_b[i] -= f[i];
    }
    cross(arm[0], f, torque);
    for (int i = 0; i < 3; i++) force_a[3 + i] += torque[i];
    cross(arm[1], f, torque);
    for (int i = 0; i < 3; i++) force_b[3 + i] -= torque[i];
}

static int springs(const struct ukConstraintContext *context, dReal *force, void *data)
{
    const ukBodyState *s = context->bodies;
    (void)data;
    spring(&s[0], 0.05, force, &s[1], 0.5 - centre, force + 6);
    spring(&s[0], -0.05, force, &s[2], 0.5 - centre, force + 12);
    return 0;
}

static void addArm(Scene *s, double side)
{
    const double across =
        0.3 / 12 * (1 + 1e-4) + 0.3 * (centre - 0.5) * (centre - 0.5) + 5 * (1 - centre) * (1 - centre);
    const double hinge[3] = {side * 0.05, 0, 1};
    const double x[3] = {side * (0.05 + centre * cos(lean)), 0, 1 - centre * sin(lean)};
    const double v[3] = {0, rate * x[0], 0}, w[3] = {0, 0, rate};
    const dBodyID arm = mechanismBody(s, 5.3, 0.3 / 12 * 2e-4, across, across, x, NULL);
    dMatrix3 R;
    dRFrom2Axes(R, side * cos(lean), 0, -sin(lean), 0, 1, 0);
    dBodySetRotation(arm, R);
    mechanismMotion(arm, v, w);
    sceneAddHinge(s, arm, s->bodies[Shaft], hinge, 0, 1, 0);
}

static Scene *governor(void)
{
    static const double origin[3] = {0, 0, 0}, middle[3] = {0, 0, 0.5}, still[3] = {0, 0, 0}, w[3] = {0, 0, rate};
    Scene *s = sceneNew(4, 4, 2e-4);
    const double thin = 0.3 / 12 * 2e-4, tall = 0.3 / 12 * (1 + 1e-4), cube = 3.0 / 12 * 2e-2;
    const dBodyID shaft = mechanismBody(s, 0.3, tall, tall, thin, middle, NULL);
    const dBodyID slider = mechanismBody(s, 3, cube, cube, cube, middle, NULL);
    mechanismMotion(shaft, still, w);
    mechanismMotion(slider, still, w);
    sceneAddHinge(s, shaft, 0, origin, 0, 0, 1);
    sceneAddSlider(s, slider, shaft, 0, 0, 1);
    addArm(s, 1);
    addArm(s, -1);
    return s;
}

static void sliderAndArm(const Scene *s, double *out)
{
    const dReal *R = dBodyGetRotation(s->bodies[Right]);
    out[0] = dBodyGetPosition(s->bodies[Slider])[2];
    out[1] = dBodyGetLinearVel(s->bodies[Slider])[2];
    out[2] = asin(-R[8]);
    out[3] = dBodyGetAngularVel(s->bodies[Shaft])[2];
}

static const Mechanism mechanism = {
    .name = "stiff flyball governor (IFToMM A05)",
    .build = governor,
    .measure = sliderAndArm,
    .data = "a05_flyball_governor.csv",
    .columns = 4,
    .h = 2e-4,
    .duration = 10,
    .force = springs,
    .forced = {Slider, Right, Left},
    .forced_count = 3,
    .judged = {{"slider [m]", 0, 1, 10, 1e-4, false}, {"slider velocity, rates [m/s, rad/s]", 1, 3, 10, 1e-3, false}}};

int main(int argc, char **argv)
{
    mechanismBegin(argc, argv);
    mechanismCheck(&mechanism);
    mechanismCosts(&mechanism, 1e-7, 1e-7, 20);
    return mechanismEnd();
}
