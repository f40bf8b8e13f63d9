/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/nystrom.h"

#include <math.h>
#include <string.h>

#include "bridge/base/vector.h"
#include "bridge/world/state.h"

/* y = x + c1 q x x + c2 q x (q x x) */
static void crossPolynomial(const double q[3], const double x[3], double c1, double c2, double y[3])
{
    double once[3], twice[3];
    ukCross(q, x, once);
    ukCross(q, once, twice);
    for (int k = 0; k < 3; k++) y[k] = x[k] + c1 * once[k] + c2 * twice[k];
}

/* (t - sin t)/t^3 */
static double sineRest(double t, double t2)
{
    return t < 0.1 ? 1.0 / 6 - t2 / 120 + t2 * t2 / 5040 - t2 * t2 * t2 / 362880 : (t - sin(t)) / (t2 * t);
}

/* w = dexp_q u = u + c1 q x u + c2 q x (q x u),   c1 = (1 - cos t)/t^2,   c2 = (t - sin t)/t^3,   t = |q| */
static void spinOf(const double q[3], const double u[3], double w[3])
{
    const double t2 = ukDot(q, q), t = sqrt(t2), half = sin(0.5 * t);
    crossPolynomial(q, u, t2 > 0 ? 2 * half * half / t2 : 0.5, sineRest(t, t2), w);
}

/* terms of w' without u': c1' q x u + c2' q x (q x u) and c2 u x (q x u) */
static void turningTerms(const double q[3], const double u[3], double part[2][3])
{
    const double t2 = ukDot(q, q), t = sqrt(t2), qu = ukDot(q, u);
    const bool small = t < 0.1;
    const double d1 = small ? -1.0 / 12 + t2 / 180 - t2 * t2 / 6720 + t2 * t2 * t2 / 453600
                            : (t * sin(t) - 2 + 2 * cos(t)) / (t2 * t2);
    const double d2 = small ? -1.0 / 60 + t2 / 1260 - t2 * t2 / 60480 + t2 * t2 * t2 / 4989600
                            : (3 * sin(t) - 2 * t - t * cos(t)) / (t2 * t2 * t);
    double once[3], twice[3], third[3];
    ukCross(q, u, once);
    ukCross(q, once, twice);
    ukCross(u, once, third);
    for (int k = 0; k < 3; k++) {
        part[0][k] = qu * (d1 * once[k] + d2 * twice[k]);
        part[1][k] = sineRest(t, t2) * third[k];
    }
}

/* solves w = dexp_q u for u */
static void inverseDexp(const double q[3], const double w[3], double u[3])
{
    const double t2 = ukDot(q, q), half = 0.5 * sqrt(t2);
    const double inverse =
        half < 0.05 ? 1.0 / 12 + t2 / 720 + t2 * t2 / 30240 + t2 * t2 * t2 / 1209600 : (1 - half / tan(half)) / t2;
    crossPolynomial(q, w, -0.5, inverse, u);
}

/* solves w' = alpha for u': dexp_q u' = alpha - turning */
static void secondRate(const double q[3], const double u[3], const double alpha[3], double u_dot[3])
{
    double part[2][3], rest[3];
    turningTerms(q, u, part);
    for (int k = 0; k < 3; k++) rest[k] = alpha[k] - part[0][k] - part[1][k];
    inverseDexp(q, rest, u_dot);
}

/* coordinates q and rates u of one body, from its start */
static void stageCoordinates(const ukFrame *f, const ukRates *rates, const ukStage *stage, double h, double q[6],
                             double u[6])
{
    const double *u0 = f->start.v;
    for (int k = 0; k < 6; k++) {
        q[k] = stage->node * h * u0[k];
        u[k] = u0[k];
    }
    for (int j = 0; j < stage->uses; j++) {
        const double *a = rates->a[j], pose = stage->pose[j] * h * h, rate = stage->rate[j] * h;
        for (int k = 0; k < 6 && pose != 0; k++) q[k] += pose * a[k];
        for (int k = 0; k < 6 && rate != 0; k++) u[k] += rate * a[k];
    }
}

static void stateOf(const ukFrame *f, const double q[6], const double u[6], ukState *out)
{
    *out = f->start;
    for (int k = 0; k < 3; k++) {
        out->x[k] += q[k];
        out->v[k] = u[k];
    }
    spinOf(q + 3, u + 3, out->v + 3);
    ukRotateBy(out->q, q + 3);
    ukStateOrient(out);
}

void ukNystromPlace(ukIsland *island, const ukStage *stage, double h)
{
    for (int i = 0; i < island->frames; i++) {
        ukFrame *f = &island->frame[i];
        double q[6], u[6];
        stageCoordinates(f, ukRatesOf(island, i), stage, h, q, u);
        stateOf(f, q, u, &f->state);
    }
}

void ukNystromRecord(ukIsland *island, const double *qdd, int to, const ukStage *stage, double h)
{
    for (int i = 0; i < island->frames; i++) {
        const ukFrame *f = &island->frame[i];
        ukRates *rates = ukRatesOf(island, i);
        double *a = rates->a[to], q[6], u[6];
        static const double still[6] = {0};
        const double *acceleration = f->moving >= 0 ? qdd + 6 * f->moving : still;
        stageCoordinates(f, rates, stage, h, q, u);
        memcpy(a, acceleration, 3 * sizeof *a);
        secondRate(q + 3, u + 3, acceleration + 3, a + 3);
    }
}

void ukNystromAccelerations(const ukIsland *island, int of, const ukStage *stage, double h, double *qdd)
{
    for (int i = 0; i < island->frames; i++) {
        const ukFrame *f = &island->frame[i];
        if (f->moving < 0) continue;
        const ukRates *rates = ukRatesOf(island, i);
        double *out = qdd + 6 * (size_t)f->moving, q[6], u[6], part[2][3];
        stageCoordinates(f, rates, stage, h, q, u);
        memcpy(out, rates->a[of], 3 * sizeof *out);
        spinOf(q + 3, rates->a[of] + 3, out + 3);
        turningTerms(q + 3, u + 3, part);
        for (int k = 0; k < 3; k++) out[3 + k] += part[0][k] + part[1][k];
    }
}

void ukNystromRate(const ukIsland *island, int frame, const ukStage *stage, double h, const double local[6],
                   double rate[6])
{
    const ukFrame *f = &island->frame[frame];
    double q[6], u[6], turn[3];
    ukState state;
    stageCoordinates(f, ukRatesOf(island, frame), stage, h, q, u);
    stateOf(f, q, u, &state);
    ukRotate(state.R, local, rate);
    ukRotate(state.R, local + 3, turn);
    inverseDexp(q + 3, turn, rate + 3);
}

void ukNystromVary(const ukIsland *island, int frame, const ukStage *stage, double h, double change[2][6],
                   double local[2][6])
{
    const ukFrame *f = &island->frame[frame];
    double q[6], u[6], size = 0, d[2][6];
    ukState state;
    stageCoordinates(f, ukRatesOf(island, frame), stage, h, q, u);
    stateOf(f, q, u, &state);
    for (int k = 3; k < 6; k++) size = fmax(size, fabs(change[0][k]));
    const double by = size > 0 ? 1e-5 / size : 1; /* step of the angle for central differences of the spin */
    double turned[3], spin[2][3];
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < 3; k++) turned[k] = q[3 + k] + (side ? by : -by) * change[0][3 + k];
        spinOf(turned, u + 3, spin[side]);
    }
    for (int k = 0; k < 3; k++) d[1][3 + k] = (spin[1][k] - spin[0][k]) / (2 * by);
    spinOf(q + 3, change[0] + 3, d[0] + 3);
    spinOf(q + 3, change[1] + 3, spin[0]);
    for (int k = 0; k < 3; k++) {
        d[0][k] = change[0][k];
        d[1][k] = change[1][k];
        d[1][3 + k] += spin[0][k];
    }
    for (int k = 0; k < 2; k++) {
        ukUnrotate(state.R, d[k], local[k]);
        ukUnrotate(state.R, d[k] + 3, local[k] + 3);
    }
}
