/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/rebase.h"

#include <math.h>

#include "solvers/problem/block.h"

/* cosine between a row at both poses, for a rotation of half a radian */
static const double same = 0.88;

static bool hasJumped(int rows, int n, const double *A0, const double *A1)
{
    for (int i = 0; i < rows; i++, A0 += n, A1 += n)
        if (ukPairDot(A0, A1, n) < same * ukPairDot(A0, A0, n)) return true;
    return false;
}

/* G = L L' in place (lower, row-major); false: G is singular */
static bool factorizeGram(int rows, double *G)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j <= i; j++) {
            const double own = G[i * rows + i], left = G[i * rows + j] - ukPairDot(G + i * rows, G + j * rows, j);
            if (j < i)
                G[i * rows + j] = left / G[j * rows + j];
            else if (left > 1e-12 * own)
                G[i * rows + i] = sqrt(left);
            else
                return false;
        }
    return true;
}

bool ukRebase(int rows, int n, const double *A0, const double *A1, double *S)
{
    double G[ukRebaseMost * ukRebaseMost];
    if (rows > ukRebaseMost || !hasJumped(rows, n, A0, A1)) return false;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++) G[i * rows + j] = ukPairDot(A1 + i * n, A1 + j * n, n);
    if (!factorizeGram(rows, G)) return false;
    for (int i = 0; i < rows; i++) { /* L L' s = A1 a0 */
        double *s = S + i * rows;
        for (int j = 0; j < rows; j++)
            s[j] = (ukPairDot(A1 + j * n, A0 + i * n, n) - ukPairDot(G + j * rows, s, j)) / G[j * rows + j];
        for (int j = rows - 1; j >= 0; j--) {
            for (int k = j + 1; k < rows; k++) s[j] -= G[k * rows + j] * s[k];
            s[j] /= G[j * rows + j];
        }
    }
    return true;
}
