/* SPDX-License-Identifier: BSD-3-Clause */
/* Equilibria from random starts against closed forms: a catenary of links, a ladder, a three-legged table, a driven
 * pendulum; reactions, and what is arbitrary; settings that must not matter, and invalid arguments. */
#include <string.h>

#include <ukode/analysis.h>

#include "demos/scenes.h"
#include "solvers/base/status.h"
#include "tests/bridge/analyze/equilibria.h"
#include "tests/check.h"

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
        if (i < Links) link[i] = boxOfSides(world, 1, 1, 0.05, 0.05), dBodySetPosition(link[i], i + 0.5, 0, 0);
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
        dBodyID body = boxOfSides(world, 10, 2, 0.1, 0.1);
        dBodyID slide = boxOfSides(world, 1e-3, 0.1, 0.1, 0.1),
                cart = boxOfSides(world, 1e-3, 0.1, 0.1, 0.1); /* keep it upright */
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
        dBodyID body = boxOfSides(world, 10, 2, 0.1, 0.1);
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
        dBodyID body = boxOfSides(world, 20, 1, 1, 0.1);
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

/* ---- motor ------------------------------------------------------------------------------------------------------- */

/* A pendulum of 2 kg and 1 m whose motor drives it with all its torque T: sin(angle) = T/(m g l). As in ODE,
 * the motor acts about the same axis on a body that is attached second. */
static void drivenPendulum(double velocity, bool swapped)
{
    const double torque = 7;
    dWorldID world = heavyWorld();
    dBodyID body = boxOfSides(world, 2, 0.1, 0.1, 0.1);
    dJointID hinge = dJointCreateHinge(world, 0);
    dBodySetPosition(body, 0, 0, -1);
    dJointAttach(hinge, swapped ? 0 : body, swapped ? body : 0);
    dJointSetHingeAnchor(hinge, 0, 0, 0);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    dJointSetHingeParam(hinge, dParamFMax, torque);
    dJointSetHingeParam(hinge, dParamVel, velocity);
    ukEquilibrium e;
    if (CHECK(search(world, &e)) && CHECK(e.stable && e.freedoms == 1)) {
        CHECK_NEAR(dBodyGetPosition(body)[0], -copysign(torque, velocity) / (2 * g), 1e-10);
        CHECK_NEAR(dBodyGetPosition(body)[2], -sqrt(1 - pow(torque / (2 * g), 2)), 1e-10);
    }
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
    dBodyID body = boxOfSides(world, 1, 1, 1, 1);
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
    refusals();
    settings();
    for (int i = 0; i < 4; i++) drivenPendulum(i & 1 ? 1 : -1, i & 2);
    ladderWithFriction();
    table(count);
    ladder(count);
    hangingChain(argc > 1 ? 100 : 2);
    dCloseODE();
    return ukTestEnd();
}
