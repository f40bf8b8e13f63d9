/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/version.c: which version of the library is running. */
#include <ukode/ukode.h>

const char *ukGetVersion(void)
{
    return UKODE_VERSION;
}
