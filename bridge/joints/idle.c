/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/joints/idle.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bridge/joints/class.h"
#include "bridge/joints/label.h"
#include "bridge/ode/class.h"

static const double pi = 3.14159265358979323846;

/* One joint: its name, and the receiver of the texts. */
typedef struct Idle {
    const ukJoint *joint;
    char name[61]; /* leaves space for the rest of the text */
    ukIdleReport *report;
    void *context;
    int count;
} Idle;

static void reportIdle(Idle *idle, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void reportIdle(Idle *idle, const char *format, ...)
{
    char text[ukIdleLength];
    va_list args;
    int n = snprintf(text, sizeof text, "%s: ", idle->name);
    va_start(args, format);
    if (n > 0 && (size_t)n < sizeof text) vsnprintf(text + n, sizeof text - (size_t)n, format, args);
    va_end(args);
    idle->report(idle->context, text);
    idle->count++;
}

static bool hasStop(const ukMotor *m)
{
    return m->lo_stop > -INFINITY || m->hi_stop < INFINITY;
}

/* bit mask of the motors of the type that act on rotations */
static int rotationMotors(const ukJoint *joint)
{
    switch (joint->class->type) {
    case dJointTypeHinge:
    case dJointTypeHinge2: return 1;
    case dJointTypeUniversal:
    case dJointTypePU: return 3;
    case dJointTypePR:
    case dJointTypePiston: return 2;
    default: return 0;
    }
}

/* Reports stops of axes that ODE never limits. */
static void reportUnlimitedAxes(Idle *idle)
{
    const ukJoint *joint = idle->joint;
    const dJointType type = joint->class->type;
    if (type == dJointTypeHinge2 && hasStop(&joint->motor[1]) && !(joint->world->rules & ukRuleWebots))
        reportIdle(idle, "the stops of axis 2 have no effect, because ODE's hinge2 limits axis 1 alone");
    for (int i = 0; i < 3 && (type == dJointTypeLMotor || type == dJointTypePlane2D); i++)
        if (hasStop(&joint->motor[i]))
            reportIdle(idle, "the stops of axis %d have no effect, because ODE never limits this type", i + 1);
}

/* With an attachment as (0, body), the parameter groups stay with ODE's internal axes, whose order is the reverse of
 * the user's. */
static void reportSwappedGroups(Idle *idle)
{
    const ukJoint *joint = idle->joint;
    const ukMotor *m = joint->motor;
    const bool two = joint->class->type == dJointTypeUniversal || joint->class->type == dJointTypePU;
    if (!two || !joint->reverse || (m[0].lo_stop == m[1].lo_stop && m[0].hi_stop == m[1].hi_stop)) return;
    reportIdle(idle,
               "attached as (0, body), its parameter group 1 acts about axis 2 and group 2 about axis 1: attach it as "
               "(body, 0), or set the other group");
}

static void reportAxisRange(Idle *idle, int i)
{
    const ukJoint *joint = idle->joint;
    const ukMotor *m = &joint->motor[i];
    const bool turns = rotationMotors(joint) >> i & 1,
               euler = joint->class->type == dJointTypeAMotor && joint->of.axes.mode == dAMotorEuler;
    if (m->lo_stop > m->hi_stop && joint->class->type != dJointTypeAMotor)
        reportIdle(idle, "axis %d: low stop %.4g above high stop %.4g: neither acts", i + 1, m->lo_stop, m->hi_stop);
    if (m->lo_stop == m->hi_stop && m->fmax > 0 && m->vel != 0)
        reportIdle(idle, "axis %d: its motor has the velocity %.4g, but both stops are %.4g: the joint is locked",
                   i + 1, m->vel, m->lo_stop);
    if (euler && i == 1 &&
        ((m->lo_stop < -pi / 2 && m->lo_stop > -INFINITY) || (m->hi_stop > pi / 2 && m->hi_stop < INFINITY)))
        reportIdle(idle, "axis 2: stops %.4g, %.4g: this Euler angle lies between -pi/2 and pi/2", m->lo_stop,
                   m->hi_stop);
    if (!turns || joint->world->enabled || !(m->lo_stop <= m->hi_stop) || !hasStop(m)) return;
    if ((m->lo_stop > -INFINITY && fabs(m->lo_stop) > pi) || (m->hi_stop < INFINITY && fabs(m->hi_stop) > pi))
        reportIdle(
            idle,
            "axis %d: stops %.4g, %.4g: ODE's own step computes angles in [-pi, pi], so a stop beyond is never active",
            i + 1, m->lo_stop, m->hi_stop);
}

/* number of axes whose stops ODE tests */
static int limitedAxes(dJointType type)
{
    switch (type) {
    case dJointTypeHinge:
    case dJointTypeSlider:
    case dJointTypeHinge2: return 1;
    case dJointTypeUniversal:
    case dJointTypePR:
    case dJointTypePiston: return 2;
    case dJointTypePU:
    case dJointTypeAMotor: return 3;
    default: return 0;
    }
}

int ukIdleEach(const ukWorld *world, ukIdleReport *report, void *context)
{
    int count = 0;
    for (const ukJoint *j = world->oldest_joint; j; j = j->newer) {
        if (!j->handle || !j->body[0] || ukIsContact(j)) continue;
        ukJoint now; /* read by getters: in a world that ODE steps, the record is not refreshed */
        memcpy(&now, j, j->class->record == ukRecordRunning ? ukRunningBytes : ukMotorsBytes);
        if (j->class->refresh && (j->stale || !j->observed)) j->class->refresh(&now);
        Idle idle = {.joint = &now, .report = report, .context = context};
        ukJointLabel(j, idle.name, sizeof idle.name);
        reportUnlimitedAxes(&idle);
        reportSwappedGroups(&idle);
        for (int i = 0; i < limitedAxes(j->class->type); i++) reportAxisRange(&idle, i);
        count += idle.count;
    }
    return count;
}
