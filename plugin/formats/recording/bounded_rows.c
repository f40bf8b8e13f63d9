/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/recording/bounded_rows.h"

#include <math.h>

#include "bridge/base/vector.h"
#include "bridge/world/element.h"

/* whether one of the constraint's bodies is enabled: then the step has evaluated it */
static bool isAwake(const ukElement *e)
{
    for (int i = 0; e->active && i < e->count; i++)
        if (dBodyIsEnabled(e->body[i]->handle)) return true;
    return false;
}

static bool hasBounds(const ukRowBounds *limit)
{
    return limit->lo > -INFINITY || limit->hi < INFINITY;
}

/* A v of row i, with the bodies' present velocities */
static double rowRateOf(const struct ukConstraint *c, int i)
{
    const double *J = c->A + 6 * (size_t)c->element.count * (size_t)i;
    double sum = 0;
    for (int slot = 0; slot < c->element.count; slot++, J += 6)
        sum += ukDot(J, c->element.body[slot]->linear) + ukDot(J + 3, c->element.body[slot]->angular);
    return sum;
}

void ukBoundedRowsPut(ukQueue *queue, const ukWorld *world, int64_t step)
{
    long long number = 0;
    for (const ukElement *e = world->oldest_element; e; e = e->newer) {
        const struct ukConstraint *const c = e->is_force ? NULL : (const struct ukConstraint *)e;
        if (!c || !c->limit || !isAwake(e)) continue;
        for (int i = 0; i < c->rows; i++) {
            const ukRowBounds *const l = &c->limit[i];
            if (!hasBounds(l) || !l->start.taken) continue;
            ukQueuePut(queue, ukInsertBoundedRowStep, (long long)step, ++number, (long long)e->serial, (long long)i,
                       (long long)l->one_sided, (long long)e->body[0]->recorded.key,
                       e->count > 1 ? (long long)e->body[1]->recorded.key : ukNullInt, l->lo, l->hi,
                       l->one_sided ? l->restitution : (double)NAN, l->start.phi, l->start.psi, rowRateOf(c, i),
                       l->start.compliance, c->lambda[i]);
        }
    }
}
