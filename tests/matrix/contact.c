/* SPDX-License-Identifier: BSD-3-Clause */
/* Contacts by themselves: a ball of radius 0.5 m on the ground or above it. */
#include "tests/matrix/matrix.h"

#include <math.h>
#include <string.h>

static const double radius = 0.5, gravity = 9.81;

typedef struct Ground {
    Rig rig;
    dJointGroupID group;
    dContact contact;
    dJointFeedback feedback;
} Ground;

static void groundBegin(Ground *g, int integrator, double z)
{
    *g = (Ground){.group = dJointGroupCreate(0)};
    static const Kind ball = {"Contact", .axis = 2, .linear = true};
    const double place[2][3] = {{0, 0, z}};
    CHECK(rigBegin(&g->rig, &ball, OnWorld, integrator, place));
    dWorldSetGravity(g->rig.world, 0, 0, -gravity);
    g->contact.surface.mode = dContactApprox1;
    CHECK(ukWorldSetStabilization(g->rig.world, ukStabilizeSplit, 0, 0) == 0);
    g->contact.geom.normal[2] = 1;
}

static void groundEnd(Ground *g)
{
    rigEnd(&g->rig);
    dJointGroupDestroy(g->group);
}

/* one step; how far the contact's force misses the change of the ball's momentum */
static double groundStep(Ground *g)
{
    const dBodyID b = g->rig.body;
    const dReal *x = dBodyGetPosition(b);
    double before[3], error = 0;
    memcpy(before, dBodyGetLinearVel(b), sizeof before);
    memset(&g->feedback, 0, sizeof g->feedback);
    g->contact.geom.depth = radius - x[2];
    g->contact.geom.pos[0] = x[0];
    if (g->contact.geom.depth >= 0) {
        const dJointID j = dJointCreateContact(g->rig.world, g->group, &g->contact);
        dJointAttach(j, b, 0);
        dJointSetFeedback(j, &g->feedback);
    }
    if (!CHECK(ukWorldStep(g->rig.world, step_size) == 1)) return NAN;
    for (int k = 0; k < 3; k++) {
        const double force = g->feedback.f1[k] - (k == 2 ? body_mass * gravity : 0);
        error = larger(error, fabs(step_size * force - body_mass * (dBodyGetLinearVel(b)[k] - before[k])));
    }
    dJointGroupEmpty(g->group);
    return error;
}

/* It slides with mu, then rolls: m r v + I w stays, so v = v0 / (1 + I / (m r^2))^-1 at the end. */
double contactSlides(int integrator)
{
    Ground g;
    double error = 0;
    groundBegin(&g, integrator, radius);
    g.contact.surface.mu = 0.3;
    dBodySetLinearVel(g.rig.body, 2, 0, 0);
    for (int i = 0; i < 100; i++) error = larger(error, groundStep(&g));
    const double part = body_mass * radius * radius / (body_mass * radius * radius + body_inertia);
    error = larger(error, fabs(dBodyGetLinearVel(g.rig.body)[0] - 2 * part));
    error = larger(error, fabs(dBodyGetAngularVel(g.rig.body)[1] - 2 * part / radius));
    groundEnd(&g);
    return error;
}

/* Rates are reversed, times e; and e = 0: the ball stays where it falls. */
double contactBounces(int integrator, double e)
{
    Ground g;
    double error = 0, last = 0;
    int bounces = 0;
    groundBegin(&g, integrator, 1);
    g.contact.surface.mode |= dContactBounce;
    g.contact.surface.bounce = e;
    for (int i = 0; i < 150; i++) {
        last = dBodyGetLinearVel(g.rig.body)[2];
        error = larger(error, groundStep(&g));
        const double v = dBodyGetLinearVel(g.rig.body)[2];
        const bool bounced = last < -0.5 && v > 0;
        bounces += bounced;
        /* the impact is at the start of the step, in which the ball then flies; Euler's at its end, as ODE's */
        if (bounced)
            error = larger(error, fabs(v + e * last + (integrator != ukIntegratorEuler) * gravity * step_size));
    }
    if (e > 0) CHECK(bounces >= 2);
    if (e == 0) error = larger(error, fabs(dBodyGetLinearVel(g.rig.body)[2]));
    groundEnd(&g);
    return error;
}
