/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/rattle_pose.h: the first kick and the drift of a RATTLE step (bridge/integrate/integrate_rattle.h):
 * the multipliers that put the island onto its constraints at the end of the drift. */
#ifndef UKODE_BRIDGE_INTEGRATE_RATTLE_POSE_H
#define UKODE_BRIDGE_INTEGRATE_RATTLE_POSE_H

#include "bridge/island/assemble.h"
#include "bridge/island/island.h"
#include "solvers/kkt/coupled.h"

enum { ukRattleDirections = 8 }; /* most directions of one change of lambda */

/* Data of one body that the first kick needs when the island is assembled at another state; only for moving bodies. */
typedef struct ukBefore {
    double force[6];           /* F(q0, v0), without the gyroscopic torque, which momenta do not include */
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
    double tolerance; /* rank tolerance at q0, if the island has loops */
    double rounding;  /* rounding error of |phi| over its reach */
    int rows;
    size_t coefficients;
    double *A;                    /* A(q0) */
    double *lambda, *target;      /* (rows) lambda, target of A v at the start, or b of bare rows */
    double *psi;                  /* (rows) A v - target at the start */
    double *balance;              /* (rows) lambda without laws less that with them, at the start; NULL: no laws */
    double *reach, *size, *unit;  /* (rows) ukRowReach at q0; the same, 0: left out; its inverse */
    double *side;                 /* (rows) right-hand sides of a change of lambda, */
    double *change, *left;        /* and the change itself so far; the residual over the reach */
    double *direction, *answer;   /* (ukRattleDirections x rows) */
    double *force, *acceleration; /* (6 bodies) scratch */
    double *mean;                 /* (A(q0) + A(q1))/2 at the first iteration, */
    ukProblem at_mean;            /* and the problem that is factorized */
    double *basis;                /* (ukRebaseMost x rows) transformations of blocks whose rows jumped, */
    unsigned char *rebased;       /* (rows) flag at the first row of such blocks, */
    bool jumped;                  /* whether there are any */
    unsigned char *independent;   /* (rows) independent at q0; NULL: all are */
    unsigned char *memory;        /* memory of `independent` */
    double *inertia;              /* (2 x 9 bodies) inertia of the drift, and transposed */
    ukProblem whole, columns;     /* the problems that are factorized if `exact`: A(q1) and the inertia, A(q0) and its
                                   * transpose */
    bool factored, exact;
    ukKktMixedFactor newton; /* factor of `whole` and `columns`, if `exact`; */
    ukKktFactor mean_factor; /* else that of `at_mean` */
    bool strict;             /* no nearby pose is accepted: the step is one of possibly many parts */
    bool branched;           /* the pose was found with weak directions, too */
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

/* Whether rows are of a user constraint without an error function: they constrain accelerations, M^-1 (F + gyroscopic
 * torque + A' lambda). */
bool ukRattleBare(const ukRattle *r, int block);

/* Solves for the lambda with which the island satisfies its constraints, from an initial lambda, with A, target and all
 * members of ukBefore down to `turn` at the start; assembles the island there, v1' in ukBefore.drifted. ukOk,
 * ukNotContinuous, a negative status; ukErrorNotConverged with the joint's name: there is no such lambda. */
int ukRattlePose(ukRattle *r);

/* If there is no such lambda nearby, as at singular poses: finds a nearby pose on the constraints by impulses along A
 * there, from the present lambda. weak: skips the projection, which leaves out weak directions. Results are those of
 * ukRattlePose; ukErrorNotConverged: the pose is not near. */
int ukRattleNearest(ukRattle *r, bool weak);

#endif
