/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/stepper.h: the workspace of one world's steps. Arrays are sized when bodies, joints or rows outgrow
 * them, so a steady-state step allocates nothing. All islands of a step stand one behind the other: what the last step
 * computed can be read until the next one. */
#ifndef UKODE_BRIDGE_ISLAND_STEPPER_H
#define UKODE_BRIDGE_ISLAND_STEPPER_H

#include "bridge/island/topology.h"
#include "bridge/joints/class.h"
#include "solvers/base/arena.h"
#include "solvers/bounded/law.h"
#include "solvers/problem/gauss_check.h"
#include "solvers/equality/equality.h"

/* What a block of rows stands for: a joint, a user constraint, or the friction of a law; the others are NULL. */
typedef struct ukBlockOwner {
    ukJoint *joint;
    struct ukConstraint *constraint;
    struct ukLaw *law;
    int springs; /* rows of the joint that are springs (spring.h) instead, of those that it holds */
} ukBlockOwner;

/* The most rows that joints and constraints can write, bodies of their blocks, and coefficients of these. */
typedef struct ukRowBound {
    int rows, slots;
    size_t coefficients;
} ukRowBound;

/* An island without its laws (bridge/solve/nonideal.h): the first blocks and rows of its problem, and C = 0. */
typedef struct ukIdeal {
    ukProblem problem;
    int laws;            /* joints and constraints with one; 0: the ideal problem is the whole */
    int drives;          /* motors that have modes */
    int spring, springs; /* the first of its springs (stepper->springs), and how many */
    bool continuous;     /* form, time and step size that it was assembled for */
    double time, h;
    bool mean; /* forces are reported as impulses over the step divided by h (bridge/results/impulse.h) */
} ukIdeal;

typedef struct ukOutcome {
    int rank, active, pivots, passes; /* as in ukSolution */
    bool continuous;                  /* the form of the equations */
    bool cfm_aside;                   /* ODE's default CFM was (bridge/solve/closure.h) */
    bool suspect;                     /* it could have been */
    bool split;                       /* poses advanced by the split correction, too */
    double rank_tolerance;            /* that goes with the problem */
    double compromise;                /* ukCompromise of the problem that was solved; 0: the one that was stated */
    ukCertificate pose;               /* residuals of the split correction; all 0: there was none */
    double coupling;                  /* of its friction (ukReport) */
    int status;                       /* of ukConcurrentSolve */
} ukOutcome;

/* Islands have their solvers by their number in the step. With several a world of a few mechanisms keeps the plan of
 * each, and several threads can solve. */
enum { ukSolverSlots = 16 };

/* The correction of position errors that outdid all energy that was there (bridge/results/surge.h). */
typedef struct ukSurge {
    double before, work; /* kinetic energy, and what the correction added to it [J]; 0: none */
} ukSurge;

/* Kinetic energy that grows over many steps by the work of joints that should do none (bridge/results/surge.h). */
typedef struct ukGrowth {
    uint64_t step;       /* of the world (steps) that the next two are of; 0: none yet */
    double kinetic, net; /* at the end of that step, of its fast islands; work of their joints in it [J] */
    double low, gained;  /* kinetic energy where the growth began; work of the joints since [J] */
} ukGrowth;

/* The joint whose two forces are least collinear (bridge/results/imbalance.h). */
typedef struct ukImbalance {
    double ratio, impulse, momentum; /* impulse over momentum, 0: none; angular impulse and momentum [N m s] */
    char joint[64];                  /* its name */
} ukImbalance;

/* Arrays by body (capacity.bodies); those of the equations by moving body, 3, 6 or 9 numbers each. */
typedef struct ukBodyArrays {
    ukFrame *frames; /* of all bodies of the step, island by island */
    ukBody **stack;
    double *mass, *inertia, *inverse_inertia, *Q, *C, *qdd;
    double *shift;     /* split correction: velocity that a pose advances by beside its own (bridge/solve/split.h) */
    ukState *base;     /* states at the start of a step that is taken in parts */
    double *arrived;   /* (6 bodies) velocities at the start of the step, where they have jumped since */
    double *stage;     /* (4 stages x bodies x 12) of an integrator */
    int *moving_frame; /* frame of each moving body */
    dBodyID *moving_handle; /* its handle, for ukStepEquations after the step */
} ukBodyArrays;

typedef struct ukRowArrays {
    /* by joint or user constraint, and as many again for their laws (2 x (capacity.joints + capacity.elements)) */
    ukBlock *blocks;
    ukBlockOwner *owners;

    /* by body of a block (capacity.slots) */
    int *slot_body;
    const ukState **slot_state; /* scratch: the states that a user's function sees */

    /* by row (capacity.rows) */
    double *A; /* (capacity.coefficients) */
    double *b, *c, *push, *restitution, *phi, *rate, *target, *erp, *bias, *cfm, *softness, *lo, *hi, *lambda, *lambda0;
    double *loads;               /* that friction's bounds begin with (ukSolution) */
    double *lambda_ideal;        /* with C = 0; islands with laws only; before the solve: a guess */
    double *loads_ideal;         /* the same of it */
    double *bound_lo, *bound_hi; /* in force at the solution: friction rows scaled by their normal force */
    int *normal;
    unsigned char *velocity, *stop, *cone, *spring;

    /* the split correction, by row as well: its forces, what it asks for [velocity], and what it was solved for */
    double *pose_lambda, *pose_push, *pose_side;
    unsigned char *pose; /* whether the row has a part in it */
} ukRowArrays;

/* What solves, and what it keeps from step to step. */
typedef struct ukIslandSolvers {
    ukLawSolver *set[ukSolverSlots];      /* of island i: set[i % ukSolverSlots]; NULL: not needed yet */
    ukLawSolver *pose_set[ukSolverSlots]; /* the same for its split correction, */
    void *pose_memory;                    /* ... whose problem is here, one island's at a time */
    size_t pose_size;
    ukEquality *equality;   /* of the continuous form and of projections */
    ukMotionFactor motion;  /* the factor of its last ukEqualitySolveMotion */
    ukLawSolver *ideal_set; /* of ideal problems, and of the continuous form with stuck slides; NULL: not needed yet */
    ukEquality *held;
    void *stiff_memory; /* of implicit stages, one island at a time (bridge/integrate/stiff.h) */
    size_t stiff_size;
    int stiff_springs;    /* the springs made of CFM that it is for */
    double *still_memory; /* rows as they stood before a velocity was projected (bridge/integrate/projection.c) */
    size_t still_size;
    struct ukContactMemory *contacts; /* of the last steps */
    void *scratch;                    /* of the reference solvers and ukStepEquations, grown on demand */
    size_t scratch_size;
} ukIslandSolvers;

typedef struct ukStepper {
    ukWorld *world;
    int frame_count, joint_count, element_count, island_count, moving_count, block_count, slot_count, row_count;
    size_t coefficient_count;
    uint64_t graph;   /* of the world when its islands were searched for (bridge/step/step.c); 0: search again */
    ukRowBound bound; /* of these islands */

    ukIsland *islands;          /* (capacity.bodies), as the next three: */
    ukProblem *problems;        /* one an island, */
    ukIdeal *ideal;             /* the same without laws, */
    ukOutcome *outcomes;        /* and what its solve told */
    ukJoint **joints;           /* (capacity.joints) */
    ukDrive *drives;            /* (ukMostDrives x capacity.joints) motors of bounded force, where they have modes */
    ukElement **elements;       /* (capacity.elements) users' constraints and forces */
    struct ukImpulse *impulses; /* of joints, over the step (bridge/results/impulse.h), grown on demand */
    size_t impulse_size;
    struct ukSpring *springs; /* rows that became forces (bridge/island/spring.h), grown on demand */
    int spring_count, spring_room;

    ukBodyArrays bodies;
    ukRowArrays rows;
    ukIslandSolvers solvers;

    struct {
        int bodies, joints, elements, slots, rows;
        size_t coefficients;
    } capacity;
    void *body_memory, *row_memory; /* one block each for the arrays above */

    struct { /* of the step in progress (bridge/step/undo.h) */
        void *memory;
        size_t size, used, plans; /* plans: bytes of the solvers' plans, which come first */
    } undo;
    ukReport report;
    bool calling;  /* a moved callback is */
    ukSurge surge; /* the largest of the last step */
    ukGrowth growth;
    ukImbalance imbalance; /* of the last step, where it is watched */
    bool stepped;
    bool slept;        /* somebody fell asleep at the beginning of the last step */
    bool cfm_told;     /* that CFM was set aside, to the verbose log */
    bool solved;       /* the arrays above hold a solution: false after a step that failed, and while there is none */
    void *diagnosis;   /* of bridge/diagnose/diagnose.c: one block, replaced by the next */
    double rank_least; /* rank tolerance of the integrator that has the turn, where the drift says less; 0: none */
    bool
        projected; /* solvers.motion has just projected the velocity of the island assembled last: M and A are the same */
    double work;   /* evaluations that the step has taken so far (bridge/island/budget.h), */
    double work_most;      /* and where an attempt gives up that has another way; 0: the step's budget */
    double h;              /* of the last step; 0: none yet */
    double potential_g[3]; /* gravity of the last step, for the report's potential energy */
} ukStepper;

/* The world's, made if there is none; NULL: no memory. */
ukStepper *ukStepperOf(ukWorld *world);
void ukStepperDestroy(ukStepper *stepper); /* NULL: nothing */

/* Room for the world's bodies, joints and elements, and for the rows that they can write. What the arrays held is lost
 * where they grow. ukOk or ukErrorMemory. */
int ukStepperReserveBodies(ukStepper *stepper, const ukWorld *world);
int ukStepperReserveRows(ukStepper *stepper, const ukRowBound *need);

/* The islands' solvers begin anew: nothing that they remember of earlier steps is left. */
void ukStepperForget(ukStepper *stepper);

/* What the islands depend on: the same sum is the same of each, as all of them only grow. */
static inline uint64_t ukStepperGraph(const ukWorld *world)
{
    return world->changes + world->destructions + world->graph;
}

/* Whether the islands that were searched for last are still the world's. */
static inline bool ukStepperCurrent(const ukStepper *stepper)
{
    return stepper->graph == ukStepperGraph(stepper->world);
}

/* The body's frame among those of the island; NULL: it sleeps, or is of another island, whose frames this step may not
 * have gathered yet. */
static inline ukFrame *ukIslandFrame(const ukStepper *stepper, const ukIsland *island, const ukBody *body)
{
    const int i = body->index;
    const bool here =
        i >= island->frame && i < island->frame + island->frames && stepper->bodies.frames[i].body == body;
    return here ? &stepper->bodies.frames[i] : NULL;
}

/* The motors of bounded force of the step's joint number `joint`. */
static inline ukDrive *ukDrivesOf(const ukStepper *stepper, int joint)
{
    return stepper->drives + ukMostDrives * (size_t)joint;
}

/* Those of an island whose rows were written with them in mind, one after the other: after `last`, or the first one of all
 * (NULL); NULL: none left. */
static inline ukDrive *ukNextDrive(const ukStepper *stepper, int island, ukDrive *last)
{
    const ukIsland *i = &stepper->islands[island];
    if (stepper->ideal[island].drives == 0) return NULL;
    ukDrive *const end = ukDrivesOf(stepper, i->joint + i->joints);
    for (ukDrive *drive = last ? last + 1 : ukDrivesOf(stepper, i->joint); drive < end; drive++)
        if (drive->used) return drive;
    return NULL;
}

static inline ukJoint *ukDriveJoint(const ukStepper *stepper, const ukDrive *drive)
{
    return stepper->joints[(drive - stepper->drives) / ukMostDrives];
}

/* At least `bytes` at stepper->solvers.scratch; what stood there is lost. ukOk or ukErrorMemory. */
int ukStepperScratch(ukStepper *stepper, size_t bytes);

#endif
