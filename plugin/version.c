/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/version.c: the version of the running library. */
#include <ukode/ukode.h>

const char *ukGetVersion(void)
{
    return UKODE_VERSION;
}
