/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/options.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <ukode/ukode.h>

_Static_assert(ukSolverAuto == 0 && ukSolverLagrange == 6, "the order of the choices below");
_Static_assert(ukFrictionOde == 0 && ukFrictionCone == 1, "the order of the choices below");
_Static_assert(ukCfmAuto == 0 && ukCfmOde == 1, "the order of the choices below");
_Static_assert(ukJointRuleODE == 0 && ukJointRuleExact == 1, "the order of the choices below");
_Static_assert(ukCheckOff == 0 && ukCheckStop == 4, "the order of the choices below");

_Static_assert(ukIntegratorEuler == 0 && ukIntegratorRadau == 4, "the order of the choices below");
_Static_assert(ukStabilizeErp == 0 && ukStabilizeNone == 3 && ukStabilizeSplit == 4, "the order of the choices below");

const ukOption ukOptions[ukOptionCount] = {
    [ukOptionSolver] = {.name = "solver",
                        .variable = "UKODE_SOLVER",
                        .choices = "auto, sparse, m-inverse, one-four, dalembert, gauss-qp, lagrange",
                        .usual = "auto",
                        .help = "solver of the equations; all but the first two are dense reference solvers"},
    [ukOptionFriction] = {.name = "friction",
                          .variable = "UKODE_FRICTION",
                          .choices = "ode, cone",
                          .usual = "ode",
                          .help = "ODE's own friction law, or the Coulomb cone"},
    [ukOptionFrictionRounds] =
        {.name = "friction-rounds",
         .variable = "UKODE_FRICTION_ROUNDS",
         .choices = "2 ... 100",
         .least = 2,
         .most = 100,
         .usual = "5",
         .help = "maximum number of fixed-point iterations on the friction bounds of a large moving island"},
    [ukOptionCfm] = {.name = "cfm",
                     .variable = "UKODE_CFM",
                     .choices = "auto, ode",
                     .usual = "auto",
                     .help = "ODE's default CFM in closed loops with a redundant row: ignored (auto) or applied (ode)"},
    [ukOptionJoints] =
        {.name = "joints",
         .variable = "UKODE_JOINTS",
         .choices = "ode, exact",
         .usual = "ode",
         .help =
             "joint rows under euler: as in ODE, or exact (the forces on both bodies are collinear, which conserves "
             "angular momentum)"},
    [ukOptionCheck] = {.name = "check",
                       .variable = "UKODE_CHECK",
                       .choices = "off, warn, resolve, fallback, stop",
                       .has_number = 1,
                       .usual = "warn:1e-9",
                       .help = "what to do when the Gauss check rejects a step; :x sets the tolerance"},
    [ukOptionIntegrator] = {.name = "integrator",
                            .variable = "UKODE_INTEGRATOR",
                            .choices = "euler, rk4, adaptive, rattle, radau",
                            .usual = "euler",
                            .help = "semi-implicit Euler as in ODE; classical Runge-Kutta; sub-steps to a tolerance "
                                    "(Dormand-Prince, and Radau IIA where forces are stiff); RATTLE, whose energy does "
                                    "not drift"},
    [ukOptionTolerance] = {.name = "tolerance",
                           .variable = "UKODE_TOLERANCE",
                           .choices = "R[,A]",
                           .amounts = 2,
                           .usual = "1e-8",
                           .help = "tolerance of adaptive and radau: relative, absolute [m]"},
    [ukOptionStabilization] =
        {.name = "stabilization",
         .variable = "UKODE_STABILIZATION",
         .choices = "erp, baumgarte, projection, none, split",
         .has_number = 1,
         .usual = "projection",
         .help = "correct position errors: euler by ODE's ERP, or split (positions change, not "
                 "velocities); rk4 and adaptive by projection, baumgarte (:x sets alpha = beta [1/s]) "
                 "or none"},
    [ukOptionStep] = {.name = "step",
                      .variable = "UKODE_STEP",
                      .choices = "SECONDS",
                      .amounts = 1,
                      .usual = "0",
                      .help = "size of every step, whatever the program passes; 0: as the program passes it"},
    [ukOptionThreads] = {.name = "threads",
                         .variable = "UKODE_THREADS",
                         .choices = "1 ... 64",
                         .least = 1,
                         .most = 64,
                         .usual = "1",
                         .help =
                             "number of threads that solve the islands of a step; the result does not depend on it"},
    [ukOptionBudget] = {.name = "budget",
                        .variable = "UKODE_BUDGET",
                        .choices = "0 ... 1000000000",
                        .least = 0,
                        .most = 1000000000,
                        .usual = "0",
                        .help = "maximum number of evaluations of the world's equations per step; a step that needs "
                                "more fails; 0: depends on the number of bodies"},
    [ukOptionPasses] = {.name = "passes",
                        .variable = "UKODE_PASSES",
                        .choices = "0 ... 1000000000",
                        .least = 0,
                        .most = 1000000000,
                        .usual = "0",
                        .help =
                            "maximum number of factorizations per step of an island with bounded rows; beyond it the "
                            "best forces found so far are used, and the report gives their residual; 0: no limit"},
};

/* the next letter or digit that counts, 0 at the end of the word */
static int optionsNext(const char **text, const char *end)
{
    while (*text < end && (**text == '-' || **text == '_')) (*text)++;
    return *text < end ? tolower((unsigned char)*(*text)++) : 0;
}

static int areSameWords(const char *a, const char *a_end, const char *b, const char *b_end)
{
    for (;;) {
        const int x = optionsNext(&a, a_end), y = optionsNext(&b, b_end);
        if (x != y) return 0;
        if (x == 0) return 1;
    }
}

static int parseNumber(const char *text, double *number)
{
    char *end;
    const double x = strtod(text, &end);
    if (end == text || *end || !(x > 0) || !isfinite(x)) return -1;
    *number = x;
    return 0;
}

static int parseCount(const char *text, int least, int most)
{
    char *end;
    const long count = strtol(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && count >= least && count <= most ? (int)count : -1;
}

static int parseAmounts(const char *text, int most, double number[2])
{
    double x[2] = {0};
    char *end;
    for (int i = 0; i < most; i++, text = end + 1) {
        if (!(*text >= '0' && *text <= '9') && *text != '.') return -1;
        x[i] = strtod(text, &end);
        if (end == text || (*end && (i + 1 == most || *end != ',')) || !isfinite(x[i])) return -1;
        if (!*end) break;
    }
    memcpy(number, x, (size_t)most * sizeof *x);
    return 0;
}

int ukOptionParse(const ukOption *option, const char *text, double number[2])
{
    if (option->amounts) return parseAmounts(text, option->amounts, number);
    if (option->most > 0) return parseCount(text, option->least, option->most);
    const char *colon = strchr(text, ':'), *end = colon ? colon : text + strlen(text);
    const char *choice = option->choices;
    for (int i = 0;; i++) {
        const char *comma = strchr(choice, ','), *stop = comma ? comma : choice + strlen(choice);
        if (end > text && areSameWords(choice, stop, text, end)) {
            if (!colon) return i;
            return option->has_number && parseNumber(colon + 1, number) == 0 ? i : -1;
        }
        if (!comma) return -1;
        choice = comma + 2;
    }
}

int ukOptionFlag(const char *text)
{
    static const char *const no[] = {"", "0", "no", "off", "false"}, *const yes[] = {"1", "yes", "on", "true"};
    if (!text) return 0;
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        if (strcasecmp(text, no[i]) == 0) return 0;
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        if (strcasecmp(text, yes[i]) == 0) return 1;
    return -1;
}

void ukOptionComplain(const ukOption *option, const char *text, char *message, size_t size)
{
    /* values by name are lower-case words; others are a range (1 ... 64) or a form (R[,A]) */
    const bool named = option->choices[0] >= 'a' && option->choices[0] <= 'z';
    snprintf(message, size, "%.60s %s %s%s", text, named ? "is not one of:" : "is not valid, expected", option->choices,
             option->has_number ? " (each may be followed by :x, x > 0)" : "");
}
