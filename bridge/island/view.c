/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/island/view.h"

#include <math.h>

#include "bridge/user/law.h"
#include "solvers/problem/tolerance.h"

ukSolution ukSolutionOf(const ukStepper *s, const ukProblem *p)
{
    const size_t row0 = ukViewOf(s, p).row0;
    return (ukSolution){.qdd = s->bodies.qdd + ukViewOf(s, p).column0,
                        .lambda = s->rows.lambda + row0,
                        .loads = s->rows.loads + row0,
                        .rank = -1};
}

ukLaw *ukIslandLaw(const ukStepper *s, int index, int i)
{
    const ukIsland *island = &s->islands[index];
    if (i < island->joints) return s->joints[island->joint + i]->law;
    const ukElement *e = s->elements[island->element + i - island->joints];
    return e->is_force ? NULL : ((const struct ukConstraint *)e)->law;
}

int ukIslandLawCount(const ukStepper *s, int index)
{
    return s->ideal[index].laws > 0 ? s->islands[index].joints + s->islands[index].elements : 0;
}

ukFrictionLaw ukFrictionOf(const ukWorld *world)
{
    if (world->settings.friction == ukFrictionCone) return ukFrictionElliptic;
    return world->quick ? ukFrictionCoupled : ukFrictionTwoPhase;
}

bool ukRowExact(const ukStepper *s, size_t row)
{
    return !(s->rows.lo[row] > -INFINITY) && !(s->rows.hi[row] < INFINITY) && s->rows.cfm[row] <= ukSpringCfm;
}

double ukDrift(const ukStepper *s, const ukProblem *p)
{
    const double *phi = s->rows.phi + ukViewOf(s, p).row0;
    const unsigned char *velocity = s->rows.velocity + ukViewOf(s, p).row0;
    double largest = 0;
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *block = &p->block[k];
        for (int i = block->row; i < block->row + block->rows; i++) {
            if (velocity[i] || phi[i] == 0) continue;
            const double reach = ukRowReach(p, block, i);
            if (fabs(phi[i]) > largest * reach && reach > 0) largest = fabs(phi[i]) / reach;
        }
    }
    return largest;
}

double ukRankToleranceAt(const ukStepper *s, double drift)
{
    const double chosen = s->world->settings.rank_tolerance;
    return chosen > 0 ? chosen : fmax(ukRankFollowing(drift), s->rank_least);
}

double ukRankTolerance(const ukStepper *s, const ukProblem *p)
{
    return s->world->settings.rank_tolerance > 0 ? s->world->settings.rank_tolerance
                                                 : ukRankToleranceAt(s, ukDrift(s, p));
}
