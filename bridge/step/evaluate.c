/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/step/evaluate.h"

#include <string.h>

#include "bridge/base/log.h"
#include "bridge/integrate/continuous.h"
#include "bridge/integrate/projection.h"
#include "bridge/integrate/stick.h"
#include "bridge/island/assemble.h"
#include "bridge/island/gather.h"
#include "bridge/island/stepper.h"
#include "bridge/results/certify.h"
#include "bridge/results/feedback.h"
#include "bridge/results/remember.h"
#include "bridge/results/write_back.h"
#include "bridge/solve/consistent.h"
#include "bridge/solve/solve.h"
#include "bridge/step/traversal.h"
#include "bridge/step/undo.h"
#include "bridge/watch/watch.h"
#include "bridge/world/journal.h"
#include "solvers/base/status.h"

/* Solves one island at the present state; with `project`, its state is first projected onto the constraints. */
static int solveAtState(ukIsland *island, const ukStepContext *given, bool project)
{
    ukStepContext context = *given;
    const ukIslandStart start = ukAssembleStart(island);
    int status = ukGatherIsland(island);
    if (status == ukOk) status = ukAssembleIsland(island, &context);
    if (status != ukOk) return status;
    const bool events = island->ideal->laws > 0 || island->ideal->modal_rows > 0;
    bool eligible = ukContinuousEligible(island);
    if (eligible && project && !events) {
        status = ukProjectIsland(island, ukDrift(island, island->problem), &start, &context);
        eligible = ukContinuousEligible(island); /* the projected pose may reach a stop */
        if (status != ukOk) return status;
    }
    if (!eligible) {
        island->report->discrete_islands++;
        context.continuous = context.modal_rows = context.springs = false;
        ukAssembleRewind(island, &start);
        status = ukAssembleIsland(island, &context);
        if (status == ukOk) status = ukSolveIsland(island);
    } else {
        status = events ? ukStickEvaluate(island, &start, &context, project) : ukSolveContinuous(island);
        if (status == ukOk) status = ukSolveConsistent(island);
    }
    if (status == ukOk) status = ukSolveAgain(island);
    return status == ukOk ? ukSolveCheck(island, project) : status;
}

/* Evaluations at the present state, without a step. */
typedef enum Evaluated { Evaluate, Project, Assemble } Evaluated;

static int evaluateIsland(ukIsland *island, const ukStepContext *context, Evaluated what)
{
    if (what != Assemble) return solveAtState(island, context, what == Project);
    ukStepContext rows = *context;
    rows.springs = false;
    const int status = ukGatherIsland(island);
    return status == ukOk ? ukAssembleIsland(island, &rows) : status;
}

static int evaluateIslands(ukWorld *world, ukStepper *s, Evaluated what)
{
    const double h = s->h > 0 ? s->h : 0.01;
    ukStepContext context;
    int status = ukTraversalBegin(world, s, h, false);
    if (status != ukOk) return status;
    ukAssembleContext(world, h, &context);
    context.continuous = true;
    context.rows.commit = false;
    context.rows.apart = what != Project; /* the program may have moved bodies, so that anchors may be apart */
    memcpy(s->potential_g, context.gravity, sizeof s->potential_g);
    if (what == Assemble) status = ukUndoNoteReads(s);
    for (int i = 0; i < s->island_count && status == ukOk; i++) status = evaluateIsland(&s->islands[i], &context, what);
    for (int i = 0; i < s->island_count && status == ukOk && what == Project; i++)
        status = ukFramesHoldable(&s->islands[i]);
    if (status != ukOk || what == Assemble) return status;
    for (int i = 0; i < s->island_count; i++) ukFeedbackIsland(&s->islands[i], 0);
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
    if (what == Project) ukRememberTurns(s->islands, s->island_count, 0);
    ukTraversalFinish(s);
    return ukOk;
}

/* An evaluation under way. Its report, and the gravity of its energies, are kept only if `kept`; bodies that it woke
 * are disabled again. */
typedef struct Evaluation {
    ukStepper *s;
    ukReport before;
    double potential_g[3];
    bool kept;
    Evaluated what;
} Evaluation;

static void endEvaluation(Evaluation *evaluation)
{
    ukStepper *s = evaluation->s;
    if (!evaluation->kept) {
        s->report = evaluation->before;
        memcpy(s->potential_g, evaluation->potential_g, sizeof s->potential_g);
    }
    ukTraversalUnwake(s);
    ukUndoEntries(s);
    ukUndoForget(s);
    ukJournalEvaluation(s->world, (int)evaluation->what, true);
    ukWatchStepEnd(s->world);
}

static int evaluateAs(ukWorld *world, Evaluated what, ukRowsUse *use, void *data)
{
    const unsigned errors = ukErrorCount();
    if (ukWorldWithinStep(world))
        return ukErrorSet(ukErrorChanged, "the world is being stepped (called from a callback)");
    if (ukTraversalWhole(world) != ukOk) return ukErrorMemory;
    ukStepper *s = ukStepperOf(world);
    if (!s) return ukTraversalNoMemory(world);
    ukWatchStepBegin(world);
    __attribute__((cleanup(endEvaluation))) Evaluation evaluation = {.s = s, .before = s->report, .what = what};
    memcpy(evaluation.potential_g, s->potential_g, sizeof evaluation.potential_g);
    ukJournalEvaluation(world, (int)what, false);
    const int status = evaluateIslands(world, s, what);
    if (status == ukErrorMemory) ukTraversalNoMemory(world);
    if (status != ukOk) ukStepperForget(s); /* the next solve must not depend on how far this one got */
    evaluation.kept = status == ukOk && what != Assemble;
    if (status == ukOk && use) return use(world, data);
    return ukErrorEnsure(status, errors);
}

int ukEvaluateWorld(ukWorld *world, bool project)
{
    return evaluateAs(world, project ? Project : Evaluate, NULL, NULL);
}

int ukEvaluateRows(ukWorld *world, ukRowsUse *use, void *data)
{
    return evaluateAs(world, Assemble, use, data);
}
