/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/kkt/store.h: the data of a ukKkt (solvers/kkt/plans.h); for this folder and solvers/equality/. */
#ifndef UKODE_SOLVERS_KKT_STORE_H
#define UKODE_SOLVERS_KKT_STORE_H

#include "solvers/factor/factor.h"
#include "solvers/factor/pairs.h"
#include "solvers/factor/unsymmetric.h"
#include "solvers/problem/block.h"

#include <stdbool.h>

struct ukKkt {
    ukSymbolic plans[2]; /* of the last two structures: ODE's spaces reverse the order of contacts from step to step */
    ukSymbolic *plan;    /* the plan in use */
    ukFactor factor;
    ukUnsymmetric unsymmetric;
    ukPairs pairs;            /* factorization for contacts alone */
    const ukSymbolic *paired; /* the plan that `pairs` is laid out for, NULL: none */
    unsigned serial;          /* counts symmetric factorizations */
    unsigned char *active;    /* (rows) copy of the last factorization's */
    double *y;                /* (unknowns) by position, scratch like the following: */
    double *g, *x, *r;        /* (6 bodies) x 2, (rows) */
    size_t capacity[2];
};

/* whether the plan in use is of contacts alone, which are factorized by pairs of bodies */
UKODE_INLINE bool ukKktIsPaired(const struct ukKkt *kkt)
{
    return kkt->paired == kkt->plan && kkt->pairs.suits;
}

#endif
