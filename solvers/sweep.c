#include "solvers/sweep.h"

#include "solvers/disc.h"

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

/* lambda of rows i ... i + n - 1 <- natural, and x along */
static void set(ukBounded *B, const ukBlock *b, const double *A, int i, int n, const double *natural, double keep,
                double *lambda)
{
    for (int k = i; k < i + n; k++, A += 6 * (size_t)b->slots, natural++) {
        push(&B->p, b, A, keep * *natural - lambda[k], B->x);
        lambda[k] = keep * *natural;
    }
}

static void once(ukBounded *B, double *lambda)
{
    const ukProblem *p = &B->p;
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *b = p->block + k;
        const size_t width = 6 * (size_t)b->slots;
        const double *A = p->A + b->A;
        for (int i = b->row, n = 0; i < b->row + b->rows; i += n, A += (size_t)n * width) {
            n = ukDiscRows(B, i);
            const double d = ukDiscScale(B, i, n);
            double natural[ukDiscMost], keep = 1;
            if (ukProblemNormal(p, i) >= 0) freeze(B, i, lambda);
            if (!(d > 0)) continue;
            for (int j = 0; j < n; j++)
                B->w[i + j] =
                    rate(p, b, A + (size_t)j * width, B->x) + B->softness[i + j] * lambda[i + j] - p->b[i + j];
            if (n > 1)
                keep = ukDiscNatural(B, i, n, d, lambda, natural);
            else
                natural[0] = fmin(fmax(lambda[i] - B->w[i] / d, B->lo[i]), B->hi[i]);
            set(B, b, A, i, n, natural, keep, lambda);
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
