/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/problem/tolerance.h"

#include <float.h>
#include <math.h>

double ukRowUnit(const ukProblem *p, const ukBlock *block, int row, double softness)
{
    const double d = ukProblemCompliance(p, block, row) + softness;
    return d > 0 ? 1 / sqrt(d) : 1;
}

double ukRankRounding(int n, int m)
{
    return 64 * (n > m ? n : m) * DBL_EPSILON;
}

/* Rows that are dependent on the constraints have singular values up to some hundredths of the drift. */
static const struct {
    double drift_on;       /* [rad] up to here the state is on its constraints, */
    double cut_on;         /* cut such that the part below a smaller cut is invisible to the Gauss check */
    double cut_off;        /* the smallest cut off the constraints */
    double drift_far_away; /* [rad] beyond it the state is too far off for the drift to measure dependence */
} bound = {.drift_on = 1e-12, .cut_on = 1e-9, .cut_off = 1e-7, .drift_far_away = 0.1};
const double ukRankMost = 1e-4;

double ukRankFollowing(double drift)
{
    if (drift < bound.drift_on) return bound.cut_on;
    if (drift < bound.cut_off || drift > bound.drift_far_away) return bound.cut_off;
    return drift < ukRankMost ? drift : ukRankMost;
}

int ukRankCount(const double *sigma, int count, double tolerance)
{
    int rank = 0;
    while (rank < count && sigma[rank] > tolerance) rank++;
    return rank;
}

/* tr(I)/(2m) of a body */
static double gyrationSquare(const ukProblem *p, int body)
{
    const double *I = p->inertia + 9 * (size_t)body;
    return (I[0] + I[4] + I[8]) / (2 * p->mass[body]);
}

static double reachSquare(const double J[6], double gyration)
{
    const double moved = J[0] * J[0] + J[1] * J[1] + J[2] * J[2];
    return moved * gyration + J[3] * J[3] + J[4] * J[4] + J[5] * J[5];
}

double ukRowReach(const ukProblem *p, const ukBlock *block, int row)
{
    const double *J = p->A + block->A + 6 * (size_t)((row - block->row) * block->slots);
    double most = 0;
    for (int s = block->slot; s < block->slot + block->slots; s++, J += 6) {
        const double square = p->body[s] >= 0 ? reachSquare(J, gyrationSquare(p, p->body[s])) : 0;
        if (square > most) most = square;
    }
    return sqrt(most);
}

void ukRowReaches(const ukProblem *p, const ukBlock *block, int row, int count, double *reach)
{
    const size_t first = block->A + 6 * (size_t)((row - block->row) * block->slots);
    for (int i = 0; i < count; i++) reach[i] = 0;
    for (int s = 0; s < block->slots; s++) {
        const int body = p->body[block->slot + s];
        if (body < 0) continue;
        const double gyration = gyrationSquare(p, body), *J = p->A + first + 6 * s;
        for (int i = 0; i < count; i++, J += 6 * block->slots) {
            const double square = reachSquare(J, gyration);
            if (square > reach[i]) reach[i] = square;
        }
    }
    for (int i = 0; i < count; i++) reach[i] = sqrt(reach[i]);
}
