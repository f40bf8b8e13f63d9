/* SPDX-License-Identifier: BSD-3-Clause */
/* Each choice of each option is understood, in the order of the public enumerations; nothing else is. */
#include <string.h>

#include <ukode/ukode.h>

#include "bridge/world/settings.h"
#include "plugin/options.h"
#include "tests/check.h"

static const struct {
    int option;
    const char *text;
    int value;
} choice[] = {
    {ukOptionSolver, "auto", ukSolverAuto},
    {ukOptionSolver, "sparse", ukSolverSparse},
    {ukOptionSolver, "m-inverse", ukSolverMInverse},
    {ukOptionSolver, "MInverse", ukSolverMInverse},
    {ukOptionSolver, "one_four", ukSolverOneFour},
    {ukOptionSolver, "dalembert", ukSolverDAlembert},
    {ukOptionSolver, "Gauss-QP", ukSolverGaussQP},
    {ukOptionSolver, "lagrange", ukSolverLagrange},
    {ukOptionSolver, "lagrang", -1},
    {ukOptionSolver, "lagranges", -1},
    {ukOptionSolver, "", -1},
    {ukOptionSolver, "-", -1},
    {ukOptionSolver, "auto, sparse", -1},
    {ukOptionSolver, "sparse:1", -1},
    {ukOptionFriction, "ode", ukFrictionOde},
    {ukOptionFriction, "cone", ukFrictionCone},
    {ukOptionFrictionRounds, "2", 2},
    {ukOptionFrictionRounds, "100", 100},
    {ukOptionFrictionRounds, "1", -1},
    {ukOptionFrictionRounds, "101", -1},
    {ukOptionPasses, "0", 0},
    {ukOptionPasses, "24", 24},
    {ukOptionPasses, "-1", -1},
    {ukOptionCfm, "auto", ukCfmAuto},
    {ukOptionCfm, "ODE", ukCfmOde},
    {ukOptionCfm, "0", -1},
    {ukOptionJoints, "ode", ukJointRuleODE},
    {ukOptionJoints, "Exact", ukJointRuleExact},
    {ukOptionJoints, "rigid", -1},
    {ukOptionCheck, "off", ukCheckOff},
    {ukOptionCheck, "warn", ukCheckWarn},
    {ukOptionCheck, "resolve", ukCheckResolve},
    {ukOptionCheck, "fallback", ukCheckFallback},
    {ukOptionCheck, "stop", ukCheckStop},
    {ukOptionCheck, "stop:", -1},
    {ukOptionCheck, "stop:0", -1},
    {ukOptionCheck, "stop:-1", -1},
    {ukOptionCheck, "stop:nan", -1},
    {ukOptionCheck, "stop:inf", -1},
    {ukOptionCheck, "stop:1e-9x", -1},
    {ukOptionCheck, ":1e-9", -1},
    {ukOptionIntegrator, "euler", ukIntegratorEuler},
    {ukOptionIntegrator, "RK4", ukIntegratorRK4},
    {ukOptionIntegrator, "adaptive", ukIntegratorAdaptive},
    {ukOptionIntegrator, "rattle", ukIntegratorRattle},
    {ukOptionIntegrator, "radau", ukIntegratorRadau},
    {ukOptionIntegrator, "verlet", -1},
    {ukOptionTolerance, "tight", -1},
    {ukOptionTolerance, "-1e-8", -1},
    {ukOptionTolerance, "1e-8,", -1},
    {ukOptionTolerance, "1e-8,1,2", -1},
    {ukOptionTolerance, "inf", -1},
    {ukOptionTolerance, "nan", -1},
    {ukOptionTolerance, "", -1},
    {ukOptionStabilization, "erp", ukStabilizeErp},
    {ukOptionStabilization, "baumgarte", ukStabilizeBaumgarte},
    {ukOptionStabilization, "projection", ukStabilizeProjection},
    {ukOptionStabilization, "none", ukStabilizeNone},
    {ukOptionStabilization, "split", ukStabilizeSplit},
    {ukOptionStep, "-0.01", -1},
    {ukOptionStep, "0.01,0", -1},
    {ukOptionStep, "0.01 s", -1},
    {ukOptionStep, "inf", -1},
    {ukOptionStep, "", -1},
    {ukOptionBudget, "0", 0},
    {ukOptionBudget, "1000000000", 1000000000},
    {ukOptionBudget, "1000000001", -1},
    {ukOptionBudget, "-1", -1},
    {ukOptionBudget, "many", -1},
    {ukOptionThreads, "1", 1},
    {ukOptionThreads, "64", 64},
    {ukOptionThreads, "0", -1},
    {ukOptionThreads, "65", -1},
    {ukOptionThreads, "-1", -1},
    {ukOptionThreads, "2.5", -1},
    {ukOptionThreads, " 2", -1},
    {ukOptionThreads, "4294967297", -1},
    {ukOptionThreads, "", -1},
};

static void choices(void)
{
    for (size_t i = 0; i < sizeof choice / sizeof *choice; i++) {
        double number[2] = {-7, -7};
        const int value = ukOptionParse(&ukOptions[choice[i].option], choice[i].text, number);
        if (!CHECK(value == choice[i].value)) printf("  %s: %d\n", choice[i].text, value);
        CHECK(number[0] == -7 && number[1] == -7);
    }
    double number[2] = {0};
    CHECK(ukOptionParse(&ukOptions[ukOptionCheck], "Resolve:2.5e-8", number) == ukCheckResolve && number[0] == 2.5e-8);
    CHECK(ukOptionParse(&ukOptions[ukOptionTolerance], "1e-6,0.001", number) == 0);
    CHECK(number[0] == 1e-6 && number[1] == 0.001);
    CHECK(ukOptionParse(&ukOptions[ukOptionTolerance], "1e-10", number) == 0 && number[0] == 1e-10 && number[1] == 0);
    double step[2] = {0, -7}; /* one amount: nothing behind it is written */
    CHECK(ukOptionParse(&ukOptions[ukOptionStep], "0.002", step) == 0 && step[0] == 0.002 && step[1] == -7);
    CHECK(ukOptionParse(&ukOptions[ukOptionStep], "0", step) == 0 && step[0] == 0 && step[1] == -7);
}

static void defaults(void)
{
    double number[2] = {0}, tolerance = 0, step = 7;
    const ukSettings *d = &ukSettingsDefault;
    const int usual[ukOptionCount] = {[ukOptionSolver] = (int)d->solver,
                                      [ukOptionFriction] = (int)d->friction,
                                      [ukOptionFrictionRounds] = d->friction_rounds,
                                      [ukOptionCfm] = (int)d->cfm_rule,
                                      [ukOptionJoints] = (int)d->joint_rule,
                                      [ukOptionCheck] = (int)d->check,
                                      [ukOptionIntegrator] = (int)d->integrator,
                                      [ukOptionStabilization] = (int)d->stabilization,
                                      [ukOptionThreads] = d->threads,
                                      [ukOptionBudget] = d->budget,
                                      [ukOptionPasses] = d->passes};
    for (int i = 0; i < ukOptionCount; i++)
        CHECK(ukOptionParse(&ukOptions[i], ukOptions[i].usual,
                            i == ukOptionCheck  ? &tolerance
                            : i == ukOptionStep ? &step
                                                : number) == usual[i]);
    CHECK(step == ukSettingsStep);
    CHECK(tolerance == d->check_tolerance && number[0] == d->tolerance && number[1] == d->absolute);
}

static void flags(void)
{
    static const char *const off[] = {NULL, "", "0", "no", "off", "false", "No", "OFF"};
    static const char *const on[] = {"1", "yes", "on", "true", "True"};
    static const char *const neither[] = {"2", "maybe", "01", "nope", "tru", "yess", "y", "f"};
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) CHECK(ukOptionFlag(off[i]) == 0);
    for (size_t i = 0; i < sizeof on / sizeof *on; i++) CHECK(ukOptionFlag(on[i]) == 1);
    for (size_t i = 0; i < sizeof neither / sizeof *neither; i++) CHECK(ukOptionFlag(neither[i]) == -1);
}

static void complaint(void)
{
    char message[256];
    ukOptionComplain(&ukOptions[ukOptionFriction], "sticky", message, sizeof message);
    CHECK(strstr(message, "sticky") && strstr(message, "ode, cone"));
}

int main(void)
{
    choices();
    defaults();
    flags();
    complaint();
    return ukTestEnd();
}
