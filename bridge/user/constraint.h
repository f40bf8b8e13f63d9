/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/user/constraint.h: user constraints and forces: created, destroyed, evaluated at a state. */
#ifndef UKODE_BRIDGE_USER_CONSTRAINT_H
#define UKODE_BRIDGE_USER_CONSTRAINT_H

#include "bridge/world/element.h"
#include "bridge/world/state.h"

/* New elements; NULL: no memory. Arguments were checked. */
struct ukConstraint *ukConstraintNew(ukWorld *world, int rows, ukBody *const *body, int count, ukConstraintFn *fn,
                                     void *data);
struct ukForce *ukForceNew(ukWorld *world, ukBody *const *body, int count, ukForceFn *fn, void *data);
struct ukForce *ukSwitchNew(ukWorld *world, ukBody *const *body, int count, ukSwitchFn *fn, void *data);
void ukElementDestroy(ukElement *element);
void ukElementsForget(ukWorld *world); /* frees the elements that were destroyed while the world stepped */
/* The living constraint, force, or switching function that the handle names; NULL: none does (any more). */
struct ukConstraint *ukConstraintOf(ukConstraintID handle);
struct ukForce *ukForceOf(ukForceID handle);
struct ukForce *ukSwitchOf(ukSwitchID handle);
/* Sets bounds of a row's multiplier (one_sided: of a one-sided row). Arguments were checked. ukOk or ukErrorMemory. */
int ukConstraintLimit(struct ukConstraint *c, int row, double lo, double hi, bool one_sided);
/* Sets the restitution of a one-sided row. */
void ukConstraintBounce(struct ukConstraint *c, int row, double restitution);
/* Sets the weight W (rows x rows), or removes it (NULL). ukOk; ukErrorMemory; ukErrorArgument: not symmetric, or not
 * positive definite. */
int ukConstraintWeigh(struct ukConstraint *c, const double *W);
/* R (m x m) := the upper triangular factor of W = R'R; false: W is not symmetric, or not positive definite. */
bool ukWeightFactor(const double *W, int m, double *R);

/* The registry calls these when it removes the object. */
void ukElementBodyDestroyed(ukBody *body);
void ukElementWorldDestroyed(ukWorld *world);

/* The state of a body that user functions receive. */
void ukBodyStateOf(const ukBody *body, const ukState *state, ukBodyState *out);

/* Evaluates at the given states (count); `time` [s] is that of the states. ukOk, ukErrorCallback (non-zero return, NaN,
 * or rows written that it does not have), ukErrorChanged (it destroyed something). */
int ukConstraintEvaluate(struct ukConstraint *c, const ukState *const *state, double time, double h);
int ukForceEvaluate(struct ukForce *f, const ukState *const *state, double time, double h);
/* The value of a switching function. */
int ukSwitchEvaluate(struct ukForce *f, const ukState *const *state, double time, double h);

#endif
