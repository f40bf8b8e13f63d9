/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/analyze.c: <ukode/analysis.h>: ukWorldLinearize, ukWorldModes, ukWorldRegulate, ukLinearOperator: checks
 * arguments, calls plugin/analysis. */
#include <math.h>
#include <ukode/analysis.h>

#include "bridge/base/log.h"
#include "bridge/island/stepper.h"
#include "plugin/analysis/linear_operator_make.h"
#include "plugin/analysis/linearize.h"
#include "plugin/analysis/modes.h"
#include "plugin/analysis/regulate.h"
#include "plugin/sized.h"
#include "plugin/unknown.h"

int ukWorldLinearizeSized(dWorldID world, const ukSignal *in, int inputs, const ukSignal *out, int outputs,
                          dReal stepsize, ukLinearization *result, size_t size)
{
    ukSizedClear(result, size);
    ukWorld *const w = ukKnownWorld(world);
    ukLinearization found;
    if (!w) return ukErrorHandle;
    if (!result || size == 0) return ukRefuseArgument("ukWorldLinearize: result is null, or its size is 0");
    if (inputs < 0 || (inputs > 0 && !in))
        return ukRefuseArgument("ukWorldLinearize: the number of inputs is negative, or their list is null");
    if (outputs < 0 || (outputs > 0 && !out))
        return ukRefuseArgument("ukWorldLinearize: the number of outputs is negative, or their list is null");
    if (!(stepsize >= 0) || !isfinite(stepsize))
        return ukRefuseArgument("ukWorldLinearize: stepsize must be >= 0 and finite");
    const ukLinearizeTask task = {
        .in = in, .out = out, .inputs = inputs, .outputs = outputs, .h = stepsize, .as = ukAnalysisLinearization};
    const int status = ukLinearize(w, &task, &found);
    if (status == ukOk) ukSizedWrite(result, size, &found, sizeof found);
    return status;
}

int ukWorldModesOf(dWorldID world, const ukSignal *in, int inputs, const ukMode **modes, int *count, int *zero)
{
    if (modes) *modes = NULL;
    if (count) *count = 0;
    if (zero) *zero = 0;
    ukWorld *const w = ukKnownWorld(world);
    if (!w) return ukErrorHandle;
    if (!modes || !count) return ukRefuseArgument("ukWorldModesOf: modes or count is null");
    if (inputs < 0 || (inputs > 0 && !in))
        return ukRefuseArgument("ukWorldModesOf: the number of inputs is negative, or their list is null");
    return ukModesFind(w, &(ukModesTask){.in = in, .inputs = inputs}, modes, count, zero, NULL);
}

int ukWorldModes(dWorldID world, const ukMode **modes, int *count, int *zero)
{
    return ukWorldModesOf(world, NULL, 0, modes, count, zero);
}

int ukWorldRegulateSized(dWorldID world, const ukSignal *in, int inputs, dReal effort, dReal stepsize,
                         ukRegulator *regulator, size_t size)
{
    ukSizedClear(regulator, size);
    ukWorld *const w = ukKnownWorld(world);
    ukRegulator found;
    if (!w) return ukErrorHandle;
    if (!regulator || size == 0) return ukRefuseArgument("ukWorldRegulate: regulator is null, or its size is 0");
    if (inputs < 1 || !in)
        return ukRefuseArgument("ukWorldRegulate: the number of inputs is below 1, or their list is null");
    if (!(effort > 0) || !isfinite(effort)) return ukRefuseArgument("ukWorldRegulate: effort must be > 0 and finite");
    if (!(stepsize >= 0) || !isfinite(stepsize))
        return ukRefuseArgument("ukWorldRegulate: stepsize must be >= 0 and finite");
    const ukRegulateTask task = {in, inputs, effort, stepsize};
    const int status = ukRegulate(w, &task, &found);
    if (status == ukOk) ukSizedWrite(regulator, size, &found, sizeof found);
    return status;
}

/* ---- linear operators -------------------------------------------------------------------------------------------- */

ukLinearOperatorID ukLinearOperatorCreate(dWorldID world, const ukSignal *in, int inputs)
{
    ukWorld *const w = ukKnownWorld(world);
    if (!w) return NULL;
    if (inputs < 0 || (inputs > 0 && !in)) {
        ukRefuseArgument("ukLinearOperatorCreate: the number of inputs is negative, or their list is null");
        return NULL;
    }
    return ukLinearOperatorMake(w, in, inputs);
}

void ukLinearOperatorDestroy(ukLinearOperatorID linear)
{
    ukLinearOperatorFree(linear);
}

static int refuseOperator(void)
{
    return ukErrorSet(ukErrorHandle, "the linear operator is NULL");
}

int ukLinearOperatorGetInfoSized(ukLinearOperatorID linear, ukLinearOperatorInfo *info, size_t size)
{
    ukSizedClear(info, size);
    if (!linear) return refuseOperator();
    if (!info || size == 0) return ukRefuseArgument("ukLinearOperatorGetInfo: info is null, or its size is 0");
    ukSizedWrite(info, size, &linear->info, sizeof linear->info);
    return ukOk;
}

int ukLinearOperatorApply(ukLinearOperatorID linear, int transposed, const dReal *x, dReal *y)
{
    if (!linear) return refuseOperator();
    if (!x || !y) return ukRefuseArgument("ukLinearOperatorApply: x or y is null");
    ukLinearOperatorState(linear, transposed != 0, x, y);
    return ukOk;
}

int ukLinearOperatorApplyInputs(ukLinearOperatorID linear, int transposed, const dReal *from, dReal *to)
{
    if (!linear) return refuseOperator();
    if (!from || !to) return ukRefuseArgument("ukLinearOperatorApplyInputs: from or to is null");
    ukLinearOperatorInputs(linear, transposed != 0, from, to);
    return ukOk;
}
