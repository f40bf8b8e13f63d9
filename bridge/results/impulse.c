/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/results/impulse.h"

#include <string.h>

#include "bridge/island/island.h"
#include "bridge/island/spring.h"
#include "bridge/island/user_row.h"
#include "bridge/results/block_force.h"
#include "bridge/user/joint_law.h"
#include "solvers/base/arena.h"
#include "solvers/base/status.h"

/* The accounts of a joint or constraint: impulses of jumps, of accepted sub-steps, of the open one; a saved copy of the
 * open one. */
enum { Jumps, Accepted, Open, Saved, Accounts };

enum { Doubles = sizeof(ukImpulse) / sizeof(double) };
_Static_assert(sizeof(ukImpulse) == Doubles * sizeof(double), "a joint's impulses are an array of doubles");

static ukImpulse *accountsOf(const ukImpulseArray *impulses, const ukJoint *joint)
{
    const ukReaction *r = joint->reaction;
    return r->impulse_step == joint->world->steps && r->impulse >= 0 ? &impulses->of[Accounts * r->impulse] : NULL;
}

static double *constraintAccount(const struct ukConstraint *c, int account)
{
    return c->impulse + 6 * c->element.count * (1 + account);
}

int ukImpulseBegin(ukIsland *island)
{
    const size_t each = Accounts * sizeof(ukImpulse);
    ukImpulseArray *impulses = island->impulses;
    if (!ukGrow(&impulses->of, &impulses->size, (size_t)impulses->joints * each)) return ukErrorMemory;
    for (int j = 0; j < island->joints; j++) {
        ukJoint *joint = island->joint[j];
        const bool read = island->world->tape || dJointGetFeedback(joint->handle);
        const int place = island->first_joint + j;
        joint->reaction->impulse = read ? place : -1;
        joint->reaction->impulse_step = island->world->steps;
        if (read) memset(&impulses->of[Accounts * place], 0, each);
    }
    for (int k = 0; k < island->elements; k++) {
        struct ukConstraint *c = (struct ukConstraint *)island->element[k];
        if (!c->element.is_force)
            memset(constraintAccount(c, Jumps), 0, Accounts * 6 * (size_t)c->element.count * sizeof *c->impulse);
    }
    return ukOk;
}

bool ukImpulseKept(const ukIsland *island)
{
    for (int j = 0; j < island->joints; j++)
        if (accountsOf(island->impulses, island->joint[j])) return true;
    for (int k = 0; k < island->elements; k++)
        if (!island->element[k]->is_force) return true;
    return false;
}

/* ---- sub-steps --------------------------------------------------------------------------------------------------- */

/* account `to` of all joints and constraints in the island += factor times account `from` */
static void addAccount(ukIsland *island, int from, int to, double factor)
{
    for (int j = 0; j < island->joints; j++) {
        ukImpulse *own = accountsOf(island->impulses, island->joint[j]);
        if (!own) continue;
        const double *const x = (const double *)&own[from];
        double *const y = (double *)&own[to];
        for (int c = 0; c < Doubles; c++) y[c] += factor * x[c];
    }
    for (int k = 0; k < island->elements; k++) {
        const struct ukConstraint *c = (const struct ukConstraint *)island->element[k];
        if (c->element.is_force) continue;
        const double *const x = constraintAccount(c, from);
        double *const y = constraintAccount(c, to);
        for (int i = 0; i < 6 * c->element.count; i++) y[i] += factor * x[i];
    }
}

static void clearAccount(ukIsland *island, int account)
{
    for (int j = 0; j < island->joints; j++) {
        ukImpulse *own = accountsOf(island->impulses, island->joint[j]);
        if (own) own[account] = (ukImpulse){0};
    }
    for (int k = 0; k < island->elements; k++) {
        const struct ukConstraint *c = (const struct ukConstraint *)island->element[k];
        if (!c->element.is_force)
            memset(constraintAccount(c, account), 0, 6 * (size_t)c->element.count * sizeof *c->impulse);
    }
}

void ukImpulseOpen(ukIsland *island)
{
    clearAccount(island, Open);
}

void ukImpulseAccept(ukIsland *island)
{
    addAccount(island, Open, Accepted, 1);
    clearAccount(island, Open);
}

void ukImpulseReject(ukIsland *island)
{
    clearAccount(island, Accepted);
    clearAccount(island, Open);
}

void ukImpulseSaveOpen(ukIsland *island)
{
    clearAccount(island, Saved);
    addAccount(island, Open, Saved, 1);
}

void ukImpulseRestoreOpen(ukIsland *island)
{
    ukImpulseRestoreScaled(island, 1);
}

void ukImpulseRestoreScaled(ukIsland *island, double factor)
{
    clearAccount(island, Open);
    addAccount(island, Saved, Open, factor);
}

/* ---- forces of rows ---------------------------------------------------------------------------------------------- */

/* to (6 slots) += weight A' lambda of a block */
static void addBlockForce(const ukBlock *block, const double *A, const double *lambda, double weight, double *to)
{
    for (int slot = 0; slot < block->slots; slot++, A += 6, to += 6) {
        const ukForceTorque f = ukBlockForce(block, A, lambda);
        for (int c = 0; c < 6; c++) to[c] += weight * f.of[c / 2][c % 2];
    }
}

/* adds the part of a joint's block that motors and stops exert on body a */
static void addParts(const ukIsland *island, const ukBlockOwner *owner, const ukBlock *block, const double *A,
                     const double *lambda, double weight, ukImpulse *to)
{
    const int velocity_rows = owner->joint->class->velocity_rows - owner->springs;
    for (int i = 0; i < block->rows; i++, A += 6 * block->slots) {
        const int row = block->row + i;
        const bool stop = island->rows.discrete_only[row] != 0,
                   motor = !stop && island->rows.velocity[row] && i >= velocity_rows;
        if (!stop && (!motor || island->rows.spring[row])) continue;
        double *part = stop ? to->stop : to->motor;
        for (int c = 0; c < 6; c++) part[c] += weight * lambda[row] * A[c];
    }
}

/* Adds the impulses of rows to the accounts of their owners. ideal: the multipliers of the problem without laws;
 * NULL: the island has no laws. */
static void addRows(ukIsland *island, const double *A, const double *lambda, const double *ideal, double weight,
                    int account)
{
    const ukProblem *p = island->problem;
    const ukBlockOwner *owner = island->rows.owners;
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *block = &p->block[k];
        const ukLaw *law = owner[k].law;
        const ukJoint *joint = law ? law->joint : owner[k].joint;
        const struct ukConstraint *c = law ? law->constraint : owner[k].constraint;
        const double *a = A + block->A, *x = lambda + block->row;
        if (c) addBlockForce(block, a, x, weight, constraintAccount(c, account));
        ukImpulse *to = joint ? accountsOf(island->impulses, joint) : NULL;
        if (!to) continue;
        to += account;
        addBlockForce(block, a, x, weight, to->total[0]);
        if (law) {
            addBlockForce(block, a, x, weight, to->nonideal[0]);
            continue;
        }
        addParts(island, &owner[k], block, a, ideal ? ideal : lambda, weight, to);
        if (!ideal) continue;
        addBlockForce(block, a, x, weight, to->nonideal[0]);
        addBlockForce(block, a, ideal + block->row, -weight, to->nonideal[0]);
    }
}

void ukImpulseRows(ukIsland *island, const double *A, const double *lambda, const double *ideal, double weight)
{
    addRows(island, A, lambda, ideal, weight, Open);
}

void ukImpulseJump(ukIsland *island, const double *lambda, double weight)
{
    addRows(island, island->problem->A, lambda, NULL, weight, Jumps);
}

/* ---- forces without rows ----------------------------------------------------------------------------------------- */

/* adds f J (12) of a motor or spring of the joint */
static void addAlong(const ukIsland *island, const ukJoint *joint, const double *J, double f, bool motor)
{
    ukImpulse *to = accountsOf(island->impulses, joint);
    if (!to) return;
    to += Open;
    for (int c = 0; c < 12; c++) to->total[c / 6][c % 6] += f * J[c];
    for (int c = 0; c < 6 && motor; c++) to->motor[c] += f * J[c];
}

void ukImpulseLaws(ukIsland *island, double weight)
{
    for (int i = 0; i < ukIslandLawCount(island); i++) {
        const ukLaw *law = ukIslandLaw(island, i);
        if (!law) continue;
        const int n = 6 * law->slots;
        double *total = law->constraint ? constraintAccount(law->constraint, Open) : NULL, *nonideal = NULL;
        ukImpulse *to = law->joint ? accountsOf(island->impulses, law->joint) : NULL;
        if (to) total = to[Open].total[0], nonideal = to[Open].nonideal[0];
        for (int c = 0; c < n && total; c++) total[c] += weight * law->C[c];
        for (int c = 0; c < n && nonideal; c++) nonideal[c] += weight * law->C[c];
    }
}

void ukImpulseStage(ukIsland *island, double weight)
{
    const ukProblem *p = island->problem;
    const bool laws = island->ideal->laws > 0;
    addRows(island, p->A, island->rows.lambda, laws ? island->rows.lambda_ideal : NULL, weight, Open);
    if (laws) ukImpulseLaws(island, weight);
    for (int i = 0; i < island->ideal->springs; i++) {
        const ukSpring *spring = ukSpringOf(island, i);
        addAlong(island, spring->joint, spring->J, weight * spring->lambda, spring->motor);
    }
    for (ukModalMotor *modal_motor = NULL; (modal_motor = ukNextModalMotor(island, modal_motor));)
        if (modal_motor->mode == ukMotorFull)
            addAlong(island, ukModalMotorJoint(island, modal_motor), modal_motor->J,
                     weight * ukModalMotorForce(modal_motor), true);
    for (int k = 0; island->ideal->continuous && island->ideal->modal_rows > 0 && k < island->elements; k++) {
        const struct ukConstraint *c = (const struct ukConstraint *)island->element[k];
        if (!c->element.is_force && c->limit) ukUserRowForces(c, weight, constraintAccount(c, Open));
    }
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

bool ukImpulseOf(const ukImpulseArray *impulses, const ukJoint *joint, ukImpulse *sum)
{
    const ukImpulse *own = accountsOf(impulses, joint);
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
