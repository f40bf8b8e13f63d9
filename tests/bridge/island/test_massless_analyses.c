/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies without mass in analyses: modes, linearizations, inverse dynamics and equilibria do not depend on
 * terminals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/analysis.h>
#include <ukode/ukode.h>

#include "solvers/base/status.h"
#include "tests/bridge/island/joined.h"
#include "tests/check.h"
#include "tests/support/plain_world.h"

/* two hanging rods; terminal: a body without mass that is fixed to the second one and hinged to the first */
typedef struct Rods {
    dWorldID world;
    dBodyID rod[2], terminal;
    dJointID hinge[2];
} Rods;

static dBodyID rodAt(dWorldID world, double z, double mass)
{
    dMass m;
    const dBodyID b = dBodyCreate(world);
    dMassSetParameters(&m, mass, 0, 0, 0, mass / 12, mass / 12, 0.01 * mass, 0, 0, 0);
    dBodySetMass(b, &m);
    dBodySetPosition(b, 0, 0, z);
    return b;
}

static dJointID hangFrom(dWorldID world, dBodyID a, dBodyID b, double z)
{
    const dJointID j = dJointCreateHinge(world, NULL);
    dJointAttach(j, a, b);
    dJointSetHingeAnchor(j, 0, 0, z);
    dJointSetHingeAxis(j, 0, 1, 0);
    return j;
}

static Rods rods(bool terminal, bool swapped)
{
    Rods r = {.world = dWorldCreate()};
    dWorldSetGravity(r.world, 0, 0, -9.81);
    dWorldSetCFM(r.world, 0);
    for (int i = 0; i < 2; i++) r.rod[i] = rodAt(r.world, -0.5 - i, 1 + i);
    r.hinge[0] = hangFrom(r.world, r.rod[0], NULL, 0);
    if (terminal) {
        r.terminal = rodAt(r.world, -1, 5);
        CHECK(ukBodySetMassless(r.terminal, 1) == 0);
        fix(r.world, r.terminal, r.rod[1], swapped);
    }
    const dBodyID lower = terminal ? r.terminal : r.rod[1];
    r.hinge[1] = hangFrom(r.world, swapped ? lower : r.rod[0], swapped ? r.rod[0] : lower, -1);
    return r;
}

/* What is computed of the rods: frequencies; torques of the hinges for 1 rad/s^2 about the upper one; the equilibrium
 * under a force, and its softest motion. */
static void analyze(Rods *r, double x[6])
{
    const ukMode *mode;
    ukInverse inverse;
    ukEquilibrium equilibrium;
    int modes = 0;
    double acceleration[18] = {-0.5, 0, 0, 0, 1, 0, -1.5, 0, 0, 0, 1, 0, -1, 0, 0, 0, 1, 0};
    ukSignal in[] = {{.kind = ukSignalJointForce, .joint = r->hinge[0]},
                     {.kind = ukSignalJointForce, .joint = r->hinge[1]}};
    if (!CHECK(ukWorldModes(r->world, &mode, &modes, NULL) == ukOk && modes == 2))
        printf("%s\n", ukGetLastErrorMessage());
    for (int i = 0; i < 2 && i < modes; i++) x[i] = mode[i].frequency;
    CHECK(ukWorldInverseDynamics(r->world, in, 2, NULL, acceleration, x + 2, &inverse) == ukOk && inverse.met);
    x[3] *= dJointGetBody(r->hinge[1], 0) == r->rod[0] ? 1 : -1;
    if (r->terminal) {
        CHECK(!ukLinearOperatorCreate(r->world, in, 1) && ukGetLastError() == ukErrorUnsupported);
        CHECK(strstr(ukGetLastErrorMessage(), "without mass") != NULL);
    }
    dBodyAddForce(r->rod[1], 3, 0, 0);
    CHECK(ukWorldEquilibrium(r->world, 0, &equilibrium) == ukOk && equilibrium.found && equilibrium.stable);
    x[4] = equilibrium.softest;
    x[5] = dBodyGetPosition(r->rod[1])[0];
    dWorldDestroy(r->world);
}

/* the terminal changes none of it */
static void analyses(bool swapped)
{
    double x[2][6];
    for (int terminal = 0; terminal < 2; terminal++) {
        Rods r = rods(terminal, swapped);
        analyze(&r, x[terminal]);
    }
    CHECK_NEAR(x[1][2], 5, 1e-11); /* I = 1/3 + 2 (1/12 + 1.5^2), and 2 (1/12 + 1.5 * 0.5) */
    CHECK_NEAR(x[1][3], -5.0 / 3, 1e-11);
    for (int i = 0; i < 4; i++) CHECK_NEAR(x[1][i], x[0][i], 1e-10);
    CHECK_NEAR(x[1][4], x[0][4], 1e-7); /* by differences */
    CHECK_NEAR(x[1][5], x[0][5], 1e-10);
}

/* the acceleration of a cart on a rail, whose rod slides over the ground, or presses into it, with its end or a
 * terminal */
static double dragged(bool by_terminal, bool swapped, double soft_cfm, double mu)
{
    const dWorldID w = newWorld(9.81);
    const dBodyID cart = box(w, 2, 0, 0, 1), rod = box(w, 1.5, 0.25, 0, 0.5);
    const dBodyID end = by_terminal ? ball(w, 1, 0.5, 0.02, 0.05) : rod;
    dBodySetLinearVel(cart, 1, 0, 0), dBodySetLinearVel(rod, 1, 0, 0), dBodySetLinearVel(end, 1, 0, 0);
    const dJointID rail = dJointCreateSlider(w, NULL), hinge = dJointCreateHinge(w, NULL);
    dJointAttach(rail, cart, NULL);
    dJointSetSliderAxis(rail, 1, 0, 0);
    attach(hinge, rod, cart, swapped);
    dJointSetHingeAnchor(hinge, 0, 0, 1);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    if (by_terminal) CHECK(ukBodySetMassless(end, 1) == 0), fix(w, end, rod, swapped);
    const int mode = dContactApprox1 | (soft_cfm > 0 ? dContactSoftCFM | dContactSoftERP : 0);
    const dContact c = {.surface = {.mode = mode, .mu = mu, .soft_cfm = soft_cfm, .soft_erp = 0.2},
                        .geom = {.pos = {0.5}, .normal = {0, 0, 1}, .depth = soft_cfm > 0 ? 0.01 : 0}};
    dJointAttach(dJointCreateContact(w, NULL, &c), end, NULL);
    ukLinearization l;
    double a = 0;
    if (CHECK(ukWorldLinearize(w, NULL, 0, NULL, 0, 0, &l) == 0))
        for (int b = 0; b < l.bodies; b++)
            for (int i = 0; i < l.velocities && l.body[b] == cart; i++)
                a += l.Nv[6 * (i * l.bodies + b)] * l.f[l.positions + i];
    dWorldDestroy(w);
    return a;
}

/* forces of contacts on bodies without mass act in a continuous linearization */
static void linearized(bool swapped)
{
    static const double kind[][2] = {{0, 0.4}, {1e-2, 0}};
    for (int k = 0; k < 2; k++) {
        const double a = dragged(false, swapped, kind[k][0], kind[k][1]);
        CHECK(a < -0.5);
        CHECK_NEAR(dragged(true, swapped, kind[k][0], kind[k][1]), a, 1e-9 * fabs(a));
    }
}

/* what accelerates an arm with a terminal at its end: (I + m r^2) q'' + m g r */
static void inverse(bool swapped)
{
    const dWorldID w = newWorld(9.81);
    const dBodyID arm = box(w, 1.3, 0.2, 0, 0), terminal = ball(w, 1, 0.4, 0.1, 0);
    const dJointID hinge = dJointCreateHinge(w, NULL);
    attach(hinge, arm, NULL, swapped);
    dJointSetHingeAnchor(hinge, 0, 0, 0);
    dJointSetHingeAxis(hinge, 0, swapped ? -1 : 1, 0);
    CHECK(ukBodySetMassless(terminal, 1) == 0);
    fix(w, terminal, arm, swapped);
    const ukSignal torque = {.kind = ukSignalJointForce, .joint = hinge};
    const double a[12] = {0, 0, -0.2 * 3, 0, 3, 0, 0, 0, -0.4 * 3, 0, 3, 0};
    dMass m;
    dBodyGetMass(arm, &m);
    double force;
    ukInverse found;
    CHECK(ukWorldInverseDynamics(w, &torque, 1, NULL, a, &force, &found) == 0 && found.met);
    CHECK(found.inconsistent < 1e-9); /* the terminal moves with the arm */
    CHECK_NEAR(fabs(force), fabs((m.I[5] + m.mass * 0.04) * 3 - m.mass * 9.81 * 0.2), 1e-10);
    dWorldDestroy(w);
}

int main(void)
{
    dInitODE2(0);
    for (int swapped = 0; swapped < 2; swapped++) analyses(swapped), linearized(swapped), inverse(swapped);
    dCloseODE();
    return ukTestEnd();
}
