/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/analyze/probe.h"

#include <math.h>

#include "bridge/analyze/active_contacts.h"
#include "bridge/analyze/sliding.h"
#include "bridge/base/log.h"
#include "bridge/island/actuate.h"
#include "bridge/integrate/continuous.h"
#include "bridge/integrate/measure.h"
#include "bridge/integrate/one_sided.h"
#include "bridge/integrate/projection.h"
#include "bridge/integrate/stick.h"
#include "bridge/island/gather.h"
#include "bridge/island/refuse.h"
#include "bridge/solve/consistent.h"
#include "bridge/solve/nonideal.h"
#include "bridge/solve/solve.h"
#include "bridge/step/traversal.h"
#include "bridge/user/gap.h"
#include "bridge/user/joint_law.h"
#include "bridge/watch/watch.h"
#include "solvers/base/status.h"
#include "solvers/problem/tolerance.h"

static bool hasModes(const ukIsland *island)
{
    return island->ideal->laws > 0 || island->ideal->modal_rows > 0;
}

/* Names a row of an island that has no continuous form: stops before soft and bounded rows. */
static int refuseDiscrete(const ukIsland *island)
{
    const ukProblem *p = &island->ideal->problem;
    const ukJoint *other = NULL;
    for (int k = 0; k < p->blocks; k++) {
        const ukJoint *joint = island->rows.owners[k].joint;
        for (int i = p->block[k].row; joint && i < p->block[k].row + p->block[k].rows; i++) {
            if (island->rows.discrete_only[i])
                return ukRefuseJoint(joint, ukErrorUnsupported,
                                     "its active stop has no continuous linearization; linearize a step");
            if (!ukRowExact(island, i) && !other) other = joint;
        }
    }
    if (other)
        return ukRefuseJoint(other, ukErrorUnsupported,
                             "one of its rows has no continuous form (CFM or bounds); linearize a step");
    return ukErrorSet(ukErrorUnsupported,
                      "a row of a user constraint has no continuous form (bounds); linearize a step");
}

/* Whether bounded rows of user constraints follow accelerations, which Baumgarte's gains would correct: an analysis has
 * none. */
static bool hasBoundedAccelerations(const ukIsland *island)
{
    for (int k = 0; k < island->elements; k++) {
        const struct ukConstraint *c = (const struct ukConstraint *)island->element[k];
        for (int i = 0; !c->element.is_force && i < c->rows; i++)
            if (ukGapBounded(c, i) == ukBoundedAcceleration) return true;
    }
    return false;
}

/* The island assembled at its frames' states, contacts by their modes. */
static int assembleActive(ukProbe *probe, ukIsland *island)
{
    const int status = ukAssembleIsland(island, &probe->context);
    if (status == ukOk && probe->form == ukProbeContinuous) ukActiveContactsWrite(&probe->activity, island);
    return status;
}

static int beginIsland(ukProbe *probe, ukIsland *island, const ukRelease *release, int releases)
{
    const ukIslandStart start = ukAssembleStart(island);
    if (ukActuated(island))
        return ukActuateRefuse(ukActuated(island), "analyses of the world",
                               "clear the actuators first (ukConstraintSetActuators with 0)");
    int status = ukGatherIsland(island);
    ukGatherResetMotors(island);
    if (status == ukOk && probe->form == ukProbeContinuous)
        status = ukActiveDecide(&probe->activity, island, &start, &probe->context, release, releases);
    if (status == ukOk) status = assembleActive(probe, island);
    if (status != ukOk || probe->form == ukProbePose) return status;
    if (!ukContinuousEligible(island) || hasBoundedAccelerations(island)) return refuseDiscrete(island);
    if (!hasModes(island)) return ukOk;
    status = ukStickDecide(island, &start, &probe->context, NULL, false);
    if (status != ukOk) return status;
    ukActiveMotors(&probe->activity, island);
    ukAssembleRewind(island, &start);
    return assembleActive(probe, island);
}

int ukProbeBegin(ukProbe *probe, ukWorld *world, ukProbeForm form, double h, const ukRelease *release, int releases)
{
    *probe = (ukProbe){.world = world, .form = form};
    if (ukWorldWithinStep(world))
        return ukErrorSet(ukErrorChanged, "the world is being stepped (called from a callback)");
    if (ukTraversalWhole(world) != ukOk) return ukErrorMemory;
    ukStepper *const s = probe->s = ukStepperOf(world);
    if (!s) return ukTraversalNoMemory(world);
    ukWatchStepBegin(world);
    probe->open = true;
    probe->before = s->report;
    const bool continuous = form == ukProbeContinuous;
    int status = ukTraversalBegin(world, s, h, false);
    ukAssembleContext(world, h, &probe->context);
    probe->context.continuous = true;
    probe->context.modal_rows = probe->context.springs = probe->context.damped = probe->context.rigid = continuous;
    probe->context.alpha = probe->context.beta = 0;
    probe->context.rows.commit = false;
    probe->context.rows.apart = true;
    probe->context.rows.exact = true;
    if (status == ukOk && continuous) status = ukActiveBegin(&probe->activity, s);
    for (int i = 0; i < s->island_count && status == ukOk; i++) {
        status = beginIsland(probe, &s->islands[i], release, releases);
        probe->begun += status == ukOk;
    }
    probe->context.sided = true; /* from here on; displaced states would straddle a switching function near zero */
    probe->bodies = s->moving_count;
    return status;
}

/* Drag, c |rate| rate, keeps the signs of the rates at the assembled state: the derivatives there are the same, and
 * differences need not be small beside the rates. keep false: no more. */
static void keepDrag(const ukProbe *probe, bool keep)
{
    for (int k = 0; k < probe->begun; k++)
        for (int i = 0; i < ukIslandLawCount(&probe->s->islands[k]); i++) {
            ukLaw *const law = ukIslandLaw(&probe->s->islands[k], i);
            for (int axis = 0; law && axis < 3; axis++) law->side[axis] = !keep ? 0 : law->rate[axis] < 0 ? -1 : 1;
        }
}

void ukProbeEnd(ukProbe *probe)
{
    if (!probe->open) return;
    probe->open = false;
    ukActiveEnd(&probe->activity);
    keepDrag(probe, false);
    for (int i = 0; i < probe->begun; i++) ukOneSidedForget(&probe->s->islands[i]);
    probe->s->report = probe->before;
    ukStepperForget(probe->s);
    probe->s->solved = false;
    ukTraversalUnwake(probe->s);
    ukWatchStepEnd(probe->world);
}

ukFrame *ukProbeFrame(const ukProbe *probe, int k)
{
    return probe->s->bodies.frame[k];
}

bool ukProbeRigid(const ukProbe *probe, const ukIsland *island, int i)
{
    if (island->rows.velocity[i] == ukActiveNoRow) return false;
    return ukRowExact(island, i) && (probe->form == ukProbeContinuous || i < island->ideal->problem.rows);
}

/* Sets b of each rigid row: -phi with `pose`, else the target less the rate. All other rows become so soft that they
 * have no effect. */
static void setProbeSides(const ukProbe *probe, ukIsland *island, bool pose)
{
    const ukProblem *p = island->problem;
    const ukRowArrays *r = &island->rows;
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++) {
            const bool binds = ukProbeRigid(probe, island, i) && !(pose && r->velocity[i]);
            const double compliance = ukProblemCompliance(p, &p->block[k], i);
            r->b[i] = !binds ? 0 : pose ? -r->phi[i] : r->target[i] - r->rate[i];
            r->softness[i] = binds ? 0 : compliance > 0 ? 1e12 * compliance : 1;
        }
}

double ukProbeDrift(const ukProbe *probe, const ukIsland *island)
{
    const ukProblem *p = island->problem;
    double largest = 0;
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++) {
            if (!ukProbeRigid(probe, island, i) || island->rows.velocity[i] || island->rows.phi[i] == 0) continue;
            const double reach = ukRowReach(p, &p->block[k], i);
            if (reach > 0) largest = fmax(largest, fabs(island->rows.phi[i]) / reach);
        }
    return largest;
}

static int assembleProbe(ukProbe *probe, ukIsland *island, const ukIslandStart *start)
{
    ukAssembleRewind(island, start);
    const int status = assembleActive(probe, island);
    if (status != ukOk || probe->form == ukProbePose) return status;
    return ukContinuousEligible(island) ? ukOk : refuseDiscrete(island);
}

static double sizeOfMove(const ukProblem *p, const double *x)
{
    double square = 0;
    for (int body = 0; body < p->bodies; body++) square += ukMeasureSquare(p, body, x + 6 * body);
    return sqrt(square);
}

/* Projects by Newton steps, which are halved if they overshoot: small gaps of the joints of a long chain move its end
 * far. */
static int projectPose(ukProbe *probe, ukIsland *island, const ukIslandStart *start, double *moved)
{
    enum { MaxNewton = 60, MaxHalves = 8 };
    static const double nearer = 0.9; /* the part of an error that a Newton step may leave */
    static const double far = 1e-4;   /* [angle] above it steps may be halved; a part f of one may leave 1 - f/10 */
    const ukProblem *p = island->problem;
    double error = ukProbeDrift(probe, island), last = INFINITY, part = nearer, path = 0, *const x = island->bodies.qdd;
    int status = ukOk, rank;
    for (int k = 0; k < MaxNewton && error > 0 && error < part * last; k++) {
        setProbeSides(probe, island, true);
        status = ukProjectRates(island, error, &rank);
        if (status != ukOk) return status;
        double size = sizeOfMove(p, x);
        ukProjectMovePose(island, x);
        status = assembleProbe(probe, island, start);
        if (status != ukOk) return status;
        last = error;
        error = ukProbeDrift(probe, island);
        part = nearer;
        for (int half = 0; half < MaxHalves && error > far && !(error < part * last); half++) {
            for (int i = 0; i < 6 * p->bodies; i++) x[i] *= half == 0 ? -0.5 : 0.5;
            size *= 0.5;
            ukProjectMovePose(island, x);
            status = assembleProbe(probe, island, start);
            if (status != ukOk) return status;
            error = ukProbeDrift(probe, island);
            part = 0.5 * (1 + part);
        }
        path += size;
    }
    if (moved) *moved += path * path;
    return ukProjectedAt(island, error) ? ukOk : ukProjectRefuse(island);
}

static int projectIsland(ukProbe *probe, ukIsland *island, bool pose, double *moved)
{
    const ukIslandStart start = ukAssembleStart(island);
    int status = assembleProbe(probe, island, &start), rank;
    if (status != ukOk || island->problem->rows == 0) return status;
    if (pose) status = projectPose(probe, island, &start, moved);
    if (status != ukOk) return status;
    setProbeSides(probe, island, false);
    status = ukProjectRates(island, ukProbeDrift(probe, island), &rank);
    if (status != ukOk) return status;
    const double *dv = island->bodies.qdd, before = ukMeasureVelocity(island);
    for (int k = 0; k < island->problem->bodies; k++)
        for (int c = 0; c < 6; c++) island->bodies.frame[k]->state.v[c] += dv[6 * k + c];
    ukMeasureRound(island, before, rank);
    return assembleProbe(probe, island, &start);
}

int ukProbeProject(ukProbe *probe, bool pose, double *moved)
{
    ukStepper *const s = probe->s;
    const ukIslandStart first = {0};
    int status = ukOk;
    double square = 0;
    s->work = 0;
    if (s->island_count > 0) ukAssembleRewind(&s->islands[0], &first);
    for (int i = 0; i < s->island_count && status == ukOk; i++)
        status = projectIsland(probe, &s->islands[i], pose, &square);
    if (moved) *moved = sqrt(square);
    return status;
}

int ukProbeSettle(ukProbe *probe, double *moved)
{
    double more = 0;
    probe->activity.loose = true;
    int status = ukProbeProject(probe, true, moved);
    probe->activity.loose = false;
    if (status == ukOk) keepDrag(probe, true);
    if (status != ukOk || probe->activity.contacts == 0) return status;
    for (int i = 0; i < probe->s->island_count; i++) ukActiveContactsSettle(&probe->activity, &probe->s->islands[i]);
    status = ukProbeProject(probe, true, &more);
    *moved = hypot(*moved, more);
    return status;
}

int ukProbeAssemble(ukProbe *probe)
{
    ukStepper *const s = probe->s;
    const ukIslandStart first = {0};
    int status = ukOk;
    s->work = 0;
    if (s->island_count > 0) ukAssembleRewind(&s->islands[0], &first);
    for (int i = 0; i < s->island_count && status == ukOk; i++) {
        const ukIslandStart start = ukAssembleStart(&s->islands[i]);
        status = assembleProbe(probe, &s->islands[i], &start);
    }
    return status;
}

int ukProbeSolve(ukProbe *probe, bool judge)
{
    ukStepper *const s = probe->s;
    const ukIslandStart first = {0};
    int status = ukOk;
    if (s->island_count > 0) ukAssembleRewind(&s->islands[0], &first);
    for (int i = 0; i < s->island_count && status == ukOk; i++) {
        ukIsland *const island = &s->islands[i];
        const ukIslandStart start = ukAssembleStart(island);
        status = assembleProbe(probe, island, &start);
        ukIslandSolve *const solve = hasModes(island) ? ukNonIdealSolveContinuous : ukSolveContinuous;
        if (status == ukOk) status = ukSlidingIsland(&probe->activity, island, solve);
        if (status == ukOk && judge) status = ukSolveConsistent(island);
        if (status == ukOk) ukActiveContactsFinish(&probe->activity, island);
    }
    return status;
}
