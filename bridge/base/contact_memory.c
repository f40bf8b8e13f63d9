/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/base/contact_memory.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* the contacts of one step */
typedef struct Generation {
    ukRemembered *entry;
    int count, capacity;
    int *table; /* open addressing: index of the first entry of a pair, -1: empty */
    size_t slots;
} Generation;

/* Contacts at a smaller distance [m] count as the same one. The last step's entry is then preferred, whatever the
 * rounding of the distances: forces mixed from both steps would support no body. */
static const double same_place = 1e-9;

struct ukContactMemory {
    Generation past[ukContactSteps]; /* the last step comes first */
    unsigned step;                   /* number of the present step; entries with this number are taken */
};

ukContactMemory *ukContactMemoryCreate(void)
{
    return calloc(1, sizeof(ukContactMemory));
}

void ukContactMemoryDestroy(ukContactMemory *memory)
{
    if (!memory) return;
    for (int g = 0; g < ukContactSteps; g++) {
        free(memory->past[g].entry);
        free(memory->past[g].table);
    }
    free(memory);
}

typedef struct Pair {
    const void *first, *second;
    double sign; /* sign of the rows' forces for the first of the pair */
} Pair;

static Pair pairOf(const ukContactKey *key)
{
    const void *const one = key->first, *const other = key->second;
    return (uintptr_t)one <= (uintptr_t)other ? (Pair){one, other, key->sign} : (Pair){other, one, -key->sign};
}

/* the slot of the pair's first entry, or the empty slot for it */
static size_t findSlot(const Generation *past, const Pair *pair)
{
    const uint64_t key = ((uint64_t)(uintptr_t)pair->first * 0x9E3779B97F4A7C15u) ^
                         ((uint64_t)(uintptr_t)pair->second * 0xC2B2AE3D27D4EB4Fu);
    size_t i = (size_t)(key ^ key >> 29) & (past->slots - 1);
    while (past->table[i] >= 0) {
        const ukRemembered *e = &past->entry[past->table[i]];
        if (e->first == pair->first && e->second == pair->second) break;
        i = (i + 1) & (past->slots - 1);
    }
    return i;
}

void ukContactMemoryBegin(ukContactMemory *memory)
{
    memory->step++;
}

ukRemembered *ukContactMemoryTake(ukContactMemory *memory, const ukContactKey *key, double *sign)
{
    const Pair pair = pairOf(key);
    const double *const position = key->position;
    ukRemembered *best = NULL;
    double nearest = INFINITY;
    for (int g = 0; g < ukContactSteps && nearest > 0; g++) {
        Generation *past = &memory->past[g];
        if (past->count == 0) continue;
        for (int i = past->table[findSlot(past, &pair)]; i >= 0; i = past->entry[i].next) {
            ukRemembered *e = &past->entry[i];
            double square = 0;
            for (int k = 0; k < 3; k++) square += (e->position[k] - position[k]) * (e->position[k] - position[k]);
            if (e->taken == memory->step || !(square < nearest)) continue;
            nearest = square > same_place * same_place ? square : 0;
            best = e;
        }
    }
    if (best) best->taken = memory->step;
    *sign = pair.sign;
    return best;
}

static bool reserveContactMemory(Generation *past, int contacts)
{
    if (contacts <= past->capacity) return true;
    const int capacity = contacts + contacts / 2 + 16;
    size_t slots = 64;
    while (slots < 2 * (size_t)capacity) slots *= 2;
    ukRemembered *entry = malloc((size_t)capacity * sizeof *entry);
    int *table = malloc(slots * sizeof *table);
    if (!entry || !table) {
        free(entry);
        free(table);
        return false;
    }
    free(past->entry);
    free(past->table);
    *past = (Generation){.entry = entry, .capacity = capacity, .table = table, .slots = slots};
    return true;
}

bool ukContactMemoryRenew(ukContactMemory *memory, int contacts)
{
    const Generation oldest = memory->past[ukContactSteps - 1];
    memmove(memory->past + 1, memory->past, (ukContactSteps - 1) * sizeof *memory->past);
    memory->past[0] = oldest;
    Generation *past = memory->past;
    past->count = 0;
    if (contacts == 0 || !reserveContactMemory(past, contacts)) return false;
    memset(past->table, -1, past->slots * sizeof *past->table);
    return true;
}

static ukRemembered *addContactMemory(ukContactMemory *memory, const Pair *pair)
{
    Generation *past = memory->past;
    const size_t slot = findSlot(past, pair);
    ukRemembered *e = &past->entry[past->count];
    e->first = pair->first;
    e->second = pair->second;
    e->next = past->table[slot];
    e->taken = memory->step; /* the entry is free in the next step */
    e->ideal = false;
    past->table[slot] = past->count++;
    return e;
}

ukRemembered *ukContactMemoryAdd(ukContactMemory *memory, const ukContactKey *key, double *sign)
{
    const Pair pair = pairOf(key);
    ukRemembered *e = addContactMemory(memory, &pair);
    for (int c = 0; c < 3; c++) e->position[c] = key->position[c];
    *sign = pair.sign;
    return e;
}

int ukContactMemoryCount(const ukContactMemory *memory, int steps_ago)
{
    return memory->past[steps_ago].count;
}

const ukRemembered *ukContactMemoryEntry(const ukContactMemory *memory, int steps_ago, int i)
{
    return &memory->past[steps_ago].entry[i];
}

void ukContactMemoryTurn(ukRemembered *entry)
{
    const void *const first = entry->first;
    entry->first = entry->second;
    entry->second = first;
    for (int kind = 0; kind < (entry->ideal ? ukContactKinds : ukContactWhole); kind++)
        for (int k = 0; k < 3; k++) { /* avoids negative zeros */
            entry->wrench[kind].force[k] = 0 - entry->wrench[kind].force[k];
            entry->wrench[kind].torque[k] = 0 - entry->wrench[kind].torque[k];
        }
}

void ukContactMemoryCopy(ukContactMemory *memory, const ukRemembered *entry)
{
    ukRemembered from = *entry;
    if ((uintptr_t)from.first > (uintptr_t)from.second) ukContactMemoryTurn(&from);
    const Pair pair = {from.first, from.second, 1};
    ukRemembered *e = addContactMemory(memory, &pair);
    memcpy(e->position, from.position, sizeof e->position);
    e->ideal = from.ideal;
    memcpy(e->wrench, from.wrench, sizeof e->wrench);
}
