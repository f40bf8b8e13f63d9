#include "bridge/warm_start.h"

#include "bridge/base/vector.h"
#include "bridge/law.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What a contact does to the first of its pair. A collision space gives a pair's geoms in either order, and tangents
 * follow the normal wherever it turns: what lasts from step to step is the force in the world's frame. */
typedef struct Wrench {
    double normal, force[3], torque[3]; /* multiplier of the normal row; of the other rows together */
} Wrench;

typedef struct Entry {
    const void *first, *second; /* the pair: geoms, or bodies; the lower address first */
    double position[3];
    Wrench wrench[ukGuesses];
    int next; /* of the same pair, -1: last */
    bool ideal, taken;
} Entry;

/* the contacts of one step */
typedef struct Generation {
    Entry *entry;
    int count, capacity;
    int *table; /* open addressing: first entry of a pair, -1: empty */
    size_t slots;
} Generation;

/* Of the last two steps. ODE's spaces turn their lists over whenever geoms move, so that pairs come in one order and
 * the other by turns; and where a collider puts the points depends on it. What rests has two sets of contacts that
 * take turns. */
enum { Generations = 2 };

struct ukWarmStart {
    Generation past[Generations]; /* the last step first */
};

ukWarmStart *ukWarmStartCreate(void)
{
    return calloc(1, sizeof(ukWarmStart));
}

void ukWarmStartDestroy(ukWarmStart *warm)
{
    if (!warm) return;
    for (int g = 0; g < Generations; g++) {
        free(warm->past[g].entry);
        free(warm->past[g].table);
    }
    free(warm);
}

typedef struct Pair {
    const void *first, *second;
    double sign; /* of the rows, which are those of the joint's body[0], for the first */
} Pair;

static Pair pairOf(const ukJoint *joint)
{
    const dContactGeom *g = &joint->of.contact.geom;
    const bool geoms = g->g1 || g->g2;
    const void *one = geoms ? (const void *)g->g1 : (const void *)joint->body[0];
    const void *other = geoms ? (const void *)g->g2 : (const void *)joint->body[1];
    const double sign = geoms && joint->reverse ? -1 : 1;
    return (uintptr_t)one <= (uintptr_t)other ? (Pair){one, other, sign} : (Pair){other, one, -sign};
}

/* slot of the pair's first entry, or the empty slot where it belongs */
static size_t find(const Generation *past, const Pair *pair)
{
    const uint64_t key = ((uint64_t)(uintptr_t)pair->first * 0x9E3779B97F4A7C15u) ^
                         ((uint64_t)(uintptr_t)pair->second * 0xC2B2AE3D27D4EB4Fu);
    size_t i = (size_t)(key ^ key >> 29) & (past->slots - 1);
    while (past->table[i] >= 0) {
        const Entry *e = &past->entry[past->table[i]];
        if (e->first == pair->first && e->second == pair->second) break;
        i = (i + 1) & (past->slots - 1);
    }
    return i;
}

/* the nearest contact of the pair that no other contact has taken, the last step's among equals */
static Entry *match(ukWarmStart *warm, const ukJoint *joint, const Pair *pair)
{
    const dReal *position = joint->of.contact.geom.pos;
    Entry *best = NULL;
    double nearest = INFINITY;
    for (int g = 0; g < Generations; g++) {
        Generation *past = &warm->past[g];
        if (past->count == 0) continue;
        for (int i = past->table[find(past, pair)]; i >= 0; i = past->entry[i].next) {
            Entry *e = &past->entry[i];
            double square = 0;
            for (int k = 0; k < 3; k++) square += (e->position[k] - position[k]) * (e->position[k] - position[k]);
            if (e->taken || !(square < nearest)) continue;
            nearest = square;
            best = e;
        }
    }
    return best;
}

/* A contact's rows as they stand in A: the normal first; each is a force, or else a torque, on body[0]. */
typedef struct Rows {
    const double *A; /* rows x width */
    size_t width;
    int count;
} Rows;

static Rows rowsOf(const ukProblem *p, const ukBlock *block)
{
    return (Rows){p->A + block->A, 6 * (size_t)block->slots, block->rows};
}

static Wrench wrenchOf(Rows rows, const double *lambda, double sign)
{
    Wrench W = {0};
    if (!lambda) return W;
    W.normal = lambda[0];
    for (int i = 1; i < rows.count; i++) {
        const double *A = rows.A + (size_t)i * rows.width;
        const bool torque = ukDot(A, A) == 0;
        for (int k = 0; k < 3; k++) *(torque ? W.torque + k : W.force + k) += sign * lambda[i] * A[torque ? 3 + k : k];
    }
    return W;
}

static void multipliersOf(Rows rows, const Wrench *W, double sign, double *lambda)
{
    lambda[0] = W->normal;
    for (int i = 1; i < rows.count; i++) {
        const double *A = rows.A + (size_t)i * rows.width;
        const bool torque = ukDot(A, A) == 0;
        const double *u = torque ? A + 3 : A, square = ukDot(u, u);
        lambda[i] = square > 0 ? sign * ukDot(torque ? W->torque : W->force, u) / square : 0;
    }
}

void ukWarmStartBegin(ukWarmStart *warm)
{
    for (int g = 0; g < Generations; g++)
        for (int i = 0; i < warm->past[g].count; i++) warm->past[g].entry[i].taken = false;
}

/* the step's array of one kind of guess */
static double *guessOf(const ukStepper *s, int kind)
{
    double *const of[ukGuesses] = {s->lambda0, s->frictionless, s->lambda_ideal, s->frictionless_ideal};
    return of[kind];
}

/* the kind to take where ideal ones are remembered, or not: those of the whole problem serve */
static int among(bool ideal, int kind)
{
    return ideal ? kind : kind % ukGuessIdeal;
}

/* what is remembered of a block, one kind; NULL: nothing */
static const double *knownOf(const ukBlockOwner *owner, int kind, int rows)
{
    const ukJoint *joint = owner->joint;
    if (owner->law) return owner->law->lambda_rows == rows ? owner->law->lambda : NULL;
    if (owner->constraint) return owner->constraint->lambda_rows == rows ? owner->constraint->lambda : NULL;
    if (joint->lambda_rows != rows) return NULL;
    return joint->lambda[among(joint->lambda_ideal, kind)];
}

/* what a contact does is found by its pair; NULL: it has not been there, or is the very joint of the last step */
static Entry *entryOf(ukWarmStart *warm, const ukBlockOwner *owner, int rows, double *sign)
{
    const ukJoint *joint = owner->law ? NULL : owner->joint;
    if (!joint || joint->type != dJointTypeContact || joint->lambda_rows == rows) return NULL;
    const Pair pair = pairOf(joint);
    Entry *e = match(warm, joint, &pair);
    if (e) e->taken = true;
    *sign = pair.sign;
    return e;
}

void ukWarmStartGuess(ukWarmStart *warm, ukStepper *s, int index)
{
    const ukProblem *p = &s->problems[index];
    const ukBlockOwner *owner = s->owners + (p->block - s->blocks);
    const int kinds = s->ideal[index].laws > 0 ? ukGuesses : ukGuessIdeal;
    for (int k = 0; k < p->blocks; k++) {
        const int rows = p->block[k].rows;
        const ptrdiff_t at = (p->b - s->b) + p->block[k].row;
        double sign = 1;
        const Entry *e = entryOf(warm, &owner[k], rows, &sign);
        for (int kind = 0; kind < kinds; kind++) {
            double *to = guessOf(s, kind) + at;
            const double *known = e ? NULL : knownOf(&owner[k], kind, rows);
            if (e)
                multipliersOf(rowsOf(p, &p->block[k]), &e->wrench[among(e->ideal, kind)], sign, to);
            else if (known)
                memcpy(to, known, (size_t)rows * sizeof *to);
            else
                memset(to, 0, (size_t)rows * sizeof *to);
        }
    }
}

static bool reserve(Generation *past, int contacts)
{
    if (contacts <= past->capacity) return true;
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
    free(past->entry);
    free(past->table);
    *past = (Generation){.entry = entry, .capacity = capacity, .table = table, .slots = slots};
    return true;
}

static bool isContact(const ukBlockOwner *owner)
{
    return !owner->law && owner->joint && owner->joint->type == dJointTypeContact;
}

void ukWarmStartRemember(ukWarmStart *warm, const ukStepper *s)
{
    const Generation oldest = warm->past[Generations - 1];
    memmove(warm->past + 1, warm->past, (Generations - 1) * sizeof *warm->past);
    warm->past[0] = oldest;
    Generation *past = warm->past;
    int contacts = 0;
    for (int k = 0; k < s->block_count; k++) contacts += isContact(s->owners + k);
    past->count = 0;
    if (contacts == 0 || !reserve(past, contacts)) return;
    memset(past->table, -1, past->slots * sizeof *past->table);
    for (int i = 0; i < s->island_count; i++) {
        const ukProblem *p = &s->problems[i];
        const ukBlockOwner *owner = s->owners + (p->block - s->blocks);
        /* last first, so that the chain of a pair runs in the order of the step */
        for (int k = p->blocks - 1; k >= 0; k--) {
            if (!isContact(owner + k)) continue;
            const ukJoint *joint = owner[k].joint;
            const Pair pair = pairOf(joint);
            const Rows rows = rowsOf(p, &p->block[k]);
            Entry *e = &past->entry[past->count];
            *e = (Entry){.first = pair.first, .second = pair.second};
            for (int c = 0; c < 3; c++) e->position[c] = joint->of.contact.geom.pos[c];
            e->ideal = joint->lambda_ideal;
            for (int kind = 0; kind < (e->ideal ? ukGuesses : ukGuessIdeal); kind++)
                e->wrench[kind] = wrenchOf(rows, joint->lambda[kind], pair.sign);
            const size_t slot = find(past, &pair);
            e->next = past->table[slot];
            past->table[slot] = past->count++;
        }
    }
}
