/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/world/record.h: the records of worlds, bodies, joints and joint groups of the process.
 *
 * The records mirror ODE's own lists (creation order; joints of a body newest attached first), because ODE's order of
 * islands and callbacks follows from them. Those of objects destroyed while their world steps stay in memory (handle
 * NULL) until the step is over. */
#ifndef UKODE_BRIDGE_WORLD_RECORD_H
#define UKODE_BRIDGE_WORLD_RECORD_H

#include "bridge/ode/ode.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bridge/world/explosion.h"
#include "bridge/world/settings.h"
#include "bridge/world/switches.h"

struct ukJointClass;
struct ukBook;
struct ukStepper;
struct ukJoint;
struct ukLaw;
struct ukJournal;
struct ukHistory;

/* One end of a joint in its body's list. */
typedef struct ukJointNode {
    struct ukJoint *joint;
    struct ukJointNode *next, *prev; /* towards older, newer attachments of that body */
} ukJointNode;

/* How a step in a world whose integrator is not Euler left a body: by the continuous form, by the discrete form, which
 * leaves joints rates of first order, or scaled by ODE's damping. */
enum { ukLeftContinuous, ukLeftDiscrete, ukLeftDamped };

typedef struct ukBody {
    dBodyID handle; /* NULL once destroyed */
    struct ukWorld *world;
    struct ukBody *older, *newer; /* creation order in the world */
    uint64_t serial;              /* its number in that order, from 1: what messages call it */
    char *name;                   /* owned (bridge/world/name.h); NULL: none */
    ukJointNode *first_joint;     /* newest attached first, as ODE walks them */
    int joint_count;
    struct ukUse *first_use; /* user constraints and forces on it (bridge/user/constraint.c) */
    /* ODE's own storage, read in place: valid as long as the body lives (dBodyGetPosition returns this pointer) */
    const dReal *position, *quaternion, *rotation, *linear, *angular, *force, *torque;
    struct {              /* of plugin/formats/recording/ */
        int64_t key;      /* 0: not in the recording yet */
        int place;        /* its place in the world's list at the time when the order was last recorded */
        bool awake, seen; /* after the last recorded step; there was one */
        uint64_t asleep;  /* its pose in its last row, if it slept then; else 0 */
    } recorded;
    void (*moved)(dBodyID); /* moved callback, NULL: none */
    struct {                /* auto-disable: what ODE keeps to itself (bridge/world/sleep.c) */
        int steps_left;
        dReal time_left;
        unsigned int samples, counter, capacity; /* ring buffer of the last velocities */
        bool ready;                              /* the ring has been filled once */
        dReal (*buffer)[6];                      /* (capacity) [linear; angular], owned; kept with the record */
        struct {                                 /* as before the last update, for ukSleepUndo */
            bool sampled, disabled, ready;       /* the update took a sample; it put the body to sleep */
            int steps_left;
            dReal time_left, sample[6]; /* the sample that the new one replaced */
            unsigned int counter;
        } before;
    } sleep;
    struct {              /* mass properties, read again when the world's `changes` move on (bridge/world/frame.c) */
        uint64_t changes; /* of the world when they were read; 0: never */
        double mass, inertia[9], inverse_inertia[9]; /* body frame */
        bool kinematic;
    } constant;
    struct { /* adaptive integrator: the sub-step chosen last for its island [s], 0: none, and how often it was stiff of
                late; the same as step number `step` of the world found them (bridge/integrate/integrate_adaptive.h) */
        double h, stiff, before[2];
        uint64_t step;
        int left, left_before; /* how step `left_step` of the world left its velocity (ukLeft); and as it found both */
        uint64_t left_step, left_step_before;
    } substep;
    bool massless; /* no mass and no inertia, whatever its dMass (ukBodySetMassless) */
    bool woken;    /* the journal has recorded that it was enabled, and not yet whether it still is */
    int index;     /* of the step in progress: position among the world's stepped bodies, -1: none */
    uint64_t tag;  /* of the island search in progress */
} ukBody;

/* One limit and motor (dxJointLimitMotor): parameters as ODE stores them. */
typedef struct ukMotor {
    double vel, fmax, lo_stop, hi_stop, fudge, bounce, cfm, stop_erp, stop_cfm;
} ukMotor;

/* ODE's data of an angular or linear motor besides its limits and motors. */
typedef struct ukMotorAxes {
    int mode, count; /* dAMotorUser or dAMotorEuler; axes in use */
    int rel[3];      /* frame of each axis, internal numbering: 0 world, 1 a, 2 b */
    double axis[3][3];
    double reference[2][3]; /* Euler mode: in a's frame the axis that b carries, in b's the one that a carries */
    double angle[3];        /* user mode: set by the user; Euler mode: as of the start of the last step */
} ukMotorAxes;

/* A gear (dxJointTransmission), running values included. */
typedef struct ukGear {
    int mode;
    bool mesh_stale; /* the next row measures the mesh: a setter was called since the last step */
    bool exact;      /* the rule that the mesh was made by (ukRowContext.exact) */
    double ratio, backlash, radius[2], phase[2], delta;
    double side;                         /* of a chain: the tight run, 1 or -1, of the last evaluation of the row */
    double anchor[2][3], axis[2][3];     /* in the frames of a and b */
    double contact[2][3], tangent[2][3]; /* world, of the last step */
    double reference[2][9];              /* wheel frames: rows x (to the first contact), y, z, in body axes */
} ukGear;

/* Arguments with which a contact was created; ODE has no call that reads or changes them afterwards. */
typedef struct ukContact {
    dSurfaceParameters surface;
    dReal pos[3], normal[3], depth, fdir1[3]; /* world; pos and depth as the collider returned them */
    dGeomID g1, g2;                           /* to know the pair again: the geoms may be gone */
} ukContact;

/* kinds of multipliers that a step stores: of the whole problem and, where there are laws, of the ideal one; each with
 * those of its phase without friction */
typedef enum ukGuess { ukGuessWhole, ukGuessFrictionless, ukGuessIdeal, ukGuessIdealFrictionless, ukGuesses } ukGuess;

/* Reaction of a joint in the last step that it took part in: forces for ukJointGetForces, and multipliers, the initial
 * guess of the next step. Separate from the joint's record, because nothing reads it until the end of that step. */
typedef struct ukReaction {
    double ideal[2][6], nonideal[2][6]; /* force, torque on internal a and b; world frame, about the centre of mass */
    int rows;                           /* how many multipliers it has; 0: none */
    bool lambda_ideal;                  /* ideal ones, too */
    int impulse; /* its place in stepper->impulses, of step `impulse_step` of the world; -1: none */
    uint64_t impulse_step;
    double lambda[]; /* (ukGuesses x the class's max_rows) */
} ukReaction;

/* A joint: what all types have, then what its type has. Records are as long as their type needs (ukRecordKind): a
 * program makes its contacts again every step. A contact has nothing after `contact`, and of joints without
 * running values nothing after `motor`. */
typedef struct ukJoint {
    dJointID handle; /* NULL once destroyed */
    struct ukWorld *world;
    struct ukJoint *older, *newer; /* creation order in the world */
    struct ukGroup *group;         /* NULL: ungrouped */
    struct ukJoint *group_next, *group_prev;
    const struct ukJointClass *class;
    uint64_t serial;      /* order of creation in the world, from 1; contacts have numbers of their own */
    ukJointNode node[2];  /* of a, of b: in the list of body[k], where that is not NULL */
    ukBody *body[2];      /* ODE's internal a and b; b NULL: the static world; both NULL: detached */
    struct ukLaw *law;    /* non-ideal law (bridge/user/joint_law.c), owned; NULL: ideal */
    ukReaction *reaction; /* owned; kept with the record */
    uint64_t tag;         /* of the island search in progress */
    int recorded;         /* place among the joints of the step that is being recorded; -1: none */
    int32_t touched;      /* the world's step (steps) when the program last attached or set something of it */
    bool reverse : 1;     /* attached as (0, B): body B is a */
    bool observed : 1;    /* created through the interposer: setters mark it stale, hidden data was recorded */
    bool stale : 1;       /* parameters or geometry to be read again from ODE's getters before the next step */
    bool cfm_aside : 1;   /* its island's CFM was ignored in the last step (bridge/solve/closure.h) */
    bool assumed : 1;     /* hidden data was taken from the pose at hand-over (not observed) */
    bool looped : 1;      /* it lies in a closed loop (bridge/island/loops.h) of the last step with exact rows */

    union {
        ukContact contact;
        struct {
            /* geometry; "of a" in a's frame, "of b" in b's frame, or in the world's where b is the world */
            double anchor1[3], anchor2[3]; /* of a, of b */
            double axis1[3], axis2[3];     /* of a, of b (raw length where b is the world, as ODE keeps it) */
            double qrel[4];                /* Hinge, Fixed, Slider, PR: see docs of each class */
            double offset[3];              /* Slider, Fixed, PR: see docs of each class */
            double axisP[3];               /* PR, PU: prismatic axis, of a; Hinge, Hinge2: of a suspension, or 0 */
            double s0, c0;   /* Hinge2: sine and cosine of the angle between the axes when they were set */
            double target;   /* DBall, DHinge: distance */
            double erp, cfm; /* own ERP and CFM; Hinge, Hinge2: of the suspension */
            ukMotor motor[3];
            int64_t key; /* of plugin/formats/recording/; 0: not in the recording yet */
            struct
            { /* plugin/formats/recording/unique.c: its reaction is the only one: 1, 0, -1: unknown; in which island */
                uint64_t island;
                int unique;
            } split;
            char *name;                /* owned (bridge/world/name.h); NULL: none */
            struct ukHistory *history; /* of bridge/world/history.h, owned; NULL: nothing was set */
            struct { /* bridge/joints/turn.h: the angle that each motor's stops bound, whole turns counted */
                double carried[3]; /* at the end of its last step; 0: also where it is not known */
                double start[3];   /* at the start of the step in progress; nothing outside of one */
            } turn;
            struct { /* bridge/results/imbalance.h: impulse in world axes and momentum [N m s], the rest [J] */
                double impulse[3], turned, momentum; /* turned: the largest |impulse| */
                double work, worked, kinetic;        /* worked: the largest |work| */
                double gravity, low, high;           /* work of gravity on the joint's bodies, and its extremes */
            } imbalance;
            struct { /* bridge/joints/linear_motor.h: integrals of the rates of position and row [m] */
                double way, row;
            } slide;
            union {
                ukMotorAxes axes; /* AMotor, LMotor */
                ukGear gear;      /* Transmission */
            } of;
            struct { /* running values as step number `step` of the world found them (ukJointRuns) */
                uint64_t step;
                union {
                    double angle[3]; /* AMotor */
                    ukGear gear;     /* Transmission */
                } of;
            } before;
        };
    };
} ukJoint;

/* How long the record of a joint is, by what its class has. */
typedef enum ukRecordKind { ukRecordMotors, ukRecordContact, ukRecordRunning, ukRecordKinds } ukRecordKind;
enum {
    ukContactBytes = offsetof(ukJoint, contact) + sizeof(ukContact),
    ukReadBytes = offsetof(ukJoint, key) - offsetof(ukJoint, anchor1), /* what ODE's getters give, from anchor1 on */
    ukMotorsBytes = offsetof(ukJoint, of),
    ukRunningBytes = sizeof(ukJoint)
};

typedef struct ukGroup {
    dJointGroupID handle;
    ukJoint *first; /* newest first */
} ukGroup;

/* End of the last look-up by index (plugin/object.c); valid while the world's `changes` are the same. */
typedef struct ukWorldPlace {
    uint64_t changes;
    int body_index, joint_index;
    int joints; /* contacts excluded; -1: not counted */
    ukBody *body;
    ukJoint *joint;
} ukWorldPlace;

typedef struct ukWorld {
    dWorldID handle;               /* NULL once destroyed */
    struct ukWorld *older, *newer; /* order of creation in the process */
    ukWorldPlace place;
    ukBody *oldest_body, *newest_body;
    ukJoint *oldest_joint, *newest_joint;
    int body_count, joint_count;
    int lost; /* bodies and joints without a (whole) record: bridge/world/lost.h */
    struct ukElement *oldest_element, *newest_element; /* user constraints and forces */
    int element_count;
    uint64_t next_element;
    uint64_t changes;      /* from 1; counts every creation, destruction, attachment of a body or a non-contact joint,
                              and every change of a body's mass or kind */
    uint64_t destructions; /* counts destruction and re-attachment of anything, contacts included */
    uint64_t graph; /* counts what else can change the islands: joints attached, contacts included, laws, and steps
                       of ODE's own, which put bodies to sleep and wake them */
    uint64_t bodies, joints, contacts; /* created so far: contact joints are counted apart */
    bool enabled;                      /* dWorldStep and dWorldQuickStep are ukode's */
    bool attached; /* handed over with ukWorldAttach: unseen joints are searched through the bodies */
    bool started;  /* its first step was requested (bridge/watch/start.h) */
    bool stepping;
    bool handed;    /* ODE's own stepper is at work: what calls is a moved callback */
    uint64_t steps; /* begun so far */
    bool answers;   /* the last step was ukode's: what ODE's step leaves in its joints is in these records */
    bool replayed;  /* the answers of its users' functions are those of a recording (plugin/tools/replay) */
    bool quick;     /* the step in progress, or the last one, was requested by dWorldQuickStep */
    bool watched;   /* energy without a cause is looked for (bridge/results/surge.h) */
    ukSettings settings;
    ukSwitches switches;       /* ukWorldSetSwitch */
    struct ukJournal *journal; /* of bridge/world/journal.h, owned; NULL: no inputs are recorded */
    struct ukBook *book;       /* of bridge/results/ledger.c, owned; NULL: no ledger is kept */
    struct ukBook *lent; /* of a recording, not owned: `book` within a step, where the program keeps none; NULL: none */
    struct ukRecordedWorld *tape; /* of plugin/formats/recording/, owned; NULL: the world is not recorded */
    struct ukStepper *stepper;    /* workspace of bridge/step/step.c, owned; NULL before the first step */
    unsigned rules;               /* of its copy of ODE (bridge/ode/class.h) */
    struct ukFluid *fluid;        /* of bridge/world/fluid.c, owned; NULL: no fluids, or no step yet */
    struct ukPlaced *placed;      /* of bridge/island/placed.c, owned; NULL: another copy of ODE, or no step yet */
    ukBody *limbo_bodies;         /* destroyed while the world steps, linked through `older` */
    ukJoint *limbo_joints;
    struct ukElement *limbo_elements;
    /* of plugin/formats/snapshot/file.c */
    struct {
        uint64_t number; /* the world's number in the file; 0: none yet */
        uint64_t tried;  /* `changes` at the last attempt to restore it */
        double since;    /* time simulated since its last saved state [s] */
        bool taken;      /* it was restored */
    } keep;
    /* of bridge/diagnose/survey.c */
    struct {
        int number, still;      /* the world's number, 0: none yet; number of steps without change */
        uint64_t seen, printed; /* `changes` at the last step, and at the last diagnosis printed */
    } survey;
    /* of plugin/summary/process.c */
    struct {
        int process, number; /* process that has stepped it last; the world's number there, 0: not stepped yet */
        uint32_t step;       /* number of its steps */
        double time;         /* simulated time, including that before a fork [s] */
        ukExplosion explosion;
    } course;
} ukWorld;

/* Whether a step is under way, ukode's or ODE's own: what asks is a callback. */
static inline bool ukWorldWithinStep(const ukWorld *world)
{
    return world->stepping || world->handed;
}

#endif
