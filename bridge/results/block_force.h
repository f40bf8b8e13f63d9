/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/results/block_force.h: A' lambda of a block on one of its bodies. */
#ifndef UKODE_BRIDGE_RESULTS_BLOCK_FORCE_H
#define UKODE_BRIDGE_RESULTS_BLOCK_FORCE_H

#include "solvers/problem/block.h"
#include "solvers/problem/problem.h"

typedef struct ukForceTorque {
    ukPair of[3]; /* six numbers */
} ukForceTorque;

/* A: the block's coefficients from the body's slot on; lambda (rows of the block) */
UKODE_INLINE ukForceTorque ukBlockForce(const ukBlock *block, const double *A, const double *lambda)
{
    ukPair f0 = ukBothOf(0), f1 = f0, f2 = f0;
    for (int i = 0; i < block->rows; i++, A += 6 * block->slots) {
        const ukPair l = ukBothOf(lambda[i]);
        f0 += l * ukLoadPair(A), f1 += l * ukLoadPair(A + 2), f2 += l * ukLoadPair(A + 4);
    }
    return (ukForceTorque){{f0, f1, f2}};
}

#endif
