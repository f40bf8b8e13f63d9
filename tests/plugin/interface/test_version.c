/* SPDX-License-Identifier: BSD-3-Clause */
/* The version is one: the header's text and numbers, the library's, the project's. A program sees the statuses with the
 * public header alone, and their values, which are part of the interface, do not change. */
#include <stdio.h>
#include <string.h>

#include <ukode/ukode.h>

#include "tests/check.h"

static void version(void)
{
    char numbers[64];
    snprintf(numbers, sizeof numbers, "%d.%d.%d", UKODE_VERSION_MAJOR, UKODE_VERSION_MINOR, UKODE_VERSION_PATCH);
    CHECK(strcmp(numbers, UKODE_VERSION) == 0);
    CHECK(strcmp(ukGetVersion(), UKODE_VERSION) == 0);
    CHECK(strcmp(UKODE_PROJECT_VERSION, UKODE_VERSION) == 0);
}

static void statuses(void)
{
    static const enum ukStatus status[] = {
        ukOk,
        ukErrorArgument,
        ukErrorHandle,
        ukErrorStepsize,
        ukErrorNotFinite,
        ukErrorMass,
        ukErrorSingular,
        ukErrorMemory,
        ukErrorLapack,
        ukErrorNotConverged,
        ukErrorCheck,
        ukErrorUnsupported,
        ukErrorChanged,
        ukErrorCallback,
        ukErrorContradiction,
        ukErrorParameter,
    };
    for (int i = 0; i < (int)(sizeof status / sizeof *status); i++) {
        CHECK(status[i] == -i);
        CHECK(strcmp(ukGetErrorString(status[i]), ukGetErrorString(-1000)) != 0);
    }
    CHECK(ukWorldEnable(NULL) == ukErrorHandle && ukGetLastError() == ukErrorHandle);
}

int main(void)
{
    version();
    statuses();
    return ukTestEnd();
}
