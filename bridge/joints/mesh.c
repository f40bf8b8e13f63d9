/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/joints/mesh.h"

#include <math.h>
#include <string.h>

#include "bridge/joints/geometry.h"
#include "solvers/base/status.h"

/* Rates of a mesh: those of centres and axes, and the rates that follow from them. */
typedef struct MeshRate {
    double A[2][3], n[2][3], contact[2][3], tangent[2][3];
} MeshRate;

void ukMeshPlace(const ukGear *gear, const ukState *const s[2], ukGearMesh *m)
{
    double r[3];
    for (int i = 0; i < 2; i++) {
        ukAnchor(s[i], gear->anchor[i], m->A[i], r);
        ukAxis(s[i], gear->axis[i], m->n[i]);
    }
}

/* (x x y)' */
static void crossRate(const double x[3], const double x_dot[3], const double y[3], const double y_dot[3], double out[3])
{
    double second[3];
    ukCross(x_dot, y, out);
    ukCross(x, y_dot, second);
    for (int k = 0; k < 3; k++) out[k] += second[k];
}

static double dotRate(const double x[3], const double x_dot[3], const double y[3], const double y_dot[3])
{
    return ukDot(x_dot, y) + ukDot(x, y_dot);
}

/* the mean of the wheels' axes */
static void meanAxis(double n[2][3], double mean[3])
{
    for (int k = 0; k < 3; k++) mean[k] = 0.5 * (n[0][k] + n[1][k]);
}

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

/* the contact divides the line of centres by the ratio */
static int meshParallel(ukGear *gear, ukGearMesh *m)
{
    double d[3], mean[3];
    const double share = gear->ratio / (1 + gear->ratio);
    if (!(gear->ratio > 0)) return ukErrorParameter;
    for (int i = 0; i < 3; i++) {
        d[i] = m->A[1][i] - m->A[0][i];
        gear->contact[0][i] = gear->contact[1][i] = m->A[0][i] + share * d[i];
    }
    if (ukNormalize(d) == 0) return ukErrorParameter;
    meanAxis(m->n, mean);
    for (int i = 0; i < 2; i++) ukCross(d, gear->exact ? mean : m->n[i], gear->tangent[i]);
    return ukOk;
}

/* The wheels' planes intersect in a line through O, the point nearest the origin, along l = n0 x n1; the contacts are
 * the feet of the perpendiculars from the centres to this line. As in ODE, l is not normalized unless `exact`: only
 * with |l| = 1, as for perpendicular axes, are the contacts these feet and independent of the origin. */
static int meshIntersecting(ukGear *gear, const ukGearMesh *m)
{
    const double nn = ukDot(m->n[0], m->n[1]), det = 1 - nn * nn;
    const double h0 = ukDot(m->n[0], m->A[0]), h1 = ukDot(m->n[1], m->A[1]);
    double O[3], d[3];
    if (!(det > 0)) return ukErrorParameter;
    for (int i = 0; i < 3; i++) O[i] = ((h0 - h1 * nn) * m->n[0][i] + (h1 - h0 * nn) * m->n[1][i]) / det;
    for (int i = 0; i < 2; i++) {
        double *l = gear->tangent[i];
        ukCross(m->n[0], m->n[1], l);
        if (gear->exact) ukNormalize(l);
        for (int k = 0; k < 3; k++) d[k] = m->A[i][k] - O[k];
        const double foot = ukDot(d, l);
        for (int k = 0; k < 3; k++) gear->contact[i][k] = O[k] + foot * l[k];
    }
    return ukOk;
}

/* The chain leaves the wheels where it is tangent to both. ODE transforms that point to the world with the transposed
 * matrix, and so does this function. */
static int meshChain(ukGear *gear, const ukGearMesh *m)
{
    double d[3];
    for (int i = 0; i < 3; i++) d[i] = m->A[0][i] - m->A[1][i];
    const double distance = ukNormalize(d);
    if (distance == 0) return ukErrorParameter;
    const double cosine = fmin(fmax((gear->radius[1] - gear->radius[0]) / distance, -1), 1);
    const double sine = sqrt(1 - cosine * cosine);
    for (int i = 0; i < 2; i++) {
        const double u[3] = {gear->radius[i] * cosine, 0, gear->radius[i] * sine};
        double z[3];
        ukCross(d, m->n[i], z);
        const double v[3] = {ukDot(d, u), ukDot(m->n[i], u), ukDot(z, u)};
        for (int k = 0; k < 3; k++) gear->contact[i][k] = m->A[i][k] + v[k];
        ukCross(v, m->n[i], gear->tangent[i]);
        if (ukNormalize(gear->tangent[i]) == 0) return ukErrorParameter;
    }
    return ukOk;
}

/* An exact chain: it leaves wheel i at A_i + r_i e, with e perpendicular to the chain, and its force acts along the
 * line between these points. side: 1, or -1 for its other branch. The rates follow from those of centres and axes. */
typedef struct Chain {
    double e[3], contact[2][3], tangent[3];
    double e_dot[3], contact_dot[2][3], tangent_dot[3];
} Chain;

/* e = cosine d + sine z, with d along the line of centres and z perpendicular to d; their rates; `side` is the sine's
 * sign */
static int chainAngle(const ukGear *gear, ukGearMesh *m, MeshRate *rate, double side, Chain *chain)
{
    double d[3], d_dot[3], n[3], n_dot[3], z[3], z_dot[3];
    for (int k = 0; k < 3; k++) {
        d[k] = m->A[0][k] - m->A[1][k];
        d_dot[k] = rate->A[0][k] - rate->A[1][k];
    }
    meanAxis(m->n, n);
    meanAxis(rate->n, n_dot);
    ukCross(d, n, z);
    crossRate(d, d_dot, n, n_dot, z_dot);
    const double stretch = ukDot(d, d_dot), distance = ukNormalizeRate(d, d_dot);
    if (distance == 0 || ukNormalizeRate(z, z_dot) == 0) return ukErrorParameter;
    const double ratio = (gear->radius[1] - gear->radius[0]) / distance, cosine = fmin(fmax(ratio, -1), 1);
    const double sine = side * sqrt(1 - cosine * cosine);
    const double cosine_dot = cosine == ratio ? -ratio * stretch / (distance * distance) : 0;
    const double sine_dot = sine != 0 ? -cosine * cosine_dot / sine : 0;
    for (int k = 0; k < 3; k++) {
        chain->e[k] = cosine * d[k] + sine * z[k];
        chain->e_dot[k] = cosine_dot * d[k] + cosine * d_dot[k] + sine_dot * z[k] + sine * z_dot[k];
    }
    return ukOk;
}

static int exactChain(const ukGear *gear, ukGearMesh *m, MeshRate *rate, double side, Chain *chain)
{
    const int status = chainAngle(gear, m, rate, side, chain);
    if (status != ukOk) return status;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 2; i++) {
            chain->contact[i][k] = m->A[i][k] + gear->radius[i] * chain->e[k];
            chain->contact_dot[i][k] = rate->A[i][k] + gear->radius[i] * chain->e_dot[k];
        }
        chain->tangent[k] = side * (chain->contact[1][k] - chain->contact[0][k]);
        chain->tangent_dot[k] = side * (chain->contact_dot[1][k] - chain->contact_dot[0][k]);
    }
    return ukNormalizeRate(chain->tangent, chain->tangent_dot) > 0 ? ukOk : ukErrorParameter;
}

static int meshExactChain(ukGear *gear, const ukGearMesh *m, double side)
{
    MeshRate still;
    ukGearMesh here = *m;
    Chain chain;
    memset(&still, 0, sizeof still);
    const int status = exactChain(gear, &here, &still, side, &chain);
    for (int i = 0; i < 2 && status == ukOk; i++) {
        memcpy(gear->contact[i], chain.contact[i], sizeof chain.contact[i]);
        memcpy(gear->tangent[i], chain.tangent, sizeof chain.tangent);
    }
    return status;
}

int ukMeshComputeContacts(ukGear *gear, ukGearMesh *m)
{
    int status = ukErrorParameter;
    switch (gear->mode) {
    case dTransmissionParallelAxes: status = meshParallel(gear, m); break;
    case dTransmissionIntersectingAxes: status = meshIntersecting(gear, m); break;
    case dTransmissionChainDrive: status = gear->exact ? meshExactChain(gear, m, 1) : meshChain(gear, m); break;
    default: break;
    }
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) m->lever[i][k] = gear->contact[i][k] - m->A[i][k];
    return status;
}

/* If the other branch of the chain is tight: reflects contacts and tangents in the plane of d and the axis. */
int ukMeshMirrorChain(ukGear *gear, const ukGearMesh *m)
{
    double d[3], w[3];
    if (gear->exact) return meshExactChain(gear, m, -1);
    for (int k = 0; k < 3; k++) d[k] = m->A[0][k] - m->A[1][k];
    for (int i = 0; i < 2; i++) {
        double *c = gear->contact[i], *l = gear->tangent[i];
        ukCross(m->n[i], d, w);
        const double ww = ukDot(w, w);
        if (ww == 0) return ukErrorParameter;
        const double twice_c = 2 * ukDot(c, w) / ww, twice_l = 2 * ukDot(l, w) / ww;
        for (int k = 0; k < 3; k++) {
            c[k] -= twice_c * w[k];
            l[k] = twice_l * w[k] - l[k];
        }
    }
    return ukOk;
}

/* ---- rates ------------------------------------------------------------------------------------------------------- */

static void parallelRate(const ukGear *gear, ukGearMesh *m, MeshRate *r)
{
    double d[3], d_dot[3];
    const double share = gear->ratio / (1 + gear->ratio);
    for (int k = 0; k < 3; k++) {
        d[k] = m->A[1][k] - m->A[0][k];
        d_dot[k] = r->A[1][k] - r->A[0][k];
        r->contact[0][k] = r->contact[1][k] = r->A[0][k] + share * d_dot[k];
    }
    ukNormalizeRate(d, d_dot);
    double mean[3], mean_dot[3];
    meanAxis(m->n, mean);
    meanAxis(r->n, mean_dot);
    for (int i = 0; i < 2; i++)
        crossRate(d, d_dot, gear->exact ? mean : m->n[i], gear->exact ? mean_dot : r->n[i], r->tangent[i]);
}

static void intersectingRate(const ukGear *gear, const ukGearMesh *m, MeshRate *r)
{
    const double *n0 = m->n[0], *n1 = m->n[1], *p0 = r->n[0], *p1 = r->n[1];
    const double nn = ukDot(n0, n1), nn_dot = dotRate(n0, p0, n1, p1);
    const double det = 1 - nn * nn, det_dot = -2 * nn * nn_dot;
    const double h0 = ukDot(n0, m->A[0]), h0_dot = dotRate(n0, p0, m->A[0], r->A[0]);
    const double h1 = ukDot(n1, m->A[1]), h1_dot = dotRate(n1, p1, m->A[1], r->A[1]);
    const double along0 = h0 - h1 * nn, along0_dot = h0_dot - h1_dot * nn - h1 * nn_dot;
    const double along1 = h1 - h0 * nn, along1_dot = h1_dot - h0_dot * nn - h0 * nn_dot;
    double O[3], O_dot[3], l[3], l_dot[3];
    for (int k = 0; k < 3; k++) {
        O[k] = (along0 * n0[k] + along1 * n1[k]) / det;
        O_dot[k] = (along0_dot * n0[k] + along0 * p0[k] + along1_dot * n1[k] + along1 * p1[k] - O[k] * det_dot) / det;
    }
    ukCross(n0, n1, l);
    crossRate(n0, p0, n1, p1, l_dot);
    if (gear->exact) ukNormalizeRate(l, l_dot);
    for (int i = 0; i < 2; i++) {
        double d[3], d_dot[3];
        for (int k = 0; k < 3; k++) {
            d[k] = m->A[i][k] - O[k];
            d_dot[k] = r->A[i][k] - O_dot[k];
        }
        const double foot = ukDot(d, l), foot_dot = dotRate(d, d_dot, l, l_dot);
        for (int k = 0; k < 3; k++) {
            r->contact[i][k] = O_dot[k] + foot_dot * l[k] + foot * l_dot[k];
            r->tangent[i][k] = l_dot[k];
        }
    }
}

static void chainRate(const ukGear *gear, const ukGearMesh *m, MeshRate *r)
{
    double d[3], d_dot[3];
    for (int k = 0; k < 3; k++) {
        d[k] = m->A[0][k] - m->A[1][k];
        d_dot[k] = r->A[0][k] - r->A[1][k];
    }
    const double stretch = ukDot(d, d_dot), distance = ukNormalizeRate(d, d_dot);
    const double ratio = (gear->radius[1] - gear->radius[0]) / distance, cosine = fmin(fmax(ratio, -1), 1);
    const double sine = sqrt(1 - cosine * cosine);
    const double cosine_dot = cosine == ratio ? -ratio * stretch / (distance * distance) : 0;
    const double sine_dot = sine > 0 ? -cosine * cosine_dot / sine : 0;
    for (int i = 0; i < 2; i++) {
        const double u[3] = {gear->radius[i] * cosine, 0, gear->radius[i] * sine};
        const double u_dot[3] = {gear->radius[i] * cosine_dot, 0, gear->radius[i] * sine_dot};
        double z[3], z_dot[3], t[3];
        ukCross(d, m->n[i], z);
        crossRate(d, d_dot, m->n[i], r->n[i], z_dot);
        const double v[3] = {ukDot(d, u), ukDot(m->n[i], u), ukDot(z, u)};
        const double v_dot[3] = {dotRate(d, d_dot, u, u_dot), dotRate(m->n[i], r->n[i], u, u_dot),
                                 dotRate(z, z_dot, u, u_dot)};
        for (int k = 0; k < 3; k++) r->contact[i][k] = r->A[i][k] + v_dot[k];
        ukCross(v, m->n[i], t);
        crossRate(v, v_dot, m->n[i], r->n[i], r->tangent[i]);
        ukNormalizeRate(t, r->tangent[i]);
    }
}

/* rate of 2 (x . w) w / (w . w) */
static void reflectionRate(const double x[3], const double x_dot[3], const double w[3], const double w_dot[3],
                           double out[3])
{
    const double ww = ukDot(w, w), twice = 2 * ukDot(x, w) / ww;
    const double twice_dot = (2 * dotRate(x, x_dot, w, w_dot) - twice * 2 * ukDot(w, w_dot)) / ww;
    for (int k = 0; k < 3; k++) out[k] = twice_dot * w[k] + twice * w_dot[k];
}

/* rates for ukMeshMirrorChain; contact and tangent of `plain` are those before the reflection */
static void mirrorRate(const ukGear *plain, const ukGearMesh *m, MeshRate *r)
{
    double d[3], d_dot[3], w[3], w_dot[3], x[3];
    for (int k = 0; k < 3; k++) {
        d[k] = m->A[0][k] - m->A[1][k];
        d_dot[k] = r->A[0][k] - r->A[1][k];
    }
    for (int i = 0; i < 2; i++) {
        ukCross(m->n[i], d, w);
        crossRate(m->n[i], r->n[i], d, d_dot, w_dot);
        reflectionRate(plain->contact[i], r->contact[i], w, w_dot, x);
        for (int k = 0; k < 3; k++) r->contact[i][k] -= x[k];
        reflectionRate(plain->tangent[i], r->tangent[i], w, w_dot, x);
        for (int k = 0; k < 3; k++) r->tangent[i][k] = x[k] - r->tangent[i][k];
    }
}

static void exactChainRate(const ukGear *gear, ukGearMesh *m, MeshRate *r)
{
    Chain chain;
    if (exactChain(gear, m, r, gear->side, &chain) != ukOk) return; /* ukMeshComputeContacts refused this */
    for (int i = 0; i < 2; i++) {
        memcpy(r->contact[i], chain.contact_dot[i], sizeof chain.contact_dot[i]);
        memcpy(r->tangent[i], chain.tangent_dot, sizeof chain.tangent_dot);
    }
}

double ukMeshBias(const ukGear *gear, const ukState *const s[2])
{
    ukGear plain = *gear;
    ukGearMesh m;
    MeshRate rate;
    ukMeshPlace(gear, s, &m);
    ukMeshComputeContacts(&plain, &m);
    for (int i = 0; i < 2; i++) {
        double lever[3];
        for (int k = 0; k < 3; k++) lever[k] = m.A[i][k] - s[i]->x[k];
        ukTurnRate(s[i], lever, rate.A[i]);
        for (int k = 0; k < 3; k++) rate.A[i][k] += s[i]->v[k];
        ukTurnRate(s[i], m.n[i], rate.n[i]);
    }
    switch (gear->mode) {
    case dTransmissionParallelAxes: parallelRate(gear, &m, &rate); break;
    case dTransmissionIntersectingAxes: intersectingRate(gear, &m, &rate); break;
    default:
        if (gear->exact) {
            exactChainRate(gear, &m, &rate);
            break;
        }
        chainRate(gear, &m, &rate);
        if (gear->side < 0) mirrorRate(&plain, &m, &rate);
    }
    double sum = 0;
    for (int i = 0; i < 2; i++) {
        double r[3], r_dot[3], turning[3];
        for (int k = 0; k < 3; k++) {
            r[k] = gear->contact[i][k] - s[i]->x[k];
            r_dot[k] = rate.contact[i][k] - s[i]->v[k];
        }
        crossRate(r, r_dot, gear->tangent[i], rate.tangent[i], turning);
        const double of_body = ukDot(rate.tangent[i], s[i]->v) + ukDot(turning, s[i]->v + 3);
        sum += i == 0 ? of_body : -of_body;
    }
    return sum;
}
