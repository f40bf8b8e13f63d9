/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/analyze/poses.h: the position errors, their gradients and the forces of a whole world at rest, at any poses
 * of its bodies.
 *
 * Poses are those of the frames; ODE's bodies stay where they are. The world is assembled in the continuous form with
 * exact rows, whatever its integrator, and every velocity is zero. Vectors have 6 numbers per moving body,
 * [translation; rotation vector], world frame. y = L' dq with M = L L' are displacements of which |y| is the M-norm. */
#ifndef UKODE_BRIDGE_ANALYZE_POSES_H
#define UKODE_BRIDGE_ANALYZE_POSES_H

#include "bridge/island/assemble.h"
#include "bridge/island/stepper.h"

/* A contact joint under way: its points stay on their bodies, its plane keeps its direction. */
typedef struct ukPosesContact {
    ukJoint *joint;
    ukContact was;      /* as the program made it */
    double local[2][3]; /* the point, of a and of b (of the world, where b is NULL) */
    bool carries;       /* at the start of a step of a search: it is kept closed during the step */
    bool closed;        /* of errors: it has overlapped, and is kept closed (bridge/analyze/errors.h) */
    /* [m] along the normal, at the assembled poses; at the start 0, or the gap with which it was created */
    double gap;
} ukPosesContact;

typedef struct ukPoses {
    ukWorld *world;
    ukStepper *s;
    ukStepContext context;
    ukReport before;
    int bodies, n;           /* that move; 6 times as many */
    ukPosesContact *contact; /* (contacts), owned */
    int contacts;
    bool open;
} ukPoses;

/* Begins at the present state of the world; springs: rows with a CFM of the program's become forces, with the stiffness
 * that they have in its steps. ukOk; ukErrorChanged from within a step; the statuses of an assembly. ukPosesEnd is to
 * be called in any case. */
int ukPosesBegin(ukPoses *poses, ukWorld *world, bool springs);
void ukPosesEnd(ukPoses *poses);

/* The islands assembled again at the frames' poses. ukOk or a status of the assembly. */
int ukPosesAssemble(ukPoses *poses);

/* The frame of moving body k. */
static inline ukFrame *ukPosesFrame(const ukPoses *poses, int k)
{
    return poses->s->bodies.frame[k];
}

/* The contact of a joint. */
ukPosesContact *ukPosesContactOf(const ukPoses *poses, const ukJoint *joint);

/* The index of the body among those that move; -1: it is kinematic or asleep. */
int ukPosesBody(const ukPoses *poses, dBodyID body);

/* The poses of the moving bodies to `state` (bodies), and back. */
void ukPosesKeep(const ukPoses *poses, ukState *state);
void ukPosesReturn(const ukPoses *poses, const ukState *state);
/* Moves them by factor x dq (n): rotations by exponentials. */
void ukPosesMove(const ukPoses *poses, const double *dq, double factor);

/* x (n) := L^-1 x, or L^-T x: forces, or rows, and displacements in the metric of M at the assembled poses. */
void ukPosesScale(const ukPoses *poses, bool transposed, double *x);

#endif
