/* SPDX-License-Identifier: BSD-3-Clause */
/* Servo constraints with actuators beside contacts and joint laws. Random systems with frictionless contacts against an
 * enumeration of all active sets in long double: for each set the forces of least cost, of which the step must take one
 * whose contacts push and whose other contacts separate. Friction against closed forms, under the integrators, both
 * orders of attachment, saved states, the ledger. Fixed seeds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/random_world.h"
#include "tests/support/solve_real.h"

enum { Bodies = 2, N = 6 * Bodies, Contacts = 3, Rows = 2, Actuators = 6, Most = 16 };

typedef long double Real;

static const double h = 0.01;

/* ---- random systems ---------------------------------------------------------------------------------------------- */

typedef struct Servo {
    int rows, contacts, joints; /* joints: rows of theirs */
    double mu;
    dBodyID body[Bodies];
    dJointID joint;
    double A[Rows * N], b[Rows];
    double n[Contacts][3], at[Contacts][3];
    int on[Contacts]; /* body of a contact */
    ukActuator actuator[Actuators];
} Servo;

static int servoRows(const ukConstraintContext *context, double *A, double *b, void *data)
{
    const Servo *s = data;
    memcpy(A, s->A, (size_t)(s->rows * 6 * context->count) * sizeof *A);
    memcpy(b, s->b, (size_t)s->rows * sizeof *b);
    return 0;
}

static dBodyID brick(dWorldID world, Random *r)
{
    dMass mass;
    const dBodyID body = dBodyCreate(world);
    dQuaternion q;
    for (int i = 0; i < 4; i++) q[i] = randomUniform(r, -1, 1);
    dMassSetBoxTotal(&mass, randomUniform(r, 0.5, 3), randomUniform(r, 0.5, 1), randomUniform(r, 0.5, 1), 1);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, randomUniform(r, -1, 1), randomUniform(r, -1, 1), randomUniform(r, -1, 1));
    dBodySetQuaternion(body, q);
    dBodySetLinearVel(body, randomUniform(r, -0.02, 0.02), randomUniform(r, -0.02, 0.02),
                      randomUniform(r, -0.02, 0.02));
    return body;
}

/* a contact joint of body b with the static world, or of the static world with it */
static dJointID touch(dWorldID world, dBodyID b, const double *at, const double *n, double mu, bool swapped)
{
    dContact c = {.surface = {.mode = dContactApprox1, .mu = mu}};
    memcpy(c.geom.pos, at, 3 * sizeof *at);
    for (int i = 0; i < 3; i++) c.geom.normal[i] = swapped ? -n[i] : n[i];
    const dJointID contact = dJointCreateContact(world, NULL, &c);
    dJointAttach(contact, swapped ? NULL : b, swapped ? b : NULL);
    return contact;
}

static void draw(Random *r, dWorldID world, Servo *s, double mu)
{
    *s = (Servo){.rows = 1 + randomBelow(r, Rows), .contacts = mu < 0 ? 0 : 1 + randomBelow(r, Contacts), .mu = mu};
    for (int i = 0; i < Bodies; i++) s->body[i] = brick(world, r);
    const bool hinge = randomBelow(r, 2), reversed = randomBelow(r, 2);
    const dJointID joint = hinge ? dJointCreateHinge(world, NULL) : dJointCreateBall(world, NULL);
    dJointAttach(joint, s->body[reversed], s->body[!reversed]);
    if (hinge) dJointSetHingeAnchor(joint, 0.1, 0.2, -0.3);
    if (hinge) dJointSetHingeAxis(joint, 1, 2, 3);
    s->joint = joint;
    s->joints = hinge ? 5 : 3;
    for (int k = 0; k < Actuators; k++)
        s->actuator[k] = (ukActuator){.body = s->body[k % 2], .axis = k, .cost = pow(10, randomUniform(r, -1, 1))};
    if (hinge) s->actuator[0].joint = joint, s->actuator[0].axis = 0;
    for (int i = 0; i < s->rows * N; i++) s->A[i] = randomUniform(r, -1, 1);
    for (int i = 0; i < s->rows; i++) s->b[i] = randomUniform(r, -5, 5);
    for (int i = 0; i < s->contacts; i++) {
        double size = 0;
        s->on[i] = randomBelow(r, 2);
        for (int k = 0; k < 3; k++) {
            s->n[i][k] = randomUniform(r, -0.5, 0.5) + (k == 2);
            size += s->n[i][k] * s->n[i][k];
            s->at[i][k] = dBodyGetPosition(s->body[s->on[i]])[k] + randomUniform(r, -0.5, 0.5);
        }
        for (int k = 0; k < 3; k++) s->n[i][k] /= sqrt(size);
        touch(world, s->body[s->on[i]], s->at[i], s->n[i], mu, randomBelow(r, 2));
    }
}

/* (N) the wrench of a unit of actuator k, of bodies in the equations' order */
static void wrenchOf(const Servo *s, int k, const ukEquations *e, double *wrench)
{
    const ukActuator *a = &s->actuator[k];
    memset(wrench, 0, N * sizeof *wrench);
    for (int i = 0; i < Bodies; i++) {
        if (a->joint) {
            dVector3 axis;
            dJointGetHingeAxis(a->joint, axis);
            const double sign = dJointGetBody(a->joint, 0) == e->bodies[i] ? 1 : -1;
            for (int c = 0; c < 3; c++) wrench[6 * i + 3 + c] = sign * axis[c];
        } else if (e->bodies[i] == a->body) {
            dVector3 along;
            dBodyVectorToWorld(a->body, a->axis % 3 == 0, a->axis % 3 == 1, a->axis % 3 == 2, along);
            for (int c = 0; c < 3; c++) wrench[6 * i + (a->axis < 3 ? c : 3 + c)] = along[c];
        }
    }
}

/* What an active set leads to: x = qdd, the multipliers of its rows, u. */
typedef struct Least {
    Real qdd[N], lambda[Most], u[Actuators];
} Least;

/* Least u'R u with M (qdd - a) = F + G'lambda + E u, G qdd = g, A qdd = b; returns whether there is such a u. */
static bool leastCost(const ukEquations *e, const Servo *s, const double *F, const double *G, const double *g, int held,
                      Least *least)
{
    const int u = N + held, unknowns = u + Actuators, equations = N + held + s->rows, all = unknowns + equations;
    Real *K = calloc((size_t)(all * all), sizeof *K), *f = calloc((size_t)all, sizeof *f), x[solveLongDoubleMost];
    const bool turned = e->bodies[0] != s->body[0];
    double E[Actuators][N], off = 0, size = 0;
    for (int k = 0; k < Actuators; k++) wrenchOf(s, k, e, E[k]), K[(u + k) * (all + 1)] = s->actuator[k].cost;
    for (int i = 0; i < N; i++) {
        Real *row = K + (unknowns + i) * all;
        f[unknowns + i] = F[i];
        for (int j = 0; j < N; j++) row[j] = e->M[i * N + j], f[unknowns + i] += (Real)e->M[i * N + j] * e->a[j];
        for (int j = 0; j < held; j++) row[N + j] = -(Real)G[j * N + i];
        for (int k = 0; k < Actuators; k++) row[u + k] = -(Real)E[k][i];
        for (int j = 0; j < held; j++) K[(unknowns + N + j) * all + i] = G[j * N + i];
        for (int j = 0; j < s->rows; j++)
            K[(unknowns + N + held + j) * all + i] = s->A[j * N + (turned ? (i + 6) % N : i)];
    }
    for (int j = 0; j < held; j++) f[unknowns + N + j] = g[j];
    for (int j = 0; j < s->rows; j++) f[unknowns + N + held + j] = s->b[j];
    for (int i = 0; i < equations; i++)
        for (int j = 0; j < unknowns; j++) K[j * all + unknowns + i] = K[(unknowns + i) * all + j];
    solveLongDouble(all, K, f, x);
    for (int i = 0; i < N; i++) least->qdd[i] = x[i];
    for (int i = 0; i < held; i++) least->lambda[i] = x[N + i];
    for (int k = 0; k < Actuators; k++) least->u[k] = x[u + k];
    for (int j = 0; j < s->rows; j++) {
        Real is = 0;
        for (int i = 0; i < N; i++) is += (Real)s->A[j * N + (turned ? (i + 6) % N : i)] * x[i];
        off = fmax(off, fabs((double)is - s->b[j])), size = fmax(size, fabs(s->b[j]));
    }
    free(K), free(f);
    return off < 1e-9 * size;
}

/* the row of contact c in the equations */
static int rowOf(const ukEquations *e, const Servo *s, int c)
{
    const int first = e->bodies[0] == s->body[s->on[c]] ? 0 : 6;
    for (int row = 0; row < e->m - s->rows; row++) {
        double off = 0;
        for (int i = 0; i < N; i++)
            off += fabs(e->A[row * N + i] - (i >= first && i < first + 3 ? s->n[c][i - first] : 0)) * (i % 6 < 3);
        if (off < 1e-12) return row;
    }
    CHECK(false); /* the contact has no row */
    return 0;
}

static double worst;

/* Whether an active set is consistent, and whether the step has taken it. */
static bool consistent(const ukEquations *e, const Servo *s, const int *row, int active, const double *u, bool *taken)
{
    double G[Most * N], g[Most], F[N] = {0};
    int held = 0, of[Most];
    for (int i = 0; i < e->m - s->rows; i++) {
        int contact = -1;
        for (int c = 0; c < s->contacts; c++) contact = row[c] == i ? c : contact;
        if (contact >= 0 && !(active >> contact & 1)) continue;
        memcpy(G + held * N, e->A + i * N, N * sizeof *G);
        of[held] = contact;
        g[held++] = e->b[i];
    }
    Least least;
    if (!leastCost(e, s, F, G, g, held, &least)) return false;
    double most = 1, off = 0;
    for (int i = 0; i < N; i++) most = fmax(most, fabs((double)least.qdd[i]));
    for (int j = 0; j < held; j++)
        if (of[j] >= 0 && least.lambda[j] < 0) return false;
    for (int c = 0; c < s->contacts; c++) {
        Real opening = -(Real)e->b[row[c]];
        for (int i = 0; i < N; i++) opening += (Real)e->A[row[c] * N + i] * least.qdd[i];
        if (!(active >> c & 1) && opening < -1e-9L * most) return false;
    }
    for (int i = 0; i < N; i++) off = fmax(off, fabs((double)least.qdd[i] - e->qdd[i]) / most);
    for (int k = 0; k < Actuators; k++) most = fmax(most, fabs((double)least.u[k]));
    for (int k = 0; k < Actuators; k++) off = fmax(off, fabs((double)least.u[k] - u[k]) / most);
    *taken |= off < 1e-9;
    if (off < 1e-9) worst = fmax(worst, off);
    return true;
}

/* The number of consistent active sets; *taken: the step has taken one of them. */
static int countSets(dWorldID world, const Servo *s, const double *u, bool *taken, int *pushing)
{
    int row[Contacts], sets = 0;
    ukEquations e;
    *taken = false;
    CHECK(ukWorldGetEquations(world, &e) == ukOk && e.m == s->joints + s->contacts + s->rows);
    for (int c = 0; c < s->contacts; c++) row[c] = rowOf(&e, s, c), *pushing += e.lambda[row[c]] != 0;
    for (int active = 0; active < 1 << s->contacts; active++) sets += consistent(&e, s, row, active, u, taken);
    return sets;
}

/* What the steps of all seeds have been: taken; refused although a set is consistent; contacts that push, of so
 * many. */
typedef struct Tally {
    int taken, missed, pushing, contacts;
} Tally;

static void compareFormula(uint64_t seed, ukIntegrator integrator, Tally *tally)
{
    Random r = {.state = seed * 7621 + 5};
    const dWorldID world = dWorldCreate();
    Servo s;
    ukReport report;
    double u[Actuators] = {0};
    bool taken;
    int pushing = 0;
    dWorldSetGravity(world, 0, 0, -9.81);
    dWorldSetCFM(world, 0);
    draw(&r, world, &s, 0);
    CHECK(ukWorldSetIntegrator(world, integrator) == 0 && ukWorldSetGaussCheck(world, 1e-9, ukCheckStop) == 0);
    const ukConstraintID servo = ukConstraintCreate(world, s.rows, s.body, Bodies, servoRows, &s);
    CHECK(ukConstraintSetActuators(servo, s.actuator, Actuators) == ukOk);
    const int status = ukWorldEvaluate(world);
    if (status !=
        ukOk) { /* the equations of the same world without actuators have the same rows of joints and contacts */
        CHECK(status == ukErrorContradiction || status == ukErrorNotConverged);
        CHECK(ukConstraintSetActuators(servo, NULL, 0) == ukOk && ukWorldEvaluate(world) == ukOk);
        tally->missed += countSets(world, &s, u, &taken, &pushing) > 0;
    } else {
        CHECK(ukWorldGetReport(world, &report) == ukOk && report.ok == 1);
        CHECK(ukConstraintGetActuatorForces(servo, u) == ukOk);
        const int sets = countSets(world, &s, u, &taken, &tally->pushing);
        if (!CHECK(taken)) printf("seed %d: none of %d consistent sets\n", (int)seed, sets);
        CHECK(ukWorldStep(world, h) == 1);
        tally->taken++;
        tally->contacts += s.contacts;
    }
    dWorldDestroy(world);
}

/* A joint law that depends on the ideal force and the velocities, and is not powerless. */
static void resist(const ukNonIdealContext *c, double force_and_torque[2][6], void *data)
{
    int *const calls = data;
    ++*calls;
    for (int k = 0; k < 6; k++) {
        const double slip = k < 3 ? c->body[0]->velocity[k] - c->body[1]->velocity[k]
                                  : c->body[0]->spin[k - 3] - c->body[1]->spin[k - 3];
        force_and_torque[0][k] = 0.3 * c->ideal[0][5 - k] - 2 * slip;
        force_and_torque[1][k] = -force_and_torque[0][k];
    }
}

/* A step, after which the bodies have their poses at its start again, to which its equations belong. */
static int stepInPlace(dWorldID world, const Servo *s)
{
    double x[Bodies][3], q[Bodies][4];
    for (int i = 0; i < Bodies; i++) {
        memcpy(x[i], dBodyGetPosition(s->body[i]), sizeof x[i]);
        memcpy(q[i], dBodyGetQuaternion(s->body[i]), sizeof q[i]);
    }
    const int done = ukWorldStep(world, h);
    for (int i = 0; i < Bodies; i++) {
        dBodySetPosition(s->body[i], x[i][0], x[i][1], x[i][2]);
        dBodySetQuaternion(s->body[i], q[i]);
    }
    return done == 1 ? ukOk : ukGetLastError();
}

/* With friction of contacts, or, odd seeds, a joint law, or, every fourth, laws and no contact: the forces of least
 * cost for the active set of the step, under the forces of the rows at their bounds and the force C of the law, which
 * are applied forces. */
static void compareFriction(uint64_t seed, ukIntegrator integrator, int *sliding, int *sticking, int *laws)
{
    Random r = {.state = seed * 4093 + 17};
    const dWorldID world = dWorldCreate();
    Servo s;
    ukEquations e;
    Least least;
    double u[Actuators], G[Most * N], b[Most], F[N] = {0}, most = 1;
    int held = 0;
    dWorldSetGravity(world, 0, 0, -9.81);
    dWorldSetCFM(world, 0);
    const bool has_law = seed % 2, alone = seed % 4 == 1, steps = alone && integrator == ukIntegratorEuler;
    draw(&r, world, &s, alone ? -1 : 0.4);
    CHECK(ukWorldSetIntegrator(world, integrator) == 0 && ukWorldSetGaussCheck(world, 1e-9, ukCheckStop) == 0);
    const ukConstraintID servo = ukConstraintCreate(world, s.rows, s.body, Bodies, servoRows, &s);
    CHECK(ukConstraintSetActuators(servo, s.actuator, Actuators) == ukOk);
    if (has_law) CHECK(ukJointSetNonIdeal(s.joint, resist, laws) == ukOk);
    if (alone && !steps) CHECK(ukJointSetViscous(s.joint, 3) == ukOk); /* part of C; in the discrete form, soft rows */
    const int status = steps ? stepInPlace(world, &s) : ukWorldEvaluate(world);
    CHECK(status == ukOk || status == ukErrorContradiction || status == ukErrorNotConverged);
    if (status == ukOk && CHECK(ukWorldGetEquations(world, &e) == ukOk && e.m == s.joints + 3 * s.contacts + s.rows)) {
        CHECK(ukConstraintGetActuatorForces(servo, u) == ukOk);
        for (int k = 0; k < N; k++) F[k] = e.C[k];
        CHECK(!has_law || fabs(F[0]) > 0);
        for (int i = 0; i < e.m - s.rows; i++) {
            double off = -e.b[i];
            for (int k = 0; k < N; k++) off += e.A[i * N + k] * e.qdd[k];
            const bool active = fabs(off) < 1e-9;
            for (int c = 0; c < s.contacts; c++) {
                const int normal = rowOf(&e, &s, c);
                if (i > normal && i <= normal + 2) *(active ? sticking : sliding) += e.lambda[normal] > 0;
            }
            for (int k = 0; k < N && !active; k++) F[k] += e.A[i * N + k] * e.lambda[i];
            if (!active) continue;
            memcpy(G + held * N, e.A + i * N, N * sizeof *G);
            b[held++] = e.b[i];
        }
        CHECK(leastCost(&e, &s, F, G, b, held, &least));
        for (int i = 0; i < N; i++) most = fmax(most, fabs((double)least.qdd[i]));
        for (int i = 0; i < N; i++) CHECK_NEAR(e.qdd[i], (double)least.qdd[i], 1e-9 * most);
        for (int k = 0; k < Actuators; k++) most = fmax(most, fabs((double)least.u[k]));
        for (int k = 0; k < Actuators; k++) CHECK_NEAR(u[k], (double)least.u[k], 1e-9 * most);
    }
    dWorldDestroy(world);
}

/* ---- friction ---------------------------------------------------------------------------------------------------- */

static const double g = 9.81, mu = 0.5;

/* x of a block; the acceleration in data */
static int alongX(const ukConstraintContext *context, double *A, double *b, void *data)
{
    (void)context;
    A[0] = 1;
    b[0] = *(double *)data;
    return 0;
}

typedef struct Block {
    dWorldID world;
    dBodyID body;
    dJointID contact;
    ukConstraintID servo;
    double mass;
} Block;

/* a block on the ground, its contact at the centre of mass, driven along x */
static void makeBlock(Block *block, ukIntegrator integrator, double *acceleration)
{
    dMass m;
    *block = (Block){.world = dWorldCreate(), .mass = 2};
    dMassSetBoxTotal(&m, block->mass, 1, 1, 1);
    dWorldSetGravity(block->world, 0, 0, -g);
    dWorldSetCFM(block->world, 0); /* friction that yields cannot hold a body exactly, and the actuator would have to */
    dBodySetMass(block->body = dBodyCreate(block->world), &m);
    CHECK(ukWorldSetIntegrator(block->world, integrator) == 0);
    CHECK(ukWorldSetGaussCheck(block->world, 1e-9, ukCheckStop) == 0);
    block->servo = ukConstraintCreate(block->world, 1, &block->body, 1, alongX, acceleration);
    const ukActuator actuator[] = {{.body = block->body, .axis = 0, .cost = 1}};
    CHECK(ukConstraintSetActuators(block->servo, actuator, 1) == ukOk);
    CHECK(ukWorldResetLedger(block->world) == ukOk);
}

/* one step with a contact of its own, as programs with a near callback take it */
static double stepBlock(Block *block, bool swapped)
{
    const double n[3] = {0, 0, 1};
    double u = NAN;
    if (block->contact) dJointDestroy(block->contact);
    dContact c = {.surface = {.mode = dContactApprox1, .mu = mu}};
    memcpy(c.geom.pos, dBodyGetPosition(block->body), 3 * sizeof(double));
    for (int i = 0; i < 3; i++) c.geom.normal[i] = swapped ? -n[i] : n[i];
    block->contact = dJointCreateContact(block->world, NULL, &c);
    dJointAttach(block->contact, swapped ? NULL : block->body, swapped ? block->body : NULL);
    if (!CHECK(ukWorldStep(block->world, h) == 1)) printf("%s\n", ukGetLastErrorMessage());
    CHECK(ukConstraintGetActuatorForces(block->servo, &u) == ukOk);
    return u;
}

/* slides: the actuator overcomes friction, too; a push that friction holds costs nothing */
static void friction(ukIntegrator integrator, bool swapped)
{
    Block block;
    ukLedger ledger;
    unsigned char first[16], second[16];
    double acceleration = 2;
    makeBlock(&block, integrator, &acceleration);
    for (int i = 1; i <= 20; i++) {
        CHECK_NEAR(stepBlock(&block, swapped), block.mass * (acceleration + mu * g), 1e-9);
        CHECK_NEAR(dBodyGetLinearVel(block.body)[0], acceleration * i * h, 1e-12);
    }
    CHECK_NEAR(dBodyGetLinearVel(block.body)[2], 0, 1e-12);
    CHECK(ukWorldGetLedger(block.world, &ledger) == ukOk);
    CHECK_NEAR(ledger.residual, 0, 1e-12);
    const size_t size = ukWorldSave(block.world, NULL, 0);
    void *const bytes = malloc(size);
    if (!CHECK(bytes && ukWorldSave(block.world, bytes, size) == size)) exit(1);
    CHECK(ukWorldStep(block.world, h) == 1 && ukWorldHash(block.world, first) == 0);
    CHECK(ukWorldRestore(block.world, bytes, size) == 0 && ukWorldStep(block.world, h) == 1);
    CHECK(ukWorldHash(block.world, second) == 0 && memcmp(first, second, 16) == 0);
    free(bytes);
    dBodySetLinearVel(block.body, 0, 0, 0);
    acceleration = 0;
    dBodyAddForce(block.body, 0.9 * mu * block.mass * g, 0, 0);
    CHECK_NEAR(stepBlock(&block, swapped), 0, 1e-9);
    CHECK_NEAR(dBodyGetLinearVel(block.body)[0], 0, 1e-12);
    dWorldDestroy(block.world);
}

int main(void)
{
    const ukIntegrator all[] = {ukIntegratorEuler, ukIntegratorRK4, ukIntegratorAdaptive, ukIntegratorRattle};
    dInitODE2(0);
    Tally tally = {0};
    for (uint64_t seed = 1; seed <= 300; seed++) compareFormula(seed, all[seed % 4], &tally);
    printf("%d of 300 steps taken, %d refused although possible; %d of %d contacts push; largest difference %.2g\n",
           tally.taken, tally.missed, tally.pushing, tally.contacts, worst);
    CHECK(tally.taken > 270 && tally.missed <= 2 && tally.pushing > 400);
    int sliding = 0, sticking = 0, laws = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) compareFriction(seed, all[seed / 2 % 4], &sliding, &sticking, &laws);
    printf("%d rows of friction slide, %d stick; %d calls of joint laws\n", sliding, sticking, laws);
    CHECK(sliding > 100 && sticking > 30 && laws > 150);
    for (int i = 0; i < 4; i++)
        for (int swapped = 0; swapped < 2; swapped++) friction(all[i], swapped);
    dCloseODE();
    return ukTestEnd();
}
