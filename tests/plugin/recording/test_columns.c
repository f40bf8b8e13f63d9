/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of a recording, read from the file with SQLite, against what the public getters answered or what follows
 * from poses, masses and forces: settings, masses, the report of each step, forces by cause, power with friction,
 * contacts in both orders, the ledger; joints: test_columns_joints.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ukode/ukode.h>

#include "bridge/world/registry.h"
#include "plugin/formats/recording/reader.h"
#include "tests/check.h"
#include "tests/plugin/recording/columns.h"
#include "tests/support/plain_world.h"

/* ---- run, world, body -------------------------------------------------------------------------------------------- */

static void settings(void)
{
    const dWorldID w = newWorld(0);
    const dBodyID b = ball(w, 1, 0, 0, 0);
    dWorldSetGravity(w, 1, 2, 3);
    dWorldSetERP(w, 0.3);
    dWorldSetCFM(w, 2e-7);
    CHECK(ukWorldEnable(w) == ukOk);
    CHECK(ukWorldSetIntegrator(w, ukIntegratorRK4) == ukOk);
    CHECK(ukWorldSetFriction(w, ukFrictionCone) == ukOk);
    CHECK(ukWorldSetFrictionRounds(w, 9) == ukOk);
    CHECK(ukWorldSetStabilization(w, ukStabilizeBaumgarte, 6, 7) == ukOk);
    CHECK(ukWorldSetSolver(w, ukSolverSparse) == ukOk);
    CHECK(ukWorldSetCfmRule(w, ukCfmOde) == ukOk);
    CHECK(ukWorldSetRankTolerance(w, 1e-7) == ukOk);
    CHECK(ukWorldSetGaussCheck(w, 3e-9, ukCheckStop) == ukOk);
    CHECK(ukWorldSetThreads(w, 2) == ukOk);
    CHECK(ukWorldSetTime(w, 5) == ukOk);
    CHECK(ukWorldRecord(w, path, &(ukRecordOptions){.rate = 45, .certificates = 1}) == ukOk);
    for (int i = 0; i < 3; i++) CHECK(ukWorldStep(w, h) == 1);
    end(w);
    CHECK(b != NULL);
    static const struct {
        const char *name, *text;
    } texts[] = {{"integrator", "rk4"}, {"friction", "cone"}, {"stabilization", "baumgarte"},
                 {"solver", "sparse"},  {"cfm_rule", "ode"},  {"check_action", "stop"}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char sql[100];
        snprintf(sql, sizeof sql, "SELECT %s = '%s' FROM world", texts[i].name, texts[i].text);
        if (!CHECK(ask(sql) == 1)) printf("%s\n", sql);
    }
    static const struct {
        const char *name;
        double value;
    } numbers[] = {
        {"world", 1},   {"friction_rounds", 9}, {"alpha", 6},     {"beta", 7},      {"rank_tolerance", 1e-7},
        {"threads", 2}, {"gravity_x", 1},       {"gravity_y", 2}, {"gravity_z", 3}, {"check_tolerance", 3e-9},
        {"erp", 0.3},   {"cfm", 2e-7},          {"time", 5}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        is("world", numbers[i].name, "1", numbers[i].value, 1e-15 * fabs(numbers[i].value));
    is("run", "rate", "1", 45, 0);
    is("run", "every_step", "1", 0, 0);
    is("run", "inputs", "1", 0, 0);
    is("run", "certificates", "1", 1, 0);
    is("run", "format", "1", ask("PRAGMA user_version"), 0);
    CHECK(
        ask("SELECT ukode_version = '" UKODE_VERSION "' AND program LIKE '%/test_columns' AND arguments LIKE "
            "'%test_columns one two' AND length(machine) > 3 AND length(compiler) > 3 AND ode_version LIKE 'ODE%' AND "
            "started LIKE '20__-__-__T__:__:__Z' AND ended >= started AND working_directory LIKE '/%' FROM run") == 1);
    is("step", "max(time)", "1", 5 + 3 * h, 1e-14);
    CHECK(
        ask("SELECT count(*) FROM step WHERE h = 0.01 AND quick = 0 AND fallback = 0 AND why IS NULL AND ukode = 1") ==
        3);
    dWorldDestroy(w);
}

static void bodies(void)
{
    const dWorldID w = newWorld(9.81);
    const dBodyID b = dBodyCreate(w), kinematic = ball(w, 7, 3, 0, 0);
    dMass m;
    dMassSetParameters(&m, 2, 0, 0, 0, 1, 2, 2.5, 0.1, 0.2, 0.3);
    dBodySetMass(b, &m);
    dBodySetPosition(b, 1, 2, 4);
    dBodySetLinearVel(b, 0.3, 0.2, 0.1);
    dBodySetAngularVel(b, 0.1, -0.2, 0.3);
    dBodySetKinematic(kinematic);
    dBodySetLinearVel(kinematic, 0, 2, 0);
    begin(w, false);
    for (int i = 0; i < 4; i++) CHECK(dWorldQuickStep(w, h) == 1); /* ODE's own: this world is not enabled */
    const dReal *x = dBodyGetPosition(b), *v = dBodyGetLinearVel(b), *s = dBodyGetAngularVel(b),
                *R = dBodyGetRotation(b);
    const dReal *q = dBodyGetQuaternion(b);
    end(w);
    const double inertia[6] = {1, 2, 2.5, 0.1, 0.2, 0.3};
    static const char *const names[6] = {"inertia_xx", "inertia_yy", "inertia_zz",
                                         "inertia_xy", "inertia_xz", "inertia_yz"};
    for (int i = 0; i < 6; i++) is("body", names[i], "body = 1", inertia[i], 0);
    is("body", "mass", "body = 1", 2, 0);
    is("body", "kinematic", "body = 1", 0, 0);
    is("body", "kinematic", "body = 2", 1, 0);
    is("body", "world", "body = 2", 1, 0);
    is("body", "created_step", "body = 2", 1, 0);
    isVector("body_step", "position", "step = 4 AND body = 1", x, 0);
    isVector("body_step", "velocity", "step = 4 AND body = 1", v, 0);
    isVector("body_step", "spin", "step = 4 AND body = 1", s, 0);
    isVector("body_step", "orientation", "step = 4 AND body = 1", q + 1, 0);
    is("body_step", "orientation_w", "step = 4 AND body = 1", q[0], 0);
    is("body_step", "awake", "step = 4 AND body = 1", 1, 0);
    /* energies from poses and masses; the kinematic body has none */
    double kinetic = 0.5 * 2 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), local[3];
    for (int i = 0; i < 3; i++) local[i] = R[i] * s[0] + R[4 + i] * s[1] + R[8 + i] * s[2];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) kinetic += 0.5 * local[i] * m.I[4 * i + k] * local[k];
    is("step", "kinetic_energy", "step = 4", kinetic, 1e-13);
    is("step", "potential_energy", "step = 4", 2 * 9.81 * x[2], 1e-12);
    is("step", "quick", "step = 4", 1, 0);
    is("step", "ukode", "step = 4", 0, 0);
    is("step", "rows", "step = 4", (double)NAN, 0);
    dWorldDestroy(w);
}

/* ---- the report of a step ---------------------------------------------------------------------------------------- */

static void checkReport(const ukReport *r, int step)
{
    const struct {
        const char *name;
        double value;
    } list[] = {{"bodies", r->bodies},
                {"joints", r->joints},
                {"rows", r->rows},
                {"rank", r->rank < 0 ? (double)NAN : r->rank},
                {"active", r->active_rows},
                {"pivots", r->pivots},
                {"passes", r->factorizations},
                {"feasibility", r->feasibility},
                {"stationarity", r->stationarity},
                {"complementarity", r->complementarity},
                {"position_error", r->position_error},
                {"velocity_error", r->velocity_error},
                {"coupling", r->coupling},
                {"compromise", r->compromise},
                {"gauss_i", r->gaussian},
                {"gauss_ni", r->Gni},
                {"ok", r->ok},
                {"microseconds_assemble", 1e6 * r->seconds_assemble},
                {"microseconds_solve", 1e6 * r->seconds_solve},
                {"microseconds_check", 1e6 * r->seconds_check},
                {"microseconds_write", 1e6 * r->seconds_write}};
    char where[32];
    snprintf(where, sizeof where, "step = %d", step);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) is("step", list[i].name, where, list[i].value, 0);
    CHECK(column("step", "microseconds", where) >= 1e6 * (r->seconds_solve + r->seconds_assemble));
    CHECK(column("step", "microseconds", where) < 60e6);
}

/* a contact joint at `at`, into `first` where that is not the world */
static dJointID touch(dWorldID w, const double at[3], const double normal[3], double depth, double mu, dBodyID first,
                      dBodyID second, dJointFeedback *feedback)
{
    dContact c;
    memset(&c, 0, sizeof c);
    for (int i = 0; i < 3; i++) c.geom.pos[i] = at[i], c.geom.normal[i] = normal[i];
    c.geom.depth = depth;
    c.surface.mu = mu;
    c.surface.mode = dContactApprox1;
    const dJointID j = dJointCreateContact(w, NULL, &c);
    dJointAttach(j, first, second);
    dJointSetFeedback(j, feedback);
    return j;
}

/* velocity of a body's point */
static void pointOf(dBodyID b, const double at[3], double v[3])
{
    dVector3 u = {0};
    if (b) dBodyGetPointVel(b, at[0], at[1], at[2], u);
    for (int i = 0; i < 3; i++) v[i] = u[i];
}

/* a contact of each order: (body, world), (world, body), (body, body); by ukode, or by ODE's own stepper */
static void contacts(bool ours)
{
    const double normals[3][3] = {{0, 0, 1}, {0, 0, -1}, {0, 0, 1}};
    for (int order = 0; order < 3; order++) {
        const dWorldID w = newWorld(9.81);
        const dBodyID b = ball(w, 2, 0, 0, 0.1), other = ball(w, 3, 0, 0, -0.1);
        const dBodyID first = order == 1 ? NULL : b, second = order == 0 ? NULL : order == 1 ? b : other;
        const double at[3] = {0.01, 0.02, 0.003};
        dJointFeedback f;
        ukReport r;
        memset(&f, 0, sizeof f);
        dBodySetLinearVel(b, 0.7, -0.4, 0);
        dBodySetAngularVel(b, 0.5, 1, 2);
        dBodySetAngularVel(other, -0.3, 0.2, 0.1);
        touch(w, at, normals[order], 0.003, 0.3, first, second, &f);
        begin(w, false);
        CHECK(ours ? ukWorldStep(w, h) == 1 && ukWorldGetReport(w, &r) == ukOk : dWorldStep(w, h) == 1);
        end(w);
        if (ours) checkReport(&r, 1);
        /* body b's is f1, but for the third order, where it is as well: the force on the first body is its opposite
         * where that is the world */
        double slip[3], v[3], u[3], force[3];
        pointOf(first, at, v);
        pointOf(second, at, u);
        for (int i = 0; i < 3; i++) {
            slip[i] = i < 2 ? v[i] - u[i] : 0;
            force[i] = order == 1 ? -f.f1[i] : f.f1[i];
        }
        CHECK(fabs(f.f1[2]) > 1);
        isVector("contact_step", "position", "1", at, 0);
        isVector("contact_step", "normal", "1", normals[order], 0);
        isVector("contact_step", "force", "1", force, 1e-12);
        isVector("contact_step", "slip", "1", slip, 1e-13);
        is("contact_step", "depth", "1", 0.003, 0);
        is("contact_step", "step", "1", 1, 0);
        is("contact_step", "contact", "1", 1, 0);
        is("contact_step", "body_1", "1", order == 1 ? (double)NAN : 1, 0);
        is("contact_step", "body_2", "1", order == 0 ? (double)NAN : order == 1 ? 1 : 2, 0);
        is("step", "contacts", "1", 1, 0);
        is("event", "body", "kind = 'contact_begin'", order == 2 ? 2 : 1, 0);
        is("event", "value", "kind = 'contact_begin'", order == 2 ? 1 : 0, 0);
        is("event", "step", "kind = 'contact_begin'", 1, 0);
        dWorldDestroy(w);
    }
}

/* A box that slides on four contacts, and is pushed down: its counts differ from each other. */
static void counts(void)
{
    const dWorldID w = newWorld(9.81);
    const dBodyID b = box(w, 2, 0, 0, 0.1);
    const double up[3] = {0, 0, 1};
    bool pivots = false, ranks = false;
    ukReport r[4];
    dBodySetLinearVel(b, 0.4, 0.1, 0);
    dBodySetAngularVel(b, 0.1, 0, 0.3);
    begin(w, false);
    for (int i = 0; i < 4; i++) {
        dJointID joint[4];
        for (int k = 0; k < 4; k++) {
            const double at[3] = {k & 1 ? 0.2 : -0.2, k & 2 ? 0.15 : -0.15, 0};
            joint[k] = touch(w, at, up, 0.001 * k, 0.3, b, NULL, NULL);
        }
        CHECK(ukWorldStep(w, h) == 1 && ukWorldGetReport(w, &r[i]) == ukOk);
        for (int k = 0; k < 4; k++) dJointDestroy(joint[k]);
        pivots |= r[i].pivots != r[i].factorizations;
        ranks |= r[i].active_rows != r[i].rank && r[i].active_rows != r[i].rows;
    }
    end(w);
    CHECK(pivots && ranks);
    for (int i = 0; i < 4; i++) checkReport(&r[i], i + 1);
    dWorldDestroy(w);
}

/* mu is a force where its direction lacks Approx1: the first direction's flag, which is mu's */
static void kindsOfMu(void)
{
    static const int modes[4] = {0, dContactApprox1_1, dContactApprox1_2, dContactApprox1};
    for (int i = 0; i < 4; i++) {
        const dWorldID w = newWorld(9.81);
        const dBodyID b = ball(w, 2, 0, 0, 0.1);
        dContact c = {.surface = {.mode = modes[i], .mu = 0.75}, .geom = {.normal = {0, 0, 1}}};
        dJointAttach(dJointCreateContact(w, NULL, &c), b, NULL);
        begin(w, false);
        CHECK(ukWorldStep(w, h) == 1);
        end(w);
        is("contact_step", "mu", "1", 0.75, 0);
        is("contact_step", "mu_is_force", "1", (modes[i] & dContactApprox1_1) == 0, 0);
        dWorldDestroy(w);
    }
}

/* What depends on the first friction direction, which the program has not set. */
static void undirectedContacts(void)
{
    static const int axes = dContactMu2 | dContactApprox1;
    const struct {
        dSurfaceParameters surface;
        int bits;
    } list[] = {
        {{.mode = 0, .mu = 1, .motion1 = 1, .mu2 = 2, .slip1 = 3}, 0},
        {{.mode = dContactMotion1, .mu = 1, .motion1 = 1}, 1},
        {{.mode = dContactMotion2, .mu = 1, .motion2 = -1}, 1},
        {{.mode = dContactMotion1 | dContactFDir1, .mu = 1, .motion1 = 1}, 0},
        {{.mode = dContactMotion1, .mu = 0, .motion1 = 1}, 0},
        {{.mode = dContactMotion1, .mu = 1, .motion1 = 0}, 0},
        {{.mode = axes, .mu = 1, .mu2 = 0.5}, 2},
        {{.mode = axes, .mu = 0.5, .mu2 = 0.5}, 0},
        {{.mode = axes | dContactMotion2, .mu = 1, .mu2 = 0, .motion2 = 1}, 2}, /* nothing acts along the second */
        {{.mode = axes | dContactRolling, .mu = 1, .mu2 = 1, .rho = 0.1, .rho2 = 0.2, .rhoN = 0.1}, 2},
        {{.mode = dContactRolling, .mu = 1, .rho = 0.1, .rho2 = 0.2}, 0},
        {{.mode = dContactSlip1, .mu = 1, .slip1 = 0.1}, 4},
        {{.mode = dContactSlip1 | dContactSlip2, .mu = 1, .slip1 = 0.1, .slip2 = 0.1}, 0},
        {{.mode = axes | dContactSlip2 | dContactMotion1, .mu = 1, .mu2 = 2, .slip2 = 0.1, .motion1 = 1}, 7},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        const dWorldID w = newWorld(9.81);
        const dBodyID b = ball(w, 2, 0, 0, 0.1);
        dContact c = {.surface = list[i].surface, .geom = {.normal = {0, 0, 1}}, .fdir1 = {1, 0, 0}};
        dJointAttach(dJointCreateContact(w, NULL, &c), b, NULL);
        begin(w, false);
        CHECK(ukWorldStep(w, h) == 1);
        end(w);
        is("contact_step", "undirected", "1", list[i].bits, 0);
        dWorldDestroy(w);
    }
}

/* ---- the ledger -------------------------------------------------------------------------------------------------- */

static void checkLedger(const ukLedger *l, int step)
{
    const struct {
        const char *name;
        double work;
    } list[] = {{"applied", l->applied},
                {"ideal", l->ideal},
                {"nonideal", l->nonideal},
                {"motors", l->motors},
                {"stops", l->stops},
                {"contact_normal", l->contact_normal},
                {"contact_friction", l->contact_friction},
                {"gyroscopic", l->gyroscopic},
                {"damping", l->damping},
                {"stabilization", l->stabilization},
                {"sleeping", l->sleeping},
                {"outside", l->outside},
                {"integration", l->integration},
                {"residual", l->residual}};
    char where[64];
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        snprintf(where, sizeof where, "step = %d AND cause = '%s'", step, list[i].name);
        is("ledger_step", "work", where, list[i].work, 1e-12);
    }
    snprintf(where, sizeof where, "step = %d", step);
    is("ledger_step", "count(*)", where, 14, 0);
}

/* the power of each cause over a step is what the step added to the ledger, over its size */
static void checkPower(dWorldID w, const ukLedger *before, const ukLedger *now)
{
    ukLedger power;
    const dReal *const p = &power.time, *const x = &before->time, *const y = &now->time;
    CHECK(ukWorldGetPower(w, &power) == ukOk);
    for (size_t i = 0; i < sizeof power / sizeof *p; i++) {
        const bool start = &p[i] == &power.kinetic_start || &p[i] == &power.potential_start;
        const double expected = &p[i] == &power.time ? h : start ? 0 : (y[i] - x[i]) / h;
        if (!CHECK_NEAR(p[i], expected, 1e-9 * fmax(1, fabs(expected)))) printf("field %zu\n", i);
    }
}

/* every cause is there, none twice, each with the ledger's number */
static void causes(void)
{
    const dWorldID w = newWorld(9.81);
    const dBodyID b = box(w, 2, 0.3, 0, 0), c = box(w, 3, 0, 2, 0), d = box(w, 1, 0, 4, 0);
    const dJointID hinge = dJointCreateHinge(w, NULL), slider = dJointCreateSlider(w, NULL);
    const double at[3] = {0, 4, -0.1}, up[3] = {0, 0, 1};
    ukLedger told[5], *const l = &told[4];
    dJointAttach(hinge, b, NULL);
    dJointSetHingeAnchor(hinge, 0, 0, 0);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    CHECK(ukJointSetViscous(hinge, 0.2) == ukOk);
    dJointAttach(slider, c, NULL);
    dJointSetSliderAxis(slider, 0, 0, 1);
    dJointSetSliderParam(slider, dParamVel, 1);
    dJointSetSliderParam(slider, dParamFMax, 25);
    dJointSetSliderParam(slider, dParamHiStop, 0.005);
    dBodySetLinearVel(c, 0, 0, 1);
    dJointSetSliderParam(slider, dParamStopERP, 0.5);
    dBodySetDamping(d, 0.01, 0.02);
    dBodySetLinearVel(d, 1, 0.5, 0);
    dBodySetAngularVel(d, 1, 2, 3);
    const dBodyID sleeper = box(w, 1, 0, 6, 0);
    dJointAttach(dJointCreateNull(w, NULL), sleeper, NULL); /* ODE lets only jointed bodies sleep */
    dBodySetGravityMode(sleeper, 0);
    dBodySetLinearVel(sleeper, 0.005, 0, 0);
    dBodySetAutoDisableFlag(sleeper, 1);
    dBodySetAutoDisableSteps(sleeper, 2);
    dBodyEnable(sleeper);
    dJointFeedback f;
    touch(w, at, up, 0.001, 0.4, d, NULL, &f);
    CHECK(ukWorldEnable(w) == ukOk);
    begin(w, false);
    for (int i = 0; i < 5; i++) {
        dBodyAddForce(b, 0, 0, 3);
        if (i == 3) dBodySetLinearVel(d, 2, 0, 0.1);
        CHECK(ukWorldStep(w, h) == 1 && ukWorldGetLedger(w, &told[i]) == ukOk);
        if (i > 0) checkPower(w, &told[i - 1], &told[i]);
    }
    end(w);
    for (int i = 0; i < 5; i++) checkLedger(&told[i], i + 1);
    CHECK(l->applied != 0 && l->nonideal != 0 && l->motors != 0 && l->contact_friction != 0 && l->gyroscopic != 0);
    CHECK(l->damping != 0 && l->outside != 0 && l->integration != 0 && l->stops != 0 && l->sleeping != 0);
    dWorldDestroy(w);
}

/* ---- steps of ODE's own, sleep, events --------------------------------------------------------------------------- */

/* What is known of steps that ODE takes: feedback where the program asked for it. */
static void native(void)
{
    const dWorldID w = newWorld(9.81);
    const dBodyID a = box(w, 2, 0.3, 0, 0), b = box(w, 3, 1, 0.1, 0), c = ball(w, 1, 5, 0, 0.1);
    const dJointID told = dJointCreateHinge(w, NULL), other = dJointCreateBall(w, NULL);
    const double at[3] = {5, 0, 0}, up[3] = {0, 0, 1};
    dJointFeedback f, touched;
    dJointAttach(told, a, b);
    dJointSetHingeAnchor(told, 0.6, 0, 0);
    dJointSetHingeAxis(told, 0, 1, 0);
    dJointSetFeedback(told, &f);
    dJointAttach(other, a, NULL);
    dJointSetBallAnchor(other, 0, 0, 0);
    dBodySetAngularVel(b, 1, 2, 3);
    touch(w, at, up, 0.001, 0.3, c, NULL, &touched);
    const dJointID silent = touch(w, at, up, 0.001, 0.3, c, NULL, NULL);
    begin(w, false);
    dWorldStep(w, h);
    end(w);
    CHECK(silent != NULL);
    isVector("joint_step", "force_ideal", "joint = 1", f.f1, 0);
    isVector("joint_step", "torque_ideal", "joint = 1", f.t1, 0);
    is("joint_step", "force_ideal_x", "joint = 2", (double)NAN, 0);
    is("joint_step", "power", "joint = 2", (double)NAN, 0);
    is("joint_step", "gauss_i", "joint = 1", (double)NAN, 0); /* a step of ODE's own */
    is("step", "gauss_ni", "step = 1", (double)NAN, 0);
    is("joint_step", "unique_reaction", "joint = 1", (double)NAN, 0);
    const dReal *const v[4] = {dBodyGetLinearVel(a), dBodyGetAngularVel(a), dBodyGetLinearVel(b),
                               dBodyGetAngularVel(b)};
    const double power = dCalcVectorDot3(f.f1, v[0]) + dCalcVectorDot3(f.t1, v[1]) + dCalcVectorDot3(f.f2, v[2]) +
                         dCalcVectorDot3(f.t2, v[3]);
    is("joint_step", "power", "joint = 1", power, 1e-12);
    isVector("contact_step", "force", "contact = 1", touched.f1, 0);
    is("contact_step", "force_z", "contact = 2", (double)NAN, 0);
    is("step", "fallback", "1", 0, 0);
    CHECK(ask("SELECT integrator = 'native' FROM world") == 1);
    dWorldDestroy(w);
}

/* springs under the adaptive integrator: a soft joint bears it all; beside soft rows a motor has what is its own */
static void soft(void)
{
    const dWorldID w = newWorld(0);
    const dBodyID a = ball(w, 2, 0, 0, 0), b = box(w, 2, 0, 3, 0);
    const dJointID j = dJointCreateBall(w, NULL), plane = dJointCreatePlane2D(w, NULL);
    dJointFeedback f, driven;
    CHECK(ukWorldSetIntegrator(w, ukIntegratorAdaptive) == ukOk);
    dWorldSetCFM(w, 1e-3);
    dJointAttach(j, a, NULL);
    dJointSetBallAnchor(j, 0, 0, 0);
    dJointSetBallParam(j, dParamCFM, 0.05);
    dBodySetPosition(a, 0.1, 0, 0);
    dJointAttach(plane, b, NULL);
    dJointSetPlane2DXParam(plane, dParamVel, 1);
    dJointSetPlane2DXParam(plane, dParamFMax, dInfinity);
    dJointSetPlane2DXParam(plane, dParamCFM, 0);
    dBodySetLinearVel(b, 1, 0, 0);
    dJointSetFeedback(j, &f);
    dJointSetFeedback(plane, &driven);
    begin(w, false);
    for (int i = 0; i < 2; i++) {
        dBodyAddForce(b, 3, 0, 4);
        CHECK(ukWorldStep(w, h) == 1);
    }
    end(w);
    CHECK(fabs(f.f1[0]) > 0.01);
    isVector("joint_step", "force_ideal", "joint = 1 AND step = 2", f.f1, 1e-12);
    is("joint_step", "force_motor_x", "joint = 1 AND step = 2", 0, 0);
    is("joint_step", "unique_reaction", "joint = 1 AND step = 2", 1, 0);
    is("joint_step", "force_motor_x", "joint = 2 AND step = 2", -3, 1e-9);
    is("joint_step", "force_motor_z", "joint = 2 AND step = 2", 0, 1e-12);
    is("joint_step", "force_ideal_x", "joint = 2 AND step = 2", driven.f1[0] + 3, 1e-9);
    dWorldDestroy(w);
}

/* a contact's force is the whole of it, also in an island with friction in a joint */
static void besideLaws(void)
{
    const dWorldID w = newWorld(9.81);
    const dBodyID a = box(w, 2, 0, 0, 0.1), b = box(w, 1, 0.5, 0, 0.1);
    const double at[3] = {0.1, 0.05, 0}, up[3] = {0, 0, 1};
    const dJointID j = dJointCreateHinge(w, NULL);
    dJointFeedback f;
    dJointAttach(j, a, b);
    dJointSetHingeAnchor(j, 0.25, 0, 0.1);
    dJointSetHingeAxis(j, 0, 1, 0);
    CHECK(ukJointSetViscous(j, 0.5) == ukOk);
    dBodySetAngularVel(b, 0, 3, 0);
    touch(w, at, up, 0.001, 0.3, a, NULL, &f);
    CHECK(ukWorldSetGaussCheck(w, 1e-9, ukCheckOff) == ukOk);
    begin(w, false);
    CHECK(ukWorldStep(w, h) == 1);
    end(w);
    CHECK(fabs(f.f1[2]) > 0.1);
    isVector("contact_step", "force", "1", f.f1, 1e-12);
    is("step", "ok", "1", (double)NAN, 0);
    is("joint_step", "unique_reaction", "1", (double)NAN, 0);
    dWorldDestroy(w);
}

static int pull(const struct ukConstraintContext *context, dReal *A, dReal *b, void *data)
{
    (void)context;
    A[2] = 1;
    b[0] = *(const double *)data;
    return 0;
}

static void events(void)
{
    static double one = 1, two = 2;
    const dWorldID w = newWorld(9.81);
    const dBodyID a = ball(w, 2, 0, 0, 0.1), b = box(w, 1, 5, 0, 0);
    const double at[3] = {0, 0, 0}, up[3] = {0, 0, 1};
    ukReport r, second;
    CHECK(ukWorldSetGaussCheck(w, 1e-30, ukCheckWarn) == ukOk);
    dJointAttach(dJointCreateBall(w, NULL), b, NULL);
    dJointAttach(dJointCreateBall(w, NULL), b, NULL); /* the same three rows again */
    dBodySetAngularVel(b, 1, 2, 3);
    const dJointID touching = touch(w, at, up, 0.001, 0.3, a, NULL, NULL);
    begin(w, false);
    CHECK(ukWorldStep(w, h) == 1 && ukWorldGetReport(w, &r) == ukOk);
    dJointDestroy(touching);
    dBodyDisable(a);
    CHECK(ukWorldStep(w, h) == 1 && ukWorldGetReport(w, &second) == ukOk);
    dBodyEnable(a);
    CHECK(ukWorldStep(w, h) == 1);
    CHECK(ukWorldSetTime(w, 100) == ukOk && ukWorldStep(w, h) == 1);
    CHECK(ukConstraintCreate(w, 1, &a, 1, pull, &one) != NULL && ukConstraintCreate(w, 1, &a, 1, pull, &two) != NULL);
    CHECK(ukWorldStep(w, h) == 0 && ukGetLastError() == ukErrorContradiction);
    CHECK(ukWorldStep(w, -1) == 0);
    end(w);
    is("event", "step", "kind = 'contact_end'", 2, 0);
    is("event", "body", "kind = 'contact_end'", 1, 0);
    is("event", "value", "kind = 'contact_end'", 0, 0);
    is("event", "step", "kind = 'sleep'", 2, 0);
    is("event", "step", "kind = 'wake'", 3, 0);
    is("event", "body", "kind = 'wake'", 1, 0);
    is("event", "count(*)", "kind = 'conflict'", 1, 0);
    is("event", "value", "kind = 'conflict'", ukErrorContradiction, 0);
    is("event", "count(*)", "kind = 'refused'", 1, 0);
    is("event", "value", "kind = 'rank' AND step = 2", second.rank, 0); /* beside contacts it is not known */
    CHECK(second.rank == 3);
    is("event", "value", "text = 'not certified' AND step = 1",
       fmax(fmax(r.feasibility, r.stationarity), r.complementarity), 0);
    is("body_step", "awake", "body = 1 AND step = 2", 0, 0);
    is("step", "max(time)", "1", 4 * h, 1e-15); /* the world's own time is another thing */
    dWorldDestroy(w);
}

/* Rows at the rate that was asked for, whatever sizes the steps have; no ledger that nobody asked for. */
static void rates(void)
{
    const dWorldID w = newWorld(0);
    ball(w, 1, 0, 0, 0);
    CHECK(ukWorldEnable(w) == ukOk && ukWorldRecord(w, path, NULL) == ukOk);
    for (int i = 0; i < 40; i++) CHECK(ukWorldStep(w, i < 10 ? 0.05 : 0.001) == 1);
    CHECK(ukRegistryWorld(w)->book == NULL);
    end(w);
    is("body_step", "count(*)", "step <= 10", 10, 0);
    CHECK(column("body_step", "count(*)", "step > 10") <= 3);
    dWorldDestroy(w);
}

/* What ODE's own steps do to the energy is none of the causes: outside. */
static void disabledLater(void)
{
    const dWorldID w = newWorld(9.81);
    const dBodyID b = ball(w, 2, 0, 0, 0);
    CHECK(ukWorldEnable(w) == ukOk);
    begin(w, false);
    CHECK(ukWorldStep(w, h) == 1);
    dBodySetGravityMode(b, 0);
    CHECK(ukWorldDisable(w) == ukOk);
    dBodyAddForce(b, 0, 0, 30);
    dWorldStep(w, h);
    const double v = dBodyGetLinearVel(b)[2];
    end(w);
    is("ledger_step", "work", "step = 2 AND cause = 'applied'", 0, 0);
    CHECK(fabs(column("ledger_step", "work", "step = 2 AND cause = 'outside'") -
               column("ledger_step", "work", "step = 1 AND cause = 'outside'")) > 1e-6 * v * v);
    is("ledger_step", "work", "step = 2 AND cause = 'residual'", 0, 1e-12);
    dWorldDestroy(w);
}

int main(int count, char **argument)
{
    if (count < 2) execl("/proc/self/exe", argument[0], "one", "two", (char *)NULL); /* a command line of words */
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateFlagCollisionData);
    snprintf(path, sizeof path, "columns_%d.ukode", (int)getpid());
    if (!CHECK(ukSqliteReady())) return ukTestEnd();
    settings();
    bodies();
    contacts(true);
    contacts(false);
    counts();
    kindsOfMu();
    undirectedContacts();
    causes();
    native();
    soft();
    besideLaws();
    events();
    rates();
    disabledLater();
    unlink(path);
    dCloseODE();
    return ukTestEnd();
}
