/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/user/parts.h: the optional parts of a user constraint: bounds, a weight, actuators. New ones are allocated
 * first and then replace the old ones, so that a setter that fails changes nothing. */
#ifndef UKODE_BRIDGE_USER_PARTS_H
#define UKODE_BRIDGE_USER_PARTS_H

#include "bridge/world/element.h"

/* As in struct ukConstraint; NULL: none. Owned. */
typedef struct ukParts {
    ukRowBounds *limit;
    double *guess; /* with `limit` */
    double *weight;
    ukServo *servo;
} ukParts;

/* Allocates each for `rows` rows: bounds that are infinite, a weight of zeros, `count` > 0 actuators of zeros. False:
 * no memory; none is allocated. */
bool ukPartsLimits(ukParts *parts, int rows);
bool ukPartsWeight(ukParts *parts, int rows);
bool ukPartsServo(ukParts *parts, int rows, int count);
void ukPartsFree(ukParts *parts);

/* Gives the constraint these parts, and `parts` those that it had. They are recorded as if they had been set one by
 * one. */
void ukPartsExchange(struct ukConstraint *c, ukParts *parts);

#endif
