/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/fuzz/files/entry.c: the entry points of libFuzzer. UKODE_FUZZ_KIND says which kind of file. */
#include <ode/ode.h>
#include <sanitizer/lsan_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/files/files.h"

static const FuzzKind *kind;

const char *__asan_default_options(void);
int LLVMFuzzerInitialize(int *count, char ***words);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

const char *__asan_default_options(void)
{
    return "quarantine_size_mb=64"; /* much less than the memory that an input may take */
}

int LLVMFuzzerInitialize(int *count, char ***words)
{
    static const FuzzKind *const kinds[] = FUZZ_KINDS;
    const char *const name = getenv("UKODE_FUZZ_KIND"), *const seeds = getenv("UKODE_FUZZ_SEEDS");
    static uint8_t seed[1 << 20];
    (void)count;
    (void)words;
    for (size_t i = 0; name && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i]->name, name) == 0) kind = kinds[i];
    if (!freopen("/dev/null", "w", stdout)) exit(2); /* what is printed there is what commands print */
    dInitODE2(0);
    dAllocateODEDataForThread((unsigned)dAllocateMaskAll);
    if (!kind || !kind->begin()) {
        fprintf(stderr, "UKODE_FUZZ_KIND: recording, inputs, state, sweep, config, study or text (SQLite is needed)\n");
        exit(2);
    }
    /* A call that an assertion of ODE's ends is left (fuzzGuarded), and what it had is lost. */
    if (kind == &fuzzInputs || kind == &fuzzState) __lsan_disable();
    size_t size;
    for (int k = 0; seeds && (size = kind->seed(k, seed, sizeof seed)) > 0; k++) {
        char path[512];
        snprintf(path, sizeof path, "%s/seed-%d", seeds, k);
        fuzzWriteFile(path, seed, size);
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    kind->one(data, size);
    return 0;
}
