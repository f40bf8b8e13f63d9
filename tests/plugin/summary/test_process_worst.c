/* SPDX-License-Identifier: BSD-3-Clause */
/* What the summary says of the worst that a process has met: the largest surge, of several, with the time of its step;
 * the stops without effect of the world that has most of them, whenever they are set; explosions, poles, trials and energy
 * errors, with their numbers and times. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ukode/ukode.h>

#include "bridge/island/stepper.h"
#include "bridge/joints/pole.h"
#include "bridge/results/imbalance.h"
#include "bridge/results/opening.h"
#include "bridge/world/registry.h"
#include "plugin/summary/process.h"
#include "tests/check.h"
#include "tests/support/plain_world.h"

static char path[] = "worst-XXXXXX";

/* the value of a key in the report's last line; NaN: it has none */
static double reported(const char *key)
{
    static char text[1 << 16];
    char quoted[64];
    FILE *const file = fopen(path, "r");
    const size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file) fclose(file);
    text[size] = 0;
    char *last = strstr(text, "\"event\":\"end\"");
    for (char *next = last; next; next = strstr(next + 1, "\"event\":\"end\"")) last = next;
    while (last && last > text && last[-1] != '\n') last--;
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *const found = last ? strstr(last, quoted) : NULL;
    return found ? strtod(found + strlen(quoted), NULL) : (double)NAN;
}

static bool reportedText(const char *part)
{
    static char text[1 << 16];
    FILE *const file = fopen(path, "r");
    const size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file) fclose(file);
    text[size] = 0;
    return strstr(text, part) != NULL;
}

static dJointID hung(dWorldID w, dBodyID b)
{
    const dJointID j = dJointCreateHinge(w, 0);
    dJointAttach(j, b, 0);
    dJointSetHingeAnchor(j, dBodyGetPosition(b)[0], 0, 0);
    dJointSetHingeAxis(j, 0, 0, 1);
    return j;
}

static void step(dWorldID w, double h, int count)
{
    for (int i = 0; i < count; i++) CHECK(ukWorldStep(w, h) == 1);
}

/* twice a ball is put away from its joint: by 1 m, and by more */
static void surges(void)
{
    const double h = 0.02;
    const dWorldID w = newWorld(0);
    const dBodyID b = ball(w, 1, 0, 0, 0);
    const dJointID j = dJointCreateBall(w, 0);
    dJointAttach(j, b, 0);
    dJointSetBallAnchor(j, 0, 0, 0);
    ukProcessOpen(path, NULL);
    double work[3];
    for (int k = 0; k < 3; k++) {
        step(w, h, 20);
        dBodySetPosition(b, k == 1 ? 40 : 10, 0, 0);
        dBodySetLinearVel(b, 0, 0, 0);
        step(w, h, 1);
        work[k] = ukRegistryWorld(w)->stepper->surge.work;
        CHECK(work[k] > 0);
        dBodySetPosition(b, 0, 0, 0);
        dBodySetLinearVel(b, 0, 0, 0);
    }
    CHECK(work[1] > 2 * work[0] && work[1] > 2 * work[2]);
    ukProcessClose();
    CHECK(reported("surges") == 3);
    CHECK_NEAR(reported("surge_work"), work[1], 1e-3 * work[1]);
    CHECK_NEAR(reported("surge_time"), 42 * h, 1e-9); /* the end of its step */
    dWorldDestroy(w);
}

/* The first world gets a stop that cannot act before its first step; the second gets one, and later two more. */
static void idleStops(void)
{
    const dWorldID one = newWorld(0), two = newWorld(0);
    dJointID j[3];
    ukProcessOpen(path, NULL);
    const dJointID first = hung(one, ball(one, 1, 0, 0, 0));
    CHECK(ukJointSetName(first, "alone") == 0);
    dJointSetHingeParam(first, dParamLoStop, 0.5);
    dJointSetHingeParam(first, dParamHiStop, -0.5);
    for (int k = 0; k < 3; k++) {
        char name[16];
        snprintf(name, sizeof name, "late%d", k);
        j[k] = hung(two, ball(two, 1, k, 0, 0));
        CHECK(ukJointSetName(j[k], name) == 0);
    }
    step(one, 0.01, 2);
    for (int k = 0; k < 3; k++) {
        step(two, 0.01, 1 + k); /* the summary looks at the steps 1, 2, 4, 8 */
        dJointSetHingeParam(j[k], dParamLoStop, 0.5);
        dJointSetHingeParam(j[k], dParamHiStop, -0.5);
    }
    step(two, 0.01, 2);
    ukProcessClose();
    CHECK(reported("idle_limits") == 3);
    CHECK(reportedText("late0"));
    dWorldDestroy(one);
    dWorldDestroy(two);
}

/* The largest imbalance of a displaced joint, and the largest opening with its time, of all steps; counts of islands. */
static void largest(void)
{
    const double h = 0.02;
    const dWorldID w = newWorld(0);
    ukWorld *const world = ukRegistryWorld(w);
    const dBodyID a = ball(w, 1, 0, 0, 0), b = ball(w, 2, 1, 0, 0), spun = ball(w, 1, 5, 0, 0);
    const dJointID j = dJointCreatePU(w, 0), pin = hung(w, spun);
    dJointAttach(j, a, b);
    dJointSetPUAnchor(j, 0.5, 0, 0);
    dJointSetPUAxis1(j, 0, 1, 0);
    dJointSetPUAxis2(j, 0, 0, 1);
    dJointSetPUAxis3(j, 1, 0, 0);
    dJointSetHingeAnchor(pin, 5, 1, 0);
    dBodySetPosition(b, 1, 0.6, 0.3);
    dBodySetAngularVel(b, 0, 1, 2);
    dBodySetAngularVel(spun, 0, 0, 40);
    dBodySetLinearVel(spun, 40, 0, 0);
    dBodySetAngularDamping(spun, 0.05), dBodySetLinearDamping(spun, 0.05);
    ukProcessOpen(path, NULL);
    ukImbalance worst = {0};
    ukOpening opening = {0};
    double opened = 0, islands = 0, feasibility = 0, velocity = 0;
    for (int i = 1; i <= 24; i++) {
        ukReport r;
        if (i == 13) CHECK(ukWorldSetIntegrator(w, ukIntegratorRK4) == 0);
        step(w, h, 1);
        CHECK(ukWorldGetReport(w, &r) == 0);
        worst = world->stepper->imbalance; /* of all steps so far; under RK4 it stays */
        if (ukOpeningWorst(world, &opening)) opened = i * h;
        if (i >= 13) islands += world->stepper->island_count;
        feasibility = fmax(feasibility, r.feasibility), velocity = fmax(velocity, r.velocity_error);
    }
    ukProcessClose();
    CHECK(ukImbalanceMatters(&worst) && opening.ratio > 0 && opened < 24 * h);
    CHECK_NEAR(reported("imbalance_impulse"), worst.impulse, 1e-3 * worst.impulse);
    CHECK_NEAR(reported("imbalance_momentum"), worst.momentum, 1e-3 * worst.momentum);
    CHECK_NEAR(reported("imbalance_work"), worst.work, 1e-3 * worst.work);
    CHECK_NEAR(reported("imbalance_energy"), worst.energy, 1e-3 * worst.energy);
    CHECK_NEAR(reported("opening"), opening.gap, 1e-3 * opening.gap);
    CHECK_NEAR(reported("opening_length"), opening.length, 1e-3 * opening.length);
    CHECK_NEAR(reported("opening_time"), opened, 1e-6);
    CHECK(reported("integrated_islands") == islands && reported("discrete_islands") == 0);
    CHECK(reported("integrator") == ukIntegratorRK4 && reported("steps") == 24 && reported("checked") == 24);
    CHECK_NEAR(reported("feasibility"), feasibility, 1e-3 * feasibility);
    CHECK_NEAR(reported("velocity_error"), velocity, 1e-3 * velocity);
    CHECK_NEAR(reported("simulated_seconds"), 24 * h, 1e-9);
    dWorldDestroy(w);
}

/* The joint that the world's CFM opens most; a ball with a CFM of its own is a spring on purpose. Its body hangs at
 * rest by CFM m g h/ERP. */
static void yielding(void)
{
    const double h = 0.01, g = 9.81, cfm = 0.02, gap = cfm * 2 * g * h / 0.2;
    const dWorldID w = newWorld(-g);
    const dBodyID soft = ball(w, 1, 5, 0, 0), hanging = ball(w, 2, 0, 0, 0);
    const dJointID own = dJointCreateBall(w, 0), bound = dJointCreateBall(w, 0);
    dWorldSetERP(w, 0.2);
    dWorldSetCFM(w, cfm);
    dJointAttach(own, soft, 0);
    dJointSetBallAnchor(own, 5, 0, 0);
    dJointSetBallParam(own, dParamCFM, 0.5);
    dJointAttach(bound, hanging, 0);
    dJointSetBallAnchor(bound, 0, 0, 0);
    dJointSetBallParam(bound, dParamCFM, cfm);
    dJointSetBallParam(bound, dParamERP, 0.2);
    CHECK(ukJointSetName(bound, "hook") == 0);
    dBodySetPosition(hanging, 0, 0, -gap);
    ukProcessOpen(path, NULL);
    step(w, h, 2);
    ukProcessClose();
    CHECK_NEAR(reported("yielding"), gap, 1e-3 * gap);
    CHECK_NEAR(reported("yielding_cfm"), cfm, 1e-9);
    CHECK(reportedText("hook"));
    dWorldDestroy(w);
}

/* Two four-bars that have drifted: they compromise, each by a little; a compromise counts where it is beyond the
 * tolerance, and every island whose CFM was set aside. */
static void compromises(double tolerance, bool beyond)
{
    const dWorldID w = newWorld(0);
    dWorldSetCFM(w, 1e-10);
    for (int k = 0; k < 2; k++) {
        dBodyID bar[3];
        for (int i = 0; i < 3; i++) bar[i] = ball(w, 1, i == 0 ? 0 : i == 1 ? 0.5 : 1, i == 1 ? 1 : 0.5, 5 * k);
        for (int i = 0; i < 4; i++) {
            const dJointID j = dJointCreateHinge(w, NULL);
            dJointAttach(j, i < 3 ? bar[i] : bar[2], i == 0 || i == 3 ? NULL : bar[i - 1]);
            dJointSetHingeAnchor(j, i < 2 ? 0 : 1, i == 1 || i == 2 ? 1 : 0, 5 * k);
            dJointSetHingeAxis(j, 0, 0, 1);
        }
        for (int i = 0; i < 3; i++) {
            dQuaternion q;
            dQFromAxisAndAngle(q, 1, i, 0.3, 1e-4 * (i - 1.5));
            dBodySetQuaternion(bar[i], q);
        }
    }
    ukReport r;
    double sum = 0, worst = 0;
    CHECK(ukWorldSetGaussCheck(w, tolerance, ukCheckWarn) == 0);
    ukProcessOpen(path, NULL);
    for (int i = 0; i < 3; i++) {
        step(w, 1e-3, 1);
        CHECK(ukWorldGetReport(w, &r) == 0);
        sum += r.cfm_islands;
        worst = fmax(worst, r.compromise);
        CHECK(r.compromise > 0 && (r.compromise > tolerance) == beyond);
    }
    ukProcessClose();
    CHECK(sum > 3 && reported("cfm_islands") == sum && reported("compromised") == (beyond ? 3 : 0));
    CHECK_NEAR(reported("compromise"), worst, 1e-3 * worst);
    dWorldDestroy(w);
}

/* A body rests at first; then the program quadruples its velocity before each step: from which step on the energy grew,
 * in how many, by what factor, and when that was noticed. */
static void explosion(void)
{
    enum { Rest = 7, Steps = 40 };
    const double h = 1e-3, m = 2;
    const dWorldID w = newWorld(0);
    const dBodyID b = ball(w, m, 0, 0, 0);
    double kinetic[Steps + 1], v = 1e-3, at = -1;
    ukProcessOpen(path, NULL);
    for (int i = 1; i <= Steps; i++) {
        if (i > Rest) dBodySetLinearVel(b, v *= 4, 0, 0);
        step(w, h, 1);
        kinetic[i] = i > Rest ? 0.5 * m * v * v : 0;
    }
    ukProcessClose();
    const double before = reported("explosion_before"), steps = reported("explosion_steps");
    for (int i = 1; i + steps <= Steps; i++)
        if (fabs(before - kinetic[i]) < 1e-3 * before) at = i;
    const int from = (int)at, to = from + (int)steps;
    if (CHECK(from > 0 && steps >= 3)) {
        CHECK_NEAR(reported("explosion_grown"), kinetic[to] / kinetic[from], 1e-3 * kinetic[to] / kinetic[from]);
        CHECK_NEAR(reported("explosion_time"), to * h, 1e-9);
        CHECK_NEAR(reported("explosion_most"), kinetic[Steps], 1e-3 * kinetic[Steps]);
    }
    dWorldDestroy(w);
}

/* Trials of sub-steps on average, those that were rejected included. */
static void attempts(void)
{
    const dWorldID w = newWorld(9.81);
    const dBodyID b = box(w, 1, 1, 0, 0);
    const dJointID j = hung(w, b);
    dJointSetHingeAnchor(j, 0, 0, 0);
    dJointSetHingeAxis(j, 0, 1, 0);
    CHECK(ukWorldSetIntegrator(w, ukIntegratorAdaptive) == 0 && ukWorldSetTolerance(w, 1e-6, 0) == 0);
    double taken = 0, rejected = 0;
    ukProcessOpen(path, NULL);
    for (int i = 0; i < 12; i++) {
        ukReport r;
        if (i % 3 == 0) dJointAddHingeTorque(j, i % 2 ? 3000 : 1);
        step(w, 0.1, 1);
        CHECK(ukWorldGetReport(w, &r) == 0);
        taken += r.substeps, rejected += r.rejected;
    }
    ukProcessClose();
    CHECK(rejected > 1e-3 * taken);
    CHECK_NEAR(reported("attempts"), (taken + rejected) / 12, 1e-3 * (taken + rejected) / 12);
    dWorldDestroy(w);
}

/* A body turns past the pose in which axes 1 and 3 of its Euler motor are parallel: when it was nearest to it. */
static void pole(void)
{
    const double h = 0.01;
    const dWorldID w = newWorld(0);
    const dBodyID b = ball(w, 1, 0, 0, 0);
    const dJointID j = dJointCreateAMotor(w, 0);
    dJointAttach(j, b, 0);
    dJointSetAMotorMode(j, dAMotorEuler);
    dJointSetAMotorAxis(j, 0, 1, 1, 0, 0);
    dJointSetAMotorAxis(j, 2, 2, 0, 0, 1);
    dJointSetAMotorParam(j, dParamFMax, 1e-9);
    dQuaternion q;
    dQFromAxisAndAngle(q, 0, 1, 0, 1.5);
    dBodySetQuaternion(b, q);
    dBodySetAngularVel(b, 0, 1, 0);
    double least = 1, at = 0;
    char name[ukPoleLength];
    ukProcessOpen(path, NULL);
    for (int i = 1; i <= 20; i++) {
        step(w, h, 1);
        const double sine = ukPoleNearest(ukRegistryWorld(w), 1, true, name);
        if (sine < least) least = sine, at = i * h;
    }
    ukProcessClose();
    CHECK(at > 2 * h && at < 18 * h);
    CHECK_NEAR(reported("pole_time"), at, 1e-9);
    CHECK_NEAR(reported("pole_sine"), least, 1e-3 * least);
    dWorldDestroy(w);
}

typedef enum ArmSteps { ArmEuler, ArmNative, ArmExact, ArmRk4 } ArmSteps;

/* A motor at 1 m/s between a held base and an arm of the centre (0.5, 0, 0), which turns at `spin` about z: where the
 * joint is after half a second [m]. */
static double turningArm(ArmSteps how, double spin, double force)
{
    const double h = 0.01;
    const dWorldID w = newWorld(0);
    const dBodyID base = box(w, 5, 0, 0, 0), arm = box(w, 1, 0.5, 0, 0);
    const dJointID held = dJointCreateFixed(w, 0), j = dJointCreatePR(w, 0);
    dJointAttach(held, base, 0);
    dJointSetFixed(held);
    dJointAttach(j, base, arm);
    dJointSetPRAnchor(j, 0, 0, 0);
    dJointSetPRAxis1(j, 1, 0, 0);
    dJointSetPRAxis2(j, 0, 0, 1);
    dJointSetPRParam(j, dParamVel, 1);
    dJointSetPRParam(j, dParamFMax, force);
    dBodySetAngularVel(arm, 0, 0, spin);
    dBodySetLinearVel(arm, 0, 0.5 * spin, 0);
    if (how == ArmExact) CHECK(ukWorldSetJointRule(w, ukJointRuleExact) == 0);
    if (how == ArmRk4) CHECK(ukWorldSetIntegrator(w, ukIntegratorRK4) == 0);
    ukProcessOpen(path, NULL);
    for (int i = 0; i < 50; i++) CHECK((how == ArmNative ? dWorldStep(w, h) : ukWorldStep(w, h)) == 1);
    ukProcessClose();
    const double position = dJointGetPRPosition(j);
    dWorldDestroy(w);
    return position;
}

/* The linear motor of a PR joint whose bodies turn slides at another speed than ODE's row has. */
static void linearMotors(void)
{
    for (int how = ArmEuler; how <= ArmNative; how++) {
        const double position = turningArm((ArmSteps)how, 3, dInfinity);
        CHECK(fabs(position) < 0.3);
        CHECK_NEAR(reported("linear_motor_way"), position, 0.01);
        CHECK_NEAR(reported("linear_motor_row"), 0.5, 0.02); /* its speed for half a second; poses of the steps' ends */
        CHECK(reportedText("\"linear_motor_joint\":\"PR joint 2\""));
    }
    CHECK_NEAR(turningArm(ArmEuler, 0, dInfinity), 0.5, 1e-3);
    CHECK(isnan(reported("linear_motor_way")));
    turningArm(ArmEuler, 3, 5); /* a motor of bounded force may be at its bound */
    CHECK(isnan(reported("linear_motor_way")));
    for (int how = ArmExact; how <= ArmRk4; how++) {
        CHECK_NEAR(turningArm((ArmSteps)how, 3, dInfinity), 0.5, 0.01);
        CHECK(isnan(reported("linear_motor_way")));
    }
}

/* The energy error of RK4's steps: it is told where it is more than a twentieth of the largest kinetic energy. */
static bool energyError(double h)
{
    const dWorldID w = newWorld(0);
    const dBodyID b = box(w, 1, 0, 0, 0);
    double error = 0, largest = 0;
    dBodySetAngularVel(b, 5, 0.3, 7);
    CHECK(ukWorldSetIntegrator(w, ukIntegratorRK4) == 0);
    ukProcessOpen(path, NULL);
    for (int i = 0; i < 40; i++) {
        if (ukWorldStep(w, h) != 1) break;
        const ukEnergyError *const own = &ukRegistryWorld(w)->stepper->energy_error;
        error += own->error, largest = fmax(largest, own->kinetic);
    }
    ukProcessClose();
    const double told = reported("energy_error");
    CHECK(error != 0 && isnan(told) == (fabs(error) <= 0.05 * largest));
    if (!isnan(told)) CHECK_NEAR(told, error, 1e-3 * fabs(error));
    dWorldDestroy(w);
    return !isnan(told);
}

int main(void)
{
    dInitODE2(0);
    const int file = mkstemp(path);
    if (file < 0) return 2;
    close(file);
    surges();
    idleStops();
    largest();
    yielding();
    explosion();
    attempts();
    pole();
    linearMotors();
    CHECK(!energyError(0.01));
    CHECK(energyError(0.2));
    compromises(1e-12, true);
    compromises(0.1, false);
    unlink(path);
    dCloseODE();
    return ukTestEnd();
}
