/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/bounded/parametric.h"

#include "solvers/base/status.h"
#include "solvers/problem/block.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const double lost = 1e-15; /* what rounding makes of a pivot that is none */

enum { Free, AtLo, AtHi };

void ukParametricCarve(ukParametric *P, int rows, ukArena *arena)
{
    const size_t most = (size_t)rows, ld = (most + 3) & ~(size_t)1;
    P->most = rows, P->ld = (int)ld;
    P->kernel = ukKernelOfProcessor();
    P->row = ukArenaInts(arena, most);
    P->side = ukArenaBytes(arena, most);
    P->R = ukArenaDoubles(arena, most * ld);
    double **all[] = {&P->offset, &P->missed, &P->step, &P->fall, &P->z, &P->y};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) *all[k] = ukArenaDoubles(arena, ld);
}

/* x <- R'^-1 x */
static void forward(const ukParametric *P, double *x)
{
    const size_t ld = (size_t)P->ld;
    for (int j = 0; j < P->free; j++) {
        const double *R = P->R + (size_t)j * ld, at = x[j] /= R[j];
        ukPairSubtract(x + j + 1, R + j + 1, at, P->free - j - 1);
    }
}

/* x <- R^-1 x */
static void backward(const ukParametric *P, double *x)
{
    const size_t ld = (size_t)P->ld;
    for (int j = P->free - 1; j >= 0; j--) {
        const double *R = P->R + (size_t)j * ld;
        x[j] = (x[j] - ukPairDotEarly(x + j + 1, R + j + 1, P->free - j - 1)) / R[j];
    }
}

void ukParametricCorrect(const ukParametric *P, double *x)
{
    forward(P, x);
    backward(P, x);
}

/* the factor and z of all free rows at once */
static bool factor(ukParametric *P, const double *S)
{
    const size_t ld = (size_t)P->ld;
    for (int j = 0; j < P->free; j++) {
        const double *column = S + (size_t)P->row[j] * ld;
        double *R = P->R + (size_t)j * ld;
        for (int c = j; c < P->free; c++) R[c] = column[P->row[c]];
        for (int i = 0; i < j; i++) P->y[i] = P->R[(size_t)i * ld + (size_t)j];
        P->kernel->combine(R, j, P->free, P->R, P->ld, NULL, P->y, j);
        if (!(R[j] > lost * column[P->row[j]])) return false;
        const double pivot = sqrt(R[j]), inverse = 1 / pivot;
        R[j] = pivot;
        for (int c = j + 1; c < P->free; c++) R[c] *= inverse;
        P->z[j] = P->offset[P->row[j]];
    }
    forward(P, P->z);
    return true;
}

/* A row becomes free: the factor's last column. */
static bool append(ukParametric *P, const double *S, int row)
{
    const size_t ld = (size_t)P->ld;
    const double *column = S + (size_t)row * ld;
    const int f = P->free;
    for (int j = 0; j < f; j++) P->y[j] = column[P->row[j]];
    forward(P, P->y);
    double square = column[row], along = P->offset[row];
    for (int j = 0; j < f; j++) {
        square -= P->y[j] * P->y[j];
        along -= P->y[j] * P->z[j];
        P->R[(size_t)j * ld + (size_t)f] = P->y[j];
    }
    if (!(square > lost * column[row])) return false;
    const double pivot = sqrt(square);
    P->R[(size_t)f * ld + (size_t)f] = pivot;
    P->z[f] = along / pivot;
    P->row[f] = row;
    P->side[row] = Free;
    P->free++;
    return true;
}

/* Row k of the free ones is free no more: rotations make the factor triangular again, and z goes along. */
static void drop(ukParametric *P, int k)
{
    const size_t ld = (size_t)P->ld;
    const int f = --P->free;
    for (int j = 0; j <= k; j++) {
        double *R = P->R + (size_t)j * ld;
        memmove(R + k, R + k + 1, (size_t)(f - k) * sizeof *R);
    }
    memmove(P->row + k, P->row + k + 1, (size_t)(f - k) * sizeof *P->row);
    for (int j = k; j < f; j++) {
        double *R = P->R + (size_t)j * ld, *next = R + ld; /* next is one column behind */
        const double a = R[j], b = next[j + 1], size = sqrt(a * a + b * b), c = a / size, s = b / size;
        R[j] = size;
        for (int i = j + 1; i < f; i++) {
            const double up = R[i], down = next[i + 1];
            R[i] = c * up + s * down;
            next[i] = c * down - s * up;
        }
        const double up = P->z[j], down = P->z[j + 1];
        P->z[j] = c * up + s * down;
        P->z[j + 1] = c * down - s * up;
    }
}

double ukParametricSpread(int row)
{
    const unsigned int hash = ((unsigned int)row + 1) * 2654435769u;
    return 0.15 + 0.3 * (double)(hash >> 8) / (1 << 24);
}

/* The bound that the guess is at, or that its own equation alone would take it to; rows at a bound stay there. */
static unsigned char sideOf(double lambda, double natural, double lo, double hi)
{
    if (lambda <= lo) return AtLo;
    if (lambda >= hi) return AtHi;
    return natural <= lo ? AtLo : natural >= hi ? AtHi : Free;
}

/* Sides, offsets and the first factor. */
static bool begin(ukParametric *P, const double *S, int rows, const double *lo, const double *hi, double *lambda,
                  const double *w)
{
    const size_t ld = (size_t)P->ld;
    memcpy(P->missed, w, (size_t)rows * sizeof *w);
    for (int i = 0; i < rows; i++) {
        const double *column = S + (size_t)i * ld;
        P->side[i] = sideOf(lambda[i], lambda[i] - w[i] / column[i], lo[i], hi[i]);
        if (P->side[i] == Free) continue;
        const double to = P->side[i] == AtLo ? lo[i] : hi[i], by = to - lambda[i];
        lambda[i] = to;
        if (by != 0) P->kernel->combine(P->missed, 0, rows, column, P->ld, NULL, &(double){-by}, 1);
    }
    P->free = 0;
    for (int i = 0; i < rows; i++) {
        const double miss = P->missed[i];
        const bool held = P->side[i] == Free, wrong = P->side[i] == AtLo ? miss < 0 : miss > 0;
        P->offset[i] = held ? -miss : wrong ? -miss * (1 + ukParametricSpread(i)) : 0;
        P->missed[i] = held ? 0 : miss + P->offset[i];
        if (held) P->row[P->free++] = i;
    }
    return factor(P, S);
}

/* How multipliers and w change per unit of the path on the present free rows. */
static void direct(ukParametric *P, const double *S, int rows)
{
    memcpy(P->step, P->z, (size_t)P->free * sizeof *P->step);
    backward(P, P->step);
    memcpy(P->fall, P->offset, (size_t)rows * sizeof *P->fall);
    P->kernel->combine(P->fall, 0, rows, S, P->ld, P->row, P->step, P->free);
}

typedef struct Event {
    double length; /* of the path up to there */
    int free, row; /* number among the free rows, -1: it becomes free */
} Event;

/* The first row to change sides within `length`. The row `last` that just did so stands at its bound or at w = 0 but
 * for rounding, and does not go back (`side`: where it came from). */
static Event next(const ukParametric *P, int rows, const double *lo, const double *hi, const double *lambda,
                  double length, int last, int side)
{
    Event event = {length, -1, -1};
    for (int k = 0; k < P->free; k++) {
        const int i = P->row[k];
        const double step = P->step[k];
        if (step == 0 || (i == last && (step < 0 ? side == AtLo : side == AtHi))) continue;
        const double room = (step < 0 ? lo[i] : hi[i]) - lambda[i];
        if (room / step < event.length) event = (Event){room / step, k, i};
    }
    for (int i = 0; i < rows; i++) {
        if (P->side[i] == Free || i == last || lo[i] == hi[i]) continue;
        const double towards = P->side[i] == AtLo ? P->fall[i] : -P->fall[i];
        if (!(towards > 0)) continue;
        if (fabs(P->missed[i]) < event.length * towards) event = (Event){fabs(P->missed[i]) / towards, -1, i};
    }
    event.length = event.length > 0 ? event.length : 0;
    return event;
}

int ukParametricSolve(ukParametric *P, const double *S, int rows, const double *lo, const double *hi, double *lambda,
                      const double *w, int *changes)
{
    const int most = 20 + 4 * rows;
    double left = 1;
    int last = -1, side = Free;
    *changes = 0;
    if (!begin(P, S, rows, lo, hi, lambda, w)) return ukErrorSingular;
    for (;;) {
        direct(P, S, rows);
        const Event event = next(P, rows, lo, hi, lambda, left, last, side);
        for (int k = 0; k < P->free; k++) lambda[P->row[k]] += event.length * P->step[k];
        if (event.row < 0) return ukOk;
        if (++*changes > most) return ukErrorSingular;
        for (int i = 0; i < rows; i++) P->missed[i] -= event.length * P->fall[i];
        for (int k = 0; k < P->free; k++) P->missed[P->row[k]] = 0;
        left -= event.length;
        last = event.row, side = P->side[last];
        P->missed[last] = 0;
        if (event.free < 0) {
            if (!append(P, S, last)) return ukErrorSingular;
            continue;
        }
        P->side[last] = P->step[event.free] < 0 ? AtLo : AtHi;
        lambda[last] = P->side[last] == AtLo ? lo[last] : hi[last];
        drop(P, event.free);
    }
}
