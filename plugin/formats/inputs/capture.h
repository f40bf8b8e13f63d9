/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/inputs/capture.h: the inputs of a world's steps: changes by the program since the last step, and
 * results of its functions during the step. Applied from the beginning, they rebuild the world.
 *
 * Before a step every field of a body, the world and the laws (fields.h) whose bits differ from those after the last
 * step follows the journal of calls (bridge/world/journal.h); after the step, the fields are kept for the next
 * comparison. The format is the events of journal.h in their order, each object named by its serial:
 *
 *     snapshot   all that came before the world's first recorded step; where that was not the world's first, the world
 *                recorded as if it were made now (begin.h), and ukEventRestore; its inputs follow
 *     input      what came before a step; ukEventStep with the call and h; what happened in the step
 *
 * A moved callback that changed something is recorded with its changes. */
#ifndef UKODE_PLUGIN_FORMATS_INPUTS_CAPTURE_H
#define UKODE_PLUGIN_FORMATS_INPUTS_CAPTURE_H

#include "bridge/world/journal.h"

enum { ukInputsFormat = 5, ukInputsOldest = 4 /* with the limit of passes among the settings */ };

typedef struct ukCapture ukCapture;

/* Captures the inputs of a world from now on; its journal must have begun at its creation. NULL: it did not, or no
 * memory. ukCaptureEnd frees it with its journal, or alone if the world was destroyed first. */
ukCapture *ukCaptureBegin(ukWorld *world);
/* Whether a body has a pose that can be taken over again. */
bool ukCaptureKeeps(const ukBody *body);
/* Captures the inputs of a world of such bodies, whatever its history; its journal begins here. */
ukCapture *ukCaptureBeginHere(ukWorld *world);
void ukCaptureEnd(ukCapture *capture);

/* A step of h [s] is about to be taken, and has been, whatever became of it. false: no memory, nothing more can be
 * captured. The world must live: false, too, where it was destroyed. */
bool ukCaptureStep(ukCapture *capture, double h, ukStepCall call);
bool ukCaptureStepped(ukCapture *capture);

/* A saved state was taken over (plugin/formats/snapshot/): all that the world's future depends on now is an input. In
 * the place of a step that was about to be taken: it was not. Before, ukCaptureChanges: what the program did up to here
 * is recorded. */
bool ukCaptureChanges(ukCapture *capture);
bool ukCaptureRestored(ukCapture *capture);
/* Whether ukCaptureStep was called last. */
bool ukCaptureStepping(const ukCapture *capture);

/* The bytes captured of the last step, valid until the next one; the first `before` of them precede the first step. */
typedef struct ukInput {
    const unsigned char *at;
    size_t size, before;
} ukInput;
ukInput ukCaptureInput(const ukCapture *capture);

#endif
