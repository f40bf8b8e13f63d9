/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/fuzz/judge.c: one step, and what must hold after it: a step that fails leaves every bit, and says why; one that
 * succeeds writes numbers; one that is reported as good satisfies the equations that it gives, as computed here. */
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/body_state.h"

void fuzzFault(Fuzz *f, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(f->tally->fault, sizeof f->tally->fault, format, list);
    va_end(list);
    if (f->verbose) fprintf(stderr, "fault: %s\n", f->tally->fault);
    _exit(1);
}

void fuzzSay(const Fuzz *f, const char *format, ...)
{
    if (!f->verbose) return;
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
}

/* ---- bits ---- */

typedef struct State {
    dBodyID body;
    BodyState of;
    int enabled;
    bool finite;
} State;

static bool allFinite(const dReal *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += 0 * x[i];
    return sum == 0;
}

static State stateOf(dBodyID b)
{
    State s;
    memset(&s, 0, sizeof s);
    s.body = b;
    s.of = bodyStateOf(b);
    s.of.R[3] = s.of.R[7] = s.of.R[11] = 0;
    s.enabled = dBodyIsEnabled(b);
    s.finite = allFinite(s.of.x, 3) && allFinite(s.of.q, 4) && allFinite(s.of.R, 12) && allFinite(s.of.v, 3) &&
               allFinite(s.of.w, 3) && allFinite(s.of.force, 3) && allFinite(s.of.torque, 3);
    return s;
}

static void same(Fuzz *f, int i, const char *what, const void *x, const void *y, size_t size)
{
    if (memcmp(x, y, size) != 0) fuzzFault(f, "a failed step changes the %s of body %d", what, i);
}

static void judgeBits(Fuzz *f, const State before[FuzzBodies])
{
    for (int i = 0; i < f->bodies; i++) {
        if (!f->body[i] || f->body[i] != before[i].body) continue;
        const State *a = &before[i], b = stateOf(f->body[i]);
        same(f, i, "position", a->of.x, b.of.x, sizeof b.of.x);
        same(f, i, "quaternion", a->of.q, b.of.q, sizeof b.of.q);
        same(f, i, "rotation matrix", a->of.R, b.of.R, sizeof b.of.R);
        same(f, i, "linear velocity", a->of.v, b.of.v, sizeof b.of.v);
        same(f, i, "angular velocity", a->of.w, b.of.w, sizeof b.of.w);
        same(f, i, "force accumulator", a->of.force, b.of.force, sizeof b.of.force);
        same(f, i, "torque accumulator", a->of.torque, b.of.torque, sizeof b.of.torque);
        same(f, i, "enabled flag", &a->enabled, &b.enabled, sizeof b.enabled);
    }
}

/* The world as its saved state; free it. NULL: it cannot be saved (a name is missing, ukode is not there). */
typedef struct Saved {
    unsigned char *bytes;
    size_t size;
} Saved;

static Saved savedOf(Fuzz *f)
{
    Saved s = {0};
    FUZZ_CALL(f, s.size = ukWorldSave(f->world, NULL, 0));
    s.bytes = s.size > 0 ? malloc(s.size) : NULL;
    if (s.bytes) FUZZ_CALL(f, ukWorldSave(f->world, s.bytes, s.size));
    return s;
}

static double wordOf(const Saved *s, size_t k)
{
    double word;
    memcpy(&word, s->bytes + k, sizeof word);
    return word;
}

static void judgeSaved(Fuzz *f, const Saved *before)
{
    const Saved now = savedOf(f);
    if (before->bytes && now.bytes && now.size != before->size)
        fuzzFault(f, "a failed step changes the size of the saved state from %zu to %zu", before->size, now.size);
    for (size_t k = 0; before->bytes && now.bytes && k + 8 <= now.size; k += 8)
        if (memcmp(now.bytes + k, before->bytes + k, 8) != 0 && (k < 24 || k >= 40)) /* but for the checksum */
            fuzzFault(f, "a failed step changes the saved state at byte %zu of %zu from %.17g to %.17g", k, now.size,
                      wordOf(before, k), wordOf(&now, k));
    free(now.bytes);
}

/* ---- equations ---- */

enum { MaxColumns = 6 * FuzzBodies };

/* What can round in a body's equation, as a force and as the acceleration that it makes. A body is one: its force and
 * its torque are measured together, in the metric of M. */
typedef struct Sizes {
    double force[MaxColumns], acceleration[MaxColumns];
} Sizes;

static double at(const dReal *A, const ukEquations *e, int i, int k)
{
    return A[(size_t)i * (size_t)e->n + (size_t)k];
}

static double largestDiagonal(const ukEquations *e, int k)
{
    return fmax(at(e->M, e, k, k), fmax(at(e->M, e, k + 1, k + 1), at(e->M, e, k + 2, k + 2)));
}

/* the inverse of the inertia at column k; false where it cannot be told in double */
static bool invert(const ukEquations *e, int k, double inverse[3][3])
{
    double I[3][3];
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++) I[i][c] = at(e->M, e, k + i, k + c);
    for (int i = 0; i < 3; i++) {
        const int a = (i + 1) % 3, b = (i + 2) % 3;
        for (int c = 0; c < 3; c++) {
            const int u = (c + 1) % 3, v = (c + 2) % 3;
            inverse[c][i] = I[a][u] * I[b][v] - I[a][v] * I[b][u]; /* the adjugate */
        }
    }
    const double det = I[0][0] * inverse[0][0] + I[0][1] * inverse[1][0] + I[0][2] * inverse[2][0];
    const double trace = I[0][0] + I[1][1] + I[2][2];
    for (int i = 0; i < 9; i++) inverse[i / 3][i % 3] /= det;
    return det > 1e-6 * trace * trace * trace;
}

/* the diagonal of that inverse, largest; NaN where it cannot be told */
static double largestInverse(const ukEquations *e, int k)
{
    double J[3][3];
    return invert(e, k, J) ? fmax(J[0][0], fmax(J[1][1], J[2][2])) : NAN;
}

/* What can round in the torque of a body's C, column k: forces at levers, whose ends are known to rounding of places.
 */
static double leverage(const Fuzz *f, const ukEquations *e, int k)
{
    const dReal *force = e->C + (k - k % 6);
    return k % 6 < 3 ? 0 : f->far * (fabs(force[0]) + fabs(force[1]) + fabs(force[2]));
}

/* M (qdd - a) = C + A' lambda: the largest scaled residual; sizes for the rows. NaN: an inertia is too thin to tell. */
static double judgeColumns(const Fuzz *f, const ukEquations *e, Sizes *s)
{
    double rest[MaxColumns], worst = 0;
    for (int k = 0; k < e->n; k++) {
        rest[k] = -e->C[k];
        s->force[k] = fabs(e->C[k]) + leverage(f, e, k);
        for (int c = k - k % 3; c < k - k % 3 + 3; c++) {
            rest[k] += at(e->M, e, k, c) * (e->qdd[c] - e->a[c]);
            s->force[k] += fabs(at(e->M, e, k, c)) * (fabs(e->qdd[c]) + fabs(e->a[c]));
        }
        for (int i = 0; i < e->m; i++) {
            rest[k] -= at(e->A, e, i, k) * e->lambda[i];
            s->force[k] += fabs(at(e->A, e, i, k) * e->lambda[i]);
        }
    }
    for (int k = 0; k < e->n; k += 6) {
        const double linear = sqrt(at(e->M, e, k, k)), angular = sqrt(largestDiagonal(e, k + 3));
        const double turn = sqrt(largestInverse(e, k + 3));
        double whole = 0;
        if (isnan(turn)) return NAN;
        for (int c = 0; c < 3; c++) whole += s->force[k + c] / linear + s->force[k + 3 + c] * turn;
        for (int c = 0; c < 3; c++) {
            s->acceleration[k + c] = whole / linear;
            s->acceleration[k + 3 + c] = whole * turn;
            if (rest[k + c] != 0) worst = fmax(worst, fabs(rest[k + c]) / (linear * whole));
            if (rest[k + 3 + c] != 0)
                worst = fmax(worst, fabs(rest[k + 3 + c]) / (angular * whole * (1 + angular * turn)));
        }
    }
    return worst;
}

/* (A M^-1 A')_ii. Not a bound of it: thin bodies have inverses a thousand times as large in other directions. */
static double compliance(const ukEquations *e, int i)
{
    double k = 0, J[3][3];
    for (int c = 0; c < e->n; c += 6) {
        const dReal *x = e->A + (size_t)i * (size_t)e->n + c, *t = x + 3;
        if (x[0] != 0 || x[1] != 0 || x[2] != 0) k += (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) / at(e->M, e, c, c);
        if ((t[0] == 0 && t[1] == 0 && t[2] == 0) || !invert(e, c + 3, J)) continue;
        for (int r = 0; r < 3; r++) k += t[r] * (J[r][0] * t[0] + J[r][1] * t[1] + J[r][2] * t[2]);
    }
    return k;
}

/* Row by row: A qdd + softness lambda = b where nothing bounds lambda; else lambda is where its bounds let it go, the
 * natural residual. What shares an elliptic bound with another row is left to that. */
static double judgeRows(const Fuzz *f, const ukEquations *e, const Sizes *s, int *row)
{
    double worst = 0;
    for (int i = 0; i < e->m; i++) {
        const double lambda = e->lambda[i], lo = e->lo[i], hi = e->hi[i];
        double w = e->softness[i] * lambda - e->b[i], scale = fabs(e->b[i]) + fabs(e->softness[i] * lambda);
        for (int k = 0; k < e->n; k++) {
            w += at(e->A, e, i, k) * e->qdd[k];
            scale += fabs(at(e->A, e, i, k)) * s->acceleration[k];
        }
        if (isnan(w)) return NAN;
        if (isinf(scale)) return INFINITY; /* nothing can be known of it */
        if (f->elliptic && lo == -hi && hi < INFINITY) continue;
        if (lo > -INFINITY || hi < INFINITY) {
            const double k = compliance(e, i) + e->softness[i];
            w = (lambda - fmin(fmax(lambda - w / k, lo), hi)) * k;
        }
        if (fabs(w) > worst * scale) worst = fabs(w) / scale, *row = i;
        if (fabs(w) > 1e-9 * scale)
            fuzzSay(f, "  row %d: missed by %.3g of %.3g, lambda %.3g in [%.3g, %.3g]\n", i, w, scale, lambda, lo, hi);
    }
    return worst;
}

/* Of drag, C is told together with the friction that opposes it. With coefficients beyond ordinary ones, what rounds in
 * either is in no sum of the equations. */
static void judgeEquations(Fuzz *f)
{
    static Sizes sizes;
    ukEquations e;
    int row = -1, status = 0;
    FUZZ_CALL(f, status = ukWorldGetEquations(f->world, &e));
    if (status != 0) fuzzFault(f, "no equations after a step: %s", ukGetLastErrorMessage());
    if (e.n > MaxColumns) fuzzFault(f, "equations of %d columns", e.n);
    const double tolerance = 1e-9 + 30 * f->tolerance;
    const double columns = judgeColumns(f, &e, &sizes);
    if (!allFinite(e.qdd, e.n) || !allFinite(e.lambda, e.m)) fuzzFault(f, "ok, with accelerations that are no numbers");
    if (isnan(columns) || (f->drag && f->reach > 0)) return;
    for (int k = 0; k < e.n && !(columns <= tolerance); k++)
        fuzzSay(f, "  column %d: M %.3g, qdd %.17g, a %.17g, C %.3g, size %.3g\n", k, at(e.M, &e, k, k), e.qdd[k],
                e.a[k], e.C[k], sizes.force[k]);
    if (!(columns <= tolerance)) fuzzFault(f, "ok, but forces are missed by %.3g", columns);
    double rows = judgeRows(f, &e, &sizes, &row);
    if (isinf(rows)) { /* levers of no finite size tell nothing: without them, which is stricter */
        f->far = 0;
        judgeColumns(f, &e, &sizes);
        rows = judgeRows(f, &e, &sizes, &row);
    }
    if (!(rows <= tolerance)) fuzzFault(f, "ok, but row %d of %d is missed by %.3g", row, e.m, rows);
    f->tally->judged++;
}

static void judgeReport(Fuzz *f)
{
    ukReport r;
    int status = 0;
    FUZZ_CALL(f, status = ukWorldGetReport(f->world, &r));
    if (status != 0) fuzzFault(f, "no report after a step");
    f->tally->fallbacks += r.fallbacks;
    fuzzSay(f, "  %d rows, rank %d, ok %d (tolerance %.2g): %.2g %.2g %.2g\n", r.rows, r.rank, r.ok, f->tolerance,
            r.feasibility, r.stationarity, r.complementarity);
    if (r.fallbacks > 0 && f->check != ukCheckFallback) fuzzFault(f, "%d steps left to ODE unasked", r.fallbacks);
    if (r.fallbacks > 0) return;
    if (!r.ok) {
        f->tally->doubtful++;
        if (f->check == ukCheckStop) fuzzFault(f, "a step that the check rejects is taken");
        return;
    }
    f->tally->certified++;
    if (f->check != ukCheckOff) judgeEquations(f);
}

static bool lives(const Fuzz *f, dBodyID b)
{
    for (int i = 0; i < f->bodies; i++)
        if (f->body[i] == b) return true;
    return false;
}

/* What can round in the work of a step's forces [J]: large ones that cancel, in joints that depend on each other, are
 * in no sum of the ledger. */
static double workSize(Fuzz *f)
{
    ukEquations e;
    double sum = 0;
    int status = 0;
    FUZZ_CALL(f, status = ukWorldGetEquations(f->world, &e));
    for (int i = 0; i < (status == 0 ? e.m : 0); i++) {
        for (int k = 0; k < e.n; k++) {
            const dBodyID b = e.bodies[k / 6];
            if (!lives(f, b)) continue;
            const dReal v = k % 6 < 3 ? dBodyGetLinearVel(b)[k % 6] : dBodyGetAngularVel(b)[k % 6 - 3];
            sum += fabs(at(e.A, &e, i, k) * e.lambda[i]) * (fabs(v) + f->h * fabs(e.qdd[k])) * f->h;
        }
    }
    return sum;
}

/* what a step may take of the velocities that the program has set [J]: "outside" is the difference of both */
static double motionSize(const Fuzz *f)
{
    double sum = 0;
    for (int i = 0; i < f->bodies; i++) {
        dMass mass;
        if (!f->body[i]) continue;
        dBodyGetMass(f->body[i], &mass);
        const dReal *v = dBodyGetLinearVel(f->body[i]), *w = dBodyGetAngularVel(f->body[i]);
        sum += mass.mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) +
               (mass.I[0] + mass.I[5] + mass.I[10]) * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    }
    return sum;
}

/* what came and went by cause is what the energies changed by */
static void judgeLedger(Fuzz *f)
{
    ukLedger l;
    int status = 0;
    FUZZ_CALL(f, status = ukWorldGetLedger(f->world, &l));
    if (status != 0) fuzzFault(f, "no ledger: %s", ukGetLastErrorMessage());
    const dReal booked[] = {l.kinetic_start,  l.potential_start,  l.kinetic, l.potential,     l.applied,    l.ideal,
                            l.nonideal,       l.motors,           l.stops,   l.gyroscopic,    l.damping,    l.sleeping,
                            l.contact_normal, l.contact_friction, l.outside, l.stabilization, l.integration};
    for (size_t k = 0; k < sizeof booked / sizeof *booked; k++) f->turnover += fabs(booked[k]);
    if (!(fabs(l.residual) <= 1e-10 * f->turnover))
        fuzzFault(f, "the ledger misses %.3g of %.3g J", l.residual, f->turnover);
}

/* ---- the step ---- */

static int take(Fuzz *f)
{
    int done = 0;
    f->meddled = fuzzReplayStep(f);
    f->called = false;
    f->stepping = true;
    f->inside++;
#ifndef FUZZ_PLAIN
    if (f->entry == FuzzStep)
        done = ukWorldStep(f->world, f->h);
    else
#endif
        done = f->entry == FuzzQuick ? dWorldQuickStep(f->world, f->h) : dWorldStep(f->world, f->h);
    f->inside--;
    f->stepping = false;
    fuzzReplayStepped(f);
    return done;
}

static void judgeFailure(Fuzz *f, const State before[FuzzBodies], const Saved *saved)
{
    const int status = ukGetLastError();
    if (status >= 0 || !ukGetLastErrorMessage()[0]) fuzzFault(f, "a step fails without a word: %d", status);
    f->tally->refused[-status % FuzzStatuses]++;
    fuzzSay(f, "  refused %d: %s\n", status, ukGetLastErrorMessage());
    if (f->meddled || !f->world) return;
    judgeBits(f, before);
    if (f->check != ukCheckFallback && !f->called) judgeSaved(f, saved);
}

/* steps left to ODE's own stepper, which writes numbers that are none where it is built without assertions */
static int fallbacksOf(Fuzz *f)
{
    ukReport r = {.fallbacks = 0};
    FUZZ_CALL(f, ukWorldGetReport(f->world, &r));
    return r.fallbacks;
}

void fuzzJudgeStep(Fuzz *f)
{
    State before[FuzzBodies] = {{0}};
    f->far = 0;
    for (int i = 0; i < f->bodies; i++) {
        if (!f->body[i]) continue;
        before[i] = stateOf(f->body[i]);
        for (int c = 0; c < 3; c++) f->far = fmax(f->far, fabs(before[i].of.x[c]));
    }
    if (f->ledger) f->turnover += motionSize(f);
    f->tally->steps++;
    fuzzSay(f, "step of %g by entry %d\n", f->h, f->entry);
    const Saved saved = savedOf(f);
    const int fallbacks = fallbacksOf(f), done = take(f);
    if (done == 0)
        judgeFailure(f, before, &saved);
    else if (done != 1)
        fuzzFault(f, "a step returns %d", done);
    free(saved.bytes);
    if (!f->world || done == 0) return;
    bool finite = true;
    for (int i = 0; i < f->bodies && !f->meddled; i++)
        if (f->body[i] && f->body[i] == before[i].body && before[i].finite && !stateOf(f->body[i]).finite) {
            finite = false;
            if (fallbacksOf(f) == fallbacks) fuzzFault(f, "a step that succeeds writes no number to body %d", i);
        }
    if (!f->meddled) judgeReport(f);
    f->ledger = f->ledger && !f->meddled && finite; /* users' functions that change states are not in the book */
    if (!f->ledger || f->reach > 0) return;
    f->turnover += workSize(f);
    judgeLedger(f);
}
