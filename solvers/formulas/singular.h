/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/formulas/singular.h: M >= 0, singular (Udwadia & Phohomsiri 2006): coordinates without mass of their own. The
 * acceleration is unique where no motion y has M y = 0 and A y = 0, that is, where [M; A] has full column rank. */
#ifndef UKODE_SOLVERS_FORMULAS_SINGULAR_H
#define UKODE_SOLVERS_FORMULAS_SINGULAR_H

#include "solvers/formulas/frame.h"

/* Whether M is symmetric and positive semidefinite: ukOk, ukErrorMass, ukErrorMemory, ukErrorLapack. */
int ukFormulaSemidefinite(ukFormulaFrame *f);

/* Singular values of [M; A], each row divided by its length: the rank is that of its columns. */
int ukFormulaColumns(ukFormulaFrame *f, ukSvd *columns);

#endif
