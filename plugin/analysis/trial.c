/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/analysis/trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/base/progress.h"
#include "bridge/ode/ode.h"
#include "bridge/results/feedback.h"
#include "bridge/step/step.h"
#include "bridge/watch/watch.h"
#include "plugin/analysis/activity.h"
#include "solvers/base/status.h"

/* ---- ODE's bodies ------------------------------------------------------------------------------------------------ */

/* Enables bodies that were disabled automatically, and prevents trials from disabling any. */
static void wakeAutoDisabled(ukWorld *world)
{
    for (ukBody *b = world->oldest_body; b; b = b->newer) {
        if (!b->handle || !dBodyGetAutoDisableFlag(b->handle)) continue;
        const bool awake = dBodyIsEnabled(b->handle) != 0;
        ukOde.dBodySetAutoDisableFlag(b->handle, 0); /* enables the body, too */
        if (awake) continue;
        ukOde.dBodyEnable(b->handle);
        ukWatchBodyChanged(b->handle);
    }
}

static void setBody(dBodyID body, const ukState *s)
{
    const dQuaternion q = {s->q[0], s->q[1], s->q[2], s->q[3]};
    dBodySetPosition(body, s->x[0], s->x[1], s->x[2]);
    dBodySetQuaternion(body, q);
    dBodySetLinearVel(body, s->v[0], s->v[1], s->v[2]);
    dBodySetAngularVel(body, s->v[3], s->v[4], s->v[5]);
}

static int restoreWorld(ukTrials *t)
{
    const int status = ukPreserveRestore(&t->kept);
    if (status == ukOk) wakeAutoDisabled(t->world);
    return status;
}

/* ---- begin and end ----------------------------------------------------------------------------------------------- */

static int refuseMemory(void)
{
    return ukErrorSet(ukErrorMemory, "no memory for a linearization");
}

/* Computes t->length and t->rate [1/s]: the largest speed over the world's length, or the square root of the largest
 * free acceleration over it. */
static void estimateRate(ukTrials *t)
{
    double mass = 0, speed = 0, pull = 0;
    for (int k = 0; k < t->c.bodies; k++) mass += t->c.M[36 * k];
    t->length = mass > 0 ? t->c.scale / sqrt(mass) : 1;
    for (int k = 0; k < t->c.bodies; k++) {
        const double *const M = t->c.M + 36 * k, *const Q = t->probe.s->bodies.Q + 6 * (size_t)k;
        const double *const v = t->c.state[k].v;
        for (int i = 0; i < 3; i++) {
            speed = fmax(speed, fmax(fabs(v[i]) / t->length, fabs(v[3 + i])));
            pull = fmax(pull, fmax(fabs(Q[i]) / M[0] / t->length, fabs(Q[3 + i]) / M[7 * (3 + i)]));
        }
    }
    t->rate = fmax(speed, sqrt(pull));
    if (!(t->rate > 1e-3)) t->rate = 1;
}

static int reserveTrials(ukTrials *t)
{
    const size_t bodies = (size_t)t->c.bodies + 1;
    t->next = calloc(bodies, sizeof *t->next);
    t->end = calloc(bodies, sizeof *t->end);
    t->body = calloc(bodies, sizeof *t->body);
    t->frame = calloc(bodies, sizeof *t->frame);
    t->dq = calloc(6 * bodies, sizeof *t->dq);
    t->dv = calloc(6 * bodies, sizeof *t->dv);
    if (!t->next || !t->end || !t->body || !t->frame || !t->dq || !t->dv) return refuseMemory();
    for (int k = 0; k < t->c.bodies; k++) {
        t->frame[k] = *ukProbeFrame(&t->probe, k);
        t->body[k] = t->frame[k].body;
    }
    return ukOk;
}

/* Stores in `release` (t->inputs) the motors that inputs replace; returns their number. */
static int findReleases(const ukTrials *t, ukRelease *release)
{
    int count = 0;
    for (int i = 0; i < t->inputs && t->h == 0; i++) {
        const ukSignalPlace *const in = &t->in[i];
        if (in->signal.kind == ukSignalJointForce) release[count++] = (ukRelease){in->joint, in->signal.axis};
    }
    return count;
}

static int beginProbe(ukTrials *t)
{
    const double last = t->world->stepper->h > 0 ? t->world->stepper->h : 0.01;
    ukRelease *const release = calloc((size_t)t->inputs + 1, sizeof *release);
    if (!release) return refuseMemory();
    const int releases = findReleases(t, release);
    const int status = t->h > 0 ? ukProbeBegin(&t->probe, t->world, ukProbePose, t->h, NULL, 0)
                                : ukProbeBegin(&t->probe, t->world, ukProbeContinuous, last, release, releases);
    free(release);
    return status;
}

static int findSignals(ukTrials *t, const ukTrialSignals *signals)
{
    t->in = calloc((size_t)signals->inputs + 1, sizeof *t->in);
    t->out = calloc((size_t)signals->outputs + 1, sizeof *t->out);
    if (!t->in || !t->out) return refuseMemory();
    int status = ukSignalsFind(t->world, signals->in, signals->inputs, true, t->in);
    if (status == ukOk) status = ukSignalsFind(t->world, signals->out, signals->outputs, false, t->out);
    if (status != ukOk) return status;
    t->inputs = signals->inputs;
    t->outputs = signals->outputs;
    return ukOk;
}

/* Computes the multipliers of motors that keep their speed, for ukActivityDescribe. */
static int solveMotors(ukProbe *probe)
{
    bool any = false;
    for (int i = 0; i < probe->s->island_count; i++)
        for (ukModalMotor *m = ukNextModalMotor(&probe->s->islands[i], NULL); m;
             m = ukNextModalMotor(&probe->s->islands[i], m))
            any |= m->mode == ukMotorHolds;
    return any ? ukProbeSolve(probe, false) : ukOk;
}

static int beginTrials(ukTrials *t, ukWorld *world, double h, const ukTrialSignals *signals, bool sparse)
{
    *t = (ukTrials){.world = world, .h = h};
    int status = ukPreserveBegin(&t->kept, world);
    if (status == ukOk) status = findSignals(t, signals);
    if (status != ukOk) return status;
    ukProgressStore(ukProgressConstraints, 0, 0);
    wakeAutoDisabled(world);
    status = beginProbe(t);
    if (status == ukOk)
        status = sparse ? ukCoordinatesBeginSparse(&t->c, &t->probe) : ukCoordinatesBegin(&t->c, &t->probe);
    if (status == ukOk) status = reserveTrials(t);
    if (status != ukOk) return status;
    if (h == 0) status = solveMotors(&t->probe);
    if (status != ukOk) return status;
    estimateRate(t);
    t->sided = ukActivityDescribe(&t->probe, h == 0, t->activity, sizeof t->activity);
    for (int k = 0; k < t->c.bodies; k++) setBody(t->body[k]->handle, &t->c.state[k]);
    if (h > 0) {
        for (int k = 0; k < t->c.bodies; k++) t->next[k] = t->c.state[k];
        ukProbeEnd(&t->probe);
    }
    for (int i = 0; i < t->inputs; i++) ukSignalWrench(&t->in[i]);
    return ukOk;
}

int ukTrialsBegin(ukTrials *t, ukWorld *world, double h, const ukTrialSignals *signals)
{
    return beginTrials(t, world, h, signals, false);
}

int ukTrialsBeginSparse(ukTrials *t, ukWorld *world, const ukTrialSignals *signals)
{
    return beginTrials(t, world, 0, signals, true);
}

int ukTrialsEnd(ukTrials *t, int status)
{
    for (int i = 0; i < t->inputs; i++) ukSignalDrive(&t->in[i], 0);
    ukCoordinatesEnd(&t->c);
    ukProbeEnd(&t->probe);
    status = ukPreserveEnd(&t->kept, status);
    free(t->in);
    free(t->out);
    free(t->next);
    free(t->end);
    free(t->body);
    free(t->frame);
    free(t->dq);
    free(t->dv);
    *t = (ukTrials){0};
    return status;
}

double ukTrialPresent(const ukTrials *t, int i)
{
    const ukSignalPlace *const in = &t->in[i];
    const ukActivity *const activity = &t->probe.activity;
    for (int k = 0; in->signal.kind == ukSignalJointForce && k < activity->joints; k++) {
        const ukActiveJoint *const j = &activity->joint[k];
        const int axis = in->signal.axis;
        if (j->joint != in->joint || axis > 2 || !j->axis[axis].released) continue;
        double along = 0, square = 0;
        for (int c = 0; c < 6; c++) {
            along += in->wrench[0][c] * j->axis[axis].J[c];
            square += in->wrench[0][c] * in->wrench[0][c];
        }
        return square > 0 ? j->axis[axis].lambda * along / square : 0;
    }
    return 0;
}

/* ---- a trial ----------------------------------------------------------------------------------------------------- */

int ukTrialsResults(const ukTrials *t)
{
    return t->c.positions + t->c.velocities + t->outputs;
}

static void readOutputs(const ukTrials *t, bool of_state, double *result)
{
    for (int i = 0; i < t->outputs; i++) {
        const ukSignalPlace *const p = &t->out[i];
        if (ukSignalIsState(p) != of_state) continue;
        const ukState *base = NULL;
        for (int k = 0; k < t->c.bodies; k++)
            if (t->body[k] == p->body) base = &t->c.state[k];
        result[t->c.positions + t->c.velocities + i] = ukSignalRead(p, base);
    }
}

void ukTrialOutputs(ukTrials *t, const double *dq, const double *dv, double x, double *values)
{
    for (int k = 0; k < t->c.bodies; k++) {
        ukState s = t->c.state[k];
        double turn[3] = {0};
        for (int i = 0; i < 3 && dq; i++) {
            s.x[i] += x * dq[6 * k + i];
            turn[i] = x * dq[6 * k + 3 + i];
        }
        ukRotateBy(s.q, turn);
        for (int i = 0; i < 6 && dv; i++) s.v[i] += x * dv[6 * k + i];
        setBody(t->body[k]->handle, &s);
    }
    readOutputs(t, true, values - t->c.positions - t->c.velocities);
}

/* the accumulators of the frames: the present ones and the input's force */
static void pushFrames(ukTrials *t, const ukTrialPoint *point)
{
    for (int k = 0; k < t->c.bodies; k++) {
        ukFrame *const f = ukProbeFrame(&t->probe, k);
        memcpy(f->accumulator, t->frame[k].accumulator, sizeof f->accumulator);
        for (int side = 0; point->input >= 0 && side < 2; side++)
            for (int i = 0; t->in[point->input].on[side] == t->body[k] && i < 6; i++)
                f->accumulator[i] += point->amount * t->in[point->input].wrench[side][i];
    }
}

static int evaluateAccelerations(ukTrials *t, const ukTrialPoint *point, double *result)
{
    ukStepper *const s = t->probe.s;
    pushFrames(t, point);
    int status = ukCoordinatesMove(&t->c, &t->probe, point->xi, point->eta);
    if (status == ukOk) status = ukProbeSolve(&t->probe, !point->xi && !point->eta && point->input < 0);
    if (status != ukOk) return status;
    for (int k = 0; k < t->c.bodies; k++) {
        const ukState *const now = &ukProbeFrame(&t->probe, k)->state;
        for (int i = 0; i < 6; i++) t->dq[6 * k + i] = now->v[i] - t->c.state[k].v[i];
        if (t->outputs > 0) setBody(t->body[k]->handle, now);
    }
    ukCoordinatesOfPose(&t->c, t->dq, result);
    ukCoordinatesOfVelocity(&t->c, s->bodies.qdd, result + t->c.positions);
    for (int i = 0; t->outputs > 0 && i < s->island_count; i++) ukFeedbackIsland(&s->islands[i], 0);
    readOutputs(t, true, result);
    readOutputs(t, false, result);
    return ukOk;
}

/* Sets the world's bodies to the state of the trial. */
static int moveToTrialPoint(ukTrials *t, const ukTrialPoint *point)
{
    int status = restoreWorld(t);
    if (status != ukOk || (!point->xi && !point->eta)) {
        for (int k = 0; status == ukOk && k < t->c.bodies; k++) setBody(t->body[k]->handle, &t->c.state[k]);
        return status;
    }
    status = ukProbeBegin(&t->probe, t->world, ukProbePose, t->h, NULL, 0);
    if (status == ukOk) status = ukCoordinatesMove(&t->c, &t->probe, point->xi, point->eta);
    for (int k = 0; status == ukOk && k < t->c.bodies; k++) t->frame[k].state = ukProbeFrame(&t->probe, k)->state;
    ukProbeEnd(&t->probe);
    if (status == ukOk) status = restoreWorld(t);
    for (int k = 0; status == ukOk && k < t->c.bodies; k++) setBody(t->body[k]->handle, &t->frame[k].state);
    return status;
}

/* Projects the end of a step onto the constraints and stores it in t->end. Euler's velocities satisfy the rows of the
 * start of the step; the next step begins with their projection. */
static int storeProjectedEnd(ukTrials *t)
{
    int status = ukProbeBegin(&t->probe, t->world, ukProbePose, t->h, NULL, 0);
    if (status == ukOk) status = ukProbeProject(&t->probe, true, NULL);
    for (int k = 0; status == ukOk && k < t->c.bodies; k++) {
        const ukBody *const body = t->body[k];
        if (body->index >= 0)
            t->end[k] = t->probe.s->frames[body->index].state;
        else
            t->end[k] = ukStateOf(body);
    }
    ukProbeEnd(&t->probe);
    return status;
}

static int evaluateStep(ukTrials *t, const ukTrialPoint *point, double *result)
{
    int status = moveToTrialPoint(t, point);
    if (status != ukOk) return status;
    readOutputs(t, true, result);
    if (point->input >= 0) {
        ukSignalDrive(&t->in[point->input], point->amount);
        ukSignalPush(&t->in[point->input], point->amount);
    }
    ukWatchStepBegin(t->world);
    t->world->answers = true;
    status = ukStepOnce(t->world, t->h);
    ukWatchStepEnd(t->world);
    if (status != ukOk) return status;
    readOutputs(t, false, result);
    status = storeProjectedEnd(t);
    if (status != ukOk) return status;
    for (int k = 0; k < t->c.bodies; k++) {
        ukCoordinatesDifference(&t->next[k], &t->end[k], t->dq + 6 * k);
        for (int i = 0; i < 6; i++) t->dv[6 * k + i] = t->end[k].v[i] - t->next[k].v[i];
    }
    ukCoordinatesOfPose(&t->c, t->dq, result);
    ukCoordinatesOfVelocity(&t->c, t->dv, result + t->c.positions);
    return ukOk;
}

int ukTrialEvaluate(ukTrials *t, const ukTrialPoint *point, double *result)
{
    for (int i = 0; i < t->inputs; i++) ukSignalDrive(&t->in[i], i == point->input ? point->amount : 0);
    return t->h > 0 ? evaluateStep(t, point, result) : evaluateAccelerations(t, point, result);
}
