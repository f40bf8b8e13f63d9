/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/terminal/option.h: the options of a command, as a table: it reads them and prints their help. */
#ifndef UKODE_PLUGIN_TOOLS_TERMINAL_OPTION_H
#define UKODE_PLUGIN_TOOLS_TERMINAL_OPTION_H

#include <math.h>
#include <stdbool.h>

/* One option, `--name`, or with a value `--name VALUE` or `--name=VALUE`. A table ends with an entry without a name. */
typedef struct Option {
    const char *name, *other; /* with its dashes; `other`: a second name */
    const char *argument;     /* for the help; NULL: the option has no value */
    const char *needs;        /* for the message: what its value must be, "a file name" */
    const char *help;         /* lines; without help the entry above describes it as well */
    bool *flag;               /* where the option or its value goes; NULL: nowhere */
    const char **text;
    double *number;
    long *whole;
    bool is_number, is_whole;          /* the value is a finite number; a whole one */
    double least, most;                /* of a number */
    bool (*accepts)(const char *text); /* NULL: every value that is not empty */
} Option;

#define OPTION_FLAG(NAME, FLAG, HELP)                                                                                  \
    {                                                                                                                  \
        .name = NAME, .flag = FLAG, .help = HELP                                                                       \
    }
#define OPTION_TEXT(NAME, ARGUMENT, TEXT, NEEDS, HELP)                                                                 \
    {                                                                                                                  \
        .name = NAME, .argument = ARGUMENT, .text = TEXT, .needs = NEEDS, .help = HELP                                 \
    }
#define OPTION_CHECKED(NAME, ARGUMENT, TEXT, ACCEPTS, NEEDS, HELP)                                                     \
    {                                                                                                                  \
        .name = NAME, .argument = ARGUMENT, .text = TEXT, .accepts = ACCEPTS, .needs = NEEDS, .help = HELP             \
    }
#define OPTION_NUMBER(NAME, ARGUMENT, NUMBER, LEAST, MOST, NEEDS, HELP)                                                \
    {                                                                                                                  \
        .name = NAME, .argument = ARGUMENT, .number = NUMBER, .is_number = true, .least = LEAST, .most = MOST,         \
        .needs = NEEDS, .help = HELP                                                                                   \
    }
#define OPTION_WHOLE(NAME, ARGUMENT, WHOLE, LEAST, MOST, NEEDS, HELP)                                                  \
    {                                                                                                                  \
        .name = NAME, .argument = ARGUMENT, .whole = WHOLE, .is_number = true, .is_whole = true, .least = LEAST,       \
        .most = MOST, .needs = NEEDS, .help = HELP                                                                     \
    }

/* Reads the option at argv[0]: how many words it takes; 0: the table (NULL: empty) has none of this name; -1: its value
 * is wrong, after a message. */
int optionRead(const Option *table, int argc, char **argv);
/* Prints a line of help or more for each. */
void optionHelp(const Option *table);

/* The value of the option `name` (with its dashes) at argv[0]; "": it has none; NULL: argv[0] is another word. *used:
 * how many words it takes. */
const char *optionValue(const char *name, int argc, char **argv, int *used);

#endif
