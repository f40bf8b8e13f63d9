/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/factor/kernel.h: dense kernels on one front of any size. A front [H11 .; H21 .] of size n has p pivots of one
 * sign (quasi-definite, so no pivoting) and is stored by columns, H11 (its lower triangle) above H21, ld x p, ld even
 * and zero below row n; its Schur complement is the lower triangle of a matrix ldu x (n - p), ldu even.
 *
 * On x86-64 the kernels exist twice, for any processor and for those with AVX2: the same sums in the same order, hence
 * the same bits, four at a time. */
#ifndef UKODE_SOLVERS_FACTOR_KERNEL_H
#define UKODE_SOLVERS_FACTOR_KERNEL_H

typedef struct ukKernel {
    /* H11 = L11 D L11', H21 = L21 D L11'.
     *   F      out  L, 1/d on its diagonal
     *   sign   +1 or -1, of all pivots;  d sign > floor[j] is asked of pivot j, otherwise sign shift[j] is added to it
     *   d      (p) out, the pivots
     *   t      (2 p) scratch
     *   U      out  -L21 D L21'
     * Returns how many pivots were shifted; their numbers go to `shifted`. */
    int (*eliminate)(double *F, int ld, int p, int n, double sign, const double *floor, const double *shift, double *d,
                     double *t, int *shifted, double *U, int ldu);
    /* The same where the front is not symmetric: F its lower triangle and G its upper one, transposed, likewise for the
     * Schur complement: U its lower triangle, V its upper one, transposed. H = L D R', pivots of any sign.
     *   F, G   out  L and R, 1/d on both diagonals
     *   t      (2 p) scratch
     * Returns how many pivots are zero or not finite; the factor is then of no use. */
    int (*eliminateBoth)(double *F, double *G, int ld, int p, int n, double *d, double *t, double *U, double *V,
                         int ldu);
    /* y (p) = L11^-1 y, z (n - p, and one more where that is odd) -= L21 y */
    void (*forward)(const double *F, int ld, int p, int n, double *y, double *z);
    /* x (p) = L11'^-1 (D^-1 x - L21' z), z (n - p, and a zero where that is odd) */
    void (*backward)(const double *F, int ld, int p, int n, double *x, const double *z);
    /* U (ldu x u) -= sum_j t_j J_j', j < count: J (ldu x count), t (count x u); `fresh`: from 0 */
    void (*update)(double *U, int ldu, int u, const double *J, const double *t, int count, int fresh);
    /* c[i] -= sum_j t_j J_k,i, j < count, from <= i < u: J (ldu x columns), of which k = index[j], or j (NULL) */
    void (*combine)(double *c, int from, int u, const double *J, int ldu, const int *index, const double *t, int count);
} ukKernel;

/* The fastest kernels for this processor. */
const ukKernel *ukKernelOfProcessor(void);
/* The kernels for any processor. */
const ukKernel *ukKernelOfAny(void);

#endif
