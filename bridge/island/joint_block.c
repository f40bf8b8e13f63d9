/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/island/joint_block.h"

#include "bridge/base/vector.h"
#include "bridge/island/refuse.h"
#include "bridge/island/spring.h"
#include "bridge/island/user_row.h"
#include "solvers/base/status.h"
#include "solvers/problem/block.h"

/* Replaces an infinite coefficient where friction bounds depend on the normal force of the same solution: friction
 * would be discontinuous at zero normal force, and a solution need not exist. Measured on small worlds that jam: 2 % of
 * steps have no solution, 0.6 % with 1e6, 0.03 % with 1e3, which sticks on slopes of up to 89.9 degrees. */
static const double no_sliding = 1e3;

/* ---- from rows to equations -------------------------------------------------------------------------------------- */

/* |A|^2 of a bounded row below which the row acts on no body: its multiplier has no meaning, and the solvers would meet
 * a pivot of zero. */
static const double nothing = 1e-200;

void ukBuildTakeOut(const ukRowArrays *r, int row, const double *A, int count)
{
    double square = 0;
    for (int k = 0; k < count; k++) square += A[k] * A[k];
    if (!(square < nothing)) return;
    r->softness[row] = 1;
    r->b[row] = 0;
}

/* x . y, as the two halves of a sum */
static ukPair dotSix(const double *x, const double *y)
{
    return (ukLoadPair(x) * ukLoadPair(y) + ukLoadPair(x + 2) * ukLoadPair(y + 2)) +
           ukLoadPair(x + 4) * ukLoadPair(y + 4);
}

/* ukBuildClose, which ukBuildJointBlock includes: as a call it was 1 % of a chain's step */
UKODE_INLINE int closeRows(const ukRowArrays *r, const ukForm *form, int row, int rows, const double *A, int slots,
                           const ukState *const *state, bool *bounded)
{
    const double fps = 1 / form->h;
    for (int i = row; i < row + rows; i++) {
        const double *const of_row = A;
        ukPair sum = ukBothOf(0);
        for (int slot = 0; slot < slots; slot++, A += 6) sum += dotSix(A, state[slot]->v);
        const double rate = r->rate[i] = sum[0] + sum[1];
        if (form->continuous) {
            r->b[i] = -r->bias[i] - 2 * form->alpha * (rate - r->target[i]);
            if (!r->velocity[i]) r->b[i] -= form->beta * form->beta * r->phi[i];
            r->softness[i] = 0;
        } else {
            r->b[i] = (r->c[i] - rate) * fps;
            r->softness[i] = r->cfm[i] * fps;
        }
        if (r->b[i] * 0 != 0 || r->cfm[i] * 0 != 0) return ukErrorNotFinite;
        if (!(r->lo[i] <= r->hi[i]) || r->cfm[i] < 0) return ukErrorParameter;
        if (r->lo[i] > -INFINITY || r->hi[i] < INFINITY) {
            *bounded = true;
            if (r->softness[i] == 0) ukBuildTakeOut(r, i, of_row, 6 * slots);
        }
        if (r->normal[i] >= 0) r->normal[i] += row;
    }
    return ukOk;
}

int ukBuildClose(const ukRowArrays *r, const ukForm *form, int row, int rows, const double *A, int slots,
                 const ukState *const *state, bool *bounded)
{
    return closeRows(r, form, row, rows, A, slots, state, bounded);
}

/* ---- a joint ----------------------------------------------------------------------------------------------------- */

/* Marks the two tangents of a contact under the elliptic cone: consecutive rows with the same normal and a linear part.
 * With an infinite coefficient there is no sliding direction, and a box suffices. */
static void markCone(const ukRowArrays *r, int row, int rows, const double *A, int stride)
{
    for (int i = 0; i + 1 < rows; i++) {
        const double *t1 = A + i * stride, *t2 = t1 + stride;
        const bool translations = ukDot(t1, t1) > nothing && ukDot(t2, t2) > nothing;
        if (r->normal[row + i] < 0 || r->normal[row + i] != r->normal[row + i + 1] || !translations) continue;
        if (r->hi[row + i] == INFINITY || r->hi[row + i + 1] == INFINITY) return;
        r->cone[row + i] = 1;
        return;
    }
}

/* Makes the row numbers of a joint's motors of bounded force, which wrote rows from `row` on, those of the island;
 * returns the number of motors. */
static int countModalMotors(ukModalMotor *modal_motors, int row)
{
    int count = 0;
    for (; modal_motors && count < ukMostModalMotors && modal_motors[count].used; count++)
        if (modal_motors[count].row >= 0) modal_motors[count].row += row;
    return count;
}

/* The same for the joint's stops with modes, the next ones of the island. */
static void countStops(ukBuilder *build, const ukRowSink *sink, int row)
{
    for (int k = 0; k < sink->stop_count; k++) {
        if (!sink->stops[k].joint) continue;
        if (sink->stops[k].limit.row >= 0) sink->stops[k].limit.row += row;
        build->modal_rows++;
    }
    build->stops += sink->stop_count;
}

/* the square of the radius of gyration by which characteristic lengths are measured (ukRowReach) */
static double gyrationOf(const ukBody *body)
{
    const double *I = body->constant.inertia, mass = body->constant.mass;
    return mass > 0 ? (I[0] + I[4] + I[8]) / (2 * mass) : 0;
}

/* prepares the sink for stops with modes, or for those that touch, if the context has them */
static void followStops(const ukBuilder *build, ukJoint *joint, ukRowSink *sink)
{
    const ukStepContext *context = build->context;
    const bool follows = context->continuous && context->stops != ukStopsIgnored;
    if (!follows && !context->rows.touching) return;
    for (int k = 0; k < 2 && joint->body[k]; k++) sink->gyration[k] = gyrationOf(joint->body[k]);
    if (!follows) return;
    sink->stops = build->island->stop + build->stops;
    sink->undecided = context->stops == ukStopsUndecided;
    sink->joint = joint;
}

/* Adds the terms that keep the errors of exact rows constant, as far as the step does not resolve them: a row's
 * velocity follows c at once if its CFM is small in comparison with its compliance times h, and the law of a spring,
 * whose damper rotates with the bodies, is the limit for short steps. */
static void addTransportTerms(const ukBuilder *build, const ukJoint *joint, const ukRowSink *sink, int rows)
{
    const int bodies = joint->body[1] ? 2 : 1;
    for (int i = 0; i < rows; i++) {
        if (sink->transport[i] == 0) continue;
        const double own =
            build->context->rows.h * ukRowCompliance(build->island, sink->J + i * sink->stride, joint->body, bodies);
        if (own > 0) sink->c[i] += own / (own + sink->cfm[i]) * sink->transport[i];
    }
}

/* Writes the rows of a joint and removes its springs from them; returns the number of rows, or a negative status. */
static int writeRows(const ukBuilder *build, ukJoint *joint, const ukState *const state[2], ukRowSink *sink,
                     ukBlockOwner *owner)
{
    ukModalMotor *const modal_motors = sink->modal_motor;
    for (int k = 0; modal_motors && k < ukMostModalMotors; k++) modal_motors[k].used = false;
    const int written = joint->class->rows(joint, state[0], state[1], &build->context->rows, sink);
    sink->modal_motor = modal_motors;
    if (sink->has_transport) addTransportTerms(build, joint, sink, written);
    if (!build->springs || written <= 0 || ukIsContact(joint)) return written;
    if (build->context->rigid) ukSpringsHarden(joint, &build->context->rows, sink, written);
    return ukSpringsTake(build->island, joint, state, &build->context->rows, sink, written, &owner->springs);
}

/* Notes that there are friction rows among those of a joint, and makes their coefficients finite where their bounds
 * depend on the normal force of the same solution. */
UKODE_INLINE void boundFriction(ukBuilder *build, int row, int rows)
{
    const ukRowArrays *r = &build->island->rows;
    for (int i = row; i < row + rows; i++) {
        if (r->normal[i] < 0) continue;
        if (build->context->friction != ukFrictionTwoPhase && r->hi[i] == INFINITY)
            r->hi[i] = no_sliding, r->lo[i] = -no_sliding;
        build->friction = true;
    }
}

static int mostRowsOf(const ukJoint *joint)
{
    return joint->class->most ? joint->class->most(joint) : joint->class->max_rows;
}

int ukBuildJointBlock(ukBuilder *build, ukJoint *joint, ukModalMotor *modal_motors)
{
    const ukIsland *island = build->island;
    const ukRowArrays *r = &island->rows;
    const ukStepContext *context = build->context;
    if (joint->class->max_rows == 0) return ukOk;
    if (joint->stale || !joint->observed) {
        if (joint->class->refresh) joint->class->refresh(joint);
        joint->stale = ukJointIsFar(joint);
    }
    ukFrame *a = ukFrameOf(island, joint->body[0]);
    ukFrame *b = joint->body[1] ? ukFrameOf(island, joint->body[1]) : NULL;
    const ukState *const state[2] = {&a->state, b ? &b->state : NULL};
    const int row = build->rows, stride = b ? 12 : 6, most = mostRowsOf(joint);
    double *A = ukBuildA(build), nowhere[12] = {0}, transport[ukMaxJointRows];
    ukBuildClear(r, row, build->pushes && build->end - row < most ? build->end - row : most, A, stride);
    ukRowSink sink = {.J = A,
                      .stride = stride,
                      .c = r->c + row,
                      .push = ukBuildSplits(context) ? r->push + row : NULL,
                      .phi = r->phi + row,
                      .target = r->target + row,
                      .restitution = r->restitution + row,
                      .flight = context->rows.flight,
                      .touching = context->rows.touching,
                      .erp = r->erp + row,
                      .bias = context->continuous ? r->bias + row : NULL,
                      .cfm = r->cfm + row,
                      .lo = r->lo + row,
                      .hi = r->hi + row,
                      .normal = r->normal + row,
                      .velocity = r->velocity + row,
                      .discrete_only = r->discrete_only + row,
                      .transport = context->continuous ? NULL : transport,
                      .looped = context->rows.exact && !context->continuous && joint->looped,
                      .modal_motor = modal_motors,
                      .force_a = build->pushes ? nowhere : a->force,
                      .force_b = build->pushes || !b ? nowhere + 6 : b->force};
    ukBlockOwner owner = {.joint = joint};
    followStops(build, joint, &sink);
    const int written = writeRows(build, joint, state, &sink, &owner);
    if (build->pushes) ukPushesNote(build->pushes, a, b, nowhere);
    /* rows beyond the joint's range have not been cleared */
    if (build->pushes && written > build->end - row) return ukErrorChanged;
    build->motors += countModalMotors(modal_motors, row);
    countStops(build, &sink, row);
    if (written == 0) return ukOk;
    int status = written < 0 ? written : ukOk;
    if (status == ukOk) status = closeRows(r, &build->form, row, written, A, b ? 2 : 1, state, &build->bounded);
    if (status != ukOk) return ukRefuseRows(joint, status);
    if (context->friction == ukFrictionElliptic && ukIsContact(joint)) markCone(r, row, written, A, stride);
    boundFriction(build, row, written);
    r->slot_body[build->slots] = a->moving;
    if (b) r->slot_body[build->slots + 1] = b->moving;
    ukBuildBlock(build, owner, written, b ? 2 : 1);
    return ukOk;
}
