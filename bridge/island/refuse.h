/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/refuse.h: the message of a failed step: names bodies and joints by their type and their number in the
 * order of creation, from 1 (contacts are numbered separately). Each sets the thread's error and returns `status`. */
#ifndef UKODE_BRIDGE_ISLAND_REFUSE_H
#define UKODE_BRIDGE_ISLAND_REFUSE_H

#include "bridge/island/island.h"

/* "body 3: ..." */
int ukRefuseBody(const ukBody *body, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* "hinge joint 2: ...", "contact joint 5 of body 2 and the world: ..." */
int ukRefuseJoint(const ukJoint *joint, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* a condition that the joint's rows need, in words; NULL: none */
const char *ukRefuseNeeds(const ukJoint *joint);
/* The joint's rows could not be written (a status of ukJointClass.rows): names the invalid number. */
int ukRefuseRows(const ukJoint *joint, int status);
/* Refuses row `row` of block `block` of p with ukErrorContradiction: the island's constraint or joint "contradicts
 * other joints or constraints: RESIDUAL SIZE in its row 2 of 3", with the requirements of the joint. */
int ukRefuseContradiction(const ukIsland *island, const ukProblem *p, int block, int row, const char *residual,
                          double size);
/* For a problem in the stepper's arrays: "island of 4 bodies (body 3 ...), 10 rows (hinge joint 2 ...): ..." */
int ukRefuseProblem(const ukIsland *island, const ukProblem *p, int status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
