/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/island/assemble.h"

#include <math.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/base/vector.h"
#include "bridge/island/budget.h"
#include "bridge/island/refuse.h"
#include "bridge/island/spring.h"
#include "bridge/island/view.h"
#include "bridge/joints/class.h"
#include "bridge/user/constraint.h"
#include "bridge/user/law_rows.h"
#include "solvers/base/status.h"
#include "solvers/problem/block.h"

/* Baumgarte's alpha and beta [1/s]: critically damped, a fifth of a second */
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
        .gravity = {g[0], g[1], g[2]},
        .friction = ukFrictionOf(world),
        .drives = settings->integrator == ukIntegratorAdaptive,
        .springs = settings->integrator == ukIntegratorAdaptive,
        .continuous = settings->integrator != ukIntegratorEuler,
        .alpha = !baumgarte            ? 0
                 : settings->alpha > 0 ? settings->alpha
                                       : default_gain,
        .beta = !baumgarte           ? 0
                : settings->beta > 0 ? settings->beta
                                     : default_gain};
}

ukRowBound ukAssembleRowBound(const ukStepper *s)
{
    ukRowBound bound = {0};
    for (int i = 0; i < s->joint_count; i++) {
        const ukLaw *law = s->joints[i]->law;
        const int rows = s->joints[i]->class->max_rows + (law ? ukLawRowBound(law) : 0);
        bound.rows += rows;
        bound.slots += law ? 4 : 2;
        bound.coefficients += 12 * (size_t)rows;
    }
    for (int i = 0; i < s->element_count; i++) {
        const ukElement *e = s->elements[i];
        const struct ukConstraint *c = e->is_force ? NULL : (const struct ukConstraint *)e;
        const int rows = c ? c->rows + (c->law ? ukLawRowBound(c->law) : 0) : 0;
        bound.rows += rows;
        bound.slots += c && c->law ? 2 * e->count : e->count;
        bound.coefficients += 6 * (size_t)rows * (size_t)e->count;
    }
    return bound;
}

/* A plain equality row is what a joint finds: zero coefficients, no error, unbounded. Row by row: a memset an array
 * would cost a call each for five numbers. */
static void clearRows(ukStepper *s, int row, int rows, double *A, int stride)
{
    memset(A, 0, (size_t)(rows * stride) * sizeof(double));
    for (int i = row; i < row + rows; i++) {
        s->rows.c[i] = s->rows.push[i] = s->rows.restitution[i] = s->rows.phi[i] = s->rows.target[i] = s->rows.erp[i] =
            s->rows.cfm[i] = s->rows.bias[i] = 0;
        s->rows.velocity[i] = s->rows.stop[i] = s->rows.cone[i] = s->rows.spring[i] = 0;
        s->rows.lo[i] = -INFINITY;
        s->rows.hi[i] = INFINITY;
        s->rows.normal[i] = -1;
    }
}

/* An infinite coefficient where friction follows the normal force of the same solution: it would jump at zero load from
 * nothing to anything, and there need not be a solution. Measured on small worlds that jam: 2 % of steps without one,
 * 0.6 % with 1e6, 0.03 % with 1e3, which holds on slopes of up to 89.9 degrees. */
static const double no_sliding = 1e3;

/* |A|^2 of a bounded row below which it touches no body: its multiplier means nothing, and it would leave the solvers a
 * pivot of zero. */
static const double nothing = 1e-200;

/* Two tangents of one contact under the elliptic cone: consecutive rows, same normal, with a linear part. Without
 * sliding there is no direction of it: a box will do. */
static void markCone(ukStepper *s, int row, int rows, const double *A, int stride)
{
    for (int i = 0; i + 1 < rows; i++) {
        const double *t1 = A + i * stride, *t2 = t1 + stride;
        const bool translations = ukDot(t1, t1) > nothing && ukDot(t2, t2) > nothing;
        if (s->rows.normal[row + i] < 0 || s->rows.normal[row + i] != s->rows.normal[row + i + 1] || !translations)
            continue;
        if (s->rows.hi[row + i] == INFINITY || s->rows.hi[row + i + 1] == INFINITY) return;
        s->rows.cone[row + i] = 1;
        return;
    }
}

/* x . y in halves */
static inline ukPair dot6(const double *x, const double *y)
{
    return (ukLoadPair(x) * ukLoadPair(y) + ukLoadPair(x + 2) * ukLoadPair(y + 2)) +
           ukLoadPair(x + 4) * ukLoadPair(y + 4);
}

/* by a softness of its own: lambda = 0, or the nearest bound */
static void takeOut(ukStepper *s, int row, const double *A, int count)
{
    double square = 0;
    for (int k = 0; k < count; k++) square += A[k] * A[k];
    if (!(square < nothing)) return;
    s->rows.softness[row] = 1;
    s->rows.b[row] = 0;
}

/* b and softness of one form, and the rows' sanity */
static int closeRows(ukStepper *s, const ukStepContext *context, int row, int rows, const double *A, int slots,
                     const ukState *const *state, bool *bounded)
{
    const double fps = 1 / context->rows.h;
    for (int i = row; i < row + rows; i++) {
        const double *const of_row = A;
        ukPair sum = ukBothOf(0);
        for (int slot = 0; slot < slots; slot++, A += 6) sum += dot6(A, state[slot]->v);
        const double rate = s->rows.rate[i] = sum[0] + sum[1];
        if (context->continuous) {
            s->rows.b[i] = -s->rows.bias[i] - 2 * context->alpha * (rate - s->rows.target[i]);
            if (!s->rows.velocity[i]) s->rows.b[i] -= context->beta * context->beta * s->rows.phi[i];
            s->rows.softness[i] = 0;
        } else {
            s->rows.b[i] = (s->rows.c[i] - rate) * fps;
            s->rows.softness[i] = s->rows.cfm[i] * fps;
        }
        if (s->rows.b[i] * 0 != 0 || s->rows.cfm[i] * 0 != 0) return ukErrorNotFinite;
        if (!(s->rows.lo[i] <= s->rows.hi[i]) || s->rows.cfm[i] < 0) return ukErrorParameter;
        if (s->rows.lo[i] > -INFINITY || s->rows.hi[i] < INFINITY) {
            *bounded = true;
            if (s->rows.softness[i] == 0) takeOut(s, i, of_row, 6 * slots);
        }
        if (s->rows.normal[i] >= 0) s->rows.normal[i] += row;
    }
    return ukOk;
}

/* whether the correction of position errors is kept apart from the velocities (bridge/solve/split.h) */
static bool splits(const ukStepContext *context)
{
    return context->rows.split && !context->continuous;
}

/* What gives way by its CFM is a spring, and its force is that of ERP: its correction goes back to the velocity. */
static void returnToSprings(ukStepper *s, const ukProblem *p, double h)
{
    const size_t row0 = ukViewOf(s, p).row0;
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++) {
            const size_t row = row0 + (size_t)i;
            if (s->rows.velocity[row] || !(s->rows.softness[row] > 0)) continue;
            if (!ukRowIsSpring(s->rows.softness[row], ukProblemCompliance(p, &p->block[k], i))) continue;
            s->rows.spring[row] = 1;
            s->rows.c[row] += s->rows.push[row];
            s->rows.b[row] += s->rows.push[row] / h;
            s->rows.push[row] = 0;
        }
}

/* Towards the cache: what the bodies and joints a few places on hold. Records stand where they were made, several
 * hundred bytes apart, which no hardware foresees: at 3000 bodies a third of the assembly is waiting for them, and this
 * saves a third of that (chain: 0.39 to 0.34 us a body). */
enum { ahead = 6, line = 64 };

static void fetchBody(const ukBody *body)
{
    const char *constant = (const char *)&body->constant;
    for (size_t i = 0; i < sizeof body->constant; i += line) __builtin_prefetch(constant + i);
    ukFrameFetch(body);
}

static void fetchJoint(const ukJoint *joint)
{
    const char *first = (const char *)&joint->class, *end = (const char *)joint + ukContactBytes;
    for (; first < end; first += line) __builtin_prefetch(first);
}

int ukAssembleFrame(ukFrame *f, bool *kinematic)
{
    if (ukFrameConstants(f->body, kinematic) != ukOk)
        return ukRefuseBody(f->body, ukErrorMass, "its %s", ukFrameMassFault(f->body));
    const char *fault = ukFrameGather(f);
    return fault ? ukRefuseBody(f->body, ukErrorNotFinite, "its %s is not finite", fault) : ukOk;
}

int ukAssembleGather(ukStepper *s, int index)
{
    const ukIsland *island = &s->islands[index];
    int moving = 0;
    for (int i = island->frame; i < island->frame + island->frames; i++) {
        ukFrame *f = &s->bodies.frames[i];
        bool kinematic = false;
        if (i + ahead < island->frame + island->frames) fetchBody(f[ahead].body);
        const int status = ukAssembleFrame(f, &kinematic);
        if (status != ukOk) return status;
        f->moving = kinematic ? -1 : moving++;
    }
    if (s->world->settings.integrator != ukIntegratorAdaptive) return ukOk;
    for (int j = island->joint; j < island->joint + island->joints; j++)
        for (int k = 0; k < ukMostDrives; k++) { /* also of joints that write no rows */
            ukDrivesOf(s, j)[k].mode = ukDriveOpen;
            ukDrivesOf(s, j)[k].used = false;
        }
    return ukOk;
}

static void buildForces(ukStepper *s, const ukIsland *island, const ukStepContext *context)
{
    const double h = context->continuous ? 0 : context->rows.h;
    for (int i = island->frame; i < island->frame + island->frames; i++) {
        ukFrame *f = &s->bodies.frames[i];
        const size_t k = (size_t)s->moving_count;
        ukFrameForces(f, context->gravity, h, s->bodies.mass + k, s->bodies.inertia + 9 * k,
                      s->bodies.inverse_inertia + 9 * k);
        if (f->moving < 0) continue;
        s->bodies.moving_frame[k] = i;
        s->bodies.moving_handle[k] = f->body->handle;
        s->moving_count++;
    }
}

ukIslandStart ukAssembleStart(const ukStepper *s)
{
    return (ukIslandStart){.moving = s->moving_count,
                           .block = s->block_count,
                           .slot = s->slot_count,
                           .row = s->row_count,
                           .spring = s->spring_count,
                           .coefficient = s->coefficient_count};
}

void ukAssembleRewind(ukStepper *s, const ukIslandStart *start)
{
    s->moving_count = start->moving;
    s->block_count = start->block;
    s->slot_count = start->slot;
    s->row_count = start->row;
    s->spring_count = start->spring;
    s->coefficient_count = start->coefficient;
}

/* The states of an element's bodies: those of the island's, or as ODE holds them where the search found them asleep. */
static const ukState *const *statesOf(ukStepper *s, const ukIsland *island, const ukElement *e, ukState *asleep)
{
    const ukState **state = s->rows.slot_state + s->slot_count;
    for (int i = 0; i < e->count; i++) {
        const ukFrame *frame = ukIslandFrame(s, island, e->body[i]);
        if (!frame) {
            bool kinematic;
            ukFrameConstants(e->body[i], &kinematic); /* its mass, for the user to see; nothing moves it */
            *asleep = ukStateOf(e->body[i]);
        }
        state[i] = frame ? &frame->state : asleep++;
    }
    return state;
}

/* A user's force on the bodies of its island. */
static int applyForce(ukStepper *s, const ukIsland *island, const ukStepContext *context, struct ukForce *f)
{
    const ukElement *e = &f->element;
    ukState asleep[ukMaxElementBodies];
    const int status = ukForceEvaluate(f, statesOf(s, island, e, asleep), context->time, context->rows.h);
    if (status != ukOk) return status;
    for (int i = 0; i < e->count; i++) {
        ukFrame *frame = ukIslandFrame(s, island, e->body[i]);
        for (int k = 0; frame && k < 6; k++) frame->force[k] += e->force[6 * i + k];
    }
    return ukOk;
}

/* A new block behind the others of the island; rows and coefficients count from the island's beginning. */
typedef struct Build {
    ukStepper *s;
    const ukStepContext *context;
    int row0, slot0, rows, drives;
    size_t A0, coefficients;
    bool bounded, friction, discs; /* of friction in joints */
    bool springs;                  /* rows with a CFM of the user's become forces */
} Build;

static double *nextA(const Build *build)
{
    return build->s->rows.A + build->A0 + build->coefficients;
}

static void addBlock(Build *build, ukBlockOwner owner, int rows, int slots)
{
    ukStepper *s = build->s;
    s->rows.owners[s->block_count] = owner;
    s->rows.blocks[s->block_count++] = (ukBlock){.row = build->rows,
                                                 .rows = rows,
                                                 .slot = s->slot_count - build->slot0,
                                                 .slots = slots,
                                                 .A = build->coefficients};
    s->slot_count += slots;
    build->rows += rows;
    build->coefficients += 6 * (size_t)(rows * slots);
}

/* Motors of bounded force of a joint, known by the rows that it has just written from `row` on: how many. */
static int countDrives(ukDrive *drives, int row)
{
    int count = 0;
    for (; drives && count < ukMostDrives && drives[count].used; count++)
        if (drives[count].row >= 0) drives[count].row += row;
    return count;
}

/* What the joint writes, its springs taken out: how many rows, or a negative status. */
static int writeRows(const Build *build, ukJoint *joint, const ukState *const state[2], ukRowSink *sink,
                     ukBlockOwner *owner)
{
    ukDrive *const drives = sink->drive;
    for (int k = 0; drives && k < ukMostDrives; k++) drives[k].used = false;
    const int written = joint->class->rows(joint, state[0], state[1], &build->context->rows, sink);
    sink->drive = drives;
    if (!build->springs || written <= 0 || ukIsContact(joint)) return written;
    if (build->context->firm) ukSpringsHarden(joint, &build->context->rows, sink, written);
    return ukSpringsTake(build->s, joint, state, &build->context->rows, sink, written, &owner->springs);
}

static int buildJoint(Build *build, ukJoint *joint, ukDrive *drives)
{
    ukStepper *s = build->s;
    const ukStepContext *context = build->context;
    const ukJointClass *class = joint->class;
    if (class->max_rows == 0) return ukOk;
    if (joint->stale || !joint->observed) {
        if (class->refresh) class->refresh(joint);
        joint->stale = ukJointIsFar(joint);
    }
    ukFrame *a = &s->bodies.frames[joint->body[0]->index];
    ukFrame *b = joint->body[1] ? &s->bodies.frames[joint->body[1]->index] : NULL;
    const ukState *const state[2] = {&a->state, b ? &b->state : NULL};
    const int row = build->row0 + build->rows, stride = b ? 12 : 6;
    double *A = nextA(build);
    clearRows(s, row, class->most ? class->most(joint) : class->max_rows, A, stride);
    double nowhere[6] = {0};
    ukRowSink sink = {.J = A,
                      .stride = stride,
                      .c = s->rows.c + row,
                      .push = splits(context) ? s->rows.push + row : NULL,
                      .phi = s->rows.phi + row,
                      .target = s->rows.target + row,
                      .restitution = s->rows.restitution + row,
                      .flight = context->rows.flight,
                      .erp = s->rows.erp + row,
                      .bias = context->continuous ? s->rows.bias + row : NULL,
                      .cfm = s->rows.cfm + row,
                      .lo = s->rows.lo + row,
                      .hi = s->rows.hi + row,
                      .normal = s->rows.normal + row,
                      .velocity = s->rows.velocity + row,
                      .stop = s->rows.stop + row,
                      .drive = drives,
                      .force_a = a->force,
                      .force_b = b ? b->force : nowhere};
    ukBlockOwner owner = {.joint = joint};
    const int written = writeRows(build, joint, state, &sink, &owner);
    build->drives += countDrives(drives, row);
    if (written == 0) return ukOk;
    int status = written < 0 ? written : ukOk;
    if (status == ukOk) status = closeRows(s, context, row, written, A, b ? 2 : 1, state, &build->bounded);
    if (status != ukOk) return ukRefuseRows(joint, status);
    if (context->friction == ukFrictionElliptic && ukIsContact(joint)) markCone(s, row, written, A, stride);
    for (int i = row; i < row + written; i++) {
        if (s->rows.normal[i] < 0) continue;
        if (context->friction != ukFrictionTwoPhase && s->rows.hi[i] == INFINITY)
            s->rows.hi[i] = no_sliding, s->rows.lo[i] = -no_sliding;
        s->rows.normal[i] -= build->row0;
        build->friction = true;
    }
    s->rows.slot_body[s->slot_count] = a->moving;
    if (b) s->rows.slot_body[s->slot_count + 1] = b->moving;
    addBlock(build, owner, written, b ? 2 : 1);
    return ukOk;
}

/* One row of a user constraint: its own b, corrected by what its error function tells. */
static void closeConstraintRow(ukStepper *s, const ukStepContext *context, int row, const struct ukConstraint *c, int i)
{
    const double h = context->rows.h, erp = context->rows.erp;
    const bool holonomic = c->error && c->phi[i] == c->phi[i];
    s->rows.velocity[row] = !holonomic;
    s->rows.phi[row] = holonomic ? c->phi[i] : 0;
    s->rows.rate[row] = c->psi[i];
    s->rows.softness[row] = 0;
    s->rows.b[row] = c->b[i];
    if (!c->error) return;
    if (context->continuous) {
        s->rows.b[row] -= 2 * context->alpha * c->psi[i] + context->beta * context->beta * s->rows.phi[row];
    } else { /* as ODE's joints: A v+ = target - (erp/h) phi */
        (splits(context) ? s->rows.push : s->rows.c)[row] = -erp / h * s->rows.phi[row];
        s->rows.b[row] = (s->rows.c[row] - c->psi[i]) / h;
    }
}

static int buildConstraint(Build *build, const ukIsland *island, struct ukConstraint *c)
{
    ukStepper *s = build->s;
    const ukElement *e = &c->element;
    const double h = build->context->rows.h;
    const ukState *const *states = statesOf(s, island, e, NULL /* it woke its bodies */);
    const int status = ukConstraintEvaluate(c, states, build->context->time, h);
    if (status != ukOk) return status;
    const int row = build->row0 + build->rows, stride = 6 * e->count;
    double *A = nextA(build);
    clearRows(s, row, c->rows, A, stride);
    memcpy(A, c->A, (size_t)(c->rows * stride) * sizeof(double));
    for (int i = 0; i < c->rows; i++) closeConstraintRow(s, build->context, row + i, c, i);
    c->row = row;
    for (int i = 0; i < e->count; i++)
        s->rows.slot_body[s->slot_count + i] = s->bodies.frames[e->body[i]->index].moving;
    addBlock(build, (ukBlockOwner){.constraint = c}, c->rows, e->count);
    return ukOk;
}

/* Axes that share one friction; whether there are any. */
static bool markDiscs(ukStepper *s, int row, const ukLaw *law)
{
    bool any = false;
    for (int k = 0; k < law->slides; k++) {
        const ukSlide *slide = &law->slide[k];
        if (slide->row < 0 || slide->axes < 2) continue;
        s->rows.cone[row + slide->row] = (unsigned char)(slide->axes - 1);
        any = true;
    }
    return any;
}

/* The rows of a law, behind those of all joints and constraints. */
static int buildLaw(Build *build, ukLaw *law)
{
    ukStepper *s = build->s;
    const ukStepContext *context = build->context;
    ukBody *const *body = law->joint ? law->joint->body : law->constraint->element.body;
    const ukState **state = s->rows.slot_state + s->slot_count;
    const int slots = law->joint && !body[1] ? 1 : law->slots;
    for (int i = 0; i < law->slots; i++) state[i] = i < slots ? &s->bodies.frames[body[i]->index].state : NULL;
    ukLawPlace(law, state, context->continuous);
    const int row = build->row0 + build->rows, stride = 6 * slots;
    double *A = nextA(build);
    clearRows(s, row, ukLawRowBound(law), A, stride);
    ukRowSink sink = {.J = A,
                      .stride = stride,
                      .bias = context->continuous ? s->rows.bias + row : NULL,
                      .cfm = s->rows.cfm + row,
                      .lo = s->rows.lo + row,
                      .hi = s->rows.hi + row,
                      .velocity = s->rows.velocity + row};
    const int written = ukLawRows(law, context->continuous, &sink);
    if (written == 0) return ukOk;
    const int status = closeRows(s, context, row, written, A, slots, state, &build->bounded);
    if (status != ukOk) {
        ukErrorSet(status, "friction of %s %llu: rows not finite", law->joint ? law->joint->class->name : "constraint",
                   (unsigned long long)(law->joint ? law->joint->serial : law->constraint->element.serial));
        return status;
    }
    law->row = build->rows;
    build->discs |= markDiscs(s, row, law);
    for (int i = 0; i < slots; i++) s->rows.slot_body[s->slot_count + i] = s->bodies.frames[body[i]->index].moving;
    addBlock(build, (ukBlockOwner){.law = law}, written, slots);
    return ukOk;
}

/* Dry friction has no method of its own for stiff forces: an island with laws keeps its springs as rows. */
static bool hasLaws(const ukStepper *s, const ukIsland *island)
{
    for (int j = island->joint; j < island->joint + island->joints; j++)
        if (s->joints[j]->law) return true;
    for (int k = island->element; k < island->element + island->elements; k++)
        if (!s->elements[k]->is_force && ((const struct ukConstraint *)s->elements[k])->law) return true;
    return false;
}

/* The island's problems over the arrays that `build` has filled, from the moving body and block given on; the ideal one
 * has its counts and bounds already. */
static void describe(const Build *build, int index, int moving0, int block0)
{
    ukStepper *s = build->s;
    const ukStepContext *context = build->context;
    s->row_count += build->rows;
    s->coefficient_count += build->coefficients;
    s->problems[index] = (ukProblem){
        .bodies = s->moving_count - moving0,
        .blocks = s->block_count - block0,
        .rows = build->rows,
        .mass = s->bodies.mass + moving0,
        .inertia = s->bodies.inertia + 9 * (size_t)moving0,
        .inverse_inertia = s->bodies.inverse_inertia + 9 * (size_t)moving0,
        .Q = s->bodies.Q + 6 * (size_t)moving0,
        .block = s->rows.blocks + block0,
        .body = s->rows.slot_body + build->slot0,
        .A = s->rows.A + build->A0,
        .b = s->rows.b + build->row0,
        .softness = s->rows.softness + build->row0,
        .lo = build->bounded ? s->rows.lo + build->row0 : NULL,
        .hi = build->bounded ? s->rows.hi + build->row0 : NULL,
        .normal = build->friction ? s->rows.normal + build->row0 : NULL,
        .cone = build->friction && context->friction == ukFrictionElliptic ? s->rows.cone + build->row0 : NULL};
    ukProblem *whole = &s->problems[index], *without = &s->ideal[index].problem;
    const ukProblem ideal = *without;
    *without = *whole;
    if (build->discs) whole->cone = s->rows.cone + build->row0;
    without->blocks = ideal.blocks;
    without->rows = ideal.rows;
    without->lo = ideal.lo;
    without->hi = ideal.hi;
    if (s->ideal[index].laws > 0) whole->C = s->bodies.C + 6 * (size_t)moving0;
}

/* Whether each step leaves joints' anchors where they meet, to rounding. The rows of a stage between then keep the form in
 * which the dependent rows of a closed loop stay dependent: measured on a four-bar of rank 17 of 20 rows, ten seconds at
 * h = 0.01 lose 4e-6 J; along exact rows, whose levers end at one anchor, 7e-4 J. */
static bool closesAnchors(const ukSettings *settings)
{
    const bool projects =
        settings->stabilization == ukStabilizeProjection || settings->stabilization == ukStabilizeSplit;
    return settings->integrator != ukIntegratorEuler && (projects || settings->integrator == ukIntegratorRattle);
}

int ukAssembleIsland(ukStepper *s, int index, const ukStepContext *given)
{
    ukStepContext at = *given;
    const ukStepContext *const context = &at;
    at.rows.since = at.time - s->world->settings.time;
    at.rows.closed = at.continuous && !at.rows.apart && closesAnchors(&s->world->settings);
    at.rows.exact |= at.continuous; /* also where an Euler world is looked at in the continuous form */
    const ukIsland *island = &s->islands[index];
    const int moving0 = s->moving_count, block0 = s->block_count;
    const int spring = s->spring_count;
    Build build = {.s = s,
                   .context = context,
                   .row0 = s->row_count,
                   .slot0 = s->slot_count,
                   .A0 = s->coefficient_count,
                   .springs = context->springs && context->continuous && !hasLaws(s, island)};

    int status = ukBudgetSpend(s, index, 1), laws = 0;
    s->projected = false;
    if (status != ukOk) return status;
    buildForces(s, island, context);
    const int joints = island->joint + island->joints;
    for (int j = island->joint; j < joints && status == ukOk; j++) {
        if (j + ahead < joints) fetchJoint(s->joints[j + ahead]);
        status = buildJoint(&build, s->joints[j], context->drives ? ukDrivesOf(s, j) : NULL);
        laws += s->joints[j]->law != NULL;
    }
    for (int k = island->element; k < island->element + island->elements && status == ukOk; k++) {
        ukElement *e = s->elements[k];
        status = e->is_force ? applyForce(s, island, context, (struct ukForce *)e)
                             : buildConstraint(&build, island, (struct ukConstraint *)e);
        laws += !e->is_force && ((const struct ukConstraint *)e)->law;
    }
    if (status != ukOk) return status;
    const ukIdeal ideal = {.problem = {.blocks = s->block_count - block0,
                                       .rows = build.rows,
                                       .lo = build.bounded ? s->rows.lo + build.row0 : NULL,
                                       .hi = build.bounded ? s->rows.hi + build.row0 : NULL},
                           .laws = laws,
                           .drives = build.drives,
                           .spring = spring,
                           .springs = s->spring_count - spring,
                           .continuous = context->continuous,
                           .time = context->time,
                           .h = context->rows.h};
    s->ideal[index] = ideal;
    for (int i = 0; i < ukIslandLawCount(s, index) && status == ukOk; i++) {
        ukLaw *law = ukIslandLaw(s, index, i);
        if (law) status = buildLaw(&build, law);
    }
    if (status != ukOk) return status;

    /* Motors at their stops and user forces have added to the forces by now. */
    for (int k = moving0; k < s->moving_count; k++)
        memcpy(s->bodies.Q + 6 * k, s->bodies.frames[s->bodies.moving_frame[k]].force, 6 * sizeof(double));
    describe(&build, index, moving0, block0);
    if (splits(context)) returnToSprings(s, &s->ideal[index].problem, context->rows.h);
    return ukOk;
}
