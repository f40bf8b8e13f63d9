/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/snapshot/states.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bridge/base/grow.h"
#include "plugin/formats/snapshot/whole.h"
#include "solvers/base/status.h"

void ukStatesForget(ukSavedStates *states)
{
    for (size_t i = 0; i < states->count; i++) free(states->at[i].bytes);
    free(states->at);
    *states = (ukSavedStates){0};
}

ukSavedState *ukStatesInsert(ukSavedStates *states, size_t place, uint64_t number)
{
    if (!ukArrayReserve(&states->at, sizeof *states->at, states->count + 1, &states->capacity)) return NULL;
    ukSavedState *const state = &states->at[place];
    memmove(state + 1, state, (states->count++ - place) * sizeof *state);
    *state = (ukSavedState){.number = number};
    return state;
}

static bool readStateWord(FILE *file, uint64_t *word)
{
    unsigned char byte[ukStatesWordBytes];
    *word = 0;
    if (fread(byte, 1, sizeof byte, file) != sizeof byte) return false;
    for (int k = 0; k < ukStatesWordBytes; k++) *word |= (uint64_t)byte[k] << 8 * k;
    return true;
}

static const char *readState(FILE *file, ukSavedStates *states, size_t most)
{
    uint64_t number, size;
    if (!readStateWord(file, &number) || !readStateWord(file, &size) || size > most) return "it is truncated";
    unsigned char *const bytes = malloc(size + 1);
    ukSavedState *const entry = bytes ? ukStatesInsert(states, states->count, number) : NULL;
    if (!entry) {
        free(bytes);
        return "there is no memory for it";
    }
    entry->bytes = bytes;
    entry->size = size;
    if (fread(bytes, 1, size, file) != size) return "it is truncated";
    return ukKeepWhole(bytes, size) == ukOk ? NULL : "it is corrupt";
}

static int compareNumbers(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static const char *checkWorldsUnique(const ukSavedStates *states)
{
    uint64_t *const number = malloc((states->count + 1) * sizeof *number);
    bool twice = false;
    if (!number) return "there is no memory for it";
    for (size_t i = 0; i < states->count; i++) number[i] = states->at[i].number;
    qsort(number, states->count, sizeof *number, compareNumbers);
    for (size_t i = 1; i < states->count; i++) twice |= number[i] == number[i - 1];
    free(number);
    return twice ? "it contains a world twice" : NULL;
}

static const char *readStates(FILE *file, ukSavedStates *states, off_t size)
{
    uint64_t mark, saved_version, count;
    if (!readStateWord(file, &mark) || mark != ukStatesMagic || !readStateWord(file, &saved_version))
        return "it is not a file of saved states";
    if (saved_version != ukStatesVersion) return "it was written in another version of its format";
    if (!readStateWord(file, &count) || count > (uint64_t)size / (ukStatesEntryWords * ukStatesWordBytes))
        return "it is truncated";
    const char *fault = NULL;
    for (uint64_t i = 0; i < count && !fault; i++) fault = readState(file, states, (size_t)size);
    return fault ? fault : checkWorldsUnique(states);
}

/* Opens a regular file; a device or FIFO could be endless or block the program. NULL: *fault is the reason. */
static FILE *openRegular(const char *path, off_t *size, const char **fault)
{
    struct stat status;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0 || fstat(descriptor, &status) != 0)
        *fault = strerror(errno);
    else if (!S_ISREG(status.st_mode))
        *fault = "it is not a regular file";
    FILE *const file = *fault ? NULL : fdopen(descriptor, "rb");
    if (!file && !*fault) *fault = strerror(errno);
    if (!file && descriptor >= 0) close(descriptor);
    if (file) *size = status.st_size;
    return file;
}

const char *ukStatesRead(const char *path, ukSavedStates *states)
{
    off_t size = 0;
    const char *fault = NULL;
    FILE *const file = openRegular(path, &size, &fault);
    if (!file) return fault;
    fault = readStates(file, states, size);
    fclose(file);
    if (fault) ukStatesForget(states);
    return fault;
}

/* whether a file begins as one of saved states */
static bool areStates(const char *path)
{
    off_t size = 0;
    uint64_t mark = 0;
    const char *fault = NULL;
    FILE *const file = openRegular(path, &size, &fault);
    const bool read = file && readStateWord(file, &mark);
    if (file) fclose(file);
    return read && mark == ukStatesMagic;
}

const char *ukStatesOccupied(const char *path)
{
    struct stat status;
    if (lstat(path, &status) != 0) return errno == ENOENT ? NULL : strerror(errno);
    if (S_ISLNK(status.st_mode)) return "it is a symbolic link, which is not followed";
    if (!S_ISREG(status.st_mode)) return "it is not a regular file";
    return status.st_size == 0 || areStates(path) ? NULL : "it is not a file of saved states, and is not replaced";
}
