/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/terminal/option.h"

#include <string.h>

const char *optionValue(const char *name, int argc, char **argv, int *used)
{
    const size_t length = strlen(name);
    if (strncmp(argv[0], name, length) != 0 || (argv[0][length] && argv[0][length] != '=')) return NULL;
    const char *const next = argc > 1 ? argv[1] : NULL;
    *used = argv[0][length] || !next ? 1 : 2;
    return argv[0][length] ? argv[0] + length + 1 : next ? next : "";
}
