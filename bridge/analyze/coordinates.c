/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/analyze/coordinates.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/analyze/null_basis.h"
#include "bridge/base/log.h"
#include "bridge/base/vector.h"
#include "bridge/island/metric.h"
#include "bridge/island/refuse.h"
#include "bridge/world/frame.h"
#include "solvers/base/arena.h"
#include "solvers/base/lapack.h"
#include "solvers/base/status.h"
#include "solvers/problem/tolerance.h"

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static int rigidRows(const ukProbe *probe)
{
    int rows = 0;
    for (int k = 0; k < probe->s->island_count; k++) {
        const ukIsland *island = &probe->s->islands[k];
        for (int i = 0; i < island->problem->rows; i++) rows += ukProbeRigid(probe, island, i);
    }
    return rows;
}

static void carveCoordinates(ukCoordinates *c, ukArena *a)
{
    const size_t n = c->sparse ? 0 : (size_t)c->n, m = (size_t)c->rows, bodies = (size_t)c->bodies;
    c->M = ukArenaDoubles(a, 36 * bodies);
    c->A = ukArenaDoubles(a, m * n);
    c->unit = ukArenaDoubles(a, m);
    c->holonomic = ukArenaBytes(a, m);
    UKODE_DOUBLES(a, n * n, &c->Nq, &c->Nv, &c->MNq, &c->MNv);
    c->state = ukArenaBytes(a, bodies * sizeof *c->state);
}

static int reserveCoordinates(ukCoordinates *c)
{
    ukArena arena = ukArenaOver(NULL, 0);
    carveCoordinates(c, &arena);
    c->memory = ukArenaAllocate(&arena);
    if (!c->memory) return ukErrorSet(ukErrorMemory, "no memory for coordinates (bodies: %d)", c->bodies);
    carveCoordinates(c, &arena);
    return ukOk;
}

/* ---- rows and masses, dense -------------------------------------------------------------------------------------- */

/* Copies the rigid rows of the assembled probe, with `kinds` also the kind of each; returns the rank tolerance. */
static double gatherRows(ukCoordinates *c, const ukProbe *probe, bool kinds)
{
    const size_t n = (size_t)c->n;
    size_t row = 0, column0 = 0;
    double tolerance = 0;
    memset(c->A, 0, (size_t)c->rows * n * sizeof *c->A);
    for (int k = 0; k < probe->s->island_count; k++) {
        const ukIsland *island = &probe->s->islands[k];
        const ukProblem *p = island->problem;
        tolerance = fmax(tolerance, ukRankTolerance(island, p));
        for (int j = 0; j < p->blocks; j++) {
            const ukBlock *block = &p->block[j];
            for (int i = 0; i < block->rows; i++) {
                if (!ukProbeRigid(probe, island, block->row + i)) continue;
                for (int slot = 0; slot < block->slots; slot++) {
                    const int body = p->body[block->slot + slot];
                    if (body < 0) continue;
                    memcpy(c->A + row * n + column0 + 6 * (size_t)body,
                           p->A + block->A + 6 * (size_t)(i * block->slots + slot), 6 * sizeof(double));
                }
                if (kinds) {
                    c->holonomic[row] = !island->rows.velocity[block->row + i];
                    c->unit[row] = ukRowUnit(p, block, block->row + i, 0);
                }
                row++;
            }
        }
        column0 += 6 * (size_t)p->bodies;
    }
    return tolerance;
}

static void gatherBodies(ukCoordinates *c, const ukProbe *probe)
{
    double arm = 0;
    for (int k = 0; k < c->bodies; k++) {
        double *const M = c->M + 36 * k;
        const double *const inertia = probe->s->bodies.inertia + 9 * (size_t)k;
        for (int i = 0; i < 3; i++) {
            M[7 * i] = probe->s->bodies.mass[k];
            for (int j = 0; j < 3; j++) M[6 * (3 + i) + 3 + j] = inertia[3 * i + j];
        }
        arm += inertia[0] + inertia[4] + inertia[8];
        c->state[k] = ukProbeFrame(probe, k)->state;
    }
    c->scale = sqrt(0.5 * arm);
}

static int requireInertia(const ukProbe *probe)
{
    for (int k = 0; k < probe->bodies; k++) {
        const ukInertiaFactor f = ukInertiaFactorOf(probe->s->bodies.inertia + 9 * (size_t)k);
        if (probe->s->bodies.mass[k] > 0 && f.l00 > 0 && f.l11 > 0 && f.l22 > 0) continue;
        return ukErrorSet(ukErrorMass, "the inertia of a body is not positive definite");
    }
    return ukOk;
}

/* ---- null spaces ------------------------------------------------------------------------------------------------- */

/* a singular value of unit rows between the rank tolerance and this: a nearly singular pose */
static const double undecided = 1e-6;

/* Writes unit rows of B = A L^-T, all or the holonomic ones; returns their number. */
static int writeUnitRows(const ukCoordinates *c, const ukProbe *probe, bool all, double *B)
{
    const size_t n = (size_t)c->n;
    int m = 0;
    for (int i = 0; i < c->rows; i++) {
        if (!all && !c->holonomic[i]) continue;
        double *const row = B + (size_t)m++ * n;
        memcpy(row, c->A + (size_t)i * n, n * sizeof *row);
        for (int k = 0; k < c->bodies; k++)
            ukMetricRowOf(probe->s->bodies.mass[k], probe->s->bodies.inertia + 9 * (size_t)k, row + 6 * k);
        for (size_t j = 0; j < n; j++) row[j] *= c->unit[i];
    }
    return m;
}

/* x := L^-T x */
static void toVelocity(const ukCoordinates *c, const ukProbe *probe, double *x)
{
    for (int k = 0; k < c->bodies; k++)
        ukMetricVelocityOf(probe->s->bodies.mass[k], probe->s->bodies.inertia + 9 * (size_t)k, x + 6 * k);
}

/* N (one vector a row) spans the null space, M-orthonormal; MN = N M. */
static int nullSpace(ukCoordinates *c, const ukProbe *probe, const ukRowSpace *space, const double *B, double *N,
                     double *MN, int *count)
{
    const int status = ukRowSpaceNull(space, B, N);
    if (status != ukOk) return status;
    *count = c->n - space->rank;
    if (space->rank > 0 && space->least < c->gap) c->gap = space->least;
    for (int i = 0; i < *count; i++) {
        const size_t at = (size_t)i * (size_t)c->n;
        toVelocity(c, probe, N + at);
        ukNullBasisTimesMass(c->M, c->bodies, 1, N + at, MN + at);
    }
    return ukOk;
}

static int factorRows(ukCoordinates *c, const ukProbe *probe, double *B, double tolerance)
{
    const size_t n = (size_t)c->n;
    int status = ukRowSpaceBegin(&c->space, writeUnitRows(c, probe, true, B), c->n, B, tolerance);
    if (status == ukOk) status = nullSpace(c, probe, &c->space, B, c->Nv, c->MNv, &c->velocities);
    if (status != ukOk) return status;
    c->rank = c->space.rank;
    const int independent = writeUnitRows(c, probe, false, B);
    if (independent == c->rows) {
        c->positions = c->velocities;
        memcpy(c->Nq, c->Nv, (size_t)c->positions * n * sizeof *c->Nq);
        memcpy(c->MNq, c->MNv, (size_t)c->positions * n * sizeof *c->Nq);
        return ukOk;
    }
    ukRowSpace holonomic;
    status = ukRowSpaceBegin(&holonomic, independent, c->n, B, tolerance);
    if (status == ukOk) status = nullSpace(c, probe, &holonomic, B, c->Nq, c->MNq, &c->positions);
    ukRowSpaceEnd(&holonomic);
    return status;
}

/* Whether the rows are factored by a sparse method: from 50 bodies on, and from 10 bodies on if the rows are more than
 * half of the bodies' numbers. Below, and with few rows, a dense factorization is as fast: a chain of 30 hinges takes
 * 50 million instructions with it and 11 with the sparse one, a truck of 15 bodies on suspensions (20 rows) half as
 * many with the dense one. */
static bool isLarge(const ukCoordinates *c)
{
    static const int large_world = 300, middle_world = 60;
    return c->n >= large_world || (c->n >= middle_world && 2 * c->rows > c->n);
}

static bool isHolonomic(const ukCoordinates *c)
{
    bool holonomic = true;
    for (int i = 0; i < c->rows; i++) holonomic &= c->holonomic[i] != 0;
    return holonomic;
}

/* Computes the null spaces of a large world by sparse factorizations of its rows. */
static int factorSparseRows(ukCoordinates *c, const ukProbe *probe)
{
    const size_t n = (size_t)c->n;
    c->large = true;
    int status = ukTangentSpaceBegin(&c->motions, probe, false);
    if (status != ukOk) return status;
    c->rank = c->motions.rank;
    c->positions = c->velocities = c->n - c->rank;
    status = ukNullBasisFind(&c->motions, c->M, c->velocities, c->Nv, c->MNv);
    if (status == ukOk && isHolonomic(c)) {
        memcpy(c->Nq, c->Nv, (size_t)c->positions * n * sizeof *c->Nq);
        memcpy(c->MNq, c->MNv, (size_t)c->positions * n * sizeof *c->Nq);
    } else if (status == ukOk) {
        ukTangentSpace holonomic;
        status = ukTangentSpaceBegin(&holonomic, probe, true);
        c->positions = c->n - holonomic.rank;
        if (status == ukOk) status = ukNullBasisFind(&holonomic, c->M, c->positions, c->Nq, c->MNq);
        ukTangentSpaceEnd(&holonomic);
    }
    return status;
}

static int factorDenseRows(ukCoordinates *c, const ukProbe *probe, double tolerance)
{
    double *const B = calloc((size_t)c->rows * (size_t)c->n + 1, sizeof *B);
    if (!B) return ukErrorSet(ukErrorMemory, "no memory for a decomposition (rows: %d)", c->rows);
    int status = factorRows(c, probe, B, tolerance);
    if (status == ukOk && c->gap < undecided) {
        ukErrorSet(ukErrorSingular,
                   "the pose is nearly singular: its rows have the singular value %.1g: choose another pose", c->gap);
        status = ukErrorSingular;
    }
    free(B);
    return status;
}

static int decomposeRows(ukCoordinates *c, const ukProbe *probe)
{
    const double tolerance = gatherRows(c, probe, true);
    gatherBodies(c, probe);
    c->gap = 1;
    const int status = requireInertia(probe);
    if (status != ukOk) return status;
    return isLarge(c) ? factorSparseRows(c, probe) : factorDenseRows(c, probe, tolerance);
}

/* ---- the interface ----------------------------------------------------------------------------------------------- */

/* The largest position error, as an angle, at which a state counts as one of the mechanism. Euler's steps leave up to
 * some 1e-2 in fast motions. */
static const double far_off = 5e-2;

static int requireNear(const ukProbe *probe)
{
    for (int k = 0; k < probe->s->island_count; k++) {
        const ukIsland *island = &probe->s->islands[k];
        const double off = ukProbeDrift(probe, island);
        if (!(off <= far_off))
            return ukErrorSet(
                ukErrorNotConverged,
                "the state violates its constraints by %.2g (as an angle): assemble the world first, or take "
                "smaller steps or an integrator with projection (adaptive, rk4, rattle)",
                off);
    }
    return ukOk;
}

/* |v|_M of the bodies, of their present velocities or of those before the projection, the larger. */
static double speedOf(const ukProbe *probe)
{
    double square[2] = {0};
    for (int k = 0; k < probe->bodies; k++) {
        const ukFrame *const frame = ukProbeFrame(probe, k);
        const double *const inertia = probe->s->bodies.inertia + 9 * (size_t)k;
        for (int side = 0; side < 2; side++) {
            const double *const v = side ? frame->start.v : frame->state.v;
            square[side] +=
                probe->s->bodies.mass[k] * ukDot(v, v) + (inertia[0] + inertia[4] + inertia[8]) * ukDot(v + 3, v + 3);
        }
    }
    return sqrt(fmax(square[0], square[1]));
}

/* |dv|_M by which the projection has changed the velocities. */
static double jumpOf(const ukProbe *probe)
{
    double square = 0;
    for (int k = 0; k < probe->bodies; k++) {
        const ukFrame *const frame = ukProbeFrame(probe, k);
        const double *const inertia = probe->s->bodies.inertia + 9 * (size_t)k;
        double dv[6];
        for (int i = 0; i < 6; i++) dv[i] = frame->state.v[i] - frame->start.v[i];
        square += probe->s->bodies.mass[k] * ukDot(dv, dv);
        for (int i = 0; i < 3; i++) square += dv[3 + i] * ukDot(inertia + 3 * i, dv + 3);
    }
    return sqrt(fmax(0, square));
}

/* Returns |dv|_M, the change of velocity that the bodies' forces cause within h. Velocities that are small beside it
 * are those of a world at rest, whose motors correct the error that a CFM leaves. */
static double speedOfForces(const ukProbe *probe)
{
    double square = 0;
    for (int k = 0; k < probe->bodies; k++) {
        const double *const Q = probe->s->bodies.Q + 6 * (size_t)k;
        const double *const inverse = probe->s->bodies.inverse_inertia + 9 * (size_t)k;
        if (probe->s->bodies.mass[k] > 0) square += ukDot(Q, Q) / probe->s->bodies.mass[k];
        for (int i = 0; i < 3; i++) square += Q[3 + i] * ukDot(inverse + 3 * i, Q + 3);
    }
    return probe->context.rows.h * sqrt(fmax(0, square));
}

/* Refuses rows that prescribe different velocities of one motion, which the projection cannot satisfy. */
static int requireVelocities(ukProbe *probe)
{
    static const double rounding =
        1e-7; /* relative to the largest velocity that rows prescribe or bodies have, of unit rows */
    double most = fmax(speedOf(probe), speedOfForces(probe)), worst = 0;
    const ukIsland *at = NULL;
    int block = 0;
    const int status = ukProbeAssemble(probe); /* the rates of the projected velocities */
    if (status != ukOk) return status;
    for (int k = 0; k < probe->s->island_count; k++) {
        const ukIsland *const island = &probe->s->islands[k];
        const ukProblem *const p = island->problem;
        for (int j = 0; j < p->blocks; j++)
            for (int i = p->block[j].row; i < p->block[j].row + p->block[j].rows; i++) {
                if (!ukProbeRigid(probe, island, i)) continue;
                const double unit = ukRowUnit(p, &p->block[j], i, 0), target = island->rows.target[i];
                const double off = unit * fabs(island->rows.rate[i] - target);
                most = fmax(most, unit * fabs(target));
                if (off > worst) worst = off, at = island, block = j;
            }
    }
    if (!at || worst <= rounding * most) return ukOk;
    const ukBlockOwner *const owner = &at->rows.owners[block];
    if (owner->joint)
        return ukRefuseJoint(owner->joint, ukErrorContradiction,
                             "its target velocity contradicts those of other rows: change one of them");
    return ukErrorSet(ukErrorContradiction,
                      "user constraint %llu: its target velocity contradicts those of other rows: change one of them",
                      (unsigned long long)owner->constraint->element.serial);
}

/* Projects the probe's state onto the constraints, and allocates the arrays of the results there. */
static int projectProbeState(ukCoordinates *c, ukProbe *probe, bool sparse)
{
    double moved = 0;
    int status = requireNear(probe);
    *c = (ukCoordinates){0};
    if (status == ukOk) status = ukProbeSettle(probe, &moved);
    if (status == ukOk) status = requireVelocities(probe);
    if (status != ukOk) return status;
    *c = (ukCoordinates){.bodies = probe->bodies,
                         .n = 6 * probe->bodies,
                         .rows = rigidRows(probe),
                         .moved = moved,
                         .jump = jumpOf(probe),
                         .sparse = sparse};
    return reserveCoordinates(c);
}

int ukCoordinatesBegin(ukCoordinates *c, ukProbe *probe)
{
    *c = (ukCoordinates){0};
    if (!ukLapackReady()) return ukErrorSet(ukErrorLapack, "%s", ukErrorText(ukErrorLapack));
    const int status = projectProbeState(c, probe, false);
    return status == ukOk ? decomposeRows(c, probe) : status;
}

int ukCoordinatesBeginSparse(ukCoordinates *c, ukProbe *probe)
{
    const int status = projectProbeState(c, probe, true);
    if (status != ukOk) return status;
    gatherBodies(c, probe);
    return requireInertia(probe);
}

void ukCoordinatesEnd(ukCoordinates *c)
{
    ukRowSpaceEnd(&c->space);
    if (c->large) ukTangentSpaceEnd(&c->motions);
    free(c->memory);
    *c = (ukCoordinates){0};
}

int ukCoordinatesMove(const ukCoordinates *c, ukProbe *probe, const double *xi, const double *eta)
{
    static const double most = 0.3; /* of a displacement, that the projection may add */
    double asked = 0, added;
    for (int k = 0; k < c->bodies; k++) {
        ukState *const s = &ukProbeFrame(probe, k)->state;
        double dq[6] = {0};
        *s = c->state[k];
        for (int i = 0; i < 6; i++) {
            const size_t at = 6 * (size_t)k + (size_t)i;
            for (int j = 0; xi && j < c->positions; j++) dq[i] += xi[j] * c->Nq[(size_t)j * (size_t)c->n + at];
            for (int j = 0; eta && j < c->velocities; j++) s->v[i] += eta[j] * c->Nv[(size_t)j * (size_t)c->n + at];
        }
        if (!xi) continue;
        for (int i = 0; i < 3; i++) s->x[i] += dq[i];
        ukRotateBy(s->q, dq + 3);
        ukStateOrient(s);
    }
    for (int j = 0; xi && j < c->positions; j++) asked += xi[j] * xi[j];
    const int status = ukProbeProject(probe, xi != NULL, &added);
    if (status != ukOk || !xi || added <= most * sqrt(asked) + DBL_EPSILON * c->scale) return status;
    return ukErrorSet(
        ukErrorSingular,
        "the pose is singular: some motions satisfy the constraints to first order only: choose another pose");
}

void ukCoordinatesOfPose(const ukCoordinates *c, const double *dq, double *xi)
{
    for (int j = 0; j < c->positions; j++) {
        xi[j] = 0;
        for (int i = 0; i < c->n; i++) xi[j] += c->MNq[(size_t)j * (size_t)c->n + (size_t)i] * dq[i];
    }
}

void ukCoordinatesOfVelocity(const ukCoordinates *c, const double *dv, double *eta)
{
    for (int j = 0; j < c->velocities; j++) {
        eta[j] = 0;
        for (int i = 0; i < c->n; i++) eta[j] += c->MNv[(size_t)j * (size_t)c->n + (size_t)i] * dv[i];
    }
}

int ukCoordinatesAnswer(const ukCoordinates *c, const ukProbe *probe, int count, double *rates, double *dv)
{
    if (c->large) {
        for (size_t k = 0; k < (size_t)count; k++)
            ukTangentSpaceSolve(&c->motions, NULL, rates + k * (size_t)c->rows, dv + k * (size_t)c->n, NULL);
        return ukOk;
    }
    for (int k = 0; k < count; k++)
        for (int i = 0; i < c->rows; i++) rates[(size_t)k * (size_t)c->rows + (size_t)i] *= c->unit[i];
    const int status = ukRowSpaceSolve(&c->space, count, rates, dv);
    for (int k = 0; k < count && status == ukOk; k++) toVelocity(c, probe, dv + (size_t)k * (size_t)c->n);
    return status;
}

/* The same of a large world. */
static int sparseMultipliers(const ukCoordinates *c, int count, const double *rates, double *mu)
{
    double *const dv = malloc((size_t)(c->n + 1) * sizeof *dv);
    if (!dv) return ukErrorSet(ukErrorMemory, "no memory for multipliers of %d bodies", c->bodies);
    for (size_t k = 0; k < (size_t)count; k++)
        ukTangentSpaceSolve(&c->motions, NULL, rates + k * (size_t)c->rows, dv, mu + k * (size_t)c->rows);
    free(dv);
    return ukOk;
}

int ukCoordinatesMultipliers(const ukCoordinates *c, int count, double *rates, double *mu)
{
    if (c->large) return sparseMultipliers(c, count, rates, mu);
    for (int k = 0; k < count * c->rows; k++) rates[k] *= c->unit[k % c->rows];
    const int status = ukRowSpaceMultipliers(&c->space, count, rates, mu);
    for (int k = 0; k < count * c->rows; k++) mu[k] *= c->unit[k % c->rows];
    return status;
}

void ukCoordinatesRows(const ukCoordinates *c, const ukProbe *probe, double *A)
{
    ukCoordinates rows = *c;
    rows.A = A;
    gatherRows(&rows, probe, false);
}

void ukCoordinatesDifference(const ukState *from, const ukState *to, double dq[6])
{
    for (int i = 0; i < 3; i++) dq[i] = to->x[i] - from->x[i];
    ukRotationVector(from->q, to->q, dq + 3);
}
