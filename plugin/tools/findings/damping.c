/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/damping.c: what damping by shares of the velocity contributes to the error of the time step.
 * ODE multiplies velocities by 1 - s after each step. Where s is large, a step begins with little velocity, and bodies
 * move by what forces give them within it, dv: Euler's method takes m dv^2/2 of the work of these forces, at every step
 * again. In a steady motion dv = s v, and the ratio of this error to the work of the damping is s/(2 - s). */
#include <math.h>

#include "plugin/tools/findings/findings.h"

/* work of the damping between two recorded steps, their distance in steps, and the kinetic energy at the later one */
static const char damped[] =
    "SELECT l.work - lag(l.work) OVER (ORDER BY s.step), s.number - lag(s.number) OVER (ORDER BY s.step), "
    "s.kinetic_energy FROM ledger_step l JOIN step s ON s.step = l.step WHERE s.world = %lld AND l.cause = 'damping' "
    "AND s.step <= %lld ORDER BY s.step";

Damping findingsDamping(Findings *findings, int64_t world, int64_t last)
{
    Damping sum = {0};
    for (Query q = queryBegin(findings->reader, damped, (long long)world, (long long)last); queryNext(&q);) {
        const double work = -queryNumber(&q, 0), steps = queryNumber(&q, 1), kinetic = queryNumber(&q, 2);
        if (!(work > 0) || !(steps >= 1)) continue;
        const double share = 1 - sqrt(kinetic / (kinetic + work / steps));
        sum.work += work;
        sum.step_error += work * share / (2 - share);
    }
    const double ratio = sum.work > 0 ? sum.step_error / sum.work : 0;
    sum.share = 2 * ratio / (1 + ratio);
    return sum;
}

void findingsAddDamping(Findings *findings, int64_t world, int64_t last, const Damping *d, double lost)
{
    Finding *const f = findingAdd(findings, FindingWarning, "damping_per_step");
    f->world = world, f->step = last, f->value = d->share, f->excess = d->share;
    findingWhat(f, "damping takes %.3g of the velocity in each step: %.3g J, and the time step loses %.3g J", d->share,
                d->work, lost);
    findingCause(f, "The scales of dWorldSetLinearDamping, dBodySetLinearDamping and the angular ones are shares per "
                    "step; a cap of angular speed that is reached acts alike. Bodies move by the velocity that forces "
                    "give them within a step, and Euler's method does not integrate this accurately.");
    findingRemedy(f, "A smaller scale: 1 - exp(-h/T) for velocities that decay within a time T, which must be much "
                     "longer than the step; or a damper or drag of a joint (ukJointSetViscous, ukJointSetDrag).");
}
