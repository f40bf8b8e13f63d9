/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/recording/certificate.h: an island's equations and their solution as one row of the table `equation`:
 * the arguments of the step's Gauss check and the state at the step's end, in arrays of little-endian numbers, for
 * independent verification. The format is docs/certificates.md's; a reader of it is plugin/tools/verify/island.h, which
 * shares no code with this. */
#ifndef UKODE_PLUGIN_FORMATS_RECORDING_CERTIFICATE_H
#define UKODE_PLUGIN_FORMATS_RECORDING_CERTIFICATE_H

#include "bridge/island/island.h"
#include "plugin/formats/recording/queue.h"

/* The arrays, in the order of the table's columns. */
typedef enum ukEquationArray {
    ukEquationBody,       /* i32 (bodies) keys */
    ukEquationMass,       /* f64 (bodies) */
    ukEquationInertia,    /* f64 (bodies x 9) */
    ukEquationForce,      /* f64 (bodies x 6) Q */
    ukEquationPrescribed, /* f64 (bodies x 6) C; none: no law */
    ukEquationBlock,      /* i32: of each block kind, key, rows, slots, then the body of each slot */
    ukEquationJacobian,   /* f64: of each block rows x 6 slots */
    ukEquationRightSide,  /* f64 (rows) b */
    ukEquationSoftness,   /* f64 (rows) */
    ukEquationLower,      /* f64 (rows); this and the next five are absent if all rows are equalities */
    ukEquationUpper,      /* ... as stated; for a row whose bounds a normal force scales: mu */
    ukEquationBoundLower, /* ... at the solution */
    ukEquationBoundUpper,
    ukEquationNormal,       /* i32 (rows) the row that scales the bounds, -1: constant; none: no friction */
    ukEquationDisc,         /* i32 (rows) rows after this one that share its bound; none: boxes only */
    ukEquationLoad,         /* f64 (rows) multipliers of the phase without friction; none: there was no such phase */
    ukEquationAcceleration, /* f64 (bodies x 6) */
    ukEquationMultiplier,   /* f64 (rows) */
    ukEquationVelocity,    /* f64 (bodies x 6) at the start; this and the next four are absent in the continuous form */
    ukEquationVelocityEnd, /* f64 (bodies x 6) after the equations and the cap of spin */
    ukEquationSpinCap,     /* f64 (bodies); none: no body has one */
    ukEquationPose,        /* f64 (bodies x 7) at the start: position, quaternion */
    ukEquationPoseEnd,     /* f64 (bodies x 7) */
    ukEquationRotation,    /* f64 (bodies x 4) whether finite, and its axis; none: no body's is */
    ukEquationSplitRow,    /* i32 (split rows) ascending; absent, as the next four, without a split correction */
    ukEquationSplitPush,   /* f64 (split rows) velocity that corrects the position error */
    ukEquationSplitSide,   /* f64 (split rows) right-hand side */
    ukEquationSplitForce,  /* f64 (split rows) multipliers */
    ukEquationSplitVelocity, /* f64 (bodies x 6) */
    ukEquationArrays
} ukEquationArray;

typedef enum ukEquationKind { ukEquationJoint, ukEquationContact, ukEquationConstraint, ukEquationLaw } ukEquationKind;
enum { ukEquationFormat = 2 };
/* The form of an island's equations, the column `continuous`. After impacts, which change the velocities at the start,
 * poses advance by the mean of the velocities after them and at the end. */
typedef enum ukEquationForm { ukFormDiscrete, ukFormContinuous, ukFormImpacts } ukEquationForm;

typedef struct ukEquationRow {
    int format, form, law; /* ukEquationForm, ukFrictionLaw */
    double h, coupling, compromise;
    struct {
        const void *bytes; /* NULL: none */
        size_t size;
    } array[ukEquationArrays];
    void *memory; /* one allocation for all arrays, reused for the next row; the caller frees it */
    size_t capacity;
} ukEquationRow;

/* Keys of the recording; 0: the object has none. */
typedef struct ukEquationKeys {
    int (*body)(void *context, const ukBody *body);
    int (*joint)(void *context, const ukJoint *joint);
    void *context;
} ukEquationKeys;

/* Fills `row` (zeros at first) with island `island` of the step that has just been taken. Islands without moving bodies
 * have no row: *row is left with h = 0. ukOk or ukErrorMemory. */
int ukEquationOf(const ukIsland *island, const ukEquationKeys *keys, ukEquationRow *row);

/* All islands of the step that has just been taken, as rows of `step`. Rows that the queue rejects are lost. */
int ukEquationsPut(ukQueue *queue, long long step, const ukIsland *islands, int count, const ukEquationKeys *keys,
                   ukEquationRow *row);

#endif
