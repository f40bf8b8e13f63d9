/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/verify/residual.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- sizes ------------------------------------------------------------------------------------------------------- */

static bool reserveResidual(const Island *island, Scale *scale)
{
    const size_t n = (size_t)island->bodies, m = (size_t)island->rows, count = 23 * n + 2 * m + 1;
    if (count > scale->capacity) {
        free(scale->memory);
        scale->capacity = 0;
        scale->memory = malloc(count * sizeof(Real));
        if (!scale->memory) return false;
        scale->capacity = count;
    }
    Real *at = scale->memory;
    scale->inverse = at, at += 9 * n;
    scale->linear = at, at += n;
    scale->turn = at, at += n;
    scale->out = at, at += 6 * n;
    scale->size = at, at += 6 * n;
    scale->row = at, at += m;
    scale->compliance = at;
    return true;
}

/* inverse of a symmetric 3 x 3 matrix by cofactors */
static void invertInertia3x3(const double *I, Real *inverse)
{
    Real x[9], det = 0;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            const int a = (r + 1) % 3, b = (r + 2) % 3, d = (c + 1) % 3, e = (c + 2) % 3;
            x[3 * c + r] = (Real)I[3 * a + d] * I[3 * b + e] - (Real)I[3 * a + e] * I[3 * b + d];
        }
    for (int c = 0; c < 3; c++) det += I[c] * x[3 * c];
    for (int k = 0; k < 9; k++) inverse[k] = x[k] / det;
}

static Real largestOfDiagonal(const Real *S)
{
    return fmaxl(S[0], fmaxl(S[4], S[8]));
}

static Real sum3(const Real *x)
{
    return fabsl(x[0]) + fabsl(x[1]) + fabsl(x[2]);
}

/* Computes M acceleration - force - prescribed, and the magnitudes of the forces. */
static void beginForces(const Island *island, const Real *acceleration, Scale *scale)
{
    for (int i = 0; i < island->bodies; i++) {
        const double *I = island->inertia + 9 * (size_t)i, *Q = island->force + 6 * (size_t)i;
        const double *C = island->prescribed ? island->prescribed + 6 * (size_t)i : NULL;
        const Real *a = acceleration + 6 * (size_t)i;
        Real *out = scale->out + 6 * (size_t)i, *size = scale->size + 6 * (size_t)i;
        for (int k = 0; k < 3; k++) {
            out[k] = island->mass[i] * a[k];
            out[3 + k] = I[3 * k] * a[3] + I[3 * k + 1] * a[4] + I[3 * k + 2] * a[5];
        }
        for (int k = 0; k < 6; k++) {
            out[k] -= Q[k];
            size[k] = fabs(Q[k]);
            if (C) out[k] -= C[k], size[k] += fabs(C[k]);
        }
        invertInertia3x3(I, scale->inverse + 9 * (size_t)i);
    }
}

/* out -= J' multiplier */
static void subtractRowForces(const Island *island, const Real *multiplier, Scale *scale)
{
    for (int k = 0; k < island->blocks; k++) {
        const IslandBlock *b = &island->block[k];
        const double *J = b->jacobian;
        for (int r = b->row; r < b->row + b->rows; r++)
            for (int s = 0; s < b->slots; s++, J += 6) {
                if (b->body[s] < 0) continue;
                Real *out = scale->out + 6 * (size_t)b->body[s], *size = scale->size + 6 * (size_t)b->body[s];
                for (int c = 0; c < 6; c++) out[c] -= J[c] * multiplier[r], size[c] += fabsl(J[c] * multiplier[r]);
            }
    }
}

/* Forces and torques of a body have a common scale: |f|/sqrt(m) + |torque|/sqrt(I). */
static void measureBodies(const Island *island, const Real *acceleration, Scale *scale)
{
    for (int i = 0; i < island->bodies; i++) {
        const Real *size = scale->size + 6 * (size_t)i, *a = acceleration + 6 * (size_t)i;
        const double *I = island->inertia + 9 * (size_t)i;
        const Real light = 1 / sqrtl(island->mass[i]), turn = sqrtl(largestOfDiagonal(scale->inverse + 9 * (size_t)i));
        const Real slow = sqrtl(fmax(I[0], fmax(I[4], I[8])));
        const Real whole = light * sum3(size) + turn * sum3(size + 3) + sum3(a) / light + slow * sum3(a + 3);
        scale->linear[i] = light * whole;
        scale->turn[i] = turn * whole;
    }
}

static void measureRows(const Island *island, const Real *multiplier, Scale *scale)
{
    for (int k = 0; k < island->blocks; k++) {
        const IslandBlock *b = &island->block[k];
        const double *J = b->jacobian;
        for (int r = b->row; r < b->row + b->rows; r++) {
            Real size = fabs(island->right_side[r]) + island->softness[r] * fabsl(multiplier[r]), compliance = 0;
            for (int s = 0; s < b->slots; s++, J += 6) {
                const int i = b->body[s];
                if (i < 0) continue;
                const Real *W = scale->inverse + 9 * (size_t)i;
                for (int c = 0; c < 3; c++) {
                    size += fabs(J[c]) * scale->linear[i] + fabs(J[3 + c]) * scale->turn[i];
                    compliance += (Real)J[c] * J[c] / island->mass[i] +
                                  J[3 + c] * (W[3 * c] * J[3] + W[3 * c + 1] * J[4] + W[3 * c + 2] * J[5]);
                }
            }
            scale->row[r] = size;
            scale->compliance[r] = compliance;
        }
    }
}

bool scaleOf(const Island *island, const Real *multiplier, const Real *acceleration, Scale *scale)
{
    if (!reserveResidual(island, scale)) return false;
    beginForces(island, acceleration, scale);
    subtractRowForces(island, multiplier, scale);
    measureBodies(island, acceleration, scale);
    measureRows(island, multiplier, scale);
    return true;
}

/* ---- residuals --------------------------------------------------------------------------------------------------- */

Real residualRow(const IslandBlock *b, int row, const Real *x)
{
    const double *J = b->jacobian + 6 * (size_t)((row - b->row) * b->slots);
    Real sum = 0;
    for (int s = 0; s < b->slots; s++, J += 6) {
        if (b->body[s] < 0) continue;
        const Real *v = x + 6 * (size_t)b->body[s];
        for (int c = 0; c < 6; c++) sum += J[c] * v[c];
    }
    return sum;
}

void residualWorse(double *largest, int *where, Real x, Real scale, int at)
{
    const double ratio = x == 0 ? 0 : (double)(fabsl(x) / (scale + DBL_MIN));
    if (isnan(*largest) || ratio <= *largest) return;
    *largest = ratio, *where = at;
}

static void judgeBodies(const Island *island, const Scale *scale, Residual *to)
{
    for (int i = 0; i < island->bodies; i++) {
        const Real *out = scale->out + 6 * (size_t)i;
        const double *I = island->inertia + 9 * (size_t)i;
        const Real root = sqrtl(island->mass[i]), whole = scale->linear[i] * root;
        const Real slow = sqrtl(fmax(I[0], fmax(I[4], I[8])));
        const Real turn = sqrtl(largestOfDiagonal(scale->inverse + 9 * (size_t)i));
        residualWorse(&to->motion, &to->worst_body, sum3(out), whole * root, i);
        residualWorse(&to->motion, &to->worst_body, sum3(out + 3), slow * whole * (1 + slow * turn), i);
    }
}

static Real clampTo(Real x, Real lo, Real hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

/* A set of bounds and multipliers to check, of the solution or of phase 1, and its residuals. */
typedef struct RowCheck {
    const Real *multiplier, *acceleration;
    const double *lo, *hi;
    bool frictionless; /* rows whose bounds a normal force scales are left out */
    double *equality, *bounded;
    int *worst_equality, *worst_bounded;
} RowCheck;

static void judgeBox(const Island *island, const Scale *scale, const RowCheck *check, Real w, int r)
{
    const Real lambda = check->multiplier[r], k = scale->compliance[r] + island->softness[r];
    const Real lo = check->lo ? check->lo[r] : -INFINITY, hi = check->hi ? check->hi[r] : INFINITY;
    if (lo == -INFINITY && hi == INFINITY) {
        residualWorse(check->equality, check->worst_equality, w, scale->row[r], r);
        return;
    }
    Real e = 0;
    if (k > 0)
        e = (lambda - clampTo(lambda - w / k, lo, hi)) * k;
    else if (w > 0 ? lambda > lo : lambda < hi)
        e = w; /* a row without compliance: the residual is w itself */
    residualWorse(check->bounded, check->worst_bounded, e, scale->row[r], r);
}

/* n rows whose multipliers share an ellipse with the semi-axes hi: in lambda/hi it is the unit ball */
static void judgeDisc(const Island *island, const Scale *scale, const RowCheck *check, const Real *w, int first, int n)
{
    Real longest = 0, size = 0, k = 0, pull = 0, out = 0, natural[3];
    for (int i = 0; i < n; i++) {
        const int r = first + i;
        longest = fmaxl(longest, check->hi[r]), size = fmaxl(size, scale->row[r]);
        k = fmaxl(k, scale->compliance[r] + island->softness[r]);
        pull = hypotl(pull, check->hi[r] * w[i]);
    }
    if (k == 0) k = pull / (longest * longest);
    const Real step = k > 0 ? k * longest * longest : 1;
    for (int i = 0; i < n; i++) {
        const Real hi = check->hi[first + i];
        natural[i] = check->multiplier[first + i] / hi - hi * w[i] / step;
        out = hypotl(out, natural[i]);
    }
    for (int i = 0; i < n; i++) {
        const Real hi = check->hi[first + i], x = check->multiplier[first + i] / hi;
        residualWorse(check->bounded, check->worst_bounded, (x - natural[i] / fmaxl(1, out)) * hi * k, size, first + i);
    }
}

static void judgeRows(const Island *island, const Scale *scale, const RowCheck *check)
{
    for (int k = 0; k < island->blocks; k++) {
        const IslandBlock *b = &island->block[k];
        for (int r = b->row, n; r < b->row + b->rows; r += n) {
            Real w[3];
            n = 1 + (island->disc ? island->disc[r] : 0);
            if (check->frictionless && island->normal[r] >= 0) continue;
            for (int i = 0; i < n; i++)
                w[i] = residualRow(b, r + i, check->acceleration) + island->softness[r + i] * check->multiplier[r + i] -
                       island->right_side[r + i];
            if (n == 1)
                judgeBox(island, scale, check, w[0], r);
            else
                judgeDisc(island, scale, check, w, r, n);
        }
    }
}

/* ---- the friction law -------------------------------------------------------------------------------------------- */

/* Checks that the bounds used are the stated ones, or mu times the normal force of the friction law. */
static void judgeLaw(const Island *island, Residual *to)
{
    const double *force = island->law == IslandTwoPhase && island->load ? island->load : island->multiplier;
    const bool early = island->law != IslandTwoPhase && island->coupling > 0; /* as the recording states */
    Real largest = 0;
    for (int r = 0; island->normal && r < island->rows; r++)
        if (island->normal[r] >= 0) largest = fmaxl(largest, fabs(force[island->normal[r]]));
    for (int r = 0; island->lower && r < island->rows; r++) {
        const int normal = island->normal ? island->normal[r] : -1;
        const double lo = island->bound_lower[r], hi = island->bound_upper[r];
        if (normal < 0) {
            if (lo != island->lower[r])
                residualWorse(&to->law, &to->worst_law, lo - (Real)island->lower[r], fabs(lo) + fabs(island->lower[r]),
                              r);
            if (hi != island->upper[r])
                residualWorse(&to->law, &to->worst_law, hi - (Real)island->upper[r], fabs(hi) + fabs(island->upper[r]),
                              r);
            continue;
        }
        const double mu = island->upper[r];
        if (lo != -hi || (mu == INFINITY && hi != INFINITY && hi != 0))
            residualWorse(&to->law, &to->worst_law, 1, 1, r);
        if (mu == INFINITY || lo != -hi) continue;
        const Real off = hi - mu * fabsl((Real)force[normal]);
        residualWorse(early ? &to->uncoupled : &to->law, &to->worst_law, off, mu * largest, r);
    }
}

static bool copyToReal(const double *x, size_t count, Real **to)
{
    *to = malloc((count + 1) * sizeof **to);
    for (size_t i = 0; *to && i < count; i++) (*to)[i] = x ? (Real)x[i] : 0;
    return *to != NULL;
}

/* Phase 1 records its multipliers only; its accelerations are computed from them. */
static bool judgeFirstPhase(const Island *island, Scale *scale, Residual *to)
{
    const size_t n = 6 * (size_t)island->bodies;
    Real *load = NULL, *acceleration = NULL;
    bool done = copyToReal(island->load, (size_t)island->rows, &load) && copyToReal(NULL, n, &acceleration);
    int unused = -1;
    for (int r = 0; done && r < island->rows; r++)
        if (island->normal[r] >= 0) load[r] = 0;
    done = done && scaleOf(island, load, acceleration, scale); /* out: less all forces */
    for (int i = 0; done && i < island->bodies; i++) {
        const Real *W = scale->inverse + 9 * (size_t)i, *f = scale->out + 6 * (size_t)i;
        Real *a = acceleration + 6 * (size_t)i;
        for (int c = 0; c < 3; c++) {
            a[c] = -f[c] / island->mass[i];
            a[3 + c] = -(W[3 * c] * f[3] + W[3 * c + 1] * f[4] + W[3 * c + 2] * f[5]);
        }
    }
    done = done && scaleOf(island, load, acceleration, scale);
    const RowCheck check = {
        load, acceleration, island->lower, island->upper, true, &to->first_phase, &to->first_phase, &unused, &unused};
    if (done) judgeRows(island, scale, &check);
    free(load);
    free(acceleration);
    return done;
}

bool residualOf(const Island *island, Scale *scale, Residual *to)
{
    Real *multiplier = NULL, *acceleration = NULL;
    *to = (Residual){.worst_body = -1, .worst_row = -1, .worst_bounded = -1, .worst_law = -1};
    bool done = copyToReal(island->multiplier, (size_t)island->rows, &multiplier) &&
                copyToReal(island->acceleration, 6 * (size_t)island->bodies, &acceleration);
    if (done && island->normal && island->load && island->law == IslandTwoPhase)
        done = judgeFirstPhase(island, scale, to);
    done = done && scaleOf(island, multiplier, acceleration, scale);
    if (done) {
        const RowCheck check = {multiplier, acceleration,         island->bound_lower, island->bound_upper, false,
                                &to->rows,  &to->complementarity, &to->worst_row,      &to->worst_bounded};
        judgeBodies(island, scale, to);
        judgeRows(island, scale, &check);
        judgeLaw(island, to);
    }
    free(multiplier);
    free(acceleration);
    return done;
}
