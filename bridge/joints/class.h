/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/class.h: the operations of a joint type: one file per type, one line each in the table (table.h).
 *
 * A row reads   J_a v_a + J_b v_b = c - cfm lambda,   lo <= lambda <= hi   (docs/conventions.md; the discrete law of
 * ODE), where v = [linear velocity of the centre of mass; angular velocity], world frame, and lambda is a force or
 * torque. */
#ifndef UKODE_BRIDGE_JOINTS_CLASS_H
#define UKODE_BRIDGE_JOINTS_CLASS_H

#include "bridge/ode/ode.h"
#include "bridge/world/element.h"
#include "bridge/world/state.h"

/* CFM above which a row counts as a spring of the user's [velocity per force], in the continuous form. */
static inline double ukSpringCfm(void)
{
    return ukOdeSingle ? 1.001e-5 : 1e-6; /* worlds of ODE in single precision have a CFM of 1e-5 from the start */
}

enum { ukMaxJointRows = 10 }; /* at least the max_rows of every type */

/* World parameters that rows read at step time. */
typedef struct ukRowContext {
    double h;        /* step size [s] */
    double step;     /* length of the user's step [s]: h may be a part of it */
    double erp, cfm; /* the world's */
    double contact_max_velocity, contact_surface_layer;
    bool commit;   /* running values (AMotor angles, transmission phases) advance; false: evaluate only */
    bool split;    /* position errors are corrected apart from the velocities (ukRowSink.push) */
    bool flight;   /* contacts and stops are left out: they are open, or they separate */
    bool touching; /* stops and gaps that count as touching act like closed ones, as stops with modes do */
    bool exact;    /* each row is the gradient of its position error, a single wrench; false: ODE's rows */
    bool apart;    /* impulses act at this pose, where anchors may be apart; RATTLE uses the exact rows here */
    bool closed;   /* each step closes the anchors: their rows are the gradients along the world's axes */
    double since;  /* time from the start of the world's step to the states [s] */
} ukRowContext;

/* The mode of a motor of bounded force if the integrator tracks modes within a step (bridge/integrate/stick.h): a row
 * with bounds until the mode is decided; a row without bounds while the motor keeps its speed; no row but its maximum
 * force while it does not reach its speed, or cannot keep it. */
typedef enum ukMotorMode { ukMotorUndecided, ukMotorHolds, ukMotorFull } ukMotorMode;

typedef struct ukModalMotor {
    bool used; /* such a motor exists at the state of the last assembly; its data there: */
    int row;   /* index of its row in the joint, then in the island's problem; -1: none */
    double J[12];
    double bound;     /* maximum force [N or N m] */
    double shortfall; /* target less present speed [m/s or rad/s] */
    double bias;      /* Jdot v [m/s^2 or rad/s^2] */
    ukMotorMode mode;
    int side;      /* ukMotorFull: 1 forwards, -1 backwards */
    double share;  /* ukMotorFull: the fraction of the bound that it exerts; below 1 only by integrate/share.h */
    double slack;  /* ukMotorFull: a speed above the target that counts as the target, where it started there */
    bool at_bound; /* ukMotorHolds: as ukSlide.at_bound (bridge/user/joint_law.h) */
    double before; /* as ukSlide.before (bridge/user/joint_law.h) */
} ukModalMotor;

/* the force of a motor without a row */
static inline double ukModalMotorForce(const ukModalMotor *modal_motor)
{
    return modal_motor->side * modal_motor->share * modal_motor->bound;
}

enum { ukMostModalMotors = 3 }; /* per joint; also of stops */
enum { ukStopModal = 2 };       /* a value of ukRowSink.discrete_only */

/* A stop of rigid rows where the integrator follows its mode within a step, like a one-sided row of a user constraint
 * (bridge/integrate/one_sided.h). All but `limit` describes the stop at the state of the last assembly; J, bias, rate
 * and gap are those of the gap, the distance to the nearer of the two stops. */
typedef struct ukStop {
    ukJoint *joint;          /* NULL: a limit without such a stop */
    ukRowBounds limit;       /* row: index of its row in the joint, then in the island's problem; -1: none */
    double J[12], bias;      /* of the gap's row; Jdot v [m/s^2 or rad/s^2] */
    double gap, rate, touch; /* [m or rad]; its rate [per s]; largest gap that counts as closed [m or rad] */
    int side;                /* of the nearer stop: -1 low, 1 high */
    bool presses;            /* a motor of unlimited force presses the joint onto the stop: the row is an equality */
} ukStop;

/* The arrays into which one joint writes its rows. Row i has its coefficients on a in J + i*stride, on b in
 * J + i*stride + 6 (only if b is a body; then stride is 12, else 6). On entry the arrays are zero (J, phi, c, cfm),
 * infinite (lo, hi), -1 (normal), so a plain equality row only writes what differs. */
typedef struct ukRowSink {
    double *J;
    int stride;
    double *c;      /* right-hand side [m/s or rad/s], the sum of ERP's part and the velocity of motor or contact */
    double *push;   /* split correction: ERP's part, which c then excludes; c + push is ODE's. NULL: c includes it */
    double *phi;    /* position error, zero when satisfied [m or rad]: c = -(erp/h) phi + target */
    double *target; /* prescribed velocity without the error correction (motors, surface motion) */
    double *erp;    /* in the continuous form: the fraction of phi that a step corrects; NULL: not needed */
    double *bias;   /* Jdot v [m/s^2 or rad/s^2], for the continuous form; NULL: not needed */
    double *cfm;    /* [1/(force) per velocity]: as in the row's equation */
    double *restitution;     /* of a one-sided row: e in v+ = -e v- (contacts: above bounce_vel); NULL: not requested */
    double *lo, *hi;         /* bounds of lambda; with normal[i] >= 0 they are -mu, mu */
    int *normal;             /* index, among this joint's rows, of the row whose |lambda| scales lo and hi; -1: none */
    unsigned char *velocity; /* 1: a row without position error (motor, friction): phi has no meaning */
    /* 1: only the discrete form has this row: an active stop, a contact or friction row, or, where the bias is asked
     * for, a row that has no continuous form; ukStopModal: the row of a ukStop; 0: holonomic or motor */
    unsigned char *discrete_only;
    /* Transport term [m/s or rad/s], which keeps the direction of errors fixed in the world, to be added to c
     * (ukRowsTransportGap); NULL: not requested. Undefined until `has_transport` is set. */
    double *transport;
    bool has_transport;
    /* The joint lies in a closed loop of three or more bodies (bridge/island/loops.h). There, the directions of parallel
     * axes are redundant up to their errors: a combination of the rows, of the size of the errors, restricts the sum of
     * spin x error. Without transport terms it requires that this sum is zero, which does no work. With them it
     * requires the sum that the spins of the step's start make, like a motor of unlimited force. */
    bool looped;
    bool flight, touching; /* ukRowContext.flight, .touching */
    ukModalMotor
        *modal_motor;   /* the next of the joint's motors of bounded force, if they have modes; NULL: bounded rows */
    ukStop *stops;      /* of the joint's limits, in the order of its calls of ukRowLimit; NULL: stops have no modes */
    int stop_count;     /* number of these calls so far */
    bool undecided;     /* their modes are still unknown */
    ukJoint *joint;     /* the joint; set where stops have modes */
    double gyration[2]; /* the squares of its bodies' radii of gyration; set where stops have modes, or touch */
    double *force_a, *force_b; /* (6) accumulators [force; torque]: a motor at its stop adds its force here */
} ukRowSink;

/* The kind of a setter's call; the arguments are the setter's own, in order. */
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
    ukNoteSuspension, /* of Webots' fork: the axis of a suspension */
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
    int setter; /* the setter (ukSetter); 0: a call that cannot be repeated */
    dReal x[6]; /* real arguments in order */
} ukNote;

/* An angle that rotational stops limit, and its gradient: its rate is axis . (w_a - w_b). World frame
 * (bridge/joints/turn.h). */
typedef struct ukTurn {
    double angle; /* modulo whole turns [rad] */
    double axis[3], axis_rate[3];
    double sine; /* of Euler angles: the sine of the angle between the two axes, 0 at the singular pose; else 1 */
    bool half;   /* an outer Euler angle: with pi added to both, and pi minus the middle one, the pose is the same */
} ukTurn;

/* Which fields of a ukTurn are needed: the sine; sine and angle; these and the axis; all. The others may not be set. */
typedef enum ukTurnNeed { ukTurnNeedSine, ukTurnNeedAngle, ukTurnNeedAxis, ukTurnNeedRate } ukTurnNeed;

typedef struct ukJointClass {
    const char *name; /* "hinge" */
    dJointType type;
    ukRecordKind record;
    int max_rows;
    int free_axes;     /* at most 3: axes about or along which friction and motors may act */
    int together;      /* the first `together` of them slide as one, with one friction force; 0: each by itself */
    int velocity_rows; /* rows from the first on that are constraints without a position error, not motors */
    int aligned;       /* 1-based index of the first of ukRowsAligned's two rows (b's axis2 along a's axis1); 0: none */
    bool restricts_rotation; /* of its bodies against each other, at least about one axis (bridge/island/loops.h) */
    bool at_anchor;          /* forces along translations act at b's anchor; false: with half lever arms */
    bool world_axes;         /* free axes are fixed in the world; false: they rotate with a */
    bool motor;              /* a pure motor without bearing: no dry friction */
    bool running;            /* it has values that advance once a step (bridge/joints/running.h) */
    int twist; /* 1-based number of the motor whose angle is that of ukTurnTwist, the only one with turns; 0: none */
    /* sets the constructor values of the recorded data, in a record of zeros; copies the world's ERP and CFM as ODE
     * does */
    void (*create)(ukJoint *joint);
    /* A setter or dJointAttach was called and ODE's function has returned: records the hidden data (poses are the
     * present ones), and sets joint->stale if the getters must be read again. NULL: only stale. */
    void (*note)(ukJoint *joint, const ukNote *note);
    /* reads parameters, anchors and axes through the public getters into the record; only called when attached */
    void (*refresh)(ukJoint *joint);
    /* sets hidden data of a joint whose setup was not recorded: the present pose counts as satisfied. NULL: nothing is
     * hidden */
    void (*assume)(ukJoint *joint);
    /* the number of rows that it can write with its present settings. NULL: max_rows */
    int (*most)(const ukJoint *joint);
    /* writes the rows at the states of a and b (b NULL: the world); returns their number, or a negative status */
    int (*rows)(ukJoint *joint, const ukState *a, const ukState *b, const ukRowContext *context, ukRowSink *sink);
    /* free axes, their kind and rate at the states (for friction and reports); returns their number. NULL: none */
    int (*axes)(const ukJoint *joint, const ukState *a, const ukState *b, double axis[3][3], double rate[3],
                int is_translation[3]);
    /* a condition that its rows need, for the message of a refusal; NULL, or returns NULL: none */
    const char *(*needs)(const ukJoint *joint);
    /* The angles that rotational stops limit at the states (bridge/joints/turn.h), as far as they are needed, and the
     * motor of each; returns their number. NULL: the joint has no unlimited rotation. */
    int (*turns)(const ukJoint *joint, const ukState *a, const ukState *b, ukTurnNeed need, int motor[3],
                 ukTurn turn[3]);
} ukJointClass;

/* The multipliers of one kind that the joint stores: (class->max_rows), of which the first reaction->rows are valid. */
static inline double *ukReactionLambda(const ukJoint *joint, int kind)
{
    return joint->reaction->lambda + kind * joint->class->max_rows;
}

/* Anchors are read from ODE in the world frame. For a body this far away [m], the result has rounding errors that must
 * not remain when the body is moved back: the next step reads the anchors again. */
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

/* One per type, each in its own file. */
extern const ukJointClass ukBallClass, ukHingeClass, ukSliderClass, ukContactClass, ukUniversalClass, ukHinge2Class,
    ukFixedClass, ukNullClass, ukAMotorClass, ukLMotorClass, ukPlane2DClass, ukPRClass, ukPUClass, ukPistonClass,
    ukDBallClass, ukDHingeClass, ukTransmissionClass;

/* Whether a stop is set. ODE ignores rotational stops if both are beyond +-pi; here angles are unwrapped. */
static inline bool ukStopsTested(const ukMotor *motor)
{
    return motor->lo_stop <= motor->hi_stop && (motor->lo_stop > -INFINITY || motor->hi_stop < INFINITY);
}

#endif
