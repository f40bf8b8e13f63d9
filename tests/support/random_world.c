/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/support/random_world.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

double randomUniform(Random *r, double lo, double hi)
{
    r->state ^= r->state >> 12;
    r->state ^= r->state << 25;
    r->state ^= r->state >> 27;
    const uint64_t x = r->state * 2685821657736338717u;
    return lo + (hi - lo) * ((double)(x >> 11) * 0x1p-53);
}

int randomBelow(Random *r, int n)
{
    const int i = (int)randomUniform(r, 0, n);
    return i < n ? i : n - 1;
}

static int chance(Random *r, double p)
{
    return randomUniform(r, 0, 1) < p;
}

static void direction(Random *r, dReal *x)
{
    do {
        for (int i = 0; i < 3; i++) x[i] = randomUniform(r, -1, 1);
    } while (dCalcVectorLength3(x) < 0.2);
    dNormalize3(x);
}

const int randomEqualityTypes = 1 << dJointTypeBall | 1 << dJointTypeHinge | 1 << dJointTypeSlider |
                                1 << dJointTypeUniversal | 1 << dJointTypeHinge2 | 1 << dJointTypeFixed |
                                1 << dJointTypeNull | 1 << dJointTypeAMotor | 1 << dJointTypeLMotor |
                                1 << dJointTypePlane2D | 1 << dJointTypePR | 1 << dJointTypePU | 1 << dJointTypePiston |
                                1 << dJointTypeDBall | 1 << dJointTypeDHinge | 1 << dJointTypeTransmission;

static dBodyID makeBody(Random *r, dWorldID world)
{
    dBodyID b = dBodyCreate(world);
    dMass m;
    dMatrix3 R;
    dQuaternion q = {randomUniform(r, -1, 1), randomUniform(r, -1, 1), randomUniform(r, -1, 1),
                     randomUniform(r, 0.3, 1)};
    dMassSetBoxTotal(&m, pow(10, randomUniform(r, -1, 1)), randomUniform(r, 0.2, 1), randomUniform(r, 0.2, 1),
                     randomUniform(r, 0.2, 1));
    dRFromAxisAndAngle(R, randomUniform(r, -1, 1), randomUniform(r, -1, 1), randomUniform(r, 0.1, 1),
                       randomUniform(r, -3, 3));
    dMassRotate(&m, R);
    dBodySetMass(b, &m);
    dBodySetPosition(b, randomUniform(r, -1, 1), randomUniform(r, -1, 1), randomUniform(r, -1, 1));
    dNormalize4(q);
    dBodySetQuaternion(b, q);
    dBodySetLinearVel(b, randomUniform(r, -2, 2), randomUniform(r, -2, 2), randomUniform(r, -2, 2));
    dBodySetAngularVel(b, randomUniform(r, -2, 2), randomUniform(r, -2, 2), randomUniform(r, -2, 2));
    dBodyAddForce(b, randomUniform(r, -9, 9), randomUniform(r, -9, 9), randomUniform(r, -9, 9));
    dBodyAddTorque(b, randomUniform(r, -2, 2), randomUniform(r, -2, 2), randomUniform(r, -2, 2));
    if (chance(r, 0.1)) dBodySetKinematic(b);
    if (chance(r, 0.1)) dBodySetGravityMode(b, 0);
    if (chance(r, 0.2)) dBodySetGyroscopicMode(b, 0);
    if (chance(r, 0.2)) dBodySetLinearDamping(b, randomUniform(r, 0, 0.3));
    if (chance(r, 0.2)) dBodySetAngularDamping(b, randomUniform(r, 0, 0.3));
    if (chance(r, 0.1)) dBodySetMaxAngularSpeed(b, randomUniform(r, 0.5, 3));
    if (chance(r, 0.3)) dBodySetFiniteRotationMode(b, 1);
    if (chance(r, 0.2)) dBodySetFiniteRotationAxis(b, randomUniform(r, -1, 1), randomUniform(r, -1, 1), 0.5);
    return b;
}

static double cfmOf(Random *r, const RandomWorldKind *kind)
{
    const double x = pow(10, randomUniform(r, log10(kind->cfm_lo), log10(kind->cfm_hi)));
    return kind->cfm_lo < kind->cfm_hi ? x : kind->cfm_lo; /* to the bit: 1e-10 is ODE's default */
}

typedef void SetParam(dJointID, int, dReal);

static void motor(Random *r, const RandomWorldKind *kind, dJointID j, SetParam *set, int group)
{
    const int g = group * dParamGroup;
    /* an infinite motor at a stop makes ODE abort: motors are finite, or absent, where there are stops */
    const int finite = kind->stops || (kind->bounded_motors && chance(r, 0.8));
    if (chance(r, 0.3) && (!kind->stops || kind->bounded_motors)) {
        set(j, g + dParamVel, randomUniform(r, -2, 2));
        set(j, g + dParamFMax, finite ? randomUniform(r, 0.1, 20) : dInfinity);
        if (chance(r, 0.3)) set(j, g + dParamFudgeFactor, randomUniform(r, 0, 1));
    }
    if (chance(r, 0.5)) set(j, g + dParamCFM, cfmOf(r, kind));
    if (!kind->stops) return;
    /* stops around, beyond and at the present value (near 0 for a joint just made) */
    const double lo = randomUniform(r, -0.4, 0.2), hi = chance(r, 0.1) ? lo : lo + randomUniform(r, 0, 0.4);
    if (chance(r, 0.8)) set(j, g + dParamLoStop, lo);
    if (chance(r, 0.8)) set(j, g + dParamHiStop, hi);
    if (chance(r, 0.8)) set(j, g + dParamLoStop, lo);
    if (chance(r, 0.4)) set(j, g + dParamBounce, randomUniform(r, 0, 1));
    set(j, g + dParamStopERP, randomUniform(r, 0, 0.9));
    set(j, g + dParamStopCFM, cfmOf(r, kind));
}

/* What a joint is made with: two bodies, a point, and directions: v orthogonal to u, t not parallel to it. */
typedef struct Parts {
    Random *r;
    const RandomWorldKind *kind;
    dWorldID w;
    dBodyID a, b;
    dVector3 x, u, v, t;
} Parts;

static dJointID makeBall(const Parts *m)
{
    const dJointID j = dJointCreateBall(m->w, 0);
    dJointAttach(j, m->a, m->b);
    dJointSetBallAnchor(j, m->x[0], m->x[1], m->x[2]);
    return j;
}

static dJointID makeHinge(const Parts *m)
{
    const dJointID j = dJointCreateHinge(m->w, 0);
    dJointAttach(j, m->a, m->b);
    dJointSetHingeAnchor(j, m->x[0], m->x[1], m->x[2]);
    if (chance(m->r, 0.2))
        dJointSetHingeAxisOffset(j, m->u[0], m->u[1], m->u[2], randomUniform(m->r, -1, 1));
    else
        dJointSetHingeAxis(j, m->u[0], m->u[1], m->u[2]);
    motor(m->r, m->kind, j, dJointSetHingeParam, 0);
    return j;
}

static dJointID makeSlider(const Parts *m)
{
    const dJointID j = dJointCreateSlider(m->w, 0);
    dJointAttach(j, m->a, m->b);
    dJointSetSliderAxis(j, m->u[0], m->u[1], m->u[2]);
    motor(m->r, m->kind, j, dJointSetSliderParam, 0);
    return j;
}

static dJointID makeUniversal(const Parts *m)
{
    const dJointID j = dJointCreateUniversal(m->w, 0);
    dJointAttach(j, m->a, m->b);
    dJointSetUniversalAnchor(j, m->x[0], m->x[1], m->x[2]);
    dJointSetUniversalAxis1(j, m->u[0], m->u[1], m->u[2]);
    dJointSetUniversalAxis2(j, m->v[0], m->v[1], m->v[2]);
    motor(m->r, m->kind, j, dJointSetUniversalParam, 0);
    motor(m->r, m->kind, j, dJointSetUniversalParam, 1);
    return j;
}

static dJointID makeHinge2(const Parts *m)
{
    const dJointID j = dJointCreateHinge2(m->w, 0);
    dJointAttach(j, m->a, m->b);
    dJointSetHinge2Anchor(j, m->x[0], m->x[1], m->x[2]);
    const dReal axis1[4] = {m->u[0], m->u[1], m->u[2], 0}, axis2[4] = {m->t[0], m->t[1], m->t[2], 0};
    dJointSetHinge2Axes(j, axis1, axis2);
    dJointSetHinge2Param(j, dParamSuspensionERP, randomUniform(m->r, 0.1, 0.9));
    dJointSetHinge2Param(j, dParamSuspensionCFM, pow(10, randomUniform(m->r, -6, -1)));
    motor(m->r, m->kind, j, dJointSetHinge2Param, 0);
    motor(m->r, m->kind, j, dJointSetHinge2Param, 1);
    return j;
}

static dJointID makeFixed(const Parts *m)
{
    const dJointID j = dJointCreateFixed(m->w, 0);
    dJointAttach(j, m->a, m->b);
    dJointSetFixed(j);
    return j;
}

static dJointID makeNull(const Parts *m)
{
    const dJointID j = dJointCreateNull(m->w, 0);
    dJointAttach(j, m->a, m->b);
    return j;
}

static dJointID makePR(const Parts *m)
{
    const dJointID j = dJointCreatePR(m->w, 0);
    dJointAttach(j, m->a, m->b);
    dJointSetPRAnchor(j, m->x[0], m->x[1], m->x[2]);
    dJointSetPRAxis1(j, m->u[0], m->u[1], m->u[2]);
    dJointSetPRAxis2(j, m->v[0], m->v[1], m->v[2]);
    motor(m->r, m->kind, j, dJointSetPRParam, 0);
    motor(m->r, m->kind, j, dJointSetPRParam, 1);
    return j;
}

static dJointID makePU(const Parts *m)
{
    const dJointID j = dJointCreatePU(m->w, 0);
    dJointAttach(j, m->a, m->b);
    dJointSetPUAnchor(j, m->x[0], m->x[1], m->x[2]);
    dJointSetPUAxis1(j, m->u[0], m->u[1], m->u[2]);
    dJointSetPUAxis2(j, m->v[0], m->v[1], m->v[2]);
    dJointSetPUAxisP(j, m->t[0], m->t[1], m->t[2]);
    motor(m->r, m->kind, j, dJointSetPUParam, 0);
    motor(m->r, m->kind, j, dJointSetPUParam, 1);
    motor(m->r, m->kind, j, dJointSetPUParam, 2);
    return j;
}

static dJointID makePiston(const Parts *m)
{
    const dJointID j = dJointCreatePiston(m->w, 0);
    dJointAttach(j, m->a, m->b);
    dJointSetPistonAnchor(j, m->x[0], m->x[1], m->x[2]);
    dJointSetPistonAxis(j, m->u[0], m->u[1], m->u[2]);
    motor(m->r, m->kind, j, dJointSetPistonParam, 0);
    motor(m->r, m->kind, j, dJointSetPistonParam, 1);
    return j;
}

static dJointID makeDBall(const Parts *m)
{
    const dJointID j = dJointCreateDBall(m->w, 0);
    dJointAttach(j, m->a, m->b);
    dJointSetDBallAnchor1(j, m->x[0], m->x[1], m->x[2]);
    dJointSetDBallAnchor2(j, m->x[0] + m->v[0], m->x[1] + m->v[1], m->x[2] + m->v[2]);
    if (chance(m->r, 0.5)) dJointSetDBallDistance(j, randomUniform(m->r, 0.5, 1.5));
    return j;
}

static dJointID makeDHinge(const Parts *m)
{
    const dJointID j = dJointCreateDHinge(m->w, 0);
    dJointAttach(j, m->a, m->b);
    dJointSetDHingeAnchor1(j, m->x[0], m->x[1], m->x[2]);
    dJointSetDHingeAnchor2(j, m->x[0] + m->v[0], m->x[1] + m->v[1], m->x[2] + m->v[2]);
    dJointSetDHingeAxis(j, m->u[0], m->u[1], m->u[2]);
    return j;
}

static dJointID makePlane2D(const Parts *m)
{
    const dJointID j = dJointCreatePlane2D(m->w, 0);
    dJointAttach(j, m->a, m->b);
    motor(m->r,
          &(RandomWorldKind){
              .cfm_lo = m->kind->cfm_lo, .cfm_hi = m->kind->cfm_hi, .bounded_motors = m->kind->bounded_motors},
          j, dJointSetPlane2DXParam, 0);
    motor(m->r,
          &(RandomWorldKind){
              .cfm_lo = m->kind->cfm_lo, .cfm_hi = m->kind->cfm_hi, .bounded_motors = m->kind->bounded_motors},
          j, dJointSetPlane2DAngleParam, 0);
    return j;
}

static dJointID makeAMotor(const Parts *m)
{
    const dJointID j = dJointCreateAMotor(m->w, 0);
    dJointAttach(j, m->a, m->b);
    if (m->a && m->b && chance(m->r, 0.5)) {
        dJointSetAMotorMode(j, dAMotorEuler);
        dJointSetAMotorAxis(j, 0, 1, m->u[0], m->u[1], m->u[2]);
        dJointSetAMotorAxis(j, 2, 2, m->v[0], m->v[1], m->v[2]);
        for (int i = 0; i < 3; i++) motor(m->r, m->kind, j, dJointSetAMotorParam, i);
    } else {
        const int n = 1 + randomBelow(m->r, 3);
        dJointSetAMotorNumAxes(j, n);
        for (int i = 0; i < n; i++) {
            const dReal *axis = i == 0 ? m->u : i == 1 ? m->v : m->t;
            dJointSetAMotorAxis(j, i, randomBelow(m->r, m->b && m->a ? 3 : 2), axis[0], axis[1], axis[2]);
            dJointSetAMotorAngle(j, i, randomUniform(m->r, -0.5, 0.5));
            motor(m->r, m->kind, j, dJointSetAMotorParam, i);
        }
    }
    return j;
}

static dJointID makeLMotor(const Parts *m)
{
    const dJointID j = dJointCreateLMotor(m->w, 0);
    dJointAttach(j, m->a, m->b);
    dJointSetLMotorNumAxes(j, 2);
    dJointSetLMotorAxis(j, 0, randomBelow(m->r, 3), m->u[0], m->u[1], m->u[2]);
    dJointSetLMotorAxis(j, 1, randomBelow(m->r, 3), m->v[0], m->v[1], m->v[2]);
    motor(m->r, m->kind, j, dJointSetLMotorParam, 0);
    motor(m->r, m->kind, j, dJointSetLMotorParam, 1);
    return j;
}

static dJointID makeTransmission(const Parts *m)
{
    const dJointID j = dJointCreateTransmission(m->w, 0);
    dJointAttach(j, m->a, m->b);
    const dReal *p = dBodyGetPosition(m->a), *q = dBodyGetPosition(m->b);
    dJointSetTransmissionAnchor1(j, p[0] + 0.1 * m->x[0], p[1], p[2]);
    dJointSetTransmissionAnchor2(j, q[0], q[1] + 0.1 * m->x[1], q[2]);
    /* Chain drives start at phase 0, where rounding decides which way ODE takes the chain: not among random worlds.
     */
    const int mode = randomBelow(m->r, 2);
    if (mode == 0) {
        dJointSetTransmissionMode(j, dTransmissionParallelAxes);
        dJointSetTransmissionRatio(j, randomUniform(m->r, 0.5, 2));
        dJointSetTransmissionAxis(j, m->u[0], m->u[1], m->u[2]);
    } else {
        dJointSetTransmissionMode(j, dTransmissionIntersectingAxes);
        dJointSetTransmissionAxis1(j, m->u[0], m->u[1], m->u[2]);
        dJointSetTransmissionAxis2(j, m->t[0], m->t[1], m->t[2]);
    }
    if (m->kind->stops && chance(m->r, 0.5)) dJointSetTransmissionBacklash(j, randomUniform(m->r, 0, 0.02));
    return j;
}

static dJointID makeJoint(Random *r, const RandomWorldKind *kind, dWorldID w, int type, dBodyID a, dBodyID b)
{
    static dJointID (*const make[])(const Parts *) = {
        [dJointTypeBall] = makeBall,       [dJointTypeHinge] = makeHinge,
        [dJointTypeSlider] = makeSlider,   [dJointTypeUniversal] = makeUniversal,
        [dJointTypeHinge2] = makeHinge2,   [dJointTypeFixed] = makeFixed,
        [dJointTypeNull] = makeNull,       [dJointTypePR] = makePR,
        [dJointTypePU] = makePU,           [dJointTypePiston] = makePiston,
        [dJointTypeDBall] = makeDBall,     [dJointTypeDHinge] = makeDHinge,
        [dJointTypePlane2D] = makePlane2D, [dJointTypeAMotor] = makeAMotor,
        [dJointTypeLMotor] = makeLMotor,   [dJointTypeTransmission] = makeTransmission,
    };
    Parts m = {.r = r, .kind = kind, .w = w, .a = a, .b = b};
    for (int i = 0; i < 3; i++) m.x[i] = randomUniform(r, -1, 1);
    direction(r, m.u);
    do direction(r, m.t);
    while (fabs(dCalcVectorDot3(m.u, m.t)) > 0.9);
    dCalcVectorCross3(m.v, m.u, m.t);
    dNormalize3(m.v);
    return type < (int)(sizeof make / sizeof *make) && make[type] ? make[type](&m) : NULL;
}

static void makeContact(Random *r, const RandomWorldKind *kind, dWorldID w, dBodyID a, dBodyID b)
{
    dContact c;
    memset(&c, 0, sizeof c);
    direction(r, c.geom.normal);
    for (int i = 0; i < 3; i++) c.geom.pos[i] = randomUniform(r, -1, 1);
    c.geom.depth = randomUniform(r, -0.01, 0.05);
    int mode = 0;
    if (chance(r, 0.4)) mode |= dContactBounce;
    if (chance(r, 0.5)) mode |= dContactSoftERP;
    if (chance(r, 0.3)) mode |= dContactMotionN;
    mode |= dContactSoftCFM;
    c.surface.bounce = randomUniform(r, 0, 1);
    c.surface.bounce_vel = randomUniform(r, -0.2, 0.5);
    c.surface.soft_erp = randomUniform(r, 0, 1);
    c.surface.soft_cfm = cfmOf(r, kind);
    c.surface.motionN = randomUniform(r, -0.3, 0.3);
    if (kind->friction) {
        const int bits[] = {dContactMu2,       dContactFDir1,     dContactMotion1,   dContactMotion2,
                            dContactApprox1_1, dContactApprox1_2, dContactApprox1_N, dContactRolling};
        for (int i = 0; i < (int)(sizeof bits / sizeof *bits); i++)
            if (chance(r, 0.5)) mode |= bits[i];
        mode |= dContactSlip1 | dContactSlip2;
        c.surface.mu = chance(r, 0.1) && !kind->finite_mu ? dInfinity : randomUniform(r, 0, 1.5);
        c.surface.mu2 = chance(r, 0.1) ? 0 : randomUniform(r, 0, 1.5);
        c.surface.rho = randomUniform(r, 0.01, 0.3);
        c.surface.rho2 = randomUniform(r, 0.01, 0.3);
        c.surface.rhoN = randomUniform(r, 0.01, 0.3);
        c.surface.slip1 = cfmOf(r, kind);
        c.surface.slip2 = cfmOf(r, kind);
        c.surface.motion1 = randomUniform(r, -1, 1);
        c.surface.motion2 = randomUniform(r, -1, 1);
        dVector3 p, q;
        dPlaneSpace(c.geom.normal, p, q);
        const double angle = randomUniform(r, 0, 6);
        for (int i = 0; i < 3; i++) c.fdir1[i] = cos(angle) * p[i] + sin(angle) * q[i];
    }
    c.surface.mode = mode;
    dJointID j = dJointCreateContact(w, 0, &c);
    dJointAttach(j, a, b);
}

void randomWorldBuild(RandomWorld *w, uint64_t seed, const RandomWorldKind *kind)
{
    Random random = {seed * 0x9E3779B97F4A7C15u + 0x1234567u}, *r = &random;
    for (int i = 0; i < 8; i++) randomUniform(r, 0, 1);
    memset(w, 0, sizeof *w);
    w->world = dWorldCreate();
    dWorldSetGravity(w->world, randomUniform(r, -1, 1), randomUniform(r, -1, 1), -9.81);
    dWorldSetCFM(w->world, cfmOf(r, kind));
    dWorldSetERP(w->world, randomUniform(r, 0, 0.9));
    if (chance(r, 0.3)) dWorldSetContactMaxCorrectingVel(w->world, randomUniform(r, 0.1, 2));
    if (chance(r, 0.3)) dWorldSetContactSurfaceLayer(w->world, randomUniform(r, 0, 0.02));
    w->bodies = 2 + randomBelow(r, MaxWorldBodies - 1);
    for (int i = 0; i < w->bodies; i++) w->body[i] = makeBody(r, w->world);
    /* a forest, each dynamic body on an earlier one or on the world; sometimes a loop more, where CFM is large enough
     * for ODE's own solution to be well-conditioned, or where loops are asked for */
    const int loops = kind->loops ? 1 + randomBelow(r, 3) : dWorldGetCFM(w->world) > 1e-4 ? randomBelow(r, 3) : 0;
    for (int i = 0; kind->types && i < w->bodies + loops; i++) {
        int type;
        const int a = i < w->bodies ? i : 1 + randomBelow(r, w->bodies - 1), b = a > 0 ? randomBelow(r, a) : 1;
        do type = randomBelow(r, 18);
        while (!(kind->types >> type & 1));
        dBodyID first = w->body[a], second = w->body[b];
        if (type != dJointTypePlane2D && chance(r, 0.5)) first = w->body[b], second = w->body[a];
        if (i < w->bodies && (dBodyIsKinematic(w->body[a]) || (a == 0 && chance(r, 0.7)))) continue;
        const int both = type == dJointTypeHinge2 || type == dJointTypeTransmission;
        /* (0, b) throws bodies about in ODE for these: ukode does right there, and is no longer ODE's equal */
        const int reversible = type != dJointTypePR && type != dJointTypePU && type != dJointTypePiston;
        if (!both && (a == 0 || chance(r, 0.2))) {
            if (second == w->body[a]) first = second;
            second = NULL;
            if (reversible && chance(r, 0.5)) second = first, first = NULL;
        }
        dJointID j = makeJoint(r, kind, w->world, type, first, second);
        dJointSetFeedback(j, &w->feedback[w->joints]);
        w->joint[w->joints++] = j;
    }
    /* let the joints be off their constraints: move the bodies a little after the joints are made */
    for (int i = 0; i < w->bodies; i++) {
        const dReal *p = dBodyGetPosition(w->body[i]), *q = dBodyGetQuaternion(w->body[i]);
        dQuaternion moved;
        dBodySetPosition(w->body[i], p[0] + randomUniform(r, -0.1, 0.1), p[1] + randomUniform(r, -0.1, 0.1),
                         p[2] + randomUniform(r, -0.1, 0.1));
        for (int k = 0; k < 4; k++) moved[k] = q[k] + randomUniform(r, -0.1, 0.1);
        dNormalize4(moved);
        dBodySetQuaternion(w->body[i], moved);
    }
    w->contacts = kind->contacts ? 1 + randomBelow(r, kind->contacts) : 0;
    for (int i = 0; i < w->contacts; i++) {
        const int a = randomBelow(r, w->bodies), b = (a + 1 + randomBelow(r, w->bodies - 1)) % w->bodies;
        const int side = randomBelow(r, 4);
        makeContact(r, kind, w->world, side == 0 ? NULL : w->body[a], side == 1 ? NULL : w->body[b]);
    }
}

void randomWorldDestroy(RandomWorld *w)
{
    for (int i = 0; i < w->joints; i++) dJointDestroy(w->joint[i]);
    dWorldDestroy(w->world);
}

/* difference of two vectors against a scale kept as the largest entry seen */
typedef struct Spread {
    double difference, scale;
} Spread;

static void spread(Spread *s, const dReal *x, const dReal *y, int n)
{
    for (int i = 0; i < n; i++) {
        const double d = fabs(x[i] - y[i]), m = fmax(fabs(x[i]), fabs(y[i]));
        if (!isnan(s->difference) && !(d <= s->difference)) s->difference = d; /* a NaN stays */
        if (m > s->scale) s->scale = m;
    }
}

double randomWorldDifference(const RandomWorld *x, const RandomWorld *y, const char **what)
{
    static const char *const names[] = {"linear velocity", "angular velocity", "position",
                                        "orientation",     "feedback force",   "feedback torque"};
    Spread s[6] = {{0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}};
    for (int i = 0; i < x->bodies; i++) {
        spread(&s[0], dBodyGetLinearVel(x->body[i]), dBodyGetLinearVel(y->body[i]), 3);
        spread(&s[1], dBodyGetAngularVel(x->body[i]), dBodyGetAngularVel(y->body[i]), 3);
        spread(&s[2], dBodyGetPosition(x->body[i]), dBodyGetPosition(y->body[i]), 3);
        spread(&s[3], dBodyGetQuaternion(x->body[i]), dBodyGetQuaternion(y->body[i]), 4);
    }
    for (int i = 0; i < x->joints; i++) {
        const dJointFeedback *f = &x->feedback[i], *g = &y->feedback[i];
        spread(&s[4], f->f1, g->f1, 3);
        spread(&s[4], f->f2, g->f2, 3);
        spread(&s[5], f->t1, g->t1, 3);
        spread(&s[5], f->t2, g->t2, 3);
    }
    double worst = 0;
    *what = "nothing";
    for (int k = 0; k < 6; k++) {
        const double e = s[k].difference / s[k].scale;
        if (e <= worst) continue;
        worst = e;
        *what = names[k];
    }
    return worst;
}

double randomWorldPush(const RandomWorld *w)
{
    double most = 0;
    for (int i = 0; i < w->joints; i++) {
        const dJointFeedback *f = &w->feedback[i];
        for (int side = 0; side < 2; side++) {
            const bool alone = w->joint[i] && !dJointGetBody(w->joint[i], 0); /* f1 is its body's */
            const dBodyID b = w->joint[i] ? dJointGetBody(w->joint[i], alone ? 1 - side : side) : 0;
            const dReal *force = side ? f->f2 : f->f1, *torque = side ? f->t2 : f->t1;
            dMass m;
            if (!b || dBodyIsKinematic(b)) continue;
            dBodyGetMass(b, &m);
            const double least = fmin(fmin(m.I[0], m.I[5]), m.I[10]);
            for (int k = 0; k < 3; k++) most = fmax(most, fmax(fabs(force[k]) / m.mass, fabs(torque[k]) / least));
        }
    }
    return most;
}
