#include "plugin/options.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/ukode.h>

_Static_assert(ukSolverAuto == 0 && ukSolverLagrange == 6, "the order of the choices below");
_Static_assert(ukFrictionOde == 0 && ukFrictionCone == 1, "the order of the choices below");
_Static_assert(ukCheckOff == 0 && ukCheckStop == 4, "the order of the choices below");

const ukOption ukOptions[ukOptionCount] = {
    [ukOptionSolver] = {"solver", "UKODE_SOLVER", "auto, sparse, m-inverse, one-four, dalembert, gauss-qp, lagrange", 0,
                        "who solves the equations; all but the first two are dense references"},
    [ukOptionFriction] = {"friction", "UKODE_FRICTION", "ode, cone", 0,
                          "ODE's own friction law, or the isotropic Coulomb cone"},
    [ukOptionCheck] = {"check", "UKODE_CHECK", "off, warn, resolve, fallback, stop", 1,
                       "what a step does that the Gauss check rejects; :x is its tolerance"},
    [ukOptionIntegrator] = {"integrator", "UKODE_INTEGRATOR", "euler", 0, "how a step advances the state"},
    [ukOptionStabilization] = {"stabilization", "UKODE_STABILIZATION", "erp", 0, "what is done about drift"},
};

/* the next letter or digit that counts, 0 at the end of the word */
static int next(const char **text, const char *end)
{
    while (*text < end && (**text == '-' || **text == '_')) (*text)++;
    return *text < end ? tolower((unsigned char)*(*text)++) : 0;
}

static int same(const char *a, const char *a_end, const char *b, const char *b_end)
{
    for (;;) {
        const int x = next(&a, a_end), y = next(&b, b_end);
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

int ukOptionParse(const ukOption *option, const char *text, double *number)
{
    const char *colon = strchr(text, ':'), *end = colon ? colon : text + strlen(text);
    const char *choice = option->choices;
    for (int i = 0;; i++) {
        const char *comma = strchr(choice, ','), *stop = comma ? comma : choice + strlen(choice);
        if (end > text && same(choice, stop, text, end)) {
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
        if (strcmp(text, no[i]) == 0) return 0;
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        if (strcmp(text, yes[i]) == 0) return 1;
    return -1;
}

void ukOptionComplain(const ukOption *option, const char *text, char *message, size_t size)
{
    snprintf(message, size, "%.60s is not one of: %s%s", text, option->choices,
             option->has_number ? " (each may be followed by :x, x > 0)" : "");
}
