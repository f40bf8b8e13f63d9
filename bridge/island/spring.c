/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/island/spring.h"

#include <math.h>
#include <string.h>

#include "bridge/base/grow.h"
#include "bridge/base/vector.h"
#include "bridge/island/stepper.h"
#include "solvers/base/status.h"

ukSpring *ukSpringOf(const ukIsland *island, int i)
{
    return &island->stepper->springs[island->ideal->spring + i];
}

static ukSpring *appendSpring(ukStepper *s)
{
    if (!ukArrayReserve(&s->springs, sizeof *s->springs, (size_t)s->spring_count + 1, &s->spring_capacity)) return NULL;
    return &s->springs[s->spring_count++];
}

/* An estimate from below, the same at every pose, of the compliance A M^-1 A' of row i: from its linear part if it has
 * one, else from the mean moment of inertia of each body. */
static double leastCompliance(const ukJoint *joint, const ukRowSink *sink, int i)
{
    double linear = 0, angular = 0;
    for (int k = 0; k < 2 && joint->body[k]; k++) {
        const double *J = sink->J + i * sink->stride + 6 * k, *I = joint->body[k]->constant.inertia;
        if (joint->body[k]->constant.kinematic || joint->body[k]->massless) continue;
        linear += ukDot(J, J) / joint->body[k]->constant.mass;
        angular += 3 * ukDot(J + 3, J + 3) / (I[0] + I[4] + I[8]);
    }
    return linear > 0 ? linear : angular;
}

static bool isRigidButForWorld(const ukRowContext *context, const ukRowSink *sink, int i)
{
    const bool bounded = sink->lo[i] > -INFINITY || sink->hi[i] < INFINITY;
    return sink->cfm[i] == context->cfm && !sink->discrete_only[i] && !sink->velocity[i] && !bounded;
}

void ukSpringsHarden(const ukJoint *joint, const ukRowContext *context, ukRowSink *sink, int rows)
{
    for (int i = 0; i < rows; i++)
        if (isRigidButForWorld(context, sink, i) &&
            ukRowIsSpring(context->cfm / context->step, leastCompliance(joint, sink, i)))
            return;
    for (int i = 0; i < rows; i++)
        if (isRigidButForWorld(context, sink, i)) sink->cfm[i] = 0;
}

/* Converts row i to a spring; false: the row is not a spring. `velocity_rows`: as in the class. ERP's
 * part of c refers to a step of ODE's own length. */
static bool isSpring(const ukRowSink *sink, int i, int velocity_rows, const ukState *const state[2],
                     const ukRowContext *context, ukSpring *spring)
{
    const double cfm = sink->cfm[i], erp = sink->erp[i], *J = sink->J + i * sink->stride;
    if (!(cfm > ukSpringCfm()) || sink->discrete_only[i] || !(erp >= 0 && erp <= 1) || !(sink->lo[i] <= sink->hi[i]))
        return false;
    double rate = 0;
    for (int k = 0; k < sink->stride; k++) rate += J[k] * state[k / 6]->v[k % 6];
    const double place = context->h / context->step * (sink->c[i] - sink->target[i]);
    const double natural = (place - (1 - erp) * (rate - sink->target[i])) / cfm;
    if (natural * 0 != 0) return false;
    const bool within = natural >= sink->lo[i] && natural <= sink->hi[i];
    *spring = (ukSpring){.lambda = fmin(fmax(natural, sink->lo[i]), sink->hi[i]),
                         .kp = within ? erp / (context->step * cfm) : 0,
                         .kd = within ? (1 - erp) / cfm : 0,
                         .motor = sink->velocity[i] && i >= velocity_rows};
    memcpy(spring->J, J, (size_t)sink->stride * sizeof *J);
    return true;
}

/* moves row `from` to the place of row `to` */
static void moveRow(ukRowSink *sink, int from, int to)
{
    double *const numbers[] = {sink->c, sink->phi, sink->target, sink->erp, sink->bias, sink->cfm};
    double *J = sink->J + from * sink->stride;
    memmove(sink->J + to * sink->stride, J, (size_t)sink->stride * sizeof *J);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) numbers[k][to] = numbers[k][from];
    sink->lo[to] = sink->lo[from];
    sink->hi[to] = sink->hi[from];
    sink->velocity[to] = sink->velocity[from];
    sink->discrete_only[to] = sink->discrete_only[from];
    sink->normal[to] = sink->normal[from];
    for (int k = 0; sink->modal_motor && k < ukMostModalMotors && sink->modal_motor[k].used; k++)
        if (sink->modal_motor[k].row == from) sink->modal_motor[k].row = to;
    for (int k = 0; k < sink->stop_count; k++)
        if (sink->stops[k].joint && sink->stops[k].limit.row == from) sink->stops[k].limit.row = to;
}

int ukSpringsTake(const ukIsland *island, ukJoint *joint, const ukState *const state[2], const ukRowContext *context,
                  ukRowSink *sink, int rows, int *velocity_rows)
{
    int left = 0;
    *velocity_rows = 0;
    for (int i = 0; i < rows; i++) {
        ukSpring spring;
        if (!isSpring(sink, i, joint->class->velocity_rows, state, context, &spring)) {
            if (left < i) moveRow(sink, i, left);
            left++;
            continue;
        }
        ukSpring *kept = appendSpring(island->stepper);
        if (!kept) return ukErrorMemory;
        spring.joint = joint;
        *kept = spring;
        *velocity_rows += i < joint->class->velocity_rows;
        for (int k = 0; k < sink->stride; k++)
            *(k < 6 ? sink->force_a + k : sink->force_b + (k - 6)) += spring.lambda * spring.J[k];
    }
    return left;
}
