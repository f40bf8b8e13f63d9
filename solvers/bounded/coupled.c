/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/bounded/coupled.h"

#include "solvers/problem/block.h"

#include <math.h>
#include <string.h>

enum { Free, AtLo, AtHi };

/* A guess's path that has turned back this far does not come to its end. Measured with snakes on the ground: of
 * those that came to it, none was beyond 4. */
static const double astray = 100;

static const double blurred = 1e-10; /* what the equations of free rows may be left of the offsets */

void ukCoupledCarve(ukCoupled *N, const ukComplement *C, ukArena *arena)
{
    const size_t rows = (size_t)C->path.most, ld = (size_t)C->path.ld;
    ukBorderedCarve(&N->set, C->path.kernel, C->path.most, C->path.ld, arena);
    double **all[] = {&N->w, &N->follow, &N->offset, &N->fall};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) *all[k] = ukArenaDoubles(arena, ld);
    N->normal = ukArenaInts(arena, rows);
    N->side = ukArenaBytes(arena, rows);
    N->held = ukArenaBytes(arena, rows);
}

/* lambda, w, constant bounds and normals of the rows in play; false: a coefficient is infinite. */
static bool begin(ukCoupled *N, ukComplement *C, const ukBounded *B, const double *lambda)
{
    bool finite = true;
    ukComplementReduce(C, B);
    ukBorderedBegin(&N->set, C->S, C->rows, N->normal);
    for (int i = 0; i < C->rows; i++) {
        const int row = C->row[i], normal = ukProblemNormal(B->given, row);
        C->lambda[i] = lambda[row];
        C->lo[i] = B->lo[row], C->hi[i] = B->hi[row];
        N->w[i] = C->w[i];
        N->normal[i] = normal < 0 ? -1 : C->number[normal];
        finite &= normal < 0 || isfinite(ukBoundedCoefficient(B, row));
    }
    return finite;
}

/* Bounds of friction rows by their normals, and the side of every row: where it is, or where its own equation alone
 * would take it; rows at a bound are not called in. */
static void classify(ukCoupled *N, ukComplement *C, const ukBounded *B)
{
    for (int i = 0; i < C->rows; i++) {
        const int n = N->normal[i];
        if (n >= 0) {
            C->hi[i] = ukBoundedCoefficient(B, C->row[i]) * (C->lambda[n] > 0 ? C->lambda[n] : 0);
            C->lo[i] = -C->hi[i];
        }
        const double lambda = C->lambda[i], natural = lambda - N->w[i] / C->S[(size_t)i * (size_t)(C->path.ld + 1)];
        const bool below = lambda <= C->lo[i] || (natural <= C->lo[i] && lambda < C->hi[i]);
        N->side[i] = below ? AtLo : natural >= C->hi[i] || lambda >= C->hi[i] ? AtHi : Free;
    }
}

/* Rows off their equations to their bounds, and w along. */
static void snap(ukCoupled *N, ukComplement *C, const ukBounded *B)
{
    for (int i = 0; i < C->rows; i++) {
        const int n = N->normal[i];
        N->follow[i] = 0;
        if (N->side[i] == Free) continue;
        const double to = N->side[i] == AtLo ? C->lo[i] : C->hi[i], by = to - C->lambda[i];
        if (n >= 0 && N->side[n] == Free)
            N->follow[i] = (N->side[i] == AtLo ? -1 : 1) * ukBoundedCoefficient(B, C->row[i]);
        C->lambda[i] = to;
        if (by != 0)
            C->path.kernel->combine(N->w, 0, C->rows, C->S + (size_t)i * (size_t)C->path.ld, C->path.ld, NULL,
                                    &(double){-by}, 1);
    }
}

/* C->lambda back to where it belongs, and the joints' along. */
static void finish(ukComplement *C, ukBounded *B, double *lambda)
{
    for (int i = 0; i < C->rows; i++) {
        C->step[i] = C->lambda[i] - lambda[C->row[i]];
        lambda[C->row[i]] = C->lambda[i];
    }
    ukComplementFollow(C, lambda);
    for (int k = 0; k < 2; k++) { /* normal forces, and then what follows them */
        ukBoundedFreeze(B, lambda);
        ukBoundedProject(B, lambda);
    }
    ukBoundedFreeze(B, lambda);
}

void ukCoupledCorrect(ukCoupled *N, ukComplement *C, ukBounded *B, double *lambda)
{
    ukComplementReduce(C, B);
    for (int i = 0; i < C->rows; i++) C->w[i] = -C->w[i];
    ukBorderedSolve(&N->set, C->w, C->step);
    for (int i = 0; i < C->rows; i++) C->lambda[i] = lambda[C->row[i]] + C->step[i];
    finish(C, B, lambda);
}

/* ---- the path ---------------------------------------------------------------------------------------------------- */

/* mu of row i, and its normal where that may move; 0: its bounds are constants */
static double slopeOf(const ukCoupled *N, const ukComplement *C, const ukBounded *B, int i)
{
    const int n = N->normal[i];
    return n >= 0 && N->side[n] == Free ? ukBoundedCoefficient(B, C->row[i]) : 0;
}

/* a friction row whose normal is open: no force, whatever its w */
static bool dead(const ukCoupled *N, const ukComplement *C, int i)
{
    const int n = N->normal[i];
    return n >= 0 && N->side[n] != Free && !(C->lambda[n] > 0);
}

static void collect(ukCoupled *N, const ukComplement *C, const ukBounded *B)
{
    for (int i = 0; i < C->rows; i++) {
        N->held[i] = N->side[i] == Free;
        N->follow[i] = N->held[i] ? 0 : (N->side[i] == AtLo ? -1 : 1) * slopeOf(N, C, B, i);
    }
}

/* Sides of the guess, its multipliers at their bounds, and offsets: what it misses, for rows off their equations some
 * more. N->w is w and the offset. */
static void forgive(ukCoupled *N, ukComplement *C, const ukBounded *B)
{
    classify(N, C, B);
    for (int i = 0; i < C->rows; i++) { /* normals first: they move the bounds of others */
        const int n = N->normal[i];
        if (n < 0 || N->side[n] == Free) continue;
        const double load = N->side[n] == AtLo ? C->lo[n] : C->hi[n];
        C->hi[i] = load > 0 ? ukBoundedCoefficient(B, C->row[i]) * load : 0, C->lo[i] = -C->hi[i];
        if (C->hi[i] == 0) N->side[i] = N->w[i] > 0 ? AtLo : AtHi;
    }
    snap(N, C, B);
    for (int i = 0; i < C->rows; i++) {
        const double miss = N->w[i];
        const bool held = N->side[i] == Free, wrong = N->side[i] == AtLo ? miss < 0 : miss > 0;
        N->offset[i] = held ? -miss : wrong && !dead(N, C, i) ? -miss * (1 + ukParametricSpread(i)) : 0;
        N->w[i] = held ? 0 : miss + N->offset[i];
    }
}

/* C->step and N->fall (downwards) per unit of the path */
static bool direct(ukCoupled *N, ukComplement *C, const ukBounded *B)
{
    collect(N, C, B);
    if (!ukBorderedSet(&N->set, N->held, N->follow)) return false;
    double left, size;
    do {
        ukBorderedSolve(&N->set, N->offset, C->step);
        memcpy(N->fall, N->offset, (size_t)C->rows * sizeof *N->fall);
        C->path.kernel->combine(N->fall, 0, C->rows, C->S, C->path.ld, NULL, C->step, C->rows);
        left = size = 0;
        for (int i = 0; i < C->rows; i++) {
            const double held = N->held[i] ? fabs(N->fall[i]) : 0, of = fabs(N->offset[i]);
            left = held > left ? held : left, size = of > size ? of : size;
        }
    } while (left > blurred * size && ukBorderedRenew(&N->set));
    return true;
}

typedef struct Event {
    double length;
    int row;
    unsigned char to;
} Event;

/* room, which shrinks at `rate`, ends before the event: this is the event */
static void meet(Event *event, double room, double rate, int row, unsigned char to)
{
    if (rate > 0 && room < event->length * rate) *event = (Event){room > 0 ? room / rate : 0, row, to};
}

/* What happens first along the path in the sense of `way`; `last` has just changed from `side` and does not go back. */
static Event next(const ukCoupled *N, const ukComplement *C, const ukBounded *B, double way, double length, int last,
                  unsigned char side)
{
    Event event = {length, -1, Free};
    for (int i = 0; i < C->rows; i++) {
        if (N->side[i] != Free) {
            if (i == last || dead(N, C, i) || (N->normal[i] < 0 && C->lo[i] == C->hi[i])) continue;
            const double sign = N->side[i] == AtLo ? 1 : -1;
            meet(&event, sign * N->w[i], sign * way * N->fall[i], i, Free);
            continue;
        }
        const double mu = slopeOf(N, C, B, i), load = mu > 0 ? C->lambda[N->normal[i]] : 0;
        const double grow = mu > 0 ? way * C->step[N->normal[i]] : 0, step = way * C->step[i];
        const double hi = mu > 0 ? mu * load : C->hi[i], lo = mu > 0 ? -hi : C->lo[i];
        if (mu > 0 && C->lambda[i] == 0 && step == 0) continue; /* it ends with its normal, which has that event */
        if (!(i == last && side == AtHi)) meet(&event, hi - C->lambda[i], step - mu * grow, i, AtHi);
        if (!(i == last && side == AtLo)) meet(&event, C->lambda[i] - lo, -step - mu * grow, i, AtLo);
    }
    return event;
}

/* Whether the path goes on towards its end after `last` has changed from `side`, or turns back. */
static double wayOf(const ukCoupled *N, const ukComplement *C, const ukBounded *B, int last, unsigned char side)
{
    if (last < 0) return 1;
    if (N->side[last] != Free) return (N->side[last] == AtLo ? -N->fall[last] : N->fall[last]) < 0 ? -1 : 1;
    const double mu = slopeOf(N, C, B, last), grow = mu > 0 ? mu * C->step[N->normal[last]] : 0;
    return (side == AtLo ? C->step[last] + grow : grow - C->step[last]) < 0 ? -1 : 1;
}

/* The row changes sides; with a normal that opens its friction rows have no force any more, with one that closes they
 * begin to slide, or to stick where nothing moves. */
static void change(ukCoupled *N, ukComplement *C, Event event, unsigned char from)
{
    const int row = event.row;
    const bool opens = event.to == AtLo && C->lo[row] == 0, closes = from == AtLo && C->lo[row] == 0;
    N->side[row] = event.to;
    N->w[row] = 0;
    for (int i = 0; i < C->rows; i++) {
        if (N->normal[i] != row || !(opens || closes)) continue;
        N->side[i] = closes && N->w[i] == 0 ? Free : N->w[i] > 0 ? AtLo : AtHi;
        C->lambda[i] = 0;
    }
    if (N->normal[row] < 0 && event.to != Free) C->lambda[row] = event.to == AtLo ? C->lo[row] : C->hi[row];
}

bool ukCoupledWalk(ukCoupled *N, ukComplement *C, ukBounded *B, double *lambda)
{
    const int most = 20 + C->rows; /* a guess that takes more is none */
    double left = 1;
    int last = -1, changes = 0;
    unsigned char side = Free;
    bool ended = false;
    B->passes++;
    if (!begin(N, C, B, lambda)) return false;
    forgive(N, C, B);
    while (changes++ < most && direct(N, C, B)) {
        const double way = wayOf(N, C, B, last, side);
        const Event event = next(N, C, B, way, way > 0 ? left : INFINITY, last, side);
        if (!isfinite(event.length)) break; /* a ray */
        for (int i = 0; i < C->rows; i++) {
            C->lambda[i] += way * event.length * C->step[i];
            N->w[i] = N->side[i] == Free ? 0 : N->w[i] - way * event.length * N->fall[i];
        }
        left -= way * event.length;
        ended = event.row < 0;
        if (ended || left > astray) break;
        last = event.row, side = N->side[last];
        change(N, C, event, side);
    }
    finish(C, B, lambda);
    return ended && left < 0.5;
}
