#include "solvers/krylov.h"

#include <math.h>
#include <string.h>

void ukKrylovCarve(ukKrylov *K, int m, ukArena *arena)
{
    K->basis = ukArenaDoubles(arena, (size_t)(ukKrylovMax + 1) * (size_t)m);
}

static double dot(int m, const double *weight, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < m; i++) sum += weight[i] * x[i] * y[i];
    return sum;
}

int ukKrylovSolve(ukKrylov *K, int m, const double *weight, ukKrylovApply *apply, void *context, double tolerance,
                  double *g)
{
    double H[ukKrylovMax + 1][ukKrylovMax], cosine[ukKrylovMax], sine[ukKrylovMax], r[ukKrylovMax + 1], y[ukKrylovMax];
    const size_t width = (size_t)m;
    const double size = sqrt(dot(m, weight, g, g));
    if (!(size > 0)) return 0;
    for (int i = 0; i < m; i++) K->basis[i] = g[i] / size;
    r[0] = size;
    int steps = 0;
    while (steps < ukKrylovMax && fabs(r[steps]) > tolerance * size) {
        const int k = steps++;
        const double *v = K->basis + (size_t)k * width;
        double *next = K->basis + (size_t)(k + 1) * width;
        apply(context, v, next);
        for (int i = 0; i < m; i++) next[i] += v[i];
        for (int j = 0; j <= k; j++) { /* modified Gram and Schmidt */
            const double *u = K->basis + (size_t)j * width;
            H[j][k] = dot(m, weight, u, next);
            for (int i = 0; i < m; i++) next[i] -= H[j][k] * u[i];
        }
        const double left = sqrt(dot(m, weight, next, next));
        for (int j = 0; j < k; j++) {
            const double h = H[j][k];
            H[j][k] = cosine[j] * h + sine[j] * H[j + 1][k];
            H[j + 1][k] = cosine[j] * H[j + 1][k] - sine[j] * h;
        }
        const double length = hypot(H[k][k], left);
        if (!(length > 0)) { /* T v = -v: no way on */
            steps--;
            break;
        }
        cosine[k] = H[k][k] / length, sine[k] = left / length;
        H[k][k] = length;
        r[k + 1] = -sine[k] * r[k];
        r[k] = cosine[k] * r[k];
        if (!(left > 0)) break;
        for (int i = 0; i < m; i++) next[i] /= left;
    }
    for (int k = steps - 1; k >= 0; k--) {
        y[k] = r[k];
        for (int j = k + 1; j < steps; j++) y[k] -= H[k][j] * y[j];
        y[k] /= H[k][k];
    }
    memset(g, 0, width * sizeof *g);
    for (int k = 0; k < steps; k++)
        for (int i = 0; i < m; i++) g[i] += y[k] * K->basis[(size_t)k * width + (size_t)i];
    return steps;
}
