/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/base/progress.h: how far an analysis is, in a page of memory that the command that requested it (`ukode
 * modes`, for example) maps too. Without such a page nothing is stored. */
#ifndef UKODE_BRIDGE_BASE_PROGRESS_H
#define UKODE_BRIDGE_BASE_PROGRESS_H

typedef enum {
    ukProgressRunning,     /* done: time of the world, of: time of the analysis [s] */
    ukProgressConstraints, /* factorization of the rows */
    ukProgressLinearizing, /* columns of A and B, or groups of bodies of the tangent */
    ukProgressModes,       /* eigenvalues and eigenvectors */
    ukProgressAssembling,  /* starts of a search; of: at most */
    ukProgressBalancing,   /* iterations of a search for an equilibrium; of: at most */
    ukProgressForces,      /* of a series: done: time of the world, of: the last time [s] */
    ukProgressStages
} ukProgressStage;

/* The page. Another process reads it while it is written: each number alone is whole. */
typedef struct ukProgressPage {
    volatile int stage;
    volatile double done, of;
} ukProgressPage;

/* Maps the file `path`, which has the size of a page; true if it could. false: nothing will be stored. */
int ukProgressOpen(const char *path);

/* Stores the progress of this stage, `done` of `of`. */
void ukProgressStore(ukProgressStage stage, double done, double of);

#endif
