/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/snapshot/law.h"

#include "bridge/user/joint_law.h"
#include "solvers/base/status.h"

static void transferSlide(ukTape *t, ukSlide *slide)
{
    int mode = (int)slide->mode;
    bool sticks = slide->sticks;
    double *const one[] = {&slide->radius, &slide->scale, &slide->before};
    ukTapeInt(t, &mode, ukSlideMoving, ukSlideStuck, "a mode of sliding");
    ukTapeBool(t, &sticks);
    for (size_t i = 0; i < sizeof one / sizeof *one; i++) ukTapeArray(t, one[i], 1);
    ukTapeArray(t, slide->direction, 3);
    ukTapeArray(t, slide->force, 3);
    ukTapeArray(t, slide->slip, 3);
    if (t->mode != ukTapeRead) return;
    slide->mode = (ukSlideMode)mode;
    slide->sticks = sticks;
}

static void lawFields(ukTape *t, ukLaw *law, uint64_t number)
{
    const bool function = law->joint_fn || law->constraint_fn;
    int rows = law->lambda_rows;
    if (!ukTapeSame(t, function, "the function of the law of joint or constraint", number)) return;
    double *const one[] = {&law->mu, &law->arm, &law->viscous, &law->drag, &law->mu_static, &law->speed};
    for (size_t i = 0; i < sizeof one / sizeof *one; i++) ukTapeArray(t, one[i], 1);
    for (int k = 0; k < law->slides; k++) transferSlide(t, &law->slide[k]);
    ukTapeInt(t, &rows, 0, 3 * law->slots + 6, "a number of rows");
    ukTapeArray(t, law->lambda, rows);
    if (t->mode == ukTapeRead) law->lambda_rows = rows;
}

/* a law that was not saved: gone, but for one with a function, which the program made */
static void lawEnd(ukTape *t, ukLaw **law, uint64_t number)
{
    if (!*law) return;
    if ((*law)->joint_fn || (*law)->constraint_fn)
        ukTapeRefuse(t, ukErrorArgument, "the law of joint or constraint %llu was not saved",
                     (unsigned long long)number);
    if (t->mode != ukTapeRead) return;
    ukLawFree(*law);
    *law = NULL;
}

void ukKeepLawOfJoint(ukTape *t, ukJoint *joint, uint64_t number)
{
    bool has = joint->law != NULL;
    const bool had = has;
    ukTapeBool(t, &has);
    if (!has) {
        lawEnd(t, &joint->law, number);
        return;
    }
    if (!joint->class->axes && !had) ukTapeRefuse(t, ukErrorArgument, "a joint has a law that its type cannot have");
    if (t->status != ukOk) return;
    ukLaw *const law = ukLawOfJoint(joint);
    if (!law) ukTapeRefuse(t, ukErrorMemory, "no memory");
    if (!law) return;
    if (!had) law->made = true;
    lawFields(t, law, number);
}

void ukKeepLawOfConstraint(ukTape *t, struct ukConstraint *c, uint64_t number)
{
    bool has = c->law != NULL;
    const bool had = has;
    ukTapeBool(t, &has);
    if (!has) {
        lawEnd(t, &c->law, number);
        return;
    }
    if (t->status != ukOk) return;
    ukLaw *const law = ukLawOfConstraint(c);
    if (!law) ukTapeRefuse(t, ukErrorMemory, "no memory");
    if (!law) return;
    if (!had) law->made = true;
    lawFields(t, law, number);
}

static void settleMadeLaw(ukLaw **law, bool stay)
{
    if (!*law || !(*law)->made) return;
    (*law)->made = false;
    if (stay) return;
    ukLawFree(*law);
    *law = NULL;
}

void ukKeepLawsMade(ukWorld *world, bool stay)
{
    for (ukJoint *j = world->oldest_joint; j; j = j->newer) settleMadeLaw(&j->law, stay);
    for (ukElement *e = world->oldest_element; e; e = e->newer)
        if (!e->is_force) settleMadeLaw(&((struct ukConstraint *)e)->law, stay);
}
