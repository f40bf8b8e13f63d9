/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/results/write_back.h: hands new states of bodies to ODE, body by body as ODE's own step does: velocity,
 * pose, callback of dBodySetMovedCallback, damping, cleared accumulators; and restores the old states if a step
 * fails. */
#ifndef UKODE_BRIDGE_RESULTS_WRITE_BACK_H
#define UKODE_BRIDGE_RESULTS_WRITE_BACK_H

#include "bridge/island/island.h"

/* Sets the damping factors of the new state f->state. Returns the name of the first part of it that is not finite, as
 * it is or after damping, or of a zero quaternion; NULL: the state is valid. */
const char *ukFrameSetDamping(ukFrame *f);
/* Whether the island's new states are finite: others are not written. ukOk, or ukErrorNotFinite with the body named. */
int ukFramesHoldable(const ukIsland *island);
/* Hands f->state, which ukFrameSetDamping has checked, to ODE and continues as ODE does: moved callback, damping,
 * accumulators cleared. The speed cap was applied before (bridge/integrate/cap.h). `called`: with this body, or since
 * that check, a callback is called, which may have changed the damping. Afterwards f->body->handle may be NULL
 * (destroyed in its callback). */
void ukFrameScatter(ukFrame *f, bool called);

/* ODE's state of the body as it was gathered, every bit of it: velocity, pose, accumulators. */
void ukFrameRestore(const ukFrame *f);

#endif
