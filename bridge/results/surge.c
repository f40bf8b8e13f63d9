/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/results/surge.h"

#include <math.h>

#include "bridge/base/vector.h"
#include "bridge/island/island.h"
#include "bridge/island/massless.h"
#include "bridge/island/spring.h"
#include "bridge/joints/class.h"
#include "solvers/problem/block.h"

static const struct {
    double of_energy;      /* work of the correction over initial energy plus that which forces supply in the step */
    double of_single_rows; /* the same over the energy of correcting each row alone */
    double turn;           /* [rad] rotation of every body in the step: a smaller motion is not a surge */
    int untouched;         /* steps since a joint was last set */
    double fast;      /* work of the correction in a step over the energy of `turn`: smaller work is not examined for
                       * growth */
    double grown;     /* kinetic energy over that at the start of the growth */
    double numerical; /* fraction of the growth that is work of rigid rows */
} bound = {.of_energy = 8,
           .of_single_rows = 1000,
           .turn = 0.1,
           .untouched = 10,
           .fast = 1e-3,
           .grown = 100,
           .numerical = 0.25};

/* Energies [J] that the corrections of an island's rows supply: `all` rows; `untouched`, the joints that the program
 * has not set lately; `single_rows`, the sum over the rows, each corrected alone; `net`, the work of the untouched
 * joints' rows, including that caused by the rotation of the rows since the last step. */
typedef struct Correction {
    double all, untouched, single_rows, net;
} Correction;

/* The number of rows of a block whose corrections count: of a contact the normal row only. */
static int correctedRows(const ukBlockOwner *owner, const ukBlock *block)
{
    if (!owner->joint || owner->law) return 0;
    return ukIsContact(owner->joint) ? 1 : block->rows;
}

/* Difference of the rate of an active row, A qdd = b - softness lambda, from its target after the step, if positive; 0:
 * the row is not active, or a motor's. */
static double speedExcess(const ukIsland *island, const ukProblem *p, int i, double h)
{
    if (island->rows.lambda[i] == 0 || (island->rows.velocity[i] && !island->rows.discrete_only[i])) return 0;
    return island->rows.rate[i] - island->rows.target[i] + h * (p->b[i] - p->softness[i] * island->rows.lambda[i]);
}

/* max(x, 0) of each element without branches: signs are unpredictable, and mispredictions took longer than the sums */
UKODE_INLINE ukPair positive(ukPair x)
{
    typedef int64_t Bits __attribute__((vector_size(16)));
    return (ukPair)((Bits)x & (Bits)(x > ukBothOf(0)));
}

/* An upper bound of the correction that is cheap to compute, because it does not distinguish kinds of rows. */
static double correctionBound(const ukIsland *island, const ukProblem *p, double h)
{
    const double *lambda = island->rows.lambda, *rate = island->rows.rate, *target = island->rows.target;
    ukPair sum = {0};
    int i = 0;
    for (; i + 1 < p->rows; i += 2) {
        const ukPair l = ukLoadPair(lambda + i), rest = ukLoadPair(p->b + i) - ukLoadPair(p->softness + i) * l;
        sum += positive(l * (ukLoadPair(rate + i) - ukLoadPair(target + i) + ukBothOf(h) * rest));
    }
    if (i < p->rows) sum += positive((ukPair){lambda[i] * speedExcess(island, p, i, h)});
    return 0.5 * h * (sum[0] + sum[1]);
}

/* Adds a row, whose work is 1/2 h lambda u; corrected alone, the row would take 1/2 u^2/d. */
static void addRow(const ukIsland *island, const ukProblem *p, const ukBlock *block, int i, double h, Correction *c,
                   bool old)
{
    const double u = speedExcess(island, p, i, h), lambda = island->rows.lambda[i];
    const double d = ukProblemCompliance(p, block, i);
    if (u == 0 || ukRowIsSpring(p->softness[i], island->massless > 0 ? ukMasslessCompliance(island, p, block, i) : d))
        return;
    c->all += 0.5 * h * lambda * u;
    c->single_rows += 0.5 * u * u / d;
    if (!old) return;
    c->untouched += 0.5 * h * lambda * u;
    c->net += 0.5 * h * lambda * (u + island->rows.rate[i] - island->rows.target[i]);
}

static Correction correctionOf(const ukIsland *island, const ukProblem *p, double h)
{
    const ukBlockOwner *owner = island->rows.owners;
    Correction c = {0};
    for (int k = 0; k < p->blocks; k++, owner++) {
        const ukBlock *block = &p->block[k];
        const ukJoint *j = owner->joint;
        const bool old = j && !ukIsContact(j) && (int64_t)island->world->steps > j->touched + (int64_t)bound.untouched;
        for (int i = 0; i < correctedRows(owner, block); i++) addRow(island, p, block, block->row + i, h, &c, old);
    }
    return c;
}

/* kinetic energy of a body for its velocity or the change of velocity in a step, v (6) */
static double kineticEnergy(const ukProblem *p, int body, const double *v)
{
    double L[3];
    ukRotate(p->inertia + 9 * (size_t)body, v + 3, L);
    return 0.5 * p->mass[body] * ukDot(v, v) + 0.5 * ukDot(v + 3, L);
}

/* kinetic energy that the forces on a body alone give it in a step */
static double energyOfForces(const ukProblem *p, int body, double h)
{
    const double *f = p->Q + 6 * (size_t)body;
    double v[6];
    ukRotate(p->inverse_inertia + 9 * (size_t)body, f + 3, v + 3);
    for (int k = 0; k < 3; k++) {
        v[k] = h * f[k] / p->mass[body];
        v[3 + k] *= h;
    }
    return kineticEnergy(p, body, v);
}

/* kinetic energy of an island's bodies at the end of the step */
static double kineticAfter(const ukIsland *island, const ukProblem *p, ukFrame *const *frame, double h)
{
    const double *qdd = island->bodies.qdd;
    double sum = 0;
    for (int i = 0; i < p->bodies; i++, qdd += 6) {
        double v[6];
        for (int k = 0; k < 6; k++) v[k] = frame[i]->start.v[k] + h * qdd[k];
        sum += kineticEnergy(p, i, v);
    }
    return sum;
}

/* ends a step: evaluates the growth up to its end */
static void closeStep(const ukWorld *world, ukGrowth *g, ukSurge *surge)
{
    const bool goes_on = g->step + 1 == world->steps && g->low > 0;
    g->gained = goes_on ? g->gained + g->net : 0;
    if (!goes_on || g->kinetic < g->low || g->gained < bound.numerical * (g->kinetic - g->low)) {
        g->low = g->kinetic;
        g->gained = 0;
    } else if (g->kinetic > bound.grown * g->low) {
        if (g->gained > surge->work) *surge = (ukSurge){.before = g->low, .work = g->gained};
        g->low = g->kinetic;
        g->gained = 0;
    }
}

static void watchGrowth(const ukWorld *world, double after, double net, ukGrowth *g, ukSurge *surge)
{
    if (g->step != world->steps) {
        if (g->step > 0) closeStep(world, g, surge);
        g->step = world->steps;
        g->kinetic = g->net = 0;
    }
    g->kinetic += after;
    g->net += net;
}

void ukSurgeWatch(const ukIsland *island, double h, ukGrowth *growth, ukSurge *surge)
{
    const ukProblem *p = island->problem;
    ukFrame *const *frame = island->bodies.frame;
    double traces = 0, before = 0, forces = 0;
    for (int i = 0; i < p->bodies; i++) {
        const double *I = p->inertia + 9 * (size_t)i;
        traces += I[0] + I[4] + I[8];
    }
    const double least = traces / 6 * (bound.turn / h) * (bound.turn / h);
    const double most = p->bodies > 0 ? correctionBound(island, p, h) : 0;
    if (!(most > bound.fast * least)) return; /* the usual case */
    const Correction c = correctionOf(island, p, h);
    const double after = kineticAfter(island, p, frame, h);
    watchGrowth(island->world, after, c.net, growth, surge);
    if (!(most > fmax(least, surge->work))) return;
    for (int i = 0; i < p->bodies; i++) before += kineticEnergy(p, i, frame[i]->start.v);
    if (!(fmin(most, after - before) > bound.of_energy * before)) return;
    for (int i = 0; i < p->bodies; i++) forces += energyOfForces(p, i, h);
    const double work = fmin(c.all > bound.of_single_rows * c.single_rows ? c.all : c.untouched, after - before);
    if (work > fmax(least, surge->work) && work > bound.of_energy * (before + forces))
        *surge = (ukSurge){.before = before, .work = work};
}
