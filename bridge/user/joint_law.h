/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/user/joint_law.h: the non-ideal law of one joint or user constraint: its record, and those that joints get by
 * default.
 *
 * A slide is a place of relative sliding: a free axis of a joint, several that share one direction-free law (the three
 * rotations of a ball joint, the two translations of a plane), or a body of a user constraint along the directions that
 * the constraint leaves to its centre. Dry friction bounds the force along a slide's axes, |force| <= radius = mu arm
 * |N|, and opposes the slip where it slips (Udwadia 2000 [36]). */
#ifndef UKODE_BRIDGE_USER_JOINT_LAW_H
#define UKODE_BRIDGE_USER_JOINT_LAW_H

#include "bridge/joints/class.h"

typedef enum ukSlideMode {                 /* of the continuous form, see bridge/integrate/stick.h */
                           ukSlideMoving,  /* friction is a prescribed force against `direction` */
                           ukSlideResting, /* no rate: to be decided, by rows that friction bounds */
                           ukSlideStuck    /* rows keep the rate at zero */
} ukSlideMode;

typedef struct ukSlide {
    int axes, first;   /* 1 ... 3, 0: none here; the first of them among the joint's axes, or the body's index */
    double axis[3][3]; /* world, orthonormal */
    double rate[3];    /* along or about the axes [m/s or rad/s] */
    double scale;      /* mean of A M^-1 A' of the axes */
    bool translation;
    double radius; /* largest friction [N or N m] */
    ukSlideMode mode;
    double direction[3]; /* world, unit: of the sliding that friction opposes; 0: none known */
    int row;             /* its first row within the law's block, one an axis; -1: none */
    double force[3];     /* friction along the axes, on a or on the body: of the last solve */
    /* A qdd - b of the axes in the last bounded solve: rate after the step, over h; or acceleration from rest */
    double slip[3];
    bool sticks;   /* of the same solve */
    bool shared;   /* `moving`, but at rest, kept there by other rows (bridge/integrate/share.h): the friction is
                       -radius x direction, which need not be a unit vector */
    bool at_bound; /* stuck, its force has reached its bound at the present time (bridge/integrate/event_source.h) */
    double slack;  /* the rate against `direction` that counts as rest, where it started from rest */
    double before; /* rate, or margin of the force to its bound, at the start of the step in progress */
} ukSlide;

typedef struct ukLaw {
    ukJoint *joint; /* one of the two is NULL */
    struct ukConstraint *constraint;
    double mu, arm, viscous, drag; /* 0: none */
    double mu_static, speed;       /* Stribeck's: of slides at rest, and how slow is slow; speed 0: mu */
    ukNonIdealFn *joint_fn;        /* NULL: none */
    ukConstraintNonIdealFn *constraint_fn;
    void *data;

    /* at the state of the last assembly; "slot": body of the block */
    int slots, slides, axes;
    ukSlide *slide;                                /* (slots or 3) */
    double axis[3][3], rate[3], bias[3], J[3][12]; /* joint: of each free axis; force f along it is J' f on a, b */
    int is_translation[3];
    int side[3];     /* analyses: the sign of each rate in drag, whatever the rate; 0: that of the rate */
    int row, rows;   /* its block in the island's problem; rows 0: none */
    int viscous_row; /* of the first one, within the block; -1: none */
    /* (6 slots) the owner's ideal force; the force that the laws prescribe without rows; internal order */
    double *ideal, *C;
    double stop[12], motor[12]; /* joint: the parts of `ideal` that are of stops and of motors; internal order */
    double load[6];             /* joint: ideal force and torque of its bearing rows, without motors and stops, on a */
    double *lambda;             /* (3 slots or 6) of the last step's rows: warm start */
    int lambda_rows;
    bool made; /* for a saved state that is being checked (plugin/formats/snapshot/law.h) */
} ukLaw;

/* The law of a joint or constraint, made if there is none; NULL: no memory. Freed with its owner. */
ukLaw *ukLawOfJoint(ukJoint *joint);
ukLaw *ukLawOfConstraint(struct ukConstraint *constraint);
void ukLawFree(ukLaw *law); /* NULL: nothing */
bool ukLawEmpty(const ukLaw *law);

/* A law that joints get when they are created (UKODE_CONFIG): type 0 and serial 0 stand for all; later ones win. */
typedef struct ukLawDefault {
    dJointType type; /* 0: any but contacts */
    uint64_t serial; /* order of creation in its world, from 1; 0: any */
    enum { ukLawCoulomb, ukLawViscous, ukLawDrag } kind;
    double mu, arm, mu_static, speed; /* Coulomb */
    double coefficient;               /* the others */
    bool met;                         /* a joint of that number has been created, */
    bool unable;                      /* of a type that cannot have the law */
} ukLawDefault;
/* Replaces the laws of joints that the process creates from now on; copied. false: no memory, nothing changed. */
bool ukLawSetDefaults(const ukLawDefault *law, int count);
/* Gives a new joint its law. A law for all joints of a type is skipped where the joint cannot have it; for a joint
 * named by its number this is reported (ukLogWarning). false: no memory. */
bool ukLawApplyDefaults(ukJoint *joint);
/* The first joint that is meant by its number and has not been created in any world; 0: there is none. */
uint64_t ukLawUnmetDefault(void);
/* The first joint meant by its number that cannot have the law; 0: there is none. */
uint64_t ukLawUnableDefault(void);

/* Whether joints of the class can have dry friction: they bear a force and have a free axis. */
bool ukLawBears(const ukJointClass *class);

#endif
