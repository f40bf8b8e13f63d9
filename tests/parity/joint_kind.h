/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/parity/joint_kind.h: every joint type with random geometry that satisfies it where it is set up, and with
 * random limits: none, a motor of infinite force, a lock near the present value, or a stop that is passed. */
#ifndef UKODE_TESTS_JOINT_KIND_H
#define UKODE_TESTS_JOINT_KIND_H

#include "tests/parity/joint_oracle.h"

typedef struct JointKind {
    const ukJointClass *class;
    dJointID (*make)(dWorldID, dJointGroupID);
    void (*set)(Oracle *o);
    void (*set_param)(dJointID, int, dReal);
    int groups;   /* limits and motors */
    int linear;   /* bits: those of them that are translations */
    bool one_way; /* always between two bodies */
    int mode;     /* of AMotor and Transmission */
} JointKind;

enum { JointKinds = 18 };

extern const JointKind joint_kinds[JointKinds];

/* Rows of the joint at the state `to` of body a, J and phi, to the basis that they have at `from`, as a carries it:
 * where they hold a whole vector, or the plane across an axis, exact rows take a basis that does not turn with a. */
void jointKindCarry(const ukJoint *joint, const ukState *from, const ukState *to, OracleRows *rows);

/* A world with such a joint, attached in a random order (one_way: between two bodies). */
void jointKindBuild(Oracle *o, uint64_t seed, const JointKind *kind);

#endif
