/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/results/yielding.h"

#include <math.h>

#include "bridge/base/vector.h"
#include "bridge/island/stepper.h"
#include "bridge/joints/anchored.h"
#include "bridge/joints/class.h"
#include "bridge/joints/label.h"

static const double open_share = 0.05; /* of the smaller body's size: a wider gap is reported */
static const double explained = 0.5;   /* share of the gap that CFM and force must explain */
static const double least_erp = 0.01;  /* below it, a gap grows for longer than most motions last */

/* infinite: nothing says how large it is */
static double sizeOfBody(const ukFrame *f)
{
    const double mass = f ? f->body->constant.mass : 0, *inertia = f ? f->body->constant.inertia : NULL;
    if (!(mass > 0) || f->body->constant.kinematic) return INFINITY;
    return sqrt(2 * (inertia[0] + inertia[4] + inertia[8]) / mass);
}

static void keepWorstYielding(const ukJoint *joint, const ukFrame *a, const ukFrame *b, double yields,
                              ukYielding *worst)
{
    double length;
    const double gap = ukAnchoredGap(joint, &a->start, b ? &b->start : NULL, &length);
    const double ratio = gap / fmin(sizeOfBody(a), sizeOfBody(b));
    if (!(ratio > open_share) || !(ratio > worst->ratio) || !(yields > explained * gap)) return;
    worst->ratio = ratio, worst->gap = gap;
    ukJointLabel(joint, worst->joint, sizeof worst->joint);
}

void ukYieldingWorst(const ukWorld *world, ukYielding *worst)
{
    const ukStepper *s = world->stepper;
    const double cfm = dWorldGetCFM(world->handle), erp = dWorldGetERP(world->handle), before = worst->ratio;
    if (!(cfm > ukSpringCfm())) return;
    for (int i = 0; i < s->island_count; i++) {
        const ukIsland *island = &s->islands[i];
        for (int j = 0; j < island->joints; j++) {
            const ukJoint *joint = island->joint[j];
            if (!joint->handle || !joint->body[0] || ukIsContact(joint)) continue;
            const double own = ukAnchoredErp(joint, erp, cfm);
            const ukFrame *const a = ukIslandFrame(island, joint->body[0]);
            const ukFrame *const b = joint->body[1] ? ukIslandFrame(island, joint->body[1]) : NULL;
            if (!(own >= 0) || !a || (joint->body[1] && !b)) continue;
            const double force = ukSize(joint->reaction->ideal[0], 3);
            keepWorstYielding(joint, a, b, cfm * force * s->h / fmax(own, least_erp), worst);
        }
    }
    if (worst->ratio > before) worst->cfm = cfm;
}
