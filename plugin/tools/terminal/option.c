/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/terminal/option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *optionValue(const char *name, int argc, char **argv, int *used)
{
    const size_t length = strlen(name);
    if (strncmp(argv[0], name, length) != 0 || (argv[0][length] && argv[0][length] != '=')) return NULL;
    const char *const next = argc > 1 ? argv[1] : NULL;
    *used = argv[0][length] || !next ? 1 : 2;
    return argv[0][length] ? argv[0] + length + 1 : next ? next : "";
}

/* whether the value is one that the option may have; it is stored then */
static bool storeOption(const Option *o, const char *value)
{
    char *end = NULL;
    const double x = o->is_number ? strtod(value, &end) : 0;
    if (!*value || (o->accepts && !o->accepts(value))) return false;
    if (o->is_number && (*end || !(x >= o->least && x <= o->most) || (o->is_whole && x != floor(x)))) return false;
    if (o->text) *o->text = value;
    if (o->number) *o->number = x;
    if (o->whole) *o->whole = (long)x;
    return true;
}

int optionRead(const Option *table, int argc, char **argv)
{
    for (const Option *o = table; o && o->name; o++) {
        int used = 1;
        if (!o->argument) {
            if (strcmp(argv[0], o->name) != 0) continue;
            if (o->flag) *o->flag = true;
            return 1;
        }
        const char *value = optionValue(o->name, argc, argv, &used);
        if (!value && o->other) value = optionValue(o->other, argc, argv, &used);
        if (!value) continue;
        if (storeOption(o, value)) return used;
        fprintf(stderr, *value ? "ukode: %s needs %s, not '%s'\n" : "ukode: %s needs %s\n", o->name, o->needs, value);
        return -1;
    }
    return 0;
}

void optionHelp(const Option *table)
{
    for (const Option *o = table; o && o->name; o++) {
        char left[80];
        snprintf(left, sizeof left, "%s%s%s%s%s", o->name, o->other ? ", " : "", o->other ? o->other : "",
                 o->argument ? " " : "", o->argument ? o->argument : "");
        printf("  %-24s %s\n", left, o->help);
    }
}
