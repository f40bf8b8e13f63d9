/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/step/firm.h"

#include "bridge/integrate/integrate_adaptive.h"
#include "bridge/island/budget.h"
#include "bridge/island/gather.h"
#include "bridge/joints/class.h"
#include "bridge/joints/running.h"
#include "solvers/base/status.h"

bool ukFirmBegin(ukIsland *island, ukFirm *firm)
{
    static const double part = 0.1; /* fraction of the step's work budget that the attempt with rigid rows may use */
    const double cfm = dWorldGetCFM(island->world->handle);
    bool firms = false;
    if (!ukIsAdaptive(&island->world->settings) || !(cfm > ukSpringCfm())) return false;
    for (int j = 0; j < island->joints; j++)
        firms |= !ukIsContact(island->joint[j]) && island->joint[j]->class->max_rows > 0;
    if (!firms) return false;
    firm->report = *island->report;
    if (island->world->book) firm->sum = island->world->book->sum;
    ukStepper *s = island->stepper;
    s->work_most = s->work + part * ukBudgetOf(island);
    return true;
}

bool ukFirmFailed(ukIsland *island, int status)
{
    island->stepper->work_most = 0;
    return status != ukOk && status != ukErrorMemory && status != ukErrorCallback && status != ukErrorChanged;
}

int ukFirmUndo(ukIsland *island, const ukIslandStart *start, const ukFirm *firm)
{
    *island->report = firm->report;
    if (island->world->book) island->world->book->sum = firm->sum;
    for (int j = 0; j < island->joints; j++) ukJointRunsBack(island->joint[j]);
    ukAdaptiveUndo(island);
    ukAssembleRewind(island, start);
    return ukGatherIsland(island);
}
