/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/analyze.c: <ukode/analysis.h>: ukWorldLinearize, ukWorldModes, ukWorldRegulate: checks arguments, calls plugin/analysis. */
#include <math.h>
#include <ukode/analysis.h>

#include "bridge/base/log.h"
#include "bridge/island/stepper.h"
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
    if (!result || size == 0) return ukRefuseArgument("ukWorldLinearize: result");
    if (inputs < 0 || (inputs > 0 && !in)) return ukRefuseArgument("ukWorldLinearize: inputs");
    if (outputs < 0 || (outputs > 0 && !out)) return ukRefuseArgument("ukWorldLinearize: outputs");
    if (!(stepsize >= 0) || !isfinite(stepsize)) return ukRefuseArgument("ukWorldLinearize: stepsize");
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
    if (!modes || !count) return ukRefuseArgument("ukWorldModesOf: modes, count");
    if (inputs < 0 || (inputs > 0 && !in)) return ukRefuseArgument("ukWorldModesOf: inputs");
    return ukModesFind(w, &(ukModesTask){in, inputs}, modes, count, zero, NULL);
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
    if (!regulator || size == 0) return ukRefuseArgument("ukWorldRegulate: regulator");
    if (inputs < 1 || !in) return ukRefuseArgument("ukWorldRegulate: inputs");
    if (!(effort > 0) || !isfinite(effort)) return ukRefuseArgument("ukWorldRegulate: effort");
    if (!(stepsize >= 0) || !isfinite(stepsize)) return ukRefuseArgument("ukWorldRegulate: stepsize");
    const ukRegulateTask task = {in, inputs, effort, stepsize};
    const int status = ukRegulate(w, &task, &found);
    if (status == ukOk) ukSizedWrite(regulator, size, &found, sizeof found);
    return status;
}
