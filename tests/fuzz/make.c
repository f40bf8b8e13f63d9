/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/fuzz/make.c: bodies and joints of every type, with parameters of any size. */
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <string.h>

typedef dJointID Create(dWorldID, dJointGroupID);
typedef void SetVector(dJointID, dReal, dReal, dReal);
typedef void SetParam(dJointID, int, dReal);

typedef struct Kind {
    Create *create;
    SetVector *anchor[2], *axis[3]; /* axis 0 and 1 are orthogonal, 2 is any */
    SetParam *param;
    int groups; /* limits and motors */
    bool both;  /* between two bodies */
} Kind;

/* by dJointType; contacts and the setters of other shapes are below */
static const Kind kinds[dJointTypeTransmission + 1] = {
    [dJointTypeBall] = {dJointCreateBall, {dJointSetBallAnchor, dJointSetBallAnchor2}, {0}, dJointSetBallParam, 0, 0},
    [dJointTypeHinge] = {dJointCreateHinge, {dJointSetHingeAnchor}, {dJointSetHingeAxis}, dJointSetHingeParam, 1, 0},
    [dJointTypeSlider] = {dJointCreateSlider, {0}, {dJointSetSliderAxis}, dJointSetSliderParam, 1, 0},
    [dJointTypeUniversal] = {dJointCreateUniversal,
                             {dJointSetUniversalAnchor},
                             {dJointSetUniversalAxis1, dJointSetUniversalAxis2},
                             dJointSetUniversalParam,
                             2,
                             0},
    [dJointTypeHinge2] = {dJointCreateHinge2, {dJointSetHinge2Anchor}, {0}, dJointSetHinge2Param, 2, 1},
    [dJointTypeFixed] = {dJointCreateFixed, {0}, {0}, dJointSetFixedParam, 0, 0},
    [dJointTypeNull] = {dJointCreateNull, {0}, {0}, NULL, 0, 0},
    [dJointTypeAMotor] = {dJointCreateAMotor, {0}, {0}, dJointSetAMotorParam, 3, 0},
    [dJointTypeLMotor] = {dJointCreateLMotor, {0}, {0}, dJointSetLMotorParam, 3, 0},
    [dJointTypePlane2D] = {dJointCreatePlane2D, {0}, {0}, NULL, 0, 0},
    [dJointTypePR] =
        {dJointCreatePR, {dJointSetPRAnchor}, {dJointSetPRAxis1, dJointSetPRAxis2}, dJointSetPRParam, 2, 0},
    [dJointTypePU] = {dJointCreatePU,
                      {dJointSetPUAnchor},
                      {dJointSetPUAxis1, dJointSetPUAxis2, dJointSetPUAxisP},
                      dJointSetPUParam,
                      3,
                      0},
    [dJointTypePiston] =
        {dJointCreatePiston, {dJointSetPistonAnchor}, {dJointSetPistonAxis}, dJointSetPistonParam, 2, 0},
    [dJointTypeDBall] =
        {dJointCreateDBall, {dJointSetDBallAnchor1, dJointSetDBallAnchor2}, {0}, dJointSetDBallParam, 0, 0},
    [dJointTypeDHinge] = {dJointCreateDHinge,
                          {dJointSetDHingeAnchor1, dJointSetDHingeAnchor2},
                          {dJointSetDHingeAxis},
                          dJointSetDHingeParam,
                          0,
                          0},
    [dJointTypeTransmission] = {dJointCreateTransmission,
                                {dJointSetTransmissionAnchor1, dJointSetTransmissionAnchor2},
                                {0},
                                dJointSetTransmissionParam,
                                0,
                                1},
};

dBodyID fuzzAnyBody(Fuzz *f)
{
    return f->bodies > 0 ? f->body[fuzzBelow(f, f->bodies)] : NULL;
}

dJointID fuzzAnyJoint(Fuzz *f)
{
    return f->joints > 0 ? f->joint[fuzzBelow(f, f->joints)] : NULL;
}

/* ---- bodies ---- */

void fuzzSetMass(Fuzz *f, dBodyID body)
{
    dMass m;
    dMassSetZero(&m);
    const double length = fuzzScale(f, 0.5, 2, 6);
    m.mass = fuzzScale(f, 1, 6, 12);
    for (int k = 0; k < 3; k++) m.I[5 * k] = m.mass * length * length * fuzzScale(f, 0.5, 2, 6);
    if (fuzzChance(f, 0.3)) {
        dMatrix3 R;
        dRFromAxisAndAngle(R, fuzzUniform(f, -1, 1), fuzzUniform(f, -1, 1), fuzzUniform(f, 0.1, 1),
                           fuzzUniform(f, -3, 3));
        dMassRotate(&m, R);
    }
    if (dMassCheck(&m)) dBodySetMass(body, &m); /* turned, extreme ones are not always positive definite */
}

void fuzzSetState(Fuzz *f, dBodyID body)
{
    dQuaternion q = {fuzzUniform(f, -1, 1), fuzzUniform(f, -1, 1), fuzzUniform(f, -1, 1), fuzzUniform(f, 0.3, 1)};
    dBodySetPosition(body, fuzzReal(f, 1), fuzzReal(f, 1), fuzzReal(f, 1));
    dBodySetQuaternion(body, q);
    dBodySetLinearVel(body, fuzzReal(f, 2), fuzzReal(f, 2), fuzzReal(f, 2));
    dBodySetAngularVel(body, fuzzReal(f, 2), fuzzReal(f, 2), fuzzReal(f, 2));
    dBodyAddForce(body, fuzzReal(f, 9), fuzzReal(f, 9), fuzzReal(f, 9));
    dBodyAddTorque(body, fuzzReal(f, 2), fuzzReal(f, 2), fuzzReal(f, 2));
}

void fuzzMakeBody(Fuzz *f)
{
    if (f->bodies == FuzzBodies) return;
    const dBodyID b = dBodyCreate(f->world);
    f->body[f->bodies++] = b;
    fuzzSetMass(f, b);
    fuzzSetState(f, b);
    if (fuzzChance(f, 0.1)) dBodySetKinematic(b);
    if (fuzzChance(f, 0.1)) dBodySetGravityMode(b, 0);
    if (fuzzChance(f, 0.2)) dBodySetGyroscopicMode(b, 0);
    if (fuzzChance(f, 0.2)) dBodySetLinearDamping(b, fuzzReal(f, 0.3));
    if (fuzzChance(f, 0.2)) dBodySetAngularDamping(b, fuzzReal(f, 0.3));
    if (fuzzChance(f, 0.1)) dBodySetMaxAngularSpeed(b, fabs(fuzzReal(f, 3)));
    if (fuzzChance(f, 0.3)) dBodySetFiniteRotationMode(b, 1);
    if (fuzzChance(f, 0.2)) dBodySetFiniteRotationAxis(b, fuzzUniform(f, -1, 1), fuzzUniform(f, -1, 1), 0.5);
    if (fuzzChance(f, 0.15)) dBodySetAutoDisableFlag(b, 1);
    if (fuzzChance(f, 0.1)) dBodySetAutoDisableSteps(b, fuzzBelow(f, 3));
    if (fuzzChance(f, 0.1)) dBodySetAutoDisableLinearThreshold(b, fabs(fuzzReal(f, 5)));
    if (fuzzChance(f, 0.1)) dBodySetAutoDisableAngularThreshold(b, fabs(fuzzReal(f, 5)));
    if (fuzzChance(f, 0.1)) dBodySetAutoDisableAverageSamplesCount(b, (unsigned)fuzzBelow(f, 4));
    if (fuzzChance(f, 0.05)) dBodyDisable(b);
    if (fuzzChance(f, f->meddle > 0 ? 0.5 : 0.1)) dBodySetMovedCallback(b, fuzzMoved);
}

/* ---- joints ---- */

/* one parameter of one group: stops in any order, motors, springs */
static void setParameter(Fuzz *f, dJointID j, SetParam *set, int base, int what)
{
    const double any = fuzzReal(f, 1), large = pow(10, fuzzUniform(f, -1, 3));
    switch (what) {
    case dParamLoStop:
    case dParamHiStop:
        set(j, base + what, fuzzChance(f, 0.3) ? (what == dParamLoStop ? -dInfinity : dInfinity) : any);
        break;
    case dParamVel: set(j, base + what, 3 * any); break;
    case dParamFMax: set(j, base + what, fuzzChance(f, 0.1) ? dInfinity : fabs(any) * large); break;
    case dParamFudgeFactor:
    case dParamBounce: set(j, base + what, fabs(any)); break;
    case dParamCFM:
    case dParamStopCFM:
    case dParamSuspensionCFM: set(j, base + what, fuzzCfm(f)); break;
    default: set(j, base + what, fuzzErp(f));
    }
}

static void setGroup(Fuzz *f, dJointID j, SetParam *set, int base)
{
    static const int parameters[] = {dParamLoStop,        dParamHiStop,        dParamVel,    dParamFMax,
                                     dParamFudgeFactor,   dParamBounce,        dParamCFM,    dParamStopERP,
                                     dParamSuspensionERP, dParamSuspensionCFM, dParamStopCFM};
    const double often = fuzzUniform(f, 0, 0.7);
    for (size_t k = 0; k < sizeof parameters / sizeof *parameters; k++)
        if (fuzzChance(f, often)) setParameter(f, j, set, base, parameters[k]);
}

void fuzzSetParameters(Fuzz *f, dJointID j)
{
    const dJointType type = dJointGetType(j);
    if (type == dJointTypePlane2D) {
        setGroup(f, j, dJointSetPlane2DXParam, 0);
        setGroup(f, j, dJointSetPlane2DYParam, 0);
        setGroup(f, j, dJointSetPlane2DAngleParam, 0);
    }
    if (type == dJointTypeContact || !kinds[type].param) return;
    SetParam *const set = kinds[type].param;
    for (int k = 0; k < kinds[type].groups; k++) setGroup(f, j, set, k * dParamGroup);
    if (kinds[type].groups > 0) return;
    if (fuzzChance(f, 0.3)) set(j, dParamERP, fuzzErp(f));
    if (fuzzChance(f, 0.3)) set(j, dParamCFM, fuzzCfm(f));
}

/* the frame of a motor's axis: 0 the world's, 1 or 2 that of a body which is there */
static int frameOf(Fuzz *f, dJointID j)
{
    const int frame = fuzzBelow(f, 3);
    return frame > 0 && dJointGetBody(j, frame - 1) ? frame : 0;
}

static void setMotorAxes(Fuzz *f, dJointID j, int type, const double *const axis[3])
{
    const int count = fuzzBelow(f, 4);
    if (type == dJointTypeLMotor) {
        dJointSetLMotorNumAxes(j, count);
        for (int i = 0; i < count; i++) /* of (0, b) ODE takes a body for the other one */
            dJointSetLMotorAxis(j, i, dJointGetBody(j, 0) ? frameOf(f, j) : 0, axis[i][0], axis[i][1], axis[i][2]);
        return;
    }
    if (dJointGetNumBodies(j) == 2 && fuzzChance(f, 0.4)) {
        dJointSetAMotorMode(j, dAMotorEuler);
        dJointSetAMotorAxis(j, 0, 1, axis[0][0], axis[0][1], axis[0][2]);
        dJointSetAMotorAxis(j, 2, 2, axis[1][0], axis[1][1], axis[1][2]);
        return;
    }
    dJointSetAMotorNumAxes(j, count);
    for (int i = 0; i < count; i++) {
        dJointSetAMotorAxis(j, i, frameOf(f, j), axis[i][0], axis[i][1], axis[i][2]);
        dJointSetAMotorAngle(j, i, fuzzReal(f, 1));
    }
}

static void setTransmission(Fuzz *f, dJointID j, const double u[3], const double v[3])
{
    const int mode = fuzzBelow(f, 3);
    dJointSetTransmissionMode(j, mode);
    if (mode == dTransmissionIntersectingAxes) {
        dJointSetTransmissionAxis1(j, u[0], u[1], u[2]);
        dJointSetTransmissionAxis2(j, v[0], v[1], v[2]);
    } else {
        dJointSetTransmissionAxis(j, u[0], u[1], u[2]);
    }
    if (mode == dTransmissionParallelAxes) dJointSetTransmissionRatio(j, fuzzSize(f, 2));
    if (mode == dTransmissionChainDrive) {
        dJointSetTransmissionRadius1(j, fuzzSize(f, 0.5));
        dJointSetTransmissionRadius2(j, fuzzSize(f, 0.5));
    }
    if (fuzzChance(f, 0.5)) dJointSetTransmissionBacklash(j, fuzzSize(f, 0.1));
}

static void setGeometry(Fuzz *f, dJointID j, int type)
{
    double u[3], v[3], t[3], unused[3];
    fuzzDirections(f, u, v);
    fuzzDirections(f, t, unused);
    const double *const axis[3] = {u, v, t};
    const Kind *kind = &kinds[type];
    for (int i = 0; i < 2 && kind->anchor[i]; i++)
        if (fuzzChance(f, 0.9)) kind->anchor[i](j, fuzzReal(f, 1), fuzzReal(f, 1), fuzzReal(f, 1));
    for (int i = 0; i < 3 && kind->axis[i]; i++) kind->axis[i](j, axis[i][0], axis[i][1], axis[i][2]);
    if (type == dJointTypeHinge2) {
        const dReal first[4] = {u[0], u[1], u[2], 0}, second[4] = {v[0], v[1], v[2], 0};
        dJointSetHinge2Axes(j, first, second);
    }
    if (type == dJointTypeHinge && fuzzChance(f, 0.1)) dJointSetHingeAxisOffset(j, u[0], u[1], u[2], fuzzReal(f, 1));
    if (type == dJointTypeFixed && fuzzChance(f, 0.9)) dJointSetFixed(j);
    if (type == dJointTypeDBall && fuzzChance(f, 0.5)) dJointSetDBallDistance(j, fuzzSize(f, 1));
    if (type == dJointTypeAMotor || type == dJointTypeLMotor) setMotorAxes(f, j, type, axis);
    if (type == dJointTypeTransmission) setTransmission(f, j, u, v);
}

void fuzzMakeJoint(Fuzz *f)
{
    const int type = 1 + fuzzBelow(f, dJointTypeTransmission);
    dBodyID a = fuzzAnyBody(f), b = fuzzAnyBody(f);
    if (f->joints == FuzzJoints || type == dJointTypeContact || (!a && !b)) return;
    if (a == b) b = NULL;
    if (kinds[type].both && (!a || !b)) return;
    if (a && !kinds[type].both && fuzzChance(f, 0.2)) b = NULL;
    if (fuzzChance(f, 0.5) && (a || type != dJointTypePlane2D)) {
        const dBodyID other = a;
        a = b, b = other;
    }
    if (type == dJointTypePlane2D && !a) a = b, b = NULL;
    const bool grouped = fuzzChance(f, 0.1); /* such a joint goes with its group: not remembered */
    const dJointID j = kinds[type].create(f->world, grouped ? f->group : NULL);
    dJointAttach(j, a, b);
    fuzzSay(f, "joint of type %d on %p, %p\n", type, (void *)a, (void *)b);
    setGeometry(f, j, type);
    fuzzSetParameters(f, j);
    if (fuzzChance(f, 0.3)) dJointSetFeedback(j, &f->feedback[f->joints]);
    if (fuzzChance(f, 0.05)) dJointDisable(j);
    if (!grouped) f->joint[f->joints++] = j;
}

void fuzzMakeContact(Fuzz *f, dJointGroupID group)
{
    static const int bits[] = {dContactMu2,       dContactAxisDep,   dContactBounce,  dContactSoftERP,
                               dContactSoftCFM,   dContactMotion1,   dContactMotion2, dContactMotionN,
                               dContactSlip1,     dContactSlip2,     dContactRolling, dContactApprox1_1,
                               dContactApprox1_2, dContactApprox1_N, dContactFDir1};
    dContact c;
    dVector3 u = {0}, v = {0};
    dBodyID a = fuzzAnyBody(f), b = fuzzChance(f, 0.5) ? fuzzAnyBody(f) : NULL;
    if (a == b) b = NULL;
    if (!a && !b) return;
    memset(&c, 0, sizeof c);
    fuzzDirections(f, u, v);
    dNormalize3(u);
    dNormalize3(v);
    for (int k = 0; k < 3; k++) {
        c.geom.pos[k] = dBodyGetPosition(a ? a : b)[k] + fuzzReal(f, 0.5);
        c.geom.normal[k] = fuzzChance(f, f->wild) ? fuzzReal(f, 1) : u[k];
        c.fdir1[k] = fuzzChance(f, f->wild) ? fuzzReal(f, 1) : v[k];
    }
    c.geom.depth = fuzzReal(f, 0.05);
    for (size_t k = 0; k < sizeof bits / sizeof *bits; k++)
        if (fuzzChance(f, 0.4)) c.surface.mode |= bits[k];
    dReal *const friction[] = {&c.surface.mu, &c.surface.mu2, &c.surface.rho, &c.surface.rho2, &c.surface.rhoN};
    for (size_t k = 0; k < sizeof friction / sizeof *friction; k++)
        *friction[k] = fuzzChance(f, 0.1) ? 0 : fuzzChance(f, 0.05) ? dInfinity : fabs(fuzzReal(f, 1));
    c.surface.bounce = fabs(fuzzReal(f, 1));
    c.surface.bounce_vel = fabs(fuzzReal(f, 0.1));
    c.surface.soft_erp = fuzzErp(f);
    c.surface.soft_cfm = fuzzCfm(f);
    c.surface.motion1 = fuzzReal(f, 1);
    c.surface.motion2 = fuzzReal(f, 1);
    c.surface.motionN = fuzzReal(f, 1);
    c.surface.slip1 = fuzzCfm(f);
    c.surface.slip2 = fuzzCfm(f);
    dJointAttach(dJointCreateContact(f->world, group, &c), a, b);
}

/* ---- the world ---- */

void fuzzBuild(Fuzz *f)
{
    f->reach = fuzzChance(f, 0.5) ? 0 : 1 + fuzzBelow(f, 2);
    f->wild = f->reach == 0 || fuzzChance(f, 0.4) ? 0 : pow(10, fuzzUniform(f, -3.5, -1));
    f->meddle = fuzzChance(f, 0.7) ? 0 : fuzzUniform(f, 0, 0.5);
    f->h = f->reach == 0 ? 0.01 : pow(10, fuzzUniform(f, f->reach == 1 ? -4 : -9, f->reach == 1 ? -1 : 1));
    f->world = dWorldCreate();
    fuzzReplayMade(f);
    f->group = dJointGroupCreate(0);
    dWorldSetGravity(f->world, fuzzReal(f, 1), fuzzReal(f, 1), -9.81);
    dWorldSetCFM(f->world, fuzzChance(f, 0.4) ? 1e-10 : fuzzCfm(f));
    dWorldSetERP(f->world, fuzzErp(f));
    if (fuzzChance(f, 0.3)) dWorldSetContactMaxCorrectingVel(f->world, fabs(fuzzReal(f, 2)));
    if (fuzzChance(f, 0.3)) dWorldSetContactSurfaceLayer(f->world, fabs(fuzzReal(f, 0.02)));
    if (fuzzChance(f, 0.1)) dWorldSetMaxAngularSpeed(f->world, fabs(fuzzReal(f, 10)));
    if (fuzzChance(f, 0.1)) dWorldSetDamping(f->world, fabs(fuzzReal(f, 0.1)), fabs(fuzzReal(f, 0.1)));
    fuzzSettings(f);
    const int bodies = 1 + fuzzBelow(f, fuzzChance(f, 0.7) ? 4 : FuzzBodies), joints = fuzzBelow(f, 2 * bodies + 1);
    for (int i = 0; i < bodies; i++) fuzzMakeBody(f);
    for (int i = 0; i < joints; i++) fuzzMakeJoint(f);
    const int contacts = fuzzChance(f, 0.4) ? fuzzBelow(f, 6) : 0, elements = fuzzChance(f, 0.3) ? fuzzBelow(f, 4) : 0;
    for (int i = 0; i < contacts; i++) fuzzMakeContact(f, f->group);
    for (int i = 0; i < elements; i++) fuzzMakeElement(f);
    for (int i = fuzzChance(f, 0.3) ? fuzzBelow(f, 4) : 0; i > 0; i--) fuzzSetLaw(f);
}
