/* SPDX-License-Identifier: BSD-3-Clause */
/* RATTLE goes on: chains whose links turn by a radian a step, which have no solution but in parts of the step, and
 * joints of every type whose bodies a program has set apart (webots#2899). A gap closes in one step, accelerates no body,
 * and keeps the momenta of what is joined to nothing else. What cannot be closed is refused, with a joint and a
 * remedy. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/plain_world.h"

static const double g = 9.81;

/* ---- joints ------------------------------------------------------------------------------------------------------ */

static const dJointType types[] = {dJointTypeBall,   dJointTypeHinge, dJointTypeSlider, dJointTypeUniversal,
                                   dJointTypeHinge2, dJointTypeFixed, dJointTypePR,     dJointTypePU,
                                   dJointTypePiston, dJointTypeDBall, dJointTypeDHinge};
enum { Types = sizeof types / sizeof *types };

static dJointID makeRound(dWorldID w, dJointType type, dBodyID a, dBodyID b, double x)
{
    static const dVector3 up = {0, 0, 1}, across = {0, 1, 0};
    dJointID j;
    if (type == dJointTypeHinge) {
        dJointAttach(j = dJointCreateHinge(w, 0), a, b);
        dJointSetHingeAnchor(j, x, 0, 1);
        dJointSetHingeAxis(j, 0, 1, 0.3);
    } else if (type == dJointTypeUniversal) {
        dJointAttach(j = dJointCreateUniversal(w, 0), a, b);
        dJointSetUniversalAnchor(j, x, 0, 1);
        dJointSetUniversalAxis2(j, 0, 0, 1);
        dJointSetUniversalAxis1(j, 0, 1, 0);
    } else if (type == dJointTypeHinge2) {
        dJointAttach(j = dJointCreateHinge2(w, 0), a, b);
        dJointSetHinge2Anchor(j, x, 0, 1);
        dJointSetHinge2Axes(j, up, across);
    } else {
        dJointAttach(j = dJointCreateBall(w, 0), a, b);
        dJointSetBallAnchor(j, x, 0, 1);
    }
    return j;
}

static dJointID make(dWorldID w, dJointType type, dBodyID a, dBodyID b, double x)
{
    dJointID j;
    if (type == dJointTypeSlider) {
        dJointAttach(j = dJointCreateSlider(w, 0), a, b);
        dJointSetSliderAxis(j, 1, 0.2, 0);
    } else if (type == dJointTypeFixed) {
        dJointAttach(j = dJointCreateFixed(w, 0), a, b);
        dJointSetFixed(j);
    } else if (type == dJointTypePR) {
        dJointAttach(j = dJointCreatePR(w, 0), a, b);
        dJointSetPRAnchor(j, x, 0, 1);
        dJointSetPRAxis1(j, 1, 0, 0);
        dJointSetPRAxis2(j, 0, 1, 0);
    } else if (type == dJointTypePU) {
        dJointAttach(j = dJointCreatePU(w, 0), a, b);
        dJointSetPUAnchor(j, x, 0, 1);
        dJointSetPUAxis1(j, 0, 1, 0);
        dJointSetPUAxis2(j, 0, 0, 1);
        dJointSetPUAxis3(j, 1, 0, 0);
    } else if (type == dJointTypePiston) {
        dJointAttach(j = dJointCreatePiston(w, 0), a, b);
        dJointSetPistonAnchor(j, x, 0, 1);
        dJointSetPistonAxis(j, 1, 0, 0);
    } else if (type == dJointTypeDBall) {
        dJointAttach(j = dJointCreateDBall(w, 0), a, b);
        dJointSetDBallAnchor1(j, x - 0.1, 0, 1);
        dJointSetDBallAnchor2(j, x + 0.1, 0.05, 1);
    } else if (type == dJointTypeDHinge) {
        dJointAttach(j = dJointCreateDHinge(w, 0), a, b);
        dJointSetDHingeAxis(j, 0, 0, 1);
        dJointSetDHingeAnchor1(j, x - 0.1, 0, 1);
        dJointSetDHingeAnchor2(j, x + 0.1, 0.05, 1);
    } else {
        return makeRound(w, type, a, b, x);
    }
    return j;
}

/* ---- momenta ----------------------------------------------------------------------------------------------------- */

/* [P, L about the origin]; returns the kinetic energy */
static double momenta(const dBodyID *body, int count, double sum[6])
{
    double energy = 0;
    memset(sum, 0, 6 * sizeof *sum);
    for (int i = 0; i < count; i++) {
        const dReal *x = dBodyGetPosition(body[i]), *v = dBodyGetLinearVel(body[i]), *s = dBodyGetAngularVel(body[i]);
        dMass m;
        dVector3 spin, turned = {0}, own;
        dBodyGetMass(body[i], &m);
        dBodyVectorFromWorld(body[i], s[0], s[1], s[2], spin);
        for (int r = 0; r < 3; r++) {
            for (int c = 0; c < 3; c++) turned[r] += m.I[4 * r + c] * spin[c];
            energy += 0.5 * (m.mass * v[r] * v[r] + spin[r] * turned[r]);
        }
        dBodyVectorToWorld(body[i], turned[0], turned[1], turned[2], own);
        for (int k = 0; k < 3; k++) {
            const int p = (k + 1) % 3, q = (k + 2) % 3;
            sum[k] += m.mass * v[k];
            sum[3 + k] += m.mass * (x[p] * v[q] - x[q] * v[p]) + own[k];
        }
    }
    return energy;
}

/* ---- bodies set apart -------------------------------------------------------------------------------------------- */

typedef enum Place { Pair, ToWorld, FromWorld, Middle, Places } Place;
typedef enum Gap { Moved, Turned, Both, Gaps } Gap;

static void setApart(dBodyID b, Gap gap)
{
    const dReal *x = dBodyGetPosition(b);
    dMatrix3 R, turned;
    if (gap != Turned) dBodySetPosition(b, x[0] + 0.02, x[1] + 0.1, x[2] - 0.03);
    if (gap == Moved) return;
    dRFromAxisAndAngle(R, 1, 0.3, 0.2, 0.3);
    dMultiply0(turned, R, dBodyGetRotation(b), 3, 3, 3);
    dBodySetRotation(b, turned);
}

/* A pair that turns freely, a body on the world either way round, or the middle of a chain of six in which the joints
 * beside are balls and hinges. */
static void closes(dJointType type, Place place, Gap gap)
{
    const int count = place == Pair ? 2 : place == Middle ? 6 : 1, moved = place == Middle ? 3 : place == Pair;
    const dWorldID w = newWorld(0);
    dBodyID body[6];
    double before[6], after[6];
    for (int i = 0; i < count; i++) {
        body[i] = box(w, 1 + 0.3 * i, 0.6 * i, 0, 1);
        if (place == Pair || place == Middle) {
            dBodySetAngularVel(body[i], 0, 0, 1);
            dBodySetLinearVel(body[i], 0.3, 0.6 * i, 0);
        }
    }
    if (place == ToWorld) make(w, type, body[0], 0, -0.3);
    if (place == FromWorld) make(w, type, 0, body[0], -0.3);
    for (int i = 0; i + 1 < count; i++)
        make(w,
             place == Pair || i == 2 ? type
             : i % 2                 ? dJointTypeBall
                                     : dJointTypeHinge,
             body[i], body[i + 1], 0.6 * i + 0.3);
    CHECK(ukWorldSetIntegrator(w, ukIntegratorRattle) == 0);
    for (int i = 0; i < 10; i++) CHECK(ukWorldStep(w, 0.008) == 1);
    setApart(body[moved], gap);
    const double energy = momenta(body, count, before);
    for (int i = 0; i < 30; i++) {
        ukReport r;
        if (!CHECK(ukWorldStep(w, 0.008) == 1)) printf("type %d: %s\n", type, ukGetLastErrorMessage());
        CHECK(ukWorldGetReport(w, &r) == 0 && r.ok && r.position_error < 1e-12 && r.discrete_islands == 0);
        CHECK(momenta(body, count, after) < 1.2 * energy + 1e-12);
    }
    if (place != ToWorld && place != FromWorld) CHECK_NEAR_ALL(after, before, 6, 3e-13);
    dWorldDestroy(w);
}

/* ---- chains ------------------------------------------------------------------------------------------------------ */

/* Links of 0.2 m fall from level: every step succeeds, the longest of them in parts. */
static int falls(dJointType type, int links, double h)
{
    const dWorldID w = newWorld(g);
    dBodyID link[30];
    int parts = 0;
    for (int i = 0; i < links; i++) {
        dMass m;
        link[i] = dBodyCreate(w);
        dMassSetBoxTotal(&m, 0.5, 0.2, 0.02, 0.02);
        dBodySetMass(link[i], &m);
        dBodySetPosition(link[i], 0.1 + 0.2 * i, 0, 1);
        makeRound(w, type, link[i], i > 0 ? link[i - 1] : 0, 0.2 * i);
    }
    CHECK(ukWorldSetIntegrator(w, ukIntegratorRattle) == 0);
    for (int i = 0; i < (int)(3 / h + 0.5); i++) {
        ukReport r;
        if (!CHECK(ukWorldStep(w, h) == 1))
            printf("%d links, %g s, step %d: %s\n", links, h, i, ukGetLastErrorMessage());
        CHECK(ukWorldGetReport(w, &r) == 0 && r.ok && r.position_error < 1e-9);
        parts += r.substeps;
    }
    dWorldDestroy(w);
    return parts;
}

static void chains(void)
{
    CHECK(falls(dJointTypeHinge, 10, 0.002) == 0); /* none is taken that is not needed */
    CHECK(falls(dJointTypeHinge, 10, 0.008) > 0);
    CHECK(falls(dJointTypeBall, 20, 0.02) > 0);
    CHECK(falls(dJointTypeUniversal, 15, 0.01) > 0);
}

/* two balls that hold one body at points a metre apart */
static void refuses(void)
{
    const dWorldID w = newWorld(g);
    const dBodyID b = box(w, 1, 0, 0, 0), other = box(w, 1, 1, 0, 0);
    makeRound(w, dJointTypeBall, b, 0, 0);
    makeRound(w, dJointTypeFixed, b, other, 0);
    const dJointID fixed = dJointCreateFixed(w, 0);
    dJointAttach(fixed, b, other);
    dJointSetFixed(fixed);
    makeRound(w, dJointTypeBall, other, 0, 0.5);
    dBodySetPosition(other, 2, 0, 0);
    dJointSetFixed(fixed);
    CHECK(ukWorldSetIntegrator(w, ukIntegratorRattle) == 0);
    CHECK(ukWorldStep(w, 0.01) == 0 && ukGetLastError() < 0);
    const char *says = ukGetLastErrorMessage();
    if (!CHECK(strstr(says, "joint") && strstr(says, "place bodies so that their joints are satisfied")))
        printf("%s\n", says);
    CHECK(dBodyGetPosition(other)[0] == 2 && dBodyGetPosition(b)[2] == 0);
    dWorldDestroy(w);
}

int main(void)
{
    dInitODE2(0);
    for (int t = 0; t < Types; t++)
        for (int place = 0; place < Places; place++)
            for (int gap = 0; gap < Gaps; gap++)
                if (types[t] != dJointTypeHinge2 || place == Pair || place == Middle) /* ODE wants two bodies */
                    closes(types[t], (Place)place, (Gap)gap);
    chains();
    refuses();
    dCloseODE();
    return ukTestEnd();
}
