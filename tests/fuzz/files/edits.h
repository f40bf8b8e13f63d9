/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/fuzz/files/edits.h: the bytes of a fuzzer as changes to a database: most changes of raw bytes would end at the
 * check of its pages. */
#ifndef UKODE_TESTS_FUZZ_EDITS_H
#define UKODE_TESTS_FUZZ_EDITS_H

#include <stddef.h>
#include <stdint.h>

/* What is left of the fuzzer's bytes; zeros at its end. */
typedef struct Take {
    const uint8_t *at, *end;
} Take;
uint64_t takeNumber(Take *take, int bytes);

/* Writes `size` bytes of a database to `path`, changed as `take` says: values of any type in any row, schemas,
 * pages. */
void editDatabase(const char *path, const uint8_t *bytes, size_t size, Take *take);

#endif
