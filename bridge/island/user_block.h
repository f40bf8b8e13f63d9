/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/user_block.h: what the user's functions add to an assembly: forces on bodies, and blocks of rows of
 * user constraints and of laws. */
#ifndef UKODE_BRIDGE_ISLAND_USER_BLOCK_H
#define UKODE_BRIDGE_ISLAND_USER_BLOCK_H

#include "bridge/island/joint_block.h"

/* Evaluates the island's switching functions, before the functions that read their sides. Unless these are kept, each
 * is that of the value. */
int ukBuildSwitches(const ukBuilder *build);
/* Evaluates a user force and adds it to the bodies of its island. */
int ukBuildForce(const ukBuilder *build, struct ukForce *f);
/* Evaluates a user constraint and adds those of its rows that act. */
int ukBuildConstraint(ukBuilder *build, struct ukConstraint *c);
/* Adds the rows of a law, after those of all joints and constraints. */
int ukBuildLaw(ukBuilder *build, struct ukLaw *law);

#endif
