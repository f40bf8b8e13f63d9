/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/analysis/search.h"

#include <stdlib.h>
#include <string.h>

#include "bridge/analyze/assembly.h"
#include "bridge/analyze/equilibrium.h"
#include "bridge/analyze/inverse.h"
#include "bridge/base/log.h"
#include "plugin/analysis/preserve.h"
#include "plugin/analysis/signal.h"
#include "solvers/base/status.h"

/* Moves the bodies to the poses found, by the calls of a program. */
static void movePoses(const dBodyID *body, const dReal *x, const dReal *q, int count)
{
    for (int k = 0; k < count; k++, x += 3, q += 4) {
        dBodySetPosition(body[k], x[0], x[1], x[2]);
        dBodySetQuaternion(body[k], (dQuaternion){q[0], q[1], q[2], q[3]});
    }
}

int ukSearchPoses(ukWorld *w, const ukTarget *target, int count, ukAssembly *found)
{
    ukPreserved preserved;
    int status = ukPreserveBegin(&preserved, w);
    if (status == ukOk) status = ukAssemblyFind(w, target, count, found);
    status = ukPreserveEnd(&preserved, status);
    if (status == ukOk && found->met) movePoses(found->bodies, found->positions, found->orientations, found->count);
    return status;
}

int ukSearchBalance(ukWorld *w, double tolerance, ukEquilibrium *found)
{
    ukPreserved preserved;
    int status = ukPreserveBegin(&preserved, w);
    if (status == ukOk) status = ukEquilibriumFind(w, tolerance, found);
    status = ukPreserveEnd(&preserved, status);
    if (status != ukOk || !found->found) return status;
    movePoses(found->bodies, found->positions, found->orientations, found->count);
    for (int k = 0; k < found->count; k++) {
        dBodySetLinearVel(found->bodies[k], 0, 0, 0);
        dBodySetAngularVel(found->bodies[k], 0, 0, 0);
    }
    return ukOk;
}

/* The wrenches of the actuators, found with the world preserved. */
static int findActuators(ukWorld *w, const ukSignal *signal, int count, const dReal *weights,
                         ukInverseActuator *actuator)
{
    ukSignalPlace *const place = calloc((size_t)count + 1, sizeof *place);
    if (!place) return ukErrorSet(ukErrorMemory, "no memory for %d actuators", count);
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

int ukSearchForces(ukWorld *w, const ukForceSearch *search, dReal *forces, ukInverse *found)
{
    ukInverseActuator *const actuator = calloc((size_t)search->count + 1, sizeof *actuator);
    if (!actuator) return ukErrorSet(ukErrorMemory, "no memory for %d actuators", search->count);
    const ukInverseTask task = {
        .actuator = actuator, .count = search->count, .acceleration = search->acceleration, .forces = forces};
    ukPreserved preserved;
    int status = ukPreserveBegin(&preserved, w);
    if (status == ukOk) status = findActuators(w, search->actuator, search->count, search->weights, actuator);
    if (status == ukOk) status = ukPreserveRestore(&preserved);
    if (status == ukOk) status = ukInverseFind(w, &task, found);
    status = ukPreserveEnd(&preserved, status);
    free(actuator);
    return status;
}
