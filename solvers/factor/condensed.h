/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/factor/condensed.h: condensed blocks (symbolic.h), that is, soft rows of contacts, in fronts of their own:
 * their Schur complement is a sum over rows, and solves go through A. They are on one or two bodies; their rows are
 * summed in batches (row_batch.h).
 *
 * On x86-64 the loops exist twice, as in kernel.h, with the same bits. */
#ifndef UKODE_SOLVERS_FACTOR_CONDENSED_H
#define UKODE_SOLVERS_FACTOR_CONDENSED_H

#include "solvers/factor/front.h"

/* Eliminates the rows of a condensed block one by one, each with pivot -softness (infinite: not active): its Schur
 * complement U = sum of A_i' A_i / softness_i. */
void ukCondensedFactor(ukFactor *factor, const ukSymbolic *plan, int f, const ukFactorInput *in);

/* As ukFrontForward and ukFrontBackward (front.h). */
void ukCondensedForward(const ukFactor *factor, const ukSymbolic *plan, const ukFront *front, double *y, int origin);
void ukCondensedBackward(const ukFactor *factor, const ukSymbolic *plan, const ukFront *front, double *y, int origin);

#endif
