/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/user/prescribe.h"

#include <math.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/base/vector.h"
#include "bridge/user/constraint.h"
#include "bridge/user/law_rows.h"
#include "bridge/world/frame.h"
#include "bridge/world/journal.h"
#include "solvers/base/status.h"

static int refusePrescribe(const ukLaw *law, int status, const char *what)
{
    if (law->joint)
        return ukErrorSet(status, "%s joint %llu: its non-ideal law %s", law->joint->class->name,
                          (unsigned long long)law->joint->serial, what);
    return ukErrorSet(status, "user constraint %llu: its non-ideal law %s",
                      (unsigned long long)law->constraint->element.serial, what);
}

static int refuseChangedByLaw(const ukLaw *law)
{
    return refusePrescribe(law, ukErrorChanged, "destroyed or re-attached a body, joint or constraint, or the world");
}

/* user's order: what was attached first comes first; the world's place is NULL */
static int callJoint(ukLaw *law, const ukState *const *state, double time, double h)
{
    const ukJoint *joint = law->joint;
    const int swap = joint->reverse;
    ukBodyState body[2];
    dReal force[2][6] = {{0}}, ideal[2][6], stop[2][6], motor[2][6], rate[3];
    struct ukNonIdealContext context = {.time = time,
                                        .stepsize = h,
                                        .joint = joint->handle,
                                        .ideal = (const dReal(*)[6])ideal,
                                        .axes = law->axes,
                                        .axis = (const dReal(*)[3])law->axis,
                                        .rate = rate,
                                        .is_translation = law->is_translation,
                                        .stop = (const dReal(*)[6])stop,
                                        .motor = (const dReal(*)[6])motor};
    for (int k = 0; k < 2; k++) {
        const int user = swap ? 1 - k : k;
        memcpy(ideal[user], law->ideal + 6 * k, sizeof ideal[user]);
        memcpy(stop[user], law->stop + 6 * k, sizeof stop[user]);
        memcpy(motor[user], law->motor + 6 * k, sizeof motor[user]);
        if (!joint->body[k]) continue;
        ukBodyStateOf(joint->body[k], state[k], &body[user]);
        context.body[user] = &body[user];
    }
    for (int i = 0; i < law->axes; i++) rate[i] = swap ? -law->rate[i] : law->rate[i];
    const ukWorld *world = joint->world;
    const uint64_t destructions = world->destructions;
    law->joint_fn(&context, force, law->data);
    if (world->destructions != destructions) return refuseChangedByLaw(law);
    ukJournalAnswer(world, &(ukAnswer){.kind = ukAnswerJointLaw,
                                       .serial = ukSerialOf(joint->serial, ukIsContact(joint)),
                                       .arrays = 1,
                                       .array = {{force[0], 12}}});
    for (int k = 0; k < 2; k++) memcpy(law->C + 6 * k, force[swap ? 1 - k : k], 6 * sizeof(double));
    return ukOk;
}

static int callConstraint(ukLaw *law, double time, double h)
{
    const ukElement *e = &law->constraint->element;
    const struct ukConstraintContext context = {.time = time, .stepsize = h, .count = e->count, .bodies = e->state};
    const ukWorld *world = e->world;
    const uint64_t destructions = world->destructions;
    law->constraint_fn(&context, law->ideal, law->C, law->data);
    if (world->destructions != destructions) return refuseChangedByLaw(law);
    ukJournalAnswer(world, &(ukAnswer){.kind = ukAnswerConstraintLaw,
                                       .serial = e->serial,
                                       .arrays = 1,
                                       .array = {{law->C, 6 * (size_t)e->count}}});
    return ukOk;
}

/* Stribeck's: mu when it slides fast, mu_static at rest */
static double frictionAt(const ukLaw *law, const ukSlide *slide)
{
    if (law->speed == 0) return law->mu;
    double square = 0;
    for (int i = 0; i < slide->axes; i++) square += slide->rate[i] * slide->rate[i];
    return law->mu + (law->mu_static - law->mu) * exp(-square / (law->speed * law->speed));
}

int ukLawPrescribe(ukLaw *law, const ukState *const *state, double time, double h)
{
    for (int k = 0; k < law->slides; k++) {
        ukSlide *slide = &law->slide[k];
        const double *N = law->joint ? law->load : law->ideal + 6 * slide->first;
        const double arm = slide->translation ? 1 : law->arm;
        slide->radius = slide->axes > 0 ? frictionAt(law, slide) * arm * sqrt(ukDot(N, N)) : 0;
    }
    memset(law->C, 0, 6 * (size_t)law->slots * sizeof(double));
    for (int i = 0; law->drag > 0 && i < law->axes; i++) {
        const double speed = law->side[i] != 0 ? law->side[i] * law->rate[i] : fabs(law->rate[i]);
        ukLawPushAxis(law, i, -law->drag * speed * law->rate[i], law->C);
    }
    if (!law->joint_fn && !law->constraint_fn) return ukOk;
    const int status = law->joint_fn ? callJoint(law, state, time, h) : callConstraint(law, time, h);
    if (status != ukOk) return status;
    return ukFiniteAll(law->C, 6 * (size_t)law->slots) ? ukOk
                                                       : refusePrescribe(law, ukErrorCallback, "wrote NaN or infinity");
}
