/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/analyze/active.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/analyze/active_rows.h"
#include "bridge/base/log.h"
#include "bridge/island/metric.h"
#include "bridge/island/massless.h"
#include "bridge/island/spring.h"
#include "bridge/island/stepper.h"
#include "bridge/joints/getters.h"
#include "bridge/solve/one.h"
#include "bridge/solve/solve.h"
#include "bridge/user/gap.h"
#include "solvers/base/status.h"

int ukActiveBegin(ukActivity *activity, const ukStepper *stepper)
{
    int contacts = 0;
    for (int j = 0; j < stepper->joint_count; j++) contacts += ukIsContact(stepper->joints[j]);
    const size_t joints = (size_t)(stepper->joint_count - contacts);
    *activity = (ukActivity){.contact = calloc((size_t)contacts + 1, sizeof *activity->contact),
                             .joint = calloc(joints + 1, sizeof *activity->joint),
                             .slide = calloc(5 * (size_t)contacts + 1, sizeof *activity->slide)};
    if (activity->contact && activity->joint && activity->slide) return ukOk;
    return ukErrorSet(ukErrorMemory, "no memory for %d contacts", contacts);
}

void ukActiveEnd(ukActivity *activity)
{
    for (int k = 0; k < activity->joints; k++)
        memcpy(activity->joint[k].joint->motor, activity->joint[k].was, sizeof activity->joint[k].was);
    free(activity->contact);
    free(activity->joint);
    free(activity->slide);
    *activity = (ukActivity){0};
}

/* ---- the step's solution ----------------------------------------------------------------------------------------- */

/* the discrete problem of an island, solved */
typedef struct Step {
    const ukIsland *island;
    const ukProblem *p;
    double h, most; /* the largest multiplier */
} Step;

/* Whether the multiplier of a row is inside its bounds; *margin as in ukActiveRow. */
static bool isInside(const Step *step, int row, double *margin)
{
    static const double edge = 1e-9;
    const ukRowArrays *const r = &step->island->rows;
    const double lambda = r->lambda[row], lo = r->bound_lo[row], hi = r->bound_hi[row];
    *margin = 1;
    if (!step->p->lo) return true;
    const double below = lambda - lo, above = hi - lambda;
    const double size = hi < INFINITY && lo > -INFINITY ? 0.5 * (hi - lo) : step->most;
    *margin = size > 0 ? fmin(below, above) / size : 0;
    return below > edge * step->most && above > edge * step->most && *margin > edge;
}

static double softnessOf(const Step *step, const ukBlock *block, int row, bool *soft)
{
    const double cfm = step->island->rows.cfm[row];
    *soft =
        cfm > ukSpringCfm() && ukRowIsSpring(cfm / step->h, ukMasslessCompliance(step->island, step->p, block, row));
    return cfm;
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

/* The kinds of a contact's rows, as they are written (bridge/joints/contact.c); returns how many. */
static int kindsOf(const ukContact *contact, const ukContactShape *touch, ukTouchKind kind[6])
{
    const dSurfaceParameters *s = &contact->surface;
    const bool separate = s->mode & dContactAxisDep, rolls = s->mode & dContactRolling;
    double rho[3];
    ukSurfaceRolling(s, rho);
    if (!separate) rho[1] = rho[2] = rho[0];
    const double coefficient[5] = {s->mu, separate ? s->mu2 : s->mu, rho[0], rho[1], rho[2]};
    int count = 0;
    kind[count++] = ukTouchNormal;
    for (int i = 0; i < (rolls ? 5 : 2); i++) {
        const int size = i < 4 ? 1 + i % 2 : 0;
        if (coefficient[i] > 0 && touch->size[size] > 0) kind[count++] = (ukTouchKind)(1 + i);
    }
    return count;
}

static void decideRow(const Step *step, const ukBlock *block, int i, const ukContact *contact, ukActiveRow *row)
{
    const ukRowArrays *const r = &step->island->rows;
    const bool normal = row->kind == ukTouchNormal;
    bool soft;
    const double cfm = softnessOf(step, block, i, &soft), lambda = r->lambda[i];
    row->lambda = lambda;
    row->target = r->target[i];
    row->proportional = !normal && r->normal[i] >= 0;
    row->bound = r->hi[i];
    row->side = lambda < 0 ? -1 : 1;
    const bool inside = isInside(step, i, &row->margin);
    if (inside) {
        row->mode = soft ? ukActiveSoft : ukActiveRigid;
    } else {
        row->mode = !normal && lambda != 0 ? ukActiveBound : ukActiveUndecided;
        row->margin = 1;
    }
    if (row->mode != ukActiveSoft) return;
    const double erp = normal ? r->erp[i] : 0,
                 depth = contact->depth - dWorldGetContactSurfaceLayer(step->island->world->handle);
    row->kp = erp / (step->h * cfm);
    row->kd = (1 - erp) / cfm;
    row->depth = normal && depth > 0 ? depth : 0;
}

/* Friction of a disc (a cone's two rows): both rigid, or both at the bound, opposite to the sliding. */
static void decideDisc(const Step *step, int i, ukActiveRow *row)
{
    const ukRowArrays *const r = &step->island->rows;
    bool inside;
    if (!step->p->cone || !step->p->cone[i]) return;
    ukRowsInside(step->p, r->bound_lo, r->bound_hi, i, r->lambda, &inside);
    double size = 0;
    for (int k = 0; k < 2; k++) size = hypot(size, r->bound_hi[i + k] > 0 ? r->lambda[i + k] / r->bound_hi[i + k] : 0);
    for (int k = 0; k < 2; k++) {
        const bool sticks = inside && size < 1 - 1e-9;
        row[k].cone = true;
        row[k].margin = sticks ? 1 - size : 1;
        row[k].side = size > 0 && r->bound_hi[i + k] > 0 ? r->lambda[i + k] / r->bound_hi[i + k] / size : 0;
        if (!sticks)
            row[k].mode = size > 0 ? ukActiveBound : ukActiveUndecided;
        else if (row[k].mode != ukActiveSoft)
            row[k].mode = ukActiveRigid;
    }
}

static void decideContact(ukActivity *activity, const Step *step, const ukBlock *block, ukJoint *joint)
{
    const ukIsland *const island = step->island;
    ukActiveContact *const c = &activity->contact[activity->contacts++];
    const ukState *const a = &ukFrameOf(island, joint->body[0])->state;
    const ukState *const b = joint->body[1] ? &ukFrameOf(island, joint->body[1])->state : NULL;
    ukTouchKind kind[6];
    *c = (ukActiveContact){.joint = joint, .island = island->number, .touch = ukTouchOf(joint, a, b)};
    c->rows = kindsOf(&joint->contact, &c->touch, kind);
    for (int i = 0; i < c->rows && i < block->rows; i++) {
        c->row[i].kind = kind[i];
        decideRow(step, block, block->row + i, &joint->contact, &c->row[i]);
    }
    for (int i = 1; i + 1 < c->rows; i++)
        if (kind[i] == ukTouchSlide1 && kind[i + 1] == ukTouchSlide2) decideDisc(step, block->row + i, &c->row[i]);
}

/* ---- stops and motors -------------------------------------------------------------------------------------------- */

static ukActiveJoint *recordOf(const ukActivity *activity, const ukJoint *joint)
{
    for (int k = activity->joints - 1; k >= 0; k--)
        if (activity->joint[k].joint == joint) return &activity->joint[k];
    return NULL;
}

static void decideStop(const Step *step, int row, const ukMotor *was, ukActiveJoint *j, int k)
{
    const ukRowArrays *const r = &step->island->rows;
    ukMotor *const motor = &j->joint->motor[k];
    const bool low = r->lo[row] == 0, high = r->hi[row] == 0;
    j->axis[k].stop = isInside(step, row, &j->axis[k].margin);
    j->axis[k].lambda = r->lambda[row];
    if (j->axis[k].stop) {
        const bool at_high = high || (!low && was->vel > 0);
        motor->lo_stop = motor->hi_stop = at_high ? was->hi_stop : was->lo_stop;
    } else {
        motor->lo_stop = -INFINITY, motor->hi_stop = INFINITY;
        j->axis[k].mode = ukMotorFull;
        j->axis[k].side = was->vel > 0 ? 1 : was->vel < 0 ? -1 : low ? -1 : 1;
        j->axis[k].motor = was->fmax > 0;
    }
}

/* Returns the row's target less its rate, at the velocities of the assembled island. */
static double rateError(const Step *step, const ukBlock *block, int row)
{
    const double *J = step->p->A + block->A + 6 * (size_t)(row - block->row) * (size_t)block->slots;
    double rate = -step->island->rows.target[row];
    for (int slot = block->slot; slot < block->slot + block->slots; slot++, J += 6)
        if (step->p->body[slot] >= 0) rate += ukDotRows(J, step->island->bodies.frame[step->p->body[slot]]->state.v, 6);
    return rate;
}

static void decideMotor(const Step *step, const ukBlock *block, int row, ukActiveJoint *j, int k)
{
    ukMotor *const motor = &j->joint->motor[k];
    bool soft;
    const double lambda = step->island->rows.lambda[row];
    softnessOf(step, block, row, &soft);
    memcpy(j->axis[k].J, step->p->A + block->A + 6 * (row - block->row) * block->slots, sizeof j->axis[k].J);
    j->axis[k].motor = true;
    j->axis[k].lambda = lambda;
    j->axis[k].off = rateError(step, block, row);
    j->axis[k].side = lambda < 0 ? -1 : 1;
    j->axis[k].mode = isInside(step, row, &j->axis[k].margin) ? ukMotorHolds : ukMotorFull;
    if (j->axis[k].mode == ukMotorFull) j->axis[k].margin = 1;
    if (!soft) motor->cfm = 0;
    motor->lo_stop = -INFINITY, motor->hi_stop = INFINITY;
}

static void releaseMotor(ukActiveJoint *j, int k)
{
    ukMotor *const motor = &j->joint->motor[k];
    if (!j->axis[k].motor) return;
    j->axis[k].released = true;
    j->axis[k].mode = ukMotorFull;
    j->axis[k].margin = 1;
    motor->fmax = fabs(j->axis[k].lambda);
    motor->cfm = 0;
}

/* `rows[k]`: of motor k among the rows of the joint's block, -1: none */
static void decideJoint(const Step *step, const ukBlock *block, ukActiveJoint *j, const int rows[3])
{
    for (int k = 0; k < 3; k++) {
        ukMotor *const motor = &j->joint->motor[k];
        const bool lock = motor->lo_stop == motor->hi_stop;
        const int row = rows[k] < 0 || rows[k] >= block->rows ? -1 : block->row + rows[k];
        if (row >= 0 && step->island->rows.velocity[row])
            decideMotor(step, block, row, j, k);
        else if (row >= 0 && step->island->rows.discrete_only[row])
            decideStop(step, row, &j->was[k], j, k);
        else if (!lock && ukStopsTested(motor))
            motor->lo_stop = -INFINITY, motor->hi_stop = INFINITY;
    }
}

/* ---- rows of user constraints ------------------------------------------------------------------------------------ */

/* Rows that are not in the step have an open gap, or touch to rounding: these are decided in the continuous form. */
static void decideUserRow(const Step *step, struct ukConstraint *c, int i)
{
    ukRowBounds *const limit = &c->limit[i];
    double margin;
    if (limit->row < 0 && (!ukGapIsHolonomic(c, i) || c->phi[i] <= ukGapTouch(c, i))) return;
    const bool inside = limit->row >= 0 && isInside(step, limit->row, &margin);
    limit->mode = inside ? ukRowActive : limit->one_sided ? ukRowFree : ukRowFull;
    limit->side = limit->row >= 0 && step->island->rows.lambda[limit->row] >= 0.5 * (limit->lo + limit->hi) ? 1 : -1;
    limit->decided = true; /* it stays (bridge/integrate/one_sided.h) */
}

static void decideUserRows(const Step *step)
{
    for (int k = 0; k < step->island->elements; k++) {
        struct ukConstraint *const c = (struct ukConstraint *)step->island->element[k];
        for (int i = 0; !c->element.is_force && c->limit && i < c->rows; i++)
            if (c->limit[i].one_sided || ukGapBounded(c, i) == ukBoundedMotor) decideUserRow(step, c, i);
    }
}

/* ---- an island --------------------------------------------------------------------------------------------------- */

/* Whether there are rows whose activity the step decides. */
static bool hasBounded(const ukIsland *island)
{
    const ukProblem *const p = island->problem;
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++)
            if (island->rows.discrete_only[i] || island->rows.lo[i] > -INFINITY || island->rows.hi[i] < INFINITY)
                return true;
    return false;
}

/* Records the island's joints with stops or motors before anything of them is changed. */
static void recordJoints(ukActivity *activity, ukIsland *island)
{
    for (int j = 0; j < island->joints; j++) {
        ukJoint *const joint = island->joint[j];
        const ukJointGetters *const getters = ukIsContact(joint) ? NULL : ukJointGettersOf(joint->class->type);
        if (!getters || !getters->stops) continue;
        ukActiveJoint *const record = &activity->joint[activity->joints++];
        *record = (ukActiveJoint){.joint = joint};
        memcpy(record->was, joint->motor, sizeof record->was);
    }
}

int ukActiveDecide(ukActivity *activity, ukIsland *island, const ukIslandStart *start, const ukStepContext *continuous,
                   const ukRelease *release, int releases)
{
    const int first = activity->joints;
    ukStepContext discrete = *continuous;
    discrete.continuous = discrete.modal_rows = discrete.springs = false;
    int status = ukAssembleIsland(island, &discrete); /* reads joints that are stale */
    recordJoints(activity, island);
    const bool bounded = status == ukOk && hasBounded(island);
    if (bounded) status = ukSolveIsland(island);
    if (status != ukOk) return status;
    Step step = {.island = island, .p = island->problem, .h = continuous->rows.h};
    for (int i = 0; bounded && i < step.p->rows; i++) step.most = fmax(step.most, fabs(island->rows.lambda[i]));
    int(*const rows)[3] = calloc((size_t)(activity->joints - first) + 1, sizeof *rows);
    if (!rows) return ukErrorMemory;
    for (int k = first; k < activity->joints; k++)
        ukActiveFindRows(activity->joint[k].joint, island, &discrete.rows, rows[k - first]);
    for (int k = 0; k < step.p->blocks; k++) {
        ukJoint *const joint = island->rows.owners[k].joint;
        if (joint && ukIsContact(joint)) decideContact(activity, &step, &step.p->block[k], joint);
        ukActiveJoint *const record = joint ? recordOf(activity, joint) : NULL;
        if (record) decideJoint(&step, &step.p->block[k], record, rows[record - activity->joint - first]);
    }
    free(rows);
    if (bounded) decideUserRows(&step);
    for (int i = 0; i < releases; i++) {
        ukActiveJoint *const record = recordOf(activity, release[i].joint);
        if (record && record >= activity->joint + first && release[i].motor < 3) releaseMotor(record, release[i].motor);
    }
    ukAssembleRewind(island, start);
    return ukOk;
}

void ukActiveMotors(const ukActivity *activity, ukIsland *island)
{
    for (int j = 0; j < island->joints; j++) {
        const ukActiveJoint *const record = recordOf(activity, island->joint[j]);
        ukModalMotor *modal_motor = ukModalMotorsOf(island, j);
        for (int k = 0; record && k < 3; k++) {
            const ukMotor *const motor = &record->joint->motor[k];
            if (!record->axis[k].motor || record->axis[k].stop || !(motor->fmax > 0 && motor->fmax < INFINITY))
                continue;
            if (motor->cfm > ukSpringCfm()) continue; /* a damper: it has no mode */
            modal_motor->mode = record->axis[k].mode;
            modal_motor->side = record->axis[k].side;
            modal_motor->share = 1; /* what of its bound it exerts, which is its force in the step */
            modal_motor++;
        }
    }
}
