/* SPDX-License-Identifier: BSD-3-Clause */
/* Equilibria from random starts against closed forms: a catenary of links, a ladder, a three-legged table, a four-bar
 * with a spring, a Stewart platform on springs; stability, reactions, and what is arbitrary. */
#include <string.h>

#include <ukode/analysis.h>

#include "demos/scenes.h"
#include "solvers/base/status.h"
#include "tests/check.h"

static const double pi = 3.14159265358979323846, g = 9.81;

static double uniform(unsigned long *state)
{
    *state = *state * 6364136223846793005UL + 1442695040888963407UL;
    return (double)(*state >> 11) * 0x1p-52 - 1;
}

/* of a search that must not fail: whether it found one */
static bool search(dWorldID world, ukEquilibrium *e)
{
    unsigned char before[16], after[16];
    ukWorldHash(world, before);
    if (!CHECK(ukWorldEquilibrium(world, 0, e) == ukOk)) puts(ukGetLastErrorMessage());
    ukWorldHash(world, after);
    if (!e->found) CHECK(memcmp(before, after, sizeof before) == 0);
    CHECK(!e->found || (e->residual <= 1e-12 && e->gap <= 1e-12));
    return e->found;
}

static const ukCarried *carriedBy(const ukEquilibrium *e, dJointID joint)
{
    for (int i = 0; i < e->carriers; i++)
        if (e->carried[i].joint == joint) return e->carried + i;
    CHECK(e->carriers < 0);
    return e->carried;
}

static dBodyID box(dWorldID world, double mass, double a, double b, double c)
{
    dMass m;
    dBodyID body = dBodyCreate(world);
    dMassSetBoxTotal(&m, mass, a, b, c);
    dBodySetMass(body, &m);
    return body;
}

static dWorldID heavyWorld(void)
{
    dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -g);
    return world;
}

static void turnAbout(dBodyID body, double x, double y, double z, double angle)
{
    dQuaternion q;
    dQFromAxisAndAngle(q, x, y, z, angle);
    dBodySetQuaternion(body, q);
}

/* ---- catenary ---------------------------------------------------------------------------------------------------- */

enum { Links = 30 };
static const double span = 20;

/* Links of 1 m with both ends on the world: tan(theta_i) = (i + 1/2 - n/2) w/H by the moments about each link's end,
 * with H from sum cos(theta_i) = span. */
static void catenary(double at[Links][2])
{
    double low = 0, high = 1e3; /* H/w */
    for (int k = 0; k < 200; k++) {
        const double H = 0.5 * (low + high);
        double sum = 0;
        for (int i = 0; i < Links; i++) sum += 1 / sqrt(1 + pow((i + 0.5 - Links / 2) / H, 2));
        *(sum < span ? &low : &high) = H;
    }
    double x = 0, z = 0;
    for (int i = 0; i < Links; i++) {
        const double slope = atan((i + 0.5 - Links / 2) / low);
        at[i][0] = x + 0.5 * cos(slope);
        at[i][1] = z + 0.5 * sin(slope);
        x += cos(slope), z += sin(slope);
    }
}

static dWorldID chain(dBodyID link[Links], bool swapped)
{
    dWorldID world = heavyWorld();
    for (int i = 0; i <= Links; i++) {
        if (i < Links) link[i] = box(world, 1, 1, 0.05, 0.05), dBodySetPosition(link[i], i + 0.5, 0, 0);
        dBodyID a = i < Links ? link[i] : link[i - 1], b = i > 0 && i < Links ? link[i - 1] : 0;
        dJointID hinge = dJointCreateHinge(world, 0);
        dJointAttach(hinge, swapped ? b : a, swapped ? a : b);
        dJointSetHingeAnchor(hinge, i, 0, 0);
        dJointSetHingeAxis(hinge, 0, 1, 0);
        if (i == Links) { /* the end's place on the world: moved by an offset of the last link */
            dBodySetPosition(link[i - 1], span - 0.5, 0, 0);
            dJointSetHingeAnchor(hinge, span, 0, 0);
            dBodySetPosition(link[i - 1], i - 0.5, 0, 0);
        }
    }
    return world;
}

static void hangingChain(int count)
{
    double exact[Links][2], worst = 0;
    int found = 0, passes = 0;
    unsigned long random = 1;
    catenary(exact);
    for (int k = 0; k < count; k++) {
        dBodyID link[Links];
        ukEquilibrium e;
        dWorldID world = chain(link, k % 2);
        for (int i = 0; i < Links; i++) {
            dBodySetPosition(link[i], i * span / Links + uniform(&random), 0, uniform(&random));
            turnAbout(link[i], 0, 1, 0, 1.5 * uniform(&random));
        }
        if (search(world, &e)) {
            found++;
            passes += e.passes;
            CHECK(e.stable && e.freedoms == Links - 2 && e.conservative);
            for (int i = 0; i < Links; i++) {
                const dReal *x = dBodyGetPosition(link[i]);
                worst = fmax(worst, fmax(fabs(x[0] - exact[i][0]), fabs(x[2] - exact[i][1])));
            }
        }
        dWorldDestroy(world);
    }
    printf("catenary: %d of %d found, off by %.2g m, %d passes\n", found, count, worst, passes);
    CHECK(worst <= 1e-10);
    CHECK(found >= 0.95 * count);
}

/* ---- ladder, table ----------------------------------------------------------------------------------------------- */

/* A contact of a point of the body with a plane of the world through the origin, wherever the body is. */
static dJointID foot(dWorldID world, dBodyID body, const double local[3], const double normal[3], double mu)
{
    dContact c;
    dVector3 at;
    memset(&c, 0, sizeof c);
    dBodyGetRelPointPos(body, local[0], local[1], local[2], at);
    for (int i = 0; i < 3; i++) {
        c.geom.pos[i] = at[i];
        c.geom.normal[i] = normal[i];
        c.geom.depth -= normal[i] * at[i];
    }
    c.surface.mode = dContactApprox1;
    c.surface.mu = mu;
    dJointID joint = dJointCreateContact(world, 0, &c);
    dJointAttach(joint, body, 0);
    return joint;
}

static const double floorNormal[3] = {0, 0, 1}, wallNormal[3] = {1, 0, 0};

/* A ladder of 2 m, 10 kg, foot at (1.2, 0), without friction, on a rope to the corner; dropped from above. Rope: m g/2
 * cot(alpha), as the wall. */
static void ladder(int count)
{
    int found = 0;
    double worst = 0;
    unsigned long random = 2;
    for (int k = 0; k < count; k++) {
        const double low[3] = {-1, 0, 0}, top[3] = {1, 0, 0};
        dWorldID world = heavyWorld();
        dBodyID body = box(world, 10, 2, 0.1, 0.1);
        dBodyID slide = box(world, 1e-3, 0.1, 0.1, 0.1), cart = box(world, 1e-3, 0.1, 0.1, 0.1); /* keep it upright */
        dJointID hold = dJointCreateHinge(world, 0), rope = dJointCreateDBall(world, 0);
        dJointID rail[2] = {dJointCreateSlider(world, 0), dJointCreateSlider(world, 0)};
        dBodySetPosition(body, 0.6, 0, 0.8);
        dBodySetPosition(slide, 0.6, 0, 0.8);
        dBodySetPosition(cart, 0.6, 0, 0.8);
        dBodySetGravityMode(slide, 0);
        dBodySetGravityMode(cart, 0);
        dJointAttach(hold, body, slide);
        dJointSetHingeAnchor(hold, 0.6, 0, 0.8);
        dJointSetHingeAxis(hold, 0, 1, 0);
        dJointAttach(rail[0], slide, cart);
        dJointSetSliderAxis(rail[0], 1, 0, 0);
        dJointAttach(rail[1], cart, 0);
        dJointSetSliderAxis(rail[1], 0, 0, 1);
        turnAbout(body, 0, 1, 0, pi + asin(0.8)); /* local -x is the foot */
        dVector3 end;
        dBodyGetRelPointPos(body, -1, 0, 0, end);
        dJointAttach(rope, body, 0);
        dJointSetDBallAnchor1(rope, end[0], end[1], end[2]);
        dJointSetDBallAnchor2(rope, 0, 0, 0);
        CHECK_NEAR(end[0], 1.2, 1e-12);
        CHECK_NEAR(end[2], 0, 1e-12);
        /* anywhere above, leaning by 25 to 65 degrees */
        const double lean = pi / 4 * (1 + 0.45 * uniform(&random)), up = 0.3 * (1 + uniform(&random));
        const double out = 0.3 * (1 + uniform(&random));
        turnAbout(body, 0, 1, 0, pi + lean);
        dBodySetPosition(body, cos(lean) + out, 0, sin(lean) + up);
        dJointID ground = foot(world, body, low, floorNormal, 0), wall = foot(world, body, top, wallNormal, 0);
        ukEquilibrium e;
        if (search(world, &e)) {
            const ukCarried *c = carriedBy(&e, ground), *w = carriedBy(&e, wall), *r = carriedBy(&e, rope);
            found++;
            dBodyGetRelPointPos(body, -1, 0, 0, end);
            worst = fmax(worst, fmax(fabs(end[0] - 1.2), fabs(end[2])));
            worst = fmax(worst, fabs(c->force[0][2] - 10 * g) / (10 * g));
            worst = fmax(worst, fabs(w->force[0][0] - 5 * g * 0.75) / (10 * g));
            worst = fmax(worst, fabs(r->force[0][0] + 5 * g * 0.75) / (10 * g));
            CHECK(c->unique && w->unique && r->unique && e.freedoms == 0 && e.stable);
        }
        dWorldDestroy(world);
    }
    printf("ladder: %d of %d found, off by %.2g\n", found, count, worst);
    CHECK(worst <= 1e-10);
    CHECK(found >= 0.95 * count);
}

/* With friction at both ends the ladder stands where it leans, and how is arbitrary within a set; too flat it does
 * not. */
static void ladderWithFriction(void)
{
    for (int steep = 0; steep < 2; steep++) {
        const double lean = steep ? 1.2 : 0.5, low[3] = {-1, 0, 0}, top[3] = {1, 0, 0};
        dWorldID world = heavyWorld();
        dBodyID body = box(world, 10, 2, 0.1, 0.1);
        turnAbout(body, 0, 1, 0, pi + lean);
        dBodySetPosition(body, cos(lean), 0, sin(lean));
        dJointID ground = foot(world, body, low, floorNormal, 0.5),
                 wall = foot(world, body, top, wallNormal, steep ? 0.5 : 0);
        unsigned char before[16], after[16];
        ukEquilibrium e;
        ukWorldHash(world, before);
        CHECK(ukWorldEquilibrium(world, 0, &e) == ukOk);
        ukWorldHash(world, after);
        if (steep) {
            const ukCarried *c = carriedBy(&e, ground), *w = carriedBy(&e, wall);
            CHECK(e.found && !c->unique && !w->unique);
            CHECK_NEAR(c->force[0][2] + w->force[0][2], 10 * g, 1e-8);
            CHECK_NEAR(c->force[0][0] + w->force[0][0], 0, 1e-8);
            const double stood[3] = {cos(lean), 0, sin(lean)};
            CHECK_NEAR_ALL(dBodyGetPosition(body), stood, 3, 1e-12);
        } else { /* tan(alpha) < 1/(2 mu): it slides, and there is no floor under its top */
            CHECK(!e.found || fabs(dBodyGetPosition(body)[2] - sin(lean)) > 0.01);
            if (!e.found) CHECK(e.unbalanced == body && memcmp(before, after, sizeof before) == 0);
        }
        dWorldDestroy(world);
    }
}

/* A table of 20 kg on three legs without friction, its centre of mass nearer to one of them: reactions by moments. */
static void table(int count)
{
    static const double feet[3][3] = {{0.5, 0, -0.7}, {-0.4, 0.45, -0.7}, {-0.4, -0.45, -0.7}};
    static const double share[3] = {4.0 / 9, 2.5 / 9, 2.5 / 9}; /* of the centre: 0.4/0.9 of the way */
    int found = 0;
    double worst = 0;
    unsigned long random = 3;
    for (int k = 0; k < count; k++) {
        dWorldID world = heavyWorld();
        dBodyID body = box(world, 20, 1, 1, 0.1);
        turnAbout(body, uniform(&random), uniform(&random), 0.1, 0.4 * uniform(&random));
        dBodySetPosition(body, 0.1, 0.2, 1.2 + 0.3 * uniform(&random));
        dJointID leg[3];
        for (int i = 0; i < 3; i++) leg[i] = foot(world, body, feet[i], floorNormal, 0);
        ukEquilibrium e;
        if (search(world, &e)) {
            found++;
            CHECK(e.freedoms == 3 && e.neutral == 3 && e.unstable == 0 && !e.stable);
            /* or below the floor, from which it hangs by its feet: its top has no contact */
            worst = fmax(worst, fabs(fabs(dBodyGetPosition(body)[2]) - 0.7));
            for (int i = 0; i < 3; i++) {
                const ukCarried *c = carriedBy(&e, leg[i]);
                CHECK(c->unique);
                worst = fmax(worst, fabs(c->force[0][2] / (20 * g) - share[i]));
            }
        }
        dWorldDestroy(world);
    }
    printf("table: %d of %d found, off by %.2g\n", found, count, worst);
    CHECK(worst <= 1e-10);
    CHECK(found >= 0.95 * count);
}

/* ---- springs ----------------------------------------------------------------------------------------------------- */

static const double stiff = 60, rest = 0.4; /* [N m], [rad] */

/* On the crank: torque -k sin(theta - rest), theta from +x upwards, about -y. */
static int crankSpring(const ukConstraintContext *context, dReal *force, void *data)
{
    const dReal *x = context->bodies[0].position;
    (void)data;
    force[4] = stiff * sin(atan2(x[2], x[0]) - rest);
    return 0;
}

static void fourBar(int count)
{
    int found = 0, parallel = 0;
    double worst = 0;
    unsigned long random = 4;
    for (int k = 0; k < count; k++) {
        Scene *scene = sceneFourBar();
        ukForceCreate(scene->world, scene->bodies, 1, crankSpring, NULL);
        for (int i = 0; i < 3; i++) {
            dQuaternion q;
            for (int c = 0; c < 4; c++) q[c] = uniform(&random);
            dBodySetQuaternion(scene->bodies[i], q);
            dBodySetPosition(scene->bodies[i], 2 * uniform(&random), 2 * uniform(&random), 2 * uniform(&random));
        }
        ukEquilibrium e;
        if (search(scene->world, &e)) {
            found++;
            const dReal *crank = dBodyGetPosition(scene->bodies[0]), *rocker = dBodyGetPosition(scene->bodies[2]);
            if (fabs(crank[2] - rocker[2]) <
                1e-6) { /* 3 g cos(theta) + k sin(theta - rest) = 0, k cos(rest) > 0: stable */
                parallel++;
                const double theta = atan2(stiff * sin(rest) - 3 * g, stiff * cos(rest));
                worst = fmax(worst, fabs(atan2(crank[2], crank[0]) - theta));
                CHECK(e.stable && e.freedoms == 1);
            }
        }
        sceneDestroy(scene);
    }
    printf("four-bar: %d of %d found, %d parallel, off by %.2g\n", found, count, parallel, worst);
    CHECK(worst <= 1e-10 && parallel > 0);
    CHECK(found >= 0.95 * count);
}

/* A platform on six legs of two parts and a spring each; by symmetry, upright, its height balances
 * dE/dz of E = m g z + sum of the legs' parts + 3 k (l - l0)^2, l^2 = d^2 + z^2. */
static const double legs = 400, unstretched = 1.5, part = 0.3; /* [N/m], [m], centre of a part from its end [m] */

static int legSpring(const ukConstraintContext *context, dReal *force, void *data)
{
    double u[3], length = 0;
    (void)data;
    for (int i = 0; i < 3; i++) {
        u[i] = context->bodies[1].position[i] - context->bodies[0].position[i];
        length += u[i] * u[i];
    }
    length = sqrt(length);
    for (int i = 0; i < 3; i++) {
        const double f = legs * (length + 2 * part - unstretched) * u[i] / length;
        force[i] = f;
        force[6 + i] = -f;
    }
    return 0;
}

static double platformHeight(double mass, double leg, double d2)
{
    double low = 0.3, high = 3;
    for (int k = 0; k < 200; k++) {
        const double z = 0.5 * (low + high), l = sqrt(d2 + z * z), swing = d2 / (l * l * l); /* d(z/l)/dz */
        const double slope =
            mass * g + 6 * leg * g * (part * swing + 1 - part * swing) + 6 * legs * (l - unstretched) * z / l;
        *(slope < 0 ? &low : &high) = z;
    }
    return low;
}

/* One leg of two parts along u (unit) between two points, with its spring. */
static void addLeg(dWorldID world, dBodyID top, const double from[3], const double to[3], bool swapped)
{
    double u[3], length = 0;
    dBodyID pair[2];
    for (int c = 0; c < 3; c++) u[c] = to[c] - from[c], length += u[c] * u[c];
    for (int c = 0; c < 3; c++) u[c] /= sqrt(length);
    for (int side = 0; side < 2; side++) {
        dMatrix3 R;
        pair[side] = box(world, 1, 0.05, 0.05, 2 * part);
        dRFromZAxis(R, u[0], u[1], u[2]);
        dBodySetRotation(pair[side], R);
        const double *end = side ? to : from, along = side ? -part : part;
        dBodySetPosition(pair[side], end[0] + along * u[0], end[1] + along * u[1], end[2] + along * u[2]);
    }
    const double across[3] = {-from[1], from[0], 0};
    const double third[3] = {across[1] * u[2] - across[2] * u[1], across[2] * u[0] - across[0] * u[2],
                             across[0] * u[1] - across[1] * u[0]};
    dJointID low = dJointCreateUniversal(world, 0), slide = dJointCreateSlider(world, 0);
    dJointID high = dJointCreateBall(world, 0);
    dJointAttach(low, swapped ? 0 : pair[0], swapped ? pair[0] : 0);
    dJointSetUniversalAnchor(low, from[0], from[1], from[2]);
    dJointSetUniversalAxis1(low, across[0], across[1], across[2]);
    dJointSetUniversalAxis2(low, third[0], third[1], third[2]);
    dJointAttach(slide, pair[swapped], pair[!swapped]);
    dJointSetSliderAxis(slide, u[0], u[1], u[2]);
    dJointAttach(high, swapped ? pair[1] : top, swapped ? top : pair[1]);
    dJointSetBallAnchor(high, to[0], to[1], to[2]);
    ukForceCreate(world, pair, 2, legSpring, NULL);
}

/* *d2: the square of a leg's extent across */
static dWorldID makePlatform(bool swapped, double *d2)
{
    dWorldID world = heavyWorld();
    dMass m;
    dBodyID top = dBodyCreate(world);
    dMassSetCylinderTotal(&m, 10, 3, 0.6, 0.1);
    dBodySetMass(top, &m);
    dBodySetPosition(top, 0, 0, 1.2);
    for (int i = 0; i < 6; i++) {
        const double base = pi / 3 * (i + (i % 2 ? 0.3 : -0.3)), head = pi / 3 * (i + (i % 2 ? -0.3 : 0.3));
        const double from[3] = {cos(base), sin(base), 0}, to[3] = {0.6 * cos(head), 0.6 * sin(head), 1.2};
        *d2 = (to[0] - from[0]) * (to[0] - from[0]) + (to[1] - from[1]) * (to[1] - from[1]);
        addLeg(world, top, from, to, swapped);
    }
    return world;
}

static void platform(int count)
{
    int found = 0, upright = 0;
    double worst = 0, d2;
    unsigned long random = 5;
    for (int k = 0; k < count; k++) {
        dWorldID world = makePlatform(k % 2 == 1, &d2);
        dBodyID top = ukWorldGetBody(world, 0);
        for (int i = 0; i < ukWorldGetBodyCount(world); i++) { /* up to a metre, and 1 rad, away */
            dBodyID body = ukWorldGetBody(world, i);
            const dReal *x = dBodyGetPosition(body), *q = dBodyGetQuaternion(body);
            dQuaternion turn, turned;
            dQFromAxisAndAngle(turn, uniform(&random), uniform(&random), uniform(&random), uniform(&random));
            dQMultiply0(turned, turn, q);
            dBodySetPosition(body, x[0] + uniform(&random), x[1] + uniform(&random), x[2] + uniform(&random));
            dBodySetQuaternion(body, turned);
        }
        ukEquilibrium e;
        if (search(world, &e)) {
            const dReal *R = dBodyGetRotation(top), z = dBodyGetPosition(top)[2];
            found++;
            CHECK(e.freedoms == 6 && e.conservative);
            if (R[10] > 0.999999 && z > 0 && fabs(R[0] - 1) < 1e-6) {
                upright++;
                worst = fmax(worst, fabs(z - platformHeight(10, 1, d2)));
            }
        }
        dWorldDestroy(world);
    }
    printf("Stewart platform: %d of %d found, %d upright, off by %.2g\n", found, count, upright, worst);
    CHECK(worst <= 1e-10 && upright > 0);
    CHECK(found >= 0.95 * count);
}

/* An inverted pendulum is an equilibrium, and unstable; beside it the search goes down. */
static dJointID upright(dWorldID world, bool swapped)
{
    dBodyID body = box(world, 1, 0.1, 0.1, 1);
    dJointID hinge = dJointCreateHinge(world, 0);
    dBodySetPosition(body, 0, 0, 0.5);
    dJointAttach(hinge, swapped ? 0 : body, swapped ? body : 0);
    dJointSetHingeAnchor(hinge, 0, 0, 0);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    return hinge;
}

static void pendulum(bool swapped)
{
    dWorldID world = heavyWorld();
    dJointID hinge = upright(world, swapped);
    dBodyID body = ukWorldGetBody(world, 0);
    dBodySetAngularVel(body, 0, 3, 0);
    dBodySetLinearVel(body, 1.5, 0, 0);
    ukEquilibrium e;
    const double inertia = 0.25 + 1.01 / 12; /* about the hinge */
    CHECK(search(world, &e) && !e.stable && e.unstable == 1 && e.freedoms == 1);
    CHECK_NEAR(e.softest, -g * 0.5 / inertia, 1e-7 * g);
    CHECK_NEAR(carriedBy(&e, hinge)->force[swapped][2], g, 1e-9);
    CHECK(dBodyGetAngularVel(body)[1] == 0 && dBodyGetLinearVel(body)[0] == 0);
    turnAbout(body, 0, 1, 0, 0.3);
    dBodySetPosition(body, 0.5 * sin(0.3), 0, 0.5 * cos(0.3));
    CHECK(search(world, &e) && e.stable && e.unstable == 0);
    CHECK_NEAR(e.softest, g * 0.5 / inertia, 1e-7 * g);
    CHECK_NEAR(dBodyGetPosition(body)[2], -0.5, 1e-12);

    /* a motor within its bound holds it anywhere; a weak one does not; a stop does */
    dJointSetHingeParam(hinge, dParamFMax, 10);
    turnAbout(body, 0, 1, 0, pi / 2);
    dBodySetPosition(body, 0.5, 0, 0);
    CHECK(search(world, &e) && e.freedoms == 0 && e.stable);
    CHECK_NEAR(dBodyGetPosition(body)[0], 0.5, 1e-12);
    CHECK_NEAR(carriedBy(&e, hinge)->force[swapped][4], 0, 1e-6 + g); /* hinge and motor together */
    dJointSetHingeParam(hinge, dParamFMax, 1);
    CHECK(search(world, &e) && fabs(dBodyGetPosition(body)[0]) <= 0.5 / (0.5 * g) + 1e-9);
    dWorldDestroy(world);

    world = heavyWorld();
    hinge = upright(world, swapped);
    body = ukWorldGetBody(world, 0);
    turnAbout(body, 0, 1, 0, pi / 2);
    dBodySetPosition(body, 0.5, 0, 0);
    const double angle = dJointGetHingeAngle(hinge);
    const double counted = swapped ? -angle : angle; /* ODE's stops bound the angle of the body against the world */
    dJointSetHingeParam(hinge, dParamLoStop, counted - 0.25);
    dJointSetHingeParam(hinge, dParamHiStop, counted + 0.25);
    CHECK(search(world, &e) && e.freedoms == 0);
    CHECK_NEAR(fabs(dJointGetHingeAngle(hinge) - angle), 0.25, 1e-10);
    dWorldDestroy(world);
}

/* ---- laws of the program ----------------------------------------------------------------------------------------- */

typedef struct Spring {
    double stiffness, of_load; /* [N m/rad], [N m/N] */
} Spring;

/* a torque about y on the body that hangs or stands on the hinge */
static void torsion(const struct ukNonIdealContext *context, dReal force[2][6], void *data)
{
    const Spring *const spring = data;
    const int side = context->body[0] ? 0 : 1;
    const dReal *x = context->body[side]->position, *f = context->ideal[side];
    force[side][4] = -spring->stiffness * atan2(x[0], x[2]) + spring->of_load * sqrt(f[0] * f[0] + f[2] * f[2]);
}

/* A rod that a torsion spring holds upright: m g l sin t = k t. Dry friction of its hinge does not change the balance. */
static void lawOfProgram(bool swapped, ukIntegrator integrator)
{
    dWorldID world = heavyWorld();
    dJointID hinge = upright(world, swapped);
    dBodyID body = ukWorldGetBody(world, 0);
    Spring spring = {10, 0};
    ukEquilibrium e;
    const double inertia = 0.25 + 1.01 / 12, weight = 0.5 * g;
    ukWorldSetIntegrator(world, integrator);
    ukJointSetNonIdeal(hinge, torsion, &spring);
    ukJointSetViscous(hinge, 2);
    ukWorldStep(world, 0.001); /* forces of a step are no part of the statics */
    turnAbout(body, 0, 1, 0, 0.4);
    dBodySetPosition(body, 0.5 * sin(0.4), 0, 0.5 * cos(0.4));
    CHECK(search(world, &e) && e.stable && fabs(dBodyGetPosition(body)[0]) < 1e-10);
    CHECK_NEAR(e.softest, (spring.stiffness - weight) / inertia, 1e-6 * g);
    spring.stiffness = 3;
    turnAbout(body, 0, 1, 0, 0.4);
    dBodySetPosition(body, 0.5 * sin(0.4), 0, 0.5 * cos(0.4));
    ukJointSetCoulomb(hinge, 0.1, 0.01);
    CHECK(search(world, &e) && e.stable);
    const double t = atan2(dBodyGetPosition(body)[0], dBodyGetPosition(body)[2]);
    CHECK(t > 0.4);
    CHECK_NEAR(weight * sin(t) - spring.stiffness * t, 0, 1e-10 * weight);
    CHECK_NEAR(e.softest, (spring.stiffness - weight * cos(t)) / inertia, 1e-6 * g);
    spring.of_load = 0.01;
    CHECK(ukWorldEquilibrium(world, 0, &e) == ukErrorUnsupported && strstr(ukGetLastErrorMessage(), "load"));
    dWorldDestroy(world);
}

/* Forces of laws vanish at rest: those of the last step have no part in the search. */
static void afterMotion(ukIntegrator integrator, bool swapped)
{
    const dWorldID world = heavyWorld();
    const dJointID hinge = upright(world, swapped);
    const dBodyID body = ukWorldGetBody(world, 0);
    CHECK(ukWorldSetIntegrator(world, integrator) == 0);
    CHECK(ukJointSetCoulomb(hinge, 0.3, 0.1) == 0 && ukJointSetDrag(hinge, 0.2) == 0);
    turnAbout(body, 0, 1, 0, 1);
    dBodySetPosition(body, 0.5 * sin(1), 0, 0.5 * cos(1));
    for (int i = 0; i < 30; i++) CHECK(ukWorldStep(world, 0.01) == 1);
    ukEquilibrium e;
    CHECK(search(world, &e) && e.stable && e.freedoms == 1);
    CHECK_NEAR(dBodyGetPosition(body)[0], 0, 1e-11);
    CHECK_NEAR(dBodyGetPosition(body)[2], -0.5, 1e-11);
    dWorldDestroy(world);
}

/* ---- what must not matter, and what is refused ------------------------------------------------------------------- */

static void settings(void)
{
    unsigned char first[16], hash[16];
    static const ukIntegrator kinds[5] = {ukIntegratorEuler, ukIntegratorEuler, ukIntegratorRK4, ukIntegratorAdaptive,
                                          ukIntegratorRattle};
    for (int i = 0; i < 5; i++) {
        Scene *scene = sceneFourBar();
        ukWorldSetIntegrator(scene->world, kinds[i]);
        ukWorldSetJointRule(scene->world, i == 1 ? ukJointRuleExact : ukJointRuleODE);
        ukEquilibrium e;
        CHECK(search(scene->world, &e));
        ukWorldHash(scene->world, hash);
        if (i == 0) memcpy(first, hash, sizeof first);
        CHECK(memcmp(first, hash, sizeof first) == 0);
        sceneDestroy(scene);
    }
}

static void refusals(void)
{
    dWorldID world = heavyWorld();
    dBodyID body = box(world, 1, 1, 1, 1);
    ukEquilibrium e;
    CHECK(ukWorldEquilibrium(world, -1, &e) == ukErrorArgument &&
          ukWorldEquilibrium(world, NAN, &e) == ukErrorArgument);
    CHECK(ukWorldEquilibrium(world, 0, NULL) == ukErrorArgument && ukWorldEquilibrium(NULL, 0, &e) == ukErrorHandle);
    CHECK(!search(world, &e) && e.unbalanced == body && e.residual > 0.99); /* it falls */
    dJointID hinge = dJointCreateHinge(world, 0);
    dJointAttach(hinge, body, 0);
    dJointSetHingeParam(hinge, dParamFMax, dInfinity);
    dJointSetHingeParam(hinge, dParamVel, 1);
    unsigned char before[16], after[16];
    ukWorldHash(world, before);
    CHECK(ukWorldEquilibrium(world, 0, &e) == ukErrorUnsupported && strstr(ukGetLastErrorMessage(), "hinge joint 1"));
    ukWorldHash(world, after);
    CHECK(memcmp(before, after, sizeof before) == 0);
    dWorldDestroy(world);
}

int main(int argc, char **argv)
{
    const int count = argc > 1 ? 100 : 8;
    dInitODE2(0);
    (void)argv;
    for (int swapped = 0; swapped < 2; swapped++) pendulum(swapped);
    for (int swapped = 0; swapped < 2; swapped++) lawOfProgram(swapped, ukIntegratorEuler);
    for (int swapped = 0; swapped < 2; swapped++) lawOfProgram(swapped, ukIntegratorAdaptive);
    for (int k = 0; k < 4; k++) afterMotion(k / 2 ? ukIntegratorRK4 : ukIntegratorEuler, k % 2);
    refusals();
    settings();
    ladderWithFriction();
    table(count);
    ladder(count);
    fourBar(count);
    platform(count);
    hangingChain(argc > 1 ? 100 : 2);
    dCloseODE();
    return ukTestEnd();
}
