/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/analysis/motion_poses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/analyze/coordinates.h"
#include "bridge/base/log.h"
#include "bridge/base/vector.h"
#include "plugin/analysis/signal.h"
#include "solvers/base/lapack.h"
#include "solvers/base/status.h"

/* One Newton step: its coordinates are those of the poses at its start. */
typedef struct Newton {
    ukProbe probe;
    ukCoordinates c;
    ukSignalPlace place[ukMostSignals];
    const ukMotionAim *aim;
    double *C, *r, *sigma; /* (outputs x positions), (outputs or positions), the same */
    ukState *next;         /* (bodies) */
    double off;            /* the largest error of a position */
} Newton;

static void placeBody(dBodyID body, const ukState *s)
{
    dBodySetPosition(body, s->x[0], s->x[1], s->x[2]);
    dBodySetQuaternion(body, (dQuaternion){s->q[0], s->q[1], s->q[2], s->q[3]});
    dBodySetLinearVel(body, 0, 0, 0);
    dBodySetAngularVel(body, 0, 0, 0);
}

/* The base state displaced by factor x N_q,j; j < 0: not displaced. */
static void displaceBase(const Newton *n, const double *xi, double factor, ukState *to)
{
    for (int k = 0; k < n->c.bodies; k++) {
        double dq[6] = {0};
        ukState s = n->c.state[k];
        for (int j = 0; j < n->c.positions && xi; j++)
            for (int i = 0; i < 6; i++)
                dq[i] += factor * xi[j] * n->c.Nq[(size_t)j * (size_t)n->c.n + (size_t)(6 * k + i)];
        for (int i = 0; i < 3; i++) s.x[i] += dq[i];
        ukRotateBy(s.q, dq + 3);
        ukStateOrient(&s);
        to[k] = s;
    }
}

static void readPositions(Newton *n, const double *xi, double factor, double *value)
{
    displaceBase(n, xi, factor, n->next);
    for (int k = 0; k < n->c.bodies; k++) placeBody(ukProbeFrame(&n->probe, k)->body->handle, &n->next[k]);
    for (int i = 0; i < n->aim->list->count; i++) value[i] = ukSignalRead(&n->place[i], NULL);
}

/* Computes C = dy/dxi by central differences, and r = prescribed value of the row - y. */
static void differentiatePositions(Newton *n)
{
    static const double change = 1e-4; /* of the world's length, or an angle */
    const int outputs = n->aim->list->count, p = n->c.positions;
    double *const xi = n->sigma, *const side[2] = {n->r, n->r + outputs};
    for (int j = 0; j < p; j++) {
        const double step = change * n->c.scale;
        memset(xi, 0, (size_t)p * sizeof *xi);
        xi[j] = 1;
        for (int s = 0; s < 2; s++) readPositions(n, xi, s ? step : -step, side[s]);
        for (int i = 0; i < outputs; i++)
            n->C[i * p + j] = ukSignalDifference(&n->place[i], side[0][i], side[1][i]) / (2 * step);
    }
    readPositions(n, NULL, 0, side[1]);
    n->off = 0;
    for (int i = 0; i < outputs; i++) {
        n->r[i] = ukSignalDifference(&n->place[i], side[1][i], n->aim->value[i]);
        n->off = fmax(n->off, fabs(n->r[i]));
    }
}

static int refuseUndetermined(const Newton *n, int rank)
{
    return ukErrorSet(ukErrorArgument, "the table leaves %d of %d motions of the world undetermined",
                      n->c.positions - rank, n->c.positions);
}

/* The bodies to the next poses of Newton's method. */
static int stepPositions(Newton *n)
{
    static const double most = 0.1; /* of a step, so that the joints stay within reach of a projection */
    const int outputs = n->aim->list->count, p = n->c.positions;
    int rank = 0;
    if (p == 0) return ukOk;
    if (LAPACKE_dgelsd(LAPACK_ROW_MAJOR, outputs, p, 1, n->C, p, n->r, 1, n->sigma, 1e-9, &rank) != 0)
        return ukErrorSet(ukErrorLapack, "LAPACK does not solve least squares with %d unknowns", p);
    if (rank < p) return refuseUndetermined(n, rank);
    double square = 0;
    for (int j = 0; j < p; j++) square += n->r[j] * n->r[j];
    displaceBase(n, n->r, fmin(1, most * n->c.scale / fmax(sqrt(square), 1e-300)), n->next);
    for (int k = 0; k < n->c.bodies; k++) placeBody(ukProbeFrame(&n->probe, k)->body->handle, &n->next[k]);
    return ukOk;
}

static int iterateOnce(Newton *n, ukWorld *world, bool last)
{
    const int outputs = n->aim->list->count;
    int status = ukProbeBegin(&n->probe, world, ukProbePose, n->aim->h, NULL, 0);
    if (status == ukOk) status = ukCoordinatesBegin(&n->c, &n->probe);
    if (status == ukOk) {
        const size_t p = (size_t)n->c.positions, rows = (size_t)outputs, size = 2 * rows + p + 1;
        n->C = calloc(rows * p + 2 * size, sizeof *n->C);
        n->next = calloc((size_t)n->c.bodies + 1, sizeof *n->next);
        if (!n->C || !n->next) {
            ukErrorSet(status = ukErrorMemory, "no memory for the poses of %d bodies", n->c.bodies);
        } else {
            n->r = n->C + rows * p, n->sigma = n->r + size;
            differentiatePositions(n);
            if (!last) status = stepPositions(n);
        }
    }
    free(n->C);
    free(n->next);
    n->C = NULL, n->next = NULL;
    ukCoordinatesEnd(&n->c);
    ukProbeEnd(&n->probe);
    return status;
}

static int requireNoContacts(const ukWorld *world)
{
    for (const ukJoint *j = world->oldest_joint; j; j = j->newer) {
        if (!j->handle || !ukIsContact(j) || !j->body[0]) continue;
        return ukErrorSet(ukErrorUnsupported, "contacts do not follow a table of motion");
    }
    return ukOk;
}

int ukMotionPosesFind(ukWorld *world, const ukMotionAim *aim)
{
    enum { Most = 60 };
    static const double enough = 1e-11, reached = 1e-8;
    Newton n = {.aim = aim};
    double before = INFINITY;
    int status = requireNoContacts(world);
    if (status == ukOk) status = ukSignalsFind(world, aim->list->signal, aim->list->count, false, n.place);
    for (int iteration = 0; iteration < Most && status == ukOk; iteration++) {
        status = iterateOnce(&n, world, false);
        if (n.off <= enough || (n.off <= reached && n.off >= before)) break;
        before = n.off;
    }
    if (status == ukOk) status = iterateOnce(&n, world, true); /* onto the joints after the last step */
    if (status != ukOk || n.off <= reached) return status;
    return ukErrorSet(ukErrorArgument, "the joints do not admit the positions at %g s: off by %.3g", aim->time, n.off);
}
