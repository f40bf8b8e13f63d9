/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/results/imbalance.h"

#include <math.h>
#include <stdio.h>

#include "bridge/base/vector.h"
#include "bridge/joints/geometry.h"
#include "bridge/joints/row.h"

static const double noticed = 0.05;  /* least impulse that is reported, relative to the angular momentum */
static const double rounding = 1e-9; /* of the lengths of the levers: a gap below this is none */

/* size of the angular momentum of a body's rotation */
static double spinOf(const ukFrame *f)
{
    double local[3], turned[3];
    ukUnrotate(f->start.R, f->start.v + 3, local);
    ukRotate(f->body->constant.inertia, local, turned);
    return ukSize(turned, 3);
}

/* upper bound of the angular momentum of both bodies about their common centre; b NULL, or kinematic: of a about the
 * anchor */
static double imbalanceMomentumOf(const ukFrame *a, const ukFrame *b, const double anchor[3])
{
    const double ma = a->body->constant.mass;
    double x[3], v[3], sum = spinOf(a), reduced = ma;
    const bool moves = b && !b->body->constant.kinematic;
    for (int k = 0; k < 3; k++) {
        x[k] = a->start.x[k] - (moves ? b->start.x[k] : anchor[k]);
        v[k] = a->start.v[k] - (b ? b->start.v[k] : 0);
    }
    if (moves) {
        const double mb = b->body->constant.mass;
        reduced = a->body->constant.kinematic ? mb : ma + mb > 0 ? ma * mb / (ma + mb) : 0;
        sum += spinOf(b);
    }
    return sum + reduced * ukSize(x, 3) * ukSize(v, 3);
}

static void addJoint(ukImbalance *worst, const ukFrame *a, const ukFrame *b, ukJoint *joint, double h)
{
    double Pa[3], Pb[3], lever[2][3] = {{0}}, gap[3], f[3], torque[3];
    ukAnchor(&a->start, joint->anchor1, Pa, lever[0]);
    ukAnchor(b ? &b->start : NULL, joint->anchor2, Pb, lever[1]);
    for (int k = 0; k < 3; k++) {
        gap[k] = Pa[k] - Pb[k];
        f[k] = joint->reaction->ideal[0][k] + joint->reaction->nonideal[0][k];
    }
    ukCross(gap, f, torque);
    for (int k = 0; k < 3; k++) joint->imbalance.impulse[k] += h * torque[k];
    joint->imbalance.momentum = fmax(joint->imbalance.momentum, imbalanceMomentumOf(a, b, Pb));
    const double length = ukSize(lever[0], 3) + ukSize(lever[1], 3) + ukSize(Pa, 3);
    if (!(ukSize(gap, 3) > rounding * length) || !(joint->imbalance.momentum > 0)) return;
    const double impulse = ukSize(joint->imbalance.impulse, 3), ratio = impulse / joint->imbalance.momentum;
    if (!(ratio > noticed) || !(ratio > worst->ratio)) return;
    *worst = (ukImbalance){.ratio = ratio, .impulse = impulse, .momentum = joint->imbalance.momentum};
    if (joint->name)
        snprintf(worst->joint, sizeof worst->joint, "%s", joint->name);
    else
        snprintf(worst->joint, sizeof worst->joint, "%s %llu", joint->class->name, (unsigned long long)joint->serial);
}

void ukImbalanceWatch(const ukIsland *islands, int count, double h, ukImbalance *worst)
{
    for (int i = 0; i < count; i++) {
        const ukIsland *island = &islands[i];
        for (int j = 0; j < island->joints; j++) {
            ukJoint *joint = island->joint[j];
            if (!ukRowsApart(joint) || !joint->handle || !joint->body[0] || ukIsContact(joint)) continue;
            const ukFrame *const a = ukIslandFrame(island, joint->body[0]);
            const ukFrame *const b = joint->body[1] ? ukIslandFrame(island, joint->body[1]) : NULL;
            if (a && (b || !joint->body[1])) addJoint(worst, a, b, joint, h);
        }
    }
}
