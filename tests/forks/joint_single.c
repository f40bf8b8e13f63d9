/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/forks/joint_single.c: stands for tests/parity/joint_oracle.c in single precision, where the library has the
 * records. oracleStep compares a step of ukode with one of ODE from the same state. Where these differ by more than
 * PARITY_AGREES, ODE's own step must change as much by a change of the state near rounding; that may happen in
 * PARITY_ILL of the steps. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/ukode.h>

#include "bridge/joints/class.h"
#include "bridge/joints/contact.h"
#include "tests/check.h"
#include "tests/parity/joint_oracle.h"
#include "tests/parity/precision.h"

#define CLASS(variable, joint_type) const ukJointClass variable = {.name = #joint_type, .type = dJointType##joint_type}
CLASS(ukBallClass, Ball);
CLASS(ukHingeClass, Hinge);
CLASS(ukSliderClass, Slider);
CLASS(ukContactClass, Contact);
CLASS(ukUniversalClass, Universal);
CLASS(ukHinge2Class, Hinge2);
CLASS(ukFixedClass, Fixed);
CLASS(ukAMotorClass, AMotor);
CLASS(ukLMotorClass, LMotor);
CLASS(ukPlane2DClass, Plane2D);
CLASS(ukPRClass, PR);
CLASS(ukPUClass, PU);
CLASS(ukPistonClass, Piston);
CLASS(ukDBallClass, DBall);
CLASS(ukDHingeClass, DHinge);
CLASS(ukTransmissionClass, Transmission);

void oracleRecords(Oracle *o, const ukJointClass *class)
{
    for (int k = 0; k < 2; k++) o->record[k] = (ukBody){.handle = o->body[k]};
    o->row_maker = (ukJoint){.handle = o->joint, .class = class};
}

/* The library is called by the setters themselves. What the tests read is kept. */
void oracleNote(Oracle *o, ukNoteKind kind, int i, int rel, const double x[6])
{
    ukJoint *joint = &o->row_maker;
    const bool axes = joint->class->type == dJointTypeAMotor || joint->class->type == dJointTypeLMotor;
    (void)x;
    if (axes && kind == ukNoteAxis) joint->of.axes.rel[i] = rel;
    if (axes && kind == ukNoteMode) joint->of.axes.mode = i;
    if (joint->class->type == dJointTypeTransmission && kind == ukNoteMode) joint->of.gear.mode = i;
}

void ukContactRecord(ukJoint *joint, const dContact *contact)
{
    (void)joint, (void)contact;
}

void oracleRows(const Oracle *o, ukJoint *joint, OracleRows *out)
{
    (void)o, (void)joint;
    memset(out, 0, sizeof *out);
}

/* ---- the step ---------------------------------------------------------------------------------------------------- */

/* velocities, and force and torque of the joint, of both bodies */
typedef struct Outcome {
    double v[2][6], force[2][6];
} Outcome;

static Outcome outcomeOf(const Oracle *o, int done)
{
    Outcome out = {0};
    CHECK(done == 1);
    for (int k = 0; k < 2; k++) {
        const ukBody *body = o->row_maker.body[k];
        const dReal *f = k ? o->feedback.f2 : o->feedback.f1, *t = k ? o->feedback.t2 : o->feedback.t1;
        for (int i = 0; i < 3 && body; i++) {
            out.v[k][i] = dBodyGetLinearVel(body->handle)[i];
            out.v[k][3 + i] = dBodyGetAngularVel(body->handle)[i];
            out.force[k][i] = f[i];
            out.force[k][3 + i] = t[i];
        }
    }
    return out;
}

static double differenceOf(const Outcome *x, const Outcome *y)
{
    double size_v = 1, size_f = 1, v = 0, force = 0;
    for (int i = 0; i < 12; i++) {
        size_v = fmax(size_v, fabs(x->v[i / 6][i % 6]));
        size_f = fmax(size_f, fabs(x->force[i / 6][i % 6]));
        v = fmax(v, fabs(x->v[i / 6][i % 6] - y->v[i / 6][i % 6]));
        force = fmax(force, fabs(x->force[i / 6][i % 6] - y->force[i / 6][i % 6]));
    }
    return fmax(v / size_v, force / size_f);
}

static void nudge(const Oracle *o, dReal by)
{
    for (int k = 0; k < 2; k++) {
        const dReal *x = dBodyGetPosition(o->body[k]), *q = dBodyGetQuaternion(o->body[k]);
        const dReal *v = dBodyGetLinearVel(o->body[k]), *w = dBodyGetAngularVel(o->body[k]);
        const dQuaternion turned = {q[0] + by, q[1] - by, q[2] + by * k, q[3] + by};
        dBodySetPosition(o->body[k], x[0] - by, x[1] + by, x[2] - by * k);
        dBodySetQuaternion(o->body[k], turned);
        const dReal linear = by * (1 + dCalcVectorLength3(v)), angular = by * (1 + dCalcVectorLength3(w));
        dBodySetLinearVel(o->body[k], v[0] + linear, v[1] - linear, v[2] + linear);
        dBodySetAngularVel(o->body[k], w[0] - angular, w[1] + angular, w[2] - angular);
    }
}

double oracleStep(Oracle *o)
{
    static int steps, ill;
    const dWorldID world = o->world.handle;
    const size_t size = ukWorldSave(world, NULL, 0);
    void *const saved = malloc(size);
    Outcome of[4]; /* of ukode, of ODE from two nudged states, of ODE */
    if (!CHECK(saved && ukWorldSave(world, saved, size) == size)) exit(1);
    for (int k = 0; k < 4; k++) {
        if (k > 0) CHECK(ukWorldRestore(world, saved, size) == 0);
        if (k == 1 || k == 2) nudge(o, k == 1 ? PARITY_NUDGE : -PARITY_NUDGE);
        memset(&o->feedback, 0, sizeof o->feedback);
        of[k] = outcomeOf(o, k == 0 ? ukWorldStep(world, o->h) : dWorldStep(world, o->h));
    }
    free(saved);
    const double e = differenceOf(&of[3], &of[0]);
    const double sensitivity = fmax(differenceOf(&of[3], &of[1]), differenceOf(&of[3], &of[2]));
    steps++;
    if (e <= PARITY_AGREES || !(e <= 10 * sensitivity)) return e;
    CHECK(++ill <= 20 + PARITY_ILL * steps);
    return 0;
}
