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

/* What holds by a row with a bound: a slide or a motor; the other is NULL. */
typedef struct Holder {
    ukSlide *slide;
    ukModalMotor *modal_motor;
} Holder;

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

/* Whether two rows of the island may hold the same motion: of slides, motors, and one-sided rows two kinds hold, or
 * loops are closed. */
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

/* The holder of the solved island whose force exceeds its bound by the largest factor; false: none does. */
static bool findExceeding(const ukIsland *island, Holder *found)
{
    double most = 1 + 1e-9;
    for (int i = 0; i < ukIslandLawCount(island); i++) {
        ukLaw *law = ukIslandLaw(island, i);
        for (int k = 0; law && law->mu > 0 && k < law->slides; k++) {
            ukSlide *slide = &law->slide[k];
            if (slide->axes == 0 || slide->mode != ukSlideStuck || !(slide->radius > 0)) continue;
            const double factor = ukSize(slide->force, slide->axes) / slide->radius;
            if (factor > most) most = factor, *found = (Holder){.slide = slide};
        }
    }
    for (ukModalMotor *modal_motor = NULL; (modal_motor = ukNextModalMotor(island, modal_motor));) {
        if (modal_motor->mode != ukMotorHolds) continue;
        const double factor = fabs(island->rows.lambda[modal_motor->row]) / modal_motor->bound;
        if (factor > most) most = factor, *found = (Holder){.modal_motor = modal_motor};
    }
    return most > 1 + 1e-9;
}

static void replaceBySharing(const Holder *holder)
{
    if (holder->slide) {
        holder->slide->mode = ukSlideMoving;
        holder->slide->shared = true;
    } else {
        holder->modal_motor->mode = ukMotorFull;
        holder->modal_motor->side = 1;
        holder->modal_motor->slack = INFINITY;
    }
}

int ukShareForces(ukIsland *island, const ukIslandStart *start, const ukStepContext *context)
{
    Holder holder;
    int status = ukOk;
    if (!mayShare(island)) return ukOk;
    for (;;) {
        ukAssembleRewind(island, start);
        status = ukAssembleIsland(island, context);
        if (status == ukOk) status = ukSoften(island, ukNonIdealSolveContinuous(island), ukNonIdealSolveContinuous);
        if (status != ukOk || !findExceeding(island, &holder)) return status;
        replaceBySharing(&holder);
    }
}
