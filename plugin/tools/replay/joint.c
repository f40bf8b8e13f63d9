/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/replay/joint.c: events of joints: created, attached, set, destroyed. */
#include <string.h>

#include "bridge/ode/setter.h"
#include "plugin/tools/replay/events.h"

void ukBuildWorldRule(ukBuild *b, ukByteReader *r)
{
    double rule[2];
    ukReadDoubles(r, rule, 2);
    dWorldSetERP(b->world->handle, rule[0]);
    dWorldSetCFM(b->world->handle, rule[1]);
}

static dJointID createJoint(dWorldID world, int type)
{
    switch (type) {
#define CREATE(function, number)                                                                                       \
    case number: return function(world, NULL);
        UKODE_JOINT_CREATORS(CREATE)
#undef CREATE
    default: return NULL;
    }
}

void ukBuildJoint(ukBuild *b, ukByteReader *r)
{
    const int type = ukReadInt(r, dJointTypeTransmission);
    const uint64_t number = ukBuildSerial(b, r, &b->last_joint, "joint");
    if (r->bad || number == 0) return;
    b->world->joints = number - 1;
    ukBuildPut(b, &b->joints, number, ukRegistryJoint(createJoint(b->world->handle, type)));
}

void ukBuildContact(ukBuild *b, ukByteReader *r)
{
    dContact contact = {.surface = {.mode = 0}};
    double x[10];
    const uint64_t number = ukBuildSerial(b, r, &b->last_contact, "contact");
    contact.geom.g1 = ukGeomNumbered(ukReadNumber(r));
    contact.geom.g2 = ukGeomNumbered(ukReadNumber(r));
    const int surface = ukReadInt(r, INT32_MAX);
    ukReadDoubles(r, x, 10);
    if (!r->bad && surface >= b->surfaces) ukBuildRefuse(b, "there is no surface %d of contacts", surface);
    if (r->bad || b->failed || number == 0) return;
    const ukSurface *s = &b->surface[surface];
    contact.surface = (dSurfaceParameters){.mode = (int)s->mode,
                                           .mu = s->mu,
                                           .mu2 = s->mu2,
                                           .bounce = s->bounce,
                                           .bounce_vel = s->bounce_vel,
                                           .soft_erp = s->soft_erp,
                                           .soft_cfm = s->soft_cfm,
                                           .motion1 = s->motion1,
                                           .motion2 = s->motion2,
                                           .motionN = s->motionN,
                                           .slip1 = s->slip1,
                                           .slip2 = s->slip2};
    ukSurfaceSetRolling(&contact.surface, (const double[3]){s->rho, s->rho2, s->rhoN});
    memcpy(contact.geom.pos, x, 3 * sizeof *x);
    memcpy(contact.geom.normal, x + 3, 3 * sizeof *x);
    contact.geom.depth = x[6];
    memcpy(contact.fdir1, x + 7, 3 * sizeof *x);
    b->world->contacts = number - 1;
    ukBuildPut(b, &b->contacts, number, ukRegistryJoint(dJointCreateContact(b->world->handle, NULL, &contact)));
}

void ukBuildJointGone(ukBuild *b, ukByteReader *r)
{
    const void *name;
    const ukJoint *joint = ukBuildReadJoint(b, r, &name);
    if (!joint || r->bad) return;
    const bool contact = ukIsContact(joint);
    const uint64_t number = joint->serial;
    ukMapRemove(contact ? &b->contacts : &b->joints, name);
    dJointDestroy(joint->handle);
    if (contact) ukBuildContactLawGone(b, number);
}

void ukBuildAttach(ukBuild *b, ukByteReader *r)
{
    const void *name;
    const ukJoint *joint = ukBuildReadJoint(b, r, &name);
    ukBody *body[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        const uint64_t number = ukReadNumber(r);
        if (number != 0) body[i] = ukBuildFound(b, &b->bodies, number);
    }
    if (!joint || b->failed || r->bad) return;
    if (body[0] && body[0] == body[1]) ukBuildRefuse(b, "a joint is attached to one body twice");
    if (b->failed) return;
    ukBody *const inner[2] = {body[0] ? body[0] : body[1], body[0] ? body[1] : NULL};
    for (int i = 0; i < 2 && !ukIsContact(joint); i++) ukBuildReadPose(b, r, inner[i]);
    if (!r->bad) dJointAttach(joint->handle, body[0] ? body[0]->handle : NULL, body[1] ? body[1]->handle : NULL);
}

void ukBuildSwitch(ukBuild *b, ukByteReader *r)
{
    const void *name;
    const ukJoint *joint = ukBuildReadJoint(b, r, &name);
    const bool on = ukReadInt(r, 1);
    if (joint) (on ? dJointEnable : dJointDisable)(joint->handle);
}

void ukBuildSetter(ukBuild *b, ukByteReader *r)
{
    const int number = ukReadInt(r, 255);
    const size_t length = (size_t)ukReadNumber(r);
    if (r->bad || length > (size_t)(r->end - r->at)) {
        r->bad = true;
        return;
    }
    b->setter[number] = (int)ukSetterOf((const char *)r->at, length);
    r->at += length;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static void callSetter(int setter, dJointID j, int i, int rel, const double x[6])
{
    switch (setter) {
#define VECTOR(function, ...)                                                                                          \
    case ukSetter_##function: function(j, x[0], x[1], x[2]); break;
        UKODE_SETTERS_VECTOR(VECTOR)
        UKODE_SETTERS_FORK(VECTOR)
#define DELTA(function, ...)                                                                                           \
    case ukSetter_##function: function(j, x[0], x[1], x[2], x[3], x[4], x[5]); break;
        UKODE_SETTERS_VECTOR_DELTA(DELTA)
#define PARAM(function, ...)                                                                                           \
    case ukSetter_##function: function(j, i, x[0]); break;
        UKODE_SETTERS_PARAM(PARAM)
#define NUMBER(function, ...)                                                                                          \
    case ukSetter_##function: function(j, x[0]); break;
        UKODE_SETTERS_REAL(NUMBER)
#define INT(function, ...)                                                                                             \
    case ukSetter_##function: function(j, i); break;
        UKODE_SETTERS_INT(INT)
#define MOTOR_AXIS(function, ...)                                                                                      \
    case ukSetter_##function: function(j, i, rel, x[0], x[1], x[2]); break;
        UKODE_SETTERS_MOTOR_AXIS(MOTOR_AXIS)
    case ukSetter_dJointSetFixed: dJointSetFixed(j); break;
    case ukSetter_dJointSetAMotorAngle: dJointSetAMotorAngle(j, i, x[0]); break;
    case ukSetter_dJointSetHingeAxisOffset: dJointSetHingeAxisOffset(j, x[0], x[1], x[2], x[3]); break;
    case ukSetter_dJointSetUniversalAxis1Offset: dJointSetUniversalAxis1Offset(j, x[0], x[1], x[2], x[3], x[4]); break;
    case ukSetter_dJointSetUniversalAxis2Offset: dJointSetUniversalAxis2Offset(j, x[0], x[1], x[2], x[3], x[4]); break;
    case ukSetter_dJointSetHinge2Axes: dJointSetHinge2Axes(j, i & 1 ? x : NULL, i & 2 ? x + 3 : NULL); break;
    default: break;
    }
}
#pragma GCC diagnostic pop

/* Whether a setter can be called: ODE rotates the axis of a motor with the body to which it is relative, and does not
 * check whether there is one. */
static bool mayBeSet(ukBuild *b, const ukJoint *joint, int setter, int i, int rel)
{
    const bool axis = setter == ukSetter_dJointSetAMotorAxis || setter == ukSetter_dJointSetLMotorAxis;
    const bool there = i >= 0 && i < 3 && rel >= 0 && rel <= 2 && (rel == 0 || joint->body[0]);
    if (axis && !there) ukBuildRefuse(b, "axis %d of a motor is relative to body %d, which it does not have", i, rel);
    return !axis || there;
}

void ukBuildSet(ukBuild *b, ukByteReader *r)
{
    const void *name;
    double x[6];
    const int setter = b->setter[ukReadInt(r, 255)];
    const ukJoint *joint = ukBuildReadJoint(b, r, &name);
    const int i = (int)(uint32_t)ukReadNumber(r), rel = (int)(uint32_t)ukReadNumber(r);
    ukReadDoubles(r, x, 6);
    const bool placed = ukReadInt(r, 1);
    for (int k = 0; k < 2 && placed && joint; k++) ukBuildReadPose(b, r, joint->body[k]);
    if (joint && !r->bad && mayBeSet(b, joint, setter, i, rel)) callSetter(setter, joint->handle, i, rel, x);
}
