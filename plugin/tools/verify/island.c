/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/verify/island.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char no_memory[] = "no memory";

/* bytes of a number of each array */
static size_t widthOf(int array)
{
    const bool words = array == IslandBody || array == IslandBlocks || array == IslandNormal || array == IslandDisc ||
                       array == IslandSplitRow;
    return words ? 4 : 8;
}

static void reverseBytes(unsigned char *bytes, size_t width)
{
    for (size_t i = 0; i < width / 2; i++) {
        const unsigned char x = bytes[i];
        bytes[i] = bytes[width - 1 - i];
        bytes[width - 1 - i] = x;
    }
}

/* Copies all arrays, converted to this machine's byte order, one after the other; the blocks' records follow them. */
static bool copyArrays(const IslandSource *source, size_t blocks, Island *island, const void *array[IslandArrays])
{
    const int one = 1;
    const bool little = *(const char *)&one == 1;
    size_t at[IslandArrays], bytes = 0;
    for (int k = 0; k < IslandArrays; k++) {
        at[k] = bytes;
        bytes += (source->array[k].size + 15) / 8 * 8;
    }
    const size_t records = bytes;
    bytes += (blocks + 1) * sizeof(IslandBlock);
    if (bytes > island->capacity) {
        free(island->memory);
        island->capacity = 0;
        island->memory = malloc(bytes);
        if (!island->memory) return false;
        island->capacity = bytes;
    }
    unsigned char *const memory = island->memory;
    for (int k = 0; k < IslandArrays; k++) {
        const size_t size = source->array[k].size, width = widthOf(k);
        array[k] = source->array[k].bytes ? memory + at[k] : NULL;
        if (!array[k] || size == 0) continue;
        memcpy(memory + at[k], source->array[k].bytes, size);
        for (size_t i = 0; !little && i + width <= size; i += width) reverseBytes(memory + at[k] + i, width);
    }
    island->block = (IslandBlock *)(void *)(memory + records);
    return true;
}

/* The blocks from their words, which must use all words and all coefficients. */
static bool readBlocks(const IslandSource *source, const int *word, const double *jacobian, Island *island)
{
    const size_t words = source->array[IslandBlocks].size / 4, most = source->array[IslandJacobian].size / 8;
    static const double none[1];
    IslandBlock *block = (IslandBlock *)island->block;
    size_t at = 0, coefficient = 0;
    if (!jacobian) jacobian = none;
    island->blocks = island->rows = 0;
    while (at < words) {
        if (words - at < 4) return false;
        IslandBlock b = {
            .kind = word[at], .key = word[at + 1], .row = island->rows, .rows = word[at + 2], .slots = word[at + 3]};
        at += 4;
        if (b.kind < 0 || b.kind > 3 || b.rows < 0 || b.rows > INT16_MAX || b.slots < 1) return false;
        if ((size_t)b.slots > words - at) return false;
        b.body = word + at;
        for (int s = 0; s < b.slots; s++)
            if (b.body[s] < -1 || b.body[s] >= island->bodies) return false;
        at += (size_t)b.slots;
        const size_t size = 6 * (size_t)b.rows * (size_t)b.slots;
        if (size > most - coefficient) return false;
        b.jacobian = jacobian + coefficient;
        coefficient += size;
        island->rows += b.rows;
        block[island->blocks++] = b;
    }
    return coefficient == most;
}

/* Whether the array has `numbers` numbers, or is absent and `optional`. */
static bool hasSize(const IslandSource *source, int array, size_t numbers, bool optional)
{
    if (!source->array[array].bytes && source->array[array].size == 0 && (optional || numbers == 0)) return true;
    return source->array[array].bytes && source->array[array].size == numbers * widthOf(array);
}

static const char *wrongSize(const IslandSource *source, const Island *i)
{
    const size_t n = (size_t)i->bodies, m = (size_t)i->rows;
    const bool bounded = source->array[IslandLower].bytes != NULL;
    if (!hasSize(source, IslandMass, n, false) || !hasSize(source, IslandInertia, 9 * n, false) ||
        !hasSize(source, IslandForce, 6 * n, false) || !hasSize(source, IslandPrescribed, 6 * n, true) ||
        !hasSize(source, IslandAcceleration, 6 * n, false))
        return "arrays of its bodies differ in length";
    for (int k = IslandLower; k <= IslandBoundUpper; k++)
        if (!hasSize(source, k, m, !bounded) || (!bounded && source->array[k].bytes))
            return "the four arrays of bounds must all be present, with a number per row, or all be absent";
    if (!hasSize(source, IslandRightSide, m, false) || !hasSize(source, IslandSoftness, m, false) ||
        !hasSize(source, IslandMultiplier, m, false) || !hasSize(source, IslandNormal, m, true) ||
        !hasSize(source, IslandDisc, m, true) || !hasSize(source, IslandLoad, m, true))
        return "arrays of its rows differ in length";
    return !bounded && source->array[IslandNormal].bytes ? "friction without bounds" : NULL;
}

/* Checks the arrays of format 2. */
static const char *wrongEnd(const IslandSource *source, const Island *i)
{
    const size_t n = (size_t)i->bodies, k = (size_t)i->splits;
    const bool split = source->array[IslandSplitVelocity].bytes != NULL;
    if (source->format == 1 || source->continuous == IslandContinuous) {
        for (int a = IslandFirstForm; a < IslandArrays; a++)
            if (source->array[a].bytes)
                return "it has velocities, which its format or the continuous form does not have";
        return NULL;
    }
    if (!hasSize(source, IslandVelocity, 6 * n, false) || !hasSize(source, IslandVelocityEnd, 6 * n, false) ||
        !hasSize(source, IslandSpinCap, n, true) || !hasSize(source, IslandPose, 7 * n, false) ||
        !hasSize(source, IslandPoseEnd, 7 * n, false) || !hasSize(source, IslandRotation, 4 * n, true))
        return "velocities or poses of its bodies are missing";
    if (!hasSize(source, IslandSplitVelocity, 6 * n, true) || !hasSize(source, IslandSplitPush, k, !split) ||
        !hasSize(source, IslandSplitSide, k, !split) || !hasSize(source, IslandSplitForce, k, !split))
        return "arrays of its split correction differ in length";
    for (int r = 0; r < i->splits; r++)
        if (!split || i->split_row[r] >= i->rows || i->split_row[r] <= (r > 0 ? i->split_row[r - 1] : -1))
            return "rows of its split correction do not exist";
    return NULL;
}

static const char *wrongRows(const Island *i)
{
    for (int k = 0; k < i->blocks; k++) {
        const IslandBlock *b = &i->block[k];
        for (int r = b->row; r < b->row + b->rows; r++) {
            const int normal = i->normal ? i->normal[r] : -1, disc = i->disc ? i->disc[r] : 0;
            if (normal < -1 || normal >= i->rows || (normal >= 0 && i->normal[normal] >= 0))
                return "a row of friction has no normal force";
            if (disc < 0 || disc > 2 || r + disc >= b->row + b->rows) return "rows of a disc without a common bound";
            if (disc > 0 && !i->bound_upper) return "rows of a disc without a common bound";
        }
    }
    return NULL;
}

static const char *wrongNumbers(const Island *i)
{
    for (int k = 0; k < i->bodies; k++) {
        const double *I = i->inertia + 9 * (size_t)k;
        const double second = I[0] * I[4] - I[1] * I[3];
        const double det = I[0] * (I[4] * I[8] - I[5] * I[7]) - I[1] * (I[3] * I[8] - I[5] * I[6]) +
                           I[2] * (I[3] * I[7] - I[4] * I[6]);
        const double skew = fabs(I[1] - I[3]) + fabs(I[2] - I[6]) + fabs(I[5] - I[7]);
        if (!(i->mass[k] > 0) || i->mass[k] == INFINITY) return "a mass is not positive";
        if (!(I[0] > 0 && second > 0 && det > 0) || !(skew <= 1e-12 * (I[0] + I[4] + I[8])))
            return "an inertia is not positive definite";
    }
    for (int r = 0; r < i->rows; r++) {
        if (!(i->softness[r] >= 0)) return "a softness is negative";
        if (!i->lower) continue;
        if (!(i->bound_lower[r] <= i->bound_upper[r]) || !(i->lower[r] <= i->upper[r]))
            return "a lower bound is above the upper bound";
    }
    return NULL;
}

static const char *readEnd(const IslandSource *source, const void *const array[IslandArrays], Island *island)
{
    island->format = source->format;
    island->velocity = array[IslandVelocity], island->velocity_end = array[IslandVelocityEnd];
    island->spin_cap = array[IslandSpinCap];
    island->pose = array[IslandPose], island->pose_end = array[IslandPoseEnd], island->rotation = array[IslandRotation];
    island->splits = (int)(source->array[IslandSplitRow].size / 4);
    island->split_row = array[IslandSplitRow];
    island->split_push = array[IslandSplitPush], island->split_side = array[IslandSplitSide];
    island->split_force = array[IslandSplitForce], island->split_velocity = array[IslandSplitVelocity];
    return wrongEnd(source, island);
}

const char *islandRead(const IslandSource *source, Island *island)
{
    const void *array[IslandArrays];
    const size_t bodies = source->array[IslandBody].size / 4, blocks = source->array[IslandBlocks].size / 20;
    if (source->format != 1 && source->format != 2) return "its format is another version's";
    if (bodies == 0 || bodies > INT32_MAX / 16 || source->array[IslandBody].size % 4) return "it has no bodies";
    for (int k = 0; k < IslandArrays; k++)
        if (source->array[k].size % widthOf(k)) return "an array is truncated";
    if (!(source->h > 0)) return "its step size is not positive";
    if (source->law < IslandTwoPhase || source->law > IslandCone) return "its friction law is unknown";
    if (!copyArrays(source, blocks, island, array)) return no_memory;
    island->bodies = (int)bodies;
    if (!readBlocks(source, array[IslandBlocks], array[IslandJacobian], island)) return "its blocks are incomplete";
    const char *wrong = wrongSize(source, island);
    if (wrong) return wrong;
    island->law = source->law;
    island->continuous = source->continuous == IslandContinuous;
    island->impacts = source->continuous == IslandImpacts;
    island->h = source->h, island->coupling = source->coupling, island->compromise = source->compromise;
    island->body = array[IslandBody];
    island->mass = array[IslandMass], island->inertia = array[IslandInertia];
    island->force = array[IslandForce], island->prescribed = array[IslandPrescribed];
    island->right_side = array[IslandRightSide], island->softness = array[IslandSoftness];
    island->lower = array[IslandLower], island->upper = array[IslandUpper];
    island->bound_lower = array[IslandBoundLower], island->bound_upper = array[IslandBoundUpper];
    island->normal = array[IslandNormal], island->disc = array[IslandDisc], island->load = array[IslandLoad];
    island->acceleration = array[IslandAcceleration], island->multiplier = array[IslandMultiplier];
    wrong = wrongRows(island);
    if (!wrong) wrong = wrongNumbers(island);
    return wrong ? wrong : readEnd(source, array, island);
}
