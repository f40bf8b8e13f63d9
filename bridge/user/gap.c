/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/user/gap.h"

#include <math.h>

static const double touching = 1e-11, deep = 1e-4; /* of the reach: an angle */

static double gapReach(const struct ukConstraint *c, int i)
{
    const double *J = c->A + 6 * (size_t)c->element.count * (size_t)i;
    double most = 0;
    for (int slot = 0; slot < c->element.count; slot++, J += 6) {
        const ukBody *body = c->element.body[slot];
        const double *I = body->constant.inertia, mass = body->constant.mass;
        const double linear = J[0] * J[0] + J[1] * J[1] + J[2] * J[2],
                     angular = J[3] * J[3] + J[4] * J[4] + J[5] * J[5];
        most = fmax(most, angular + (mass > 0 ? linear * (I[0] + I[4] + I[8]) / (2 * mass) : 0));
    }
    return sqrt(most);
}

ukBoundedKind ukGapBounded(const struct ukConstraint *c, int i)
{
    const ukRowBounds *limit = c->limit ? &c->limit[i] : NULL;
    const bool low = limit && limit->lo > -INFINITY, high = limit && limit->hi < INFINITY;
    if (!limit || limit->one_sided || (!low && !high)) return ukBoundedNone;
    if (!c->error) return ukBoundedAcceleration;
    const bool gains = c->element.world->settings.stabilization == ukStabilizeBaumgarte;
    if (ukGapIsHolonomic(c, i)) return gains ? ukBoundedAcceleration : ukBoundedNone;
    return low && high ? ukBoundedMotor : ukBoundedNone;
}

double ukGapTouch(const struct ukConstraint *c, int i)
{
    return touching * gapReach(c, i);
}

bool ukGapActs(const struct ukConstraint *c, int i, bool follows, const ukRowContext *rows)
{
    const ukRowBounds *limit = c->limit ? &c->limit[i] : NULL;
    if (follows && ukGapBounded(c, i) != ukBoundedNone)
        return limit->mode == ukRowUndecided || limit->mode == ukRowActive;
    if (!limit || !limit->one_sided) return true;
    if (follows && limit->mode != ukRowUndecided) return limit->mode == ukRowActive;
    if (rows->flight && !follows) return false;
    return !ukGapIsHolonomic(c, i) || c->phi[i] <= (follows || rows->touching ? ukGapTouch(c, i) : 0);
}

bool ukGapIsDeep(const struct ukConstraint *c, int i)
{
    return ukGapIsHolonomic(c, i) && c->phi[i] < -deep * gapReach(c, i);
}
