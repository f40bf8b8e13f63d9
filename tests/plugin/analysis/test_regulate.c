/* SPDX-License-Identifier: BSD-3-Clause */
/* ukWorldRegulate: Riccati equations with closed forms; a cart with an inverted rod; a walker whose motors are replaced
 * by forces stands with the gains, and falls without them; refusals. */
#include <string.h>
#include <ukode/analysis.h>

#include "demos/scenes.h"
#include "plugin/analysis/riccati.h"
#include "solvers/base/lapack.h"
#include "tests/check.h"

static bool good(int status)
{
    if (status != ukOk) printf("  %s\n", ukGetLastErrorMessage());
    return CHECK(status == ukOk);
}

/* ---- Riccati equations ------------------------------------------------------------------------------------------- */

static void checkRiccati(void)
{
    double X[4];
    const double A[4] = {0, 1, 0, 0}, G[4] = {0, 0, 0, 1}, Q[4] = {1, 0, 0, 1}; /* a double integrator */
    if (good(ukRiccatiSolve(2, false, 1, A, G, Q, X))) {
        CHECK_NEAR(X[0], sqrt(3), 1e-13);
        CHECK_NEAR(X[1], 1, 1e-13);
        CHECK_NEAR(X[3], sqrt(3), 1e-13);
    }
    const double a = 2, one = 1, x = 2 + sqrt(5); /* x = 1 + 4 x/(1 + x) */
    if (good(ukRiccatiSolve(1, true, 1, &a, &one, &one, X))) CHECK_NEAR(X[0], x, 1e-13);
    const double zero = 0; /* an unstable state that no input reaches */
    CHECK(ukRiccatiSolve(1, true, 1, &a, &zero, &one, X) == ukErrorNotConverged);
    CHECK(ukRiccatiSolve(1, false, 1, &a, &zero, &one, X) == ukErrorNotConverged);
}

/* ---- control in a simulation ------------------------------------------------------------------------------------- */

typedef struct Control {
    ukRegulator r;
    dReal x[16][3], q[16][4]; /* of the bodies, where the gains are from */
} Control;

static bool regulate(Control *c, dWorldID w, const ukSignal *in, int inputs, double stepsize)
{
    if (!good(ukWorldRegulate(w, in, inputs, 1, stepsize, &c->r)) || !CHECK(c->r.bodies <= 16)) return false;
    for (int k = 0; k < c->r.bodies; k++) {
        memcpy(c->x[k], dBodyGetPosition(c->r.body[k]), sizeof c->x[k]);
        memcpy(c->q[k], dBodyGetQuaternion(c->r.body[k]), sizeof c->q[k]);
    }
    return true;
}

/* the displacement of a body: translation and rotation vector, both small */
static void displacement(const Control *c, int k, double dq[6])
{
    dQuaternion turn;
    const dReal *const x = dBodyGetPosition(c->r.body[k]);
    dQMultiply2(turn, dBodyGetQuaternion(c->r.body[k]), c->q[k]); /* q q0^-1 */
    for (int i = 0; i < 3; i++) {
        dq[i] = x[i] - c->x[k][i];
        dq[3 + i] = 2 * turn[1 + i] * (turn[0] < 0 ? -1 : 1);
    }
}

/* u = force - position dq - velocity v, of a state at rest; without `feedback` the force alone */
static double input(const Control *c, int i, bool feedback)
{
    const int columns = 6 * c->r.bodies;
    double u = c->r.force[i];
    for (int k = 0; k < c->r.bodies && feedback; k++) {
        double dq[6];
        displacement(c, k, dq);
        const dReal *const v = dBodyGetLinearVel(c->r.body[k]), *const w = dBodyGetAngularVel(c->r.body[k]);
        for (int n = 0; n < 6; n++) {
            u -= c->r.position[i * columns + 6 * k + n] * dq[n];
            u -= c->r.velocity[i * columns + 6 * k + n] * (n < 3 ? v[n] : w[n - 3]);
        }
    }
    return u;
}

/* ---- a cart with a rod ------------------------------------------------------------------------------------------- */

/* From 0.2 rad to rest, with steps of `stepsize`, by the gains of `model` (0: continuous). */
static void checkCart(double stepsize, double model)
{
    const dWorldID w = dWorldCreate();
    dMass mass;
    dWorldSetGravity(w, 0, 0, -9.81);
    ukWorldEnable(w);
    const dBodyID cart = dBodyCreate(w), rod = dBodyCreate(w);
    dMassSetBoxTotal(&mass, 1, 0.05, 0.05, 1);
    dBodySetMass(rod, &mass);
    dBodySetPosition(rod, 0, 0, 0.5);
    const dJointID rail = dJointCreateSlider(w, 0), pivot = dJointCreateHinge(w, 0);
    dJointAttach(rail, cart, 0);
    dJointSetSliderAxis(rail, 1, 0, 0);
    dJointAttach(pivot, rod, cart);
    dJointSetHingeAnchor(pivot, 0, 0, 0);
    dJointSetHingeAxis(pivot, 0, 1, 0);
    const ukSignal in = {.kind = ukSignalBodyForce, .body = cart};
    Control c;
    if (regulate(&c, w, &in, 1, model)) {
        CHECK(c.r.states == 4 && c.r.unbalanced < 1e-6 && c.r.discrete == (model > 0));
        CHECK_NEAR(c.r.force[0], 0, 1e-9);
        const dQuaternion q = {cos(0.1), 0, sin(0.1), 0};
        dBodySetQuaternion(rod, q);
        dBodySetPosition(rod, 0.5 * sin(0.2), 0, 0.5 * cos(0.2));
        for (int i = 0; i < 20 / stepsize; i++) {
            dBodyAddForce(cart, input(&c, 0, true), 0, 0);
            CHECK(ukWorldStep(w, stepsize));
        }
        CHECK_NEAR(dBodyGetPosition(cart)[0], 0, 1e-4);
        CHECK_NEAR(dBodyGetPosition(rod)[2], 0.5, 1e-4);
    }
    const ukSignal useless = {.kind = ukSignalBodyForce, .body = cart, .axis = 1};
    ukRegulator r;
    CHECK(ukWorldRegulate(w, &useless, 1, 1, 0, &r) == ukErrorNotConverged && r.K == NULL);
    CHECK(ukWorldRegulate(w, &in, 0, 1, 0, &r) == ukErrorArgument);
    CHECK(ukWorldRegulate(w, &in, 1, 0, 0, &r) == ukErrorArgument);
    CHECK(ukWorldRegulate(w, &in, 1, 1, -1, &r) == ukErrorArgument);
    dWorldDestroy(w);
}

/* ---- a rod held up ----------------------------------------------------------------------------------------------- */

/* The force that holds a rod level is m g l, whether a motor holds it, whose force the input then replaces, or nothing
 * does; with it the rod stays. */
static void holdRod(bool motor, bool swapped)
{
    const double m = 2, arm = 0.5, g = 9.81;
    const dWorldID w = dWorldCreate();
    dMass mass;
    dWorldSetGravity(w, 0, 0, -g);
    ukWorldEnable(w);
    const dBodyID rod = dBodyCreate(w);
    dMassSetBoxTotal(&mass, m, 2 * arm, 0.1, 0.1);
    dBodySetMass(rod, &mass);
    dBodySetPosition(rod, arm, 0, 0);
    const dJointID hinge = dJointCreateHinge(w, 0);
    dJointAttach(hinge, swapped ? 0 : rod, swapped ? rod : 0);
    dJointSetHingeAnchor(hinge, 0, 0, 0);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    dJointSetHingeParam(hinge, dParamFMax, motor ? 100 : 0);
    const ukSignal in = {.kind = ukSignalJointForce, .joint = hinge};
    Control c;
    if (regulate(&c, w, &in, 1, 0)) {
        CHECK(c.r.unbalanced < 1e-6);
        CHECK_NEAR(fabs(c.r.force[0]), m * g * arm, 1e-6);
        dJointSetHingeParam(hinge, dParamFMax, 0);
        dJointAddHingeTorque(hinge, c.r.force[0]);
        CHECK(ukWorldStep(w, 0.01));
        CHECK_NEAR(dBodyGetAngularVel(rod)[1], 0, 1e-7);
    }
    dWorldDestroy(w);
}

/* ---- a walker ---------------------------------------------------------------------------------------------------- */

/* the walker's step where the gains are found: its contacts exist only then */
static Control standing;
static bool found;
static Scene *walker;

static int regulateAndStep(dWorldID w, dReal h)
{
    ukSignal in[8];
    for (int k = 0; k < 8; k++) in[k] = (ukSignal){.kind = ukSignalJointForce, .joint = walker->joints[k]};
    found = regulate(&standing, w, in, 8, 0);
    return ukWorldStep(w, h);
}

/* How far the trunk is from where it stood [m], 1.5 s after a push of 0.1 m/s, the servos replaced by forces. */
static double stand(bool feedback)
{
    Scene *const s = walker = sceneWalker(1);
    ukWorldEnable(s->world);
    dWorldSetContactSurfaceLayer(s->world, 1e-3);
    dWorldSetCFM(s->world, 1e-5);
    s->gait.rate = 0; /* legs bent, at rest */
    for (int leg = 0; leg < 4; leg++) s->gait.phase[leg] = 0;
    for (int i = 0; i < 150; i++) sceneStep(s, s->h, dWorldStep);
    found = false;
    sceneStep(s, s->h, regulateAndStep);
    const dReal *const x = dBodyGetPosition(s->bodies[0]), x0 = x[0], z0 = x[2];
    if (!found) return NAN;
    CHECK(standing.r.states == 6 && standing.r.unbalanced < 1e-6 && strstr(standing.r.activity, "8 stick"));
    s->drive = NULL;
    for (int k = 0; k < s->joint_count; k++) dJointSetHingeParam(s->joints[k], dParamFMax, 0);
    const dReal *const v = dBodyGetLinearVel(s->bodies[0]);
    dBodySetLinearVel(s->bodies[0], v[0] + 0.1, v[1], v[2]);
    for (int i = 0; i < 150; i++) {
        for (int k = 0; k < 8; k++) dJointAddHingeTorque(s->joints[k], input(&standing, k, feedback));
        sceneStep(s, s->h, dWorldStep);
    }
    const double off = hypot(x[0] - x0, x[2] - z0);
    sceneDestroy(s);
    return off;
}

static void checkWalker(void)
{
    const double held = stand(true), fallen = stand(false);
    printf("walker, pushed: %.2g m off with the gains, %.2g m without\n", held, fallen);
    CHECK(held < 0.01);
    CHECK(fallen > 0.1);
}

int main(void)
{
    dInitODE2(0);
    if (!ukLapackReady()) return 77;
    checkRiccati();
    for (int k = 0; k < 4; k++) holdRod(k / 2, k % 2);
    checkCart(0.01, 0);
    checkCart(0.01, 0.01);
    checkCart(0.25, 0.25);
    checkWalker();
    dCloseODE();
    return ukTestEnd();
}
