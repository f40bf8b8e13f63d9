/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/search.c: the public functions of <ukode/analysis.h> that search for poses and forces. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/analysis.h>

#include "bridge/analyze/assembly.h"
#include "bridge/analyze/equilibrium.h"
#include "bridge/analyze/inverse.h"
#include "bridge/base/log.h"
#include "bridge/world/frame.h"
#include "plugin/analysis/preserve.h"
#include "plugin/analysis/signal.h"
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

/* ---- inverse dynamics -------------------------------------------------------------------------------------------- */

/* The wrenches of the actuators, found with the world preserved. */
static int findActuators(ukWorld *w, const ukSignal *signal, int count, const dReal *weights, ukActuator *actuator)
{
    ukSignalPlace *const place = calloc((size_t)count + 1, sizeof *place);
    if (!place) {
        ukErrorSet(ukErrorMemory, "no memory for %d actuators", count);
        return ukErrorMemory;
    }
    const int status = ukSignalsFind(w, signal, count, true, place);
    for (int k = 0; k < count && status == ukOk; k++) {
        ukSignalWrench(place + k);
        actuator[k].weight = weights ? weights[k] : 1;
        for (int side = 0; side < 2; side++) {
            actuator[k].body[side] = place[k].on[side] ? place[k].on[side]->handle : NULL;
            memcpy(actuator[k].wrench[side], place[k].wrench[side], sizeof actuator[k].wrench[side]);
        }
    }
    free(place);
    return status;
}

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
    if (!inverse || size == 0) return ukRefuseArgument("ukWorldInverseDynamics: inverse");
    int status = refuseInverse(actuators, count, weights, forces);
    if (status != ukOk) return status;
    if (acceleration && !ukFiniteAll(acceleration, 6 * (size_t)w->body_count))
        return ukRefuseArgument("ukWorldInverseDynamics: an acceleration is not finite");
    ukActuator *const actuator = calloc((size_t)count + 1, sizeof *actuator);
    dReal *const u = calloc((size_t)count + 1, sizeof *u);
    if (actuator && u) {
        ukPreserved preserved;
        status = ukPreserveBegin(&preserved, w);
        if (status == ukOk) status = findActuators(w, actuators, count, weights, actuator);
        if (status == ukOk) status = ukPreserveRestore(&preserved);
        const ukInverseTask task = {.actuator = actuator, .count = count, .acceleration = acceleration, .forces = u};
        if (status == ukOk) status = ukInverseFind(w, &task, &found);
        status = ukPreserveEnd(&preserved, status);
    } else {
        status = ukErrorMemory;
        ukErrorSet(status, "no memory for %d actuators", count);
    }
    if (status == ukOk) {
        for (int k = 0; k < count; k++) forces[k] = u[k];
        ukSizedWrite(inverse, size, &found, sizeof found);
    }
    free(actuator);
    free(u);
    return status;
}
