/* SPDX-License-Identifier: BSD-3-Clause */
/* One joint between two spheres, or a sphere and the world, and the balance of its impulses. */
#include "tests/matrix/matrix.h"

#include <math.h>
#include <string.h>

const double step_size = 0.01, body_mass = 2, body_inertia = 0.5, base_mass = 6, base_inertia = 1.5;
int discrete_steps;

double larger(double x, double y)
{
    return x > y || isnan(x) ? x : y;
}

static dBodyID sphere(dWorldID world, double m, double I, const double x[3])
{
    const dBodyID b = makeSphere(world, m, I);
    dBodySetPosition(b, x[0], x[1], x[2]);
    return b;
}

bool rigBegin(Rig *r, const Kind *kind, int attachment, int integrator, const double place[2][3])
{
    const bool swapped = attachment == WorldFirst || attachment == BodyFirst, base = attachment >= OnBody;
    if ((kind->both && !base) || (kind->one && base)) return false;
    *r = (Rig){.kind = kind, .integrator = integrator, .world = dWorldCreate()};
    ukWorldSetIntegrator(r->world, (ukIntegrator)integrator);
    ukWorldSetJointRule(r->world, ukJointRuleExact);
    r->body = sphere(r->world, body_mass, body_inertia, place[0]);
    if (base) r->base = sphere(r->world, base_mass, base_inertia, place[1]);
    if (!kind->make) return true; /* a contact, which is made anew for every step */
    r->joint = kind->make(r->world, swapped ? r->base : r->body, swapped ? r->body : r->base);
    dJointSetFeedback(r->joint, &r->feedback);
    return true;
}

void rigEnd(Rig *r)
{
    dWorldDestroy(r->world);
}

static void velocity(dBodyID b, double v[6])
{
    for (int k = 0; k < 3; k++) v[k] = dBodyGetLinearVel(b)[k], v[3 + k] = dBodyGetAngularVel(b)[k];
}

/* the joint's force and torque on `b`, of the body's own gravity and applied forces nothing */
static void balance(Rig *r, dBodyID b, int i, const double applied[3], double h)
{
    const bool first = dJointGetBody(r->joint, 0) == b || !dJointGetBody(r->joint, 0);
    const dJointFeedback *f = &r->feedback;
    const double m = i ? base_mass : body_mass, I = i ? base_inertia : body_inertia;
    double v[6];
    velocity(b, v);
    for (int k = 0; k < 3; k++) {
        const double force = h * (first ? f->f1 : f->f2)[k], torque = h * (first ? f->t1 : f->t2)[k];
        const double dp = m * (v[k] - r->before[i][k]) - h * applied[k], dl = I * (v[3 + k] - r->before[i][3 + k]);
        r->unbalanced[0] = larger(r->unbalanced[0], fabs(force - dp));
        r->unbalanced[1] = larger(r->unbalanced[1], fabs(torque - dl));
        r->size = larger(r->size, larger(larger(fabs(force), fabs(torque)), larger(fabs(dp), fabs(dl))));
    }
}

/* f1 + f2 and t1 + t2 + x1 x f1 + x2 x f2, about where the bodies were at the start of the step */
static void wrench(Rig *r, double x[2][3], double h)
{
    const dJointFeedback *f = &r->feedback;
    const bool swapped = dJointGetBody(r->joint, 0) == r->base;
    const double *x1 = x[swapped], *x2 = x[!swapped];
    for (int k = 0; k < 3; k++) {
        const int p = (k + 1) % 3, q = (k + 2) % 3;
        const double torque =
            f->t1[k] + f->t2[k] + x1[p] * f->f1[q] - x1[q] * f->f1[p] + x2[p] * f->f2[q] - x2[q] * f->f2[p];
        r->wrench = larger(r->wrench, h * fabs(f->f1[k] + f->f2[k]));
        if (!r->kind->fixed_line) r->wrench = larger(r->wrench, h * fabs(torque));
    }
}

bool rigStep(Rig *r, double h)
{
    dVector3 g;
    ukReport report;
    double x[2][3] = {{0}}, applied[2][3];
    const dBodyID bodies[2] = {r->body, r->base};
    dWorldGetGravity(r->world, g);
    for (int i = 0; i < 2 && bodies[i]; i++) {
        velocity(bodies[i], r->before[i]);
        for (int k = 0; k < 3; k++) {
            x[i][k] = dBodyGetPosition(bodies[i])[k];
            applied[i][k] = dBodyGetForce(bodies[i])[k] + (i ? base_mass : body_mass) * g[k];
        }
    }
    if (ukWorldStep(r->world, h) != 1 || ukWorldGetReport(r->world, &report) != 0) return false;
    discrete_steps += report.discrete_islands;
    for (int i = 0; i < 2 && bodies[i]; i++) balance(r, bodies[i], i, applied[i], h);
    if (r->base && r->integrator == ukIntegratorEuler) wrench(r, x, h);
    return true;
}

double rigBalance(const Rig *r)
{
    const double off = larger(larger(r->unbalanced[0], r->unbalanced[1]), r->wrench);
    return r->size > 0 ? off / larger(r->size, 1e-3) : 0;
}

static double along(const Rig *r, dBodyID b)
{
    return (r->kind->linear ? dBodyGetLinearVel(b) : dBodyGetAngularVel(b))[r->kind->axis];
}

double rigRate(const Rig *r)
{
    return along(r, r->body) - (r->base ? along(r, r->base) : 0);
}

double rigPlace(const Rig *r)
{
    double x[2] = {0};
    const dBodyID body[2] = {r->body, r->base};
    for (int i = 0; i < 2 && body[i]; i++) {
        const dReal *q = dBodyGetQuaternion(body[i]);
        x[i] = r->kind->linear ? dBodyGetPosition(body[i])[r->kind->axis] : 2 * atan2(q[1 + r->kind->axis], q[0]);
    }
    return x[0] - x[1];
}

double rigInertia(const Rig *r)
{
    const double own = r->kind->linear ? body_mass : body_inertia, other = r->kind->linear ? base_mass : base_inertia;
    return r->base ? own * other / (own + other) : own;
}
