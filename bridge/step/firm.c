/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/step/firm.h"

#include "bridge/integrate/integrate_adaptive.h"
#include "bridge/island/budget.h"
#include "bridge/island/spring.h"
#include "bridge/joints/class.h"
#include "bridge/joints/running.h"
#include "bridge/ode/ode.h"
#include "solvers/base/status.h"

bool ukFirmBegin(ukStepper *s, int index, ukFirm *firm)
{
    static const double part = 0.1; /* of the step's budget, for the attempt */
    const ukIsland *island = &s->islands[index];
    const double cfm = dWorldGetCFM(s->world->handle);
    bool firms = false;
    if (s->world->settings.integrator != ukIntegratorAdaptive || !(cfm > ukSpringCfm)) return false;
    for (int j = island->joint; j < island->joint + island->joints; j++)
        firms |= !ukIsContact(s->joints[j]) && s->joints[j]->class->max_rows > 0;
    if (!firms) return false;
    firm->report = s->report;
    if (s->world->book) firm->sum = s->world->book->sum;
    s->work_most = s->work + part * ukBudgetOf(s);
    return true;
}

bool ukFirmFailed(ukStepper *s, int status)
{
    s->work_most = 0;
    return status != ukOk && status != ukErrorMemory && status != ukErrorCallback && status != ukErrorChanged;
}

int ukFirmUndo(ukStepper *s, int index, const ukIslandStart *start, const ukFirm *firm)
{
    const ukIsland *island = &s->islands[index];
    s->report = firm->report;
    if (s->world->book) s->world->book->sum = firm->sum;
    for (int j = island->joint; j < island->joint + island->joints; j++) ukJointRunsBack(s->joints[j]);
    ukAdaptiveUndo(s, island->frame, island->frame + island->frames);
    ukAssembleRewind(s, start);
    return ukAssembleGather(s, index);
}
