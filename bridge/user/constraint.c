/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/user/constraint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/base/map.h"
#include "bridge/user/joint_law.h"
#include "bridge/user/parts.h"
#include "bridge/world/frame.h"
#include "bridge/world/journal.h"
#include "bridge/world/registry.h"
#include "solvers/base/status.h"

/* The living ones of the process by handle. A handle is no address but a number that counts up: one that outlives its
 * constraint can never name another. */
static ukMap living;
static uintptr_t last_handle;
enum { HandleStep = 16 }; /* as addresses: the map shifts their low bits out */

/* After each array (count) that a user's function fills stands a guard: written over, it betrays a function with more
 * rows, or bodies, than it said. */
static const double guard_value = 6.02214076e23;

static size_t guardOf(size_t count)
{
    return 48 + 2 * count;
}

static void writeGuard(double *x, size_t count)
{
    for (size_t i = count; i < count + guardOf(count); i++) x[i] = guard_value;
}

static double *allocateGuarded(size_t count)
{
    double *x = malloc((count + guardOf(count)) * sizeof *x);
    if (x) writeGuard(x, count);
    return x;
}

/* puts the guard back, if need be */
static bool restoreGuard(double *x, size_t count)
{
    bool same = true;
    for (size_t i = count; i < count + guardOf(count); i++)
        same &= memcmp(&x[i], &guard_value, sizeof guard_value) == 0;
    if (!same) writeGuard(x, count);
    return same;
}

static void linkUse(ukBody *body, ukElement *element, ukUse *u)
{
    *u = (ukUse){.element = element, .next = body->first_use, .link = &body->first_use};
    if (u->next) u->next->link = &u->next;
    body->first_use = u;
}

static void unlinkUse(ukUse *u)
{
    if (!u->link) return;
    *u->link = u->next;
    if (u->next) u->next->link = u->link;
    u->link = NULL;
}

/* Links a new element, whose memory was zeroed, with its world and bodies; false: no memory, and it is in no list. */
static bool linkElement(ukElement *e, ukWorld *world, ukBody *const *body, int count, void *data)
{
    e->world = world;
    e->count = count;
    e->data = data;
    e->active = true;
    e->serial = ++world->next_element;
    e->body = calloc((size_t)count, sizeof(ukBody *));
    e->use = calloc((size_t)count, sizeof *e->use);
    e->state = calloc((size_t)count, sizeof *e->state);
    e->force = allocateGuarded(6 * (size_t)count);
    if (!e->body || !e->use || !e->state || !e->force) return false;
    memset(e->force, 0, 6 * (size_t)count * sizeof(double));
    ukRegistryLock();
    void *const handle = (void *)(last_handle + HandleStep);
    const bool known = ukMapPut(&living, handle, e);
    if (known) {
        last_handle += HandleStep;
        e->handle = handle;
        e->older = world->newest_element;
        *(e->older ? &e->older->newer : &world->oldest_element) = e;
        world->newest_element = e;
        for (int i = 0; i < count; i++) linkUse(e->body[i] = body[i], e, &e->use[i]);
        world->element_count++;
        world->changes++;
        ukJournalElement(e, e->is_force ? 0 : ((const struct ukConstraint *)e)->rows);
    }
    ukRegistryUnlock();
    return known;
}

static void releaseConstraint(ukElement *e)
{
    if (!e->is_force) {
        struct ukConstraint *c = (struct ukConstraint *)e;
        free(c->A);
        free(c->b);
        free(c->phi);
        free(c->psi);
        free(c->lambda);
        free(c->nonideal);
        free(c->impulse);
        free(c->limit);
        free(c->guess);
        free(c->weight);
        free(c->servo);
        ukLawFree(c->law);
    }
    free(e->body);
    free(e->use);
    free(e->state);
    free(e->force);
    free(e);
}

struct ukConstraint *ukConstraintNew(ukWorld *world, int rows, ukBody *const *body, int count, ukConstraintFn *fn,
                                     void *data)
{
    struct ukConstraint *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    const size_t m = (size_t)rows;
    c->rows = rows;
    c->fn = fn;
    c->A = allocateGuarded(m * 6 * (size_t)count);
    c->b = allocateGuarded(m);
    c->phi = allocateGuarded(m);
    c->psi = allocateGuarded(m);
    c->lambda = calloc(m, sizeof(double));
    c->nonideal = calloc(6 * (size_t)count, sizeof(double));
    c->impulse = calloc(30 * (size_t)count, sizeof(double));
    const bool arrays = c->A && c->b && c->phi && c->psi && c->lambda && c->nonideal && c->impulse;
    if (arrays && linkElement(&c->element, world, body, count, data)) return c;
    releaseConstraint(&c->element);
    return NULL;
}

/* a force (fn), or a switching function (g) */
static struct ukForce *newForce(ukWorld *world, ukBody *const *body, int count, ukForceFn *fn, ukSwitchFn *g,
                                void *data)
{
    struct ukForce *f = calloc(1, sizeof *f);
    if (!f) return NULL;
    f->fn = fn;
    f->g = g;
    f->element.is_force = true;
    if (linkElement(&f->element, world, body, count, data)) return f;
    releaseConstraint(&f->element);
    return NULL;
}

struct ukForce *ukForceNew(ukWorld *world, ukBody *const *body, int count, ukForceFn *fn, void *data)
{
    return newForce(world, body, count, fn, NULL, data);
}

struct ukForce *ukSwitchNew(ukWorld *world, ukBody *const *body, int count, ukSwitchFn *fn, void *data)
{
    return newForce(world, body, count, NULL, fn, data);
}

void ukElementDestroy(ukElement *e)
{
    ukRegistryLock();
    ukWorld *world = e->world;
    ukJournalElementGone(e);
    e->active = false;
    ukMapRemove(&living, e->handle);
    *(e->older ? &e->older->newer : &world->oldest_element) = e->newer;
    *(e->newer ? &e->newer->older : &world->newest_element) = e->older;
    world->element_count--;
    world->changes++;
    world->destructions++;
    for (int i = 0; i < e->count; i++) unlinkUse(&e->use[i]);
    if (world->stepping) { /* its own function may still be writing its rows */
        e->older = world->limbo_elements;
        world->limbo_elements = e;
    } else {
        releaseConstraint(e);
    }
    ukRegistryUnlock();
}

void ukElementsForget(ukWorld *world)
{
    for (ukElement *e = world->limbo_elements, *next; e; e = next) {
        next = e->older;
        releaseConstraint(e);
    }
    world->limbo_elements = NULL;
}

static ukElement *elementOf(const void *handle, bool is_force)
{
    ukRegistryLock();
    ukElement *e = ukMapFind(&living, handle);
    ukRegistryUnlock();
    return e && e->is_force == is_force ? e : NULL;
}

struct ukConstraint *ukConstraintOf(ukConstraintID handle)
{
    return (struct ukConstraint *)elementOf(handle, false);
}

struct ukForce *ukForceOf(ukForceID handle)
{
    struct ukForce *f = (struct ukForce *)elementOf(handle, true);
    return f && f->fn ? f : NULL;
}

struct ukForce *ukSwitchOf(ukSwitchID handle)
{
    struct ukForce *f = (struct ukForce *)elementOf(handle, true);
    return f && f->g ? f : NULL;
}

int ukConstraintLimit(struct ukConstraint *c, int row, double lo, double hi, bool one_sided)
{
    if (!c->limit) {
        ukParts parts = {0};
        if (!ukPartsLimits(&parts, c->rows)) return ukErrorMemory;
        c->limit = parts.limit;
        c->guess = parts.guess;
    }
    c->limit[row].lo = lo;
    c->limit[row].hi = hi;
    c->limit[row].one_sided = one_sided;
    c->limit[row].restitution = 0;
    c->element.world->changes++;
    ukJournalRowLimit(&c->element, row, &c->limit[row]);
    return ukOk;
}

void ukConstraintBounce(struct ukConstraint *c, int row, double restitution)
{
    c->limit[row].restitution = restitution;
    c->element.world->changes++;
    ukJournalRestitution(&c->element, row, restitution);
}

bool ukWeightFactor(const double *W, int m, double *R)
{
    for (int i = 0; i < m; i++)
        for (int j = i; j < m; j++) {
            double sum = W[i * m + j];
            if (!isfinite(sum) || W[j * m + i] != sum) return false;
            for (int k = 0; k < i; k++) sum -= R[k * m + i] * R[k * m + j];
            if (i == j && !(sum > 1e-14 * W[i * m + i])) return false;
            R[i * m + j] = i == j ? sqrt(sum) : sum / R[i * m + i];
        }
    return true;
}

int ukConstraintWeigh(struct ukConstraint *c, const double *W)
{
    const size_t numbers = (size_t)c->rows * (size_t)c->rows;
    ukParts parts = {0};
    if (W && !ukPartsWeight(&parts, c->rows)) return ukErrorMemory;
    if (W && !ukWeightFactor(W, c->rows, parts.weight)) {
        ukPartsFree(&parts);
        return ukErrorArgument;
    }
    if (W) memcpy(parts.weight + numbers, W, numbers * sizeof *W);
    free(c->weight);
    c->weight = parts.weight;
    ukJournalWeight(&c->element, W, W ? numbers : 0);
    return ukOk;
}

void ukElementBodyDestroyed(ukBody *body)
{
    while (body->first_use) {
        ukElement *e = body->first_use->element;
        const ptrdiff_t i = body->first_use - e->use;
        unlinkUse(&e->use[i]);
        e->body[i] = NULL;
        e->active = false;
    }
}

void ukElementWorldDestroyed(ukWorld *world)
{
    while (world->newest_element) ukElementDestroy(world->newest_element);
}

void ukBodyStateOf(const ukBody *body, const ukState *state, ukBodyState *out)
{
    for (int k = 0; k < 3; k++) {
        out->position[k] = state->x[k];
        out->velocity[k] = state->v[k];
        out->spin[k] = state->v[3 + k];
    }
    for (int k = 0; k < 4; k++) out->orientation[k] = state->q[k];
    out->mass = body->constant.mass;
    ukInertiaToWorld(state->R, body->constant.inertia, out->inertia);
}

static struct ukConstraintContext contextOf(ukElement *e, const ukState *const *state, double time, double h)
{
    for (int i = 0; i < e->count; i++) ukBodyStateOf(e->body[i], state[i], &e->state[i]);
    return (struct ukConstraintContext){.time = time, .stepsize = h, .count = e->count, .bodies = e->state};
}

/* a call of a user's function went wrong */
static int refuseConstraint(const ukElement *e, int status, const char *what)
{
    const char *kind = ukElementIsSwitch(e) ? "switching function" : e->is_force ? "user force" : "user constraint";
    return ukErrorSet(status, "%s %llu: %s", kind, (unsigned long long)e->serial, what);
}

static int refuseChanged(const ukElement *e)
{
    return refuseConstraint(e, ukErrorChanged,
                            "its function destroyed or re-attached a body, joint or constraint, or the world");
}

/* Records the result of its function for a replay. */
static void recordResult(const struct ukConstraint *c, bool failed)
{
    const size_t m = (size_t)c->rows, n = 6 * (size_t)c->element.count;
    ukJournalAnswer(c->element.world, &(ukAnswer){.kind = ukAnswerConstraint,
                                                  .serial = c->element.serial,
                                                  .failed = failed,
                                                  .arrays = c->error ? 4 : 2,
                                                  .array = {{c->A, m * n}, {c->b, m}, {c->phi, m}, {c->psi, m}}});
}

int ukConstraintEvaluate(struct ukConstraint *c, const ukState *const *state, double time, double h)
{
    ukElement *e = &c->element;
    const size_t m = (size_t)c->rows, n = 6 * (size_t)e->count;
    const struct ukConstraintContext context = contextOf(e, state, time, h);
    const ukWorld *world = e->world;
    const uint64_t destructions = world->destructions;
    memset(c->A, 0, m * n * sizeof(double));
    memset(c->b, 0, m * sizeof(double));
    memset(c->phi, 0, m * sizeof(double));
    memset(c->psi, 0, m * sizeof(double));
    int answer = c->fn(&context, c->A, c->b, e->data);
    if (world->destructions != destructions) return refuseChanged(e);
    if (answer == 0 && c->error) answer = c->error(&context, c->phi, c->psi, c->error_data);
    if (world->destructions != destructions) return refuseChanged(e);
    recordResult(c, answer != 0);
    if (answer != 0) return refuseConstraint(e, ukErrorCallback, "its function returned an error");
    const bool rows = restoreGuard(c->A, m * n), sides = restoreGuard(c->b, m), errors = restoreGuard(c->phi, m),
               rates = restoreGuard(c->psi, m);
    if (!rows || !sides || !errors || !rates)
        return refuseConstraint(e, ukErrorCallback, "its function wrote beyond the rows it has");
    bool endless = false; /* phi: NaN says that a row is nonholonomic */
    for (size_t i = 0; i < m; i++) endless |= isinf(c->phi[i]) != 0;
    if (endless || !ukFiniteAll(c->A, m * n) || !ukFiniteAll(c->b, m) || !ukFiniteAll(c->psi, m))
        return refuseConstraint(e, ukErrorCallback, "its function wrote NaN or infinity");
    return ukOk;
}

int ukForceEvaluate(struct ukForce *f, const ukState *const *state, double time, double h)
{
    ukElement *e = &f->element;
    const size_t n = 6 * (size_t)e->count;
    const struct ukConstraintContext context = contextOf(e, state, time, h);
    const ukWorld *world = e->world;
    const uint64_t destructions = world->destructions;
    memset(e->force, 0, n * sizeof(double));
    const int answer = f->fn(&context, e->force, e->data);
    if (world->destructions != destructions) return refuseChanged(e);
    ukJournalAnswer(
        world,
        &(ukAnswer){
            .kind = ukAnswerForce, .serial = e->serial, .failed = answer != 0, .arrays = 1, .array = {{e->force, n}}});
    if (answer != 0) return refuseConstraint(e, ukErrorCallback, "its function returned an error");
    if (!restoreGuard(e->force, n)) return refuseConstraint(e, ukErrorCallback, "its function wrote beyond its bodies");
    if (!ukFiniteAll(e->force, n)) return refuseConstraint(e, ukErrorCallback, "its function wrote NaN or infinity");
    return ukOk;
}

int ukSwitchEvaluate(struct ukForce *f, const ukState *const *state, double time, double h)
{
    ukElement *e = &f->element;
    const struct ukConstraintContext context = contextOf(e, state, time, h);
    const ukWorld *world = e->world;
    const uint64_t destructions = world->destructions;
    double value = 0;
    const int answer = f->g(&context, &value, e->data);
    if (world->destructions != destructions) return refuseChanged(e);
    ukJournalAnswer(
        world,
        &(ukAnswer){
            .kind = ukAnswerSwitch, .serial = e->serial, .failed = answer != 0, .arrays = 1, .array = {{&value, 1}}});
    if (answer != 0) return refuseConstraint(e, ukErrorCallback, "its function returned an error");
    if (isnan(value)) return refuseConstraint(e, ukErrorCallback, "its function wrote NaN");
    f->value = value;
    return ukOk;
}
