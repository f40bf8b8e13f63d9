/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/step/rigid_trial.h"

#include "bridge/integrate/integrate_adaptive.h"
#include "bridge/island/budget.h"
#include "bridge/island/gather.h"
#include "bridge/joints/class.h"
#include "bridge/joints/running.h"
#include "solvers/base/status.h"

bool ukRigidTrialBegin(ukIsland *island, ukRigidTrial *trial)
{
    static const double part = 0.1; /* fraction of the step's work budget that the attempt with rigid rows may use */
    const double cfm = dWorldGetCFM(island->world->handle);
    bool any_joint = false;
    if (!ukIsAdaptive(&island->world->settings) || !(cfm > ukSpringCfm())) return false;
    for (int j = 0; j < island->joints; j++)
        any_joint |= !ukIsContact(island->joint[j]) && island->joint[j]->class->max_rows > 0;
    if (!any_joint) return false;
    trial->report = *island->report;
    if (island->world->book) trial->sum = island->world->book->sum;
    ukStepper *s = island->stepper;
    s->work_most = s->work + part * ukBudgetOf(island);
    return true;
}

bool ukRigidTrialFailed(ukIsland *island, int status)
{
    island->stepper->work_most = 0;
    return status != ukOk && status != ukErrorMemory && status != ukErrorCallback && status != ukErrorChanged;
}

int ukRigidTrialUndo(ukIsland *island, const ukIslandStart *start, const ukRigidTrial *trial)
{
    *island->report = trial->report;
    if (island->world->book) island->world->book->sum = trial->sum;
    for (int j = 0; j < island->joints; j++) ukJointRunsBack(island->joint[j]);
    ukAdaptiveUndo(island);
    ukAssembleRewind(island, start);
    return ukGatherIsland(island);
}
