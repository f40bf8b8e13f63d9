/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/results/opening.h"

#include "bridge/island/stepper.h"
#include "bridge/joints/anchored.h"
#include "bridge/joints/class.h"
#include "bridge/joints/label.h"

static const double noticed = 0.1; /* least opening in one step, relative to the length */

static bool raiseOpening(const ukJoint *joint, const ukFrame *a, const ukFrame *b, ukOpening *worst)
{
    ukState end[2] = {a->state, b ? b->state : a->state};
    double length;
    for (int k = 0; k < 2; k++) ukStateOrient(&end[k]);
    const double before = ukAnchoredGap(joint, &a->start, b ? &b->start : NULL, &length);
    const double gap = ukAnchoredGap(joint, &end[0], b ? &end[1] : NULL, &length) - before, ratio = gap / length;
    if (!(ratio > noticed) || !(ratio > worst->ratio) || !(length > 0)) return false;
    *worst = (ukOpening){.ratio = ratio, .gap = gap, .length = length};
    ukJointLabel(joint, worst->joint, sizeof worst->joint);
    return true;
}

bool ukOpeningWorst(const ukWorld *world, ukOpening *worst)
{
    const ukStepper *s = world->stepper;
    bool found = false;
    if (dWorldGetCFM(world->handle) > ukSpringCfm()) return false;
    for (int i = 0; i < s->island_count; i++) {
        const ukIsland *island = &s->islands[i];
        for (int j = 0; j < island->joints; j++) {
            const ukJoint *joint = island->joint[j];
            if (!joint->handle || !joint->body[0] || !ukIsAnchored(joint)) continue;
            const ukFrame *const a = ukIslandFrame(island, joint->body[0]);
            const ukFrame *const b = joint->body[1] ? ukIslandFrame(island, joint->body[1]) : NULL;
            if (a && (b || !joint->body[1])) found |= raiseOpening(joint, a, b, worst);
        }
    }
    return found;
}
