/* SPDX-License-Identifier: BSD-3-Clause */
/* What no step can do, every integrator refuses: two user constraints, a constraint and a joint, a constraint and a
 * motor, that ask one body for two accelerations, and a row of zeros that asks for one; with and without error
 * functions, with split stabilization, whichever was made first. The world stays as it was, and the message names one
 * of the two. Motors that ask for two velocities are a reported compromise. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/plain_world.h"

typedef enum Other { Constraint, Nothing, Rail, Motor, Turn, Pair, Others } Other;
static const char *const name[] = {"constraint", "row of zeros", "slider", "motor", "hinge", "joint of two bodies"};

typedef struct Wish {
    double along, b; /* along x'' = b */
    double v, from;  /* along x' = v at the time `from` */
} Wish;

static int ask(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    const Wish *wish = data;
    (void)c;
    A[0] = wish->along;
    b[0] = wish->b;
    return 0;
}

/* the same, integrated */
static int askError(const struct ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    const Wish *wish = data;
    phi[0] = NAN;
    psi[0] = wish->along * c->bodies->velocity[0] - wish->v - wish->b * (c->time - wish->from);
    return 0;
}

static void constrain(dWorldID w, dBodyID body, Wish *wish, bool error)
{
    const ukConstraintID c = ukConstraintCreate(w, 1, &body, 1, ask, wish);
    CHECK(c && (!error || ukConstraintSetError(c, askError, wish) == 0));
}

/* what leaves the body no x'' of its own */
static void oppose(dWorldID w, dBodyID body, Other other, bool reverse)
{
    const dBodyID one = reverse ? 0 : body, two = reverse ? body : 0;
    const dJointID joint = other == Rail || other == Motor ? dJointCreateSlider(w, 0) : dJointCreateHinge(w, 0);
    if (other == Pair) {
        const dBodyID wall = box(w, 1e3, 1, 0, 0);
        dBodySetKinematic(wall);
        dJointAttach(joint, reverse ? wall : body, reverse ? body : wall);
    } else {
        dJointAttach(joint, one, two);
    }
    if (other == Rail || other == Motor) {
        dJointSetSliderAxis(joint, other == Motor, other == Rail, 0);
        if (other == Rail) return;
        dJointSetSliderParam(joint, dParamVel, 0);
        dJointSetSliderParam(joint, dParamFMax, dInfinity);
        return;
    }
    dJointSetHingeAnchor(joint, 0, 0, 0);
    dJointSetHingeAxis(joint, 0, 0, 1);
}

/* last: the user's constraint is made after the other */
static void refuses(ukIntegrator integrator, Other other, bool error, bool split, bool last, bool reverse)
{
    const dWorldID w = newWorld(0);
    const dBodyID body = box(w, 2, 0, 0, 0);
    Wish one = {1, 1, 0, 0}, two = {1, 2, 0, 0}, nothing = {0, 1, 0, 0};
    CHECK(ukWorldSetIntegrator(w, integrator) == 0);
    if (split) CHECK(ukWorldSetStabilization(w, ukStabilizeSplit, 0, 0) == 0);
    if (last && other >= Rail) oppose(w, body, other, reverse);
    constrain(w, body, other == Nothing ? &nothing : &one, error);
    if (other == Constraint) constrain(w, body, &two, error);
    if (!last && other >= Rail) oppose(w, body, other, reverse);
    int taken = 0;
    dReal x = 0, v = 0;
    while (taken < 3 && ukWorldStep(w, 0.01) == 1) {
        taken++;
        x = dBodyGetPosition(body)[0];
        v = dBodyGetLinearVel(body)[0];
    }
    const bool says = strstr(ukGetLastErrorMessage(), "constraint") || strstr(ukGetLastErrorMessage(), "joint");
    if (!CHECK(taken == 0 && ukGetLastError() == ukErrorContradiction && says))
        printf("integrator %d, %s, error %d, split %d: %d steps, %s\n", integrator, name[other], error, split, taken,
               ukGetLastErrorMessage());
    CHECK(dBodyGetPosition(body)[0] == x && dBodyGetLinearVel(body)[0] == v);
    dWorldDestroy(w);
}

/* In the middle of a run, after three steps of a consistent world: a constraint or a joint that contradicts the
 * accelerations of the first constraint, not its velocities; saved and restored before the step; beside a motor of
 * finite force. The first step with it is refused, and the message names the row. */
static void refusesLater(ukIntegrator integrator, Other other, bool error, bool saved, bool motor, double gravity)
{
    const dWorldID w = newWorld(gravity);
    const dBodyID body = box(w, 2, 0, 0, 0), other_body = box(w, 1, 0, 2, 0);
    Wish one = {1, other == Constraint, 0, 0};
    CHECK(ukWorldSetIntegrator(w, integrator) == 0);
    if (motor) {
        const dJointID hinge = dJointCreateHinge(w, 0);
        dJointAttach(hinge, body, other_body);
        dJointSetHingeAnchor(hinge, 0, 1, 0);
        dJointSetHingeAxis(hinge, 0, 0, 1);
        dJointSetHingeParam(hinge, dParamVel, 1);
        dJointSetHingeParam(hinge, dParamFMax, 0.1);
    }
    constrain(w, body, &one, error);
    for (int i = 0; i < 3; i++) CHECK(ukWorldStep(w, 0.01) == 1);
    const double now = ukWorldGetTime(w);
    Wish two = {1, 2, dBodyGetLinearVel(body)[0], now};
    if (other == Constraint)
        constrain(w, body, &two, error);
    else
        oppose(w, body, other, false), one = (Wish){1, 1, 0, now};
    static unsigned char bytes[1 << 16];
    const size_t size = ukWorldSave(w, NULL, 0);
    if (saved)
        CHECK(size <= sizeof bytes && ukWorldSave(w, bytes, size) == size && ukWorldRestore(w, bytes, size) == 0);
    const dReal x = dBodyGetPosition(body)[0];
    const int taken = ukWorldStep(w, 0.01);
    const char *const says = ukGetLastErrorMessage();
    const bool named = (strstr(says, "constraint") || strstr(says, "joint")) && strstr(says, "in its row ");
    if (!CHECK(taken == 0 && ukGetLastError() == ukErrorContradiction && named))
        printf("later: integrator %d, %s, error %d, saved %d, motor %d: %s\n", integrator, name[other], error, saved,
               motor, taken ? "stepped" : says);
    CHECK(dBodyGetPosition(body)[0] == x);
    dWorldDestroy(w);
}

/* z >= 0 */
static int floorRow(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)c, (void)b, (void)data;
    A[2] = 1;
    return 0;
}

static int floorError(const struct ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    (void)data;
    phi[0] = c->bodies->position[2];
    psi[0] = c->bodies->velocity[2];
    return 0;
}

/* A motor of infinite force drives a body, or one that is fixed to it, into a stop or a one-sided row, and nothing is
 * soft: no multipliers satisfy both, so none are certified, however large they are. With ODE's CFM the step is
 * exact. */
static void notCertified(ukIntegrator integrator, bool stop, bool second, bool swapped, double cfm)
{
    const dWorldID w = newWorld(9.81);
    const dBodyID body = box(w, 2, 0, 0, 0);
    dBodyID end = body;
    const dJointID motor = dJointCreateSlider(w, 0);
    dWorldSetCFM(w, cfm);
    CHECK(ukWorldSetIntegrator(w, integrator) == 0);
    dJointAttach(motor, swapped ? 0 : body, swapped ? body : 0);
    dJointSetSliderAxis(motor, 0.3, 0.2, 1);
    dJointSetSliderParam(motor, dParamVel, swapped ? 1 : -1);
    dJointSetSliderParam(motor, dParamFMax, dInfinity);
    if (second) {
        const dJointID fixed = dJointCreateFixed(w, 0);
        dJointAttach(fixed, body, end = box(w, 2, 0.5, 0, 0));
        dJointSetFixed(fixed);
    }
    if (stop) {
        const dJointID guide = dJointCreateSlider(w, 0);
        dJointAttach(guide, end, 0);
        dJointSetSliderAxis(guide, 0.3, 0.2, 1);
        dJointSetSliderParam(guide, dParamLoStop, 0);
        dJointSetSliderParam(guide, dParamHiStop, 1);
        dJointSetSliderParam(guide, dParamStopCFM, cfm);
    } else {
        const ukConstraintID c = ukConstraintCreate(w, 1, &end, 1, floorRow, NULL);
        CHECK(c && ukConstraintSetError(c, floorError, NULL) == 0 && ukConstraintSetOneSided(c, 0) == 0);
    }
    ukReport r = {0};
    const int taken = ukWorldStep(w, 0.01);
    CHECK(ukWorldGetReport(w, &r) == 0);
    if (!CHECK(cfm > 0 ? taken == 1 && r.ok : taken == 0 || !r.ok))
        printf("integrator %d, stop %d, second %d, swapped %d, CFM %g: %d, ok %d, %s\n", integrator, stop, second,
               swapped, cfm, taken, r.ok, ukGetLastErrorMessage());
    dWorldDestroy(w);
}

/* Two motors of unlimited force at one hinge: accelerations satisfy both, velocities do not if their rates differ. */
static void motorsDiffer(ukIntegrator integrator, double rate, bool swapped)
{
    const dWorldID w = dWorldCreate();
    const dBodyID body = box(w, 1, 0.5, 0, 0);
    dWorldSetGravity(w, 0, 0, -9.81);
    dWorldSetCFM(w, 0);
    for (int i = 0; i < 2; i++) {
        const dJointID hinge = dJointCreateHinge(w, 0);
        dJointAttach(hinge, swapped ? 0 : body, swapped ? body : 0);
        dJointSetHingeAnchor(hinge, 0, 0, 0);
        dJointSetHingeAxis(hinge, 0, 1, 0);
        dJointSetHingeParam(hinge, dParamFMax, dInfinity);
        dJointSetHingeParam(hinge, dParamVel, i == 0 ? 2 : rate);
    }
    CHECK(ukWorldEnable(w) == 0 && ukWorldSetIntegrator(w, integrator) == 0);
    for (int i = 0; i < 3; i++) {
        ukReport r;
        CHECK(ukWorldStep(w, 0.01) == 1 && ukWorldGetReport(w, &r) == 0 && r.ok);
        if (!CHECK(rate == 2 ? r.compromise < 1e-9 : r.compromise > 0.1))
            printf("integrator %d, rate %g: compromise %g\n", (int)integrator, rate, r.compromise);
    }
    dWorldDestroy(w);
}

int main(void)
{
    dInitODE2(0);
    for (int k = ukIntegratorEuler; k <= ukIntegratorRattle; k++)
        for (int bits = 0; bits < 16; bits++)
            notCertified((ukIntegrator)k, bits & 1, bits & 2, bits & 4, bits & 8 ? 1e-10 : 0);
    for (int k = ukIntegratorEuler; k <= ukIntegratorRattle; k++)
        for (int other = 0; other < Others; other++)
            for (int bits = 0; bits < 16; bits++)
                refuses((ukIntegrator)k, (Other)other, bits & 1, bits & 2, bits & 4, bits & 8);
    for (int k = ukIntegratorEuler; k <= ukIntegratorRattle; k++)
        for (int swapped = 0; swapped < 2; swapped++)
            motorsDiffer((ukIntegrator)k, 1, swapped), motorsDiffer((ukIntegrator)k, 2, swapped);
    for (int k = ukIntegratorEuler; k <= ukIntegratorRattle; k++)
        for (int bits = 0; bits < 32; bits++)
            refusesLater((ukIntegrator)k, bits & 1 ? Rail : Constraint, bits & 2, bits & 4, bits & 8,
                         bits & 16 ? 9.81 : 0);
    dCloseODE();
    return ukTestEnd();
}
