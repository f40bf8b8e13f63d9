/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/parity/joint_world.c: the world of joint_oracle.h: bodies, attachments, random motion and parameters. */
#include <math.h>
#include <string.h>

#include "bridge/base/vector.h"
#include "bridge/joints/class.h"
#include "tests/parity/joint_oracle.h"
#include "tests/parity/precision.h"

static double any(Oracle *o, double size)
{
    return randomUniform(&o->random, -size, size);
}

static bool chance(Oracle *o, double p)
{
    return randomUniform(&o->random, 0, 1) < p;
}

static double logUniform(Oracle *o, double lo, double hi)
{
    return exp(randomUniform(&o->random, log(lo), log(hi)));
}

void oracleAnyPoint(Oracle *o, double point[3])
{
    for (int i = 0; i < 3; i++) point[i] = any(o, 1.5);
}

void oracleAnyAxis(Oracle *o, double axis[3], bool unit)
{
    do {
        for (int i = 0; i < 3; i++) axis[i] = any(o, 1);
    } while (ukDot(axis, axis) < 0.05);
    if (unit) ukNormalize(axis);
}

static void motionOf(Oracle *o, dBodyID body)
{
    dBodySetLinearVel(body, any(o, 2), any(o, 2), any(o, 2));
    dBodySetAngularVel(body, any(o, 2), any(o, 2), any(o, 2));
    dBodySetForce(body, any(o, 5), any(o, 5), any(o, 5));
    dBodySetTorque(body, any(o, 5), any(o, 5), any(o, 5));
}

void oracleMove(Oracle *o, double motion)
{
    for (int k = 0; k < 2; k++) {
        const dReal *x = dBodyGetPosition(o->body[k]), *now = dBodyGetQuaternion(o->body[k]);
        const double q[4] = {now[0], now[1], now[2], now[3]};
        double turn[4] = {1, any(o, motion), any(o, motion), any(o, motion)}, turned[4];
        ukQuaternionMultiply(turn, q, turned);
        dBodySetPosition(o->body[k], x[0] + any(o, motion), x[1] + any(o, motion), x[2] + any(o, motion));
        dQuaternion next = {turned[0], turned[1], turned[2], turned[3]};
        dBodySetQuaternion(o->body[k], next);
        motionOf(o, o->body[k]);
    }
}

static void anyMass(Oracle *o, dBodyID body)
{
    dMass mass;
    dMatrix3 R;
    dQuaternion q = {any(o, 1) + 2, any(o, 1), any(o, 1), any(o, 1)};
    dNormalize4(q);
    dQtoR(q, R);
    dMassSetBoxTotal(&mass, randomUniform(&o->random, 0.5, 3), randomUniform(&o->random, 0.5, 2),
                     randomUniform(&o->random, 0.5, 2), randomUniform(&o->random, 0.5, 2));
    dMassRotate(&mass, R);
    dBodySetMass(body, &mass);
}

void oracleBegin(Oracle *o, uint64_t seed, const ukJointClass *class, dJointID (*make)(dWorldID, dJointGroupID))
{
    static const double steps[] = {0.001, 0.01, 0.05};
    memset(o, 0, sizeof *o);
    o->random.state = seed * 0x9E3779B97F4A7C15u + 1;
    for (int i = 0; i < 8; i++) any(o, 1);
    o->h = steps[randomBelow(&o->random, 3)];
    const dWorldID world = dWorldCreate();
    dWorldSetCFM(world, logUniform(o, PARITY_LEAST_CFM, 1e-2));
    dWorldSetERP(world, randomUniform(&o->random, 0.1, 0.9));
    o->world.handle = world;
    const int kinematic = randomBelow(&o->random, 6); /* 0, 1: that body; else none */
    for (int k = 0; k < 2; k++) {
        const dBodyID body = o->body[k] = dBodyCreate(world);
        anyMass(o, body);
        dBodySetGyroscopicMode(body, 0);
        if (k == kinematic) dBodySetKinematic(body);
    }
    oracleMove(o, 1.5);
    o->joint = make(world, 0);
    dJointSetFeedback(o->joint, &o->feedback);
    oracleRecords(o, class);
}

void oracleEnd(Oracle *o)
{
    dWorldDestroy(o->world.handle);
}

void oracleAttach(Oracle *o, OracleAttachment how)
{
    static const int order[OracleAttachments][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 1}};
    /* a kinematic body alone would make no island */
    if (how == OracleFirst && dBodyIsKinematic(o->body[0])) how = OracleBoth;
    if (how == OracleSecond && dBodyIsKinematic(o->body[1])) how = OracleBoth;
    const int *k = order[how];
    dJointAttach(o->joint, k[0] < 0 ? 0 : o->body[k[0]], k[1] < 0 ? 0 : o->body[k[1]]);
    ukJoint *joint = &o->row_maker;
    joint->reverse = k[0] < 0;
    joint->body[0] = &o->record[joint->reverse ? k[1] : k[0]];
    joint->body[1] = joint->reverse || k[1] < 0 ? NULL : &o->record[k[1]];
    oracleNote(o, ukNoteAttach, 0, 0, NULL);
}

static void set(Oracle *o, void (*set_param)(dJointID, int, dReal), int parameter, double value)
{
    const double x[6] = {value};
    set_param(o->joint, parameter, value);
    oracleNote(o, ukNoteParam, parameter, 0, x);
}

void oracleMotor(Oracle *o, void (*set_param)(dJointID, int, dReal), int base, int stops, bool rotational)
{
    const double size = rotational ? 2.5 : 1.5, lo = any(o, size);
    bool finite = true;
    set(o, set_param, base + dParamFMax, 0);
    set(o, set_param, base + dParamLoStop, -dInfinity);
    set(o, set_param, base + dParamHiStop, dInfinity);
    switch (stops ? randomBelow(&o->random, 6) : 0) {
    case 0: finite = false; break;
    case 1: /* one side */ set(o, set_param, base + (chance(o, 0.5) ? dParamLoStop : dParamHiStop), lo); break;
    case 2: /* held at one value */
        set(o, set_param, base + dParamLoStop, lo);
        set(o, set_param, base + dParamHiStop, lo);
        break;
    case 3: /* the wrong way round, or beyond half a turn: not tested */
        set(o, set_param, base + dParamLoStop, rotational && lo > 0 ? -4 : lo);
        set(o, set_param, base + dParamHiStop, rotational && lo > 0 ? 4 : lo - 0.1);
        break;
    default:
        set(o, set_param, base + dParamLoStop, lo);
        /* within half a turn: beyond it ODE's stops meet angles that jump (docs/ode-differences.md) */
        set(o, set_param, base + dParamHiStop, fmin(lo + randomUniform(&o->random, 0.1, 2), rotational ? 3.14 : 4.5));
        break;
    }
    set(o, set_param, base + dParamStopERP, randomUniform(&o->random, 0.1, 0.9));
    set(o, set_param, base + dParamStopCFM, logUniform(o, PARITY_LEAST_CFM, 1e-2));
    set(o, set_param, base + dParamCFM, logUniform(o, PARITY_LEAST_CFM, 1e-2));
    set(o, set_param, base + dParamFudgeFactor, any(o, 1));
    if (chance(o, 0.5)) set(o, set_param, base + dParamBounce, randomUniform(&o->random, 0, 1));
    if (chance(o, 0.7)) set(o, set_param, base + dParamVel, any(o, 3));
    /* an infinite motor at a stop makes ODE abort */
    if (chance(o, 0.6))
        set(o, set_param, base + dParamFMax, !finite && chance(o, 0.3) ? dInfinity : randomUniform(&o->random, -5, 50));
}
