/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/replay/play.h: the recorded return values of a user's functions, returned in the same order when they
 * are called again. */
#ifndef UKODE_PLUGIN_TOOLS_REPLAY_PLAY_H
#define UKODE_PLUGIN_TOOLS_REPLAY_PLAY_H

#include "bridge/base/bytes.h"
#include "bridge/world/journal.h"

/* Numbers that the answers of all plays of a world may take together: 128 MB. */
enum { ukMostAnswered = 1 << 24 };

/* The answers to one function over one step; without any, the last one of an earlier step stands. */
typedef struct ukPlay {
    ukAnswerKind kind;
    int rows, count;        /* of a constraint; bodies */
    bool stale;             /* they are of an earlier step */
    const uint64_t *moment; /* counts steps; */
    uint64_t seen;          /* ... the one that `stale` and `next` are of */
    int answers, next, capacity;
    size_t numbers; /* of one answer */
    double *number; /* (capacity x numbers), 1 more each: it failed */
    uint64_t *guessed;
    size_t *answered; /* numbers that all plays of a world take together */
} ukPlay;

void ukPlayFree(ukPlay *play);
/* Begins the play of a new constraint or force, without a result. */
void ukPlayBegin(ukPlay *play, ukAnswerKind kind, int rows, int count);
/* An answer as it was recorded, after its kind and serial. false: no memory, or it cannot be read. */
bool ukPlayHear(ukPlay *play, ukByteReader *reader);

/* The functions, whose data is the play. */
int ukPlayConstraint(const struct ukConstraintContext *context, dReal *A, dReal *b, void *data);
int ukPlayError(const struct ukConstraintContext *context, dReal *phi, dReal *psi, void *data);
int ukPlayForce(const struct ukConstraintContext *context, dReal *force, void *data);
int ukPlaySwitch(const struct ukConstraintContext *context, dReal *value, void *data);
void ukPlayJointLaw(const struct ukNonIdealContext *context, dReal force[2][6], void *data);
void ukPlayConstraintLaw(const struct ukConstraintContext *context, const dReal *ideal, dReal *force, void *data);

#endif
