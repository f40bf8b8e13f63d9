/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/results/ledger.h"

#include <stdlib.h>
#include <string.h>

#include "bridge/base/vector.h"
#include "bridge/island/island.h"
#include "bridge/results/body_work.h"
#include "bridge/results/work.h"
#include "bridge/world/energy.h"
#include "bridge/world/state.h"
#include "solvers/base/status.h"

/* the entries of a ledger, in the order in which they are summed: CAUSE(field) */
#define CAUSES(CAUSE)                                                                                                  \
    CAUSE(applied)                                                                                                     \
    CAUSE(ideal)                                                                                                       \
    CAUSE(nonideal)                                                                                                    \
    CAUSE(motors)                                                                                                      \
    CAUSE(stops)                                                                                                       \
    CAUSE(contact_normal)                                                                                              \
    CAUSE(contact_friction)                                                                                            \
    CAUSE(gyroscopic)                                                                                                  \
    CAUSE(stabilization)                                                                                               \
    CAUSE(damping)                                                                                                     \
    CAUSE(sleeping)                                                                                                    \
    CAUSE(outside)                                                                                                     \
    CAUSE(integration)

/* ---- energies ---------------------------------------------------------------------------------------------------- */

static double totalEnergy(const ukWorld *world, bool *callbacks)
{
    dReal kinetic, potential;
    *callbacks = ukBodyEnergies(world, &kinetic, &potential);
    return kinetic + potential;
}

/* energy of a frame at a state */
static double energyOf(const ukFrame *f, const double *g, const ukState *s)
{
    const double m = f->body->constant.mass, weight = dBodyGetGravityMode(f->body->handle) ? m * ukDot(g, s->x) : 0;
    return 0.5 * m * ukDot(s->v, s->v) + ukSpinEnergy(s->R, 3, f->body->constant.inertia, s->v + 3) - weight;
}

static double islandEnergy(const ukIsland *island)
{
    double sum = 0;
    for (int i = 0; i < island->frames; i++)
        if (island->frame[i].moving >= 0) sum += energyOf(&island->frame[i], island->gravity, &island->frame[i].state);
    return sum;
}

/* ---- the book ---------------------------------------------------------------------------------------------------- */

int ukLedgerSwitch(ukWorld *world, bool on)
{
    if (!on) {
        free(world->book);
        world->book = NULL;
        return ukOk;
    }
    if (world->book) return ukOk;
    world->book = calloc(1, sizeof *world->book);
    if (!world->book) return ukErrorMemory;
    ukLedgerReset(world);
    return ukOk;
}

static void beginLedger(const ukWorld *world, ukBook *book)
{
    ukLedger *sum = &book->sum;
    *sum = (ukLedger){0};
    ukBodyEnergies(world, &sum->kinetic_start, &sum->potential_start);
    sum->kinetic = sum->kinetic_start;
    sum->potential = sum->potential_start;
    book->before = *sum;
}

void ukLedgerReset(ukWorld *world)
{
    beginLedger(world, world->book);
}

void ukLedgerLend(ukWorld *world, ukBook *book)
{
    beginLedger(world, book);
    world->lent = book;
}

static void giveBack(ukWorld *world)
{
    if (world->book == world->lent) world->book = NULL;
}

static double energyNow(const ukLedger *l)
{
    return l->kinetic + l->potential;
}

static double sumOfCauses(const ukLedger *l)
{
    double sum = 0;
#define ADD(cause) sum += l->cause;
    CAUSES(ADD)
#undef ADD
    return sum;
}

static double unexplainedEnergy(const ukLedger *l)
{
    return energyNow(l) - (l->kinetic_start + l->potential_start) - sumOfCauses(l);
}

/* the program's ledger, otherwise that of a recording */
static const ukBook *bookOf(const ukWorld *world)
{
    return world->book ? world->book : world->lent;
}

void ukLedgerLast(const ukWorld *world, ukLedger *out)
{
    *out = bookOf(world)->sum;
    out->residual = unexplainedEnergy(out);
}

void ukLedgerRead(const ukWorld *world, ukLedger *out)
{
    const ukLedger *sum = &bookOf(world)->sum;
    *out = *sum;
    ukBodyEnergies(world, &out->kinetic, &out->potential);
    out->outside += energyNow(out) - energyNow(sum); /* changes since the last step */
    out->residual = unexplainedEnergy(out);
}

/* to := (x - y)/h, field by field */
static void rateOf(ukLedger *to, const ukLedger *x, const ukLedger *y, double h)
{
    *to =
        (ukLedger){.time = h, .kinetic = (x->kinetic - y->kinetic) / h, .potential = (x->potential - y->potential) / h};
#define RATE(cause) to->cause = (x->cause - y->cause) / h;
    CAUSES(RATE)
#undef RATE
}

void ukLedgerPower(const ukWorld *world, ukLedger *out)
{
    const ukBook *book = world->book;
    *out = (ukLedger){0};
    if (!(book->sum.time > book->before.time)) return;
    rateOf(out, &book->sum, &book->before, book->sum.time - book->before.time);
    out->residual = energyNow(out) - sumOfCauses(out);
}

/* whether the energies are those of the end of the last step */
static bool isUntouched(const ukWorld *world, ukBook *book)
{
    dVector3 g;
    dWorldGetGravity(world->handle, g);
    const bool same =
        book->untouched && !world->attached && g[0] == book->g[0] && g[1] == book->g[1] && g[2] == book->g[2];
    for (int k = 0; k < 3; k++) book->g[k] = g[k];
    book->untouched = false;
    return same;
}

void ukLedgerBegin(ukWorld *world)
{
    if (!world->book) world->book = world->lent;
    ukBook *book = world->book;
    if (!book) return;
    book->earlier = book->before;
    book->before = book->sum;
    if (isUntouched(world, book)) {
        book->began = energyNow(&book->sum);
        book->callbacks = false;
        return;
    }
    book->began = totalEnergy(world, &book->callbacks);
    book->sum.outside += book->began - energyNow(&book->sum);
}

void ukLedgerSlept(ukWorld *world)
{
    ukBook *book = world->book;
    if (!book) return;
    bool callbacks;
    const double now = totalEnergy(world, &callbacks);
    book->sum.sleeping += now - book->began;
    book->began = now;
}

void ukLedgerEnd(ukWorld *world, double h)
{
    ukBook *book = world->book;
    if (!book) return;
    ukLedger *sum = &book->sum;
    const bool callbacks = ukBodyEnergies(world, &sum->kinetic, &sum->potential);
    sum->time += h;
    if (book->callbacks || callbacks) /* callbacks may have changed anything, including which bodies exist */
        sum->outside += energyNow(sum) - energyNow(&book->before) - (sumOfCauses(sum) - sumOfCauses(&book->before));
    giveBack(world);
}

void ukLedgerUndo(ukWorld *world)
{
    if (world->book) {
        world->book->sum = world->book->before;
        world->book->before = world->book->earlier;
    }
    giveBack(world);
}

static void addLedgerWork(ukLedger *to, const ukLedger *work)
{
#define ADD(cause) to->cause += work->cause;
    CAUSES(ADD)
#undef ADD
}

/* ---- the discrete form ------------------------------------------------------------------------------------------- */

void ukLedgerDiscrete(ukIsland *island, double h, bool has_feedback)
{
    const ukIdeal *const ideal = island->ideal;
    if (!island->world->book || island->problem->bodies == 0) return;
    ukLedger *l = &island->world->book->sum;
    ukWorkStage stage = ukWorkStageOf(island, h, h);
    /* reactions of joints with laws, springs or motors at their maximum have more parts than the block's force */
    stage.has_feedback = has_feedback && ideal->laws == 0 && ideal->springs == 0 && ideal->modal_rows == 0;
    l->integration += ukWorkOfBodies(&stage, l); /* gravity's work; ukBodyFollow subtracts that of the fall */
    ukWorkOfRows(&stage, l);
    ukWorkOfLaws(&stage, l);
    ukBodyFollow(island, h, l);
}

/* change of a velocity's or spin's energy when it is multiplied by `left` */
static double energyChange(double left, double energy)
{
    return energy * (left * left - 1);
}

void ukLedgerDamping(ukIsland *island)
{
    if (!island->world->book) return;
    double *const sum = &island->world->book->sum.damping;
    for (int i = 0; i < island->frames; i++) {
        const ukFrame *f = &island->frame[i];
        if (f->moving < 0) continue;
        const double *v = f->state.v, *B = f->body->constant.inertia;
        if (f->damping[0] != 1) *sum += energyChange(f->damping[0], 0.5 * f->body->constant.mass * ukDot(v, v));
        if (f->damping[1] == 1) continue;
        ukState end;
        memcpy(end.q, f->state.q, sizeof end.q);
        ukStateOrient(&end);
        *sum += energyChange(f->damping[1], ukSpinEnergy(end.R, 3, B, v + 3));
    }
}

/* ---- the continuous form ----------------------------------------------------------------------------------------- */

void ukLedgerOpen(ukIsland *island)
{
    ukBook *book = island->world->book;
    if (!book) return;
    book->open = (ukLedger){0};
    book->energy = islandEnergy(island);
}

/* Books a stage of the continuous form: the work of its forces without rows, of its rows, or of both. */
static void bookStage(const ukWorkStage *stage, bool forces, bool rows)
{
    ukBook *book = stage->island->world->book;
    const double before = sumOfCauses(&book->open);
    if (forces) ukWorkOfBodies(stage, &book->open);
    if (rows) ukWorkOfRows(stage, &book->open);
    if (forces) ukWorkOfLaws(stage, &book->open);
    book->energy += sumOfCauses(&book->open) - before; /* the energy by the work of the forces */
}

static bool isBooked(const ukIsland *island)
{
    return island->world->book && island->problem->bodies > 0;
}

void ukLedgerStage(ukIsland *island, double weight)
{
    if (!isBooked(island)) return;
    const ukWorkStage stage = ukWorkStageOf(island, weight, 0);
    bookStage(&stage, true, true);
}

void ukLedgerForces(ukIsland *island, double weight)
{
    if (!isBooked(island)) return;
    const ukWorkStage stage = ukWorkStageOf(island, weight, 0);
    bookStage(&stage, true, false);
}

void ukLedgerRows(const ukIsland *island, const ukKickRows *rows, double weight)
{
    if (!isBooked(island)) return;
    ukIsland kicked = *island;
    ukProblem p = *island->problem;
    p.A = rows->A;
    kicked.rows.lambda = rows->lambda;
    kicked.rows.rate = rows->psi;
    kicked.rows.target = rows->zero;
    ukWorkStage stage = ukWorkStageOf(&kicked, weight, 0);
    stage.p = &p;
    stage.begins = rows->begins;
    bookStage(&stage, false, true);
}

static dReal *accountOfMark(ukLedger *l, ukMark cause)
{
    return cause == ukMarkIntegration ? &l->integration
           : cause == ukMarkDamping   ? &l->damping
           : cause == ukMarkOutside   ? &l->outside
                                      : &l->stabilization;
}

void ukLedgerMark(ukIsland *island, ukMark cause)
{
    ukBook *book = island->world->book;
    if (!book) return;
    const double now = islandEnergy(island), change = now - book->energy;
    *accountOfMark(&book->open, cause) += change;
    book->energy = now;
}

void ukLedgerJump(ukIsland *island, double h, ukMark cause)
{
    ukBook *book = island->world->book;
    if (!book || island->problem->bodies == 0) return;
    const ukWorkStage stage = ukWorkStageOf(island, h, h);
    ukLedger jump = {0};
    ukWorkOfRows(&stage, &jump);
    const double rest = jump.integration + jump.stabilization;
    jump.integration = jump.stabilization = 0;
    *accountOfMark(&jump, cause) += rest;
    addLedgerWork(&book->sum, &jump);
}

void ukLedgerAccept(ukIsland *island)
{
    ukBook *book = island->world->book;
    if (!book) return;
    ukLedgerMark(island, ukMarkIntegration);
    addLedgerWork(&book->sum, &book->open);
    book->open = (ukLedger){0};
}

void ukLedgerIsland(ukWorld *world)
{
    ukBook *book = world->book;
    if (book) book->island = book->sum;
}

void ukLedgerReject(ukWorld *world)
{
    ukBook *book = world->book;
    if (book) book->sum = book->island;
}
