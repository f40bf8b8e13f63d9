#include "bridge/step.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bridge/assemble.h"
#include "bridge/concurrent.h"
#include "bridge/feedback.h"
#include "bridge/integrate_euler.h"
#include "bridge/integrate_rk4.h"
#include "bridge/joints/running.h"
#include "bridge/ledger.h"
#include "bridge/log.h"
#include "bridge/ode.h"
#include "bridge/projection.h"
#include "bridge/refuse.h"
#include "bridge/sleep.h"
#include "bridge/soften.h"
#include "bridge/solve.h"
#include "bridge/stick.h"
#include "bridge/surge.h"
#include "bridge/survey.h"
#include "bridge/trace.h"
#include "bridge/warm_start.h"
#include "bridge/watch.h"
#include "solvers/status.h"

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The time since `since` into a stage's total, and a new beginning: one look at the clock a stage, which worlds of many
 * small islands notice. */
static void lap(double *since, double *total)
{
    const double now = seconds();
    *total += now - *since;
    *since = now;
}

/* The discrete form meets rows that exclude each other half-way, or where the CFM lets them, and must, since its
 * right-hand sides hold position errors. What a user constraint asks of the accelerations themselves is another matter:
 * an island with one that misses rows is looked at in the continuous form. */
static int contested(ukStepper *s, int i, const ukIslandStart *start, const ukStepContext *discrete)
{
    ukStepContext context = *discrete;
    context.continuous = true;
    ukAssembleRewind(s, start);
    int status = ukAssembleIsland(s, i, &context);
    if (status == ukOk) status = ukSolveIdealConsistent(s, i);
    if (status != ukOk) return status;
    ukAssembleRewind(s, start);
    status = ukAssembleIsland(s, i, discrete);
    return status == ukOk ? ukSolveIsland(s, i) : status;
}

/* The gathered island to its new states (frames' `state`), in the form that the world's integrator takes. */
static int advance(ukStepper *s, int i, const ukStepContext *context, double *since)
{
    ukReport *r = &s->report;
    const ukIslandStart start = ukAssembleStart(s);
    const bool continuous = context->continuous;
    ukStepContext discrete = *context;
    discrete.continuous = false;
    ukStepContext look = *context;
    look.rows.commit = !continuous; /* running values advance once the form is known */
    int status = ukAssembleIsland(s, i, &look);
    if (status != ukOk) return status;
    if (continuous && ukContinuousEligible(s, i)) {
        lap(since, &r->seconds_assemble);
        ukLedgerIsland(s);
        status = s->ideal[i].laws > 0 ? ukStickIntegrate(s, i, &start, context, ukIntegrateRK4)
                                      : ukIntegrateRK4(s, i, &start, context);
        lap(since, &r->seconds_solve);
        if (status == ukOk) ukLedgerAccept(s, i);
        if (status != ukNotContinuous) return status;
        ukLedgerReject(s);
        discrete.rows.commit = false; /* they did */
    }
    if (continuous) {
        r->discrete_islands++;
        ukAssembleRewind(s, &start);
        status = ukAssembleIsland(s, i, &discrete);
        if (status != ukOk) return status;
    }
    lap(since, &r->seconds_assemble);
    status = ukSolveIsland(s, i);
    if (status == ukOk && s->islands[i].elements > 0 && ukSolveContested(s, i)) {
        discrete.rows.commit = false;
        status = contested(s, i, &start, &discrete);
    }
    if (status != ukOk) return status;
    ukIntegrateEuler(s, i, context->rows.h);
    ukLedgerDiscrete(s, i, context->rows.h);
    if (ukTraceWanted()) ukSurgeWatch(s, i, context->rows.h);
    lap(since, &r->seconds_solve);
    return ukOk;
}

/* New states to ODE, body by body in the island's order, callbacks included. What a callback destroys or attaches
 * elsewhere has no part in the rest of the step, and costs the others nothing. */
static int scatter(ukStepper *s, int index)
{
    enum { ahead = 4 };
    const ukIsland *island = &s->islands[index];
    const uint64_t destructions = s->world->destructions;
    for (int i = island->frame; i < island->frame + island->frames; i++) {
        ukFrame *f = &s->frames[i];
        if (i + ahead < island->frame + island->frames) ukFrameFetch(f[ahead].body);
        if (!f->body->handle) continue; /* destroyed by an earlier body's callback */
        s->calling = f->body->moved != NULL;
        ukFrameScatter(f, f->state.v, f->state.x, f->state.q);
        s->calling = false;
        if (s->world->handle) continue;
        ukErrorSet(ukErrorChanged, "the world was destroyed in a moved callback");
        return ukErrorChanged;
    }
    for (int i = index + 1; i < s->island_count && s->world->destructions != destructions; i++)
        ukTopologyPrune(&s->islands[i], s->frames, s->joints, s->elements);
    return ukOk;
}

/* ODE is handed nothing that is no number: it would abort, now or in a later step. */
static int holdable(const ukStepper *s, int index)
{
    const ukIsland *island = &s->islands[index];
    for (int i = island->frame; i < island->frame + island->frames; i++) {
        const char *fault = ukFrameFault(&s->frames[i]);
        if (fault) return ukRefuseBody(s->frames[i].body, ukErrorNotFinite, "its new %s is not finite", fault);
    }
    return ukOk;
}

/* The check of an island at its new states, and what ODE and the user get of it. */
static int conclude(ukStepper *s, int i, double *since)
{
    ukReport *r = &s->report;
    int status = ukSolveCheck(s, i);
    if (status == ukOk) status = holdable(s, i);
    if (status != ukOk) return status;
    lap(since, &r->seconds_check);
    ukFeedbackIsland(s, i);
    ukLedgerDamping(s, i);
    status = scatter(s, i);
    lap(since, &r->seconds_write);
    return status;
}

/* As one after the other: the first island that fails ends the step, with its error. */
static int stepTogether(ukStepper *s, int first, int end, const ukStepContext *context, double *since)
{
    ukReport *r = &s->report;
    char message[256];
    int i = first, failed = ukOk;
    for (; i < end && failed == ukOk; i++) {
        failed = ukAssembleGather(s, i);
        if (failed == ukOk) failed = ukAssembleIsland(s, i, context);
    }
    if (failed != ukOk) end = i - 1;
    snprintf(message, sizeof message, "%s", ukErrorMessage());
    lap(since, &r->seconds_assemble);
    ukConcurrentSolve(s, first, end);
    for (i = first; i < end; i++) {
        int status = s->outcomes[i].status;
        if (status != ukOk) status = ukSoften(s, i, ukSolveRefused(s, &s->problems[i], status), ukSolveGuessed);
        if (status != ukOk) return status;
        ukIntegrateEuler(s, i, context->rows.h);
        ukLedgerDiscrete(s, i, context->rows.h);
        if (ukTraceWanted()) ukSurgeWatch(s, i, context->rows.h);
        lap(since, &r->seconds_solve);
        status = conclude(s, i, since);
        if (status != ukOk) return status;
    }
    if (failed != ukOk) ukErrorSet(failed, "%s", message);
    return failed;
}

/* Every island in ODE's order: one is finished, callbacks included, before the next one is begun; those without
 * callbacks may go together. */
static int stepIslands(ukStepper *s, double h)
{
    ukStepContext context;
    ukAssembleContext(s->world, h, &context);
    memcpy(s->potential_g, context.gravity, sizeof s->potential_g);
    double since = seconds();
    int status = ukOk;
    for (int i = 0, end; i < s->island_count && status == ukOk; i = end) {
        end = ukConcurrentEnd(s, i);
        if (end - i > 1) {
            status = stepTogether(s, i, end, &context, &since);
            continue;
        }
        status = ukAssembleGather(s, i);
        if (status == ukOk) status = advance(s, i, &context, &since);
        if (status == ukOk) status = conclude(s, i, &since);
    }
    return status;
}

/* A failed step leaves the world as it was: poses, velocities, forces, running values of joints, and who sleeps. How
 * far the solvers got must not matter either: they begin anew. */
static void restore(ukStepper *s)
{
    for (int i = 0; i < s->frame_count; i++) {
        ukFrame *f = &s->frames[i];
        if (f->written) ukFrameRestore(f);
        if (f->woken && f->body->handle) ukOde.dBodyDisable(f->body->handle);
    }
    for (int j = 0; j < s->joint_count; j++) ukJointRunsBack(s->joints[j]);
    ukSleepUndo(s->world);
    ukStepperForget(s);
}

/* what the islands depend on: the same sum is the same of each, as all of them only grow */
static uint64_t graphOf(const ukWorld *world)
{
    return world->changes + world->destructions + world->graph;
}

/* Who moves with whom. It stands until something changes it: of a step of 5000 links, the walk was a tenth. Bodies that
 * a search wakes are roots of the next one. */
static void search(ukWorld *world, ukStepper *s)
{
    bool woken = false;
    s->island_count = ukTopologyIslands(world, s->frames, s->joints, s->elements, s->islands, s->stack);
    const ukIsland none = {0}, *last = s->island_count > 0 ? &s->islands[s->island_count - 1] : &none;
    s->frame_count = last->frame + last->frames;
    s->joint_count = last->joint + last->joints;
    s->element_count = last->element + last->elements;
    for (int i = 0; i < s->frame_count; i++) woken |= s->frames[i].woken;
    s->bound = ukAssembleRowBound(s);
    s->graph = woken ? 0 : graphOf(world);
}

/* Memory, islands and counters of a new pass over the world. */
static int begin(ukWorld *world, ukStepper *s, double h, bool wake)
{
    s->surge = (ukSurge){0};
    s->report = (ukReport){.fallbacks = s->report.fallbacks, .ok = 1};
    s->moving_count = s->block_count = s->slot_count = s->row_count = 0;
    s->coefficient_count = 0;
    s->solved = false;
    bool slept = false;
    int status = world->attached ? ukWatchDiscover(world) : ukOk;
    if (status == ukOk) status = ukStepperReserveBodies(s, world);
    if (status == ukOk && wake) status = ukSleepPass(world, h, &slept);
    if (status != ukOk) {
        s->graph = 0;
        s->frame_count = s->joint_count = s->element_count = s->island_count = 0;
        return status;
    }
    /* of a world that was handed over not every change is seen */
    if (slept || world->attached || s->graph != graphOf(world)) search(world, s);
    for (int i = 0; i < s->frame_count; i++) s->frames[i].written = false;
    for (int i = 0; i < s->island_count; i++) s->unsettled[i] = 0;
    ukWarmStartBegin(s->warm);
    return ukStepperReserveRows(s, &s->bound);
}

static void finish(ukStepper *s)
{
    s->solved = true;
    s->report.bodies = s->frame_count;
    s->report.joints = s->report.rows = 0;
    for (int i = 0; i < s->island_count; i++) {
        s->report.joints += s->ideal[i].problem.blocks;
        s->report.rows += s->ideal[i].problem.rows;
    }
    s->stepped = true;
}

/* A step under way. It leaves no trace unless it is `taken`: not where it fails, nor where a function of the user's
 * throws through it. But what a moved callback threw at stays as it was written by then: as with ODE. */
typedef struct Attempt {
    ukStepper *s;
    ukReport before;
    bool taken;
} Attempt;

static void leave(Attempt *a)
{
    ukStepper *s = a->s;
    if (a->taken) return;
    if (s->calling)
        ukStepperForget(s);
    else
        restore(s);
    s->calling = false;
    s->graph = 0;
    ukLedgerUndo(s->world);
    s->report = a->before;
}

static int step(ukWorld *world, double h)
{
    ukStepper *s = ukStepperOf(world);
    if (!s) return ukErrorMemory;
    __attribute__((cleanup(leave))) Attempt attempt = {.s = s, .before = s->report};
    const double t0 = seconds();
    world->steps++;
    ukLedgerBegin(world);
    int status = begin(world, s, h, true);
    ukLedgerSlept(world);
    s->report.seconds_assemble = seconds() - t0;
    if (status == ukOk) status = stepIslands(s, h);
    if (status != ukOk) return status;
    finish(s);
    ukLedgerEnd(world, h);
    s->h = h;
    ukWarmStartRemember(s->warm, s);
    world->settings.time += h;
    attempt.taken = true;
    return ukOk;
}

/* One island at the present state, on the constraints if asked. */
static int evaluate(ukStepper *s, int i, const ukStepContext *given, bool project)
{
    ukStepContext context = *given;
    const ukIslandStart start = ukAssembleStart(s);
    int status = ukAssembleGather(s, i);
    if (status == ukOk) status = ukAssembleIsland(s, i, &context);
    if (status != ukOk) return status;
    if (!ukContinuousEligible(s, i)) {
        s->report.discrete_islands++;
        context.continuous = false;
        ukAssembleRewind(s, &start);
        status = ukAssembleIsland(s, i, &context);
        if (status == ukOk) status = ukSolveIsland(s, i);
    } else {
        if (s->ideal[i].laws > 0) {
            status = ukStickEvaluate(s, i, &start, &context, project);
        } else {
            if (project) status = ukProjectIsland(s, i, &start, &context);
            if (status == ukOk) status = ukSolveContinuous(s, i);
        }
        if (status == ukOk) status = ukSolveConsistent(s, i);
    }
    return status == ukOk ? ukSolveCheck(s, i) : status;
}

/* What is done at the present state. */
typedef enum Look { Evaluate, Project, Assemble } Look;

static int look(ukStepper *s, int i, const ukStepContext *context, Look what)
{
    if (what != Assemble) return evaluate(s, i, context, what == Project);
    const int status = ukAssembleGather(s, i);
    return status == ukOk ? ukAssembleIsland(s, i, context) : status;
}

static int lookAll(ukWorld *world, ukStepper *s, Look what)
{
    const double h = s->h > 0 ? s->h : 0.01;
    ukStepContext context;
    int status = begin(world, s, h, false);
    if (status != ukOk) return status;
    ukAssembleContext(world, h, &context);
    context.continuous = true;
    context.rows.commit = false;
    memcpy(s->potential_g, context.gravity, sizeof s->potential_g);
    for (int i = 0; i < s->island_count && status == ukOk; i++) status = look(s, i, &context, what);
    for (int i = 0; i < s->island_count && status == ukOk && what == Project; i++) status = holdable(s, i);
    if (status != ukOk || what == Assemble) return status;
    for (int i = 0; i < s->island_count; i++) ukFeedbackIsland(s, i);
    for (int i = 0; i < s->frame_count && what == Project; i++) {
        ukFrame *f = &s->frames[i];
        const double *x = f->state.x, *v = f->state.v;
        const dQuaternion q = {f->state.q[0], f->state.q[1], f->state.q[2], f->state.q[3]};
        if (f->moving < 0) continue;
        dBodySetPosition(f->body->handle, x[0], x[1], x[2]);
        dBodySetQuaternion(f->body->handle, q);
        dBodySetLinearVel(f->body->handle, v[0], v[1], v[2]);
        dBodySetAngularVel(f->body->handle, v[3], v[4], v[5]);
    }
    finish(s);
    return ukOk;
}

/* a world of which not everything is recorded is not computed: something would be missing */
static int whole(const ukWorld *world)
{
    if (world->lost == 0) return ukOk;
    ukErrorSet(ukErrorMemory, "%d bodies or joints of the world are not recorded: no memory when they were made",
               world->lost);
    return ukErrorMemory;
}

static int noMemory(const ukWorld *world)
{
    ukErrorSet(ukErrorMemory, "no memory for a step of %d bodies", world->body_count);
    return ukErrorMemory;
}

/* a failure always leaves an error to ask for; `errors`: how many there were before */
static int told(int status, unsigned errors)
{
    if (status != ukOk && (ukErrorCount() == errors || ukErrorStatus() != status))
        ukErrorSet(status, "%s", ukErrorText(status));
    return status;
}

/* A look under way: its report stays if it is `kept`. Nothing wakes by being looked at. */
typedef struct Glance {
    ukStepper *s;
    ukReport before;
    bool kept;
} Glance;

static void lookAway(Glance *g)
{
    ukStepper *s = g->s;
    if (!g->kept) s->report = g->before;
    for (int i = 0; i < s->frame_count; i++)
        if (s->frames[i].woken && s->frames[i].body->handle) ukOde.dBodyDisable(s->frames[i].body->handle);
    ukWatchStepEnd(s->world);
}

static int lookAt(ukWorld *world, Look what)
{
    const unsigned errors = ukErrorCount();
    if (world->stepping) {
        ukErrorSet(ukErrorChanged, "the world is being stepped (called from a callback)");
        return ukErrorChanged;
    }
    if (whole(world) != ukOk) return ukErrorMemory;
    ukStepper *s = ukStepperOf(world);
    if (!s) return noMemory(world);
    ukWatchStepBegin(world);
    __attribute__((cleanup(lookAway))) Glance glance = {.s = s, .before = s->report};
    const int status = lookAll(world, s, what);
    if (status == ukErrorMemory) noMemory(world);
    if (status != ukOk) ukStepperForget(s); /* how far the solvers got must not matter */
    glance.kept = status == ukOk && what != Assemble;
    return told(status, errors);
}

int ukStepEvaluate(ukWorld *world, bool project)
{
    return lookAt(world, project ? Project : Evaluate);
}

int ukStepAssemble(ukWorld *world)
{
    return lookAt(world, Assemble);
}

static void end(ukWorld *const *world)
{
    ukWatchStepEnd(*world);
}

int ukStepWorld(ukWorld *world, double h, bool quick)
{
    const unsigned errors = ukErrorCount();
    if (!world || !world->handle) return told(ukErrorHandle, errors);
    if (!(h > 0) || h * 0 != 0) {
        ukErrorSet(ukErrorStepsize, "step size %g", h);
        return ukErrorStepsize;
    }
    if (world->stepping) {
        ukErrorSet(ukErrorChanged, "the world is being stepped already (called from a moved callback)");
        return ukErrorChanged;
    }
    if (whole(world) != ukOk) return ukErrorMemory;
    ukSurveyStep(world);
    if (!world->handle) {
        ukErrorSet(ukErrorChanged, "the world was destroyed in a user's function");
        return ukErrorChanged;
    }
    const double t0 = seconds();
    world->quick = quick;
    ukWatchStepBegin(world);
    __attribute__((cleanup(end))) ukWorld *const stepped = world;
    const int status = step(stepped, h);
    if (status == ukErrorMemory) noMemory(world);
    if (status == ukOk && world->handle) ukTraceStep(world, h, seconds() - t0, true);
    return told(status, errors);
}

int ukStepHandOver(const ukWorld *world)
{
    for (ukBody *b = world->oldest_body; b; b = b->newer) {
        ukFrame frame = {.body = b};
        bool kinematic;
        const int status = dBodyIsEnabled(b->handle) ? ukAssembleFrame(&frame, &kinematic) : ukOk;
        if (status != ukOk) return status;
    }
    return ukOk;
}

void ukStepCountFallback(ukWorld *world, int status)
{
    ukStepper *s = world ? ukStepperOf(world) : NULL;
    if (!s) return;
    s->report.fallbacks++;
    ukLog("step taken by ODE's own stepper (status %d): %s", status, ukErrorMessage());
}
