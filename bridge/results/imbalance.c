/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/results/imbalance.h"

#include <math.h>
#include <stdio.h>

#include "bridge/base/vector.h"
#include "bridge/joints/geometry.h"
#include "bridge/joints/row.h"

static const double noticed = 0.05; /* impulse over momentum */

/* of a body's spin */
static double spinOf(const ukFrame *f)
{
    double local[3], turned[3];
    ukUnrotate(f->start.R, f->start.v + 3, local);
    ukRotate(f->body->constant.inertia, local, turned);
    return ukSize(turned, 3);
}

/* at most, of both bodies about their common centre; b NULL, or kinematic: of a about the anchor */
static double momentumOf(const ukFrame *a, const ukFrame *b, const double anchor[3])
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
        reduced = a->body->constant.kinematic ? mb : ma * mb / (ma + mb);
        sum += spinOf(b);
    }
    return sum + reduced * ukSize(x, 3) * ukSize(v, 3);
}

static void addJoint(ukStepper *s, const ukFrame *a, const ukFrame *b, ukJoint *joint, double h)
{
    double Pa[3], Pb[3], lever[3], gap[3], f[3], torque[3];
    ukAnchor(&a->start, joint->anchor1, Pa, lever);
    ukAnchor(b ? &b->start : NULL, joint->anchor2, Pb, lever);
    for (int k = 0; k < 3; k++) {
        gap[k] = Pa[k] - Pb[k];
        f[k] = joint->reaction->ideal[0][k] + joint->reaction->nonideal[0][k];
    }
    ukCross(gap, f, torque);
    for (int k = 0; k < 3; k++) joint->imbalance.impulse[k] += h * torque[k];
    joint->imbalance.momentum = fmax(joint->imbalance.momentum, momentumOf(a, b, Pb));
    const double impulse = ukSize(joint->imbalance.impulse, 3), ratio = impulse / joint->imbalance.momentum;
    if (!(ratio > noticed) || !(ratio > s->imbalance.ratio)) return;
    s->imbalance = (ukImbalance){.ratio = ratio, .impulse = impulse, .momentum = joint->imbalance.momentum};
    if (joint->name)
        snprintf(s->imbalance.joint, sizeof s->imbalance.joint, "%s", joint->name);
    else
        snprintf(s->imbalance.joint, sizeof s->imbalance.joint, "%s %llu", joint->class->name,
                 (unsigned long long)joint->serial);
}

void ukImbalanceWatch(ukStepper *s, double h)
{
    for (int i = 0; i < s->island_count; i++)
        for (int j = s->islands[i].joint; j < s->islands[i].joint + s->islands[i].joints; j++) {
            ukJoint *joint = s->joints[j];
            if (!joint->handle || !joint->body[0] || ukIsContact(joint) || !ukRowsApart(joint)) continue;
            const ukFrame *const a = ukIslandFrame(s, &s->islands[i], joint->body[0]);
            const ukFrame *const b = joint->body[1] ? ukIslandFrame(s, &s->islands[i], joint->body[1]) : NULL;
            if (a && (b || !joint->body[1])) addJoint(s, a, b, joint, h);
        }
}
