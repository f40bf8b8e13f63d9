/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/check/scales.h"

double ukScaleLeast(const ukProblem *p, const unsigned char *massless)
{
    double least = INFINITY;
    for (int i = 0; i < p->bodies; i++) {
        const double *I = p->inertia + 9 * (size_t)i;
        if (!massless[i]) least = fmin(least, fmin(I[0], fmin(I[4], I[8])));
    }
    return least < INFINITY ? 0.1 * least : 0;
}

void ukScaleMobile(const ukProblem *p, const unsigned char *massless, double *root, double *turn)
{
    *root = *turn = 0;
    for (int i = 0; i < p->bodies; i++) {
        if (massless[i]) continue;
        *root = fmax(*root, sqrt(1 / p->mass[i]));
        *turn = fmax(*turn, sqrt(ukNorm3(p->inverse_inertia + 9 * (size_t)i)));
    }
    if (*root == 0) *root = *turn = INFINITY;
}

double ukScaleBodies(const ukProblem *p)
{
    double forces = 0;
    for (int i = 0; i < p->bodies; i++) {
        const double *Q = p->Q + 6 * (size_t)i, none[6] = {0}, *C = p->C ? p->C + 6 * (size_t)i : none;
        const double root = sqrt(1 / p->mass[i]), turn = sqrt(ukNorm3(p->inverse_inertia + 9 * (size_t)i));
        forces = fmax(forces, root * (ukAbs3(Q) + ukAbs3(C)) + turn * (ukAbs3(Q + 3) + ukAbs3(C + 3)));
    }
    return forces;
}

double ukScaleForces(const ukProblem *p, const double *lambda, const double *lo, const double *hi)
{
    double forces = ukScaleBodies(p), sides = 0;
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *b = p->block + k;
        const double *A = p->A + b->A;
        for (int i = b->row; i < b->row + b->rows; i++, A += 6 * (size_t)b->slots) {
            const double unit = sqrt(ukScaleCompliance(p, b, A)), force = lambda[i];
            const double bound = !lo ? INFINITY : force < 0 ? -lo[i] : hi[i];
            if (unit > 0) sides = fmax(sides, fabs(p->b[i]) / unit);
            if (bound < INFINITY && !(p->normal && p->normal[i] >= 0))
                forces = fmax(forces, fmin(bound, fabs(force)) * unit);
        }
    }
    return forces > 0 ? fmax(forces, sides) : INFINITY;
}
