/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/world/element.h: the elements that a user adds to a world besides ODE's joints: constraints A qdd = b and
 * forces that depend on the state, each a function over a list of bodies. Their records; constraint.h makes and
 * evaluates them. */
#ifndef UKODE_BRIDGE_WORLD_ELEMENT_H
#define UKODE_BRIDGE_WORLD_ELEMENT_H

#include "bridge/world/record.h"

enum { ukMaxElementBodies = 256 };

/* A user's function over some bodies of one world: the common part of constraints and forces. It is inactive, and any
 * use an error, once one of its bodies is destroyed; it dies with its world. */
typedef struct ukElement {
    bool is_force;
    ukWorld *world;
    struct ukElement *older, *newer; /* order of creation in the world */
    void *handle;                    /* the user's handle: a number, never given twice in a process */
    uint64_t serial;                 /* order of creation in the world, from 1 */
    int count;
    ukBody **body;      /* (count); NULL: destroyed */
    struct ukUse *use;  /* (count) its places in the lists of its bodies */
    bool active;        /* every body lives */
    uint64_t tag;       /* of the island search in progress */
    ukBodyState *state; /* (count) the states that the function receives */
    double *force;      /* (6 count) force: the values it applies; constraint: its control force of the last step */
    void *data;
} ukElement;

/* A one-sided or bounded row where an integrator follows it within a step (bridge/integrate/one_sided.h,
 * bridge/integrate/bounded_row.h): undecided, a bounded row; active, an equality; free, no row; or full, the force of
 * one of its bounds. */
typedef enum ukRowMode { ukRowUndecided, ukRowActive, ukRowFree, ukRowFull } ukRowMode;

/* A row at the start of the last step, for recordings; not taken: the row was not evaluated in it. */
typedef struct ukRowStart {
    bool taken;
    double phi, psi;   /* position error and its rate; NaN: it has none */
    double compliance; /* A M^-1 A' */
} ukRowStart;

/* Bounds of a row's multiplier, and whether the row is one-sided: then it acts where its gap, phi, is not positive. */
typedef struct ukRowBounds {
    double lo, hi;
    bool one_sided;
    int row; /* of the island's problem assembled last; -1: none there */
    ukRowMode mode;
    int side; /* ukRowFull: 1, the force is hi; -1, it is lo */
    ukRowStart start;
    double restitution; /* of a one-sided row */
    double depth;       /* a released row: largest penetration that is tolerated [m or rad] */
    double before;      /* as ukSlide.before (bridge/user/joint_law.h) */
    double approach;    /* of a row with a gap: the rate of the gap there */
    bool decided;       /* `mode` is that after an event at the present time, and is not changed by the next solve */
    int events;         /* changes of mode in this step; after too many, the row stays active while its gap rests */
    bool releases;      /* the next solve may release this active row, whose activity another solve has decided */
} ukRowBounds;

/* One actuator of a servo constraint. A joint may have been destroyed since (ukServoJoint, bridge/user/servo.h). */
typedef struct ukServoActuator {
    ukJoint *joint; /* NULL: it acts on a body */
    uint64_t serial;
    dJointID handle;
    int slot; /* of the body, in the constraint's list */
    int axis;
    double cost;
} ukServoActuator;

/* The actuators of a servo constraint; all arrays follow it in memory. */
typedef struct ukServo {
    int count;
    ukServoActuator *actuator; /* (count) */
    double *force;             /* (count) of the last step */
    double *response;          /* (count x rows) forces for unit multipliers of the rows assembled last */
    double *attained;          /* (rows) A qdd with these forces: b, or its attainable part */
    double *given;             /* (3 x rows) b, rate and phi of these rows as assembled */
} ukServo;

struct ukConstraint {
    ukElement element;
    int rows;
    ukRowBounds *limit; /* (rows); NULL: all rows are equalities */
    double *guess;      /* (rows) with `limit`: initial guess of the rows that act */
    ukConstraintFn *fn;
    ukErrorFn *error;
    void *error_data;
    double *A, *b;        /* (rows x 6 count), (rows), each followed by a guard: A qdd = b */
    double *phi, *psi;    /* (rows), likewise: position errors and their rates */
    double *lambda;       /* (rows) of the last step; 0: the row did not act */
    double *nonideal;     /* (6 count) non-ideal force of the last step */
    double *weight;       /* (2 x rows x rows) R, upper triangular, of the weight W = R'R; then W; NULL: none */
    ukServo *servo;       /* its actuators, owned; NULL: none */
    double *impulse;      /* (5 x 6 count) over the last step; as it is being taken (bridge/results/impulse.h) */
    struct ukLaw *law;    /* non-ideal law (bridge/user/joint_law.c), owned; NULL: ideal */
    int row, lambda_rows; /* first row in the island's problem; number of valid multipliers in lambda */
};

/* A user force; or a switching function, which exerts none: `fn` is NULL, and the members g, value, side and before
 * belong to it alone. */
struct ukForce {
    ukElement element;
    ukForceFn *fn;
    ukSwitchFn *g;
    double value;  /* g at the state assembled last */
    int side;      /* 1: g >= 0, -1: g < 0; constant within each part of a step; 0: not evaluated yet */
    double before; /* as ukSlide.before */
};

static inline bool ukElementIsSwitch(const ukElement *e)
{
    return e->is_force && ((const struct ukForce *)e)->g;
}

/* Where a body is used: ukBody.first_use, newest first. */
typedef struct ukUse {
    ukElement *element;
    struct ukUse *next, **link; /* link: what points here; NULL: in no list */
} ukUse;

#endif
