/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/snapshot/world.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>

#include "bridge/base/pool.h"
#include "bridge/island/stepper.h"
#include "bridge/results/ledger.h"
#include "solvers/base/lapack.h"
#include "solvers/base/status.h"

/* ---- ODE's parameters -------------------------------------------------------------------------------------------- */

typedef dReal Get(dWorldID);
typedef void Set(dWorldID, dReal);

static void transferParameters(ukTape *t, dWorldID w)
{
    const struct {
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
        if (squared && sqrt(value * value) != value && !isnan(value))
            ukTapeRefuse(t, ukErrorArgument,
                         "the threshold %g cannot be restored exactly: ODE stores its square, which is rounded", value);
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

/* Transfers all settings except the number of threads: the restored world keeps its own. It does not affect results. */
static void transferSettings(ukTape *t, ukWorld *world)
{
    ukSettings s = world->settings;
    s.threads = 1;
#define UKODE_INTEGER(type, name, least, most)                                                                         \
    {                                                                                                                  \
        int value = (int)s.name;                                                                                       \
        ukTapeInt(t, &value, least, most, "the setting " #name);                                                       \
        s.name = (type)value;                                                                                          \
    }
#define UKODE_REAL(name, least, most)                                                                                  \
    ukTapeFinite(t, &s.name, 1, "the setting " #name);                                                                 \
    if (!(s.name >= (least) && s.name <= (most)))                                                                      \
        ukTapeRefuse(t, ukErrorArgument, "the setting " #name " is out of its range");
    UKODE_SETTINGS(UKODE_INTEGER, UKODE_REAL)
#undef UKODE_INTEGER
#undef UKODE_REAL
    if (t->mode == ukTapeCheck && s.solver > ukSolverSparse && !ukLapackReady())
        ukTapeRefuse(t, ukErrorLapack, "its solver needs LAPACKE with a CBLAS (Debian: liblapacke)");
    s.threads = world->settings.threads;
    if (t->mode == ukTapeRead) world->settings = s;
}

static void transferSwitches(ukTape *t, ukWorld *world)
{
    ukSwitches s = world->switches;
    ukTapeInt(t, &s.count, 0, ukMostSwitches, "a number of switching times");
    if (s.count < 0 || s.count > ukMostSwitches) return; /* refused */
    ukTapeFinite(t, s.at, s.count, "a switching time");
    for (int k = 1; k < s.count; k++)
        if (!(s.at[k - 1] < s.at[k])) ukTapeRefuse(t, ukErrorArgument, "switching times are not ascending");
    if (t->mode == ukTapeRead) world->switches = s;
}

/* The layout of a ledger in a saved state: its members in their order. */
enum { LedgerDoubles = 19 };
_Static_assert(offsetof(ukLedger, time) == 0 && sizeof(ukLedger) == LedgerDoubles * sizeof(dReal),
               "saved states contain a ledger as an array of doubles");

static void transferLedger(ukTape *t, ukWorld *world, bool *ledger_created)
{
    bool has = world->book != NULL;
    ukTapeBool(t, &has);
    if (!has) {
        if (t->mode == ukTapeRead && world->book) ukLedgerSwitch(world, false);
        return;
    }
    if (!world->book) {
        *ledger_created = ukLedgerSwitch(world, true) == ukOk;
        if (!*ledger_created) ukTapeRefuse(t, ukErrorMemory, "no memory");
    }
    if (!world->book) return;
    ukTapeArray(t, &world->book->sum.time, LedgerDoubles);
    ukTapeArray(t, &world->book->before.time, LedgerDoubles);
}

/* Transfers data of the last step: whether dWorldQuickStep requested it, whether getters answer from its records, its h
 * and gravity. */
static void transferLastStep(ukTape *t, ukWorld *world)
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

void ukKeepWorld(ukTape *t, ukWorld *world, bool *ledger_created)
{
    transferParameters(t, world->handle);
    transferSettings(t, world);
    transferSwitches(t, world);
    transferLedger(t, world, ledger_created);
    transferLastStep(t, world);
    const uint64_t seed = ukTapeWord(t, dRandGetSeed());
    if (ukTapeReads(t) && seed > UINT32_MAX)
        ukTapeRefuse(t, ukErrorArgument, "the seed of ODE's random numbers exceeds 32 bits");
    if (t->mode == ukTapeRead) dRandSetSeed((unsigned long)seed);
}
