/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/island/user_row.h"

#include <math.h>

#include "bridge/base/vector.h"
#include "bridge/user/gap.h"

static const double *userRowOf(const struct ukConstraint *c, int i)
{
    return c->A + 6 * (size_t)c->element.count * (size_t)i;
}

double ukRowCompliance(const ukIsland *island, const double *J, ukBody *const *body, int count)
{
    const ukBodyArrays *bodies = &island->bodies;
    double sum = 0;
    for (int slot = 0; slot < count; slot++, J += 6) {
        const int moving = ukFrameOf(island, body[slot])->moving;
        double turned[3];
        if (moving < 0 || !(bodies->mass[moving] > 0)) continue;
        ukRotate(bodies->inverse_inertia + 9 * (size_t)moving, J + 3, turned);
        sum += ukDot(J, J) / bodies->mass[moving] + ukDot(J + 3, turned);
    }
    return sum;
}

double ukRowResidual(const ukIsland *island, const double *J, ukBody *const *body, int count, double b)
{
    double sum = -b;
    for (int slot = 0; slot < count; slot++, J += 6) {
        const int moving = ukFrameOf(island, body[slot])->moving;
        for (int k = 0; moving >= 0 && k < 6; k++) sum += J[k] * island->bodies.qdd[6 * moving + k];
    }
    return sum;
}

double ukUserRowCompliance(const ukIsland *island, const struct ukConstraint *c, int i)
{
    return ukRowCompliance(island, userRowOf(c, i), c->element.body, c->element.count);
}

double ukUserRowResidual(const ukIsland *island, const struct ukConstraint *c, int i)
{
    return ukRowResidual(island, userRowOf(c, i), c->element.body, c->element.count, c->b[i]);
}

void ukUserRowStart(const ukIsland *island, struct ukConstraint *c, int i)
{
    ukRowStart *start = &c->limit[i].start;
    if (start->taken) return;
    *start = (ukRowStart){.taken = true,
                          .phi = ukGapIsHolonomic(c, i) ? c->phi[i] : (double)NAN,
                          .psi = c->error ? c->psi[i] : (double)NAN,
                          .compliance = ukUserRowCompliance(island, c, i)};
}

void ukUserRowApply(ukIsland *island, const struct ukConstraint *c)
{
    for (int i = 0; i < c->rows; i++) {
        const double *J = userRowOf(c, i);
        if (c->limit[i].mode != ukRowFull) continue;
        for (int slot = 0; slot < c->element.count; slot++, J += 6) {
            ukFrame *f = ukFrameOf(island, c->element.body[slot]);
            for (int k = 0; k < 6; k++) f->force[k] += ukUserRowBound(&c->limit[i]) * J[k];
        }
    }
}

void ukUserRowForces(const struct ukConstraint *c, double weight, double *force)
{
    const int n = 6 * c->element.count;
    for (int i = 0; i < c->rows; i++) {
        if (c->limit[i].mode != ukRowFull) continue;
        const double *J = userRowOf(c, i), lambda = weight * ukUserRowBound(&c->limit[i]);
        for (int k = 0; k < n; k++) force[k] += lambda * J[k];
    }
}
