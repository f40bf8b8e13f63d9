/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/island.h: one island of a step: its bodies and joints, its equations M, Q, A, b, their solution, and
 * the solvers.
 *
 * An island owns no memory. Its arrays are slices of the world's workspace (bridge/island/stepper.h), in which all
 * islands of a step follow each other, so that index 0 of each is the island's first body, row or block. Its lists of
 * bodies and joints are set by the search (bridge/island/topology.h), `bodies` and `rows` by the assembly
 * (bridge/island/assemble.h); all can be read until the next step. */
#ifndef UKODE_BRIDGE_ISLAND_ISLAND_H
#define UKODE_BRIDGE_ISLAND_ISLAND_H

#include "bridge/joints/class.h"
#include "bridge/user/constraint.h"
#include "bridge/world/frame.h"
#include "solvers/bounded/friction_law.h"
#include "solvers/check/gauss_check.h"
#include "solvers/equality/equality.h"
#include "solvers/problem/partition.h"

/* The owner of a block of rows: a joint, a user constraint, or the friction of a law; the others are NULL. */
typedef struct ukBlockOwner {
    ukJoint *joint;
    struct ukConstraint *constraint;
    struct ukLaw *law;
    int springs; /* number of the joint's velocity rows that are springs (spring.h) instead */
} ukBlockOwner;

/* An island without its laws (bridge/solve/nonideal.h): the first blocks and rows of its problem, and C = 0. */
typedef struct ukIdeal {
    ukProblem problem;
    int laws;            /* number of joints and constraints with a law; 0: the ideal problem is the whole */
    int modal_rows;      /* number of motors, stops and one-sided rows of user constraints that have modes, */
    int motors;          /* ... of the motors among them, */
    int stops;           /* ... and of the limits whose stops may be among them (ukIsland.stop) */
    int spring, springs; /* the first of its springs (stepper->springs), and their number */
    bool continuous;     /* form, time and step size of the assembly */
    double time, h;
    bool mean; /* forces are reported as impulses over the step divided by h (bridge/results/impulse.h) */
} ukIdeal;

typedef struct ukOutcome {
    int rank, active, pivots, passes; /* as in ukSolution */
    bool continuous;                  /* the form of the equations */
    bool cfm_ignored;                 /* ODE's default CFM was ignored (bridge/solve/closure.h) */
    bool cfm_ignorable;               /* ODE's default CFM could have been ignored */
    bool split;                       /* the split correction advanced the poses, too */
    bool impacts;                     /* in the discrete form, after impacts: poses advance by the mean velocity */
    double rank_tolerance;            /* rank tolerance of the problem */
    double compromise;                /* ukCompromise of the problem that was solved; 0: the stated one was solved */
    ukResiduals pose;                 /* residuals of the split correction; all 0: there was no such correction */
    double coupling;                  /* coupling error of its friction (ukReport) */
    int status;                       /* status of ukConcurrentSolve */
} ukOutcome;

/* Islands use solvers by their number in the step. With several solvers, a world of a few mechanisms keeps the plan of
 * each, and several threads can solve. */
enum { ukSolverSlots = 16 };

/* Arrays by moving body. */
typedef struct ukBodyArrays {
    double *mass, *inertia, *inverse_inertia, *Q, *C, *qdd; /* (1, 9, 9, 6, 6, 6 per moving body) */
    double *impressed;       /* (6) Q of bodies without mass, without the force of their auxiliary mass */
    unsigned char *massless; /* 1: the body has no mass, and `mass` and `inertia` are auxiliary (massless.h) */
    double *shift;           /* (6) split correction: velocity added to that of the pose (bridge/solve/split.h) */
    ukFrame **frame;         /* of each moving body */
    dBodyID *handle;         /* of each moving body, for ukWorldGetEquations after the step */
} ukBodyArrays;

/* Arrays by body, in the order of their frames. */
typedef struct ukFrameArrays {
    ukState *base;   /* states at the start of a step that is taken in parts */
    double *arrived; /* (6 per body) not by Euler's method: velocities at the start of the step, while impacts may have
                        changed the frames'; once it is taken, those after the impacts */
    double *stage;   /* (8 stages x 6 per body) second rates at an integrator's stages */
} ukFrameArrays;

typedef struct ukRowArrays {
    /* by block: joints and user constraints, and as many again for their laws (2 x
     * (capacity.joints + capacity.elements)) */
    ukBlock *blocks;
    ukBlockOwner *owners;

    /* by body of a block (capacity.slots) */
    int *slot_body;
    const ukState **slot_state; /* scratch: the states that user functions receive */

    /* by row (capacity.rows) */
    double *A; /* (capacity.coefficients) */
    double *b, *c, *push, *restitution, *phi, *rate, *target, *erp, *bias, *cfm, *softness, *lo, *hi, *lambda, *lambda0;
    double *loads;               /* normal forces of the initial friction bounds (ukSolution) */
    double *lambda_ideal;        /* multipliers with C = 0; only islands with laws; before the solve: an initial
                                  * guess */
    double *loads_ideal;         /* loads of the ideal problem */
    double *bound_lo, *bound_hi; /* bounds at the solution: those of friction rows scaled by their normal force */
    int *normal;
    unsigned char *velocity, *discrete_only, *cone, *spring;

    /* the split correction, also by row: its forces, the corrections [velocity], and the right-hand sides of its
     * solve */
    double *pose_lambda, *pose_push, *pose_side;
    unsigned char *pose; /* whether the row takes part in it */
} ukRowArrays;

/* The solvers, and the data that they keep from step to step. */
typedef struct ukIslandSolvers {
    ukFrictionSolver *friction[ukSolverSlots];      /* of island i: friction[i % ukSolverSlots]; NULL: not needed yet */
    ukFrictionSolver *pose_friction[ukSolverSlots]; /* the same for its split correction, */
    void *pose_memory;                              /* ... and the memory of its problem, for one island at a time */
    size_t pose_size;
    ukEquality *equality;  /* for the continuous form and for projections */
    ukMotionFactor motion; /* the factor of its last ukEqualitySolveMotion */
    ukFrictionSolver
        *ideal_friction; /* for ideal problems, and stuck slides of the continuous form; NULL: not needed yet */
    ukEquality *polish;  /* for fixed rows of joint laws, solved to rounding */
    void *stiff_memory;  /* for implicit stages, one island at a time (bridge/integrate/stiff.h) */
    size_t stiff_size;
    int stiff_springs;  /* the number of springs made of CFM whose derivatives it contains */
    void *weigh_memory; /* for bridge/island/weigh.c */
    size_t weigh_size;
    double *unprojected_rows; /* A before a velocity was projected (bridge/integrate/projection.c) */
    size_t unprojected_size;
    struct ukContactMemory *contacts; /* contacts of the last steps */
    ukTeam team;                      /* the threads that large islands may use (ukProblem.team) */
    void *scratch;                    /* for the reference solvers and ukWorldGetEquations, grown on demand */
    size_t scratch_size;
    bool projected;    /* `motion` has just projected the velocity of the island assembled last: M and A are the same */
    bool cfm_reported; /* the verbose log already reports that CFM was ignored */
} ukIslandSolvers;

/* Impulses of the joints over the step in progress (bridge/results/impulse.h), grown on demand. */
typedef struct ukImpulseArray {
    struct ukImpulse *of;
    size_t size;
    int joints; /* number of joints of the step */
} ukImpulseArray;

typedef struct ukIsland {
    int number;                /* its number in the step, from 0 */
    int first_frame;           /* ukBody.index of its first body */
    int first_joint;           /* number of its first joint in the step */
    ukFrame *frame;            /* its bodies, including kinematic ones */
    ukJoint **joint;           /* its joints, */
    ukModalMotor *modal_motor; /* ... ukMostModalMotors motors of bounded force of each */
    ukStop *stop;        /* ... ukMostModalMotors stops with modes of each, in the order of assembly (ukIdeal.stops) */
    ukElement **element; /* its user constraints and forces */
    int frames, joints, elements;
    int massless; /* number of moving bodies without mass, */
    int switches; /* ... and of switching functions among the elements */

    ukProblem *problem; /* the equations */
    ukIdeal *ideal;     /* the same without laws */
    ukOutcome *outcome; /* results of their solution */
    ukBodyArrays bodies;
    ukFrameArrays states;
    ukRowArrays rows;
    ukPartition partition; /* of its problem, if that is large */

    /* of the world, shared by its islands */
    ukWorld *world;
    struct ukStepper *stepper; /* assembly appends to it; members are visible in bridge/island and bridge/step only */
    ukIslandSolvers *solvers;
    ukReport *report;
    ukImpulseArray *impulses;
    const double *last_h;  /* step size of the last step [s]; 0: none yet */
    const double *gravity; /* (3) gravity of this step */
    double rank_least;     /* least rank tolerance, set by the integrator in use; 0: none */
} ukIsland;

/* The frame of a body of the island. */
static inline ukFrame *ukFrameOf(const ukIsland *island, const ukBody *body)
{
    return island->frame + (body->index - island->first_frame);
}

/* The same for any body; NULL: the body is disabled, or of another island, whose frames this step may not have gathered
 * yet. */
static inline ukFrame *ukIslandFrame(const ukIsland *island, const ukBody *body)
{
    const int i = body->index - island->first_frame;
    return i >= 0 && i < island->frames && island->frame[i].body == body ? &island->frame[i] : NULL;
}

/* The motors of bounded force of joint j of the island. */
static inline ukModalMotor *ukModalMotorsOf(const ukIsland *island, int j)
{
    return island->modal_motor + ukMostModalMotors * (size_t)j;
}

/* The motors that are in use: the next one after `last`, or the first one (NULL); NULL: there are no more. */
static inline ukModalMotor *ukNextModalMotor(const ukIsland *island, ukModalMotor *last)
{
    if (island->ideal->motors == 0) return NULL;
    ukModalMotor *const end = ukModalMotorsOf(island, island->joints);
    for (ukModalMotor *modal_motor = last ? last + 1 : island->modal_motor; modal_motor < end; modal_motor++)
        if (modal_motor->used) return modal_motor;
    return NULL;
}

static inline ukJoint *ukModalMotorJoint(const ukIsland *island, const ukModalMotor *modal_motor)
{
    return island->joint[(modal_motor - island->modal_motor) / ukMostModalMotors];
}

/* The island's arrays as the solution of a solve. */
static inline ukSolution ukSolutionOf(const ukIsland *island)
{
    return (ukSolution){
        .qdd = island->bodies.qdd, .lambda = island->rows.lambda, .loads = island->rows.loads, .rank = -1};
}

/* The laws of an island: law i (0 ... joints + elements - 1) of its joints, then user constraints; NULL: none. */
struct ukLaw *ukIslandLaw(const ukIsland *island, int i);
int ukIslandLawCount(const ukIsland *island); /* the number of indices i */

/* How the world's present step couples friction to normal forces. */
ukFrictionLaw ukFrictionOf(const ukWorld *world);

/* Whether row i is exact: it has no bound, and its CFM is not a spring of the user's. */
bool ukRowExact(const ukIsland *island, int i);

/* The rate w that row i of a block prescribes, A v = w for the velocities v of the moving bodies: the target of a motor
 * or of a user's error function, less the rate that kinematic bodies cause. p: the assembled island's problem or its
 * ideal one. */
double ukRowRate(const ukIsland *island, const ukProblem *p, int block, int i);

/* Whether any of the flags of an island's rows is set. */
static inline bool ukAnySet(const unsigned char *flag, int count)
{
    unsigned char any = 0;
    for (int i = 0; i < count; i++) any |= flag[i];
    return any != 0;
}

/* Largest |phi| of the holonomic rows of p, the assembled island's problem or its ideal one, as an angle: over the
 * row's reach (solvers/problem/tolerance.h). */
double ukDrift(const ukIsland *island, const ukProblem *p);
double ukDriftExact(const ukIsland *island, const ukProblem *p); /* only of exact rows (ukRowExact) */

/* The relative cut-off on the singular values of A M^-1/2 in the continuous form: the user's, or one that follows the
 * drift of the stage, within the window in which redundant loops keep their rank (docs/theory.md). */
double ukRankTolerance(const ukIsland *island, const ukProblem *p);
double ukRankToleranceAt(const ukIsland *island, double drift); /* for a known drift */

/* Reserves at least `bytes` at solvers->scratch, and overwrites previous contents. ukOk or ukErrorMemory. */
int ukScratchReserve(ukIslandSolvers *solvers, size_t bytes);

#endif
