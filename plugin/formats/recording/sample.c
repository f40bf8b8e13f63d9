/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/recording/sample.h"

#include <stdio.h>

#include "bridge/base/log.h"
#include "bridge/island/spring.h"
#include "bridge/island/stepper.h"
#include "bridge/joints/class.h"
#include "bridge/joints/contact.h"
#include "bridge/joints/getters.h"
#include "bridge/results/effort.h"
#include "bridge/results/impulse.h"
#include "plugin/formats/snapshot/keep.h"

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

/* a hash to detect a change of pose; never 0 */
static uint64_t poseOf(const ukBody *b)
{
    uint64_t sum = 1, word;
    for (int i = 0; i < 7; i++) {
        memcpy(&word, i < 3 ? &b->position[i] : &b->quaternion[i - 3], sizeof word);
        sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
    }
    return sum | 1;
}

/* samples the bodies; returns whether one of them was disabled or enabled since the last step */
static bool takeBodies(ukRawBody *to, const ukWorld *world, bool rows)
{
    bool turned = false;
    for (ukBody *b = world->oldest_body; b; b = b->newer, to++) {
        memcpy(to->x, b->position, sizeof to->x);
        memcpy(to->q, b->quaternion, sizeof to->q);
        memcpy(to->v, b->linear, 3 * sizeof *to->v);
        memcpy(to->v + 3, b->angular, 3 * sizeof *to->v);
        to->awake = dBodyIsEnabled(b->handle) != 0;
        to->weight = dBodyGetGravityMode(b->handle) != 0;
        to->row = rows;
        turned |= to->awake != b->recorded.awake;
        if (!rows || (to->awake && !b->recorded.asleep)) continue;
        const uint64_t pose = to->awake ? 0 : poseOf(b); /* a disabled body has one row until it is moved */
        to->row = to->awake || pose != b->recorded.asleep;
        b->recorded.asleep = pose;
    }
    return turned;
}

/* ---- joints ------------------------------------------------------------------------------------------------------ */

static int32_t samplePlaceOf(const ukBody *body)
{
    return body ? body->recorded.place : ukRawNoBody;
}

static bool isAnyAwake(const ukRawBody *body, const int32_t place[2])
{
    return (place[0] != ukRawNoBody && body[place[0]].awake) || (place[1] != ukRawNoBody && body[place[1]].awake);
}

static bool isIdeal(const ukReaction *reaction)
{
    typedef int64_t Bits __attribute__((vector_size(16)));
    Bits bits[6];
    memcpy(bits, reaction->nonideal, sizeof bits);
    const Bits any = (bits[0] | bits[1]) | (bits[2] | bits[3]) | (bits[4] | bits[5]);
    return (any[0] | any[1]) == 0;
}

/* Computes the mean over the step of the joint's impulses, in all parts; false: no impulses are kept. */
static bool meanOf(const ukJoint *j, double h, ukImpulse *mean)
{
    double *x = (double *)mean;
    if (!ukImpulseOf(&j->world->stepper->impulses, j, mean)) return false;
    for (size_t i = 0; i < sizeof *mean / sizeof *x; i++) x[i] /= h;
    return true;
}

/* samples the forces; returns whether they have non-ideal parts */
static bool takeForces(ukRawJoint *to, const ukJoint *j, double h, bool ours)
{
    ukImpulse mean;
    if (ours && meanOf(j, h, &mean)) {
        for (int i = 0; i < 12; i++) to->ideal[i / 6][i % 6] = mean.total[i / 6][i % 6] - mean.nonideal[i / 6][i % 6];
        to->forces = ukRawSplit;
        return true;
    }
    if (ours) {
        memcpy(to->ideal, j->reaction->ideal, sizeof to->ideal);
        to->forces = ukRawSplit;
        return !isIdeal(j->reaction);
    }
    const dJointFeedback *const f = dJointGetFeedback(j->handle);
    to->forces = f ? ukRawWhole : ukRawUnknown;
    memset(to->ideal, 0, sizeof to->ideal);
    for (int k = 0; f && k < 2; k++) { /* for a joint with one body, f1 acts on that body */
        memcpy(to->ideal[k], k == 0 ? f->f1 : f->f2, 3 * sizeof(double));
        memcpy(to->ideal[k] + 3, k == 0 ? f->t1 : f->t2, 3 * sizeof(double));
    }
    return false;
}

/* The sample of the joints of a step under way. */
typedef struct Joints {
    ukRawJoint *joint;
    ukRawParts *parts;
    int joints, with_parts;
} Joints;

/* the joint's parts; zeroed at the first call */
static ukRawParts *partsOf(Joints *to, int joint)
{
    ukRawJoint *const j = &to->joint[joint];
    if (j->parts == ukRawNoParts) {
        j->parts = to->with_parts++;
        to->parts[j->parts] = (ukRawParts){0};
    }
    return &to->parts[j->parts];
}

static bool anySet(const double *x, int n)
{
    for (int i = 0; i < n; i++)
        if (x[i] != 0) return true;
    return false;
}

/* stores the parts of a joint's force that are non-ideal, or by its motors or stops */
static void takeParts(Joints *to, const ukJoint *j, double h)
{
    ukImpulse mean;
    if (!meanOf(j, h, &mean)) {
        if (isIdeal(j->reaction)) return;
        memcpy(partsOf(to, j->recorded)->nonideal, j->reaction->nonideal, sizeof to->parts->nonideal);
    } else if (anySet(mean.nonideal[0], 12) || anySet(mean.motor, 6) || anySet(mean.stop, 6)) {
        ukRawParts *const parts = partsOf(to, j->recorded);
        memcpy(parts->nonideal, mean.nonideal, sizeof parts->nonideal);
        memcpy(parts->motor, mean.motor, sizeof parts->motor);
        memcpy(parts->stop, mean.stop, sizeof parts->stop);
    }
}

/* samples the joints that move, into `raw`; their parts are stored after them */
static Joints takeJoints(ukRawJoint *raw, ukWorld *world, const ukRawBody *body, double h, bool ours)
{
    bool nonideal = false;
    int count = 0;
    for (ukJoint *j = world->oldest_joint; j; j = j->newer) {
        const int32_t place[2] = {samplePlaceOf(j->body[0]), samplePlaceOf(j->body[1])};
        j->recorded = -1;
        if (ukIsContact(j) || !isAnyAwake(body, place)) continue;
        ukRawJoint *const to = &raw[count];
        to->key = j->key;
        memcpy(to->body, place, sizeof place);
        to->parts = ukRawNoParts;
        to->unique = -1;
        to->gauss[0] = to->gauss[1] = 0;
        nonideal |= takeForces(to, j, h, ours);
        to->hinge = j->class != &ukHingeClass || j->stale ? 0 : j->reverse ? -1 : 1;
        if (to->hinge) {
            memcpy(to->axis, j->axis1, sizeof to->axis);
            memcpy(to->qrel, j->qrel, sizeof to->qrel);
        } else {
            ukJointMoves(j, to->angle, to->rate);
        }
        j->recorded = count++;
    }
    Joints all = {.joint = raw, .parts = (ukRawParts *)(void *)(raw + count), .joints = count};
    for (const ukJoint *j = nonideal ? world->oldest_joint : NULL; j; j = j->newer)
        if (!ukIsContact(j) && j->recorded >= 0) takeParts(&all, j, h);
    return all;
}

/* adds the parts of one block's force that motors and stops exert on a */
static void splitBlock(Joints *to, const ukBlockOwner *owner, const ukIsland *island, const ukProblem *p,
                       const ukBlock *block, const double *lambda)
{
    const int velocity_rows = owner->joint->class->velocity_rows - owner->springs;
    const unsigned char *const stops = island->rows.discrete_only + block->row, *const drives =
                                                                                    island->rows.velocity + block->row;
    for (int i = 0; i < block->rows; i++) {
        const bool stop = stops[i], motor = !stop && drives[i] && i >= velocity_rows;
        const double *const A = p->A + block->A + 6 * (size_t)(i * block->slots);
        if (!stop && (!motor || island->rows.spring[block->row + i])) continue;
        ukRawParts *const parts = partsOf(to, owner->joint->recorded);
        double *const force = stop ? parts->stop : parts->motor;
        for (int c = 0; c < 6; c++) force[c] += A[c] * lambda[block->row + i];
    }
}

/* Springs have no rows in the problem, so their forces are uniquely determined. */
static void splitSprings(Joints *to, const ukIsland *island)
{
    for (int i = 0; i < island->ideal->springs; i++) {
        const ukSpring *const spring = ukSpringOf(island, i);
        const ukJoint *const j = spring->joint;
        if (!j->handle || j->recorded < 0) continue;
        if (to->joint[j->recorded].unique < 0) to->joint[j->recorded].unique = 1;
        if (!spring->motor || island->ideal->mean) continue;
        double *const motor = partsOf(to, j->recorded)->motor;
        for (int c = 0; c < 6; c++) motor[c] += spring->lambda * spring->J[c];
    }
}

/* Shares of Gauss's function. If there is no memory for an island with laws, they stay zero. */
static void takeEfforts(Joints *to, const ukIsland *island)
{
    const ukProblem *const p = &island->ideal->problem;
    const bool laws = island->ideal->laws > 0;
    if (laws && ukScratchReserve(island->solvers, 6 * (size_t)p->bodies * sizeof(double)) != ukOk) return;
    double *const C = laws ? island->solvers->scratch : NULL;
    if (laws) ukEffortPrescription(island, C);
    for (int i = 0; laws && i < island->joints; i++) { /* the joint of a law may have no row */
        const ukJoint *const j = island->joint[i];
        if (!j->handle || !j->law || j->recorded < 0) continue;
        to->joint[j->recorded].gauss[0] = ukEffortOfLaw(island, j).Gi;
    }
    for (int k = 0; k < p->blocks; k++) {
        const ukJoint *const j = island->rows.owners[k].joint;
        if (!j || !j->handle || j->recorded < 0) continue;
        const ukEffort effort = ukEffortOfBlock(island, k, j->reaction->nonideal[0], C);
        to->joint[j->recorded].gauss[0] = effort.Gi;
        to->joint[j->recorded].gauss[1] = effort.Gni;
    }
}

static void splitIsland(Joints *to, ukUnique *unique, const ukIsland *island)
{
    const ukProblem *const p = &island->ideal->problem;
    const ukRowArrays *const r = &island->rows;
    if (p->bodies == 0) return; /* the island was not solved */
    splitSprings(to, island);
    takeEfforts(to, island);
    ukUniqueIsland(unique, island);
    const double *const lambda = island->ideal->laws > 0 ? r->lambda_ideal : r->lambda;
    const bool parts = !island->ideal->mean && (ukAnySet(r->discrete_only, p->rows) || ukAnySet(r->velocity, p->rows));
    for (int k = 0; k < p->blocks; k++) {
        const ukJoint *const j = r->owners[k].joint;
        if (!j || !j->handle || j->recorded < 0) continue;
        to->joint[j->recorded].unique = (int8_t)j->split.unique;
        if (parts) splitBlock(to, &r->owners[k], island, p, &p->block[k], lambda);
    }
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

static int takeContacts(ukRawContact *to, const ukWorld *world, const ukRawBody *body, double h, bool ours)
{
    int count = 0;
    for (const ukJoint *j = world->contacts > 0 ? world->oldest_joint : NULL; j; j = j->newer) {
        const int32_t place[2] = {samplePlaceOf(j->body[0]), samplePlaceOf(j->body[1])};
        if (!ukIsContact(j) || !isAnyAwake(body, place)) continue;
        const ukContact *const c = &j->contact;
        to->body[0] = place[j->reverse];
        to->body[1] = place[!j->reverse];
        memcpy(to->position, c->pos, sizeof to->position);
        memcpy(to->normal, c->normal, sizeof to->normal);
        to->depth = c->depth;
        to->bounce = c->surface.mode & dContactBounce ? c->surface.bounce : (double)NAN;
        to->mu = c->surface.mu;
        to->mu_is_force = !(c->surface.mode & dContactApprox1_1);
        to->undirected = ukContactUndirected(c);
        const dJointFeedback *const f = ours ? NULL : dJointGetFeedback(j->handle);
        ukImpulse mean;
        const bool impulses = ours && meanOf(j, h, &mean);
        for (int i = 0; i < 3; i++) {
            double force = f ? f->f1[i] : (double)NAN; /* on ODE's first body, which of (0, B) is B */
            if (ours) force = impulses ? mean.total[0][i] : j->reaction->ideal[0][i] + j->reaction->nonideal[0][i];
            to->force[i] = j->reverse ? -force : force;
        }
        to++;
        count++;
    }
    return count;
}

/* ---- the step ---------------------------------------------------------------------------------------------------- */

static int contactsOf(const ukWorld *world)
{
    int count = 0;
    for (const ukJoint *j = world->contacts > 0 ? world->oldest_joint : NULL; j; j = j->newer) count += ukIsContact(j);
    return count;
}

bool ukSampleStep(ukRecordedWorld *t, ukWorld *world, double h, double seconds, bool ours, bool with_rows)
{
    ukRows rows;
    const int contacts = contactsOf(world), joints = with_rows ? t->joints : 0;
    const size_t bodies = (size_t)world->body_count;
    const size_t bytes = sizeof(ukRawStep) + bodies * sizeof(ukRawBody) +
                         (size_t)joints * (sizeof(ukRawJoint) + sizeof(ukRawParts)) +
                         (with_rows ? (size_t)contacts : 0) * sizeof(ukRawContact);
    if (!ukRowsCallBegin(&rows, t->recording->queue, ukRowsStep, bytes)) return true;
    ukRawStep *const s = (ukRawStep *)(void *)rows.at;
    ukRawBody *const body = (ukRawBody *)(void *)(s + 1);
    *s = (ukRawStep){.world = t->rows,
                     .step = t->step,
                     .number = t->number,
                     .time = t->time,
                     .h = h,
                     .seconds = seconds,
                     .bodies = (int32_t)bodies,
                     .contact_count = contacts,
                     .ours = ours,
                     .quick = world->quick,
                     .rows = with_rows,
                     .checked = world->settings.check != ukCheckOff,
                     .fallback = !ours && world->enabled};
    dVector3 g;
    dWorldGetGravity(world->handle, g);
    for (int i = 0; i < 3; i++) s->gravity[i] = g[i];
    if (ours) s->report = world->stepper->report;
    s->hashed = t->recording->options.inputs || t->recording->options.every_step;
    if (s->hashed) ukKeepHash(world, s->hash);
    if (s->fallback) snprintf(s->why, sizeof s->why, "%s", ukErrorMessage());
    const bool turned = takeBodies(body, world, with_rows);
    rows.at = (unsigned char *)(body + bodies);
    if (with_rows) {
        Joints taken = takeJoints((ukRawJoint *)(void *)rows.at, world, body, h, ours);
        for (int i = 0; ours && taken.joints > 0 && i < world->stepper->island_count; i++)
            splitIsland(&taken, &t->unique, &world->stepper->islands[i]);
        s->joints = taken.joints;
        s->parts = taken.with_parts;
        rows.at = (unsigned char *)(taken.parts + taken.with_parts);
        s->contacts = takeContacts((ukRawContact *)(void *)rows.at, world, body, h, ours);
        rows.at += (size_t)s->contacts * sizeof(ukRawContact);
    }
    ukRowsEnd(&rows);
    return turned;
}
