/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/fuzz/files/files.h: a fuzzer for each kind of file that may come from anywhere. The entry points are
 * libFuzzer's (entry.c); without it a mutator of our own calls them, with fixed seeds (mutate.c). */
#ifndef UKODE_TESTS_FUZZ_FILES_H
#define UKODE_TESTS_FUZZ_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct FuzzKind {
    const char *name;
    bool (*begin)(void);                             /* once; false: it cannot be fuzzed here (no SQLite) */
    void (*one)(const uint8_t *data, size_t size);   /* must return, whatever the data is */
    size_t (*seed)(int k, uint8_t *to, size_t room); /* the k-th input to begin with; 0: there are no more */
    int usual;                                       /* inputs of a test */
} FuzzKind;

extern const FuzzKind fuzzRecording, fuzzInputs, fuzzState, fuzzSweep, fuzzConfig, fuzzStudy, fuzzText;
#define FUZZ_KINDS                                                                                                     \
    {                                                                                                                  \
        &fuzzRecording, &fuzzInputs, &fuzzState, &fuzzSweep, &fuzzConfig, &fuzzStudy, &fuzzText                        \
    }

/* ---- what fuzzers share (template.c) ---- */

/* A folder of this process, removed when it ends, and the path of a name in it (of four that take turns). */
const char *fuzzPath(const char *name);
bool fuzzWriteFile(const char *path, const void *bytes, size_t size);
/* The bytes of a file, to be freed; NULL: it cannot be read. */
uint8_t *fuzzReadFile(const char *path, size_t *size);

/* A world with joints of several types, contacts, a user's constraint, force and law, and a moved callback, recorded
 * for some steps with inputs and certificates. */
bool fuzzRecordTemplate(const char *path);
/* Such a world, not stepped yet; fuzzWorldStep steps it once, with its contacts. */
void *fuzzWorldMake(void);
void fuzzWorldStep(void);
void fuzzWorldDestroy(void);

/* Calls a function that ODE may refuse by its assertions: then it is left, and what it had is lost. */
void fuzzGuarded(void (*function)(void *), void *context);

#endif
