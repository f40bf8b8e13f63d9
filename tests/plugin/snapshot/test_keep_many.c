/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of saved states with a great many worlds in them: read in a time that grows with their size, not with its
 * square; and a world that is there twice is found wherever it stands. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <ukode/ukode.h>

#include "plugin/formats/snapshot/digest.h"
#include "plugin/formats/snapshot/file.h"
#include "plugin/formats/snapshot/keep.h"
#include "tests/check.h"

enum { Header = 5, Worlds = 400000, Seconds = 20 }; /* gone through for each, the worlds would take minutes */

static uint64_t header[Header]; /* of a state, and no more: magic, version, size, checksum */

/* whole by its size and checksum, and the state of no world */
static void makeHeader(void)
{
    const dWorldID world = dWorldCreate();
    const size_t size = ukWorldSave(world, NULL, 0);
    unsigned char *const bytes = malloc(size), sum[16];
    CHECK(bytes && ukWorldSave(world, bytes, size) == size);
    memcpy(header, bytes, sizeof header);
    header[2] = sizeof header;
    ukDigest digest = ukDigestBegin();
    for (int i = 0; i < 3; i++) ukDigestWord(&digest, i, header[i]);
    ukDigestEnd(&digest, sum);
    memcpy(header + 3, sum, sizeof sum);
    CHECK(ukKeepWhole(header, sizeof header) == 0);
    free(bytes);
    dWorldDestroy(world);
}

/* the number of the i-th of them, each once; `twice`: the last one has that of the eighth */
static uint64_t numberOf(uint64_t i, int twice)
{
    return 3 * (twice && i == Worlds - 1 ? 7 : i) % (Worlds + 1);
}

static const char *restore(const char *path, int twice)
{
    FILE *const file = fopen(path, "wb");
    const uint64_t head[] = {0x65766173646f6b75u, 1, Worlds};
    CHECK(file && fwrite(head, sizeof head, 1, file) == 1);
    for (uint64_t i = 0; i < Worlds; i++) {
        const uint64_t entry[] = {numberOf(i, twice), sizeof header};
        CHECK(fwrite(entry, sizeof entry, 1, file) == 1 && fwrite(header, sizeof header, 1, file) == 1);
    }
    CHECK(fclose(file) == 0);
    return ukKeepFileRestore(path);
}

int main(void)
{
    char path[] = "/tmp/ukode-many-XXXXXX";
    const int file = mkstemp(path);
    dInitODE();
    makeHeader();
    CHECK(file >= 0 && setrlimit(RLIMIT_CPU, &(struct rlimit){Seconds, Seconds + 1}) == 0);
    CHECK(restore(path, 0) == NULL);
    ukKeepFileClose();
    const char *const fault = restore(path, 1);
    CHECK(fault && strcmp(fault, "it contains a world twice") == 0);
    ukKeepFileClose();
    close(file);
    unlink(path);
    dCloseODE();
    return ukTestEnd();
}
