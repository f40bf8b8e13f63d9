/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/results/work.h"

#include <stddef.h>

#include "bridge/base/vector.h"
#include "bridge/island/massless.h"
#include "bridge/island/spring.h"
#include "bridge/results/block_force.h"
#include "bridge/results/body_work.h"
#include "bridge/user/gap.h"
#include "bridge/user/joint_law.h"
#include "solvers/problem/block.h"

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

ukWorkStage ukWorkStageOf(const ukIsland *island, double time, double h)
{
    const ukProblem *p = island->problem;
    return (ukWorkStage){.island = island,
                         .p = p,
                         .qdd = island->bodies.qdd,
                         .time = time,
                         .h = h,
                         .begins = h > 0,
                         .soft = h > 0 && anySoft(island, p),
                         .driven = ukAnySet(island->rows.discrete_only, p->rows) ||
                                   ukAnySet(island->rows.spring, p->rows) || ukAnySet(island->rows.velocity, p->rows)};
}

static const double *velocityOf(const ukWorkStage *stage, const ukFrame *f)
{
    return stage->begins ? f->start.v : f->state.v;
}

/* the velocity of a moving body by which a force is multiplied to obtain its power */
UKODE_INLINE void meanVelocity(const ukWorkStage *stage, const ukFrame *f, double mean[6])
{
    const double *v = velocityOf(stage, f), *a = stage->qdd + 6 * f->moving;
    for (int i = 0; i < 6; i++) mean[i] = v[i] + 0.5 * stage->h * a[i];
}

/* power of force (6) on a moving body */
static double powerOnBody(const ukWorkStage *stage, const ukFrame *f, const double *force)
{
    double mean[6];
    meanVelocity(stage, f, mean);
    return ukDot(force, mean) + ukDot(force + 3, mean + 3);
}

/* the power of springs made of CFM, whose forces are part of the frames' forces */
static double springForces(const ukWorkStage *stage)
{
    double sum = 0;
    for (int i = 0; i < stage->island->ideal->springs; i++) {
        const ukSpring *spring = ukSpringOf(stage->island, i);
        for (int k = 0; k < 2 && !spring->motor; k++) {
            const ukBody *body = spring->joint->body[k];
            const ukFrame *f = body ? ukIslandFrame(stage->island, body) : NULL;
            if (f && f->moving >= 0) sum += spring->lambda * powerOnBody(stage, f, spring->J + 6 * k);
        }
    }
    return sum;
}

double ukWorkOfBodies(const ukWorkStage *stage, ukLedger *l)
{
    const ukIsland *island = stage->island;
    ukBodyPower sum = ukBodyPowers(island, stage->h);
    for (int k = 0; k < stage->island->elements; k++) {
        const ukElement *e = island->element[k];
        for (int i = 0; e->is_force && i < e->count; i++) {
            const ukFrame *f = ukIslandFrame(island, e->body[i]);
            if (!f || f->moving < 0) continue;
            const double p = powerOnBody(stage, f, e->force + 6 * i);
            sum.user += p;
            sum.motors -= p;
        }
    }
    const double springs = springForces(stage);
    sum.user += springs;
    sum.motors -= springs;
    l->gyroscopic += stage->time * sum.gyroscopic;
    l->applied += stage->time * sum.user;
    l->motors += stage->time * sum.motors;
    return stage->time * sum.gravity;
}

/* Whether a joint's row yields by its CFM, in either form: its force is then the user's, with kp and kd of spring.h. */
static bool isSpring(const ukWorkStage *stage, const ukBlock *block, int row, int i)
{
    const ukIsland *island = stage->island;
    if (island->rows.spring[row]) return true;
    if (stage->h == 0 || island->rows.velocity[row] || island->rows.discrete_only[row] ||
        !(island->rows.softness[row] > 0))
        return false;
    return ukRowIsSpring(island->rows.softness[row], ukMasslessCompliance(island, stage->p, block, block->row + i));
}

static bool isBounded(const ukIsland *island, int row)
{
    return island->rows.lo[row] > -INFINITY || island->rows.hi[row] < INFINITY;
}

/* whether a row of a user constraint has bounds, even if it is active, an equality without them */
static bool isUserMotor(const ukIsland *island, const struct ukConstraint *c, int row)
{
    if (isBounded(island, row)) return true;
    for (int i = 0; c && c->limit && i < c->rows; i++)
        if (c->limit[i].row == row) return ukGapBounded(c, i) != ukBoundedNone;
    return false;
}

/* the ledger entry of row i of a joint's or user constraint's block; NULL: the row is an ideal constraint */
static dReal *causeOf(const ukWorkStage *stage, const ukBlockOwner *owner, const ukBlock *block, int i, ukLedger *l)
{
    const ukIsland *island = stage->island;
    const int row = block->row + i;
    if (owner->law) return &l->nonideal;
    if (!owner->joint)
        return island->rows.discrete_only[row]               ? &l->stops
               : isUserMotor(island, owner->constraint, row) ? &l->motors
                                                             : NULL;
    if (ukIsContact(owner->joint)) return i == 0 ? &l->contact_normal : &l->contact_friction;
    if (island->rows.discrete_only[row]) return &l->stops;
    if (isSpring(stage, block, row, i)) return &l->applied;
    return island->rows.velocity[row] && i + owner->springs >= owner->joint->class->velocity_rows ? &l->motors : NULL;
}

/* The speed of a row (6 numbers per slot) at the velocities of the stage, and its change in the step; or the sum of
 * both over a block's rows, weighted with their multipliers: the power of the block's force. */
typedef struct Speed {
    double v, dv;
} Speed;

static Speed speedOf(const ukWorkStage *stage, const ukBlock *block, const double *row, ukFrame *const *frame)
{
    Speed sum = {0, 0};
    for (int slot = 0; slot < block->slots; slot++, row += 6) {
        const int body = stage->p->body[block->slot + slot];
        if (body < 0) continue;
        sum.v += ukPairDot(row, velocityOf(stage, frame[body]), 6);
        sum.dv += stage->h * ukPairDot(row, stage->qdd + 6 * body, 6);
    }
    return sum;
}

/* force: A' lambda (6 numbers per slot) */
UKODE_INLINE Speed powerOf(const ukWorkStage *stage, const ukBlock *block, const double *force, ukFrame *const *frame)
{
    const int *const body = stage->p->body + block->slot;
    const size_t velocity = stage->begins ? offsetof(ukFrame, start.v) : offsetof(ukFrame, state.v);
    Speed sum = {0, 0};
    for (int slot = 0; slot < block->slots; slot++, force += 6) {
        if (body[slot] < 0) continue;
        const double *const v = (const double *)(const void *)((const char *)frame[body[slot]] + velocity);
        const double *const a = stage->qdd + 6 * body[slot];
        const ukPair f0 = ukLoadPair(force), f1 = ukLoadPair(force + 2), f2 = ukLoadPair(force + 4);
        const ukPair now = f0 * ukLoadPair(v) + f1 * ukLoadPair(v + 2) + f2 * ukLoadPair(v + 4);
        const ukPair more = f0 * ukLoadPair(a) + f1 * ukLoadPair(a + 2) + f2 * ukLoadPair(a + 4);
        sum.v += now[0] + now[1];
        sum.dv += stage->h * (more[0] + more[1]);
    }
    return sum;
}

static Speed powerOfBlock(const ukWorkStage *stage, const ukBlock *block, const double *lambda, ukFrame *const *frame)
{
    Speed sum = {0, 0};
    for (int slot = 0; slot < block->slots; slot++) {
        const ukBlock one = {.slot = block->slot + slot, .slots = 1};
        const ukForceTorque f = ukBlockForce(block, stage->p->A + block->A + 6 * slot, lambda);
        double force[6];
        for (int k = 0; k < 3; k++) ukStorePair(force + 2 * k, f.of[k]);
        const Speed part = powerOf(stage, &one, force, frame);
        sum.v += part.v;
        sum.dv += part.dv;
    }
    return sum;
}

/* The force of an ideal row, A v = target, does work on psi = A v - target: at the start of a discrete step because the
 * rows have rotated since the last one, at its end by ERP and CFM, or, in the continuous form, by Baumgarte
 * stabilization. `power` is that of the block's ideal rows, `psi` the sum of their psi lambda. */
UKODE_INLINE void bookIdeal(const ukWorkStage *stage, Speed power, double psi, ukLedger *l)
{
    l->ideal += stage->time * (power.v - psi);
    if (stage->h > 0) l->integration += stage->time * 0.5 * psi;
    l->stabilization += stage->time * (stage->h > 0 ? 0.5 * (psi + power.dv) : psi);
}

/* books a block all of whose rows are ideal */
static void idealForce(const ukWorkStage *stage, const ukBlock *block, const ukBlockOwner *owner, ukFrame *const *frame,
                       ukLedger *l)
{
    const ukRowArrays *const rows = &stage->island->rows;
    const double *lambda = rows->lambda + block->row, *rate = rows->rate + block->row;
    const double *target = rows->target + block->row;
    const double *const force = stage->has_feedback && owner->joint ? owner->joint->reaction->ideal[0] : NULL;
    double psi = 0;
    for (int i = 0; i < block->rows; i++) psi += lambda[i] * (rate[i] - target[i]);
    bookIdeal(stage, force ? powerOf(stage, block, force, frame) : powerOfBlock(stage, block, lambda, frame), psi, l);
}

/* Books a block some of whose rows may have an entry of their own. The force of its ideal rows is the block's force
 * without the others. */
static void blockForce(const ukWorkStage *stage, const ukBlock *block, const ukBlockOwner *owner, ukFrame *const *frame,
                       bool all, bool bare, ukLedger *l)
{
    const ukIsland *island = stage->island;
    const double *lambda = island->rows.lambda + block->row, *rate = island->rows.rate + block->row;
    const double *target = island->rows.target + block->row, *A = stage->p->A + block->A;
    Speed ideal = all ? (Speed){0, 0} : powerOfBlock(stage, block, lambda, frame);
    double psi = 0;
    int left = 0;
    for (int i = 0; i < block->rows; i++, A += 6 * block->slots) {
        if (lambda[i] == 0) continue;
        dReal *cause = bare && !owner->law ? &l->ideal : causeOf(stage, owner, block, i, l);
        if (!cause) {
            psi += lambda[i] * (rate[i] - target[i]);
            left++;
            continue;
        }
        const Speed speed = speedOf(stage, block, A, frame);
        *cause += stage->time * lambda[i] * (speed.v + 0.5 * speed.dv);
        ideal.v -= lambda[i] * speed.v;
        ideal.dv -= lambda[i] * speed.dv;
    }
    if (left > 0) bookIdeal(stage, ideal, psi, l);
}

void ukWorkOfRows(const ukWorkStage *stage, ukLedger *l)
{
    const ukBlockOwner *owner = stage->island->rows.owners;
    ukFrame *const *frame = stage->island->bodies.frame;
    const bool plain = !stage->driven && !stage->soft;
    for (int k = 0; k < stage->p->blocks; k++, owner++) {
        const ukBlock *const block = &stage->p->block[k];
        const bool bare = owner->constraint && !owner->constraint->error;                   /* the target of its rows is
                                                                                        * unknown */
        const bool all = owner->law || bare || (owner->joint && ukIsContact(owner->joint)); /* each row has its own */
        if (plain && !all)
            idealForce(stage, block, owner, frame, l);
        else
            blockForce(stage, block, owner, frame, all, bare, l);
    }
}

void ukWorkOfLaws(const ukWorkStage *stage, ukLedger *l)
{
    const ukIsland *island = stage->island;
    for (int i = 0; i < ukIslandLawCount(island); i++) {
        const ukLaw *law = ukIslandLaw(island, i);
        for (int k = 0; law && k < law->slots; k++) {
            const ukBody *body = law->joint ? law->joint->body[k] : law->constraint->element.body[k];
            const ukFrame *f = body ? ukFrameOf(island, body) : NULL;
            if (f && f->moving >= 0) l->nonideal += stage->time * powerOnBody(stage, f, law->C + 6 * k);
        }
    }
}
