#include "solvers/gauss_check.h"

#include <math.h>
#include <string.h>

/* What the passes gather; a body's scratch is rest (6), linear, angular: M qdd - Q - C - A' lambda as far as it is
 * summed, and the magnitudes of the forces and torques that met there, later of the accelerations that they make. */
enum { rest = 0, linear = 6, angular = 7, per_body = 8 };

typedef struct Sums {
    double rest2;      /* |rest|^2 in M^-1 */
    double gap, stray; /* Fenchel-Young gaps; |A' (lambda - lambda')|_{M^-1} where lambda' is lambda put into bounds */
    double hard2;      /* squares of the residuals of hard equality rows */
    bool bounded;
} Sums;

static double abs3(const double *x)
{
    return fabs(x[0]) + fabs(x[1]) + fabs(x[2]);
}

static double dot3(const double *x, const double *y)
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

static double quadratic3(const double *S, const double *x)
{
    return x[0] * dot3(S, x) + x[1] * dot3(S + 3, x) + x[2] * dot3(S + 6, x);
}

/* norm of a 3 x 3 s.p.d. matrix, low by a factor 3 at most */
static double norm3(const double *S)
{
    const double x = S[0] > S[4] ? S[0] : S[4]; /* fmax would be a call */
    return x > S[8] ? x : S[8];
}

static void worst(double x, int where, double *largest, int *at)
{
    if (x > *largest || isnan(x)) *largest = x, *at = where; /* a NaN stays: nothing is larger */
}

static double ratio(double x, double scale)
{
    return x == 0 ? 0 : x / scale;
}

/* x' M x of body i */
static double kinetic(const ukProblem *p, int i, const double *x)
{
    return p->mass[i] * dot3(x, x) + quadratic3(p->inertia + 9 * (size_t)i, x + 3);
}

/* f' M^-1 f of body i */
static double admitted(const ukProblem *p, int i, const double *f)
{
    return dot3(f, f) / p->mass[i] + quadratic3(p->inverse_inertia + 9 * (size_t)i, f + 3);
}

/* y = x - M^-1 f of body i */
static void relative(const ukProblem *p, int i, const double *x, const double *f, double *y)
{
    const double *J = p->inverse_inertia + 9 * (size_t)i, inverse = 1 / p->mass[i];
    for (int c = 0; c < 3; c++) {
        y[c] = x[c] - inverse * f[c];
        y[3 + c] = x[3 + c] - dot3(J + 3 * c, f + 3);
    }
}

/* rest = M qdd - Q - C, the magnitudes of Q and C; the Gaussian of Udwadia 2000 [15] and that of the whole constraint
 * force */
static void beginBodies(const ukProblem *p, const double *qdd, double *work, ukCertificate *c)
{
    for (int i = 0; i < p->bodies; i++, qdd += 6, work += per_body) {
        const double *Q = p->Q + 6 * (size_t)i, *C = p->C ? p->C + 6 * (size_t)i : NULL;
        const double *I = p->inertia + 9 * (size_t)i;
        double d[6];
        for (int k = 0; k < 3; k++) {
            work[rest + k] = p->mass[i] * qdd[k] - Q[k];
            work[rest + 3 + k] = dot3(I + 3 * k, qdd + 3) - Q[3 + k];
        }
        work[linear] = abs3(Q);
        work[angular] = abs3(Q + 3);
        relative(p, i, qdd, Q, d);
        const double g = kinetic(p, i, d);
        c->gaussian += g;
        if (C) {
            for (int k = 0; k < 6; k++) work[rest + k] -= C[k];
            work[linear] += abs3(C);
            work[angular] += abs3(C + 3);
            relative(p, i, d, C, d);
        }
        c->minimum += C ? kinetic(p, i, d) : g;
    }
}

/* rest -= A' lambda, with the magnitudes of each row's force */
static void subtractForces(const ukProblem *p, const double *lambda, double *work)
{
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *b = p->block + k;
        const size_t stride = 6 * (size_t)b->slots;
        for (int s = 0; s < b->slots; s++) {
            const int i = p->body[b->slot + s];
            if (i < 0) continue;
            const double *A = p->A + b->A + 6 * (size_t)s, *l = lambda + b->row;
            double *w = work + per_body * (size_t)i;
            double f[6] = {0}, force = 0, torque = 0;
            for (int r = 0; r < b->rows; r++, A += stride) {
                const double x = l[r], size = fabs(x);
                for (int c = 0; c < 6; c++) f[c] += A[c] * x;
                force += abs3(A) * size;
                torque += abs3(A + 3) * size;
            }
            for (int c = 0; c < 6; c++) w[rest + c] -= f[c];
            w[linear] += force;
            w[angular] += torque;
        }
    }
}

/* Stationarity. The rounding of a torque in world axes reaches the angular acceleration through the largest entry of
 * the inverse inertia, and comes back through the inertia: hence the scale |I| |I^-1| |torque|. */
static void judgeBodies(const ukProblem *p, const double *qdd, double *work, Sums *sums, ukCertificate *c)
{
    for (int i = 0; i < p->bodies; i++, qdd += 6, work += per_body) {
        const double slowness = norm3(p->inertia + 9 * (size_t)i), agility = norm3(p->inverse_inertia + 9 * (size_t)i);
        const double force = work[linear], torque = work[angular];
        work[linear] = force / p->mass[i] + abs3(qdd);
        work[angular] = agility * torque + abs3(qdd + 3);
        worst(ratio(abs3(work + rest), force + p->mass[i] * work[linear]), i, &c->stationarity, &c->worst_body);
        worst(ratio(abs3(work + rest + 3), torque + slowness * work[angular]), i, &c->stationarity, &c->worst_body);
        sums->rest2 += admitted(p, i, work + rest);
    }
}

typedef struct Row {
    double u, w, scale, k; /* b - A qdd, S lambda - u, what can round, ~ (A M^-1 A') (only where bounded) */
    double lambda, softness, lo, hi;
} Row;

static double clamp(double x, double lo, double hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

/* psi(u) - lambda u + S lambda^2/2 for lambda within lo, hi (not both infinite or S > 0) */
static double gapOf(const Row *r, double lambda)
{
    if (r->softness > 0) {
        const double mu = clamp(r->u / r->softness, r->lo, r->hi);
        return (mu - lambda) * (r->u - 0.5 * r->softness * (mu + lambda));
    }
    return r->u == 0 ? 0 : ((r->u > 0 ? r->hi : r->lo) - lambda) * r->u;
}

static void judgeBox(const Row *r, int row, int *at, Sums *sums, ukCertificate *c)
{
    const double k = r->k + r->softness, lambda = clamp(r->lambda, r->lo, r->hi), gap = gapOf(r, lambda);
    double e = 0;
    if (k > 0)
        e = (r->lambda - clamp(r->lambda - r->w / k, r->lo, r->hi)) * k;
    else if (r->w > 0 ? r->lambda > r->lo : r->lambda < r->hi)
        e = r->w; /* moves nothing: no force unit */
    worst(ratio(fabs(e), r->scale), row, &c->complementarity, at);
    sums->stray += fabs(r->lambda - lambda) * sqrt(3 * r->k);
    sums->gap += gap < 0 ? 0 : gap;
}

/* Both tangent rows of one cone. In the coordinates lambda/radius the ellipse is the unit disk, and maximal dissipation
 * (lambda' w least on the ellipse) is the natural residual there. */
static void judgeEllipse(const Row r[2], int row, int *at, Sums *sums, ukCertificate *c)
{
    const double a = r[0].hi, b = r[1].hi;
    const double longer = fmax(a, b), scale = fmax(r[0].scale, r[1].scale);
    double k = fmax(r[0].k + r[0].softness, r[1].k + r[1].softness);
    if (!(a > 0 && b > 0 && longer < INFINITY)) { /* a segment or a strip */
        judgeBox(r, row, at, sums, c);
        judgeBox(r + 1, row + 1, at, sums, c);
        return;
    }
    if (k == 0) k = hypot(a * r[0].w, b * r[1].w) / (longer * longer); /* moves nothing: any step serves */
    const double step = k > 0 ? k * longer * longer : 1;
    const double x = r[0].lambda / a, y = r[1].lambda / b, size = fmax(1, hypot(x, y));
    const double px = x - a * r[0].w / step, py = y - b * r[1].w / step, out = fmax(1, hypot(px, py));
    worst(ratio(fabs(x - px / out) * a * k, scale), row, &c->complementarity, at);
    worst(ratio(fabs(y - py / out) * b * k, scale), row + 1, &c->complementarity, at);

    /* lambda put into the ellipse, then the gap: exact inside the ellipse and on hard rows, else psi without softness,
     * which is not smaller */
    const double l0 = r[0].lambda / size, l1 = r[1].lambda / size, s0 = r[0].softness, s1 = r[1].softness;
    sums->stray += fabs(r[0].lambda - l0) * sqrt(3 * r[0].k) + fabs(r[1].lambda - l1) * sqrt(3 * r[1].k);
    const double m0 = s0 > 0 ? r[0].u / s0 : INFINITY, m1 = s1 > 0 ? r[1].u / s1 : INFINITY;
    const double gap = hypot(m0 / a, m1 / b) <= 1 ? 0.5 * (s0 * (m0 - l0) * (m0 - l0) + s1 * (m1 - l1) * (m1 - l1))
                                                  : hypot(a * r[0].u, b * r[1].u) - l0 * r[0].u - l1 * r[1].u +
                                                        0.5 * (s0 * l0 * l0 + s1 * l1 * l1);
    sums->gap += gap < 0 ? 0 : gap;
}

/* 1, 2: first, second row of a pair under an elliptic cone, 0: none; pairs stand in one block on one normal */
static int placeInCone(const ukProblem *p, const ukBlock *b, int row)
{
    if (!p->cone || !p->normal) return 0;
    if (p->cone[row] && row + 1 < b->row + b->rows && p->normal[row] == p->normal[row + 1]) return 1;
    return row > b->row && p->cone[row - 1] && p->normal[row] == p->normal[row - 1] ? 2 : 0;
}

static void judgeRows(const ukProblem *p, const ukGaussEvidence *e, const double *work, Sums *sums, ukCertificate *c)
{
    int worst_equality = -1, worst_bounded = -1;
    Row pair[2];
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *b = p->block + k;
        const double *A = p->A + b->A;
        for (int i = b->row; i < b->row + b->rows; i++) {
            Row r = {.lambda = e->lambda[i], .lo = -INFINITY, .hi = INFINITY};
            if (p->softness) r.softness = p->softness[i];
            if (e->lo) r.lo = e->lo[i], r.hi = e->hi[i];
            const bool bounded = r.lo > -INFINITY || r.hi < INFINITY;
            double sum = 0;
            for (int s = b->slot; s < b->slot + b->slots; s++, A += 6) {
                const int j = p->body[s];
                if (j < 0) continue;
                const double *v = e->qdd + 6 * (size_t)j, *g = work + per_body * (size_t)j;
                const double l = abs3(A), t = abs3(A + 3);
                sum += dot3(A, v) + dot3(A + 3, v + 3);
                r.scale += l * g[linear] + t * g[angular];
                if (bounded) r.k += l * l / p->mass[j] + t * t * norm3(p->inverse_inertia + 9 * (size_t)j);
            }
            r.u = p->b[i] - sum;
            r.w = r.softness * r.lambda - r.u;
            r.scale += fabs(p->b[i]) + r.softness * fabs(r.lambda);

            const int in_cone = e->elliptic ? placeInCone(p, b, i) : 0;
            sums->bounded |= bounded;
            if (in_cone) {
                pair[in_cone - 1] = r;
                if (in_cone == 2) judgeEllipse(pair, i - 1, &worst_bounded, sums, c);
            } else if (bounded) {
                judgeBox(&r, i, &worst_bounded, sums, c);
            } else {
                worst(ratio(fabs(r.w), r.scale), i, &c->feasibility, &worst_equality);
                if (r.softness > 0)
                    sums->gap += 0.5 * r.w * r.w / r.softness;
                else
                    sums->hard2 += r.u * r.u;
            }
        }
    }
    c->worst_row = c->feasibility >= c->complementarity || isnan(c->feasibility) ? worst_equality : worst_bounded;
}

/* Qi = A' lambda_ideal, Qni = M qdd - Q - Qi, and their M^-1 products (Udwadia 2004 [9]-[12]) */
static void split(const ukProblem *p, const ukGaussEvidence *e, double *work, ukCertificate *c)
{
    bool prescribed = false;
    for (size_t i = 0; p->C && i < 6 * (size_t)p->bodies; i++) prescribed |= p->C[i] != 0;
    c->gaussian_ideal = c->gaussian;
    if (!prescribed) return;
    c->gaussian_ideal = c->gaussian_nonideal = c->orthogonality = NAN;
    if (!e->lambda_ideal) return;

    double ideal = 0, nonideal = 0, cross = 0, *Qi = work;
    memset(Qi, 0, 6 * (size_t)p->bodies * sizeof *Qi);
    ukProblemApplyTransposed(p, e->lambda_ideal, Qi);
    for (int i = 0; i < p->bodies; i++, Qi += 6) {
        const double *qdd = e->qdd + 6 * (size_t)i, none[6] = {0};
        double d[6], qi[6];
        relative(p, i, none, Qi, qi); /* -M^-1 Qi */
        relative(p, i, qdd, p->Q + 6 * (size_t)i, d);
        relative(p, i, d, Qi, d); /* M^-1 Qni */
        ideal += kinetic(p, i, qi);
        nonideal += kinetic(p, i, d);
        cross += dot3(Qi, d) + dot3(Qi + 3, d + 3);
    }
    c->gaussian_ideal = ideal;
    c->gaussian_nonideal = nonideal;
    c->orthogonality = ratio(fabs(cross), sqrt(ideal) * sqrt(nonideal));
}

static double distance(const Sums *s, double sigma_min)
{
    const double free = hypot(sqrt(s->rest2) + s->stray, sqrt(2 * s->gap));
    if (s->hard2 == 0) return free;
    return sigma_min > 0 && !s->bounded ? free + sqrt(s->hard2) / sigma_min : isnan(s->hard2) ? NAN : INFINITY;
}

static void examine(const ukProblem *p, const ukGaussEvidence *e, double *work, Sums *sums, ukCertificate *c)
{
    *c = (ukCertificate){.worst_row = -1, .worst_body = -1};
    *sums = (Sums){0};
    beginBodies(p, e->qdd, work, c);
    subtractForces(p, e->lambda, work);
    judgeBodies(p, e->qdd, work, sums, c);
    judgeRows(p, e, work, sums, c);
}

size_t ukGaussCheckWork(const ukProblem *p)
{
    return per_body * (size_t)p->bodies;
}

void ukGaussCheck(const ukProblem *p, const ukGaussEvidence *e, double *work, ukCertificate *certificate)
{
    Sums sums;
    examine(p, e, work, &sums, certificate);
    certificate->distance = distance(&sums, 0);
    split(p, e, work, certificate);
}

double ukGaussCheckDistance(const ukProblem *p, const ukGaussEvidence *e, double sigma_min, double *work)
{
    Sums sums;
    ukCertificate certificate;
    examine(p, e, work, &sums, &certificate);
    return distance(&sums, sigma_min);
}

bool ukCertificateHolds(const ukCertificate *c, double tolerance)
{
    return c->feasibility <= tolerance && c->stationarity <= tolerance && c->complementarity <= tolerance;
}

void ukGaussCheckBounds(const ukProblem *p, const double *lambda_normal, double *lo, double *hi)
{
    for (int i = 0; i < p->rows; i++) {
        lo[i] = p->lo ? p->lo[i] : -INFINITY;
        hi[i] = p->hi ? p->hi[i] : INFINITY;
        if (!p->lo || !p->normal || p->normal[i] < 0) continue;
        const double load = fabs(lambda_normal[p->normal[i]]);
        hi[i] = load > 0 ? hi[i] * load : 0;
        lo[i] = -hi[i];
    }
}
