/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/analyze/active.h: contacts, stops and motors in their present state of activity, for the continuous form.
 *
 * The state is that of the world's next step: an island with contacts, stops or motors of bounded force is assembled
 * and solved in the discrete form first, and each of their rows is
 *
 *   open     its multiplier is zero: it does nothing
 *   rigid    strictly within its bounds: a bilateral row
 *   soft     the same with a CFM that makes it a spring (bridge/island/spring.h): a force of stiffness and damping
 *   at bound friction at its bound, a motor at its largest force: a force
 *
 * and stays so at all states that are evaluated. Stops and motors are set in the records of their joints: an active
 * stop has both limits at one angle, an inactive one none. Rows of contacts are written after each assembly, with the
 * geometry of bridge/analyze/touch.h. ukActiveEnd restores the records. */
#ifndef UKODE_BRIDGE_ANALYZE_ACTIVE_H
#define UKODE_BRIDGE_ANALYZE_ACTIVE_H

#include "bridge/analyze/touch.h"
#include "bridge/island/assemble.h"
#include "bridge/island/stepper.h"

typedef enum ukActiveMode { ukActiveUndecided, ukActiveRigid, ukActiveSoft, ukActiveBound } ukActiveMode;

/* Values of ukRowArrays.velocity of a row that is not there: its coefficients are zero. */
enum { ukActiveNoRow = 2 };

typedef struct ukActiveRow {
    ukTouchKind kind;
    ukActiveMode mode;
    double lambda, margin; /* in the step; distance from its nearest bound, as a part of the bound's size */
    double bound;          /* of friction: a force, or, with `proportional`, over the normal force */
    bool proportional, cone;
    double side;          /* at bound: of the force along the row, 1 or -1; of a cone the part of the bound */
    double target;        /* velocity [m/s or rad/s] */
    double kp, kd, depth; /* soft */
} ukActiveRow;

typedef struct ukActiveContact {
    ukJoint *joint;
    int island, rows;
    ukContactShape touch;
    ukActiveRow row[6];
} ukActiveContact;

/* A joint with motors or stops. */
typedef struct ukActiveJoint {
    ukJoint *joint;
    ukMotor was[3];
    struct {
        bool stop, motor,
            released; /* its row in the step is a stop's, a motor's; the motor counts as a constant force */
        ukMotorMode mode;
        int side;
        double lambda, margin; /* as in ukActiveRow */
        double off;            /* of a motor: its rate less its velocity, at the present state */
        double J[6];           /* of a motor's row on a, at the present state */
    } axis[3];
} ukActiveJoint;

/* A motor that counts as its present force: an input stands for it. */
typedef struct ukRelease {
    const ukJoint *joint;
    int motor;
} ukRelease;

/* A contact row at its bound that follows the normal force: force = normal force x direction, direction (6 of each body
 * of the contact), at the assembled state. */
typedef struct ukActiveSlide {
    int island, normal; /* row of the island */
    int body[2];        /* moving bodies of the island; -1: none */
    double direction[2][6];
} ukActiveSlide;

typedef struct ukActivity {
    ukActiveContact *contact; /* (contacts) in the order of assembly, owned */
    ukActiveJoint *joint;     /* (joints), owned */
    ukActiveSlide *slide;     /* (slides) of the last assembly; capacity 5 x contacts, owned */
    int contacts, joints, slides;
    bool loose; /* contacts bind velocities only: they keep no place yet */
} ukActivity;

/* Reserves capacity for the joints of a stepper's islands. ukOk, ukErrorMemory. */
int ukActiveBegin(ukActivity *activity, const ukStepper *stepper);
void ukActiveEnd(ukActivity *activity);

/* Decides the activity of a gathered island, and sets its joints. It is to be assembled again. ukOk, or a status of the
 * assembly or solver. */
int ukActiveDecide(ukActivity *activity, ukIsland *island, const ukIslandStart *start, const ukStepContext *continuous,
                   const ukRelease *release, int releases);

/* The modes of an island's motors, of which ukActiveDecide has decided: before it is assembled again. */
void ukActiveMotors(const ukActivity *activity, ukIsland *island);

#endif
