/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/stepper.h: the workspace of one world's steps. Arrays are sized when bodies, joints or rows outgrow
 * them, so a steady-state step allocates nothing. The islands of a step are stored one after the other: the results of
 * a step can be read until the next one. */
#ifndef UKODE_BRIDGE_ISLAND_STEPPER_H
#define UKODE_BRIDGE_ISLAND_STEPPER_H

#include "bridge/island/island.h"
#include "bridge/island/notices.h"
#include "solvers/base/arena.h"

/* The largest numbers of rows that joints and constraints can write, of bodies of their blocks, and of coefficients. */
typedef struct ukRowBound {
    int rows, slots;
    size_t coefficients;
} ukRowBound;

/* Analyses whose results the world keeps until the next one of the same kind. */
typedef enum ukAnalysis {
    ukAnalysisLinearization,
    ukAnalysisModes,
    ukAnalysisModeStates, /* the linearization on which modes are based */
    ukAnalysisRegulator,
    ukAnalysisRegulated, /* the linearization on which gains are based */
    ukAnalysisEquilibrium,
    ukAnalysisAssembly,
    ukAnalysisInverse,
    ukAnalysisMobility,
    ukAnalyses
} ukAnalysis;

/* Where the joints of an island begin in its arrays. */
typedef struct ukAssemblyPlace {
    int blocks, slots, rows;
    size_t coefficients;
} ukAssemblyPlace;

/* Of the last assembly of a large island: where ranges of its joints began, and where they ended. */
typedef struct ukAssemblyPlaces {
    int island, joints; /* its number, and how many joints it had; 0: not known */
    ukAssemblyPlace at[ukPartitionParts + 1];
} ukAssemblyPlaces;

typedef struct ukStepper {
    ukWorld *world;
    int frame_count, joint_count, element_count, island_count, moving_count, block_count, slot_count, row_count;
    size_t coefficient_count;
    uint64_t graph;   /* ukStepperGraph at the last search for islands (bridge/step/traversal.c); 0: search again */
    bool loops;       /* the joints in closed loops have been found since then (bridge/island/loops.h) */
    ukRowBound bound; /* the bound for these islands */

    ukIsland *islands;          /* (capacity.bodies), as the next three: */
    ukProblem *problems;        /* one per island, */
    ukIdeal *ideal;             /* the same without laws, */
    ukOutcome *outcomes;        /* and the results of its solve */
    ukJoint **joints;           /* (capacity.joints) */
    ukModalMotor *modal_motors; /* (ukMostModalMotors x capacity.joints) motors of bounded force, if they have modes */
    ukStop *stops;              /* the same of stops */
    ukElement **elements;       /* (capacity.elements) users' constraints and forces */
    ukImpulseArray impulses;    /* impulses of joints over the step */
    struct ukSpring *springs;   /* rows that became forces (bridge/island/spring.h), grown on demand */
    int spring_count;
    size_t spring_capacity;

    ukFrame *frames; /* (capacity.bodies) frames of all bodies of the step, island by island */
    ukBody **stack;  /* (capacity.bodies + 1) stack of the search */
    ukBodyArrays bodies;
    ukFrameArrays states;
    ukRowArrays rows;
    ukPartition partition;
    ukAssemblyPlaces places;
    ukIslandSolvers solvers;

    struct {
        int bodies, joints, elements, slots, rows;
        size_t coefficients;
    } capacity;
    void *body_memory, *row_memory; /* one block each for the arrays above */

    struct { /* for the step in progress (bridge/step/undo.h) */
        void *memory;
        size_t size, used, plans; /* plans: bytes of the solvers' plans, which come first */
    } undo;
    ukReport report;
    bool calling;  /* a moved callback is being called */
    ukSurge surge; /* the largest surge of the last step */
    ukGrowth growth;
    ukEnergyError energy_error; /* of the last step, under RK4 and RATTLE */
    ukImbalance imbalance;      /* of all steps, if they are watched */
    ukStepEvents events;        /* of the last step */
    bool stepped;
    bool slept;      /* a body was auto-disabled at the start of the last step */
    bool solved;     /* the arrays above contain a solution: false after a step that failed, and while there is none */
    void *diagnosis; /* for bridge/diagnose/diagnose.c: one block, replaced by the next */
    void *analysis[ukAnalyses]; /* results of analyses of the world: one block each, replaced by the next of its kind */
    double work;                /* evaluations that the step has taken so far (bridge/island/budget.h), */
    double work_most;           /* and the limit at which an attempt with an alternative is abandoned; 0: the step's
                                 * budget */
    double h;                   /* of the last step; 0: there is none yet */
    double potential_g[3];      /* gravity of the last step, for the report's potential energy */
} ukStepper;

/* The world's stepper, created if there is none; NULL: no memory. */
ukStepper *ukStepperOf(ukWorld *world);
void ukStepperDestroy(ukStepper *stepper); /* NULL: no effect */

/* The largest numbers that the step's joints and constraints can write. */
ukRowBound ukStepperRowBound(const ukStepper *stepper);

/* Reserves capacity for the world's bodies, joints and elements, and for the rows that they can write. Arrays that grow
 * lose their contents. ukOk or ukErrorMemory. */
int ukStepperReserveBodies(ukStepper *stepper, const ukWorld *world);
int ukStepperReserveRows(ukStepper *stepper, const ukRowBound *need);

/* Sets the pointers of the step's islands to their slices, after a search. */
void ukStepperBindIslands(ukStepper *stepper);

/* Resets the islands' solvers: they keep no data of earlier steps. */
void ukStepperForget(ukStepper *stepper);

/* A sum of counters on which the islands depend: it is equal only if each counter is, as none of them decreases. */
static inline uint64_t ukStepperGraph(const ukWorld *world)
{
    return world->changes + world->destructions + world->graph;
}

/* Whether the islands found by the last search are still the world's. */
static inline bool ukStepperCurrent(const ukStepper *stepper)
{
    return stepper->graph == ukStepperGraph(stepper->world);
}

#endif
