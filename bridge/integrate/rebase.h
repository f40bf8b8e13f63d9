/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/rebase.h: expresses the rows of one block at two poses in the same basis. The rows perpendicular to
 * a joint's axis have two directions that depend on the axis alone (ODE's dPlaneSpace), discontinuously: where the axis
 * passes the world's diagonal, they jump. */
#ifndef UKODE_BRIDGE_INTEGRATE_REBASE_H
#define UKODE_BRIDGE_INTEGRATE_REBASE_H

#include <stdbool.h>

enum { ukRebaseMost = 6 }; /* largest number of rows of a block that can jump: those of a joint */

/* Whether rows of A1 (rows x n) have jumped from those of A0; if so computes S (rows x rows, row-major) with S A1
 * nearest to A0. Blocks of more than ukRebaseMost rows, or without such an S, do not count as jumping. */
bool ukRebase(int rows, int n, const double *A0, const double *A1, double *S);

#endif
