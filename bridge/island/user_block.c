/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/island/user_block.h"

#include "bridge/base/log.h"
#include "bridge/island/user_row.h"
#include "bridge/user/gap.h"
#include "bridge/user/law_rows.h"
#include "solvers/base/status.h"

/* The states of an element's bodies: those of the island's frames, or ODE's for bodies that were auto-disabled at the
 * search. */
static const ukState *const *statesOf(const ukBuilder *build, const ukElement *e, ukState *asleep)
{
    const ukIsland *island = build->island;
    const ukState **state = island->rows.slot_state + build->slots;
    for (int i = 0; i < e->count; i++) {
        const ukFrame *frame = ukIslandFrame(build->island, e->body[i]);
        if (!frame) {
            bool kinematic;
            ukFrameConstants(e->body[i], &kinematic); /* computes its mass, for user functions; it does not move */
            *asleep = ukStateOf(e->body[i]);
        }
        state[i] = frame ? &frame->state : asleep++;
    }
    return state;
}

int ukBuildSwitches(const ukBuilder *build)
{
    const ukStepContext *context = build->context;
    int status = ukOk;
    for (int k = 0; k < build->island->elements && status == ukOk; k++) {
        ukState asleep[ukMaxElementBodies];
        struct ukForce *f = (struct ukForce *)build->island->element[k];
        if (!ukElementIsSwitch(&f->element)) continue;
        status = ukSwitchEvaluate(f, statesOf(build, &f->element, asleep), context->time, context->rows.h);
        if (status == ukOk && !context->sided) f->side = f->value < 0 ? -1 : 1;
    }
    return status;
}

int ukBuildForce(const ukBuilder *build, struct ukForce *f)
{
    const ukElement *e = &f->element;
    ukState asleep[ukMaxElementBodies];
    const ukStepContext *context = build->context;
    if (f->g) return ukOk;
    const int status = ukForceEvaluate(f, statesOf(build, e, asleep), context->time, context->rows.h);
    if (status != ukOk) return status;
    for (int i = 0; i < e->count; i++) {
        ukFrame *frame = ukIslandFrame(build->island, e->body[i]);
        for (int k = 0; frame && k < 6; k++) frame->force[k] += e->force[6 * i + k];
    }
    return ukOk;
}

/* whether the integrator tracks the modes of rows of user constraints with bounds within a step */
static bool tracksRowModes(const ukStepContext *context)
{
    return context->continuous && (context->modal_rows || context->stops != ukStopsIgnored);
}

/* Completes one row of a user constraint: its own b, corrected by the errors that its error function returns. */
static void closeConstraintRow(const ukRowArrays *r, const ukStepContext *context, int row,
                               const struct ukConstraint *c, int i)
{
    const double h = context->rows.h, erp = context->rows.erp;
    const ukRowBounds *const limit = c->limit ? &c->limit[i] : NULL;
    const bool holonomic = ukGapIsHolonomic(c, i), one_sided = limit && limit->one_sided,
               by_mode = tracksRowModes(context);
    const bool modal = by_mode && (one_sided || ukGapBounded(c, i) != ukBoundedNone);
    if (limit && !(modal && limit->mode == ukRowActive)) r->lo[row] = limit->lo, r->hi[row] = limit->hi;
    const bool bounded = limit && !one_sided && (limit->lo > -INFINITY || limit->hi < INFINITY); /* as a motor */
    r->discrete_only[row] = one_sided && (!by_mode || (limit->mode == ukRowUndecided && ukGapIsDeep(c, i)));
    r->velocity[row] = !holonomic || bounded;
    r->phi[row] = holonomic ? c->phi[i] : 0;
    r->rate[row] = c->psi[i];
    r->softness[row] = 0;
    r->restitution[row] = one_sided && holonomic ? limit->restitution : 0;
    r->b[row] = c->b[i];
    if (!c->error) return;
    if (context->continuous) {
        r->b[row] -= 2 * context->alpha * c->psi[i] + context->beta * context->beta * r->phi[row];
    } else { /* as for ODE's joints: A v+ = target - (erp/h) phi */
        (ukBuildSplits(context) && !bounded ? r->push : r->c)[row] = -erp / h * r->phi[row];
        const double back = r->restitution[row] * -c->psi[i];
        if (back > 0 && back > r->c[row]) { /* rebounds like a stop (bridge/joints/limit.c) */
            r->push[row] = fmax(r->push[row], back) - back;
            r->target[row] = back - r->c[row];
            r->c[row] = back;
        }
        r->b[row] = (r->c[row] - c->psi[i]) / h;
    }
}

/* Numbers those rows of a constraint with bounds that act at the state it was evaluated for; returns how many. */
static int limitRows(ukBuilder *build, struct ukConstraint *c)
{
    const ukStepContext *context = build->context;
    int count = 0;
    for (int i = 0; i < c->rows; i++) {
        const bool acts = ukGapActs(c, i, tracksRowModes(context), &context->rows);
        c->limit[i].row = acts ? build->rows + count++ : -1;
        ukUserRowStart(build->island, c, i);
        if (tracksRowModes(context)) build->modal_rows += c->limit[i].one_sided || ukGapBounded(c, i) != ukBoundedNone;
    }
    if (tracksRowModes(context)) ukUserRowApply(build->island, c);
    return count;
}

int ukBuildConstraint(ukBuilder *build, struct ukConstraint *c)
{
    const ukIsland *island = build->island;
    const ukRowArrays *r = &island->rows;
    const ukElement *e = &c->element;
    const double h = build->context->rows.h;
    const ukState *const *states = statesOf(build, e, NULL /* a constraint wakes its bodies */);
    const int status = ukConstraintEvaluate(c, states, build->context->time, h);
    if (status != ukOk) return status;
    const int row = build->rows, rows = c->limit ? limitRows(build, c) : c->rows, stride = 6 * e->count;
    double *A = ukBuildA(build);
    if (rows == 0) return ukOk;
    ukBuildClear(r, row, rows, A, stride);
    if (!c->limit) {
        memcpy(A, c->A, (size_t)(rows * stride) * sizeof(double));
        for (int i = 0; i < rows; i++) closeConstraintRow(r, build->context, row + i, c, i);
    }
    for (int i = 0; c->limit && i < c->rows; i++) {
        const int at = c->limit[i].row;
        if (at < 0) continue;
        double *to = A + (at - row) * stride;
        memcpy(to, c->A + i * stride, (size_t)stride * sizeof(double));
        closeConstraintRow(r, build->context, at, c, i);
        if (!(r->lo[at] > -INFINITY || r->hi[at] < INFINITY)) continue;
        build->bounded = true;
        ukBuildTakeOut(r, at, to, stride);
    }
    for (int i = 0; i < e->count; i++) r->slot_body[build->slots + i] = ukFrameOf(island, e->body[i])->moving;
    ukBuildBlock(build, (ukBlockOwner){.constraint = c}, rows, e->count);
    return ukOk;
}

/* Marks axes that share one friction force; returns whether there are any. */
static bool markDiscs(const ukRowArrays *r, int row, const ukLaw *law)
{
    bool any = false;
    for (int k = 0; k < law->slides; k++) {
        const ukSlide *slide = &law->slide[k];
        if (slide->row < 0 || slide->axes < 2) continue;
        r->cone[row + slide->row] = (unsigned char)(slide->axes - 1);
        any = true;
    }
    return any;
}

int ukBuildLaw(ukBuilder *build, ukLaw *law)
{
    const ukIsland *island = build->island;
    const ukRowArrays *r = &island->rows;
    const ukStepContext *context = build->context;
    ukBody *const *body = law->joint ? law->joint->body : law->constraint->element.body;
    const ukState **state = r->slot_state + build->slots;
    const int slots = law->joint && !body[1] ? 1 : law->slots;
    for (int i = 0; i < law->slots; i++) state[i] = i < slots ? &ukFrameOf(island, body[i])->state : NULL;
    ukLawPlace(law, state, context->continuous);
    const int row = build->rows, stride = 6 * slots;
    double *A = ukBuildA(build);
    ukBuildClear(r, row, ukLawRowBound(law), A, stride);
    ukRowSink sink = {.J = A,
                      .stride = stride,
                      .bias = context->continuous ? r->bias + row : NULL,
                      .cfm = r->cfm + row,
                      .lo = r->lo + row,
                      .hi = r->hi + row,
                      .velocity = r->velocity + row};
    const int written = ukLawRows(law, context->continuous, &sink);
    if (written == 0) return ukOk;
    const int status = ukBuildClose(r, &build->form, row, written, A, slots, state, &build->bounded);
    if (status != ukOk)
        return ukErrorSet(status, "friction of %s %llu: rows not finite",
                          law->joint ? law->joint->class->name : "constraint",
                          (unsigned long long)(law->joint ? law->joint->serial : law->constraint->element.serial));
    law->row = row;
    build->discs |= markDiscs(r, row, law);
    for (int i = 0; i < slots; i++) r->slot_body[build->slots + i] = ukFrameOf(island, body[i])->moving;
    ukBuildBlock(build, (ukBlockOwner){.law = law}, written, slots);
    return ukOk;
}
