/* SPDX-License-Identifier: BSD-3-Clause */
/* A small matrix within its skyline: against the definition, K = U' U and what is eliminated along with it, and the
 * same bits by the processor's widest vectors and by those of any. */
#include "solvers/factor/skyline.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"

enum { Most = 45, Ld = 64 };

static unsigned seed = 1;

static double uniform(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / (1 << 23) - 1;
}

typedef struct Case {
    int n, lots, lot[3]; /* rows; columns beside them come in lots, which end at lot[k] */
    int first[Most + 1];
    int begin[Ld]; /* of the columns */
    double K[Most][Most], Y[(Most + 1) * Ld], S[Ld * Ld], z[Most + 1], x[Ld];
} Case;

/* blocks of one to six rows, each beginning in the skyline where some block before it does */
static void make(Case *c, int n)
{
    memset(c, 0, sizeof *c);
    c->n = n;
    for (int begin = 0, rows; begin < n; begin += rows) {
        rows = 1 + (int)((seed >> 9) % 6);
        const int first = begin > 0 && uniform() > -0.7 ? c->first[(int)((seed >> 9) % (unsigned)begin)] : begin;
        for (int i = begin; i < begin + rows && i < n; i++) c->first[i] = first;
        for (int i = begin; i < begin + rows && i < n; i++)
            for (int j = first; j <= i; j++) c->K[i][j] = c->K[j][i] = i == j ? n : uniform();
    }
    c->lots = 3, c->lot[0] = 5, c->lot[1] = 6, c->lot[2] = 6 + n % 9;
    for (int i = 0; i < c->lot[2]; i++) c->begin[i] = (int)(0.5 * (1 + uniform()) * n);
    for (int e = 0; e < n; e++)
        for (int i = 0; i < c->lot[2]; i++) c->Y[e * Ld + i] = e < c->begin[i] ? 0 : uniform();
    for (int i = 0; i < c->lot[2]; i++)
        for (int k = i; k < c->lot[2]; k++) c->S[i * Ld + k] = uniform();
    for (int i = 0; i < n; i++) c->z[i] = uniform();
    for (int i = 0; i < c->lot[2]; i++) c->x[i] = uniform();
}

/* columns of Y, and of the upper triangle of S, of the given case; what is behind them is zero */
static void add(Case *c, const Case *given, const ukSkylineColumns *lot)
{
    for (int e = 0; e <= Most; e++)
        for (int i = lot->from; i < lot->to + 3; i++) c->Y[e * Ld + i] = i < lot->to ? given->Y[e * Ld + i] : 0;
    for (int i = 0; i < lot->to; i++)
        for (int k = i > lot->from ? i : lot->from; k < lot->to + 3; k++)
            c->S[i * Ld + k] = k < lot->to ? given->S[i * Ld + k] : 0;
}

/* what a caller does; c: what comes of it. False: a pivot is lost. */
static bool go(ukSkyline *K, const Case *given, Case *c, bool wide, double *forward)
{
    *c = *given;
    K->wide = wide && K->wide, K->rows = c->n;
    memcpy(K->first, c->first, (size_t)c->n * sizeof *K->first);
    ukSkylineClear(K);
    for (int i = 0; i < c->n; i++)
        for (int j = c->first[i]; j <= i; j++) K->U[j * K->ld + i] = c->K[i][j];
    if (!ukSkylineFactor(K, 1e-10, 1e-14)) return false;
    for (int k = 0; k < c->lots; k++) {
        const ukSkylineColumns lot = {c->Y, Ld, k > 0 ? c->lot[k - 1] : 0, c->lot[k], c->begin};
        add(c, given, &lot);
        ukSkylineEliminate(K, &lot);
        ukSkylineComplement(K, &lot, c->S);
    }
    ukSkylineForward(K, c->z);
    memcpy(forward, c->z, sizeof c->z);
    ukSkylineMultiply(K, &(ukSkylineColumns){c->Y, Ld, 0, c->lot[c->lots - 1], NULL}, c->x, c->z);
    ukSkylineBackward(K, c->z);
    return true;
}

static ukSkyline carved(void)
{
    ukSkyline K;
    ukArena arena = ukArenaOver(NULL, 0);
    ukSkylineCarve(&K, Most, &arena);
    const size_t size = (arena.used + 63) / 64 * 64;
    void *memory = aligned_alloc(64, size);
    memset(memory, 0xff, size); /* NaN: what is read must have been written */
    arena = ukArenaOver(memory, size);
    ukSkylineCarve(&K, Most, &arena);
    return K;
}

/* U' v of what is in U, v with a stride */
static double timesTransposed(const ukSkyline *K, const double *v, int stride, int row)
{
    double sum = v[row * stride] / K->pivot[row];
    for (int j = K->first[row]; j < row; j++) sum += K->U[j * K->ld + row] * v[j * stride];
    return sum;
}

static void againstDefinition(const ukSkyline *K, const Case *given, const Case *c, const double *forward)
{
    const int n = c->n, columns = c->lot[c->lots - 1];
    for (int i = 0; i < n; i++) {
        for (int k = c->first[i]; k < i; k++) {
            double sum = K->U[k * K->ld + i] / K->pivot[k];
            for (int j = c->first[i] > c->first[k] ? c->first[i] : c->first[k]; j < k; j++)
                sum += K->U[j * K->ld + i] * K->U[j * K->ld + k];
            CHECK_NEAR(sum, given->K[i][k], 1e-13 * n);
        }
        for (int k = 0; k < columns; k++)
            CHECK_NEAR(timesTransposed(K, c->Y + k, Ld, i), given->Y[i * Ld + k], 1e-13 * n);
        CHECK_NEAR(timesTransposed(K, forward, 1, i), given->z[i], 1e-13 * n);
        double sum = c->z[i] / K->pivot[i] - forward[i]; /* U z = forward + Y x */
        for (int k = i + 1; k < n; k++) sum += c->first[k] <= i ? K->U[i * K->ld + k] * c->z[k] : 0;
        for (int k = 0; k < columns; k++) sum -= c->Y[i * Ld + k] * c->x[k];
        CHECK_NEAR(sum, 0, 1e-13 * n);
    }
    for (int i = 0; i < columns; i++)
        for (int k = i; k < columns; k++) {
            double sum = given->S[i * Ld + k];
            for (int e = 0; e < n; e++) sum -= c->Y[e * Ld + i] * c->Y[e * Ld + k];
            CHECK_NEAR(c->S[i * Ld + k], sum, 1e-13 * n);
        }
}

int main(void)
{
    static Case given, c, other;
    double forward[Most + 1], again[Most + 1];
    ukSkyline K = carved();
    for (int n = 1; n <= Most; n++) {
        make(&given, n);
        CHECK(go(&K, &given, &c, true, forward));
        againstDefinition(&K, &given, &c, forward);
        CHECK(go(&K, &given, &other, false, again));
        CHECK(memcmp(other.z, c.z, sizeof c.z) == 0 && memcmp(other.Y, c.Y, sizeof c.Y) == 0 &&
              memcmp(again, forward, (size_t)n * sizeof *again) == 0);
        for (int i = 0; i < c.lot[c.lots - 1]; i++)
            CHECK(memcmp(other.S + i * Ld + i, c.S + i * Ld + i, (size_t)(c.lot[c.lots - 1] - i) * sizeof *c.S) == 0);
        free(K.first); /* all of its memory */
        K = carved();
    }
    make(&given, 7);
    for (int j = 0; j < 7; j++) given.first[j] = 0, given.K[6][j] = given.K[5][j], given.K[6][6] = given.K[5][5];
    CHECK(go(&K, &given, &c, true, forward)); /* the same row twice: it gets what it lacks */
    CHECK_NEAR(1 / (K.pivot[6] * K.pivot[6]), 1e-10 * 7, 1e-13);
    given.K[6][6] *= 0.5;
    CHECK(!go(&K, &given, &c, true, forward)); /* indefinite */
    free(K.first);
    return ukTestEnd();
}
