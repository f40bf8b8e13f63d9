/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/class.h: the operations of a joint type: one file a type, one line each in the table (table.h).
 *
 * A row reads   J_a v_a + J_b v_b = c - cfm lambda,   lo <= lambda <= hi   (docs/conventions.md; the discrete law of
 * ODE), where v = [linear velocity of the centre of mass; angular velocity], world frame, and lambda is a force or
 * torque. */
#ifndef UKODE_BRIDGE_JOINTS_CLASS_H
#define UKODE_BRIDGE_JOINTS_CLASS_H

#include "bridge/world/state.h"

/* CFM beyond which a row counts as a spring of the user's [velocity per force], in the continuous form. */
static const double ukSpringCfm = 1e-6;

enum { ukMaxJointRows = 10 }; /* no joint type writes more (PU: 3 + 3; Fixed: 6; a rolling contact: 6) */

/* World parameters that rows read at step time. */
typedef struct ukRowContext {
    double h;        /* step size [s] */
    double step;     /* that the user asked for: h may be a part of it */
    double erp, cfm; /* of the world */
    double contact_max_velocity, contact_surface_layer;
    bool commit;  /* running values (AMotor angles, transmission phases) advance; false: evaluate only */
    bool split;   /* what position errors ask for is kept apart from the velocities (ukRowSink.push) */
    bool flight;  /* contacts and stops are left out: nothing touches, or what does is separating */
    bool exact;   /* each row is the gradient of its position error, a single wrench; false: ODE's rows */
    bool apart;   /* impulses act at this pose, where anchors may be apart: exact rows under RATTLE, too */
    bool closed;  /* each step leaves anchors that meet: their rows are the gradients along the world's axes */
    double since; /* time from the start of the world's step to the states [s] */
} ukRowContext;

/* A motor of bounded force where an integrator follows what it does within a step (bridge/integrate/stick.h): a row with
 * bounds until its mode is known, a plain row while it drives, and no row but its largest force while it does not reach
 * its speed, or cannot hold it. */
typedef enum ukDriveMode { ukDriveOpen, ukDriveHolds, ukDriveFull } ukDriveMode;

typedef struct ukDrive {
    bool used; /* there is such a motor at the state of the last assembly, and this is known of it there: */
    int row;   /* its row: of the joint, then of the stepper; -1: none */
    double J[12], bound, ahead; /* largest force; what it is to reach less what it has [m/s or rad/s] */
    ukDriveMode mode;
    int side;      /* full: 1 forwards, -1 backwards */
    double before; /* as ukSlide.before (bridge/user/law.h) */
} ukDrive;

enum { ukMostDrives = 3 }; /* of a joint */

/* Where one joint writes its rows. Row i has its coefficients on a in J + i*stride, on b in J + i*stride + 6 (only if b
 * is a body; then stride is 12, else 6). The arrays are zero (J, phi, c, cfm), infinite (lo, hi), -1 (normal)
 * on entry, so that a plain equality row only writes what it has. */
typedef struct ukRowSink {
    double *J;
    int stride;
    double *c;      /* right-hand side [m/s or rad/s], ERP's share and the motor's or contact's velocity together */
    double *push;   /* split correction: ERP's share, which then is no part of c; c + push is ODE's. NULL: it is in c */
    double *phi;    /* position error, zero when satisfied [m or rad]: c = -(erp/h) phi + target */
    double *target; /* velocity the row asks for besides its error correction (motors, surface motion) */
    double *erp;    /* in the continuous form: the part of phi that a step is to correct; NULL: not asked for */
    double *bias;   /* Jdot v [m/s^2 or rad/s^2], for the continuous form; NULL: not asked for */
    double *cfm;    /* [1/(force) per velocity]: as in the row's equation */
    double *
        restitution; /* of a one-sided row that bounces: e in v+ = -e v- (contacts: above bounce_vel); NULL: not asked */
    double *lo, *hi;         /* bounds of lambda; with normal[i] >= 0 they are -mu, mu */
    int *normal;             /* index, among this joint's rows, of the row whose |lambda| scales lo and hi; -1: none */
    unsigned char *velocity; /* 1: a row without position error (motor, friction): phi has no meaning */
    unsigned char *stop; /* 1: an active stop, contact normal or friction row (one-sided), or, where the bias is asked
                            for, a row that has no continuous form; 0: holonomic or motor */
    bool flight;         /* ukRowContext.flight */
    ukDrive *drive; /* the next of the joint's motors of bounded force, where they have modes; NULL: bounded rows */
    double *force_a, *force_b; /* (6) accumulators [force; torque]: a powered joint at its stop adds its motor here */
} ukRowSink;

/* What a setter told; args are the setter's own, in order. */
typedef enum ukNoteKind {
    ukNoteAttach,
    ukNoteAnchor,
    ukNoteAnchor2,
    ukNoteAnchorDelta,
    ukNoteAnchorOffset, /* Anchor: also Anchor1 */
    ukNoteAxis,
    ukNoteAxis2,
    ukNoteAxis3,
    ukNoteAxes, /* Axis: also Axis1, and i-th axis of motors */
    ukNoteAxisDelta,
    ukNoteAxisOffset,
    ukNoteAxis2Offset,
    ukNoteFix,
    ukNoteMode,
    ukNoteCount,
    ukNoteAngle,
    ukNoteDistance,
    ukNoteRatio,
    ukNoteRadius,
    ukNoteBacklash,
    ukNoteParam /* i: parameter number, x[0]: value; Plane2D: rel 0, 1, 2 = X, Y, Angle */
} ukNoteKind;

typedef struct ukNote {
    ukNoteKind kind;
    int i, rel; /* integer arguments (axis number, parameter, mode, count; relative-to) */
    int setter; /* which (ukSetter); 0: not one that could be called again */
    dReal x[6]; /* real arguments in order */
} ukNote;

/* An angle that rotational stops bound, and its gradient: its rate is axis . (w_a - w_b). World frame
 * (bridge/joints/turn.h). */
typedef struct ukTurn {
    double angle; /* up to whole turns [rad] */
    double axis[3], axis_rate[3];
    double sine; /* of Euler angles: of the angle between the two axes, 0 at the singular pose; else 1 */
} ukTurn;

typedef struct ukJointClass {
    const char *name; /* "hinge" */
    dJointType type;
    ukRecordKind record;
    int max_rows;
    int free_axes; /* at most 3: axes about or along which friction and motors may act */
    int together;  /* of them, how many from the first on slide as one, with one friction; 0: each by itself */
    int held_rows; /* so many rows from the first on hold, though they have no position error: no motor's work */
    int aligned; /* which row, from 1, is the first of the two that hold b's axis2 on a's axis1 (ukRowsAligned); 0: none */
    bool at_anchor;  /* translations act at b's anchor; false: with half levers */
    bool world_axes; /* free axes stand still in the world; false: they turn with a */
    bool motor;      /* it drives and bears nothing: no dry friction */
    bool running;    /* it has values that advance once a step (bridge/joints/running.h) */
    /* constructor values of what is recorded, on a record that is all zero; the world's ERP and CFM as ODE copies them
     */
    void (*create)(ukJoint *joint);
    /* a setter or dJointAttach was called, ODE's own has returned: record the hidden data (poses are those of this
     * moment), and set joint->stale where the getters must be read again. NULL: only stale. */
    void (*note)(ukJoint *joint, const ukNote *note);
    /* read what the public getters tell (parameters, anchors, axes) into the record; only called when attached */
    void (*refresh)(ukJoint *joint);
    /* hidden data of a joint that was not seen being set up: the present pose counts as satisfied. NULL: nothing hidden
     */
    void (*assume)(ukJoint *joint);
    /* how many rows it may write as it is set. NULL: max_rows */
    int (*most)(const ukJoint *joint);
    /* write the rows at the states of a and b (b NULL: the world); returns how many, or a negative status */
    int (*rows)(ukJoint *joint, const ukState *a, const ukState *b, const ukRowContext *context, ukRowSink *sink);
    /* free axes, their kind and rate at the states (for friction and reports); returns how many. NULL: none */
    int (*axes)(const ukJoint *joint, const ukState *a, const ukState *b, double axis[3][3], double rate[3],
                int is_translation[3]);
    /* what its rows need to be held, for the message of a refusal; NULL, or answers NULL: nothing in particular */
    const char *(*needs)(const ukJoint *joint);
    /* the angles that rotational stops bound at the states (bridge/joints/turn.h), and the motor of each; returns how
     * many. NULL: none that turns without end */
    int (*turns)(const ukJoint *joint, const ukState *a, const ukState *b, int motor[3], ukTurn turn[3]);
} ukJointClass;

/* The multipliers of one kind that the joint remembers: (class->max_rows), of which reaction->rows hold. */
static inline double *ukReactionLambda(const ukJoint *joint, int kind)
{
    return joint->reaction->lambda + kind * joint->class->max_rows;
}

/* Anchors are read back from the world's frame. Of a body this far away [m] they come with rounding that must not stay
 * when the body is put back: the next step reads them again. */
static inline bool ukJointIsFar(const ukJoint *joint)
{
    static const double far_away = 1e6;
    bool far = false;
    for (int i = 0; i < 6; i++) {
        const ukBody *body = joint->body[i / 3];
        far |= body && !(fabs(body->position[i % 3]) < far_away);
    }
    return far;
}

static inline bool ukIsContact(const ukJoint *joint)
{
    return joint->class->record == ukRecordContact;
}

/* One a type, each in its own file. */
extern const ukJointClass ukBallClass, ukHingeClass, ukSliderClass, ukContactClass, ukUniversalClass, ukHinge2Class,
    ukFixedClass, ukNullClass, ukAMotorClass, ukLMotorClass, ukPlane2DClass, ukPRClass, ukPUClass, ukPistonClass,
    ukDBallClass, ukDHingeClass, ukTransmissionClass;

/* Whether a stop is set. ODE leaves rotational stops open where both are beyond +-pi; here angles count their turns. */
static inline bool ukStopsTested(const ukMotor *motor)
{
    return motor->lo_stop <= motor->hi_stop && (motor->lo_stop > -INFINITY || motor->hi_stop < INFINITY);
}

#endif
