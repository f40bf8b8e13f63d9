/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies of mechanisms that their programs set elsewhere or throw, under every stepper, joints of every type, in every
 * order of attachment: a body moved by a supervisor (webots#2899) or turned is joined again without a refused step and
 * without more speed than ERP gives; a limb that is thrown keeps momentum and angular momentum of the whole, each
 * joint's impulse is the change of its bodies' momenta, and the same holds after a state is saved and restored. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/check.h"
#include "tests/users/stepped.h"

typedef enum Joint {
    JointHinge,
    JointBall,
    JointSlider,
    JointUniversal,
    JointHinge2,
    JointPR,
    JointPU,
    JointPiston,
    JointFixed,
    JointDBall,
    Joints
} Joint;

/* of slides along x, of turns about z, or y */
static dJointID slidingJoint(dWorldID w, Joint kind, dBodyID a, dBodyID b, const double x[3])
{
    dJointID j;
    if (kind == JointSlider) {
        dJointAttach(j = dJointCreateSlider(w, 0), a, b);
        dJointSetSliderAxis(j, 1, 0, 0);
    } else if (kind == JointPR) {
        dJointAttach(j = dJointCreatePR(w, 0), a, b);
        dJointSetPRAnchor(j, x[0], x[1], x[2]);
        dJointSetPRAxis1(j, 1, 0, 0);
        dJointSetPRAxis2(j, 0, 0, 1);
    } else if (kind == JointPU) {
        dJointAttach(j = dJointCreatePU(w, 0), a, b);
        dJointSetPUAnchor(j, x[0], x[1], x[2]);
        dJointSetPUAxis1(j, 0, 0, 1);
        dJointSetPUAxis2(j, 0, 1, 0);
        dJointSetPUAxis3(j, 1, 0, 0);
    } else {
        dJointAttach(j = dJointCreatePiston(w, 0), a, b);
        dJointSetPistonAnchor(j, x[0], x[1], x[2]);
        dJointSetPistonAxis(j, 1, 0, 0);
    }
    return j;
}

static dJointID pivotingJoint(dWorldID w, Joint kind, dBodyID a, dBodyID b, const double x[3])
{
    static const dVector3 z = {0, 0, 1}, y = {0, 1, 0};
    dJointID j;
    if (kind == JointHinge) {
        dJointAttach(j = dJointCreateHinge(w, 0), a, b);
        dJointSetHingeAnchor(j, x[0], x[1], x[2]);
        dJointSetHingeAxis(j, 0, 0, 1);
    } else if (kind == JointBall) {
        dJointAttach(j = dJointCreateBall(w, 0), a, b);
        dJointSetBallAnchor(j, x[0], x[1], x[2]);
    } else if (kind == JointUniversal) {
        dJointAttach(j = dJointCreateUniversal(w, 0), a, b);
        dJointSetUniversalAnchor(j, x[0], x[1], x[2]);
        dJointSetUniversalAxis1(j, 0, 0, 1);
        dJointSetUniversalAxis2(j, 0, 1, 0);
    } else if (kind == JointHinge2) {
        dJointAttach(j = dJointCreateHinge2(w, 0), a, b);
        dJointSetHinge2Anchor(j, x[0], x[1], x[2]);
        dJointSetHinge2Axes(j, z, y);
        dJointSetHinge2Param(j, dParamSuspensionERP, 0.2);
        dJointSetHinge2Param(j, dParamSuspensionCFM, 1e-10);
    } else if (kind == JointFixed) {
        dJointAttach(j = dJointCreateFixed(w, 0), a, b);
        dJointSetFixed(j);
    } else {
        dJointAttach(j = dJointCreateDBall(w, 0), a, b);
        dJointSetDBallAnchor1(j, x[0] - 0.1, x[1], x[2]);
        dJointSetDBallAnchor2(j, x[0] + 0.1, x[1], x[2]);
    }
    return j;
}

static dJointID jointOf(dWorldID w, Joint kind, dBodyID a, dBodyID b, const double x[3])
{
    const bool slides = kind == JointSlider || kind == JointPR || kind == JointPU || kind == JointPiston;
    return slides ? slidingJoint(w, kind, a, b, x) : pivotingJoint(w, kind, a, b, x);
}

/* ---- moved ------------------------------------------------------------------------------------------------------- */

/* (base, body), (body, base), (0, body), (body, 0) */
enum { Orders = 4 };

typedef struct Displacement {
    double by; /* [m], or [rad] */
    bool turned;
} Displacement;

static void displace(dBodyID body, const Displacement *d)
{
    const dReal *x = dBodyGetPosition(body);
    dMatrix3 R;
    dRFromAxisAndAngle(R, 1, 0.3, 0.2, d->by);
    if (d->turned)
        dBodySetRotation(body, R);
    else
        dBodySetPosition(body, x[0] + 0.3 * d->by, x[1] + d->by, x[2] + 0.5 * d->by);
}

/* 1 kg each, half a metre l from the joint: ERP closes a gap with at most by/h, projections without speed. Under Euler
 * the bodies keep a rate of erp by/(h l), whose drift (h rate)^2 l/2 per step ERP corrects in 1/erp steps. */
static void moved(Joint kind, int order, Stepper stepper, const Displacement *d)
{
    enum { Steps = 300 };
    static const double at[2][3] = {{0, 0, 5}, {1, 0, 5}}, sides[3] = {0.2, 0.3, 0.25}, anchor[3] = {0.5, 0, 5};
    const double h = 0.01, erp = 0.2, most = d->by * d->by * (1 + 0.25 + 0.09) / (h * h);
    const double error = stepper <= Exact ? 1e-6 + erp * d->by * d->by / (2 * 0.5) : 1e-6;
    Stepped s = steppedBegin(stepper, h, 0);
    const dBodyID base = order < 2 ? steppedBox(&s, 1, at[0], sides, false) : 0;
    const dBodyID body = steppedBox(&s, 1, at[1], sides, false);
    jointOf(s.world, kind, order % 2 ? body : base, order % 2 ? base : body, anchor);
    bool ok = true;
    for (int k = 0; k < 10; k++) ok &= CHECK(steppedStep(&s) == 1);
    displace(body, d);
    for (int k = 0; k < Steps && ok; k++)
        ok = CHECK(steppedStep(&s) == 1) && CHECK(kineticOf(body) + (base ? kineticOf(base) : 0) < 0.5 * most);
    ukReport r;
    ok &= CHECK(ukWorldGetReport(s.world, &r) == 0 && r.position_error < error);
    if (!ok)
        printf("moved: joint %d, order %d, %s, by %g, turned %d: error %g, %s\n", (int)kind, order,
               stepper_name[stepper], d->by, d->turned, r.position_error, ukGetLastErrorMessage());
    steppedEnd(&s);
}

/* ---- thrown ------------------------------------------------------------------------------------------------------ */

typedef struct Momenta {
    double P[2][3], L[3], kinetic;
} Momenta;

static const double masses[2] = {2, 1};

static Momenta momentaOf(const dBodyID body[2])
{
    Momenta m = {.kinetic = 0};
    for (int i = 0; i < 2; i++) {
        for (int c = 0; c < 3; c++) m.P[i][c] = masses[i] * dBodyGetLinearVel(body[i])[c];
        addAngularMomentum(body[i], m.L);
        m.kinetic += kineticOf(body[i]);
    }
    return m;
}

/* whatever the bodies do in between */
static void saveAndRestore(Stepped *s, const dBodyID body[2])
{
    const size_t size = ukWorldSave(s->world, NULL, 0);
    void *const bytes = malloc(size);
    CHECK(bytes && ukWorldSave(s->world, bytes, size) == size);
    dBodySetLinearVel(body[0], 9, 9, 9);
    steppedStep(s);
    CHECK(ukWorldRestore(s->world, bytes, size) == 0);
    free(bytes);
}

static bool kept(const Momenta *a, const Momenta *b, const dJointFeedback *f, bool swapped, Stepper stepper, double h)
{
    static const double angular[Steppers] = {0.3, 1e-11, 1e-5, 1e-8, 1e-11, 1e-8}; /* Euler: ODE's gyroscopic torque */
    bool ok = CHECK(b->kinetic <= a->kinetic * (1 + 1e-9));
    for (int c = 0; c < 3; c++) {
        ok &= CHECK_NEAR(b->P[0][c] + b->P[1][c], a->P[0][c] + a->P[1][c], 1e-12);
        ok &= CHECK_NEAR(b->L[c], a->L[c], angular[stepper] * (stepper == Euler ? h : 1));
        ok &= CHECK_NEAR(h * (swapped ? f->f2 : f->f1)[c], b->P[0][c] - a->P[0][c], 1e-9);
        ok &= CHECK_NEAR(h * (swapped ? f->f1 : f->f2)[c], b->P[1][c] - a->P[1][c], 1e-9);
    }
    return ok;
}

static void thrown(Joint kind, bool swapped, Stepper stepper, double h, bool saved)
{
    static const double at[2][3] = {{0, 0, 0}, {0.5, 0, 0}}, anchor[3] = {0.3, 0, 0};
    static const double sides[2][3] = {{0.6, 0.2, 0.3}, {0.4, 0.2, 0.1}};
    Stepped s = steppedBegin(stepper, h, 0);
    dBodyID body[2];
    dJointFeedback feedback;
    for (int i = 0; i < 2; i++) body[i] = steppedBox(&s, masses[i], at[i], sides[i], false);
    dJointSetFeedback(jointOf(s.world, kind, body[swapped], body[!swapped], anchor), &feedback);
    for (int k = 0; k < 5; k++) CHECK(steppedStep(&s) == 1);
    dBodySetLinearVel(body[1], 0.2, 3, 1);
    dBodySetAngularVel(body[1], 1, -2, 2);
    if (saved) saveAndRestore(&s, body);
    const Momenta before = momentaOf(body);
    const bool taken = CHECK(steppedStep(&s) == 1);
    const Momenta after = momentaOf(body);
    if (!taken || !kept(&before, &after, &feedback, swapped, stepper, h))
        printf("thrown: joint %d, swapped %d, %s, h %g, saved %d\n", (int)kind, swapped, stepper_name[stepper], h,
               saved);
    steppedEnd(&s);
}

int main(void)
{
    static const Displacement each[] = {{0.1, false}, {0.02, false}, {0.2, true}};
    dInitODE2(0);
    for (int kind = 0; kind < Joints; kind++)
        for (int k = 0; k < Steppers; k++) {
            for (int order = 0; order < (kind == JointHinge2 ? 2 : Orders); order++)
                for (int i = 0; i < 3; i++) moved((Joint)kind, order, (Stepper)k, &each[i]);
            for (int i = 0; i < 8; i++) thrown((Joint)kind, i & 1, (Stepper)k, i & 2 ? 0.01 : 0.002, i & 4);
        }
    dCloseODE();
    return ukTestEnd();
}
