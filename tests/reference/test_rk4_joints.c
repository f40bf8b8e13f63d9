/* SPDX-License-Identifier: BSD-3-Clause */
/* One body on one joint with tilted frames, against the joint tests of Project Chrono: motion and reaction. Reference
 * columns Rf, Rt are force and torque on the ground at the joint's point. Three cases are ADAMS's own answers, printed
 * to six digits; the others were computed in minimal coordinates. */
#include <math.h>
#include <stddef.h>

#include "tests/check.h"
#include "tests/reference/mechanism.h"

static const double tilt[4] = {0.92387953251128674, -0.38268343236508977, 0, 0}; /* -45 degrees about x */
static const double origin[3] = {0, 0, 0}, corner[3] = {1, 2, 3};
static const double root = 0.70710678118654752;
static const double *point; /* where the present case's reaction acts */
static ukConstraintID swing;

static Scene *body(double ix, double iy, double iz, double x, double y, double z, const double *q, const double *at)
{
    const double place[3] = {x, y, z};
    Scene *s = sceneNew(1, 1, 0.001);
    dWorldSetGravity(s->world, 0, 0, -9.80665);
    mechanismBody(s, 1, ix, iy, iz, place, q);
    point = at;
    swing = NULL;
    return s;
}

static Scene *watched(Scene *s)
{
    sceneWatch(s);
    return s;
}

static Scene *revolute(void)
{
    Scene *s = body(0.04, 0.1, 0.1, 3, 2, 3, tilt, corner);
    sceneAddHinge(s, s->bodies[0], 0, corner, 0, root, root);
    return watched(s);
}

static Scene *spherical(void)
{
    Scene *s = body(0.04, 0.1, 0.1, 3, 2, 3, tilt, corner);
    sceneAddBall(s, s->bodies[0], 0, corner);
    return watched(s);
}

static Scene *universal(void)
{
    static const double upright[4] = {0.70710678118654752, 0.70710678118654752, 0, 0};
    Scene *s = body(0.1, 0.1, 0.04, 0, 2, 0, upright, origin);
    const dJointID joint = mechanismJoint(s, dJointCreateUniversal(s->world, 0), s->bodies[0], 0);
    dJointSetUniversalAnchor(joint, 0, 0, 0);
    dJointSetUniversalAxis1(joint, 0, 0, 1); /* of the body */
    dJointSetUniversalAxis2(joint, 1, 0, 0); /* of the ground */
    return watched(s);
}

static Scene *distance(void)
{
    Scene *s = body(0.04, 0.1, 0.1, -1, 4, 3, NULL, corner);
    const dJointID joint = mechanismJoint(s, dJointCreateDBall(s->world, 0), s->bodies[0], 0);
    dJointSetDBallAnchor1(joint, 1, 4, 3);
    dJointSetDBallAnchor2(joint, 1, 2, 3);
    return watched(s);
}

static Scene *cylindrical(void)
{
    Scene *s = body(0.04, 0.1, 0.1, 3, 2, 3, tilt, corner);
    const dJointID joint = mechanismJoint(s, dJointCreatePiston(s->world, 0), s->bodies[0], 0);
    dJointSetPistonAnchor(joint, 1, 2, 3);
    dJointSetPistonAxis(joint, 0, root, root);
    return watched(s);
}

static Scene *prismatic(void)
{
    Scene *s = body(0.04, 0.1, 0.1, 3, 2, 3, tilt, corner);
    sceneAddSlider(s, s->bodies[0], 0, 0, root, root);
    return watched(s);
}

/* ---- a rod hinged to the ground: the distance of a point of the body, and a plane that it stays in, which is a user
 * constraint n . (P - centre) = 0 ---- */

typedef struct Plane {
    double n[3], centre[3], local[3];
} Plane;

static double turned(const Plane *plane, const ukBodyState *s, double r[3])
{
    const double *q = s->orientation, *v = plane->local;
    const double t[3] = {2 * (q[2] * v[2] - q[3] * v[1]), 2 * (q[3] * v[0] - q[1] * v[2]),
                         2 * (q[1] * v[1] - q[2] * v[0])};
    r[0] = v[0] + q[0] * t[0] + q[2] * t[2] - q[3] * t[1];
    r[1] = v[1] + q[0] * t[1] + q[3] * t[0] - q[1] * t[2];
    r[2] = v[2] + q[0] * t[2] + q[1] * t[1] - q[2] * t[0];
    double phi = 0;
    for (int i = 0; i < 3; i++) phi += plane->n[i] * (s->position[i] + r[i] - plane->centre[i]);
    return phi;
}

static void crossed(const double x[3], const double y[3], double z[3])
{
    z[0] = x[1] * y[2] - x[2] * y[1];
    z[1] = x[2] * y[0] - x[0] * y[2];
    z[2] = x[0] * y[1] - x[1] * y[0];
}

static double dot(const double x[3], const double y[3])
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

static int planeRow(const struct ukConstraintContext *context, dReal *A, dReal *b, void *data)
{
    const Plane *plane = data;
    const ukBodyState *s = context->bodies;
    double r[3], wr[3], wwr[3];
    turned(plane, s, r);
    crossed(s->spin, r, wr);
    crossed(s->spin, wr, wwr);
    for (int i = 0; i < 3; i++) A[i] = plane->n[i];
    crossed(r, plane->n, A + 3);
    b[0] = -dot(plane->n, wwr);
    return 0;
}

static int planeError(const struct ukConstraintContext *context, dReal *phi, dReal *psi, void *data)
{
    const Plane *plane = data;
    const ukBodyState *s = context->bodies;
    double r[3], wr[3];
    phi[0] = turned(plane, s, r);
    crossed(s->spin, r, wr);
    psi[0] = dot(plane->n, s->velocity) + dot(plane->n, wr);
    return 0;
}

static Scene *swinging(Scene *s, Plane *plane, double x, double y, double z)
{
    const dJointID joint = mechanismJoint(s, dJointCreateDBall(s->world, 0), s->bodies[0], 0);
    dJointSetDBallAnchor1(joint, x, y, z);
    dJointSetDBallAnchor2(joint, plane->centre[0], plane->centre[1], plane->centre[2]);
    swing = ukConstraintCreate(s->world, 1, s->bodies, 1, planeRow, plane);
    CHECK(swing && ukConstraintSetError(swing, planeError, plane) == 0);
    return watched(s);
}

static Scene *swinging1(void)
{
    static Plane plane = {.n = {0, 0, 1}, .centre = {0, 0, 0}, .local = {0, -2, 0}};
    return swinging(body(0.1, 0.04, 0.1, 2, 2, 0, NULL, origin), &plane, 2, 0, 0);
}

static Scene *swinging2(void)
{
    static Plane plane = {.n = {0, 0.70710678118654752, 0.70710678118654752}, .centre = {1, 2, 3}, .local = {0, -2, 0}};
    return swinging(body(0.1, 0.04, 0.1, 3, 4, 3, NULL, corner), &plane, 3, 2, 3);
}

static void stateAndReaction(const Scene *s, double *out)
{
    const dBodyID b = s->bodies[0];
    const dReal *x = dBodyGetPosition(b), *v = dBodyGetLinearVel(b), *q = dBodyGetQuaternion(b),
                *w = dBodyGetAngularVel(b);
    dReal wrench[6], swinging[6] = {0};
    if (swing) CHECK(ukConstraintGetForce(swing, swinging) == 0);
    mechanismForce(s, 0, wrench);
    for (int i = 0; i < 6; i++) wrench[i] += swinging[i];
    for (int i = 0; i < 3; i++) {
        out[i] = x[i];
        out[3 + i] = v[i];
        out[10 + i] = w[i];
        out[13 + i] = -wrench[i];
    }
    for (int i = 0; i < 4; i++) out[6 + i] = q[i];
    const double lever[3] = {x[0] - point[0], x[1] - point[1], x[2] - point[2]};
    double moment[3];
    crossed(lever, wrench, moment);
    for (int i = 0; i < 3; i++) out[16 + i] = -(wrench[3 + i] + moment[i]);
}

#define CASE(title, maker, file, step, cols, place, rate, force, moment, mine)                                         \
    {                                                                                                                  \
        .name = title, .build = maker, .measure = stateAndReaction, .data = file, .columns = cols, .h = step,          \
        .duration = 5, .energy = 2e-5, .only_ukode = mine,                                                             \
        .judged = {{"position [m]", 0, 3, 5, place, false},                                                            \
                   {"velocity, spin [m/s, rad/s]", 3, 3, 5, rate, false},                                              \
                   {"quaternion", 6, 4, 5, place, true},                                                               \
                   {"reaction [N]", 13, 3, 5, force, false},                                                           \
                   {cols > 16 ? "reaction torque [N m]" : NULL, 16, 3, 5, moment, false}},                             \
    }

static const Mechanism mechanisms[] = {
    CASE("hinge (Chrono's Revolute 02)", revolute, "joint_revolute_case02.csv", 1e-3, 16, 1e-6, 1e-6, 1e-4, 0, false),
    CASE("ball (Spherical 02)", spherical, "joint_spherical_case02.csv", 1e-3, 16, 1e-6, 1e-6, 1e-4, 0, false),
    CASE("universal (Universal 01)", universal, "joint_universal_case01.csv", 1e-3, 16, 1e-6, 1e-6, 1e-4, 0, false),
    /* the body whips about the end of its rod */
    CASE("rod (Distance 02)", distance, "joint_distance_case02.csv", 2.5e-4, 16, 1e-5, 1e-5, 1e-3, 0, false),
    CASE("hinged rod (RevSpherical 02)", swinging2, "joint_revspherical_case02.csv", 2.5e-4, 16, 1e-5, 1e-5, 1e-3, 0,
         true),
    /* against ADAMS: six digits; its moments, of up to 1754 N m, scatter by a ten-thousandth */
    CASE("hinged rod (RevSpherical 01), ADAMS", swinging1, "joint_revspherical_case01.csv", 2.5e-4, 19, 2e-5, 5e-4,
         2e-2, 2e-2, true),
    CASE("piston (Cylindrical 03), ADAMS", cylindrical, "joint_cylindrical_case03.csv", 1e-3, 19, 1e-3, 2e-3, 2e-2, 0.2,
         false),
    CASE("slider (Prismatic 02), ADAMS", prismatic, "joint_prismatic_case02.csv", 1e-3, 19, 1e-3, 2e-3, 2e-2, 0.2,
         false)};

int main(int argc, char **argv)
{
    mechanismBegin(argc, argv);
    for (unsigned i = 0; i < sizeof mechanisms / sizeof *mechanisms; i++) mechanismCheck(&mechanisms[i]);
    return mechanismEnd();
}
