/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/rattle_kick.h"

#include <math.h>
#include <string.h>

#include "bridge/base/vector.h"
#include "bridge/integrate/continuous.h"
#include "bridge/integrate/measure.h"
#include "bridge/integrate/nearest.h"
#include "bridge/integrate/projection.h"
#include "bridge/island/refuse.h"
#include "bridge/solve/consistent.h"
#include "bridge/solve/nonideal.h"
#include "bridge/solve/solve.h"
#include "solvers/base/status.h"

void ukRattleForce(const ukProblem *p, const ukFrame *f, const double *Q, double force[6])
{
    double torque[3] = {0};
    memmove(force, Q, 6 * sizeof *force);
    if (!dBodyGetGyroscopicMode(f->body->handle)) return;
    ukGyroscopicTorque(p->inertia + 9 * (size_t)f->moving, f->state.v + 3, 0, torque);
    for (int k = 0; k < 3; k++) force[3 + k] -= torque[k];
}

void ukRattleGyration(const ukRattle *r, const ukProblem *p, double *y)
{
    double *x = r->island->bodies.qdd;
    for (int i = 0; i < p->bodies; i++) {
        const ukFrame *f = ukRattleFrame(r, i);
        double torque[3] = {0};
        memset(x + 6 * i, 0, 6 * sizeof *x);
        if (!dBodyGetGyroscopicMode(f->body->handle)) continue;
        ukGyroscopicTorque(p->inertia + 9 * (size_t)i, f->state.v + 3, 0, torque);
        ukRotate(p->inverse_inertia + 9 * (size_t)i, torque, x + 6 * i + 3);
    }
    ukProblemApply(p, x, y);
}

bool ukRattleAnyBare(const ukRattle *r, const ukProblem *p)
{
    for (int k = 0; k < p->blocks; k++)
        if (ukRattleBare(r, k)) return true;
    return false;
}

bool ukRattleAnyConstraint(const ukRattle *r)
{
    const ukProblem *p = ukRattleProblem(r);
    const ukBlockOwner *owner = r->island->rows.owners;
    for (int k = 0; k < p->blocks; k++)
        if (owner[k].constraint) return true;
    return false;
}

/* ---- velocities -------------------------------------------------------------------------------------------------- */

/* The right-hand sides of a kick from the end of the drift: from the rates to their targets; for bare rows the
 * prescribed accelerations less those of the gyroscopic torques, which a kick does not include. Q is without these
 * torques afterwards, too. */
static void prepareKick(const ukRattle *r, const ukProblem *p)
{
    ukIsland *island = r->island;
    double *rate = island->rows.rate, *b = island->rows.b, *y = island->rows.lambda0;
    for (int i = 0; i < p->bodies; i++) {
        const ukFrame *f = ukRattleFrame(r, i);
        double *Q = island->bodies.Q + 6 * (size_t)i, *back = island->bodies.qdd + 6 * (size_t)i;
        const double *drifted = ukRattleMoving(r, i)->drifted;
        ukRattleForce(p, f, Q, Q);
        for (int k = 0; k < 6; k++) back[k] = drifted[k] - f->state.v[k];
    }
    ukProblemApply(p, island->bodies.qdd, y); /* A v1' = A v + A (v1' - v) */
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; !ukRattleBare(r, k) && i < p->block[k].row + p->block[k].rows; i++)
            b[i] = (island->rows.target[i] - (rate[i] + y[i])) / (0.5 * r->h);
    if (!ukRattleAnyBare(r, p)) return;
    ukRattleGyration(r, p, y);
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; ukRattleBare(r, k) && i < p->block[k].row + p->block[k].rows; i++) b[i] -= y[i];
}

/* Solves for mu and v1, with forces and rows at the frames' present velocities; *change: the change of v1 relative to
 * the largest velocity. Laws use the ideal forces of the accelerations there, as in all integrators, not those of the
 * kick. */
static int kickOnce(ukRattle *r, double *change)
{
    ukIsland *island = r->island;
    const ukProblem *p = ukRattleProblem(r);
    const double half = 0.5 * r->h;
    const bool laws = island->ideal->laws > 0;
    double most = 0, size = 0;
    int status = ukOk;
    if (r->branched) ukNearestSoften(island);
    if (laws) status = ukSolveContinuous(island);
    if (status != ukOk) return status;
    prepareKick(r, p);
    status = laws ? ukNonIdealSolvePrescribed(island) : ukSolveMotion(island);
    /* which may leave out rows that are not redundant; the velocities are to be those of the forces that are
     * reported */
    if (status == ukOk && !laws && ukSolveConsistent(island) != ukOk) status = ukSolveContinuous(island);
    if (status != ukOk) return status;
    for (int i = 0; i < p->bodies; i++) {
        ukFrame *f = ukRattleFrame(r, i);
        const double *drifted = ukRattleMoving(r, i)->drifted, *qdd = island->bodies.qdd + 6 * (size_t)i;
        for (int k = 0; k < 6; k++) {
            const double v = drifted[k] + half * qdd[k];
            most = fmax(most, fabs(v - f->state.v[k]));
            size = fmax(size, fmax(fabs(v), fabs(drifted[k])));
            f->state.v[k] = v;
        }
    }
    *change = most * most > 0 ? most / size : 0; /* velocities without a square have no digits */
    return ukOk;
}

/* Whether forces or rows of the island may depend on velocities other than by A v = target, as joints do: laws, user
 * forces, and rows of user constraints without a position error. */
static bool dependsOnVelocity(const ukRattle *r)
{
    const ukIsland *island = r->island;
    const ukProblem *p = ukRattleProblem(r);
    const ukBlockOwner *owner = island->rows.owners;
    const unsigned char *velocity = island->rows.velocity;
    if (island->ideal->laws > 0) return true;
    for (int k = 0; k < island->elements; k++)
        if (island->element[k]->is_force && !ukElementIsSwitch(island->element[k])) return true;
    for (int k = 0; k < p->blocks; k++)
        if (owner[k].constraint && memchr(velocity + p->block[k].row, 1, (size_t)p->block[k].rows)) return true;
    return false;
}

/* Under-relaxation (Aitken) of the kick's change of velocity, because forces that grow with the velocity would
 * overshoot. push: the last change; `kicked`: the velocities before the kick. */
static void relaxKick(const ukRattle *r, double *factor, bool first)
{
    const ukProblem *p = ukRattleProblem(r);
    double along = 0, square = 0;
    for (int i = 0; i < p->bodies && !first; i++) {
        const ukFrame *f = ukRattleFrame(r, i);
        const ukBefore *b = ukRattleMoving(r, i);
        for (int k = 0; k < 6; k++) {
            const double more = f->state.v[k] - b->kicked[k] - b->push[k];
            along += b->push[k] * more;
            square += more * more;
        }
    }
    if (square > 0) *factor *= -along / square;
    if (!(fabs(*factor) <= 2)) *factor = 1;
    for (int i = 0; i < p->bodies; i++) {
        ukFrame *f = ukRattleFrame(r, i);
        ukBefore *b = ukRattleMoving(r, i);
        for (int k = 0; k < 6; k++) {
            b->push[k] = f->state.v[k] - b->kicked[k];
            f->state.v[k] = b->kicked[k] + *factor * b->push[k];
        }
    }
}

/* saves the velocities before a kick in ukBefore.kicked, which is no longer needed */
static void noteVelocities(const ukRattle *r)
{
    const ukProblem *p = ukRattleProblem(r);
    for (int i = 0; i < p->bodies; i++) {
        const ukFrame *f = ukRattleFrame(r, i);
        memcpy(ukRattleMoving(r, i)->kicked, f->state.v, sizeof f->state.v);
    }
}

static int findVelocity(ukRattle *r)
{
    enum { MaxIterations = 60 };
    static const double enough = 1e-15, small = 1e-11, hopeless = 1e-8; /* relative to the largest velocity */
    ukIsland *island = r->island;
    double change = 0, last = INFINITY, factor = 1;
    const bool again = dependsOnVelocity(r);
    noteVelocities(r);
    int status = kickOnce(r, &change);
    for (int iteration = 0; again && iteration < MaxIterations && status == ukOk && change > enough; iteration++) {
        if (change < small && change >= last) break;
        last = change;
        relaxKick(r, &factor, iteration == 0);
        noteVelocities(r);
        status = ukContinuousAssemble(island, r->start, &r->at);
        if (status == ukOk) status = kickOnce(r, &change);
    }
    if (status == ukOk && again && !(change <= hopeless))
        return ukRefuseBody(island->frame[0].body, ukErrorNotConverged,
                            "forces or constraints that depend on velocities are too stiff for a step of %.3g s", r->h);
    return status;
}

/* |v|_M before the kick */
static double driftedSize(const ukRattle *r)
{
    const ukProblem *p = ukRattleProblem(r);
    double sum = 0;
    for (int i = 0; i < p->bodies; i++) sum += ukMeasureSquare(p, i, ukRattleMoving(r, i)->drifted);
    return sqrt(sum);
}

/* refuses velocities whose squares are not finite */
static int checkVelocities(const ukRattle *r)
{
    for (int i = 0; i < r->island->frames; i++) {
        const ukFrame *f = &r->island->frame[i];
        const double *v = f->state.v;
        if (!(ukDot(v, v) + ukDot(v + 3, v + 3) < INFINITY))
            return ukRefuseBody(f->body, ukErrorNotFinite, "the square of its new velocity is not finite");
    }
    return ukOk;
}

static int kickVelocities(ukRattle *r)
{
    int status = findVelocity(r);
    if (status == ukOk) ukMeasureRound(r->island, driftedSize(r), r->island->outcome->rank);
    if (status == ukOk) status = checkVelocities(r);
    return status == ukOk && r->island->ideal->laws == 0 ? ukSolveConsistent(r->island) : status;
}

int ukRattleKick(ukRattle *r)
{
    int status = kickVelocities(r);
    if (status != ukErrorContradiction || r->branched || r->strict) return status;
    status = ukRattleNearest(r, true); /* weak rows near a singular pose may look like a contradiction */
    return status == ukOk ? kickVelocities(r) : status;
}

/* ---- the end of the step ----------------------------------------------------------------------------------------- */

/* solves for the multipliers of the kick, at the final velocities */
static int reportKick(ukRattle *r)
{
    ukIsland *island = r->island;
    const bool laws = island->ideal->laws > 0;
    int status = ukContinuousAssemble(island, r->start, &r->at);
    if (status == ukOk && r->branched) ukNearestSoften(island);
    if (status == ukOk && laws) status = ukSolveContinuous(island);
    if (status != ukOk) return status;
    prepareKick(r, ukRattleProblem(r));
    return laws ? ukNonIdealSolvePrescribed(island) : ukSolveContinuous(island);
}

int ukRattleConclude(ukRattle *r)
{
    ukIsland *island = r->island;
    int status = ukProjectAssembleMoving(island, r->start, &r->at);
    island->solvers->projected &= !r->branched; /* the kept factor is that of softened rows */
    if (status == ukOk) status = ukSolveContinuous(island);
    if (status == ukOk) status = ukSolveConsistent(island);
    return status == ukErrorContradiction && !ukRattleAnyConstraint(r) ? reportKick(r) : status;
}
