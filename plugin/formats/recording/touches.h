/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/recording/touches.h: the pairs of bodies in contact, from step to step: contacts that begin and
 * end. */
#ifndef UKODE_PLUGIN_FORMATS_RECORDING_TOUCHES_H
#define UKODE_PLUGIN_FORMATS_RECORDING_TOUCHES_H

#include <stdbool.h>
#include <stdint.h>

#include "bridge/base/map.h"

typedef struct ukTouchingPair {
    int64_t key[2]; /* of bodies, the smaller first; 0: the world */
    int64_t step;   /* of its last contact */
} ukTouchingPair;

/* Zeroed: none. */
typedef struct ukTouches {
    ukMap map;
    ukTouchingPair **list;
    size_t count, capacity;
} ukTouches;

/* A contact in `step`; true: the pair's first since its last one ended. */
bool ukTouchesMeet(ukTouches *touches, int64_t one, int64_t other, int64_t step);
/* The next pair without a contact in `step`, which is forgotten; false: there is none any more. *from: 0 at first. */
bool ukTouchesEnded(ukTouches *touches, int64_t step, size_t *from, int64_t key[2]);
void ukTouchesFree(ukTouches *touches);

#endif
