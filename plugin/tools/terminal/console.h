/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/terminal/console.h: standard output and error of a command that prints what it read in files. */
#ifndef UKODE_PLUGIN_TOOLS_TERMINAL_CONSOLE_H
#define UKODE_PLUGIN_TOOLS_TERMINAL_CONSOLE_H

/* From here on both escape control characters but newlines and tabs, as \xNN, whatever prints them. Where there is no
 * memory they stay as they are. */
void consoleBegin(void);

#endif
