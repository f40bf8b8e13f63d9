/* SPDX-License-Identifier: BSD-3-Clause */
/* What the Gauss check measures, step by step, over the mechanisms of demos/scenes.h: feasibility and stationarity,
 * scaled, at rounding, redundant rows or not, with ODE's CFM and without any, in both forms of the equations. */
#include <ukode/ukode.h>

#include "demos/scenes.h"
#include "tests/check.h"

static double worst(const char *name, int n, double cfm, ukIntegrator integrator, int steps)
{
    Scene *s = sceneByName(name, n);
    double largest = 0;
    if (cfm >= 0) dWorldSetCFM(s->world, cfm);
    CHECK(ukWorldSetIntegrator(s->world, integrator) == 0);
    for (int i = 0; i < steps; i++) {
        ukReport r;
        CHECK(sceneStep(s, 0.001, ukWorldStep) == 1);
        CHECK(ukWorldGetReport(s->world, &r) == 0);
        CHECK(r.ok && r.fallbacks == 0);
        const double now = fmax(r.feasibility, r.stationarity);
        if (!(now <= largest)) largest = now;
    }
    sceneDestroy(s);
    return largest;
}

int main(void)
{
    static const struct {
        const char *name;
        int n, steps;
    } cases[] = {{"chain", 10, 500},   {"chain", 300, 100},     {"chain", 3000, 10},  {"loop", 30, 500},
                 {"loop", 300, 100},   {"tree", 127, 200},      {"tree", 1023, 20},   {"hub", 100, 200},
                 {"hub", 1000, 20},    {"net", 5, 300},         {"net", 20, 10},      {"heavy", 10, 200},
                 {"hanging", 10, 200}, {"four_bar", 0, 1000},   {"bricard", 0, 1000}, {"trap_door", 3, 500},
                 {"door", 4, 500},     {"slider_crank", 0, 500}};
    static const struct {
        const char *what;
        double cfm;
        ukIntegrator integrator;
    } modes[] = {
        {"Euler", -1, ukIntegratorEuler}, {"Euler, CFM 0", 0, ukIntegratorEuler}, {"RK4", -1, ukIntegratorRK4}};
    dInitODE2(0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        printf("%s %d:", cases[i].name, cases[i].n);
        for (size_t k = 0; k < sizeof modes / sizeof *modes; k++) {
            const int all = ukTestRounds(cases[i].steps);
            const int steps = modes[k].integrator == ukIntegratorRK4 ? (all + 3) / 4 : all;
            const double residual = worst(cases[i].name, cases[i].n, modes[k].cfm, modes[k].integrator, steps);
            printf(" %s %.1e;", modes[k].what, residual);
            CHECK(residual <= 1e-11);
        }
        printf("\n");
    }
    dCloseODE();
    return ukTestEnd();
}
