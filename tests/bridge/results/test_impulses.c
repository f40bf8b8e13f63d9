/* SPDX-License-Identifier: BSD-3-Clause */
/* What dJointFeedback reports is the mean force over the step, under every integrator: h times the feedback of the
 * joints on a body, gravity and the forces that act on it is the change of its momentum, velocity jumps included; the
 * momentum of bodies that only joints hold together stays, the angular momentum to the integrator's order. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"
#include "tests/support/random_world.h"
#include "ukode/ukode.h"

enum { Integrators = 5 };
static const char *const integrator_name[Integrators] = {"euler", "rk4", "adaptive", "rattle", "radau"};

/* Bodies that move by forces alone: no damping, no cap. */
static void undamped(RandomWorld *w)
{
    for (int i = 0; i < w->bodies; i++) {
        dBodySetLinearDamping(w->body[i], 0);
        dBodySetAngularDamping(w->body[i], 0);
        dBodySetMaxAngularSpeed(w->body[i], dInfinity);
        dBodySetMovedCallback(w->body[i], NULL);
    }
}

/* impulse of joint `j` on body b in a step of h, added */
static void addFeedback(dJointID j, const dJointFeedback *f, dBodyID b, double h, double impulse[3])
{
    const dBodyID first = dJointGetBody(j, 0), second = dJointGetBody(j, 1);
    const dReal *force = b == first || (!first && b == second) ? f->f1 : b == second ? f->f2 : NULL;
    for (int k = 0; k < 3 && force; k++) impulse[k] += h * force[k];
}

/* the largest |sum of impulses - m dv| of a step over the largest impulse in it, or what rounding of a momentum is
 * over its tolerance */
typedef struct Balance {
    double off, size;
} Balance;

static void balanceBody(const RandomWorld *w, int i, const double *before, const double *applied, double h,
                        Balance *sum)
{
    static const double rounding = 1024 * DBL_EPSILON / 1e-9; /* of many sub-steps, over the tolerance of the balance */
    dVector3 g;
    dMass m;
    double impulse[3];
    dWorldGetGravity(w->world, g);
    dBodyGetMass(w->body[i], &m);
    for (int k = 0; k < 3; k++) impulse[k] = h * (applied[k] + (dBodyGetGravityMode(w->body[i]) ? m.mass * g[k] : 0));
    for (int j = 0; j < w->joints; j++) addFeedback(w->joint[j], &w->feedback[j], w->body[i], h, impulse);
    for (int k = 0; k < 3; k++) {
        const double change = m.mass * (dBodyGetLinearVel(w->body[i])[k] - before[k]);
        sum->off = fmax(sum->off, fabs(impulse[k] - change));
        sum->size = fmax(sum->size, fmax(fabs(change), fabs(impulse[k])));
        sum->size = fmax(sum->size, rounding * m.mass * fabs(before[k]));
    }
    for (int j = 0; j < w->joints; j++)
        for (int k = 0; k < 3; k++)
            sum->size = fmax(sum->size, h * fmax(fabs(w->feedback[j].f1[k]), fabs(w->feedback[j].f2[k])));
}

static int stepBalanced(RandomWorld *w, double h, Balance *sum)
{
    double before[MaxWorldBodies][3], applied[MaxWorldBodies][3];
    for (int i = 0; i < w->bodies; i++)
        for (int k = 0; k < 3; k++) {
            before[i][k] = dBodyGetLinearVel(w->body[i])[k];
            applied[i][k] = dBodyGetForce(w->body[i])[k];
        }
    memset(w->feedback, 0, sizeof w->feedback);
    if (ukWorldStep(w->world, h) != 1) return 0;
    *sum = (Balance){0};
    for (int i = 0; i < w->bodies; i++)
        if (!dBodyIsKinematic(w->body[i])) balanceBody(w, i, before[i], applied[i], h, sum);
    return 1;
}

/* ---- momentum of isolated groups --------------------------------------------------------------------------------- */

/* about the origin, over the first `bodies` */
static void momenta(const RandomWorld *w, double P[3], double L[3])
{
    memset(P, 0, 3 * sizeof *P);
    memset(L, 0, 3 * sizeof *L);
    for (int i = 0; i < w->bodies; i++) {
        const dReal *x = dBodyGetPosition(w->body[i]), *v = dBodyGetLinearVel(w->body[i]);
        const dReal *u = dBodyGetAngularVel(w->body[i]);
        dVector3 local, spin = {0}, turned;
        dMass m;
        dBodyGetMass(w->body[i], &m);
        dBodyVectorFromWorld(w->body[i], u[0], u[1], u[2], local);
        for (int k = 0; k < 3; k++)
            for (int c = 0; c < 3; c++) spin[k] += m.I[4 * k + c] * local[c];
        dBodyVectorToWorld(w->body[i], spin[0], spin[1], spin[2], turned);
        for (int k = 0; k < 3; k++) {
            const int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            P[k] += m.mass * v[k];
            L[k] += m.mass * (x[k1] * v[k2] - x[k2] * v[k1]) + turned[k];
        }
    }
}

/* Only joints that push along lines of their own in the continuous form, between bodies; the world and kinematic bodies
 * have no part. */
static bool isolated(const RandomWorld *w)
{
    for (int j = 0; j < w->joints; j++)
        if (!dJointGetBody(w->joint[j], 0) || !dJointGetBody(w->joint[j], 1) ||
            dJointGetType(w->joint[j]) == dJointTypePlane2D || dJointGetType(w->joint[j]) == dJointTypeTransmission)
            return false;
    for (int i = 0; i < w->bodies; i++)
        if (dBodyIsKinematic(w->body[i])) return false;
    return w->joints > 0;
}

/* ---- random worlds ----------------------------------------------------------------------------------------------- */

typedef struct Tally {
    int worlds, steps, failed, isolated;
    double impulse, linear, angular; /* the largest, over what there is of it */
} Tally;

/* a group without gravity, in which every velocity was set at random, against the joints */
static void keepMomentum(const RandomWorld *w, double h, const double P0[3], const double L0[3], Tally *tally)
{
    static const double fast = 0.5; /* [rad] per step: the discrete form may take ODE's gyroscopic torque */
    double P[3], L[3], size = 0, turn = 0;
    ukReport report;
    momenta(w, P, L);
    CHECK(ukWorldGetReport(w->world, &report) == 0);
    for (int i = 0; i < w->bodies; i++) {
        const dReal *v = dBodyGetLinearVel(w->body[i]), *x = dBodyGetPosition(w->body[i]);
        dMass m;
        dBodyGetMass(w->body[i], &m);
        size += m.mass * (fabs(v[0]) + fabs(v[1]) + fabs(v[2]));
        const dReal *spin = dBodyGetAngularVel(w->body[i]);
        if (report.discrete_islands > 0 && h * sqrt(dCalcVectorDot3(spin, spin)) > fast) turn = INFINITY;
        turn += m.mass * (fabs(v[0]) + fabs(v[1]) + fabs(v[2])) * (fabs(x[0]) + fabs(x[1]) + fabs(x[2]));
    }
    for (int j = 0; j < w->joints; j++) /* displaced, they push their two bodies along different lines */
        if (dJointGetType(w->joint[j]) == dJointTypeHinge2 || dJointGetType(w->joint[j]) == dJointTypePU)
            turn = INFINITY;
    for (int k = 0; k < 3; k++) {
        tally->linear = fmax(tally->linear, fabs(P[k] - P0[k]) / (1 + size));
        tally->angular = fmax(tally->angular, fabs(L[k] - L0[k]) / (1 + turn));
    }
}

/* Whether hinge2 and ball joints hold a pair of bodies by more rows than these have relative freedoms: infinite motors
 * then contradict one another. */
static bool overdetermined(const RandomWorld *w)
{
    for (int j = 0; j < w->joints; j++) {
        int rows = 0;
        for (int k = 0; k < w->joints; k++) {
            const dJointID x = w->joint[j], y = w->joint[k];
            const bool along = dJointGetBody(x, 0) == dJointGetBody(y, 0) && dJointGetBody(x, 1) == dJointGetBody(y, 1);
            const bool across =
                dJointGetBody(x, 0) == dJointGetBody(y, 1) && dJointGetBody(x, 1) == dJointGetBody(y, 0);
            if (along || across) rows += 3;
            if ((along || across) && dJointGetType(y) == dJointTypeHinge2)
                rows += (dJointGetHinge2Param(y, dParamFMax) > 0) + (dJointGetHinge2Param(y, dParamFMax2) > 0);
        }
        if (rows > 6) return true;
    }
    return false;
}

/* The worlds that may be refused: gears need bearings (docs/accuracy.md), and rows must not contradict one another. */
static bool refusable(const RandomWorld *w)
{
    for (int j = 0; j < w->joints; j++)
        if (dJointGetType(w->joint[j]) == dJointTypeTransmission) return true;
    return overdetermined(w);
}

/* Poses on the joints, since no force takes them there, and velocities that these do not allow. */
static bool setAgainst(const RandomWorld *w, uint64_t seed)
{
    Random r = {.state = seed};
    ukReport report;
    if (ukWorldProject(w->world) != 0 || ukWorldEvaluate(w->world) != 0) {
        CHECK(ukGetLastError() == ukErrorContradiction && refusable(w));
        return false;
    }
    CHECK(ukWorldGetReport(w->world, &report) == 0);
    if (!(report.position_error < 1e-9)) return false; /* joints that stops hold apart */
    for (int i = 0; i < w->bodies; i++) {
        dBodySetGyroscopicMode(w->body[i], 1);
        dBodySetLinearVel(w->body[i], randomUniform(&r, -1, 1), randomUniform(&r, -1, 1), randomUniform(&r, -1, 1));
        dBodySetAngularVel(w->body[i], randomUniform(&r, -1, 1), randomUniform(&r, -1, 1), randomUniform(&r, -1, 1));
    }
    return true;
}

static void run(int integrator, uint64_t seed, const RandomWorldKind *kind, Tally *tally)
{
    enum { Steps = 10 };
    const double h = 0.005;
    RandomWorld w;
    randomWorldBuild(&w, seed, kind);
    undamped(&w);
    ukWorldSetIntegrator(w.world, (ukIntegrator)integrator);
    const bool alone = isolated(&w);
    double P[3], L[3];
    if (alone) dWorldSetGravity(w.world, 0, 0, 0);
    for (int i = 0; alone && i < w.bodies; i++) {
        dBodySetForce(w.body[i], 0, 0, 0);
        dBodySetTorque(w.body[i], 0, 0, 0);
    }
    const bool on = setAgainst(&w, seed), placed = on || integrator == (int)ukIntegratorEuler;
    momenta(&w, P, L);
    tally->worlds++;
    tally->isolated += alone;
    for (int i = 0; i < Steps && placed; i++) {
        Balance b;
        if (!stepBalanced(&w, h, &b)) {
            printf("  %s, seed %llu, step %d refused: %s\n", integrator_name[integrator], (unsigned long long)seed, i,
                   ukGetLastErrorMessage());
            CHECK(refusable(&w));
            tally->failed++;
            break;
        }
        tally->steps++;
        const double off = b.size > 0 ? b.off / b.size : 0;
        if (off > 1e-9 && integrator != ukIntegratorAdaptive)
            printf("  %s, seed %llu, step %d: %.2g\n", integrator_name[integrator], (unsigned long long)seed, i, off);
        tally->impulse = fmax(tally->impulse, off);
        if (alone) keepMomentum(&w, h, P, L, tally);
    }
    randomWorldDestroy(&w);
}

static void tell(int integrator, int stops, const Tally *t)
{
    printf("%s, stops %d: %d worlds, %d steps, %d failed; impulses off by %.1e; %d isolated, momentum by %.1e, "
           "angular %.1e\n",
           integrator_name[integrator], stops, t->worlds, t->steps, t->failed, t->impulse, t->isolated, t->linear,
           t->angular);
}

/* Gears without bearings, where RATTLE takes poses that are found beside Newton's method; a rod that starts 0.13 rad
 * beside its length, whose projection must not stall, nor take angular momentum. */
static void rare(void)
{
    static const int beside[] = {200, 881, 1288, 1544};
    const RandomWorldKind kind = {.types = randomEqualityTypes, .cfm_lo = 1e-10, .cfm_hi = 1e-9};
    Tally rattle = {0}, rk4 = {0};
    for (unsigned i = 0; i < sizeof beside / sizeof *beside; i++)
        run(ukIntegratorRattle, (uint64_t)beside[i], &kind, &rattle);
    run(ukIntegratorRK4, 1989, &kind, &rk4);
    tell(ukIntegratorRattle, 0, &rattle);
    tell(ukIntegratorRK4, 0, &rk4);
    CHECK(rattle.steps > 20 && rattle.impulse < 1e-9);
    CHECK(rk4.isolated == 1 && rk4.steps == 10 && rk4.angular < 1e-9 && rk4.impulse < 1e-9);
}

/* A projection that takes an island to a stop: what is looked at there is in the discrete form, with its bounds. */
static void ontoStop(void)
{
    const RandomWorldKind kind = {.types = randomEqualityTypes, .cfm_lo = 1e-10, .cfm_hi = 1e-9, .stops = 1};
    RandomWorld w;
    ukReport before, after;
    randomWorldBuild(&w, 1110, &kind);
    CHECK(ukWorldSetIntegrator(w.world, ukIntegratorRK4) == 0);
    CHECK(ukWorldEvaluate(w.world) == 0 && ukWorldGetReport(w.world, &before) == 0);
    CHECK(ukWorldProject(w.world) == 0 && ukWorldGetReport(w.world, &after) == 0);
    CHECK(after.discrete_islands > before.discrete_islands);
    randomWorldDestroy(&w);
}

/* Suspensions are stiff springs, whose implicit method solves for its stages as far as the tolerance needs. */
static void suspensions(int worlds)
{
    const int types = 1 << dJointTypeHinge2 | 1 << dJointTypeBall;
    const RandomWorldKind kind = {.types = types, .cfm_lo = 1e-10, .cfm_hi = 1e-9};
    Tally tally = {0};
    for (int seed = 1; seed <= worlds; seed++) run(ukIntegratorAdaptive, (uint64_t)seed, &kind, &tally);
    tell(ukIntegratorAdaptive, 0, &tally);
    CHECK(tally.steps > 5 * worlds && tally.impulse < 1e-5);
}

static void pushLaw(const ukNonIdealContext *c, dReal force_and_torque[2][6], void *data)
{
    const int side = c->body[0] ? 0 : 1;
    (void)data;
    force_and_torque[side][0] = 5 * cos(20 * c->time) - 2 * c->body[side]->velocity[0];
}

/* The impulse of the laws of a rail, which no row of it has: h times the feedback along it is the change of the cart's
 * momentum, in either order of attachment. */
static void alongRail(int integrator, bool swapped, bool of_program)
{
    static const double mass = 2, h = 0.02;
    const dWorldID world = dWorldCreate();
    const dBodyID cart = dBodyCreate(world);
    const dJointID rail = dJointCreateSlider(world, 0);
    dJointFeedback feedback;
    dMass m;
    dMassSetBoxTotal(&m, mass, 1, 0.5, 0.5);
    dBodySetMass(cart, &m);
    dBodySetLinearVel(cart, 3, 0, 0);
    CHECK(ukWorldSetIntegrator(world, (ukIntegrator)integrator) == 0);
    dJointAttach(rail, swapped ? 0 : cart, swapped ? cart : 0);
    dJointSetSliderAxis(rail, 1, 0, 0);
    dJointSetFeedback(rail, &feedback);
    if (of_program)
        CHECK(ukJointSetNonIdeal(rail, pushLaw, NULL) == 0);
    else
        CHECK(ukJointSetViscous(rail, 4) == 0);
    for (int i = 0; i < 20; i++) {
        const double before = dBodyGetLinearVel(cart)[0];
        if (!CHECK(ukWorldStep(world, h) == 1)) break;
        const double change = mass * (dBodyGetLinearVel(cart)[0] - before);
        if (!CHECK(fabs(h * feedback.f1[0] - change) <= 1e-12))
            printf("%s, swapped %d, of program %d: impulse %g, change of momentum %g\n", integrator_name[integrator],
                   swapped, of_program, h * feedback.f1[0], change);
    }
    CHECK(fabs(dBodyGetLinearVel(cart)[0] - 3) > 0.1);
    dWorldDestroy(world);
}

int main(int argc, char **argv)
{
    const int worlds = argc > 1 ? atoi(argv[1]) : ukTestRounds(60);
    static const double angular[Integrators] = {INFINITY, 1e-8, 1e-9, 1e-12,
                                                1e-9}; /* the discrete form turns spins aside */
    const int suspension =
        1 << dJointTypeHinge2; /* a spring by CFM, stiff: implicit sub-steps' feedback has their tolerance */
    dInitODE2(0);
    for (int k = 0; k < Integrators; k++)
        for (int stops = 0; stops < 2; stops++) {
            RandomWorldKind kind = {.types = randomEqualityTypes, .cfm_lo = 1e-10, .cfm_hi = 1e-9, .stops = stops};
            if (k == ukIntegratorAdaptive || k == ukIntegratorRadau) kind.types &= ~suspension;
            Tally tally = {0};
            for (int seed = 1; seed <= worlds; seed++) run(k, (uint64_t)seed, &kind, &tally);
            tell(k, stops, &tally);
            CHECK(tally.impulse < 1e-9);
            CHECK(tally.linear < 1e-12);
            if (!stops) CHECK(tally.angular < angular[k]);
            if (stops && k != ukIntegratorEuler) CHECK(tally.angular < 1e-6); /* second order where a stop is reached */
            CHECK(tally.failed < tally.worlds / 5);
        }
    rare();
    for (int k = 0; k < 4 * Integrators; k++) alongRail(k / 4, k % 2, k / 2 % 2);
    ontoStop();
    suspensions(worlds / 3);
    dCloseODE();
    return ukTestEnd();
}
