/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/analyze/law_force.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/base/vector.h"
#include "bridge/island/refuse.h"
#include "bridge/solve/nonideal.h"
#include "bridge/user/law_rows.h"
#include "solvers/base/status.h"

static const double rest = 1e-9; /* rate of a slide that counts as none [m/s, rad/s] */

bool ukLawForcePresent(const ukIsland *island)
{
    for (int i = 0; i < ukIslandLawCount(island); i++)
        if (ukIslandLaw(island, i)) return true;
    return false;
}

bool ukLawForceCalls(const ukIsland *island)
{
    for (int i = 0; i < ukIslandLawCount(island); i++) {
        const ukLaw *law = ukIslandLaw(island, i);
        if (law && (law->joint_fn || law->constraint_fn)) return true;
    }
    return false;
}

int ukLawForceRefuseOneSided(const ukIsland *island)
{
    static const char why[] = "inverse dynamics does not support its joint law together with contacts or active stops";
    for (int i = 0; i < ukIslandLawCount(island); i++) {
        const ukLaw *law = ukIslandLaw(island, i);
        if (!law || (law->mu == 0 && !law->joint_fn && !law->constraint_fn)) continue;
        if (law->joint) return ukRefuseJoint(law->joint, ukErrorUnsupported, "%s", why);
        return ukErrorSet(ukErrorUnsupported, "user constraint %llu: %s",
                          (unsigned long long)law->constraint->element.serial, why);
    }
    return ukOk;
}

/* The acceleration of a slide along its axis i. */
static double accelerationAlong(const ukIsland *island, const ukLaw *law, const ukSlide *slide, int i,
                                const double *qdd)
{
    return (law->joint ? law->bias[slide->first + i] : 0) + ukSlideAlong(island, law, slide, i, qdd);
}

/* Adds the dry friction of a law's slides to its C. */
static void addFriction(const ukIsland *island, ukLaw *law, const double *qdd)
{
    for (int k = 0; k < law->slides; k++) {
        const ukSlide *const slide = &law->slide[k];
        double toward[3] = {0}, size = slide->axes > 0 ? ukSize(slide->rate, slide->axes) : 0;
        if (slide->axes == 0 || slide->radius == 0) continue;
        for (int i = 0; i < slide->axes; i++)
            toward[i] = size > rest ? slide->rate[i] : accelerationAlong(island, law, slide, i, qdd);
        size = ukSize(toward, slide->axes);
        for (int i = 0; i < slide->axes && size > rest; i++)
            ukLawPushSlide(law, slide, i, -slide->radius * toward[i] / size, law->C);
    }
}

int ukLawForceFill(ukIsland *island, const double *lambda, const double *qdd)
{
    memcpy(island->rows.lambda_ideal, lambda, (size_t)island->ideal->problem.rows * sizeof *lambda);
    const int status = ukNonIdealPrescribe(island);
    for (int i = 0; i < ukIslandLawCount(island) && status == ukOk && qdd; i++) {
        ukLaw *const law = ukIslandLaw(island, i);
        if (!law) continue;
        if (law->mu > 0) addFriction(island, law, qdd);
        for (int axis = 0; law->viscous > 0 && axis < law->axes; axis++)
            ukLawPushAxis(law, axis, -law->viscous * law->rate[axis], law->C);
    }
    if (status == ukOk) ukNonIdealCollect(island);
    return status;
}

int ukLawForceDepends(ukIsland *island, double *ideal, const double *qdd, bool *depends)
{
    static const double factor[2] = {2, 4}; /* powers of two: ideal has the same bits afterwards */
    const int numbers = 6 * island->problem->bodies, rows = island->ideal->problem.rows;
    double *const before = calloc((size_t)numbers + 1, sizeof *before), most = 0, apart = 0;
    if (!before)
        return ukErrorSet(ukErrorMemory, "no memory for the forces of laws (bodies: %d)", island->problem->bodies);
    memcpy(before, island->bodies.C, (size_t)numbers * sizeof *before);
    for (int i = 0; i < rows; i++) ideal[i] *= factor[i % 2];
    const int status = ukLawForceFill(island, ideal, qdd);
    for (int i = 0; i < rows; i++) ideal[i] /= factor[i % 2];
    for (int i = 0; i < numbers; i++) {
        most = fmax(most, fabs(before[i]));
        apart = fmax(apart, fabs(island->bodies.C[i] - before[i]));
    }
    memcpy(island->bodies.C, before, (size_t)numbers * sizeof *before);
    free(before);
    *depends = apart > 1e-12 * most;
    return status;
}
