/* SPDX-License-Identifier: BSD-3-Clause */
/* Members of ukReport against the equations, velocities and poses: Gauss's functions with laws and torques, position
 * and velocity errors of soft rows and beside contacts, rank and counts of several islands, and what a rejected step
 * does under each action of the Gauss check. */
#include <math.h>
#include <string.h>

#include <ukode/ukode.h>

#include "solvers/base/status.h"
#include "tests/check.h"
#include "tests/support/plain_world.h"

static const double g = 9.81, h = 0.01;

static ukReport stepReported(dWorldID w)
{
    ukReport r;
    if (!CHECK(ukWorldStep(w, h) == 1)) printf("%s\n", ukGetLastErrorMessage());
    CHECK(ukWorldGetReport(w, &r) == 0);
    return r;
}

static dJointID pin(dWorldID w, dBodyID a, dBodyID b, double x, double y, double z)
{
    const dJointID j = dJointCreateBall(w, NULL);
    dJointAttach(j, a, b);
    dJointSetBallAnchor(j, x, y, z);
    return j;
}

/* x' M^-1 y by elimination of M, 6 x 6 block by block */
static double product(const ukEquations *e, const double *x, const double *y)
{
    double sum = 0;
    for (int b = 0; b < e->n / 6; b++) {
        double K[6][7];
        for (int i = 0; i < 6; i++) {
            for (int k = 0; k < 6; k++) K[i][k] = e->M[(6 * b + i) * e->n + 6 * b + k];
            K[i][6] = y[6 * b + i];
        }
        for (int p = 0; p < 6; p++)
            for (int i = 0; i < 6; i++)
                for (int k = 6; k >= p && i != p; k--) K[i][k] -= K[i][p] / K[p][p] * K[p][k];
        for (int i = 0; i < 6; i++) sum += x[6 * b + i] * K[i][6] / K[i][i];
    }
    return sum;
}

/* A chain with viscous friction that turns: each of Gauss's functions from M, A, lambda, qdd, a and the parts of the
 * force. */
static void gaussians(ukIntegrator integrator, double viscous)
{
    const dWorldID w = newWorld(g);
    const dBodyID a = box(w, 1, 0.5, 0, 0), b = box(w, 2, 1.5, 0, 0);
    const dJointID first = dJointCreateHinge(w, NULL), second = dJointCreateUniversal(w, NULL);
    dJointAttach(first, a, NULL);
    dJointSetHingeAnchor(first, 0, 0, 0);
    dJointSetHingeAxis(first, 0, 1, 0.3);
    dJointAttach(second, b, a);
    dJointSetUniversalAnchor(second, 1, 0, 0);
    dJointSetUniversalAxis1(second, 0, 1, 0);
    dJointSetUniversalAxis2(second, 0, 0, 1);
    dBodySetAngularVel(b, 0, 1, 2);
    CHECK(ukWorldSetIntegrator(w, integrator) == 0);
    CHECK(ukJointSetViscous(first, viscous) == 0 && ukJointSetViscous(second, 2 * viscous) == 0);
    ukEquations e;
    for (int s = 0; s < 5; s++) {
        const ukReport r = stepReported(w);
        double Qc[12], rest[12], F[12] = {0};
        CHECK(ukWorldGetEquations(w, &e) == 0 && e.n == 12);
        for (int i = 0; i < e.n; i++) {
            Qc[i] = 0;
            for (int k = 0; k < e.n; k++) Qc[i] += e.M[i * e.n + k] * (e.qdd[k] - e.a[k]);
            rest[i] = Qc[i] - e.C[i];
            for (int k = 0; k < e.m; k++) F[i] += e.A[k * e.n + i] * e.lambda[k];
        }
        const double size = product(&e, Qc, Qc);
        CHECK_NEAR(r.gaussian, size, 1e-9 * size);
        CHECK_NEAR(r.gaussian_ideal, product(&e, e.Qi, e.Qi), 1e-9 * size);
        CHECK_NEAR(r.gaussian_nonideal, product(&e, e.Qni, e.Qni), 1e-9 * size);
        CHECK_NEAR(r.Gni, product(&e, rest, rest), 1e-9 * size);
        if (viscous == 0) CHECK_NEAR(r.Gni, product(&e, F, F), 1e-9 * size);
        if (viscous > 0) CHECK(fabs(r.Gni - r.gaussian) > 1e-6 * size && r.gaussian_nonideal > 1e-6 * size);
    }
    dWorldDestroy(w);
}

/* A joint that its CFM makes soft misses its rate by what it yields; a contact's depth is no error of a joint. */
static void errors(void)
{
    const dWorldID w = newWorld(g);
    const dBodyID hung = ball(w, 2, 0, 0, 0), lies = ball(w, 1, 5, 0, 0.09);
    dWorldSetCFM(w, 1e-4);
    pin(w, hung, NULL, 0, 0, 0);
    dContact c = {.surface.mu = 0.3, .geom = {.pos = {5, 0, 0}, .normal = {0, 0, 1}, .depth = 0.01}};
    const dJointID contact = dJointCreateContact(w, NULL, &c);
    dJointAttach(contact, lies, NULL);
    ukReport r = stepReported(w);
    CHECK_NEAR(r.position_error, 0, 1e-15);
    dJointDestroy(contact);
    dBodySetLinearVel(hung, 0, 0, 0);
    dBodySetPosition(hung, 0, 0, 0);
    r = stepReported(w);
    CHECK(fabs(dBodyGetLinearVel(hung)[2]) > 1e-4);
    CHECK_NEAR(r.velocity_error, fabs(dBodyGetLinearVel(hung)[2]), 1e-12);
    dBodySetPosition(hung, 0, 0.003, -0.001);
    r = stepReported(w);
    CHECK_NEAR(r.position_error, 0.003, 1e-12);
    dWorldDestroy(w);
}

/* in the plane of y, its bars turned by about `drift` */
static void fourBar(dWorldID w, double y, double drift)
{
    dBodyID bar[3];
    dJointID j[4];
    for (int i = 0; i < 3; i++) bar[i] = box(w, 1, i == 0 ? 0 : i == 1 ? 0.5 : 1, y, i == 1 ? 1 : 0.5);
    for (int i = 0; i < 4; i++) {
        j[i] = dJointCreateHinge(w, NULL);
        dJointAttach(j[i], i < 3 ? bar[i] : bar[2], i == 0 || i == 3 ? NULL : bar[i - 1]);
        dJointSetHingeAnchor(j[i], i < 2 ? 0 : 1, y, i == 1 || i == 2 ? 1 : 0);
        dJointSetHingeAxis(j[i], 0, 1, 0);
    }
    for (int i = 0; i < 3; i++) {
        dQuaternion q;
        dQFromAxisAndAngle(q, 1, i, 0.3, drift * (i - 1.5));
        dBodySetQuaternion(bar[i], q);
    }
}

/* sums over islands: of two four-bars, a pendulum and a ball that flies or rests on a contact */
static void islands(bool touches)
{
    const dWorldID w = newWorld(g);
    for (int k = 0; k < 2; k++) fourBar(w, 5 * k, 0);
    pin(w, ball(w, 1, 20, 0, 0), NULL, 20, 0, 1);
    const dBodyID lies = ball(w, 1, 30, 0, 0.1);
    dContact c = {.surface.mu = 0.3, .geom = {.pos = {30, 0, 0}, .normal = {0, 0, 1}, .depth = 0.001}};
    if (touches) dJointAttach(dJointCreateContact(w, NULL, &c), lies, NULL);
    const ukReport r = stepReported(w);
    CHECK(r.bodies == 8 && r.joints == 9 + touches && r.rows == 43 + (touches ? 3 : 0));
    CHECK(r.rank == (touches ? -1 : 17 + 17 + 3) && r.fallbacks == 0 && r.discrete_islands == 0);
    CHECK(r.active_rows >= 37);
    dWorldDestroy(w);
}

/* Four-bars, of which some have drifted: ODE's default CFM is set aside in those and in no other. */
static void drifts(int count, int drifted)
{
    const dWorldID w = newWorld(g);
    dWorldSetCFM(w, 1e-10);
    for (int k = 0; k < count; k++) fourBar(w, 5 * k, k < drifted ? 1e-5 : 0);
    const ukReport r = stepReported(w);
    CHECK(r.cfm_islands == drifted && r.rank == 20 * count - 3 * drifted);
    dWorldDestroy(w);
}

static int toTarget(const ukConstraintContext *context, double *A, double *b, void *data)
{
    (void)context, (void)data;
    A[0] = 1, b[0] = 0;
    return 0;
}

static int offTarget(const ukConstraintContext *context, double *phi, double *psi, void *data)
{
    phi[0] = context->bodies[0].position[0] - *(const double *)data;
    psi[0] = context->bodies[0].velocity[0];
    return 0;
}

/* The distance of a servo of finite force from its target is no position error, that of a rigid row is one. */
static void servo(bool bounded)
{
    const dWorldID w = newWorld(0);
    const dBodyID b = ball(w, 1, 0, 0, 0);
    double target = 0.25;
    const ukConstraintID c = ukConstraintCreate(w, 1, &b, 1, toTarget, NULL);
    CHECK(c && ukConstraintSetError(c, offTarget, &target) == 0);
    if (bounded) CHECK(ukConstraintSetBounds(c, 0, -1, 1) == 0);
    const ukReport r = stepReported(w);
    CHECK_NEAR(r.position_error, bounded ? 0 : target, 1e-12);
    dWorldDestroy(w);
}

/* A step that no tolerance admits. */
static void rejected(ukCheckAction action)
{
    const dWorldID w = newWorld(g);
    const dBodyID b = box(w, 1, 1, 0.3, 0.2);
    ukReport r;
    pin(w, b, NULL, 0, 0, 0);
    dBodySetAngularVel(b, 1, 2, 3);
    const double before = dBodyGetAngularVel(b)[1];
    CHECK(ukWorldEnable(w) == 0 && ukWorldSetGaussCheck(w, 1e-300, action) == 0);
    const bool fails = action == ukCheckStop || action == ukCheckFallback;
    CHECK(ukWorldStep(w, h) == !fails);
    if (fails) CHECK(ukGetLastError() == ukErrorCheck && dBodyGetAngularVel(b)[1] == before);
    const bool taken = dWorldStep(w, h) == 1;
    CHECK(taken == (action != ukCheckStop) && (dBodyGetAngularVel(b)[1] != before) == taken);
    CHECK(ukWorldGetReport(w, &r) == 0 && r.fallbacks == (action == ukCheckFallback));
    if (action == ukCheckWarn || action == ukCheckResolve) CHECK(r.ok == 0);
    if (action == ukCheckOff) CHECK(r.feasibility == 0 && r.stationarity == 0 && r.complementarity == 0);
    dWorldDestroy(w);
}

int main(void)
{
    static const ukIntegrator integrators[] = {ukIntegratorEuler, ukIntegratorRK4, ukIntegratorAdaptive};
    dInitODE2(0);
    for (int i = 0; i < 3; i++) gaussians(integrators[i], 0), gaussians(integrators[i], 0.7);
    errors();
    servo(false);
    servo(true);
    for (int k = 0; k <= 3; k++) drifts(3, k);
    islands(false);
    islands(true);
    for (int k = ukCheckOff; k <= ukCheckStop; k++) rejected((ukCheckAction)k);
    dCloseODE();
    return ukTestEnd();
}
