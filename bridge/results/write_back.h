/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/results/write_back.h: hands new states of bodies to ODE, body by body as ODE's own step does: velocity,
 * pose, callback of dBodySetMovedCallback, damping, cleared accumulators; and restores the old states if a step
 * fails. */
#ifndef UKODE_BRIDGE_RESULTS_WRITE_BACK_H
#define UKODE_BRIDGE_RESULTS_WRITE_BACK_H

#include "bridge/island/island.h"

/* What of f->state, the new one, ODE could not hold: not finite, as it is or after damping, or an orientation without
 * direction. In a word; NULL: nothing. */
const char *ukFrameFault(ukFrame *f);
/* Whether the island's new states are finite: others are not written. ukOk, or ukErrorNotFinite with the body named. */
int ukFramesHoldable(const ukIsland *island);
/* Hands f->state, which ukFrameFault has looked at, to ODE and goes on as ODE does: moved callback, damping,
 * accumulators cleared. The speed cap was applied before (bridge/integrate/cap.h). `called`: with this body, or since
 * that look, a callback is called, which may have changed the damping. Afterwards f->body->handle may be NULL
 * (destroyed in its callback). */
void ukFrameScatter(ukFrame *f, bool called);

/* ODE's state of the body as it was gathered, every bit of it: velocity, pose, accumulators. */
void ukFrameRestore(const ukFrame *f);

#endif
