/* SPDX-License-Identifier: BSD-3-Clause */
/* The ledger: the sum of its causes against the energies: random worlds with everything in them, the demo scenes, both
 * integrators; what RK4 leaves, of its order. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "demos/scenes.h"
#include "tests/check.h"
#include "tests/support/ledgers.h"
#include "tests/support/plain_world.h"
#include "tests/support/random_world.h"

static void addLaws(const RandomWorld *w, uint64_t seed)
{
    Random r = {.state = seed * 31 + 7};
    for (int i = 0; i < w->joints; i++) {
        if (dJointGetType(w->joint[i]) == dJointTypeContact) continue;
        if (randomBelow(&r, 2)) ukJointSetCoulomb(w->joint[i], randomUniform(&r, 0, 0.5), 0.05);
        if (randomBelow(&r, 2)) ukJointSetViscous(w->joint[i], randomUniform(&r, 0, 1));
    }
}

/* largest residual of the world's steps, over its turnover */
static double randomClosure(const RandomWorldKind *kind, int worlds, ukIntegrator integrator)
{
    double worst = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)worlds; seed++) {
        RandomWorld w;
        randomWorldBuild(&w, seed, kind);
        addLaws(&w, seed);
        ukWorldSetIntegrator(w.world, integrator);
        ukWorldResetLedger(w.world);
        for (int i = 0; i < 20; i++) {
            if (!CHECK(ukWorldStep(w.world, 0.01) == 1)) break;
            dBodyAddForce(w.body[0], 1, 0, 2);
        }
        const ukLedger l = ledgerOf(w.world);
        worst = fmax(worst, fabs(l.residual) / ledgerTurnover(&l));
        randomWorldDestroy(&w);
    }
    return worst;
}

static void randomWorlds(void)
{
    const int all = randomEqualityTypes;
    const RandomWorldKind kinds[] = {
        {.types = all, .cfm_lo = 1e-9, .cfm_hi = 1e-2},
        {.types = all, .cfm_lo = 1e-9, .cfm_hi = 1e-2, .stops = 1, .bounded_motors = 1},
        {.types = all, .cfm_lo = 1e-9, .cfm_hi = 1e-2, .bounded_motors = 1, .contacts = 8, .friction = 1},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const double euler = randomClosure(&kinds[k], ukTestRounds(150), ukIntegratorEuler);
        const double rk4 = randomClosure(&kinds[k], ukTestRounds(150), ukIntegratorRK4);
        printf("random worlds of kind %d: residual/turnover %.2g (Euler), %.2g (RK4)\n", (int)k, euler, rk4);
        CHECK(euler <= 1e-9 && rk4 <= 1e-9);
    }
}

static void scenes(void)
{
    static const struct {
        const char *name;
        int n;
    } list[] = {{"chain", 20},   {"loop", 10},        {"tree", 15},   {"net", 4},      {"stack", 5},
                {"pyramid", 4},  {"pile", 12},        {"door", 2},    {"ragdolls", 1}, {"trap_door", 2},
                {"four_bar", 0}, {"slider_crank", 0}, {"bricard", 0}, {"flat_net", 4}, {"glued", 0}};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        for (int rk4 = 0; rk4 < 2; rk4++) {
            Scene *s = strcmp(list[k].name, "glued") == 0 ? sceneGlued() : sceneByName(list[k].name, list[k].n);
            CHECK(s != NULL);
            ukWorldSetIntegrator(s->world, rk4 ? ukIntegratorRK4 : ukIntegratorEuler);
            ukWorldSetFriction(s->world, rk4 ? ukFrictionCone : ukFrictionOde);
            ukWorldResetLedger(s->world);
            double worst = 0;
            for (int i = 0; i < 150; i++) {
                CHECK(sceneStep(s, s->h, ukWorldStep) == 1);
                if (i % 30) continue;
                const ukLedger l = ledgerOf(s->world);
                worst = fmax(worst, fabs(l.residual) / ledgerTurnover(&l));
            }
            const ukLedger l = ledgerOf(s->world);
            worst = fmax(worst, fabs(l.residual) / ledgerTurnover(&l));
            if (!CHECK(worst <= 1e-9)) printf("%s %s: %.3g\n", list[k].name, rk4 ? "RK4" : "Euler", worst);
            CHECK_NEAR(l.outside, 0, 1e-9 * ledgerTurnover(&l));
            sceneDestroy(s);
        }
    }
}

/* RK4: what is left as `integration` falls with the fourth power of the step (Simpson's weights, and the state's) */
static void order(void)
{
    double left[2] = {0}, off[2] = {0};
    for (int k = 0; k < 2; k++) {
        const double h = k ? 0.005 : 0.01;
        Scene *s = sceneByName("chain", 3);
        ukWorldSetIntegrator(s->world, ukIntegratorRK4);
        for (int i = 0; i < s->joint_count; i++) CHECK(ukJointSetViscous(s->joints[i], 0.02) == 0);
        ukWorldResetLedger(s->world);
        for (int i = 0; i < (int)lround(0.5 / h); i++) CHECK(sceneStep(s, h, ukWorldStep) == 1);
        const ukLedger l = ledgerOf(s->world);
        left[k] = fabs(l.integration);
        off[k] = fabs(l.stabilization);
        CHECK(fabs(l.nonideal) > 1e-3 && fabs(l.ideal) < 1e-6);
        sceneDestroy(s);
    }
    printf("RK4, chain: integration %.3g -> %.3g J (x%.1f), stabilization %.3g -> %.3g J\n", left[0], left[1],
           left[0] / left[1], off[0], off[1]);
    CHECK(left[0] / left[1] > 10 && left[1] < 1e-5);
}

/* RK4 with dry friction: what a step has booked up to where a hinge stuck or struck a stop counts no more once it has
 * met the stops too often and is taken again, as an Euler step. */
static void stickAndStop(void)
{
    const dWorldID w = ledgerWorld();
    const dBodyID arm[2] = {box(w, 2, 0.3, 0, 0), box(w, 1, 0.6, 0, 0.2)};
    for (int i = 0; i < 2; i++) {
        const dJointID hinge = dJointCreateHinge(w, NULL);
        dJointAttach(hinge, arm[i], i ? arm[0] : NULL);
        dJointSetHingeAnchor(hinge, 0.4 * i, 0, 0);
        dJointSetHingeAxis(hinge, 0, 1, 0);
        CHECK(ukJointSetCoulomb(hinge, i ? 0.02 : 0.4, 0.1) == 0);
        if (!i) continue;
        dJointSetHingeParam(hinge, dParamLoStop, -0.002);
        dJointSetHingeParam(hinge, dParamHiStop, 0.002);
        dJointSetHingeParam(hinge, dParamBounce, 1);
    }
    ukWorldSetIntegrator(w, ukIntegratorRK4);
    CHECK(ukWorldResetLedger(w) == 0);
    int discrete = 0;
    const int steps = 600; /* there are discrete ones after 120, to which a sanitized run would cut them */
    for (int i = 0; i < steps; i++) {
        ukReport r;
        dBodyAddForce(arm[0], 0, 0, 90 * sin(0.9 * i));
        ledgerSteps(w, 1, 0.05);
        CHECK(ukWorldGetReport(w, &r) == 0);
        discrete += r.discrete_islands;
        const ukLedger l = ledgerOf(w);
        CHECK_NEAR(l.residual, 0, 1e-12 * ledgerTurnover(&l));
    }
    if (!CHECK(discrete > steps / 30 && discrete < steps - steps / 30)) /* both forms */
        printf("%d of %d steps in the discrete form\n", discrete, steps);
    dWorldDestroy(w);
}

int main(void)
{
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateFlagCollisionData);
    randomWorlds();
    scenes();
    order();
    stickAndStop();
    dCloseODE();
    return ukTestEnd();
}
