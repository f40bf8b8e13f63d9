/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/bounded/interior.h"

#include "solvers/base/status.h"
#include "solvers/bounded/interior_box.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* With coupled bounds every complementarity product stays in [gamma mu, mu / gamma], mu the mean (a neighbourhood of
 * the central path). *Measured:* falling piles of 180 to 220 have a coupling error below 0.01 in 92 % of the steps,
 * without it in 91; with 1e-2, the README's scenes take 1.24 of the passes. */
static const double off_centre = 1e-3;

/* Least slack, relative to the bound: the rounding of a difference from it. *Measured* (README's scenes): with 16 times
 * as much the coupled box takes 1.24 of the passes (a pile of 40 1.33) and the cone 1.02, with an eighth 0.96 and
 * 1.00. */
static const double least_slack = 0.5 * DBL_EPSILON;

void ukInteriorCarve(ukInterior *I, const ukProblem *p, ukArena *arena)
{
    const size_t m = (size_t)p->rows;
    UKODE_DOUBLES(arena, m, &I->below, &I->above, &I->dbelow, &I->dabove, &I->gbelow, &I->gabove, &I->cbelow,
                  &I->cabove, &I->cw, &I->r, &I->step, &I->pivot, &I->best, &I->low, &I->high, &I->nbelow, &I->nabove,
                  &I->best_below, &I->best_above, &I->is_low, &I->is_high);
    I->active = ukArenaBytes(arena, m);
    I->follow = ukArenaDoubles(arena, m);
}

/* fmin and fmax would be function calls */
static double lesserOf(double x, double y)
{
    return x < y ? x : y;
}

static double greaterOf(double x, double y)
{
    return x > y ? x : y;
}

/* active: rows whose interval or disc is larger than rounding, 1e-15 of the row's terms; the others keep their
 * multiplier. *Measured:* under the cone, with 0, 15 of 830 steps more miss the law, for 1.03 of the passes; with
 * 1e-12, 20 for 1.01. */
static void chooseInteriorRows(ukInterior *I, const ukBounded *B)
{
    for (int i = 0, n = 0; i < B->m; i += n) {
        n = ukDiscRows(B, i);
        const double width = n > 1 ? B->hi[i] : B->hi[i] - B->lo[i];
        memset(I->active + i, width * ukRowScale(B, i) > 1e-15 * B->scale[i], (size_t)n);
    }
}

/* Slack of a disc, (radius^2 - size^2) / (2 radius), whose dual is then the slip itself for any radius; above 0, so
 * that products and quotients stay finite. */
static double discSlack(double radius, double size)
{
    return 0.5 * greaterOf(radius - size, least_slack * radius) * (radius + size) / radius;
}

/* low = lambda - lo and high = hi - lambda of boxes, at least their rounding; infinite for rows that take no part. */
static void measureSlacks(ukInterior *I, const ukBounded *B, const double *lambda)
{
    for (int i = 0; i < B->m; i++) {
        if (!I->active[i]) {
            I->low[i] = I->high[i] = INFINITY;
            continue;
        }
        I->low[i] = greaterOf(lambda[i] - B->lo[i], least_slack * fabs(B->lo[i]));
        I->high[i] = greaterOf(B->hi[i] - lambda[i], least_slack * fabs(B->hi[i]));
    }
}

/* The slack t > 0 with t - e / t = z: the complementarity product t y = e d of one row alone, w = d (t - z) = y. */
static double slackOfProduct(double z, double e)
{
    const double root = sqrt(z * z + 4 * e);
    return z > 0 ? 0.5 * (z + root) : 2 * e / (root - z);
}

/* The multiplier near the central path of one row alone, whose unbounded solution is v: the shifts by its two bounds,
 * added, which stays inside. Computed from the nearer bound, so that the slack has full relative accuracy. */
static double centreBetweenBounds(double lo, double hi, double v, double e)
{
    if (isinf(lo) && isinf(hi)) return v;
    if (v - lo < hi - v) return lo + slackOfProduct(v - lo, e) - slackOfProduct(v - hi, e);
    return hi - slackOfProduct(hi - v, e) + slackOfProduct(lo - v, e);
}

/* lambda strictly inside, with slacks and duals whose products are about mu: intervals from the natural map lambda - w
 * / d, discs from lambda; with coupled bounds all from lambda, as the map would change the normal forces too much. A
 * slack is at most a quarter of its interval, a force on a disc is drawn back to half its radius at most. *Measured*
 * (README's scenes): a twentieth of the interval instead of a quarter 1.10 of the passes under the coupled box; a tenth
 * of the radius, 16 % more misses of the law under the cone. */
static void startNearCentralPath(ukInterior *I, ukBounded *B, double mu, bool coupled, double *lambda)
{
    for (int i = 0, n = 0; i < B->m; i += n) {
        n = ukDiscRows(B, i);
        if (!I->active[i]) continue;
        const double d = ukRowScale(B, i), push = sqrt(mu / d);
        if (n > 1) {
            const double size = ukDiscSize(lambda + i, n), most = greaterOf(B->hi[i] - push, 0.5 * B->hi[i]);
            for (int k = i; size > most && k < i + n; k++) lambda[k] *= most / size;
            I->below[i] = mu / discSlack(B->hi[i], ukDiscSize(lambda + i, n));
            continue;
        }
        const double slack = lesserOf(push, 0.25 * (B->hi[i] - B->lo[i]));
        if (coupled)
            lambda[i] = ukClamp(lambda[i], B->lo[i] + slack, B->hi[i] - slack);
        else
            lambda[i] = centreBetweenBounds(B->lo[i], B->hi[i], lambda[i] - B->w[i] / d, mu / d);
    }
    measureSlacks(I, B, lambda);
    for (int i = 0; i < B->m; i++)
        if (B->kind[i] == ukRowBox) I->below[i] = mu / I->low[i], I->above[i] = mu / I->high[i];
    ukBoundedEvaluate(B, lambda);
}

/* Mean complementarity product of a cold start: a tenth of the mean of scale^2 / (K_ii + softness). *Measured:* a
 * hundredth takes 1.06, 1.04 and 1.01 of the passes under coupled box, cone and two-phase law, 1 takes 1.07, 1.12 and
 * 1.00, and either misses the coupled laws more often. */
static double coldStartProduct(const ukBounded *B)
{
    double sum = 0;
    for (int i = 0; i < B->m; i++)
        if (ukRowScale(B, i) > 0) sum += B->scale[i] * B->scale[i] / ukRowScale(B, i);
    return 1e-1 * sum / B->m;
}

/* Frame and pivots of a disc whose two rows differ in softness: eigenvectors and eigenvalues of
 * diag(pivot) + steep lambda lambda'. */
static void setDiscEigenframe(ukBounded *B, int i, double steep, const double *lambda, double *pivot)
{
    const double x = steep * lambda[0] * lambda[0], y = steep * lambda[1] * lambda[1];
    const double xy = steep * lambda[0] * lambda[1], half = 0.5 * (pivot[0] + x - pivot[1] - y);
    const double most = 0.5 * (pivot[0] + x + pivot[1] + y) + hypot(half, xy);
    const double small = (pivot[0] * (pivot[1] + y) + x * pivot[1]) / most; /* determinant, where nothing cancels */
    const double angle = xy == 0 ? 0 : 0.5 * atan2(xy, fabs(half));         /* to the nearer axis */
    const double u[2] = {cos(angle), half < 0 ? -sin(angle) : sin(angle)};
    ukDiscFrame(B, i, 2, u, 1);
    pivot[0] = half < 0 ? small : most, pivot[1] = half < 0 ? most : small;
}

/* The Newton matrix at (lambda, duals y, z): pivot = softness + y / low + z / high, discs likewise in frames along
 * their force. Returns the mean complementarity product. Duals and inverse slacks are 0 for rows without bound and rows
 * that do not take part. */
static double linearizeComplementarity(ukInterior *I, ukBounded *B, const double *lambda)
{
    double sum = 0;
    if (I->plain) {
        const double products = ukInteriorBoxLinearize(I, B); /* the pivots, too: also without any bound */
        return I->bounds > 0 ? products / I->bounds : 0;
    }
    I->bounds = 0;
    for (int i = 0, n = 0; i < B->m; i += n) {
        n = ukDiscRows(B, i);
        if (n > 1) {
            for (int k = i; k < i + n; k++) I->pivot[k] = B->softness[k] + B->shift[k];
            I->nbelow[i] = 0;
            if (!I->active[i]) continue;
            const double size = ukDiscSize(lambda + i, n), gap = discSlack(B->hi[i], size), share = size / B->hi[i];
            I->nbelow[i] = 1 / gap;
            for (int k = i; k < i + n; k++) I->pivot[k] += I->below[i] / B->hi[i];
            if (ukDiscAlike(B, i, n)) {
                ukDiscFrame(B, i, n, lambda + i, size);
                I->pivot[i] += I->below[i] * I->nbelow[i] * share * share;
            } else
                setDiscEigenframe(B, i, I->below[i] * I->nbelow[i] / (B->hi[i] * B->hi[i]), lambda + i, I->pivot + i);
            sum += gap * I->below[i], I->bounds++;
            continue;
        }
        const double low = I->low[i], high = I->high[i];
        const bool below = I->active[i] && low < INFINITY, above = I->active[i] && high < INFINITY;
        const double y = below ? I->below[i] : 0, z = above ? I->above[i] : 0;
        const double nbelow = below ? 1 / low : 0, nabove = above ? 1 / high : 0;
        I->pivot[i] = B->softness[i] + B->shift[i] + y * nbelow + z * nabove;
        I->below[i] = y, I->above[i] = z, I->nbelow[i] = nbelow, I->nabove[i] = nabove;
        sum += below ? low * y : 0, sum += above ? high * z : 0;
        I->bounds += below + above;
    }
    return I->bounds > 0 ? sum / I->bounds : 0;
}

/* change of friction row i's bound for the change d of the normal forces */
static double boundChange(const ukBounded *B, int i, const double *d, const double *lambda)
{
    const int n = ukProblemNormal(B->given, i);
    return n < 0 ? 0 : ukBoundedCoefficient(B, i) * (lambda[n] < 0 ? -d[n] : d[n]);
}

/* follow: d lambda_t / d lambda_n from the coupled bounds, in the frames of the discs
 * (solvers/factor/unsymmetric.h). */
static void coupleToNormals(ukInterior *I, const ukBounded *B, const double *lambda)
{
    memset(I->follow, 0, (size_t)B->m * sizeof *I->follow);
    for (int i = 0; i < B->m; i++) {
        const int n = ukProblemNormal(B->given, i);
        if (n < 0 || !I->active[i] || !isfinite(B->hi[i])) continue;
        const double grow = ukBoundedCoefficient(B, i) * (lambda[n] < 0 ? -1 : 1);
        if (B->kind[i] == ukRowDisc) {
            const double radius = B->hi[i], size = ukDiscSize(lambda + i, 2), share = size / radius;
            const double bend = 0.5 * (1 + share * share) / discSlack(radius, size) + 1 / radius;
            const double push = grow * I->below[i] / radius * bend;
            I->follow[i] = push * size;
            if (!ukDiscAlike(B, i, 2)) {
                for (int k = i; k < i + 2; k++) I->follow[k] = push * lambda[k];
                ukDiscTurn(B, i, 2, I->follow + i, 1);
            }
            for (int k = i; k < i + 2; k++) I->follow[k] /= I->pivot[k];
            i++; /* discs on a normal have two rows */
        } else
            I->follow[i] = grow * (I->above[i] * I->nabove[i] - I->below[i] * I->nbelow[i]) / I->pivot[i];
    }
}

/* Ratio test: the largest step, at most `most`, with value + step change >= 0; divides only where that limits it. */
static double ratioTest(double most, double value, double change)
{
    return most * change < -value ? -value / change : most;
}

/* Newton step towards products `target`, with the present second-order terms:
 *      (K + pivot) dlambda = -w + (target - cbelow) / low - (target - cabove) / high,
 *      dy = (target - cbelow - y dlow) / low - y.
 * Returns the largest step length, at most 1, at which slacks and duals stay non-negative. */
static double solveTowardsTarget(ukInterior *I, ukBounded *B, const double *lambda, double target, bool coupled)
{
    if (I->plain) {
        ukInteriorBoxTarget(I, B, target);
        ukBoundedSolve(B, I->r, I->step);
        return ukInteriorBoxStep(I, B, target);
    }
    for (int i = 0, n = 0; i < B->m; i += n) {
        n = ukDiscRows(B, i);
        if (n == 1) {
            I->r[i] = (I->active[i] ? -B->w[i] : 0) + (target - I->cbelow[i]) * I->nbelow[i] -
                      (target - I->cabove[i]) * I->nabove[i];
            continue;
        }
        const double pull = I->active[i] ? (target - I->cbelow[i]) * I->nbelow[i] / B->hi[i] : 0;
        for (int k = i; k < i + n; k++) I->r[k] = I->active[k] ? -B->w[k] - (pull * lambda[k] + I->cw[k]) : 0;
    }
    ukBoundedSolve(B, I->r, I->step);
    double most = 1;
    for (int i = 0, n = 0; i < B->m; i += n) {
        n = ukDiscRows(B, i);
        const double grow = coupled && I->active[i] ? boundChange(B, i, I->step, lambda) : 0;
        if (n > 1) {
            if (!I->active[i]) continue;
            const double *d = I->step + i, *l = lambda + i, radius = B->hi[i], size = ukDiscSize(l, n);
            const double share = size / radius;
            I->gbelow[i] = 0.5 * grow * (1 + share * share) - ukDiscDot(l, d, n) / radius;
            most = ratioTest(most, radius, grow);
        } else {
            const double g = I->gabove[i] = grow - I->step[i], z = I->above[i];
            const double dz = I->dabove[i] = (target - I->cabove[i] - z * g) * I->nabove[i] - z;
            most = ratioTest(ratioTest(most, 1, g * I->nabove[i]), z, dz);
            I->gbelow[i] = I->step[i] + grow;
        }
        /* a disc's slack to first order: takeInteriorStep turns the force where its curvature takes more */
        const double g = I->gbelow[i], y = I->below[i];
        const double dy = I->dbelow[i] = (target - I->cbelow[i] - y * g) * I->nbelow[i] - y;
        most = ratioTest(ratioTest(most, 1, g * I->nbelow[i]), y, dy);
    }
    return most;
}

/* The second-order terms dlow dy of the predictor's step, times `share`, and the mean product at step length `most`. */
static double predictProducts(ukInterior *I, const ukBounded *B, const double *lambda, double most, double share,
                              bool coupled)
{
    double sum = 0;
    if (I->plain) return I->bounds > 0 ? ukInteriorBoxPredict(I, B, most, share) / I->bounds : 0;
    for (int i = 0, n = 0; i < B->m; i += n) {
        n = ukDiscRows(B, i);
        const double g = I->gbelow[i], y = I->below[i], dy = I->dbelow[i];
        if (n == 1) {
            const double h = I->gabove[i], z = I->above[i], dz = I->dabove[i];
            const double low = (I->low[i] + most * g) * (y + most * dy);
            const double high = (I->high[i] + most * h) * (z + most * dz);
            sum += I->nbelow[i] > 0 ? low : 0, sum += I->nabove[i] > 0 ? high : 0;
            I->cbelow[i] = share * g * dy, I->cabove[i] = share * h * dz;
            continue;
        }
        if (!I->active[i]) continue;
        const double *d = I->step + i, *l = lambda + i, radius = B->hi[i];
        const double grow = coupled ? boundChange(B, i, I->step, lambda) / radius : 0;
        const double share2 = ukDiscDot(l, l, n) / (radius * radius);
        const double along = ukDiscDot(l, d, n) / radius, square = ukDiscDot(d, d, n) / radius;
        sum += (discSlack(radius, ukDiscSize(l, n)) + most * g) * (y + most * dy);
        I->cbelow[i] =
            share * g * dy + share * y * (-0.5 * square + along * grow - 0.5 * share2 * radius * grow * grow);
        for (int k = 0; k < n; k++)
            I->cw[i + k] = share / radius * (dy * d[k] - dy * l[k] * grow - y * d[k] * grow + y * l[k] * grow * grow);
    }
    return I->bounds > 0 ? sum / I->bounds : 0;
}

/* lambda and duals += alpha times their steps. A disc's force that would leave the disc because of its curvature is
 * drawn back until half of the slack of the linear step remains: it turns along the circle. *Measured:* under the cone
 * a tenth takes 0.99 of the passes, nine tenths 1.09. */
static void takeInteriorStep(ukInterior *I, const ukBounded *B, double *lambda, double alpha, bool coupled)
{
    if (I->plain) {
        ukInteriorBoxMove(I, B, lambda, alpha);
        return;
    }
    memcpy(I->r, lambda, (size_t)B->m * sizeof *lambda);
    for (int i = 0, n = 0; i < B->m; i += n) {
        n = ukDiscRows(B, i);
        if (n > 1) {
            if (!I->active[i]) continue;
            const double grow = coupled ? boundChange(B, i, I->step, I->r) : 0, radius = B->hi[i] + alpha * grow;
            const double gap = discSlack(B->hi[i], ukDiscSize(I->r + i, n)), slack = 0.5 * (gap + alpha * I->gbelow[i]);
            for (int k = i; k < i + n; k++) lambda[k] += alpha * I->step[k];
            const double now = ukDiscSize(lambda + i, n), most = sqrt(greaterOf(radius * (radius - 2 * slack), 0));
            for (int k = i; now > most && k < i + n; k++) lambda[k] *= most / now;
            I->below[i] += alpha * I->dbelow[i];
            continue;
        }
        lambda[i] += alpha * I->step[i];
        I->low[i] += alpha * I->gbelow[i], I->high[i] += alpha * I->gabove[i];
        I->below[i] += alpha * I->dbelow[i], I->above[i] += alpha * I->dabove[i];
    }
}

/* Predictor and corrector of one factorization (Mehrotra): sigma = (predicted / present mean product)^3. Returns the
 * step length. *Measured* (README's scenes): the square takes 1.03 of the passes under the coupled box and 1.08 under
 * the cone, where 41 steps more miss the law; the fourth power takes 1.06 and 1.00. */
static double predictorCorrector(ukInterior *I, ukBounded *B, const double *lambda, double mu, bool coupled)
{
    const size_t m = (size_t)B->m;
    memset(I->cbelow, 0, m * sizeof *I->cbelow);
    memset(I->cabove, 0, m * sizeof *I->cabove);
    memset(I->cw, 0, m * sizeof *I->cw);
    const double first = solveTowardsTarget(I, B, lambda, 0, coupled);
    /* The second-order terms of a very short predictor step mislead: Mehrotra's method then cycles. With coupled bounds
     * of discs they are scaled by the squared step length. *Measured:* under the cone 20 ragdolls satisfy the law in 99
     * instead of 95 % of the steps. Below a tenth they are left out: with 0 the coupled box takes 1.11 of the passes,
     * with 0.3 1.05. */
    const double share = coupled && B->cones ? first * first : first < 0.1 ? 0 : 1;
    const double ratio = mu > 0 ? predictProducts(I, B, lambda, first, share, coupled) / mu : 0;
    const double target = ratio * ratio * ratio * mu;
    return solveTowardsTarget(I, B, lambda, target, coupled);
}

/* If slack and dual are both tiny, the ratio test blocks every step: with coupled bounds every product is kept in
 * [gamma mu, mu / gamma] by its dual, gamma = off_centre. Not for cones: there it made results depend on rounding. */
static void clampProducts(ukInterior *I, const ukBounded *B, double mu)
{
    const double least_product = off_centre * mu, most_product = mu / off_centre;
    for (int i = 0; i < B->m && !B->cones; i++) {
        if (!I->active[i]) continue;
        const double low = I->low[i], high = I->high[i];
        if (low < INFINITY) I->below[i] = lesserOf(greaterOf(I->below[i], least_product / low), most_product / low);
        if (high < INFINITY) I->above[i] = lesserOf(greaterOf(I->above[i], least_product / high), most_product / high);
    }
}

/* w after a step of length alpha, without a product with A: on the rows that take part (A M^-1 A' + pivot) step = r, up
 * to the rounding of the solve, which the next evaluation from lambda removes. *Measured:* 0.92 to 1.00 of the passes
 * for pyramids of 8 to 16, 1.00 for piles, a truck and tracks. */
static void advanceSlip(const ukInterior *I, ukBounded *B, double alpha)
{
    for (int i = 0; i < B->m; i++)
        if (I->active[i]) B->w[i] += alpha * (I->r[i] + (B->softness[i] - I->pivot[i]) * I->step[i]);
    B->evaluated = false;
}

static void keepBestIterate(ukInterior *I, const double *lambda, size_t m)
{
    memcpy(I->best, lambda, m * sizeof *lambda);
    memcpy(I->best_below, I->below, m * sizeof *lambda);
    memcpy(I->best_above, I->above, m * sizeof *lambda);
}

/* Iterates from lambda, strictly inside, and its duals to `tolerance`; best: the residual of I->best, in; returned,
 * out. With constant bounds the residual is evaluated only once the mean product is small enough, and w only updated
 * until then: the residual is about the root of the product. *Measured:* until a hundredth of that product the coupled
 * box takes 1.04 of the passes (a pyramid of 10 2.5) and the cone 1.05; until a hundred times as much, 1.00 and 1.01.
 * Step lengths are 0.999 of the ratio test, with coupled bounds 0.995. *Measured:* with coupled bounds, 0.9 takes 1.22
 * (cone 1.40) of the passes; 0.999 takes 0.98 (0.97), but 79 instead of 68 steps miss the law under the box; with
 * constant bounds, 0.99 and 0.9999 take 1.02 and 1.01 under the cone. */
static double followCentralPath(ukInterior *I, ukBounded *B, bool coupled, double tolerance, int max_passes,
                                double best, double *lambda)
{
    const size_t m = (size_t)B->m;
    const double far = coupled ? INFINITY : tolerance * coldStartProduct(B);
    double now = best;
    I->plain = !coupled && !B->cones;
    if (I->plain) I->bounds = ukInteriorBoxBegin(I, B);
    for (int k = 0; k < max_passes; k++) {
        const double mu = linearizeComplementarity(I, B, lambda);
        if (coupled) coupleToNormals(I, B, lambda);
        const int status = ukBoundedFactor(B, I->active, I->pivot, coupled ? I->follow : NULL);
        if (status != ukOk) break;
        const double alpha = lesserOf(1, (coupled ? 0.995 : 0.999) * predictorCorrector(I, B, lambda, mu, coupled));
        takeInteriorStep(I, B, lambda, alpha, coupled);
        if (coupled) ukBoundedFreeze(B, lambda);
        if (I->moved) {
            measureSlacks(I, B, lambda);
            if (I->plain) ukInteriorBoxBegin(I, B);
        } else
            ukBoundedProject(B, lambda); /* rounding only: the updated slacks are more accurate */
        if (coupled) clampProducts(I, B, mu);
        const bool early = mu > far && k + 1 < max_passes;
        if (early && I->plain && !I->moved)
            advanceSlip(I, B, alpha);
        else
            ukBoundedEvaluate(B, lambda);
        if (early) continue;
        now = ukBoundedResidual(B, lambda);
        if (!isfinite(now)) break;
        if (now < best) {
            best = now;
            keepBestIterate(I, lambda, m);
            I->kept = true;
        }
        if (best <= tolerance) break;
    }
    memcpy(lambda, I->best, m * sizeof *lambda);
    return best;
}

double ukInteriorSolve(ukInterior *I, ukBounded *B, bool coupled, double tolerance, int max_passes, double *lambda)
{
    double best = ukBoundedResidual(B, lambda);
    I->kept = false, I->moved = coupled;
    if (best > tolerance) {
        memcpy(I->best, lambda, (size_t)B->m * sizeof *lambda);
        ukBoundedMeasure(B, lambda);
        chooseInteriorRows(I, B);
        startNearCentralPath(I, B, coldStartProduct(B), coupled, lambda);
        if (coupled) { /* repeated with these normal forces' bounds: all friction rows take part */
            ukBoundedFreeze(B, lambda);
            chooseInteriorRows(I, B);
            startNearCentralPath(I, B, coldStartProduct(B), true, lambda);
        }
        best = followCentralPath(I, B, coupled, tolerance, ukPassesLeft(B, max_passes), best, lambda);
    }
    if (coupled) ukBoundedFreeze(B, lambda);
    return best;
}

double ukInteriorContinue(ukInterior *I, ukBounded *B, double tolerance, int max_passes, double *lambda)
{
    const size_t bytes = (size_t)B->m * sizeof *lambda;
    const double now = ukBoundedResidual(B, lambda);
    if (!I->kept) return now;
    memcpy(I->below, I->best_below, bytes);
    memcpy(I->above, I->best_above, bytes);
    measureSlacks(I, B, lambda);
    return followCentralPath(I, B, false, tolerance, ukPassesLeft(B, max_passes), now, lambda);
}
