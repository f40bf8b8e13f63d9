/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/joints/suspension.h"

#include "bridge/joints/geometry.h"
#include "bridge/ode/class.h"

static bool isHinge(const ukJoint *joint)
{
    return joint->class->type == dJointTypeHinge;
}

typedef void AxisGetter(dJointID, dReal *);

/* NULL: the served ODE has none */
static AxisGetter *axisGetterOf(const ukJoint *joint)
{
    return isHinge(joint) ? ukOde.dJointGetHingeSuspensionAxis : ukOde.dJointGetHinge2SuspensionAxis;
}

void ukSuspensionCreate(ukJoint *joint)
{
    if (!(joint->world->rules & ukRuleWebots)) return;
    joint->axisP[0] = 1;
    ukRigidityCreate(joint);
}

bool ukSuspensionNoted(ukJoint *joint, const ukNote *note)
{
    const bool number = note->kind == ukNoteParam && (note->i == dParamSuspensionERP || note->i == dParamSuspensionCFM);
    if (note->kind != ukNoteSuspension && !number) return false;
    joint->stale = true;
    if (number && ukSuspended(joint)) *(note->i == dParamSuspensionERP ? &joint->erp : &joint->cfm) = note->x[0];
    if (number || !joint->body[0]) return true; /* without bodies the fork ignores the axis */
    double axis[3] = {note->x[0], note->x[1], note->x[2]};
    ukNormalize(axis);
    ukLocalAxis(joint->body[0], axis, joint->axisP);
    return true;
}

void ukSuspensionRefresh(ukJoint *joint)
{
    AxisGetter *const get = axisGetterOf(joint);
    dReal (*const number)(dJointID, int) = isHinge(joint) ? dJointGetHingeParam : dJointGetHinge2Param;
    dVector3 axis;
    if (!get || joint->observed || !(joint->world->rules & ukRuleWebots)) return;
    get(joint->handle, axis);
    ukLocalAxis(joint->body[0], axis, joint->axisP);
    joint->erp = number(joint->handle, dParamSuspensionERP);
    joint->cfm = number(joint->handle, dParamSuspensionCFM);
}

bool ukSuspensionRecorded(const ukJoint *joint)
{
    const dJointType type = joint->class->type;
    return (type == dJointTypeHinge || type == dJointTypeHinge2) && ukSuspended(joint) && !axisGetterOf(joint);
}

void ukRowsSuspended(ukRowSink *sink, const ukJoint *joint, const double axis[3], const ukState *a, const ukState *b,
                     const ukRowContext *context)
{
    double u[3][3] = {{axis[0], axis[1], axis[2]}}, Pa[3], Pb[3], ra[3], rb[3];
    ukGap gap;
    ukPlaneSpace(u[0], u[1], u[2]);
    ukAnchor(a, joint->anchor1, Pa, ra);
    ukAnchor(b, joint->anchor2, Pb, rb);
    for (int i = 0; i < 3; i++) gap.whole[i] = Pa[i] - Pb[i];
    const double erp[3] = {joint->erp, context->erp, context->erp};
    const double travel = joint->cfm > ukSpringCfm() ? ukDot(u[0], gap.whole) : 0;
    for (int i = 0; i < 3; i++) {
        if (context->exact)
            ukRowAt(sink, i, u[i], Pb, a, b);
        else
            ukRowPoint(sink, i, u[i], ra, b ? rb : NULL);
        gap.error[i] = gap.whole[i] - travel * u[0][i];
        sink->cfm[i] = i == 0 ? joint->cfm : context->cfm;
    }
    const double *const axes[3] = {u[0], u[1], u[2]};
    ukRowsGap(sink, 0, 3, axes, &gap, erp, a, context);
}
