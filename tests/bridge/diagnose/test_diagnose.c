/* SPDX-License-Identifier: BSD-3-Clause */
/* Diagnosis: rank, redundant rows, reactions that are not determined, and joints that contradict each other. */
#include <string.h>

#include <ukode/ukode.h>

#include "demos/scenes.h"
#include "solvers/base/status.h"
#include "tests/check.h"
#include "tests/support/random_world.h"

static ukDiagnosis diagnose(dWorldID w)
{
    ukDiagnosis d = {0};
    CHECK(ukWorldDiagnose(w, &d) == 0);
    return d;
}

static const ukJointDiagnosis *of(const ukDiagnosis *d, dJointID joint)
{
    for (int i = 0; i < d->count; i++)
        if (d->joints[i].joint == joint) return &d->joints[i];
    CHECK(d->count < 0); /* not found */
    return d->joints;
}

static void fourBar(void)
{
    Scene *scene = sceneFourBar();
    ukDiagnosis d = diagnose(scene->world);
    CHECK(d.rows == 20 && d.columns == 18 && d.rank == 17 && d.count == 4);
    CHECK(d.conflict == ukConflictNone && d.conflict_joints == 0);
    printf("four-bar: rank %d, singular values %.3g kept, %.3g dropped\n", d.rank, d.kept, d.dropped);
    CHECK(d.kept / d.largest > 1e-3 && d.dropped / d.largest < 1e-13);
    for (int i = 0; i < 4; i++) {
        CHECK(d.joints[i].rows == 5 && d.joints[i].redundant_rows > 0 && !d.joints[i].unique);
        /* in the plane x, z the split is determined, across it not */
        CHECK(d.joints[i].unique_component[0] && d.joints[i].unique_component[2] && !d.joints[i].unique_component[1]);
    }
    const double x[3] = {0.5, 2, 2.5};
    const dQuaternion identity = {1, 0, 0, 0};
    for (int i = 0; i < 3; i++) {
        dBodySetPosition(scene->bodies[i], x[i], dBodyGetPosition(scene->bodies[i])[1], 0);
        dBodySetQuaternion(scene->bodies[i], identity);
    }
    d = diagnose(scene->world);
    CHECK(d.rank == 16 && d.conflict == ukConflictNone);
    CHECK(!d.joints[0].unique_component[0]); /* tension along the line */
    ukEquations e;
    CHECK(ukWorldGetEquations(scene->world, &e) == ukErrorArgument);
    CHECK(ukWorldEvaluate(scene->world) == 0 && ukWorldGetEquations(scene->world, &e) == 0);
    sceneDestroy(scene);
}

static void doorOnTwo(void)
{
    Scene *scene = sceneDoor(2);
    const ukDiagnosis d = diagnose(scene->world);
    CHECK(d.rows == 10 && d.rank == 5 && d.count == 2 && d.conflict == ukConflictNone);
    for (int i = 0; i < 2; i++) {
        CHECK(d.joints[i].redundant_rows == 5 && !d.joints[i].unique && !d.joints[i].unique_component[2]);
        dJointSetFeedback(scene->joints[i], NULL);
    }
    dMass m;
    dJointFeedback feedback[2];
    dBodyGetMass(scene->bodies[0], &m);
    for (int i = 0; i < 2; i++) dJointSetFeedback(scene->joints[i], &feedback[i]);
    CHECK(ukWorldEvaluate(scene->world) == 0);
    dVector3 g;
    dWorldGetGravity(scene->world, g);
    CHECK_NEAR(feedback[0].f1[2] + feedback[1].f1[2], -m.mass * g[2], 1e-9 * m.mass * fabs(g[2]));
    sceneDestroy(scene);
}

/* A hinge that was set up with the door `shift` away, beside one that fits, a handle on its own hinge, and a flap. */
static void misplaced(const dReal shift[3], double size)
{
    Scene *scene = sceneNew(3, 5, 0.01);
    const dBodyID door = sceneAddBox(scene, 20, 0.9, 0.04, 2, 0.45, 0, 1);
    const dBodyID handle = sceneAddBox(scene, 2, 0.3, 0.1, 0.1, 0.9, 0.05, 1);
    const dBodyID flap = sceneAddBox(scene, 1, 0.2, 0.02, 0.3, 0.45, 0, 0.3);
    const dReal low[3] = {0, 0, 0.3}, high[3] = {0, 0, 1.7}, grip[3] = {0.85, 0.05, 1}, edge[3] = {0.45, 0, 0.45};
    const dJointID first = sceneAddHinge(scene, door, 0, low, 0, 0, 1);
    sceneAddHinge(scene, handle, door, grip, 0, 1, 0);
    sceneAddHinge(scene, flap, door, edge, 1, 0, 0);
    dBodySetPosition(door, 0.45 + shift[0], shift[1], 1 + shift[2]);
    const dJointID second = sceneAddHinge(scene, door, 0, high, 0, 0, 1);
    dBodySetPosition(door, 0.45, 0, 1);
    const ukDiagnosis d = diagnose(scene->world);
    CHECK(d.conflict == ukConflictPose && d.conflict_joints == 2 && !d.conflict_is_angle);
    CHECK(of(&d, first)->in_conflict && of(&d, second)->in_conflict);
    CHECK_NEAR(d.conflict_size, size, 1e-3 * size);
    printf("two hinges apart by %g: rank %d of %d, conflict of %d joints by %.6g m\n", size, d.rank, d.rows,
           d.conflict_joints, (double)d.conflict_size);
    CHECK(of(&d, scene->joints[1])->unique && of(&d, scene->joints[1])->redundant_rows == 0);
    CHECK(of(&d, scene->joints[2])->unique);
    sceneDestroy(scene);
}

/* an anchor that both hinges agree on, but the door is away from: an error, and no conflict */
static void driftIsNoConflict(void)
{
    Scene *scene = sceneDoor(2);
    const dReal *x = dBodyGetPosition(scene->bodies[0]);
    dBodySetPosition(scene->bodies[0], x[0] + 1e-3, x[1], x[2] + 1e-3);
    const ukDiagnosis d = diagnose(scene->world);
    CHECK(d.conflict == ukConflictNone && d.rank == 5);
    sceneDestroy(scene);
}

static int lift(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)c;
    A[2] = 1;
    b[0] = *(const double *)data;
    return 0;
}

/* motors and user constraints: rates and accelerations that exclude each other; a long loop that does not close */
static void others(void)
{
    Scene *scene = sceneNew(1, 3, 0.01);
    const dBodyID a = sceneAddBox(scene, 1, 1, 1, 1, 0, 0, 0);
    double up = 1, down = -1;
    ukDiagnosis d = diagnose(scene->world);
    CHECK(d.rows == 0 && d.rank == 0 && d.count == 0);
    const ukConstraintID one = ukConstraintCreate(scene->world, 1, &a, 1, lift, &up);
    const ukConstraintID two = ukConstraintCreate(scene->world, 1, &a, 1, lift, &down);
    d = diagnose(scene->world);
    CHECK(d.rank == 1 && d.conflict == ukConflictAcceleration && d.conflict_joints == 2);
    CHECK_NEAR(d.conflict_size, 2, 1e-12);
    CHECK(d.count == 2 && !d.joints[0].joint && d.joints[0].in_conflict && !d.joints[0].unique);
    CHECK((d.joints[0].constraint == one) != (d.joints[0].constraint == two));
    ukConstraintDestroy(one);
    ukConstraintDestroy(two);
    const dJointID rail[2] = {sceneAddSlider(scene, a, 0, 1, 0, 0), sceneAddSlider(scene, a, 0, 1, 0, 0)};
    for (int i = 0; i < 2; i++) {
        dJointSetSliderParam(rail[i], dParamFMax, dInfinity);
        dJointSetSliderParam(rail[i], dParamVel, i ? 0.5 : -0.25);
    }
    d = diagnose(scene->world);
    CHECK(d.rank == 6 && d.conflict == ukConflictVelocity && d.conflict_joints == 2 && !d.conflict_is_angle);
    CHECK_NEAR(d.conflict_size, 0.75, 1e-12);
    sceneDestroy(scene);
    CHECK(ukWorldDiagnose(0, &d) == ukErrorHandle);

    scene = sceneFourBar(); /* one hinge off by 1 mm across the plane: only the whole loop is in conflict */
    dJointID last = scene->joints[3];
    const dBodyID rocker = scene->bodies[2];
    const dReal *p = dBodyGetPosition(rocker);
    const dReal x[3] = {p[0], p[1], p[2]};
    dVector3 anchor;
    dJointGetHingeAnchor(last, anchor);
    dBodySetPosition(rocker, x[0], x[1] + 1e-3, x[2]);
    dJointSetHingeAnchor(last, anchor[0], anchor[1], anchor[2]);
    dBodySetPosition(rocker, x[0], x[1], x[2]);
    d = diagnose(scene->world);
    printf("four-bar, 1 mm across the plane: conflict of %d joints by %.6g m\n", d.conflict_joints, d.conflict_size);
    CHECK(d.conflict == ukConflictPose && d.conflict_joints == 4);
    CHECK_NEAR(d.conflict_size, 1e-3, 1e-5);
    sceneDestroy(scene);
}

/* A loop of four hinges and one of three fixed joints, each open by a millimetre: the three are named. Then a ring of
 * many, where not every set can be asked. */
static void smallestOfTwo(void)
{
    Scene *scene = sceneFourBar();
    const dBodyID rocker = scene->bodies[2];
    const dReal *p = dBodyGetPosition(rocker);
    const dReal x[3] = {p[0], p[1], p[2]};
    dVector3 anchor;
    dJointGetHingeAnchor(scene->joints[3], anchor);
    dBodySetPosition(rocker, x[0], x[1] + 1e-3, x[2]);
    dJointSetHingeAnchor(scene->joints[3], anchor[0], anchor[1], anchor[2]);
    dBodySetPosition(rocker, x[0], x[1], x[2]);
    dBodyID body[2];
    dJointID fixed[3];
    for (int i = 0; i < 2; i++) {
        dMass m;
        body[i] = dBodyCreate(scene->world);
        dMassSetBoxTotal(&m, 1, 1, 1, 1);
        dBodySetMass(body[i], &m);
        dBodySetPosition(body[i], i, 5, 0);
    }
    for (int i = 0; i < 3; i++) {
        fixed[i] = dJointCreateFixed(scene->world, 0);
        if (i == 2) dBodySetPosition(body[0], 0, 5, 1e-3);
        dJointAttach(fixed[i], body[i % 2], i == 1 ? body[0] : 0);
        dJointSetFixed(fixed[i]);
    }
    dBodySetPosition(body[0], 0, 5, 0);
    ukDiagnosis d = diagnose(scene->world);
    CHECK(d.conflict == ukConflictPose && d.conflict_joints == 2); /* the first and the last fixed joint of body 0 */
    CHECK(of(&d, fixed[0])->in_conflict && of(&d, fixed[2])->in_conflict);
    dJointAttach(fixed[0], 0, 0);
    dJointDestroy(fixed[0]);
    d = diagnose(scene->world);
    CHECK(d.conflict == ukConflictPose && d.conflict_joints == 4 && of(&d, scene->joints[3])->in_conflict);
    const dJointID last = dJointCreateFixed(scene->world, 0);
    dJointAttach(last, body[1], 0);
    dJointSetFixed(last);
    d = diagnose(scene->world);
    CHECK(d.conflict == ukConflictPose && d.conflict_joints == 3 && of(&d, last)->in_conflict);
    CHECK(!of(&d, scene->joints[0])->in_conflict);
    sceneDestroy(scene);

    enum { Ring = 30 };
    scene = sceneNew(Ring, Ring + 1, 0.01);
    for (int i = 0; i < Ring; i++) sceneAddBox(scene, 1, 0.5, 0.5, 0.5, i, 0, 0);
    for (int i = 0; i <= Ring; i++) {
        if (i == Ring) dBodySetPosition(scene->bodies[Ring - 1], Ring - 1, 1e-3, 0);
        sceneAddFixed(scene, scene->bodies[i < Ring ? i : Ring - 1], i > 0 && i < Ring ? scene->bodies[i - 1] : 0);
    }
    dBodySetPosition(scene->bodies[Ring - 1], Ring - 1, 0, 0);
    d = diagnose(scene->world);
    CHECK(d.rank == 6 * Ring && d.conflict == ukConflictPose && d.conflict_joints == Ring + 1);
    CHECK_NEAR(d.conflict_size, 1e-3, 1e-8);
    sceneDestroy(scene);
}

/* Asking before every step changes no bit of the motion. */
static void askingChangesNothing(const char *name, int n, ukIntegrator integrator)
{
    Scene *scene[2];
    for (int k = 0; k < 2; k++) {
        scene[k] = sceneByName(name, n);
        CHECK(ukWorldSetIntegrator(scene[k]->world, integrator) == 0);
        CHECK(scene[k]->joint_count == 0 || ukJointSetCoulomb(scene[k]->joints[0], 0.1, 0.02) == 0);
        for (int i = 0; i < 40; i++) {
            if (k) diagnose(scene[k]->world);
            CHECK(sceneStep(scene[k], scene[k]->h, ukWorldStep) == 1);
        }
    }
    for (int i = 0; i < scene[0]->count; i++) {
        CHECK(memcmp(dBodyGetPosition(scene[0]->bodies[i]), dBodyGetPosition(scene[1]->bodies[i]), 24) == 0);
        CHECK(memcmp(dBodyGetAngularVel(scene[0]->bodies[i]), dBodyGetAngularVel(scene[1]->bodies[i]), 24) == 0);
    }
    for (int k = 0; k < 2; k++) sceneDestroy(scene[k]);
}

/* two sliders of one direction that hold orientations a milliradian apart about it */
static void angles(void)
{
    Scene *scene = sceneNew(1, 2, 0.01);
    const dBodyID a = sceneAddBox(scene, 1, 1, 1, 1, 0, 0, 0);
    dQuaternion turned;
    const dQuaternion straight = {1, 0, 0, 0};
    dQFromAxisAndAngle(turned, 1, 0, 0, 1e-3);
    sceneAddSlider(scene, a, 0, 1, 0, 0);
    dBodySetQuaternion(a, turned);
    sceneAddSlider(scene, a, 0, 1, 0, 0);
    dBodySetQuaternion(a, straight);
    const ukDiagnosis d = diagnose(scene->world);
    CHECK(d.rows == 10 && d.rank == 5 && d.conflict == ukConflictPose && d.conflict_joints == 2);
    CHECK(d.conflict_is_angle);
    CHECK_NEAR(d.conflict_size, 1e-3, 1e-6);
    sceneDestroy(scene);
}

/* Bodies on two hinges each, of one size and 1e-7 as large: all of their reactions is free but the torque about the
 * axis, in which the bodies' centres of mass are. */
static void small(void)
{
    ukJointDiagnosis joints[2][2];
    for (int k = 0; k < 2; k++) {
        const double size = k ? 1e-7 : 1;
        const dWorldID world = dWorldCreate();
        const dBodyID door = dBodyCreate(world);
        dMass mass;
        dMassSetBoxTotal(&mass, 2, size, 0.1 * size, 2 * size);
        dBodySetMass(door, &mass);
        for (int i = 0; i < 2; i++) {
            const dJointID hinge = dJointCreateHinge(world, NULL);
            dJointAttach(hinge, door, NULL);
            dJointSetHingeAnchor(hinge, 0, 0, i * size);
            dJointSetHingeAxis(hinge, 0, 0, 1);
        }
        const ukDiagnosis d = diagnose(world);
        CHECK(d.rank == 5 && d.count == 2 && d.conflict == ukConflictNone);
        memcpy(joints[k], d.joints, sizeof joints[k]);
        dWorldDestroy(world);
    }
    for (int i = 0; i < 2; i++) {
        static const int unique[6] = {0, 0, 0, 0, 0, 1};
        CHECK(memcmp(joints[0][i].unique_component, unique, sizeof unique) == 0);
        CHECK(memcmp(joints[1][i].unique_component, unique, sizeof unique) == 0);
    }
}

/* A rod of two ball joints between bodies: its tension is free. On the first body it acts through the centre of mass, on
 * the second one beside it: that torque is not the first body's. */
static void beside(void)
{
    const dWorldID world = dWorldCreate();
    dBodyID body[2];
    dJointID joint[2];
    for (int i = 0; i < 2; i++) {
        dMass mass;
        body[i] = dBodyCreate(world);
        dMassSetBoxTotal(&mass, 2, 1, 0.5, 0.3);
        dBodySetMass(body[i], &mass);
        dBodySetPosition(body[i], 0, 0.3 * i, 0);
    }
    for (int i = 0; i < 2; i++) {
        joint[i] = dJointCreateBall(world, NULL);
        dJointAttach(joint[i], body[0], body[1]);
        dJointSetBallAnchor(joint[i], i, 0, 0);
    }
    const ukDiagnosis d = diagnose(world);
    CHECK(d.rank == 5 && d.count == 2);
    for (int i = 0; i < 2; i++) {
        const ukJointDiagnosis *const own = of(&d, joint[i]);
        CHECK(own->redundant_rows == 1 && own->unique == 0);
        for (int c = 0; c < 6; c++) CHECK(own->unique_component[c] == (c > 0));
    }
    dWorldDestroy(world);
}

/* A four-bar whose bars have drifted: the position errors contradict to second order, which is no conflict. */
static void drifted(double drift)
{
    Random random = {3};
    Scene *scene = sceneFourBar();
    for (int i = 0; i < 3; i++) {
        const dReal *const x = dBodyGetPosition(scene->bodies[i]), *const old = dBodyGetQuaternion(scene->bodies[i]);
        dQuaternion turn, q;
        dQFromAxisAndAngle(turn, randomUniform(&random, -1, 1), 1, randomUniform(&random, -1, 1), drift);
        dQMultiply0(q, turn, old);
        dBodySetQuaternion(scene->bodies[i], q);
        dBodySetPosition(scene->bodies[i], x[0] + randomUniform(&random, -drift, drift),
                         x[1] + randomUniform(&random, -drift, drift), x[2] + randomUniform(&random, -drift, drift));
    }
    const ukDiagnosis d = diagnose(scene->world);
    CHECK(d.rank == 17 && d.conflict == ukConflictNone && d.conflict_joints == 0);
    sceneDestroy(scene);
}

int main(void)
{
    dInitODE2(0);
    small();
    beside();
    for (double drift = 1e-8; drift < 5e-3; drift *= 3) drifted(drift);
    fourBar();
    doorOnTwo();
    misplaced((const dReal[3]){0, 0, 1e-3}, 1e-3);
    misplaced((const dReal[3]){1e-3, 0, 0}, 1e-3);
    angles();
    driftIsNoConflict();
    others();
    smallestOfTwo();
    askingChangesNothing("four_bar", 0, ukIntegratorEuler);
    askingChangesNothing("four_bar", 0, ukIntegratorRK4);
    askingChangesNothing("ragdolls", 1, ukIntegratorEuler);
    askingChangesNothing("stack", 3, ukIntegratorEuler);
    dCloseODE();
    return ukTestEnd();
}
