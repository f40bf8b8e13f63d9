/* SPDX-License-Identifier: BSD-3-Clause */
/* What the imitation of Webots' fork adds to ODE's source (webots.sh): water whose surface is horizontal, and the step
 * that Webots calls, which in several threads moves the bodies into a world of the library's own. */
#include <ode/ode.h>

#include "config.h"
#include "joints/joint.h"
#include "objects.h"

extern "C" {

typedef int StepFunction(dWorldID, dReal);
void testImmerse(dBodyID body, dReal volume, dReal level);
void testDrain(void);
int dFluidDynamicsStep(dWorldID world);
void dToggleODE_MT(int threads);
void dWorldStepAndSpaceCollide(dSpaceID space, void *data, dNearCallback *callback, dWorldID world, dReal h,
                               StepFunction *step, void (*update)(int));

static struct {
    dBodyID body;
    dReal volume, level;
} immersed[16];
static int count, threads;

void testImmerse(dBodyID body, dReal volume, dReal level)
{
    immersed[count].body = body;
    immersed[count].volume = volume;
    immersed[count++].level = level;
}

void testDrain(void)
{
    count = 0;
}

/* thrust at a point beside the centre of mass, quadratic drag, linear drag of rotation */
int dFluidDynamicsStep(dWorldID world)
{
    const dReal density = 1000;
    for (int k = 0; k < count; k++) {
        const dBodyID body = immersed[k].body;
        if (dBodyGetWorld(body) != world) continue;
        const dReal *const x = dBodyGetPosition(body), *const v = dBodyGetLinearVel(body);
        const dReal *const w = dBodyGetAngularVel(body);
        dVector3 gravity, centre;
        dReal part = 0.5 - 2 * (x[2] - immersed[k].level);
        part = part < 0 ? 0 : part > 1 ? 1 : part;
        dWorldGetGravity(world, gravity);
        dBodyGetRelPointPos(body, 0.02, 0, 0.05, centre);
        const dReal mass = density * immersed[k].volume * part, drag = 20 * part * dCalcVectorLength3(v);
        dReal force[3];
        for (int i = 0; i < 3; i++) force[i] = -mass * gravity[i] - drag * v[i];
        dBodyAddForceAtPos(body, force[0], force[1], force[2], centre[0], centre[1], centre[2]);
        dBodyAddTorque(body, -part * w[0], -part * w[1], -part * w[2]);
    }
    return 1;
}

void dToggleODE_MT(int number)
{
    threads = number;
}

static void moveAll(dxWorld *from, dxWorld *to)
{
    to->firstbody = from->firstbody;
    to->firstjoint = from->firstjoint;
    to->nb = from->nb;
    to->nj = from->nj;
    if (to->firstbody) to->firstbody->tome = (dObject **)&to->firstbody;
    if (to->firstjoint) to->firstjoint->tome = (dObject **)&to->firstjoint;
    for (dxBody *b = to->firstbody; b; b = (dxBody *)b->next) b->world = to;
    for (dObject *j = to->firstjoint; j; j = j->next) j->world = to;
    from->firstbody = NULL;
    from->firstjoint = NULL;
    from->nb = from->nj = 0;
}

void dWorldStepAndSpaceCollide(dSpaceID space, void *data, dNearCallback *callback, dWorldID world, dReal h,
                               StepFunction *step, void (*update)(int))
{
    if (threads > 0) {
        dxWorld *const cluster = new dxWorld();
        dCopyVector3(cluster->gravity, world->gravity);
        cluster->global_erp = world->global_erp;
        cluster->global_cfm = world->global_cfm;
        moveAll(world, cluster);
        step(cluster, h);
        moveAll(cluster, world);
        delete cluster;
    } else {
        step(world, h);
    }
    if (update) update(-1);
    dSpaceCollide(space, data, callback);
}
}
