#include "bridge/feedback.h"

#include <string.h>

static void tell(dJointFeedback *feedback, const ukJoint *joint)
{
    for (int i = 0; i < 3; i++) {
        feedback->f1[i] = joint->ideal[0][i];
        feedback->t1[i] = joint->ideal[0][3 + i];
        if (!joint->body[1]) continue;
        feedback->f2[i] = joint->ideal[1][i];
        feedback->t2[i] = joint->ideal[1][3 + i];
    }
}

void ukFeedbackIsland(ukStepper *s, int index)
{
    const ukProblem *p = &s->problems[index];
    const int block0 = (int)(p->block - s->blocks);
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *block = &p->block[k];
        ukJoint *joint = s->block_joint[block0 + k];
        const int stride = 6 * block->slots;
        const double *A = p->A + block->A, *lambda = s->lambda + joint->row;
        memset(joint->ideal, 0, sizeof joint->ideal);
        joint->lambda_rows = block->rows;
        for (int i = 0; i < block->rows; i++, A += stride) {
            joint->lambda[i] = lambda[i];
            for (int c = 0; c < stride; c++) joint->ideal[c / 6][c % 6] += A[c] * lambda[i];
        }
        dJointFeedback *feedback = dJointGetFeedback(joint->handle);
        if (feedback) tell(feedback, joint);
    }
}
