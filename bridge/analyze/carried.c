/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/analyze/carried.h"

#include <math.h>

int ukCarriedCount(const ukPoses *poses)
{
    int count = 0;
    for (int k = 0; k < poses->s->island_count; k++) {
        const ukIsland *island = &poses->s->islands[k];
        for (int j = 0; j < island->ideal->problem.blocks; j++) count += !island->rows.owners[j].law;
    }
    return count;
}

/* The largest undetermined force of a block, in the metric of M: the largest norm of B_k' P e_y over all active rows y,
 * where P = 1 - U U' projects onto the null space of the active rows' transpose and B_k are the block's active rows,
 * first ... first + rows - 1. */
static double largestUndeterminedForce(const ukStiffness *k, int first, int rows)
{
    const ukStatics *const s = k->statics;
    const int m = s->actives, n = k->n;
    double largest = 0;
    for (int y = 0; y < m; y++) {
        double square = 0;
        for (int c = 0; c < n; c++) {
            double f = 0;
            for (int i = first; i < first + rows; i++) {
                const double b = s->B[(size_t)i * (size_t)n + (size_t)c];
                double p = i == y;
                if (b == 0) continue;
                for (int r = 0; r < k->rank; r++) p -= k->U[i * m + r] * k->U[y * m + r];
                f += b * p;
            }
            square += f * f;
        }
        largest = fmax(largest, square);
    }
    return sqrt(largest);
}

static void fillCarried(const ukStiffness *k, const ukIsland *island, int block, int first, int *active, ukCarried *out)
{
    static const double negligible = 1e-6;
    const ukStatics *const s = k->statics;
    const ukProblem *p = island->problem;
    const ukBlock *b = &p->block[block];
    const ukBlockOwner *owner = &island->rows.owners[block];
    const double *J = p->A + b->A;
    const int begin = *active;
    const bool swap = owner->joint && owner->joint->reverse;
    for (int i = b->row; i < b->row + b->rows; i++)
        for (int slot = 0; slot < b->slots; slot++, J += 6)
            for (int c = 0; c < 6 && slot < 2; c++)
                out->force[swap ? 1 - slot : slot][c] += s->lambda[first + i] * J[c];
    while (*active < s->actives && s->row[*active] < first + b->row + b->rows) ++*active;
    out->joint = owner->joint ? owner->joint->handle : NULL;
    out->constraint = owner->constraint ? owner->constraint->element.handle : NULL;
    for (int i = first + b->row; i < first + b->row + b->rows; i++) out->at_bound += !s->inside[i];
    out->unique = k->rank == s->actives || largestUndeterminedForce(k, begin, *active - begin) <= negligible;
}

void ukCarriedFill(const ukStiffness *k, ukCarried *carried)
{
    const ukStepper *const step = k->statics->poses->s;
    int first = 0, active = 0;
    for (int i = 0; i < step->island_count; i++) {
        const ukIsland *island = &step->islands[i];
        for (int j = 0; j < island->problem->blocks; j++) {
            ukCarried unused = {0};
            const bool law = island->rows.owners[j].law != NULL;
            fillCarried(k, island, j, first, &active, law ? &unused : carried);
            if (!law) carried++;
        }
        first += island->problem->rows;
    }
}
