/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/analysis/preserve.h: preserves a world while an analysis moves and steps it: state, forces, warm starts, laws,
 * ledger, time, random seed, the report and the program's dJointFeedback. Meanwhile moved callbacks are not called, and
 * nothing is recorded; user functions are called as in a step. */
#ifndef UKODE_PLUGIN_ANALYSIS_PRESERVE_H
#define UKODE_PLUGIN_ANALYSIS_PRESERVE_H

#include "bridge/island/stepper.h"

typedef struct ukPreserved {
    ukWorld *world;
    void *bytes;   /* (size) saved state */
    void *reserve; /* given back before the last restore if that one finds no memory */
    size_t size;
    unsigned errors; /* ukErrorCount at the beginning */
    ukReport report;
    struct ukJournal *journal;
    struct ukBook *lent;
    bool watched, answers, quick;
    double h, potential_g[3];
    void (**moved)(dBodyID);  /* (world->body_count) in the order of creation */
    dJointFeedback *feedback; /* (world->joint_count) in the order of creation */
} ukPreserved;

/* Saves the world. ukOk; ukErrorMemory; ukErrorChanged from within a step. ukPreserveEnd is to be called in any case.
 */
int ukPreserveBegin(ukPreserved *preserved, ukWorld *world);
/* The world as it was saved, for another trial. ukOk, ukErrorMemory. */
int ukPreserveRestore(ukPreserved *preserved);
/* The world as it was saved; callbacks and recordings go on. Returns `status`, or that of ukPreserveRestore if it
 * failed. The error that was set last stays; a failure without one gets that of its status. */
int ukPreserveEnd(ukPreserved *preserved, int status);

#endif
