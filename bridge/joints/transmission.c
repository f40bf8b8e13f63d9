/* SPDX-License-Identifier: BSD-3-Clause */
/* Transmission: two wheels that mesh (parallel or intersecting axes) or share a chain. One row: the contact points of
 * both wheels move alike along their tangents; what has slipped is the difference of the wheels' phases, times their
 * radii.
 *
 * of.gear is the whole of it: mode, ratio, radii, anchors and axes as the setters left them, and the running values,
 * which ODE renews inside its step: the first step after a setter of anchors or axes measures the mesh and sets the
 * phases to zero. Rows evaluated without context->commit use what the next step would, and leave the record alone. */
#include "bridge/joints/geometry.h"
#include "bridge/joints/row.h"
#include "bridge/joints/running.h"

#include <math.h>
#include <string.h>

#include "bridge/ode/ode.h"
#include "solvers/base/status.h"

static const double twoPi = 2 * 3.14159265358979323846;

static void create(ukJoint *joint)
{
    ukGear *gear = &joint->of.gear;
    gear->mode = dTransmissionParallelAxes;
    gear->ratio = 1;
    gear->axis[0][0] = gear->axis[1][0] = 1;
    gear->update = true;
    joint->erp = dWorldGetERP(joint->world->handle);
    joint->cfm = dWorldGetCFM(joint->world->handle);
}

/* By ODE's own functions, to the last bit: of perpendicular axes rounding decides which way axis 1 points (alignAxes),
 * and with it the sign of what the gear transmits. */
static void recordAxis(ukJoint *joint, int i, const double x[3])
{
    dVector3 local;
    if (!joint->body[i]) return;
    dBodyVectorFromWorld(joint->body[i]->handle, x[0], x[1], x[2], local);
    dSafeNormalize3(local);
    for (int k = 0; k < 3; k++) joint->of.gear.axis[i][k] = local[k];
}

static void recordAnchor(ukJoint *joint, int i, const double x[3])
{
    if (joint->body[i]) ukLocalPoint(joint->body[i], x, joint->of.gear.anchor[i]);
}

static void note(ukJoint *joint, const ukNote *note)
{
    ukGear *gear = &joint->of.gear;
    joint->stale = true;
    switch (note->kind) {
    case ukNoteAnchor: recordAnchor(joint, 0, note->x); break;
    case ukNoteAnchor2: recordAnchor(joint, 1, note->x); break;
    case ukNoteAxis: recordAxis(joint, 0, note->x); break;
    case ukNoteAxis2: recordAxis(joint, 1, note->x); break;
    case ukNoteAxes:
        recordAxis(joint, 0, note->x);
        recordAxis(joint, 1, note->x);
        break;
    case ukNoteMode: gear->mode = note->i; return;
    case ukNoteRatio: gear->ratio = note->x[0]; return;
    case ukNoteRadius: gear->radius[note->i == 1] = note->x[0]; return;
    case ukNoteBacklash: gear->backlash = note->x[0]; return;
    default: return;
    }
    gear->update = true;
}

static void refresh(ukJoint *joint)
{
    joint->erp = dJointGetTransmissionParam(joint->handle, dParamERP);
    joint->cfm = dJointGetTransmissionParam(joint->handle, dParamCFM);
}

/* the phases begin anew at the present pose */
static void assume(ukJoint *joint)
{
    const ukOdeFunctions *ode = ukOdeReady();
    const dJointID j = joint->handle;
    ukGear *gear = &joint->of.gear;
    dVector3 x;
    gear->mode = dJointGetTransmissionMode(j);
    gear->backlash = dJointGetTransmissionBacklash(j);
    gear->ratio = ode->dJointGetTransmissionRatio(j);
    gear->radius[0] = ode->dJointGetTransmissionRadius1(j);
    gear->radius[1] = ode->dJointGetTransmissionRadius2(j);
    gear->update = true;
    if (!joint->body[0] || !joint->body[1]) return;
    ode->dJointGetTransmissionAxis1(j, x);
    recordAxis(joint, 0, x);
    dJointGetTransmissionAxis2(j, x);
    recordAxis(joint, 1, x);
    dJointGetTransmissionAnchor1(j, x);
    recordAnchor(joint, 0, x);
    dJointGetTransmissionAnchor2(j, x);
    recordAnchor(joint, 1, x);
}

/* The wheels at one instant, world: centres, axes, and levers from centre to contact. */
typedef struct Mesh {
    double A[2][3], n[2][3], lever[2][3];
} Mesh;

static void place(const ukGear *gear, const ukState *const s[2], Mesh *m)
{
    double r[3];
    for (int i = 0; i < 2; i++) {
        ukAnchor(s[i], gear->anchor[i], m->A[i], r);
        ukAxis(s[i], gear->axis[i], m->n[i]);
    }
}

/* the contact divides the line of centres by the ratio */
static int meshParallel(ukGear *gear, const Mesh *m)
{
    double d[3];
    const double share = gear->ratio / (1 + gear->ratio);
    if (!(gear->ratio > 0)) return ukErrorParameter;
    for (int i = 0; i < 3; i++) {
        d[i] = m->A[1][i] - m->A[0][i];
        gear->contact[0][i] = gear->contact[1][i] = m->A[0][i] + share * d[i];
    }
    if (ukNormalize(d) == 0) return ukErrorParameter;
    for (int i = 0; i < 2; i++) ukCross(d, m->n[i], gear->tangent[i]);
    return ukOk;
}

/* The wheels' planes meet in a line through O along l = n0 x n1. As in ODE l keeps its length, which is 1, and the
 * contacts the feet of the centres on that line, where the axes are perpendicular. */
static int meshIntersecting(ukGear *gear, const Mesh *m)
{
    const double nn = ukDot(m->n[0], m->n[1]), det = 1 - nn * nn;
    const double h0 = ukDot(m->n[0], m->A[0]), h1 = ukDot(m->n[1], m->A[1]);
    double O[3], d[3];
    if (!(det > 0)) return ukErrorParameter;
    for (int i = 0; i < 3; i++) O[i] = ((h0 - h1 * nn) * m->n[0][i] + (h1 - h0 * nn) * m->n[1][i]) / det;
    for (int i = 0; i < 2; i++) {
        double *l = gear->tangent[i];
        ukCross(m->n[0], m->n[1], l);
        for (int k = 0; k < 3; k++) d[k] = m->A[i][k] - O[k];
        const double foot = ukDot(d, l);
        for (int k = 0; k < 3; k++) gear->contact[i][k] = O[k] + foot * l[k];
    }
    return ukOk;
}

/* The chain leaves the wheels where it is tangent to both. ODE brings that point to the world by the transposed matrix,
 * and so does this. */
static int meshChain(ukGear *gear, const Mesh *m)
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

static int mesh(ukGear *gear, Mesh *m)
{
    int status = ukErrorParameter;
    switch (gear->mode) {
    case dTransmissionParallelAxes: status = meshParallel(gear, m); break;
    case dTransmissionIntersectingAxes: status = meshIntersecting(gear, m); break;
    case dTransmissionChainDrive: status = meshChain(gear, m); break;
    default: break;
    }
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) m->lever[i][k] = gear->contact[i][k] - m->A[i][k];
    return status;
}

/* both wheels count their angle about axes of one handedness */
static void alignAxes(ukGear *gear, Mesh *m)
{
    if (!(ukDot(m->n[0], m->n[1]) < 0)) return;
    for (int k = 0; k < 3; k++) {
        gear->axis[0][k] = -gear->axis[0][k];
        m->n[0][k] = -m->n[0][k];
    }
}

/* radii and wheel frames of the present mesh: x towards the contact, z the axis; phases zero */
static int restart(ukGear *gear, const ukState *const s[2], const Mesh *m)
{
    for (int i = 0; i < 2; i++) {
        double *x = gear->reference[i], *y = x + 3, *z = x + 6;
        ukUnrotate(s[i]->R, m->lever[i], x);
        gear->radius[i] = ukNormalize(x);
        if (!(gear->radius[i] > 0)) return ukErrorParameter;
        memcpy(z, gear->axis[i], 3 * sizeof *z);
        ukCross(z, x, y);
        gear->phase[i] = 0;
    }
    gear->ratio = gear->radius[0] / gear->radius[1];
    gear->update = false;
    return ukOk;
}

/* the angle of the contact in the wheel's frame, of all its equals the nearest to where the wheel's spin leads */
static void turnPhase(ukGear *gear, int i, const ukState *s, const Mesh *m, double h)
{
    double lever[3], local[3];
    ukUnrotate(s->R, m->lever[i], lever);
    ukRotate(gear->reference[i], lever, local);
    const double angle = atan2(local[1], local[0]);
    const double predicted = gear->phase[i] + h * ukDot(s->v + 3, m->n[i]);
    gear->phase[i] = angle + twoPi * nearbyint((predicted - angle) / twoPi);
}

/* The other branch of the chain is tight: contacts and tangents are mirrored in the plane of d and the axis. */
static int mirrorChain(ukGear *gear, const Mesh *m)
{
    double d[3], w[3];
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

/* the gear at the states, h after the last committed one; ukErrorParameter where ODE would abort */
static int run(ukGear *gear, const ukState *const s[2], double h)
{
    Mesh m;
    place(gear, s, &m);
    if (gear->update) alignAxes(gear, &m);
    int status = mesh(gear, &m);
    if (status == ukOk && gear->update) status = restart(gear, s, &m);
    if (status != ukOk) return status;
    for (int i = 0; i < 2; i++) turnPhase(gear, i, s[i], &m, h);
    const bool chain = gear->mode == dTransmissionChainDrive;
    const double slip[2] = {sqrt(ukDot(m.lever[0], m.lever[0])) * gear->phase[0],
                            sqrt(ukDot(m.lever[1], m.lever[1])) * gear->phase[1]};
    gear->delta = chain ? slip[0] - slip[1] : slip[0] + slip[1];
    return chain && gear->delta < 0 ? mirrorChain(gear, &m) : ukOk;
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

/* How the mesh at one instant changes with time: centres and axes, and what follows of them. */
typedef struct MeshRate {
    double A[2][3], n[2][3], contact[2][3], tangent[2][3];
} MeshRate;

static void parallelRate(const ukGear *gear, const Mesh *m, MeshRate *r)
{
    double d[3], d_dot[3];
    const double share = gear->ratio / (1 + gear->ratio);
    for (int k = 0; k < 3; k++) {
        d[k] = m->A[1][k] - m->A[0][k];
        d_dot[k] = r->A[1][k] - r->A[0][k];
        r->contact[0][k] = r->contact[1][k] = r->A[0][k] + share * d_dot[k];
    }
    ukNormalizeRate(d, d_dot);
    for (int i = 0; i < 2; i++) crossRate(d, d_dot, m->n[i], r->n[i], r->tangent[i]);
}

static void intersectingRate(const Mesh *m, MeshRate *r)
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

static void chainRate(const ukGear *gear, const Mesh *m, MeshRate *r)
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

/* of mirrorChain; contact and tangent of `plain` are those before it */
static void mirrorRate(const ukGear *plain, const Mesh *m, MeshRate *r)
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

/* Jdot v of the row of a gear that has run at the states */
static double bias(const ukGear *gear, const ukState *const s[2])
{
    ukGear plain = *gear;
    Mesh m;
    MeshRate rate;
    place(gear, s, &m);
    mesh(&plain, &m);
    for (int i = 0; i < 2; i++) {
        double lever[3];
        for (int k = 0; k < 3; k++) lever[k] = m.A[i][k] - s[i]->x[k];
        ukTurnRate(s[i], lever, rate.A[i]);
        for (int k = 0; k < 3; k++) rate.A[i][k] += s[i]->v[k];
        ukTurnRate(s[i], m.n[i], rate.n[i]);
    }
    switch (gear->mode) {
    case dTransmissionParallelAxes: parallelRate(gear, &m, &rate); break;
    case dTransmissionIntersectingAxes: intersectingRate(&m, &rate); break;
    default:
        chainRate(gear, &m, &rate);
        if (gear->delta < 0) mirrorRate(&plain, &m, &rate);
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

static int rows(ukJoint *joint, const ukState *a, const ukState *b, const ukRowContext *context, ukRowSink *sink)
{
    if (!b) return ukErrorParameter; /* only an ODE without assertions lets it be attached so */
    const ukState *const s[2] = {a, b};
    ukGear gear = joint->of.gear;
    const int status = run(&gear, s, context->h);
    if (status != ukOk) return status;
    if (context->commit) {
        ukJointRuns(joint);
        joint->of.gear = gear;
    }

    for (int i = 0; i < 2; i++) {
        double r[3], *J = sink->J + 6 * i;
        for (int k = 0; k < 3; k++) {
            r[k] = gear.contact[i][k] - s[i]->x[k];
            J[k] = i == 0 ? gear.tangent[0][k] : -gear.tangent[1][k];
        }
        ukCross(r, J, J + 3);
    }
    sink->cfm[0] = joint->cfm;
    if (sink->bias) sink->bias[0] = bias(&gear, s);
    if (isnan(gear.backlash)) return ukErrorParameter;
    if (gear.backlash != 0 && !(fabs(gear.delta) > gear.backlash)) { /* in the gap nothing is transmitted */
        sink->lo[0] = sink->hi[0] = 0;
        sink->velocity[0] = sink->stop[0] = 1;
        return 1;
    }
    ukRowError(sink, 0, gear.delta > 0 ? gear.delta - gear.backlash : gear.delta + gear.backlash, joint->erp,
               context->h);
    if (gear.backlash > 0) {
        if (gear.delta > 0) {
            sink->hi[0] = 0;
        } else {
            sink->lo[0] = 0;
        }
        sink->stop[0] = 1;
    }
    return 1;
}

const ukJointClass ukTransmissionClass = {.name = "transmission",
                                          .type = dJointTypeTransmission,
                                          .record = ukRecordRunning,
                                          .max_rows = 1,
                                          .running = true,
                                          .needs = "other joints must hold both of its wheels' centres at one distance",
                                          .create = create,
                                          .note = note,
                                          .refresh = refresh,
                                          .assume = assume,
                                          .rows = rows};
