/* SPDX-License-Identifier: BSD-3-Clause */
#include "demos/scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *zeroed(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size);
    if (!p) abort();
    return p;
}

Scene *sceneNew(int max_bodies, int max_joints, dReal h)
{
    Scene *s = zeroed(1, sizeof *s);
    s->world = dWorldCreate();
    s->bodies = zeroed((size_t)max_bodies, sizeof *s->bodies);
    s->joints = zeroed((size_t)max_joints, sizeof *s->joints);
    s->h = h;
    dWorldSetGravity(s->world, 0, 0, -9.81);
    return s;
}

void sceneDestroy(Scene *s)
{
    if (!s) return;
    if (s->contacts) dJointGroupDestroy(s->contacts);
    if (s->space) dSpaceDestroy(s->space);
    dWorldDestroy(s->world);
    free(s->bodies);
    free(s->joints);
    free(s->feedback);
    free(s);
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static void touch(void *data, dGeomID g1, dGeomID g2)
{
    enum { MaxContacts = 8 };
    Scene *s = data;
    dContact contact[MaxContacts];
    const dBodyID b1 = dGeomGetBody(g1), b2 = dGeomGetBody(g2);
    if (!b1 && !b2) return;
    const int n = dCollide(g1, g2, MaxContacts, &contact[0].geom, sizeof *contact);
    for (int i = 0; i < n; i++) {
        memset(&contact[i].surface, 0, sizeof contact[i].surface);
        contact[i].surface.mode = dContactApprox1;
        contact[i].surface.mu = s->mu;
        dJointAttach(dJointCreateContact(s->world, s->contacts, &contact[i]), b1, b2);
    }
    s->contact_count += n;
}

int sceneStep(Scene *s, dReal h, SceneStepFn *step)
{
    s->contact_count = 0;
    if (s->drive) s->drive(s);
    if (s->space) dSpaceCollide(s->space, s, touch);
    const int ok = step(s->world, h);
    if (s->contacts) dJointGroupEmpty(s->contacts);
    s->time += h;
    return ok;
}

/* ---- measures ---------------------------------------------------------------------------------------------------- */

dReal sceneEnergy(const Scene *s)
{
    dReal sum = 0;
    dVector3 g, w, L;
    dWorldGetGravity(s->world, g);
    for (int i = 0; i < s->count; i++) {
        const dBodyID b = s->bodies[i];
        const dReal *v = dBodyGetLinearVel(b), *spin = dBodyGetAngularVel(b);
        dMass m;
        if (dBodyIsKinematic(b)) continue;
        dBodyGetMass(b, &m);
        dBodyVectorFromWorld(b, spin[0], spin[1], spin[2], w);
        dMultiply0_331(L, m.I, w);
        sum += 0.5 * m.mass * dCalcVectorDot3(v, v) + 0.5 * dCalcVectorDot3(w, L);
        sum -= m.mass * dCalcVectorDot3(g, dBodyGetPosition(b));
    }
    return sum;
}

dReal sceneGap(const Scene *s)
{
    dReal worst = 0;
    for (int i = 0; i < s->joint_count; i++) {
        dVector3 p, q;
        switch (dJointGetType(s->joints[i])) {
        case dJointTypeBall:
            dJointGetBallAnchor(s->joints[i], p);
            dJointGetBallAnchor2(s->joints[i], q);
            break;
        case dJointTypeHinge:
            dJointGetHingeAnchor(s->joints[i], p);
            dJointGetHingeAnchor2(s->joints[i], q);
            break;
        case dJointTypeUniversal:
            dJointGetUniversalAnchor(s->joints[i], p);
            dJointGetUniversalAnchor2(s->joints[i], q);
            break;
        default: continue;
        }
        const dReal gap = dCalcPointsDistance3(p, q);
        if (!(gap <= worst)) worst = gap; /* NaN is the worst */
    }
    return worst;
}

void sceneNote(const Scene *s, dReal *positions)
{
    for (int i = 0; i < s->count; i++)
        memcpy(positions + 3 * (size_t)i, dBodyGetPosition(s->bodies[i]), 3 * sizeof *positions);
}

dReal sceneDrift(const Scene *s, const dReal *from)
{
    dReal worst = 0;
    for (int i = 0; i < s->count; i++) {
        const dReal moved = dCalcPointsDistance3(dBodyGetPosition(s->bodies[i]), from + 3 * (size_t)i);
        if (!(moved <= worst)) worst = moved; /* NaN is the worst */
    }
    return worst;
}

dReal sceneFastest(const Scene *s)
{
    dReal worst = 0;
    for (int i = 0; i < s->count; i++) {
        const dReal *v = dBodyGetLinearVel(s->bodies[i]), speed = dCalcVectorLength3(v);
        if (!(speed <= worst)) worst = speed;
    }
    return worst;
}

void sceneCalm(Scene *s, dReal layer, dReal damping)
{
    dWorldSetContactSurfaceLayer(s->world, layer);
    /* the world's damping is for bodies yet to come, and spares speeds below 0.01 */
    for (int i = 0; damping > 0 && i < s->count; i++) {
        dBodySetDamping(s->bodies[i], damping, damping);
        dBodySetLinearDampingThreshold(s->bodies[i], 0);
        dBodySetAngularDampingThreshold(s->bodies[i], 0);
    }
}

void sceneWatch(Scene *s)
{
    if (s->feedback) return;
    s->feedback = zeroed((size_t)s->joint_count, sizeof *s->feedback);
    for (int i = 0; i < s->joint_count; i++) dJointSetFeedback(s->joints[i], &s->feedback[i]);
}

/* ---- building blocks --------------------------------------------------------------------------------------------- */

dBodyID sceneAddBox(Scene *s, dReal m, dReal lx, dReal ly, dReal lz, dReal x, dReal y, dReal z)
{
    const dBodyID b = dBodyCreate(s->world);
    dMass mass;
    dMassSetBoxTotal(&mass, m, lx, ly, lz);
    dBodySetMass(b, &mass);
    dBodySetPosition(b, x, y, z);
    if (s->space) dGeomSetBody(dCreateBox(s->space, lx, ly, lz), b);
    return s->bodies[s->count++] = b;
}

dBodyID sceneAddBar(Scene *s, dReal m, dReal w, const dReal p[3], const dReal q[3])
{
    const dReal d[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]}, length = sqrt(dCalcVectorDot3(d, d));
    const dBodyID b = sceneAddBox(s, m, length, w, w, (p[0] + q[0]) / 2, (p[1] + q[1]) / 2, (p[2] + q[2]) / 2);
    dMatrix3 R;
    dVector3 y, z;
    const dReal x[4] = {d[0] / length, d[1] / length, d[2] / length, 0};
    dPlaneSpace(x, y, z);
    for (int i = 0; i < 3; i++) {
        R[4 * i] = x[i];
        R[4 * i + 1] = y[i];
        R[4 * i + 2] = z[i];
        R[4 * i + 3] = 0;
    }
    dBodySetRotation(b, R);
    return b;
}

dJointID sceneAddHinge(Scene *s, dBodyID a, dBodyID b, const dReal p[3], dReal ax, dReal ay, dReal az)
{
    const dJointID j = dJointCreateHinge(s->world, 0);
    dJointAttach(j, a, b);
    dJointSetHingeAnchor(j, p[0], p[1], p[2]);
    dJointSetHingeAxis(j, ax, ay, az);
    return s->joints[s->joint_count++] = j;
}

dJointID sceneAddBall(Scene *s, dBodyID a, dBodyID b, const dReal p[3])
{
    const dJointID j = dJointCreateBall(s->world, 0);
    dJointAttach(j, a, b);
    dJointSetBallAnchor(j, p[0], p[1], p[2]);
    return s->joints[s->joint_count++] = j;
}

dJointID sceneAddSlider(Scene *s, dBodyID a, dBodyID b, dReal ax, dReal ay, dReal az)
{
    const dJointID j = dJointCreateSlider(s->world, 0);
    dJointAttach(j, a, b);
    dJointSetSliderAxis(j, ax, ay, az);
    return s->joints[s->joint_count++] = j;
}

dJointID sceneAddFixed(Scene *s, dBodyID a, dBodyID b)
{
    const dJointID j = dJointCreateFixed(s->world, 0);
    dJointAttach(j, a, b);
    dJointSetFixed(j);
    return s->joints[s->joint_count++] = j;
}

static Scene *bumpyNet(int n)
{
    return sceneNet(n, 0);
}

static Scene *lyingChain(int n)
{
    return sceneHeavyChain(n, 0);
}

static Scene *hangingChain(int n)
{
    return sceneHeavyChain(n, 1);
}

static Scene *flatNet(int n)
{
    return sceneNet(n, 1);
}

Scene *sceneByName(const char *name, int n)
{
    static const struct {
        const char *name;
        Scene *(*make)(int n);
        Scene *(*make_one)(void);
    } table[] = {
        {"chain", sceneHingeChain, NULL},
        {"loop", sceneBallLoop, NULL},
        {"tree", sceneTree, NULL},
        {"net", bumpyNet, NULL},
        {"flat_net", flatNet, NULL},
        {"stack", sceneStack, NULL},
        {"pyramid", scenePyramid, NULL},
        {"pile", scenePile, NULL},
        {"hub", sceneHub, NULL},
        {"heavy", lyingChain, NULL},
        {"hanging", hangingChain, NULL},
        {"ragdolls", sceneRagdolls, NULL},
        {"snake", sceneSnake, NULL},
        {"hanging_snake", sceneHangingSnake, NULL},
        {"soft_snake", sceneSoftSnake, NULL},
        {"walker", sceneWalker, NULL},
        {"car", sceneCar, NULL},
        {"bike", sceneBike, NULL},
        {"gripper", sceneGripper, NULL},
        {"truck", sceneTruck, NULL},
        {"tracked", sceneTracked, NULL},
        {"door", sceneDoor, NULL},
        {"trap_door", sceneTrapDoor, NULL},
        {"four_bar", NULL, sceneFourBar},
        {"bricard", NULL, sceneBricard},
        {"slider_crank", NULL, sceneSliderCrank},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0) return table[i].make ? table[i].make(n) : table[i].make_one();
    return NULL;
}
