/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/island/assemble.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/base/pool.h"
#include "bridge/island/actuate.h"
#include "bridge/island/budget.h"
#include "bridge/island/each.h"
#include "bridge/island/gather.h"
#include "bridge/island/joint_block.h"
#include "bridge/island/massless.h"
#include "bridge/island/refuse.h"
#include "bridge/island/slices.h"
#include "bridge/island/spring.h"
#include "bridge/island/stepper.h"
#include "bridge/island/user_block.h"
#include "bridge/island/weigh.h"
#include "bridge/joints/class.h"
#include "bridge/user/constraint.h"
#include "bridge/user/joint_law.h"
#include "solvers/base/status.h"

/* Baumgarte's alpha and beta [1/s]: critically damped, with a time constant of a fifth of a second */
static const double default_gain = 5;

void ukAssembleContext(const ukWorld *world, double h, ukStepContext *context)
{
    dVector3 g;
    dWorldGetGravity(world->handle, g);
    const ukSettings *settings = &world->settings;
    const bool baumgarte = settings->stabilization == ukStabilizeBaumgarte;
    *context = (ukStepContext){
        .rows = {.h = h,
                 .step = h,
                 .erp = dWorldGetERP(world->handle),
                 .cfm = dWorldGetCFM(world->handle),
                 .contact_max_velocity = dWorldGetContactMaxCorrectingVel(world->handle),
                 .contact_surface_layer = dWorldGetContactSurfaceLayer(world->handle),
                 .commit = true,
                 .split = settings->stabilization == ukStabilizeSplit,
                 .exact = settings->joint_rule == ukJointRuleExact || settings->integrator != ukIntegratorEuler},
        .time = settings->time,
        .window = ukSwitchesWindow(&world->switches, settings->time, h),
        .gravity = {g[0], g[1], g[2]},
        .friction = ukFrictionOf(world),
        .modal_rows = ukIsAdaptive(settings),
        .springs = ukIsAdaptive(settings),
        .continuous = settings->integrator != ukIntegratorEuler,
        .alpha = !baumgarte            ? 0
                 : settings->alpha > 0 ? settings->alpha
                                       : default_gain,
        .beta = !baumgarte           ? 0
                : settings->beta > 0 ? settings->beta
                                     : default_gain};
}

static void fetchJoint(const ukJoint *joint)
{
    const char *first = (const char *)&joint->class, *end = (const char *)joint + ukContactBytes;
    for (; first < end; first += ukPrefetchLine) __builtin_prefetch(first);
}

typedef struct BodyForces {
    ukIsland *island;
    const ukStepContext *context;
} BodyForces;

UKODE_INLINE void buildFrameForces(void *context_, int begin, int end)
{
    const BodyForces *of = context_;
    ukIsland *const island = of->island;
    const double h = of->context->continuous ? 0 : of->context->rows.h;
    for (int i = begin; i < end; i++) {
        ukFrame *f = &island->frame[i];
        const size_t k = f->moving < 0 ? 0 : (size_t)f->moving;
        ukFrameForces(f, of->context->gravity, h, island->bodies.mass + k, island->bodies.inertia + 9 * k,
                      island->bodies.inverse_inertia + 9 * k);
        if (f->moving < 0) continue;
        island->bodies.frame[k] = f;
        island->bodies.handle[k] = f->body->handle;
    }
}

/* Computes masses and forces of the island's bodies in the world's axes; returns the number of moving bodies. */
static int buildForces(ukIsland *island, const ukStepContext *context)
{
    int moving = 0;
    for (int i = 0; i < island->frames; i++) moving += island->frame[i].moving >= 0;
    ukEach(island, island->frames, buildFrameForces, &(BodyForces){island, context});
    return moving;
}

ukIslandStart ukAssembleStart(const ukIsland *island)
{
    const ukStepper *s = island->stepper;
    return (ukIslandStart){.moving = s->moving_count,
                           .block = s->block_count,
                           .slot = s->slot_count,
                           .row = s->row_count,
                           .spring = s->spring_count,
                           .coefficient = s->coefficient_count};
}

void ukAssembleRewind(ukIsland *island, const ukIslandStart *start)
{
    ukStepper *s = island->stepper;
    s->moving_count = start->moving;
    s->block_count = start->block;
    s->slot_count = start->slot;
    s->row_count = start->row;
    s->spring_count = start->spring;
    s->coefficient_count = start->coefficient;
}

/* Whether springs may be forces beside a law (NULL: none). The implicit method for stiff forces does not support dry
 * friction. With `damped` springs may also be forces beside laws that do not depend on loads; loads would not include these
 * forces. */
static bool allowsSprings(const ukLaw *law, bool damped)
{
    return !law || (damped && law->mu == 0 && !law->joint_fn && !law->constraint_fn);
}

/* Whether the island's springs become forces; an island with laws that do not allow it keeps them as rows. */
static bool takesSprings(const ukIsland *island, const ukStepContext *context)
{
    if (!context->springs || !context->continuous) return false;
    for (int j = 0; j < island->joints; j++)
        if (!allowsSprings(island->joint[j]->law, context->damped)) return false;
    for (int k = 0; k < island->elements; k++) {
        const ukElement *const e = island->element[k];
        if (!e->is_force && !allowsSprings(((const struct ukConstraint *)e)->law, context->damped)) return false;
    }
    return true;
}

/* Divides a large island's problem, and lends it the threads of the settings. */
static void shareAmongThreads(ukIsland *island)
{
    const ukStepper *s = island->stepper;
    const int threads = island->world->settings.threads;
    island->partition = (ukPartition){.shared = s->partition.shared + s->block_count,
                                      .owner = s->partition.owner + s->moving_count,
                                      .sharing = s->partition.sharing + s->block_count};
    ukPartitionDivide(&island->partition, island->problem);
    island->solvers->team = (ukTeam){threads, ukPoolRun};
    if (threads > 1) island->problem->team = &island->solvers->team;
}

/* Describes the island's problems over the arrays that `build` has filled; counts and bounds of the ideal one are
 * set. */
static void describeProblems(const ukBuilder *build, int moving)
{
    const ukIsland *island = build->island;
    const ukRowArrays *r = &island->rows;
    ukProblem *whole = island->problem, *without = &island->ideal->problem;
    const ukProblem ideal = *without;
    *whole = (ukProblem){.bodies = moving,
                         .blocks = build->blocks,
                         .rows = build->rows,
                         .mass = island->bodies.mass,
                         .inertia = island->bodies.inertia,
                         .inverse_inertia = island->bodies.inverse_inertia,
                         .Q = island->bodies.Q,
                         .block = r->blocks,
                         .body = r->slot_body,
                         .A = r->A,
                         .b = r->b,
                         .softness = r->softness,
                         .lo = build->bounded ? r->lo : NULL,
                         .hi = build->bounded ? r->hi : NULL,
                         .normal = build->friction ? r->normal : NULL,
                         .cone = build->friction && build->context->friction == ukFrictionElliptic ? r->cone : NULL};
    *without = *whole;
    if (build->discs) whole->cone = r->cone;
    if (ukPartitionIsDivided(whole)) shareAmongThreads(build->island);
    without->team = whole->team;
    without->blocks = ideal.blocks;
    without->rows = ideal.rows;
    without->lo = ideal.lo;
    without->hi = ideal.hi;
    if (island->ideal->laws > 0) whole->C = island->bodies.C;
}

/* The next island's slices begin after those of this one. */
static void advanceCounts(const ukBuilder *build, int moving)
{
    ukStepper *s = build->island->stepper;
    s->moving_count += moving;
    s->block_count += build->blocks;
    s->slot_count += build->slots;
    s->row_count += build->rows;
    s->coefficient_count += build->coefficients;
}

/* Whether each step ends with the joints' anchors closed to rounding. The rows of stages within the step then keep the
 * form in which dependent rows of a closed loop stay dependent: measured on a four-bar of rank 17 with 20 rows, ten
 * seconds at h = 0.01 lose 4e-6 J; with exact rows, whose lever arms end at one anchor, 7e-4 J. */
static bool closesAnchors(const ukSettings *settings)
{
    const bool projects =
        settings->stabilization == ukStabilizeProjection || settings->stabilization == ukStabilizeSplit;
    return settings->integrator != ukIntegratorEuler && (projects || settings->integrator == ukIntegratorRattle);
}

/* The context of an assembly of this island: times and forms that depend on the island. */
static ukStepContext contextOf(const ukIsland *island, const ukStepContext *given)
{
    ukStepContext at = *given;
    at.rows.since = at.time - island->world->settings.time;
    at.time = ukSwitchesTime(&at.window, at.time);
    at.rows.closed = at.continuous && !at.rows.apart && closesAnchors(&island->world->settings);
    const bool actuated = ukActuated(island); /* its forces beside rows with bounds are those of the discrete form */
    const bool modes =
        island->massless == 0 && !actuated; /* rounding of massless bodies' multipliers would repeat events */
    at.modal_rows &= modes;
    if (!modes) at.stops = ukStopsIgnored;
    at.springs &= !actuated;
    at.rows.exact |= at.continuous; /* also if an Euler world is evaluated in the continuous form */
    return at;
}

UKODE_INLINE void copyForces(void *context, int begin, int end)
{
    const ukIsland *const island = context;
    for (int k = begin; k < end; k++)
        memcpy(island->bodies.Q + 6 * (size_t)k, island->bodies.frame[k]->force, 6 * sizeof(double));
}

/* ---- joints of large islands ------------------------------------------------------------------------------------- */

/* A range of the island's joints, assembled where the last assembly had them. */
typedef struct JointRange {
    ukBuilder build;
    ukPushes pushes;
    int begin, end, status;
} JointRange;

static ukAssemblyPlace placeOf(const ukBuilder *build)
{
    return (ukAssemblyPlace){build->blocks, build->slots, build->rows, build->coefficients};
}

static void beginAtPlace(ukBuilder *build, const ukAssemblyPlace *place)
{
    build->blocks = place->blocks, build->slots = place->slots, build->rows = place->rows;
    build->coefficients = place->coefficients;
}

static bool endsAtPlace(const ukBuilder *build, const ukAssemblyPlace *place)
{
    return build->blocks == place->blocks && build->slots == place->slots && build->rows == place->rows &&
           build->coefficients == place->coefficients;
}

/* Assembles the joints from `begin` to `end` - 1. Ends early if they have more rows than the last assembly had, at the
 * latest where the next range's rows begin; the ranges are then assembled again in order. */
static int buildRange(ukBuilder *build, int begin, int end)
{
    const ukIsland *const island = build->island;
    int status = ukOk;
    for (int j = begin; j < end && status == ukOk && build->rows <= build->end; j++) {
        if (j + ukPrefetchAhead < end) fetchJoint(island->joint[j + ukPrefetchAhead]);
        status = ukBuildJointBlock(build, island->joint[j], NULL);
    }
    return status;
}

static void buildRangeTask(void *context, int k)
{
    JointRange *const range = (JointRange *)context + k;
    range->status = buildRange(&range->build, range->begin, range->end);
}

/* Whether the island's joints may be assembled in ranges, by their number and kinds alone: writing their rows must have
 * no other effect than these rows and forces on their bodies. */
static bool hasRanges(const ukIsland *island, const ukStepContext *context)
{
    if (island->joints < ukFewThings || context->continuous || island->elements > 0) return false;
    for (int j = 0; j < island->joints; j++)
        if (island->joint[j]->law || island->joint[j]->class->running || ukIsContact(island->joint[j])) return false;
    return true;
}

/* Assembles the ranges at the same time. False: a range has not ended where the last assembly did, or failed; nothing
 * has changed but arrays that are to be written again. */
static bool buildAtOnce(ukBuilder *build)
{
    ukIsland *const island = build->island;
    const ukAssemblyPlaces *const last = &island->stepper->places;
    JointRange range[ukPartitionParts];
    const int threads = island->world->settings.threads, joints = island->joints;
    if (threads < 2 || last->island != island->number || last->joints != joints) return false;
    for (int k = 0; k < ukPartitionParts; k++) {
        range[k].build = *build;
        range[k].begin = ukPartitionBegin(joints, ukPartitionParts, k);
        range[k].end = ukPartitionBegin(joints, ukPartitionParts, k + 1);
        beginAtPlace(&range[k].build, &last->at[k]);
        range[k].build.end = last->at[k + 1].rows;
        range[k].build.pushes = &range[k].pushes;
        range[k].pushes.count = 0;
    }
    ukPoolRun(threads, ukPartitionParts, buildRangeTask, range);
    for (int k = 0; k < ukPartitionParts; k++)
        if (range[k].status != ukOk || range[k].pushes.count > ukMostPushes ||
            !endsAtPlace(&range[k].build, &last->at[k + 1]))
            return false;
    for (int k = 0; k < ukPartitionParts; k++) {
        ukPushesApply(&range[k].pushes);
        build->bounded |= range[k].build.bounded;
        build->friction |= range[k].build.friction;
    }
    beginAtPlace(build, &last->at[ukPartitionParts]);
    return true;
}

/* Assembles the joints one after the other, and remembers where ranges begin. */
static int buildInOrder(ukBuilder *build)
{
    ukIsland *const island = build->island;
    ukAssemblyPlaces *const places = &island->stepper->places;
    ukPushes pushes;
    int status = ukOk;
    build->pushes = &pushes;
    build->end = INT_MAX;
    places->joints = 0;
    for (int k = 0; k < ukPartitionParts; k++) {
        places->at[k] = placeOf(build);
        for (int j = ukPartitionBegin(island->joints, ukPartitionParts, k);
             j < ukPartitionBegin(island->joints, ukPartitionParts, k + 1) && status == ukOk; j++) {
            pushes.count = 0;
            status = buildRange(build, j, j + 1);
            if (status == ukOk) ukPushesApply(&pushes);
        }
    }
    build->pushes = NULL;
    if (status != ukOk) return status;
    places->at[ukPartitionParts] = placeOf(build);
    places->island = island->number, places->joints = island->joints;
    return ukOk;
}

/* *laws: how many joints have one */
static int buildJoints(ukBuilder *build, int *laws)
{
    ukIsland *const island = build->island;
    const bool modal = build->context->modal_rows;
    int status = ukOk;
    if (hasRanges(island, build->context)) return buildAtOnce(build) ? ukOk : buildInOrder(build);
    for (int j = 0; j < island->joints && status == ukOk; j++) {
        if (j + ukPrefetchAhead < island->joints) fetchJoint(island->joint[j + ukPrefetchAhead]);
        status = ukBuildJointBlock(build, island->joint[j], modal ? ukModalMotorsOf(island, j) : NULL);
        *laws += island->joint[j]->law != NULL;
    }
    return status;
}

/* Adds the position correction of rows that yield by their CFM to their velocity again (split correction): such a row
 * is a spring, whose force ERP determines. */
static void returnToSprings(const ukIsland *island, const ukProblem *p, double h)
{
    const ukRowArrays *r = &island->rows;
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++) {
            if (r->velocity[i] || !(r->softness[i] > 0)) continue;
            if (!ukRowIsSpring(r->softness[i], ukMasslessCompliance(island, p, &p->block[k], i))) continue;
            r->spring[i] = 1;
            r->c[i] += r->push[i];
            r->b[i] += r->push[i] / h;
            r->push[i] = 0;
        }
}

int ukAssembleIsland(ukIsland *island, const ukStepContext *given)
{
    const ukStepContext at = contextOf(island, given), *const context = &at;
    const int spring = island->stepper->spring_count;
    ukBuilder build = {.island = island,
                       .context = context,
                       .form = {context->continuous, context->rows.h, context->alpha, context->beta},
                       .springs = takesSprings(island, context)};

    int status = ukBudgetSpend(island, 1), laws = 0;
    island->solvers->projected = false;
    if (status != ukOk) return status;
    ukSlicesPlace(island);
    const int moving = buildForces(island, context);
    if (island->switches > 0) status = ukBuildSwitches(&build);
    if (status == ukOk) status = buildJoints(&build, &laws);
    for (int k = 0; k < island->elements && status == ukOk; k++) {
        ukElement *e = island->element[k];
        status = e->is_force ? ukBuildForce(&build, (struct ukForce *)e)
                             : ukBuildConstraint(&build, (struct ukConstraint *)e);
        laws += !e->is_force && ((const struct ukConstraint *)e)->law;
    }
    if (status != ukOk) return status;
    *island->ideal = (ukIdeal){.problem = {.blocks = build.blocks,
                                           .rows = build.rows,
                                           .lo = build.bounded ? island->rows.lo : NULL,
                                           .hi = build.bounded ? island->rows.hi : NULL},
                               .laws = laws,
                               .modal_rows = build.modal_rows + build.motors,
                               .motors = build.motors,
                               .stops = build.stops,
                               .spring = spring,
                               .springs = island->stepper->spring_count - spring,
                               .continuous = context->continuous,
                               .time = context->time,
                               .h = context->rows.h};
    for (int i = 0; i < ukIslandLawCount(island) && status == ukOk; i++) {
        ukLaw *law = ukIslandLaw(island, i);
        if (law) status = ukBuildLaw(&build, law);
    }
    if (status != ukOk) return status;

    /* Motors at their stops and user forces have been added to the frames' forces by now. */
    ukEach(island, moving, copyForces, island);
    describeProblems(&build, moving);
    if (island->massless > 0) status = ukMasslessAssemble(island);
    advanceCounts(&build, moving);
    if (status == ukOk && ukWeighs(island)) status = ukWeighRows(island, context->continuous ? 0 : context->rows.h);
    if (status == ukOk && ukActuated(island)) status = ukActuateRows(island);
    if (ukBuildSplits(context)) returnToSprings(island, &island->ideal->problem, context->rows.h);
    return status;
}
