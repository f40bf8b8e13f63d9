/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/parity/joint_kind.h"

#include "bridge/base/vector.h"
#include "bridge/joints/class.h"
#include "bridge/world/frame.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static bool chance(Oracle *o, double p)
{
    return randomUniform(&o->random, 0, 1) < p;
}

typedef struct Geometry {
    double anchor[6], x[6], u[6], w[6]; /* unit: x, u across it, w across u */
} Geometry;

static Geometry any(Oracle *o)
{
    Geometry g = {.anchor = {0}};
    double other[3];
    oracleAnyPoint(o, g.anchor);
    oracleAnyAxis(o, g.x, true);
    oracleAnyAxis(o, other, true);
    ukCross(g.x, other, g.u);
    ukNormalize(g.u);
    oracleAnyAxis(o, other, true);
    ukCross(g.u, other, g.w);
    ukNormalize(g.w);
    return g;
}

#define TELL(kind, setter, v) (setter(o->joint, (v)[0], (v)[1], (v)[2]), oracleNote(o, kind, 0, 0, v))

static void setBall(Oracle *o)
{
    const Geometry g = any(o);
    TELL(ukNoteAnchor, dJointSetBallAnchor, g.anchor);
}

/* towards the world an axis keeps its length on that side */
static double length(Oracle *o)
{
    return chance(o, 0.5) ? 1 : randomUniform(&o->random, 0.5, 2);
}

static void setHinge(Oracle *o)
{
    Geometry g = any(o);
    const double l = length(o);
    for (int i = 0; i < 3; i++) g.x[i] *= l;
    TELL(ukNoteAnchor, dJointSetHingeAnchor, g.anchor);
    TELL(ukNoteAxis, dJointSetHingeAxis, g.x);
}

static void setSlider(Oracle *o)
{
    const Geometry g = any(o);
    TELL(ukNoteAxis, dJointSetSliderAxis, g.x);
}

static void setUniversal(Oracle *o)
{
    Geometry g = any(o);
    const double l = length(o);
    for (int i = 0; i < 3; i++) g.w[i] *= l;
    TELL(ukNoteAnchor, dJointSetUniversalAnchor, g.anchor);
    TELL(ukNoteAxis, dJointSetUniversalAxis1, g.u);
    TELL(ukNoteAxis2, dJointSetUniversalAxis2, g.w);
}

static void setHinge2(Oracle *o)
{
    const Geometry g = any(o);
    const double tilt = chance(o, 0.5) ? 0 : randomUniform(&o->random, -0.7, 0.7);
    dVector3 second = {0};
    for (int i = 0; i < 3; i++) second[i] = g.u[i] + tilt * g.x[i];
    TELL(ukNoteAnchor, dJointSetHinge2Anchor, g.anchor);
    dJointSetHinge2Axes(o->joint, (dVector3){g.x[0], g.x[1], g.x[2]}, second);
    oracleNote(o, ukNoteAxes, 0, 0, NULL);
}

static void setFixed(Oracle *o)
{
    dJointSetFixed(o->joint);
    oracleNote(o, ukNoteFix, 0, 0, NULL);
}

static void setPR(Oracle *o)
{
    const Geometry g = any(o);
    TELL(ukNoteAnchor, dJointSetPRAnchor, g.anchor);
    TELL(ukNoteAxis, dJointSetPRAxis1, g.x);
    TELL(ukNoteAxis2, dJointSetPRAxis2, g.u);
}

static void setPU(Oracle *o)
{
    Geometry g = any(o);
    const double l = length(o);
    for (int i = 0; i < 3; i++) g.w[i] *= l;
    TELL(ukNoteAnchor, dJointSetPUAnchor, g.anchor);
    TELL(ukNoteAxis, dJointSetPUAxis1, g.u);
    TELL(ukNoteAxis2, dJointSetPUAxis2, g.w);
    TELL(ukNoteAxis3, dJointSetPUAxisP, g.x);
}

static void setPiston(Oracle *o)
{
    Geometry g = any(o);
    const double l = length(o);
    for (int i = 0; i < 3; i++) g.x[i] *= l;
    TELL(ukNoteAnchor, dJointSetPistonAnchor, g.anchor);
    TELL(ukNoteAxis, dJointSetPistonAxis, g.x);
}

static void setDBall(Oracle *o)
{
    const Geometry g = any(o);
    double end[6] = {0};
    const double l = randomUniform(&o->random, 0.3, 2);
    for (int i = 0; i < 3; i++) end[i] = g.anchor[i] + l * g.x[i];
    TELL(ukNoteAnchor, dJointSetDBallAnchor1, g.anchor);
    TELL(ukNoteAnchor2, dJointSetDBallAnchor2, end);
}

static void setDHinge(Oracle *o)
{
    const Geometry g = any(o);
    double end[6] = {0};
    const double l = randomUniform(&o->random, 0.3, 2);
    for (int i = 0; i < 3; i++) end[i] = g.anchor[i] + l * g.u[i];
    TELL(ukNoteAnchor, dJointSetDHingeAnchor1, g.anchor);
    TELL(ukNoteAnchor2, dJointSetDHingeAnchor2, end);
    TELL(ukNoteAxis, dJointSetDHingeAxis, g.x);
}

static void setPlane2D(Oracle *o)
{
    static void (*const set[3])(dJointID, int, dReal) = {dJointSetPlane2DXParam, dJointSetPlane2DYParam,
                                                         dJointSetPlane2DAngleParam};
    for (int i = 0; i < 3; i++) {
        const double fmax[6] = {chance(o, 0.5) ? dInfinity : 0};
        set[i](o->joint, dParamFMax, fmax[0]);
        oracleNote(o, ukNoteParam, dParamFMax, i, fmax);
    }
}

static void motorAxis(Oracle *o, void (*set)(dJointID, int, int, dReal, dReal, dReal), int i, int rel, const double *x)
{
    set(o->joint, i, rel, x[0], x[1], x[2]);
    oracleNote(o, ukNoteAxis, i, rel, x);
}

static void setUserAMotor(Oracle *o)
{
    dJointSetAMotorMode(o->joint, dAMotorUser);
    oracleNote(o, ukNoteMode, dAMotorUser, 0, NULL);
    dJointSetAMotorNumAxes(o->joint, 3);
    for (int i = 0; i < 3; i++) motorAxis(o, dJointSetAMotorAxis, i, randomBelow(&o->random, 3), any(o).x);
}

static void setEulerAMotor(Oracle *o)
{
    const Geometry g = any(o);
    motorAxis(o, dJointSetAMotorAxis, 0, 1, g.x);
    motorAxis(o, dJointSetAMotorAxis, 2, 2, g.u);
    dJointSetAMotorMode(o->joint, dAMotorEuler);
    oracleNote(o, ukNoteMode, dAMotorEuler, 0, NULL);
}

static void setLMotor(Oracle *o)
{
    dJointSetLMotorNumAxes(o->joint, 3);
    for (int i = 0; i < 3; i++)
        motorAxis(o, dJointSetLMotorAxis, i, randomBelow(&o->random, o->row_maker.body[1] ? 3 : 2), any(o).x);
}

static void setTransmission(Oracle *o, int mode)
{
    const Geometry g = any(o);
    Geometry other = any(o);
    const double radius[2][6] = {{randomUniform(&o->random, 0.1, 0.5)}, {randomUniform(&o->random, 0.1, 0.5)}};
    double apart[3]; /* wheels of a chain turn in one plane, farther apart than their radii differ */
    for (int i = 0; i < 3; i++) apart[i] = other.anchor[i] - g.anchor[i];
    for (int i = 0; i < 3 && mode == dTransmissionChainDrive; i++)
        other.anchor[i] += 0.5 * g.u[i] - ukDot(apart, g.x) * g.x[i] - ukDot(apart, g.u) * g.u[i];
    dJointSetTransmissionMode(o->joint, mode);
    oracleNote(o, ukNoteMode, mode, 0, NULL);
    TELL(ukNoteAnchor, dJointSetTransmissionAnchor1, g.anchor);
    TELL(ukNoteAnchor2, dJointSetTransmissionAnchor2, other.anchor);
    if (mode == dTransmissionIntersectingAxes) {
        TELL(ukNoteAxis, dJointSetTransmissionAxis1, g.x);
        TELL(ukNoteAxis2, dJointSetTransmissionAxis2, g.u);
    } else {
        TELL(ukNoteAxes, dJointSetTransmissionAxis, g.x);
    }
    if (mode == dTransmissionParallelAxes) {
        const double ratio[6] = {randomUniform(&o->random, 0.5, 2)};
        dJointSetTransmissionRatio(o->joint, ratio[0]);
        oracleNote(o, ukNoteRatio, 0, 0, ratio);
    } else if (mode == dTransmissionChainDrive) {
        dJointSetTransmissionRadius1(o->joint, radius[0][0]);
        oracleNote(o, ukNoteRadius, 0, 0, radius[0]);
        dJointSetTransmissionRadius2(o->joint, radius[1][0]);
        oracleNote(o, ukNoteRadius, 1, 0, radius[1]);
    }
}

static void setParallel(Oracle *o)
{
    setTransmission(o, dTransmissionParallelAxes);
}
static void setIntersecting(Oracle *o)
{
    setTransmission(o, dTransmissionIntersectingAxes);
}
static void setChain(Oracle *o)
{
    setTransmission(o, dTransmissionChainDrive);
}

const JointKind joint_kinds[JointKinds] = {
    {&ukBallClass, dJointCreateBall, setBall, NULL, 0, 0, false, 0},
    {&ukHingeClass, dJointCreateHinge, setHinge, dJointSetHingeParam, 1, 0, false, 0},
    {&ukSliderClass, dJointCreateSlider, setSlider, dJointSetSliderParam, 1, 1, false, 0},
    {&ukUniversalClass, dJointCreateUniversal, setUniversal, dJointSetUniversalParam, 2, 0, false, 0},
    {&ukHinge2Class, dJointCreateHinge2, setHinge2, dJointSetHinge2Param, 2, 0, true, 0},
    {&ukFixedClass, dJointCreateFixed, setFixed, NULL, 0, 0, false, 0},
    {&ukPRClass, dJointCreatePR, setPR, dJointSetPRParam, 2, 1, false, 0},
    {&ukPUClass, dJointCreatePU, setPU, dJointSetPUParam, 3, 4, false, 0},
    {&ukPistonClass, dJointCreatePiston, setPiston, dJointSetPistonParam, 2, 1, false, 0},
    {&ukDBallClass, dJointCreateDBall, setDBall, NULL, 0, 0, false, 0},
    {&ukDHingeClass, dJointCreateDHinge, setDHinge, NULL, 0, 0, false, 0},
    {&ukPlane2DClass, dJointCreatePlane2D, setPlane2D, NULL, 0, 0, false, 0},
    {&ukAMotorClass, dJointCreateAMotor, setUserAMotor, dJointSetAMotorParam, 3, 0, false, dAMotorUser},
    {&ukAMotorClass, dJointCreateAMotor, setEulerAMotor, dJointSetAMotorParam, 3, 0, false, dAMotorEuler},
    {&ukLMotorClass, dJointCreateLMotor, setLMotor, dJointSetLMotorParam, 3, 7, false, 0},
    {&ukTransmissionClass, dJointCreateTransmission, setParallel, NULL, 0, 0, true, dTransmissionParallelAxes},
    {&ukTransmissionClass, dJointCreateTransmission, setIntersecting, NULL, 0, 0, true, dTransmissionIntersectingAxes},
    {&ukTransmissionClass, dJointCreateTransmission, setChain, NULL, 0, 0, true, dTransmissionChainDrive}};
static void limits(Oracle *o, const JointKind *kind)
{
    for (int k = 0; k < kind->groups; k++) {
        const int base = k * dParamGroup, what = randomBelow(&o->random, 4);
        const double at = randomUniform(&o->random, -0.3, 0.3);
        kind->set_param(o->joint, base + dParamLoStop, what == 2 ? at : what == 3 ? 10 : -dInfinity);
        kind->set_param(o->joint, base + dParamHiStop, what == 2 ? at : what == 3 ? 11 : dInfinity);
        if (what == 2) kind->set_param(o->joint, base + dParamLoStop, at);
        kind->set_param(o->joint, base + dParamFMax, what == 1 ? dInfinity : 0);
        kind->set_param(o->joint, base + dParamVel, what == 1 ? randomUniform(&o->random, -1, 1) : 0);
    }
    oracleNote(o, ukNoteParam, 0, 0, NULL);
}

void jointKindBuild(Oracle *o, uint64_t seed, const JointKind *kind)
{
    static const OracleAttachment orders[] = {OracleBoth, OracleSwapped, OracleFirst, OracleSecond};
    oracleBegin(o, seed, kind->class, kind->make);
    if (kind->class == &ukPlane2DClass) oracleMove(o, 0);
    oracleAttach(o, orders[randomBelow(&o->random, kind->one_way ? 2 : 4)]);
    kind->set(o);
    limits(o, kind);
}

/* ---- bases ------------------------------------------------------------------------------------------------------- */

/* Rows first ... first + count - 1: along the world's axes (3), or the plane space of an axis of a (2). */
typedef struct Group {
    int first, count;
    const double *axis;
} Group;

static int groupsOf(const ukJoint *joint, Group group[2])
{
    const bool two = joint->body[1] != NULL; /* towards the world ODE's rows of anchors are exact */
    const Group anchor = {0, 3, NULL};
    int count = 0;
    switch (joint->class->type) {
    case dJointTypeBall:
    case dJointTypeUniversal:
        if (two) group[count++] = anchor;
        return count;
    case dJointTypeHinge:
        if (two) group[count++] = anchor;
        group[count++] = (Group){3, 2, joint->axis1};
        return count;
    case dJointTypeSlider: return group[0] = anchor, group[1] = (Group){3, 2, joint->axis1}, 2;
    case dJointTypeHinge2: return group[0] = (Group){1, 2, joint->axis1}, 1;
    case dJointTypeFixed:
        if (two) group[count++] = anchor;
        group[count++] = (Group){3, 3, NULL};
        return count;
    case dJointTypePU: return group[0] = (Group){1, 2, joint->axisP}, 1;
    case dJointTypePiston: return group[0] = (Group){0, 2, joint->axis1}, group[1] = (Group){2, 2, joint->axis1}, 2;
    case dJointTypeDHinge: return group[0] = (Group){1, 2, joint->axis1}, 1;
    default: return 0;
    }
}

static void basisOf(const Group *group, const ukState *a, double basis[3][3])
{
    for (int i = 0; i < 9; i++) basis[i / 3][i % 3] = i % 4 == 0;
    if (!group->axis) return;
    double n[3];
    ukRotate(a->R, group->axis, n);
    ukPlaneSpace(n, basis[0], basis[1]);
}

void jointKindCarry(const ukJoint *joint, const ukState *from, const ukState *to, OracleRows *rows)
{
    Group group[2];
    const int groups = groupsOf(joint, group);
    for (int g = 0; g < groups; g++) {
        const int first = group[g].first, count = group[g].count;
        double here[3][3], there[3][3];
        const OracleRows as = *rows;
        basisOf(&group[g], from, here);
        basisOf(&group[g], to, there);
        for (int i = first; i < first + count; i++) {
            double local[3], carried[3];
            ukUnrotate(from->R, here[i - first], local);
            ukRotate(to->R, local, carried);
            rows->phi[i] = 0;
            for (int c = 0; c < rows->stride; c++) rows->J[i * rows->stride + c] = 0;
            for (int k = first; k < first + count; k++) {
                const double share = ukDot(carried, there[k - first]);
                rows->phi[i] += share * as.phi[k];
                for (int c = 0; c < rows->stride; c++)
                    rows->J[i * rows->stride + c] += share * as.J[k * rows->stride + c];
            }
        }
    }
}
