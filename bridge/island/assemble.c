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
#include "bridge/island/form.h"
#include "bridge/island/gather.h"
#include "bridge/island/massless.h"
#include "bridge/island/pushes.h"
#include "bridge/island/refuse.h"
#include "bridge/island/slices.h"
#include "bridge/island/spring.h"
#include "bridge/island/stepper.h"
#include "bridge/island/user_row.h"
#include "bridge/island/weigh.h"
#include "bridge/joints/class.h"
#include "bridge/user/constraint.h"
#include "bridge/user/gap.h"
#include "bridge/user/law_rows.h"
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

/* Replaces an infinite coefficient where friction bounds depend on the normal force of the same solution: friction
 * would be discontinuous at zero normal force, and a solution need not exist. Measured on small worlds that jam: 2 % of
 * steps have no solution, 0.6 % with 1e6, 0.03 % with 1e3, which sticks on slopes of up to 89.9 degrees. */
static const double no_sliding = 1e3;

/* whether position errors are corrected apart from the velocities (bridge/solve/split.h) */
static bool splits(const ukStepContext *context)
{
    return context->rows.split && !context->continuous;
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

/* Gathers masses and forces of the island's bodies; returns the number of moving bodies. */
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

/* An assembly under way, with the numbers of blocks, body slots, rows and coefficients written so far. */
typedef struct Build {
    ukIsland *island;
    const ukStepContext *context;
    ukForm form;
    int blocks, slots, rows, modal_rows, motors, stops;
    size_t coefficients;
    bool bounded, friction, discs; /* discs: of friction in joints */
    bool springs;                  /* rows with a CFM that the user set become forces */
    ukPushes *pushes;              /* large islands: where forces of joints on bodies are noted; NULL: the frames' */
    int end;                       /* with pushes: the first row of the next part, which is not to be cleared */
} Build;

/* The states of an element's bodies: those of the island's frames, or ODE's for bodies that were auto-disabled at the
 * search. */
static const ukState *const *statesOf(const Build *build, const ukElement *e, ukState *asleep)
{
    const ukIsland *island = build->island;
    const ukState **state = island->rows.slot_state + build->slots;
    for (int i = 0; i < e->count; i++) {
        const ukFrame *frame = ukIslandFrame(build->island, e->body[i]);
        if (!frame) {
            bool kinematic;
            ukFrameConstants(e->body[i], &kinematic); /* computes its mass, for user functions; it does not move */
            *asleep = ukStateOf(e->body[i]);
        }
        state[i] = frame ? &frame->state : asleep++;
    }
    return state;
}

/* Evaluates the island's switching functions, before the functions that read their sides. Unless these are kept, each
 * is that of the value. */
static int evaluateSwitches(const Build *build)
{
    const ukStepContext *context = build->context;
    int status = ukOk;
    for (int k = 0; k < build->island->elements && status == ukOk; k++) {
        ukState asleep[ukMaxElementBodies];
        struct ukForce *f = (struct ukForce *)build->island->element[k];
        if (!ukElementIsSwitch(&f->element)) continue;
        status = ukSwitchEvaluate(f, statesOf(build, &f->element, asleep), context->time, context->rows.h);
        if (status == ukOk && !context->sided) f->side = f->value < 0 ? -1 : 1;
    }
    return status;
}

/* Evaluates a user force and adds it to the bodies of its island. */
static int applyForce(const Build *build, struct ukForce *f)
{
    const ukElement *e = &f->element;
    ukState asleep[ukMaxElementBodies];
    const ukStepContext *context = build->context;
    if (f->g) return ukOk;
    const int status = ukForceEvaluate(f, statesOf(build, e, asleep), context->time, context->rows.h);
    if (status != ukOk) return status;
    for (int i = 0; i < e->count; i++) {
        ukFrame *frame = ukIslandFrame(build->island, e->body[i]);
        for (int k = 0; frame && k < 6; k++) frame->force[k] += e->force[6 * i + k];
    }
    return ukOk;
}

static double *nextA(const Build *build)
{
    return build->island->rows.A + build->coefficients;
}

static void addBlock(Build *build, ukBlockOwner owner, int rows, int slots)
{
    const ukRowArrays *r = &build->island->rows;
    r->owners[build->blocks] = owner;
    r->blocks[build->blocks++] =
        (ukBlock){.row = build->rows, .rows = rows, .slot = build->slots, .slots = slots, .A = build->coefficients};
    build->slots += slots;
    build->rows += rows;
    build->coefficients += 6 * (size_t)(rows * slots);
}

/* Makes the row numbers of a joint's motors of bounded force, which wrote rows from `row` on, those of the island;
 * returns the number of motors. */
static int countModalMotors(ukModalMotor *modal_motors, int row)
{
    int count = 0;
    for (; modal_motors && count < ukMostModalMotors && modal_motors[count].used; count++)
        if (modal_motors[count].row >= 0) modal_motors[count].row += row;
    return count;
}

/* The same for the joint's stops with modes, the next ones of the island. */
static void countStops(Build *build, const ukRowSink *sink, int row)
{
    for (int k = 0; k < sink->stop_count; k++) {
        if (!sink->stops[k].joint) continue;
        if (sink->stops[k].limit.row >= 0) sink->stops[k].limit.row += row;
        build->modal_rows++;
    }
    build->stops += sink->stop_count;
}

/* the square of the radius of gyration by which characteristic lengths are measured (ukRowReach) */
static double gyrationOf(const ukBody *body)
{
    const double *I = body->constant.inertia, mass = body->constant.mass;
    return mass > 0 ? (I[0] + I[4] + I[8]) / (2 * mass) : 0;
}

/* prepares the sink for stops with modes, if the context has them */
static void followStops(const Build *build, ukJoint *joint, ukRowSink *sink)
{
    const ukStepContext *context = build->context;
    if (!context->continuous || context->stops == ukStopsApart) return;
    sink->stops = build->island->stop + build->stops;
    sink->undecided = context->stops == ukStopsUndecided;
    sink->joint = joint;
    for (int k = 0; k < 2 && joint->body[k]; k++) sink->gyration[k] = gyrationOf(joint->body[k]);
}

/* Writes the rows of a joint and removes its springs from them; returns the number of rows, or a negative status. */
static int writeRows(const Build *build, ukJoint *joint, const ukState *const state[2], ukRowSink *sink,
                     ukBlockOwner *owner)
{
    ukModalMotor *const modal_motors = sink->modal_motor;
    for (int k = 0; modal_motors && k < ukMostModalMotors; k++) modal_motors[k].used = false;
    const int written = joint->class->rows(joint, state[0], state[1], &build->context->rows, sink);
    sink->modal_motor = modal_motors;
    if (!build->springs || written <= 0 || ukIsContact(joint)) return written;
    if (build->context->firm) ukSpringsHarden(joint, &build->context->rows, sink, written);
    return ukSpringsTake(build->island, joint, state, &build->context->rows, sink, written, &owner->springs);
}

static int buildJoint(Build *build, ukJoint *joint, ukModalMotor *modal_motors)
{
    const ukIsland *island = build->island;
    const ukRowArrays *r = &island->rows;
    const ukStepContext *context = build->context;
    const ukJointClass *class = joint->class;
    if (class->max_rows == 0) return ukOk;
    if (joint->stale || !joint->observed) {
        if (class->refresh) class->refresh(joint);
        joint->stale = ukJointIsFar(joint);
    }
    ukFrame *a = ukFrameOf(island, joint->body[0]);
    ukFrame *b = joint->body[1] ? ukFrameOf(island, joint->body[1]) : NULL;
    const ukState *const state[2] = {&a->state, b ? &b->state : NULL};
    const int row = build->rows, stride = b ? 12 : 6, most = class->most ? class->most(joint) : class->max_rows;
    double *A = nextA(build), nowhere[12] = {0};
    ukFormClear(r, row, build->pushes && build->end - row < most ? build->end - row : most, A, stride);
    ukRowSink sink = {.J = A,
                      .stride = stride,
                      .c = r->c + row,
                      .push = splits(context) ? r->push + row : NULL,
                      .phi = r->phi + row,
                      .target = r->target + row,
                      .restitution = r->restitution + row,
                      .flight = context->rows.flight,
                      .erp = r->erp + row,
                      .bias = context->continuous ? r->bias + row : NULL,
                      .cfm = r->cfm + row,
                      .lo = r->lo + row,
                      .hi = r->hi + row,
                      .normal = r->normal + row,
                      .velocity = r->velocity + row,
                      .discrete_only = r->discrete_only + row,
                      .modal_motor = modal_motors,
                      .force_a = build->pushes ? nowhere : a->force,
                      .force_b = build->pushes || !b ? nowhere + 6 : b->force};
    ukBlockOwner owner = {.joint = joint};
    followStops(build, joint, &sink);
    const int written = writeRows(build, joint, state, &sink, &owner);
    if (build->pushes) ukPushesNote(build->pushes, a, b, nowhere);
    /* rows beyond the joint's range have not been cleared */
    if (build->pushes && written > build->end - row) return ukErrorChanged;
    build->motors += countModalMotors(modal_motors, row);
    countStops(build, &sink, row);
    if (written == 0) return ukOk;
    int status = written < 0 ? written : ukOk;
    if (status == ukOk) status = ukFormClose(r, &build->form, row, written, A, b ? 2 : 1, state, &build->bounded);
    if (status != ukOk) return ukRefuseRows(joint, status);
    if (context->friction == ukFrictionElliptic && ukIsContact(joint)) ukFormMarkCone(r, row, written, A, stride);
    for (int i = row; i < row + written; i++) {
        if (r->normal[i] < 0) continue;
        if (context->friction != ukFrictionTwoPhase && r->hi[i] == INFINITY)
            r->hi[i] = no_sliding, r->lo[i] = -no_sliding;
        build->friction = true;
    }
    r->slot_body[build->slots] = a->moving;
    if (b) r->slot_body[build->slots + 1] = b->moving;
    addBlock(build, owner, written, b ? 2 : 1);
    return ukOk;
}

/* whether the integrator tracks the modes of rows of user constraints with bounds within a step */
static bool follows(const ukStepContext *context)
{
    return context->continuous && (context->modal_rows || context->stops != ukStopsApart);
}

/* Completes one row of a user constraint: its own b, corrected by the errors that its error function returns. */
static void closeConstraintRow(const ukRowArrays *r, const ukStepContext *context, int row,
                               const struct ukConstraint *c, int i)
{
    const double h = context->rows.h, erp = context->rows.erp;
    const ukRowBounds *const limit = c->limit ? &c->limit[i] : NULL;
    const bool holonomic = ukGapIsHolonomic(c, i), one_sided = limit && limit->one_sided, by_mode = follows(context);
    const bool modal = by_mode && (one_sided || ukGapBounded(c, i) != ukBoundedNone);
    if (limit && !(modal && limit->mode == ukRowActive)) r->lo[row] = limit->lo, r->hi[row] = limit->hi;
    const bool bounded = limit && !one_sided && (limit->lo > -INFINITY || limit->hi < INFINITY); /* as a motor */
    r->discrete_only[row] = one_sided && (!by_mode || (limit->mode == ukRowUndecided && ukGapIsDeep(c, i)));
    r->velocity[row] = !holonomic || bounded;
    r->phi[row] = holonomic ? c->phi[i] : 0;
    r->rate[row] = c->psi[i];
    r->softness[row] = 0;
    r->restitution[row] = one_sided && holonomic ? limit->restitution : 0;
    r->b[row] = c->b[i];
    if (!c->error) return;
    if (context->continuous) {
        r->b[row] -= 2 * context->alpha * c->psi[i] + context->beta * context->beta * r->phi[row];
    } else { /* as for ODE's joints: A v+ = target - (erp/h) phi */
        (splits(context) && !bounded ? r->push : r->c)[row] = -erp / h * r->phi[row];
        const double back = r->restitution[row] * -c->psi[i];
        if (back > 0 && back > r->c[row]) { /* rebounds like a stop (bridge/joints/limit.c) */
            r->push[row] = fmax(r->push[row], back) - back;
            r->target[row] = back - r->c[row];
            r->c[row] = back;
        }
        r->b[row] = (r->c[row] - c->psi[i]) / h;
    }
}

/* Numbers those rows of a constraint with bounds that act at the state it was evaluated for; returns how many. */
static int limitRows(Build *build, struct ukConstraint *c)
{
    const ukStepContext *context = build->context;
    int count = 0;
    for (int i = 0; i < c->rows; i++) {
        const bool acts = ukGapActs(c, i, follows(context), context->rows.flight);
        c->limit[i].row = acts ? build->rows + count++ : -1;
        ukUserRowStart(build->island, c, i);
        if (follows(context)) build->modal_rows += c->limit[i].one_sided || ukGapBounded(c, i) != ukBoundedNone;
    }
    if (follows(context)) ukUserRowApply(build->island, c);
    return count;
}

static int buildConstraint(Build *build, struct ukConstraint *c)
{
    const ukIsland *island = build->island;
    const ukRowArrays *r = &island->rows;
    const ukElement *e = &c->element;
    const double h = build->context->rows.h;
    const ukState *const *states = statesOf(build, e, NULL /* a constraint wakes its bodies */);
    const int status = ukConstraintEvaluate(c, states, build->context->time, h);
    if (status != ukOk) return status;
    const int row = build->rows, rows = c->limit ? limitRows(build, c) : c->rows, stride = 6 * e->count;
    double *A = nextA(build);
    if (rows == 0) return ukOk;
    ukFormClear(r, row, rows, A, stride);
    if (!c->limit) {
        memcpy(A, c->A, (size_t)(rows * stride) * sizeof(double));
        for (int i = 0; i < rows; i++) closeConstraintRow(r, build->context, row + i, c, i);
    }
    for (int i = 0; c->limit && i < c->rows; i++) {
        const int at = c->limit[i].row;
        if (at < 0) continue;
        double *to = A + (at - row) * stride;
        memcpy(to, c->A + i * stride, (size_t)stride * sizeof(double));
        closeConstraintRow(r, build->context, at, c, i);
        if (!(r->lo[at] > -INFINITY || r->hi[at] < INFINITY)) continue;
        build->bounded = true;
        ukFormTakeOut(r, at, to, stride);
    }
    for (int i = 0; i < e->count; i++) r->slot_body[build->slots + i] = ukFrameOf(island, e->body[i])->moving;
    addBlock(build, (ukBlockOwner){.constraint = c}, rows, e->count);
    return ukOk;
}

/* Marks axes that share one friction force; returns whether there are any. */
static bool markDiscs(const ukRowArrays *r, int row, const ukLaw *law)
{
    bool any = false;
    for (int k = 0; k < law->slides; k++) {
        const ukSlide *slide = &law->slide[k];
        if (slide->row < 0 || slide->axes < 2) continue;
        r->cone[row + slide->row] = (unsigned char)(slide->axes - 1);
        any = true;
    }
    return any;
}

/* Builds the rows of a law, after those of all joints and constraints. */
static int buildLaw(Build *build, ukLaw *law)
{
    const ukIsland *island = build->island;
    const ukRowArrays *r = &island->rows;
    const ukStepContext *context = build->context;
    ukBody *const *body = law->joint ? law->joint->body : law->constraint->element.body;
    const ukState **state = r->slot_state + build->slots;
    const int slots = law->joint && !body[1] ? 1 : law->slots;
    for (int i = 0; i < law->slots; i++) state[i] = i < slots ? &ukFrameOf(island, body[i])->state : NULL;
    ukLawPlace(law, state, context->continuous);
    const int row = build->rows, stride = 6 * slots;
    double *A = nextA(build);
    ukFormClear(r, row, ukLawRowBound(law), A, stride);
    ukRowSink sink = {.J = A,
                      .stride = stride,
                      .bias = context->continuous ? r->bias + row : NULL,
                      .cfm = r->cfm + row,
                      .lo = r->lo + row,
                      .hi = r->hi + row,
                      .velocity = r->velocity + row};
    const int written = ukLawRows(law, context->continuous, &sink);
    if (written == 0) return ukOk;
    const int status = ukFormClose(r, &build->form, row, written, A, slots, state, &build->bounded);
    if (status != ukOk)
        return ukErrorSet(status, "friction of %s %llu: rows not finite",
                          law->joint ? law->joint->class->name : "constraint",
                          (unsigned long long)(law->joint ? law->joint->serial : law->constraint->element.serial));
    law->row = row;
    build->discs |= markDiscs(r, row, law);
    for (int i = 0; i < slots; i++) r->slot_body[build->slots + i] = ukFrameOf(island, body[i])->moving;
    addBlock(build, (ukBlockOwner){.law = law}, written, slots);
    return ukOk;
}

/* Whether springs may be forces beside a law (NULL: none). The implicit method for stiff forces does not support dry
 * friction. With `damped` they may beside laws that do not depend on loads, which springs that are forces do not add
 * to. */
static bool allowsSprings(const ukLaw *law, bool damped)
{
    return !law || (damped && law->mu == 0 && !law->joint_fn && !law->constraint_fn);
}

/* An island with other laws keeps its springs as rows. */
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
static void describe(const Build *build, int moving)
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
static void advanceCounts(const Build *build, int moving)
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

/* The context of an assembly of this island: times and forms that depend on it. */
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
    if (!modes) at.stops = ukStopsApart;
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
    Build build;
    ukPushes pushes;
    int begin, end, status;
} JointRange;

static ukAssemblyPlace placeOf(const Build *build)
{
    return (ukAssemblyPlace){build->blocks, build->slots, build->rows, build->coefficients};
}

static void beginAtPlace(Build *build, const ukAssemblyPlace *place)
{
    build->blocks = place->blocks, build->slots = place->slots, build->rows = place->rows;
    build->coefficients = place->coefficients;
}

static bool endsAtPlace(const Build *build, const ukAssemblyPlace *place)
{
    return build->blocks == place->blocks && build->slots == place->slots && build->rows == place->rows &&
           build->coefficients == place->coefficients;
}

/* Ends where rows of the next range begin, if there are more rows than the last assembly had. */
static int buildRange(Build *build, int begin, int end)
{
    const ukIsland *const island = build->island;
    int status = ukOk;
    for (int j = begin; j < end && status == ukOk && build->rows <= build->end; j++) {
        if (j + ukPrefetchAhead < end) fetchJoint(island->joint[j + ukPrefetchAhead]);
        status = buildJoint(build, island->joint[j], NULL);
    }
    return status;
}

static void buildRangeTask(void *context, int k)
{
    JointRange *const range = (JointRange *)context + k;
    range->status = buildRange(&range->build, range->begin, range->end);
}

/* Whether the island's joints may be assembled in ranges, by their number and kinds alone: only their rows, which write
 * nothing but themselves, and forces on their bodies. */
static bool hasRanges(const ukIsland *island, const ukStepContext *context)
{
    if (island->joints < ukFewThings || context->continuous || island->elements > 0) return false;
    for (int j = 0; j < island->joints; j++)
        if (island->joint[j]->law || island->joint[j]->class->running || ukIsContact(island->joint[j])) return false;
    return true;
}

/* Assembles the ranges at the same time. False: a range has not ended where the last assembly did, or failed; nothing
 * has changed but arrays that are to be written again. */
static bool buildAtOnce(Build *build)
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
static int buildInOrder(Build *build)
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
static int buildJoints(Build *build, int *laws)
{
    ukIsland *const island = build->island;
    const bool modal = build->context->modal_rows;
    int status = ukOk;
    if (hasRanges(island, build->context)) return buildAtOnce(build) ? ukOk : buildInOrder(build);
    for (int j = 0; j < island->joints && status == ukOk; j++) {
        if (j + ukPrefetchAhead < island->joints) fetchJoint(island->joint[j + ukPrefetchAhead]);
        status = buildJoint(build, island->joint[j], modal ? ukModalMotorsOf(island, j) : NULL);
        *laws += island->joint[j]->law != NULL;
    }
    return status;
}

int ukAssembleIsland(ukIsland *island, const ukStepContext *given)
{
    const ukStepContext at = contextOf(island, given), *const context = &at;
    const int spring = island->stepper->spring_count;
    Build build = {.island = island,
                   .context = context,
                   .form = {context->continuous, context->rows.h, context->alpha, context->beta},
                   .springs = takesSprings(island, context)};

    int status = ukBudgetSpend(island, 1), laws = 0;
    island->solvers->projected = false;
    if (status != ukOk) return status;
    ukSlicesPlace(island);
    const int moving = buildForces(island, context);
    if (island->switches > 0) status = evaluateSwitches(&build);
    if (status == ukOk) status = buildJoints(&build, &laws);
    for (int k = 0; k < island->elements && status == ukOk; k++) {
        ukElement *e = island->element[k];
        status =
            e->is_force ? applyForce(&build, (struct ukForce *)e) : buildConstraint(&build, (struct ukConstraint *)e);
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
        if (law) status = buildLaw(&build, law);
    }
    if (status != ukOk) return status;

    /* Motors at their stops and user forces have been added to the frames' forces by now. */
    ukEach(island, moving, copyForces, island);
    describe(&build, moving);
    if (island->massless > 0) status = ukMasslessAssemble(island);
    advanceCounts(&build, moving);
    if (status == ukOk && ukWeighs(island)) status = ukWeighRows(island, context->continuous ? 0 : context->rows.h);
    if (status == ukOk && ukActuated(island)) status = ukActuateRows(island);
    if (splits(context)) ukFormReturnToSprings(island, &island->ideal->problem, context->rows.h);
    return status;
}
