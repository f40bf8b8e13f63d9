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
    ukDrive *drive;
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
    bool slides = false, drives = false, rows = false;
    for (int i = 0; i < ukIslandLawCount(island); i++) {
        const ukLaw *law = ukIslandLaw(island, i);
        for (int k = 0; law && law->mu > 0 && k < law->slides; k++)
            slides |= law->slide[k].axes > 0 && law->slide[k].mode == ukSlideStuck;
    }
    for (ukDrive *drive = NULL; (drive = ukNextDrive(island, drive));) drives |= drive->mode == ukDriveHolds;
    if (!slides && !drives) return false;
    for (ukOneSided at = {0}; ukOneSidedNext(island, &at);) rows |= ukOneSidedLimit(&at)->mode == ukRowHeld;
    return slides + drives + rows > 1 || closesLoops(island);
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
    for (ukDrive *drive = NULL; (drive = ukNextDrive(island, drive));) {
        if (drive->mode != ukDriveHolds) continue;
        const double factor = fabs(island->rows.lambda[drive->row]) / drive->bound;
        if (factor > most) most = factor, *found = (Holder){.drive = drive};
    }
    return most > 1 + 1e-9;
}

static void replaceBySharing(const Holder *holder)
{
    if (holder->slide) {
        holder->slide->mode = ukSlideMoving;
        holder->slide->shared = true;
    } else {
        holder->drive->mode = ukDriveFull;
        holder->drive->side = 1;
        holder->drive->slack = INFINITY;
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
