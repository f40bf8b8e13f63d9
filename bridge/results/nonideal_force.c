/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/results/nonideal_force.h"

#include <string.h>

#include "bridge/user/joint_law.h"

/* force (6 per slot) += A' x of a block's rows */
static void addRowForces(const ukProblem *p, const ukBlock *block, const double *x, double *force)
{
    const double *A = p->A + block->A;
    const int stride = 6 * block->slots;
    for (int i = block->row; i < block->row + block->rows; i++, A += stride)
        for (int c = 0; c < stride; c++) force[c] += A[c] * x[i];
}

void ukForcesOfLaws(ukIsland *island)
{
    const ukProblem *p = island->problem;
    const ukBlockOwner *owner = island->rows.owners;
    const double *lambda = island->rows.lambda, *ideal = island->rows.lambda_ideal;
    double *answer = island->rows.lambda0;
    for (int i = 0; i < p->rows; i++) answer[i] = lambda[i] - ideal[i];
    for (int i = 0; i < ukIslandLawCount(island); i++) { /* includes laws of joints without rows */
        const ukLaw *law = ukIslandLaw(island, i);
        if (!law) continue;
        double *to = law->joint ? law->joint->reaction->nonideal[0] : law->constraint->nonideal;
        memcpy(to, law->C, 6 * (size_t)law->slots * sizeof(double));
        if (!law->joint) continue;
        memset(law->joint->reaction->ideal, 0, sizeof law->joint->reaction->ideal);
        if (!law->joint->body[1]) memset(to + 6, 0, 6 * sizeof *to); /* the law's force on the static world */
    }
    for (int k = 0; k < p->blocks; k++) {
        ukLaw *law = owner[k].law;
        ukJoint *joint = law ? law->joint : owner[k].joint;
        struct ukConstraint *c = law ? law->constraint : owner[k].constraint;
        double *nonideal = joint ? joint->reaction->nonideal[0] : c->nonideal;
        const size_t bytes = 6 * (size_t)p->block[k].slots * sizeof(double);
        if (law) {
            law->lambda_rows = p->block[k].rows;
            memcpy(law->lambda, lambda + p->block[k].row, (size_t)law->lambda_rows * sizeof(double));
        } else {
            double *force = joint ? joint->reaction->ideal[0] : c->element.force;
            memset(force, 0, bytes);
            addRowForces(p, &p->block[k], ideal, force);
            if (joint ? !joint->law : !c->law) memset(nonideal, 0, bytes);
        }
        addRowForces(p, &p->block[k], answer, nonideal);
    }
}

void ukPrescriptionOfLaws(const ukIsland *island, double *C)
{
    const ukProblem *p = island->problem;
    const ukBlockOwner *owner = island->rows.owners;
    const double *lambda = island->rows.lambda;
    for (int i = 0; p->C && i < 6 * p->bodies; i++) C[i] += p->C[i];
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *block = &p->block[k];
        if (!owner[k].law) continue;
        for (int slot = 0; slot < block->slots; slot++) {
            const int body = p->body[block->slot + slot];
            if (body < 0) continue;
            const double *A = p->A + block->A + 6 * (size_t)slot;
            for (int i = block->row; i < block->row + block->rows; i++, A += 6 * (size_t)block->slots)
                for (int c = 0; c < 6; c++) C[6 * body + c] += A[c] * lambda[i];
        }
    }
}
