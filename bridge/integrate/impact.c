/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/impact.h"

#include <math.h>
#include <string.h>

#include "bridge/results/impulse.h"
#include "bridge/results/ledger.h"
#include "bridge/integrate/jump.h"
#include "bridge/island/spring.h"
#include "bridge/island/view.h"
#include "bridge/joints/class.h"
#include "bridge/solve/solve.h"
#include "solvers/base/status.h"
#include "solvers/problem/tolerance.h"

enum { MostRounds = 64 }; /* of impacts one after the other; in the last one nothing bounces */

/* An island's impacts: its problem, the step, and the approach that is none. */
typedef struct Impacts {
    ukStepper *s;
    const ukProblem *p;
    size_t row0, block0;
    double h, least;
} Impacts;

static const ukBlockOwner *ownerOf(const Impacts *m, int block)
{
    return m->s->rows.owners + m->block0 + block;
}

/* 1 or -1: the sign of the force that a contact's normal or a stop's row can have; 0: it is another row */
static int sideOf(const ukStepper *s, size_t row)
{
    if (!s->rows.stop[row] || s->rows.normal[row] >= 0) return 0;
    if (s->rows.lo[row] == 0 && s->rows.hi[row] > 0) return 1;
    return s->rows.hi[row] == 0 && s->rows.lo[row] < 0 ? -1 : 0;
}

/* the motion of a contact's surface along its normal */
static double motionOf(const Impacts *m, int block)
{
    const ukJoint *joint = ownerOf(m, block)->joint;
    const dSurfaceParameters *surface = joint && ukIsContact(joint) ? &joint->contact.surface : NULL;
    return surface && (surface->mode & dContactMotionN) ? surface->motionN : 0;
}

/* u of a one-sided row: positive where it separates */
static double opening(const Impacts *m, int block, size_t row, int side)
{
    return side * (m->s->rows.rate[row] - motionOf(m, block));
}

/* e of a row that closes by `approach` */
static double restitutionOf(const Impacts *m, int block, size_t row, double approach)
{
    const ukJoint *joint = ownerOf(m, block)->joint;
    const bool slow = joint && ukIsContact(joint) && !(approach > joint->contact.surface.bounce_vel);
    return slow ? 0 : m->s->rows.restitution[row];
}

/* Whether any row closes; bounces: with restitution. */
static bool closes(const Impacts *m, bool bounces)
{
    for (int k = 0; k < m->p->blocks; k++) {
        const ukBlock *block = &m->p->block[k];
        for (int i = block->row; i < block->row + block->rows; i++) {
            const size_t row = m->row0 + (size_t)i;
            const int side = sideOf(m->s, row);
            const double approach = side ? -opening(m, k, row, side) : 0;
            if (!(approach * ukRowUnit(m->p, block, i, 0) > m->least)) continue;
            if (!bounces || restitutionOf(m, k, row, approach) > 0) return true;
        }
    }
    return false;
}

/* Finite forces have no impulse: springs, motors, friction that no normal force bounds. */
static bool impulsive(const Impacts *m, const ukBlock *block, int i)
{
    const ukStepper *s = m->s;
    const size_t row = m->row0 + (size_t)i;
    if (s->rows.normal[row] >= 0) return true;
    if (s->rows.lo[row] > -INFINITY && s->rows.hi[row] < INFINITY) return false;
    return s->rows.cfm[row] <= ukSpringCfm &&
           !ukRowIsSpring(s->rows.softness[row], ukProblemCompliance(m->p, block, i));
}

static void exclude(const Impacts *m, size_t row)
{
    ukStepper *s = m->s;
    s->rows.lo[row] = s->rows.hi[row] = s->rows.b[row] = 0;
    if (!(s->rows.softness[row] > 0)) s->rows.softness[row] = 1;
}

/* Of A M^-1 A': the softness of contacts and stops whose CFM only regularizes. ODE's default takes 1e-5 of the energy of a
 * ball in a hundred bounces. */
static const double rigid = 1e-11;

/* One round's right-hand side of a one-sided row; false: it has no part in it. `bounce`: with restitution. */
static bool askContact(const Impacts *m, int block, int i, int side, bool bounce)
{
    ukStepper *s = m->s;
    const size_t row = m->row0 + (size_t)i;
    const double compliance = ukProblemCompliance(m->p, &m->p->block[block], i);
    const double u = opening(m, block, row, side), slack = m->least / ukRowUnit(m->p, &m->p->block[block], i, 0);
    if (bounce && u > slack) return false;
    const double e = bounce && u < -slack ? restitutionOf(m, block, row, -u) : 0;
    if (s->rows.cfm[row] <= ukSpringCfm) s->rows.softness[row] = fmin(s->rows.softness[row], rigid * compliance);
    s->rows.b[row] = (motionOf(m, block) - side * e * u - s->rows.rate[row]) / m->h;
    return true;
}

/* The problem of one round, as stated by the bounds that are kept in bound_lo and bound_hi. */
static void askRound(const Impacts *m, bool bounce)
{
    ukStepper *s = m->s;
    for (int k = 0; k < m->p->blocks; k++) {
        const ukBlock *block = &m->p->block[k];
        for (int i = block->row; i < block->row + block->rows; i++) {
            const size_t row = m->row0 + (size_t)i;
            s->rows.lo[row] = s->rows.pose_lambda[row], s->rows.hi[row] = s->rows.pose_side[row];
            const int side = sideOf(s, row);
            if (side ? !askContact(m, k, i, side, bounce) : s->rows.pose[row] == 0) {
                exclude(m, row);
            } else if (!side) {
                const bool friction = s->rows.stop[row] != 0;
                const double share = friction ? 1 : ukJumpShare(s, m->p, k, i);
                s->rows.b[row] = share * (s->rows.target[row] - s->rows.rate[row]) / m->h;
            }
        }
    }
}

/* Bounds and parts of rows as they were assembled, kept from round to round where the split correction has its own. */
static void keepBounds(const Impacts *m)
{
    ukStepper *s = m->s;
    for (int k = 0; k < m->p->blocks; k++) {
        const ukBlock *block = &m->p->block[k];
        for (int i = block->row; i < block->row + block->rows; i++) {
            const size_t row = m->row0 + (size_t)i;
            s->rows.pose_lambda[row] = s->rows.lo[row];
            s->rows.pose_side[row] = s->rows.hi[row];
            s->rows.pose[row] = impulsive(m, block, i);
        }
    }
}

/* bounds as they were assembled: for who asks for a row's side */
static void restoreBounds(const Impacts *m)
{
    for (size_t row = m->row0; row < m->row0 + (size_t)m->p->rows; row++) {
        m->s->rows.lo[row] = m->s->rows.pose_lambda[row];
        m->s->rows.hi[row] = m->s->rows.pose_side[row];
    }
}

/* One round: velocities after it, and the rows' rates. */
static int takeRound(Impacts *m, int index, bool bounce)
{
    ukStepper *s = m->s;
    const ukProblem *p = m->p;
    double *x = s->bodies.qdd + ukViewOf(s, p).column0, *change = s->rows.lambda0 + m->row0;
    askRound(m, bounce);
    const int status = ukSolveIsland(s, index);
    restoreBounds(m);
    if (status != ukOk) return status;
    ukLedgerJump(s, index, m->h, ukJumpCause(s, index));
    ukImpulseJump(s, index, s->rows.lambda + m->row0, m->h);
    ukJumpMove(s, index, m->h);
    ukProblemApply(p, x, change);
    for (int i = 0; i < p->rows; i++) s->rows.rate[m->row0 + (size_t)i] += m->h * change[i];
    return ukOk;
}

int ukImpact(ukStepper *s, int index, double h, bool *any)
{
    const ukProblem *p = &s->problems[index];
    const ukIslandView view = ukViewOf(s, p);
    Impacts m = {.s = s, .p = p, .row0 = view.row0, .block0 = view.block0, .h = h};
    *any = false;
    if (p->bodies == 0 || !p->lo) return ukOk;
    m.least = ukJumpLeast * ukJumpScale(s, index, h);
    if (!closes(&m, true)) return ukOk;
    *any = true;
    s->problems[index] = s->ideal[index].problem; /* laws are finite forces */
    s->ideal[index].laws = 0;
    memset(s->bodies.Q + view.column0, 0, 6 * (size_t)p->bodies * sizeof(double));
    keepBounds(&m);
    int status = ukOk;
    bool on = true;
    for (int round = 0; on && status == ukOk && round < MostRounds; round++) {
        status = takeRound(&m, index, round < MostRounds - 1);
        on = status == ukOk && closes(&m, false);
    }
    return status;
}

bool ukImpactOver(const ukStepper *s, int index)
{
    const ukProblem *p = &s->problems[index];
    const size_t row0 = ukViewOf(s, p).row0;
    int contacts = 0;
    for (size_t row = row0; row < row0 + (size_t)p->rows; row++) {
        const bool one_sided = sideOf(s, row) != 0, friction = s->rows.stop[row] && s->rows.normal[row] >= 0;
        if (s->rows.stop[row] && !one_sided && !friction && s->rows.lambda[row] != 0) return false;
        if ((one_sided || friction) && s->rows.lambda[row] != 0) return false;
        contacts += one_sided;
        /* the split correction pushes what does not open faster by itself */
        const int side = sideOf(s, row);
        if (one_sided && side * s->rows.push[row] > fmax(side * s->rows.rate[row], 0)) return false;
    }
    return contacts > 0;
}
