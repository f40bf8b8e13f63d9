/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/terminal/message.h"

#include <stdarg.h>
#include <stdio.h>

void messagePrint(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("ukode: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}
