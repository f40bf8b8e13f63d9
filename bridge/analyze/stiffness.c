/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/analyze/stiffness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/base/vector.h"
#include "solvers/base/lapack.h"
#include "solvers/base/status.h"

static void carveStiffness(ukStiffness *k, ukArena *arena)
{
    const ukPoses *const poses = k->statics->poses;
    const size_t n = (size_t)k->n, most = (size_t)poses->s->capacity.rows + 1;
    k->V = ukArenaDoubles(arena, n * n);
    k->U = ukArenaDoubles(arena, most * most);
    k->sigma = ukArenaDoubles(arena, 2 * (most + n));
    k->K = ukArenaDoubles(arena, n * n);
    UKODE_DOUBLES(arena, n, &k->c, &k->kappa);
    k->Z = ukArenaDoubles(arena, n * n);
    k->work = ukArenaDoubles(arena, n * n + 4 * n);
    k->keep = ukArenaBytes(arena, (size_t)poses->bodies * sizeof *k->keep);
}

int ukStiffnessBegin(ukStiffness *k, ukStatics *statics)
{
    *k = (ukStiffness){.statics = statics, .n = statics->poses->n};
    ukArena arena = ukArenaOver(NULL, 0);
    carveStiffness(k, &arena);
    k->memory = ukArenaAllocate(&arena);
    if (!k->memory)
        return ukErrorSet(ukErrorMemory, "no memory for the stiffness (bodies: %d)", statics->poses->bodies);
    carveStiffness(k, &arena);
    return ukOk;
}

void ukStiffnessEnd(ukStiffness *k)
{
    free(k->memory);
    *k = (ukStiffness){0};
}

static int refuseLapack(const char *what)
{
    return ukErrorSet(ukErrorLapack, "the %s does not converge", what);
}

int ukStiffnessSplit(ukStiffness *k)
{
    static const double tolerance = 1e-8; /* of unit rows, at poses that meet the constraints to rounding */
    const ukStatics *const s = k->statics;
    const int m = s->actives, n = k->n, least = m < n ? m : n;
    k->rank = 0;
    if (m == 0) {
        memset(k->V, 0, (size_t)n * (size_t)n * sizeof *k->V);
        for (int i = 0; i < n; i++) k->V[(size_t)i * (size_t)n + (size_t)i] = 1;
    } else {
        double *const B = malloc((size_t)m * (size_t)n * sizeof *B);
        if (!B) return ukErrorMemory;
        memcpy(B, s->B, (size_t)m * (size_t)n * sizeof *B);
        const lapack_int info = LAPACKE_dgesdd(LAPACK_ROW_MAJOR, 'A', m, n, B, n, k->sigma, k->U, m, k->V, n);
        free(B);
        if (info != 0) return refuseLapack("singular value decomposition of the active rows");
        while (k->rank < least && k->sigma[k->rank] > tolerance) k->rank++;
    }
    k->free = n - k->rank;
    return ukOk;
}

/* column j of K: -N' dF along motion j, by central differences */
static int differentiateForces(ukStiffness *k, int j, double step)
{
    ukStatics *const s = k->statics;
    const int n = k->n;
    double *const dq = k->work, *F[2] = {dq + n, dq + 2 * n};
    bool same[2];
    memcpy(dq, k->V + (size_t)(k->rank + j) * (size_t)n, (size_t)n * sizeof *dq);
    ukPosesScale(s->poses, true, dq);
    double largest = 0;
    for (int i = 0; i < n; i++) largest = fmax(largest, fabs(dq[i]) / (i % 6 < 3 ? s->length : 1));
    const double h = step / largest;
    for (int side = 0; side < 2; side++) {
        ukPosesMove(s->poses, dq, side == 0 ? h : -h);
        const int status = ukStaticsForce(s, F[side], &same[side]);
        ukPosesReturn(s->poses, k->keep);
        if (status != ukOk) return status;
    }
    const int status = ukPosesAssemble(s->poses); /* M of these poses scales */
    if (status != ukOk) return status;
    for (int side = 0; side < 2; side++) ukPosesScale(s->poses, false, F[side]);
    for (int i = 0; i < k->free; i++) {
        const double *const v = k->V + (size_t)(k->rank + i) * (size_t)n;
        double sum = 0;
        for (int c = 0; c < n; c++) sum += v[c] * (F[1][c] - F[0][c]);
        k->K[(size_t)i * (size_t)k->free + (size_t)j] = same[0] && same[1] ? sum / (2 * h) : 0;
    }
    return ukOk;
}

/* The symmetric part to Z, and decomposed. */
static int decomposeStiffness(ukStiffness *k)
{
    const int f = k->free;
    double skew = 0;
    lapack_int found, *const support = malloc((2 * (size_t)f + 1) * sizeof *support);
    double *const sym = k->work;
    if (!support) return ukErrorMemory;
    for (int i = 0; i < f; i++)
        for (int j = 0; j < f; j++) {
            const double a = k->K[i * f + j], b = k->K[j * f + i];
            sym[i * f + j] = 0.5 * (a + b);
            skew = fmax(skew, 0.5 * fabs(a - b));
        }
    k->skew = skew;
    const lapack_int info =
        LAPACKE_dsyevr(LAPACK_ROW_MAJOR, 'V', 'A', 'U', f, sym, f, 0, 0, 0, 0, 0, &found, k->kappa, k->Z, f, support);
    free(support);
    return info == 0 && found == f ? ukOk : refuseLapack("eigenvalue problem of the stiffness");
}

int ukStiffnessFind(ukStiffness *k)
{
    static const double step = 1e-5; /* of the world's length, or [rad]: errors of 1e-10 of F's third derivative */
    ukStatics *const s = k->statics;
    int status = ukStiffnessSplit(k);
    if (status != ukOk || k->free == 0) return status;
    ukPosesKeep(s->poses, k->keep);
    for (int j = 0; j < k->free; j++) {
        const double *const v = k->V + (size_t)(k->rank + j) * (size_t)k->n;
        k->c[j] = cblas_ddot(k->n, v, 1, s->a, 1);
    }
    s->poses->context.sided = true; /* a difference would straddle a switching function near zero */
    for (int j = 0; j < k->free && status == ukOk; j++) status = differentiateForces(k, j, step);
    s->poses->context.sided = false;
    return status == ukOk ? decomposeStiffness(k) : status;
}

/* B (free x free) := N' M N without auxiliary masses; returns whether there are any. In the metric of N the part of a
 * body without mass is its auxiliary inertia. */
static bool massOf(const ukStiffness *k, double *B)
{
    const ukStepper *const step = k->statics->poses->s;
    const int f = k->free, n = k->n;
    bool any = false;
    for (int i = 0; i < f * f; i++) B[i] = i % (f + 1) == 0;
    for (int j = 0, at = 0; j < step->island_count; at += 6 * step->islands[j++].problem->bodies)
        for (int body = 0; body < step->islands[j].problem->bodies && step->islands[j].massless > 0; body++) {
            const double *V = k->V + (size_t)k->rank * (size_t)n + at + 6 * body;
            if (!step->islands[j].bodies.massless[body]) continue;
            any = true;
            for (int a = 0; a < f; a++)
                for (int b = 0; b < f; b++)
                    B[a * f + b] -= cblas_ddot(6, V + (size_t)a * (size_t)n, 1, V + (size_t)b * (size_t)n, 1);
        }
    return any;
}

/* d, Y (columns): eigenvalues, ascending, and vectors of the symmetric X (f x f), which is overwritten */
static bool decomposeSymmetric(int f, double *X, double *d, double *Y, lapack_int *support)
{
    lapack_int found;
    return LAPACKE_dsyevr(LAPACK_ROW_MAJOR, 'V', 'A', 'U', f, X, f, 0, 0, 0, 0, 0, &found, d, Y, f, support) == 0 &&
           found == f;
}

int ukStiffnessSoftest(const ukStiffness *k, double *softest)
{
    const int f = k->free;
    const size_t square = (size_t)f * (size_t)f;
    *softest = f > 0 ? k->kappa[0] : 0;
    if (f == 0) return ukOk;
    double *const B = malloc((3 * square + (size_t)f) * sizeof *B), *Y = B + square, *KY = Y + square, *d = KY + square;
    lapack_int *const support = malloc((2 * (size_t)f + 1) * sizeof *support);
    int status = B && support ? ukOk : ukErrorMemory;
    if (status == ukOk && massOf(k, B)) {
        bool solved = decomposeSymmetric(f, B, d, Y, support) && d[0] > 0;
        for (int i = 0; i < f; i++) /* Y D^{-1/2} */
            for (int j = 0; j < f; j++) Y[i * f + j] /= sqrt(d[j]);
        for (int i = 0; i < f; i++)
            for (int j = 0; j < f; j++) {
                double sum = 0;
                for (int a = 0; a < f; a++) sum += 0.5 * (k->K[i * f + a] + k->K[a * f + i]) * Y[a * f + j];
                KY[i * f + j] = sum;
            }
        for (int i = 0; i < f; i++)
            for (int j = 0; j < f; j++) B[i * f + j] = cblas_ddot(f, Y + i, f, KY + j, f);
        solved = solved && decomposeSymmetric(f, B, d, KY, support);
        if (solved) *softest = d[0];
        if (!solved) status = refuseLapack("eigenvalue problem of the stiffness");
    }
    free(B);
    free(support);
    return status;
}

/* The largest translation, over the world's length, or rotation of a body in dq. */
static double largestMove(const ukStatics *s, const double *dq)
{
    double largest = 0;
    for (int k = 0; k < s->poses->bodies; k++, dq += 6)
        largest = fmax(largest, fmax(sqrt(ukDot(dq, dq)) / s->length, sqrt(ukDot(dq + 3, dq + 3))));
    return largest;
}

double ukStiffnessStep(const ukStiffness *k, double most, double *dq)
{
    static const double floor = 1e-9, soft = 1e-3; /* of the largest eigenvalue; of the statics' scale */
    const int f = k->free, n = k->n;
    double largest = 0, slope = 0, *const mode = k->work;
    memset(dq, 0, (size_t)n * sizeof *dq);
    for (int i = 0; i < f; i++) largest = fmax(largest, fabs(k->kappa[i]));
    const double least = fmax(floor * largest, soft * k->statics->scale);
    for (int e = 0; e < f; e++) {
        double along = 0;
        memset(mode, 0, (size_t)n * sizeof *mode);
        for (int i = 0; i < f; i++) {
            along += k->Z[i * f + e] * k->c[i];
            cblas_daxpy(n, k->Z[i * f + e], k->V + (size_t)(k->rank + i) * (size_t)n, 1, mode, 1);
        }
        if (along == 0) continue;
        ukPosesScale(k->statics->poses, true, mode);
        const double move = largestMove(k->statics, mode), full = along / fmax(fabs(k->kappa[e]), least);
        const double x = copysign(fmin(fabs(full), most / move), along);
        slope += along * x;
        cblas_daxpy(n, x, mode, 1, dq, 1);
    }
    const double move = largestMove(k->statics, dq), shorter = move > most ? most / move : 1;
    for (int i = 0; i < n; i++) dq[i] *= shorter;
    return shorter * slope;
}
