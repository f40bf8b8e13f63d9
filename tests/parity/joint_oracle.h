/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/parity/joint_oracle.h: a world of one joint and one or two bodies, to judge the rows of a joint class alone.
 *
 * The records are made by hand, as the registry would, and told of every setter; the class's rows are put into
 *   (J M^-1 J' + cfm/h) lambda = (c - J v)/h - J M^-1 f + w,   lo <= lambda <= hi complementary to w,
 * which is solved densely (the few bounded rows by trying every case, friction in the two phases of dWorldStep), and
 * the velocities and joint forces that follow are compared with one dWorldStep. Gyroscopic terms are off.
 *
 * In single precision (tests/forks/joint_single.c) the library has the records, which cannot be read: oracleStep takes
 * a step of ukode in place of that solve, and oracleRows tells nothing. */
#ifndef UKODE_TESTS_JOINT_ORACLE_H
#define UKODE_TESTS_JOINT_ORACLE_H

#include "bridge/joints/class.h"
#include "tests/support/random_world.h"

typedef enum OracleAttachment {
    OracleBoth,
    OracleSwapped,
    OracleFirst,
    OracleSecond,
    OracleAttachments
} OracleAttachment;

typedef struct Oracle {
    Random random;
    double h;
    dBodyID body[2];
    dJointID joint;
    dJointFeedback feedback;
    ukWorld world; /* records */
    ukBody record[2];
    ukJoint row_maker;
} Oracle;

/* A new world with two bodies, not joined. `make`: dJointCreateX. Kinematic partners now and then. */
void oracleBegin(Oracle *o, uint64_t seed, const ukJointClass *class, dJointID (*make)(dWorldID, dJointGroupID));
void oracleEnd(Oracle *o);
/* of oracleBegin: records of the bodies and the joint */
void oracleRecords(Oracle *o, const ukJointClass *class);

/* `motion`: how far bodies are moved, in metres and radians about; velocities and forces are drawn anew. */
void oracleMove(Oracle *o, double motion);
void oracleAttach(Oracle *o, OracleAttachment how);
/* tells the class of a setter that was just called; x: six numbers, or NULL */
void oracleNote(Oracle *o, ukNoteKind kind, int i, int rel, const double x[6]);
/* random parameters of a limit and motor through `set`; base: group * dParamGroup; stops: 0 none */
void oracleMotor(Oracle *o, void (*set)(dJointID, int, dReal), int base, int stops, bool rotational);
void oracleAnyAxis(Oracle *o, double axis[3], bool unit);
void oracleAnyPoint(Oracle *o, double point[3]);

typedef struct OracleRows {
    int rows, stride;
    double J[ukMaxJointRows * 12], c[ukMaxJointRows], phi[ukMaxJointRows], target[ukMaxJointRows], bias[ukMaxJointRows],
        cfm[ukMaxJointRows], lo[ukMaxJointRows], hi[ukMaxJointRows];
    int normal[ukMaxJointRows];
    unsigned char velocity[ukMaxJointRows], stop[ukMaxJointRows];
    double force[2][6];
} OracleRows;

/* Refreshes the record if it is stale. *out := no rows yet, and the sink that writes there; with Jdot v if `bias`. */
ukRowSink oracleSink(ukJoint *joint, OracleRows *out, bool bias);
/* the rows of `joint` at the present states */
void oracleRows(const Oracle *o, ukJoint *joint, OracleRows *out);
/* A record that did not see the joint being set up, and assumes, has the same rows (J, phi; c, where `sides`). Returns
 * how many. */
int oracleAssumedIsNoted(Oracle *o, bool sides);
/* forces of the rows; returns how far the best case is from satisfying the bounds, relatively */
double oracleSolve(const Oracle *o, const OracleRows *r, double *lambda, double v_plus[2][6]);
/* steps ODE's world once, the rows committed; largest relative difference of velocities and joint forces */
double oracleStep(Oracle *o);

#endif
