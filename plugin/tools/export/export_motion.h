/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/export/export_motion.h: the recorded motion of each body, as the samples of an animation. */
#ifndef UKODE_PLUGIN_TOOLS_EXPORT_EXPORT_MOTION_H
#define UKODE_PLUGIN_TOOLS_EXPORT_EXPORT_MOTION_H

#include <stdbool.h>

#include "plugin/formats/recording/reader.h"

/* Times ascend, also as floats; quaternions (x, y, z, w) have the length 1 and are next to the one before, not to its
 * negative. */
typedef struct Motion {
    long long body;                       /* key */
    float *time, *position, *orientation; /* (count), x 3, x 4 */
    size_t count, capacity[3];
    bool asleep; /* in the last row that was read */
} Motion;

typedef struct Motions {
    Motion *motion; /* by key */
    size_t count;
} Motions;

/* false: reader->error. */
bool motionsRead(ukReader *reader, Motions *motions);
void motionsFree(Motions *motions);
/* NULL: there is no such body */
const Motion *motionOf(const Motions *motions, long long body);

#endif
