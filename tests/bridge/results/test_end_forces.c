/* SPDX-License-Identifier: BSD-3-Clause */
/* Forces that joints exert without a row under the adaptive integrators (motors at their largest force, springs made of
 * CFM): ukJointGetForces at the end of a step and after ukWorldEvaluate, and dJointFeedback after ukWorldEvaluate,
 * against the mass times the acceleration of the body, and against the spring's law. All attachments, both signs. */
#include <string.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/plain_world.h"

typedef enum Attachment { BodyWorld, WorldBody, BodyBody, Attachments } Attachment;

static const double h = 0.01, mass = 2, other_mass = 3;

typedef struct Pair {
    dWorldID world;
    dBodyID body, other; /* other: NULL, the world */
    dJointID joint;
    dJointFeedback feedback;
} Pair;

static Pair makePair(ukIntegrator integrator, Attachment attachment, dJointID (*create)(dWorldID, dJointGroupID))
{
    Pair p = {.world = newWorld(0)};
    p.body = ball(p.world, mass, 0.5, 0, 0);
    if (attachment == BodyBody) p.other = ball(p.world, other_mass, -0.5, 0, 0);
    p.joint = create(p.world, NULL);
    dJointAttach(p.joint, attachment == WorldBody ? p.other : p.body, attachment == WorldBody ? p.body : p.other);
    CHECK(ukWorldSetIntegrator(p.world, integrator) == 0 && ukWorldSetTolerance(p.world, 1e-10, 0) == 0);
    return p;
}

static void stepPair(const Pair *p)
{
    ukReport report;
    if (!CHECK(ukWorldStep(p->world, h) == 1)) printf("%s\n", ukGetLastErrorMessage());
    CHECK(ukWorldGetReport(p->world, &report) == 0 && report.ok && report.discrete_islands == 0);
}

/* the force [N] along x on the body, opposite on the other one, without a torque */
static void checkPair(const Pair *p, Attachment attachment, double force, bool mean, double tolerance)
{
    const int k = attachment == WorldBody;
    dReal ideal[2][6], nonideal[2][6];
    CHECK(ukJointGetForces(p->joint, ideal, nonideal) == 0);
    for (int c = 0; c < 6; c++) {
        const double expected = c == 0 ? force : 0, opposite = p->other && c == 0 ? -force : 0;
        CHECK_NEAR(ideal[k][c], expected, tolerance);
        CHECK_NEAR(ideal[!k][c], opposite, tolerance);
        CHECK(nonideal[0][c] == 0 && nonideal[1][c] == 0);
        if (mean) continue; /* the mean over the last step, which tests of integrators compare */
        const dReal *const first = c < 3 ? p->feedback.f1 : p->feedback.t1;
        const dReal *const second = c < 3 ? p->feedback.f2 : p->feedback.t2;
        CHECK_NEAR(first[c % 3], expected, tolerance);
        if (p->other) CHECK_NEAR(second[c % 3], opposite, tolerance);
    }
}

static void evaluatePair(Pair *p, Attachment attachment, double force, double tolerance)
{
    memset(&p->feedback, 0, sizeof p->feedback);
    for (int i = 0; i < 2; i++) { /* the second one replaces what the first one has added */
        CHECK(ukWorldEvaluate(p->world) == 0);
        checkPair(p, attachment, force, false, tolerance);
    }
}

/* A motor on a slider that cannot reach its speed: a constant force. */
static void fullForce(ukIntegrator integrator, Attachment attachment, double speed)
{
    static const double F = 3;
    Pair p = makePair(integrator, attachment, dJointCreateSlider);
    dJointSetSliderAxis(p.joint, 1, 0, 0);
    dJointSetSliderParam(p.joint, dParamVel, speed);
    dJointSetSliderParam(p.joint, dParamFMax, F);
    dJointSetFeedback(p.joint, &p.feedback);
    for (int i = 0; i < 3; i++) {
        const double before = dBodyGetLinearVel(p.body)[0];
        stepPair(&p);
        const double force = mass * (dBodyGetLinearVel(p.body)[0] - before) / h;
        CHECK_NEAR(fabs(force), F, 1e-11);
        checkPair(&p, attachment, force, true, 1e-11);
        evaluatePair(&p, attachment, force, 1e-11);
    }
    dWorldDestroy(p.world);
}

/* A ball joint whose anchors are apart, with k and c of its ERP and CFM (ODE's manual, "How To Use ERP and CFM"). */
static void spring(ukIntegrator integrator, Attachment attachment, double x)
{
    static const double k = 300, c = 2;
    Pair p = makePair(integrator, attachment, dJointCreateBall);
    dJointSetBallAnchor(p.joint, 0.5, 0, 0);
    dJointSetBallParam(p.joint, dParamERP, h * k / (h * k + c));
    dJointSetBallParam(p.joint, dParamCFM, 1 / (h * k + c));
    dBodySetPosition(p.body, 0.5 + x, 0, 0);
    dJointSetFeedback(p.joint, &p.feedback);
    evaluatePair(&p, attachment, -k * x, 1e-9);
    for (int i = 0; i < 5; i++) {
        stepPair(&p);
        double along = dBodyGetPosition(p.body)[0] - 0.5, rate = dBodyGetLinearVel(p.body)[0];
        if (p.other) along -= dBodyGetPosition(p.other)[0] + 0.5, rate -= dBodyGetLinearVel(p.other)[0];
        const double force = -k * along - c * rate;
        checkPair(&p, attachment, force, true, 1e-9);
        evaluatePair(&p, attachment, force, 1e-9);
    }
    dWorldDestroy(p.world);
}

int main(void)
{
    static const ukIntegrator integrators[] = {ukIntegratorAdaptive, ukIntegratorRadau};
    dInitODE2(0);
    for (int i = 0; i < 2; i++)
        for (Attachment a = BodyWorld; a < Attachments; a++)
            for (int sign = -1; sign <= 1; sign += 2) {
                fullForce(integrators[i], a, sign * 1e3);
                spring(integrators[i], a, sign * 0.1);
            }
    dCloseODE();
    return ukTestEnd();
}
