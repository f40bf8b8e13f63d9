/* bridge/stepper.h: the workspace of one world's steps. Arrays are sized when bodies, joints or rows outgrow them, so a
 * steady-state step allocates nothing. All islands of a step stand one behind the other: what the last step computed
 * can be read until the next one. */
#ifndef UKODE_BRIDGE_STEPPER_H
#define UKODE_BRIDGE_STEPPER_H

#include "bridge/topology.h"
#include "solvers/active_set.h"
#include "solvers/arena.h"
#include "solvers/gauss_check.h"

typedef struct ukStepper {
    ukWorld *world;
    int frame_count, joint_count, island_count, moving_count, block_count, row_count;

    /* by body (capacity.bodies) */
    ukFrame *frames;
    ukBody **stack;
    ukIsland *islands;
    ukProblem *problems; /* one an island */
    double *mass, *inertia, *inverse_inertia, *Q, *qdd;
    int *moving_frame;      /* frame of each moving body */
    dBodyID *moving_handle; /* its handle, for ukStepEquations after the step */

    /* by joint (capacity.joints) */
    ukJoint **joints;
    ukBlock *blocks;
    ukJoint **block_joint;
    int *slot_body; /* 2 a joint */

    /* by row (capacity.rows) */
    double *A; /* 12 a row */
    double *b, *c, *phi, *target, *cfm, *softness, *lo, *hi, *lambda, *lambda0;
    int *normal;
    unsigned char *velocity, *stop, *cone;

    struct {
        int bodies, joints, rows;
    } capacity;
    void *body_memory, *row_memory; /* one block each for the arrays above */
    ukActiveSet *set;
    struct ukWarmStart *warm;
    void *scratch; /* of the reference solvers and ukStepEquations, grown on demand */
    size_t scratch_size;

    ukReport report;
    bool stepped;
    double potential_g[3]; /* gravity of the last step, for the report's potential energy */
} ukStepper;

#endif
