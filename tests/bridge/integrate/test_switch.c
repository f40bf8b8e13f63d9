/* SPDX-License-Identifier: BSD-3-Clause */
/* Switching times: RK4 and RATTLE keep their order across a force that changes abruptly at a declared time, adaptive
 * needs no search for it; save and restore; what is refused. */
#include <math.h>
#include <stdlib.h>

#include <ukode/ukode.h>

#include "solvers/base/status.h"
#include "tests/check.h"

static const double g = 9.81, mass = 2, arm = 0.7, inertia = 0.3;

/* two of them within one step of 0.02 s */
static const double switched[] = {0.0941, 0.2237, 0.2311};
static const double last = 0.4;

/* what drives the pendulum [N m]; each branch is smooth */
static double torqueAt(double t, double rate)
{
    if (t < switched[0]) return 3 * cos(5 * t);
    if (t < switched[1]) return -20 + 2 * sin(9 * t);
    return t < switched[2] ? 40 : -6 * rate;
}

static void driven(const ukNonIdealContext *c, dReal force_and_torque[2][6], void *data)
{
    const double torque = torqueAt(c->time, c->rate[0]);
    (void)data;
    for (int k = 0; k < 3; k++)
        force_and_torque[0][3 + k] = torque * c->axis[0][k], force_and_torque[1][3 + k] = -torque * c->axis[0][k];
}

/* the same of a user force; about y, and of a body attached either way round the hinge's rate has either sign */
static int pushed(const ukConstraintContext *c, dReal *force, void *data)
{
    (void)data;
    force[4] = torqueAt(c->time, c->bodies->spin[1]);
    return 0;
}

typedef struct Pendulum {
    dWorldID world;
    dBodyID body;
    dJointID hinge;
} Pendulum;

/* hangs from a hinge about y at the origin; swapped: attached to the static world first */
static Pendulum pendulum(ukIntegrator integrator, bool law, bool swapped)
{
    Pendulum p = {.world = dWorldCreate()};
    dMass m;
    dMassSetParameters(&m, mass, 0, 0, 0, inertia, inertia, inertia, 0, 0, 0);
    dWorldSetGravity(p.world, 0, 0, -g);
    dWorldSetCFM(p.world, 0);
    CHECK(ukWorldSetIntegrator(p.world, integrator) == 0);
    p.body = dBodyCreate(p.world);
    dBodySetMass(p.body, &m);
    dBodySetPosition(p.body, 0, 0, -arm);
    p.hinge = dJointCreateHinge(p.world, NULL);
    dJointAttach(p.hinge, swapped ? NULL : p.body, swapped ? p.body : NULL);
    dJointSetHingeAnchor(p.hinge, 0, 0, 0);
    dJointSetHingeAxis(p.hinge, 0, swapped ? -1 : 1, 0);
    CHECK(law ? ukJointSetNonIdeal(p.hinge, driven, NULL) == 0
              : ukForceCreate(p.world, &p.body, 1, pushed, NULL) != NULL);
    return p;
}

static void declare(const Pendulum *p)
{
    for (int i = 2; i >= 0; i--) CHECK(ukWorldSetSwitch(p->world, switched[i]) == 0);
}

static void run(const Pendulum *p, double h, int steps)
{
    ukReport report;
    for (int i = 0; i < steps; i++) {
        if (!CHECK(ukWorldStep(p->world, h) == 1)) printf("%s\n", ukGetLastErrorMessage());
        ukWorldGetReport(p->world, &report);
        CHECK(report.ok == 1 && report.discrete_islands == 0);
    }
}

/* (I + m arm^2) x'' = -m g arm sin x + torque, in small steps from switch to switch */
static void exact(double x[2])
{
    const double J = inertia + mass * arm * arm, end[4] = {switched[0], switched[1], switched[2], last};
    enum { Parts = 2000 };
    double t = 0;
    x[0] = x[1] = 0;
    for (int k = 0; k < 4; k++) {
        const double from = t, h = (end[k] - from) / Parts, inside = 1e-13;
        for (int i = 0; i < Parts; i++) {
            double a[4], v[4], sum[2] = {0, 0};
            for (int s = 0; s < 4; s++) {
                const double part = s == 0 ? 0 : s == 3 ? h : h / 2, before = s > 0 ? a[s - 1] : 0;
                const double y = x[0] + part * (s > 0 ? v[s - 1] : 0), now = from + i * h + part;
                v[s] = x[1] + part * before;
                a[s] = (-mass * g * arm * sin(y) + torqueAt(fmin(fmax(now, from), end[k] - inside), v[s])) / J;
                sum[0] += h / 6 * (s % 3 == 0 ? 1 : 2) * v[s], sum[1] += h / 6 * (s % 3 == 0 ? 1 : 2) * a[s];
            }
            x[0] += sum[0], x[1] += sum[1];
        }
        t = end[k];
    }
}

/* of angle and rate after `last` seconds */
static double errorOf(const Pendulum *p)
{
    const dReal *q = dBodyGetQuaternion(p->body);
    double x[2];
    exact(x);
    return hypot(2 * atan2(q[2], q[0]) - x[0], dBodyGetAngularVel(p->body)[1] - x[1]);
}

static double errorAfter(ukIntegrator integrator, bool law, bool swapped, bool declared, double h)
{
    const Pendulum p = pendulum(integrator, law, swapped);
    if (declared) declare(&p);
    run(&p, h, (int)lround(last / h));
    const double error = errorOf(&p);
    CHECK(isinf(ukWorldGetSwitch(p.world, 0))); /* passed, or never declared */
    dWorldDestroy(p.world);
    return error;
}

static void order(ukIntegrator integrator, bool law, bool swapped)
{
    const double ratio = integrator == ukIntegratorRK4 ? 16 : 4;
    double error[3], blind[3];
    for (int k = 0; k < 3; k++) {
        error[k] = errorAfter(integrator, law, swapped, true, 0.02 / (1 << k));
        blind[k] = errorAfter(integrator, law, swapped, false, 0.02 / (1 << k));
    }
    CHECK(error[0] / error[2] > 0.6 * ratio * ratio && error[0] / error[2] < 1.8 * ratio * ratio);
    CHECK(blind[0] / blind[2] < 16 && blind[2] > 20 * error[2]); /* of first order; it depends on where in the step */
    if (integrator == ukIntegratorRK4) CHECK(error[2] < 1e-6 && blind[2] > 1e-3);
}

/* adaptive finds undeclared ones by rejected sub-steps */
static void adaptive(bool law, bool swapped)
{
    int rejected[2] = {0, 0};
    for (int declared = 0; declared < 2; declared++) {
        const Pendulum p = pendulum(ukIntegratorAdaptive, law, swapped);
        CHECK(ukWorldSetTolerance(p.world, 1e-10, 0) == 0);
        if (declared) declare(&p);
        for (int i = 0; i < 20; i++) {
            ukReport report;
            run(&p, 0.02, 1);
            ukWorldGetReport(p.world, &report);
            rejected[declared] += report.rejected;
        }
        CHECK_NEAR(errorOf(&p), 0, 2e-8);
        dWorldDestroy(p.world);
    }
    CHECK(rejected[1] <= 6 && rejected[0] > 3 * rejected[1] && rejected[0] > 20);
}

static double at, stepsize; /* when the force changes; as the function was told last */

static int timed(const ukConstraintContext *c, dReal *force, void *data)
{
    (void)data;
    stepsize = c->stepsize;
    force[0] = c->time < at ? 1 : -3;
    return 0;
}

/* a sum of step sizes of 0.1 s misses 0.3 s from above and 0.8 s from below: each side gets its own force, and no step
 * is divided */
static void onTheStep(ukIntegrator integrator, double when)
{
    const double h = 0.1;
    const dWorldID world = dWorldCreate();
    const dBodyID body = dBodyCreate(world);
    dMass m;
    dMassSetSphereTotal(&m, 1, 1);
    dBodySetMass(body, &m);
    at = when;
    CHECK(ukWorldSetIntegrator(world, integrator) == 0 && ukForceCreate(world, &body, 1, timed, NULL) != NULL);
    CHECK(ukWorldSetSwitch(world, at) == 0);
    for (int i = 1; i <= 10; i++) {
        const double t = i * h;
        CHECK(ukWorldStep(world, h) == 1);
        CHECK(integrator == ukIntegratorAdaptive || stepsize == h);
        CHECK_NEAR(dBodyGetLinearVel(body)[0], t < at + h / 2 ? t : at - 3 * (t - at), 1e-13);
    }
    dWorldDestroy(world);
}

/* restored in the middle of a run, and in another world that was built the same way */
static void saved(ukIntegrator integrator)
{
    const Pendulum a = pendulum(integrator, true, false), b = pendulum(integrator, true, false);
    unsigned char first[16], second[16], third[16];
    declare(&a);
    run(&a, 0.02, 6);
    const size_t size = ukWorldSave(a.world, NULL, 0);
    void *const bytes = malloc(size);
    if (!CHECK(bytes && ukWorldSave(a.world, bytes, size) == size)) exit(1);
    run(&a, 0.02, 8);
    CHECK(ukWorldHash(a.world, first) == 0 && isinf(ukWorldGetSwitch(a.world, 0)));
    CHECK(ukWorldRestore(a.world, bytes, size) == 0 && ukWorldRestore(b.world, bytes, size) == 0);
    CHECK(ukWorldGetSwitch(b.world, 0) == switched[1] && ukWorldGetSwitch(b.world, 1) == switched[2]);
    run(&a, 0.02, 8);
    run(&b, 0.02, 8);
    CHECK(ukWorldHash(a.world, second) == 0 && ukWorldHash(b.world, third) == 0);
    for (int i = 0; i < 16; i++) CHECK(first[i] == second[i] && first[i] == third[i]);
    free(bytes);
    dWorldDestroy(a.world);
    dWorldDestroy(b.world);
}

/* the work of the law counts as non-ideal, in each part; what is left is rounding */
static void ledger(ukIntegrator integrator)
{
    const Pendulum p = pendulum(integrator, true, false);
    ukLedger l;
    declare(&p);
    CHECK(ukWorldResetLedger(p.world) == 0);
    run(&p, 0.01, 40);
    CHECK(ukWorldGetLedger(p.world, &l) == 0);
    CHECK_NEAR(l.residual, 0, 1e-11);
    CHECK(fabs(l.nonideal) > 0.1 && fabs(l.integration) < (integrator == ukIntegratorRattle ? 1e-2 : 1e-5));
    dWorldDestroy(p.world);
}

static void refused(void)
{
    const dWorldID world = dWorldCreate();
    CHECK(ukWorldSetSwitch(NULL, 1) == ukErrorHandle && ukWorldClearSwitches(NULL) == ukErrorHandle);
    CHECK(isinf(ukWorldGetSwitch(NULL, 0)) && isinf(ukWorldGetSwitch(world, -1)));
    CHECK(ukWorldSetSwitch(world, NAN) == ukErrorArgument && ukWorldSetSwitch(world, INFINITY) == ukErrorArgument);
    CHECK(ukWorldSetSwitch(world, -1) == ukOk && isinf(ukWorldGetSwitch(world, 0))); /* has passed */
    for (int i = 63; i >= 0; i--)
        CHECK(ukWorldSetSwitch(world, 1 + i) == ukOk && ukWorldSetSwitch(world, 1 + i) == ukOk);
    CHECK(ukWorldSetSwitch(world, 0.5) == ukErrorArgument && ukWorldSetSwitch(world, 5) == ukOk);
    for (int i = 0; i < 64; i++) CHECK(ukWorldGetSwitch(world, i) == 1 + i);
    CHECK(ukWorldSetTime(world, 3.5) == ukOk && ukWorldSetSwitch(world, 100) == ukOk &&
          ukWorldGetSwitch(world, 0) == 4);
    CHECK(ukWorldClearSwitches(world) == ukOk && isinf(ukWorldGetSwitch(world, 0)));
    dWorldDestroy(world);
}

int main(void)
{
    const ukIntegrator all[] = {ukIntegratorEuler, ukIntegratorRK4, ukIntegratorAdaptive, ukIntegratorRattle};
    dInitODE2(0);
    for (int law = 0; law < 2; law++)
        for (int swapped = 0; swapped < 2; swapped++) {
            order(ukIntegratorRK4, law, swapped);
            order(ukIntegratorRattle, law, swapped);
            adaptive(law, swapped);
        }
    for (int i = 0; i < 4; i++) {
        onTheStep(all[i], 0.3);
        onTheStep(all[i], 0.8);
        if (all[i] == ukIntegratorEuler) continue;
        saved(all[i]);
        ledger(all[i]);
    }
    refused();
    dCloseODE();
    return ukTestEnd();
}
