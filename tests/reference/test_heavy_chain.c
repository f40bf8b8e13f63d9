/* SPDX-License-Identifier: BSD-3-Clause */
/* Ten links of 0.1 kg with 1000 kg at the end, hanging: a mass ratio of 1e4, and a stiffness of 1e4 N in the links that
 * swings them at more than 1000 rad/s. The joints stay closed to 1e-6 m; beyond its limit of stability, which the
 * pushed chain passes at h = 1 ms, Euler's method opens them as dWorldStep does, and RK4 does not. */
#include "demos/scenes.h"
#include "tests/check.h"
#include "tests/reference/reference.h"

typedef struct Swing {
    double gap, residual, energy;
} Swing;

static Swing swing(double push, double h, ukIntegrator integrator, SceneStepFn *step)
{
    Scene *s = sceneHeavyChain(10, 1);
    Swing w = {0};
    dBodySetLinearVel(s->bodies[5], push, 0, 0);
    const double start = sceneEnergy(s);
    CHECK(ukWorldSetIntegrator(s->world, integrator) == 0);
    for (int i = 0; i < (int)round(5 / h); i++) {
        ukReport r;
        CHECK(sceneStep(s, h, step) == 1);
        w.gap = refMax(w.gap, sceneGap(s));
        w.energy = refMax(w.energy, fabs(sceneEnergy(s) - start));
        if (step != ukWorldStep) continue;
        CHECK(ukWorldGetReport(s->world, &r) == 0 && r.ok && r.fallbacks == 0);
        w.residual = refMax(w.residual, refMax(r.feasibility, r.stationarity));
    }
    sceneDestroy(s);
    return w;
}

int main(int argc, char **argv)
{
    static const struct {
        double push, h;
        ukIntegrator integrator;
        double gap; /* promised; 0: beyond the limit of stability */
    } cases[] = {{0, 1e-3, ukIntegratorEuler, 1e-6}, {1, 5e-4, ukIntegratorEuler, 1e-6},
                 {1, 2e-4, ukIntegratorEuler, 1e-6}, {1, 1e-3, ukIntegratorEuler, 0},
                 {0, 1e-3, ukIntegratorRK4, 1e-12},  {1, 1e-3, ukIntegratorRK4, 1e-12}};
    refBegin(argc, argv);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bool euler = cases[i].integrator == ukIntegratorEuler;
        const Swing ours = swing(cases[i].push, cases[i].h, cases[i].integrator, ukWorldStep);
        const Swing ode = swing(cases[i].push, cases[i].h, ukIntegratorEuler, dWorldStep);
        printf("pushed %g m/s, h %g, %s: largest gap %.1e m, residual %.1e, energy %.2g J; dWorldStep %.1e m, %.2g J\n",
               cases[i].push, cases[i].h, euler ? "Euler" : "RK4", ours.gap, ours.residual, ours.energy, ode.gap,
               ode.energy);
        CHECK(ours.residual <= 1e-11);
        if (cases[i].gap > 0) CHECK(ours.gap <= cases[i].gap);
        if (cases[i].gap == 0) CHECK(ours.gap > 0.1 && ode.gap > 0.1); /* the comment above is true */
        if (cases[i].gap > 0 && euler) CHECK_NEAR(ours.gap, ode.gap, 1e-3 * ode.gap);
    }
    return refEnd();
}
