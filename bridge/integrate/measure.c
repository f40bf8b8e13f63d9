/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/measure.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "bridge/base/vector.h"
#include "bridge/island/island.h"

double ukMeasureSquare(const ukProblem *p, int body, const double *x)
{
    double turned[3];
    ukRotate(p->inertia + 9 * (size_t)body, x + 3, turned);
    return p->mass[body] * ukDot(x, x) + ukDot(x + 3, turned);
}

double ukMeasureForces(const ukIsland *island)
{
    const ukProblem *p = island->problem;
    double forces = 0;
    for (int i = 0; i < p->bodies; i++) {
        const double *Q = island->bodies.Q + 6 * (size_t)i, *turn = p->inverse_inertia + 9 * (size_t)i;
        double a[6];
        for (int k = 0; k < 3; k++) a[k] = Q[k] / p->mass[i];
        ukRotate(turn, Q + 3, a + 3);
        forces += ukMeasureSquare(p, i, a);
    }
    return sqrt(forces);
}

const double ukMeasureLeast = 1e-10;

double ukMeasureVelocity(const ukIsland *island)
{
    const ukProblem *p = island->problem;
    double sum = 0;
    for (int i = 0; i < p->bodies; i++) sum += ukMeasureSquare(p, i, island->bodies.frame[i]->state.v);
    return sqrt(sum);
}

double ukMeasureAcceleration(const ukIsland *island)
{
    const ukProblem *p = island->problem;
    double sum = 0;
    for (int i = 0; i < p->bodies; i++) {
        const int frame = (int)(island->bodies.frame[i] - island->frame);
        sum += ukMeasureSquare(p, i, ukRatesOf(island, frame)->a[0]);
    }
    return sqrt(sum);
}

double ukMeasureScaleOf(const ukIsland *island, double h, double forces)
{
    return ukMeasureVelocity(island) + h * forces;
}

double ukMeasureScale(const ukIsland *island, double h)
{
    return ukMeasureScaleOf(island, h, ukMeasureForces(island));
}

/* whether rows of this rank leave the island at rest: it is that of all velocities, and the rows' targets are zero */
static bool isHeldAtRest(const ukIsland *island, int rank)
{
    const ukProblem *p = island->problem;
    const ukRowArrays *rows = &island->rows;
    if (rank != 6 * p->bodies) return false;
    for (int k = 0; k < p->blocks; k++) {
        const ukBlockOwner *owner = rows->owners + k;
        if (owner->law || (owner->constraint && !owner->constraint->error)) return false; /* accelerations only */
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++)
            if (rows->target[i] != 0 || rows->lo[i] > -INFINITY || rows->hi[i] < INFINITY) return false;
    }
    return true;
}

void ukMeasureRound(const ukIsland *island, double before, int rank)
{
    static const double rounding = 64 * DBL_EPSILON, nearly = 1e-6; /* nearly: of rows that are nearly singular */
    const double now = ukMeasureVelocity(island);
    if (!(now <= rounding * before) && !(now <= nearly * before && isHeldAtRest(island, rank))) return;
    for (int i = 0; i < island->problem->bodies; i++)
        memset(island->bodies.frame[i]->state.v, 0, sizeof island->bodies.frame[i]->state.v);
}

/* square of the longest lever arm with which a row that has a linear part acts on one of its bodies */
static double leverSquare(const ukProblem *p)
{
    double longest = 0;
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *block = &p->block[k];
        const double *J = p->A + block->A;
        for (int i = 0; i < block->rows * block->slots; i++, J += 6) {
            const double linear = ukDot(J, J), angular = ukDot(J + 3, J + 3);
            if (linear > 0 && angular > longest * linear) longest = angular / linear;
        }
    }
    return longest;
}

/* the speed that moves a body by its position's rounding within the user's step */
static double roundingSpeed(const ukMeasure *measure)
{
    return sqrt(measure->mass) * measure->rounded / measure->step;
}

ukMeasure ukMeasureOf(const ukIsland *island, double step)
{
    const ukProblem *p = island->problem;
    double mass = 0, centre[3] = {0}, spread = 0, far = 0, u = 0, a = 0;
    for (int sweep = 0; sweep < 2; sweep++)
        for (int i = 0; i < island->frames; i++) {
            const ukFrame *f = &island->frame[i];
            if (f->moving < 0) continue;
            const double m = p->mass[f->moving], *I = p->inertia + 9 * (size_t)f->moving, *x = f->start.x;
            if (sweep == 0) {
                mass += m;
                far += m * ukDot(x, x);
                for (int k = 0; k < 3; k++) centre[k] += m * x[k];
                u += ukMeasureSquare(p, f->moving, f->start.v);
                a += ukMeasureSquare(p, f->moving, ukRatesOf(island, i)->a[0]);
            } else {
                double off[3];
                for (int k = 0; k < 3; k++) off[k] = x[k] - centre[k] / mass;
                spread += m * ukDot(off, off) + 0.5 * (I[0] + I[4] + I[8]);
            }
        }
    ukMeasure measure = {.mass = mass, .acceleration = sqrt(a)};
    if (!(mass > 0)) return measure;
    measure.length = sqrt(spread / mass + leverSquare(p));
    measure.rounded = DBL_EPSILON * sqrt(far / mass + measure.length * measure.length);
    measure.step = step;
    measure.speed = fmax(sqrt(u + measure.acceleration * sqrt(mass) * measure.length), roundingSpeed(&measure));
    return measure;
}

/* Least fraction of the time in which the island crosses its length that the allowed error of a sub-step is based on:
 * where forces jump, errors are only of first order in h. */
static const double least = 0.01;

double ukMeasureAllowed(const ukIsland *island, const ukMeasure *measure, double h)
{
    const ukSettings *settings = &island->world->settings;
    const double part = fmin(fmax(h * measure->speed / (sqrt(measure->mass) * measure->length), least), 1);
    const double whole = settings->tolerance + settings->absolute / measure->length;
    return measure->speed > 0 ? whole * part : whole;
}

double ukMeasureSpeed(const ukMeasure *measure, double part)
{
    return part * measure->speed + roundingSpeed(measure);
}

/* The larger of the errors of pose and velocity, whose squares are given, over the allowed error. */
static double overAllowed(const ukIsland *island, const ukMeasure *measure, double place, double speed, double h)
{
    if (!(measure->length > 0)) return 0;
    const double allowed = ukMeasureAllowed(island, measure, h), root = sqrt(measure->mass);
    const double off = sqrt(place) / (root * (allowed * measure->length + measure->rounded));
    const double rate = sqrt(speed) / ukMeasureSpeed(measure, allowed);
    return off > rate || off != off ? off : rate; /* NaN is kept */
}

double ukMeasureError(const ukIsland *island, const ukMeasure *measure, const ukStage *difference, const double *rate,
                      double h, const ukBody **body)
{
    const ukProblem *p = island->problem;
    double place = 0, speed = 0, most = -1;
    for (int i = 0; i < island->frames; i++) {
        const ukFrame *f = &island->frame[i];
        if (f->moving < 0) continue;
        double q[6] = {0}, u[6] = {0};
        for (int j = 0; j < difference->uses; j++)
            for (int k = 0; k < 6; k++) {
                q[k] += difference->pose[j] * h * h * ukRatesOf(island, i)->a[j][k];
                u[k] += difference->rate[j] * h * ukRatesOf(island, i)->a[j][k];
            }
        for (int k = 0; k < 6 && rate; k++) {
            u[k] = rate[6 * f->moving + k];
            q[k] += difference->node * h * u[k];
        }
        const double of_place = ukMeasureSquare(p, f->moving, q), of_speed = ukMeasureSquare(p, f->moving, u);
        place += of_place;
        speed += of_speed;
        if (of_speed > most) most = of_speed, *body = f->body;
    }
    return overAllowed(island, measure, place, speed, h);
}

double ukMeasureChange(const ukIsland *island, const ukMeasure *measure, const double *before, const double *now,
                       double g, double h)
{
    const ukProblem *p = island->problem;
    double sum = 0;
    for (int i = 0; i < p->bodies; i++) {
        double d[6];
        for (int k = 0; k < 6; k++) d[k] = g * (now[6 * i + k] - before[6 * i + k]);
        sum += ukMeasureSquare(p, i, d);
    }
    return overAllowed(island, measure, g * g * sum, sum, h);
}
