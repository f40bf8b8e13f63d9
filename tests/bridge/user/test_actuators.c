/* SPDX-License-Identifier: BSD-3-Clause */
/* Servo constraints whose force is exerted by chosen actuators (ukConstraintSetActuators): 1000 random systems with and
 * without joints, weights and redundant actuators against the optimality conditions of least cost in long double; a
 * prescribed motion under every integrator, both orders of attachment, saved and restored states; what is refused.
 * Fixed seeds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/analysis.h>
#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/random_world.h"
#include "tests/support/solve_real.h"

enum { Bodies = 2, N = 6 * Bodies, Most = 64, Actuators = 8, Rows = 3 };

typedef long double Real;

/* A system: rows of the servo in the order of the constraint's bodies, wrenches of the actuators in that of the
 * world's. */
typedef struct Servo {
    int rows, actuators, weighted;
    double A[Rows * N], b[Rows], W[Rows]; /* A in the order given at creation */
    dBodyID body[Bodies];
    ukActuator actuator[Actuators];
    double B[Actuators][N]; /* of equations' order */
} Servo;

static int servoRows(const ukConstraintContext *context, dReal *A, dReal *b, void *data)
{
    const Servo *s = data;
    memcpy(A, s->A, (size_t)(s->rows * 6 * context->count) * sizeof *A);
    memcpy(b, s->b, (size_t)s->rows * sizeof *b);
    return 0;
}

/* Least u'R u, or, first, least (A qdd - b)'W (A qdd - b): x = qdd, lambda, u; then multipliers of the dynamics, of the
 * rigid rows and (second) of the servo's. */
static void leastCost(const ukEquations *e, const Servo *s, int held, const double *A, const Real *side, bool weigh,
                      Real *qdd, Real *u)
{
    const int p = s->actuators, unknowns = N + held + p, equations = N + held + (weigh ? 0 : s->rows),
              all = unknowns + equations;
    Real *K = calloc((size_t)(all * all), sizeof *K), *f = calloc((size_t)all, sizeof *f), x[Most];
    for (int i = 0; i < N; i++) { /* M qdd - A_h'lambda - B u = M a */
        const int row = unknowns + i;
        for (int j = 0; j < N; j++) {
            K[row * all + j] = e->M[i * N + j];
            f[row] += (Real)e->M[i * N + j] * e->a[j];
        }
        for (int j = 0; j < held; j++) K[row * all + N + j] = -(Real)e->A[j * N + i];
        for (int k = 0; k < p; k++) K[row * all + N + held + k] = -(Real)s->B[k][i];
    }
    for (int j = 0; j < held; j++) {
        for (int i = 0; i < N; i++) K[(unknowns + N + j) * all + i] = e->A[j * N + i];
        f[unknowns + N + j] = e->b[j];
    }
    for (int r = 0; r < s->rows; r++)
        for (int i = 0; i < N; i++) {
            if (!weigh) K[(unknowns + N + held + r) * all + i] = A[r * N + i];
            for (int j = 0; weigh && j < N; j++) K[i * all + j] += (Real)s->W[r] * A[r * N + i] * A[r * N + j];
            if (weigh) f[i] += (Real)s->W[r] * A[r * N + i] * side[r];
        }
    for (int r = 0; !weigh && r < s->rows; r++) f[unknowns + N + held + r] = side[r];
    for (int k = 0; !weigh && k < p; k++) K[(N + held + k) * (all + 1)] = s->actuator[k].cost;
    for (int i = 0; i < equations; i++)
        for (int j = 0; j < unknowns; j++) K[j * all + unknowns + i] = K[(unknowns + i) * all + j];
    solveLongDouble(all, K, f, x);
    memcpy(qdd, x, N * sizeof *qdd);
    memcpy(u, x + N + held, (size_t)p * sizeof *u);
    free(K), free(f);
}

static dBodyID brick(dWorldID world, Random *r)
{
    dMass mass;
    dMassSetBoxTotal(&mass, randomUniform(r, 0.5, 3), randomUniform(r, 0.5, 1), randomUniform(r, 0.5, 1),
                     randomUniform(r, 0.5, 1));
    const dBodyID body = dBodyCreate(world);
    dQuaternion q;
    for (int i = 0; i < 4; i++) q[i] = randomUniform(r, -1, 1);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, randomUniform(r, -1, 1), randomUniform(r, -1, 1), randomUniform(r, -1, 1));
    dBodySetQuaternion(body, q);
    return body;
}

/* A joint of one of three types; a reversed one holds the bodies in the other order, with several bodies or the
 * world. */
static dJointID joinBodies(dWorldID world, Random *r, dBodyID a, dBodyID b, int type)
{
    const double axis[3] = {randomUniform(r, -1, 1), randomUniform(r, -1, 1), randomUniform(r, -1, 1)};
    const double P[3] = {randomUniform(r, -1, 1), randomUniform(r, -1, 1), randomUniform(r, -1, 1)};
    dJointID joint;
    if (type == 0) {
        joint = dJointCreateHinge(world, NULL);
        dJointAttach(joint, a, b);
        dJointSetHingeAnchor(joint, P[0], P[1], P[2]);
        dJointSetHingeAxis(joint, axis[0], axis[1], axis[2]);
    } else if (type == 1) {
        joint = dJointCreateSlider(world, NULL);
        dJointAttach(joint, a, b);
        dJointSetSliderAxis(joint, axis[0], axis[1], axis[2]);
    } else {
        joint = dJointCreateUniversal(world, NULL);
        dJointAttach(joint, a, b);
        dJointSetUniversalAnchor(joint, P[0], P[1], P[2]);
        dJointSetUniversalAxis1(joint, 1, 0, 0);
        dJointSetUniversalAxis2(joint, 0, 1, 0);
    }
    return joint;
}

/* Column k of B by ODE itself: its forces for a unit on the joint's axis, on the bodies in the equations' order. */
static void odeWrench(Servo *s, int k, int type, const dBodyID *order)
{
    const ukActuator *a = &s->actuator[k];
    for (int i = 0; i < Bodies; i++) dBodySetForce(order[i], 0, 0, 0), dBodySetTorque(order[i], 0, 0, 0);
    if (!a->joint) {
        const dReal x = a->axis % 3 == 0, y = a->axis % 3 == 1, z = a->axis % 3 == 2;
        if (a->axis < 3)
            dBodyAddRelForce(a->body, x, y, z);
        else
            dBodyAddRelTorque(a->body, x, y, z);
    } else if (type == 0) {
        dJointAddHingeTorque(a->joint, 1);
    } else if (type == 1 && !dJointGetBody(a->joint, 0)) { /* where dJointAddSliderForce of ODE 0.16 adds nothing; */
        dVector3 axis; /* the axis of the joint's law is the opposite of ODE's there */
        dJointGetSliderAxis(a->joint, axis);
        dBodyAddForce(dJointGetBody(a->joint, 1), axis[0], axis[1], axis[2]);
    } else if (type == 1) {
        dJointAddSliderForce(a->joint, 1);
    } else {
        /* attached as (0, B), ODE's axes 1 and 2 are axes 1 and 0 of the joint's law */
        const int axis = dJointGetBody(a->joint, 0) ? a->axis : 1 - a->axis;
        dJointAddUniversalTorques(a->joint, axis == 0, axis == 1);
    }
    for (int i = 0; i < Bodies; i++) {
        memcpy(s->B[k] + 6 * i, dBodyGetForce(order[i]), 3 * sizeof(double));
        memcpy(s->B[k] + 6 * i + 3, dBodyGetTorque(order[i]), 3 * sizeof(double));
        dBodySetForce(order[i], 0, 0, 0), dBodySetTorque(order[i], 0, 0, 0);
    }
}

static double worst_qdd, worst_u;

/* Two bodies, a joint between them, perhaps a second one to the world, redundant actuators on joints and bodies. */
static int drawServo(Random *r, dWorldID world, Servo *s, dBodyID body[Bodies])
{
    const int type = randomBelow(r, 3), reversed = randomBelow(r, 2), grounded = randomBelow(r, 2);
    const int axes = type == 2 ? 2 : 1, turn = randomBelow(r, 6);
    *s = (Servo){.rows = 1 + randomBelow(r, Rows), .weighted = randomBelow(r, 3) == 0};
    for (int i = 0; i < Bodies; i++) body[i] = brick(world, r);
    const dJointID joint = joinBodies(world, r, body[reversed], body[!reversed], type);
    dJointID base = NULL;
    if (grounded) base = joinBodies(world, r, reversed ? NULL : body[0], reversed ? body[0] : NULL, type);
    if (grounded && type < 2 && s->rows > 2) s->rows = 2; /* as many as there are free axes */
    s->body[0] = body[randomBelow(r, 2)];
    s->body[1] = s->body[0] == body[0] ? body[1] : body[0];
    for (int i = 0; i < axes; i++) s->actuator[s->actuators++] = (ukActuator){.joint = joint, .axis = i};
    for (int i = 0; base && i < axes; i++) s->actuator[s->actuators++] = (ukActuator){.joint = base, .axis = i};
    while (s->actuators < Actuators && (s->actuators < Rows + 1 || randomBelow(r, 3))) {
        s->actuator[s->actuators] = (ukActuator){.body = body[s->actuators % 2], .axis = (s->actuators / 2 + turn) % 6};
        s->actuators++;
    }
    for (int k = 0; k < s->actuators; k++) s->actuator[k].cost = pow(10, randomUniform(r, -1, 1));
    for (int i = 0; i < s->rows * N; i++) s->A[i] = randomUniform(r, -1, 1);
    for (int i = 0; i < s->rows; i++) s->b[i] = randomUniform(r, -5, 5), s->W[i] = pow(10, randomUniform(r, -1, 1));
    if (s->weighted && s->rows > 1) /* contradictory */
        for (int i = 0; i < N; i++) s->A[(s->rows - 1) * N + i] = 0.7 * s->A[i];
    return type;
}

/* Against the conditions of optimality, for the equations of a solved step or state. */
static void checkLeast(const ukEquations *e, const Servo *s, ukConstraintID constraint, int seed)
{
    double A[Rows * N], u[Actuators], size = 0, off = 0, force[N], span[N] = {0};
    for (int i = 0; i < s->rows; i++)
        for (int c = 0; c < N; c++) A[i * N + c] = s->A[i * N + (e->bodies[0] == s->body[0] ? c : (c + 6) % N)];
    Real side[Rows], qdd[N], least[Actuators];
    for (int i = 0; i < s->rows; i++) side[i] = s->b[i];
    const int held = e->m - s->rows;
    if (s->weighted) leastCost(e, s, held, A, side, true, qdd, least);
    for (int i = 0; s->weighted && i < s->rows; i++) {
        side[i] = 0;
        for (int c = 0; c < N; c++) side[i] += A[i * N + c] * qdd[c];
    }
    leastCost(e, s, held, A, side, false, qdd, least);
    for (int i = 0; i < N; i++) {
        size = fmax(size, fabs((double)qdd[i]));
        off = fmax(off, fabs((double)qdd[i] - e->qdd[i]));
    }
    worst_qdd = fmax(worst_qdd, off / size);
    if (!CHECK(off <= 1e-10 * size)) printf("seed %d: accelerations off by %g\n", seed, off / size);
    CHECK(ukConstraintGetActuatorForces(constraint, u) == ukOk && ukConstraintGetForce(constraint, force) == ukOk);
    size = off = 0;
    for (int k = 0; k < s->actuators; k++) {
        size = fmax(size, fabs((double)least[k])), off = fmax(off, fabs((double)least[k] - u[k]));
        for (int i = 0; i < N; i++) span[i] += s->B[k][i] * u[k];
    }
    worst_u = fmax(worst_u, off / size);
    if (!CHECK(off <= 1e-10 * size)) printf("seed %d: forces off by %g\n", seed, off / size);
    for (int i = 0; i < N; i++) /* the force on the bodies is that of the actuators */
        CHECK_NEAR(force[e->bodies[0] == s->body[0] ? i : (i + 6) % N], span[i], 1e-10 * size);
}

static void compareFormula(uint64_t seed, ukIntegrator integrator)
{
    Random r = {.state = seed * 6151 + 11};
    const dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -9.81);
    dWorldSetCFM(world, 0);
    Servo s;
    dBodyID body[Bodies];
    const int type = drawServo(&r, world, &s, body);
    const ukConstraintID constraint = ukConstraintCreate(world, s.rows, s.body, Bodies, servoRows, &s);
    CHECK(ukConstraintSetActuators(constraint, s.actuator, s.actuators) == ukOk);
    CHECK(ukConstraintGetActuators(constraint, NULL) == s.actuators);
    if (s.weighted) CHECK(ukConstraintSetWeight(constraint, s.W, 0) == ukOk);
    ukWorldSetIntegrator(world, integrator);
    const dBodyID order[Bodies] = {body[1], body[0]}; /* the equations' order, or the opposite */
    for (int k = 0; k < s.actuators; k++) odeWrench(&s, k, type, order);
    const int done = integrator == ukIntegratorEuler ? ukWorldStep(world, 0.01) == 1 : ukWorldEvaluate(world) == ukOk;
    ukEquations e;
    ukReport report;
    if (!CHECK(done && ukWorldGetEquations(world, &e) == ukOk && ukWorldGetReport(world, &report) == ukOk)) {
        printf("seed %d: %s\n", (int)seed, ukGetLastErrorMessage());
        dWorldDestroy(world);
        return;
    }
    CHECK(report.ok == 1 && e.n == N);
    for (int k = 0; k < s.actuators && e.bodies[0] != order[0]; k++)
        for (int i = 0; i < 6; i++) {
            const double t = s.B[k][i];
            s.B[k][i] = s.B[k][6 + i], s.B[k][6 + i] = t;
        }
    checkLeast(&e, &s, constraint, (int)seed);
    dWorldDestroy(world);
}

/* ---- motion: two carts in a row on a rail, driven against the ground and against each other ---------------------- */

typedef struct Carts {
    dWorldID world;
    dBodyID cart[2];
    dJointID slider[2];
    ukConstraintID servo;
    double offset[2]; /* of the targets: two where the constraint has two rows */
    int rows;
} Carts;

static const double swing = 0.3, rate = 2; /* [m], [rad/s]: x of the first cart = swing sin(rate t) */

static int cartRows(const ukConstraintContext *context, dReal *A, dReal *b, void *data)
{
    const Carts *c = data;
    const int first = context->bodies[0].mass < 1.5 ? 0 : 1; /* in the constraint's list */
    for (int i = 0; i < c->rows; i++) {
        A[(2 * i + first) * 6] = 1;
        b[i] = -swing * rate * rate * sin(rate * context->time);
    }
    return 0;
}

static int cartErrors(const ukConstraintContext *context, dReal *phi, dReal *psi, void *data)
{
    const Carts *c = data;
    const ukBodyState *cart = &context->bodies[context->bodies[0].mass < 1.5 ? 0 : 1];
    for (int i = 0; i < c->rows; i++) {
        phi[i] = cart->position[0] - c->offset[i] - swing * sin(rate * context->time);
        psi[i] = cart->velocity[0] - swing * rate * cos(rate * context->time);
    }
    return 0;
}

static void makeCarts(Carts *c, bool reversed, int rows)
{
    *c = (Carts){.world = dWorldCreate(), .rows = rows};
    for (int i = 0; i < 2; i++) {
        dMass mass;
        dMassSetBoxTotal(&mass, 1 + i, 1, 1, 1);
        c->cart[i] = dBodyCreate(c->world);
        dBodySetMass(c->cart[i], &mass);
        dBodySetPosition(c->cart[i], i, 0, 0);
        c->slider[i] = dJointCreateSlider(c->world, NULL);
        const dBodyID on[2] = {c->cart[i], i == 0 ? NULL : c->cart[0]};
        dJointAttach(c->slider[i], on[reversed], on[!reversed]);
        dJointSetSliderAxis(c->slider[i], 1, 0, 0);
    }
    dWorldSetGravity(c->world, 0, 0, -9.81);
    dBodySetLinearVel(c->cart[0], swing * rate, 0, 0);
    const dBodyID list[2] = {c->cart[reversed], c->cart[!reversed]};
    c->servo = ukConstraintCreate(c->world, rows, list, 2, cartRows, c);
    ukConstraintSetError(c->servo, cartErrors, c);
    const ukActuator actuator[2] = {{.joint = c->slider[0], .cost = 1}, {.joint = c->slider[1], .cost = 3}};
    CHECK(ukConstraintSetActuators(c->servo, actuator, 2) == ukOk);
    ukActuator back[2];
    CHECK(ukConstraintGetActuators(c->servo, back) == 2 && back[1].joint == c->slider[1] && back[1].cost == 3);
}

/* u_1 - u_2 = m_1 alpha with least u_1^2 + 3 u_2^2 where slider 1 pushes cart 1 against the ground and slider 2 pushes
 * cart 2 against cart 1: u_1 = 3/4 m_1 alpha, u_2 = -1/4 m_1 alpha; nothing else acts along the rail */
static void cartsMove(ukIntegrator integrator, bool reversed)
{
    Carts c;
    makeCarts(&c, reversed, 1);
    ukWorldSetIntegrator(c.world, integrator);
    ukWorldSetLedger(c.world, 1);
    const double h = 0.01, tolerance = integrator == ukIntegratorEuler ? 0.01 : 1e-6;
    for (int i = 0; i < 200; i++)
        if (!CHECK(ukWorldStep(c.world, h) == 1)) printf("%s\n", ukGetLastErrorMessage());
    double u[2], force[12];
    ukReport report;
    const double t = ukWorldGetTime(c.world), alpha = -swing * rate * rate * sin(rate * t);
    CHECK(ukWorldGetReport(c.world, &report) == ukOk && report.ok == 1 && report.feasibility < 1e-9);
    CHECK_NEAR(dBodyGetPosition(c.cart[0])[0], swing * sin(rate * t), tolerance);
    CHECK_NEAR(dBodyGetLinearVel(c.cart[0])[0], swing * rate * cos(rate * t), 2 * tolerance);
    CHECK(ukConstraintGetActuatorForces(c.servo, u) == ukOk && ukConstraintGetForce(c.servo, force) == ukOk);
    CHECK_NEAR(fabs(u[0]), 0.75 * fabs(alpha), 4 * tolerance);
    CHECK_NEAR((reversed ? -1 : 1) * u[1] + u[0] / 3, 0, 1e-9);        /* slider 2 pushes the body attached first */
    CHECK_NEAR(force[reversed ? 6 : 0], alpha, 4 * tolerance);         /* cart 1: u_1 - u_2 */
    CHECK_NEAR(force[reversed ? 0 : 6], -0.25 * alpha, 4 * tolerance); /* cart 2: u_2 */

    /* restored with the actuators, whatever has been set since: the same bits */
    const size_t size = ukWorldSave(c.world, NULL, 0);
    void *saved = malloc(size);
    unsigned char hash[2][16];
    CHECK(ukWorldSave(c.world, saved, size) == size);
    for (int k = 0; k < 2; k++) {
        const ukActuator other = {.body = c.cart[0], .axis = 0, .cost = 1};
        CHECK(ukConstraintSetActuators(c.servo, &other, k) == ukOk);
        CHECK(ukWorldRestore(c.world, saved, size) == ukOk && ukConstraintGetActuators(c.servo, NULL) == 2);
        double restored[2] = {0};
        CHECK(ukConstraintGetActuatorForces(c.servo, restored) == ukOk && restored[0] == u[0] && restored[1] == u[1]);
        for (int i = 0; i < 20; i++) CHECK(ukWorldStep(c.world, h) == 1);
        ukWorldHash(c.world, hash[k]);
    }
    CHECK(memcmp(hash[0], hash[1], 16) == 0);
    dJointDestroy(c.slider[1]);
    ukActuator kept[2];
    CHECK(ukConstraintGetActuators(c.servo, kept) == 2 && kept[0].joint == c.slider[0] && !kept[1].joint &&
          !kept[1].body);
    CHECK(ukWorldStep(c.world, h) == 0 && ukGetLastError() == ukErrorUnsupported);
    CHECK(strstr(ukGetLastErrorMessage(), "destroyed") != NULL);
    free(saved);
    dWorldDestroy(c.world);
}

/* two targets 0 and 1 m with weights 3 and 1: the cart swings about 1/4 m; without a weight they contradict each
 * other */
static void weightedTargets(ukIntegrator integrator)
{
    Carts c;
    makeCarts(&c, false, 2);
    c.offset[1] = 1;
    ukWorldSetIntegrator(c.world, integrator);
    const double weight[2] = {3, 1}, diverse[2] = {1, 1};
    CHECK(ukConstraintSetWeight(c.servo, weight, 0) == ukOk);
    for (int i = 0; i < 300; i++) CHECK(ukWorldStep(c.world, 0.01) == 1);
    const double t = ukWorldGetTime(c.world);
    CHECK_NEAR(dBodyGetPosition(c.cart[0])[0], 0.25 + swing * sin(rate * t),
               integrator == ukIntegratorEuler ? 0.01 : 1e-6);
    CHECK(ukConstraintSetWeight(c.servo, diverse, 0) == ukOk);
    for (int i = 0; i < 300; i++) CHECK(ukWorldStep(c.world, 0.01) == 1);
    CHECK_NEAR(dBodyGetPosition(c.cart[0])[0], 0.5 + swing * sin(rate * ukWorldGetTime(c.world)),
               integrator == ukIntegratorEuler ? 0.01 : 1e-6);
    dWorldDestroy(c.world);
}

/* ---- a row whose accelerations vanish ---------------------------------------------------------------------------- */

static int levelRows(const ukConstraintContext *context, dReal *A, dReal *b, void *data)
{
    (void)b, (void)data;
    A[6 * (context->count - 1) + 2] = 1;
    return 0;
}

static int levelErrors(const ukConstraintContext *context, dReal *phi, dReal *psi, void *data)
{
    (void)data;
    phi[0] = context->bodies[context->count - 1].position[2];
    psi[0] = context->bodies[context->count - 1].velocity[2];
    return 0;
}

typedef struct Arm {
    dWorldID world;
    dBodyID link[2];
    dJointID hinge[2];
} Arm;

/* An arm of two links: the motors of its hinges keep the centre of the second link at its height. */
static void makeArm(Arm *arm, ukIntegrator integrator, bool reversed)
{
    ukActuator actuator[2];
    arm->world = dWorldCreate();
    dWorldSetGravity(arm->world, 0, 0, -9.81);
    for (int i = 0; i < 2; i++) {
        dMass mass;
        dMassSetBoxTotal(&mass, 2, 1, 0.1, 0.1);
        arm->link[i] = dBodyCreate(arm->world);
        dBodySetMass(arm->link[i], &mass);
        dBodySetPosition(arm->link[i], 0.5 + i, 0, 0);
        const dJointID hinge = arm->hinge[i] = dJointCreateHinge(arm->world, NULL);
        const dBodyID on[2] = {arm->link[i], i == 0 ? NULL : arm->link[0]};
        dJointAttach(hinge, on[reversed], on[!reversed]);
        dJointSetHingeAnchor(hinge, i, 0, 0);
        dJointSetHingeAxis(hinge, 0, 1, 0);
        actuator[i] = (ukActuator){.joint = hinge, .cost = 1 + i};
    }
    ukWorldSetIntegrator(arm->world, integrator);
    ukWorldSetGaussCheck(arm->world, 1e-9, ukCheckStop);
    const ukConstraintID level = ukConstraintCreate(arm->world, 1, arm->link, 2, levelRows, NULL);
    ukConstraintSetError(level, levelErrors, NULL);
    CHECK(ukConstraintSetActuators(level, actuator, 2) == ukOk);
}

/* The row has the one term z'' = 0, which is of the size of its rounding: the check must not take that for the scale of
 * the row. */
static void keepsLevel(ukIntegrator integrator, bool reversed)
{
    Arm arm;
    makeArm(&arm, integrator, reversed);
    for (int i = 0; i < 100; i++)
        if (!CHECK(ukWorldStep(arm.world, 0.01) == 1)) printf("%s\n", ukGetLastErrorMessage());
    CHECK_NEAR(dBodyGetPosition(arm.link[1])[2], 0, 1e-12);
    dWorldDestroy(arm.world);
}

/* ---- order of the integrators, with and without joint laws ------------------------------------------------------- */

/* a torque about the first hinge that depends on its ideal force */
static void bearing(const ukNonIdealContext *context, double force_and_torque[2][6], void *data)
{
    const int link = context->body[0] ? 0 : 1;
    const double *f = context->ideal[link];
    (void)data;
    force_and_torque[link][4] = -0.02 * sqrt(f[0] * f[0] + f[2] * f[2]) * context->body[link]->spin[1];
}

/* The first link's height after a second; the arm falls from a fold, in which the first link turns by a radian. */
static double heightOf(ukIntegrator integrator, double h, bool laws, bool reversed)
{
    Arm arm;
    makeArm(&arm, integrator, reversed);
    dBodySetLinearVel(arm.link[0], 0, 0, 0.75);
    dBodySetAngularVel(arm.link[0], 0, -1.5, 0);
    dBodySetAngularVel(arm.link[1], 0, 3, 0);
    ukWorldSetTolerance(arm.world, 1e-11, 1e-11);
    if (laws) {
        CHECK(ukJointSetNonIdeal(arm.hinge[0], bearing, NULL) == ukOk);
        CHECK(ukJointSetViscous(arm.hinge[1], 0.5) == ukOk);
    }
    for (double t = 0; t < 1 - h / 2; t += h)
        if (!CHECK(ukWorldStep(arm.world, h) == 1)) printf("%s\n", ukGetLastErrorMessage());
    const double z = dBodyGetPosition(arm.link[0])[2];
    dWorldDestroy(arm.world);
    return z;
}

/* RK4 is of fourth order, RATTLE of second, Euler of first, as without actuators. */
static void ordersOf(bool laws, bool reversed)
{
    const struct {
        ukIntegrator integrator;
        double h, ratio;
    } kind[] = {{ukIntegratorRK4, 0.005, 14}, {ukIntegratorRattle, 0.01, 3.8}, {ukIntegratorEuler, 0.0025, 1.9}};
    const double exact = heightOf(ukIntegratorAdaptive, 0.02, laws, reversed);
    for (int i = 0; i < 3; i++) {
        const double coarse = fabs(heightOf(kind[i].integrator, kind[i].h, laws, reversed) - exact);
        const double fine = fabs(heightOf(kind[i].integrator, kind[i].h / 2, laws, reversed) - exact);
        printf("laws %d, integrator %d: error %.2g, of half the step %.2g, ratio %.2f\n", laws, kind[i].integrator,
               coarse, fine, coarse / fine);
        CHECK(coarse > kind[i].ratio * fine && fine < 0.02);
    }
}

/* ---- what is refused --------------------------------------------------------------------------------------------- */

static void checkRefused(const Carts *c, int status, const char *what)
{
    dReal before[3], after[3];
    memcpy(before, dBodyGetPosition(c->cart[1]), sizeof before);
    CHECK(ukWorldStep(c->world, 0.01) == 0 && ukGetLastError() == status);
    if (!CHECK(strstr(ukGetLastErrorMessage(), what) != NULL)) printf("%s: %s\n", what, ukGetLastErrorMessage());
    CHECK(ukWorldEnable(c->world) == 0 && dWorldStep(c->world, 0.01) == 0 && ukGetLastError() == status);
    CHECK(strstr(ukGetLastErrorMessage(), what) != NULL && ukWorldDisable(c->world) == 0);
    memcpy(after, dBodyGetPosition(c->cart[1]), sizeof after);
    CHECK(memcmp(before, after, sizeof before) == 0);
}

static void refused(void)
{
    Carts c;
    makeCarts(&c, false, 1);
    const ukActuator sideways = {.body = c.cart[0], .axis = 1, .cost = 1}, good = {.joint = c.slider[0], .cost = 1};
    const ukActuator wrong[] = {{.joint = c.slider[0], .cost = 0},
                                {.joint = c.slider[0], .axis = 1, .cost = 1},
                                {.body = c.cart[0], .axis = 6, .cost = 1},
                                {.body = c.cart[0], .axis = -1, .cost = 1},
                                {.body = c.cart[0], .cost = NAN}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(ukConstraintSetActuators(c.servo, &wrong[i], 1) == ukErrorArgument);
    const ukActuator none = {.cost = 1};
    CHECK(ukConstraintSetActuators(c.servo, &none, 1) == ukErrorHandle);
    CHECK(ukConstraintSetActuators(NULL, &good, 1) == ukErrorHandle && ukConstraintGetActuators(NULL, NULL) == 0);
    CHECK(ukConstraintGetActuators(c.servo, NULL) == 2);

    CHECK(ukConstraintSetActuators(c.servo, &sideways, 1) == ukOk);
    ukWorldSetTime(c.world, 1);
    checkRefused(&c, ukErrorContradiction, "row 0");
    CHECK(ukConstraintSetActuators(c.servo, &good, 1) == ukOk);
    CHECK(ukWorldSetStabilization(c.world, ukStabilizeSplit, 0, 0) == ukOk);
    checkRefused(&c, ukErrorUnsupported, "split");
    ukWorldSetStabilization(c.world, ukStabilizeProjection, 0, 0);
    const ukConstraintID second = ukConstraintCreate(c.world, 1, c.cart, 2, cartRows, &c);
    CHECK(ukConstraintSetActuators(second, &good, 1) == ukOk);
    checkRefused(&c, ukErrorUnsupported, "another constraint");
    ukConstraintDestroy(second);
    ukLinearization linear;
    CHECK(ukWorldLinearize(c.world, NULL, 0, NULL, 0, 0, &linear) == ukErrorUnsupported);
    ukMobility mobility; /* its rows, not those of the actuators, leave what can move: the second cart */
    CHECK(ukWorldGetMobility(c.world, &mobility) == ukOk && mobility.count == 1);
    CHECK(ukWorldStep(c.world, 0.01) == 1);
    CHECK(ukConstraintSetActuators(c.servo, NULL, 0) == ukOk && ukConstraintGetActuators(c.servo, NULL) == 0);
    CHECK(ukWorldStep(c.world, 0.01) == 1);
    dWorldDestroy(c.world);
}

static int accelerates(const ukConstraintContext *context, dReal *A, dReal *b, void *data)
{
    (void)context, (void)data;
    A[0] = 1, b[0] = 3;
    return 0;
}

/* The other body of an actuator's joint is kinematic: the constraint need not have it, as it need not have the
 * world. */
static void onKinematicBase(ukIntegrator integrator, bool reversed)
{
    const double h = 0.01;
    const dWorldID world = dWorldCreate();
    const dBodyID base = dBodyCreate(world), cart = dBodyCreate(world);
    const dJointID slider = dJointCreateSlider(world, 0);
    double u;
    dBodySetKinematic(base);
    dJointAttach(slider, reversed ? base : cart, reversed ? cart : base);
    dJointSetSliderAxis(slider, 1, 0, 0);
    const ukConstraintID servo = ukConstraintCreate(world, 1, &cart, 1, accelerates, NULL);
    const ukActuator actuator = {.joint = slider, .cost = 1};
    CHECK(ukWorldSetIntegrator(world, integrator) == ukOk);
    CHECK(ukConstraintSetActuators(servo, &actuator, 1) == ukOk);
    for (int i = 1; i <= 20; i++) {
        if (!CHECK(ukWorldStep(world, h) == 1)) printf("%s\n", ukGetLastErrorMessage());
        CHECK_NEAR(dBodyGetLinearVel(cart)[0], 3 * i * h, 1e-12);
        CHECK(ukConstraintGetActuatorForces(servo, &u) == ukOk);
        CHECK_NEAR(fabs(u), 3, 1e-12); /* the cart's mass is 1 kg */
        CHECK(dBodyGetLinearVel(base)[0] == 0);
    }
    dWorldDestroy(world);
}

int main(void)
{
    static const ukIntegrator integrators[] = {ukIntegratorEuler, ukIntegratorRK4, ukIntegratorAdaptive,
                                               ukIntegratorRattle};
    dInitODE2(0);
    for (int k = 0; k < 4; k++) onKinematicBase(k / 2 ? ukIntegratorRK4 : ukIntegratorEuler, k % 2);
    for (uint64_t seed = 1; seed <= (uint64_t)ukTestRounds(1000); seed++) compareFormula(seed, integrators[seed % 4]);
    for (int k = 0; k < 8; k++) cartsMove(integrators[k / 2], k % 2);
    for (int k = 0; k < 4; k++) weightedTargets(integrators[k]);
    for (int k = 0; k < 8; k++) keepsLevel(integrators[k / 2], k % 2);
    for (int k = 0; k < 4; k++) ordersOf(k / 2, k % 2);
    refused();
    printf("largest differences: accelerations %.2g, forces %.2g\n", worst_qdd, worst_u);
    dCloseODE();
    return ukTestEnd();
}
