/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/bounded/path.h"

#include <math.h>
#include <string.h>

enum { Free, AtLo, AtHi };

void ukPathCarve(ukPath *P, const ukComplement *C, const ukProblem *p, ukArena *arena)
{
    const size_t ld = (size_t)C->ld;
    ukUpdatedCarve(&P->set, C->ld, arena);
    double **all[] = {&P->lambda, &P->lo,       &P->hi, &P->offset, &P->w, &P->fall,
                      &P->follow, &P->followed, &P->x,  &P->y,      &P->mu};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) *all[k] = ukArenaDoubles(arena, ld);
    P->normal = ukArenaInts(arena, ld);
    P->moved = ukArenaInts(arena, ld);
    P->side = ukArenaBytes(arena, ld);
    P->in = ukArenaBytes(arena, ld);
    P->kept = ukArenaDoubles(arena, (size_t)p->rows);
}

/* ---- the equations of a set --------------------------------------------------------------------------------------- */

/* number of a row's normal where that may move it, else -1 */
static int leader(const ukPath *P, int i)
{
    const int n = P->normal[i];
    return n >= 0 && P->side[n] == Free ? n : -1;
}

/* row i and its column, with what slides on a normal in its normal's, join the set */
static bool join(ukPath *P, const ukComplement *C, int i)
{
    const size_t ld = (size_t)C->ld, rows = (size_t)C->rows;
    const double *S = C->S + (size_t)i * ld;
    double own = S[i];
    const int *row = P->set.row;
    for (int k = 0; k < P->set.count; k++) P->x[k] = S[row[k]];
    if (P->following) {
        memcpy(P->fall, S, rows * sizeof *S);
        for (int t = 0; t < C->rows; t++) {
            if (P->followed[t] == 0) continue;
            P->fall[P->normal[t]] += P->followed[t] * S[t];
            for (int k = 0; P->normal[t] == i && k < P->set.count; k++)
                P->x[k] += P->followed[t] * C->S[(size_t)t * ld + (size_t)row[k]];
        }
        for (int k = 0; k < P->set.count; k++) P->y[k] = P->fall[row[k]];
        own = P->fall[i];
    }
    P->in[i] = ukUpdatedAppend(&P->set, i, P->x, P->y, own);
    return P->in[i];
}

/* The factors of the rows that are free now: those that are so no more go, and normals that other rows slide on than
 * before; then those come that are missing. The row `last` alone has changed sides, with friction that follows it, or any
 * may have (-1). */
static bool update(ukPath *P, const ukComplement *C, int last)
{
    const bool one = last >= 0 && !P->following;
    const int from = one ? last : 0, to = one ? last + 1 : C->rows;
    bool whole = true;
    for (int i = from; i < to; i++) {
        if (last >= 0 && i != last && P->normal[i] != last) continue;
        P->follow[i] = P->side[i] == Free || leader(P, i) < 0 ? 0 : (P->side[i] == AtLo ? -1 : 1) * P->mu[i];
        if (P->follow[i] != P->followed[i]) P->in[P->normal[i]] = 0;
        P->followed[i] = P->follow[i];
        if (P->side[i] != Free) P->in[i] = 0;
    }
    for (int k = P->set.count - 1; k >= 0; k--)
        if (!P->in[P->set.row[k]]) ukUpdatedDrop(&P->set, k);
    for (int i = from; i < to && whole; i++)
        if (P->side[i] == Free && !P->in[i]) whole = join(P, C, i);
    return whole;
}

/* the factors of the last path, or none yet */
static void resume(ukPath *P, const ukComplement *C)
{
    if (P->known == 0) ukUpdatedClear(&P->set, !P->following);
    for (; P->known < C->rows; P->known++) P->in[P->known] = 0, P->followed[P->known] = 0;
}

/* C->step of the right-hand sides r (rows; read of free rows), and r <- r - S step */
static void solve(ukPath *P, ukComplement *C, double *r)
{
    int count = P->set.count;
    for (int k = 0; k < count; k++) P->x[k] = r[P->moved[k] = P->set.row[k]];
    ukUpdatedSolve(&P->set, P->x);
    memset(C->step, 0, (size_t)C->rows * sizeof *C->step);
    for (int k = 0; k < count; k++) C->step[P->moved[k]] = P->x[k];
    for (int i = 0; P->following && i < C->rows; i++) {
        if (P->follow[i] == 0) continue;
        P->x[count] = C->step[i] = P->follow[i] * C->step[P->normal[i]];
        P->moved[count++] = i;
    }
    C->kernel->combine(r, 0, C->rows, C->S, C->ld, P->moved, P->x, count);
}

/* C->step and P->fall per unit of the path */
static bool direct(ukPath *P, ukComplement *C, int last)
{
    if (!update(P, C, last)) return false;
    memcpy(P->fall, P->offset, (size_t)C->rows * sizeof *P->fall);
    solve(P, C, P->fall);
    return true;
}

/* ---- its beginning ------------------------------------------------------------------------------------------------ */

/* Bounds of a friction row by its normal. */
static void bound(ukPath *P, int i, double load)
{
    P->hi[i] = load > 0 ? P->mu[i] * load : 0, P->lo[i] = -P->hi[i];
}

/* lambda, w, bounds and normals of the rows in play; false: a coefficient is infinite. The side of a row is where it is,
 * or where its own equation alone would take it; rows at a bound are not called in. */
static bool begin(ukPath *P, ukComplement *C, const ukBounded *B, const double *lambda)
{
    bool finite = true;
    int moved = 0;
    for (int i = 0; i < C->rows; i++) {
        const int row = C->row[i], normal = P->following ? ukProblemNormal(B->given, row) : -1;
        P->lambda[i] = lambda[row], P->w[i] = C->w[i];
        if (lambda[row] != C->base[row]) P->x[moved] = C->base[row] - lambda[row], P->moved[moved++] = i;
        P->lo[i] = B->lo[row], P->hi[i] = B->hi[row];
        P->normal[i] = normal < 0 ? -1 : C->number[normal];
        P->mu[i] = normal < 0 ? 0 : ukBoundedCoefficient(B, row);
        finite &= isfinite(P->mu[i]);
    }
    C->kernel->combine(P->w, 0, C->rows, C->S, C->ld, P->moved, P->x, moved);
    for (int i = 0; i < C->rows; i++) {
        if (P->normal[i] >= 0) bound(P, i, P->lambda[P->normal[i]]);
        const double at = P->lambda[i], natural = at - P->w[i] / C->S[(size_t)i * (size_t)(C->ld + 1)];
        const bool below = at <= P->lo[i] || (natural <= P->lo[i] && at < P->hi[i]);
        P->side[i] = below ? AtLo : natural >= P->hi[i] || at >= P->hi[i] ? AtHi : Free;
    }
    return finite;
}

/* a friction row whose normal is open: no force, whatever its w */
static bool dead(const ukPath *P, int i)
{
    return P->normal[i] >= 0 && leader(P, i) < 0 && !(P->lambda[P->normal[i]] > 0);
}

/* 0.15 to 0.45, always the same for a row: how far offsets exceed what is missed. In common proportions they would make
 * rows meet their bounds at one point of the path, where it forks. */
static double spread(int row)
{
    const unsigned int hash = ((unsigned int)row + 1) * 2654435769u;
    return 0.15 + 0.3 * (double)(hash >> 8) / (1 << 24);
}

/* Multipliers of the guess at their bounds, and offsets: what it misses, for rows off their equations some more. */
static void forgive(ukPath *P, const ukComplement *C)
{
    for (int i = 0; i < C->rows; i++) { /* normals first: they move the bounds of others */
        const int n = P->normal[i];
        if (n < 0 || P->side[n] == Free) continue;
        bound(P, i, P->side[n] == AtLo ? P->lo[n] : P->hi[n]);
        if (P->hi[i] == 0) P->side[i] = P->w[i] > 0 ? AtLo : AtHi;
    }
    for (int i = 0; i < C->rows; i++) {
        if (P->side[i] == Free) continue;
        const double to = P->side[i] == AtLo ? P->lo[i] : P->hi[i], by = P->lambda[i] - to;
        P->lambda[i] = to;
        if (by != 0) C->kernel->combine(P->w, 0, C->rows, C->S, C->ld, &i, &by, 1);
    }
    for (int i = 0; i < C->rows; i++) {
        const double miss = P->w[i];
        const bool held = P->side[i] == Free, wrong = P->side[i] == AtLo ? miss < 0 : miss > 0;
        P->offset[i] = held ? -miss : wrong ? -miss * (1 + spread(i)) : 0;
        P->w[i] = held ? 0 : miss + P->offset[i];
    }
}

/* ---- the path ----------------------------------------------------------------------------------------------------- */

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

/* What happens first along the path in the sense of `way`, in which what has just changed does not go back. */
static Event next(const ukPath *P, const ukComplement *C, double way, double length)
{
    Event event = {length, -1, Free};
    for (int i = 0; i < C->rows; i++) {
        if (P->side[i] != Free) {
            if (dead(P, i) || (P->normal[i] < 0 && P->lo[i] == P->hi[i])) continue;
            const double sign = P->side[i] == AtLo ? 1 : -1;
            meet(&event, sign * P->w[i], sign * way * P->fall[i], i, Free);
            continue;
        }
        const int n = leader(P, i);
        const double mu = n < 0 ? 0 : P->mu[i], load = mu > 0 ? P->lambda[n] : 0;
        const double grow = mu > 0 ? way * C->step[n] : 0, step = way * C->step[i];
        const double hi = mu > 0 ? mu * load : P->hi[i], lo = mu > 0 ? -hi : P->lo[i];
        if (mu > 0 && P->lambda[i] == 0 && step == 0) continue; /* it ends with its normal, which has that event */
        meet(&event, hi - P->lambda[i], step - mu * grow, i, AtHi);
        meet(&event, P->lambda[i] - lo, -step - mu * grow, i, AtLo);
    }
    return event;
}

/* Whether the path goes on towards its end after `last` has changed from `side`, or turns back. */
static double wayOf(const ukPath *P, const ukComplement *C, int last, unsigned char side)
{
    if (last < 0) return 1;
    if (P->side[last] != Free) return (P->side[last] == AtLo ? -P->fall[last] : P->fall[last]) < 0 ? -1 : 1;
    const int n = leader(P, last);
    const double grow = n >= 0 ? P->mu[last] * C->step[n] : 0;
    return (side == AtLo ? C->step[last] + grow : grow - C->step[last]) < 0 ? -1 : 1;
}

/* The row changes sides; with a normal that opens its friction rows have no force any more, with one that closes they
 * begin to slide, or to stick where nothing moves. */
static void change(ukPath *P, int rows, Event event, unsigned char from)
{
    const int row = event.row;
    const bool opens = event.to == AtLo && P->lo[row] == 0, closes = from == AtLo && P->lo[row] == 0;
    P->side[row] = event.to;
    P->w[row] = 0;
    for (int i = 0; (opens || closes) && i < rows; i++) {
        if (P->normal[i] != row) continue;
        P->side[i] = closes && P->w[i] == 0 ? Free : P->w[i] > 0 ? AtLo : AtHi;
        P->lambda[i] = 0;
    }
    if (P->normal[row] < 0 && event.to != Free) P->lambda[row] = event.to == AtLo ? P->lo[row] : P->hi[row];
}

/* the whole path; false: it came back to its start, or to no end */
static bool walk(ukPath *P, ukComplement *C)
{
    const int most = 20 + 4 * C->rows; /* a guess that takes more is none */
    double left = 1;
    int last = -1, changes = 0;
    unsigned char side = Free;
    resume(P, C);
    forgive(P, C);
    while (changes++ < most && direct(P, C, last)) {
        const double way = wayOf(P, C, last, side);
        const Event event = next(P, C, way, way > 0 ? left : INFINITY);
        if (!isfinite(event.length)) return false; /* a ray */
        const double by = way * event.length;
        for (int i = 0; i < C->rows; i++) P->lambda[i] += by * C->step[i], P->w[i] -= by * P->fall[i];
        left -= by;
        if (event.row < 0) return left < 0.5;
        last = event.row, side = P->side[last];
        change(P, C->rows, event, side);
    }
    return false;
}

/* ---- its end ------------------------------------------------------------------------------------------------------ */

/* The rows in play to where the path ended, the joints along. */
static void finish(ukPath *P, ukComplement *C, ukBounded *B, double *lambda)
{
    for (int i = 0; i < C->rows; i++) {
        C->step[i] = P->lambda[i] - C->base[C->row[i]];
        lambda[C->row[i]] = P->lambda[i];
    }
    ukComplementFollow(C, lambda);
    for (int k = 0; k < 2 && P->following; k++) { /* normal forces, and then what follows them */
        ukBoundedFreeze(B, lambda);
        ukBoundedProject(B, lambda);
    }
    if (P->following) ukBoundedFreeze(B, lambda);
    ukBoundedProject(B, lambda);
}

/* What rounding and the proximal term left, on the same set. */
static void correct(ukPath *P, ukComplement *C, ukBounded *B, double *lambda)
{
    ukComplementBase(C, B, lambda);
    for (int i = 0; i < C->rows; i++) P->fall[i] = -C->w[i];
    solve(P, C, P->fall);
    for (int i = 0; i < C->rows; i++) P->lambda[i] = lambda[C->row[i]] + C->step[i];
    finish(P, C, B, lambda);
}

/* The residual of lambda, which is kept if it is the best so far. */
static double judge(ukPath *P, ukBounded *B, double goal, double *best, const double *lambda)
{
    const double now = ukBoundedResidualWithin(B, lambda, goal, INFINITY);
    if (now < *best) *best = now, memcpy(P->kept, lambda, (size_t)B->m * sizeof *lambda);
    return now;
}

void ukPathBegin(ukPath *P)
{
    P->known = 0;
}

double ukPathSolve(ukPath *P, ukComplement *C, ukBounded *B, bool following, double goal, double *lambda)
{
    const size_t bytes = (size_t)B->m * sizeof *lambda;
    double best = INFINITY;
    if (following != P->following) P->known = 0;
    P->following = following;
    memcpy(P->kept, lambda, bytes);
    for (int k = 0; k < 2 && best > goal; k++) {
        if (k > 0) { /* from where the last path ended; from nothing, where it did not */
            ukComplementSoften(C, B);
            P->known = 0;
            if (best == INFINITY) memset(lambda, 0, bytes);
            if (following) ukBoundedFreeze(B, lambda);
            ukBoundedProject(B, lambda);
        }
        if (k > 0 || !C->based) ukComplementBase(C, B, lambda);
        B->passes++;
        if (!begin(P, C, B, lambda) || !walk(P, C)) continue;
        finish(P, C, B, lambda);
        if (judge(P, B, goal, &best, lambda) > goal) {
            correct(P, C, B, lambda);
            judge(P, B, goal, &best, lambda);
        }
    }
    memcpy(lambda, P->kept, bytes);
    return best;
}
