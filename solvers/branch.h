/* solvers/branch.h: the fronts that trees and chains are made of, at sizes the compiler knows. r rows a joint.
 *
 *   limb    a body whose one joint to go is its whole update; children reach its pivots only
 *   joint   the rows of that joint, whose whole update is the next body
 *   pair    a body between two joints to go, as limb otherwise
 *   link    the first of these two joints, whose whole update is the second
 *
 * limb, joint, limb, ... is the articulated-body recursion in maximal coordinates; pair, link, pair, ... is the block
 * tridiagonal A M^-1 A' of a chain held at both ends. Everything stays in local arrays of pairs; L and U are written
 * once. */
#ifndef UKODE_SOLVERS_BRANCH_H
#define UKODE_SOLVERS_BRANCH_H

#include "solvers/block.h"

#if defined(__clang__)
#define UKODE_UNROLL _Pragma("clang loop unroll(full)")
#else
#define UKODE_UNROLL _Pragma("GCC unroll 16")
#endif

enum { ukBranchPairs = 8, ukBranchPivots = 6 };

/* columns of a front, in pairs of rows; row 0 first */
typedef struct ukColumns {
    ukPair c[ukBranchPivots][ukBranchPairs];
} ukColumns;

UKODE_INLINE double ukAt(const ukColumns *m, int row, int column)
{
    return m->c[column][row / 2][row % 2];
}

/* As ukEliminate for p <= 6 pivots and n <= 16 rows; F gets L with 1/d on its diagonal, U the Schur complement's lower
 * triangle. floor NULL: every pivot must have its sign. Returns false at the first that has not (F is then void). */
UKODE_INLINE int ukEliminateBranch(ukColumns *m, const int p, const int n, const double sign, const double *floor,
                                   double *d, double *F, double *U)
{
    const int pairs = (n + 1) / 2, ldu = (n - p + 1) & ~1, ld = (p + ldu + 1) & ~1;
    double inverse[ukBranchPivots], pivot[ukBranchPivots];
    int ok = 1;
    UKODE_UNROLL
    for (int k = 0; k < p; k++) {
        UKODE_UNROLL
        for (int j = 0; j < k; j++) {
            const ukPair t = ukBothOf(ukAt(m, k, j) * pivot[j]);
            UKODE_UNROLL
            for (int i = k / 2; i < pairs; i++) m->c[k][i] -= t * m->c[j][i];
        }
        pivot[k] = ukAt(m, k, k);
        ok &= sign * pivot[k] > (floor ? floor[k] : 0);
        inverse[k] = 1 / pivot[k];
        UKODE_UNROLL
        for (int i = (k + 1) / 2; i < pairs; i++) m->c[k][i] *= ukBothOf(inverse[k]);
    }
    UKODE_UNROLL
    for (int k = 0; k < p; k++) {
        d[k] = pivot[k];
        UKODE_UNROLL
        for (int i = (k + 1) / 2; i < pairs; i++) ukStorePair(F + k * ld + 2 * i, m->c[k][i]);
        F[k * ld + k] = inverse[k];
    }
    UKODE_UNROLL
    for (int k = 0; k < n - p; k++) {
        ukPair t[ukBranchPivots];
        UKODE_UNROLL
        for (int j = 0; j < p; j++) t[j] = ukBothOf(ukAt(m, p + k, j) * pivot[j]);
        UKODE_UNROLL
        for (int i = k / 2; i < (n - p + 1) / 2; i++) {
            ukPair sum = ukBothOf(0);
            UKODE_UNROLL
            for (int j = 0; j < p; j++) {
                const int row = p + 2 * i;
                const ukPair low = m->c[j][row / 2];
                const ukPair l = row % 2 ? (ukPair){low[1], row / 2 + 1 < pairs ? m->c[j][row / 2 + 1][0] : 0} : low;
                sum -= t[j] * l;
            }
            ukStorePair(U + k * ldu + 2 * i, sum);
        }
    }
    return ok;
}

/* y (p) = L11^-1 y, z (u) -= L21 y */
UKODE_INLINE void ukForwardBranch(const double *F, const int p, const int u, double *y, double *z)
{
    const int ld = (p + ((u + 1) & ~1) + 1) & ~1;
    double v[ukBranchPivots], w[2 * ukBranchPairs];
    UKODE_UNROLL
    for (int k = 0; k < p; k++) v[k] = y[k];
    UKODE_UNROLL
    for (int i = 0; i < u; i++) w[i] = z[i];
    UKODE_UNROLL
    for (int k = 0; k < p; k++) {
        UKODE_UNROLL
        for (int i = k + 1; i < p; i++) v[i] -= F[k * ld + i] * v[k];
        UKODE_UNROLL
        for (int i = 0; i < u; i++) w[i] -= F[k * ld + p + i] * v[k];
    }
    UKODE_UNROLL
    for (int k = 0; k < p; k++) y[k] = v[k];
    UKODE_UNROLL
    for (int i = 0; i < u; i++) z[i] = w[i];
}

/* x (p) = L11'^-1 (D^-1 x - L21' z), z (u) */
UKODE_INLINE void ukBackwardBranch(const double *F, const int p, const int u, double *x, const double *z)
{
    const int ld = (p + ((u + 1) & ~1) + 1) & ~1;
    double v[ukBranchPivots];
    UKODE_UNROLL
    for (int k = p - 1; k >= 0; k--) {
        double even = 0, odd = 0;
        UKODE_UNROLL
        for (int i = 0; i < u; i++) {
            if (i % 2)
                odd += F[k * ld + p + i] * z[i];
            else
                even += F[k * ld + p + i] * z[i];
        }
        v[k] = F[k * ld + k] * x[k] - (even + odd);
    }
    UKODE_UNROLL
    for (int k = p - 1; k >= 0; k--) {
        UKODE_UNROLL
        for (int i = p - 1; i > k; i--) v[k] -= F[k * ld + i] * v[i];
        x[k] = v[k];
    }
}

/* a pair's update rows stand in two places, r each */
UKODE_INLINE void ukForwardPair(const double *F, const int r, double *y, double *z0, double *z1)
{
    double z[2 * ukBranchPairs];
    UKODE_UNROLL
    for (int i = 0; i < r; i++) z[i] = z0[i], z[r + i] = z1[i];
    ukForwardBranch(F, 6, 2 * r, y, z);
    UKODE_UNROLL
    for (int i = 0; i < r; i++) z0[i] = z[i], z1[i] = z[r + i];
}

UKODE_INLINE void ukBackwardPair(const double *F, const int r, double *x, const double *z0, const double *z1)
{
    double z[2 * ukBranchPairs];
    UKODE_UNROLL
    for (int i = 0; i < r; i++) z[i] = z0[i], z[r + i] = z1[i];
    ukBackwardBranch(F, 6, 2 * r, x, z);
}

#endif
