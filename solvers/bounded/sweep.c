/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/bounded/sweep.h"

/* D(lambda) = 1/2 lambda' (w(lambda) + w(0)) */
static double dualOf(ukBounded *B, const double *lambda)
{
    double sum = 0;
    ukBoundedEvaluate(B, lambda);
    for (int k = 0; k < B->p.blocks; k++) {
        const ukBlock *b = B->p.block + k;
        const double *A = B->p.A + b->A;
        for (int i = b->row; i < b->row + b->rows; i++) {
            double at_zero = -B->p.b[i];
            for (int s = b->slot; s < b->slot + b->slots; s++, A += 6) {
                const double *const a = B->p.body[s] < 0 ? NULL : B->a + 6 * (size_t)B->p.body[s];
                for (int c = 0; a && c < 6; c++) at_zero += A[c] * a[c];
            }
            sum += 0.5 * lambda[i] * (B->w[i] + at_zero);
        }
    }
    return sum;
}

/* computes M^-1 A_i' of every row and body, in the layout of A but block after block as in B->block[].A */
static void computeResponses(ukBounded *B)
{
    const ukProblem *p = &B->p;
    double *to = B->response;
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *b = p->block + k;
        const double *A = p->A + b->A;
        for (int r = 0; r < b->rows; r++)
            for (int s = b->slot; s < b->slot + b->slots; s++, A += 6, to += 6) {
                if (p->body[s] < 0) continue;
                const double *const J = p->inverse_inertia + 9 * (size_t)p->body[s], inverse = 1 / p->mass[p->body[s]];
                for (int c = 0; c < 3; c++) {
                    to[c] = inverse * A[c];
                    to[3 + c] = J[3 * c] * A[3] + J[3 * c + 1] * A[4] + J[3 * c + 2] * A[5];
                }
            }
    }
    B->responses = true;
}

/* x += M^-1 A_i' change, for one row of a block */
static void accelerateBodies(ukBounded *B, const ukBlock *b, const double *response, double change)
{
    for (int s = b->slot; change != 0 && s < b->slot + b->slots; s++, response += 6) {
        if (B->p.body[s] < 0) continue;
        double *const x = B->x + 6 * (size_t)B->p.body[s];
        for (int c = 0; c < 6; c++) x[c] += change * response[c];
    }
}

/* w_i at the present accelerations */
static double residualOfRow(const ukBounded *B, const ukBlock *b, const double *A, int i, const double *lambda)
{
    double w = B->softness[i] * lambda[i] - B->p.b[i];
    for (int s = b->slot; s < b->slot + b->slots; s++, A += 6) {
        if (B->p.body[s] < 0) continue;
        const double *const x = B->x + 6 * (size_t)B->p.body[s];
        w += (A[0] * x[0] + A[1] * x[1] + A[2] * x[2]) + (A[3] * x[3] + A[4] * x[4] + A[5] * x[5]);
    }
    return w;
}

/* Solves rows i ... i + n of a block with all others fixed: a single row exactly; the rows of a disc by a step of the
 * projected gradient, whose length is the inverse of the trace of their part of A M^-1 A' + softness; the trace exceeds
 * the largest eigenvalue. */
static void solveRowsAlone(ukBounded *B, const ukBlock *b, const double *response, int i, int n, double *lambda)
{
    const size_t width = 6 * (size_t)b->slots, at = (size_t)(i - b->row) * width;
    const double *const A = B->p.A + b->A + at;
    double scale = 0, before[ukDiscMost];
    for (int k = 0; k < n; k++) scale += B->diagonal[i + k] + B->softness[i + k];
    if (!(scale > 0) || B->hi[i] == B->lo[i]) return;
    for (int k = 0; k < n; k++) before[k] = residualOfRow(B, b, A + (size_t)k * width, i + k, lambda);
    for (int k = 0; k < n; k++) {
        const double w = before[k];
        before[k] = lambda[i + k];
        lambda[i + k] -= w / scale;
        if (n == 1) lambda[i] = ukClamp(lambda[i], B->lo[i], B->hi[i]);
    }
    const double size = n > 1 ? ukDiscSize(lambda + i, n) : 0;
    for (int k = 0; k < n; k++) {
        if (size > B->hi[i]) lambda[i + k] *= B->hi[i] / size;
        accelerateBodies(B, b, response + at + (size_t)k * width, lambda[i + k] - before[k]);
    }
}

static void sweepRows(ukBounded *B, double *lambda)
{
    const double *response = B->response;
    for (int j = 0; j < B->p.blocks; j++) {
        const ukBlock *const b = B->p.block + j;
        for (int i = b->row, n = 0; i < b->row + b->rows; i += n) {
            n = ukDiscRows(B, i);
            solveRowsAlone(B, b, response, i, n, lambda);
        }
        response += 6 * (size_t)b->rows * (size_t)b->slots;
    }
}

double ukSweepSolve(ukBounded *B, int sweeps, double *other, double *lambda)
{
    const size_t bytes = (size_t)B->m * sizeof *lambda;
    double least = dualOf(B, lambda);
    for (int k = 0; k < 2; k++) {
        if (k == 1) memset(other, 0, bytes), ukBoundedProject(B, other);
        const double dual = dualOf(B, other);
        if (dual < least || isnan(least)) least = dual, memcpy(lambda, other, bytes);
    }
    ukBoundedEvaluate(B, lambda);
    if (!B->responses) computeResponses(B);
    for (int k = 0; k < sweeps; k++) sweepRows(B, lambda);
    B->evaluated = false;
    return ukBoundedResidual(B, lambda);
}
