/* SPDX-License-Identifier: BSD-3-Clause */
/* Inverse dynamics: a planar arm against the textbook, a five-bar against its closed form, the motion that the forces
 * make, weights, contacts, what no actuator can give. */
#include <stdlib.h>
#include <string.h>

#include <ukode/analysis.h>

#include "solvers/base/status.h"
#include "tests/check.h"

static const double pi = 3.14159265358979323846, g = 9.81;

static dBodyID box(dWorldID world, double mass, double length)
{
    dMass m;
    dBodyID body = dBodyCreate(world);
    dMassSetBoxTotal(&m, mass, length, 0.1, 0.1);
    dBodySetMass(body, &m);
    return body;
}

static double inertiaOf(double mass, double length)
{
    return mass * (length * length + 0.01) / 12;
}

/* A rod in the plane x, z: its centre, angle from x towards -z (about y), and their first two derivatives. */
typedef struct Rod {
    double x[2], v[2], a[2], turn[3];
} Rod;

static void place(dBodyID body, const Rod *r, dReal *acceleration)
{
    dQuaternion q;
    dQFromAxisAndAngle(q, 0, 1, 0, r->turn[0]);
    dBodySetQuaternion(body, q);
    dBodySetPosition(body, r->x[0], 0, r->x[1]);
    dBodySetLinearVel(body, r->v[0], 0, r->v[1]);
    dBodySetAngularVel(body, 0, r->turn[1], 0);
    acceleration[0] = r->a[0], acceleration[2] = r->a[1], acceleration[4] = r->turn[2];
    acceleration[1] = acceleration[3] = acceleration[5] = 0;
}

/* The point at distance s along a rod that begins at a moving point, as a Rod's centre. */
static Rod beyond(const Rod *from, const double turn[3], double s)
{
    Rod r = *from;
    const double c = cos(turn[0]), n = sin(turn[0]);
    memcpy(r.turn, turn, sizeof r.turn);
    r.x[0] += s * c;
    r.x[1] -= s * n;
    r.v[0] -= s * n * turn[1];
    r.v[1] -= s * c * turn[1];
    r.a[0] += s * (-n * turn[2] - c * turn[1] * turn[1]);
    r.a[1] += s * (-c * turn[2] + n * turn[1] * turn[1]);
    return r;
}

static dJointID hinge(dWorldID world, dBodyID a, dBodyID b, const Rod *at, bool swapped)
{
    dJointID joint = dJointCreateHinge(world, 0);
    dJointAttach(joint, swapped ? b : a, swapped ? a : b);
    dJointSetHingeAnchor(joint, at->x[0], 0, at->x[1]);
    dJointSetHingeAxis(joint, 0, 1, 0);
    return joint;
}

/* ---- the arm ----------------------------------------------------------------------------------------------------- */

static const double length1 = 1, length2 = 0.8, mass1 = 2, mass2 = 1;

typedef struct Arm {
    dWorldID world;
    dBodyID link[2];
    dJointID joint[2];
} Arm;

/* Both links at the relative angles q (value, rate, acceleration each). */
static void poseArm(const Arm *arm, const double q1[3], const double q2[3], dReal acceleration[12])
{
    const Rod origin = {.x = {0}};
    double both[3];
    for (int i = 0; i < 3; i++) both[i] = q1[i] + q2[i];
    const Rod one = beyond(&origin, q1, length1 / 2), elbow = beyond(&origin, q1, length1);
    const Rod two = beyond(&elbow, both, length2 / 2);
    place(arm->link[0], &one, acceleration);
    place(arm->link[1], &two, acceleration + 6);
}

static Arm makeArm(bool swapped)
{
    static const double zero[3] = {0};
    dReal unused[12];
    Arm arm = {.world = dWorldCreate()};
    dWorldSetGravity(arm.world, 0, 0, -g);
    arm.link[0] = box(arm.world, mass1, length1);
    arm.link[1] = box(arm.world, mass2, length2);
    poseArm(&arm, zero, zero, unused);
    const Rod origin = {.x = {0}}, elbow = {.x = {length1, 0}};
    arm.joint[0] = hinge(arm.world, arm.link[0], 0, &origin, swapped);
    arm.joint[1] = hinge(arm.world, arm.link[1], arm.link[0], &elbow, swapped);
    return arm;
}

/* tau = M(q) q'' + C(q, q') + g(q), angles downwards (Spong, Hutchinson & Vidyasagar, Robot Modeling and Control,
 * 7.4) */
static void textbook(const double q1[3], const double q2[3], double tau[2])
{
    const double c1 = length1 / 2, c2 = length2 / 2, I1 = inertiaOf(mass1, length1), I2 = inertiaOf(mass2, length2);
    const double cosine = cos(q2[0]), h = mass2 * length1 * c2 * sin(q2[0]);
    const double M11 = I1 + I2 + mass1 * c1 * c1 + mass2 * (length1 * length1 + c2 * c2 + 2 * length1 * c2 * cosine);
    const double M12 = I2 + mass2 * (c2 * c2 + length1 * c2 * cosine), M22 = I2 + mass2 * c2 * c2;
    tau[0] = M11 * q1[2] + M12 * q2[2] - h * (2 * q1[1] * q2[1] + q2[1] * q2[1]) -
             (mass1 * c1 + mass2 * length1) * g * cos(q1[0]) - mass2 * c2 * g * cos(q1[0] + q2[0]);
    tau[1] = M12 * q1[2] + M22 * q2[2] + h * q1[1] * q1[1] - mass2 * c2 * g * cos(q1[0] + q2[0]);
}

static void armAgainstTextbook(bool swapped)
{
    Arm arm = makeArm(swapped);
    const ukSignal motors[2] = {{.kind = ukSignalJointForce, .joint = arm.joint[0]},
                                {.kind = ukSignalJointForce, .joint = arm.joint[1]}};
    double worst = 0;
    for (int k = 0; k < 20; k++) {
        const double q1[3] = {sin(k), cos(3 * k), 4 * sin(5 * k)},
                     q2[3] = {2 * sin(2 * k + 1), 3 * cos(k), 6 * cos(7 * k)};
        double tau[2];
        dReal a[12], u[2];
        ukInverse inverse;
        poseArm(&arm, q1, q2, a);
        textbook(q1, q2, tau);
        if (!CHECK(ukWorldInverseDynamics(arm.world, motors, 2, NULL, a, u, &inverse) == ukOk))
            puts(ukGetLastErrorMessage());
        CHECK(inverse.met && inverse.rank == 2 && inverse.freedoms == 2 && inverse.inconsistent < 1e-9 &&
              !inverse.worst);
        for (int i = 0; i < 2; i++) worst = fmax(worst, fabs(u[i] * (swapped ? -1 : 1) - tau[i]));
    }
    printf("arm: off by %.2g N m\n", worst);
    CHECK(worst <= 1e-10);

    /* one motor at the shoulder: what the elbow lacks is named */
    const double q1[3] = {0.3, 0, 0}, q2[3] = {0.4, 0, 0};
    dReal a[12], u[2];
    double tau[2];
    ukInverse inverse;
    poseArm(&arm, q1, q2, a);
    textbook(q1, q2, tau);
    CHECK(ukWorldInverseDynamics(arm.world, motors, 1, NULL, a, u, &inverse) == ukOk);
    CHECK(!inverse.met && inverse.residual > 1e-3 && inverse.worst);
    /* with the missing force the motion is met: power of motor, missing and required force agree for each joint */
    const dReal *f = inverse.missing;
    const dReal *x1 = dBodyGetPosition(arm.link[0]), *x2 = dBodyGetPosition(arm.link[1]);
    const double elbow[2] = {2 * x1[0], 2 * x1[2]};
    /* about y: torque + z F_x - x F_z */
    const double about2 = f[10] + (x2[2] - elbow[1]) * f[6] - (x2[0] - elbow[0]) * f[8];
    const double about1 = f[4] + x1[2] * f[0] - x1[0] * f[2] + f[10] + x2[2] * f[6] - x2[0] * f[8];
    CHECK_NEAR(about2, tau[1], 1e-9);
    CHECK_NEAR(about1 + u[0] * (swapped ? -1 : 1), tau[0], 1e-9);
    dWorldDestroy(arm.world);
}

/* ---- applied as forces ------------------------------------------------------------------------------------------- */

enum { Samples = 5000 };
static double table[Samples + 12][2]; /* every ms from -5 ms on */

static void motionAt(double t, double q1[3], double q2[3])
{
    q1[0] = pi / 2 + 0.4 * sin(1.3 * t), q1[1] = 0.52 * cos(1.3 * t), q1[2] = -0.676 * sin(1.3 * t);
    q2[0] = 0.5 * sin(2 * t + 0.5), q2[1] = cos(2 * t + 0.5), q2[2] = -2 * sin(2 * t + 0.5);
}

/* torques of the table, by Lagrange's polynomials through six samples */
static int replayed(const ukConstraintContext *context, dReal *force, void *data)
{
    const double at = context->time * 1000 + 5;
    const int first = (int)floor(at) - 2;
    double tau[2] = {0};
    (void)data;
    for (int i = 0; i < 6; i++) {
        double part = 1;
        for (int j = 0; j < 6; j++)
            if (j != i) part *= (at - first - j) / (i - j);
        for (int k = 0; k < 2; k++) tau[k] += part * table[first + i][k];
    }
    force[4] = tau[0] - tau[1];
    force[10] = tau[1];
    return 0;
}

/* Resistance of a bearing, as the load, against its rate. */
static void resistance(const struct ukNonIdealContext *context, dReal force[2][6], void *data)
{
    const dReal *f = context->ideal[0];
    const double torque = -*(double *)data * sqrt(f[0] * f[0] + f[2] * f[2]) * tanh(3 * context->rate[0]);
    for (int i = 0; i < 3; i++)
        force[0][3 + i] = torque * context->axis[0][i], force[1][3 + i] = -torque * context->axis[0][i];
}

/* laws: dry friction at the shoulder, viscous friction, drag and a law of the program at the elbow; until the shoulder
 * turns back */
static void reproduces(bool laws, bool swapped)
{
    const int steps = laws ? 100 : 500, samples = 10 * steps + 12;
    const double sign = swapped ? -1 : 1;
    double share = 0.02;
    Arm arm = makeArm(swapped);
    const ukSignal motors[2] = {{.kind = ukSignalJointForce, .joint = arm.joint[0]},
                                {.kind = ukSignalJointForce, .joint = arm.joint[1]}};
    double q1[3], q2[3], worst = 0;
    dReal a[12];
    ukWorldSetIntegrator(arm.world, ukIntegratorAdaptive);
    ukWorldSetTolerance(arm.world, 1e-13, 0);
    if (laws) {
        ukJointSetCoulomb(arm.joint[0], 0.3, 0.05);
        ukJointSetStribeck(arm.joint[0], 0.4, 0.5);
        ukJointSetViscous(arm.joint[1], 0.7);
        ukJointSetDrag(arm.joint[1], 0.4);
        ukJointSetNonIdeal(arm.joint[1], resistance, &share);
    }
    for (int k = 0; k < samples; k++) {
        ukInverse inverse;
        motionAt((k - 5) * 1e-3, q1, q2);
        poseArm(&arm, q1, q2, a);
        if (!CHECK(ukWorldInverseDynamics(arm.world, motors, 2, NULL, a, table[k], &inverse) == ukOk && inverse.met))
            puts(ukGetLastErrorMessage());
        for (int i = 0; i < 2; i++) table[k][i] *= sign;
        double without[2];
        textbook(q1, q2, without);
        if (k == 0) CHECK((fabs(table[k][0] - without[0]) > 0.1) == laws);
    }
    motionAt(0, q1, q2);
    poseArm(&arm, q1, q2, a);
    ukForceCreate(arm.world, arm.link, 2, replayed, NULL);
    for (int k = 1; k <= steps; k++) {
        CHECK(ukWorldStep(arm.world, 0.01) == 1);
        motionAt(k * 0.01, q1, q2);
        const Rod origin = {.x = {0}}, elbow = beyond(&origin, q1, length1);
        const double both[3] = {q1[0] + q2[0], q1[1] + q2[1], 0};
        const Rod two = beyond(&elbow, both, length2 / 2);
        const dReal *x = dBodyGetPosition(arm.link[1]), *v = dBodyGetLinearVel(arm.link[1]);
        worst = fmax(worst, fmax(fabs(x[0] - two.x[0]), fabs(x[2] - two.x[1])));
        worst = fmax(worst, fmax(fabs(v[0] - two.v[0]), fabs(v[2] - two.v[1])));
    }
    printf("applied as forces%s: off by %.2g m, m/s over %d s\n", laws ? ", with laws" : "", worst, steps / 100);
    CHECK(worst <= 1e-9);
    dWorldDestroy(arm.world);
}

/* ---- five-bar ---------------------------------------------------------------------------------------------------- */

static const double base = 0.6, crank = 0.7, coupler = 1.1;

static double dot2(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1];
}

/* y of d1 . y = e1, d2 . y = e2 */
static void solve2(const double *d1, const double *d2, double e1, double e2, double *y)
{
    const double det = d1[0] * d2[1] - d1[1] * d2[0];
    y[0] = (e1 * d2[1] - e2 * d1[1]) / det;
    y[1] = (e2 * d1[0] - e1 * d2[0]) / det;
}

typedef struct FiveBar {
    Rod rod[4]; /* cranks, couplers */
    Rod elbow[2], tip;
} FiveBar;

/* All rods for the cranks' angles (value, rate, acceleration), the tip above: from the circles about the elbows. */
static FiveBar fiveBar(double q[2][3])
{
    FiveBar f;
    double d[2][2], middle[2], apart[2];
    for (int i = 0; i < 2; i++) {
        const Rod foot = {.x = {i == 0 ? -base / 2 : base / 2, 0}};
        f.rod[i] = beyond(&foot, q[i], crank / 2);
        f.elbow[i] = beyond(&foot, q[i], crank);
    }
    for (int c = 0; c < 2; c++) {
        middle[c] = 0.5 * (f.elbow[0].x[c] + f.elbow[1].x[c]);
        apart[c] = f.elbow[1].x[c] - f.elbow[0].x[c];
    }
    const double between = sqrt(dot2(apart, apart)), height = sqrt(coupler * coupler - between * between / 4);
    f.tip = (Rod){.x = {middle[0] - apart[1] / between * height, middle[1] + apart[0] / between * height}};
    for (int i = 0; i < 2; i++)
        for (int c = 0; c < 2; c++) d[i][c] = f.tip.x[c] - f.elbow[i].x[c];
    solve2(d[0], d[1], dot2(d[0], f.elbow[0].v), dot2(d[1], f.elbow[1].v), f.tip.v);
    double e[2];
    for (int i = 0; i < 2; i++) {
        const double w[2] = {f.tip.v[0] - f.elbow[i].v[0], f.tip.v[1] - f.elbow[i].v[1]};
        e[i] = dot2(d[i], f.elbow[i].a) - dot2(w, w);
    }
    solve2(d[0], d[1], e[0], e[1], f.tip.a);
    for (int i = 0; i < 2; i++) {
        /* angle from x towards -z, rates by the cross product */
        const double w[2] = {f.tip.v[0] - f.elbow[i].v[0], f.tip.v[1] - f.elbow[i].v[1]};
        const double a[2] = {f.tip.a[0] - f.elbow[i].a[0], f.tip.a[1] - f.elbow[i].a[1]};
        const double turn[3] = {-atan2(d[i][1], d[i][0]), -(d[i][0] * w[1] - d[i][1] * w[0]) / (coupler * coupler),
                                -(d[i][0] * a[1] - d[i][1] * a[0]) / (coupler * coupler)};
        f.rod[2 + i] = beyond(&f.elbow[i], turn, coupler / 2);
    }
    return f;
}

/* tau_j = sum_i (dx_i/dq_j) . (m (a_i + g)) + (dturn_i/dq_j) I turn_i'': d/dq_j is the velocity for a unit rate of
 * crank j */
static void closedForm(double q[2][3], double tau[2])
{
    const FiveBar f = fiveBar(q);
    for (int j = 0; j < 2; j++) {
        double unit[2][3] = {{q[0][0], j == 0, 0}, {q[1][0], j == 1, 0}};
        const FiveBar along = fiveBar(unit);
        tau[j] = 0;
        for (int i = 0; i < 4; i++) {
            const double mass = i < 2 ? 1.5 : 0.9, length = i < 2 ? crank : coupler;
            const double a[2] = {f.rod[i].a[0], f.rod[i].a[1] + g};
            tau[j] +=
                mass * dot2(along.rod[i].v, a) + along.rod[i].turn[1] * inertiaOf(mass, length) * f.rod[i].turn[2];
        }
    }
}

static void fiveBarAgainstClosedForm(bool swapped)
{
    dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -g);
    double start[2][3] = {{-2, 0, 0}, {-1.1, 0, 0}};
    const FiveBar f = fiveBar(start);
    const Rod foot[2] = {{.x = {-base / 2, 0}}, {.x = {base / 2, 0}}};
    dReal a[24];
    dBodyID body[4];
    dJointID drive[2];
    for (int i = 0; i < 4; i++) {
        body[i] = box(world, i < 2 ? 1.5 : 0.9, i < 2 ? crank : coupler);
        place(body[i], f.rod + i, a + 6 * i);
    }
    for (int i = 0; i < 2; i++) {
        drive[i] = hinge(world, body[i], 0, foot + i, swapped);
        hinge(world, body[2 + i], body[i], f.elbow + i, swapped);
    }
    hinge(world, body[3], body[2], &f.tip, swapped);
    const ukSignal motors[2] = {{.kind = ukSignalJointForce, .joint = drive[0]},
                                {.kind = ukSignalJointForce, .joint = drive[1]}};
    double worst = 0;
    for (int k = 0; k < 20; k++) {
        double q[2][3] = {{-2 + 0.3 * sin(k), 2 * cos(k), 5 * sin(2 * k)},
                          {-1.1 + 0.3 * cos(3 * k), sin(5 * k), 3 * cos(k)}},
               tau[2];
        const FiveBar now = fiveBar(q);
        dReal u[2];
        ukInverse inverse;
        for (int i = 0; i < 4; i++) place(body[i], now.rod + i, a + 6 * i);
        closedForm(q, tau);
        CHECK(ukWorldInverseDynamics(world, motors, 2, NULL, a, u, &inverse) == ukOk && inverse.met);
        CHECK(inverse.freedoms == 2 && inverse.inconsistent < 1e-8);
        for (int i = 0; i < 2; i++) worst = fmax(worst, fabs(u[i] * (swapped ? -1 : 1) - tau[i]));
    }
    printf("five-bar: off by %.2g N m\n", worst);
    CHECK(worst <= 1e-9);
    dWorldDestroy(world);
}

/* ---- weights, contacts ------------------------------------------------------------------------------------------- */

/* Two actuators for one motion share it as the inverse squares of their weights. */
static void weights(void)
{
    dWorldID world = dWorldCreate();
    dBodyID body = box(world, 2, 1);
    dJointID slider = dJointCreateSlider(world, 0);
    dJointAttach(slider, body, 0);
    dJointSetSliderAxis(slider, 1, 0, 0);
    const ukSignal both[2] = {{.kind = ukSignalJointForce, .joint = slider},
                              {.kind = ukSignalBodyForce, .body = body, .axis = 0}};
    const dReal w[2] = {1, 2}, a[6] = {5, 0, 0, 0, 0, 0};
    dReal u[2];
    ukInverse inverse;
    CHECK(ukWorldInverseDynamics(world, both, 2, w, a, u, &inverse) == ukOk && inverse.met && inverse.rank == 1);
    CHECK_NEAR(u[0], 8, 1e-12);
    CHECK_NEAR(u[1], 2, 1e-12);
    dWorldDestroy(world);
}

/* A slider of mass m at rest, under gravity across its axis: an acceleration a takes m a and the friction against it,
 * mu m g; none takes none. */
static void frictionAtRest(bool swapped)
{
    const double m = 2, mu = 0.3, along[3] = {5, -5, 0};
    dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -g);
    dBodyID body = box(world, m, 1);
    dJointID slider = dJointCreateSlider(world, 0);
    dJointAttach(slider, swapped ? 0 : body, swapped ? body : 0);
    dJointSetSliderAxis(slider, 1, 0, 0);
    ukJointSetCoulomb(slider, mu, 0);
    const ukSignal push = {.kind = ukSignalBodyForce, .body = body, .axis = 0};
    for (int k = 0; k < 3; k++) {
        const dReal a[6] = {along[k]};
        dReal u;
        ukInverse inverse;
        CHECK(ukWorldInverseDynamics(world, &push, 1, NULL, a, &u, &inverse) == ukOk && inverse.met);
        CHECK_NEAR(u, m * along[k] + (along[k] > 0 ? mu : along[k] < 0 ? -mu : 0) * m * g, 1e-9);
    }
    dWorldDestroy(world);
}

/* A box of 2 kg on the floor with friction 0.5: which accelerations along x do contacts and a vertical actuator
 * give? */
static void contacts(ukFriction law)
{
    dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -g);
    ukWorldSetFriction(world, law);
    dBodyID body = box(world, 2, 1);
    dBodySetPosition(body, 0, 0, 0.05);
    for (int i = 0; i < 4; i++) {
        dContact c;
        memset(&c, 0, sizeof c);
        c.geom.pos[0] = i & 1 ? 0.5 : -0.5;
        c.geom.pos[1] = i & 2 ? 0.05 : -0.05;
        c.geom.normal[2] = 1;
        c.surface.mode = dContactApprox1;
        c.surface.mu = 0.5;
        dJointAttach(dJointCreateContact(world, 0, &c), body, 0);
    }
    dReal a[6] = {0.3 * g, 0, 0, 0, 0, 0}, u[1];
    const ukSignal lift = {.kind = ukSignalBodyForce, .body = body, .axis = 2};
    ukInverse inverse;
    CHECK(ukWorldInverseDynamics(world, NULL, 0, NULL, a, NULL, &inverse) == ukOk && inverse.met);
    double force[3] = {0};
    for (int i = 0; i < inverse.carriers; i++) {
        const dReal *f = inverse.carried[i].force[0];
        for (int k = 0; k < 3; k++) force[k] += f[k];
        CHECK(f[2] >= 0 && fabs(f[0]) <= 0.5 * f[2] + 1e-9);
    }
    CHECK(inverse.carriers == 4);
    CHECK_NEAR(force[0], 0.6 * g, 1e-9);
    CHECK_NEAR(force[2], 2 * g, 1e-9);
    a[0] = 0.7 * g; /* beyond mu g */
    CHECK(ukWorldInverseDynamics(world, NULL, 0, NULL, a, NULL, &inverse) == ukOk && !inverse.met &&
          inverse.worst == body);
    CHECK(inverse.missing[0] > 0.1 * g);
    /* pressed down it goes: 2 (0.7 g) <= 0.5 (2 g - u) */
    CHECK(ukWorldInverseDynamics(world, &lift, 1, NULL, a, u, &inverse) == ukOk && inverse.met);
    CHECK(u[0] <= -0.8 * g + 1e-9);
    a[0] = 0;
    a[2] = -g - 1; /* contacts do not pull */
    CHECK(ukWorldInverseDynamics(world, NULL, 0, NULL, a, NULL, &inverse) == ukOk && !inverse.met);
    CHECK_NEAR(inverse.missing[2], -2, 1e-9);
    dWorldDestroy(world);
}

/* ---- what must not matter, and what is refused ------------------------------------------------------------------- */

static void settings(void)
{
    dReal first[2] = {0};
    static const ukIntegrator kinds[5] = {ukIntegratorEuler, ukIntegratorEuler, ukIntegratorRK4, ukIntegratorAdaptive,
                                          ukIntegratorRattle};
    for (int i = 0; i < 5; i++) {
        Arm arm = makeArm(false);
        const double q1[3] = {0.3, 1, 2}, q2[3] = {0.4, -1, 3};
        const ukSignal motors[2] = {{.kind = ukSignalJointForce, .joint = arm.joint[0]},
                                    {.kind = ukSignalJointForce, .joint = arm.joint[1]}};
        dReal a[12], u[2];
        unsigned char before[16], after[16];
        ukInverse inverse;
        ukWorldSetIntegrator(arm.world, kinds[i]);
        ukWorldSetJointRule(arm.world, i == 1 ? ukJointRuleExact : ukJointRuleODE);
        poseArm(&arm, q1, q2, a);
        ukWorldHash(arm.world, before);
        CHECK(ukWorldInverseDynamics(arm.world, motors, 2, NULL, a, u, &inverse) == ukOk);
        ukWorldHash(arm.world, after);
        CHECK(memcmp(before, after, sizeof before) == 0);
        if (i == 0) memcpy(first, u, sizeof first);
        CHECK(memcmp(first, u, sizeof first) == 0);
        dWorldDestroy(arm.world);
    }
}

static void refusals(void)
{
    Arm arm = makeArm(false);
    const double q1[3] = {0.3, 0, 0};
    dReal a[12], u[1] = {7}, bad = -1;
    ukInverse inverse, zero;
    memset(&zero, 0, sizeof zero);
    poseArm(&arm, q1, q1, a);
    ukSignal s = {.kind = ukSignalJointForce, .joint = arm.joint[0]};
    CHECK(ukWorldInverseDynamics(arm.world, &s, 1, &bad, a, u, &inverse) == ukErrorArgument);
    CHECK(u[0] == 0 && memcmp(&inverse, &zero, sizeof zero) == 0);
    CHECK(ukWorldInverseDynamics(arm.world, &s, 1, NULL, a, NULL, &inverse) == ukErrorArgument);
    CHECK(ukWorldInverseDynamics(arm.world, NULL, 1, NULL, a, u, &inverse) == ukErrorArgument);
    CHECK(ukWorldInverseDynamics(arm.world, &s, 1, NULL, a, u, NULL) == ukErrorArgument);
    CHECK(ukWorldInverseDynamics(NULL, &s, 1, NULL, a, u, &inverse) == ukErrorHandle);
    s.axis = 5;
    CHECK(ukWorldInverseDynamics(arm.world, &s, 1, NULL, a, u, &inverse) == ukErrorArgument);
    s = (ukSignal){.kind = ukSignalMotorVelocity, .joint = arm.joint[0]};
    CHECK(ukWorldInverseDynamics(arm.world, &s, 1, NULL, a, u, &inverse) == ukErrorArgument);
    s.kind = ukSignalJointForce;
    a[3] = NAN;
    CHECK(ukWorldInverseDynamics(arm.world, &s, 1, NULL, a, u, &inverse) == ukErrorArgument);
    a[3] = 0;
    const dReal *const x = dBodyGetPosition(arm.link[1]), away[3] = {x[0] + 0.5, x[1], x[2]},
                       home[3] = {x[0], x[1], x[2]};
    dBodySetPosition(arm.link[1], away[0], away[1], away[2]);
    CHECK(ukWorldInverseDynamics(arm.world, &s, 1, NULL, a, u, &inverse) == ukErrorNotConverged);
    CHECK(strstr(ukGetLastErrorMessage(), "violates its constraints") && memcmp(&inverse, &zero, sizeof zero) == 0);
    dBodySetPosition(arm.link[1], home[0], home[1], home[2]);
    /* dry friction at an active stop */
    ukJointSetCoulomb(arm.joint[0], 0.3, 0.05);
    const double angle = dJointGetHingeAngle(arm.joint[0]);
    dJointSetHingeParam(arm.joint[0], dParamLoStop, angle + 1e-6);
    dJointSetHingeParam(arm.joint[0], dParamHiStop, angle + 1);
    CHECK(ukWorldInverseDynamics(arm.world, &s, 1, NULL, a, u, &inverse) == ukErrorUnsupported);
    CHECK(strstr(ukGetLastErrorMessage(), "hinge joint 1") != NULL);
    dWorldDestroy(arm.world);
}

int main(void)
{
    dInitODE2(0);
    for (int swapped = 0; swapped < 2; swapped++) {
        armAgainstTextbook(swapped);
        fiveBarAgainstClosedForm(swapped);
    }
    reproduces(false, false);
    for (int swapped = 0; swapped < 2; swapped++) reproduces(true, swapped);
    weights();
    frictionAtRest(false);
    frictionAtRest(true);
    contacts(ukFrictionOde);
    contacts(ukFrictionCone);
    settings();
    refusals();
    dCloseODE();
    return ukTestEnd();
}
