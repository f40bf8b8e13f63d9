/* SPDX-License-Identifier: BSD-3-Clause */
/* Contacts, stops and motors in their present state of activity: modes and matrices of worlds with contacts against
 * closed forms: a box on its edge, a ball on a ball, a capsule on its cap, a capsule and a cylinder on their
 * sides, a block that slides, soft ground, stops; the CFM of a world; the world afterwards, under each integrator. */
#include <string.h>
#include <ukode/analysis.h>

#include "demos/scenes.h"
#include "tests/check.h"

static const double g = 9.81, h = 0.01;

static dWorldID newWorld(void)
{
    const dWorldID w = dWorldCreate();
    dWorldSetGravity(w, 0, 0, -g);
    ukWorldEnable(w);
    return w;
}

static dBodyID newBox(dWorldID w, double m, double x, double y, double z, const double at[3])
{
    const dBodyID b = dBodyCreate(w);
    dMass mass;
    dMassSetBoxTotal(&mass, m, x, y, z);
    dBodySetMass(b, &mass);
    dBodySetPosition(b, at[0], at[1], at[2]);
    return b;
}

/* A contact of a with b at a point; mu: of Coulomb's friction. */
static dContact contactAt(const double point[3], const double normal[3], double mu)
{
    dContact c;
    memset(&c, 0, sizeof c);
    c.surface.mode = dContactApprox1;
    c.surface.mu = mu;
    for (int i = 0; i < 3; i++) c.geom.pos[i] = point[i], c.geom.normal[i] = normal[i];
    return c;
}

static void touch(dWorldID w, const dContact *c, dBodyID a, dBodyID b)
{
    dJointAttach(dJointCreateContact(w, 0, c), a, b);
}

static bool good(int status)
{
    if (status != ukOk) printf("  %s\n", ukGetLastErrorMessage());
    return CHECK(status == ukOk);
}

/* ---- a box on its edge ------------------------------------------------------------------------------------------- */

/* Edge a, on an edge along y: an inverted pendulum of length d = a/sqrt 2 with I = m a^2/6: growth^2 = (3/2) g d/a^2.
 * The contacts are of the box, or, with `swapped`, of the world with the box. */
static void checkEdge(bool swapped)
{
    const double a = 0.4, d = a / sqrt(2), at[3] = {0, 0, d}, up[3] = {0, 0, swapped ? -1 : 1};
    const dWorldID w = newWorld();
    const dBodyID box = newBox(w, 3, a, a, a, at);
    const dQuaternion q = {cos(M_PI / 8), 0, sin(M_PI / 8), 0};
    const ukMode *modes;
    int count, zero;
    dBodySetQuaternion(box, q);
    for (int k = 0; k < 2; k++) {
        const double corner[3] = {0, k ? a / 2 : -a / 2, 0};
        const dContact c = contactAt(corner, up, 1);
        touch(w, &c, swapped ? 0 : box, swapped ? box : 0);
    }
    ukLinearization l;
    if (good(ukWorldLinearize(w, NULL, 0, NULL, 0, 0, &l))) {
        CHECK(l.rank == 5 && l.redundant == 1 && l.positions == 1 && l.velocities == 1 && l.error < 1e-9);
        CHECK(strstr(l.activity, "2 stick"));
    }
    if (good(ukWorldModes(w, &modes, &count, &zero)) && CHECK(count == 2 && zero == 0)) {
        const double rate = sqrt(1.5 * g * d) / a;
        CHECK_NEAR(fabs(modes[0].growth), rate, 1e-9 * rate);
        CHECK_NEAR(modes[0].growth + modes[1].growth, 0, 1e-9 * rate);
    }
    dWorldDestroy(w);
}

/* ---- a ball on a ball -------------------------------------------------------------------------------------------- */

/* A solid ball of radius r on top of a fixed one of radius R, which it rolls down: growth^2 = (5/7) g/(R + r). Without
 * friction it slides: growth^2 = g/(R + r). */
static void checkBall(double mu, bool swapped)
{
    const double R = 0.7, r = 0.2, pole[3] = {0, 0, R}, normal[3] = {0, 0, swapped ? -1 : 1};
    const dWorldID w = newWorld();
    const dSpaceID space = dSimpleSpaceCreate(0);
    const dBodyID ball = dBodyCreate(w), base = dBodyCreate(w);
    dMass mass;
    dMassSetSphereTotal(&mass, 2, r);
    dBodySetMass(ball, &mass);
    dBodySetPosition(ball, 0, 0, R + r);
    dBodySetKinematic(base);
    dContact c = contactAt(pole, normal, mu);
    c.geom.g1 = dCreateSphere(space, r);
    c.geom.g2 = dCreateSphere(space, R);
    dGeomSetBody(c.geom.g1, ball);
    dGeomSetBody(c.geom.g2, base);
    touch(w, &c, swapped ? base : ball, swapped ? ball : base);
    const ukMode *modes;
    int count, zero;
    if (good(ukWorldModes(w, &modes, &count, &zero)) && CHECK(count == 4)) {
        const double rate = sqrt((mu > 0 ? 5.0 / 7 : 1) * g / (R + r));
        for (int i = 0; i < 4; i++) CHECK_NEAR(fabs(modes[i].growth), rate, 1e-8 * rate);
        CHECK(modes[0].frequency == 0 && zero == 3);
    }
    dSpaceDestroy(space);
    dWorldDestroy(w);
}

/* A capsule stands on one of its caps, of radius r, and rolls: its centre is `half` above that of the cap, and H above
 * the ground: growth^2 = m g half/(I + m H^2). Without friction its centre rises by half (cos a - 1) all the same:
 * growth^2 = m g half/I. */
static void checkCapsule(double mu, bool swapped)
{
    const double m = 2, r = 0.1, half = 0.25, H = half + r, I = 0.05;
    const double foot[3] = {0, 0, 0}, normal[3] = {0, 0, swapped ? -1 : 1};
    const dWorldID w = newWorld();
    const dSpaceID space = dSimpleSpaceCreate(0);
    const dBodyID b = dBodyCreate(w);
    dMass mass;
    dMassSetParameters(&mass, m, 0, 0, 0, I, I, 0.4 * I, 0, 0, 0);
    dBodySetMass(b, &mass);
    dBodySetPosition(b, 0, 0, H);
    dContact c = contactAt(foot, normal, mu);
    *(swapped ? &c.geom.g2 : &c.geom.g1) = dCreateCapsule(space, r, 2 * half);
    *(swapped ? &c.geom.g1 : &c.geom.g2) = dCreatePlane(space, 0, 0, 1, 0);
    dGeomSetBody(swapped ? c.geom.g2 : c.geom.g1, b);
    touch(w, &c, swapped ? 0 : b, swapped ? b : 0);
    const ukMode *modes;
    int count;
    if (good(ukWorldModes(w, &modes, &count, NULL)) && CHECK(count == 4)) {
        const double rate = sqrt(m * g * half / (I + (mu > 0 ? m * H * H : 0)));
        for (int i = 0; i < 4; i++) CHECK_NEAR(fabs(modes[i].growth), rate, 1e-8 * rate);
        CHECK(modes[0].frequency == 0);
    }
    dSpaceDestroy(space);
    dWorldDestroy(w);
}

/* A body on the side of a capsule or cylinder of radius R, whose axis is a distance `above` over the centre of mass:
 * frequency^2 = m g above / (I + m (R - above)^2). It has contacts at both ends. */
static void checkTilt(bool capsule)
{
    const double m = 3, R = 0.2, length = 0.6, above = 0.05, at[3] = {0, 0, R - above}, up[3] = {0, 0, 1};
    const dQuaternion lying = {sqrt(0.5), sqrt(0.5), 0, 0};
    const dWorldID w = newWorld();
    const dSpaceID space = dSimpleSpaceCreate(0);
    const dBodyID body = newBox(w, m, 0.3, 0.3, 0.3, at);
    const dGeomID geom = capsule ? dCreateCapsule(space, R, length) : dCreateCylinder(space, R, length);
    dGeomSetBody(geom, body);
    dGeomSetOffsetPosition(geom, 0, 0, above);
    dGeomSetOffsetQuaternion(geom, lying);
    for (int k = 0; k < 2; k++) {
        const double point[3] = {0, (k - 0.5) * length, 0};
        dContact c = contactAt(point, up, 1);
        c.geom.g1 = geom;
        touch(w, &c, body, 0);
    }
    const ukMode *modes;
    int count;
    if (good(ukWorldModes(w, &modes, &count, NULL)) && CHECK(count == 1)) {
        const double I = m * 0.3 * 0.3 / 6, rate = sqrt(m * g * above / (I + m * (R - above) * (R - above)));
        CHECK_NEAR(modes[0].frequency, rate, 1e-8 * rate);
    }
    dSpaceDestroy(space);
    dWorldDestroy(w);
}

/* ---- sliding ----------------------------------------------------------------------------------------------------- */

/* A block slides along x with v on four contacts. With friction along each axis: qdd_x = -mu (g - F_z/m) + F_x/m, and
 * nothing along y, where it sticks. With the cone: the direction of friction turns with the velocity, A_yy = -mu
 * g/v. */
static void checkSlide(ukFriction friction)
{
    const double m = 2, mu = 0.3, v = 1.5, at[3] = {0, 0, 0.1}, up[3] = {0, 0, 1};
    const dWorldID w = newWorld();
    const dBodyID block = newBox(w, m, 0.8, 0.8, 0.2, at);
    ukWorldSetFriction(w, friction);
    for (int k = 0; k < 4; k++) {
        const double corner[3] = {k & 1 ? 0.4 : -0.4, k & 2 ? 0.4 : -0.4, 0};
        dContact c = contactAt(corner, up, mu);
        c.surface.mode |= dContactFDir1;
        c.fdir1[0] = 1;
        touch(w, &c, block, 0);
    }
    dBodySetLinearVel(block, v, 0, 0);
    const ukSignal in[2] = {{.kind = ukSignalBodyForce, .body = block, .axis = 0},
                            {.kind = ukSignalBodyForce, .body = block, .axis = 2}};
    const ukSignal out[2] = {{.kind = ukSignalBodyVelocity, .body = block, .axis = 0},
                             {.kind = ukSignalBodyVelocity, .body = block, .axis = 1}};
    ukLinearization l;
    if (good(ukWorldLinearize(w, in, 2, out, 2, 0, &l))) {
        const int n = l.positions + l.velocities;
        double rate[2] = {0}, gain[2] = {0};
        for (int o = 0; o < 2; o++)
            for (int i = 0; i < n; i++) rate[o] += l.C[o * n + i] * l.f[i];
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < n; i++) gain[k] += l.C[i] * l.B[2 * i + k];
        CHECK_NEAR(rate[0], -mu * g, 1e-9);
        CHECK_NEAR(gain[0], 1 / m, 1e-9);
        CHECK_NEAR(gain[1], mu / m, 1e-9);
        CHECK(strstr(l.activity, "4 slide"));
        if (friction == ukFrictionCone) {
            double turn = 0; /* C_y A C_y' / |C_y|^2 */
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++) turn += l.C[n + i] * l.A[i * n + j] * l.C[n + j] * m;
            CHECK_NEAR(turn, -mu * g / v, 1e-7);
        } else {
            CHECK(l.velocities == 1);
        }
    }
    dWorldDestroy(w);
}

/* ---- soft ground ------------------------------------------------------------------------------------------------- */

/* A weight on a contact of soft_erp and soft_cfm: m z'' + kd z' + kp z = 0, kp = erp/(h cfm), kd = (1 - erp)/cfm. It
 * is at rest where the depth beyond the world's surface layer is m g/kp. */
static void checkSoft(double layer)
{
    const double m = 2, erp = 0.3, cfm = 0.02, kp = erp / (h * cfm), kd = (1 - erp) / cfm, up[3] = {0, 0, 1};
    const double at[3] = {0, 0, 0}, point[3] = {0, 0, -0.1};
    const dWorldID w = newWorld();
    const dBodyID b = newBox(w, m, 0.2, 0.2, 0.2, at);
    dContact c = contactAt(point, up, 0);
    c.surface.mode |= dContactSoftERP | dContactSoftCFM;
    c.surface.soft_erp = erp;
    c.surface.soft_cfm = cfm;
    CHECK(ukWorldStep(w, h)); /* of this size */
    dBodySetPosition(b, 0, 0, 0);
    dBodySetLinearVel(b, 0, 0, 0);
    dWorldSetContactSurfaceLayer(w, layer);
    c.geom.depth = m * g / kp + layer;
    touch(w, &c, b, 0);
    ukLinearization l;
    if (good(ukWorldLinearize(w, NULL, 0, NULL, 0, 0, &l)))
        for (int i = 0; i < l.positions + l.velocities; i++) CHECK_NEAR(l.f[i], 0, 1e-9 * g);
    const ukMode *modes;
    int count;
    if (good(ukWorldModes(w, &modes, &count, NULL)) && CHECK(count > 0)) {
        const ukMode *const last = &modes[count - 1];
        const double damped = kp / m - kd * kd / (4 * m * m);
        CHECK_NEAR(last->growth, -kd / (2 * m), 1e-8 * kd);
        CHECK_NEAR(last->frequency, sqrt(damped), 1e-8 * sqrt(kp / m));
    }
    dWorldDestroy(w);
}

/* ---- stops and motors -------------------------------------------------------------------------------------------- */

static dJointID newHinge(dWorldID w, dBodyID a, dBodyID b, double x, double z)
{
    const dJointID j = dJointCreateHinge(w, 0);
    dJointAttach(j, a, b);
    dJointSetHingeAnchor(j, x, 0, z);
    dJointSetHingeAxis(j, 0, 1, 0);
    return j;
}

/* A rod lies on the stop of its hinge (ODE's stops have the same sense in either order of the bodies), another one of
 * length 1 m hangs from its end: omega^2 = (3/2) g. With the stop a bit lower the first one falls: nothing of it is a
 * constraint. With a motor in the hinge instead, which a joint force among the inputs stands for, the two are a double
 * pendulum. */
static void checkStop(bool swapped)
{
    const double lying[3] = {0.5, 0, 0}, hanging[3] = {1, 0, -0.5};
    const dWorldID w = newWorld();
    const dBodyID one = newBox(w, 1, 1, 1e-3, 1e-3, lying), two = newBox(w, 1, 1e-3, 1e-3, 1, hanging);
    const dJointID root = newHinge(w, swapped ? 0 : one, swapped ? one : 0, 0, 0);
    newHinge(w, two, one, 1, 0);
    ukLinearization l;
    const ukMode *modes;
    int count;
    dWorldSetCFM(w, 1e-5);
    dJointSetHingeParam(root, dParamHiStop, 0);
    if (good(ukWorldLinearize(w, NULL, 0, NULL, 0, 0, &l))) {
        CHECK(l.positions == 1 && l.rank == 11);
        CHECK(strstr(l.activity, "stop of hinge joint 1: active"));
    }
    if (good(ukWorldModes(w, &modes, &count, NULL)) && CHECK(count == 1))
        CHECK_NEAR(modes[0].frequency, sqrt(1.5 * g), 1e-5 * 4); /* the rods are 1 mm thick */
    dJointSetHingeParam(root, dParamHiStop, 5e-3);
    if (good(ukWorldLinearize(w, NULL, 0, NULL, 0, 0, &l))) {
        CHECK(l.positions == 2);
        CHECK(strstr(l.activity, "0.005 ahead"));
    }
    dJointSetHingeParam(root, dParamLoStop, -dInfinity);
    dJointSetHingeParam(root, dParamHiStop, dInfinity);
    dJointSetHingeParam(root, dParamFMax, 100);
    dWorldSetCFM(w, 1e-10);
    const ukSignal in = {.kind = ukSignalJointForce, .joint = root};
    if (good(ukWorldLinearize(w, NULL, 0, NULL, 0, 0, &l)))
        CHECK(l.velocities == 1 && strstr(l.activity, "within its bound"));
    if (good(ukWorldLinearize(w, &in, 1, NULL, 0, 0, &l))) {
        CHECK(l.velocities == 2 && strstr(l.activity, "replaced by an input"));
        for (int i = 0; i < 4; i++) CHECK_NEAR(l.f[i], 0, 1e-5); /* the motor's force stays: it is at rest */
    }
    if (good(ukWorldModesOf(w, &in, 1, &modes, &count, NULL))) CHECK(count == 1);
    dWorldDestroy(w);
}

/* A stop just ahead of a joint that is turned by 0.3 rad; ODE's getter has the opposite sign where the body is the
 * second one, its stops do not. */
static void checkAhead(bool swapped, double turn)
{
    const double at[3] = {0.5, 0, 0};
    const dWorldID w = newWorld();
    const dBodyID rod = newBox(w, 1, 1, 0.1, 0.1, at);
    const dJointID joint = newHinge(w, swapped ? 0 : rod, swapped ? rod : 0, 0, 0);
    const dQuaternion q = {cos(turn / 2), 0, sin(turn / 2), 0};
    dBodySetQuaternion(rod, q);
    dBodySetPosition(rod, 0.5 * cos(turn), 0, -0.5 * sin(turn));
    const double angle = swapped ? -dJointGetHingeAngle(joint) : dJointGetHingeAngle(joint);
    CHECK_NEAR(fabs(angle), fabs(turn), 1e-12);
    ukLinearization l;
    dJointSetHingeParam(joint, dParamHiStop, angle + 5e-3);
    if (good(ukWorldLinearize(w, NULL, 0, NULL, 0, 0, &l))) CHECK(strstr(l.activity, "0.005 ahead"));
    dJointSetHingeParam(joint, dParamHiStop, angle + 5e-2);
    dJointSetHingeParam(joint, dParamLoStop, angle - 5e-2);
    if (good(ukWorldLinearize(w, NULL, 0, NULL, 0, 0, &l))) CHECK(!strstr(l.activity, "ahead"));
    dJointSetHingeParam(joint, dParamLoStop, angle - 5e-3);
    if (good(ukWorldLinearize(w, NULL, 0, NULL, 0, 0, &l))) CHECK(strstr(l.activity, "0.005 ahead"));
    dWorldDestroy(w);
}

/* ---- a walker ---------------------------------------------------------------------------------------------------- */

/* Under each integrator a walk with contacts, motors and stops is the same to the bit with linearizations on the
 * way. */
static void checkWalk(ukIntegrator integrator, bool exact)
{
    unsigned char hash[2][16], now[2][16];
    for (int asked = 0; asked < 2; asked++) {
        Scene *const s = sceneWalker(1);
        dWorldSetCFM(s->world, 1e-5);
        ukWorldEnable(s->world);
        ukWorldSetIntegrator(s->world, integrator);
        if (exact) ukWorldSetJointRule(s->world, ukJointRuleExact);
        for (int i = 0; i < 30; i++) {
            sceneStep(s, s->h, dWorldStep);
            if (!asked || i % 10 != 9) continue;
            const dJointID motor = s->joints[0];
            const ukSignal in = {.kind = ukSignalJointForce, .joint = motor};
            ukLinearization l;
            ukWorldHash(s->world, now[0]);
            good(ukWorldLinearize(s->world, &in, 1, NULL, 0, 0, &l));
            ukWorldHash(s->world, now[1]);
            CHECK(memcmp(now[0], now[1], 16) == 0);
        }
        ukWorldHash(s->world, hash[asked]);
        sceneDestroy(s);
    }
    CHECK(memcmp(hash[0], hash[1], 16) == 0);
}

/* A gripper that holds a box: joints beside their rows by what Euler's steps leave, and 17 redundant rows with contacts
 * on both sides of it. */
static int linearizeAndStep(dWorldID w, dReal stepsize)
{
    ukLinearization l;
    if (good(ukWorldLinearize(w, NULL, 0, NULL, 0, 0, &l)))
        CHECK(l.redundant > 6 && l.error < 1e-9 && strstr(l.activity, "8 stick"));
    return ukWorldStep(w, stepsize);
}

static void checkGripper(void)
{
    Scene *const s = sceneGripper(1);
    ukWorldEnable(s->world);
    for (int i = 0; i < 120; i++) sceneStep(s, s->h, i == 119 ? linearizeAndStep : dWorldStep);
    sceneDestroy(s);
}

/* A box on three corners, as dBoxPlane finds them: two carry it, and the third some 3e-8 of its weight, at the limit of
 * its friction. Its normal force is as exact as the others' rounding permits. */
static void checkUnloaded(void)
{
    const double a = 0.2, at[3] = {-1, 0, a / 2};
    const dWorldID w = newWorld();
    const dSpaceID space = dSimpleSpaceCreate(0);
    const dGeomID shape = dCreateBox(space, a, a, a), ground = dCreatePlane(space, 0, 0, 1, 0);
    dContact c[4];
    const dBodyID box = newBox(w, 500 * a * a * a, a, a, a, at);
    dGeomSetBody(shape, box);
    const int count = dCollide(shape, ground, 4, &c[0].geom, sizeof *c);
    for (int i = 0; i < count; i++) {
        c[i].surface.mode = dContactApprox1;
        c[i].surface.mu = 0.5;
        touch(w, &c[i], box, 0);
    }
    ukLinearization l;
    if (good(ukWorldLinearize(w, NULL, 0, NULL, 0, 0, &l))) CHECK(l.positions == 0 && l.velocities == 0 && l.rank == 6);
    dSpaceDestroy(space);
    dWorldDestroy(w);
}

/* A rod on a motor that has not reached its velocity, but will in the next step: the linearization is about the state
 * in which it has; the change of velocity is reported, and named. */
static void checkMotorStarts(bool swapped)
{
    const dWorldID w = dWorldCreate();
    const dBodyID rod = dBodyCreate(w);
    const dJointID hinge = dJointCreateHinge(w, 0);
    dMass mass;
    ukLinearization l;
    dMassSetBoxTotal(&mass, 3, 0.1, 0.1, 1);
    dBodySetMass(rod, &mass);
    dBodySetPosition(rod, 0, 0, -0.5);
    dJointAttach(hinge, swapped ? 0 : rod, swapped ? rod : 0);
    dJointSetHingeAnchor(hinge, 0, 0, 0);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    dJointSetHingeParam(hinge, dParamFMax, 1000);
    dJointSetHingeParam(hinge, dParamVel, 0.2);
    ukWorldEnable(w);
    const double inertia = mass.I[5] + 3 * 0.25;
    CHECK(ukWorldLinearize(w, NULL, 0, NULL, 0, 0, &l) == ukOk);
    CHECK(l.positions == 1 && l.velocities == 0);
    CHECK_NEAR(l.jump, 0.2 * sqrt(inertia), 1e-12);
    CHECK(strstr(l.activity, "has not reached its velocity, by 0.2"));
    CHECK(ukWorldStep(w, 0.01) && ukWorldLinearize(w, NULL, 0, NULL, 0, 0, &l) == ukOk);
    CHECK(l.jump < 1e-3 && !strstr(l.activity, "has not reached"));
    dWorldDestroy(w);
}

/* A step at a stop that is just reached: a velocity towards it is lost, one away from it is kept. The linearization of
 * the step is the mean, and says so; without the stop it does not. */
static void checkKink(bool swapped)
{
    for (int stop = 0; stop < 2; stop++) {
        const dWorldID w = dWorldCreate();
        const dBodyID rod = dBodyCreate(w);
        const dJointID hinge = dJointCreateHinge(w, 0);
        dMass mass;
        ukLinearization l;
        dMassSetBoxTotal(&mass, 3, 0.1, 0.1, 1);
        dBodySetMass(rod, &mass);
        dBodySetPosition(rod, 0, 0, -0.5);
        dJointAttach(hinge, swapped ? 0 : rod, swapped ? rod : 0);
        dJointSetHingeAnchor(hinge, 0, 0, 0);
        dJointSetHingeAxis(hinge, 0, 1, 0);
        dWorldSetGravity(w, 0, 0, -9.81);
        if (stop) dJointSetHingeParam(hinge, dParamHiStop, 0);
        ukWorldEnable(w);
        CHECK(ukWorldLinearize(w, NULL, 0, NULL, 0, 0.01, &l) == ukOk && l.velocities == 1);
        if (!CHECK(!strstr(l.activity, "slopes to both sides differ") == !stop))
            printf("  stop %d: A %g %g %g %g, error %.2g, %s\n", stop, l.A[0], l.A[1], l.A[2], l.A[3], l.error,
                   l.activity);
        dWorldDestroy(w);
    }
}

/* The method is named: the tangent, or differences where a force depends on a joint's load (dry friction). A rod that
 * swings past the bottom at v, with friction of mu r |load| in its hinge: load = m (g + w^2 a), J dw/dt = -mu r load,
 * so that J d(dw/dt)/dw = -2 mu r m a w. */
static void checkMethod(bool swapped)
{
    const double a = 0.5, g = 9.81, m = 3, mu = 0.3, r = 0.1, rate = 1.5;
    for (int dry = 0; dry < 2; dry++) {
        const dWorldID w = dWorldCreate();
        const dBodyID rod = dBodyCreate(w);
        const dJointID hinge = dJointCreateHinge(w, 0);
        dMass mass;
        ukLinearization l;
        dMassSetBoxTotal(&mass, m, 0.1, 0.1, 1);
        dBodySetMass(rod, &mass);
        dWorldSetGravity(w, 0, 0, -g);
        dBodySetPosition(rod, 0, 0, -a);
        dBodySetLinearVel(rod, -a * rate, 0, 0);
        dBodySetAngularVel(rod, 0, rate, 0);
        dJointAttach(hinge, swapped ? 0 : rod, swapped ? rod : 0);
        dJointSetHingeAnchor(hinge, 0, 0, 0);
        dJointSetHingeAxis(hinge, 0, 1, 0);
        ukWorldEnable(w);
        if (dry) CHECK(ukJointSetCoulomb(hinge, mu, r) == ukOk);
        CHECK(ukWorldLinearize(w, NULL, 0, NULL, 0, 0, &l) == ukOk);
        CHECK(l.differences == dry && l.positions == 1 && l.velocities == 1);
        const double inertia = mass.I[5] + m * a * a;
        if (!CHECK(fabs(l.A[3] - (dry ? -2 * mu * r * m * a * rate / inertia : 0)) < 1e-8))
            printf("  dry %d: %.12g\n", dry, l.A[3]);
        CHECK(ukWorldLinearize(w, NULL, 0, NULL, 0, 0.01, &l) == ukOk && l.differences);
        dWorldDestroy(w);
    }
}

/* A motor that takes more than 95 % of its bound to hold a rod at the present state is named. */
static void checkMotorSlips(void)
{
    const dWorldID w = dWorldCreate();
    const dBodyID rod = dBodyCreate(w);
    const dJointID hinge = dJointCreateHinge(w, 0);
    dMass mass;
    ukLinearization l;
    dMassSetBoxTotal(&mass, 3, 0.1, 0.1, 1);
    dBodySetMass(rod, &mass);
    dWorldSetGravity(w, 0, 0, -9.81);
    dBodySetPosition(rod, 0, 0, -0.5);
    dJointAttach(hinge, rod, 0);
    dJointSetHingeAnchor(hinge, 0, 0, 0);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    dJointSetHingeParam(hinge, dParamFMax, 14);
    dBodyAddTorque(rod, 0, 13.5, 0);
    ukWorldEnable(w);
    CHECK(ukWorldLinearize(w, NULL, 0, NULL, 0, 0, &l) == ukOk);
    CHECK(l.velocities == 0 &&
          strstr(l.activity, "motor of hinge joint 1: takes 13.5 of 14 at this state, near switching"));
    dWorldDestroy(w);
}

/* A walker that stands on four legs, whose servos' torques friction makes arbitrary: replaced by inputs, they keep the
 * values of the step, which balance its weight. */
static int linearizeServos(dWorldID w, dReal stepsize)
{
    enum { Servos = 8 };
    ukSignal in[Servos];
    ukLinearization l;
    for (int i = 0; i < Servos; i++) in[i] = (ukSignal){.kind = ukSignalJointForce, .joint = ukWorldGetJoint(w, i)};
    if (good(ukWorldLinearize(w, in, Servos, NULL, 0, 0, &l))) {
        CHECK(l.positions == 3 && l.velocities == 3);
        for (int i = 0; i < 6; i++)
            if (!CHECK(fabs(l.f[i]) < 0.05)) printf("  the walker accelerates by %.3g\n", l.f[i]);
    }
    /* the other servos, which correct 1e-10 rad/s that the CFM leaves, do not contradict each other */
    if (good(ukWorldLinearize(w, in, 1, NULL, 0, 0, &l))) CHECK(l.velocities == 0 && l.jump < 1e-3);
    return ukWorldStep(w, stepsize);
}

static void checkServos(void)
{
    Scene *const s = sceneWalker(1);
    s->gait.rate = 0;
    for (int leg = 0; leg < 4; leg++) s->gait.phase[leg] = 0;
    dWorldSetContactSurfaceLayer(s->world, 1e-3);
    dWorldSetCFM(s->world, 1e-5);
    ukWorldEnable(s->world);
    for (int i = 0; i < 200; i++) sceneStep(s, s->h, i == 199 ? linearizeServos : dWorldStep);
    sceneDestroy(s);
}

int main(void)
{
    dInitODE2(0);
    for (int swapped = 0; swapped < 2; swapped++) {
        checkEdge(swapped);
        checkBall(1, swapped);
        checkBall(0, swapped);
        checkCapsule(1, swapped);
        checkCapsule(0, swapped);
        checkStop(swapped);
        checkMotorStarts(swapped);
        checkMethod(swapped);
        checkAhead(swapped, 0.3);
        checkAhead(swapped, -0.3);
        checkKink(swapped);
    }
    checkTilt(false);
    checkTilt(true);
    checkSlide(ukFrictionOde);
    checkSlide(ukFrictionCone);
    checkSoft(0);
    checkSoft(1e-3);
    checkMotorSlips();
    checkServos();
    checkGripper();
    checkUnloaded();
    const ukIntegrator integrators[] = {ukIntegratorEuler, ukIntegratorRK4, ukIntegratorAdaptive, ukIntegratorRattle};
    for (int i = 0; i < 4; i++) checkWalk(integrators[i], false);
    checkWalk(ukIntegratorEuler, true);
    dCloseODE();
    return ukTestEnd();
}
