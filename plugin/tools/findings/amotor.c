/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/amotor.c: finding: angular motors in Euler mode near their singularity, where axes 1 and 3
 * coincide. */
#include <math.h>

#include "plugin/tools/findings/findings.h"

static const double singular = 0.17; /* cosine of the middle angle: within ten degrees of a right angle */

/* those in Euler mode that have motors or, under ODE's own steps, stops: ukode's stops pass the pose
 * (bridge/joints/gimbal.h) */
static const char motors[] = "SELECT j.joint, coalesce(j.body_1, j.body_2) FROM joint j JOIN joint_parameter p ON "
                             "p.joint = j.joint AND p.name = "
                             "'mode' AND p.value = 1 JOIN world w ON w.world = j.world WHERE j.world = %lld AND EXISTS "
                             "(SELECT 1 FROM joint_parameter q WHERE q.joint = j.joint AND "
                             "((q.name = 'fmax' AND q.value > 0) OR (w.integrator = 'native' AND "
                             "((q.name = 'lo_stop' AND q.value > -1e300) OR (q.name = 'hi_stop' AND q.value "
                             "< 1e300)))))";

/* the step at which the middle angle first comes within ten degrees of a right angle, and nearest from there; 0:
 * none */
static int64_t amotorFirst(Findings *findings, int64_t joint, double *angle)
{
    int64_t step = 0;
    double least = singular;
    for (Query q = queryBegin(findings->reader, "SELECT step, angle_2 FROM joint_step WHERE joint = %lld ORDER BY step",
                              (long long)joint);
         queryNext(&q);) {
        const double x = queryNumber(&q, 1), c = fabs(cos(x));
        if (step && !(c < singular)) {
            queryEnd(&q);
            break;
        }
        if (!(c < least)) continue;
        if (step == 0) step = queryInteger(&q, 0);
        least = c, *angle = x;
    }
    return step;
}

void findingsOfAMotors(Findings *findings, int64_t world)
{
    for (Query q = queryBegin(findings->reader, motors, (long long)world); queryNext(&q);) {
        double angle = 0;
        const int64_t joint = queryInteger(&q, 0), step = amotorFirst(findings, joint, &angle);
        Finding *const f = step ? findingAdd(findings, FindingError, "amotor_singular") : NULL;
        if (!f) continue;
        f->depth = 4, f->world = world, f->joint = joint, f->step = step, f->body = queryInteger(&q, 1);
        f->value = angle, f->unit = "rad", f->excess = singular / fmax(fabs(cos(angle)), 1e-6);
        findingWhat(f, "singular Euler angles: the second Euler angle of %s reaches %.3g rad, near pi/2",
                    findingJoint(findings->reader, joint), angle);
        findingCause(f, "In dAMotorEuler axes 1 and 3 are parallel there: two of the three angles rotate about the "
                        "same line, and their rates are unbounded: motors about them do not reach their set speed, and "
                        "under ODE's own steps stops give the body large velocities.");
        findingRemedy(f, "Choose the axes so that the second angle stays below 80 degrees, or use dAMotorUser with "
                         "user-defined axes, a ball joint with a universal one, or a hinge.");
    }
}
