/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps that are too long for RK4, of closed loops: where the projection onto the constraints takes more from the
 * velocity than there was, or rows begin to depend on one another within the step and energy is gained, it is refused.
 * What is taken is inexact, but adds no more than so many times the largest kinetic energy until then; what is refused
 * is gone on with in shorter steps. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <ukode/ukode.h>

#include "demos/scenes.h"
#include "tests/check.h"

typedef struct Kind {
    const char *name;
    Scene *(*make)(void);
    double shortest, longest, ratio; /* steps [s] */
    double most;                     /* that a step may add, of the largest kinetic energy until then */
} Kind;

static const Kind kinds[] = {{"slider-crank", sceneSliderCrank, 0.42, 0.5, 1.05, 30},
                             {"Bricard's loop", sceneBricard, 0.19, 0.44, 1.5, 1}};
enum { Kinds = sizeof kinds / sizeof *kinds, Steps = 15, Starts = 6 };

static double kineticOf(const Scene *s)
{
    ukReport r;
    CHECK(ukWorldGetReport(s->world, &r) == 0);
    return r.kinetic_energy;
}

/* some steps from the start of the scene on; how many were refused */
static int taken(const Kind *kind, double h, int start)
{
    Scene *const s = kind->make();
    int refused = 0;
    double energy, largest = 1e-3;
    CHECK(ukWorldSetIntegrator(s->world, ukIntegratorRK4) == 0);
    for (int i = 0; i < 4 * start + 1; i++) CHECK(ukWorldStep(s->world, kind->shortest / 10) == 1);
    energy = sceneEnergy(s), largest = fmax(largest, kineticOf(s));
    for (int i = 0; i < Steps; i++) {
        const bool whole = ukWorldStep(s->world, h) == 1;
        for (int k = 0; !whole && k < 20; k++)
            if (ukWorldStep(s->world, h / 20) != 1) break;
        refused += !whole;
        const double now = sceneEnergy(s), kinetic = kineticOf(s), gained = now - energy;
        if (whole && !CHECK(gained <= kind->most * fmax(largest, kinetic - fmax(gained, 0)))) {
            printf("%s, steps of %.4g s, start %d: step %d adds %.3g J to %.3g J\n", kind->name, h, start, i, gained,
                   largest);
            break;
        }
        energy = now, largest = fmax(largest, kinetic);
    }
    sceneDestroy(s);
    return refused;
}

/* Chains with a heavy body at one end, let go level: the tension makes the light links swing fast. What is refused is
 * gone on with in steps of a twentieth, from rates that are slightly off: there, too, no step adds more than there was
 * twice. */
static int heavyChain(int links, double h, int start)
{
    Scene *const s = sceneHeavyChain(links, 0);
    int refused = 0;
    CHECK(ukWorldSetIntegrator(s->world, ukIntegratorRK4) == 0);
    for (int i = 0; i < 4 * start + 1; i++) CHECK(ukWorldStep(s->world, 0.0015) == 1);
    double energy = sceneEnergy(s), largest = kineticOf(s);
    for (int i = 0; i < Steps; i++) {
        const bool whole = ukWorldStep(s->world, h) == 1;
        for (int k = 0; !whole && k < 20; k++)
            if (ukWorldStep(s->world, h / 20) != 1) break;
        refused += !whole;
        const double now = sceneEnergy(s), kinetic = kineticOf(s), gained = now - energy;
        if (whole && !CHECK(gained <= 2 * fmax(largest, kinetic - fmax(gained, 0)))) {
            printf("%d links, steps of %.4g s, start %d: step %d adds %.3g J to %.3g J\n", links, h, start, i, gained,
                   largest);
            break;
        }
        energy = now, largest = fmax(largest, kinetic);
    }
    sceneDestroy(s);
    return refused;
}

static Scene *hingeChain(void)
{
    return sceneHingeChain(4);
}

/* One long step of a mechanism in whose joints there is friction, too little to matter: no energy of theirs can be
 * judged, but what is taken adds no more than there was. How many were refused. */
static int rubbing(Scene *(*make)(void), double h, int start)
{
    Scene *const s = make();
    for (int k = 0; k < 2; k++) CHECK(ukJointSetViscous(s->joints[k], 1e-9) == 0);
    CHECK(ukWorldSetIntegrator(s->world, ukIntegratorRK4) == 0);
    for (int i = 0; i < 20 * start + 1; i++) CHECK(ukWorldStep(s->world, 0.004) == 1);
    const double energy = sceneEnergy(s), kinetic = kineticOf(s);
    const bool whole = ukWorldStep(s->world, h) == 1;
    const double gained = sceneEnergy(s) - energy, most = fmax(kinetic, kineticOf(s) - gained);
    if (whole && !CHECK(gained <= most + 1e-3))
        printf("with friction, %d joints, step of %.4g s, start %d: adds %.3g J to %.3g J\n", s->joint_count, h, start,
               gained, most);
    sceneDestroy(s);
    return !whole;
}

/* Whether a long step of a slider-crank is refused because its joints stay apart at the end, however the projection moves
 * the bodies: the message says so, as remedies are by cause (docs/accuracy.md). */
static bool staysApart(double h, int start)
{
    Scene *const s = sceneSliderCrank();
    CHECK(ukWorldSetIntegrator(s->world, ukIntegratorRK4) == 0);
    for (int i = 0; i < 20 * start + 1; i++) CHECK(ukWorldStep(s->world, 0.004) == 1);
    const bool apart = ukWorldStep(s->world, h) == 0 &&
                       strstr(ukGetLastErrorMessage(), "the projection does not converge (error ") != NULL;
    sceneDestroy(s);
    return apart;
}

typedef struct Damper {
    double rate; /* c / m [1/s] */
} Damper;

static int damp(const struct ukConstraintContext *context, dReal *force, void *data)
{
    const Damper *const d = data;
    for (int k = 0; k < 3; k++) force[k] = -d->rate * context->bodies[0].velocity[k];
    return 0;
}

/* A ball of 1 kg in a program's damper, v' = -z v / h: one step multiplies its speed by 1 - z + z^2/2 - z^3/6 + z^4/24.
 * Where that is more than 1 in size the motion is another one than the damper's; what adds more than there was is
 * refused, by the body's name, and leaves the world as it was. */
static void stiffDamper(double z, bool taken)
{
    const double h = 0.01, speed = 3, factor = 1 - z + z * z / 2 - z * z * z / 6 + z * z * z * z / 24;
    const dWorldID world = dWorldCreate();
    const dBodyID ball = dBodyCreate(world);
    Damper damper = {.rate = z / h};
    dBodySetLinearVel(ball, speed, 0, 0);
    CHECK(ukForceCreate(world, &ball, 1, damp, &damper) != NULL);
    CHECK(ukWorldSetIntegrator(world, ukIntegratorRK4) == 0);
    CHECK(ukWorldStep(world, h) == (taken ? 1 : 0));
    const double now = dBodyGetLinearVel(ball)[0], right = taken ? factor * speed : speed;
    if (!CHECK(fabs(now - right) <= 1e-12 * fabs(right))) printf("z = %g: %.17g, not %.17g\n", z, now, right);
    if (!taken) CHECK(strstr(ukGetLastErrorMessage(), "body 1") != NULL);
    dWorldDestroy(world);
}

int main(void)
{
    dInitODE2(0);
    for (int k = 0; k < Kinds; k++) {
        int refused = 0;
        for (double h = kinds[k].shortest; h < kinds[k].longest; h *= kinds[k].ratio)
            for (int start = 0; start < ukTestRounds(Starts); start++) refused += taken(&kinds[k], h, start);
        CHECK(refused > 0);
    }
    int refused = 0;
    for (int links = 3; links <= 6; links++)
        for (double h = 0.008; h < 0.03; h *= 1.13)
            for (int start = 0; start < ukTestRounds(Starts); start++) refused += heavyChain(links, h, start);
    CHECK(refused > 0);
    refused = 0;
    for (int start = 0; start < 10; start++)
        for (double h = 0.005 * pow(1.17, 27); h < 0.65; h *= 1.17) /* 0.35 */
            refused += rubbing(sceneBricard, h, start) + rubbing(hingeChain, h, start);
    CHECK(refused > 20);
    int apart = 0;
    for (int start = 0; start < 10; start++)
        for (double h = 0.47; h < 0.8; h += 0.03) apart += staysApart(h, start);
    CHECK(apart > 15);
    stiffDamper(0.5, true);
    stiffDamper(2, true);
    stiffDamper(2.7, true);
    stiffDamper(4, false);
    stiffDamper(40, false);
    dCloseODE();
    return ukTestEnd();
}
