/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/diagnose/audit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/watch/watch.h"
#include "bridge/world/frame.h"
#include "bridge/world/state.h"
#include "solvers/base/arena.h"
#include "solvers/base/status.h"

/* The state around which differences are taken. */
typedef struct Audit {
    struct ukConstraint *c;
    ukAudit *result;
    double time, h;
    int rows, count;
    ukState *state, *moved; /* (count) */
    const ukState **seen;   /* (count) -> moved */
    bool *fixed;            /* (count) kinematic: columns of A are ignored */
    double *A, *b, *phi, *psi;
    double *dphi, *dpsi; /* (rows) a derivative, by Richardson's extrapolation of two central differences */
} Audit;

/* The variable of a difference: a coordinate or a velocity of a body, or time, along which everything moves. */
typedef struct Along {
    int body, component; /* body -1: time */
    bool velocity;
} Along;

static void displaceState(ukState *s, const double *x, const double *theta, double k)
{
    const double turn[3] = {k * theta[0], k * theta[1], k * theta[2]};
    for (int i = 0; i < 3; i++) s->x[i] += k * x[i];
    ukRotateBy(s->q, turn);
    ukStateOrient(s);
}

static int evaluateAt(Audit *a, const Along *along, double k)
{
    memcpy(a->moved, a->state, (size_t)a->count * sizeof *a->moved);
    double time = a->time, unit[6] = {0};
    if (along->body < 0) {
        time += k;
        for (int i = 0; i < a->count; i++) displaceState(&a->moved[i], a->state[i].v, a->state[i].v + 3, k);
    } else if (along->velocity) {
        a->moved[along->body].v[along->component] += k;
    } else {
        unit[along->component] = 1;
        displaceState(&a->moved[along->body], unit, unit + 3, k);
    }
    return ukConstraintEvaluate(a->c, a->seen, time, a->h);
}

/* Computes dphi and dpsi; phi and psi themselves stay in the constraint's arrays. */
static int differentiateErrors(Audit *a, const Along *along, double step)
{
    memset(a->dphi, 0, (size_t)a->rows * sizeof(double));
    memset(a->dpsi, 0, (size_t)a->rows * sizeof(double));
    static const double at[4] = {1, -1, 0.5, -0.5}, weight[4] = {-1.0 / 6, 1.0 / 6, 4.0 / 3, -4.0 / 3};
    for (int k = 0; k < 4; k++) {
        const int status = evaluateAt(a, along, at[k] * step);
        if (status != ukOk) return status;
        for (int i = 0; i < a->rows; i++) {
            a->dphi[i] += weight[k] / step * a->c->phi[i];
            a->dpsi[i] += weight[k] / step * a->c->psi[i];
        }
    }
    return ukOk;
}

/* the largest discrepancy of its kind, judged against `scale` */
static void findAudit(Audit *a, ukAuditFinding *finding, int row, const Along *along, double written, double expected,
                      double scale)
{
    const double size = fabs(written - expected), tolerance = 1e-6 * scale + 1e-8;
    if (!(size <= tolerance)) a->result->ok = 0;
    if (finding->row >= 0 && !(size > finding->size)) return;
    *finding = (ukAuditFinding){.row = row,
                                .body = along->body,
                                .component = along->body < 0 ? -1 : along->component,
                                .written = written,
                                .expected = expected,
                                .size = size,
                                .wrong = !(size <= tolerance)};
}

static int auditColumns(Audit *a)
{
    ukAudit *r = a->result;
    const int n = 6 * a->count;
    int status = ukOk;
    for (int j = 0; j < n && status == ukOk; j++) {
        Along along = {.body = j / 6, .component = j % 6};
        if (a->fixed[along.body]) continue;
        status = differentiateErrors(a, &along, 2e-5);
        for (int i = 0; i < a->rows && status == ukOk; i++) {
            const double written = a->A[i * n + j];
            if (a->phi[i] == a->phi[i])
                findAudit(a, &r->A_phi, i, &along, written, a->dphi[i], fabs(written) + fabs(a->dphi[i]) + 1);
        }
        if (status != ukOk) break;
        along.velocity = true;
        status = differentiateErrors(a, &along, 1e-4 * (1 + fabs(a->state[along.body].v[along.component])));
        for (int i = 0; i < a->rows && status == ukOk; i++) {
            const double written = a->A[i * n + j];
            findAudit(a, &r->A_psi, i, &along, written, a->dpsi[i], fabs(written) + fabs(a->dpsi[i]) + 1);
        }
    }
    return status;
}

static int inTime(Audit *a)
{
    const Along along = {.body = -1};
    double fastest = 1;
    for (int k = 0; k < a->count; k++)
        for (int c = 0; c < 6; c++) fastest = fmax(fastest, fabs(a->state[k].v[c]));
    const int status = differentiateErrors(a, &along, 1e-4 / fastest);
    for (int i = 0; i < a->rows && status == ukOk; i++) {
        if (a->phi[i] == a->phi[i])
            findAudit(a, &a->result->psi, i, &along, a->psi[i], a->dphi[i], fabs(a->psi[i]) + fastest);
        findAudit(a, &a->result->b, i, &along, a->b[i], -a->dpsi[i], fabs(a->b[i]) + fastest * fastest);
    }
    return status;
}

static void carveAudit(Audit *a, ukArena *arena)
{
    const size_t m = (size_t)a->rows, count = (size_t)a->count;
    a->state = ukArenaBytes(arena, count * sizeof *a->state);
    a->moved = ukArenaBytes(arena, count * sizeof *a->moved);
    a->seen = ukArenaBytes(arena, count * sizeof *a->seen);
    a->fixed = ukArenaBytes(arena, count * sizeof *a->fixed);
    a->A = ukArenaDoubles(arena, 6 * m * count);
    UKODE_DOUBLES(arena, m, &a->b, &a->phi, &a->psi, &a->dphi, &a->dpsi);
}

static int auditConstraint(Audit *a)
{
    const ukElement *e = &a->c->element;
    int status = ukOk;
    for (int i = 0; i < a->count && status == ukOk; i++) {
        bool kinematic = false;
        status = ukFrameConstants(e->body[i], &kinematic);
        a->fixed[i] = kinematic;
        a->state[i] = ukStateOf(e->body[i]);
        a->seen[i] = &a->moved[i];
    }
    const Along still = {.body = -1};
    if (status == ukOk) status = evaluateAt(a, &still, 0);
    if (status != ukOk) return status;
    memcpy(a->A, a->c->A, 6 * (size_t)(a->rows * a->count) * sizeof(double));
    memcpy(a->b, a->c->b, (size_t)a->rows * sizeof(double));
    memcpy(a->phi, a->c->phi, (size_t)a->rows * sizeof(double));
    memcpy(a->psi, a->c->psi, (size_t)a->rows * sizeof(double));
    status = auditColumns(a);
    return status == ukOk ? inTime(a) : status;
}

/* An audit under way: a user's function may throw through it. */
typedef struct Visit {
    ukWorld *world;
    void *memory;
} Visit;

static void endVisit(const Visit *v)
{
    ukWatchStepEnd(v->world);
    free(v->memory);
}

int ukAuditConstraint(struct ukConstraint *c, ukAudit *result)
{
    ukWorld *world = c->element.world;
    if (world->stepping) return ukErrorSet(ukErrorChanged, "the world is being stepped (called from a callback)");
    if (!c->error)
        return ukErrorSet(ukErrorArgument, "ukConstraintAudit: the constraint has no error function to compare with");
    const ukAuditFinding none = {.row = -1, .body = -1, .component = -1};
    ukAudit found = {.ok = 1, .A_phi = none, .A_psi = none, .psi = none, .b = none};
    Audit a = {.c = c, .result = &found, .rows = c->rows, .count = c->element.count, .h = 0.01};
    a.time = world->settings.time;
    ukArena arena = ukArenaOver(NULL, 0);
    carveAudit(&a, &arena);
    void *memory = ukArenaAllocate(&arena);
    if (!memory) return ukErrorSet(ukErrorMemory, "no memory");
    carveAudit(&a, &arena);
    ukWatchStepBegin(world); /* what its functions destroy stays in memory until they are done */
    __attribute__((cleanup(endVisit), unused)) const Visit visit = {world, memory};
    const int status = auditConstraint(&a);
    if (status == ukOk) *result = found;
    return status;
}
