/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/launch/record_file.c: whether the file of a recording may be written. */
#include "plugin/tools/launch/record_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "plugin/formats/recording/reader.h"
#include "plugin/tools/terminal/message.h"
#include "plugin/tools/terminal/output_file.h"

bool recordPrepare(void)
{
    const char *const path = getenv("UKODE_RECORD");
    if (!path || !*path) return true;
    if (!ukSqliteReady()) return messageFail(false, "%s", UKODE_SQLITE_MISSING);
    if (access(path, F_OK) != 0) {
        const int error = outputFileCheck(path);
        return error == 0 ? true : messageFail(false, "no recording: %s: %s", path, outputFileFault(error));
    }
    if (!ukReaderIs(path)) return messageFail(false, "%s exists and is not a recording: it is not replaced", path);
    char name[1200];
    for (int i = 1; ukReaderNumbered(path, i, name, sizeof name) && ukReaderIs(name); i++) unlink(name);
    return true;
}
