/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/user/joint_law.h"

#include <stdlib.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/world/element.h"
#include "bridge/world/registry.h"

static ukLaw *newLaw(int slots, int slides)
{
    ukLaw *law = calloc(1, sizeof *law);
    if (!law) return NULL;
    law->slots = slots;
    law->slides = slides;
    law->viscous_row = -1;
    law->slide = calloc((size_t)slides, sizeof *law->slide);
    law->ideal = calloc(6 * (size_t)slots, sizeof(double));
    law->C = calloc(6 * (size_t)slots, sizeof(double));
    law->lambda = calloc(3 * (size_t)slots + 6, sizeof(double));
    if (law->slide && law->ideal && law->C && law->lambda) return law;
    ukLawFree(law);
    return NULL;
}

ukLaw *ukLawOfJoint(ukJoint *joint)
{
    if (joint->law || !(joint->law = newLaw(2, 3))) return joint->law;
    joint->law->joint = joint;
    if (joint->world) joint->world->graph++;
    return joint->law;
}

ukLaw *ukLawOfConstraint(struct ukConstraint *c)
{
    if (c->law || !(c->law = newLaw(c->element.count, c->element.count))) return c->law;
    c->law->constraint = c;
    if (c->element.world) c->element.world->graph++;
    return c->law;
}

void ukLawFree(ukLaw *law)
{
    if (!law) return;
    free(law->slide);
    free(law->ideal);
    free(law->C);
    free(law->lambda);
    free(law);
}

bool ukLawEmpty(const ukLaw *law)
{
    return law->mu == 0 && law->mu_static == 0 && law->viscous == 0 && law->drag == 0 && !law->joint_fn &&
           !law->constraint_fn;
}

bool ukLawBears(const ukJointClass *class)
{
    return class->axes && !class->motor;
}

static ukLawDefault *defaults;
static int default_count;

bool ukLawSetDefaults(const ukLawDefault *law, int count)
{
    ukLawDefault *copy = count > 0 ? malloc((size_t)count * sizeof *copy) : NULL;
    if (count > 0 && !copy) return false;
    if (count > 0) memcpy(copy, law, (size_t)count * sizeof *copy);
    ukRegistryLock();
    free(defaults);
    defaults = copy;
    default_count = count;
    ukRegistryUnlock();
    return true;
}

bool ukLawApplyDefaults(ukJoint *joint)
{
    if (ukIsContact(joint)) return true;
    for (int i = 0; i < default_count; i++) {
        ukLawDefault *const d = &defaults[i];
        d->met |= d->serial == joint->serial;
        if (d->type && d->type != joint->class->type) continue;
        if (d->serial > 0 && d->serial != joint->serial) continue;
        const bool able = joint->class->axes && (d->kind != ukLawCoulomb || ukLawBears(joint->class));
        d->unable |= !able && d->serial > 0;
        if (!able && d->serial > 0)
            ukLogWarning("UKODE_CONFIG: joint %llu is of type %s, which cannot have %s",
                         (unsigned long long)joint->serial, joint->class->name,
                         d->kind == ukLawCoulomb ? "dry friction" : "drag");
        if (!able) continue;
        ukLaw *law = ukLawOfJoint(joint);
        if (!law) return false;
        if (d->kind == ukLawCoulomb) {
            law->mu = d->mu, law->arm = d->arm;
            law->mu_static = d->mu_static, law->speed = d->speed;
        } else {
            *(d->kind == ukLawDrag ? &law->drag : &law->viscous) = d->coefficient;
        }
    }
    if (!joint->law || !ukLawEmpty(joint->law)) return true;
    ukLawFree(joint->law);
    joint->law = NULL;
    return true;
}

uint64_t ukLawUnmetDefault(void)
{
    for (int i = 0; i < default_count; i++)
        if (defaults[i].serial > 0 && !defaults[i].met) return defaults[i].serial;
    return 0;
}

uint64_t ukLawUnableDefault(void)
{
    for (int i = 0; i < default_count; i++)
        if (defaults[i].unable) return defaults[i].serial;
    return 0;
}
