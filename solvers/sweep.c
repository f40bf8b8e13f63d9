#include "solvers/sweep.h"

#include <math.h>
#include <string.h>

/* A_r x */
static double rate(const ukProblem *p, const ukBlock *b, const double *A, const double *x)
{
    double sum = 0;
    for (int s = b->slot; s < b->slot + b->slots; s++, A += 6) {
        if (p->body[s] < 0) continue;
        const double *v = x + 6 * (size_t)p->body[s];
        sum += (A[0] * v[0] + A[1] * v[1] + A[2] * v[2]) + (A[3] * v[3] + A[4] * v[4] + A[5] * v[5]);
    }
    return sum;
}

/* x += M^-1 A_r' change */
static void push(const ukProblem *p, const ukBlock *b, const double *A, double change, double *x)
{
    if (change == 0) return;
    for (int s = b->slot; s < b->slot + b->slots; s++, A += 6) {
        if (p->body[s] < 0) continue;
        double *v = x + 6 * (size_t)p->body[s];
        const double *J = p->inverse_inertia + 9 * (size_t)p->body[s], scale = change / p->mass[p->body[s]];
        for (int c = 0; c < 3; c++) {
            v[c] += scale * A[c];
            v[3 + c] += change * (J[3 * c] * A[3] + J[3 * c + 1] * A[4] + J[3 * c + 2] * A[5]);
        }
    }
}

static void freeze(ukBounded *B, int i, const double *lambda)
{
    const ukProblem *p = B->given;
    const double load = fabs(lambda[p->normal[i]]), mu = B->kind[i] == ukRowBox ? p->hi[i] : 1;
    B->hi[i] = load > 0 ? mu * load : 0;
    B->lo[i] = -B->hi[i];
}

static void once(ukBounded *B, double *lambda)
{
    const ukProblem *p = &B->p;
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *b = p->block + k;
        const size_t width = 6 * (size_t)b->slots;
        const double *A = p->A + b->A;
        for (int i = b->row; i < b->row + b->rows; i++, A += width) {
            double d = B->diagonal[i] + B->softness[i];
            if (p->normal && p->normal[i] >= 0) freeze(B, i, lambda);
            if (!(d > 0)) continue;
            const double w = rate(p, b, A, B->x) + B->softness[i] * lambda[i] - p->b[i];
            if (B->kind[i] == ukRowDisc) {
                const int j = i + 1;
                const double v = rate(p, b, A + width, B->x) + B->softness[j] * lambda[j] - p->b[j];
                d = fmax(d, B->diagonal[j] + B->softness[j]);
                const double s = lambda[i] - w / d, t = lambda[j] - v / d, size = hypot(s, t);
                const double keep = size > B->hi[i] ? B->hi[i] / size : 1;
                push(p, b, A, keep * s - lambda[i], B->x);
                push(p, b, A + width, keep * t - lambda[j], B->x);
                lambda[i] = keep * s, lambda[j] = keep * t;
                i = j, A += width;
                continue;
            }
            const double next = fmin(fmax(lambda[i] - w / d, B->lo[i]), B->hi[i]);
            push(p, b, A, next - lambda[i], B->x);
            lambda[i] = next;
        }
    }
}

void ukSweep(ukBounded *B, int sweeps, double *lambda)
{
    ukBoundedEvaluate(B, lambda);
    for (int k = 0; k < sweeps; k++) once(B, lambda);
    ukBoundedFreeze(B, lambda);
    ukBoundedProject(B, lambda);
}
