/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/notices.h: observations of energy and of joints in a world's steps, for warnings after the step. */
#ifndef UKODE_BRIDGE_ISLAND_NOTICES_H
#define UKODE_BRIDGE_ISLAND_NOTICES_H

#include <stdint.h>

/* A correction of position errors that exceeds all other energy (bridge/results/surge.h). */
typedef struct ukSurge {
    double before, work; /* kinetic energy, and the energy that the correction added [J]; 0: none */
} ukSurge;

/* Kinetic energy that grows over many steps by the work of joints that should do no work (bridge/results/surge.h). */
typedef struct ukGrowth {
    uint64_t step;       /* the world's step to which the next two belong; 0: none yet */
    double kinetic, net; /* kinetic energy of fast islands at the end of that step; work of their joints in it [J] */
    double low, gained;  /* kinetic energy at the start of the growth; work of the joints since [J] */
} ukGrowth;

/* The energy [J] that the islands whose rows do no work gained in a step beyond the work of their forces, an error of
 * the method, and their kinetic energy at its start [J], at least that of velocities within rounding
 * (bridge/integrate/passive.h). */
typedef struct ukEnergyError {
    double error, kinetic;
} ukEnergyError;

/* The joint whose forces, which are not collinear, have changed the motion most (bridge/results/imbalance.h). */
typedef struct ukImbalance {
    double ratio;             /* the larger of impulse/momentum and work/energy; 0: no such joint */
    double impulse, momentum; /* angular impulse and momentum [N m s] */
    double work, energy;      /* [J] */
    uint64_t serial;          /* of the joint */
    char joint[64];           /* its name */
} ukImbalance;

/* The events within a step (bridge/integrate/stick.h), because of which it takes several times the evaluations of the
 * equations (ukReport.evaluations) of a plain step. */
enum { ukEventsLength = 64 };
typedef struct ukStepEvents {
    int count;
    char source[ukEventsLength]; /* the joint or user object of the first one; "": none */
} ukStepEvents;

#endif
