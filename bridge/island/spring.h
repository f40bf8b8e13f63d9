/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/spring.h: rows that give way by their CFM, as their user wants them to. */
#ifndef UKODE_BRIDGE_ISLAND_SPRING_H
#define UKODE_BRIDGE_ISLAND_SPRING_H

#include <stdbool.h>

/* A row of softness s = cfm/h and compliance d = (A M^-1 A')_ii is a spring that swings by sqrt(d/s) radians a step: up
 * to ten it is one, beyond it is there to hold. */
static inline bool ukRowIsSpring(double softness, double compliance)
{
    static const double rigid = 0.01;
    return !(softness <= rigid * compliance);
}

#endif
