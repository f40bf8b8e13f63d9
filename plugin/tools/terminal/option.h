/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/terminal/option.h: options of commands that have a value: `--name VALUE` or `--name=VALUE`. */
#ifndef UKODE_PLUGIN_TOOLS_TERMINAL_OPTION_H
#define UKODE_PLUGIN_TOOLS_TERMINAL_OPTION_H

/* The value of the option `name` (with its dashes) at argv[0]; "": it has none; NULL: argv[0] is another word. *used:
 * how many words it takes. */
const char *optionValue(const char *name, int argc, char **argv, int *used);

#endif
