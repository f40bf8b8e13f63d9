/* plugin/constraint.c: ukConstraint*, ukForce*: checks arguments, calls the bridge. */
#include <math.h>
#include <string.h>

#include "bridge/audit.h"
#include "bridge/law.h"
#include "bridge/log.h"
#include "solvers/status.h"

/* Collects the records of `bodies` into record (count): all of `world`, all different. Null with the error set. */
static ukWorld *collect(dWorldID world, const dBodyID *bodies, int count, bool fn, ukBody **record)
{
    ukWorld *w = world ? ukRegistryWorld(world) : NULL;
    if (!w) {
        ukErrorSet(ukErrorHandle, world ? "unknown or destroyed world" : "null world");
        return NULL;
    }
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

static bool countable(const dBodyID *bodies, int count)
{
    if (bodies && count >= 1 && count <= MaxBodies) return true;
    ukErrorSet(ukErrorArgument, "between 1 and %d bodies, not %d", MaxBodies, count);
    return false;
}

ukConstraintID ukConstraintCreate(dWorldID world, int rows, const dBodyID *bodies, int count, ukConstraintFn *fn,
                                  void *data)
{
    ukBody *record[MaxBodies];
    if (!countable(bodies, count)) return NULL;
    if (rows < 1 || rows > MaxRows) {
        ukErrorSet(ukErrorArgument, "between 1 and %d rows, not %d", MaxRows, rows);
        return NULL;
    }
    ukWorld *w = collect(world, bodies, count, fn != NULL, record);
    if (!w) return NULL;
    struct ukConstraint *c = ukConstraintNew(w, rows, record, count, fn, data);
    if (!c) ukErrorSet(ukErrorMemory, "no memory");
    return c;
}

/* a living handle, or the error set */
static bool living(const void *handle)
{
    if (handle && ukElementAlive(handle)) return true;
    ukErrorSet(ukErrorHandle, handle ? "a constraint or force that was destroyed" : "null constraint or force");
    return false;
}

void ukConstraintDestroy(ukConstraintID constraint)
{
    if (living(constraint)) ukElementDestroy(&constraint->element);
}

static int getForce(ukConstraintID constraint, bool ideal, dReal *force)
{
    if (!living(constraint)) return ukErrorHandle;
    if (!force) {
        ukErrorSet(ukErrorArgument, "ukConstraintGetForce: force");
        return ukErrorArgument;
    }
    if (!constraint->element.active) {
        ukErrorSet(ukErrorHandle, "a body of this constraint was destroyed");
        return ukErrorHandle;
    }
    const double *from = ideal ? constraint->element.force : constraint->nonideal;
    memcpy(force, from, 6 * (size_t)constraint->element.count * sizeof *force);
    return ukOk;
}

int ukConstraintGetForce(ukConstraintID constraint, dReal *force)
{
    return getForce(constraint, true, force);
}

int ukConstraintGetNonIdealForce(ukConstraintID constraint, dReal *force)
{
    return getForce(constraint, false, force);
}

/* a law that says nothing any more goes */
static int done(ukConstraintID constraint)
{
    if (!ukLawEmpty(constraint->law)) return ukOk;
    ukLawFree(constraint->law);
    constraint->law = NULL;
    return ukOk;
}

/* to be changed; NULL with *status and the error set. Inside a step its memory is laid out already. */
static ukLaw *lawOf(ukConstraintID constraint, int *status)
{
    const bool stepping = constraint->element.world->stepping;
    ukLaw *law = stepping ? NULL : ukLawOfConstraint(constraint);
    if (law) return law;
    *status = stepping ? ukErrorChanged : ukErrorMemory;
    ukErrorSet(*status, stepping ? "a law cannot be set from within a step of its world" : "no memory");
    return NULL;
}

int ukConstraintSetCoulomb(ukConstraintID constraint, dReal mu)
{
    if (!living(constraint)) return ukErrorHandle;
    if (!(mu >= 0) || !isfinite(mu)) {
        ukErrorSet(ukErrorArgument, "ukConstraintSetCoulomb: mu must be >= 0 and finite");
        return ukErrorArgument;
    }
    int status = ukOk;
    ukLaw *law = lawOf(constraint, &status);
    if (!law) return status;
    law->mu = mu;
    return done(constraint);
}

int ukConstraintSetNonIdeal(ukConstraintID constraint, ukConstraintNonIdealFn *fn, void *data)
{
    if (!living(constraint)) return ukErrorHandle;
    int status = ukOk;
    ukLaw *law = lawOf(constraint, &status);
    if (!law) return status;
    law->constraint_fn = fn;
    law->data = data;
    return done(constraint);
}

int ukConstraintSetError(ukConstraintID constraint, ukErrorFn *fn, void *data)
{
    if (!living(constraint)) return ukErrorHandle;
    constraint->error = fn;
    constraint->error_data = data;
    return ukOk;
}

int ukConstraintAudit(ukConstraintID constraint, ukAudit *result)
{
    if (!living(constraint)) return ukErrorHandle;
    if (!result) {
        ukErrorSet(ukErrorArgument, "ukConstraintAudit: result");
        return ukErrorArgument;
    }
    if (!constraint->element.active) {
        ukErrorSet(ukErrorHandle, "a body of this constraint was destroyed");
        return ukErrorHandle;
    }
    return ukAuditConstraint(constraint, result);
}

ukForceID ukForceCreate(dWorldID world, const dBodyID *bodies, int count, ukForceFn *fn, void *data)
{
    ukBody *record[MaxBodies];
    if (!countable(bodies, count)) return NULL;
    ukWorld *w = collect(world, bodies, count, fn != NULL, record);
    if (!w) return NULL;
    struct ukForce *f = ukForceNew(w, record, count, fn, data);
    if (!f) ukErrorSet(ukErrorMemory, "no memory");
    return f;
}

void ukForceDestroy(ukForceID force)
{
    if (living(force)) ukElementDestroy(&force->element);
}
