/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/results/opening.h"

#include <math.h>
#include <stdio.h>

#include "bridge/base/vector.h"
#include "bridge/island/stepper.h"
#include "bridge/joints/class.h"
#include "bridge/joints/geometry.h"
#include "bridge/ode/ode.h"

static const double noticed = 0.1; /* least opening in one step, relative to the length */

/* whether the joint holds two anchors together, or at a distance */
static bool holdsAnchors(const ukJoint *joint)
{
    switch ((int)joint->class->type) {
    case dJointTypeBall:
    case dJointTypeHinge:
    case dJointTypeUniversal:
    case dJointTypeDBall: return true;
    default: return false;
    }
}

/* distance of the anchors beyond that which the joint holds; *length: the sum of the distances of the centres from them */
static double gapOf(const ukJoint *joint, const ukState *a, const ukState *b, double *length)
{
    double Pa[3], Pb[3], ra[3], rb[3], gap[3];
    ukAnchor(a, joint->anchor1, Pa, ra);
    ukAnchor(b, joint->anchor2, Pb, rb);
    for (int k = 0; k < 3; k++) gap[k] = Pa[k] - Pb[k];
    const bool rod = joint->class->type == dJointTypeDBall;
    *length = ukSize(ra, 3) + (b ? ukSize(rb, 3) : 0) + (rod ? joint->target : 0);
    return fabs(ukSize(gap, 3) - (rod ? joint->target : 0));
}

static bool addOpening(const ukJoint *joint, const ukFrame *a, const ukFrame *b, ukOpening *worst)
{
    ukState end[2] = {a->state, b ? b->state : a->state};
    double length;
    for (int k = 0; k < 2; k++) ukStateOrient(&end[k]);
    const double before = gapOf(joint, &a->start, b ? &b->start : NULL, &length);
    const double gap = gapOf(joint, &end[0], b ? &end[1] : NULL, &length) - before, ratio = gap / length;
    if (!(ratio > noticed) || !(ratio > worst->ratio) || !(length > 0)) return false;
    *worst = (ukOpening){.ratio = ratio, .gap = gap, .length = length};
    if (joint->name)
        snprintf(worst->joint, sizeof worst->joint, "%s", joint->name);
    else
        snprintf(worst->joint, sizeof worst->joint, "%s joint %llu", joint->class->name,
                 (unsigned long long)joint->serial);
    return true;
}

bool ukOpeningWorst(const ukWorld *world, ukOpening *worst)
{
    const ukStepper *s = world->stepper;
    bool found = false;
    if (world->settings.integrator != ukIntegratorEuler || dWorldGetCFM(world->handle) > ukSpringCfm) return false;
    for (int i = 0; i < s->island_count; i++) {
        const ukIsland *island = &s->islands[i];
        for (int j = 0; j < island->joints; j++) {
            const ukJoint *joint = island->joint[j];
            if (!joint->handle || !joint->body[0] || !holdsAnchors(joint)) continue;
            if (joint->class->type != dJointTypeHinge && joint->class->type != dJointTypeUniversal &&
                joint->cfm > ukSpringCfm)
                continue;
            const ukFrame *const a = ukIslandFrame(island, joint->body[0]);
            const ukFrame *const b = joint->body[1] ? ukIslandFrame(island, joint->body[1]) : NULL;
            if (a && (b || !joint->body[1])) found |= addOpening(joint, a, b, worst);
        }
    }
    return found;
}
