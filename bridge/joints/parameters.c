/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/joints/parameters.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "bridge/joints/class.h"
#include "solvers/base/status.h"

typedef dReal Get(dJointID, int);
typedef void Set(dJointID, int, dReal);

/* Parameters of one limit and motor; parameters of joints that have their own ERP and CFM. */
static const int motor_parameters[] = {dParamLoStop, dParamHiStop, dParamVel,     dParamFMax,   dParamFudgeFactor,
                                       dParamBounce, dParamCFM,    dParamStopERP, dParamStopCFM};
static const int own_parameters[] = {dParamERP, dParamCFM};
static const int suspension_parameters[] = {dParamSuspensionERP, dParamSuspensionCFM};

/* groups: number of motor groups; 0: the joint has its own ERP and CFM */
static const struct {
    dJointType type;
    int groups;
    Get *const *get;
    Set *const *set;
} type_table[] = {
    {dJointTypeBall, 0, &dJointGetBallParam, &ukOde.dJointSetBallParam},
    {dJointTypeFixed, 0, &dJointGetFixedParam, &ukOde.dJointSetFixedParam},
    {dJointTypeDBall, 0, &dJointGetDBallParam, &ukOde.dJointSetDBallParam},
    {dJointTypeDHinge, 0, &dJointGetDHingeParam, &ukOde.dJointSetDHingeParam},
    {dJointTypeTransmission, 0, &dJointGetTransmissionParam, &ukOde.dJointSetTransmissionParam},
    {dJointTypeHinge, 1, &dJointGetHingeParam, &ukOde.dJointSetHingeParam},
    {dJointTypeSlider, 1, &dJointGetSliderParam, &ukOde.dJointSetSliderParam},
    {dJointTypeUniversal, 2, &dJointGetUniversalParam, &ukOde.dJointSetUniversalParam},
    {dJointTypeHinge2, 2, &dJointGetHinge2Param, &ukOde.dJointSetHinge2Param},
    {dJointTypePR, 2, &dJointGetPRParam, &ukOde.dJointSetPRParam},
    {dJointTypePiston, 2, &dJointGetPistonParam, &ukOde.dJointSetPistonParam},
    {dJointTypePU, 3, &dJointGetPUParam, &ukOde.dJointSetPUParam},
    {dJointTypeAMotor, 3, &dJointGetAMotorParam, &ukOde.dJointSetAMotorParam},
    {dJointTypeLMotor, 3, &dJointGetLMotorParam, &ukOde.dJointSetLMotorParam},
};

static bool isSame(double x, double y)
{
    return memcmp(&x, &y, sizeof x) == 0;
}

/* whether ODE's setters accept the value; otherwise they keep the old one */
static bool isTaken(int which, double value)
{
    switch (which % dParamGroup) {
    case dParamFMax: return value >= 0;
    case dParamFudgeFactor: return value >= 0 && value <= 1;
    default: return true;
    }
}

static const char *parameterName(int which)
{
    static const struct {
        int which;
        const char *name;
    } names[] = {{dParamFMax, "dParamFMax"}, {dParamFudgeFactor, "dParamFudgeFactor"}};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (names[k].which == which % dParamGroup) return names[k].name;
    return "a parameter";
}

static void refuseParameter(ukTape *t, const ukJoint *joint, int group, int which, double value)
{
    ukTapeRefuse(t, ukErrorArgument, "%s joint %llu: ODE does not accept %g as %s of group %d", joint->class->name,
                 (unsigned long long)joint->serial, value, parameterName(which), group);
}

/* Reads or writes a parameter. Only changed values are set, because some setters have side effects. */
static void tapeParameter(ukTape *t, const ukJoint *joint, Get *get, Set *set, int which)
{
    const dJointID j = joint->handle;
    const double now = get(j, which);
    double value = now;
    ukTapeReals(t, &value, 1);
    if (isSame(value, now)) return;
    if (!isTaken(which, value)) refuseParameter(t, joint, which / dParamGroup + 1, which, value);
    if (t->mode == ukTapeRead) set(j, which, value);
}

/* Reads or writes a length or ratio, at least `least`: ODE ends the process if one is negative. */
static void tapeNumber(ukTape *t, const ukJoint *joint, double now, void (*set)(dJointID, dReal), double least)
{
    const unsigned long long serial = (unsigned long long)joint->serial;
    double value = now;
    ukTapeReals(t, &value, 1);
    if (isSame(value, now)) return;
    if (!(value >= least))
        ukTapeRefuse(t, ukErrorArgument, "%s joint %llu: its length or ratio %g is below %g", joint->class->name,
                     serial, value, least);
    if (!set)
        ukTapeRefuse(t, ukErrorUnsupported, "%s joint %llu: this version of ODE cannot set its distance",
                     joint->class->name, serial);
    if (t->mode == ukTapeRead && set) set(joint->handle, value);
}

/* Reads or writes the parameters of a Plane2D, for which ODE has no getters: the record has the values that were
 * set. */
static void tapePlane2D(ukTape *t, const ukJoint *joint)
{
    static void (*const *const set[3])(dJointID, int, dReal) = {
        &ukOde.dJointSetPlane2DXParam, &ukOde.dJointSetPlane2DYParam, &ukOde.dJointSetPlane2DAngleParam};
    for (int k = 0; k < 3; k++) {
        const ukMotor *m = &joint->motor[k];
        double value[] = {m->lo_stop, m->hi_stop, m->vel,      m->fmax,    m->fudge,
                          m->bounce,  m->cfm,     m->stop_erp, m->stop_cfm};
        ukTapeReals(t, value, sizeof value / sizeof *value);
        for (size_t i = 0; i < sizeof value / sizeof *value; i++)
            if (!isTaken(motor_parameters[i], value[i]))
                refuseParameter(t, joint, k + 1, motor_parameters[i], value[i]);
        for (size_t i = 0; i < sizeof value / sizeof *value && t->mode == ukTapeRead; i++)
            (*set[k])(joint->handle, motor_parameters[i], value[i]);
    }
}

static void tapeAMotorAxes(ukTape *t, dJointID j)
{
    int count = dJointGetAMotorNumAxes(j);
    const int had = count;
    ukTapeInt(t, &count, 0, 3, "a number of axes");
    if (t->mode == ukTapeRead && count != had) ukOde.dJointSetAMotorNumAxes(j, count);
    for (int k = 0; k < 3 && dJointGetAMotorMode(j) == dAMotorUser; k++) { /* ODE computes the other angles */
        const double now = ukOde.dJointGetAMotorAngle(j, k);
        double angle = now;
        ukTapeReals(t, &angle, 1);
        if (t->mode == ukTapeRead && angle != now) ukOde.dJointSetAMotorAngle(j, k, angle);
    }
}

static void tapeLMotorAxes(ukTape *t, dJointID j)
{
    int count = dJointGetLMotorNumAxes(j);
    const int had = count;
    ukTapeInt(t, &count, 0, 3, "a number of axes");
    if (t->mode == ukTapeRead && count != had) ukOde.dJointSetLMotorNumAxes(j, count);
}

static void tapeTransmission(ukTape *t, const ukJoint *joint)
{
    const dJointID j = joint->handle;
    tapeNumber(t, joint, ukOde.dJointGetTransmissionRatio(j), ukOde.dJointSetTransmissionRatio, DBL_TRUE_MIN);
    tapeNumber(t, joint, ukOde.dJointGetTransmissionRadius1(j), ukOde.dJointSetTransmissionRadius1, -INFINITY);
    tapeNumber(t, joint, ukOde.dJointGetTransmissionRadius2(j), ukOde.dJointSetTransmissionRadius2, -INFINITY);
    tapeNumber(t, joint, dJointGetTransmissionBacklash(j), ukOde.dJointSetTransmissionBacklash, -INFINITY);
}

void ukParametersTape(ukTape *t, const ukJoint *joint)
{
    const dJointID j = joint->handle;
    const dJointType type = joint->class->type;
    for (size_t k = 0; k < sizeof type_table / sizeof *type_table; k++) {
        if (type_table[k].type != type) continue;
        Get *const get = *type_table[k].get;
        Set *const set = *type_table[k].set;
        for (int group = 0; group < type_table[k].groups; group++)
            for (size_t i = 0; i < sizeof motor_parameters / sizeof *motor_parameters; i++)
                tapeParameter(t, joint, get, set, group * dParamGroup + motor_parameters[i]);
        for (size_t i = 0; i < 2 && type_table[k].groups == 0; i++)
            tapeParameter(t, joint, get, set, own_parameters[i]);
        for (size_t i = 0; i < 2 && type == dJointTypeHinge2; i++)
            tapeParameter(t, joint, get, set, suspension_parameters[i]);
    }
    switch ((int)type) {
    case dJointTypePlane2D: tapePlane2D(t, joint); break;
    case dJointTypeAMotor: tapeAMotorAxes(t, j); break;
    case dJointTypeLMotor: tapeLMotorAxes(t, j); break;
    case dJointTypeDBall: tapeNumber(t, joint, dJointGetDBallDistance(j), ukOde.dJointSetDBallDistance, 0); break;
    /* ODE has no setter for the distance of a DHinge, whose class is derived from that of DBall */
    case dJointTypeDHinge: tapeNumber(t, joint, dJointGetDHingeDistance(j), ukOde.dJointSetDBallDistance, 0); break;
    case dJointTypeTransmission: tapeTransmission(t, joint); break;
    default: break;
    }
}
