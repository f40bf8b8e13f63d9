/* SPDX-License-Identifier: BSD-3-Clause */
/* The k-th allocation fails, for every k: while a world is made, and at whatever is done with it. No step succeeds with
 * something missing; what fails tells ukErrorMemory and leaves every body as it was; and once memory is back, all goes
 * on as if nothing had been, to the last bit. */
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ukode/analysis.h>

#include "bridge/base/log.h"
#include "bridge/ode/ode.h"
#include "bridge/world/registry.h"
#include "plugin/formats/inputs/inputs.h"
#include "plugin/formats/recording/reader.h"
#include "plugin/formats/recording/recorder.h"
#include "solvers/base/status.h"
#include "tests/check.h"
#include "tests/support/failing_allocations.h"

/* ---- worlds ------------------------------------------------------------------------------------------------------ */

typedef enum Kind {
    Chain,
    ChainByRK4,
    Loop,
    Laws,
    LawsByRK4,
    Contacts,
    ContactsByCone,
    ChainOnGround, /* under the cone: whatever a law of friction tries */
    OwnFunctions,  /* a constraint with friction, a force, a ledger */
    Dense,
    Threads,
    Sleepers, /* auto-disable, by averages over samples */
    Kinds
} Kind;

enum { MostBodies = 48, MostJoints = 64, StateSize = 16 };

typedef struct Made {
    dWorldID world;
    dBodyID body[MostBodies];
    dJointID joint[MostJoints];
    dJointGroupID group;
    int bodies, joints;
    bool told; /* a call of ukode's own said that it failed */
} Made;

static int follow(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)data;
    A[0] = 1;
    A[6] = -1;
    b[0] = 0.1 * (c->bodies[1].velocity[0] - c->bodies[0].velocity[0]);
    return 0;
}

static int pull(const struct ukConstraintContext *c, dReal *force, void *data)
{
    (void)data;
    force[0] = -c->bodies[0].position[0];
    return 0;
}

static void drag(const struct ukNonIdealContext *c, dReal force[2][6], void *data)
{
    (void)data;
    for (int k = 0; k < 3; k++) force[0][3 + k] = -0.1 * c->rate[0] * c->axis[0][k];
}

static void need(Made *m, bool done)
{
    if (!done) m->told = true;
}

static void addHinge(Made *m, dBodyID a, dBodyID b, double x)
{
    const dJointID j = m->joint[m->joints++] = dJointCreateHinge(m->world, 0);
    dJointAttach(j, a, b);
    dJointSetHingeAnchor(j, x, 0, 0);
    dJointSetHingeAxis(j, 0, 1, 0);
}

static void addContact(Made *m, dBodyID b, double dx, double dy)
{
    const dReal *x = dBodyGetPosition(b);
    const dContact c = {.surface = {.mode = dContactApprox1, .mu = 0.5},
                        .geom = {.pos = {x[0] + dx, x[1] + dy, x[2] - 0.5}, .normal = {0, 0, 1}, .depth = 0.01}};
    const dJointID j = m->joint[m->joints++] = dJointCreateContact(m->world, m->group, &c);
    dJointAttach(j, b, 0);
}

static void addBodies(Made *m, Kind kind)
{
    const int bodies = kind == Loop ? 3 : kind == Threads ? MostBodies : 6;
    for (int i = 0; i < bodies; i++) {
        const dBodyID b = m->body[m->bodies++] = dBodyCreate(m->world);
        dBodySetPosition(b, i + 0.5, 0.1 * (i % 3), 0.05 * i);
        dBodySetAngularVel(b, 0.1, 0.2, 0.3);
        if (kind != Sleepers) continue;
        dBodySetAutoDisableFlag(b, 1);
        dBodySetAutoDisableAverageSamplesCount(b, 3);
    }
}

static void addSettings(Made *m, Kind kind)
{
    const dWorldID w = m->world;
    if (kind == ChainByRK4 || kind == LawsByRK4) need(m, ukWorldSetIntegrator(w, ukIntegratorRK4) == 0);
    if (kind == ContactsByCone || kind == ChainOnGround) need(m, ukWorldSetFriction(w, ukFrictionCone) == 0);
    if (kind == Dense) need(m, ukWorldSetSolver(w, ukSolverMInverse) == 0);
    if (kind == Threads) need(m, ukWorldSetThreads(w, 3) == 0);
    for (int i = 0; (kind == Laws || kind == LawsByRK4) && i < m->joints; i++)
        need(m, (i % 2 ? ukJointSetNonIdeal(m->joint[i], drag, NULL) : ukJointSetCoulomb(m->joint[i], 0.1, 0.1)) == 0);
    if (kind != OwnFunctions) return;
    const ukConstraintID c = ukConstraintCreate(w, 1, m->body, 2, follow, NULL);
    need(m, c && ukConstraintSetCoulomb(c, 0.1) == 0);
    need(m, ukForceCreate(w, m->body, 1, pull, NULL) != NULL);
    need(m, ukWorldSetLedger(w, 1) == 0);
}

static Made make(Kind kind)
{
    Made m = {.world = dWorldCreate(), .group = dJointGroupCreate(0)};
    dWorldSetGravity(m.world, 0, 0, -9.81);
    if (kind == Loop) dWorldSetCFM(m.world, 0);
    addBodies(&m, kind);
    const bool lies = kind == Contacts || kind == ContactsByCone || kind == ChainOnGround;
    for (int i = 0; i < m.bodies; i++) {
        for (int k = 0; k < 3 && lies; k++) addContact(&m, m.body[i], cos(2 * k), sin(2 * k));
        if (!lies) addHinge(&m, m.body[i], i && kind != Threads ? m.body[i - 1] : 0, i);
        if (kind == ChainOnGround && i) addHinge(&m, m.body[i], m.body[i - 1], i);
    }
    if (kind == Loop) addHinge(&m, m.body[2], 0, 3);
    addSettings(&m, kind);
    return m;
}

static void end(Made *m)
{
    dJointGroupDestroy(m->group);
    dWorldDestroy(m->world);
}

typedef struct State {
    double of[MostBodies][StateSize];
} State;

static State stateOf(const Made *m)
{
    State s;
    memset(&s, 0, sizeof s);
    for (int i = 0; i < m->bodies; i++) {
        memcpy(s.of[i], dBodyGetPosition(m->body[i]), 3 * sizeof(double));
        memcpy(s.of[i] + 3, dBodyGetQuaternion(m->body[i]), 4 * sizeof(double));
        memcpy(s.of[i] + 7, dBodyGetLinearVel(m->body[i]), 3 * sizeof(double));
        memcpy(s.of[i] + 10, dBodyGetAngularVel(m->body[i]), 3 * sizeof(double));
        memcpy(s.of[i] + 13, dBodyGetForce(m->body[i]), 3 * sizeof(double));
    }
    return s;
}

static bool same(const State *x, const State *y)
{
    return memcmp(x, y, sizeof *x) == 0;
}

static bool stepAll(const Made *m, int steps)
{
    for (int i = 0; i < steps; i++)
        if (ukWorldStep(m->world, 0.01) != 1) return false;
    return true;
}

static State undisturbed(Kind kind, int steps)
{
    Made m = make(kind);
    CHECK(!m.told && stepAll(&m, steps));
    const State s = stateOf(&m);
    end(&m);
    return s;
}

/* ---- while a world is made --------------------------------------------------------------------------------------- */

/* with all that was lost, and the rest */
static void destroyAll(Made *m)
{
    for (int i = 0; i < m->joints; i++) dJointDestroy(m->joint[i]); /* nothing to those in the group */
    dJointGroupEmpty(m->group);
    while (m->bodies > 0) dBodyDestroy(m->body[--m->bodies]);
    m->joints = 0;
}

/* a step that fails for what is missing, natively and by the fallback, and the way out */
static void incomplete(Made *m)
{
    const State before = stateOf(m);
    CHECK(ukWorldStep(m->world, 0.01) == 0 && ukGetLastError() == ukErrorMemory);
    CHECK(ukWorldEvaluate(m->world) == ukErrorMemory && ukWorldProject(m->world) == ukErrorMemory);
    const State after = stateOf(m);
    CHECK(same(&before, &after));
    ukReport r;
    CHECK(ukWorldEnable(m->world) == 0 && dWorldStep(m->world, 0.01) == 1); /* ODE's own */
    CHECK(ukWorldGetReport(m->world, &r) == 0 && r.fallbacks == 1);
    destroyAll(m);
    m->body[m->bodies++] = dBodyCreate(m->world);
    CHECK(ukRegistryWorld(m->world)->lost == 0 && stepAll(m, 2));
    CHECK(dBodyGetPosition(m->body[0])[2] < 0);
}

/* whether an allocation was left to fail */
static bool making(Kind kind, int k, const State *reference, int *incompletes)
{
    arm(k);
    Made m = make(kind);
    const bool failed = disarm();
    if (!ukRegistryWorld(m.world)) {
        CHECK(ukWorldStep(m.world, 0.01) == 0 && ukGetLastError() == ukErrorHandle);
    } else if (ukRegistryWorld(m.world)->lost > 0) {
        ++*incompletes;
        incomplete(&m);
    } else if (!m.told) {
        CHECK(stepAll(&m, 3));
        const State s = stateOf(&m);
        CHECK(same(&s, reference));
    }
    end(&m);
    return failed;
}

/* A process's records are kept for the next ones: the first world of a kind in a fresh process shows more. */
static void fresh(void)
{
    Made kept[40];
    for (int i = 0; i < 40; i++) kept[i] = make(Chain); /* uses up what others gave back */
    for (int i = 0; i < 40; i++) end(&kept[i]);
}

static void everyMaking(void)
{
    int failures = 0, incompletes = 0;
    for (int kind = 0; kind < Kinds; kind++) {
        const State reference = undisturbed((Kind)kind, 3);
        for (int k = 1; making((Kind)kind, k, &reference, &incompletes); k++) failures++;
    }
    /* records come by slabs: with many worlds at a time each slab's turn comes, behind the bodies' own buffers */
    enum { Many = 400 };
    static Made many[Many];
    for (int i = 0; i < Many; i++) {
        arm(1 + i % 9);
        many[i] = make(i % 2 ? Contacts : Chain);
        if (!disarm()) continue;
        failures++;
        if (!ukRegistryWorld(many[i].world) || ukRegistryWorld(many[i].world)->lost == 0) continue;
        incompletes++;
        incomplete(&many[i]);
    }
    for (int i = 0; i < Many; i++) end(&many[i]);
    printf("while made: %d allocations failed, %d worlds incomplete\n", failures, incompletes);
    CHECK(failures > 60 && incompletes > 10);
}

/* ---- at what is done with it ------------------------------------------------------------------------------------- */

typedef enum Act {
    Step,
    Evaluate,
    Project,
    Diagnose,
    Mobility,
    Equations,
    Ledger,
    Attach,
    Linearize, /* from here on: analyses */
    Regulate,
    Operate,
    Modes,
    Assemble,
    Balance,
    Inverse,
    Acts
} Act;

static int analyse(const Made *m, Act what)
{
    const ukSignal force = {.kind = ukSignalJointForce, .joint = m->joint[0]};
    const ukTarget target = {.body = m->body[0], .orientation = {1}, .position_weight = 1};
    union {
        ukLinearization linearization;
        ukRegulator regulator;
        ukAssembly assembly;
        ukEquilibrium equilibrium;
        ukInverse inverse;
    } found;
    const ukMode *modes;
    ukLinearOperatorID linear;
    double u;
    int count;
    switch (what) {
    case Linearize: return ukWorldLinearize(m->world, &force, 1, &force, 0, 0, &found.linearization);
    case Regulate: return ukWorldRegulate(m->world, &force, 1, 1, 0.01, &found.regulator);
    case Modes: return ukWorldModes(m->world, &modes, &count, NULL);
    case Assemble: return ukWorldAssemble(m->world, &target, 1, &found.assembly);
    case Balance: return ukWorldEquilibrium(m->world, 0, &found.equilibrium);
    case Inverse: return ukWorldInverseDynamics(m->world, &force, 1, NULL, NULL, &u, &found.inverse);
    default: linear = ukLinearOperatorCreate(m->world, &force, 1);
    }
    ukLinearOperatorDestroy(linear);
    return linear ? ukOk : ukGetLastError();
}

static int act(const Made *m, Act what)
{
    if (what >= Linearize) return analyse(m, what);
    ukDiagnosis diagnosis;
    ukEquations equations;
    ukMobility mobility;
    switch (what) {
    case Step: return ukWorldStep(m->world, 0.01) == 1 ? ukOk : ukErrorMemory;
    case Evaluate: return ukWorldEvaluate(m->world);
    case Project: return ukWorldProject(m->world);
    case Diagnose: return ukWorldDiagnose(m->world, &diagnosis);
    case Mobility: return ukWorldGetMobility(m->world, &mobility);
    case Equations: return ukWorldGetEquations(m->world, &equations);
    case Ledger: return ukWorldSetLedger(m->world, 1);
    default: return ukWorldAttach(m->world, m->body, m->bodies);
    }
}

/* what it leads to without a failure; `status`: of the act itself */
static State acted(Kind kind, Act what, int *status)
{
    Made m = make(kind);
    if (what == Equations) CHECK(stepAll(&m, 1));
    *status = act(&m, what);
    CHECK(stepAll(&m, 3));
    const State s = stateOf(&m);
    end(&m);
    return s;
}

static bool acting(Kind kind, Act what, int k, const State *reference, int undisturbed_status)
{
    Made m = make(kind);
    if (what == Equations) CHECK(stepAll(&m, 1));
    const State before = stateOf(&m);
    ukErrorSet(ukOk, "%s", "");
    arm(k);
    const int status = act(&m, what);
    const bool failed = disarm();
    if (status != undisturbed_status) {
        const State after = stateOf(&m);
        if (!CHECK(status == ukErrorMemory && ukGetLastError() == ukErrorMemory && ukGetLastErrorMessage()[0]))
            printf("kind %d, act %d, allocation %d, status %d: %d %s\n", kind, what, k, status, ukGetLastError(),
                   ukGetLastErrorMessage());
        CHECK(same(&before, &after));
        CHECK(act(&m, what) == undisturbed_status); /* memory is back */
    }
    CHECK(stepAll(&m, 3));
    const State s = stateOf(&m);
    if (!CHECK(same(&s, reference))) printf("kind %d, act %d, allocation %d, status %d\n", kind, what, k, status);
    end(&m);
    return failed;
}

static void everyAct(void)
{
    int failures = 0;
    for (int kind = 0; kind < Kinds; kind++)
        for (int what = 0; what < Acts; what++) {
            if (what >= Linearize && kind != Loop) continue; /* others refuse some of them */
            int status;
            const State reference = acted((Kind)kind, (Act)what, &status);
            /* analyses repeat the same work: later allocations by samples */
            for (int k = 1; acting((Kind)kind, (Act)what, k, &reference, status); k += what < Linearize ? 1 : 1 + k / 8)
                failures++;
        }
    printf("at what is done: %d allocations failed\n", failures);
    CHECK(failures > 1000);
}

/* ---- its state --------------------------------------------------------------------------------------------------- */

enum { SavedMost = 1 << 20 };

/* what the world saves; `bytes` has room for SavedMost */
static size_t save(const Made *m, unsigned char *bytes)
{
    const size_t size = ukWorldSave(m->world, bytes, SavedMost);
    CHECK(size > 0 && size <= SavedMost);
    return size;
}

/* Whether an allocation was left to fail: in saving, in taking an earlier state over, and where the inputs of a
 * recording begin. What fails says so, and the world is as it was, all that it saves. */
static bool keeping(Kind kind, int k, unsigned char *const bytes[3])
{
    Made m = make(kind);
    CHECK(stepAll(&m, 1));
    const size_t early = save(&m, bytes[0]);
    CHECK(stepAll(&m, 2));
    const size_t late = save(&m, bytes[1]);
    arm(k);
    const size_t asked = ukWorldSave(m.world, NULL, 0);
    bool failed = disarm();
    CHECK(failed ? asked == 0 && ukGetLastError() == ukErrorMemory : asked == late);
    arm(k);
    const int restored = ukWorldRestore(m.world, bytes[0], early);
    const bool denied = disarm();
    CHECK(restored == (denied ? ukErrorMemory : ukOk));
    const size_t now = save(&m, bytes[2]);
    CHECK(now == (denied ? late : early) && memcmp(bytes[2], bytes[denied ? 1 : 0], now) == 0);
    CHECK(ukWorldRestore(m.world, bytes[0], early) == ukOk); /* memory is back */
    failed |= denied;
    arm(k);
    const int begun = ukInputsBegin(ukRegistryWorld(m.world));
    const bool starved = disarm();
    if (!CHECK(begun == (starved ? ukErrorMemory : ukOk))) printf("kind %d: %s\n", kind, ukGetLastErrorMessage());
    CHECK(!ukRegistryWorld(m.world)->journal == starved);
    end(&m);
    return failed || starved;
}

static void everyKeeping(void)
{
    int failures = 0;
    unsigned char *const bytes[3] = {malloc(SavedMost), malloc(SavedMost), malloc(SavedMost)};
    if (!CHECK(bytes[0] && bytes[1] && bytes[2])) return;
    for (int kind = 0; kind < Kinds; kind++)
        for (int k = 1; keeping((Kind)kind, k, bytes); k++) failures++;
    for (int i = 0; i < 3; i++) free(bytes[i]);
    printf("at saved states: %d allocations failed\n", failures);
    CHECK(failures > 150);
}

/* ---- a recording ------------------------------------------------------------------------------------------------- */

static char path[64];

static double ask(const char *sql)
{
    ukReader r;
    sqlite3_stmt *const query = ukReaderOpen(&r, path) ? ukReaderAsk(&r, sql) : NULL;
    const double x = query && ukReaderNext(&r, query) ? ukReaderReal(query, 0) : (double)NAN;
    if (r.error[0]) printf("%s\n", r.error);
    ukReaderDone(query);
    ukReaderClose(&r);
    return x;
}

/* Whether an allocation was left to fail in every third step, which finds its bodies changed: such a step is not told.
 * The others are, each body once, and work by cause is what it is (tests/plugin/recording/test_recording.c,
 * worksOfAllSteps). */
static bool recorded(int k)
{
    const double h = 0.004, force = 3, mass = 2, a = force / mass - 9.81;
    const dWorldID world = dWorldCreate();
    const dBodyID body = dBodyCreate(world);
    bool any = false;
    dMass m;
    dMassSetSphereTotal(&m, mass, 0.1);
    dBodySetMass(body, &m);
    dWorldSetGravity(world, 0, 0, -9.81);
    CHECK(ukWorldRecord(world, path, NULL) == ukOk);
    for (int i = 0; i < 300; i++) {
        ukRecorded r;
        dBodyAddForce(body, 0, 0, force);
        if (i % 3 == 2) {
            dMassSetSphereTotal(&m, mass, 0.1 + 0.01 * (i % 2));
            dBodySetMass(body, &m);
            CHECK(ukRecorderOf(ukRegistryWorld(world), &r));
            ukQueueFlush(r.queue); /* its thread allocates nothing meanwhile */
            arm(k);
        }
        CHECK(ukWorldStep(world, h) == 1);
        any |= disarm();
    }
    CHECK(ukWorldRecord(world, NULL, NULL) == ukOk);
    CHECK(ask("SELECT count(*) FROM step") >= 200 && ask("SELECT max(step) FROM step") >= 299);
    CHECK(ask("SELECT count(*) FROM body") == 1 && ask("SELECT count(destroyed_step) FROM body") == 0);
    const double n = ask("SELECT max(step) FROM ledger_step"), work = force * h * h * a * n * n / 2;
    const double told = ask("SELECT work FROM ledger_step WHERE cause = 'applied' ORDER BY step DESC LIMIT 1");
    if (!CHECK(fabs(told - work) < 1e-9 * fabs(work))) printf("%d: %g J, not %g J\n", k, told, work);
    dWorldDestroy(world);
    return any;
}

static void everyRecorded(void)
{
    int failures = 0;
    if (!CHECK(ukSqliteReady())) return;
    snprintf(path, sizeof path, "allocation_failure_%d.ukode", (int)getpid());
    while (recorded(failures + 1)) failures++;
    unlink(path);
    printf("at recorded steps: %d allocations failed\n", failures);
    CHECK(failures >= 2);
}

/* ---- a world from elsewhere -------------------------------------------------------------------------------------- */

static void everyHandOver(void)
{
    int failures = 0;
    for (bool failed = true; failed; failures++) {
        enum { Count = 3000 };
        static dBodyID body[Count];
        const dWorldID w = ukOde.dWorldCreate();
        for (int i = 0; i < Count; i++) body[i] = ukOde.dBodyCreate(w);
        ukOde.dJointAttach(ukOde.dJointCreateBall(w, 0), body[0], body[1]);
        arm(failures + 1);
        const int status = ukWorldAttach(w, body, Count);
        failed = disarm();
        CHECK(status == (failed ? ukErrorMemory : ukOk) && !ukRegistryWorld(w) == failed);
        for (int i = 0; i < Count; i++) CHECK(!ukRegistryBody(body[i]) == failed);
        CHECK(ukWorldAttach(w, body, Count) == ukOk && ukWorldStep(w, 0.01) == 1);
        dWorldDestroy(w);
    }
    printf("at a hand-over: %d allocations failed\n", failures - 1);
}

static void ignoreMessage(int number, const char *format, va_list args)
{
    (void)number, (void)format, (void)args;
}

int main(void)
{
    dInitODE2(0);
    dSetMessageHandler(ignoreMessage);
    if (OWN_ALLOCATOR) {
        everyMaking();
        fresh();
        everyAct();
        everyKeeping();
        everyRecorded();
        everyHandOver();
    } else {
        CHECK(!armed);
    }
    dCloseODE();
    return ukTestEnd();
}
