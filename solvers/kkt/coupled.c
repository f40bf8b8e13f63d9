/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/kkt/coupled.h"

#include "solvers/base/status.h"
#include "solvers/kkt/store.h"

int ukKktFactorizeCoupled(ukKkt *kkt, const ukProblem *p, const unsigned char *active, const double *softness,
                          const double *coupling, ukKktCoupledFactor *factor)
{
    *factor = (ukKktCoupledFactor){kkt, ukKktIsPaired(kkt) ? ukKktPairs : ukKktFronts, p};
    if (factor->storage == ukKktPairs) return ukPairsFactor(&kkt->pairs, p, active, softness, coupling);
    const int status = ukUnsymmetricReserve(&kkt->unsymmetric, kkt->plan);
    return status != ukOk ? status : ukUnsymmetricCompute(&kkt->unsymmetric, kkt->plan, p, active, softness, coupling);
}

void ukKktSolveCoupled(const ukKktCoupledFactor *factor, const double *r, double *l)
{
    ukKkt *kkt = factor->kkt;
    if (factor->storage == ukKktPairs)
        ukPairsSolve(&kkt->pairs, factor->p, NULL, r, kkt->x, l);
    else
        ukUnsymmetricSolve(&kkt->unsymmetric, kkt->plan, r, l);
}

int ukKktFactorizeMixed(ukKkt *kkt, const ukProblem *rows, const ukProblem *columns, ukKktMixedFactor *factor)
{
    *factor = (ukKktMixedFactor){kkt};
    const int status = ukUnsymmetricReserve(&kkt->unsymmetric, kkt->plan);
    return status != ukOk ? status : ukUnsymmetricComputeBetween(&kkt->unsymmetric, kkt->plan, rows, columns);
}

void ukKktSolveMixed(const ukKktMixedFactor *factor, const double *r, double *l)
{
    ukUnsymmetricSolveBetween(&factor->kkt->unsymmetric, factor->kkt->plan, r, l);
}
