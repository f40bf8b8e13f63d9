/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/joint_block.h: a joint's rows as one block of equations, in the discrete or the continuous form
 * (assemble.h); and the assembly to which blocks are added. In its functions, r has the island's rows, and A the
 * coefficients of the first of these. */
#ifndef UKODE_BRIDGE_ISLAND_JOINT_BLOCK_H
#define UKODE_BRIDGE_ISLAND_JOINT_BLOCK_H

#include <math.h>
#include <string.h>

#include "bridge/island/context.h"
#include "bridge/island/pushes.h"

typedef struct ukForm {
    bool continuous;
    double h;           /* [s] of the discrete form */
    double alpha, beta; /* Baumgarte's gains, of the continuous form [1/s] */
} ukForm;

/* An assembly under way, with the numbers of blocks, body slots, rows and coefficients written so far. */
typedef struct ukBuilder {
    ukIsland *island;
    const ukStepContext *context;
    ukForm form;
    int blocks, slots, rows, modal_rows, motors, stops;
    size_t coefficients;
    bool bounded, friction, discs; /* discs: of friction in joints */
    bool springs;                  /* rows with a CFM that the user set become forces */
    ukPushes *pushes;              /* large islands: where forces of joints on bodies are noted; NULL: the frames' */
    int end;                       /* with pushes: the first row of the next part, which is not to be cleared */
} ukBuilder;

/* whether position errors are corrected apart from the velocities (bridge/solve/split.h) */
static inline bool ukBuildSplits(const ukStepContext *context)
{
    return context->rows.split && !context->continuous;
}

/* the coefficients of the next block */
static inline double *ukBuildA(const ukBuilder *build)
{
    return build->island->rows.A + build->coefficients;
}

/* Adds the block whose rows have been written. */
static inline void ukBuildBlock(ukBuilder *build, ukBlockOwner owner, int rows, int slots)
{
    const ukRowArrays *r = &build->island->rows;
    r->owners[build->blocks] = owner;
    r->blocks[build->blocks++] =
        (ukBlock){.row = build->rows, .rows = rows, .slot = build->slots, .slots = slots, .A = build->coefficients};
    build->slots += slots;
    build->rows += rows;
    build->coefficients += 6 * (size_t)(rows * slots);
}

/* Resets rows to equality rows with zero coefficients, no error and no bounds, which a joint then fills. Row by row,
 * since one memset per array would be a call each for five numbers. */
static inline void ukBuildClear(const ukRowArrays *r, int row, int rows, double *A, int stride)
{
    memset(A, 0, (size_t)(rows * stride) * sizeof(double));
    for (int i = row; i < row + rows; i++) {
        r->c[i] = r->push[i] = r->restitution[i] = r->phi[i] = r->target[i] = r->erp[i] = r->cfm[i] = r->bias[i] = 0;
        r->velocity[i] = r->discrete_only[i] = r->cone[i] = r->spring[i] = 0;
        r->lo[i] = -INFINITY;
        r->hi[i] = INFINITY;
        r->normal[i] = -1;
    }
}

/* Adds the rows of a joint. modal_motors: of the joint; NULL: they have no modes. ukOk, ukErrorNotFinite,
 * ukErrorParameter, ukErrorUnsupported; ukErrorChanged: there are more than its range has. */
int ukBuildJointBlock(ukBuilder *build, ukJoint *joint, ukModalMotor *modal_motors);

/* Computes b and softness and validates the rows, at the states of their bodies (slots). Sets *bounded if a row has
 * bounds. ukOk, ukErrorNotFinite, ukErrorParameter. */
int ukBuildClose(const ukRowArrays *r, const ukForm *form, int row, int rows, const double *A, int slots,
                 const ukState *const *state, bool *bounded);
/* Removes a row without coefficients (count) by a softness of 1: lambda = 0, or the nearest bound. */
void ukBuildTakeOut(const ukRowArrays *r, int row, const double *A, int count);

#endif
