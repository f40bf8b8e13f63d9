/* SPDX-License-Identifier: BSD-3-Clause */
/* What users add: constraints with and without an error function, laws; and contacts with friction. */
#include "tests/matrix/matrix.h"

#include <math.h>
#include <string.h>

static const double there[2][3] = {{0}};

/* ---- constraints: the body's coordinate along the axis has acceleration 1 ---------------------------------------- */

static int column(const Kind *kind)
{
    return kind->axis + (kind->linear ? 0 : 3);
}

static int accelerate(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)c;
    A[column(data)] = 1;
    b[0] = 1;
    return 0;
}

static int offPath(const struct ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    const Kind *kind = data;
    const ukBodyState *s = c->bodies;
    const double turned = 2 * atan2(s->orientation[1 + kind->axis], s->orientation[0]);
    phi[0] = (kind->linear ? s->position[kind->axis] : turned) - 0.5 * c->time * c->time;
    psi[0] = (kind->linear ? s->velocity : s->spin)[kind->axis] - c->time;
    return 0;
}

/* The joint transmits nothing along its free axis: place t^2/2, rate t, and an impulse of h times the body's
 * inertia. */
static double accelerated(const Kind *kind, int attachment, int integrator, bool held)
{
    Rig r;
    dReal impulse[6];
    double error = 0;
    if (!kind->make || !rigBegin(&r, kind, attachment, integrator, there)) return -1;
    const ukConstraintID c = ukConstraintCreate(r.world, 1, &r.body, 1, accelerate, (void *)kind);
    CHECK(c && (!held || ukConstraintSetError(c, offPath, (void *)kind) == 0));
    if (kind->stuck && !r.base) { /* it contradicts the joint: no step, in these words */
        const int done = held ? 0 : ukWorldStep(r.world, step_size);
        if (!held) CHECK(done == 0 && strstr(ukGetLastErrorMessage(), "contradict"));
        rigEnd(&r);
        return held ? -1 : 0;
    }
    const double inert = kind->stuck ? body_mass + base_mass : kind->linear ? body_mass : body_inertia;
    for (int i = 1; i <= 50; i++) {
        const double t = i * step_size;
        if (!CHECK(ukWorldStep(r.world, step_size) == 1)) break;
        const double place = kind->linear ? dBodyGetPosition(r.body)[kind->axis] : rigPlace(&r);
        CHECK(ukConstraintGetImpulse(c, impulse) == 0);
        error = larger(error, fabs((kind->linear ? dBodyGetLinearVel : dBodyGetAngularVel)(r.body)[kind->axis] - t));
        error = larger(error, fabs(place - 0.5 * t * t));
        if (!held || integrator != ukIntegratorEuler)
            error = larger(error, fabs(impulse[column(kind)] - step_size * inert) / step_size);
    }
    rigEnd(&r);
    return error;
}

double bareConstraint(const Kind *kind, int attachment, int integrator)
{
    return accelerated(kind, attachment, integrator, false);
}

double heldConstraint(const Kind *kind, int attachment, int integrator)
{
    return accelerated(kind, attachment, integrator, true);
}

/* ---- laws -------------------------------------------------------------------------------------------------------- */

static bool moving(Rig *r, const Kind *kind, int attachment, int integrator)
{
    double v[3] = {0};
    if (!kind->laws || !rigBegin(r, kind, attachment, integrator, there)) return false;
    v[kind->axis] = 1;
    if (kind->linear) dBodySetLinearVel(r->body, v[0], v[1], v[2]);
    if (!kind->linear) dBodySetAngularVel(r->body, v[0], v[1], v[2]);
    return true;
}

/* rate exp(-c t / m) */
double viscousLaw(const Kind *kind, int attachment, int integrator)
{
    Rig r;
    double error = 0;
    if (kind->stuck || kind->name[0] == 'D') return -1;
    if (!moving(&r, kind, attachment, integrator)) return -1;
    CHECK(ukJointSetViscous(r.joint, 0.8) == 0);
    for (int i = 1; i <= 50; i++) {
        if (!CHECK(rigStep(&r, step_size))) break;
        error = larger(error, fabs(rigRate(&r) - exp(-0.8 * i * step_size / rigInertia(&r))));
    }
    error = larger(error, rigBalance(&r));
    rigEnd(&r);
    return error;
}

/* Gravity across the axis is the joint's load: friction of mu |N|, times its arm, brakes the body in v^2/(2 a). */
double dryLaw(const Kind *kind, int attachment, int integrator)
{
    const double g = 5, mu = 0.3, arm = 0.1;
    Rig r;
    if (kind->swings || attachment >= OnBody || !moving(&r, kind, attachment, integrator)) return -1;
    dWorldSetGravity(r.world, -g, 0, 0);
    CHECK(ukJointSetCoulomb(r.joint, mu, arm) == 0);
    const double a = mu * body_mass * g * (kind->linear ? 1 / body_mass : arm / body_inertia);
    for (int i = 0; i < 200; i++)
        if (!CHECK(rigStep(&r, step_size))) break;
    double error = larger(fabs(rigRate(&r)), fabs(rigPlace(&r) - 0.5 / a));
    error = larger(error, rigBalance(&r));
    rigEnd(&r);
    return error;
}

/* -rate on the first axis, along which the body moves */
static void resist(const struct ukNonIdealContext *c, dReal f[2][6], void *data)
{
    for (int i = 0; i < c->axes; i++)
        for (int k = 0; k < 3; k++) {
            const int to = k + (c->is_translation[i] ? 0 : 3);
            f[0][to] -= c->rate[i] * c->axis[i][k];
            f[1][to] += c->rate[i] * c->axis[i][k];
        }
    (void)data;
}

/* A law of one's own: the same as viscous friction of coefficient 1. */
double ownLaw(const Kind *kind, int attachment, int integrator)
{
    Rig r;
    double error = 0;
    if (!moving(&r, kind, attachment, integrator)) return -1;
    CHECK(ukJointSetNonIdeal(r.joint, resist, NULL) == 0);
    for (int i = 1; i <= 50; i++) {
        if (!CHECK(rigStep(&r, step_size))) break;
        error = larger(error, fabs(rigRate(&r) - exp(-i * step_size / rigInertia(&r))));
    }
    error = larger(error, rigBalance(&r));
    rigEnd(&r);
    return error;
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

static const double radius = 0.5, mu_ground = 0.4;

static dJointID touchGround(const Rig *r, dJointGroupID group)
{
    dContact c;
    const dReal *x = dBodyGetPosition(r->body);
    memset(&c, 0, sizeof c);
    c.surface.mode = dContactApprox1;
    c.surface.mu = mu_ground;
    c.geom.depth = radius - x[2];
    c.geom.pos[0] = x[0], c.geom.pos[1] = x[1];
    c.geom.normal[2] = 1;
    const dJointID contact = dJointCreateContact(r->world, group, &c);
    dJointAttach(contact, r->body, 0);
    return contact;
}

/* how far contact and joint together miss the change of the body's momentum, and friction its cone */
static double missed(const Rig *r, const dJointFeedback *f, double h)
{
    double error = larger(0, hypot(f->f1[0], f->f1[1]) - mu_ground * f->f1[2]) * h;
    const bool first = dJointGetBody(r->joint, 0) == r->body || !dJointGetBody(r->joint, 0);
    for (int k = 0; k < 3; k++) {
        const double force = f->f1[k] + (first ? r->feedback.f1 : r->feedback.f2)[k] - (k == 2 ? 9.81 * body_mass : 0);
        error = larger(error, fabs(h * force - body_mass * (dBodyGetLinearVel(r->body)[k] - r->before[0][k])));
    }
    return larger(error, -f->f1[2] * h);
}

/* A ball slides on the ground, jointed to another that hovers at its side (a Plane2D, to the plane of its motion; a
 * joint with the world would hold it). */
double slidingContact(const Kind *kind, int attachment, int integrator)
{
    static const double side[2][3] = {{0, 0, 0.5}, {0, 1.2, 0.5}};
    Rig r;
    dJointFeedback friction;
    double error = 0;
    if (!kind->make) return contactSlides(integrator);
    if (attachment < OnBody || !rigBegin(&r, kind, attachment, integrator, side)) return -1;
    const dJointGroupID group = dJointGroupCreate(0);
    CHECK(ukWorldSetFriction(r.world, ukFrictionCone) == 0);
    dWorldSetGravity(r.world, 0, 0, -9.81);
    dBodySetGravityMode(r.base, 0);
    dBodySetLinearVel(r.body, 2, 0, 0);
    dBodySetLinearVel(r.base, 2, 0, 0);
    for (int i = 0; i < 30; i++) {
        memset(&friction, 0, sizeof friction);
        dJointSetFeedback(touchGround(&r, group), &friction);
        if (!CHECK(rigStep(&r, step_size))) break;
        error = larger(error, missed(&r, &friction, step_size));
        dJointGroupEmpty(group);
    }
    rigEnd(&r);
    dJointGroupDestroy(group);
    return larger(error, r.wrench);
}
