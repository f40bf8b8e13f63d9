/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/island/island.h"

#include <math.h>
#include <stdlib.h>

#include "bridge/user/joint_law.h"
#include "solvers/base/status.h"
#include "solvers/problem/tolerance.h"

ukLaw *ukIslandLaw(const ukIsland *island, int i)
{
    if (i < island->joints) return island->joint[i]->law;
    const ukElement *e = island->element[i - island->joints];
    return e->is_force ? NULL : ((const struct ukConstraint *)e)->law;
}

int ukIslandLawCount(const ukIsland *island)
{
    return island->ideal->laws > 0 ? island->joints + island->elements : 0;
}

ukFrictionLaw ukFrictionOf(const ukWorld *world)
{
    if (world->settings.friction == ukFrictionCone) return ukFrictionElliptic;
    return world->quick ? ukFrictionCoupled : ukFrictionTwoPhase;
}

bool ukRowExact(const ukIsland *island, int i)
{
    const ukRowArrays *rows = &island->rows;
    return !(rows->lo[i] > -INFINITY) && !(rows->hi[i] < INFINITY) && rows->cfm[i] <= ukSpringCfm();
}

double ukRowRate(const ukIsland *island, const ukProblem *p, int block, int i)
{
    static const double rounding = 1e-13; /* relative to the sum of the terms */
    const ukBlock *const b = &p->block[block];
    const double *A = p->A + b->A + 6 * (size_t)((i - b->row) * b->slots);
    const double off = island->rows.rate[i] - island->rows.target[i];
    double sum = 0, size = fabs(island->rows.rate[i]);
    for (int slot = b->slot; slot < b->slot + b->slots; slot++, A += 6) {
        if (p->body[slot] < 0) continue;
        const double *v = island->bodies.frame[p->body[slot]]->state.v;
        for (int c = 0; c < 6; c++) {
            sum += A[c] * v[c];
            size += fabs(A[c] * v[c]);
        }
    }
    return fabs(sum - off) > rounding * size ? sum - off : 0;
}

static double largestDrift(const ukIsland *island, const ukProblem *p, bool exact)
{
    const double *phi = island->rows.phi;
    double largest = 0;
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *block = &p->block[k];
        for (int i = block->row; i < block->row + block->rows; i++) {
            if (island->rows.velocity[i] || phi[i] == 0 || (exact && !ukRowExact(island, i))) continue;
            const double reach = ukRowReach(p, block, i);
            if (fabs(phi[i]) > largest * reach && reach > 0) largest = fabs(phi[i]) / reach;
        }
    }
    return largest;
}

double ukDrift(const ukIsland *island, const ukProblem *p)
{
    return largestDrift(island, p, false);
}

double ukDriftExact(const ukIsland *island, const ukProblem *p)
{
    return largestDrift(island, p, true);
}

double ukRankToleranceAt(const ukIsland *island, double drift)
{
    const double chosen = island->world->settings.rank_tolerance;
    return chosen > 0 ? chosen : fmax(ukRankFollowing(drift), island->rank_least);
}

double ukRankTolerance(const ukIsland *island, const ukProblem *p)
{
    return island->world->settings.rank_tolerance > 0 ? island->world->settings.rank_tolerance
                                                      : ukRankToleranceAt(island, ukDrift(island, p));
}

int ukScratchReserve(ukIslandSolvers *solvers, size_t bytes)
{
    if (bytes <= solvers->scratch_size) return ukOk;
    const size_t size = (bytes + bytes / 4 + 127) / 64 * 64;
    void *fresh = aligned_alloc(64, size);
    if (!fresh) return ukErrorMemory;
    free(solvers->scratch);
    solvers->scratch = fresh;
    solvers->scratch_size = size;
    return ukOk;
}
