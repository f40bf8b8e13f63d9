/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/ode/copy.h: the copies of ODE in the process: which of them is served, and why another one is not.
 *
 * A copy is a loaded object that defines dWorldStep and dWorldCreate: libode.so.8, a library of another name, a plugin
 * that ODE was linked into. A call belongs to the copy that the dynamic linker would have found without this library:
 * the first one in the global scope; where there is none there, the calling object itself, or a library that it needs.
 * The first copy that is used and that ukode can read is served: its functions are ukOde. Calls that belong to another
 * copy are forwarded to it. Copies are never mixed: all functions of one table come from one object, except interposers
 * that come after this library in the search order. */
#ifndef UKODE_BRIDGE_ODE_COPY_H
#define UKODE_BRIDGE_ODE_COPY_H

#include <stdbool.h>

#include "bridge/ode/class.h"
#include "bridge/ode/ode.h"

/* Looks for a copy in the global scope, or the only one, without a call of the program; whether one is served now. */
bool ukOdeReady(void);

/* Why the copy with these functions is not served, with its path: one sentence without a full stop. */
void ukOdeReason(const ukOdeFunctions *functions, char reason[ukOdeReasonLength]);
/* The path of the copy that is served; "": none. */
const char *ukOdePath(void);

/* For a call with a geom or a space, which the library may not know: the functions of its copy, found by the pointer to
 * its virtual functions, the first word of both since ODE 0.5; else as ukOdeSearch does. */
const ukOdeFunctions *ukOdeSearchGeom(const void *geom, const void *caller);

/* Whether this library is linked into one object with the copy (bridge/ode/embedded.c). */
bool ukOdeEmbedded(void);

/* Counts the copies that were served, one after the other: a plugin with ODE in it may be unloaded. */
unsigned ukOdeGeneration(void);

#endif
