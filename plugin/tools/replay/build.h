/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/replay/build.h: rebuilds a world from the recorded inputs of its steps (plugin/formats/inputs/capture.h)
 * by the calls that its program made, so that ODE and ukode have the same state. User functions return their recorded
 * results: the k-th call in a step gets the k-th result, any further one the last; a body's moved callback repeats its
 * recorded changes. */
#ifndef UKODE_PLUGIN_TOOLS_REPLAY_BUILD_H
#define UKODE_PLUGIN_TOOLS_REPLAY_BUILD_H

#include "plugin/formats/inputs/capture.h"
#include "plugin/formats/inputs/fields.h"

typedef struct ukBuild ukBuild;

/* An empty world. `imposed`: settings that the recording does not change, with their values (fields of a world). NULL:
 * no memory. */
ukBuild *ukBuildBegin(uint64_t imposed, const double field[ukWorldFields]);
/* Destroys the build and its world. */
void ukBuildEnd(ukBuild *build);
/* Changes the imposed settings from the next step on. */
void ukBuildImpose(ukBuild *build, uint64_t imposed, const double field[ukWorldFields]);

/* Divides each step, from the next one on, into `parts` equal ones. */
void ukBuildDivide(ukBuild *build, int parts);

/* Defines contact surface `number`; must precede the first contact with it. false: no memory. */
bool ukBuildSurface(ukBuild *build, int number, const ukSurface *surface);

/* Repeats the calls of the input up to a step, or to the end; the bytes are used until the next call. false: they
 * cannot be read. */
bool ukBuildInput(ukBuild *build, const void *bytes, size_t size);
/* Whether the last input contains a step. */
bool ukBuildHasStep(const ukBuild *build);
/* Takes the step of the last input. Returns the result of the program's call; 1: the step was taken. */
int ukBuildStep(ukBuild *build);

/* The reason why an input was refused; "" if it is truncated or has an unknown opcode. */
const char *ukBuildWhy(const ukBuild *build);

dWorldID ukBuildWorld(const ukBuild *build);
/* Number of calls of user functions whose result was not recorded: a function was called more often, or in other
 * steps. */
uint64_t ukBuildGuessed(const ukBuild *build);

#endif
