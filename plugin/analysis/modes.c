/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/analysis/modes.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/base/progress.h"
#include "bridge/island/stepper.h"
#include "plugin/analysis/deflate.h"
#include "plugin/analysis/linearize.h"
#include "solvers/base/arena.h"
#include "solvers/base/lapack.h"
#include "solvers/base/status.h"

/* Below this part of the largest eigenvalue one counts as zero: two that coincide at zero, as those of a rigid motion,
 * are split by the square root of A's error. */
static const double vanishing = 1e-5;
/* The same of the world's own rate, where nothing else moves. */
static const double motionless = 1e-7;
/* A growth below this part of the largest eigenvalue counts as none. */
static const double steady = 1e-7;

/* Eigenvalues of A (n x n), and which of them are modes; the positions' part of their right eigenvectors. */
typedef struct Eigen {
    int n, positions, modes;
    bool still;                      /* A = [0 1; K 0] with a symmetric K: decomposeStill */
    double *A, *real, *imag, *sigma; /* A: a copy (n x n); the others (n) */
    double *V;                       /* columns: of a pair the real and the imaginary part; `width` numbers per row */
    int width;                       /* n, or, if still, positions */
    double least;                    /* eigenvalues up to this size are zero */
    double largest, rate;            /* rate: of the world [1/s] */
    int *order, *column;             /* (modes) indices of eigenvalues by size, of a pair the first; columns of V */
} Eigen;

static void carveEigen(Eigen *e, ukArena *a)
{
    const size_t n = (size_t)e->n;
    e->A = ukArenaDoubles(a, n * n);
    e->V = ukArenaDoubles(a, n * n);
    e->real = ukArenaDoubles(a, n);
    e->imag = ukArenaDoubles(a, n);
    e->sigma = ukArenaDoubles(a, 2 * n);
    e->order = ukArenaInts(a, n);
    e->column = ukArenaInts(a, n);
}

static double sizeOfEigenvalue(const Eigen *e, int i)
{
    return hypot(e->real[i], e->imag[i]);
}

static int refuseEigen(int n)
{
    return ukErrorSet(ukErrorNotConverged, "the eigenvalues (states: %d) do not converge", n);
}

/* Whether A = [0 1; K 0] and K = K' within the error of A: a world at rest, without damping and follower forces. */
static bool isStill(const ukLinearization *l)
{
    static const double rounding = 1e-15; /* of damping, relative to the largest rate */
    const int p = l->positions, n = p + l->velocities;
    double size = 0, skew = 0, damping = 0;
    if (p != l->velocities) return false;
    for (int i = 0; i < p; i++)
        for (int j = 0; j < p; j++) {
            const double *const K = l->A + (size_t)p * (size_t)n;
            size = fmax(size, fabs(K[i * n + j]));
            skew = fmax(skew, fabs(K[i * n + j] - K[j * n + i]));
            damping = fmax(damping, fabs(K[i * n + p + j]));
            if (l->A[i * n + j] != 0 || l->A[i * n + p + j] != (i == j)) return false;
        }
    return skew <= l->error * size && damping <= rounding * sqrt(size);
}

/* The eigenvalues of [0 1; K 0] are the square roots of those of K, a symmetric matrix of half the size; their vectors
 * begin with those of K. */
static int decomposeStill(Eigen *e, const ukLinearization *l)
{
    const int p = e->positions, n = e->n;
    int found = 0;
    double *const value = e->sigma;
    e->width = p;
    for (int i = 0; i < p; i++)
        for (int j = 0; j <= i; j++) e->A[i * p + j] = 0.5 * (l->A[(p + i) * n + j] + l->A[(p + j) * n + i]);
    if (LAPACKE_dsyevr(LAPACK_COL_MAJOR, 'V', 'A', 'U', p, e->A, p, 0, 0, 0, 0, 0, &found, value, e->V, p, e->order) !=
            0 ||
        found != p)
        return refuseEigen(n);
    for (int i = 0; i < p; i++) {
        const double root = sqrt(fabs(value[i]));
        for (int side = 0; side < 2; side++) {
            e->real[2 * i + side] = value[i] > 0 ? (side ? -root : root) : 0;
            e->imag[2 * i + side] = value[i] > 0 ? 0 : (side ? -root : root);
            e->column[2 * i + side] = i;
        }
    }
    return ukOk;
}

/* e->A := A in units of time of 1/unit, a power of two: a similarity transformation and a factor, without rounding */
static void scaleTime(const Eigen *e, const ukLinearization *l, double unit)
{
    const int n = e->n, p = e->positions;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const int powers = (i >= p) - (j >= p) + 1; /* of 1/s, in an entry */
            e->A[i * n + j] = l->A[i * n + j] / pow(unit, powers);
        }
}

/* e->V := U V of a scaled matrix that was deflated, in the units of the world */
static int returnScale(const Eigen *e, const double *U, double unit)
{
    const int n = e->n;
    double *const V = malloc((size_t)(n * n) * sizeof *V);
    if (!V) return ukErrorMemory;
    memcpy(V, e->V, (size_t)(n * n) * sizeof *V);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, U, n, V, n, 0, e->V, n);
    free(V);
    for (int i = 0; i < n; i++) {
        e->real[i] *= unit, e->imag[i] *= unit;
        for (int j = 0; j < n && i >= e->positions; j++) e->V[i * n + j] *= unit;
    }
    return ukOk;
}

static int decomposeFull(Eigen *e, const ukLinearization *l)
{
    const int n = e->n;
    const double unit = ldexp(1, ilogb(e->rate)), tolerance = 8 * n * DBL_EPSILON + 2 * l->error;
    double none[1], *const U = malloc((size_t)(n * n) * sizeof *U);
    int zeros = 0, status = U ? ukOk : ukErrorMemory;
    e->width = n;
    for (int i = 0; i < n; i++) e->column[i] = i;
    scaleTime(e, l, unit);
    if (status == ukOk) status = ukDeflateZeros(n, e->A, tolerance, U, &zeros);
    if (status == ukOk && zeros == 0) memcpy(e->A, l->A, (size_t)(n * n) * sizeof *e->A);
    if (status == ukOk &&
        LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'V', n, e->A, n, e->real, e->imag, none, 1, e->V, n) != 0)
        status = refuseEigen(n);
    if (status == ukOk && zeros > 0) status = returnScale(e, U, unit);
    free(U);
    if (status == ukErrorMemory) ukErrorSet(ukErrorMemory, "no memory for the modes (states: %d)", n);
    return status;
}

static int decomposeModes(Eigen *e, const ukLinearization *l)
{
    const int n = e->n;
    if (n == 0) return ukOk;
    ukProgressStore(ukProgressModes, 0, 0);
    e->still = isStill(l);
    const int status = e->still ? decomposeStill(e, l) : decomposeFull(e, l);
    if (status != ukOk) return status;
    double size = 0;
    for (int i = 0; i < n; i++) e->largest = fmax(e->largest, sizeOfEigenvalue(e, i));
    for (int i = 0; i < n * n; i++) size = fmax(size, fabs(l->A[i]));
    e->least = fmax(fmax(vanishing * e->largest, motionless * e->rate), 8 * sqrt(l->error * size));
    for (int i = 0; i < n; i++) {
        if (e->imag[i] < 0 || sizeOfEigenvalue(e, i) <= e->least) continue;
        int at = e->modes++;
        for (; at > 0 && sizeOfEigenvalue(e, e->order[at - 1]) > sizeOfEigenvalue(e, i); at--)
            e->order[at] = e->order[at - 1];
        e->order[at] = i;
    }
    return ukOk;
}

/* Number of independent motions of the pose that A leaves at rest: the nullity of A, time in units of the fastest
 * mode. */
static int restingMotions(const Eigen *e, const ukLinearization *l, int *zero)
{
    const int n = e->n, p = l->positions;
    const double unit = e->largest > e->least ? e->largest : e->rate;
    const double least = fmax(1e-8, 100 * l->error);
    double none[1];
    *zero = 0;
    if (n == 0) return ukOk;
    if (e->still) { /* the singular values are 1 and those of K */
        for (int i = 0; i < p; i++) *zero += fabs(e->sigma[i]) / (unit * unit) <= least;
        return ukOk;
    }
    scaleTime(e, l, unit);
    if (LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'N', n, n, e->A, n, e->sigma, none, 1, none, 1, e->sigma + n) != 0)
        return ukErrorSet(ukErrorNotConverged, "the singular values (states: %d) do not converge", n);
    for (int i = 0; i < n; i++) *zero += e->sigma[i] <= least;
    return ukOk;
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

/* The place of each moving body among the world's, in the order of creation (bodies); NULL: no memory. */
static int *placesOf(const ukWorld *world, const ukLinearization *l)
{
    int place = 0;
    int *const places = calloc((size_t)l->bodies + 1, sizeof *places);
    for (const ukBody *b = world->oldest_body; b && places; b = b->newer) {
        if (!b->handle) continue;
        for (int k = 0; k < l->bodies; k++)
            if (l->body[k] == b->handle) places[k] = place;
        place++;
    }
    return places;
}

/* A part of the displacement of the moving bodies (6 each) in an eigenvector, to the places of the world's bodies.
 * Column `column` of V, which has it as a row if the world is still. */
static void addToShape(const ukLinearization *l, const Eigen *e, const int *places, int column, double *shape)
{
    const int n = 6 * l->bodies;
    for (int j = 0; j < l->positions; j++) {
        const double x = e->still ? e->V[column * e->width + j] : e->V[j * e->width + column];
        for (int k = 0; k < l->bodies && x != 0; k++)
            for (int c = 0; c < 6; c++) shape[6 * places[k] + c] += l->Nq[j * n + 6 * k + c] * x;
    }
}

/* Divides a shape by its largest component, a complex number. */
static void normalizeShape(double *real, double *imag, int n)
{
    int most = 0;
    for (int i = 1; i < n; i++)
        if (hypot(real[i], imag[i]) > hypot(real[most], imag[most])) most = i;
    const double a = real[most], b = imag[most], square = a * a + b * b;
    for (int i = 0; i < n && square > 0; i++) {
        const double x = real[i], y = imag[i];
        real[i] = (x * a + y * b) / square;
        imag[i] = (y * a - x * b) / square;
    }
}

static void freePlaces(int *const *places)
{
    free(*places);
}

/* The modes as one block of the world: structs, then shapes. */
static int storeModes(ukWorld *world, const ukLinearization *l, const Eigen *e, const ukMode **modes)
{
    const size_t width = 6 * (size_t)world->body_count, count = (size_t)e->modes;
    __attribute__((cleanup(freePlaces))) int *const places = placesOf(world, l);
    ukMode *const out = calloc(1, count * (sizeof *out + 2 * width * sizeof(double)) + sizeof *out);
    if (!out || !places) {
        free(out);
        return ukErrorSet(ukErrorMemory, "no memory for %d modes", e->modes);
    }
    double *shape = (double *)(out + count);
    for (int k = 0; k < e->modes; k++) {
        const int i = e->order[k];
        const double size = sizeOfEigenvalue(e, i);
        addToShape(l, e, places, e->column[i], shape);
        if (e->imag[i] > 0 && !e->still) addToShape(l, e, places, e->column[i] + 1, shape + width);
        normalizeShape(shape, shape + width, (int)width);
        out[k] = (ukMode){.frequency = e->imag[i],
                          .growth = e->real[i],
                          .damping = e->real[i] != 0 ? -e->real[i] / size : 0,
                          .unstable = e->real[i] > steady * e->largest,
                          .shape = shape,
                          .shape_imag = shape + width};
        shape += 2 * width;
    }
    free(world->stepper->analysis[ukAnalysisModes]);
    world->stepper->analysis[ukAnalysisModes] = out;
    *modes = out;
    return ukOk;
}

int ukModesFind(ukWorld *world, const ukModesTask *asked, const ukMode **modes, int *count, int *zero,
                ukLinearization *about)
{
    double rate = 1;
    const ukLinearizeTask task = {.in = asked->in,
                                  .inputs = asked->inputs,
                                  .as = ukAnalysisModeStates,
                                  .rate = &rate,
                                  .following = true,
                                  .differences = asked->differences};
    ukLinearization l;
    int rest = 0;
    int status = ukLinearize(world, &task, &l);
    if (status != ukOk) return status;
    Eigen e = {.n = l.positions + l.velocities, .positions = l.positions, .rate = rate};
    ukArena arena = ukArenaOver(NULL, 0);
    carveEigen(&e, &arena);
    void *const memory = ukArenaAllocate(&arena);
    if (!memory) return ukErrorSet(ukErrorMemory, "no memory for the modes (states: %d)", e.n);
    carveEigen(&e, &arena);
    status = decomposeModes(&e, &l);
    if (status == ukOk) status = restingMotions(&e, &l, &rest);
    if (status == ukOk) status = storeModes(world, &l, &e, modes);
    free(memory);
    if (status != ukOk) return status;
    *count = e.modes;
    if (about) *about = l;
    if (zero) *zero = rest;
    return ukOk;
}
