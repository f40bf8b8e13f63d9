/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/launch/record_file.c: whether the file of a recording may be written. */
#include "plugin/tools/launch/record_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "plugin/formats/recording/reader.h"

bool recordPrepare(void)
{
    const char *const path = getenv("UKODE_RECORD");
    if (!path || !*path) return true;
    if (!ukSqliteReady()) {
        fprintf(stderr, "ukode: %s\n", UKODE_SQLITE_MISSING);
        return false;
    }
    if (access(path, F_OK) != 0) return true;
    if (!ukReaderIs(path)) {
        fprintf(stderr, "ukode: %s exists and is not a recording: it is not replaced\n", path);
        return false;
    }
    char name[1200];
    for (int i = 1; ukReaderNumbered(path, i, name, sizeof name) && ukReaderIs(name); i++) unlink(name);
    return true;
}
