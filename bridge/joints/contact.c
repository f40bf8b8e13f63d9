/* SPDX-License-Identifier: BSD-3-Clause */
/* Contact: a normal row, pushing only, then friction rows in ODE's order: sliding along t1 and t2, rolling about them,
 * spinning about the normal, each only if its coefficient is positive. Its parameters are recorded at creation, because
 * ODE has no getters for them. A contact whose creation was not observed cannot be computed.
 *
 * The normal points into a: for REVERSE, where the user's body 1 is the world, it is the negated geom.normal. Neither
 * it nor fdir1 needs unit length; ODE and ukode use both as they are. */
#include "bridge/joints/contact.h"

#include <math.h>
#include <string.h>

#include "bridge/base/vector.h"
#include "bridge/joints/row.h"
#include "solvers/base/status.h"

enum { NormalRow = 0 };

void ukContactRecord(ukJoint *joint, const dContact *from)
{
    ukContact *to = &joint->contact;
    to->surface = from->surface;
    memcpy(to->pos, from->geom.pos, sizeof to->pos);
    memcpy(to->normal, from->geom.normal, sizeof to->normal);
    memcpy(to->fdir1, from->fdir1, sizeof to->fdir1);
    to->depth = from->geom.depth;
    to->g1 = from->geom.g1;
    to->g2 = from->geom.g2;
}

static bool finite3(const dReal *x)
{
    return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

/* rejects values with which ODE would compute NaN velocities, or no force at all */
static int contactCheck(const ukContact *contact)
{
    const dSurfaceParameters *s = &contact->surface;
    const dReal *n = contact->normal;
    if (!finite3(n) || !finite3(contact->pos) || isnan(contact->depth)) return ukErrorNotFinite;
    if (n[0] == 0 && n[1] == 0 && n[2] == 0) return ukErrorParameter;
    if (isnan(s->mu) || ((s->mode & dContactAxisDep) && isnan(s->mu2))) return ukErrorParameter;
    if (!(s->mode & dContactRolling)) return ukOk;
    double rho[3];
    ukSurfaceRolling(s, rho);
    if (isnan(rho[0]) || ((s->mode & dContactAxisDep) && (isnan(rho[1]) || isnan(rho[2])))) return ukErrorParameter;
    return ukOk;
}

const char *ukContactFault(const ukContact *contact)
{
    const dSurfaceParameters *s = &contact->surface;
    const dReal *n = contact->normal;
    const int mode = s->mode;
    double rho[3];
    ukSurfaceRolling(s, rho);
    const struct {
        const char *what;
        bool bad;
    } list[] = {
        {"geom.normal is not finite", !finite3(n)},
        {"geom.normal is zero", n[0] == 0 && n[1] == 0 && n[2] == 0},
        {"geom.pos is not finite", !finite3(contact->pos)},
        {"geom.depth is not finite", !(contact->depth < INFINITY)},
        {"fdir1 is not finite", (mode & dContactFDir1) && !finite3(contact->fdir1)},
        {"surface.mu is NaN", isnan(s->mu)},
        {"surface.mu2 is NaN", (mode & dContactAxisDep) && isnan(s->mu2)},
        {"surface.rho is NaN", (mode & dContactRolling) && isnan(rho[0])},
        {"surface.rho2 or rhoN is NaN",
         (mode & dContactRolling) && (mode & dContactAxisDep) && (isnan(rho[1]) || isnan(rho[2]))},
        {"surface.soft_erp is not finite", (mode & dContactSoftERP) && !isfinite(s->soft_erp)},
        {"surface.soft_cfm is not finite", (mode & dContactSoftCFM) && !isfinite(s->soft_cfm)},
        {"surface.motion1 is not finite", (mode & dContactMotion1) && !isfinite(s->motion1)},
        {"surface.motion2 is not finite", (mode & dContactMotion2) && !isfinite(s->motion2)},
        {"surface.motionN is not finite", (mode & dContactMotionN) && !isfinite(s->motionN)},
        {"surface.slip1 is not finite", (mode & dContactSlip1) && !isfinite(s->slip1)},
        {"surface.slip2 is not finite", (mode & dContactSlip2) && !isfinite(s->slip2)},
        {"surface.bounce is infinite", (mode & dContactBounce) && isinf(s->bounce)}, /* NaN: no bounce, as in ODE */
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (list[i].bad) return list[i].what;
    return NULL;
}

int ukContactUndirected(const ukContact *contact)
{
    const dSurfaceParameters *s = &contact->surface;
    const int mode = s->mode;
    const bool separate = mode & dContactAxisDep;
    const double mu[2] = {s->mu, separate ? s->mu2 : s->mu};
    if (mode & dContactFDir1 || !(fmax(mu[0], mu[1]) > 0)) return 0;
    const double velocity[2] = {mode & dContactMotion1 ? s->motion1 : 0, mode & dContactMotion2 ? s->motion2 : 0};
    const double slip[2] = {mode & dContactSlip1 ? s->slip1 : 0, mode & dContactSlip2 ? s->slip2 : 0};
    double rho[3];
    ukSurfaceRolling(s, rho);
    const bool rolls = separate && (mode & dContactRolling) && rho[0] != rho[1];
    const bool moves = (mu[0] > 0 && velocity[0] != 0) || (mu[1] > 0 && velocity[1] != 0);
    return (moves ? ukUndirectedMotion : 0) | (mu[0] != mu[1] || rolls ? ukUndirectedFriction : 0) |
           (slip[0] != slip[1] ? ukUndirectedSlip : 0);
}

static double contactAlong(const double *J, const ukState *a, const ukState *b)
{
    double u = ukDot(J, a->v) + ukDot(J + 3, a->v + 3);
    if (b) u += ukDot(J + 6, b->v) + ukDot(J + 9, b->v + 3);
    return u;
}

/* The least velocity [m/s] with which a contact leaves the step: its correction plus the motion of its surface, or the
 * rebound of the incoming velocity if that is larger. *target: the same without the correction. */
static double leavingVelocity(const dSurfaceParameters *s, double most, double correction, double motion,
                              double incoming, double *target)
{
    double c = correction + motion;
    if (c > most) c = most;
    *target = motion;
    if (incoming == -INFINITY || !(incoming > s->bounce_vel)) return c; /* without rebound bounce_vel may be unset */
    const double rebound = s->bounce * incoming + motion;
    if (rebound > c) c = *target = rebound;
    return c;
}

static void normalRow(const ukContact *contact, const ukState *a, const ukState *b, const ukRowContext *context,
                      ukRowSink *sink)
{
    const dSurfaceParameters *s = &contact->surface;
    const double erp = s->mode & dContactSoftERP ? s->soft_erp : context->erp;
    const double motion = s->mode & dContactMotionN ? s->motionN : 0, most = context->contact_max_velocity;
    const double depth = contact->depth - context->contact_surface_layer;
    const bool bounces = (s->mode & dContactBounce) && s->bounce_vel >= 0;
    const double incoming = bounces ? motion - contactAlong(sink->J, a, b) : -INFINITY;
    double *c = &sink->c[NormalRow], *target = &sink->target[NormalRow];

    ukRowError(sink, NormalRow, depth > 0 ? -depth : 0, erp, context->h);
    if (sink->push) {
        double *push = &sink->push[NormalRow];
        *push = leavingVelocity(s, most, *push, motion, incoming, target);
        *c = leavingVelocity(s, most, 0, motion, incoming, target);
        *push -= *c;
    } else {
        *c = leavingVelocity(s, most, *c, motion, incoming, target);
    }
    if (bounces && sink->restitution) sink->restitution[NormalRow] = s->bounce;
    sink->cfm[NormalRow] = s->mode & dContactSoftCFM ? s->soft_cfm : context->cfm;
    sink->lo[NormalRow] = 0;
    sink->discrete_only[NormalRow] = 1;
}

/* The bounds of one friction row: |lambda| <= limit, or limit times the normal force if `proportional`. */
static void frictionRow(ukRowSink *sink, int i, double limit, int proportional, double velocity, double cfm)
{
    sink->c[i] = sink->target[i] = velocity;
    sink->cfm[i] = cfm;
    sink->lo[i] = -limit;
    sink->hi[i] = limit;
    sink->normal[i] = proportional ? NormalRow : -1;
    sink->velocity[i] = 1;
    sink->discrete_only[i] = 1;
}

static int contactRows(ukJoint *joint, const ukState *a, const ukState *b, const ukRowContext *context, ukRowSink *sink)
{
    const ukContact *contact = &joint->contact;
    const dSurfaceParameters *s = &contact->surface;
    const int mode = s->mode;
    double n[3], ra[3], rb[3] = {0}, t[2][3];

    if (!joint->observed) return ukErrorUnsupported;
    const int status = contactCheck(contact);
    if (status != ukOk || context->flight) return status;

    for (int i = 0; i < 3; i++) {
        n[i] = joint->reverse ? -contact->normal[i] : contact->normal[i];
        ra[i] = contact->pos[i] - a->x[i];
        if (b) rb[i] = contact->pos[i] - b->x[i];
    }
    ukRowPoint(sink, NormalRow, n, ra, b ? rb : NULL);
    normalRow(contact, a, b, context, sink);

    if (mode & dContactFDir1) {
        for (int i = 0; i < 3; i++) t[0][i] = contact->fdir1[i];
        ukCross(n, t[0], t[1]);
    } else {
        ukPlaneSpace(n, t[0], t[1]);
    }

    /* a direction of length zero makes a row without coefficients, which has no effect */
    const bool separate = mode & dContactAxisDep;
    const double mu[2] = {s->mu, separate ? s->mu2 : s->mu};
    const double velocity[2] = {mode & dContactMotion1 ? s->motion1 : 0, mode & dContactMotion2 ? s->motion2 : 0};
    const double slip[2] = {mode & dContactSlip1 ? s->slip1 : context->cfm,
                            mode & dContactSlip2 ? s->slip2 : context->cfm};
    const int proportional[3] = {mode & dContactApprox1_1, mode & dContactApprox1_2, mode & dContactApprox1_N};
    int count = 1;
    for (int i = 0; i < 2; i++) {
        if (!(mu[i] > 0) || ukDot(t[i], t[i]) == 0) continue;
        ukRowPoint(sink, count, t[i], ra, b ? rb : NULL);
        frictionRow(sink, count++, mu[i], proportional[i], velocity[i], slip[i]);
    }
    if (!(mode & dContactRolling)) return count;

    double rho[3];
    ukSurfaceRolling(s, rho);
    if (!separate) rho[1] = rho[2] = rho[0];
    const double *axis[3] = {t[0], t[1], n};
    for (int i = 0; i < 3; i++) {
        if (!(rho[i] > 0) || ukDot(axis[i], axis[i]) == 0) continue;
        ukRowAxis(sink, count, axis[i], b != NULL);
        frictionRow(sink, count++, rho[i], proportional[i], 0, context->cfm);
    }
    return count;
}

static int contactMost(const ukJoint *joint)
{
    return joint->contact.surface.mode & dContactRolling ? 6 : 3;
}

const ukJointClass ukContactClass = {.name = "contact",
                                     .type = dJointTypeContact,
                                     .record = ukRecordContact,
                                     .max_rows = 6,
                                     .most = contactMost,
                                     .rows = contactRows};
