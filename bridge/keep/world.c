/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/keep/world.h"

#include <limits.h>
#include <math.h>

#include "bridge/account/ledger.h"
#include "bridge/island/stepper.h"
#include "solvers/base/lapack.h"
#include "solvers/base/status.h"

/* ---- ODE's parameters -------------------------------------------------------------------------------------------- */

typedef dReal Get(dWorldID);
typedef void Set(dWorldID, dReal);

static void parameters(ukTape *t, dWorldID w)
{
    static const struct {
        Get *get;
        Set *set;
    } table[] = {
        {dWorldGetERP, dWorldSetERP},
        {dWorldGetCFM, dWorldSetCFM},
        {dWorldGetContactMaxCorrectingVel, dWorldSetContactMaxCorrectingVel},
        {dWorldGetContactSurfaceLayer, dWorldSetContactSurfaceLayer},
        {dWorldGetQuickStepW, dWorldSetQuickStepW},
        {dWorldGetAutoDisableLinearThreshold, dWorldSetAutoDisableLinearThreshold},
        {dWorldGetAutoDisableAngularThreshold, dWorldSetAutoDisableAngularThreshold},
        {dWorldGetAutoDisableTime, dWorldSetAutoDisableTime},
        {dWorldGetLinearDamping, dWorldSetLinearDamping},
        {dWorldGetAngularDamping, dWorldSetAngularDamping},
        {dWorldGetLinearDampingThreshold, dWorldSetLinearDampingThreshold},
        {dWorldGetAngularDampingThreshold, dWorldSetAngularDampingThreshold},
        {dWorldGetMaxAngularSpeed, dWorldSetMaxAngularSpeed},
    };
    dVector3 g;
    dWorldGetGravity(w, g);
    ukTapeReals(t, g, 3);
    if (t->mode == ukTapeRead) dWorldSetGravity(w, g[0], g[1], g[2]);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        double value = table[i].get(w);
        ukTapeReals(t, &value, 1);
        const bool squared =
            table[i].set == dWorldSetLinearDampingThreshold || table[i].set == dWorldSetAngularDampingThreshold ||
            table[i].set == dWorldSetAutoDisableLinearThreshold || table[i].set == dWorldSetAutoDisableAngularThreshold;
        if ((squared && sqrt(value * value) != value && !isnan(value)) ||
            (table[i].set == dWorldSetContactSurfaceLayer && !(value >= 0)))
            ukTapeRefuse(t, ukErrorArgument, "a contact layer or a threshold of %g", value);
        if (t->mode == ukTapeRead) table[i].set(w, value);
    }
    int iterations = dWorldGetQuickStepNumIterations(w), steps = dWorldGetAutoDisableSteps(w);
    int samples = dWorldGetAutoDisableAverageSamplesCount(w);
    bool sleeps = dWorldGetAutoDisableFlag(w) != 0;
    ukTapeInt(t, &iterations, INT_MIN, INT_MAX, "a number of iterations");
    ukTapeInt(t, &steps, INT_MIN, INT_MAX, "a count of idle steps");
    ukTapeInt(t, &samples, 0, 1 << 20, "a count of samples");
    ukTapeBool(t, &sleeps);
    if (t->mode != ukTapeRead) return;
    dWorldSetQuickStepNumIterations(w, iterations);
    dWorldSetAutoDisableSteps(w, steps);
    dWorldSetAutoDisableAverageSamplesCount(w, (unsigned)samples);
    dWorldSetAutoDisableFlag(w, sleeps);
}

/* ---- ukode's settings -------------------------------------------------------------------------------------------- */

/* but for the threads, which are the process's, and change nothing */
static void settings(ukTape *t, ukWorld *world)
{
    ukSettings s = world->settings;
    int solver = (int)s.solver, integrator = (int)s.integrator, stabilization = (int)s.stabilization,
        friction = (int)s.friction, cfm_rule = (int)s.cfm_rule, check = (int)s.check;
    ukTapeInt(t, &solver, ukSolverAuto, ukSolverLagrange, "the solver");
    ukTapeInt(t, &integrator, ukIntegratorEuler, ukIntegratorRattle, "the integrator");
    ukTapeInt(t, &stabilization, ukStabilizeErp, ukStabilizeSplit, "the stabilization");
    ukTapeInt(t, &friction, ukFrictionOde, ukFrictionCone, "the law of friction");
    ukTapeInt(t, &cfm_rule, ukCfmAuto, ukCfmOde, "the rule of CFM");
    ukTapeInt(t, &check, ukCheckOff, ukCheckStop, "what the check does");
    ukTapeInt(t, &s.friction_rounds, ukFewestRounds, ukMostRounds, "the rounds of friction");
    double *const one[] = {&s.alpha,    &s.beta, &s.check_tolerance, &s.rank_tolerance, &s.tolerance,
                           &s.absolute, &s.time};
    for (size_t i = 0; i < sizeof one / sizeof *one; i++) ukTapeFinite(t, one[i], 1, "a setting");
    if (!(s.alpha >= 0 && s.beta >= 0 && s.tolerance >= 0 && s.absolute >= 0 && s.check_tolerance > 0 &&
          s.rank_tolerance >= 0 && s.rank_tolerance < 1))
        ukTapeRefuse(t, ukErrorArgument, "a setting is out of its range");
    if (t->mode == ukTapeCheck && solver > ukSolverSparse && !ukLapackReady())
        ukTapeRefuse(t, ukErrorLapack, "its solver needs LAPACKE with a CBLAS (Debian: liblapacke)");
    if (t->mode != ukTapeRead) return;
    s.solver = (ukSolver)solver, s.integrator = (ukIntegrator)integrator;
    s.stabilization = (ukStabilization)stabilization, s.friction = (ukFriction)friction;
    s.cfm_rule = (ukCfmRule)cfm_rule, s.check = (ukCheckAction)check;
    world->settings = s;
}

static void ledger(ukTape *t, ukWorld *world, bool *made)
{
    bool has = world->book != NULL;
    ukTapeBool(t, &has);
    if (!has) {
        if (t->mode == ukTapeRead && world->book) ukLedgerSwitch(world, false);
        return;
    }
    if (!world->book) {
        *made = ukLedgerSwitch(world, true) == ukOk;
        if (!*made) ukTapeRefuse(t, ukErrorMemory, "no memory");
    }
    if (!world->book) return;
    ukTapeArray(t, &world->book->sum.time, sizeof(ukLedger) / sizeof(dReal));
    ukTapeArray(t, &world->book->before.time, sizeof(ukLedger) / sizeof(dReal));
}

/* of the step before: what it was asked for as, whether getters answer from its records, and its size */
static void lastStep(ukTape *t, ukWorld *world)
{
    ukStepper *const s = world->stepper;
    bool quick = world->quick, answers = world->answers;
    ukTapeBool(t, &quick);
    ukTapeBool(t, &answers);
    ukTapeArray(t, &s->h, 1);
    ukTapeArray(t, s->potential_g, 3);
    if (t->mode != ukTapeRead) return;
    world->quick = quick;
    world->answers = answers;
}

void ukKeepWorld(ukTape *t, ukWorld *world, bool *made)
{
    parameters(t, world->handle);
    settings(t, world);
    ledger(t, world, made);
    lastStep(t, world);
    const uint64_t seed = ukTapeWord(t, dRandGetSeed());
    if (ukTapeReads(t) && seed > UINT32_MAX) ukTapeRefuse(t, ukErrorArgument, "a seed of random numbers");
    if (t->mode == ukTapeRead) dRandSetSeed((unsigned long)seed);
}
