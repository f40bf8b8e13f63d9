/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/analysis/preserve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/log.h"
#include "plugin/formats/snapshot/keep.h"
#include "solvers/base/status.h"

/* Saves the program's own data of a world, callbacks and feedback; back: restores them. */
static void exchangeProgram(ukPreserved *p, bool back)
{
    ukWorld *const w = p->world;
    size_t i = 0;
    for (ukBody *b = w->oldest_body; b; b = b->newer, i++) {
        if (!back) p->moved[i] = b->moved;
        b->moved = back ? p->moved[i] : NULL;
    }
    i = 0;
    for (ukJoint *j = w->oldest_joint; j; j = j->newer, i++) {
        dJointFeedback *const own = j->handle ? dJointGetFeedback(j->handle) : NULL;
        if (own && back) *own = p->feedback[i];
        if (own && !back) p->feedback[i] = *own;
    }
}

/* Upper bound of the memory that a restore allocates for names, plans and solvers, as a multiple of the saved state. It
 * is reserved beforehand; otherwise a world would be left wherever the analysis had moved it when memory ran out. */
static const size_t restore_share = 16;

int ukPreserveBegin(ukPreserved *p, ukWorld *world)
{
    *p = (ukPreserved){.errors = ukErrorCount()};
    const size_t size = ukKeepSave(world, NULL, 0);
    if (size == 0) return ukErrorStatus();
    void *const bytes = malloc(size);
    p->reserve = malloc(restore_share * size);
    p->moved = calloc((size_t)world->body_count + 1, sizeof *p->moved);
    p->feedback = calloc((size_t)world->joint_count + 1, sizeof *p->feedback);
    p->bytes = bytes;
    if (!bytes || !p->reserve || !p->moved || !p->feedback)
        return ukErrorSet(ukErrorMemory, "no memory to save a world (bodies: %d)", world->body_count);
    if (ukKeepSave(world, bytes, size) != size) return ukErrorStatus();
    const ukStepper *const s = world->stepper;
    p->world = world;
    p->size = size;
    p->report = s->report;
    p->h = s->h;
    memcpy(p->potential_g, s->potential_g, sizeof p->potential_g);
    p->journal = world->journal;
    p->lent = world->lent;
    p->watched = world->watched, p->answers = world->answers, p->quick = world->quick;
    exchangeProgram(p, false);
    world->journal = NULL;
    world->lent = NULL;
    world->watched = false;
    return ukOk;
}

int ukPreserveRestore(ukPreserved *p)
{
    const int status = ukKeepRestore(p->world, p->bytes, p->size);
    p->world->stepper->h = p->h;
    return status;
}

int ukPreserveEnd(ukPreserved *p, int status)
{
    ukWorld *const w = p->world;
    ukErrorEnsure(status, p->errors);
    if (w) {
        char message[256];
        const int error = ukErrorStatus();
        snprintf(message, sizeof message, "%s", ukErrorMessage());
        int restored = ukPreserveRestore(p);
        if (restored == ukErrorMemory) {
            free(p->reserve);
            p->reserve = NULL;
            restored = ukPreserveRestore(p);
        }
        if (restored != ukOk)
            status = restored;
        else if (status != ukOk && error == status)
            ukErrorSet(error, "%s", message);
        exchangeProgram(p, true);
        ukStepper *const s = w->stepper;
        s->report = p->report;
        memcpy(s->potential_g, p->potential_g, sizeof s->potential_g);
        w->journal = p->journal;
        w->lent = p->lent;
        w->watched = p->watched, w->answers = p->answers, w->quick = p->quick;
    }
    free(p->bytes);
    free(p->reserve);
    free(p->moved);
    free(p->feedback);
    *p = (ukPreserved){0};
    return status;
}
