/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/search.c: the public functions of <ukode/analysis.h> that search for poses and forces. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/analysis.h>

#include "bridge/base/log.h"
#include "bridge/world/frame.h"
#include "plugin/analysis/search.h"
#include "plugin/sized.h"
#include "plugin/unknown.h"
#include "solvers/base/status.h"

int ukWorldAssembleSized(dWorldID world, const ukTarget *targets, int count, ukAssembly *assembly, size_t size)
{
    ukSizedClear(assembly, size);
    ukWorld *w = ukKnownWorld(world);
    ukAssembly found;
    if (!w) return ukErrorHandle;
    if (!assembly || size == 0) return ukRefuseArgument("ukWorldAssemble: assembly is null, or its size is 0");
    if (count < 0 || (count > 0 && !targets))
        return ukRefuseArgument("ukWorldAssemble: the number of targets is negative, or their list is null");
    const int status = ukSearchPoses(w, targets, count, &found);
    if (status == ukOk) ukSizedWrite(assembly, size, &found, sizeof found);
    return status;
}

int ukWorldEquilibriumSized(dWorldID world, dReal tolerance, ukEquilibrium *equilibrium, size_t size)
{
    ukSizedClear(equilibrium, size);
    ukWorld *w = ukKnownWorld(world);
    ukEquilibrium found;
    if (!w) return ukErrorHandle;
    if (!equilibrium || size == 0) return ukRefuseArgument("ukWorldEquilibrium: equilibrium is null, or its size is 0");
    if (!(tolerance >= 0 && tolerance < INFINITY))
        return ukRefuseArgument("ukWorldEquilibrium: tolerance must be >= 0 and finite");
    const int status = ukSearchBalance(w, tolerance, &found);
    if (status == ukOk) ukSizedWrite(equilibrium, size, &found, sizeof found);
    return status;
}

/* ---- inverse dynamics -------------------------------------------------------------------------------------------- */

static int refuseInverse(const ukSignal *actuators, int count, const dReal *weights, const dReal *forces)
{
    if (count < 0 || (count > 0 && (!actuators || !forces)))
        return ukRefuseArgument("ukWorldInverseDynamics: actuators, forces");
    for (int k = 0; k < count; k++) {
        if (weights && !(weights[k] > 0 && weights[k] < INFINITY))
            return ukRefuseArgument("ukWorldInverseDynamics: a weight is not > 0");
        if (actuators[k].kind != ukSignalJointForce && actuators[k].kind != ukSignalBodyForce)
            return ukRefuseArgument("ukWorldInverseDynamics: an actuator is not a force");
    }
    return ukOk;
}

int ukWorldInverseDynamicsSized(dWorldID world, const ukSignal *actuators, int count, const dReal *weights,
                                const dReal *acceleration, dReal *forces, ukInverse *inverse, size_t size)
{
    ukSizedClear(inverse, size);
    if (forces && count > 0) memset(forces, 0, (size_t)count * sizeof *forces);
    ukWorld *w = ukKnownWorld(world);
    ukInverse found;
    if (!w) return ukErrorHandle;
    if (!inverse || size == 0) return ukRefuseArgument("ukWorldInverseDynamics: inverse is null, or its size is 0");
    int status = refuseInverse(actuators, count, weights, forces);
    if (status != ukOk) return status;
    if (acceleration && !ukFiniteAll(acceleration, 6 * (size_t)w->body_count))
        return ukRefuseArgument("ukWorldInverseDynamics: an acceleration is not finite");
    dReal *const u = calloc((size_t)count + 1, sizeof *u);
    if (!u) return ukErrorSet(ukErrorMemory, "no memory for %d actuators", count);
    status = ukSearchForces(w, &(ukForceSearch){actuators, count, weights, acceleration}, u, &found);
    for (int k = 0; k < count && status == ukOk; k++) forces[k] = u[k];
    if (status == ukOk) ukSizedWrite(inverse, size, &found, sizeof found);
    free(u);
    return status;
}
