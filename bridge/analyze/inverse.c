/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/analyze/inverse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/analyze/carried.h"
#include "bridge/analyze/law_force.h"
#include "bridge/analyze/least_squares.h"
#include "bridge/analyze/stiffness.h"
#include "bridge/base/grow.h"
#include "bridge/base/log.h"
#include "bridge/island/refuse.h"
#include "solvers/problem/tolerance.h"
#include "solvers/base/lapack.h"
#include "solvers/base/status.h"

enum { Edges = 16 }; /* of a cone */

/* A one-sided force: rows of the world and their factors. */
typedef struct Edge {
    int row[3];
    double part[3];
} Edge;

typedef struct Inverse {
    ukPoses poses;
    ukStatics statics;
    ukStiffness stiffness;
    const ukInverseTask *task;
    Edge *edge; /* (edges), grown for the contacts and stops */
    int edges;
    size_t edge_capacity;
    double *force;  /* (n) M qdd - Q, world frame */
    double *asked;  /* (n) L^-1 M qdd */
    double *column; /* (n) scratch */
    double *C;      /* (n) forces of laws */
    double *absent; /* (n) the force that no actuator gives */
    bool laws;
    double *G, *r, *x, *left;
} Inverse;

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static int addEdge(Inverse *s, Edge edge)
{
    if (!ukArrayReserve(&s->edge, sizeof *s->edge, (size_t)s->edges + 1, &s->edge_capacity)) return ukErrorMemory;
    s->edge[s->edges++] = edge;
    return ukOk;
}

/* A contact's normal row and up to two tangents: the edges of its box, or of a cone with 16 edges. */
static int addContact(Inverse *s, const ukIsland *island, const ukBlock *block, const ukJoint *joint, int first)
{
    const ukRowArrays *r = &island->rows;
    const int normal = first + block->row;
    double mu[2] = {0};
    int tangents = 0, status = ukOk;
    if (ukPosesContactOf(&s->poses, joint)->gap > 1e-9 || joint->contact.depth < 0) return ukOk;
    for (int i = block->row + 1; i < block->row + block->rows && tangents < 2; i++) {
        const double *J = island->problem->A + block->A + 6 * (i - block->row) * block->slots;
        if (J[0] == 0 && J[1] == 0 && J[2] == 0) break; /* rolling friction */
        if (r->normal[i] < 0)
            return ukRefuseJoint(
                joint, ukErrorUnsupported,
                "its friction bound is constant; inverse dynamics needs one proportional to the normal force "
                "(dContactApprox1)");
        mu[tangents++] = r->hi[i];
    }
    const bool cone = island->world->settings.friction == ukFrictionCone && tangents == 2;
    const int count = cone ? Edges : 1 << tangents;
    for (int k = 0; k < count && status == ukOk; k++) {
        const double angle = 2 * 3.14159265358979323846 * k / Edges;
        const double one = cone ? cos(angle) : k & 1 ? 1 : -1, two = cone ? sin(angle) : k & 2 ? 1 : -1;
        status = addEdge(s, (Edge){.row = {normal, normal + 1, normal + 2},
                                   .part = {1, tangents > 0 ? mu[0] * one : 0, tangents > 1 ? mu[1] * two : 0}});
    }
    return status;
}

/* Determines which rows have unbounded forces, and the edges of the cones of the others. */
static int sortBlock(Inverse *s, const ukIsland *island, int k, int first)
{
    const ukBlock *block = &island->problem->block[k];
    const ukBlockOwner *owner = &island->rows.owners[k];
    const ukRowArrays *r = &island->rows;
    int status = ukOk;
    if (owner->law) return ukOk; /* its friction is a force */
    if (owner->joint && ukIsContact(owner->joint)) return addContact(s, island, block, owner->joint, first);
    for (int i = block->row; i < block->row + block->rows && status == ukOk; i++) {
        const bool motor = owner->joint && r->velocity[i] && i - block->row >= owner->joint->class->velocity_rows;
        const bool stop = owner->joint && r->discrete_only[i];
        s->statics.active[first + i] = !motor && !stop;
        if (stop && !motor)
            status = addEdge(s, (Edge){.row = {first + i, 0, 0}, .part = {r->lo[i] == 0 ? 1 : -1, 0, 0}});
    }
    return status;
}

static int sortRows(Inverse *s)
{
    const ukStepper *const step = s->poses.s;
    int first = 0, status = ukOk;
    memset(s->statics.active, 0, (size_t)step->row_count);
    memset(s->statics.lambda, 0, (size_t)step->row_count * sizeof *s->statics.lambda);
    for (int k = 0; k < step->island_count && status == ukOk; k++) {
        const ukIsland *island = &step->islands[k];
        const int edges = s->edges;
        for (int j = 0; j < island->problem->blocks && status == ukOk; j++) status = sortBlock(s, island, j, first);
        if (status == ukOk && s->edges > edges) status = ukLawForceRefuseOneSided(island);
        s->laws |= ukLawForcePresent(island);
        first += island->problem->rows;
    }
    return status;
}

/* ---- forces ------------------------------------------------------------------------------------------------------ */

/* y (n) = M x, world frame, with the auxiliary masses of bodies without mass (bridge/island/massless.h) */
static void timesMass(const Inverse *s, const double *x, double *y)
{
    const ukStepper *const step = s->poses.s;
    for (int k = 0, at = 0; k < step->island_count; at += 6 * step->islands[k++].problem->bodies)
        ukProblemInertia(step->islands[k].problem, x + at, y + at);
}

/* f -= Q + C; bodies without mass need no force besides the applied one */
static void takeApplied(const ukIsland *island, const double *C, double *f)
{
    for (int i = 0; i < island->problem->bodies; i++) {
        const bool massless = island->massless > 0 && island->bodies.massless[i];
        const double *Q = (massless ? island->bodies.impressed : island->bodies.Q) + 6 * i;
        for (int c = 0; c < 6; c++) f[6 * i + c] = (massless ? 0 : f[6 * i + c]) - Q[c] - C[6 * i + c];
    }
}

/* Gathers the accelerations of the moving bodies in qdd (n; zeros at first). */
static void gatherAccelerations(const Inverse *s, double *qdd)
{
    int k = 0;
    for (const ukBody *body = s->poses.world->oldest_body; body; body = body->newer, k++) {
        const int at = ukPosesBody(&s->poses, body->handle);
        if (at >= 0 && s->task->acceleration) memcpy(qdd + 6 * at, s->task->acceleration + 6 * k, 6 * sizeof *qdd);
    }
}

static void gatherForces(Inverse *s)
{
    const ukStepper *const step = s->poses.s;
    memset(s->column, 0, (size_t)s->poses.n * sizeof *s->column);
    gatherAccelerations(s, s->column);
    timesMass(s, s->column, s->force);
    memcpy(s->asked, s->force, (size_t)s->poses.n * sizeof *s->asked);
    ukPosesScale(&s->poses, false, s->asked);
    for (int i = 0, at = 0; i < step->island_count; at += 6 * step->islands[i++].problem->bodies)
        takeApplied(&step->islands[i], s->C + at, s->force + at);
}

/* The world force of a row, added to f (n). */
static void addRowForce(const Inverse *s, int row, double amount, double *f)
{
    const ukStepper *const step = s->poses.s;
    int column = 0;
    for (int k = 0; k < step->island_count; k++) {
        const ukProblem *p = step->islands[k].problem;
        for (int j = 0; row < p->rows && j < p->blocks; j++) {
            const ukBlock *b = &p->block[j];
            if (row < b->row || row >= b->row + b->rows) continue;
            const double *J = p->A + b->A + 6 * (row - b->row) * b->slots;
            for (int slot = 0; slot < b->slots; slot++, J += 6) {
                const int body = p->body[b->slot + slot];
                for (int c = 0; c < 6 && body >= 0; c++) f[column + 6 * body + c] += amount * J[c];
            }
            return;
        }
        if (row < p->rows) return;
        row -= p->rows;
        column += 6 * p->bodies;
    }
}

static void addUnknown(const Inverse *s, int k, double amount, double *f)
{
    const ukInverseTask *const task = s->task;
    if (k >= task->count) {
        const Edge *edge = s->edge + (k - task->count);
        for (int i = 0; i < 3; i++)
            if (edge->part[i] != 0) addRowForce(s, edge->row[i], amount * edge->part[i], f);
        return;
    }
    for (int side = 0; side < 2; side++) {
        const dBodyID body = task->actuator[k].body[side];
        const int at = body ? ukPosesBody(&s->poses, body) : -1;
        for (int c = 0; c < 6 && at >= 0; c++) f[6 * at + c] += amount * task->actuator[k].wrench[side][c];
    }
}

/* Scale of an unknown: the forces of contacts must cost nothing in comparison with those of actuators. */
static double unitOf(const Inverse *s, int k)
{
    static const double contact = 1e3;
    return k < s->task->count ? 1 / s->task->actuator[k].weight : contact;
}

static int solveForces(Inverse *s, ukInverse *out)
{
    const ukStiffness *const k = &s->stiffness;
    const int n = s->poses.n, f = k->free, unknowns = s->task->count + s->edges;
    double *const memory = calloc((size_t)f * (size_t)unknowns + 2 * (size_t)(f + unknowns) + 1, sizeof *memory);
    if (!memory) return ukErrorMemory;
    s->G = memory;
    s->r = s->G + (size_t)f * (size_t)unknowns;
    s->left = s->r + f;
    s->x = s->left + f;
    for (int j = 0; j <= unknowns; j++) {
        memset(s->column, 0, (size_t)n * sizeof *s->column);
        if (j == unknowns)
            memcpy(s->column, s->force, (size_t)n * sizeof *s->column);
        else
            addUnknown(s, j, unitOf(s, j), s->column);
        ukPosesScale(&s->poses, false, s->column);
        for (int i = 0; i < f; i++) {
            const double along = cblas_ddot(n, k->V + (size_t)(k->rank + i) * (size_t)n, 1, s->column, 1);
            *(j == unknowns ? s->r + i : s->G + (size_t)i * (size_t)unknowns + (size_t)j) = along;
        }
    }
    ukLeastSquares problem = {
        .rows = f, .unknowns = unknowns, .free = s->task->count, .G = s->G, .r = s->r, .x = s->x, .left = s->left};
    const int status = ukLeastSquaresSolve(&problem);
    out->rank = problem.rank;
    out->freedoms = f;
    return status;
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

static double largestInconsistency(const Inverse *s)
{
    const ukStatics *const st = &s->statics;
    const ukStepper *const step = s->poses.s;
    double largest = 0, size = 0;
    for (int i = 0; i < st->actives; i++) {
        int row = st->row[i], k = 0;
        while (row >= step->islands[k].problem->rows) row -= step->islands[k++].problem->rows;
        const double b = st->unit[i] * step->islands[k].rows.b[row];
        const double is = cblas_ddot(s->poses.n, st->B + (size_t)i * (size_t)s->poses.n, 1, s->asked, 1);
        largest = fmax(largest, fabs(is - b));
        size = fmax(size, fabs(b));
    }
    size = fmax(size, sqrt(cblas_ddot(s->poses.n, s->asked, 1, s->asked, 1)));
    return size > 0 ? largest / size : 0;
}

/* lambda of all rows: of the cones' edges, and those of least norm of the joints' rows, which balance the remaining
 * force; ideal: those that they would be without the forces of laws. */
static void findMultipliers(Inverse *s, bool ideal)
{
    const ukStiffness *const k = &s->stiffness;
    ukStatics *const st = &s->statics;
    const int n = s->poses.n, m = st->actives;
    double *const f = s->column;
    memset(st->lambda, 0, (size_t)st->rows * sizeof *st->lambda);
    for (int i = 0; i < n; i++) f[i] = s->absent[i] - s->force[i] - (ideal ? s->C[i] : 0);
    for (int j = 0; j < s->task->count + s->edges; j++) addUnknown(s, j, unitOf(s, j) * s->x[j], f);
    for (int j = 0; j < s->edges; j++)
        for (int i = 0; i < 3; i++)
            if (s->edge[j].part[i] != 0)
                st->lambda[s->edge[j].row[i]] +=
                    s->edge[j].part[i] * unitOf(s, s->task->count + j) * s->x[s->task->count + j];
    ukPosesScale(&s->poses, false, f);
    for (int c = 0; c < k->rank; c++) {
        const double along = cblas_ddot(n, k->V + (size_t)c * (size_t)n, 1, f, 1) / k->sigma[c];
        for (int i = 0; i < m; i++) st->lambda[st->row[i]] -= st->unit[i] * k->U[i * m + c] * along;
    }
    for (int i = 0; i < st->rows; i++) st->inside[i] = st->active[i] || st->lambda[i] != 0;
}

/* The force on each body that nothing gives, and the worst body. */
static void findAbsent(Inverse *s, ukInverse *out)
{
    const ukStiffness *const k = &s->stiffness;
    const int n = s->poses.n;
    double square = 0, all = 0, worst = -1;
    memset(s->column, 0, (size_t)n * sizeof *s->column);
    for (int i = 0; i < k->free; i++) {
        cblas_daxpy(n, s->left[i], k->V + (size_t)(k->rank + i) * (size_t)n, 1, s->column, 1);
        square += s->left[i] * s->left[i];
        all += s->r[i] * s->r[i];
    }
    out->residual = all > 0 ? sqrt(square / all) : 0;
    out->met = out->residual <= 1e-9;
    for (int i = 0; i < s->poses.bodies; i++) {
        const double most = cblas_ddot(6, s->column + 6 * i, 1, s->column + 6 * i, 1);
        if (most > worst) worst = most, out->worst = ukPosesFrame(&s->poses, i)->body->handle;
    }
    if (out->met) out->worst = NULL;
    ukPosesScale(&s->poses, true, s->column);
    timesMass(s, s->column, s->absent);
}

static int keepInverse(Inverse *s, ukInverse *out)
{
    out->carriers = ukCarriedCount(&s->poses);
    out->bodies = s->poses.world->body_count;
    double *const x = calloc(1, (size_t)out->bodies * 6 * sizeof *x + (size_t)out->carriers * sizeof(ukCarried) + 1);
    if (!x) return ukErrorMemory;
    int at = 0;
    for (const ukBody *body = s->poses.world->oldest_body; body; body = body->newer, at++) {
        const int place = ukPosesBody(&s->poses, body->handle);
        if (place >= 0) memcpy(x + 6 * at, s->absent + 6 * place, 6 * sizeof *x);
    }
    findMultipliers(s, false);
    ukCarriedFill(&s->stiffness, (ukCarried *)(x + 6 * (size_t)out->bodies));
    free(s->poses.s->analysis[ukAnalysisInverse]);
    s->poses.s->analysis[ukAnalysisInverse] = x;
    out->missing = x;
    out->carried = (const ukCarried *)(x + 6 * (size_t)out->bodies);
    return ukOk;
}

/* ---- laws -------------------------------------------------------------------------------------------------------- */

/* The laws' forces for the present multipliers and the given accelerations; *change: of C, relative to its size. */
static int renewLaws(Inverse *s, double *change)
{
    ukStepper *const step = s->poses.s;
    double *const qdd = s->column;
    double most = 0, apart = 0;
    int first = 0, status = ukOk;
    findMultipliers(s, true);
    memset(qdd, 0, (size_t)s->poses.n * sizeof *qdd);
    gatherAccelerations(s, qdd);
    for (int k = 0, at = 0; k < step->island_count && status == ukOk; at += 6 * step->islands[k++].problem->bodies) {
        ukIsland *const island = &step->islands[k];
        const int numbers = 6 * island->problem->bodies;
        if (ukLawForcePresent(island)) {
            status = ukLawForceFill(island, s->statics.lambda + first, qdd + at);
            for (int i = 0; i < numbers && status == ukOk; i++) {
                most = fmax(most, fabs(island->bodies.C[i]));
                apart = fmax(apart, fabs(island->bodies.C[i] - s->C[at + i]));
                s->C[at + i] = island->bodies.C[i];
            }
        }
        first += island->problem->rows;
    }
    *change = most > 0 ? apart / most : 0;
    return status;
}

/* Forces of the actuators; where laws depend on the loads of the joints, by fixed-point iteration on their forces. */
static int iterateLaws(Inverse *s, ukInverse *out)
{
    enum { Most = 200 };
    static const double converged = 1e-14, enough = 1e-10;
    double change = 1, before = INFINITY;
    int status = ukOk;
    for (int iteration = 0; iteration < Most && status == ukOk; iteration++) {
        gatherForces(s);
        if (iteration == 0) out->inconsistent = largestInconsistency(s);
        free(s->G);
        s->G = NULL;
        status = solveForces(s, out);
        if (status == ukOk) findAbsent(s, out);
        if (status != ukOk || !s->laws || change <= converged || (change <= enough && change >= before)) return status;
        before = change;
        status = renewLaws(s, &change);
    }
    if (status != ukOk) return status;
    return ukErrorSet(
        ukErrorNotConverged,
        "the forces of the joint laws do not converge, because they depend too much on the joints' loads: reduce "
        "mu or the radius");
}

/* Refuses a state with a larger position error, as an angle, than bridge/analyze/coordinates.c accepts: it is not a
 * state of the mechanism. */
static int requireState(const Inverse *s)
{
    static const double far_off = 5e-2;
    const ukStepper *const step = s->poses.s;
    for (int k = 0, first = 0; k < step->island_count; first += step->islands[k++].problem->rows) {
        const ukIsland *const island = &step->islands[k];
        const ukProblem *const p = island->problem;
        for (int j = 0; j < p->blocks; j++)
            for (int i = p->block[j].row; i < p->block[j].row + p->block[j].rows; i++) {
                if (!s->statics.active[first + i] || island->rows.velocity[i] || island->rows.phi[i] == 0) continue;
                const double reach = ukRowReach(p, &p->block[j], i);
                const double off = reach > 0 ? fabs(island->rows.phi[i]) / reach : 0;
                if (off <= far_off) continue;
                return ukErrorSet(
                    ukErrorNotConverged,
                    "the state violates its constraints by %.2g (as an angle): assemble or project the world first",
                    off);
            }
    }
    return ukOk;
}

static int findForces(Inverse *s, ukInverse *out)
{
    const size_t n = (size_t)s->poses.n;
    /* the velocities count here */
    for (int k = 0; k < s->poses.s->frame_count; k++) {
        ukFrame *const frame = s->poses.s->frames + k;
        memcpy(frame->state.v, frame->start.v, sizeof frame->state.v);
    }
    s->force = calloc(5 * n + 1, sizeof *s->force);
    if (!s->force) return ukErrorMemory;
    s->asked = s->force + n;
    s->column = s->asked + n;
    s->C = s->column + n;
    s->absent = s->C + n;
    int status = ukPosesAssemble(&s->poses);
    if (status == ukOk) status = sortRows(s);
    if (status == ukOk) status = requireState(s);
    if (status != ukOk) return status;
    ukStaticsGather(&s->statics);
    status = ukStiffnessSplit(&s->stiffness);
    if (status != ukOk) return status;
    status = iterateLaws(s, out);
    if (status == ukOk) status = keepInverse(s, out);
    for (int k = 0; k < s->task->count && status == ukOk; k++) s->task->forces[k] = unitOf(s, k) * s->x[k];
    return status;
}

int ukInverseFind(ukWorld *world, const ukInverseTask *task, ukInverse *out)
{
    Inverse s = {.task = task};
    ukInverse found = {0};
    int status = ukPosesBegin(&s.poses, world, true);
    if (status == ukOk && !ukLapackReady()) {
        status = ukErrorLapack;
        ukErrorSet(status, "%s", ukErrorText(status));
    }
    if (status == ukOk) status = ukStaticsBegin(&s.statics, &s.poses, 1);
    if (status == ukOk) status = ukStiffnessBegin(&s.stiffness, &s.statics);
    if (status == ukOk) status = findForces(&s, &found);
    if (status == ukErrorMemory) ukErrorSet(status, "no memory for the inverse dynamics (bodies: %d)", s.poses.bodies);
    free(s.G);
    free(s.force);
    free(s.edge);
    ukStiffnessEnd(&s.stiffness);
    ukStaticsEnd(&s.statics);
    ukPosesEnd(&s.poses);
    if (status == ukOk) *out = found;
    return status;
}
