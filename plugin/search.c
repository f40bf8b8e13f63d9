/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/search.c: the public functions of <ukode/analysis.h> that search for poses and forces. */
#include <math.h>

#include <ukode/analysis.h>

#include "bridge/analyze/assembly.h"
#include "bridge/analyze/equilibrium.h"
#include "plugin/analysis/preserve.h"
#include "plugin/sized.h"
#include "plugin/unknown.h"
#include "solvers/base/status.h"

/* To the poses found, as a program would. */
static void movePoses(const dBodyID *body, const dReal *x, const dReal *q, int count)
{
    for (int k = 0; k < count; k++, x += 3, q += 4) {
        dBodySetPosition(body[k], x[0], x[1], x[2]);
        dBodySetQuaternion(body[k], (dQuaternion){q[0], q[1], q[2], q[3]});
    }
}

int ukWorldAssembleSized(dWorldID world, const ukTarget *targets, int count, ukAssembly *assembly, size_t size)
{
    ukSizedClear(assembly, size);
    ukWorld *w = ukKnownWorld(world);
    ukAssembly found;
    if (!w) return ukErrorHandle;
    if (!assembly || size == 0) return ukRefuseArgument("ukWorldAssemble: assembly");
    if (count < 0 || (count > 0 && !targets)) return ukRefuseArgument("ukWorldAssemble: targets");
    ukPreserved preserved;
    int status = ukPreserveBegin(&preserved, w);
    if (status == ukOk) status = ukAssemblyFind(w, targets, count, &found);
    status = ukPreserveEnd(&preserved, status);
    if (status != ukOk) return status;
    if (found.met) movePoses(found.bodies, found.positions, found.orientations, found.count);
    ukSizedWrite(assembly, size, &found, sizeof found);
    return ukOk;
}

int ukWorldEquilibriumSized(dWorldID world, dReal tolerance, ukEquilibrium *equilibrium, size_t size)
{
    ukSizedClear(equilibrium, size);
    ukWorld *w = ukKnownWorld(world);
    ukEquilibrium found;
    if (!w) return ukErrorHandle;
    if (!equilibrium || size == 0) return ukRefuseArgument("ukWorldEquilibrium: equilibrium");
    if (!(tolerance >= 0 && tolerance < INFINITY)) return ukRefuseArgument("ukWorldEquilibrium: tolerance");
    ukPreserved preserved;
    int status = ukPreserveBegin(&preserved, w);
    if (status == ukOk) status = ukEquilibriumFind(w, tolerance, &found);
    status = ukPreserveEnd(&preserved, status);
    if (status != ukOk) return status;
    if (found.found) movePoses(found.bodies, found.positions, found.orientations, found.count);
    for (int k = 0; k < found.count && found.found; k++) {
        dBodySetLinearVel(found.bodies[k], 0, 0, 0);
        dBodySetAngularVel(found.bodies[k], 0, 0, 0);
    }
    ukSizedWrite(equilibrium, size, &found, sizeof found);
    return ukOk;
}
