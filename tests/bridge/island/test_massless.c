/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies without mass: mechanisms with terminals between their parts move as the same mechanisms without them, with
 * joints in either order, contacts, stops, motors, laws and forces; motions that nothing determines are named. In
 * analyses: test_massless_analyses.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/ukode.h>

#include "solvers/base/status.h"
#include "tests/bridge/island/joined.h"
#include "tests/check.h"
#include "tests/support/plain_world.h"

/* what acts on the second part */
enum { Plain, Coulomb, Viscous, Servo, Motor, Stop, Contact, Force, Kinds };

/* A box on a hinge of the world, and a second one on a hinge of the first, or of a terminal that is fixed to it. */
typedef struct Parts {
    dWorldID world;
    dBodyID body[2], terminal[2];
    dJointGroupID contacts;
    dJointID hinge;
    int kind, terminals;
    double h;
    dBodyID end;  /* of the first part */
    double at[3]; /* where a force acts on it, from its centre */
} Parts;

static const double omega = 1, ground = -0.099;

/* moves with the first part, which turns about y at the origin */
static void ride(dBodyID b)
{
    const dReal *x = dBodyGetPosition(b);
    dBodySetAngularVel(b, 0, omega, 0);
    dBodySetLinearVel(b, omega * x[2], 0, -omega * x[0]);
}

static void setHinge(Parts *p)
{
    if (p->kind == Coulomb) CHECK(ukJointSetCoulomb(p->hinge, 0.3, 0.05) == 0);
    if (p->kind == Viscous) CHECK(ukJointSetViscous(p->hinge, 0.4) == 0);
    if (p->kind == Stop)
        dJointSetHingeParam(p->hinge, dParamLoStop, 0), dJointSetHingeParam(p->hinge, dParamHiStop, 0.05);
    if (p->kind == Servo) /* the first step begins with a jump of the rates */
        dJointSetHingeParam(p->hinge, dParamVel, 2), dJointSetHingeParam(p->hinge, dParamFMax, dInfinity);
    if (p->kind == Motor) dJointSetHingeParam(p->hinge, dParamVel, 2), dJointSetHingeParam(p->hinge, dParamFMax, 1.5);
}

/* a force at a point of the first part, or of what is fixed to it, and a torque; data: the point in the body's frame */
static int push(const ukConstraintContext *c, dReal *force, void *data)
{
    static const double F[3] = {3, -2, 12}, torque[3] = {0.5, 2, -1};
    const double *const at = data, *const q = c->bodies->orientation;
    double r[3], t[3];
    for (int i = 0; i < 3; i++) { /* r = at + 2 u x (w at + u x at) */
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        t[i] = q[0] * at[i] + q[1 + j] * at[k] - q[1 + k] * at[j];
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        r[i] = at[i] + 2 * (q[1 + j] * t[k] - q[1 + k] * t[j]);
    }
    for (int i = 0; i < 3; i++) {
        force[i] = F[i];
        force[3 + i] = torque[i] + r[(i + 1) % 3] * F[(i + 2) % 3] - r[(i + 2) % 3] * F[(i + 1) % 3];
    }
    return 0;
}

/* terminals: 0, 1, or 2 of them one after the other */
static Parts parts(int kind, int terminals, bool swapped, ukIntegrator integrator)
{
    Parts p = {.world = newWorld(9.81),
               .contacts = dJointGroupCreate(0),
               .kind = kind,
               .terminals = terminals,
               .h = integrator == ukIntegratorRK4 ? 0.002 : 0.004};
    CHECK(ukWorldSetIntegrator(p.world, integrator) == 0);
    p.body[0] = box(p.world, 2, 0.5, 0.1, 0);
    p.body[1] = box(p.world, 1, 1.5, 0.1, 0.2);
    ride(p.body[0]);
    ride(p.body[1]);
    const dJointID first = dJointCreateHinge(p.world, NULL);
    attach(first, p.body[0], NULL, swapped);
    dJointSetHingeAnchor(first, 0, 0.1, 0);
    dJointSetHingeAxis(first, 0, 1, 0);
    dBodyID end = p.body[0];
    for (int i = 0; i < terminals; i++) {
        p.terminal[i] = ball(p.world, 5 + i, 0.95, 0.1 + 0.1 * i, 0.1);
        ride(p.terminal[i]);
        CHECK(ukBodySetMassless(p.terminal[i], 1) == 0 && ukBodyGetMassless(p.terminal[i]) == 1);
        fix(p.world, end, p.terminal[i], swapped);
        end = p.terminal[i];
    }
    p.hinge = dJointCreateHinge(p.world, NULL);
    attach(p.hinge, end, p.body[1], swapped);
    dJointSetHingeAnchor(p.hinge, 1, 0.1, 0);
    dJointSetHingeAxis(p.hinge, 0, 1, 0);
    setHinge(&p);
    p.end = end;
    static const double point[3] = {0.8, 0.3, 0.1};
    const dReal *x = dBodyGetPosition(end);
    for (int i = 0; i < 3; i++) p.at[i] = point[i] - x[i];
    return p;
}

/* the end of the first part touches the ground below it */
static void touch(Parts *p)
{
    dVector3 foot;
    dBodyGetRelPointPos(p->body[0], 0.4, 0, -0.1, foot);
    dJointGroupEmpty(p->contacts);
    if (foot[2] > ground) return;
    dContact c = {.surface = {.mode = dContactApprox1, .mu = 0.5},
                  .geom = {.pos = {foot[0], foot[1], foot[2]}, .normal = {0, 0, 1}, .depth = ground - foot[2]}};
    dJointAttach(dJointCreateContact(p->world, p->contacts, &c), p->end, NULL);
}

static void run(Parts *p, int steps)
{
    for (int i = 0; i < steps; i++) {
        if (p->kind == Contact) touch(p);
        CHECK(ukWorldStep(p->world, p->h) == 1);
        ukReport r;
        CHECK(ukWorldGetReport(p->world, &r) == 0 && r.ok && r.fallbacks == 0);
    }
}

static void finish(Parts *p)
{
    dJointGroupDestroy(p->contacts);
    dWorldDestroy(p->world);
}

static double differ(const Parts *p, const Parts *q)
{
    double most = 0;
    for (int k = 0; k < 2; k++) {
        const dBodyID a = p->body[k], b = q->body[k];
        most = fmax(most, apart(dBodyGetPosition(a), dBodyGetPosition(b)));
        most = fmax(most, apart(dBodyGetLinearVel(a), dBodyGetLinearVel(b)));
        most = fmax(most, apart(dBodyGetAngularVel(a), dBodyGetAngularVel(b)));
    }
    return most;
}

static void act(Parts *p)
{
    if (p->kind == Force) CHECK(ukForceCreate(p->world, &p->end, 1, push, p->at) != NULL);
}

/* How many steps move both alike to rounding. In Euler's steps, a terminal that leaves its plane turns against the
 * first part, by h^2, until ERP turns it back; the second part feels it. */
static int stepsOf(int kind, ukIntegrator integrator, bool exact)
{
    const bool euler = integrator == ukIntegratorEuler, planar = kind < Stop && !exact;
    const bool discrete = kind == Contact || kind == Motor;
    return (euler ? planar : !discrete) ? 40 : 1;
}

static void alike(ukIntegrator integrator, bool exact, double tolerance)
{
    for (int kind = 0; kind < Kinds; kind++) {
        /* with terminals, these are left to Euler */
        if (kind == Motor && integrator == ukIntegratorAdaptive) continue;
        if (kind == Stop && integrator != ukIntegratorEuler) continue;
        for (int run_of = 0; run_of < 4; run_of++) {
            const int terminals = 1 + run_of / 2, swapped = run_of % 2, steps = stepsOf(kind, integrator, exact);
            Parts without = parts(kind, 0, swapped, integrator), with = parts(kind, terminals, swapped, integrator);
            if (exact) CHECK(ukWorldSetJointRule(without.world, ukJointRuleExact) == 0);
            if (exact) CHECK(ukWorldSetJointRule(with.world, ukJointRuleExact) == 0);
            act(&without);
            act(&with);
            run(&without, steps);
            run(&with, steps);
            const double off = differ(&without, &with);
            if (!CHECK_NEAR(off, 0, kind == Contact ? fmax(tolerance, 1e-10) : tolerance))
                printf("integrator %d, exact %d, kind %d, terminals %d, swapped %d\n", (int)integrator, exact, kind,
                       terminals, swapped);
            finish(&without);
            finish(&with);
        }
    }
}

/* the reference solvers and redundant joints: the terminal is fixed twice */
static void solvers(void)
{
    const ukSolver all[] = {ukSolverSparse,    ukSolverMInverse, ukSolverOneFour,
                            ukSolverDAlembert, ukSolverGaussQP,  ukSolverLagrange};
    for (int i = 0; i < 6; i++)
        for (int twice = 0; twice < (all[i] == ukSolverLagrange ? 1 : 2); twice++) {
            Parts without = parts(Plain, 0, false, ukIntegratorEuler), with = parts(Plain, 1, false, ukIntegratorEuler);
            CHECK(ukWorldSetSolver(with.world, all[i]) == 0);
            if (twice) fix(with.world, with.terminal[0], with.body[0], false);
            run(&without, 5);
            run(&with, 5);
            CHECK_NEAR(differ(&without, &with), 0, 1e-11);
            finish(&without);
            finish(&with);
        }
}

static void keeps(Parts *p, int status, const char *what)
{
    unsigned char before[16], after[16];
    CHECK(ukWorldHash(p->world, before) == 0);
    CHECK(ukWorldStep(p->world, p->h) == 0 && ukGetLastError() == status);
    if (!CHECK(strstr(ukGetLastErrorMessage(), what) != NULL)) printf("message: %s\n", ukGetLastErrorMessage());
    CHECK(ukWorldEnable(p->world) == 0 && dWorldStep(p->world, p->h) == 0 && ukGetLastError() == status);
    CHECK(strstr(ukGetLastErrorMessage(), what) != NULL && ukWorldDisable(p->world) == 0);
    CHECK(ukWorldHash(p->world, after) == 0 && memcmp(before, after, sizeof before) == 0);
}

/* motions that nothing determines, and what is not supported */
static void refused(void)
{
    Parts p = parts(Plain, 1, false, ukIntegratorEuler);
    const dBodyID loose = ball(p.world, 1, 0, 0, 3);
    CHECK(ukBodySetMassless(loose, 1) == 0);
    keeps(&p, ukErrorMass, "translation along");
    const dJointID slider = dJointCreateSlider(p.world, NULL);
    dJointAttach(slider, loose, p.body[0]);
    dJointSetSliderAxis(slider, 0, 0.6, 0.8);
    keeps(&p, ukErrorMass,
          "body 4: it has no mass (ukBodySetMassless), and no joint or constraint determines its "
          "translation along (0 0.6 0.8)");
    dJointDestroy(slider);
    const dJointID hinge = dJointCreateHinge(p.world, NULL);
    dJointAttach(hinge, NULL, loose);
    dJointSetHingeAnchor(hinge, 0.1, 0, 3);
    dJointSetHingeAxis(hinge, 0, 0, 1);
    keeps(&p, ukErrorMass, "rotation about (");
    dJointSetHingeParam(hinge, dParamFMax, 5); /* a motor of finite force does not determine it */
    keeps(&p, ukErrorMass, "rotation about (");
    CHECK(ukBodySetMassless(loose, 0) == 0);
    run(&p, 2);
    CHECK(ukBodySetMassless(loose, 2) == ukErrorArgument && ukBodySetMassless(NULL, 1) == ukErrorHandle);
    CHECK(ukWorldSetIntegrator(p.world, ukIntegratorRattle) == 0);
    keeps(&p, ukErrorUnsupported, "RATTLE");
    dBodyDisable(p.terminal[0]); /* its joints would let ODE wake it */
    keeps(&p, ukErrorUnsupported, "RATTLE");
    finish(&p);
}

/* alone, and between bodies that move by themselves, its motion is that of its joints */
static void carried(void)
{
    const dWorldID w = newWorld(9.81);
    const dBodyID still = ball(w, 1, 0, 0, 0), moved = ball(w, 1, 1, 0, 0), rider = ball(w, 1, 1, 0.5, 0);
    CHECK(ukBodySetMassless(still, 1) == 0 && ukBodySetMassless(rider, 1) == 0);
    fix(w, still, NULL, false);
    dBodySetKinematic(moved);
    dBodySetLinearVel(moved, 0.3, 0, 0.1);
    dBodySetLinearVel(rider, 0.3, 0, 0.1);
    fix(w, rider, moved, false);
    for (int i = 0; i < 100; i++) CHECK(ukWorldStep(w, 0.01) == 1);
    const double zero[3] = {0}, there[3] = {1.3, 0.5, 0.1};
    CHECK_NEAR_ALL(dBodyGetPosition(still), zero, 3, 1e-14);
    CHECK_NEAR_ALL(dBodyGetPosition(rider), there, 3, 1e-12);
    dWorldDestroy(w);
}

/* a part on the slider of a terminal that is fixed to the world at `x`, or of the world itself */
static dBodyID slide(dWorldID w, const double *x, bool by_terminal)
{
    const dBodyID part = box(w, 0.7, 0.2, 0, 0), terminal = by_terminal ? ball(w, 1, x[0], x[1], x[2]) : NULL;
    if (terminal) CHECK(ukBodySetMassless(terminal, 1) == 0);
    if (terminal) fix(w, terminal, NULL, false), dBodyAddForce(terminal, 2.5, -2.7, -2);
    const dJointID slider = dJointCreateSlider(w, NULL);
    attach(slider, terminal, part, !by_terminal); /* about the terminal's centre */
    dJointSetSliderAxis(slider, 0.0862777, 0.865521, 0.493386);
    dJointSetSliderParam(slider, dParamVel, by_terminal ? -0.3 : 0.3);
    dJointSetSliderParam(slider, dParamFMax, 1.9);
    return part;
}

/* what is fixed to the world is the world: also where levers about a terminal's centre are rounding errors only */
static void anchored(void)
{
    static const double at[][3] = {
        {0.2, 0, 0}, {0.1, 0.3, -0.2}, {0.030561432890471554, -0.040624281649581588, -0.070026328782063704}};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        const dWorldID with = newWorld(9.81), without = newWorld(9.81);
        const dBodyID a = slide(with, at[i], true), b = slide(without, at[i], false);
        CHECK(ukWorldSetJointRule(with, ukJointRuleExact) == 0 && ukWorldSetJointRule(without, ukJointRuleExact) == 0);
        for (int k = 0; k < 3; k++) CHECK(ukWorldStep(with, 0.005) == 1 && ukWorldStep(without, 0.005) == 1);
        CHECK_NEAR_ALL(dBodyGetLinearVel(a), dBodyGetLinearVel(b), 3, 1e-9);
        CHECK_NEAR_ALL(dBodyGetAngularVel(a), dBodyGetAngularVel(b), 3, 1e-9);
        dWorldDestroy(with);
        dWorldDestroy(without);
    }
}

/* A part on the hinge of a terminal rests on the ground or on a stop: the forces cancel, accelerations are rounding. */
static void atRest(bool stop, ukIntegrator integrator)
{
    const dWorldID w = newWorld(9.81);
    const dBodyID part = box(w, 1.3, 0.2, 0, 0), terminal = ball(w, 1, 0.03, 0.08, -0.05);
    const dJointGroupID contacts = dJointGroupCreate(0);
    CHECK(ukWorldSetIntegrator(w, integrator) == 0 && ukBodySetMassless(terminal, 1) == 0);
    fix(w, terminal, NULL, false);
    const dJointID hinge = dJointCreateHinge(w, NULL);
    dJointAttach(hinge, part, terminal);
    dJointSetHingeAnchor(hinge, 0, 0, 0);
    dJointSetHingeAxis(hinge, 0.1, 1, 0.3);
    if (stop) dJointSetHingeParam(hinge, dParamLoStop, 0), dJointSetHingeParam(hinge, dParamHiStop, 0);
    const dContact c = {.surface = {.mode = dContactApprox1, .mu = 0.5},
                        .geom = {.pos = {0.4, 0, -0.1}, .normal = {0, 0, 1}}};
    for (int i = 0; i < 20; i++) {
        ukReport r;
        dJointGroupEmpty(contacts);
        if (!stop) dJointAttach(dJointCreateContact(w, contacts, &c), part, NULL);
        CHECK(ukWorldStep(w, 0.005) == 1 && ukWorldGetReport(w, &r) == 0 && r.ok);
    }
    const double zero[3] = {0};
    CHECK_NEAR_ALL(dBodyGetLinearVel(part), zero, 3, 1e-8); /* the default CFM yields */
    CHECK_NEAR_ALL(dBodyGetAngularVel(part), zero, 3, 1e-8);
    dJointGroupDestroy(contacts);
    dWorldDestroy(w);
}

/* A part presses on a stop of its hinge with the world, or with a terminal that is fixed to the world: beside a body
 * without mass stops and one-sided rows act in the discrete form, alone in the continuous one. */
static void pressed(ukIntegrator integrator, bool by_terminal)
{
    const dWorldID w = newWorld(9.81);
    const dBodyID part = box(w, 1.3, 0.2, 0, 0), terminal = by_terminal ? ball(w, 1, 0.03, 0.08, -0.05) : NULL;
    CHECK(ukWorldSetIntegrator(w, integrator) == 0);
    if (terminal) CHECK(ukBodySetMassless(terminal, 1) == 0);
    if (terminal) fix(w, terminal, NULL, false);
    const dJointID hinge = dJointCreateHinge(w, NULL);
    dJointAttach(hinge, part, terminal);
    dJointSetHingeAnchor(hinge, 0, 0, 0);
    dJointSetHingeAxis(hinge, 0.1, 1, 0.3);
    dJointSetHingeParam(hinge, dParamLoStop, -1);
    dJointSetHingeParam(hinge, dParamHiStop, 0);
    for (int i = 0; i < 20; i++) {
        ukReport r;
        CHECK(ukWorldStep(w, 0.005) == 1 && ukWorldGetReport(w, &r) == 0 && r.ok);
        if (i > 1) CHECK(r.discrete_islands == by_terminal); /* once it is there */
    }
    CHECK(fabs(dJointGetHingeAngle(hinge)) < 1e-3);
    dWorldDestroy(w);
}

/* the equations have the singular M; a state that is saved has what has no mass */
static void stated(void)
{
    Parts p = parts(Plain, 1, false, ukIntegratorEuler);
    ukEquations e = {0};
    run(&p, 3);
    CHECK(ukWorldGetEquations(p.world, &e) == 0 && e.n == 18);
    double rest = 0;
    for (int i = 0; i < e.n; i++) {
        double sum = -e.Qi[i];
        for (int k = 0; k < e.n; k++) sum += e.M[i * e.n + k] * (e.qdd[k] - e.a[k]);
        rest = fmax(rest, fabs(sum));
        const int terminal = e.bodies[i / 6] == p.terminal[0];
        CHECK((e.M[i * e.n + i] == 0) == terminal);
    }
    CHECK_NEAR(rest, 0, 1e-10);
    const size_t size = ukWorldSave(p.world, NULL, 0);
    void *saved = malloc(size);
    CHECK(saved && ukWorldSave(p.world, saved, size) == size);
    run(&p, 5);
    unsigned char hash[16], again[16];
    CHECK(ukWorldHash(p.world, hash) == 0);
    CHECK(ukBodySetMassless(p.terminal[0], 0) == 0);
    run(&p, 1);
    CHECK(ukWorldRestore(p.world, saved, size) == 0 && ukBodyGetMassless(p.terminal[0]) == 1);
    run(&p, 5);
    CHECK(ukWorldHash(p.world, again) == 0 && memcmp(hash, again, sizeof hash) == 0);
    free(saved);
    finish(&p);
}

/* kinetic and potential energy, and the ledger, are of the bodies with mass */
static void booked(ukIntegrator integrator)
{
    Parts p = parts(Force, 1, false, integrator);
    act(&p);
    CHECK(ukWorldSetLedger(p.world, 1) == 0);
    run(&p, 60);
    ukLedger l;
    CHECK(ukWorldGetLedger(p.world, &l) == 0);
    CHECK_NEAR(l.residual, 0, 1e-11);
    finish(&p);
}

/* ---- centred joints, projections --------------------------------------------------------------------------------- */

/* Joints act on its centre, so that nothing but rounding turns it: a cart on rails, a body without mass fixed to it,
 * and a load on a slider of that, which a motor pushes with all its force. The load does not turn. */
static void centred(ukIntegrator integrator, ukJointRule rule, int order)
{
    const double h = 0.005, force = 3, m = 2, load_m = 1;
    dVector3 rail_axis = {0.93, -0.31, 0.17}, arm_axis = {-0.23, 0.41, 0.87};
    const dWorldID w = newWorld(0);
    const dBodyID cart = box(w, m, 0.13, 0.37, -0.21), carried = ball(w, 5, 0.71, 0.11, 0.29),
                  load = box(w, load_m, 1.17, 0.23, 0.31);
    const dJointID rail = dJointCreateSlider(w, NULL), arm = dJointCreateSlider(w, NULL);
    const dBodyID all[3] = {cart, carried, load};
    for (int i = 0; i < 3; i++) {
        dQuaternion q = {0.7, 0.2 + 0.3 * i, -0.4, 0.6 - 0.5 * i};
        dNormalize4(q);
        dBodySetQuaternion(all[i], q);
    }
    dNormalize3(rail_axis);
    dNormalize3(arm_axis);
    CHECK(ukWorldSetIntegrator(w, integrator) == 0 && ukWorldSetJointRule(w, rule) == 0);
    CHECK(ukBodySetMassless(carried, 1) == 0);
    dWorldSetCFM(w, 1e-10);
    attach(rail, cart, NULL, order & 1);
    dJointSetSliderAxis(rail, rail_axis[0], rail_axis[1], rail_axis[2]);
    fix(w, cart, carried, order & 2);
    attach(arm, carried, load, order & 4);
    dJointSetSliderAxis(arm, arm_axis[0], arm_axis[1], arm_axis[2]);
    dJointSetSliderParam(arm, dParamVel, 20);
    dJointSetSliderParam(arm, dParamFMax, force);
    CHECK(ukWorldStep(w, h) == 1);
    ukReport r;
    CHECK(ukWorldGetReport(w, &r) == 0 && r.ok);
    /* (m + load_m) x'' + load_m c s'' = 0, load_m (c x'' + s'') = force; the motor's rate is that of the joint's first
     * body
     */
    const double c = dCalcVectorDot3(rail_axis, arm_axis), part = load_m / (m + load_m), sign = order & 4 ? 1 : -1;
    const double s = sign * force / load_m / (1 - c * c * part), x = -c * s * part, zero[3] = {0};
    double moves[3];
    for (int k = 0; k < 3; k++) moves[k] = h * (x * rail_axis[k] + s * arm_axis[k]);
    if (!CHECK_NEAR_ALL(dBodyGetLinearVel(load), moves, 3, 2e-8) ||
        !CHECK_NEAR_ALL(dBodyGetAngularVel(load), zero, 3, 2e-8))
        printf("integrator %d, rule %d, order %d\n", (int)integrator, (int)rule, order);
    dWorldDestroy(w);
}

/* A projection moves no body by the auxiliary mass: a bar that floats, with a body without mass fixed to its end, whose
 * velocity the program has set. Linear and angular momentum are those of the bar. */
static void projected(ukIntegrator integrator)
{
    const dWorldID w = newWorld(0);
    const dBodyID bar = box(w, 2, 0, 0, 0), end = ball(w, 5, 1, 0, 0);
    const double spins[3] = {0, 0.3, 0}, zero[3] = {0};
    CHECK(ukWorldSetIntegrator(w, integrator) == 0 && ukBodySetMassless(end, 1) == 0);
    fix(w, bar, end, false);
    dBodySetAngularVel(bar, spins[0], spins[1], spins[2]);
    dBodySetLinearVel(end, 0.2, 1, -2);
    dBodySetAngularVel(end, 3, 0, 1);
    for (int i = 0; i < 10; i++)
        if (!CHECK(ukWorldStep(w, 0.01) == 1)) printf("%s\n", ukGetLastErrorMessage());
    CHECK_NEAR_ALL(dBodyGetLinearVel(bar), zero, 3, 1e-12);
    CHECK_NEAR_ALL(dBodyGetAngularVel(bar), spins, 3, 1e-12);
    dWorldDestroy(w);
}

int main(void)
{
    dInitODE2(0);
    for (int k = ukIntegratorEuler; k <= ukIntegratorAdaptive; k++)
        for (int order = 0; order < 16; order++)
            centred((ukIntegrator)k, order & 8 ? ukJointRuleExact : ukJointRuleODE, order);
    projected(ukIntegratorRK4);
    projected(ukIntegratorAdaptive);
    alike(ukIntegratorEuler, false, 1e-11);
    alike(ukIntegratorEuler, true, 1e-11);
    alike(ukIntegratorRK4, false, 1e-9);
    alike(ukIntegratorAdaptive, false, 1e-9);
    solvers();
    refused();
    carried();
    anchored();
    for (int k = 0; k < 4; k++) atRest(k % 2, k / 2 ? ukIntegratorAdaptive : ukIntegratorEuler);
    for (int k = 0; k < 4; k++) pressed(k % 2 ? ukIntegratorRK4 : ukIntegratorAdaptive, k / 2);
    stated();
    booked(ukIntegratorEuler);
    booked(ukIntegratorAdaptive);
    dCloseODE();
    return ukTestEnd();
}
