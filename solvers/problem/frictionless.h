/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/problem/frictionless.h: a problem without its friction rows, the first phase of dWorldStep's law of friction.
 * It is a third of the rows of a contact, so a pass over it costs a fraction of one over the whole. */
#ifndef UKODE_SOLVERS_PROBLEM_FRICTIONLESS_H
#define UKODE_SOLVERS_PROBLEM_FRICTIONLESS_H

#include "solvers/base/arena.h"
#include "solvers/problem/problem.h"

typedef struct ukFrictionless {
    ukProblem p; /* the blocks and bodies of the whole, in their order; blocks may be left without rows */
    int *row;    /* (p.rows) in the whole */
    ukBlock *block;
    double *A, *b, *softness, *lo, *hi;
    unsigned char *cone;
} ukFrictionless;

/* Carves the arrays for `whole`; pairs: rows times slots, summed over its blocks. */
void ukFrictionlessCarve(ukFrictionless *f, const ukProblem *whole, size_t pairs, ukArena *arena);
/* f->p from `whole`, whose other arrays it shares. */
void ukFrictionlessSet(ukFrictionless *f, const ukProblem *whole);
/* `rows` (f->p.rows) of `all` (whole rows), and back: 0 at friction rows */
void ukFrictionlessGather(const ukFrictionless *f, const double *all, double *rows);
void ukFrictionlessScatter(const ukFrictionless *f, const ukProblem *whole, const double *rows, double *all);

#endif
