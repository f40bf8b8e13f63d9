/* SPDX-License-Identifier: BSD-3-Clause */
/* A world that the library gets to know in the middle of its motion (ukWorldAttach) moves on as one that it has known
 * from the start: every type of joint, all attachments, with stops that are reached afterwards, so that the zeros of
 * angles and positions are those of the joint and not of that moment. */
#include <math.h>
#include <string.h>

#include <ukode/ukode.h>

#include "bridge/ode/ode.h"
#include "tests/check.h"
#include "tests/support/joints_at_origin.h"

typedef struct Late {
    const char *name;
    JointMaker *make;
    int stops; /* axes with stops */
    void (*set)(dJointID, int, dReal);
} Late;

static const Late types[] = {
    {"ball", makeBallJoint, 0, NULL},
    {"hinge", makeHingeJoint, 1, dJointSetHingeParam},
    {"slider", makeSliderJoint, 1, dJointSetSliderParam},
    {"universal", makeUniversalJoint, 2, dJointSetUniversalParam},
    {"steering", makeSteeringJoint, 1, dJointSetHinge2Param},
    {"wheel", makeWheelJoint, 1, dJointSetHinge2Param},
    {"PR", makePRJoint, 2, dJointSetPRParam},
    {"PU", makePUJoint, 3, dJointSetPUParam},
    {"piston", makePistonJoint, 2, dJointSetPistonParam},
    {"fixed", makeFixedJoint, 0, NULL},
    {"DBall", makeDBallJoint, 0, NULL},
    {"DHinge", makeDHingeJoint, 0, NULL},
};

typedef struct Pair {
    dWorldID world;
    dBodyID body[2];
} Pair;

/* attachment 0: (body, world), 1: (world, body), 2: two bodies; seen: the library knows the world */
static Pair makePair(const Late *type, int attachment, bool seen)
{
    Pair p = {.world = seen ? dWorldCreate() : ukOde.dWorldCreate()};
    dWorldSetCFM(p.world, 0);
    p.body[0] = makeSphere(p.world, 2, 0.3);
    p.body[1] = attachment == 2 ? makeSphere(p.world, 3, 0.5) : NULL;
    const dBodyID first = attachment == 1 ? NULL : p.body[0], second = attachment == 1 ? p.body[0] : p.body[1];
    const dJointID joint = type->make(p.world, first, second);
    for (int axis = 0; axis < type->stops; axis++) {
        type->set(joint, dParamLoStop + axis * dParamGroup, -0.35);
        type->set(joint, dParamHiStop + axis * dParamGroup, 0.4);
    }
    return p;
}

static void useRk4(dWorldID w)
{
    CHECK(ukWorldSetIntegrator(w, ukIntegratorRK4) == 0);
}

static void steps(const Pair *p, int count)
{
    for (int i = 0; i < count; i++)
        if (!CHECK(ukWorldStep(p->world, 0.01) == 1)) printf("%s\n", ukGetLastErrorMessage());
}

static double difference(const Pair *p, const Pair *q)
{
    double most = 0;
    for (int k = 0; k < 2 && p->body[k]; k++)
        for (int i = 0; i < 3; i++) {
            most = fmax(most, fabs(dBodyGetPosition(p->body[k])[i] - dBodyGetPosition(q->body[k])[i]));
            most = fmax(most, fabs(dBodyGetLinearVel(p->body[k])[i] - dBodyGetLinearVel(q->body[k])[i]));
            most = fmax(most, fabs(dBodyGetAngularVel(p->body[k])[i] - dBodyGetAngularVel(q->body[k])[i]));
            for (int c = 0; c < 3; c++)
                most =
                    fmax(most, fabs(dBodyGetRotation(p->body[k])[4 * i + c] - dBodyGetRotation(q->body[k])[4 * i + c]));
        }
    return most;
}

static void late(const Late *type, int attachment, int sign)
{
    Pair known = makePair(type, attachment, true), other = makePair(type, attachment, false);
    useRk4(known.world);
    dBodySetLinearVel(known.body[0], 0, 0, sign * 0.7);
    dBodySetAngularVel(known.body[0], sign * 0.9, sign * 0.8, sign * 1.1);
    steps(&known, 25);
    for (int k = 0; k < 2 && known.body[k]; k++) {
        const dReal *const x = dBodyGetPosition(known.body[k]), *const v = dBodyGetLinearVel(known.body[k]);
        const dReal *const w = dBodyGetAngularVel(known.body[k]);
        dBodySetPosition(other.body[k], x[0], x[1], x[2]);
        dBodySetQuaternion(other.body[k], dBodyGetQuaternion(known.body[k]));
        dBodySetLinearVel(other.body[k], v[0], v[1], v[2]);
        dBodySetAngularVel(other.body[k], w[0], w[1], w[2]);
    }
    CHECK(ukWorldAttach(other.world, other.body, attachment == 2 ? 2 : 1) == 0);
    useRk4(other.world);
    const dReal *const w = dBodyGetAngularVel(known.body[0]), *const v = dBodyGetLinearVel(known.body[0]);
    const double before = dCalcVectorDot3(w, w) + dCalcVectorDot3(v, v);
    steps(&known, 40), steps(&other, 40);
    const double after = dCalcVectorDot3(w, w) + dCalcVectorDot3(v, v), off = difference(&known, &other);
    if (!CHECK_NEAR(off, 0, 1e-9)) printf("%s, attachment %d, sign %d: %g\n", type->name, attachment, sign, off);
    if (type->stops > 0 && !CHECK(after < 0.9 * before)) printf("%s %d: no stop\n", type->name, attachment);
    dWorldDestroy(known.world);
    dWorldDestroy(other.world);
}

int main(void)
{
    dInitODE2(0);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        for (int attachment = types[i].set == dJointSetHinge2Param ? 2 : 0; attachment < 3;
             attachment++) /* of two bodies */
            for (int sign = -1; sign <= 1; sign += 2) late(&types[i], attachment, sign);
    dCloseODE();
    return ukTestEnd();
}
