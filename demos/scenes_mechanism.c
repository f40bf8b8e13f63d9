/* SPDX-License-Identifier: BSD-3-Clause */
/* demos/scenes_mechanism.c: the small mechanisms, most of them with more rows than they need. */
#include "demos/scenes.h"

#include <math.h>

Scene *sceneFourBar(void)
{
    Scene *s = sceneNew(3, 4, 0.01);
    const dReal c = M_SQRT1_2, w = 0.05;
    const dReal O[3] = {0, 0, 0}, A[3] = {c, 0, c}, B[3] = {2 + c, 0, c}, C[3] = {2, 0, 0};
    const dBodyID crank = sceneAddBar(s, 1, w, O, A);
    const dBodyID coupler = sceneAddBar(s, 2, w, A, B);
    const dBodyID rocker = sceneAddBar(s, 1, w, C, B);
    sceneAddHinge(s, crank, 0, O, 0, 1, 0);
    sceneAddHinge(s, crank, coupler, A, 0, 1, 0);
    sceneAddHinge(s, coupler, rocker, B, 0, 1, 0);
    sceneAddHinge(s, rocker, 0, C, 0, 1, 0);
    return s;
}

dReal sceneFourBarAngle(const Scene *s)
{
    const dReal *R = dBodyGetRotation(s->bodies[0]);
    return atan2(R[8], R[0]);
}

Scene *sceneGlued(void)
{
    Scene *s = sceneNew(2, 3, 0.001);
    const dBodyID a = sceneAddBox(s, 2, 0.2, 0.2, 0.2, 0, 0, 0);
    const dBodyID b = sceneAddBox(s, 1, 0.2, 0.2, 0.2, 0.5, 0, 0);
    sceneAddSlider(s, a, 0, 1, 0, 0);
    sceneAddSlider(s, b, 0, 1, 0, 0);
    sceneAddFixed(s, a, b);
    return s;
}

Scene *sceneDoor(int hinges)
{
    Scene *s = sceneNew(1, hinges, 0.005);
    const dBodyID door = sceneAddBox(s, 20, 0.9, 0.04, 2, 0.45, 0, 0);
    for (int i = 0; i < hinges; i++) {
        const dReal p[3] = {0, 0, 0.8 - 1.6 * i / (hinges - 1)};
        sceneAddHinge(s, door, 0, p, 0, 0, 1);
    }
    sceneWatch(s);
    return s;
}

Scene *sceneSliderCrank(void)
{
    Scene *s = sceneNew(3, 4, 0.001);
    const dReal r = 0.1, l = 0.3, rate = 10, O[3] = {0, 0, 0}, A[3] = {r, 0, 0}, B[3] = {r + l, 0, 0};
    const dBodyID crank = sceneAddBar(s, 1, 0.02, O, A);
    const dBodyID rod = sceneAddBar(s, 1, 0.02, A, B);
    const dBodyID piston = sceneAddBox(s, 2, 0.05, 0.05, 0.05, r + l, 0, 0);
    dWorldSetGravity(s->world, 0, 0, 0);
    sceneAddHinge(s, crank, 0, O, 0, 0, 1);
    sceneAddHinge(s, crank, rod, A, 0, 0, 1);
    sceneAddHinge(s, rod, piston, B, 0, 0, 1);
    sceneAddSlider(s, piston, 0, 1, 0, 0);
    /* at angle 0 the crank's end moves across, the piston stands, and the rod turns about it */
    dBodySetAngularVel(crank, 0, 0, rate);
    dBodySetLinearVel(crank, 0, rate * r / 2, 0);
    dBodySetAngularVel(rod, 0, 0, -rate * r / l);
    dBodySetLinearVel(rod, 0, rate * r / 2, 0);
    return s;
}

Scene *sceneTrapDoor(int hinges)
{
    Scene *s = sceneNew(1, hinges, 0.01);
    const dBodyID door = sceneAddBox(s, 5, 1, 1, 0.05, 0.5, 0, 0);
    for (int i = 0; i < hinges; i++) {
        const dReal p[3] = {0, hinges > 1 ? -0.4 + 0.8 * i / (hinges - 1) : 0, 0};
        sceneAddHinge(s, door, 0, p, 0, 1, 0);
    }
    return s;
}

Scene *sceneBricard(void)
{
    /* IFToMM's points (x, y, z), its y upwards, become (x, -z, y) */
    static const dReal point[6][3] = {{0, 0, 0}, {1, 0, 0}, {1, 0, -1}, {1, -1, -1}, {0, -1, -1}, {0, -1, 0}};
    static const dReal axis[6][3] = {{0, 0, 1}, {0, -1, 0}, {1, 0, 0}, {0, 0, 1}, {0, -1, 0}, {1, 0, 0}};
    Scene *s = sceneNew(5, 6, 0.01);
    for (int i = 0; i < 5; i++) sceneAddBar(s, 1, 0.1, point[i], point[i + 1]);
    for (int i = 0; i < 6; i++)
        sceneAddHinge(s, s->bodies[i < 5 ? i : 4], i > 0 && i < 5 ? s->bodies[i - 1] : 0, point[i], axis[i][0],
                      axis[i][1], axis[i][2]);
    return s;
}
