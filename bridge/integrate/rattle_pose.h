/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/rattle_pose.h: the first kick and the drift of a RATTLE step (bridge/integrate/integrate_rattle.h): the
 * multipliers that put the island onto its constraints at the end of the drift. */
#ifndef UKODE_BRIDGE_INTEGRATE_RATTLE_POSE_H
#define UKODE_BRIDGE_INTEGRATE_RATTLE_POSE_H

#include "bridge/island/assemble.h"
#include "bridge/island/island.h"

enum { ukRattleDirections = 8 }; /* at most, of a change of lambda */

/* Of one body, as the first kick needs it when the island is assembled elsewhere; of a body that moves. */
typedef struct ukBefore {
    double force[6];           /* F(q0, v0), without the gyroscopic torque: a momentum knows none */
    double mass, turn[9];      /* M(q0): mass, inverse inertia */
    double push[6], kicked[6]; /* A(q0)' lambda; v0' */
    double spin[3],
        moved[9];      /* of the drift (bridge/integrate/free_motion.h): W; what a torque's impulse turns it by */
    double drifted[6]; /* v1' */
} ukBefore;
_Static_assert(sizeof(ukBefore) <= 48 * sizeof(double), "ukFrameArrays.stage holds 48 doubles a body");

/* A step of an island; arrays in the stepper's scratch. */
typedef struct ukRattle {
    ukIsland *island;
    const ukIslandStart *start;
    ukStepContext at;
    double h;
    double tolerance; /* of ranks at q0, where the island has loops */
    double rounding;  /* what positions leave of |phi| over its reach */
    int rows;
    size_t coefficients;
    double *A;                    /* A(q0) */
    double *lambda, *target;      /* (rows) lambda, what A v is to be at the start, or b of bare rows */
    double *reach, *size, *unit;  /* (rows) ukRowReach at q0; the same, 0: left out; its inverse */
    double *side;                 /* (rows) right-hand sides of a change of lambda, */
    double *change, *left;        /* and of that change: so far; what it leaves, over the reach */
    double *direction, *answer;   /* (ukRattleDirections x rows) */
    double *force, *acceleration; /* (6 bodies) scratch */
    double *mean;                 /* (A(q0) + A(q1))/2 at the first pass, */
    ukProblem at_mean;            /* and what is factored */
    double *basis;                /* (ukRebaseMost x rows) of blocks whose rows jumped, */
    unsigned char *rebased;       /* (rows) which is told at their first row, */
    bool jumped;                  /* any of them */
    unsigned char *held;          /* (rows) independent at q0; NULL: all are */
    unsigned char *memory;        /* for it */
    double *inertia;              /* (2 x 9 bodies) of the drift, and transposed */
    ukProblem whole, columns;     /* what is factored instead where `exact`: A(q1) and that, A(q0) and its transpose */
    bool factored, exact;
    ukKktMixedFactor newton; /* of `whole` and `columns`, where `exact`; */
    ukKktFactor mean_factor; /* else of `at_mean` */
    bool strict;             /* no pose nearby is taken: a part of a step, of which there may be many */
    bool branched;           /* the pose is that of weak directions, too */
} ukRattle;

static inline const ukProblem *ukRattleProblem(const ukRattle *r)
{
    return r->island->problem;
}

static inline ukBefore *ukBeforeOf(const ukRattle *r, int frame)
{
    return (ukBefore *)(r->island->states.stage + 48 * frame);
}

/* The frame of moving body `body` of the island, and its state before the step. */
static inline ukFrame *ukRattleFrame(const ukRattle *r, int body)
{
    return r->island->bodies.frame[body];
}

static inline ukBefore *ukRattleMoving(const ukRattle *r, int body)
{
    return ukBeforeOf(r, r->island->bodies.frame[body]->body->index - r->island->first_frame);
}

/* Rows of user constraints that tell no rate: they hold accelerations, M^-1 (F + gyroscopic torque + A' lambda). */
bool ukRattleBare(const ukRattle *r, int block);

/* From lambda's first guess on, with A, target and everything of ukBefore down to `turn` of the start, to the lambda that
 * puts the island onto its constraints; assembled there, v1' in ukBefore.drifted. ukOk, ukNotContinuous, a negative
 * status; ukErrorNotConverged with the joint's name: there is none. */
int ukRattlePose(ukRattle *r);

/* No such lambda near, as where constraints branch: a pose on them nearby instead, by impulses along A there, from the
 * present lambda on. weak: not by the projection, which leaves out directions that are weak beside it. Results are those
 * of ukRattlePose; ukErrorNotConverged: it is not near. */
int ukRattleNearest(ukRattle *r, bool weak);

#endif
