/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/step/step.h: one step of a world; ukStepOnce, at the end of step.c, shows its stages.
 *
 * A step assembles the equations of each island, solves them, and writes the new state to ODE:
 *
 *   search   the islands, if something has changed since the last search             traversal, island/topology
 *   gather   an island's bodies from ODE into frames                                      island/gather
 *   assemble forces and rows at the frames' states: M, Q, A, b                            island/assemble, joints/
 *   solve    qdd and lambda: M qdd = Q + A' lambda, A qdd = b - softness lambda           solve/
 *   advance  the frames' new states, from qdd                                             integrate/
 *   check    the certificate, from M, Q, A, b, qdd and lambda alone                       results/certify
 *   report   joint forces, work by cause                                                  results/
 *   scatter  the new states to ODE, body by body, with their moved callbacks              results/write_back
 *
 * Islands follow each other in ODE's order, and each is scattered before the next one is gathered: a moved callback may
 * change or destroy anything; later islands lose what it destroys or attaches elsewhere (ukTopologyPrune), but are not
 * searched again. Those without callbacks are solved together on several threads.
 *
 * Records are created and destroyed by the program's calls (watch/); each contains the values that ODE hides. The
 * workspace of the steps is the world's ukStepper: two blocks of memory, which only grow. In them the islands are
 * stored one after the other, so that the results of a step can be read until the next one. An ukIsland
 * (island/island.h) has a slice of each kind, from its own first body, row or block on, and a problem whose pointers
 * are to the beginnings of its slices.
 *
 *   records   ukWorld --> ukBody, ukBody ...     creation order; each leads to ODE's storage of its state
 *                     \-> ukJoint, ukJoint ...   a node in the list of each of its bodies; geometry, motors; reaction
 *
 *   by body   frames     [ island 0       | island 1 | island 2 ... ]   bodies, kinematic ones too; start and state
 *             mass, inertia, Q, C, qdd
 *                        [ moving0        | moving0  | ...          ]   those that move (x 1, 9, 6); frame:
 *                                                                       whose they are
 *   by joint  joints     [ island 0       | island 1 | ...          ]   in the order of the search
 *   by block  blocks, owners
 *                        [ block0         | block0   | ...          ]   joints, user constraints, then laws: whose rows
 *   by slot   slot_body  [ a, b, a, b, a  | a, a, b  | ...          ]   bodies of each block, by their numbers
 *   by row    b, c, phi, lambda, lo, hi, softness, normal ...
 *                        [ row0           | row0     | ...          ]   of each block, one after the other
 *   entries   A          [ 6 x rows x slots of each block, row by row  ]
 *
 *   solvers   friction[i % 16], equality, polish: they keep their plans until the topology changes
 *
 * The contents of a row: joints write J, phi, target, c, cfm, bounds (joints/class.h); the assembly computes b and
 * softness from them in one of two forms (island/assemble.h); solvers use A, b, softness and bounds alone.
 *
 * A step that fails changes nothing but what a moved callback did itself: frames contain ODE's state as it was
 * gathered, and restore it where something was written. */
#ifndef UKODE_BRIDGE_STEP_STEP_H
#define UKODE_BRIDGE_STEP_STEP_H

#include "bridge/world/record.h"

/* One step of h [s] > 0, between ukWatchStepBegin and ukWatchStepEnd. ukOk, or a negative status with every body
 * unchanged. */
int ukStepOnce(ukWorld *world, double h);

#endif
