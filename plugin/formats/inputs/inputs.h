/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/inputs/inputs.h: writes the inputs of recorded worlds (plugin/formats/inputs/capture.h) into their
 * recordings: a row of `snapshot` before a world's first step, one of `input` for each step, and each surface once.
 *
 * The data of a snapshot is one capture; that of an input one or more, each after its length: steps that failed have no
 * row of their own, and precede the one that was taken. That of a surface is the key of its world, its number there,
 * and its parameters (ukSurface). */
#ifndef UKODE_PLUGIN_FORMATS_INPUTS_INPUTS_H
#define UKODE_PLUGIN_FORMATS_INPUTS_INPUTS_H

#include "plugin/formats/inputs/capture.h"

/* The inputs of a world begin, whatever has become of it so far. ukOk; ukErrorUnsupported: it was handed over
 * (ukWorldAttach), its creation was not observed; ukErrorNotFinite, ukErrorMemory. */
int ukInputsBegin(ukWorld *world);
/* Around a restore (plugin/formats/snapshot/): about to be tried; the world was restored, maybe in the place of a
 * step. */
void ukInputsRestore(ukWorld *world);
void ukInputsRestored(ukWorld *world);

/* A step of h [s] is about to be taken; it was, and it is recorded, under the recorder's lock, and its inputs follow;
 * or it failed. Nothing for a world whose journal was not begun when it was made. */
void ukInputsStep(ukWorld *world, double h, ukStepCall call);
void ukInputsStepped(ukWorld *world);
void ukInputsFailed(ukWorld *world);

#endif
