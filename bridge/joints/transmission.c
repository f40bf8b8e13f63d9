/* SPDX-License-Identifier: BSD-3-Clause */
/* Transmission: two wheels that mesh (parallel or intersecting axes) or share a chain. One row: the contact points of
 * both wheels have equal velocities along their tangents. The slip is the sum of the wheels' phases, each times its
 * radius; in a chain it is their difference (updateSlip).
 *
 * of.gear contains mode, ratio, radii, anchors and axes as the setters left them, and the running values, which ODE
 * updates inside its step: the first step after a setter of anchors or axes measures the mesh and sets the phases to
 * zero. Rows evaluated without context->commit use the values that the next step would have, and do not change the
 * record. J v is the rate of the slip (see updateSlip) where the bearings keep the wheels' distance constant and their
 * axes parallel. */
#include "bridge/joints/geometry.h"
#include "bridge/joints/mesh.h"
#include "bridge/joints/row.h"
#include "bridge/joints/running.h"

#include <math.h>
#include <string.h>

#include "bridge/ode/ode.h"
#include "solvers/base/status.h"

static const double twoPi = 2 * 3.14159265358979323846;

static void createTransmission(ukJoint *joint)
{
    ukGear *gear = &joint->of.gear;
    gear->mode = dTransmissionParallelAxes;
    gear->ratio = 1;
    gear->axis[0][0] = gear->axis[1][0] = 1;
    gear->mesh_stale = true;
    ukRigidityCreate(joint);
}

/* Uses ODE's own functions to obtain the same bits: for perpendicular axes, rounding decides the direction of wheel 0's
 * axis (alignAxes), and with it the sign of the transmission ratio. */
static void recordAxis(ukJoint *joint, int i, const double x[3])
{
    dVector3 local;
    if (!joint->body[i]) return;
    dBodyVectorFromWorld(joint->body[i]->handle, x[0], x[1], x[2], local);
    dSafeNormalize3(local);
    for (int k = 0; k < 3; k++) joint->of.gear.axis[i][k] = local[k];
}

static void recordAnchor(ukJoint *joint, int i, const double x[3])
{
    if (joint->body[i]) ukLocalPoint(joint->body[i], x, joint->of.gear.anchor[i]);
}

static void transmissionNote(ukJoint *joint, const ukNote *note)
{
    ukGear *gear = &joint->of.gear;
    joint->stale = true;
    switch (note->kind) {
    case ukNoteAnchor: recordAnchor(joint, 0, note->x); break;
    case ukNoteAnchor2: recordAnchor(joint, 1, note->x); break;
    case ukNoteAxis: recordAxis(joint, 0, note->x); break;
    case ukNoteAxis2: recordAxis(joint, 1, note->x); break;
    case ukNoteAxes:
        recordAxis(joint, 0, note->x);
        recordAxis(joint, 1, note->x);
        break;
    case ukNoteMode: gear->mode = note->i; return;
    case ukNoteRatio: gear->ratio = note->x[0]; return;
    case ukNoteRadius: gear->radius[note->i == 1] = note->x[0]; return;
    case ukNoteBacklash: gear->backlash = note->x[0]; return;
    default: return;
    }
    gear->mesh_stale = true;
}

static void refreshTransmission(ukJoint *joint)
{
    ukRigidityRefresh(joint, dJointGetTransmissionParam);
}

/* reads the joint by its getters; the phases restart at the present pose */
static void assumeTransmission(ukJoint *joint)
{
    const ukOdeFunctions *ode = &ukOde;
    const dJointID j = joint->handle;
    ukGear *gear = &joint->of.gear;
    dVector3 x;
    gear->mode = dJointGetTransmissionMode(j);
    gear->backlash = dJointGetTransmissionBacklash(j);
    gear->ratio = ode->dJointGetTransmissionRatio(j);
    gear->radius[0] = ode->dJointGetTransmissionRadius1(j);
    gear->radius[1] = ode->dJointGetTransmissionRadius2(j);
    gear->mesh_stale = true;
    if (!joint->body[0] || !joint->body[1]) return;
    ode->dJointGetTransmissionAxis1(j, x);
    recordAxis(joint, 0, x);
    dJointGetTransmissionAxis2(j, x);
    recordAxis(joint, 1, x);
    dJointGetTransmissionAnchor1(j, x);
    recordAnchor(joint, 0, x);
    dJointGetTransmissionAnchor2(j, x);
    recordAnchor(joint, 1, x);
}

/* orients wheel 0's axis so that both wheels measure their angles about axes of the same sense */
static void alignAxes(ukGear *gear, ukGearMesh *m)
{
    if (!(ukDot(m->n[0], m->n[1]) < 0)) return;
    for (int k = 0; k < 3; k++) {
        gear->axis[0][k] = -gear->axis[0][k];
        m->n[0][k] = -m->n[0][k];
    }
}

/* Initializes wheel frames (x towards the contact, z the axis) at the present mesh, sets phases to zero, and replaces
 * radii and ratio by those of the mesh. */
static int restartPhases(ukGear *gear, const ukState *const s[2], const ukGearMesh *m)
{
    for (int i = 0; i < 2; i++) {
        double *x = gear->reference[i], *y = x + 3, *z = x + 6;
        ukUnrotate(s[i]->R, m->lever[i], x);
        gear->radius[i] = ukNormalize(x);
        if (!(gear->radius[i] > 0)) return ukErrorParameter;
        memcpy(z, gear->axis[i], 3 * sizeof *z);
        ukCross(z, x, y);
        gear->phase[i] = 0;
    }
    gear->ratio = gear->radius[0] / gear->radius[1];
    gear->mesh_stale = false;
    return ukOk;
}

/* Sets the phase to the contact's angle in the wheel's frame, on the turn nearest to the prediction phase - h w.n (see
 * updateSlip). ODE predicts phase + h w.n, and is off by a turn if h w exceeds pi/2. */
static void turnPhase(ukGear *gear, int i, const ukState *s, const ukGearMesh *m, double h)
{
    double lever[3], local[3];
    ukUnrotate(s->R, m->lever[i], lever);
    ukRotate(gear->reference[i], lever, local);
    const double angle = atan2(local[1], local[0]);
    const double turned = h * ukDot(s->v + 3, m->n[i]), predicted = gear->phase[i] + (gear->exact ? -turned : turned);
    gear->phase[i] = angle + twoPi * nearbyint((predicted - angle) / twoPi);
}

/* Computes the slip, whose rate is J v for parallel axes and exact meshes. A phase is the contact's angle in the
 * wheel's frame: it decreases when the wheel turns in the positive sense about its axis while the contact's direction
 * is constant. On bevel gears, a rotation moves the contact along the tangent or against it, depending on axes and
 * centres; ODE adds the phases in all cases. */
static void updateSlip(ukGear *gear, const ukGearMesh *m)
{
    double sign[2] = {1, gear->mode == dTransmissionChainDrive ? -1 : 1}, along[3];
    gear->delta = 0;
    for (int i = 0; i < 2; i++) {
        if (gear->exact && gear->mode == dTransmissionIntersectingAxes) {
            ukCross(m->n[i], m->lever[i], along);
            sign[i] = (ukDot(along, gear->tangent[i]) < 0) == (i == 0) ? 1 : -1;
        }
        gear->delta += sign[i] * sqrt(ukDot(m->lever[i], m->lever[i])) * gear->phase[i];
    }
}

/* The force that the joint's row had in the last step; 0: it had none. */
static double lastForce(const ukJoint *joint)
{
    return joint->reaction && joint->reaction->rows == 1 ? joint->reaction->lambda[ukGuessWhole] : 0;
}

/* Which run of the chain is tight. 1: of an exact chain, the run on the side d x n of the line of centres, with d from
 * wheel 1 to wheel 0 and n the mean axis; -1: the other run. An exact chain pulls; it pulls wheel 0 towards wheel 1
 * where force times side is positive. At the end of a backlash the slip determines the force's direction; without
 * backlash the last step's force does, since the slip is a rounding error. ODE's chain follows the sign of the slip,
 * and pushes. */
static double tightSide(const ukGear *gear, double force)
{
    if (!gear->exact) return gear->delta < 0 ? -1 : 1;
    return (gear->backlash > 0 ? gear->delta > 0 : force < 0) ? -1 : 1;
}

/* updates the gear at the states, h after the last committed one; ukErrorParameter where ODE would abort */
static int updateMesh(ukGear *gear, const ukState *const s[2], double h, double force)
{
    ukGearMesh m;
    ukMeshPlace(gear, s, &m);
    if (gear->mesh_stale) alignAxes(gear, &m);
    int status = ukMeshComputeContacts(gear, &m);
    if (status == ukOk && gear->mesh_stale) status = restartPhases(gear, s, &m);
    if (status != ukOk) return status;
    for (int i = 0; i < 2; i++) turnPhase(gear, i, s[i], &m, h);
    updateSlip(gear, &m);
    gear->side = tightSide(gear, force);
    return gear->mode == dTransmissionChainDrive && gear->side < 0 ? ukMeshMirrorChain(gear, &m) : ukOk;
}

static int transmissionRows(ukJoint *joint, const ukState *a, const ukState *b, const ukRowContext *context,
                            ukRowSink *sink)
{
    if (!b) return ukErrorParameter; /* possible only with an ODE without assertions */
    const ukState *const s[2] = {a, b};
    ukGear gear = joint->of.gear;
    if (gear.exact != context->exact) {
        /* exact chains and exact bevel gears touch their wheels at other points than ODE's: phases restart */
        gear.exact = context->exact;
        gear.mesh_stale |= gear.mode != dTransmissionParallelAxes;
    }
    const int status = updateMesh(&gear, s, context->h, lastForce(joint));
    if (status != ukOk) return status;
    if (context->commit && ukJointRuns(joint)) joint->of.gear = gear;

    for (int i = 0; i < 2; i++) {
        double r[3], *J = sink->J + 6 * i;
        for (int k = 0; k < 3; k++) {
            r[k] = gear.contact[i][k] - s[i]->x[k];
            J[k] = i == 0 ? gear.tangent[0][k] : -gear.tangent[1][k];
        }
        ukCross(r, J, J + 3);
    }
    sink->cfm[0] = joint->cfm;
    if (sink->bias) sink->bias[0] = ukMeshBias(&gear, s);
    if (isnan(gear.backlash)) return ukErrorParameter;
    if (gear.backlash != 0 && !(fabs(gear.delta) > gear.backlash)) { /* within the backlash no force is transmitted */
        sink->lo[0] = sink->hi[0] = 0;
        sink->velocity[0] = sink->discrete_only[0] = 1;
        return 1;
    }
    ukRowError(sink, 0, gear.delta > 0 ? gear.delta - gear.backlash : gear.delta + gear.backlash, joint->erp,
               context->h);
    if (gear.backlash > 0) {
        if (gear.delta > 0) {
            sink->hi[0] = 0;
        } else {
            sink->lo[0] = 0;
        }
        sink->discrete_only[0] = 1;
    }
    return 1;
}

static const char *transmissionNeeds(const ukJoint *joint)
{
    (void)joint;
    return "other joints must keep the distance of its wheels' centres constant";
}

const ukJointClass ukTransmissionClass = {.name = "transmission",
                                          .type = dJointTypeTransmission,
                                          .record = ukRecordRunning,
                                          .max_rows = 1,
                                          .running = true,
                                          .needs = transmissionNeeds,
                                          .create = createTransmission,
                                          .note = transmissionNote,
                                          .refresh = refreshTransmission,
                                          .assume = assumeTransmission,
                                          .rows = transmissionRows};
