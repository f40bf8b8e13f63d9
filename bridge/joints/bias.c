/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/joints/bias.h"

#include "bridge/joints/geometry.h"

/* u . (w x r_dot) */
static double swingTerm(const double u[3], const double w[3], const double r_dot[3])
{
    double turned[3];
    ukCross(w, r_dot, turned);
    return ukDot(u, turned);
}

/* v + w x r of the point at lever r; also w x r itself */
static void pointRate(const ukState *s, const double r[3], double velocity[3], double r_dot[3])
{
    ukCross(s->v + 3, r, r_dot);
    for (int k = 0; k < 3; k++) velocity[k] = s->v[k] + r_dot[k];
}

void ukBiasAxis(ukRowSink *sink, int i, const double u_dot[3], const ukState *a, const ukState *b)
{
    sink->bias[i] = ukRateAbout(u_dot, a, b);
}

void ukBiasCross(ukRowSink *sink, int i, const double p[3], const double q[3], const ukState *a, const ukState *b)
{
    double p_dot[3], q_dot[3], n[3], n_dot[3], second[3];
    ukTurnRate(a, p, p_dot);
    ukTurnRate(b, q, q_dot);
    ukCross(p, q, n);
    ukCross(p_dot, q, n_dot);
    ukCross(p, q_dot, second);
    for (int k = 0; k < 3; k++) n_dot[k] += second[k];
    ukNormalizeRate(n, n_dot);
    ukBiasAxis(sink, i, n_dot, a, b);
}

void ukBiasPoint(ukRowSink *sink, int i, const double u[3], const double u_dot[3], const double ra[3],
                 const double rb[3], const ukState *a, const ukState *b)
{
    double velocity[3], r_dot[3];
    pointRate(a, ra, velocity, r_dot);
    sink->bias[i] = ukDot(u_dot, velocity) + swingTerm(u, a->v + 3, r_dot);
    if (!b) return;
    pointRate(b, rb, velocity, r_dot);
    sink->bias[i] -= ukDot(u_dot, velocity) + swingTerm(u, b->v + 3, r_dot);
}

void ukBiasBall(ukRowSink *sink, int i, const double ra[3], const double rb[3], const ukState *a, const ukState *b)
{
    double r_dot[3], inwards[3], other[3] = {0};
    ukCross(a->v + 3, ra, r_dot);
    ukCross(a->v + 3, r_dot, inwards);
    if (b) {
        ukCross(b->v + 3, rb, r_dot);
        ukCross(b->v + 3, r_dot, other);
    }
    for (int k = 0; k < 3; k++) sink->bias[i + k] = inwards[k] - other[k];
}

void ukBiasAtAnchor(ukRowSink *sink, int i, const double u[3], const double u_dot[3], const double ra[3],
                    const double rb[3], const ukState *a, const ukState *b)
{
    double velocity[3], anchor[3] = {0}, r_dot[3];
    if (b) pointRate(b, rb, anchor, r_dot);
    sink->bias[i] = -ukDot(u_dot, anchor) - (b ? swingTerm(u, b->v + 3, r_dot) : 0);
    pointRate(a, ra, velocity, r_dot);
    for (int k = 0; k < 3; k++) r_dot[k] = anchor[k] - a->v[k];
    sink->bias[i] += ukDot(u_dot, velocity) + swingTerm(u, a->v + 3, r_dot);
}

void ukBiasSlide(ukRowSink *sink, int i, const double u[3], const double u_dot[3], const ukState *a, const ukState *b)
{
    sink->bias[i] = ukDot(u_dot, a->v);
    if (!b) return;
    double d[3], d_dot[3], spin[3], x[3], y[3];
    for (int k = 0; k < 3; k++) {
        d[k] = 0.5 * (b->x[k] - a->x[k]);
        d_dot[k] = 0.5 * (b->v[k] - a->v[k]);
        spin[k] = a->v[3 + k] + b->v[3 + k];
    }
    ukCross(d_dot, u, x);
    ukCross(d, u_dot, y);
    sink->bias[i] += ukDot(x, spin) + ukDot(y, spin) - ukDot(u_dot, b->v);
}

void ukBiasDistance(ukRowSink *sink, int i, const double D[3], const double ra[3], const double rb[3], const ukState *a,
                    const ukState *b)
{
    double u[3] = {D[0], D[1], D[2]}, u_dot[3], vb[3] = {0}, unused[3];
    pointRate(a, ra, u_dot, unused);
    if (b) pointRate(b, rb, vb, unused);
    for (int k = 0; k < 3; k++) u_dot[k] -= vb[k];
    ukNormalizeRate(u, u_dot);
    ukBiasPoint(sink, i, u, u_dot, ra, rb, a, b);
}
