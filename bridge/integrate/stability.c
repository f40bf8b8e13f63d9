/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/stability.h"

#include <math.h>

#include "bridge/integrate/measure.h"
#include "bridge/integrate/nystrom.h"
#include "bridge/island/refuse.h"
#include "bridge/user/joint_law.h"
#include "solvers/base/status.h"

static const double limit = 2.785; /* of z */

/* d of a frame: a1 - a0 */
static void changeOf(const ukIsland *island, int frame, double d[6])
{
    const ukRates *r = ukRatesOf(island, frame);
    for (int k = 0; k < 6; k++) d[k] = r->a[1][k] - r->a[0][k];
}

/* d'D d of a joint's viscous friction and drag */
static double powerOf(const ukIsland *island, const ukLaw *law)
{
    double sum = 0;
    for (int i = 0; i < law->axes; i++) {
        double rate = 0, d[6];
        for (int k = 0; k < 2; k++) {
            const ukBody *body = law->joint->body[k];
            const ukFrame *f = body ? ukIslandFrame(island, body) : NULL;
            if (!f || f->moving < 0) continue;
            changeOf(island, (int)(f - island->frame), d);
            for (int c = 0; c < 6; c++) rate += law->J[i][6 * k + c] * d[c];
        }
        sum += (law->viscous + 2 * law->drag * fabs(law->rate[i])) * rate * rate;
    }
    return sum;
}

/* The same of all dampers, and the law with the largest share; NULL: none. */
static double powerOfLaws(const ukIsland *island, const ukLaw **largest)
{
    double sum = 0, most = 0;
    *largest = NULL;
    for (int i = 0; i < ukIslandLawCount(island); i++) {
        const ukLaw *law = ukIslandLaw(island, i);
        if (!law || !law->joint || !(law->viscous + law->drag > 0)) continue;
        const double own = powerOf(island, law);
        sum += own;
        if (own > most) most = own, *largest = law;
    }
    return sum;
}

/* whether functions of the user's exert forces in the island */
static bool hasFunctions(const ukIsland *island)
{
    for (int k = 0; k < island->elements; k++)
        if (island->element[k]->is_force && !ukElementIsSwitch(island->element[k])) return true;
    for (int i = 0; i < ukIslandLawCount(island); i++) {
        const ukLaw *law = ukIslandLaw(island, i);
        if (law && (law->joint_fn || law->constraint_fn)) return true;
    }
    return false;
}

int ukStabilityOfDampers(const ukIsland *island, double h, double before, bool gained)
{
    const ukProblem *p = island->problem;
    const ukLaw *law;
    double square = 0, along = 0;
    if (island->ideal->laws == 0 && island->elements == 0) return ukOk;
    const double power = powerOfLaws(island, &law);
    const bool functions = gained && hasFunctions(island);
    if (power == 0 && !functions) return ukOk;
    for (int i = 0; i < island->frames; i++) {
        const ukFrame *f = &island->frame[i];
        const ukRates *r = ukRatesOf(island, i);
        double d[6], e[6], apart[6];
        if (f->moving < 0) continue;
        changeOf(island, i, d);
        for (int k = 0; k < 6; k++) e[k] = r->a[2][k] - r->a[1][k], apart[k] = e[k] - d[k];
        const double own = ukMeasureSquare(p, f->moving, d); /* 2 d'M e = |d|^2 + |e|^2 - |e - d|^2 */
        along += 0.5 * (own + ukMeasureSquare(p, f->moving, e) - ukMeasureSquare(p, f->moving, apart));
        square += own;
    }
    if (!(h * sqrt(square) > ukMeasureLeast * (before + h * ukMeasureForces(island)))) return ukOk;
    if (law && h * power > limit * square)
        return ukRefuseJoint(
            law->joint, ukErrorNotConverged,
            "its viscous friction or drag is too stiff: h c/m is %.3g, and RK4 is unstable from %.3g on",
            h * power / square, limit);
    if (functions && -2 * along > limit * square)
        return ukRefuseProblem(island, p, ukErrorNotConverged,
                               "forces that depend on velocities are too stiff: h c/m is %.3g, and RK4 is unstable "
                               "from %.3g on",
                               -2 * along / square, limit);
    return ukOk;
}
