/* SPDX-License-Identifier: BSD-3-Clause */
/* Motors and stops, of bodies that are at the joint's anchor: closed forms. */
#include "tests/matrix/matrix.h"

#include <math.h>

static const double there[2][3] = {{0}};

static bool driven(Rig *r, const Kind *kind, int attachment, int integrator, double force)
{
    if (!kind->set || (kind->forward && attachment == WorldFirst)) return false;
    if (!rigBegin(r, kind, attachment, integrator, there)) return false;
    kind->set(r->joint, dParamFMax + kind->group, force);
    return true;
}

/* Vel 1, then -1: the rate at once, the place h times that, the impulse what changes the motion. */
double infiniteMotor(const Kind *kind, int attachment, int integrator)
{
    Rig r;
    double error = 0, sign = 0;
    if (!driven(&r, kind, attachment, integrator, dInfinity)) return -1;
    for (int i = 0; i < 6; i++) {
        const double place = rigPlace(&r);
        kind->set(r.joint, dParamVel + kind->group, i < 3 ? 1 : -1);
        if (!CHECK(rigStep(&r, step_size))) break;
        if (i == 0) sign = rigRate(&r) > 0 ? 1 : -1;
        error = larger(error, fabs(rigRate(&r) - (i < 3 ? sign : -sign)));
        error = larger(error, fabs(rigPlace(&r) - place - step_size * rigRate(&r)));
    }
    error = larger(error, rigBalance(&r));
    rigEnd(&r);
    return error;
}

/* A motor of force F starts from rest: F t / m until it has its speed, at once where that is within a step. */
double finiteMotor(const Kind *kind, int attachment, int integrator)
{
    const double force = 3, speed = 1;
    Rig r;
    if (!driven(&r, kind, attachment, integrator, force)) return -1;
    const double a = force / rigInertia(&r), reached = speed / a;
    double error = 0;
    kind->set(r.joint, dParamVel + kind->group, speed);
    for (int i = 1; i <= 100; i++) {
        const double t = i * step_size, rate = fmin(a * t, speed);
        const double place = t < reached ? 0.5 * a * t * t : speed * (t - 0.5 * reached);
        if (!CHECK(rigStep(&r, step_size))) break;
        error = larger(error, fabs(fabs(rigRate(&r)) - rate));
        error = larger(error, fabs(fabs(rigPlace(&r)) - place));
    }
    error = larger(error, rigBalance(&r));
    rigEnd(&r);
    return error;
}

static void setStops(const Kind *kind, dJointID joint, double e)
{
    kind->set(joint, dParamLoStop + kind->group, -0.4);
    kind->set(joint, dParamHiStop + kind->group, 0.5);
    kind->set(joint, dParamBounce + kind->group, e);
}

static bool between(Rig *r, const Kind *kind, int attachment, int integrator, double e)
{
    if (!kind->stops || !driven(r, kind, attachment, integrator, 0)) return false;
    setStops(kind, r->joint, e);
    if (kind->linear) dBodySetLinearVel(r->body, 0, 0, 3);
    if (!kind->linear) dBodySetAngularVel(r->body, 0, 0, 3);
    return true;
}

static double momentum(const Rig *r)
{
    const bool linear = r->kind->linear;
    const dReal *v = linear ? dBodyGetLinearVel(r->body) : dBodyGetAngularVel(r->body);
    const double own = (linear ? body_mass : body_inertia) * v[2];
    if (!r->base) return 0;
    return own + (linear ? base_mass * dBodyGetLinearVel(r->base)[2] : base_inertia * dBodyGetAngularVel(r->base)[2]);
}

/* e = 0: the rate is zero, and the remaining error of the stop, at most h times the rate, is corrected without a
 * velocity. */
double reachedStop(const Kind *kind, int attachment, int integrator)
{
    Rig r;
    if (!kind->make) return contactBounces(integrator, 0);
    if (!between(&r, kind, attachment, integrator, 0)) return -1;
    const double before = momentum(&r);
    CHECK(ukWorldSetStabilization(r.world, ukStabilizeSplit, 0, 0) == 0);
    for (int i = 0; i < 150; i++)
        if (!CHECK(rigStep(&r, step_size))) break;
    double error = larger(fabs(rigRate(&r)), rigBalance(&r));
    const double place = fabs(rigPlace(&r));
    error = larger(error, fmin(fabs(place - 0.5), fabs(place - 0.4)));
    error = larger(error, fabs(momentum(&r) - before));
    rigEnd(&r);
    return error;
}

/* The rate after an impact is -e times that before, again and again, between both stops; with e = 0 it stays where it
 * is. twice: by two joints that say the same. */
static double bounces(const Kind *kind, int attachment, int integrator, double e, bool twice)
{
    Rig r;
    if (!between(&r, kind, attachment, integrator, e)) return -1;
    kind->set(r.joint, dParamStopERP + kind->group, 0);
    if (twice) {
        const dJointID j = kind->make(r.world, dJointGetBody(r.joint, 0), dJointGetBody(r.joint, 1));
        setStops(kind, j, e);
        kind->set(j, dParamStopERP + kind->group, 0);
    }
    const double before = momentum(&r);
    double rate = rigRate(&r), error = 0;
    int count = 0;
    for (int i = 0; i < 150; i++) {
        if (!CHECK(rigStep(&r, step_size))) break;
        const double now = rigRate(&r), place = fabs(rigPlace(&r));
        const bool struck = e > 0 ? now * rate < 0 : rate * rate > 1 && place > 0.4 - 1e-9 && now * now < 1;
        count += struck;
        error = larger(error, fabs(now - (struck ? -e * rate : rate)));
        rate = now;
    }
    CHECK(count >= (e < 0.1 ? 1 : e < 0.6 ? 2 : 4));
    error = larger(error, fabs(momentum(&r) - before));
    if (!twice) error = larger(error, rigBalance(&r));
    rigEnd(&r);
    return error;
}

double bouncedOff(const Kind *kind, int attachment, int integrator)
{
    if (!kind->make) return larger(contactBounces(integrator, 0.5), contactBounces(integrator, 1));
    const double half = bounces(kind, attachment, integrator, 0.5, false);
    return half < 0 ? half : larger(half, bounces(kind, attachment, integrator, 1, false));
}

double struckTwice(const Kind *kind, int attachment, int integrator)
{
    const double none = bounces(kind, attachment, integrator, 0, true);
    return none < 0 ? none : larger(none, bounces(kind, attachment, integrator, 1, true));
}

/* lo = hi: both stops hold the axis, which does not move under a force, and bears it. */
double locked(const Kind *kind, int attachment, int integrator)
{
    Rig r;
    if (!between(&r, kind, attachment, integrator, 0)) return -1;
    kind->set(r.joint, dParamLoStop + kind->group, 0);
    kind->set(r.joint, dParamHiStop + kind->group, 0);
    const double before = momentum(&r);
    double error = 0;
    for (int i = 0; i < 50; i++) {
        if (!CHECK(rigStep(&r, step_size))) break;
        if (i > 0) error = larger(error, fabs(rigRate(&r)));
    }
    error = larger(error, larger(fabs(momentum(&r) - before), rigBalance(&r)));
    error = larger(error, fabs(rigPlace(&r)));
    rigEnd(&r);
    return error;
}
