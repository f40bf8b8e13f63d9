/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/bounded/path.h"

#include <math.h>
#include <string.h>

enum { Free, AtLo, AtHi };

void ukPathCarve(ukPath *P, const ukComplement *C, const ukProblem *p, ukArena *arena)
{
    const size_t ld = (size_t)C->ld;
    ukUpdatedCarve(&P->factors, C->ld, arena);
    UKODE_DOUBLES(arena, ld, &P->lambda, &P->lo, &P->hi, &P->offset, &P->w, &P->fall, &P->follow, &P->followed, &P->x,
                  &P->y, &P->mu);
    P->normal = ukArenaInts(arena, ld);
    P->moved = ukArenaInts(arena, ld);
    P->friction = ukArenaInts(arena, ld);
    P->next = ukArenaInts(arena, ld);
    P->side = ukArenaBytes(arena, ld);
    P->in = ukArenaBytes(arena, ld);
    P->kept = ukArenaDoubles(arena, (size_t)p->rows);
}

/* ---- equations of the free rows ---------------------------------------------------------------------------------- */

/* number of a friction row's normal row if that is free, else -1 */
static int movingNormal(const ukPath *P, int i)
{
    const int n = P->normal[i];
    return n >= 0 && P->side[n] == Free ? n : -1;
}

/* Elements of row i's column (above) and row (left) at the `count` rows of the active set, and its own: returned. The
 * columns of sliding rows, lambda_t = follow lambda_n, are added to those of their normals: S_FF + S_FT follow. */
static double elementsOfRow(ukPath *P, const ukComplement *C, int i, const int *row, int count)
{
    const size_t ld = (size_t)C->ld, rows = (size_t)C->rows;
    const double *S = C->S + (size_t)i * ld;
    for (int k = 0; k < count; k++) P->x[k] = S[row[k]];
    if (!P->following) return S[i];
    memcpy(P->fall, S, rows * sizeof *S);
    for (int t = 0; t < C->rows; t++) {
        if (P->followed[t] == 0) continue;
        P->fall[P->normal[t]] += P->followed[t] * S[t];
        for (int k = 0; P->normal[t] == i && k < count; k++)
            P->x[k] += P->followed[t] * C->S[(size_t)t * ld + (size_t)row[k]];
    }
    for (int k = 0; k < count; k++) P->y[k] = P->fall[row[k]];
    return P->fall[i];
}

/* Adds row i and its column to the factors. */
static bool addToActiveSet(ukPath *P, const ukComplement *C, int i)
{
    const double own = elementsOfRow(P, C, i, P->factors.row, P->factors.count);
    P->in[i] = ukUpdatedAppend(&P->factors, i, P->x, P->y, own);
    return P->in[i];
}

/* Factorizes all free rows, none of which is in the factors. */
static bool factorizeActiveSet(ukPath *P, const ukComplement *C)
{
    ukUpdated *factors = &P->factors;
    const size_t ld = (size_t)factors->ld;
    int count = 0;
    for (int i = 0; i < C->rows; i++) {
        if (P->side[i] != Free) continue;
        const double own = elementsOfRow(P, C, i, P->moved, count);
        for (int k = 0; k < count; k++) {
            factors->R[(size_t)k * ld + (size_t)count] = P->x[k];
            if (P->following) factors->L[(size_t)k * ld + (size_t)count] = P->y[k];
        }
        factors->R[(size_t)count * (ld + 1)] = own;
        P->moved[count++] = i;
    }
    const bool whole = ukUpdatedFactor(factors, P->moved, count);
    for (int k = 0; k < factors->count; k++) P->in[factors->row[k]] = 1;
    return whole;
}

/* Updates the contribution of row i to its normal's column; the factors lose a normal whose column changes, and rows
 * that are not free. */
static void updateSide(ukPath *P, int i)
{
    P->follow[i] = P->side[i] == Free || movingNormal(P, i) < 0 ? 0 : (P->side[i] == AtLo ? -1 : 1) * P->mu[i];
    if (P->follow[i] != P->followed[i]) P->in[P->normal[i]] = 0;
    P->followed[i] = P->follow[i];
    if (P->side[i] != Free) P->in[i] = 0;
}

static bool appendIfFree(ukPath *P, const ukComplement *C, int i)
{
    return P->side[i] != Free || P->in[i] || addToActiveSet(P, C, i);
}

/* Updates the factors to the rows that are free now: drops rows that are no longer free, and normals with other sliding
 * rows than before; then appends missing rows, in ascending order. Only the row `last` has changed, and friction
 * bounded by it; or any (-1). */
static bool updatePathFactors(ukPath *P, const ukComplement *C, int last)
{
    const int from = last < 0 ? 0 : last, to = last < 0 ? C->rows : last + 1;
    const int normal = last < 0 ? -1 : P->normal[last];
    bool whole = true;
    for (int i = from; i < to; i++) updateSide(P, i);
    for (int i = last < 0 ? -1 : P->friction[last]; i >= 0; i = P->next[i]) updateSide(P, i);
    for (int k = P->factors.count - 1; k >= 0; k--)
        if (!P->in[P->factors.row[k]]) ukUpdatedDrop(&P->factors, k);
    if (last < 0 && P->factors.count == 0) return factorizeActiveSet(P, C);
    if (normal >= 0 && normal < last) whole = appendIfFree(P, C, normal);
    for (int i = last < 0 ? -1 : P->friction[last]; i >= 0 && i < last && whole; i = P->next[i])
        whole = appendIfFree(P, C, i);
    for (int i = from; i < to && whole; i++) whole = appendIfFree(P, C, i);
    if (normal > last && whole) whole = appendIfFree(P, C, normal);
    for (int i = last < 0 ? -1 : P->friction[last]; i >= 0 && whole; i = P->next[i])
        if (i > last) whole = appendIfFree(P, C, i);
    return whole;
}

/* keeps the factors of the last homotopy, or none */
static void reusePathFactors(ukPath *P, const ukComplement *C)
{
    if (P->known == 0) ukUpdatedClear(&P->factors, !P->following);
    for (; P->known < C->rows; P->known++) P->in[P->known] = 0, P->followed[P->known] = 0;
}

/* C->step of the right-hand side r (rows; read at free rows), and r <- r - S step */
static void solveFreeRows(ukPath *P, ukComplement *C, double *r)
{
    int count = P->factors.count;
    memcpy(P->moved, P->factors.row, (size_t)count * sizeof *P->moved);
    ukUpdatedSolveKept(&P->factors, r, P->x);
    memset(C->step, 0, (size_t)C->rows * sizeof *C->step);
    for (int k = 0; k < count; k++) C->step[P->moved[k]] = P->x[k];
    for (int i = 0; P->following && i < C->rows; i++) {
        if (P->follow[i] == 0) continue;
        P->x[count] = C->step[i] = P->follow[i] * C->step[P->normal[i]];
        P->moved[count++] = i;
    }
    C->kernel->combine(r, 0, C->rows, C->S, C->ld, P->moved, P->x, count);
}

/* C->step = d lambda and P->fall = -d w per unit of the homotopy parameter */
static bool pathDirection(ukPath *P, ukComplement *C, int last)
{
    if (!updatePathFactors(P, C, last)) return false;
    memcpy(P->fall, P->offset, (size_t)C->rows * sizeof *P->fall);
    solveFreeRows(P, C, P->fall);
    return true;
}

/* ---- initial guess ----------------------------------------------------------------------------------------------- */

/* lo, hi = -+mu lambda_n of a friction row */
static void boundByNormal(ukPath *P, int i, double load)
{
    P->hi[i] = load > 0 ? P->mu[i] * load : 0, P->lo[i] = -P->hi[i];
}

/* lists each normal row's friction rows, in ascending order */
static void listFriction(ukPath *P, int rows)
{
    for (int i = 0; i < rows; i++) P->friction[i] = -1;
    for (int i = rows - 1; i >= 0; i--) {
        const int n = P->normal[i];
        P->next[i] = n < 0 ? -1 : P->friction[n];
        if (n >= 0) P->friction[n] = i;
    }
}

/* lambda, w, bounds and normals of the working set; false: a coefficient is infinite. The side of a row is the bound
 * that it is at, or that the natural map lambda - w / S_ii would take it to; else it is free. */
static bool startPath(ukPath *P, ukComplement *C, const ukBounded *B, const double *lambda)
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
    listFriction(P, C->rows);
    C->kernel->combine(P->w, 0, C->rows, C->S, C->ld, P->moved, P->x, moved);
    for (int i = 0; i < C->rows; i++) {
        if (P->normal[i] >= 0) boundByNormal(P, i, P->lambda[P->normal[i]]);
        const double at = P->lambda[i], natural = at - P->w[i] / C->S[(size_t)i * (size_t)(C->ld + 1)];
        const bool below = at <= P->lo[i] || (natural <= P->lo[i] && at < P->hi[i]);
        P->side[i] = below ? AtLo : natural >= P->hi[i] || at >= P->hi[i] ? AtHi : Free;
    }
    return finite;
}

/* a friction row whose normal row is open: its force is zero for any w */
static bool hasNoForce(const ukPath *P, int i)
{
    return P->normal[i] >= 0 && movingNormal(P, i) < 0 && !(P->lambda[P->normal[i]] > 0);
}

/* 0.15 to 0.45, by Knuth's multiplicative hash of the row: offsets exceed the violation by this share. In common
 * proportions, rows of equal contacts would reach their bounds at the same parameter, where the path forks. *Measured:*
 * without it the snake of 18 takes 2.0 of the passes and snake of 9 and walker 1.2 (coupled box); 0.05 to 0.35 or a
 * constant 0.15 per row take as many. */
static double offsetFactor(int row)
{
    const unsigned int hash = ((unsigned int)row + 1) * 2654435769u;
    return 0.15 + 0.3 * (double)(hash >> 8) / (1 << 24);
}

/* The perturbed problem that the guess solves: multipliers of rows on a side go to their bounds, then offset = -w of
 * free rows, and more than the violation of rows on the wrong side. */
static void perturbToGuess(ukPath *P, const ukComplement *C)
{
    for (int i = 0; i < C->rows; i++) { /* normal rows before friction: they determine its bounds */
        const int n = P->normal[i];
        if (n < 0 || P->side[n] == Free) continue;
        boundByNormal(P, i, P->side[n] == AtLo ? P->lo[n] : P->hi[n]);
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
        const bool is_free = P->side[i] == Free, wrong = P->side[i] == AtLo ? miss < 0 : miss > 0;
        P->offset[i] = is_free ? -miss : wrong ? -miss * (1 + offsetFactor(i)) : 0;
        P->w[i] = is_free ? 0 : miss + P->offset[i];
    }
}

/* ---- homotopy ---------------------------------------------------------------------------------------------------- */

typedef struct Event {
    double length;
    int row;
    unsigned char to;
} Event;

/* Ratio test: a slack that decreases at `rate` reaches zero before the earliest event so far. */
static void keepEarlierEvent(Event *event, double slack, double rate, int row, unsigned char to)
{
    if (rate > 0 && slack < event->length * rate) *event = (Event){slack > 0 ? slack / rate : 0, row, to};
}

/* The first change of the active set along the path, in the direction `way` of the parameter. */
static Event nextEvent(const ukPath *P, const ukComplement *C, double way, double length)
{
    Event event = {length, -1, Free};
    for (int i = 0; i < C->rows; i++) {
        if (P->side[i] != Free) {
            const double sign = P->side[i] == AtLo ? 1 : -1, rate = sign * way * P->fall[i];
            if (!(rate > 0) || hasNoForce(P, i) || (P->normal[i] < 0 && P->lo[i] == P->hi[i])) continue;
            keepEarlierEvent(&event, sign * P->w[i], rate, i, Free);
            continue;
        }
        const int n = movingNormal(P, i);
        const double mu = n < 0 ? 0 : P->mu[i], load = mu > 0 ? P->lambda[n] : 0;
        const double grow = mu > 0 ? way * C->step[n] : 0, step = way * C->step[i];
        const double hi = mu > 0 ? mu * load : P->hi[i], lo = mu > 0 ? -hi : P->lo[i];
        if (mu > 0 && P->lambda[i] == 0 && step == 0) continue; /* its event is that of its normal row */
        keepEarlierEvent(&event, hi - P->lambda[i], step - mu * grow, i, AtHi);
        keepEarlierEvent(&event, P->lambda[i] - lo, -step - mu * grow, i, AtLo);
    }
    return event;
}

/* 1 or -1: the direction of the parameter in which `last`, which has changed from `side`, moves away from that side. */
static double pathOrientation(const ukPath *P, const ukComplement *C, int last, unsigned char side)
{
    if (last < 0) return 1;
    if (P->side[last] != Free) return (P->side[last] == AtLo ? -P->fall[last] : P->fall[last]) < 0 ? -1 : 1;
    const int n = movingNormal(P, last);
    const double grow = n >= 0 ? P->mu[last] * C->step[n] : 0;
    return (side == AtLo ? C->step[last] + grow : grow - C->step[last]) < 0 ? -1 : 1;
}

/* The row changes sides. When a normal row opens, its friction rows have no force; when it closes, they slide, or stick
 * where w = 0. */
static void changeSide(ukPath *P, Event event, unsigned char from)
{
    const int row = event.row;
    const bool opens = event.to == AtLo && P->lo[row] == 0, closes = from == AtLo && P->lo[row] == 0;
    P->side[row] = event.to;
    P->w[row] = 0;
    for (int i = opens || closes ? P->friction[row] : -1; i >= 0; i = P->next[i]) {
        P->side[i] = closes && P->w[i] == 0 ? Free : P->w[i] > 0 ? AtLo : AtHi;
        P->lambda[i] = 0;
    }
    if (P->normal[row] < 0 && event.to != Free) P->lambda[row] = event.to == AtLo ? P->lo[row] : P->hi[row];
}

/* Most changes of one path. *Measured:* soft snakes of 30, with 205 rows, take up to 109. On a truck a path that fails
 * after 824 changes costs as much as 120 interior passes. */
enum { MostChanges = 256 };

/* Follows the path from the perturbed problem to the given one; false: too many changes, or a ray. A guess that takes
 * more changes than 4 per row is worse than none. *Measured:* with 1 per row the coupled box takes 1.37 of the passes
 * and the two-phase law 1.40; with 16 per row, and with up to 100 more in all, as many. */
static bool followHomotopy(ukPath *P, ukComplement *C)
{
    const int most = 4 * C->rows < MostChanges ? 4 * C->rows : MostChanges;
    double left = 1;
    int last = -1, changes = 0;
    unsigned char side = Free;
    P->events = 0;
    reusePathFactors(P, C);
    perturbToGuess(P, C);
    ukUpdatedForgetKept(&P->factors);
    while (changes++ < most && pathDirection(P, C, last)) {
        const double way = pathOrientation(P, C, last, side);
        const Event event = nextEvent(P, C, way, way > 0 ? left : INFINITY);
        if (!isfinite(event.length)) return false; /* a ray */
        const double by = way * event.length;
        for (int i = 0; i < C->rows; i++) P->lambda[i] += by * C->step[i], P->w[i] -= by * P->fall[i];
        left -= by;
        if (event.row < 0) return true; /* the end: left = 0 */
        last = event.row, side = P->side[last];
        changeSide(P, event, side);
        P->events++;
    }
    return false;
}

/* ---- solution ---------------------------------------------------------------------------------------------------- */

/* lambda at the end of the path: the working set, and the equality rows from it. */
static void writePathEnd(ukPath *P, ukComplement *C, ukBounded *B, double *lambda)
{
    for (int i = 0; i < C->rows; i++) {
        C->step[i] = P->lambda[i] - C->base[C->row[i]];
        lambda[C->row[i]] = P->lambda[i];
    }
    ukComplementFollow(C, lambda);
    for (int k = 0; k < 2 && P->following; k++) { /* normal forces, then friction bounded by them */
        ukBoundedFreeze(B, lambda);
        ukBoundedProject(B, lambda);
    }
    if (P->following) ukBoundedFreeze(B, lambda);
    ukBoundedProject(B, lambda);
}

/* One refinement on the same active set, for rounding and the proximal term. */
static void correctPathEnd(ukPath *P, ukComplement *C, ukBounded *B, double *lambda)
{
    ukComplementBase(C, B, lambda);
    for (int i = 0; i < C->rows; i++) P->fall[i] = -C->w[i];
    ukUpdatedForgetKept(&P->factors);
    solveFreeRows(P, C, P->fall);
    for (int i = 0; i < C->rows; i++) P->lambda[i] = lambda[C->row[i]] + C->step[i];
    writePathEnd(P, C, B, lambda);
}

/* Computes the residual of lambda and keeps lambda if the residual is the least so far. */
static double keepBetterEnd(ukPath *P, ukBounded *B, double goal, double *best, const double *lambda)
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
    for (int k = 0; k < 2 && best > goal && ukPassesLeft(B, 1) > 0; k++) {
        if (k > 0) { /* starts from the end of the first path; from zero if the first had none */
            ukComplementSoften(C, B);
            P->known = 0;
            if (best == INFINITY) memset(lambda, 0, bytes);
            if (following) ukBoundedFreeze(B, lambda);
            ukBoundedProject(B, lambda);
        }
        if (k > 0 || !C->based) ukComplementBase(C, B, lambda);
        B->passes++;
        if (!startPath(P, C, B, lambda)) continue;
        const bool ended = followHomotopy(P, C);
        B->pivots += P->events;
        if (!ended) continue;
        writePathEnd(P, C, B, lambda);
        if (keepBetterEnd(P, B, goal, &best, lambda) > goal) {
            correctPathEnd(P, C, B, lambda);
            keepBetterEnd(P, B, goal, &best, lambda);
        }
    }
    memcpy(lambda, P->kept, bytes);
    return best;
}
