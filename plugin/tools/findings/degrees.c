/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/degrees.c: finding: stops of an angle whose values look like degrees. */
#include <math.h>

#include "plugin/tools/findings/findings.h"

static const double least = 10; /* rad: one and a half turns */
static const double swings = 2; /* rad, at most: recorded angles are between -pi and pi */

/* Axes of rotation with two finite stops, multiples of 5, whose angle has stayed far from both. */
static const char stops[] =
    "SELECT j.joint, l.axis, l.value, h.value, (SELECT min(step) FROM joint_step s WHERE s.joint = j.joint) FROM joint "
    "j JOIN joint_parameter l ON l.joint = j.joint AND l.name = 'lo_stop' JOIN joint_parameter h ON h.joint = j.joint "
    "AND h.axis = l.axis AND h.name = 'hi_stop' WHERE j.world = %lld AND (j.type IN ('hinge', 'universal') OR (j.type "
    "= 'hinge2' AND l.axis = 1)) AND abs(l.value) < 1e3 AND abs(h.value) < 1e3 AND l.value <= 0 AND h.value >= 0 AND "
    "max(-l.value, h.value) >= %g AND abs(l.value / 5 - round(l.value / 5)) < 1e-9 AND abs(h.value / 5 - round(h.value "
    "/ 5)) < 1e-9 AND (SELECT max(abs(CASE l.axis WHEN 1 THEN angle_1 ELSE angle_2 END)) FROM joint_step s WHERE "
    "s.joint = j.joint) < %g";

void findingsOfDegrees(Findings *findings, int64_t world)
{
    for (Query q = queryBegin(findings->reader, stops, (long long)world, least, swings); queryNext(&q);) {
        const double low = queryNumber(&q, 2), high = queryNumber(&q, 3);
        Finding *const f = findingAdd(findings, FindingNote, "stops_in_degrees");
        f->depth = 1, f->world = world, f->joint = queryInteger(&q, 0), f->step = queryInteger(&q, 4);
        f->value = fmax(-low, high), f->unit = "rad", f->excess = f->value / least;
        findingWhat(f, "stops in degrees? axis %lld of %s has stops at %.4g and %.4g rad, that is %.3g and %.3g turns",
                    (long long)queryInteger(&q, 1), findingJoint(findings->reader, f->joint), low, high,
                    low / (2 * acos(-1)), high / (2 * acos(-1)));
        findingCause(f, "ODE's angles are in radians; the axis did not come near these stops.");
        findingRemedy(f, "If degrees were meant, multiply them by pi / 180.");
    }
}
