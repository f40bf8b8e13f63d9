/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/island/sliding.h"

#include "bridge/user/joint_law.h"

const char ukSlidingRemedy[] = "where dry friction along two axes starts to slide, --integrator rattle or euler";

const ukJoint *ukSlidingJoint(const ukIsland *island)
{
    for (int i = 0; i < ukIslandLawCount(island); i++) {
        const ukLaw *law = ukIslandLaw(island, i);
        for (int k = 0; law && law->joint && law->mu > 0 && k < law->slides; k++)
            if (law->slide[k].axes > 1 && law->slide[k].mode != ukSlideStuck) return law->joint;
    }
    return NULL;
}
