/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/analyze/coloring.h: groups of bodies that can be displaced at once: no body, joint or force acts on, or is
 * acted on by, two bodies of a group. Derivatives of all equations by the coordinates of all bodies then take as many
 * evaluations as one body's, times the groups (Curtis, Powell, Reid 1974: On the estimation of sparse Jacobian
 * matrices). */
#ifndef UKODE_BRIDGE_ANALYZE_COLORING_H
#define UKODE_BRIDGE_ANALYZE_COLORING_H

#include "bridge/analyze/probe.h"

typedef struct ukColoring {
    int bodies, groups;
    int *group; /* (bodies) of each moving body */
    int *owner; /* (groups x bodies) the body of a group that acts on this one: itself or a neighbour; -1 */
    unsigned char *adjacent; /* (bodies x bodies) joined by a joint, a user constraint or a force, or the same */
    void *memory;            /* owned */
} ukColoring;

/* Colours the moving bodies of a probe that has begun. ukOk, ukErrorMemory. ukColoringEnd is to be called in any
 * case. */
int ukColoringBegin(ukColoring *coloring, const ukProbe *probe);
void ukColoringEnd(ukColoring *coloring);

#endif
