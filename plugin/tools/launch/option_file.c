/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/launch/option_file.h"

#include <stdio.h>
#include <string.h>

#include "plugin/config.h"
#include "plugin/formats/snapshot/states.h"
#include "plugin/tools/terminal/message.h"
#include "plugin/tools/terminal/output_file.h"

static bool readConfigOption(const char *path)
{
    char message[400];
    ukConfig read;
    if (ukConfigRead(path, &read, message, sizeof message) != 0) return messageFail(false, "--config: %s", message);
    ukConfigFree(&read);
    return true;
}

static bool readRestoreOption(const char *path)
{
    ukSavedStates states = {0};
    const char *const fault = ukStatesRead(path, &states);
    if (fault) return messageFail(false, "--restore: %s: %s", path, fault);
    const bool any = states.count > 0;
    ukStatesForget(&states);
    return any || messageFail(false, "--restore: %s: it has no state of a world", path);
}

bool optionFileReady(const char *name, const char *path)
{
    if (strcmp(name, "config") == 0) return readConfigOption(path);
    if (strcmp(name, "restore") == 0) return readRestoreOption(path);
    if (strcmp(name, "record") == 0) return true; /* launch/record_file.h, for the variable as well */
    const int error = outputFileCheck(path);
    if (error != 0) return messageFail(false, "--%s: %s: %s", name, path, outputFileFault(error));
    const char *const fault = strcmp(name, "save") == 0 ? ukStatesOccupied(path) : NULL;
    return !fault || messageFail(false, "--%s: %s: %s", name, path, fault);
}
