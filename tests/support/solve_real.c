/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/support/solve_real.h"

#include <math.h>

void solveLongDouble(int n, long double *K, long double *f, long double *x)
{
    int column[solveLongDoubleMost];
    for (int i = 0; i < n; i++) column[i] = i;
    int rank = n;
    long double first = 0;
    for (int k = 0; k < n; k++) {
        int r = k, c = k;
        for (int i = k; i < n; i++)
            for (int j = k; j < n; j++)
                if (fabsl(K[i * n + j]) > fabsl(K[r * n + c])) r = i, c = j;
        if (k == 0) first = fabsl(K[r * n + c]);
        if (fabsl(K[r * n + c]) <= 1e-15L * first) {
            rank = k;
            break;
        }
        for (int j = 0; j < n; j++) {
            const long double t = K[k * n + j];
            K[k * n + j] = K[r * n + j], K[r * n + j] = t;
        }
        const long double t = f[k];
        f[k] = f[r], f[r] = t;
        for (int i = 0; i < n; i++) {
            const long double u = K[i * n + k];
            K[i * n + k] = K[i * n + c], K[i * n + c] = u;
        }
        const int u = column[k];
        column[k] = column[c], column[c] = u;
        for (int i = k + 1; i < n; i++) {
            const long double factor = K[i * n + k] / K[k * n + k];
            for (int j = k; j < n; j++) K[i * n + j] -= factor * K[k * n + j];
            f[i] -= factor * f[k];
        }
    }
    for (int i = 0; i < n; i++) x[i] = 0;
    for (int i = rank - 1; i >= 0; i--) {
        long double sum = f[i];
        for (int j = i + 1; j < rank; j++) sum -= K[i * n + j] * x[column[j]];
        x[column[i]] = sum / K[i * n + i];
    }
}
