/* SPDX-License-Identifier: BSD-3-Clause */
/* The audit finds what is wrong in a user's A and b, by row and size, and finds nothing where nothing is. */
#include <ukode/ukode.h>

#include "solvers/base/status.h"
#include "tests/check.h"

/* A point of the first body, 1 on its y axis, moves on z = 0.1 sin(3 t) + height of the second body (row 0), and across
 * the x axis at the rate 0.5 t (row 1, nonholonomic). `wrong` spoils one entry. */
typedef struct Rule {
    int wrong;
    double by;
} Rule;

static void arm(const ukBodyState *s, double *r)
{
    dMatrix3 R;
    const dQuaternion q = {s->orientation[0], s->orientation[1], s->orientation[2], s->orientation[3]};
    dQtoR(q, R);
    for (int i = 0; i < 3; i++) r[i] = R[4 * i + 1];
}

static int rows(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    const Rule *rule = data;
    const dReal *w = c->bodies[0].spin;
    double r[3], v[3];
    arm(c->bodies, r);
    dCalcVectorCross3(v, w, r);
    A[2] = 1;
    A[3] = r[1];
    A[4] = -r[0];
    A[8] = -1;
    A[12] = 1;
    A[12 + 4] = r[2];
    A[12 + 5] = -r[1];
    b[0] = -0.9 * sin(3 * c->time) - (w[0] * v[1] - w[1] * v[0]);
    b[1] = 0.5 - (w[1] * v[2] - w[2] * v[1]);
    if (rule->wrong == 1) A[3] += rule->by;
    if (rule->wrong == 2) A[12 + 6] += rule->by;
    if (rule->wrong == 3) b[1] += rule->by;
    return 0;
}

static int errors(const struct ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    const Rule *rule = data;
    const dReal *w = c->bodies[0].spin, *x = c->bodies[0].position, *u = c->bodies[0].velocity;
    double r[3], v[3];
    arm(c->bodies, r);
    dCalcVectorCross3(v, w, r);
    phi[0] = x[2] + r[2] - 0.1 * sin(3 * c->time) - c->bodies[1].position[2];
    psi[0] = u[2] + v[2] - 0.3 * cos(3 * c->time) - c->bodies[1].velocity[2];
    phi[1] = NAN;
    psi[1] = u[0] + v[0] - 0.5 * c->time;
    if (rule->wrong == 4) psi[0] += rule->by * c->time * c->time;
    return 0;
}

static dBodyID body(dWorldID w, double x)
{
    dMass m;
    const dBodyID b = dBodyCreate(w);
    dMassSetBoxTotal(&m, 1, 1, 2, 3);
    dBodySetMass(b, &m);
    dBodySetPosition(b, x, 0.3, -0.2);
    return b;
}

static int destroysItself(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)c;
    ukConstraintDestroy(*(ukConstraintID *)data);
    A[0] = b[0] = 1;
    return 0;
}

static int noError(const struct ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    (void)c;
    (void)phi;
    (void)psi;
    (void)data;
    return 0;
}

int main(void)
{
    dInitODE2(0);
    const dWorldID w = dWorldCreate();
    const dBodyID pair[2] = {body(w, 0.5), body(w, -2)};
    dBodySetLinearVel(pair[0], 0.3, -0.8, 0.2);
    dBodySetAngularVel(pair[0], 1.5, -0.7, 0.4);
    dBodySetLinearVel(pair[1], 0, 0, 0.6);
    const dQuaternion q = {0.5, -0.5, 0.1, 0.7};
    dBodySetQuaternion(pair[0], q);
    CHECK(ukWorldSetTime(w, 0.7) == 0);
    Rule rule = {0};
    ukAudit a;
    const ukConstraintID c = ukConstraintCreate(w, 2, pair, 2, rows, &rule);
    CHECK(ukConstraintAudit(c, &a) == ukErrorArgument); /* no error function */
    CHECK(ukConstraintSetError(c, errors, &rule) == 0);
    for (int kinematic = 0; kinematic < 2; kinematic++) {
        CHECK(ukConstraintAudit(c, &a) == 0);
        CHECK(a.ok && !a.A_phi.wrong && !a.A_psi.wrong && !a.psi.wrong && !a.b.wrong);
        CHECK(a.A_phi.row == 0 && a.psi.row == 0 && a.b.row >= 0);
        CHECK(a.A_phi.body == 0 && a.A_phi.component >= 0 && a.A_psi.body >= 0 && a.A_psi.component >= 0);
        CHECK(a.psi.body == -1 && a.psi.component == -1 && a.b.body == -1 && a.b.component == -1); /* of time */
        printf("right: off by %.1e (A, phi), %.1e (A, psi), %.1e (psi), %.1e (b)\n", a.A_phi.size, a.A_psi.size,
               a.psi.size, a.b.size);
        dBodySetKinematic(pair[1]);
    }
    dBodySetDynamic(pair[1]);
    rule = (Rule){1, 1e-4};
    CHECK(ukConstraintAudit(c, &a) == 0);
    CHECK(!a.ok && a.A_phi.wrong && a.A_phi.row == 0 && a.A_phi.body == 0 && a.A_phi.component == 3);
    CHECK_NEAR(a.A_phi.size, 1e-4, 1e-8);
    CHECK(a.A_psi.wrong && a.A_psi.row == 0 && a.A_psi.component == 3 && !a.b.wrong && !a.psi.wrong);
    rule = (Rule){2, -0.5};
    CHECK(ukConstraintAudit(c, &a) == 0);
    CHECK(!a.ok && !a.A_phi.wrong && a.A_psi.wrong && a.A_psi.row == 1 && a.A_psi.body == 1 && a.A_psi.component == 0);
    CHECK_NEAR(a.A_psi.size, 0.5, 1e-8);
    rule = (Rule){3, 0.01};
    CHECK(ukConstraintAudit(c, &a) == 0);
    CHECK(!a.ok && !a.A_phi.wrong && !a.A_psi.wrong && a.b.wrong && a.b.row == 1);
    CHECK_NEAR(a.b.written - a.b.expected, 0.01, 1e-7);
    rule = (Rule){4, 1};
    CHECK(ukConstraintAudit(c, &a) == 0);
    CHECK(!a.ok && !a.A_psi.wrong && a.psi.wrong && a.psi.row == 0 && a.b.wrong && a.b.row == 0);
    CHECK_NEAR(a.psi.size, 0.49, 1e-7);
    CHECK(ukConstraintAudit(c, NULL) == ukErrorArgument);

    ukConstraintID self = NULL;
    self = ukConstraintCreate(w, 1, pair, 1, destroysItself, &self);
    CHECK(ukConstraintSetError(self, noError, NULL) == 0);
    CHECK(ukConstraintAudit(self, &a) == ukErrorChanged);
    CHECK(ukConstraintAudit(self, &a) == ukErrorHandle);
    dBodyDestroy(pair[1]);
    CHECK(ukConstraintAudit(c, &a) == ukErrorHandle);
    dWorldDestroy(w);
    CHECK(ukConstraintAudit(c, &a) == ukErrorHandle);
    dCloseODE();
    return ukTestEnd();
}
