/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps that are too long for RK4, of closed loops: where the projection onto the constraints takes more from the velocity
 * than there was, or rows begin to depend on one another within the step and energy is gained, it is refused. What is
 * taken is inexact, but adds no more than so many times the largest kinetic energy until then; what is refused is gone
 * on with in shorter steps. */
#include <math.h>
#include <stdio.h>

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

int main(void)
{
    dInitODE2(0);
    for (int k = 0; k < Kinds; k++) {
        int refused = 0;
        for (double h = kinds[k].shortest; h < kinds[k].longest; h *= kinds[k].ratio)
            for (int start = 0; start < Starts; start++) refused += taken(&kinds[k], h, start);
        CHECK(refused > 0);
    }
    dCloseODE();
    return ukTestEnd();
}
