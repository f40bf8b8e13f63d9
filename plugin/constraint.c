/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/constraint.c: ukConstraint*, ukForce*, ukSwitch*: checks arguments, calls the bridge. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/diagnose/audit.h"
#include "bridge/results/effort.h"
#include "bridge/user/joint_law.h"
#include "bridge/world/registry.h"
#include "plugin/sized.h"
#include "plugin/unknown.h"
#include "solvers/base/status.h"

/* Collects the records of `bodies` into record (count): all of `world`, all different. Null with the error set. */
static ukWorld *collectBodies(dWorldID world, const dBodyID *bodies, int count, bool fn, ukBody **record)
{
    ukWorld *w = ukKnownWorld(world);
    if (!w) return NULL;
    for (int i = 0; i < count; i++) {
        record[i] = bodies[i] ? ukRegistryBody(bodies[i]) : NULL;
        if (!record[i] || record[i]->world != w) {
            ukErrorSet(ukErrorHandle, "body %d is null, destroyed, or of another world", i);
            return NULL;
        }
        for (int k = 0; k < i; k++) {
            if (record[k] != record[i]) continue;
            ukErrorSet(ukErrorArgument, "bodies %d and %d are the same", k, i);
            return NULL;
        }
    }
    if (fn) return w;
    ukErrorSet(ukErrorArgument, "null function");
    return NULL;
}

enum { MaxBodies = ukMaxElementBodies, MaxRows = 6 * MaxBodies };

static bool isCountAllowed(const dBodyID *bodies, int count)
{
    if (bodies && count >= 1 && count <= MaxBodies) return true;
    ukErrorSet(ukErrorArgument, "between 1 and %d bodies, not %d", MaxBodies, count);
    return false;
}

ukConstraintID ukConstraintCreate(dWorldID world, int rows, const dBodyID *bodies, int count, ukConstraintFn *fn,
                                  void *data)
{
    ukBody *record[MaxBodies];
    if (!isCountAllowed(bodies, count)) return NULL;
    if (rows < 1 || rows > MaxRows) {
        ukErrorSet(ukErrorArgument, "between 1 and %d rows, not %d", MaxRows, rows);
        return NULL;
    }
    ukWorld *w = collectBodies(world, bodies, count, fn != NULL, record);
    if (!w) return NULL;
    struct ukConstraint *c = ukConstraintNew(w, rows, record, count, fn, data);
    if (!c) ukErrorSet(ukErrorMemory, "no memory");
    return c ? c->element.handle : NULL;
}

/* the living constraint that the handle names; NULL with the error set */
static struct ukConstraint *constraintOf(ukConstraintID handle)
{
    struct ukConstraint *c = handle ? ukConstraintOf(handle) : NULL;
    if (!c) ukErrorSet(ukErrorHandle, handle ? "a constraint that was destroyed" : "null constraint");
    return c;
}

void ukConstraintDestroy(ukConstraintID constraint)
{
    struct ukConstraint *c = constraintOf(constraint);
    if (c) ukElementDestroy(&c->element);
}

enum { Ideal, NonIdeal, Impulse };

static int getForce(ukConstraintID constraint, int what, dReal *force)
{
    const struct ukConstraint *c = constraintOf(constraint);
    if (!c) return ukErrorHandle;
    if (!force)
        return ukErrorSet(ukErrorArgument,
                          what == Impulse ? "ukConstraintGetImpulse: impulse" : "ukConstraintGetForce: force");
    if (!c->element.active) return ukErrorSet(ukErrorHandle, "a body of this constraint was destroyed");
    const double *from = what == Ideal ? c->element.force : what == NonIdeal ? c->nonideal : c->impulse;
    memcpy(force, from, 6 * (size_t)c->element.count * sizeof *force);
    return ukOk;
}

int ukConstraintGetForce(ukConstraintID constraint, dReal *force)
{
    return getForce(constraint, Ideal, force);
}

int ukConstraintGetNonIdealForce(ukConstraintID constraint, dReal *force)
{
    return getForce(constraint, NonIdeal, force);
}

int ukConstraintGetImpulse(ukConstraintID constraint, dReal *impulse)
{
    return getForce(constraint, Impulse, impulse);
}

int ukConstraintGetGaussian(ukConstraintID constraint, dReal *Gi, dReal *Gni)
{
    ukEffort effort = {0};
    const struct ukConstraint *c = constraintOf(constraint);
    const int status = c ? ukEffortOfConstraint(c, &effort) : ukErrorHandle;
    if (Gi) *Gi = effort.Gi;
    if (Gni) *Gni = effort.Gni;
    return status;
}

/* a law that says nothing any more goes */
static int freeEmptyLaw(struct ukConstraint *c)
{
    if (!ukLawEmpty(c->law)) return ukOk;
    ukLawFree(c->law);
    c->law = NULL;
    return ukOk;
}

/* The constraint's law, to be changed; NULL with *status and the error set: during a step the memory of its rows is
 * already divided. */
static ukLaw *lawOf(struct ukConstraint *c, int *status)
{
    const bool stepping = c->element.world->stepping;
    ukLaw *law = stepping ? NULL : ukLawOfConstraint(c);
    if (law) return law;
    *status = stepping ? ukErrorChanged : ukErrorMemory;
    ukErrorSet(*status, stepping ? "a joint law cannot be set during a step of its world" : "no memory");
    return NULL;
}

int ukConstraintSetCoulomb(ukConstraintID constraint, dReal mu)
{
    struct ukConstraint *c = constraintOf(constraint);
    if (!c) return ukErrorHandle;
    if (!(mu >= 0) || !isfinite(mu))
        return ukErrorSet(ukErrorArgument, "ukConstraintSetCoulomb: mu must be >= 0 and finite");
    int status = ukOk;
    ukLaw *law = lawOf(c, &status);
    if (!law) return status;
    law->mu = mu;
    return freeEmptyLaw(c);
}

dReal ukConstraintGetCoulomb(ukConstraintID constraint)
{
    const struct ukConstraint *c = constraintOf(constraint);
    return c && c->law ? c->law->mu : 0;
}

int ukConstraintSetNonIdeal(ukConstraintID constraint, ukConstraintNonIdealFn *fn, void *data)
{
    struct ukConstraint *c = constraintOf(constraint);
    if (!c) return ukErrorHandle;
    int status = ukOk;
    ukLaw *law = lawOf(c, &status);
    if (!law) return status;
    law->constraint_fn = fn;
    law->data = data;
    return freeEmptyLaw(c);
}

int ukConstraintGetNonIdeal(ukConstraintID constraint, ukConstraintNonIdealFn **fn, void **data)
{
    const struct ukConstraint *c = constraintOf(constraint);
    const ukLaw *law = c ? c->law : NULL;
    if (fn) *fn = law ? law->constraint_fn : NULL;
    if (data) *data = law ? law->data : NULL;
    return c ? ukOk : ukErrorHandle;
}

int ukConstraintSetWeight(ukConstraintID constraint, const dReal *weight, int full)
{
    struct ukConstraint *c = constraintOf(constraint);
    if (!c) return ukErrorHandle;
    if (c->element.world->stepping)
        return ukErrorSet(ukErrorChanged, "a weight cannot be set during a step of its world");
    const size_t m = (size_t)c->rows;
    double *W = weight && !full ? calloc(m * m, sizeof *W) : NULL;
    for (size_t i = 0; W && i < m; i++) W[i * m + i] = weight[i];
    const int status = weight && !full && !W ? ukErrorMemory : ukConstraintWeigh(c, full ? weight : W);
    free(W);
    if (status != ukOk)
        ukErrorSet(status, status == ukErrorMemory
                               ? "no memory"
                               : "ukConstraintSetWeight: the weight must be symmetric and positive definite");
    return status;
}

int ukConstraintGetWeight(ukConstraintID constraint, dReal *weight)
{
    const struct ukConstraint *c = constraintOf(constraint);
    if (!c) return 0;
    const size_t numbers = (size_t)c->rows * (size_t)c->rows;
    if (weight && c->weight) memcpy(weight, c->weight + numbers, numbers * sizeof *weight);
    if (weight && !c->weight) memset(weight, 0, numbers * sizeof *weight);
    return c->weight != NULL;
}

int ukConstraintSetError(ukConstraintID constraint, ukErrorFn *fn, void *data)
{
    struct ukConstraint *c = constraintOf(constraint);
    if (!c) return ukErrorHandle;
    c->error = fn;
    c->error_data = data;
    return ukOk;
}

int ukConstraintGetError(ukConstraintID constraint, ukErrorFn **fn, void **data)
{
    const struct ukConstraint *c = constraintOf(constraint);
    if (fn) *fn = c ? c->error : NULL;
    if (data) *data = c ? c->error_data : NULL;
    return c ? ukOk : ukErrorHandle;
}

/* the constraint with that row, NULL with *status and the error set */
static struct ukConstraint *constraintWithRow(ukConstraintID constraint, int row, int *status)
{
    struct ukConstraint *c = constraintOf(constraint);
    *status = c ? ukErrorArgument : ukErrorHandle;
    if (!c || (row >= 0 && row < c->rows)) return c;
    ukErrorSet(ukErrorArgument, "the constraint has rows 0 to %d, not %d", c->rows - 1, row);
    return NULL;
}

static int setLimit(ukConstraintID constraint, int row, double lo, double hi, bool one_sided)
{
    int status;
    struct ukConstraint *c = constraintWithRow(constraint, row, &status);
    if (!c) return status;
    if (!(lo <= hi) || lo == INFINITY || hi == -INFINITY)
        return ukErrorSet(ukErrorArgument, "ukConstraintSetBounds: the bounds [%g, %g] of row %d are not an interval",
                          lo, hi, row);
    if (c->element.world->stepping)
        return ukErrorSet(ukErrorChanged, "the bounds of a row cannot be set during a step of its world");
    status = ukConstraintLimit(c, row, lo, hi, one_sided);
    if (status != ukOk) ukErrorSet(status, "no memory");
    return status;
}

int ukConstraintSetBounds(ukConstraintID constraint, int row, dReal lo, dReal hi)
{
    return setLimit(constraint, row, lo, hi, false);
}

int ukConstraintGetBounds(ukConstraintID constraint, int row, dReal *lo, dReal *hi)
{
    int status;
    const struct ukConstraint *c = constraintWithRow(constraint, row, &status);
    const ukRowBounds *limit = c && c->limit ? &c->limit[row] : NULL;
    if (lo) *lo = limit ? limit->lo : -INFINITY;
    if (hi) *hi = limit ? limit->hi : INFINITY;
    return c ? ukOk : status;
}

int ukConstraintSetOneSided(ukConstraintID constraint, int row)
{
    return setLimit(constraint, row, 0, INFINITY, true);
}

int ukConstraintGetOneSided(ukConstraintID constraint, int row)
{
    int status;
    const struct ukConstraint *c = constraintWithRow(constraint, row, &status);
    return c && c->limit && c->limit[row].one_sided;
}

int ukConstraintSetRestitution(ukConstraintID constraint, int row, dReal restitution)
{
    int status;
    struct ukConstraint *c = constraintWithRow(constraint, row, &status);
    if (!c) return status;
    if (!(restitution >= 0 && restitution <= 1) || !c->limit || !c->limit[row].one_sided)
        return ukErrorSet(ukErrorArgument, "ukConstraintSetRestitution: %s",
                          restitution >= 0 && restitution <= 1 ? "the row is not one-sided"
                                                               : "restitution must be from 0 to 1");
    if (c->element.world->stepping)
        return ukErrorSet(ukErrorChanged, "the restitution of a row cannot be set during a step of its world");
    ukConstraintBounce(c, row, restitution);
    return ukOk;
}

dReal ukConstraintGetRestitution(ukConstraintID constraint, int row)
{
    int status;
    const struct ukConstraint *c = constraintWithRow(constraint, row, &status);
    return c && c->limit ? c->limit[row].restitution : 0;
}

int ukConstraintAuditSized(ukConstraintID constraint, ukAudit *audit, size_t size)
{
    ukSizedClear(audit, size);
    struct ukConstraint *c = constraintOf(constraint);
    ukAudit found;
    if (!c) return ukErrorHandle;
    if (!audit || size == 0) return ukRefuseArgument("ukConstraintAudit: audit is null, or its size is 0");
    if (!c->element.active) return ukErrorSet(ukErrorHandle, "a body of this constraint was destroyed");
    const int status = ukAuditConstraint(c, &found);
    if (status == ukOk) ukSizedWrite(audit, size, &found, sizeof found);
    return status;
}

ukForceID ukForceCreate(dWorldID world, const dBodyID *bodies, int count, ukForceFn *fn, void *data)
{
    ukBody *record[MaxBodies];
    if (!isCountAllowed(bodies, count)) return NULL;
    ukWorld *w = collectBodies(world, bodies, count, fn != NULL, record);
    if (!w) return NULL;
    struct ukForce *f = ukForceNew(w, record, count, fn, data);
    if (!f) ukErrorSet(ukErrorMemory, "no memory");
    return f ? f->element.handle : NULL;
}

void ukForceDestroy(ukForceID force)
{
    struct ukForce *f = force ? ukForceOf(force) : NULL;
    if (f)
        ukElementDestroy(&f->element);
    else
        ukErrorSet(ukErrorHandle, force ? "a force that was destroyed" : "null force");
}

ukSwitchID ukSwitchCreate(dWorldID world, const dBodyID *bodies, int count, ukSwitchFn *fn, void *data)
{
    ukBody *record[MaxBodies];
    if (!isCountAllowed(bodies, count)) return NULL;
    ukWorld *w = collectBodies(world, bodies, count, fn != NULL, record);
    if (!w) return NULL;
    struct ukForce *f = ukSwitchNew(w, record, count, fn, data);
    if (!f) ukErrorSet(ukErrorMemory, "no memory");
    return f ? f->element.handle : NULL;
}

static struct ukForce *switchOf(ukSwitchID handle)
{
    struct ukForce *f = handle ? ukSwitchOf(handle) : NULL;
    if (!f) ukErrorSet(ukErrorHandle, handle ? "a switching function that was destroyed" : "null switching function");
    return f;
}

void ukSwitchDestroy(ukSwitchID handle)
{
    struct ukForce *f = switchOf(handle);
    if (f) ukElementDestroy(&f->element);
}

int ukSwitchGetSide(ukSwitchID handle)
{
    const struct ukForce *f = switchOf(handle);
    return f ? f->side : 0;
}
