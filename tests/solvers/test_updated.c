/* SPDX-License-Identifier: BSD-3-Clause */
/* Factors of a matrix whose rows and columns come and go one at a time, against the equations themselves: after each of
 * a thousand changes, symmetric, and with columns that have others added to them as those of sliding contacts have. */
#include "bounded_oracle.h"
#include "solvers/factor/updated.h"
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

enum { Most = 48, Ld = Most + 2, Changes = 1000 };

static double A[Most * Most]; /* by rows */

static void make(ukRandom *random, bool symmetric)
{
    double G[Most * Most];
    ukRandomVector(random, 1, G, Most * Most);
    for (int i = 0; i < Most; i++)
        for (int j = 0; j < Most; j++) {
            double sum = i == j;
            for (int k = 0; k < Most; k++) sum += G[i * Most + k] * G[j * Most + k];
            A[i * Most + j] = sum;
        }
    for (int j = 0; j < Most && !symmetric; j += 3)
        for (int i = 0; i < Most; i++) A[i * Most + j] += 0.3 * A[i * Most + j + 1] - 0.3 * A[i * Most + j + 2];
}

static bool append(ukUpdated *U, int row)
{
    double above[Ld], left[Ld];
    for (int k = 0; k < U->count; k++) {
        above[k] = A[U->row[k] * Most + row];
        left[k] = A[row * Most + U->row[k]];
    }
    return ukUpdatedAppend(U, row, above, left, A[row * Most + row]);
}

/* number of the row among those that are there, -1: it is not */
static int find(const ukUpdated *U, int row)
{
    for (int k = 0; k < U->count; k++)
        if (U->row[k] == row) return k;
    return -1;
}

/* x (count) <- A^-1 x */
static void solveUpdated(ukUpdated *U, double *x)
{
    double r[Most];
    for (int k = 0; k < U->count; k++) r[U->row[k]] = x[k];
    ukUpdatedForgetKept(U);
    ukUpdatedSolveKept(U, r, x);
}

/* the largest miss of an equation, relative to its terms */
static double missOf(const ukUpdated *U, const double *r, const double *x)
{
    double worst = 0;
    for (int i = 0; i < U->count; i++) {
        double miss = -r[i], scale = fabs(r[i]);
        for (int j = 0; j < U->count; j++) {
            miss += A[U->row[i] * Most + U->row[j]] * x[j];
            scale += fabs(A[U->row[i] * Most + U->row[j]] * x[j]);
        }
        worst = fmax(worst, fabs(miss) / scale);
    }
    return worst;
}

static void testChanges(bool symmetric)
{
    ukRandom random = {7};
    ukArena arena = ukArenaOver(NULL, 0);
    ukUpdated U;
    ukUpdatedCarve(&U, Ld, &arena);
    void *memory = aligned_alloc(64, (arena.used + 127) / 64 * 64);
    arena = ukArenaOver(memory, arena.used + 64);
    ukUpdatedCarve(&U, Ld, &arena);
    double r[Ld], x[Ld], worst = 0;
    int largest = 0;
    make(&random, symmetric);
    ukUpdatedClear(&U, symmetric);
    for (int c = 0; c < Changes; c++) {
        const int row = ukRandomInt(&random, 0, Most - 1), at = find(&U, row);
        if (at < 0)
            CHECK(append(&U, row));
        else
            ukUpdatedDrop(&U, at);
        CHECK((find(&U, row) < 0) == (at >= 0));
        ukRandomVector(&random, 1, r, U.count);
        memcpy(x, r, sizeof x);
        solveUpdated(&U, x);
        worst = fmax(worst, missOf(&U, r, x));
        largest = U.count > largest ? U.count : largest;
    }
    CHECK(worst < (symmetric ? 1e-13 : 1e-11));
    CHECK(largest > Most / 2);
    printf("symmetric %d: %.1e, up to %d rows\n", symmetric, worst, largest);
    free(memory);
}

/* The kept forward substitution gives the bits of a whole one, after appended and dropped rows and for a new right-hand
 * side. */
static void testKept(bool symmetric)
{
    ukRandom random = {11};
    double storage[8 * Ld * Ld], r[Most], x[Ld], whole[Ld];
    ukArena arena = ukArenaOver(storage, sizeof storage);
    ukUpdated U;
    ukUpdatedCarve(&U, Ld, &arena);
    make(&random, symmetric);
    ukUpdatedClear(&U, symmetric);
    ukRandomVector(&random, 1, r, Most);
    for (int c = 0; c < Changes; c++) {
        for (int k = ukRandomInt(&random, 1, 3); k > 0; k--) {
            const int row = ukRandomInt(&random, 0, Most - 1), at = find(&U, row);
            if (at >= 0)
                ukUpdatedDrop(&U, at);
            else
                CHECK(append(&U, row));
        }
        if (c % 50 == 49) {
            ukRandomVector(&random, 1, r, Most);
            ukUpdatedForgetKept(&U);
        }
        ukUpdatedSolveKept(&U, r, x);
        for (int k = 0; k < U.count; k++) whole[k] = r[U.row[k]];
        solveUpdated(&U, whole);
        CHECK(memcmp(x, whole, (size_t)U.count * sizeof *x) == 0);
    }
}

/* Rows factorized at once give the bits of rows appended one by one, also in the appended and dropped rows after
 * them. */
static void testAtOnce(bool symmetric)
{
    enum { Count = 37 };
    ukRandom random = {13};
    double storage[8 * Ld * Ld], more[8 * Ld * Ld], r[Most], x[2][Ld];
    ukArena arena = ukArenaOver(storage, sizeof storage), other = ukArenaOver(more, sizeof more);
    ukUpdated U, V;
    int row[Count];
    ukUpdatedCarve(&U, Ld, &arena);
    ukUpdatedCarve(&V, Ld, &other);
    make(&random, symmetric);
    ukRandomVector(&random, 1, r, Most);
    ukUpdatedClear(&U, symmetric);
    ukUpdatedClear(&V, symmetric);
    for (int k = 0; k < Count; k++) {
        row[k] = (k * 11 + 3) % Most;
        CHECK(append(&U, row[k]));
        for (int j = 0; j <= k; j++) {
            V.R[j * Ld + k] = A[row[j] * Most + row[k]];
            if (j < k && !symmetric) V.L[j * Ld + k] = A[row[k] * Most + row[j]];
        }
    }
    CHECK(ukUpdatedFactor(&V, row, Count) && V.count == Count);
    for (int k = 0; k < 20; k++) {
        ukUpdatedSolveKept(&U, r, x[0]);
        ukUpdatedSolveKept(&V, r, x[1]);
        CHECK(memcmp(x[0], x[1], (size_t)U.count * sizeof *r) == 0);
        ukUpdatedDrop(&U, 3 * k % U.count);
        ukUpdatedDrop(&V, 3 * k % V.count);
        if (k % 2 && find(&U, k) < 0) CHECK(append(&U, k) && append(&V, k));
    }
}

/* A row that depends on others is not taken, and the others are as they were. */
static void testDependent(void)
{
    double storage[8 * Ld * Ld], x[Ld] = {1, 2}, above[Ld] = {1, 1}, left[Ld];
    ukArena arena = ukArenaOver(storage, sizeof storage);
    ukUpdated U;
    ukUpdatedCarve(&U, Ld, &arena);
    ukUpdatedClear(&U, true);
    CHECK(ukUpdatedAppend(&U, 5, above, left, 1));
    above[0] = 0;
    CHECK(ukUpdatedAppend(&U, 6, above, left, 1));
    above[0] = above[1] = 1;
    CHECK(!ukUpdatedAppend(&U, 7, above, left, 2));
    CHECK(U.count == 2);
    solveUpdated(&U, x);
    CHECK(x[0] == 1 && x[1] == 2);
}

int main(void)
{
    testChanges(true);
    testChanges(false);
    testKept(true);
    testKept(false);
    testAtOnce(true);
    testAtOnce(false);
    testDependent();
    return ukTestEnd();
}
