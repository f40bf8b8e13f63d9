/* SPDX-License-Identifier: BSD-3-Clause */
/* Motion without anything but the joint: balance of impulses, momentum and energy, and where the bodies come to,
 * against the adaptive integrator at the least tolerance. Motors, where there are any, hold their axis (an LMotor or an
 * AMotor does nothing else). */
#include "tests/matrix/matrix.h"

#include <math.h>
#include <string.h>

static const double apart[2][3] = {{0.4, 0.1, -0.2}, {-0.3, 0.2, 0.5}};

static bool drifting(Rig *r, const Kind *kind, int attachment, int integrator)
{
    static const double flat[2][3] = {{0.4, 0.1, 0}};
    if (!kind->make || !rigBegin(r, kind, attachment, integrator, kind->one ? flat : apart)) return false;
    if (!kind->stops && !kind->laws && kind->set) {
        kind->set(r->joint, dParamFMax + kind->group, dInfinity);
        kind->set(r->joint, dParamVel + kind->group, 0);
    }
    ukWorldSetTolerance(r->world, 1e-11, 0);
    return true;
}

/* velocities that the joint does not allow */
static void kick(const Rig *r, double much)
{
    dBodySetLinearVel(r->body, 0.3 * much, -0.2 * much, 0.5 * much);
    dBodySetAngularVel(r->body, 0.4 * much, 0.6 * much, -0.3 * much);
    if (!r->base) return;
    dBodySetLinearVel(r->base, -0.1 * much, 0.2 * much, 0);
    dBodySetAngularVel(r->base, 0.3 * much, -0.2 * much, 0.5 * much);
}

/* of all bodies: linear momentum, angular momentum about the origin, energy */
static void momenta(const Rig *r, double P[3], double L[3], double *energy)
{
    const dBodyID bodies[2] = {r->body, r->base};
    memset(P, 0, 3 * sizeof *P);
    memset(L, 0, 3 * sizeof *L);
    *energy = 0;
    for (int i = 0; i < 2 && bodies[i]; i++) {
        const dReal *x = dBodyGetPosition(bodies[i]), *v = dBodyGetLinearVel(bodies[i]);
        const dReal *w = dBodyGetAngularVel(bodies[i]);
        const double m = i ? base_mass : body_mass, I = i ? base_inertia : body_inertia;
        for (int k = 0; k < 3; k++) {
            const int p = (k + 1) % 3, q = (k + 2) % 3;
            P[k] += m * v[k];
            L[k] += m * (x[p] * v[q] - x[q] * v[p]) + I * w[k];
            *energy += 0.5 * (m * v[k] * v[k] + I * w[k] * w[k]);
        }
    }
}

/* Feedback x h is the change of momentum, linear and, but for the order of what turns, angular; so is P. */
double freeImpulse(const Kind *kind, int attachment, int integrator)
{
    Rig r;
    double P0[3], P[3], L[3], e, error;
    if (!drifting(&r, kind, attachment, integrator)) return -1;
    kick(&r, 1);
    momenta(&r, P0, L, &e);
    for (int i = 0; i < 20; i++) {
        if (i == 10) kick(&r, 0.5);
        if (i == 10) momenta(&r, P0, L, &e);
        if (!CHECK(rigStep(&r, step_size))) break;
    }
    momenta(&r, P, L, &e);
    error = larger(r.unbalanced[0], r.wrench);
    for (int k = 0; k < 3 && r.base; k++) error = larger(error, fabs(P[k] - P0[k]));
    rigEnd(&r);
    return error;
}

/* Energy, and for bodies that are joined to nothing else angular momentum, over 0.5 s of motion on the joint. */
double freeMomentum(const Kind *kind, int attachment, int integrator)
{
    Rig r;
    double P[3], L0[3], L[3], e0, e, error = 0;
    if (!drifting(&r, kind, attachment, integrator)) return -1;
    kick(&r, 1);
    CHECK(rigStep(&r, step_size));
    momenta(&r, P, L0, &e0);
    for (int i = 0; i < 50; i++) {
        if (!CHECK(rigStep(&r, step_size))) break;
        momenta(&r, P, L, &e);
        error = larger(error, fabs(e - e0) / larger(e0, 0.1));
        for (int k = 0; k < 3 && r.base && !kind->fixed_line; k++) error = larger(error, fabs(L[k] - L0[k]));
    }
    rigEnd(&r);
    return error;
}

static void placeAfter(const Kind *kind, int attachment, int integrator, double h, int steps, double x[14])
{
    Rig r;
    double first[2][6];
    const dBodyID *const body[2] = {&r.body, &r.base};
    memset(x, 0, 14 * sizeof *x);
    /* velocities on the joint, of the same bits under every integrator */
    CHECK(drifting(&r, kind, attachment, ukIntegratorRK4));
    kick(&r, 1);
    CHECK(ukWorldProject(r.world) == 0);
    for (int i = 0; i < 2 && *body[i]; i++)
        for (int k = 0; k < 3; k++)
            first[i][k] = dBodyGetLinearVel(*body[i])[k], first[i][3 + k] = dBodyGetAngularVel(*body[i])[k];
    rigEnd(&r);
    CHECK(drifting(&r, kind, attachment, integrator));
    for (int i = 0; i < 2 && *body[i]; i++) {
        dBodySetLinearVel(*body[i], first[i][0], first[i][1], first[i][2]);
        dBodySetAngularVel(*body[i], first[i][3], first[i][4], first[i][5]);
    }
    for (int i = 0; i < steps; i++) CHECK(rigStep(&r, h));
    for (int i = 0; i < 2 && *body[i]; i++) {
        memcpy(x + 7 * i, dBodyGetPosition(*body[i]), 3 * sizeof *x);
        memcpy(x + 7 * i + 3, dBodyGetQuaternion(*body[i]), 4 * sizeof *x);
    }
    rigEnd(&r);
}

static double distance(const double *x, const double *y)
{
    double sum = 0;
    for (int k = 0; k < 14; k++) sum = larger(sum, fabs(x[k] - y[k]));
    return sum;
}

/* The pose after 0.4 s in steps of h; of h/2 it is nearer by the integrator's order. */
double freeOrder(const Kind *kind, int attachment, int integrator)
{
    static const double order[Integrators] = {1, 4, 0, 2};
    double exact[14], coarse[14], fine[14];
    Rig r;
    if (!drifting(&r, kind, attachment, integrator)) return -1;
    rigEnd(&r);
    placeAfter(kind, attachment, ukIntegratorAdaptive, 0.4, 1, exact);
    placeAfter(kind, attachment, integrator, step_size, 40, coarse);
    placeAfter(kind, attachment, integrator, step_size / 2, 80, fine);
    const double error = distance(coarse, exact), left = distance(fine, exact);
    if (error > 1e-9 && !CHECK(left < error * pow(0.5, order[integrator] - 0.3)))
        printf("  %s, attachment %d, integrator %d: %.2g, then %.2g\n", kind->name, attachment, integrator, error,
               left);
    return error;
}

/* Velocities that the joint does not allow, set between steps: the joint's impulse brings them onto it, at once. */
double setVelocity(const Kind *kind, int attachment, int integrator)
{
    Rig r;
    ukReport report;
    if (!drifting(&r, kind, attachment, integrator)) return -1;
    for (int i = 0; i < 3; i++) CHECK(rigStep(&r, step_size));
    kick(&r, 3);
    CHECK(rigStep(&r, step_size) && ukWorldGetReport(r.world, &report) == 0);
    const double error = larger(larger(r.unbalanced[0], r.wrench), report.velocity_error);
    rigEnd(&r);
    return error;
}
