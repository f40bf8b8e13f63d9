/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/factor/condensed.h: condensed blocks (symbolic.h), that is, soft rows of contacts, in fronts of their own:
 * their Schur complement is a sum over rows, and solves go through A. Rows on one or two bodies, which all contacts
 * have, are summed in batches (row_batch.h).
 *
 * On x86-64 the loops exist twice, as in kernel.h, with the same bits. */
#ifndef UKODE_SOLVERS_FACTOR_CONDENSED_H
#define UKODE_SOLVERS_FACTOR_CONDENSED_H

#include "solvers/factor/front.h"

/* Eliminates the rows of a condensed block one by one, each with pivot -softness (infinite: not active): its Schur
 * complement U = sum of A_i' A_i / softness_i. */
void ukCondensedFactor(ukFactor *factor, const ukSymbolic *plan, int f, const ukFactorInput *in);
/* Writes row r of a block with entries on `bodies` bodies, e the first, as a row (u) of a condensed block's update. */
void ukCondensedRow(const ukFront *front, const ukEntry *e, int bodies, int r, const double *A, double *J);

/* As ukFrontForward and ukFrontBackward (front.h). */
void ukCondensedForward(const ukFactor *factor, const ukSymbolic *plan, const ukFront *front, double *y, int origin);
void ukCondensedBackward(const ukFactor *factor, const ukSymbolic *plan, const ukFront *front, double *y, int origin);

#endif
