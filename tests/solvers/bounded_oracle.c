/* SPDX-License-Identifier: BSD-3-Clause */
#include "bounded_oracle.h"

#include <math.h>
#include <string.h>

static void rotation(ukRandom *random, double R[9])
{
    double q[4], n = 0;
    for (int i = 0; i < 4; i++) q[i] = ukRandomUniform(random, -1, 1), n += q[i] * q[i];
    for (int i = 0; i < 4; i++) q[i] /= sqrt(n);
    const double S[9] = {
        1 - 2 * (q[2] * q[2] + q[3] * q[3]), 2 * (q[1] * q[2] - q[0] * q[3]),     2 * (q[1] * q[3] + q[0] * q[2]),
        2 * (q[1] * q[2] + q[0] * q[3]),     1 - 2 * (q[1] * q[1] + q[3] * q[3]), 2 * (q[2] * q[3] - q[0] * q[1]),
        2 * (q[1] * q[3] - q[0] * q[2]),     2 * (q[2] * q[3] + q[0] * q[1]),     1 - 2 * (q[1] * q[1] + q[2] * q[2])};
    memcpy(R, S, sizeof S);
}

void ukOracleBegin(ukOracleProblem *s, ukRandom *random, int bodies)
{
    memset(s, 0, sizeof *s);
    for (int i = 0; i < bodies; i++) {
        double R[9];
        rotation(random, R);
        s->mass[i] = ukRandomDecade(random, -1, 1);
        double principal[3];
        for (int c = 0; c < 3; c++) principal[c] = s->mass[i] * ukRandomUniform(random, 0.1, 1);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                for (int k = 0; k < 3; k++) {
                    s->inertia[9 * i + 3 * r + c] += R[3 * r + k] * principal[k] * R[3 * c + k];
                    s->inverse[9 * i + 3 * r + c] += R[3 * r + k] / principal[k] * R[3 * c + k];
                }
        ukRandomVector(random, 10 * s->mass[i], s->Q + 6 * i, 6);
        ukRandomVector(random, s->mass[i], s->C + 6 * i, 6);
    }
    s->p = (ukProblem){.bodies = bodies,
                       .mass = s->mass,
                       .inertia = s->inertia,
                       .inverse_inertia = s->inverse,
                       .Q = s->Q,
                       .C = s->C,
                       .block = s->block,
                       .body = s->body,
                       .A = s->A,
                       .b = s->b,
                       .softness = s->softness,
                       .lo = s->lo,
                       .hi = s->hi,
                       .normal = s->normal,
                       .cone = s->cone};
}

void ukOracleBlock(ukOracleProblem *s, int a, int b)
{
    const int k = s->p.blocks++;
    s->block[k] = (ukBlock){.row = s->p.rows, .slot = 2 * k, .slots = b >= 0 ? 2 : 1, .A = s->used};
    s->body[2 * k] = a, s->body[2 * k + 1] = b;
}

int ukOracleRow(ukOracleProblem *s, const double *J, double b, double softness, double lo, double hi, int normal)
{
    ukBlock *k = &s->block[s->p.blocks - 1];
    const int i = s->p.rows++, width = 6 * k->slots;
    memcpy(s->A + s->used, J, (size_t)width * sizeof *J);
    s->used += (size_t)width;
    s->b[i] = b, s->softness[i] = softness, s->lo[i] = lo, s->hi[i] = hi, s->normal[i] = normal;
    k->rows++;
    return i;
}

void ukOracleFill(ukOracleProblem *s, ukRandom *random, int rows, double softness_lo, double softness_hi, bool friction)
{
    while (s->p.rows + 5 <= rows && s->p.blocks < ukOracleBlocks) {
        const int n = s->p.bodies, a = ukRandomInt(random, 0, n - 1);
        const int b = n > 1 && ukRandomInt(random, 0, 1) ? (a + ukRandomInt(random, 1, n - 1)) % n : -1;
        const double soft = pow(10, ukRandomUniform(random, log10(softness_lo), log10(softness_hi)));
        double J[12];
        ukOracleBlock(s, a, b);
        const int kind = ukRandomInt(random, 0, 4);
        const int count = kind == 0 ? ukRandomInt(random, 1, 3) : 1;
        int row = 0;
        for (int k = 0; k < count; k++) {
            const double big = ukRandomUniform(random, 0, 20), small = ukRandomUniform(random, 0, 3);
            const double lo = kind == 0 ? -INFINITY : kind == 1 ? -big : kind == 2 ? -INFINITY : 0;
            const double hi = kind == 0 ? INFINITY : kind == 1 ? small : kind == 2 ? 0 : INFINITY;
            ukRandomVector(random, 1, J, 12);
            row = ukOracleRow(s, J, ukRandomUniform(random, -10, 10), soft, lo, hi, -1);
        }
        if (kind < 3 || !friction) continue;
        const double mu = ukRandomUniform(random, 0.1, 1);
        for (int k = 0; k < 2; k++) { /* tangents */
            const double other = ukRandomUniform(random, 0.1, 1);
            ukRandomVector(random, 1, J, 12);
            const int t =
                ukOracleRow(s, J, ukRandomUniform(random, -5, 5), soft, -(k ? other : mu), k ? other : mu, row);
            s->cone[t] = k == 0;
        }
        if (kind == 4) { /* rolling */
            ukRandomVector(random, 0.3, J, 12);
            ukOracleRow(s, J, 0, soft, -0.1, 0.1, row);
        }
    }
}

void ukOracleDiscs(ukOracleProblem *s, ukRandom *random, int blocks, double softness)
{
    for (int k = 0; k < blocks && s->p.rows + 3 <= ukOracleRows && s->p.blocks < ukOracleBlocks; k++) {
        const int n = s->p.bodies, a = ukRandomInt(random, 0, n - 1), more = ukRandomInt(random, 1, 2);
        const double radius = ukRandomUniform(random, 0.1, 10);
        double J[12];
        ukOracleBlock(s, a, n > 1 ? (a + ukRandomInt(random, 1, n - 1)) % n : -1);
        s->cone[s->p.rows] = (unsigned char)more;
        for (int i = 0; i <= more; i++) {
            ukRandomVector(random, 1, J, 12);
            ukOracleRow(s, J, ukRandomUniform(random, -10, 10), softness, -radius, radius, -1);
        }
    }
}

void ukOracleDense(ukOracleProblem *s)
{
    const int n = 6 * s->p.bodies, m = s->p.rows;
    memset(s->full, 0, sizeof s->full);
    for (int k = 0; k < s->p.blocks; k++)
        for (int r = 0; r < s->block[k].rows; r++)
            for (int c = 0; c < s->block[k].slots; c++) {
                const int body = s->body[s->block[k].slot + c];
                if (body < 0) continue;
                memcpy(s->full + (s->block[k].row + r) * n + 6 * body,
                       s->A + s->block[k].A + 6 * (size_t)(r * s->block[k].slots + c), 6 * sizeof(double));
            }
    double f[6 * ukOracleBodies], a[6 * ukOracleBodies], x[6 * ukOracleBodies];
    for (int i = 0; i < n; i++) f[i] = s->Q[i] + s->C[i];
    ukProblemAccelerate(&s->p, f, a);
    for (int i = 0; i < m; i++) {
        ukProblemAccelerate(&s->p, s->full + i * n, x);
        s->r[i] = s->b[i];
        for (int e = 0; e < n; e++) s->r[i] -= s->full[i * n + e] * a[e];
        for (int j = 0; j < m; j++) {
            double sum = i == j ? s->softness[i] : 0;
            for (int e = 0; e < n; e++) sum += s->full[j * n + e] * x[e];
            s->K[j * m + i] = sum;
        }
    }
}

double ukOracleSweep(const ukOracleProblem *s, const double *lo, const double *hi, bool follow, double *lambda)
{
    const int m = s->p.rows;
    double change = 0;
    for (int k = 0; k < 2000000; k++) {
        change = 0;
        double size = 1e-300;
        for (int i = 0; i < m; i++) {
            double w = -s->r[i], low = lo[i], high = hi[i];
            for (int j = 0; j < m; j++) w += s->K[i * m + j] * lambda[j];
            if (follow && s->normal[i] >= 0) high = s->hi[i] * fabs(lambda[s->normal[i]]), low = -high;
            const double next = fmin(fmax(lambda[i] - w / s->K[i * m + i], low), high);
            change = fmax(change, fabs(next - lambda[i]));
            size = fmax(size, fabs(next));
            lambda[i] = next;
        }
        change /= size;
        if (change < 1e-15) break;
    }
    return change;
}

/* x (k) with the rows and columns `index` of K; Gauss elimination with pivoting */
static bool solveSub(const ukOracleProblem *s, const int *index, int k, const double *rhs, double *x)
{
    const int m = s->p.rows;
    double T[ukOracleRows * (ukOracleRows + 1)];
    const int w = k + 1;
    for (int i = 0; i < k; i++) {
        for (int j = 0; j < k; j++) T[i * w + j] = s->K[index[i] * m + index[j]];
        T[i * w + k] = rhs[i];
    }
    for (int c = 0; c < k; c++) {
        int best = c;
        for (int i = c + 1; i < k; i++)
            if (fabs(T[i * w + c]) > fabs(T[best * w + c])) best = i;
        if (!(fabs(T[best * w + c]) > 0)) return false;
        for (int j = 0; j <= k; j++) {
            const double swap = T[c * w + j];
            T[c * w + j] = T[best * w + j], T[best * w + j] = swap;
        }
        for (int i = c + 1; i < k; i++) {
            const double factor = T[i * w + c] / T[c * w + c];
            for (int j = c; j <= k; j++) T[i * w + j] -= factor * T[c * w + j];
        }
    }
    for (int i = k - 1; i >= 0; i--) {
        x[i] = T[i * w + k];
        for (int j = i + 1; j < k; j++) x[i] -= T[i * w + j] * x[j];
        x[i] /= T[i * w + i];
    }
    return true;
}

bool ukOracleEnumerate(const ukOracleProblem *s, const double *lo, const double *hi, double *lambda)
{
    const int m = s->p.rows;
    int state[ukOracleRows] = {0}; /* 0 between, 1 at lo, 2 at hi */
    for (;;) {
        int index[ukOracleRows], k = 0;
        double rhs[ukOracleRows], x[ukOracleRows];
        bool possible = true;
        for (int i = 0; i < m; i++) {
            lambda[i] = state[i] == 1 ? lo[i] : state[i] == 2 ? hi[i] : 0;
            if (state[i] == 0) index[k++] = i;
            possible = possible && isfinite(lambda[i]);
        }
        for (int i = 0; i < k && possible; i++) {
            rhs[i] = s->r[index[i]];
            for (int j = 0; j < m; j++) rhs[i] -= s->K[index[i] * m + j] * lambda[j];
        }
        if (possible && solveSub(s, index, k, rhs, x)) {
            for (int i = 0; i < k; i++) lambda[index[i]] = x[i];
            bool fits = true;
            for (int i = 0; i < m && fits; i++) {
                double w = -s->r[i], size = fabs(s->r[i]);
                for (int j = 0; j < m; j++) w += s->K[i * m + j] * lambda[j], size += fabs(s->K[i * m + j] * lambda[j]);
                const double slack = 1e-11 * size, room = 1e-11 * (1 + fabs(lambda[i]));
                fits = state[i] == 0   ? lambda[i] >= lo[i] - room && lambda[i] <= hi[i] + room
                       : state[i] == 1 ? w >= -slack
                                       : w <= slack;
            }
            if (fits) return true;
        }
        int i = 0;
        while (i < m && (state[i] == 2 || (!isfinite(lo[i]) && !isfinite(hi[i])))) state[i++] = 0;
        if (i == m) return false;
        state[i]++;
    }
}

static double larger(double *worst, double x)
{
    if (!(x <= *worst)) *worst = x; /* NaN stays */
    return *worst;
}

double ukOracleViolation(const ukOracleProblem *s, const double *qdd, const double *lambda, const double *lo,
                         const double *hi, bool cones)
{
    const int n = 6 * s->p.bodies, m = s->p.rows;
    double worst = 0, force = 1e-300, acceleration = 1e-300, Ma[6 * ukOracleBodies];
    ukProblemInertia(&s->p, qdd, Ma);
    for (int e = 0; e < n; e++) {
        double sum = Ma[e] - s->Q[e] - s->C[e], size = fabs(Ma[e]) + fabs(s->Q[e]) + fabs(s->C[e]);
        for (int i = 0; i < m; i++) sum -= s->full[i * n + e] * lambda[i], size += fabs(s->full[i * n + e] * lambda[i]);
        larger(&worst, fabs(sum) / fmax(size, 1e-300));
        force = fmax(force, size);
    }
    double w[ukOracleRows];
    for (int i = 0; i < m; i++) {
        double size = fabs(s->b[i]) + s->softness[i] * fabs(lambda[i]);
        w[i] = s->softness[i] * lambda[i] - s->b[i];
        for (int e = 0; e < n; e++) w[i] += s->full[i * n + e] * qdd[e], size += fabs(s->full[i * n + e] * qdd[e]);
        acceleration = fmax(acceleration, size);
    }
    for (int i = 0; i < m; i++) {
        if (s->cone[i] && (cones || s->normal[i] < 0)) {
            const bool loaded = s->normal[i] >= 0;
            const double load = loaded ? fabs(lambda[s->normal[i]]) : s->hi[i];
            double size = 0, slip = 0, off = 0;
            for (int k = i; k <= i + s->cone[i]; k++) {
                const double mu = loaded ? s->hi[k] : 1;
                size = hypot(size, lambda[k] / mu), slip = hypot(slip, mu * w[k]);
            }
            for (int k = i; k <= i + s->cone[i]; k++) {
                const double mu = loaded ? s->hi[k] : 1;
                off = hypot(off, lambda[k] / mu * slip + load * mu * w[k]);
            }
            larger(&worst, (size - load) / force);
            if (size < load - 1e-8 * force) larger(&worst, slip / acceleration); /* sticks */
            /* slides: the force of greatest dissipation; its direction counts as far as there is slip */
            larger(&worst, size < load - 1e-8 * force ? 0 : off / (force * acceleration));
            i += s->cone[i];
            continue;
        }
        larger(&worst, (lo[i] - lambda[i]) / force);
        larger(&worst, (lambda[i] - hi[i]) / force);
        const double near = 1e-9 * force;
        if (lambda[i] > lo[i] + near) larger(&worst, w[i] / acceleration);
        if (lambda[i] < hi[i] - near) larger(&worst, -w[i] / acceleration);
    }
    return worst;
}
