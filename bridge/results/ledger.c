/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/results/ledger.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/vector.h"
#include "bridge/island/island.h"
#include "bridge/island/massless.h"
#include "bridge/island/spring.h"
#include "bridge/results/block_force.h"
#include "bridge/results/body_work.h"
#include "bridge/user/law.h"
#include "bridge/world/energy.h"
#include "bridge/world/state.h"
#include "solvers/base/status.h"
#include "solvers/problem/block.h"

/* ---- energies ---------------------------------------------------------------------------------------------------- */

static double total(const ukWorld *world, bool *callbacks)
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

static double booked(const ukLedger *l)
{
    return l->applied + l->ideal + l->nonideal + l->motors + l->stops + l->contact_normal + l->contact_friction +
           l->gyroscopic + l->stabilization + l->damping + l->sleeping + l->outside + l->integration;
}

static double unexplained(const ukLedger *l)
{
    return energyNow(l) - (l->kinetic_start + l->potential_start) - booked(l);
}

/* the program's ledger, otherwise that of a recording */
static const ukBook *bookOf(const ukWorld *world)
{
    return world->book ? world->book : world->lent;
}

void ukLedgerLast(const ukWorld *world, ukLedger *out)
{
    *out = bookOf(world)->sum;
    out->residual = unexplained(out);
}

void ukLedgerRead(const ukWorld *world, ukLedger *out)
{
    const ukLedger *sum = &bookOf(world)->sum;
    *out = *sum;
    ukBodyEnergies(world, &out->kinetic, &out->potential);
    out->outside += energyNow(out) - energyNow(sum); /* changes since the last step */
    out->residual = unexplained(out);
}

/* to := (x - y)/h, field by field */
static void rateOf(ukLedger *to, const ukLedger *x, const ukLedger *y, double h)
{
    *to = (ukLedger){.time = h,
                     .kinetic = (x->kinetic - y->kinetic) / h,
                     .potential = (x->potential - y->potential) / h,
                     .applied = (x->applied - y->applied) / h,
                     .ideal = (x->ideal - y->ideal) / h,
                     .nonideal = (x->nonideal - y->nonideal) / h,
                     .motors = (x->motors - y->motors) / h,
                     .stops = (x->stops - y->stops) / h,
                     .contact_normal = (x->contact_normal - y->contact_normal) / h,
                     .contact_friction = (x->contact_friction - y->contact_friction) / h,
                     .gyroscopic = (x->gyroscopic - y->gyroscopic) / h,
                     .stabilization = (x->stabilization - y->stabilization) / h,
                     .damping = (x->damping - y->damping) / h,
                     .sleeping = (x->sleeping - y->sleeping) / h,
                     .outside = (x->outside - y->outside) / h,
                     .integration = (x->integration - y->integration) / h};
}

void ukLedgerPower(const ukWorld *world, ukLedger *out)
{
    const ukBook *book = world->book;
    *out = (ukLedger){0};
    if (!(book->sum.time > book->before.time)) return;
    rateOf(out, &book->sum, &book->before, book->sum.time - book->before.time);
    out->residual = energyNow(out) - booked(out);
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
    book->began = total(world, &book->callbacks);
    book->sum.outside += book->began - energyNow(&book->sum);
}

void ukLedgerSlept(ukWorld *world)
{
    ukBook *book = world->book;
    if (!book) return;
    bool callbacks;
    const double now = total(world, &callbacks);
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
        sum->outside += energyNow(sum) - energyNow(&book->before) - (booked(sum) - booked(&book->before));
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

static void addLedger(ukLedger *to, const ukLedger *work)
{
    to->applied += work->applied;
    to->ideal += work->ideal;
    to->nonideal += work->nonideal;
    to->motors += work->motors;
    to->stops += work->stops;
    to->contact_normal += work->contact_normal;
    to->contact_friction += work->contact_friction;
    to->gyroscopic += work->gyroscopic;
    to->stabilization += work->stabilization;
    to->damping += work->damping;
    to->outside += work->outside;
    to->integration += work->integration;
}

/* ---- work of forces ---------------------------------------------------------------------------------------------- */

/* Parameters of one summation of work: the time, and the velocity that a force is multiplied with, the mean of a body's
 * velocity: v + h qdd/2 with v at the frame's start (discrete form), or v of the frame's state. */
typedef struct Pass {
    const ukIsland *island;
    const ukProblem *p;
    const double *qdd;
    double time; /* h, or the weight of the stage [s] */
    double h;    /* [s] 0: continuous form */
    bool driven; /* some of the rows may be stops, motors or springs */
    bool soft;   /* some rows may yield by their CFM */
    bool told;   /* the force of each joint's block is in the joint's reaction */
} Pass;

/* Whether a row of the island may be a spring: compares softness with the least compliance that a unit row can have. */
static bool anySoft(const ukIsland *island, const ukProblem *p)
{
    static const double spring = 0.001; /* a tenth of ukRowIsSpring's limit, because rows may be shorter than one */
    const double *const softness = island->rows.softness;
    double most = 0, heaviest = 0;
    for (int i = 0; i < p->rows; i++) most = softness[i] > most ? softness[i] : most;
    if (!(most > 0)) return false;
    for (int i = 0; i < p->bodies; i++) {
        const double *const I = p->inertia + 9 * (size_t)i;
        const double spread = I[0] + I[4] + I[8], more = p->mass[i] > spread ? p->mass[i] : spread;
        heaviest = more > heaviest ? more : heaviest;
    }
    return most * heaviest > spring;
}

static Pass passOf(const ukIsland *island, double time, double h)
{
    const ukProblem *p = island->problem;
    return (Pass){.island = island,
                  .p = p,
                  .qdd = island->bodies.qdd,
                  .time = time,
                  .h = h,
                  .soft = h > 0 && anySoft(island, p),
                  .driven = ukAnySet(island->rows.discrete_only, p->rows) || ukAnySet(island->rows.spring, p->rows) ||
                            ukAnySet(island->rows.velocity, p->rows)};
}

static const double *velocityOf(const Pass *pass, const ukFrame *f)
{
    return pass->h > 0 ? f->start.v : f->state.v;
}

/* the velocity of a moving body by which a force is multiplied to obtain its power */
UKODE_INLINE void meanVelocity(const Pass *pass, const ukFrame *f, double mean[6])
{
    const double *v = velocityOf(pass, f), *a = pass->qdd + 6 * f->moving;
    for (int i = 0; i < 6; i++) mean[i] = v[i] + 0.5 * pass->h * a[i];
}

/* power of force (6) on a moving body */
static double power(const Pass *pass, const ukFrame *f, const double *force)
{
    double mean[6];
    meanVelocity(pass, f, mean);
    return ukDot(force, mean) + ukDot(force + 3, mean + 3);
}

/* the power of springs made of CFM, whose forces are part of the frames' forces */
static double springForces(const Pass *pass)
{
    double sum = 0;
    for (int i = 0; i < pass->island->ideal->springs; i++) {
        const ukSpring *spring = ukSpringOf(pass->island, i);
        for (int k = 0; k < 2 && !spring->motor; k++) {
            const ukBody *body = spring->joint->body[k];
            const ukFrame *f = body ? ukIslandFrame(pass->island, body) : NULL;
            if (f && f->moving >= 0) sum += spring->lambda * power(pass, f, spring->J + 6 * k);
        }
    }
    return sum;
}

/* Books the work of user forces, of gyroscopic torques, and of motors at stops (the rest of the frames' forces);
 * returns the work of gravity. */
static double bodyForces(const Pass *pass, ukLedger *l)
{
    const ukIsland *island = pass->island;
    ukBodyPower sum = ukBodyPowers(island, pass->h);
    for (int k = 0; k < pass->island->elements; k++) {
        const ukElement *e = island->element[k];
        for (int i = 0; e->is_force && i < e->count; i++) {
            const ukFrame *f = ukIslandFrame(island, e->body[i]);
            if (!f || f->moving < 0) continue;
            const double p = power(pass, f, e->force + 6 * i);
            sum.user += p;
            sum.motors -= p;
        }
    }
    const double springs = springForces(pass);
    sum.user += springs;
    sum.motors -= springs;
    l->gyroscopic += pass->time * sum.gyroscopic;
    l->applied += pass->time * sum.user;
    l->motors += pass->time * sum.motors;
    return pass->time * sum.gravity;
}

/* Whether a joint's row yields by its CFM, in either form: its force is then the user's, with kp and kd of spring.h. */
static bool isSpring(const Pass *pass, const ukBlock *block, int row, int i)
{
    const ukIsland *island = pass->island;
    if (island->rows.spring[row]) return true;
    if (pass->h == 0 || island->rows.velocity[row] || island->rows.discrete_only[row] ||
        !(island->rows.softness[row] > 0))
        return false;
    return ukRowIsSpring(island->rows.softness[row], ukMasslessCompliance(island, pass->p, block, block->row + i));
}

static bool isBounded(const ukIsland *island, int row)
{
    return island->rows.lo[row] > -INFINITY || island->rows.hi[row] < INFINITY;
}

/* the ledger entry of row i of a joint's or user constraint's block; NULL: the row is an ideal constraint */
static dReal *causeOf(const Pass *pass, const ukBlockOwner *owner, const ukBlock *block, int i, ukLedger *l)
{
    const ukIsland *island = pass->island;
    const int row = block->row + i;
    if (owner->law) return &l->nonideal;
    if (!owner->joint) return island->rows.discrete_only[row] ? &l->stops : isBounded(island, row) ? &l->motors : NULL;
    if (ukIsContact(owner->joint)) return i == 0 ? &l->contact_normal : &l->contact_friction;
    if (island->rows.discrete_only[row]) return &l->stops;
    if (isSpring(pass, block, row, i)) return &l->applied;
    return island->rows.velocity[row] && i + owner->springs >= owner->joint->class->held_rows ? &l->motors : NULL;
}

/* The speed of a row (6 numbers per slot) at the pass's velocities, and its change in the step; or the sum of both over
 * a block's rows, weighted with their multipliers: the power of the block's force. */
typedef struct Speed {
    double v, dv;
} Speed;

static Speed speedOf(const Pass *pass, const ukBlock *block, const double *row, ukFrame *const *frame)
{
    Speed sum = {0, 0};
    for (int slot = 0; slot < block->slots; slot++, row += 6) {
        const int body = pass->p->body[block->slot + slot];
        if (body < 0) continue;
        sum.v += ukPairDot(row, velocityOf(pass, frame[body]), 6);
        sum.dv += pass->h * ukPairDot(row, pass->qdd + 6 * body, 6);
    }
    return sum;
}

/* force: A' lambda (6 numbers per slot) */
UKODE_INLINE Speed powerOf(const Pass *pass, const ukBlock *block, const double *force, ukFrame *const *frame)
{
    const int *const body = pass->p->body + block->slot;
    const size_t velocity = pass->h > 0 ? offsetof(ukFrame, start.v) : offsetof(ukFrame, state.v);
    Speed sum = {0, 0};
    for (int slot = 0; slot < block->slots; slot++, force += 6) {
        if (body[slot] < 0) continue;
        const double *const v = (const double *)(const void *)((const char *)frame[body[slot]] + velocity);
        const double *const a = pass->qdd + 6 * body[slot];
        const ukPair f0 = ukLoadPair(force), f1 = ukLoadPair(force + 2), f2 = ukLoadPair(force + 4);
        const ukPair now = f0 * ukLoadPair(v) + f1 * ukLoadPair(v + 2) + f2 * ukLoadPair(v + 4);
        const ukPair more = f0 * ukLoadPair(a) + f1 * ukLoadPair(a + 2) + f2 * ukLoadPair(a + 4);
        sum.v += now[0] + now[1];
        sum.dv += pass->h * (more[0] + more[1]);
    }
    return sum;
}

static Speed powerOfBlock(const Pass *pass, const ukBlock *block, const double *lambda, ukFrame *const *frame)
{
    Speed sum = {0, 0};
    for (int slot = 0; slot < block->slots; slot++) {
        const ukBlock one = {.slot = block->slot + slot, .slots = 1};
        const ukForceTorque f = ukBlockForce(block, pass->p->A + block->A + 6 * slot, lambda);
        double force[6];
        for (int k = 0; k < 3; k++) ukStorePair(force + 2 * k, f.of[k]);
        const Speed part = powerOf(pass, &one, force, frame);
        sum.v += part.v;
        sum.dv += part.dv;
    }
    return sum;
}

/* The force of an ideal row, A v = target, does work on psi = A v - target: at the start of a discrete step because the
 * rows have rotated since the last one, at its end by ERP and CFM, or, in the continuous form, by Baumgarte
 * stabilization. `power` is that of the block's ideal rows, `psi` the sum of their psi lambda. */
UKODE_INLINE void bookIdeal(const Pass *pass, Speed power, double psi, ukLedger *l)
{
    l->ideal += pass->time * (power.v - psi);
    if (pass->h > 0) l->integration += pass->time * 0.5 * psi;
    l->stabilization += pass->time * (pass->h > 0 ? 0.5 * (psi + power.dv) : psi);
}

/* books a block all of whose rows are ideal */
static void idealForce(const Pass *pass, const ukBlock *block, const ukBlockOwner *owner, ukFrame *const *frame,
                       ukLedger *l)
{
    const ukRowArrays *const rows = &pass->island->rows;
    const double *lambda = rows->lambda + block->row, *rate = rows->rate + block->row;
    const double *target = rows->target + block->row;
    const double *const force = pass->told && owner->joint ? owner->joint->reaction->ideal[0] : NULL;
    double psi = 0;
    for (int i = 0; i < block->rows; i++) psi += lambda[i] * (rate[i] - target[i]);
    bookIdeal(pass, force ? powerOf(pass, block, force, frame) : powerOfBlock(pass, block, lambda, frame), psi, l);
}

/* Books a block some of whose rows may have an entry of their own. The force of its ideal rows is the block's force
 * without the others. */
static void blockForce(const Pass *pass, const ukBlock *block, const ukBlockOwner *owner, ukFrame *const *frame,
                       bool all, bool bare, ukLedger *l)
{
    const ukIsland *island = pass->island;
    const double *lambda = island->rows.lambda + block->row, *rate = island->rows.rate + block->row;
    const double *target = island->rows.target + block->row, *A = pass->p->A + block->A;
    Speed ideal = all ? (Speed){0, 0} : powerOfBlock(pass, block, lambda, frame);
    double psi = 0;
    int left = 0;
    for (int i = 0; i < block->rows; i++, A += 6 * block->slots) {
        if (lambda[i] == 0) continue;
        dReal *cause = bare && !owner->law ? &l->ideal : causeOf(pass, owner, block, i, l);
        if (!cause) {
            psi += lambda[i] * (rate[i] - target[i]);
            left++;
            continue;
        }
        const Speed speed = speedOf(pass, block, A, frame);
        *cause += pass->time * lambda[i] * (speed.v + 0.5 * speed.dv);
        ideal.v -= lambda[i] * speed.v;
        ideal.dv -= lambda[i] * speed.dv;
    }
    if (left > 0) bookIdeal(pass, ideal, psi, l);
}

static void rowForces(const Pass *pass, ukLedger *l)
{
    const ukBlockOwner *owner = pass->island->rows.owners;
    ukFrame *const *frame = pass->island->bodies.frame;
    const bool plain = !pass->driven && !pass->soft;
    for (int k = 0; k < pass->p->blocks; k++, owner++) {
        const ukBlock *const block = &pass->p->block[k];
        const bool bare = owner->constraint && !owner->constraint->error;                   /* the target of its rows is
                                                                                        * unknown */
        const bool all = owner->law || bare || (owner->joint && ukIsContact(owner->joint)); /* each row has its own */
        if (plain && !all)
            idealForce(pass, block, owner, frame, l);
        else
            blockForce(pass, block, owner, frame, all, bare, l);
    }
}

/* books the work of the laws' forces that have no rows */
static void lawForces(const Pass *pass, ukLedger *l)
{
    const ukIsland *island = pass->island;
    for (int i = 0; i < ukIslandLawCount(island); i++) {
        const ukLaw *law = ukIslandLaw(island, i);
        for (int k = 0; law && k < law->slots; k++) {
            const ukBody *body = law->joint ? law->joint->body[k] : law->constraint->element.body[k];
            const ukFrame *f = body ? ukFrameOf(island, body) : NULL;
            if (f && f->moving >= 0) l->nonideal += pass->time * power(pass, f, law->C + 6 * k);
        }
    }
}

/* ---- the discrete form ------------------------------------------------------------------------------------------- */

void ukLedgerDiscrete(ukIsland *island, double h, bool told)
{
    const ukIdeal *const ideal = island->ideal;
    if (!island->world->book || island->problem->bodies == 0) return;
    ukLedger *l = &island->world->book->sum;
    Pass pass = passOf(island, h, h);
    /* reactions of joints with laws, springs or motors at their maximum have more parts than the block's force */
    pass.told = told && ideal->laws == 0 && ideal->springs == 0 && ideal->drives == 0;
    l->integration += bodyForces(&pass, l); /* gravity's work; ukBodyFollow subtracts that of the fall */
    rowForces(&pass, l);
    lawForces(&pass, l);
    ukBodyFollow(island, h, l);
}

/* change of a velocity's or spin's energy when it is multiplied by `left` */
static double lost(double left, double energy)
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
        if (f->damping[0] != 1) *sum += lost(f->damping[0], 0.5 * f->body->constant.mass * ukDot(v, v));
        if (f->damping[1] == 1) continue;
        ukState end;
        memcpy(end.q, f->state.q, sizeof end.q);
        ukStateOrient(&end);
        *sum += lost(f->damping[1], ukSpinEnergy(end.R, 3, B, v + 3));
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

void ukLedgerStage(ukIsland *island, double weight)
{
    ukBook *book = island->world->book;
    if (!book || island->problem->bodies == 0) return;
    const Pass pass = passOf(island, weight, 0);
    const double before = booked(&book->open);
    bodyForces(&pass, &book->open);
    rowForces(&pass, &book->open);
    lawForces(&pass, &book->open);
    book->energy += booked(&book->open) - before; /* the energy by the work of the forces */
}

static dReal *marked(ukLedger *l, ukMark cause)
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
    *marked(&book->open, cause) += change;
    book->energy = now;
}

void ukLedgerJump(ukIsland *island, double h, ukMark cause)
{
    ukBook *book = island->world->book;
    if (!book || island->problem->bodies == 0) return;
    const Pass pass = passOf(island, h, h);
    ukLedger jump = {0};
    rowForces(&pass, &jump);
    const double rest = jump.integration + jump.stabilization;
    jump.integration = jump.stabilization = 0;
    *marked(&jump, cause) += rest;
    addLedger(&book->sum, &jump);
}

void ukLedgerAccept(ukIsland *island)
{
    ukBook *book = island->world->book;
    if (!book) return;
    ukLedgerMark(island, ukMarkIntegration);
    addLedger(&book->sum, &book->open);
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
