/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/diagnose/mobility.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/diagnose/coordinate.h"
#include "bridge/island/metric.h"
#include "bridge/island/stepper.h"
#include "bridge/step/evaluate.h"
#include "solvers/base/status.h"
#include "solvers/equality/left_null.h"
#include "solvers/problem/tolerance.h"

/* One island: n = 6 x bodies coordinates, d of them free. */
typedef struct Free {
    const ukIsland *island;
    int n, d;
    double *basis; /* (d x n) orthonormal in M, owned; capacity n x n */
    double least;  /* of a rate over its unit: less is none */
} Free;

/* B' (n x m) of the island's rigid rows as unit rows; returns m. Bt NULL: only counts. */
static int rigidRows(const ukIsland *island, int m, double *Bt)
{
    const ukProblem *p = &island->ideal->problem;
    int row = 0;
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *block = &p->block[k];
        const struct ukConstraint *c = island->rows.owners[k].constraint;
        const double *A = c && c->servo ? c->A : p->A + block->A; /* a servo's own rows, not those of its actuators */
        for (int i = 0; i < block->rows; i++) {
            if (!ukRowExact(island, block->row + i)) continue;
            const double unit = Bt ? ukRowUnit(p, block, block->row + i, 0) : 0;
            for (int slot = 0; Bt && slot < block->slots; slot++) {
                const int body = p->body[block->slot + slot];
                double x[6];
                if (body < 0) continue;
                memcpy(x, A + 6 * (size_t)(i * block->slots + slot), sizeof x);
                ukMetricRow(p, body, x);
                for (int c = 0; c < 6; c++) Bt[(size_t)(6 * body + c) * (size_t)m + (size_t)row] = unit * x[c];
            }
            row++;
        }
    }
    return row;
}

/* The right null space of B, in velocities. */
static int findBasis(Free *f)
{
    const ukIsland *island = f->island;
    const size_t n = (size_t)f->n;
    const int m = rigidRows(island, 0, NULL);
    const double tolerance = ukRankTolerance(island, island->problem);
    double *work = calloc(n * (size_t)m + n * n + n + 1, sizeof *work);
    int rank = 0;
    f->least = fmax(1e-6, 10 * tolerance);
    f->basis = malloc((n * n + 1) * sizeof *f->basis);
    if (!work || !f->basis) {
        free(work);
        return ukErrorMemory;
    }
    double *Bt = work, *U = Bt + n * (size_t)m, *sigma = U + n * n;
    rigidRows(island, m, Bt);
    const int status = ukLeftNull(f->n, m, Bt, tolerance, U, sigma, &rank);
    f->d = status == ukOk ? f->n - rank : 0;
    for (int i = 0; i < f->d; i++) {
        double *v = f->basis + (size_t)i * n;
        for (size_t c = 0; c < n; c++) v[c] = U[c * n + (size_t)(rank + i)];
        for (int body = 0; body < f->n / 6; body++) ukMetricVelocity(&island->ideal->problem, body, v + 6 * body);
    }
    free(work);
    return status;
}

/* The coordinates chosen so far: rows of W = T K, with K orthonormal and T lower triangular, W_ij = J_i . basis_j. */
typedef struct Chosen {
    int d, count;
    int *of;      /* (d) numbers of coordinates */
    double *T;    /* (d x d) */
    double *K;    /* (d x d) */
    double *work; /* (d) */
} Chosen;

/* Takes coordinate `number` if it is independent of those before. */
static void takeCoordinate(Chosen *c, const Free *f, const ukCoordinate *coordinate, int number, double least)
{
    const size_t d = (size_t)c->d, i = (size_t)c->count;
    double *w = c->work, *t = c->T + i * d, norm = 0;
    for (size_t j = 0; j < d; j++) w[j] = ukCoordinateRate(coordinate, f->basis + j * (size_t)f->n);
    memset(t, 0, d * sizeof *t);
    for (int sweep = 0; sweep < 2; sweep++)
        for (size_t k = 0; k < i; k++) {
            double along = 0;
            for (size_t j = 0; j < d; j++) along += c->K[k * d + j] * w[j];
            for (size_t j = 0; j < d; j++) w[j] -= along * c->K[k * d + j];
            t[k] += along;
        }
    for (size_t j = 0; j < d; j++) norm += w[j] * w[j];
    norm = sqrt(norm);
    if (!(norm > least * coordinate->unit)) return;
    t[i] = norm;
    for (size_t j = 0; j < d; j++) c->K[i * d + j] = w[j] / norm;
    c->of[c->count++] = number;
}

/* v (n) := the motion of chosen coordinate i: K' y with T y = e_i, of length 1. */
static void freeMotion(const Chosen *c, const Free *f, int i, double *v)
{
    const size_t d = (size_t)c->d, n = (size_t)f->n;
    double *y = c->work, norm = 0;
    for (size_t k = 0; k < d; k++) {
        y[k] = k == (size_t)i;
        for (size_t j = 0; j < k; j++) y[k] -= c->T[k * d + j] * y[j];
        y[k] /= c->T[k * d + k];
        norm += y[k] * y[k];
    }
    memset(v, 0, n * sizeof *v);
    for (size_t j = 0; j < d; j++) {
        double x = 0;
        for (size_t k = 0; k < d; k++) x += c->K[k * d + j] * y[k];
        for (size_t q = 0; q < n; q++) v[q] += x / sqrt(norm) * f->basis[j * n + q];
    }
}

/* Computes the motions (d x n) of an island and describes them in words. */
static int findMotions(const Free *f, double *motion, char (*words)[ukMotionWords])
{
    const ukIsland *island = f->island;
    const size_t d = (size_t)f->d, most = 3 * (size_t)island->joints + (size_t)f->n;
    ukCoordinate *coordinate = malloc((most + 1) * sizeof *coordinate);
    double *work = malloc((2 * d * d + d + 1) * sizeof *work);
    int *of = malloc((d + 1) * sizeof *of);
    if (coordinate && work && of) {
        Chosen c = {.d = f->d, .of = of, .T = work, .K = work + d * d, .work = work + 2 * d * d};
        const int count = ukCoordinatesOf(island, coordinate);
        for (double least = f->least; c.count < c.d && least > 0; least *= 1e-3)
            for (int i = 0; i < count && c.count < c.d; i++) takeCoordinate(&c, f, &coordinate[i], i, least);
        for (int i = 0; i < c.count; i++) {
            double *v = motion + (size_t)i * (size_t)f->n;
            freeMotion(&c, f, i, v);
            ukMotionDescribe(coordinate, count, &coordinate[of[i]], v, f->least, words[i]);
        }
    }
    const bool memory = coordinate && work && of;
    free(coordinate);
    free(work);
    free(of);
    return memory ? ukOk : ukErrorMemory;
}

/* The answer: all arrays in one block. */
typedef struct Block {
    double *basis, *motion, *own; /* (count x n), the same, (count x n) scratch of one island's motions */
    const char **words;
    char (*text)[ukMotionWords];
    dBodyID *bodies;
} Block;

static void carveMobility(Block *b, ukArena *a, size_t count, size_t n)
{
    UKODE_DOUBLES(a, count * n, &b->basis, &b->motion, &b->own);
    b->words = ukArenaBytes(a, (count + 1) * sizeof *b->words);
    b->text = ukArenaBytes(a, (count + 1) * sizeof *b->text);
    b->bodies = ukArenaBytes(a, (n / 6 + 1) * sizeof *b->bodies);
}

static int fillMobility(const Free *free_of, int islands, Block *b, size_t n)
{
    size_t row = 0, column = 0;
    for (int k = 0; k < islands; k++) {
        const Free *f = &free_of[k];
        const size_t own = (size_t)f->n;
        const int status = findMotions(f, b->own, b->text + row);
        if (status != ukOk) return status;
        for (size_t i = 0; i < (size_t)f->d; i++, row++) {
            memcpy(b->basis + row * n + column, f->basis + i * own, own * sizeof(double));
            memcpy(b->motion + row * n + column, b->own + i * own, own * sizeof(double));
            b->words[row] = b->text[row];
        }
        column += own;
    }
    return ukOk;
}

static int computeMobility(ukStepper *s, const Free *free_of, ukMobility *out)
{
    const size_t n = (size_t)out->n, count = (size_t)out->count;
    Block b;
    ukArena arena = ukArenaOver(NULL, 0);
    carveMobility(&b, &arena, count, n);
    void *memory = ukArenaAllocate(&arena);
    if (!memory) return ukErrorMemory;
    carveMobility(&b, &arena, count, n);
    const int status = fillMobility(free_of, s->island_count, &b, n);
    if (status != ukOk) {
        free(memory);
        return status;
    }
    for (int i = 0; i < s->moving_count; i++) b.bodies[i] = s->bodies.handle[i];
    free(s->analysis[ukAnalysisMobility]);
    s->analysis[ukAnalysisMobility] = memory;
    out->basis = b.basis, out->motion = b.motion, out->words = b.words, out->bodies = b.bodies;
    return ukOk;
}

/* ukRowsUse: data is the ukMobility */
static int mobilityOfRows(ukWorld *world, void *data)
{
    ukStepper *s = world->stepper;
    ukMobility out = {.n = 6 * s->moving_count};
    Free *free_of = calloc((size_t)s->island_count + 1, sizeof *free_of);
    int status = free_of ? ukOk : ukErrorMemory;
    for (int k = 0; k < s->island_count && status == ukOk; k++) {
        Free *f = &free_of[k];
        *f = (Free){.island = &s->islands[k], .n = 6 * s->ideal[k].problem.bodies};
        status = findBasis(f);
        out.count += f->d;
    }
    if (status == ukOk) status = computeMobility(s, free_of, &out);
    for (int k = 0; free_of && k < s->island_count; k++) free(free_of[k].basis);
    free(free_of);
    if (status != ukOk)
        return ukErrorSet(status, "the mobility matrix cannot be computed (bodies: %d): %s", s->moving_count,
                          ukErrorText(status));
    *(ukMobility *)data = out;
    return ukOk;
}

int ukMobilityOf(ukWorld *world, ukMobility *mobility)
{
    return ukEvaluateRows(world, mobilityOfRows, mobility);
}
