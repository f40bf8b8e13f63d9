#include "bridge/constraint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/frame.h"
#include "bridge/law.h"
#include "bridge/log.h"
#include "solvers/status.h"

static ukElement *all_alive;

/* Behind each array (count) that a user's function fills stands a guard: written over, it betrays a function with more
 * rows, or bodies, than it said. */
static const double guard_value = 6.02214076e23;

static size_t guardOf(size_t count)
{
    return 48 + 2 * count;
}

static void guard(double *x, size_t count)
{
    for (size_t i = count; i < count + guardOf(count); i++) x[i] = guard_value;
}

static double *guarded(size_t count)
{
    double *x = malloc((count + guardOf(count)) * sizeof *x);
    if (x) guard(x, count);
    return x;
}

/* puts the guard back, if need be */
static bool intact(double *x, size_t count)
{
    bool same = true;
    for (size_t i = count; i < count + guardOf(count); i++)
        same &= memcmp(&x[i], &guard_value, sizeof guard_value) == 0;
    if (!same) guard(x, count);
    return same;
}

static bool use(ukBody *body, ukElement *element)
{
    ukUse *u = malloc(sizeof *u);
    if (!u) return false;
    *u = (ukUse){.element = element, .next = body->first_use};
    body->first_use = u;
    return true;
}

static void unuse(ukBody *body, const ukElement *element)
{
    for (ukUse **u = &body->first_use; *u; u = &(*u)->next) {
        if ((*u)->element != element) continue;
        ukUse *gone = *u;
        *u = gone->next;
        free(gone);
        return;
    }
}

/* links a new element, whose memory was zeroed, with its world and bodies */
static bool link(ukElement *e, ukWorld *world, ukBody *const *body, int count, void *data)
{
    e->world = world;
    e->count = count;
    e->data = data;
    e->active = true;
    e->serial = ++world->next_element;
    e->body = calloc((size_t)count, sizeof(ukBody *));
    e->state = calloc((size_t)count, sizeof *e->state);
    e->force = guarded(6 * (size_t)count);
    if (!e->body || !e->state || !e->force) return false;
    memset(e->force, 0, 6 * (size_t)count * sizeof(double));
    ukRegistryLock();
    e->older = world->newest_element;
    if (e->older)
        e->older->newer = e;
    else
        world->oldest_element = e;
    world->newest_element = e;
    e->alive = all_alive;
    all_alive = e;
    bool done = true;
    for (int i = 0; i < count && done; i++) {
        e->body[i] = body[i];
        done = use(body[i], e);
    }
    world->element_count++;
    world->changes++;
    ukRegistryUnlock();
    return done;
}

struct ukConstraint *ukConstraintNew(ukWorld *world, int rows, ukBody *const *body, int count, ukConstraintFn *fn,
                                     void *data)
{
    struct ukConstraint *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    const size_t m = (size_t)rows;
    c->rows = rows;
    c->fn = fn;
    c->A = guarded(m * 6 * (size_t)count);
    c->b = guarded(m);
    c->phi = guarded(m);
    c->psi = guarded(m);
    c->lambda = calloc(m, sizeof(double));
    c->nonideal = calloc(6 * (size_t)count, sizeof(double));
    const bool arrays = c->A && c->b && c->phi && c->psi && c->lambda && c->nonideal;
    if (link(&c->element, world, body, count, data) && arrays) return c;
    ukElementDestroy(&c->element);
    return NULL;
}

struct ukForce *ukForceNew(ukWorld *world, ukBody *const *body, int count, ukForceFn *fn, void *data)
{
    struct ukForce *f = calloc(1, sizeof *f);
    if (!f) return NULL;
    f->fn = fn;
    f->element.is_force = true;
    if (link(&f->element, world, body, count, data)) return f;
    ukElementDestroy(&f->element);
    return NULL;
}

static void release(ukElement *e)
{
    if (!e->is_force) {
        struct ukConstraint *c = (struct ukConstraint *)e;
        free(c->A);
        free(c->b);
        free(c->phi);
        free(c->psi);
        free(c->lambda);
        free(c->nonideal);
        ukLawFree(c->law);
    }
    free(e->body);
    free(e->state);
    free(e->force);
    free(e);
}

/* takes e out of its world's list and of those of its bodies; whether it was linked */
static bool unlinkElement(ukElement *e)
{
    ukElement **a = &all_alive;
    while (*a && *a != e) a = &(*a)->alive;
    const bool linked = *a != NULL;
    ukWorld *world = e->world;
    if (linked) {
        *a = e->alive;
        *(e->older ? &e->older->newer : &world->oldest_element) = e->newer;
        *(e->newer ? &e->newer->older : &world->newest_element) = e->older;
        world->element_count--;
        world->changes++;
        world->destructions++;
    }
    for (int i = 0; e->body && i < e->count; i++)
        if (e->body[i]) unuse(e->body[i], e);
    return linked;
}

void ukElementDestroy(ukElement *e)
{
    ukRegistryLock();
    ukWorld *world = e->world;
    e->active = false;
    if (unlinkElement(e) && world->stepping) { /* its own function may still be writing its rows */
        e->older = world->limbo_elements;
        world->limbo_elements = e;
    } else {
        release(e);
    }
    ukRegistryUnlock();
}

void ukElementsForget(ukWorld *world)
{
    for (ukElement *e = world->limbo_elements, *next; e; e = next) {
        next = e->older;
        release(e);
    }
    world->limbo_elements = NULL;
}

bool ukElementAlive(const void *element)
{
    ukRegistryLock();
    const ukElement *e = all_alive;
    while (e && e != element) e = e->alive;
    ukRegistryUnlock();
    return e != NULL;
}

void ukElementBodyDestroyed(ukBody *body)
{
    while (body->first_use) {
        ukElement *e = body->first_use->element;
        for (int i = 0; i < e->count; i++)
            if (e->body[i] == body) e->body[i] = NULL;
        e->active = false;
        unuse(body, e);
    }
}

void ukElementWorldDestroyed(ukWorld *world)
{
    while (world->oldest_element) ukElementDestroy(world->oldest_element);
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
static int refuse(const ukElement *e, int status, const char *what)
{
    ukErrorSet(status, "user %s %llu: %s", e->is_force ? "force" : "constraint", (unsigned long long)e->serial, what);
    return status;
}

static int changed(const ukElement *e)
{
    return refuse(e, ukErrorChanged, "its function destroyed or re-attached a body, joint or constraint, or the world");
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
    if (world->destructions != destructions) return changed(e);
    if (answer == 0 && c->error) answer = c->error(&context, c->phi, c->psi, c->error_data);
    if (world->destructions != destructions) return changed(e);
    if (answer != 0) return refuse(e, ukErrorCallback, "its function returned an error");
    const bool rows = intact(c->A, m * n), sides = intact(c->b, m), errors = intact(c->phi, m),
               rates = intact(c->psi, m);
    if (!rows || !sides || !errors || !rates)
        return refuse(e, ukErrorCallback, "its function wrote beyond the rows it has");
    bool endless = false; /* phi: NaN says that a row is nonholonomic */
    for (size_t i = 0; i < m; i++) endless |= isinf(c->phi[i]) != 0;
    if (endless || !ukFiniteAll(c->A, m * n) || !ukFiniteAll(c->b, m) || !ukFiniteAll(c->psi, m))
        return refuse(e, ukErrorCallback, "its function wrote NaN or infinity");
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
    if (world->destructions != destructions) return changed(e);
    if (answer != 0) return refuse(e, ukErrorCallback, "its function returned an error");
    if (!intact(e->force, n)) return refuse(e, ukErrorCallback, "its function wrote beyond its bodies");
    if (!ukFiniteAll(e->force, n)) return refuse(e, ukErrorCallback, "its function wrote NaN or infinity");
    return ukOk;
}
