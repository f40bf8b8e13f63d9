/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/replay/difference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/world/energy.h"
#include "bridge/world/registry.h"

double ukEnergyOf(dWorldID world)
{
    dVector3 gravity;
    dReal kinetic = 0, potential = 0;
    dWorldGetGravity(world, gravity);
    const double g[3] = {gravity[0], gravity[1], gravity[2]};
    for (ukBody *b = ukRegistryWorld(world)->oldest_body; b; b = b->newer) ukBodyEnergy(b, g, &kinetic, &potential);
    return kinetic + potential;
}

static double apart3(const dReal *x, const dReal *y)
{
    return sqrt((x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) + (x[2] - y[2]) * (x[2] - y[2]));
}

/* angle of the turn from one to the other */
static double differenceTurn(const dReal *p, const dReal *q)
{
    double minus = 0, plus = 0;
    for (int i = 0; i < 4; i++) {
        minus += (p[i] - q[i]) * (p[i] - q[i]);
        plus += (p[i] + q[i]) * (p[i] + q[i]);
    }
    return 4 * asin(fmin(1, 0.5 * sqrt(fmin(minus, plus))));
}

static bool reserveDifference(ukDifference *d, int bodies)
{
    if (bodies <= d->bodies) return true;
    ukBodyApart *grown = realloc(d->body, (size_t)bodies * sizeof *grown);
    if (!grown) return false;
    memset(grown + d->bodies, 0, (size_t)(bodies - d->bodies) * sizeof *grown);
    d->body = grown;
    d->bodies = bodies;
    return true;
}

bool ukDifferenceTake(ukDifference *d, dWorldID x, dWorldID y, double time)
{
    const ukWorld *const a = ukRegistryWorld(x), *const b = ukRegistryWorld(y);
    const ukBody *p = a->oldest_body, *q = b->oldest_body;
    if (!reserveDifference(d, (int)a->bodies)) return false;
    while (p && q) {
        if (p->serial != q->serial) { /* one that is missing in the other */
            if (p->serial < q->serial)
                p = p->newer;
            else
                q = q->newer;
            continue;
        }
        const double now[ukAparts] = {apart3(p->position, q->position), differenceTurn(p->quaternion, q->quaternion),
                                      apart3(p->linear, q->linear), apart3(p->angular, q->angular)};
        ukBodyApart *body = &d->body[p->serial - 1];
        for (int k = 0; k < ukAparts; k++) {
            if (now[k] <= body->most[k]) continue;
            body->most[k] = now[k];
            body->time[k] = time;
        }
        p = p->newer;
        q = q->newer;
    }
    d->last[0] = ukEnergyOf(x);
    d->last[1] = ukEnergyOf(y);
    d->energy = fmax(d->energy, fabs(d->last[1] - d->last[0]));
    return true;
}

void ukDifferenceFree(ukDifference *d)
{
    free(d->body);
    *d = (ukDifference){0};
}
