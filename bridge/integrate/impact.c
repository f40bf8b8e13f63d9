/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/impact.h"

#include <math.h>
#include <string.h>

#include "bridge/integrate/jump.h"
#include "bridge/integrate/measure.h"
#include "bridge/island/actuate.h"
#include "bridge/island/island.h"
#include "bridge/island/massless.h"
#include "bridge/island/spring.h"
#include "bridge/joints/class.h"
#include "bridge/results/impulse.h"
#include "bridge/results/ledger.h"
#include "bridge/solve/solve.h"
#include "solvers/base/status.h"
#include "solvers/problem/tolerance.h"

enum { MostRounds = 64 }; /* largest number of consecutive impacts; the last one is without restitution */

/* The impacts of an island: its problem, the step, the approach speed that counts as zero, and |M^-1 Q|_M of the
 * applied forces. */
typedef struct Impacts {
    ukIsland *island;
    const ukProblem *p;
    double h, least, forces;
    bool within; /* the impacts are within a step, after a part of it */
    bool rest;   /* rows whose e is less than 1 come to rest */
} Impacts;

static const ukBlockOwner *ownerOf(const Impacts *m, int block)
{
    return m->island->rows.owners + block;
}

/* 1 or -1: the sign of the force that a contact's normal row or a stop's row can exert; 0: any other row */
static int sideOf(const ukIsland *island, int row)
{
    if (!island->rows.discrete_only[row] || island->rows.normal[row] >= 0) return 0;
    if (island->rows.lo[row] == 0 && island->rows.hi[row] > 0) return 1;
    return island->rows.hi[row] == 0 && island->rows.lo[row] < 0 ? -1 : 0;
}

/* velocity of a contact's surface along its normal */
static double motionOf(const Impacts *m, int block)
{
    const ukJoint *joint = ownerOf(m, block)->joint;
    const dSurfaceParameters *surface = joint && ukIsContact(joint) ? &joint->contact.surface : NULL;
    return surface && (surface->mode & dContactMotionN) ? surface->motionN : 0;
}

/* u of a one-sided row: positive if it separates */
static double openingRate(const Impacts *m, int block, int row, int side)
{
    return side * (m->island->rows.rate[row] - motionOf(m, block));
}

/* Whether the forces close the row again before the speed u has opened it by 1e-9 of its reach: then it comes to rest.
 * Otherwise a row that bounces and is pressed would never do so. */
static bool staysClosed(const Impacts *m, int block, int row, double u)
{
    static const double negligible = 1e-9;
    const ukBlock *b = &m->p->block[block];
    const double acceleration = m->forces * sqrt(ukProblemCompliance(m->p, b, row));
    return u * u <= 2 * acceleration * negligible * ukRowReach(m->p, b, row);
}

/* coefficient of restitution e of a row that closes with the speed `approach` */
static double restitutionOf(const Impacts *m, int block, int row, double approach)
{
    const ukJoint *joint = ownerOf(m, block)->joint;
    const double e = m->island->rows.restitution[row];
    if (joint && ukIsContact(joint)) return approach > joint->contact.surface.bounce_vel ? e : 0;
    return (m->rest && e < 1) || (e > 0 && staysClosed(m, block, row, e * approach)) ? 0 : e;
}

/* whether a motor of unlimited force presses its joint onto a stop by this row, which moves nevertheless */
static bool isDriven(const Impacts *m, const ukBlock *block, int i)
{
    const ukRowArrays *r = &m->island->rows;
    return r->discrete_only[i] && r->normal[i] < 0 && r->lo[i] == -INFINITY && r->hi[i] == INFINITY &&
           fabs(r->rate[i]) * ukRowUnit(m->p, block, i, 0) > m->least;
}

/* Whether any row closes; with `bounces`: any row that has restitution. */
static bool anyRowCloses(const Impacts *m, bool bounces)
{
    for (int k = 0; k < m->p->blocks; k++) {
        const ukBlock *block = &m->p->block[k];
        for (int i = block->row; i < block->row + block->rows; i++) {
            const int side = sideOf(m->island, i);
            if (!bounces && !side && isDriven(m, block, i)) return true;
            const double approach = side ? -openingRate(m, k, i, side) : 0;
            if (!(approach * ukRowUnit(m->p, block, i, 0) > m->least)) continue;
            if (!bounces || restitutionOf(m, k, i, approach) > 0) return true;
        }
    }
    return false;
}

/* Whether a row can exert an impulse. Finite forces cannot: springs, motors, friction without a normal row. */
static bool exertsImpulses(const Impacts *m, const ukBlock *block, int i)
{
    const ukIsland *island = m->island;
    if (island->rows.normal[i] >= 0) return true;
    if (island->rows.lo[i] > -INFINITY && island->rows.hi[i] < INFINITY) return false;
    return island->rows.cfm[i] <= ukSpringCfm() &&
           !ukRowIsSpring(island->rows.softness[i], ukMasslessCompliance(island, m->p, block, i));
}

static void excludeRow(const Impacts *m, int row)
{
    ukIsland *island = m->island;
    island->rows.lo[row] = island->rows.hi[row] = island->rows.b[row] = 0;
    if (!(island->rows.softness[row] > 0)) island->rows.softness[row] = 1;
}

/* Softness relative to A M^-1 A', for rows whose CFM only regularizes. ODE's default CFM, which counts by 1/h, takes
 * 1e-5 of the energy of a ball in a hundred bounces. */
static const double rigid = 1e-11;

static void hardenRow(const Impacts *m, int block, int i)
{
    ukIsland *island = m->island;
    const double compliance = ukProblemCompliance(m->p, &m->p->block[block], i);
    if (island->rows.cfm[i] <= ukSpringCfm())
        island->rows.softness[i] = fmin(island->rows.softness[i], rigid * compliance);
}

/* Sets the right-hand side of a one-sided row in one impact; false: the row takes no part. `bounce`: with
 * restitution. */
static bool setImpactTarget(const Impacts *m, int block, int i, int side, bool bounce)
{
    ukIsland *island = m->island;
    const double u = openingRate(m, block, i, side), slack = m->least / ukRowUnit(m->p, &m->p->block[block], i, 0);
    if (bounce && u > slack) return false;
    const double e = bounce && u < -slack ? restitutionOf(m, block, i, -u) : 0;
    hardenRow(m, block, i);
    island->rows.b[i] = (motionOf(m, block) - side * e * u - island->rows.rate[i]) / m->h;
    return true;
}

/* Prepares the problem of one impact from the assembled bounds that keepBounds stored in pose_lambda and pose_side. */
static void prepareImpact(const Impacts *m, bool bounce)
{
    ukIsland *island = m->island;
    for (int k = 0; k < m->p->blocks; k++) {
        const ukBlock *block = &m->p->block[k];
        for (int i = block->row; i < block->row + block->rows; i++) {
            island->rows.lo[i] = island->rows.pose_lambda[i], island->rows.hi[i] = island->rows.pose_side[i];
            const int side = sideOf(island, i);
            if (side ? !setImpactTarget(m, k, i, side, bounce) : island->rows.pose[i] == 0) {
                excludeRow(m, i);
            } else if (!side) {
                const bool friction = island->rows.discrete_only[i] != 0;
                const double share = friction ? 1 : ukJumpShare(island, m->p, k, i);
                island->rows.b[i] = share * (island->rows.target[i] - island->rows.rate[i]) / m->h;
                if (!friction) hardenRow(m, k, i);
            }
        }
    }
}

/* Stores the assembled bounds and whether rows can exert impulses, for all impacts, in the arrays of the split
 * correction. */
static void keepBounds(const Impacts *m)
{
    ukIsland *island = m->island;
    for (int k = 0; k < m->p->blocks; k++) {
        const ukBlock *block = &m->p->block[k];
        for (int i = block->row; i < block->row + block->rows; i++) {
            island->rows.pose_lambda[i] = island->rows.lo[i];
            island->rows.pose_side[i] = island->rows.hi[i];
            island->rows.pose[i] = exertsImpulses(m, block, i);
        }
    }
}

/* Restores the assembled bounds, from which sideOf reads the side of a row. */
static void restoreBounds(const Impacts *m)
{
    for (int row = 0; row < m->p->rows; row++) {
        m->island->rows.lo[row] = m->island->rows.pose_lambda[row];
        m->island->rows.hi[row] = m->island->rows.pose_side[row];
    }
}

/* Performs one impact: updates the velocities and the rates of the rows. */
static int takeRound(Impacts *m, bool bounce)
{
    ukIsland *island = m->island;
    const ukProblem *p = m->p;
    double *x = island->bodies.qdd, *change = island->rows.lambda0;
    prepareImpact(m, bounce);
    const int status = ukSolveIsland(island);
    restoreBounds(m);
    if (status != ukOk) return status;
    ukLedgerJump(island, m->h, ukJumpCause(island));
    if (m->within) {
        ukImpulseRows(island, p->A, island->rows.lambda, NULL, m->h);
        ukImpulseAccept(island);
    } else {
        ukImpulseJump(island, island->rows.lambda, m->h);
    }
    ukJumpMove(island, m->h);
    ukProblemApply(p, x, change);
    for (int i = 0; i < p->rows; i++) island->rows.rate[i] += m->h * change[i];
    return ukOk;
}

/* bounces: the impacts take place only if a closing row has restitution */
static int takeImpacts(Impacts *m, bool bounces, bool *any)
{
    ukIsland *island = m->island;
    const ukProblem *p = m->p;
    *any = false;
    if (p->bodies == 0 || (bounces && !p->lo)) return ukOk;
    m->forces = ukMeasureForces(island);
    m->least = ukMeasureLeast * ukMeasureScaleOf(island, m->h, m->forces);
    if (!anyRowCloses(m, bounces)) return ukOk;
    const struct ukConstraint *servo = ukActuated(island);
    if (servo) return ukActuateRefuse(servo, "impacts", "use Euler, or set the restitution to 0");
    *any = true;
    *island->problem = island->ideal->problem; /* joint laws are finite forces, without impulse */
    island->problem->lo = island->rows.lo, island->problem->hi = island->rows.hi;
    island->ideal->laws = 0;
    memset(island->bodies.Q, 0, 6 * (size_t)p->bodies * sizeof(double));
    if (island->massless > 0) memset(island->bodies.impressed, 0, 6 * (size_t)p->bodies * sizeof(double));
    keepBounds(m);
    int status = ukOk;
    bool on = true;
    for (int round = 0; on && status == ukOk && round < MostRounds; round++) {
        status = takeRound(m, round < MostRounds - 1);
        on = status == ukOk && anyRowCloses(m, false);
    }
    return status;
}

int ukImpact(ukIsland *island, double h, bool *any)
{
    Impacts m = {.island = island, .p = island->problem, .h = h};
    return takeImpacts(&m, true, any);
}

int ukImpactWithin(ukIsland *island, double h, bool rest, bool *any)
{
    Impacts m = {.island = island, .p = island->problem, .h = h, .within = true, .rest = rest};
    return takeImpacts(&m, false, any);
}

bool ukImpactOver(const ukIsland *island)
{
    const ukProblem *p = island->problem;
    int contacts = 0;
    for (int row = 0; row < p->rows; row++) {
        const bool one_sided = sideOf(island, row) != 0,
                   friction = island->rows.discrete_only[row] && island->rows.normal[row] >= 0;
        if (island->rows.discrete_only[row] && !one_sided && !friction && island->rows.lambda[row] != 0) return false;
        if ((one_sided || friction) && island->rows.lambda[row] != 0) return false;
        contacts += one_sided;
        /* the split correction pushes rows that do not open faster by themselves */
        const int side = sideOf(island, row);
        if (one_sided && side * island->rows.push[row] > fmax(side * island->rows.rate[row], 0)) return false;
    }
    return contacts > 0;
}
