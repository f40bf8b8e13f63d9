/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/share.h"

#include <math.h>

#include "bridge/base/vector.h"
#include "bridge/integrate/one_sided.h"
#include "bridge/island/island.h"
#include "bridge/solve/nonideal.h"
#include "bridge/solve/soften.h"
#include "bridge/user/joint_law.h"
#include "solvers/base/status.h"

/* An equality whose multiplier has a bound, by its owner: a slide, a motor or a one-sided row; the other members are
 * NULL. */
typedef struct BoundedEquality {
    ukSlide *slide;
    ukModalMotor *modal_motor;
    ukOneSided row;
} BoundedEquality;

/* Whether the joints of the island close loops, through the world or a kinematic body, too. */
static bool closesLoops(const ukIsland *island)
{
    const ukProblem *p = island->problem;
    int edges = 0;
    bool grounded = false;
    for (int k = 0; k < p->blocks; k++) {
        const ukBlockOwner *owner = &island->rows.owners[k];
        if (owner->law) continue;
        if (!owner->joint) return true;
        edges++;
        for (int slot = 0; slot < 2; slot++) {
            const ukBody *body = owner->joint->body[slot];
            grounded |= !body || ukFrameOf(island, body)->moving < 0;
        }
    }
    return edges > p->bodies - !grounded;
}

/* Whether two equalities of the island may constrain the same motion: those of two of the three kinds, slides, motors
 * and one-sided rows, are active, or loops are closed. */
static bool mayShare(const ukIsland *island)
{
    bool slides = false, motors = false, rows = false;
    for (int i = 0; i < ukIslandLawCount(island); i++) {
        const ukLaw *law = ukIslandLaw(island, i);
        for (int k = 0; law && law->mu > 0 && k < law->slides; k++)
            slides |= law->slide[k].axes > 0 && law->slide[k].mode == ukSlideStuck;
    }
    for (ukModalMotor *modal_motor = NULL; (modal_motor = ukNextModalMotor(island, modal_motor));)
        motors |= modal_motor->mode == ukMotorHolds;
    if (!slides && !motors) return false;
    for (ukOneSided at = {0}; ukOneSidedNext(island, &at);) rows |= ukOneSidedLimit(&at)->mode == ukRowActive;
    return slides + motors + rows > 1 || closesLoops(island);
}

static bool anyAtBound(const ukIsland *island)
{
    bool any = false;
    for (int i = 0; i < ukIslandLawCount(island); i++) {
        const ukLaw *law = ukIslandLaw(island, i);
        for (int k = 0; law && law->mu > 0 && k < law->slides; k++) any |= law->slide[k].at_bound;
    }
    for (ukModalMotor *modal_motor = NULL; (modal_motor = ukNextModalMotor(island, modal_motor));)
        any |= modal_motor->at_bound;
    return any;
}

/* the largest force over its bound: of an equality whose event is that it reaches the bound now, a little below it */
static double permittedFactor(bool at_bound)
{
    return at_bound ? 1 - 1e-6 : 1 + 1e-9;
}

/* The active one-sided row of the solved island that pulls most, in accelerations; false: none does. */
static bool findPulling(const ukIsland *island, BoundedEquality *found)
{
    double least = 0;
    for (ukOneSided at = {0}; ukOneSidedNext(island, &at);) {
        const double pull = ukOneSidedPull(island, &at);
        if (pull < least) least = pull, *found = (BoundedEquality){.row = at};
    }
    return least < 0;
}

/* The equality of the solved island whose force exceeds its bound by the largest factor; false: none does. */
static bool findExceeding(const ukIsland *island, BoundedEquality *found)
{
    double most = 1;
    for (int i = 0; i < ukIslandLawCount(island); i++) {
        ukLaw *law = ukIslandLaw(island, i);
        for (int k = 0; law && law->mu > 0 && k < law->slides; k++) {
            ukSlide *slide = &law->slide[k];
            if (slide->axes == 0 || slide->mode != ukSlideStuck || !(slide->radius > 0)) continue;
            const double factor = ukSize(slide->force, slide->axes) / slide->radius / permittedFactor(slide->at_bound);
            if (factor > most) most = factor, *found = (BoundedEquality){.slide = slide};
        }
    }
    for (ukModalMotor *modal_motor = NULL; (modal_motor = ukNextModalMotor(island, modal_motor));) {
        if (modal_motor->mode != ukMotorHolds) continue;
        const double lambda = fabs(island->rows.lambda[modal_motor->row]);
        const double factor = lambda / modal_motor->bound / permittedFactor(modal_motor->at_bound);
        if (factor > most) most = factor, *found = (BoundedEquality){.modal_motor = modal_motor};
    }
    return most > 1;
}

/* Replaces an equality by its share of the force, if `share` (others may constrain the same motion); otherwise a motor
 * by its full force. */
static void replaceBySharing(const BoundedEquality *equality, bool share)
{
    if (ukOneSidedIs(&equality->row)) {
        ukOneSidedLimit(&equality->row)->mode = ukRowFree;
    } else if (equality->slide) {
        equality->slide->mode = ukSlideMoving;
        equality->slide->shared = true;
    } else if (!share) {
        equality->modal_motor->mode = ukMotorFull;
        equality->modal_motor->side = equality->modal_motor->share < 0 ? -1 : 1;
        equality->modal_motor->share = 1;
    } else {
        equality->modal_motor->mode = ukMotorFull;
        equality->modal_motor->side = 1;
        equality->modal_motor->slack = INFINITY;
    }
}

int ukShareForces(ukIsland *island, const ukIslandStart *start, const ukStepContext *context)
{
    BoundedEquality equality;
    int status = ukOk;
    const bool share = mayShare(island);
    if (!share && !anyAtBound(island)) return ukOk;
    for (;;) {
        ukAssembleRewind(island, start);
        status = ukAssembleIsland(island, context);
        if (status == ukOk) status = ukSoften(island, ukNonIdealSolveContinuous(island), ukNonIdealSolveContinuous);
        if (status != ukOk || !(findPulling(island, &equality) || findExceeding(island, &equality))) return status;
        replaceBySharing(&equality, share);
    }
}
