/* SPDX-License-Identifier: BSD-3-Clause */
/* demos/scenes_chain.c: chains, loops, trees and nets of any size. Every body starts at identity, as boxes whose long
 * edge lies along x whatever the direction of the link is. */
#include "demos/scenes.h"

#include <math.h>

static const dReal pitch = 0.2, mass = 0.5;

static Scene *tilted(int bodies, int joints)
{
    Scene *s = sceneNew(bodies, joints, 0.002);
    dWorldSetGravity(s->world, 0.8, 2.4, -9.477); /* 9.81 m/s^2 in all */
    return s;
}

Scene *sceneHingeChain(int n)
{
    Scene *s = tilted(n, n);
    for (int i = 0; i < n; i++) {
        const dReal p[3] = {pitch * i, 0, 0};
        const dBodyID b = sceneAddBox(s, mass, pitch, 0.05, 0.05, p[0] + pitch / 2, 0, 0);
        sceneAddHinge(s, b, i > 0 ? s->bodies[i - 1] : 0, p, 0, i % 2 == 0, i % 2 == 1);
    }
    return s;
}

Scene *sceneBallLoop(int n)
{
    Scene *s = tilted(n, n + 1);
    const dReal radius = pitch * n / M_PI;
    for (int i = 0; i <= n; i++) {
        const dReal t = M_PI * i / n, middle = M_PI * (i + 0.5) / n;
        const dReal p[3] = {-radius * cos(t), 0, -radius * sin(t)};
        const dBodyID before = i > 0 ? s->bodies[i - 1] : 0;
        if (i < n) {
            const dBodyID b = sceneAddBox(s, mass, pitch, 0.05, 0.05, -radius * cos(middle), 0, -radius * sin(middle));
            sceneAddBall(s, b, before, p);
        } else {
            sceneAddBall(s, before, 0, p);
        }
    }
    return s;
}

Scene *sceneTree(int n)
{
    Scene *s = tilted(n, n);
    for (int i = 0; i < n; i++) { /* children of i: 2i + 1 and 2i + 2 */
        int depth = 0;
        for (int k = i + 1; k > 1; k /= 2) depth++;
        const dReal side = i == 0 ? 0 : i % 2 ? -1 : 1, spread = pitch * pow(0.8, depth);
        const dReal root[3] = {0, 0, 0}, *parent = i > 0 ? dBodyGetPosition(s->bodies[(i - 1) / 2]) : root;
        const dReal p[3] = {parent[0], parent[1], parent[2] - (i > 0 ? pitch / 2 : 0)};
        const dReal x = p[0] + (depth % 2 ? side * spread : 0), y = p[1] + (depth % 2 ? 0 : side * spread);
        const dBodyID b = sceneAddBox(s, mass, pitch, 0.05, 0.05, x, y, p[2] - pitch / 2);
        sceneAddHinge(s, b, i > 0 ? s->bodies[(i - 1) / 2] : 0, p, depth % 2, depth % 2 == 0, 0);
    }
    return s;
}

Scene *sceneNet(int n, int flat)
{
    Scene *s = tilted(n * n, 2 * n * (n - 1) + 2);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const dReal z = flat ? 0 : 0.05 * sin(1.3 * i + 0.7) * cos(1.7 * j + 0.2);
            sceneAddBox(s, mass, 0.15, 0.15, 0.05, pitch * j, pitch * i, z);
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const dBodyID b = s->bodies[i * n + j];
            for (int down = 0; down < 2; down++) {
                if ((down ? i : j) + 1 >= n) continue;
                const dBodyID next = s->bodies[down ? (i + 1) * n + j : i * n + j + 1];
                const dReal *x = dBodyGetPosition(b), *y = dBodyGetPosition(next);
                const dReal p[3] = {(x[0] + y[0]) / 2, (x[1] + y[1]) / 2, (x[2] + y[2]) / 2};
                sceneAddBall(s, b, next, p);
            }
        }
    for (int corner = 0; corner < 2; corner++) {
        const dBodyID b = s->bodies[corner * (n - 1)];
        const dReal *x = dBodyGetPosition(b), p[3] = {x[0], x[1] - pitch / 2, x[2]};
        sceneAddBall(s, b, 0, p);
    }
    return s;
}

/* Rods at identity, turned about z into their places round the hub: every one its own way. */
Scene *sceneHub(int n)
{
    Scene *s = tilted(n + 1, n + 1);
    const dReal radius = pitch * n / (2 * M_PI) + pitch, top[3] = {0, 0, 0.1};
    const dBodyID hub = sceneAddBox(s, 10 + mass * n, 2 * radius, 2 * radius, 0.2, 0, 0, 0);
    sceneAddBall(s, hub, 0, top);
    for (int i = 0; i < n; i++) {
        const dReal t = 2 * M_PI * i / n, x = cos(t), y = sin(t), p[3] = {radius * x, radius * y, 0};
        const dReal end[3] = {p[0] + pitch * x, p[1] + pitch * y, 0};
        const dBodyID rod = sceneAddBar(s, mass, 0.05, p, end);
        if (i % 2)
            sceneAddBall(s, rod, hub, p);
        else
            sceneAddHinge(s, rod, hub, p, -y, x, 0);
    }
    return s;
}

Scene *sceneHeavyChain(int n, int hanging)
{
    Scene *s = sceneNew(n, n, 0.005);
    for (int i = 0; i < n; i++) {
        const dReal along = pitch * i, at = along + pitch / 2;
        const dReal p[3] = {hanging ? 0 : along, 0, hanging ? -along : 0};
        const dReal m = i < n - 1 ? 0.1 : 1000;
        const dBodyID b = sceneAddBox(s, m, hanging ? 0.05 : pitch, 0.05, hanging ? pitch : 0.05, hanging ? 0 : at, 0,
                                      hanging ? -at : 0);
        sceneAddHinge(s, b, i > 0 ? s->bodies[i - 1] : 0, p, 0, 1, 0);
    }
    if (hanging) dBodySetLinearVel(s->bodies[n / 2], 1, 0, 0);
    return s;
}
