/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/results/impulse.h"

#include <string.h>

#include "bridge/results/block_force.h"
#include "bridge/island/spring.h"
#include "bridge/island/view.h"
#include "bridge/user/constraint.h"
#include "bridge/user/law.h"
#include "solvers/base/arena.h"
#include "solvers/base/status.h"
#include "solvers/problem/block.h"

/* What is kept of a joint or constraint: of jumps, of accepted parts, of the open one; a copy of the last. */
enum { Jumps, Accepted, Open, Held, Accounts };

enum { Doubles = sizeof(ukImpulse) / sizeof(double) };
_Static_assert(sizeof(ukImpulse) == Doubles * sizeof(double), "a joint's impulses are an array of doubles");

static ukImpulse *accountsOf(const ukStepper *s, const ukJoint *joint)
{
    const ukReaction *r = joint->reaction;
    return r->impulse_step == s->world->steps && r->impulse >= 0 ? &s->impulses[Accounts * r->impulse] : NULL;
}

static double *constraintAccount(const struct ukConstraint *c, int account)
{
    return c->impulse + 6 * c->element.count * (1 + account);
}

int ukImpulseBegin(ukStepper *s, int index)
{
    const ukIsland *island = &s->islands[index];
    const size_t each = Accounts * sizeof(ukImpulse);
    if (!ukGrow(&s->impulses, &s->impulse_size, (size_t)s->joint_count * each)) return ukErrorMemory;
    for (int j = island->joint; j < island->joint + island->joints; j++) {
        ukJoint *joint = s->joints[j];
        const bool read = s->world->tape || dJointGetFeedback(joint->handle);
        joint->reaction->impulse = read ? j : -1;
        joint->reaction->impulse_step = s->world->steps;
        if (read) memset(&s->impulses[Accounts * j], 0, each);
    }
    for (int k = island->element; k < island->element + island->elements; k++) {
        struct ukConstraint *c = (struct ukConstraint *)s->elements[k];
        if (!c->element.is_force)
            memset(constraintAccount(c, Jumps), 0, Accounts * 6 * (size_t)c->element.count * sizeof *c->impulse);
    }
    return ukOk;
}

bool ukImpulseKept(const ukStepper *s, int index)
{
    const ukIsland *island = &s->islands[index];
    for (int j = island->joint; j < island->joint + island->joints; j++)
        if (accountsOf(s, s->joints[j])) return true;
    for (int k = island->element; k < island->element + island->elements; k++)
        if (!s->elements[k]->is_force) return true;
    return false;
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

/* account `to` of everything in the island += account `from`; to < 0: `from` is emptied */
static void addAccount(ukStepper *s, int index, int from, int to)
{
    const ukIsland *island = &s->islands[index];
    for (int j = island->joint; j < island->joint + island->joints; j++) {
        ukImpulse *own = accountsOf(s, s->joints[j]);
        if (!own) continue;
        double *x = (double *)&own[from], *y = to < 0 ? x : (double *)&own[to];
        for (int c = 0; c < Doubles; c++) y[c] = to < 0 ? 0 : y[c] + x[c];
    }
    for (int k = island->element; k < island->element + island->elements; k++) {
        const struct ukConstraint *c = (const struct ukConstraint *)s->elements[k];
        if (c->element.is_force) continue;
        double *x = constraintAccount(c, from), *y = to < 0 ? x : constraintAccount(c, to);
        for (int i = 0; i < 6 * c->element.count; i++) y[i] = to < 0 ? 0 : y[i] + x[i];
    }
}

static void emptyAccount(ukStepper *s, int index, int account)
{
    addAccount(s, index, account, -1);
}

void ukImpulseOpen(ukStepper *s, int index)
{
    emptyAccount(s, index, Open);
}

void ukImpulseAccept(ukStepper *s, int index)
{
    addAccount(s, index, Open, Accepted);
    emptyAccount(s, index, Open);
}

void ukImpulseReject(ukStepper *s, int index)
{
    emptyAccount(s, index, Accepted);
    emptyAccount(s, index, Open);
}

void ukImpulseHold(ukStepper *s, int index)
{
    emptyAccount(s, index, Held);
    addAccount(s, index, Open, Held);
}

void ukImpulseBack(ukStepper *s, int index)
{
    emptyAccount(s, index, Open);
    addAccount(s, index, Held, Open);
}

/* ---- forces of rows ---------------------------------------------------------------------------------------------- */

/* to (6 slots) += weight A' lambda of a block */
static void addForce(const ukBlock *block, const double *A, const double *lambda, double weight, double *to)
{
    for (int slot = 0; slot < block->slots; slot++, A += 6, to += 6) {
        const ukForceTorque f = ukBlockForce(block, A, lambda);
        for (int c = 0; c < 6; c++) to[c] += weight * f.of[c / 2][c % 2];
    }
}

/* what of a joint's block is its motors' and stops', on a */
static void addParts(const ukStepper *s, const ukBlockOwner *owner, size_t row0, const ukBlock *block, const double *A,
                     const double *lambda, double weight, ukImpulse *to)
{
    const int held = owner->joint->class->held_rows - owner->springs;
    for (int i = 0; i < block->rows; i++, A += 6 * block->slots) {
        const size_t row = row0 + (size_t)(block->row + i);
        const bool stop = s->rows.stop[row] != 0, motor = !stop && s->rows.velocity[row] && i >= held;
        if (!stop && (!motor || s->rows.spring[row])) continue;
        double *part = stop ? to->stop : to->motor;
        for (int c = 0; c < 6; c++) part[c] += weight * lambda[block->row + i] * A[c];
    }
}

/* Rows by their owners. ideal: multipliers without laws, NULL: there are none. */
static void addRows(ukStepper *s, int index, const double *A, const double *lambda, const double *ideal, double weight,
                    int account)
{
    const ukProblem *p = &s->problems[index];
    const size_t row0 = ukViewOf(s, p).row0;
    const ukBlockOwner *owner = s->rows.owners + ukViewOf(s, p).block0;
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *block = &p->block[k];
        const ukLaw *law = owner[k].law;
        const ukJoint *joint = law ? law->joint : owner[k].joint;
        const struct ukConstraint *c = law ? law->constraint : owner[k].constraint;
        const double *a = A + block->A, *x = lambda + block->row;
        if (c) addForce(block, a, x, weight, constraintAccount(c, account));
        ukImpulse *to = joint ? accountsOf(s, joint) : NULL;
        if (!to) continue;
        to += account;
        addForce(block, a, x, weight, to->total[0]);
        if (law) {
            addForce(block, a, x, weight, to->nonideal[0]);
            continue;
        }
        addParts(s, &owner[k], row0, block, a, ideal ? ideal : lambda, weight, to);
        if (!ideal) continue;
        addForce(block, a, x, weight, to->nonideal[0]);
        addForce(block, a, ideal + block->row, -weight, to->nonideal[0]);
    }
}

void ukImpulseRows(ukStepper *s, int index, const double *A, const double *lambda, double weight)
{
    addRows(s, index, A, lambda, NULL, weight, Open);
}

void ukImpulseJump(ukStepper *s, int index, const double *lambda, double weight)
{
    addRows(s, index, s->problems[index].A, lambda, NULL, weight, Jumps);
}

/* ---- forces without rows ----------------------------------------------------------------------------------------- */

/* f J (12) of a motor or spring of the joint */
static void addAlong(const ukStepper *s, const ukJoint *joint, const double *J, double f, bool motor)
{
    ukImpulse *to = accountsOf(s, joint);
    if (!to) return;
    to += Open;
    for (int c = 0; c < 12; c++) to->total[c / 6][c % 6] += f * J[c];
    for (int c = 0; c < 6 && motor; c++) to->motor[c] += f * J[c];
}

void ukImpulseLaws(ukStepper *s, int index, double weight)
{
    for (int i = 0; i < ukIslandLawCount(s, index); i++) {
        const ukLaw *law = ukIslandLaw(s, index, i);
        if (!law) continue;
        const int n = 6 * law->slots;
        double *total = law->constraint ? constraintAccount(law->constraint, Open) : NULL, *nonideal = NULL;
        ukImpulse *to = law->joint ? accountsOf(s, law->joint) : NULL;
        if (to) total = to[Open].total[0], nonideal = to[Open].nonideal[0];
        for (int c = 0; c < n && total; c++) total[c] += weight * law->C[c];
        for (int c = 0; c < n && nonideal; c++) nonideal[c] += weight * law->C[c];
    }
}

void ukImpulseStage(ukStepper *s, int index, double weight)
{
    const ukProblem *p = &s->problems[index];
    const size_t row0 = ukViewOf(s, p).row0;
    const bool laws = s->ideal[index].laws > 0;
    addRows(s, index, p->A, s->rows.lambda + row0, laws ? s->rows.lambda_ideal + row0 : NULL, weight, Open);
    if (laws) ukImpulseLaws(s, index, weight);
    for (int i = 0; i < s->ideal[index].springs; i++) {
        const ukSpring *spring = ukSpringOf(s, index, i);
        addAlong(s, spring->joint, spring->J, weight * spring->lambda, spring->motor);
    }
    for (ukDrive *drive = NULL; (drive = ukNextDrive(s, index, drive));)
        if (drive->mode == ukDriveFull)
            addAlong(s, ukDriveJoint(s, drive), drive->J, weight * drive->side * drive->bound, true);
}

/* ---- what came out ----------------------------------------------------------------------------------------------- */

bool ukImpulseOf(const ukStepper *s, const ukJoint *joint, ukImpulse *sum)
{
    const ukImpulse *own = accountsOf(s, joint);
    if (!own) return false;
    *sum = own[Jumps];
    for (int account = Accepted; account <= Open; account++) {
        const double *x = (const double *)&own[account];
        double *y = (double *)sum;
        for (int c = 0; c < Doubles; c++) y[c] += x[c];
    }
    return true;
}

void ukImpulseOfConstraint(const struct ukConstraint *c, double *sum)
{
    for (int i = 0; i < 6 * c->element.count; i++)
        sum[i] = constraintAccount(c, Jumps)[i] + constraintAccount(c, Accepted)[i] + constraintAccount(c, Open)[i];
}
