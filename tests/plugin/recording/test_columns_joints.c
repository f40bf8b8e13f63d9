/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of joints in a recording: geometry and parameters of every type, against ODE's getters, and the forces of
 * hinges and sliders by part (ideal, motor, stop, friction), in each order of attachment. */
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

enum { Free, Finite, Servo, Stopped, Soft, Kinds };

/* A hinge about y or a slider along x, on (b, 0), (0, b) or (b, c), with a motor or at a stop and with friction. */
typedef struct Driven {
    dWorldID world;
    dBodyID b, body[2]; /* as attached */
    dJointID joint;
    dJointFeedback feedback;
    bool slider;
    int attach, kind;
    double ideal[2][6], nonideal[2][6], rate, angle, gauss[2];
} Driven;

static void set(const Driven *d, int parameter, double x)
{
    (d->slider ? dJointSetSliderParam : dJointSetHingeParam)(d->joint, parameter, x);
}

static void prepare(Driven *d)
{
    const dWorldID w = d->world = newWorld(9.81);
    const dBodyID b = d->b = box(w, 2, 0.3, 0, 0), c = d->attach == 2 ? box(w, 5, -0.4, 0, 0) : NULL;
    const dJointID j = d->joint = d->slider ? dJointCreateSlider(w, NULL) : dJointCreateHinge(w, NULL);
    memset(&d->feedback, 0, sizeof d->feedback);
    d->body[0] = d->attach == 1 ? NULL : b;
    d->body[1] = d->attach == 1 ? b : c;
    dJointAttach(j, d->body[0], d->body[1]);
    if (d->slider) {
        dJointSetSliderAxis(j, 1, 0, 0);
        dBodySetLinearVel(b, 1, 0, 0);
    } else {
        dJointSetHingeAnchor(j, 0, 0, 0);
        dJointSetHingeAxis(j, 0, 1, 0);
        dBodySetLinearVel(b, 0, 0, -0.6);
        dBodySetAngularVel(b, 0, 2, 0);
    }
    if (d->kind == Finite || d->kind == Servo || d->kind == Soft) {
        set(d, dParamVel, d->kind == Finite ? 100 : 2);
        set(d, dParamFMax, d->kind == Finite ? 3 : dInfinity);
    }
    if (d->kind == Soft) set(d, dParamCFM, 0.05);
    if (d->kind == Stopped) set(d, dParamHiStop, 0.002), set(d, dParamLoStop, -0.002);
    CHECK(ukJointSetViscous(j, 0.4) == ukOk);
    CHECK(ukJointSetName(j, "J") == ukOk);
    dJointSetFeedback(j, &d->feedback);
}

static void take(Driven *d)
{
    begin(d->world, true);
    for (int i = 0; i < 3; i++) CHECK(ukWorldStep(d->world, h) == 1);
    d->rate = (d->slider ? dJointGetSliderPositionRate : dJointGetHingeAngleRate)(d->joint);
    d->angle = (d->slider ? dJointGetSliderPosition : dJointGetHingeAngle)(d->joint);
    CHECK(ukJointGetForces(d->joint, d->ideal, d->nonideal) == ukOk);
    CHECK(ukJointGetGaussian(d->joint, &d->gauss[0], &d->gauss[1]) == ukOk);
    end(d->world);
}

/* forces by part, on the joint's first body or its only one: ideal, motor, stop, non-ideal */
static void partsOf(double sum[4][6])
{
    static const char *const names[4] = {"ideal", "motor", "stop", "non_ideal"};
    for (int part = 0; part < 4; part++)
        for (int i = 0; i < 6; i++) {
            char name[40];
            snprintf(name, sizeof name, "%s_%s_%c", i < 3 ? "force" : "torque", names[part], 'x' + i % 3);
            sum[part][i] = column("joint_step", name, "step = 3");
        }
}

/* what bears what, of Driven */
static void checkParts(const Driven *d)
{
    const int one = d->attach == 1 ? 1 : 0, kind = d->kind;
    const bool driven = kind == Finite || kind == Servo || kind == Soft;
    double sum[4][6];
    partsOf(sum);
    for (int i = 0; i < 6; i++) {
        const double whole = i < 3 ? d->feedback.f1[i] : d->feedback.t1[i - 3];
        CHECK_NEAR(sum[0][i] + sum[1][i] + sum[2][i] + sum[3][i], whole, 1e-9);
        CHECK_NEAR(sum[3][i], d->nonideal[one][i], 1e-12);
        CHECK_NEAR(sum[0][i] + sum[1][i] + sum[2][i], d->ideal[one][i], 1e-9);
    }
    if (d->slider) { /* along it only motors and stops act */
        const double along = d->ideal[one][0];
        CHECK_NEAR(sum[0][0], 0, 1e-9);
        CHECK_NEAR(sum[1][0], kind == Finite ? (d->attach == 1 ? -3 : 3) : driven ? along : 0, 1e-9);
        CHECK_NEAR(sum[2][0], kind == Stopped ? along : 0, 1e-9);
    } else { /* a motor, or a stop, is a torque about the axis */
        if (kind == Finite) CHECK_NEAR(sum[1][4], 3, 1e-9);
        for (int i = 0; i < 3; i++) CHECK(fabs(sum[1][i]) < 1e-12 && fabs(sum[2][i]) < 1e-12);
        CHECK((fabs(sum[1][4]) > 1e-6) == driven);
        CHECK((ask("SELECT max(abs(torque_stop_y)) FROM joint_step") > 1e-6) == (kind == Stopped));
    }
}

/* Under the other integrators the parts are means over the step, as dJointFeedback is: their sum is the feedback; along
 * a slider the law's part is that of its mean rate, and all else of the motor or the stop. */
static void means(ukIntegrator integrator, bool slider, int attach, int kind)
{
    Driven d = {.slider = slider, .attach = attach, .kind = kind};
    double sum[4][6];
    prepare(&d);
    CHECK(ukWorldSetIntegrator(d.world, integrator) == 0);
    begin(d.world, false);
    double before = 0, after = 0;
    const dBodyID other = attach == 2 ? d.body[1] : NULL;
    for (int i = 0; i < 3; i++) {
        before = dBodyGetPosition(d.b)[0] - (other ? dBodyGetPosition(other)[0] : 0);
        CHECK(ukWorldStep(d.world, h) == 1);
        after = dBodyGetPosition(d.b)[0] - (other ? dBodyGetPosition(other)[0] : 0);
    }
    end(d.world);
    partsOf(sum);
    for (int i = 0; i < 6; i++) {
        const double whole = i < 3 ? d.feedback.f1[i] : d.feedback.t1[i - 3];
        CHECK_NEAR(sum[0][i] + sum[1][i] + sum[2][i] + sum[3][i], whole, 1e-9);
    }
    const bool driven = kind == Finite || kind == Servo || kind == Soft;
    if (slider) {
        const double rest = d.feedback.f1[0] - sum[3][0];
        const double law =
            kind == Servo ? 0 : -0.4 * (after - before) / h; /* a motor that holds the rate balances it */
        CHECK_NEAR(sum[3][0], law, kind == Stopped ? 1e-3 : 1e-5);
        CHECK_NEAR(sum[0][0], 0, 1e-9);
        CHECK_NEAR(sum[1][0], driven ? rest : 0, 1e-9);
        CHECK_NEAR(sum[2][0], kind == Stopped ? rest : 0, 1e-9);
        if (kind == Finite) CHECK_NEAR(fabs(rest), 3, 1e-9);
    } else {
        CHECK((fabs(sum[1][4]) > 1e-6) == driven);
        CHECK((ask("SELECT max(abs(torque_stop_y)) FROM joint_step") > 1e-6) == (kind == Stopped));
        CHECK(fabs(sum[3][4]) > 1e-6 || kind == Stopped || kind == Servo);
    }
    dWorldDestroy(d.world);
}

static void parts(bool slider, int attach, int kind)
{
    Driven d = {.slider = slider, .attach = attach, .kind = kind};
    double power = 0;
    prepare(&d);
    take(&d);
    checkParts(&d);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3 && d.body[k]; i++)
            power += (d.ideal[k][i] + d.nonideal[k][i]) * dBodyGetLinearVel(d.body[k])[i] +
                     (d.ideal[k][3 + i] + d.nonideal[k][3 + i]) * dBodyGetAngularVel(d.body[k])[i];
    is("joint_step", "power", "step = 3", power, 1e-9 * fmax(1, fabs(power)));
    is("joint_step", "angle_1", "step = 3", d.angle, 1e-13);
    is("joint_step", "rate_1", "step = 3", d.rate, 1e-12);
    is("joint_step", "unique_reaction", "step = 3", 1, 0);
    for (int k = 0; k < 2; k++) is("joint_step", k ? "gauss_ni" : "gauss_i", "step = 3", d.gauss[k], 0);
    is("joint", "body_1", "name = 'J'", attach == 1 ? (double)NAN : 1, 0);
    is("joint", "body_2", "name = 'J'", attach == 1 ? 1 : attach == 2 ? 2 : (double)NAN, 0);
    if (kind == Servo && attach != 2) /* ODE turns the axis of a hinge (0, b) */
        CHECK_NEAR(slider ? dBodyGetLinearVel(d.b)[0] : dBodyGetAngularVel(d.b)[1], slider && attach == 1 ? -2 : 2,
                   1e-9);
    dWorldDestroy(d.world);
}

/* geometry and parameters of every type, as ODE's getters answer after the first step */
typedef struct Geometry {
    const char *name;
    dJointID (*create)(dWorldID, dJointGroupID);
    void (*anchor)(dJointID, dReal, dReal, dReal), (*axis_1)(dJointID, dReal, dReal, dReal);
    void (*axis_2)(dJointID, dReal, dReal, dReal);
    void (*get_anchor)(dJointID, dVector3), (*get_anchor_2)(dJointID, dVector3);
    void (*get_axis_1)(dJointID, dVector3), (*get_axis_2)(dJointID, dVector3);
    void (*set)(dJointID, int, dReal);
    dReal (*angle[3])(dJointID), (*rate[3])(dJointID);
    int groups;
} Geometry;

static void hinge2Axis1(dJointID j, dReal x, dReal y, dReal z)
{
    dJointSetHinge2Axes(j, (const dReal[4]){x, y, z}, (const dReal[4]){0, 1, 0});
}

static void hinge2Axis2(dJointID j, dReal x, dReal y, dReal z)
{
    dJointSetHinge2Axes(j, (const dReal[4]){0, 0, 1}, (const dReal[4]){x, y, z});
}

static dJointID userAMotor(dWorldID w, dJointGroupID group)
{
    const dJointID j = dJointCreateAMotor(w, group);
    dJointSetAMotorNumAxes(j, 3);
    dJointSetAMotorAxis(j, 2, 0, 0.6, 0, -0.8);
    return j;
}

static dJointID threeAxes(dWorldID w, dJointGroupID group)
{
    const dJointID j = dJointCreateLMotor(w, group);
    dJointSetLMotorNumAxes(j, 3);
    dJointSetLMotorAxis(j, 2, 0, 0.6, 0, -0.8);
    return j;
}

#define AXIS_OF(Type, Number)                                                                                          \
    static void set##Type##Axis##Number(dJointID j, dReal x, dReal y, dReal z)                                         \
    {                                                                                                                  \
        dJointSet##Type##Axis(j, Number - 1, 0, x, y, z);                                                              \
    }                                                                                                                  \
    static void get##Type##Axis##Number(dJointID j, dVector3 axis)                                                     \
    {                                                                                                                  \
        dJointGet##Type##Axis(j, Number - 1, axis);                                                                    \
    }
AXIS_OF(AMotor, 1)
AXIS_OF(AMotor, 2)
AXIS_OF(LMotor, 1)
AXIS_OF(LMotor, 2)

/* of axes that only the program turns, which has not */
static dReal unturned(dJointID j)
{
    (void)j;
    return 0;
}

static const Geometry geometries[] = {
    {"AMotor",
     userAMotor,
     NULL,
     setAMotorAxis1,
     setAMotorAxis2,
     NULL,
     NULL,
     getAMotorAxis1,
     getAMotorAxis2,
     dJointSetAMotorParam,
     {unturned, unturned, unturned},
     {NULL},
     3},
    {"LMotor",
     threeAxes,
     NULL,
     setLMotorAxis1,
     setLMotorAxis2,
     NULL,
     NULL,
     getLMotorAxis1,
     getLMotorAxis2,
     dJointSetLMotorParam,
     {NULL},
     {NULL},
     3},
    {"ball",
     dJointCreateBall,
     dJointSetBallAnchor,
     NULL,
     NULL,
     dJointGetBallAnchor,
     dJointGetBallAnchor2,
     NULL,
     NULL,
     NULL,
     {NULL},
     {NULL},
     0},
    {"hinge",
     dJointCreateHinge,
     dJointSetHingeAnchor,
     dJointSetHingeAxis,
     NULL,
     dJointGetHingeAnchor,
     dJointGetHingeAnchor2,
     dJointGetHingeAxis,
     NULL,
     dJointSetHingeParam,
     {dJointGetHingeAngle},
     {dJointGetHingeAngleRate},
     1},
    {"slider",
     dJointCreateSlider,
     NULL,
     dJointSetSliderAxis,
     NULL,
     NULL,
     NULL,
     dJointGetSliderAxis,
     NULL,
     dJointSetSliderParam,
     {dJointGetSliderPosition},
     {dJointGetSliderPositionRate},
     1},
    {"universal",
     dJointCreateUniversal,
     dJointSetUniversalAnchor,
     dJointSetUniversalAxis1,
     dJointSetUniversalAxis2,
     dJointGetUniversalAnchor,
     dJointGetUniversalAnchor2,
     dJointGetUniversalAxis1,
     dJointGetUniversalAxis2,
     dJointSetUniversalParam,
     {dJointGetUniversalAngle1, dJointGetUniversalAngle2},
     {dJointGetUniversalAngle1Rate, dJointGetUniversalAngle2Rate},
     2},
    {"hinge2",
     dJointCreateHinge2,
     dJointSetHinge2Anchor,
     hinge2Axis1,
     hinge2Axis2,
     dJointGetHinge2Anchor,
     NULL,
     dJointGetHinge2Axis1,
     dJointGetHinge2Axis2,
     dJointSetHinge2Param,
     {dJointGetHinge2Angle1, dJointGetHinge2Angle2},
     {dJointGetHinge2Angle1Rate, dJointGetHinge2Angle2Rate},
     2},
    {"PR",
     dJointCreatePR,
     dJointSetPRAnchor,
     dJointSetPRAxis1,
     dJointSetPRAxis2,
     dJointGetPRAnchor,
     NULL,
     dJointGetPRAxis1,
     dJointGetPRAxis2,
     dJointSetPRParam,
     {dJointGetPRPosition, dJointGetPRAngle},
     {dJointGetPRPositionRate, dJointGetPRAngleRate},
     2},
    {"PU",
     dJointCreatePU,
     dJointSetPUAnchor,
     dJointSetPUAxis1,
     dJointSetPUAxis2,
     dJointGetPUAnchor,
     NULL,
     dJointGetPUAxis1,
     dJointGetPUAxis2,
     dJointSetPUParam,
     {dJointGetPUAngle1, dJointGetPUAngle2, dJointGetPUPosition},
     {dJointGetPUAngle1Rate, dJointGetPUAngle2Rate, dJointGetPUPositionRate},
     3},
    {"piston",
     dJointCreatePiston,
     dJointSetPistonAnchor,
     dJointSetPistonAxis,
     NULL,
     dJointGetPistonAnchor,
     NULL,
     dJointGetPistonAxis,
     NULL,
     dJointSetPistonParam,
     {dJointGetPistonPosition, dJointGetPistonAngle},
     {dJointGetPistonPositionRate, dJointGetPistonAngleRate},
     2},
};

static void isWhat(const dJointID j, const char *name, void (*get)(dJointID, dVector3))
{
    dVector3 x = {NAN, NAN, NAN};
    if (get) get(j, x);
    isVector("joint", name, "1", x, 1e-13);
}

static void geometry(const Geometry *g)
{
    static const int parameters[] = {dParamLoStop,      dParamHiStop, dParamVel,     dParamFMax,   dParamBounce,
                                     dParamFudgeFactor, dParamCFM,    dParamStopERP, dParamStopCFM};
    static const char *const names[] = {"lo_stop",      "hi_stop", "vel",      "fmax",    "bounce",
                                        "fudge_factor", "cfm",     "stop_erp", "stop_cfm"};
    const dWorldID w = newWorld(0.5);
    const dBodyID b = box(w, 2, 0.3, 0.1, 0), c = box(w, 5, -0.4, 0, 0.2);
    const dJointID j = g->create(w, NULL);
    dJointAttach(j, b, c);
    if (g->anchor) g->anchor(j, 0.05, 0.02, 0.01);
    if (g->axis_1) g->axis_1(j, 0, 0, 1);
    if (g->axis_2) g->axis_2(j, 0, 1, 0);
    for (int k = 0; k < g->groups; k++)
        for (int i = 0; i < 9; i++) {
            const double value = i == 0 ? -1.1 - k : i == 1 ? 1.2 + k : 0.01 * (i + 1) + 0.1 * k;
            g->set(j, parameters[i] + k * dParamGroup, value);
        }
    dBodySetAngularVel(b, 0.1, 0.2, 0.3);
    begin(w, false);
    CHECK(ukWorldStep(w, 1e-9) == 1); /* geometry is recorded at the first step, here where nothing has moved yet */
    end(w);
    for (int i = 0; i < 3; i++) {
        char name[24];
        snprintf(name, sizeof name, "angle_%d", i + 1);
        is("joint_step", name, "step = 1", g->angle[i] ? g->angle[i](j) : (double)NAN, 1e-13);
        snprintf(name, sizeof name, "rate_%d", i + 1);
        is("joint_step", name, "step = 1", g->rate[i] ? g->rate[i](j) : (double)NAN, 1e-12);
    }
    isWhat(j, "anchor", g->get_anchor);
    isWhat(j, "anchor_2", g->get_anchor_2);
    isWhat(j, "axis_1", g->get_axis_1);
    isWhat(j, "axis_2", g->get_axis_2);
    char sql[160];
    snprintf(sql, sizeof sql,
             "SELECT count(*) FROM joint WHERE type = '%s' AND world = 1 AND joint = 1 AND created_step = 1", g->name);
    if (!CHECK(ask(sql) == 1)) printf("%s\n", sql);
    for (int k = 0; k < g->groups; k++)
        for (int i = 0; i < 9; i++) {
            const double value = i == 0 ? -1.1 - k : i == 1 ? 1.2 + k : 0.01 * (i + 1) + 0.1 * k;
            snprintf(sql, sizeof sql, "axis = %d AND name = '%s'", k + 1, names[i]);
            is("joint_parameter", "value", sql, value, 1e-15);
        }
    dWorldDestroy(w);
}

int main(void)
{
    dInitODE2(0);
    snprintf(path, sizeof path, "columns_joints_%d.ukode", (int)getpid());
    if (!CHECK(ukSqliteReady())) return ukTestEnd();
    for (int attach = 0; attach < 3; attach++)
        for (int kind = Free; kind < Kinds; kind++) parts(false, attach, kind), parts(true, attach, kind);
    static const ukIntegrator others[] = {ukIntegratorRK4, ukIntegratorAdaptive, ukIntegratorRattle};
    for (int i = 0; i < 6; i++)
        for (int kind = Free; kind < Soft; kind++) means(others[i / 2], i & 1, (i + kind) % 3, kind);
    for (size_t i = 0; i < sizeof geometries / sizeof *geometries; i++) geometry(&geometries[i]);
    unlink(path);
    dCloseODE();
    return ukTestEnd();
}
