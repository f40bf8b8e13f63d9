/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/step/plans.h"

#include <limits.h>
#include <stdlib.h>

#include "solvers/base/status.h"
#include "solvers/factor/symbolic.h"

/* the part of a problem's structure that determines its symbolic plan */
typedef struct Structure {
    ukProblem p;
    ukBlock *block;
    int *body, slots;
    unsigned char *wish;
} Structure;

static bool allocateStructure(ukTape *t, Structure *s)
{
    s->block = calloc((size_t)s->p.blocks + 1, sizeof *s->block);
    s->body = calloc((size_t)s->slots + 1, sizeof *s->body);
    s->wish = calloc((size_t)s->p.blocks + 1, 1);
    s->p.block = s->block;
    s->p.body = s->body;
    const bool ok = s->block && s->body && s->wish;
    if (!ok) ukTapeRefuse(t, ukErrorMemory, "no memory");
    return ok;
}

static void releasePlans(Structure *s)
{
    free(s->block);
    free(s->body);
    free(s->wish);
}

/* whether blocks are contiguous, body indices valid, and each body occurs once per block */
static bool isValidStructure(const Structure *s)
{
    int row = 0;
    for (int k = 0; k < s->p.blocks; k++) {
        const ukBlock *b = &s->block[k];
        if (b->row != row || b->slot > s->slots - b->slots || b->rows > s->p.rows - row) return false;
        row += b->rows;
        for (int i = b->slot; i < b->slot + b->slots; i++)
            for (int j = b->slot; j < i; j++)
                if (s->body[i] >= 0 && s->body[i] == s->body[j]) return false;
    }
    return row == s->p.rows;
}

static void transferBlock(ukTape *t, ukBlock *b)
{
    int at = (int)b->A;
    ukTapeInt(t, &b->row, 0, INT_MAX / 2, "a row");
    ukTapeInt(t, &b->rows, 0, INT_MAX / 64, "a number of rows");
    ukTapeInt(t, &b->slot, 0, INT_MAX / 2, "a slot");
    ukTapeInt(t, &b->slots, 0, 256, "a number of bodies");
    ukTapeInt(t, &at, 0, INT_MAX, "an offset");
    b->A = (size_t)at;
}

static void transferFields(ukTape *t, Structure *s)
{
    for (int k = 0; k < s->p.blocks; k++) {
        int wish = s->wish[k];
        transferBlock(t, &s->block[k]);
        ukTapeInt(t, &wish, 0, ukGroupSoft | ukGroupLate, "an ordering flag");
        s->wish[k] = (unsigned char)(wish & (ukGroupSoft | ukGroupLate));
    }
    for (int i = 0; i < s->slots; i++) ukTapeInt(t, &s->body[i], -1, s->p.bodies - 1, "a body");
}

static void writePlan(ukTape *t, const ukSymbolic *plan)
{
    const bool has = plan->bodies >= 0;
    Structure s = {.p = {.bodies = has ? plan->bodies : 0, .rows = has ? plan->rows : 0},
                   .block = plan->block,
                   .body = plan->body,
                   .wish = plan->wish};
    ukTapeWord(t, has);
    if (!has) return;
    s.p.blocks = (int)ukTapeCount(t, (size_t)plan->blocks, 6, "blocks");
    s.slots = (int)ukTapeCount(t, (size_t)plan->slots, 1, "slots");
    ukTapeWord(t, (uint64_t)s.p.bodies);
    ukTapeWord(t, (uint64_t)s.p.rows);
    transferFields(t, &s);
}

/* The check has made the plan. */
static void skipPlan(ukTape *t)
{
    if (ukTapeWord(t, 0) == 0) return;
    const size_t blocks = ukTapeCount(t, 0, 6, "blocks"), slots = ukTapeCount(t, 0, 1, "slots");
    for (size_t i = 0; i < 2 + 6 * blocks + slots; i++) ukTapeWord(t, 0);
}

static void checkPlan(ukTape *t, ukKkt *kkt, int which)
{
    Structure s = {0};
    if (ukTapeWord(t, 0) == 0) return;
    s.p.blocks = (int)ukTapeCount(t, 0, 6, "blocks");
    s.slots = (int)ukTapeCount(t, 0, 1, "slots");
    const size_t most = t->size / 8 < INT_MAX / 64 ? t->size / 8 : INT_MAX / 64; /* a state has some words per body */
    ukTapeInt(t, &s.p.bodies, 0, (int)most, "a number of bodies");
    ukTapeInt(t, &s.p.rows, 0, INT_MAX / 64, "a number of rows");
    if (!allocateStructure(t, &s)) {
        releasePlans(&s);
        return;
    }
    transferFields(t, &s);
    if (!isValidStructure(&s)) ukTapeRefuse(t, ukErrorArgument, "the plan of an island is invalid");
    if (t->status == ukOk && ukKktRestorePlan(kkt, which, &s.p, s.wish) != ukOk)
        ukTapeRefuse(t, ukErrorMemory, "no memory");
    releasePlans(&s);
}

/* Both plans if one of them is late, the older one first: their age decides which one the next structure replaces. */
static void transferPlans(ukTape *t, ukKkt *kkt)
{
    for (int which = 1; which >= 0; which--) {
        if (t->mode == ukTapeRead)
            skipPlan(t);
        else if (t->mode == ukTapeCheck)
            checkPlan(t, kkt, which);
        else
            writePlan(t, ukKktPlanOf(kkt, which));
    }
}

static bool hasLate(const ukKkt *kkt)
{
    return ukSymbolicIsLate(ukKktPlanOf(kkt, 0)) || ukSymbolicIsLate(ukKktPlanOf(kkt, 1));
}

static bool equalityHasLate(ukEquality *equality)
{
    return equality && hasLate(ukEqualityKkt(equality));
}

bool ukPlansLate(const ukIslandSolvers *solvers)
{
    bool late = equalityHasLate(solvers->equality) || equalityHasLate(solvers->polish);
    ukFrictionSolver *ideal = solvers->ideal_friction;
    late |= ideal && hasLate(ukFrictionSolverKkt(ideal));
    int used = ukSolverSlots;
    while (used > 0 && !solvers->friction[used - 1] && !solvers->pose_friction[used - 1]) used--;
    for (int k = 0; k < used; k++) {
        late |= solvers->friction[k] && hasLate(ukFrictionSolverKkt(solvers->friction[k]));
        late |= solvers->pose_friction[k] && hasLate(ukFrictionSolverKkt(solvers->pose_friction[k]));
    }
    return late;
}

static bool transferFlag(ukTape *t, bool now)
{
    ukTapeBool(t, &now);
    return now && t->status == ukOk;
}

static void transferEquality(ukTape *t, ukEquality **equality)
{
    if (!transferFlag(t, !ukTapeReads(t) && equalityHasLate(*equality))) return;
    if (t->mode == ukTapeCheck && !*equality) *equality = ukEqualityCreate();
    if (t->mode == ukTapeCheck && !*equality) {
        ukTapeRefuse(t, ukErrorMemory, "no memory");
        return;
    }
    transferPlans(t, *equality ? ukEqualityKkt(*equality) : NULL);
}

static void transferFrictionSolver(ukTape *t, ukFrictionSolver **solver)
{
    if (!transferFlag(t, !ukTapeReads(t) && *solver && hasLate(ukFrictionSolverKkt(*solver)))) return;
    if (t->mode == ukTapeCheck && !*solver) *solver = ukFrictionSolverCreate();
    if (t->mode == ukTapeCheck && !*solver) {
        ukTapeRefuse(t, ukErrorMemory, "no memory");
        return;
    }
    transferPlans(t, *solver ? ukFrictionSolverKkt(*solver) : NULL);
}

void ukKeepPlans(ukTape *t, ukIslandSolvers *solvers)
{
    for (int k = 0; k < ukSolverSlots; k++) {
        transferFrictionSolver(t, &solvers->friction[k]);
        transferFrictionSolver(t, &solvers->pose_friction[k]);
    }
    transferFrictionSolver(t, &solvers->ideal_friction);
    transferEquality(t, &solvers->equality);
    transferEquality(t, &solvers->polish);
}
