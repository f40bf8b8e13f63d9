/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/snapshot/joint.h"

#include <math.h>
#include <string.h>

#include "bridge/ode/single_body.h"
#include "bridge/base/vector.h"
#include "bridge/joints/suspension.h"
#include "bridge/joints/class.h"
#include "bridge/joints/parameters.h"
#include "bridge/joints/values.h"
#include "bridge/ode/ode.h"
#include "plugin/formats/snapshot/law.h"
#include "solvers/base/status.h"

/* largest rounding error of ODE's getters, relative to the lengths in them; other anchors differ by more */
static const double same_place = 1e-6;
/* [steps] largest recorded time since a setter was called; longer times have no effect */
static const double most_age = 1000;

static size_t lengthOf(const ukJoint *joint)
{
    static const size_t length[ukRecordKinds] = {ukMotorsBytes, ukContactBytes, ukRunningBytes};
    return length[joint->class->record];
}

/* ---- anchors and axes -------------------------------------------------------------------------------------------- */

/* anchors and axes in the frames of its bodies */
typedef struct Place {
    double x[5][3];
} Place;

/* The place as ODE returns it now; infinite where ODE has no getter: these data are in the record alone, and are
 * restored with it. */
static Place jointPlaceOf(const ukJoint *joint)
{
    ukJoint now;
    double *const of[5] = {now.anchor1, now.anchor2, now.axis1, now.axis2, now.axisP};
    memset(&now, 0, sizeof now);
    memcpy(&now, joint, lengthOf(joint));
    for (int i = 0; i < 5; i++)
        for (int c = 0; c < 3; c++) of[i][c] = INFINITY;
    if (joint->body[0] && joint->class->refresh) joint->class->refresh(&now);
    if (ukSuspensionRecorded(joint)) memcpy(now.axisP, joint->axisP, sizeof now.axisP);
    Place place;
    for (int i = 0; i < 5; i++) memcpy(place.x[i], of[i], sizeof place.x[i]);
    return place;
}

static bool isSame(double x, double y)
{
    return memcmp(&x, &y, sizeof x) == 0;
}

static void comparePlace(ukTape *t, const ukJoint *joint, uint64_t number)
{
    const Place now = jointPlaceOf(joint);
    Place then = now;
    double scale = 1;
    for (int k = 0; k < 2 && joint->body[k]; k++) scale += ukSize(joint->body[k]->position, 3);
    for (int i = 0; i < 5; i++) {
        ukTapeReals(t, then.x[i], 3);
        for (int c = 0; c < 3; c++)
            if (!isSame(then.x[i][c], now.x[i][c]) &&
                !(isfinite(now.x[i][c]) &&
                  fabs(then.x[i][c] - now.x[i][c]) <= same_place * (scale + fabs(now.x[i][c]))))
                ukTapeRefuse(t, ukErrorArgument, "joint %llu (%s) has another anchor or axis than when it was saved",
                             (unsigned long long)number, joint->class->name);
    }
}

/* ---- the record -------------------------------------------------------------------------------------------------- */

static void transferMotors(ukTape *t, ukJoint *joint)
{
    for (int i = 0; i < 3; i++) ukTapeReals(t, &joint->motor[i].vel, sizeof(ukMotor) / sizeof(double));
}

/* Transfers the fields of a copy of the record; `age`: steps since the program called a setter. */
static void jointFields(ukTape *t, ukJoint *joint, double *age)
{
    bool stale = joint->stale, aside = joint->cfm_aside;
    double *const three[] = {joint->anchor1, joint->anchor2, joint->axis1, joint->axis2, joint->axisP, joint->offset};
    for (size_t i = 0; i < sizeof three / sizeof *three; i++) ukTapeReals(t, three[i], 3);
    ukTapeReals(t, joint->qrel, 4);
    double *const one[] = {&joint->s0, &joint->c0, &joint->target, &joint->erp, &joint->cfm};
    for (size_t i = 0; i < sizeof one / sizeof *one; i++) ukTapeReals(t, one[i], 1);
    transferMotors(t, joint);
    ukTapeReals(t, joint->turn.carried, 3);
    if (joint->class->record == ukRecordRunning) ukValuesTape(t, joint);
    ukTapeBool(t, &stale);
    ukTapeBool(t, &aside);
    ukTapeFinite(t, age, 1, "an age");
    if (!(*age >= 0 && *age <= most_age && *age == floor(*age))) ukTapeRefuse(t, ukErrorArgument, "an age of %g", *age);
    joint->stale = stale;
    joint->cfm_aside = aside;
}

static void transferRecord(ukTape *t, ukJoint *joint)
{
    ukJoint copy;
    const double steps = (double)joint->world->steps - (double)joint->touched;
    const dJointType type = joint->class->type;
    double age = fmin(fmax(steps, 0), most_age);
    memset(&copy, 0, sizeof copy);
    memcpy(&copy, joint, lengthOf(joint));
    jointFields(t, &copy, &age);
    const bool hinge = type == dJointTypeHinge || type == dJointTypeHinge2;
    if (t->mode == ukTapeCheck && hinge && ukSuspended(&copy) != ukSuspended(joint))
        ukTapeRefuse(t, ukErrorArgument, "saved with another copy of ODE: its joints have other suspensions");
    if (t->mode != ukTapeRead) return;
    memcpy(joint, &copy, lengthOf(joint));
    joint->touched = (int32_t)((double)joint->world->steps - age);
    if (joint->class->running) joint->before.step = 0; /* of no step */
}

/* ---- what it bore ------------------------------------------------------------------------------------------------ */

void ukKeepReaction(ukTape *t, ukJoint *joint)
{
    ukReaction none = {0}, copy = joint ? *joint->reaction : none;
    const int most = joint ? joint->class->max_rows : ukMaxJointRows;
    for (int k = 0; k < 2; k++) {
        ukTapeReals(t, copy.ideal[k], 6);
        ukTapeReals(t, copy.nonideal[k], 6);
    }
    bool ideal = copy.lambda_ideal;
    ukTapeInt(t, &copy.rows, 0, most, "a number of rows");
    ukTapeBool(t, &ideal);
    copy.lambda_ideal = ideal;
    if (joint && t->mode == ukTapeRead) {
        memcpy(joint->reaction->ideal, copy.ideal, sizeof copy.ideal);
        memcpy(joint->reaction->nonideal, copy.nonideal, sizeof copy.nonideal);
        joint->reaction->rows = copy.rows;
        joint->reaction->lambda_ideal = copy.lambda_ideal;
    }
    const int kinds = ideal ? ukGuesses : ukGuessIdeal;
    for (int kind = 0; kind < kinds; kind++) {
        double passed[ukMaxJointRows] = {0};
        if (joint)
            ukTapeArray(t, ukReactionLambda(joint, kind), copy.rows);
        else
            ukTapeReals(t, passed, copy.rows);
    }
}

static void transferFeedback(ukTape *t, dJointID j)
{
    dJointFeedback *const own = dJointGetFeedback(j);
    bool has = own != NULL;
    ukTapeBool(t, &has);
    if (!has) return;
    dJointFeedback none, *const f = own ? own : &none;
    dReal *const part[] = {f->f1, f->t1, f->f2, f->t2};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        double x[3] = {0};
        if (own) memcpy(x, part[i], sizeof x);
        ukTapeReals(t, x, 3);
        if (own && t->mode == ukTapeRead) memcpy(part[i], x, sizeof x);
    }
    if (own && t->mode == ukTapeRead && ukOdeSingle) ukSingleWriteFeedback(j);
}

void ukKeepJoint(ukTape *t, ukJoint *joint, uint64_t number)
{
    const dJointID j = joint->handle;
    bool enabled = dJointIsEnabled(j) != 0;
    if (!ukTapeSame(t, (uint64_t)joint->class->type, "the type of joint", number)) return;
    if (!ukTapeSame(t, ukValuesMode(joint), "the mode of joint", number)) return;
    comparePlace(t, joint, number);
    ukTapeBool(t, &enabled);
    if (t->mode == ukTapeRead && enabled != (dJointIsEnabled(j) != 0))
        (enabled ? ukOde.dJointEnable : ukOde.dJointDisable)(j);
    ukParametersTape(t, joint);
    transferRecord(t, joint);
    ukKeepReaction(t, joint);
    transferFeedback(t, j);
    ukKeepLawOfJoint(t, joint, number);
}

void ukKeepJointDigest(ukDigest *digest, const ukJoint *joint)
{
    if (!joint->class->running) return;
    double x[ukValuesMost];
    ukDigestReals(digest, x, ukValuesRunning(joint, x));
}
