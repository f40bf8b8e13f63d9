/* SPDX-License-Identifier: BSD-3-Clause */
/* Linear operators (ukLinearOperator) against the matrices of ukWorldLinearize: random worlds of every joint type with
 * loops, motors, mechanisms with redundant rows, a rolling ball, contacts and a stop, islands; transposes and inputs;
 * the cost of a product of a long chain; refusals; the world afterwards. With an argument: that many random worlds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ukode/analysis.h>

#include "demos/scenes.h"
#include "solvers/base/lapack.h"
#include "tests/check.h"
#include "tests/support/random_world.h"

#undef I /* of complex.h */

/* ---- N A N' M and N B, by the matrices --------------------------------------------------------------------------- */

typedef struct Formed {
    ukLinearization l;
    int n, m;           /* 6 x bodies; positions + velocities */
    double *M, *N, *MN; /* (n x n); (m x 2n) rows of N', and of N' M */
} Formed;

static void formed(Formed *f, const ukLinearization *l)
{
    f->l = *l, f->n = 6 * l->bodies, f->m = l->positions + l->velocities;
    const int n = f->n;
    f->M = calloc((size_t)(n * n), sizeof(double));
    f->N = calloc((size_t)(f->m * 2 * n + 1), sizeof(double));
    f->MN = calloc((size_t)(f->m * 2 * n + 1), sizeof(double));
    for (int k = 0; k < l->bodies; k++) {
        dMass mass;
        dBodyGetMass(l->body[k], &mass);
        const dReal *const R = dBodyGetRotation(l->body[k]);
        for (int i = 0; i < 3; i++) {
            f->M[(6 * k + i) * n + 6 * k + i] = mass.mass;
            for (int j = 0; j < 3; j++)
                for (int a = 0; a < 3; a++)
                    for (int b = 0; b < 3; b++)
                        f->M[(6 * k + 3 + i) * n + 6 * k + 3 + j] += R[4 * i + a] * mass.I[4 * a + b] * R[4 * j + b];
        }
    }
    for (int i = 0; i < f->m; i++) {
        const bool pose = i < l->positions;
        const double *const from = pose ? l->Nq + i * n : l->Nv + (i - l->positions) * n;
        double *const to = f->N + i * 2 * n + (pose ? 0 : n), *const scaled = f->MN + i * 2 * n + (pose ? 0 : n);
        for (int j = 0; j < n; j++) {
            to[j] = from[j];
            for (int k = 0; k < n; k++) scaled[j] += from[k] * f->M[k * n + j];
        }
    }
}

static void freeFormed(Formed *f)
{
    free(f->M);
    free(f->N);
    free(f->MN);
}

/* y (2n) = N A N' M x, or its transpose */
static void applyFormed(const Formed *f, bool transposed, const double *x, double *y)
{
    const double *const in = transposed ? f->N : f->MN, *const out = transposed ? f->MN : f->N;
    const int n = 2 * f->n, m = f->m;
    double *const a = calloc((size_t)(2 * m + 1), sizeof *a), *const b = a + m;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) a[i] += in[i * n + j] * x[j];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) b[i] += (transposed ? f->l.A[j * m + i] : f->l.A[i * m + j]) * a[j];
    memset(y, 0, (size_t)n * sizeof *y);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) y[j] += out[i * n + j] * b[i];
    free(a);
}

static double largestOf(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

static double apartOf(const double *x, const double *y, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i] - y[i]));
    return most;
}

/* Differences of products with vectors along no special direction, over the size of the products. */
static double worstProduct(ukLinearOperatorID o, const Formed *f, Random *random)
{
    const int n = 2 * f->n, in = f->l.inputs;
    double worst = 0, *const x = calloc((size_t)(4 * n), sizeof *x), *const y = x + n, *const z = y + n;
    double u[4], v[4];
    for (int trial = 0; trial < 3; trial++)
        for (int side = 0; side < 2; side++) {
            for (int i = 0; i < n; i++) x[i] = randomUniform(random, -1, 1);
            applyFormed(f, side == 1, x, z);
            CHECK(ukLinearOperatorApply(o, side, x, y) == ukOk);
            worst = fmax(worst, apartOf(y, z, n) / fmax(largestOf(z, n), 1e-3));
            CHECK(ukLinearOperatorApply(o, side, x, x) == ukOk && apartOf(x, y, n) == 0); /* in place */
        }
    for (int i = 0; i < in; i++) u[i] = randomUniform(random, -1, 1);
    memset(z, 0, (size_t)n * sizeof *z);
    for (int i = 0; i < f->m; i++)
        for (int j = 0; j < in; j++)
            for (int k = 0; k < n; k++) z[k] += f->N[i * n + k] * f->l.B[i * in + j] * u[j];
    CHECK(ukLinearOperatorApplyInputs(o, 0, u, y) == ukOk);
    if (in > 0) worst = fmax(worst, apartOf(y, z, n) / fmax(largestOf(z, n), 1e-3));
    for (int i = 0; i < n; i++) x[i] = randomUniform(random, -1, 1);
    CHECK(ukLinearOperatorApplyInputs(o, 1, x, v) == ukOk);
    double size = 0;
    for (int j = 0; j < in; j++) {
        double sum = 0;
        for (int i = 0; i < f->m; i++)
            for (int k = 0; k < n; k++) sum += f->N[i * n + k] * f->l.B[i * in + j] * x[k];
        size = fmax(size, fabs(sum));
        v[j] -= sum;
    }
    if (in > 0) worst = fmax(worst, largestOf(v, in) / fmax(size, 1e-3));
    memset(z, 0, (size_t)n * sizeof *z);
    for (int i = 0; i < f->m; i++)
        for (int k = 0; k < n; k++) z[k] += f->N[i * n + k] * f->l.f[i];
    ukLinearOperatorInfo info;
    CHECK(ukLinearOperatorGetInfo(o, &info) == ukOk);
    worst = fmax(worst, apartOf(info.f, z, n) / fmax(largestOf(z, n), 1e-3));
    free(x);
    return worst;
}

/* Compares both about the world's present state; false: one of them is refused. */
static bool agrees(dWorldID w, const char *name, const ukSignal *in, int inputs, double most)
{
    Random random = {.state = 7};
    ukLinearization l;
    if (ukWorldLinearize(w, in, inputs, NULL, 0, 0, &l) != ukOk) return false;
    const ukLinearOperatorID o = ukLinearOperatorCreate(w, in, inputs);
    if (!o) return false;
    ukLinearOperatorInfo info;
    Formed f;
    CHECK(ukLinearOperatorGetInfo(o, &info) == ukOk && info.bodies == l.bodies && info.inputs == inputs);
    bool same = info.rank == l.rank && info.redundant == l.redundant && info.positions == l.positions &&
                info.velocities == l.velocities && strcmp(info.activity, l.activity) == 0;
    for (int k = 0; k < l.bodies; k++) same = same && info.body[k] == l.body[k];
    if (!CHECK(same)) printf("  %s: rank %d, %d\n", name, info.rank, l.rank);
    formed(&f, &l);
    const double off = worstProduct(o, &f, &random), within = most + 100 * (l.error + info.error);
    if (!CHECK(off <= within)) printf("  %s: off by %.2g, errors %.2g %.2g\n", name, off, l.error, info.error);
    freeFormed(&f);
    ukLinearOperatorDestroy(o);
    return true;
}

/* ---- worlds ------------------------------------------------------------------------------------------------------ */

static bool randomAgrees(uint64_t seed, bool bounded)
{
    RandomWorldKind of = {.cfm_lo = 1e-12, .cfm_hi = 1e-11};
    of.types = randomEqualityTypes & ~(1 << dJointTypeTransmission);
    of.loops = seed % 3 == 0;
    of.bounded_motors = bounded;
    RandomWorld r;
    char name[40];
    snprintf(name, sizeof name, "random world %d", (int)seed);
    randomWorldBuild(&r, seed, &of);
    ukWorldEnable(r.world);
    ukWorldSetIntegrator(r.world, ukIntegratorAdaptive);
    const bool met = ukWorldProject(r.world) == ukOk;
    const dReal *const x = dBodyGetPosition(r.body[0]);
    const dReal before[3] = {x[0], x[1], x[2]};
    const ukSignal in[2] = {{.kind = ukSignalBodyForce, .body = r.body[0], .axis = (int)(seed % 6)},
                            {.kind = ukSignalBodyForce, .body = r.body[r.bodies - 1], .axis = (int)(seed % 5)}};
    const bool taken = met && agrees(r.world, name, in, 2, 1e-9);
    CHECK(x[0] == before[0] && x[1] == before[1] && x[2] == before[2]);
    randomWorldDestroy(&r);
    return taken;
}

static void checkScene(Scene *s, const char *name, int steps)
{
    ukWorldEnable(s->world);
    ukWorldSetIntegrator(s->world, ukIntegratorAdaptive);
    for (int i = 0; i < steps; i++) CHECK(ukWorldStep(s->world, 0.005));
    const ukSignal in = {.kind = ukSignalBodyForce, .body = ukWorldGetBody(s->world, 0), .axis = 4};
    if (!CHECK(agrees(s->world, name, &in, 1, 1e-9))) printf("  %s: %s\n", name, ukGetLastErrorMessage());
    sceneDestroy(s);
}

static double load(const double ideal[6])
{
    return sqrt(ideal[0] * ideal[0] + ideal[1] * ideal[1] + ideal[2] * ideal[2]);
}

/* A torque against the rate, of the load if `data` is not NULL. */
static void brake(const ukNonIdealContext *c, double f[2][6], void *data)
{
    const double x = -(data ? 0.01 * load(c->ideal[0]) : 0.3) * c->rate[0];
    for (int k = 0; k < 3; k++) f[0][3 + k] = x * c->axis[0][k], f[1][3 + k] = -f[0][3 + k];
}

/* Laws of the state are forces of the tangent; those that depend on loads have none. */
static void checkLaws(void)
{
    Scene *const s = sceneFourBar();
    ukLinearization l;
    ukWorldEnable(s->world);
    ukWorldSetIntegrator(s->world, ukIntegratorAdaptive);
    const ukSignal in = {.kind = ukSignalBodyForce, .body = ukWorldGetBody(s->world, 0), .axis = 4};
    CHECK(ukJointSetViscous(ukWorldGetJoint(s->world, 0), 0.2) == ukOk);
    CHECK(ukJointSetDrag(ukWorldGetJoint(s->world, 1), 0.3) == ukOk);
    CHECK(ukJointSetNonIdeal(ukWorldGetJoint(s->world, 2), brake, NULL) == ukOk);
    for (int i = 0; i < 60; i++) CHECK(ukWorldStep(s->world, 0.005));
    if (!CHECK(agrees(s->world, "four-bar with laws", &in, 1, 1e-9))) printf("  %s\n", ukGetLastErrorMessage());
    CHECK(ukWorldLinearize(s->world, NULL, 0, NULL, 0, 0, &l) == ukOk);
    CHECK(l.A[3] < -0.01);
    CHECK(ukJointSetNonIdeal(ukWorldGetJoint(s->world, 2), brake, s) == ukOk);
    CHECK(!ukLinearOperatorCreate(s->world, NULL, 0) && ukGetLastError() == ukErrorUnsupported);
    sceneDestroy(s);
}

static const double radius = 0.3;

/* v + w x (0, 0, -radius) = 0 along x and y, nonholonomic, and no motion along z */
static int rollRows(const ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)c;
    (void)b;
    (void)data;
    A[0] = 1, A[4] = -radius;
    A[7] = 1, A[9] = radius;
    A[14] = 1;
    return 0;
}

static int rollErrors(const ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    const ukBodyState *const s = c->bodies;
    (void)data;
    phi[0] = phi[1] = NAN;
    phi[2] = s->position[2] - radius;
    psi[0] = s->velocity[0] - radius * s->spin[1];
    psi[1] = s->velocity[1] + radius * s->spin[0];
    psi[2] = s->velocity[2];
    return 0;
}

/* A ball that rolls on the plane z = 0, with a rod on a universal joint and a motor: two nonholonomic rows, so that
 * there are more positions than velocities. */
static void checkRolling(void)
{
    const dWorldID w = dWorldCreate();
    dMass mass;
    ukWorldEnable(w);
    dWorldSetGravity(w, 0.3, 0, -9.81);
    const dBodyID ball = dBodyCreate(w), rod = dBodyCreate(w);
    dMassSetSphereTotal(&mass, 2, radius);
    dBodySetMass(ball, &mass);
    dBodySetPosition(ball, 0, 0, radius);
    dMassSetBoxTotal(&mass, 1, 0.1, 0.1, 0.6);
    dBodySetMass(rod, &mass);
    dBodySetPosition(rod, 0, 0, 0);
    const dJointID pivot = dJointCreateUniversal(w, 0);
    dJointAttach(pivot, ball, rod);
    dJointSetUniversalAnchor(pivot, 0, 0, radius);
    dJointSetUniversalAxis1(pivot, 1, 0, 0);
    dJointSetUniversalAxis2(pivot, 0, 1, 0);
    const ukConstraintID roll = ukConstraintCreate(w, 3, &ball, 1, rollRows, NULL);
    CHECK(roll && ukConstraintSetError(roll, rollErrors, NULL) == ukOk);
    const dJointID drive = dJointCreateLMotor(w, 0);
    dJointAttach(drive, rod, 0);
    dJointSetLMotorNumAxes(drive, 1);
    dJointSetLMotorAxis(drive, 0, 0, 0, 1, 0);
    dJointSetLMotorParam(drive, dParamVel, 0);
    dJointSetLMotorParam(drive, dParamFMax, 500);
    ukLinearization l;
    const ukSignal in[3] = {{.kind = ukSignalJointForce, .joint = pivot, .axis = 0},
                            {.kind = ukSignalMotorVelocity, .joint = drive},
                            {.kind = ukSignalBodyForce, .body = rod, .axis = 1}};
    if (CHECK(ukWorldLinearize(w, in, 3, NULL, 0, 0, &l) == ukOk)) CHECK(l.positions > l.velocities);
    if (!CHECK(agrees(w, "rolling ball", in, 3, 1e-9))) printf("  %s\n", ukGetLastErrorMessage());
    dWorldDestroy(w);
}

/* A box that sticks on its lower edge, with a pendulum that a stop carries, on a hinge that is a spring by its CFM.
 * Either order of attachment. */
static void checkContacts(bool swapped)
{
    const double a = 0.4, low = a / sqrt(2);
    const dWorldID w = dWorldCreate();
    dMass mass;
    ukWorldEnable(w);
    dWorldSetGravity(w, 0, 0, -9.81);
    const dBodyID box = dBodyCreate(w), rod = dBodyCreate(w);
    const dQuaternion q = {cos(M_PI / 8), 0, sin(M_PI / 8), 0};
    dMassSetBoxTotal(&mass, 3, a, a, a);
    dBodySetMass(box, &mass);
    dBodySetPosition(box, 0, 0, low);
    dBodySetQuaternion(box, q);
    dMassSetBoxTotal(&mass, 1, 1, 0.1, 0.1);
    dBodySetMass(rod, &mass);
    dBodySetPosition(rod, 0.5, 0, low);
    const dJointID hinge = dJointCreateHinge(w, 0);
    dJointAttach(hinge, swapped ? box : rod, swapped ? rod : box);
    dJointSetHingeAnchor(hinge, 0, 0, low);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    dJointSetHingeParam(hinge, swapped ? dParamHiStop : dParamLoStop, 0); /* the angle in which the rod falls */
    dJointSetHingeParam(hinge, swapped ? dParamLoStop : dParamHiStop, 0);
    for (int k = 0; k < 2; k++) {
        dContact c;
        memset(&c, 0, sizeof c);
        c.surface.mode = dContactApprox1;
        c.surface.mu = 5;
        c.geom.pos[1] = k ? a / 2 : -a / 2;
        c.geom.normal[2] = swapped ? -1 : 1;
        dJointAttach(dJointCreateContact(w, 0, &c), swapped ? 0 : box, swapped ? box : 0);
    }
    ukLinearization l;
    const ukSignal in = {.kind = ukSignalJointForce, .joint = hinge};
    if (CHECK(ukWorldLinearize(w, &in, 1, NULL, 0, 0, &l) == ukOk)) CHECK(strstr(l.activity, "2 stick"));
    if (!CHECK(agrees(w, "contacts and a stop", &in, 1, 1e-9))) printf("  %s\n", ukGetLastErrorMessage());
    dWorldDestroy(w);
}

/* Several islands: pendula on a kinematic body that moves, one of them asleep, a free body that spins. Either order of
 * attachment. */
static void checkIslands(bool swapped)
{
    const dWorldID w = dWorldCreate();
    dMass mass;
    ukWorldEnable(w);
    dWorldSetGravity(w, 0, 0, -9.81);
    const dBodyID cart = dBodyCreate(w);
    dBodySetKinematic(cart);
    dBodySetLinearVel(cart, 1, 0, 0);
    dBodyID last = 0;
    for (int k = 0; k < 3; k++) {
        const dBodyID rod = dBodyCreate(w);
        dMassSetBoxTotal(&mass, 1 + k, 0.1, 0.2, 1);
        dBodySetMass(rod, &mass);
        dBodySetPosition(rod, k, 0, -0.5);
        dBodySetLinearVel(rod, k < 2 ? 1 : 0, 0, 0);
        const dJointID hinge = dJointCreateHinge(w, 0);
        const dBodyID base = k < 2 ? cart : 0;
        dJointAttach(hinge, swapped ? base : rod, swapped ? rod : base);
        dJointSetHingeAnchor(hinge, k, 0, 0);
        dJointSetHingeAxis(hinge, 0, 1, 0);
        last = rod;
    }
    dBodySetAutoDisableFlag(last, 1);
    dBodyDisable(last);
    const dBodyID stone = dBodyCreate(w);
    dMassSetBoxTotal(&mass, 2, 1, 2, 3);
    dBodySetMass(stone, &mass);
    dBodySetPosition(stone, 9, 9, 9);
    dBodySetAngularVel(stone, 1, 2, 3);
    const ukSignal in[2] = {{.kind = ukSignalBodyForce, .body = stone, .axis = 5},
                            {.kind = ukSignalJointForce, .joint = ukWorldGetJoint(w, 1)}};
    if (!CHECK(agrees(w, "islands", in, 2, 1e-9))) printf("  %s\n", ukGetLastErrorMessage());
    CHECK(!dBodyIsEnabled(last));
    dWorldDestroy(w);
}

/* ---- cost and refusals ------------------------------------------------------------------------------------------- */

static double secondsOf(clock_t from)
{
    return (double)(clock() - from) / CLOCKS_PER_SEC;
}

/* A chain of 300 rods, a product with A and with B: at most 4 of its Euler steps. */
static void checkCost(void)
{
    enum { Rods = 300, Rounds = 5, Repeats = 10 };
    Scene *const s = sceneHingeChain(Rods);
    double step = 1e9, product[2] = {1e9, 1e9};
    ukWorldEnable(s->world);
    for (int i = 0; i < 5; i++) CHECK(ukWorldStep(s->world, 1e-3));
    const ukSignal in[3] = {{.kind = ukSignalBodyForce, .body = ukWorldGetBody(s->world, 10), .axis = 4},
                            {.kind = ukSignalBodyForce, .body = ukWorldGetBody(s->world, 100), .axis = 4},
                            {.kind = ukSignalBodyForce, .body = ukWorldGetBody(s->world, 200), .axis = 4}};
    const ukLinearOperatorID o = ukLinearOperatorCreate(s->world, in, 3);
    double *const x = calloc(2 * 12 * Rods, sizeof *x), u[3] = {1, 2, 3};
    for (int i = 0; i < 12 * Rods; i++) x[i] = sin(i);
    for (int round = 0; o && round < Rounds; round++) {
        clock_t from = clock();
        for (int i = 0; i < Repeats; i++) CHECK(ukWorldStep(s->world, 1e-3));
        step = fmin(step, secondsOf(from));
        from = clock();
        for (int i = 0; i < Repeats; i++) ukLinearOperatorApply(o, i % 2, x, x + 12 * Rods);
        product[0] = fmin(product[0], secondsOf(from));
        from = clock();
        for (int i = 0; i < Repeats; i++) ukLinearOperatorApplyInputs(o, 0, u, x);
        product[1] = fmin(product[1], secondsOf(from));
    }
    if (CHECK(o)) printf("chain of %d: A x %.2f Euler steps, B u %.2f\n", Rods, product[0] / step, product[1] / step);
    CHECK(product[0] <= 4 * step && product[1] <= 4 * step);
    ukLinearOperatorDestroy(o);
    free(x);
    sceneDestroy(s);
}

static void checkRefusals(void)
{
    Scene *const s = sceneDoor(3);
    ukWorldEnable(s->world);
    const ukSignal out = {.kind = ukSignalBodyPosition, .body = ukWorldGetBody(s->world, 0)};
    ukLinearOperatorInfo info;
    double x[12] = {0};
    CHECK(!ukLinearOperatorCreate(s->world, &out, 1) && ukGetLastError() == ukErrorArgument);
    CHECK(!ukLinearOperatorCreate(s->world, NULL, 1) && ukGetLastError() == ukErrorArgument);
    CHECK(!ukLinearOperatorCreate(s->world, NULL, -1) && ukGetLastError() == ukErrorArgument);
    CHECK(ukLinearOperatorApply(NULL, 0, x, x) == ukErrorHandle);
    CHECK(ukLinearOperatorApplyInputs(NULL, 0, x, x) == ukErrorHandle);
    CHECK(ukLinearOperatorGetInfo(NULL, &info) == ukErrorHandle);
    const ukLinearOperatorID o = ukLinearOperatorCreate(s->world, NULL, 0);
    if (CHECK(o)) {
        CHECK(ukLinearOperatorApply(o, 0, NULL, x) == ukErrorArgument);
        CHECK(ukLinearOperatorApply(o, 0, x, NULL) == ukErrorArgument);
        CHECK(ukLinearOperatorGetInfo(o, NULL) == ukErrorArgument);
    }
    const dJointID hinge = ukWorldGetJoint(s->world, 0);
    CHECK(ukJointSetCoulomb(hinge, 0.1, 0.02) == ukOk);
    CHECK(!ukLinearOperatorCreate(s->world, NULL, 0) && ukGetLastError() == ukErrorUnsupported);
    CHECK(ukJointSetCoulomb(hinge, 0, 0) == ukOk);
    const dBodyID terminal = dBodyCreate(s->world);
    const dJointID fixed = dJointCreateFixed(s->world, NULL);
    dJointAttach(fixed, terminal, NULL);
    dJointSetFixed(fixed);
    CHECK(ukBodySetMassless(terminal, 1) == ukOk);
    CHECK(!ukLinearOperatorCreate(s->world, NULL, 0) && strstr(ukGetLastErrorMessage(), "without mass"));
    sceneDestroy(s);
    CHECK(ukLinearOperatorApply(o, 0, x, x) == ukOk); /* the operator outlives its world */
    ukLinearOperatorDestroy(o);
    ukLinearOperatorDestroy(NULL);
}

int main(int argc, char **argv)
{
    const int worlds = argc > 1 ? atoi(argv[1]) : 30;
    int taken = 0;
    dInitODE2(0);
    if (!ukLapackReady()) return 77;
    checkLaws();
    checkRefusals();
    checkScene(sceneFourBar(), "four-bar", 20);
    checkScene(sceneBricard(), "Bricard's loop", 10);
    checkScene(sceneDoor(3), "door", 10);
    checkScene(sceneNet(3, 0), "net", 10);
    checkScene(sceneBallLoop(6), "loop", 0);
    checkScene(sceneHingeChain(12), "chain", 20);
    checkRolling();
    for (int swapped = 0; swapped < 2; swapped++) {
        checkContacts(swapped);
        checkIslands(swapped);
    }
    for (uint64_t seed = 1; seed <= (uint64_t)worlds; seed++)
        for (int bounded = 0; bounded < 2; bounded++) taken += randomAgrees(seed, bounded);
    printf("%d of %d random worlds\n", taken, 2 * worlds);
    CHECK(taken > worlds);
    checkCost();
    dCloseODE();
    return ukTestEnd();
}
