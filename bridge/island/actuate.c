/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/island/actuate.h"

#include <math.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/island/actuation.h"
#include "bridge/island/metric.h"
#include "bridge/user/servo.h"
#include "solvers/base/status.h"
#include "solvers/check/gauss_check.h"

struct ukConstraint *ukActuated(const ukIsland *island)
{
    for (int k = 0; k < island->elements; k++) {
        struct ukConstraint *c = (struct ukConstraint *)island->element[k];
        if (!c->element.is_force && c->servo) return c;
    }
    return NULL;
}

int ukActuateRefuse(const struct ukConstraint *c, const char *what, const char *remedy)
{
    return ukErrorSet(ukErrorUnsupported, "user constraint %llu: actuators together with %s are not supported: %s",
                      (unsigned long long)c->element.serial, what, remedy);
}

/* ---- unsupported combinations ------------------------------------------------------------------------------------ */

static bool hasBounds(const ukProblem *p)
{
    for (int i = 0; p->lo && i < p->rows; i++)
        if (p->lo[i] > -INFINITY || p->hi[i] < INFINITY) return true;
    return false;
}

static int refuseActuation(const ukActuation *g)
{
    const ukIsland *island = g->island;
    const ukSettings *settings = &island->world->settings;
    int servos = 0, holonomic = 0, bounded = 0;
    for (int k = 0; k < island->elements; k++)
        servos += !island->element[k]->is_force && ((const struct ukConstraint *)island->element[k])->servo;
    for (int i = g->block->row; i < g->block->row + g->m; i++) {
        holonomic += !island->rows.velocity[i];
        bounded += island->rows.lo[i] > -INFINITY || island->rows.hi[i] < INFINITY;
    }
    const struct {
        bool is;
        const char *what, *remedy;
    } unsupported[] = {
        {settings->stabilization == ukStabilizeSplit, "the split correction (ukStabilizeSplit)",
         "use another stabilization"},
        {servos > 1, "those of another constraint of the island", "use one constraint with the rows of both"},
        {holonomic != 0 && holonomic != g->m, "both holonomic and nonholonomic rows",
         "set phi of all rows (ukConstraintSetError), or let it be NaN for all"},
        {island->massless > 0, "bodies without mass in the island", "give them a small mass"},
        {bounded > 0, "bounds of the constraint's own rows",
         "bound the force in a constraint of its own without actuators, or use a joint's motor with dParamFMax"},
    };
    for (size_t k = 0; k < sizeof unsupported / sizeof *unsupported; k++)
        if (unsupported[k].is) return ukActuateRefuse(g->c, unsupported[k].what, unsupported[k].remedy);
    return ukOk;
}

/* ---- actuators --------------------------------------------------------------------------------------------------- */

/* Computes E and d: the wrench of each actuator on the bodies of the block, divided by the root of its cost. */
static int computeWrenches(ukActuation *g)
{
    const ukElement *e = &g->c->element;
    const ukIsland *island = g->island;
    memset(g->E, 0, (size_t)(g->p * g->stride) * sizeof *g->E);
    for (int k = 0; k < g->p; k++) {
        const ukServoActuator *actuator = &g->c->servo->actuator[k];
        double wrench[12], *E = g->E + (size_t)k * (size_t)g->stride;
        ukBody *body[2] = {NULL, NULL};
        if (actuator->joint) {
            ukJoint *joint = ukServoJoint(actuator, island->joint, island->joints);
            if (!joint)
                return ukActuateRefuse(g->c, "a joint that is destroyed, disabled or of other bodies",
                                       "set the actuators again (ukConstraintSetActuators)");
            const ukState *state[2] = {NULL, NULL};
            for (int i = 0; i < 2; i++)
                if ((body[i] = joint->body[i])) state[i] = &ukFrameOf(island, body[i])->state;
            ukServoJointWrench(actuator, joint, state[0], state[1], wrench);
        } else {
            body[0] = e->body[actuator->slot];
            ukServoBodyWrench(actuator, &ukFrameOf(island, body[0])->state, wrench);
        }
        for (int i = 0; i < 2; i++) {
            if (!body[i] || ukFrameOf(island, body[i])->moving < 0) continue;
            int slot = 0;
            while (slot < e->count && e->body[slot] != body[i]) slot++;
            if (slot == e->count)
                return ukActuateRefuse(
                    g->c, "a joint of bodies that the constraint does not have",
                    "create the constraint with all bodies of its actuators, with zero columns of A");
            for (int c = 0; c < 6; c++) E[6 * slot + c] = wrench[6 * i + c] / sqrt(actuator->cost);
        }
        ukMetricBlockRow(g->problem, g->block, E, g->n, g->d + (size_t)k * (size_t)g->n);
    }
    return ukOk;
}

/* g (count) := H^-1 g, H = R'R in the upper triangle */
static void solveCholesky(const double *H, int count, double *x)
{
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < i; k++) x[i] -= H[k * count + i] * x[k];
        x[i] /= H[i * count + i];
    }
    for (int i = count - 1; i >= 0; i--) {
        for (int k = i + 1; k < count; k++) x[i] -= H[i * count + k] * x[k];
        x[i] /= H[i * count + i];
    }
}

static void factorCholesky(double *H, int count)
{
    for (int i = 0; i < count; i++)
        for (int j = i; j < count; j++) {
            double sum = H[i * count + j];
            for (int k = 0; k < i; k++) sum -= H[k * count + i] * H[k * count + j];
            H[i * count + j] = i == j ? sqrt(sum) : sum / H[i * count + i];
        }
}

/* F and G = L H^-1; A of the block := A_u = G F; the response of the actuators */
static void spanForces(ukActuation *g)
{
    const size_t n = (size_t)g->n;
    const int rank = g->rank = g->spans;
    ukServo *servo = g->c->servo;
    memset(g->F, 0, (size_t)g->p * n * sizeof *g->F);
    for (int j = 0; j < rank; j++)
        for (int k = 0; k < g->p; k++)
            for (int i = 0; i < g->n; i++)
                g->F[(size_t)j * n + (size_t)i] += g->k[j * g->p + k] * g->d[(size_t)k * n + (size_t)i];
    for (int j = 0; j < rank; j++) {
        memcpy(g->FN + (size_t)j * n, g->F + (size_t)j * n, n * sizeof *g->F);
        ukActuationProject(g, g->FN + (size_t)j * n);
    }
    for (int i = 0; i < rank; i++)
        for (int j = 0; j < rank; j++)
            g->H[i * rank + j] = ukDotRows(g->FN + (size_t)i * n, g->FN + (size_t)j * n, g->n);
    factorCholesky(g->H, rank);
    double *A = g->island->rows.A + g->block->A;
    memset(A, 0, (size_t)(g->m * g->stride) * sizeof *A);
    for (int i = 0; i < g->m; i++) {
        double *G = g->G + (size_t)i * (size_t)g->p;
        memcpy(G, g->L + (size_t)i * (size_t)g->p, (size_t)rank * sizeof *G);
        solveCholesky(g->H, rank, G);
        for (int k = 0; k < g->p; k++) {
            double sum = 0;
            for (int j = 0; j < rank; j++) sum += G[j] * g->k[j * g->p + k];
            for (int c = 0; c < g->stride; c++) A[i * g->stride + c] += sum * g->E[k * g->stride + c];
            servo->response[k * g->m + i] = sum / sqrt(servo->actuator[k].cost);
        }
    }
}

/* ---- right-hand sides -------------------------------------------------------------------------------------------- */

/* Reports a row without weight that the actuators cannot satisfy. */
static int refuseRow(const ukActuation *g, int i, double off)
{
    return ukErrorSet(ukErrorContradiction, "user constraint %llu: its actuators cannot satisfy row %d (residual %.2g)",
                      (unsigned long long)g->c->element.serial, i, off);
}

/* Side s: overwrites g->start with the motion with actuators, y, and computes the right-hand sides of the rows A_u. */
static int moveActuators(ukActuation *g, int s, double *side)
{
    static const double missing = 1e-6; /* largest residual, relative to the row's terms, that counts as rounding; */
    static const double rounding =
        1e-13; /* ... relative to the free acceleration along the row, of which the rigid rows
                                             may leave nothing */
    const size_t n = (size_t)g->n;
    double *y = g->start + (size_t)s * n, *r = g->t + g->n, *z = r + g->m, *x = z + g->p, *scale = x + g->p;
    const bool exact = s == 0 && !g->pose;
    for (int i = 0; i < g->m; i++) {
        double given[ukActuationSides];
        ukActuationSide(g, g->block->row + i, given);
        const double *a = g->a + (size_t)i * n;
        r[i] = given[s] - ukDotRows(a, y, g->n);
        scale[i] = fabs(given[s]);
        for (int k = 0; k < g->n; k++) scale[i] += fabs(a[k] * y[k]);
    }
    ukActuationSolve(g, r, z);
    for (int i = 0; i < g->m && exact && !g->c->weight && !g->trial; i++) {
        const double off = fabs(r[i] - ukDotRows(g->L + (size_t)i * (size_t)g->p, z, g->spans));
        const double *a = g->a + (size_t)i * n, size = sqrt(ukDotRows(a, a, g->n)) * g->impressed;
        if (off > missing * scale[i] && off > rounding * size) return refuseRow(g, i, off);
    }
    for (int j = 0; j < g->rank; j++) {
        double sum = 0;
        for (int k = 0; k < g->spans; k++) sum += g->k[k * g->rank + j] * z[k];
        for (int i = 0; i < g->n; i++) y[i] += sum * g->FN[(size_t)j * n + (size_t)i];
    }
    for (int j = 0; j < g->rank; j++) x[j] = ukDotRows(g->F + (size_t)j * n, y, g->n);
    for (int i = 0; i < g->m; i++) {
        side[i] = ukDotRows(g->G + (size_t)i * (size_t)g->p, x, g->rank);
        if (exact) g->c->servo->attained[i] = ukDotRows(g->a + (size_t)i * n, y, g->n);
    }
    return ukOk;
}

/* replaces b and rate, or phi, of the rows A_u */
static int replaceSides(ukActuation *g, bool pose)
{
    const ukRowArrays *r = &g->island->rows;
    const int row = g->block->row, sides = pose ? 1 : ukActuationSides;
    g->pose = pose;
    if (pose) ukActuationAddRigid(g);
    ukActuationStart(g);
    ukActuationSpan(g, g->F, g->rank, g->FN);
    for (int s = 0; s < sides; s++) {
        const int status = moveActuators(g, s, g->side + s * g->m);
        if (status != ukOk) return status;
    }
    for (int i = 0; i < g->m; i++) {
        if (pose) {
            r->phi[row + i] = g->side[i];
            continue;
        }
        r->b[row + i] = g->side[i];
        if (g->c->error) r->rate[row + i] = r->target[row + i] + g->side[g->m + i];
    }
    return ukOk;
}

/* The block of a constraint; NULL: the constraint has none. */
static const ukBlock *blockOf(const ukIsland *island, const struct ukConstraint *c)
{
    const ukProblem *p = &island->ideal->problem;
    for (int j = 0; j < p->blocks; j++)
        if (island->rows.owners[j].constraint == c) return &p->block[j];
    return NULL;
}

/* Stores b, rate and phi of the servo's rows as assembled, or restores them. */
static void keepSides(const ukActuation *g, bool restore)
{
    const ukRowArrays *r = &g->island->rows;
    double *const of[] = {r->b, r->rate, r->phi};
    for (int k = 0; k < 3; k++) {
        double *row = of[k] + g->block->row, *given = g->c->servo->given + k * g->m;
        memcpy(restore ? row : given, restore ? given : row, (size_t)g->m * sizeof *row);
    }
}

static int replaceRows(ukActuation *g)
{
    const ukIsland *island = g->island;
    const ukProblem *p = g->problem;
    g->n = 6 * p->bodies;
    for (int i = 0; i < p->rows; i++) g->n += p->softness[i] > 0;
    int status = ukActuationReserve(g);
    if (status != ukOk || p->bodies == 0) return status;
    ukActuationAddRigid(g);
    for (int i = 0; i < g->m; i++)
        ukMetricBlockRow(g->problem, g->block, g->c->A + (size_t)(i * g->stride), g->n,
                         g->a + (size_t)i * (size_t)g->n);
    status = computeWrenches(g);
    if (status != ukOk) return status;
    ukActuationSpan(g, g->d, g->p, g->FN);
    spanForces(g);
    status = replaceSides(g, false);
    if (status != ukOk || island->rows.velocity[g->block->row]) return status;
    return replaceSides(g, true);
}

static ukActuation actuationOf(ukIsland *island, const ukProblem *p)
{
    const struct ukConstraint *c = ukActuated(island);
    return (ukActuation){.island = island,
                         .problem = p,
                         .c = c,
                         .block = blockOf(island, c),
                         .m = c->rows,
                         .p = c->servo->count,
                         .stride = 6 * c->element.count,
                         .tolerance = fmax(1e-9, ukRankTolerance(island, p))};
}

int ukActuateRows(ukIsland *island)
{
    ukProblem rows = *island->problem;
    rows.C = NULL; /* not known yet */
    ukActuation g = actuationOf(island, &rows);
    if (!g.block || g.block->rows != g.m)
        return ukActuateRefuse(g.c, "one-sided rows", "put these into a constraint of their own without actuators");
    const int status = refuseActuation(&g);
    if (status != ukOk) return status;
    keepSides(&g, false);
    return hasBounds(&rows) ? ukOk : replaceRows(&g);
}

bool ukActuateBeside(const ukIsland *island)
{
    return island->problem->lo && ukActuated(island) && hasBounds(island->problem);
}

int ukActuateUnder(ukIsland *island, const ukProblem *p, const unsigned char *active, const double *lambda, bool trial)
{
    ukActuation g = actuationOf(island, p);
    g.active = active;
    g.lambda = lambda;
    g.trial = trial;
    keepSides(&g, true);
    return replaceRows(&g);
}

double ukActuateError(const ukIsland *island, const double *qdd, const double *work)
{
    const struct ukConstraint *c = ukActuated(island);
    const ukBlock *block = c ? blockOf(island, c) : NULL;
    double worst = 0;
    for (int i = 0; block && i < c->rows; i++) {
        const double *A = c->A + 6 * (size_t)(i * c->element.count);
        double is = 0, size = fabs(c->servo->attained[i]);
        for (int slot = 0; slot < block->slots; slot++, A += 6) {
            const int body = island->problem->body[block->slot + slot];
            const double *sizes = body < 0 ? NULL : ukGaussCheckSizes(work, body);
            for (int k = 0; k < 6 && body >= 0; k++) {
                is += A[k] * qdd[6 * body + k];
                size += fabs(A[k]) * sizes[k];
            }
        }
        const double error = size > 0 ? fabs(is - c->servo->attained[i]) / size : 0;
        if (!(error <= worst) && !isnan(worst)) worst = error; /* a NaN stays */
    }
    return worst;
}
