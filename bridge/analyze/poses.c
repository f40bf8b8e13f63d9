/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/analyze/poses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/island/actuate.h"
#include "bridge/base/vector.h"
#include "bridge/island/gather.h"
#include "bridge/island/metric.h"
#include "bridge/joints/geometry.h"
#include "bridge/step/traversal.h"
#include "bridge/watch/watch.h"
#include "bridge/world/frame.h"
#include "solvers/base/status.h"

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

static const ukState *stateOfBody(const ukIsland *island, const ukBody *body)
{
    return body ? &ukFrameOf(island, body)->state : NULL;
}

static int gatherContacts(ukPoses *poses)
{
    const ukStepper *const s = poses->s;
    int count = 0;
    for (int j = 0; j < s->joint_count; j++) count += ukIsContact(s->joints[j]);
    poses->contact = calloc((size_t)count + 1, sizeof *poses->contact);
    if (!poses->contact) return ukErrorSet(ukErrorMemory, "no memory for %d contacts", count);
    for (int k = 0; k < s->island_count; k++)
        for (int j = 0; j < s->islands[k].joints; j++) {
            ukJoint *const joint = s->islands[k].joint[j];
            if (!ukIsContact(joint)) continue;
            ukPosesContact *const c = &poses->contact[poses->contacts++];
            *c = (ukPosesContact){.joint = joint, .was = joint->contact};
            const double point[3] = {c->was.pos[0], c->was.pos[1], c->was.pos[2]};
            for (int side = 0; side < 2; side++)
                ukLocalPointAt(stateOfBody(&s->islands[k], joint->body[side]), point, c->local[side]);
        }
    return ukOk;
}

/* The points and gaps of the contacts at the frames' poses, for the rows that are about to be written. */
static void moveContacts(ukPoses *poses)
{
    const ukStepper *const s = poses->s;
    int at = 0;
    for (int k = 0; k < s->island_count; k++)
        for (int j = 0; j < s->islands[k].joints && at < poses->contacts; j++) {
            if (s->islands[k].joint[j] != poses->contact[at].joint) continue;
            ukPosesContact *const c = &poses->contact[at++];
            double point[2][3], lever[3], apart = 0, square = 0;
            const ukBody *const b = c->joint->body[1];
            const bool fixed =
                !b || ukFrameOf(&s->islands[k], b)->moving < 0; /* the moving body carries the point along it */
            for (int side = 0; side < 2; side++)
                ukAnchor(stateOfBody(&s->islands[k], c->joint->body[side]), c->local[side], point[side], lever);
            for (int i = 0; i < 3; i++) {
                const double n = c->joint->reverse ? -c->was.normal[i] : c->was.normal[i];
                apart += n * (point[0][i] - point[1][i]);
                square += n * n;
                c->joint->contact.pos[i] = fixed ? point[0][i] : 0.5 * (point[0][i] + point[1][i]);
            }
            c->gap = (square > 0 ? apart / sqrt(square) : 0) - fmin(c->was.depth, 0);
        }
}

static void returnContacts(ukPoses *poses)
{
    for (int k = 0; k < poses->contacts; k++) poses->contact[k].joint->contact = poses->contact[k].was;
    free(poses->contact);
    poses->contact = NULL;
    poses->contacts = 0;
}

ukPosesContact *ukPosesContactOf(const ukPoses *poses, const ukJoint *joint)
{
    int k = 0;
    while (k < poses->contacts - 1 && poses->contact[k].joint != joint) k++;
    return poses->contact + k;
}

/* ------------------------------------------------------------------------------------------------------------------ */

static int gatherAtRest(ukPoses *poses, ukIsland *island)
{
    if (ukActuated(island))
        return ukActuateRefuse(ukActuated(island), "analyses of the world",
                               "clear the actuators first (ukConstraintSetActuators with 0)");
    const int status = ukGatherIsland(island);
    for (int i = 0; i < island->frames; i++) memset(island->frame[i].state.v, 0, sizeof island->frame[i].state.v);
    return status == ukOk ? ukAssembleIsland(island, &poses->context) : status;
}

int ukPosesBegin(ukPoses *poses, ukWorld *world, bool springs)
{
    *poses = (ukPoses){.world = world};
    if (ukWorldWithinStep(world))
        return ukErrorSet(ukErrorChanged, "the world is being stepped (called from a callback)");
    if (ukTraversalWhole(world) != ukOk) return ukErrorMemory;
    ukStepper *const s = poses->s = ukStepperOf(world);
    if (!s) return ukTraversalNoMemory(world);
    const double h = s->h > 0 ? s->h : 0.01;
    ukWatchStepBegin(world);
    poses->open = true;
    poses->before = s->report;
    int status = ukTraversalBegin(world, s, h, false);
    ukAssembleContext(world, h, &poses->context);
    poses->context.continuous = true;
    poses->context.modal_rows = false;
    if (poses->context.friction == ukFrictionTwoPhase) poses->context.friction = ukFrictionCoupled;
    poses->context.springs = poses->context.damped = poses->context.rigid = springs;
    poses->context.alpha = poses->context.beta = 0;
    poses->context.rows.commit = false;
    poses->context.rows.apart = true;
    poses->context.rows.exact = true;
    for (int i = 0; i < s->island_count && status == ukOk; i++) status = gatherAtRest(poses, &s->islands[i]);
    if (status == ukOk) status = gatherContacts(poses);
    poses->bodies = s->moving_count;
    poses->n = 6 * poses->bodies;
    return status;
}

void ukPosesEnd(ukPoses *poses)
{
    if (!poses->open) return;
    poses->open = false;
    returnContacts(poses);
    poses->s->report = poses->before;
    poses->s->solved = false;
    ukStepperForget(poses->s);
    ukTraversalUnwake(poses->s);
    ukWatchStepEnd(poses->world);
}

int ukPosesAssemble(ukPoses *poses)
{
    ukStepper *const s = poses->s;
    const ukIslandStart first = {0};
    int status = ukOk;
    s->work = 0;
    moveContacts(poses);
    if (s->island_count > 0) ukAssembleRewind(&s->islands[0], &first);
    for (int i = 0; i < s->island_count && status == ukOk; i++)
        status = ukAssembleIsland(&s->islands[i], &poses->context);
    return status;
}

int ukPosesBody(const ukPoses *poses, dBodyID body)
{
    for (int k = 0; k < poses->bodies; k++)
        if (ukPosesFrame(poses, k)->body->handle == body) return k;
    return -1;
}

void ukPosesKeep(const ukPoses *poses, ukState *state)
{
    for (int k = 0; k < poses->bodies; k++) state[k] = ukPosesFrame(poses, k)->state;
}

void ukPosesReturn(const ukPoses *poses, const ukState *state)
{
    for (int k = 0; k < poses->bodies; k++) ukPosesFrame(poses, k)->state = state[k];
}

void ukPosesMove(const ukPoses *poses, const double *dq, double factor)
{
    for (int k = 0; k < poses->bodies; k++) {
        ukState *const state = &ukPosesFrame(poses, k)->state;
        double turn[3];
        for (int i = 0; i < 3; i++) {
            state->x[i] += factor * dq[6 * k + i];
            turn[i] = factor * dq[6 * k + 3 + i];
        }
        ukRotateBy(state->q, turn);
        ukStateOrient(state);
    }
}

void ukPosesScale(const ukPoses *poses, bool transposed, double *x)
{
    for (int k = 0; k < poses->bodies; k++, x += 6) {
        const double *const inertia = poses->s->bodies.inertia + 9 * (size_t)k, mass = poses->s->bodies.mass[k];
        if (transposed)
            ukMetricVelocityOf(mass, inertia, x);
        else
            ukMetricRowOf(mass, inertia, x);
    }
}
