/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/analyze/coloring.h"

#include <stdlib.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/world/element.h"
#include "solvers/base/status.h"

/* The number of a body among all that move; -1: it does not, or is of another island. `first`: of the island's. */
static int movingOf(const ukIsland *island, const ukBody *body, int first)
{
    const ukFrame *const frame = body ? ukIslandFrame(island, body) : NULL;
    return frame && frame->moving >= 0 ? first + frame->moving : -1;
}

static void markAdjacent(ukColoring *c, int a, int b)
{
    if (a < 0 || b < 0) return;
    c->adjacent[(size_t)a * (size_t)c->bodies + (size_t)b] = 1;
    c->adjacent[(size_t)b * (size_t)c->bodies + (size_t)a] = 1;
}

static void joinIsland(ukColoring *c, const ukIsland *island, int first)
{
    for (int j = 0; j < island->joints; j++)
        markAdjacent(c, movingOf(island, island->joint[j]->body[0], first),
                     movingOf(island, island->joint[j]->body[1], first));
    for (int k = 0; k < island->elements; k++) {
        const ukElement *const e = island->element[k];
        for (int a = 0; a < e->count; a++)
            for (int b = 0; b < a; b++)
                markAdjacent(c, movingOf(island, e->body[a], first), movingOf(island, e->body[b], first));
    }
}

/* The least group that no body within two joints of k has; `taken` (bodies) is scratch. */
static int chooseGroup(const ukColoring *c, int k, unsigned char *taken)
{
    const unsigned char *const near = c->adjacent + (size_t)k * (size_t)c->bodies;
    int group = 0;
    memset(taken, 0, (size_t)c->bodies);
    for (int i = 0; i < c->bodies; i++) {
        const unsigned char *const next = c->adjacent + (size_t)i * (size_t)c->bodies;
        for (int j = 0; near[i] && j < k; j++)
            if (next[j]) taken[c->group[j]] = 1;
    }
    while (taken[group]) group++;
    return group;
}

int ukColoringBegin(ukColoring *c, const ukProbe *probe)
{
    const size_t n = (size_t)probe->bodies + 1;
    int first = 0;
    *c = (ukColoring){.bodies = probe->bodies};
    c->memory = calloc(n * n, sizeof *c->owner + 1);
    c->group = calloc(n, sizeof *c->group);
    unsigned char *const taken = calloc(n, 1);
    int status = c->memory && c->group && taken ? ukOk : ukErrorMemory;
    if (status == ukOk) {
        c->owner = c->memory;
        c->adjacent = (unsigned char *)(c->owner + n * n);
        for (int k = 0; k < c->bodies; k++) markAdjacent(c, k, k);
        for (int i = 0; i < probe->s->island_count; i++) {
            joinIsland(c, &probe->s->islands[i], first);
            first += probe->s->islands[i].problem->bodies;
        }
        for (int k = 0; k < c->bodies; k++) {
            c->group[k] = chooseGroup(c, k, taken);
            if (c->group[k] >= c->groups) c->groups = c->group[k] + 1;
        }
        for (int i = 0; i < c->groups * c->bodies; i++) c->owner[i] = -1;
        for (int k = 0; k < c->bodies; k++)
            for (int i = 0; i < c->bodies; i++)
                if (c->adjacent[k * c->bodies + i]) c->owner[c->group[i] * c->bodies + k] = i;
    } else {
        ukErrorSet(ukErrorMemory, "no memory for groups (bodies: %d)", c->bodies);
    }
    free(taken);
    return status;
}

void ukColoringEnd(ukColoring *c)
{
    free(c->memory);
    free(c->group);
    *c = (ukColoring){0};
}
