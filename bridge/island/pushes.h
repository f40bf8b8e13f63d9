/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/pushes.h: forces that joints add to their bodies (springs, motors at stops), noted while several
 * threads assemble rows, and added in the order of the joints. */
#ifndef UKODE_BRIDGE_ISLAND_PUSHES_H
#define UKODE_BRIDGE_ISLAND_PUSHES_H

#include "bridge/world/frame.h"

enum { ukMostPushes = 64 };

typedef struct ukPushes {
    int count; /* more than ukMostPushes: some are lost */
    struct {
        ukFrame *a, *b; /* b NULL: the world */
        double force[12];
    } of[ukMostPushes];
} ukPushes;

/* Notes force and torque on a, and on b, unless all are 0. */
void ukPushesNote(ukPushes *pushes, ukFrame *a, ukFrame *b, const double force[12]);
/* Adds the forces to the frames. */
void ukPushesApply(const ukPushes *pushes);

#endif
