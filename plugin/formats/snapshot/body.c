/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/snapshot/body.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "bridge/ode/single_body.h"
#include "bridge/ode/ode.h"
#include "bridge/world/frame.h"
#include "bridge/world/sleep.h"
#include "solvers/base/status.h"

/* A body's data in ODE. */
typedef struct Body {
    double position[3], quaternion[4], rotation[9], velocity[6], force[6];
    double mass, inertia[9]; /* body frame */
    double finite_axis[3], damping[2], damping_threshold[2], most_spin, idle_threshold[2], idle_time;
    int idle_steps, samples;
    bool kinematic, awake, falls, gyroscopic, finite_rotation, auto_disable, massless;
} Body;

static Body bodyBodyOf(const ukBody *body)
{
    const dBodyID b = body->handle;
    Body s = {.most_spin = dBodyGetMaxAngularSpeed(b),
              .damping = {dBodyGetLinearDamping(b), dBodyGetAngularDamping(b)},
              .damping_threshold = {dBodyGetLinearDampingThreshold(b), dBodyGetAngularDampingThreshold(b)},
              .idle_threshold = {dBodyGetAutoDisableLinearThreshold(b), dBodyGetAutoDisableAngularThreshold(b)},
              .idle_time = dBodyGetAutoDisableTime(b),
              .idle_steps = dBodyGetAutoDisableSteps(b),
              .samples = dBodyGetAutoDisableAverageSamplesCount(b),
              .kinematic = dBodyIsKinematic(b) != 0,
              .awake = dBodyIsEnabled(b) != 0,
              .falls = dBodyGetGravityMode(b) != 0,
              .gyroscopic = dBodyGetGyroscopicMode(b) != 0,
              .finite_rotation = dBodyGetFiniteRotationMode(b) != 0,
              .auto_disable = dBodyGetAutoDisableFlag(b) != 0,
              .massless = body->massless};
    dMass mass;
    dVector3 axis;
    dBodyGetMass(b, &mass);
    dBodyGetFiniteRotationAxis(b, axis);
    s.mass = mass.mass;
    for (int i = 0; i < 3; i++) {
        s.position[i] = body->position[i];
        s.velocity[i] = body->linear[i], s.velocity[3 + i] = body->angular[i];
        s.force[i] = body->force[i], s.force[3 + i] = body->torque[i];
        s.finite_axis[i] = axis[i];
        for (int k = 0; k < 3; k++) {
            s.rotation[3 * i + k] = body->rotation[4 * i + k];
            s.inertia[3 * i + k] = mass.I[4 * i + k];
        }
    }
    for (int i = 0; i < 4; i++) s.quaternion[i] = body->quaternion[i];
    return s;
}

static void bodyFields(ukTape *t, Body *s)
{
    ukTapeFinite(t, s->position, 3, "a position");
    ukTapeFinite(t, s->quaternion, 4, "an orientation");
    ukTapeFinite(t, s->rotation, 9, "an orientation");
    ukTapeReals(t, s->velocity, 6);
    ukTapeReals(t, s->force, 6);
    ukTapeFinite(t, &s->mass, 1, "a mass");
    ukTapeFinite(t, s->inertia, 9, "an inertia");
    ukTapeFinite(t, s->finite_axis, 3, "an axis of finite rotation");
    ukTapeReals(t, s->damping, 2);
    ukTapeReals(t, s->damping_threshold, 2);
    ukTapeReals(t, &s->most_spin, 1);
    ukTapeReals(t, s->idle_threshold, 2);
    ukTapeReals(t, &s->idle_time, 1);
    ukTapeInt(t, &s->idle_steps, INT_MIN, INT_MAX, "a count of idle steps");
    ukTapeInt(t, &s->samples, 0, 1 << 20, "a count of samples");
    bool *const flag[] = {&s->kinematic,       &s->awake,        &s->falls,   &s->gyroscopic,
                          &s->finite_rotation, &s->auto_disable, &s->massless};
    for (size_t i = 0; i < sizeof flag / sizeof *flag; i++) ukTapeBool(t, flag[i]);
}

/* Largest difference of a rotation matrix from that of its quaternion, which a program may set separately, at which
 * they count as one orientation. */
static const double same_turn = 1e-9;

static bool isOriented(const Body *s)
{
    const double *q = s->quaternion;
    ukState turned;
    memcpy(turned.q, q, sizeof turned.q);
    const double norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (!(norm > 0.5 && norm < 2)) return false;
    ukStateOrient(&turned);
    for (int i = 0; i < 9; i++)
        if (!(fabs(turned.R[i] - s->rotation[i]) <= same_turn)) return false;
    return true;
}

/* Refuses numbers on which ODE would abort: it inverts mass and inertia. */
static void checkBody(ukTape *t, const Body *s, const Body *now)
{
    const double *I = s->inertia;
    const double squared[] = {s->damping_threshold[0], s->damping_threshold[1], s->idle_threshold[0],
                              s->idle_threshold[1]};
    for (int k = 0; k < 4; k++)
        if (sqrt(squared[k] * squared[k]) != squared[k] && !isnan(squared[k]))
            ukTapeRefuse(t, ukErrorArgument, "a threshold of %g, whose square ODE stores", squared[k]);
    const double *const n = s->finite_axis, length = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    if ((n[0] != 0 || n[1] != 0 || n[2] != 0) && !(fabs(length - 1) <= same_turn))
        ukTapeRefuse(t, ukErrorArgument, "an axis of finite rotation is not of unit length");
    if (!isOriented(s)) ukTapeRefuse(t, ukErrorArgument, "a quaternion or a rotation matrix is invalid");
    if (s->mass == now->mass && memcmp(s->inertia, now->inertia, sizeof s->inertia) == 0) return;
    const double a = I[4] * I[8] - I[5] * I[7], b = I[3] * I[8] - I[5] * I[6], c = I[3] * I[7] - I[4] * I[6];
    const bool positive = s->mass > 0 && I[0] > 0 && I[4] > 0 && I[8] > 0 && I[0] * I[4] - I[1] * I[3] > DBL_MIN &&
                          I[0] * a - I[1] * b + I[2] * c > DBL_MIN;
    const bool symmetric = I[1] == I[3] && I[2] == I[6] && I[5] == I[7];
    if (!positive || !symmetric) ukTapeRefuse(t, ukErrorMass, "a mass or an inertia is not positive definite");
}

/* ---- back to ODE ------------------------------------------------------------------------------------------------- */

/* setters that do more than they say, or round, are called only where they change something */

static void setMass(dBodyID b, const Body *s, const Body *now)
{
    dMass mass;
    const bool same = s->mass == now->mass && memcmp(s->inertia, now->inertia, sizeof s->inertia) == 0;
    if (!same || (now->kinematic && !s->kinematic)) {
        dBodyGetMass(b, &mass);
        mass.mass = s->mass;
        for (int i = 0; i < 9; i++) mass.I[4 * (i / 3) + i % 3] = s->inertia[i];
        ukOde.dBodySetMass(b, &mass);
    }
    if (s->kinematic && !dBodyIsKinematic(b)) ukOde.dBodySetKinematic(b);
}

static bool axisIs(dBodyID b, const double axis[3])
{
    dVector3 now;
    dBodyGetFiniteRotationAxis(b, now);
    return now[0] == axis[0] && now[1] == axis[1] && now[2] == axis[2];
}

/* ODE takes the axis to unit length, which a unit vector may come out of with other last digits: its neighbours are
 * tried */
static void setFiniteAxis(dBodyID b, const double axis[3])
{
    if (axisIs(b, axis)) return;
    dBodySetFiniteRotationAxis(b, axis[0], axis[1], axis[2]);
    for (int k = 0; k < 125 && !axisIs(b, axis); k++) {
        const int step[3] = {k % 5 - 2, k / 5 % 5 - 2, k / 25 - 2};
        double near[3];
        for (int i = 0; i < 3; i++) near[i] = axis[i] * (1 + step[i] * 0.5 * DBL_EPSILON);
        dBodySetFiniteRotationAxis(b, near[0], near[1], near[2]);
    }
    if (!axisIs(b, axis)) dBodySetFiniteRotationAxis(b, axis[0], axis[1], axis[2]);
}

static void setSleep(dBodyID b, const Body *s, const Body *now)
{
    if (s->auto_disable != now->auto_disable) ukOde.dBodySetAutoDisableFlag(b, s->auto_disable);
    if (s->samples != dBodyGetAutoDisableAverageSamplesCount(b))
        ukOde.dBodySetAutoDisableAverageSamplesCount(b, (unsigned)s->samples);
    dBodySetAutoDisableLinearThreshold(b, s->idle_threshold[0]);
    dBodySetAutoDisableAngularThreshold(b, s->idle_threshold[1]);
    dBodySetAutoDisableSteps(b, s->idle_steps);
    dBodySetAutoDisableTime(b, s->idle_time);
    if (s->awake != (dBodyIsEnabled(b) != 0)) (s->awake ? ukOde.dBodyEnable : ukOde.dBodyDisable)(b);
}

static void setState(const ukBody *body, const Body *s)
{
    const dBodyID b = body->handle;
    /* ODE's setters of orientations would normalise once more, and change last digits. The setter of the position
     * notifies the body's geoms as well. */
    dReal *const q = (dReal *)body->quaternion, *const R = (dReal *)body->rotation;
    for (int i = 0; i < 4; i++) q[i] = s->quaternion[i];
    for (int i = 0; i < 9; i++) R[4 * (i / 3) + i % 3] = s->rotation[i];
    if (ukOdeSingle) ukSingleTurn(b);
    dBodySetPosition(b, s->position[0], s->position[1], s->position[2]);
    dBodySetLinearVel(b, s->velocity[0], s->velocity[1], s->velocity[2]);
    dBodySetAngularVel(b, s->velocity[3], s->velocity[4], s->velocity[5]);
    dBodySetForce(b, s->force[0], s->force[1], s->force[2]);
    dBodySetTorque(b, s->force[3], s->force[4], s->force[5]);
}

static void applyBody(ukBody *body, const Body *s, const Body *now)
{
    const dBodyID b = body->handle;
    ukFrameDeclareMassless(body, s->massless);
    setMass(b, s, now);
    dBodySetGravityMode(b, s->falls);
    dBodySetGyroscopicMode(b, s->gyroscopic);
    setFiniteAxis(b, s->finite_axis);
    dBodySetFiniteRotationMode(b, s->finite_rotation);
    dBodySetLinearDamping(b, s->damping[0]);
    dBodySetAngularDamping(b, s->damping[1]);
    dBodySetLinearDampingThreshold(b, s->damping_threshold[0]);
    dBodySetAngularDampingThreshold(b, s->damping_threshold[1]);
    dBodySetMaxAngularSpeed(b, s->most_spin);
    setSleep(b, s, now);
    setState(body, s);
}

/* ---- countdowns and samples -------------------------------------------------------------------------------------- */

/* Transfers the data of automatic disabling. averaged: number of velocities that are averaged, according to the
 * tape. */
static void transferSleep(ukTape *t, ukBody *body, int averaged)
{
    int steps = body->sleep.steps_left, counter = (int)body->sleep.counter;
    double left = body->sleep.time_left;
    bool ready = body->sleep.ready;
    const int samples = dBodyGetAutoDisableAverageSamplesCount(body->handle);
    unsigned int filled = ready && samples > 0 ? (unsigned)samples : body->sleep.counter;
    if (filled > body->sleep.capacity) filled = body->sleep.capacity;
    ukTapeInt(t, &steps, INT_MIN, INT_MAX, "a countdown");
    ukTapeReals(t, &left, 1);
    ukTapeInt(t, &counter, 0, 1 << 20, "a count of samples");
    ukTapeBool(t, &ready);
    const size_t count = ukTapeCount(t, filled, 6, "samples");
    if (ukTapeReads(t) && !ukSleepReserve(body, (unsigned)count)) ukTapeRefuse(t, ukErrorMemory, "no memory");
    const bool whole = ready && averaged > 0 ? count == (size_t)averaged : count == (size_t)counter;
    if (t->mode == ukTapeCheck && (!whole || (size_t)counter > count))
        ukTapeRefuse(t, ukErrorArgument, "samples are missing");
    for (size_t i = 0; i < count && t->status == ukOk; i++) ukTapeArray(t, body->sleep.buffer[i], 6);
    if (t->mode != ukTapeRead) return;
    body->sleep.steps_left = steps;
    body->sleep.time_left = left;
    body->sleep.counter = (unsigned)counter;
    body->sleep.ready = ready;
    body->sleep.before.sampled = false;
}

/* Transfers the form of the step that has set the body's velocity last (ukLeft); if that was not the world's last step,
 * the continuous form. */
static void keepLeft(ukTape *t, ukBody *body)
{
    const uint64_t steps = body->world->steps;
    int left = body->substep.left_step == steps ? body->substep.left : ukLeftContinuous;
    ukTapeInt(t, &left, ukLeftContinuous, ukLeftDamped, "the form of a body's last step");
    if (t->mode != ukTapeRead) return;
    body->substep.left = left;
    body->substep.left_step = steps;
}

void ukKeepBody(ukTape *t, ukBody *body)
{
    const Body now = bodyBodyOf(body);
    Body s = now;
    bodyFields(t, &s);
    if (t->mode == ukTapeCheck) checkBody(t, &s, &now);
    if (t->mode == ukTapeRead) applyBody(body, &s, &now);
    transferSleep(t, body, s.samples);
    ukTapeArray(t, &body->substep.h, 1);
    ukTapeArray(t, &body->substep.stiff, 1);
    keepLeft(t, body);
    if (t->mode == ukTapeRead) body->substep.step = 0; /* of no step */
}

void ukKeepBodyDigest(ukDigest *digest, const ukBody *body)
{
    const double awake = dBodyIsEnabled(body->handle);
    ukDigest sum = *digest; /* a copy in registers: in memory, each addition would wait for the previous store */
    ukDigestThree(&sum, body->position);
    ukDigestThree(&sum, body->quaternion);
    ukDigestReal(&sum, 3, body->quaternion[3]);
    ukDigestThree(&sum, body->linear);
    ukDigestThree(&sum, body->angular);
    ukDigestThree(&sum, body->force);
    ukDigestThree(&sum, body->torque);
    ukDigestReal(&sum, 0, awake);
    *digest = sum;
}
