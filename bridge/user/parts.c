/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/user/parts.h"

#include <math.h>
#include <stdlib.h>

#include "bridge/world/journal.h"

bool ukPartsLimits(ukParts *parts, int rows)
{
    const size_t m = (size_t)rows;
    ukRowBounds *const limit = calloc(m, sizeof *limit);
    double *const guess = calloc(m, sizeof *guess);
    if (!limit || !guess) {
        free(limit);
        free(guess);
        return false;
    }
    for (size_t i = 0; i < m; i++) limit[i] = (ukRowBounds){.lo = -INFINITY, .hi = INFINITY, .row = -1};
    parts->limit = limit;
    parts->guess = guess;
    return true;
}

bool ukPartsWeight(ukParts *parts, int rows)
{
    parts->weight = calloc(2 * (size_t)rows * (size_t)rows, sizeof *parts->weight);
    return parts->weight != NULL;
}

bool ukPartsServo(ukParts *parts, int rows, int count)
{
    const size_t p = (size_t)count, m = (size_t)rows, numbers = p + p * m + 4 * m;
    ukServo *const servo = calloc(1, sizeof *servo + p * sizeof *servo->actuator + numbers * sizeof(double));
    if (!servo) return false;
    servo->count = count;
    servo->actuator = (ukServoActuator *)(servo + 1);
    servo->force = (double *)(servo->actuator + p);
    servo->response = servo->force + p;
    servo->attained = servo->response + p * m;
    servo->given = servo->attained + m;
    parts->servo = servo;
    return true;
}

void ukPartsFree(ukParts *parts)
{
    free(parts->limit);
    free(parts->guess);
    free(parts->weight);
    free(parts->servo);
    *parts = (ukParts){0};
}

static void recordLimits(const struct ukConstraint *c, const ukParts *before)
{
    static const ukRowBounds none = {.lo = -INFINITY, .hi = INFINITY};
    for (int i = 0; i < c->rows && (c->limit || before->limit); i++) {
        const ukRowBounds *const limit = c->limit ? &c->limit[i] : &none;
        ukJournalRowLimit(&c->element, i, limit);
        if (limit->restitution > 0) ukJournalRestitution(&c->element, i, limit->restitution);
    }
}

void ukPartsExchange(struct ukConstraint *c, ukParts *parts)
{
    const ukParts before = {c->limit, c->guess, c->weight, c->servo};
    const size_t numbers = (size_t)c->rows * (size_t)c->rows;
    c->limit = parts->limit, c->guess = parts->guess, c->weight = parts->weight, c->servo = parts->servo;
    *parts = before;
    if (c->limit || c->weight || c->servo || before.limit || before.weight || before.servo) c->element.world->changes++;
    recordLimits(c, &before);
    if (c->weight || before.weight)
        ukJournalWeight(&c->element, c->weight ? c->weight + numbers : NULL, c->weight ? numbers : 0);
    if (c->servo || before.servo) ukJournalActuators(&c->element, c->servo);
}
