/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/stiff_force.h"

#include <math.h>
#include <string.h>

#include "bridge/base/vector.h"
#include "bridge/island/island.h"
#include "bridge/user/constraint.h"
#include "bridge/world/frame.h"
#include "solvers/base/status.h"

/* Pivots below this fraction of a body's inertia are left to the Newton iterations, which reduce errors by this
 * factor. */
static const double weak = 0.03;

bool ukStiffIsForce(const ukIsland *island, int k)
{
    return island->element[k]->is_force && !ukElementIsSwitch(island->element[k]);
}

double *ukStiffRowsAt(const ukStiffForce *force, int stage)
{
    return force->rows + (stage + 1) * force->n * (force->f ? force->n : 1);
}

/* force k of the island; its arrays follow those of the previous force in the arena */
static ukStiffForce stiffUserForceOf(const ukIsland *island, int k, ukArena *arena)
{
    struct ukForce *f = (struct ukForce *)island->element[k];
    const size_t n = 6 * (size_t)f->element.count;
    return (ukStiffForce){.f = f,
                          .body = f->element.body,
                          .n = (int)n,
                          .rank = ukArenaInts(arena, 1),
                          .row = ukArenaInts(arena, 1),
                          .place = ukArenaDoubles(arena, n * n),
                          .rate = ukArenaDoubles(arena, n * n),
                          .force = ukArenaDoubles(arena, n),
                          .work = ukArenaDoubles(arena, n * n),
                          .rows = ukArenaDoubles(arena, (1 + ukStiffStages) * n * n),
                          .by_place = ukArenaDoubles(arena, n * n),
                          .by_rate = ukArenaDoubles(arena, n * n)};
}

/* the same for a spring made of CFM, of the island assembled last */
static ukStiffForce stiffSpringOf(const ukSpring *spring, ukArena *arena)
{
    const size_t n = spring->joint->body[1] ? 12 : 6;
    return (ukStiffForce){.spring = spring,
                          .body = spring->joint->body,
                          .n = (int)n,
                          .rank = ukArenaInts(arena, 1),
                          .row = ukArenaInts(arena, 1),
                          .rows = ukArenaDoubles(arena, (1 + ukStiffStages) * n),
                          .by_place = ukArenaDoubles(arena, 1),
                          .by_rate = ukArenaDoubles(arena, 1)};
}

ukStiffWalk ukStiffWalkBegin(const ukIsland *island)
{
    return (ukStiffWalk){.k = -1, .arena = ukArenaOver(island->solvers->stiff_memory, island->solvers->stiff_size)};
}

bool ukStiffWalkNext(const ukIsland *island, ukStiffWalk *walk)
{
    while (++walk->k < island->elements && !ukStiffIsForce(island, walk->k)) continue;
    if (walk->k - island->elements >= island->solvers->stiff_springs) return false;
    walk->force = walk->k < island->elements
                      ? stiffUserForceOf(island, walk->k, &walk->arena)
                      : stiffSpringOf(ukSpringOf(island, walk->k - island->elements), &walk->arena);
    return true;
}

int ukStiffMostRows(const ukStiffForce *force)
{
    return force->f ? force->n : 1;
}

/* ---- differences ------------------------------------------------------------------------------------------------- */

/* writes column c of the derivatives, d / by, rotated into the bodies' frames (3 and 3 numbers per body) */
static void writeColumn(const ukStiffForce *force, const ukState *state, double *into, int c, double by)
{
    const double *now = force->f->element.force;
    for (int i = 0; i < force->n; i += 3) {
        double d[3], local[3];
        for (int k = 0; k < 3; k++) d[k] = (now[i + k] - force->force[i + k]) / by;
        ukUnrotate(state[i / 6].R, d, local);
        for (int k = 0; k < 3; k++) into[(i + k) * force->n + c] = local[k];
    }
}

/* changes the state along its own axis c: position, angle, or (`rate`) the corresponding velocity */
static void perturbState(ukState *state, int c, bool rate, double by)
{
    double axis[3];
    for (int k = 0; k < 3; k++) axis[k] = by * state->R[3 * k + c % 3];
    double *v = state->v + (c < 3 ? 0 : 3);
    for (int k = 0; k < 3 && rate; k++) v[k] += axis[k];
    for (int k = 0; k < 3 && !rate && c < 3; k++) state->x[k] += axis[k];
    if (rate || c < 3) return;
    ukRotateBy(state->q, axis);
    ukStateOrient(state);
}

int ukStiffForceDifferentiate(ukIsland *island, ukStiffForce *force, const ukStepContext *at, const double by[4])
{
    const ukElement *e = &force->f->element;
    ukState state[ukMaxElementBodies];
    const ukState *see[ukMaxElementBodies];
    for (int i = 0; i < e->count; i++) {
        const ukFrame *frame = ukIslandFrame(island, e->body[i]);
        state[i] = frame ? frame->state : ukStateOf(e->body[i]);
        see[i] = &state[i];
    }
    int status = ukForceEvaluate(force->f, see, at->time, at->rows.h);
    memcpy(force->force, e->force, (size_t)force->n * sizeof *e->force);
    for (int c = 0; c < 2 * force->n && status == ukOk; c++) {
        const bool rate = c >= force->n;
        const int body = c % force->n / 6, axis = c % 6;
        const ukFrame *frame = ukIslandFrame(island, e->body[body]);
        double *into = rate ? force->rate : force->place;
        if (!frame || frame->moving < 0) {
            for (int i = 0; i < force->n; i++) into[i * force->n + c % force->n] = 0;
            continue;
        }
        const ukState kept = state[body];
        const double step = by[(rate ? 2 : 0) + (axis < 3 ? 0 : 1)];
        perturbState(&state[body], axis, rate, step);
        status = ukForceEvaluate(force->f, see, at->time, at->rows.h);
        state[body] = kept;
        writeColumn(force, state, into, c % force->n, step);
    }
    return status;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

double ukStiffInertia(const ukIsland *island, const ukStiffForce *force, int i)
{
    const ukBody *body = force->body[i / 6];
    const ukFrame *frame = ukIslandFrame(island, body);
    if (!frame || frame->moving < 0) return 0;
    return i % 6 < 3 ? body->constant.mass : body->constant.inertia[4 * (i % 3)];
}

void ukStiffForceFactor(const ukIsland *island, ukStiffForce *force, double g, int most_rows, double *strength)
{
    const int n = force->n;
    double *S = force->work;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            const int ik = n * i + k, ki = n * k + i;
            S[ik] = -0.5 * (g * (force->rate[ik] + force->rate[ki]) + g * g * (force->place[ik] + force->place[ki]));
        }
    for (*force->rank = 0; *force->rank < n && *force->rank < most_rows; ++*force->rank) {
        int pivot = -1;
        double most = weak;
        for (int i = 0; i < n; i++) {
            const double m = ukStiffInertia(island, force, i);
            if (m > 0 && S[n * i + i] > most * m) most = S[n * i + i] / m, pivot = i;
        }
        if (pivot < 0) return;
        *strength = fmax(*strength, most);
        double *row = force->rows + n * *force->rank;
        const double root = sqrt(S[n * pivot + pivot]);
        for (int i = 0; i < n; i++) row[i] = S[n * pivot + i] / root;
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++) S[n * i + k] -= row[i] * row[k];
        for (int i = 0; i < n; i++) S[n * pivot + i] = S[n * i + pivot] = 0;
    }
}

/* x' V of a direction V = row / inertia */
static double dotDirection(const ukIsland *island, const ukStiffForce *force, const double *row, const double *x)
{
    double sum = 0;
    for (int i = 0; i < force->n; i++) {
        const double m = ukStiffInertia(island, force, i);
        if (m > 0) sum += x[i] * row[i] / m;
    }
    return sum;
}

void ukStiffSpringRowAt(const ukIsland *island, const ukStiffForce *force, double *row)
{
    for (int i = 0; i < force->n; i += 3)
        ukUnrotate(ukIslandFrame(island, force->body[i / 6])->state.R, force->spring->J + i, row + i);
}

void ukStiffSpringRow(const ukIsland *island, ukStiffForce *force, double g, int most_rows, double *strength)
{
    ukStiffSpringRowAt(island, force, force->rows);
    const double change =
        (g * force->spring->kd + g * g * force->spring->kp) * dotDirection(island, force, force->rows, force->rows);
    *strength = fmax(*strength, change);
    *force->rank = change > weak && most_rows > 0;
    *force->by_place = -force->spring->kp;
    *force->by_rate = -force->spring->kd;
}

/* ---- rows at the stages ------------------------------------------------------------------------------------------ */

/* changes the velocities of the state by `by` row / inertia, and its position by g times as much */
static void displaceAlongRow(const ukIsland *island, const ukStiffForce *force, const double *row, double g, double by,
                             ukState *state)
{
    for (int i = 0; i < force->n / 6; i++) {
        double local[6], v[6], angle[3];
        for (int k = 0; k < 6; k++) {
            const double m = ukStiffInertia(island, force, 6 * i + k);
            local[k] = m > 0 ? by * row[6 * i + k] / m : 0;
        }
        ukRotate(state[i].R, local, v);
        ukRotate(state[i].R, local + 3, v + 3);
        for (int k = 0; k < 6; k++) state[i].v[k] += v[k];
        for (int k = 0; k < 3; k++) state[i].x[k] += g * v[k], angle[k] = g * v[3 + k];
        ukRotateBy(state[i].q, angle);
        ukStateOrient(&state[i]);
    }
}

int ukStiffForceUpdateRows(ukIsland *island, ukStiffForce *force, int stage, const ukStepContext *at, double g,
                           double speed)
{
    const ukElement *e = &force->f->element;
    const int n = force->n;
    ukState here[ukMaxElementBodies], state[ukMaxElementBodies];
    const ukState *see[ukMaxElementBodies];
    double *const now = ukStiffRowsAt(force, stage);
    memcpy(force->force, e->force, (size_t)n * sizeof *e->force);
    for (int i = 0; i < e->count; i++) {
        const ukFrame *frame = ukIslandFrame(island, e->body[i]);
        here[i] = frame ? frame->state : ukStateOf(e->body[i]);
        see[i] = &state[i];
    }
    for (int r = 0; r < *force->rank; r++) {
        const double *row = force->rows + n * r;
        double *Y = now + n * r;
        const double by = ukStiffStep * speed / sqrt(dotDirection(island, force, row, row));
        memcpy(state, here, (size_t)e->count * sizeof *state);
        displaceAlongRow(island, force, row, g, by, state);
        const int status = ukForceEvaluate(force->f, see, at->time, at->rows.h);
        if (status != ukOk) return status;
        for (int i = 0; i < n; i += 3) {
            double d[3];
            for (int k = 0; k < 3; k++) d[k] = -g / by * (e->force[i + k] - force->force[i + k]);
            ukUnrotate(here[i / 6].R, d, Y + i);
        }
        for (int j = 0; j < r; j++) {
            const double part = dotDirection(island, force, row, now + n * j);
            for (int i = 0; i < n; i++) Y[i] -= part * now[n * j + i];
        }
        const double square = dotDirection(island, force, row, Y);
        if (!(square > 0)) { /* the force supplies energy: the previous rows are kept */
            memcpy(now, force->rows, (size_t)(n * *force->rank) * sizeof *now);
            return ukOk;
        }
        for (int i = 0; i < n; i++) Y[i] /= sqrt(square);
    }
    return ukOk;
}
