/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/analyze.c: <ukode/analysis.h>: ukWorldLinearize, ukWorldModes: checks arguments, calls plugin/analysis. */
#include <math.h>
#include <ukode/analysis.h>

#include "bridge/base/log.h"
#include "bridge/island/stepper.h"
#include "plugin/analysis/linearize.h"
#include "plugin/analysis/modes.h"
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
    const ukLinearizeTask task = {in, out, inputs, outputs, stepsize, ukAnalysisLinearization};
    const int status = ukLinearize(w, &task, &found);
    if (status == ukOk) ukSizedWrite(result, size, &found, sizeof found);
    return status;
}

int ukWorldModes(dWorldID world, const ukMode **modes, int *count, int *zero)
{
    if (modes) *modes = NULL;
    if (count) *count = 0;
    if (zero) *zero = 0;
    ukWorld *const w = ukKnownWorld(world);
    if (!w) return ukErrorHandle;
    if (!modes || !count) return ukRefuseArgument("ukWorldModes: modes, count");
    return ukModesFind(w, modes, count, zero, NULL);
}
