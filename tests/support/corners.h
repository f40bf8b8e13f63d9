/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/support/corners.h: a block on the plane z = 0, without a collision space. */
#ifndef UKODE_TESTS_CORNERS_H
#define UKODE_TESTS_CORNERS_H

#include <ode/ode.h>

/* Contacts (Approx1, mu) at the four lower corners of a block with these half sides, as deep as they are. */
void touchCorners(dBodyID block, const double half[3], double mu, dJointGroupID group);

#endif
