/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/error.c: the public view of the statuses and of the last error; bridge/base/log.c keeps them. */
#include <ukode/ukode.h>

#include "bridge/base/log.h"

const char *ukGetErrorString(int status)
{
    return ukErrorText(status);
}

int ukGetLastError(void)
{
    return ukErrorStatus();
}

const char *ukGetLastErrorMessage(void)
{
    return ukErrorMessage();
}
