#include "solvers/interior.h"

#include "solvers/status.h"

#include <math.h>
#include <string.h>

static const double most_turn = 0.7;   /* radians a step, of a force on its circle */
enum { MostStuck = 8, MostIdle = 30 }; /* passes in a row with hardly a step, or without a better residual */

void ukInteriorCarve(ukInterior *I, const ukProblem *p, ukArena *arena)
{
    const size_t m = (size_t)p->rows;
    double **rows[] = {&I->below, &I->above, &I->dbelow, &I->dabove, &I->cbelow, &I->cabove,
                       &I->cw,    &I->r,     &I->step,   &I->pivot,  &I->best};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) *rows[i] = ukArenaDoubles(arena, m);
    I->held = ukArenaBytes(arena, m);
    ukKrylovCarve(&I->krylov, p->rows, arena);
}

static double diagonal(const ukBounded *B, int i)
{
    return B->diagonal[i] + B->softness[i];
}

/* Rows whose bounds leave room beyond rounding take part, the others keep their value. */
static void chooseRows(ukInterior *I, const ukBounded *B)
{
    for (int i = 0; i < B->m; i++) {
        const bool disc = B->kind[i] == ukRowDisc;
        const double room = disc ? B->hi[i] : B->hi[i] - B->lo[i];
        I->held[i] = room * diagonal(B, i) > 1e-15 * B->scale[i];
        if (disc) I->held[i + 1] = I->held[i], i++;
    }
}

/* Room of a disc, (radius^2 - size^2) / (2 radius): its dual is then the slip itself, whatever the radius. */
static double discGap(double radius, double size)
{
    return 0.5 * (radius - size) * (radius + size) / radius;
}

/* lambda to the inside, by the force that the centre of the path would leave; duals from the path, or w. */
static void centre(ukInterior *I, ukBounded *B, double mu, double *lambda)
{
    for (int i = 0; i < B->m; i++) {
        if (!I->held[i]) continue;
        const double push = sqrt(mu / diagonal(B, i));
        if (B->kind[i] == ukRowDisc) {
            const double size = hypot(lambda[i], lambda[i + 1]), most = fmax(B->hi[i] - push, 0.5 * B->hi[i]);
            if (size > most) lambda[i] *= most / size, lambda[i + 1] *= most / size;
            i++;
            continue;
        }
        const double room = fmin(push, 0.25 * (B->hi[i] - B->lo[i]));
        lambda[i] = fmin(fmax(lambda[i], B->lo[i] + room), B->hi[i] - room);
    }
    ukBoundedEvaluate(B, lambda);
    for (int i = 0; i < B->m; i++) {
        if (!I->held[i]) continue;
        if (B->kind[i] == ukRowDisc) {
            const int j = i + 1;
            I->below[i] = mu / discGap(B->hi[i], hypot(lambda[i], lambda[j]));
            i = j;
            continue;
        }
        I->below[i] = isfinite(B->lo[i]) ? mu / (lambda[i] - B->lo[i]) : 0;
        I->above[i] = isfinite(B->hi[i]) ? mu / (B->hi[i] - lambda[i]) : 0;
    }
}

/* Frames along the present forces, pivots, and the mean complementarity. */
static double linearise(ukInterior *I, ukBounded *B, const double *lambda)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < B->m; i++) {
        I->pivot[i] = B->softness[i] + B->shift[i];
        if (!I->held[i]) {
            if (B->kind[i] == ukRowDisc) i++, I->pivot[i] = B->softness[i] + B->shift[i];
            continue;
        }
        if (B->kind[i] == ukRowDisc) {
            const int j = i + 1;
            const double size = hypot(lambda[i], lambda[j]), gap = discGap(B->hi[i], size), share = size / B->hi[i];
            B->turn[2 * i] = size > 0 ? lambda[i] / size : 1;
            B->turn[2 * i + 1] = size > 0 ? lambda[j] / size : 0;
            I->pivot[j] = I->pivot[i] + I->below[i] / B->hi[i];
            I->pivot[i] = I->pivot[j] + I->below[i] / gap * share * share;
            sum += gap * I->below[i], count++;
            i = j;
            continue;
        }
        if (isfinite(B->lo[i]))
            I->pivot[i] += I->below[i] / (lambda[i] - B->lo[i]), sum += (lambda[i] - B->lo[i]) * I->below[i], count++;
        if (isfinite(B->hi[i]))
            I->pivot[i] += I->above[i] / (B->hi[i] - lambda[i]), sum += (B->hi[i] - lambda[i]) * I->above[i], count++;
    }
    return count > 0 ? sum / count : 0;
}

/* Step towards complementarity `target` with the present second-order terms; returns the largest step, at most 1, that
 * stays inside. */
typedef struct Coupling {
    ukInterior *I;
    ukBounded *B;
    const double *lambda;
} Coupling;

static double load(const ukBounded *B, int i, const double *d, const double *lambda)
{
    const int n = B->given->normal ? B->given->normal[i] : -1;
    return n < 0 ? 0 : (B->kind[i] == ukRowBox ? B->given->hi[i] : 1) * (lambda[n] < 0 ? -d[n] : d[n]);
}

static void drag(void *context, const double *d, double *y)
{
    const Coupling *c = context;
    ukInterior *I = c->I;
    ukBounded *B = c->B;
    const double *lambda = c->lambda;
    for (int i = 0; i < B->m; i++) {
        I->r[i] = 0;
        if (!I->held[i] || !isfinite(B->hi[i])) continue;
        const double grow = load(B, i, d, lambda);
        if (B->kind[i] == ukRowDisc) {
            const int j = i + 1;
            const double radius = B->hi[i], size = hypot(lambda[i], lambda[j]), share = size / radius;
            const double bend = 0.5 * (1 + share * share) / discGap(radius, size) + 1 / radius;
            const double pull = I->below[i] / radius * bend * grow;
            I->r[i] = pull * lambda[i], I->r[j] = pull * lambda[j];
            i = j;
        } else if (grow != 0)
            I->r[i] = grow * (I->above[i] / (B->hi[i] - lambda[i]) - I->below[i] / (lambda[i] - B->lo[i]));
    }
    ukBoundedSolve(B, NULL, I->r, y);
    for (int i = 0; i < B->m; i++) y[i] = -y[i];
}

static double step(ukInterior *I, ukBounded *B, const double *lambda, double target, bool coupled, double accuracy)
{
    for (int i = 0; i < B->m; i++) {
        I->r[i] = I->held[i] ? -B->w[i] : 0;
        if (!I->held[i]) continue;
        if (B->kind[i] == ukRowDisc) {
            const int j = i + 1;
            const double gap = discGap(B->hi[i], hypot(lambda[i], lambda[j]));
            const double pull = (target - I->cbelow[i]) / (gap * B->hi[i]);
            I->r[i] -= pull * lambda[i] + I->cw[i];
            I->r[j] = -B->w[j] - pull * lambda[j] - I->cw[j];
            i = j;
            continue;
        }
        if (isfinite(B->lo[i])) I->r[i] += (target - I->cbelow[i]) / (lambda[i] - B->lo[i]);
        if (isfinite(B->hi[i])) I->r[i] -= (target - I->cabove[i]) / (B->hi[i] - lambda[i]);
    }
    ukBoundedSolve(B, NULL, I->r, I->step);
    if (coupled) {
        Coupling c = {I, B, lambda};
        ukKrylovSolve(&I->krylov, B->m, B->diagonal, drag, &c, accuracy, I->step);
    }
    double most = 1;
    for (int i = 0; i < B->m; i++) {
        if (!I->held[i]) continue;
        if (B->kind[i] == ukRowDisc) {
            const int j = i + 1;
            const double grow = coupled ? load(B, i, I->step, lambda) : 0;
            const double u = I->step[i], v = I->step[j], radius = B->hi[i], size = hypot(lambda[i], lambda[j]);
            const double gap = discGap(radius, size), share = size / radius;
            const double dgap = 0.5 * grow * (1 + share * share) - (lambda[i] * u + lambda[j] * v) / radius;
            I->dbelow[i] = (target - I->cbelow[i] - I->below[i] * dgap) / gap - I->below[i];
            /* the room as it changes to first order: what the circle takes beyond, advance() turns along it */
            if (dgap < 0) most = fmin(most, -gap / dgap);
            const double across = fabs(lambda[i] * v - lambda[j] * u), turn = most_turn * size * size;
            if (size > 0.5 * radius && across * most > turn) most = turn / across;
            if (grow < 0) most = fmin(most, -radius / grow);
            if (I->dbelow[i] < 0) most = fmin(most, -I->below[i] / I->dbelow[i]);
            i = j;
            continue;
        }
        const double grow = coupled ? load(B, i, I->step, lambda) : 0;
        if (isfinite(B->lo[i])) {
            const double gap = lambda[i] - B->lo[i], d = I->step[i] + grow;
            I->dbelow[i] = (target - I->cbelow[i] - I->below[i] * d) / gap - I->below[i];
            if (d < 0) most = fmin(most, -gap / d);
            if (I->dbelow[i] < 0) most = fmin(most, -I->below[i] / I->dbelow[i]);
        }
        if (isfinite(B->hi[i])) {
            const double gap = B->hi[i] - lambda[i], d = I->step[i] - grow;
            I->dabove[i] = (target - I->cabove[i] + I->above[i] * d) / gap - I->above[i];
            if (d > 0) most = fmin(most, gap / d);
            if (I->dabove[i] < 0) most = fmin(most, -I->above[i] / I->dabove[i]);
        }
    }
    return most;
}

/* Second-order terms of the predictor's step, and the mean complementarity it would reach. */
static double foresee(ukInterior *I, const ukBounded *B, const double *lambda, double most, bool coupled)
{
    const double share = coupled ? most * most : 1;
    double sum = 0;
    int count = 0;
    for (int i = 0; i < B->m; i++) {
        if (!I->held[i]) continue;
        if (B->kind[i] == ukRowDisc) {
            const int j = i + 1;
            const double grow = coupled ? load(B, i, I->step, lambda) : 0, radius = B->hi[i], g = grow / radius;
            const double y = I->below[i], dy = I->dbelow[i],
                         share2 = (lambda[i] * lambda[i] + lambda[j] * lambda[j]) / (radius * radius);
            const double along = (lambda[i] * I->step[i] + lambda[j] * I->step[j]) / radius;
            const double square = (I->step[i] * I->step[i] + I->step[j] * I->step[j]) / radius;
            const double dgap = 0.5 * grow * (1 + share2) - along;
            sum += (0.5 * radius * (1 - share2) + most * dgap) * (y + most * dy), count++;
            I->cbelow[i] = share * (dy * dgap + y * (-0.5 * square + along * g - 0.5 * share2 * radius * g * g));
            for (int e = i; e <= j; e++)
                I->cw[e] = share / radius *
                           (dy * I->step[e] - dy * lambda[e] * g - y * I->step[e] * g + y * lambda[e] * g * g);
            i = j;
            continue;
        }
        const double grow = coupled ? load(B, i, I->step, lambda) : 0;
        if (isfinite(B->lo[i])) {
            const double d = I->step[i] + grow;
            sum += (lambda[i] - B->lo[i] + most * d) * (I->below[i] + most * I->dbelow[i]), count++;
            I->cbelow[i] = share * d * I->dbelow[i];
        }
        if (isfinite(B->hi[i])) {
            const double d = I->step[i] - grow;
            sum += (B->hi[i] - lambda[i] - most * d) * (I->above[i] + most * I->dabove[i]), count++;
            I->cabove[i] = -share * d * I->dabove[i];
        }
    }
    return count > 0 ? sum / count : 0;
}

/* lambda and duals by alpha of their steps. A disc's force that would leave the circle by its curvature is drawn back
 * until half the room is left that the linear step foresaw: it turns along the circle. */
static void advance(ukInterior *I, const ukBounded *B, double *lambda, double alpha, bool coupled)
{
    memcpy(I->r, lambda, (size_t)B->m * sizeof *lambda);
    for (int i = 0; i < B->m; i++) {
        if (!I->held[i]) continue;
        if (B->kind[i] == ukRowDisc) {
            const int j = i + 1;
            const double grow = coupled ? load(B, i, I->step, I->r) : 0, radius = B->hi[i] + alpha * grow;
            const double size = hypot(I->r[i], I->r[j]), share = size / B->hi[i];
            const double dgap =
                0.5 * grow * (1 + share * share) - (I->r[i] * I->step[i] + I->r[j] * I->step[j]) / B->hi[i];
            const double room = 0.5 * (discGap(B->hi[i], size) + alpha * dgap);
            lambda[i] += alpha * I->step[i], lambda[j] += alpha * I->step[j];
            const double now = hypot(lambda[i], lambda[j]), most = sqrt(fmax(radius * (radius - 2 * room), 0));
            if (now > most) lambda[i] *= most / now, lambda[j] *= most / now;
            I->below[i] += alpha * I->dbelow[i];
            i = j;
            continue;
        }
        lambda[i] += alpha * I->step[i];
        if (isfinite(B->lo[i])) I->below[i] += alpha * I->dbelow[i];
        if (isfinite(B->hi[i])) I->above[i] += alpha * I->dabove[i];
    }
}

double ukInteriorSolve(ukInterior *I, ukBounded *B, bool coupled, double tolerance, int max_passes, double *lambda)
{
    const size_t m = (size_t)B->m;
    double best = ukBoundedResidual(B, lambda), mu = 0, now = best;
    int stuck = 0, idle = 0;
    memcpy(I->best, lambda, m * sizeof *lambda);
    if (best <= tolerance) goto done;
    chooseRows(I, B);
    for (int i = 0; i < B->m; i++)
        if (diagonal(B, i) > 0) mu += B->scale[i] * B->scale[i] / diagonal(B, i);
    centre(I, B, 1e-2 * mu / B->m, lambda);
    if (coupled) { /* every friction row takes part, in bounds of normal forces that are inside theirs */
        ukBoundedFreeze(B, lambda);
        chooseRows(I, B);
        centre(I, B, 1e-2 * mu / B->m, lambda);
    }
    for (int k = 0; k < max_passes; k++) {
        mu = linearise(I, B, lambda);
        if (ukBoundedFactor(B, I->held, I->pivot) != ukOk) break; /* a gap vanished in rounding */
        memset(I->cbelow, 0, m * sizeof *I->cbelow);
        memset(I->cabove, 0, m * sizeof *I->cabove);
        memset(I->cw, 0, m * sizeof *I->cw);
        double alpha;
        const double accuracy = fmax(1e-13, 1e-7 * now);
        const double most = step(I, B, lambda, 0, coupled, accuracy), reached = foresee(I, B, lambda, most, coupled);
        const double ratio = mu > 0 ? reached / mu : 0;
        alpha = fmin(1, 0.995 * step(I, B, lambda, ratio * ratio * ratio * mu, coupled, accuracy));
        stuck = alpha < 0.05 ? stuck + 1 : 0;
        advance(I, B, lambda, alpha, coupled);
        if (coupled) ukBoundedFreeze(B, lambda);
        now = ukBoundedResidual(B, lambda);
        if (!isfinite(now)) break;
        idle = now < 0.9 * best ? 0 : idle + 1;
        if (now < best) {
            best = now;
            memcpy(I->best, lambda, m * sizeof *lambda);
        }
        if (best <= tolerance || stuck == MostStuck || idle == MostIdle) break;
    }
    memcpy(lambda, I->best, m * sizeof *lambda);
done:
    if (coupled) ukBoundedFreeze(B, lambda);
    return best;
}
