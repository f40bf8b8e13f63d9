#include "bridge/warm_start.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MaxContactRows = 6 };

typedef struct Entry {
    const void *first, *second; /* the pair: geoms, or bodies */
    double position[3];
    double lambda[MaxContactRows], frictionless[MaxContactRows];
    int rows, next; /* next of the same pair, -1: last */
    bool taken;
} Entry;

struct ukWarmStart {
    Entry *entry;
    int count, capacity;
    int *table; /* open addressing: first entry of a pair, -1: empty */
    size_t slots;
};

ukWarmStart *ukWarmStartCreate(void)
{
    return calloc(1, sizeof(ukWarmStart));
}

void ukWarmStartDestroy(ukWarmStart *warm)
{
    if (!warm) return;
    free(warm->entry);
    free(warm->table);
    free(warm);
}

static void pairOf(const ukJoint *joint, const void **first, const void **second)
{
    const dContactGeom *g = &joint->of.contact.geom;
    const bool geoms = g->g1 || g->g2;
    *first = geoms ? (const void *)g->g1 : (const void *)joint->body[0];
    *second = geoms ? (const void *)g->g2 : (const void *)joint->body[1];
}

/* slot of the pair's first entry, or the empty slot where it belongs */
static size_t find(const ukWarmStart *warm, const void *first, const void *second)
{
    const uint64_t key =
        ((uint64_t)(uintptr_t)first * 0x9E3779B97F4A7C15u) ^ ((uint64_t)(uintptr_t)second * 0xC2B2AE3D27D4EB4Fu);
    size_t i = (size_t)(key ^ key >> 29) & (warm->slots - 1);
    while (warm->table[i] >= 0) {
        const Entry *e = &warm->entry[warm->table[i]];
        if (e->first == first && e->second == second) break;
        i = (i + 1) & (warm->slots - 1);
    }
    return i;
}

/* the nearest contact of the pair that no other contact has taken */
static Entry *match(ukWarmStart *warm, const ukJoint *joint)
{
    const void *first, *second;
    pairOf(joint, &first, &second);
    const dReal *position = joint->of.contact.geom.pos;
    Entry *best = NULL;
    double nearest = INFINITY;
    for (int i = warm->table[find(warm, first, second)]; i >= 0; i = warm->entry[i].next) {
        Entry *e = &warm->entry[i];
        double square = 0;
        for (int k = 0; k < 3; k++) square += (e->position[k] - position[k]) * (e->position[k] - position[k]);
        if (e->taken || !(square < nearest)) continue;
        nearest = square;
        best = e;
    }
    return best;
}

/* multipliers, and those without friction; NULL: nothing is known */
typedef struct Known {
    const double *lambda, *frictionless;
} Known;

static Known recall(ukWarmStart *warm, const ukJoint *joint)
{
    if (joint->lambda_rows == joint->rows) return (Known){joint->lambda, joint->frictionless};
    if (joint->type != dJointTypeContact || warm->count == 0) return (Known){0};
    Entry *e = match(warm, joint);
    if (!e || e->rows != joint->rows) return (Known){0};
    e->taken = true;
    return (Known){e->lambda, e->frictionless};
}

static void copy(double *to, const double *from, int rows)
{
    if (from)
        memcpy(to, from, (size_t)rows * sizeof *to);
    else
        memset(to, 0, (size_t)rows * sizeof *to);
}

void ukWarmStartBegin(ukWarmStart *warm)
{
    for (int i = 0; i < warm->count; i++) warm->entry[i].taken = false;
}

void ukWarmStartGuess(ukWarmStart *warm, ukStepper *s, int index)
{
    const ukProblem *p = &s->problems[index];
    const ukBlockOwner *owner = s->owners + (p->block - s->blocks);
    double *lambda0 = s->lambda0 + (p->b - s->b), *frictionless = s->frictionless + (p->b - s->b);
    for (int k = 0; k < p->blocks; k++) {
        const int rows = p->block[k].rows;
        const struct ukConstraint *c = owner[k].constraint;
        const int row = p->block[k].row;
        Known known = {0};
        if (!owner[k].law && !c) known = recall(warm, owner[k].joint);
        if (!owner[k].law && c && c->lambda_rows == rows) known = (Known){c->lambda, c->lambda};
        copy(lambda0 + row, known.lambda, rows);
        copy(frictionless + row, known.frictionless, rows);
    }
}

static bool reserve(ukWarmStart *warm, int contacts)
{
    if (contacts <= warm->capacity) return true;
    const int capacity = contacts + contacts / 2 + 16;
    size_t slots = 64;
    while (slots < 2 * (size_t)capacity) slots *= 2;
    Entry *entry = malloc((size_t)capacity * sizeof *entry);
    int *table = malloc(slots * sizeof *table);
    if (!entry || !table) {
        free(entry);
        free(table);
        return false;
    }
    free(warm->entry);
    free(warm->table);
    *warm = (ukWarmStart){.entry = entry, .capacity = capacity, .table = table, .slots = slots};
    return true;
}

void ukWarmStartRemember(ukWarmStart *warm, const ukStepper *s)
{
    int contacts = 0;
    for (int k = 0; k < s->block_count; k++)
        contacts += s->owners[k].joint && s->owners[k].joint->type == dJointTypeContact;
    warm->count = 0;
    if (contacts == 0 || !reserve(warm, contacts)) return;
    memset(warm->table, -1, warm->slots * sizeof *warm->table);
    /* last first, so that the chain of a pair runs in the order of the step */
    for (int k = s->block_count - 1; k >= 0; k--) {
        const ukJoint *joint = s->owners[k].joint;
        if (!joint || joint->type != dJointTypeContact) continue;
        Entry *e = &warm->entry[warm->count];
        pairOf(joint, &e->first, &e->second);
        const size_t slot = find(warm, e->first, e->second);
        e->next = warm->table[slot];
        e->rows = joint->rows;
        e->taken = false;
        for (int i = 0; i < 3; i++) e->position[i] = joint->of.contact.geom.pos[i];
        copy(e->lambda, joint->lambda, joint->rows);
        copy(e->frictionless, joint->frictionless, joint->rows);
        warm->table[slot] = warm->count++;
    }
}
