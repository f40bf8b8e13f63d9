/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/terminal/console.h: standard output and error of a command that prints text from files. */
#ifndef UKODE_PLUGIN_TOOLS_TERMINAL_CONSOLE_H
#define UKODE_PLUGIN_TOOLS_TERMINAL_CONSOLE_H

#include <stdio.h>

/* Makes stdout and stderr escape control characters except newlines and tabs as \xNN, whatever prints them. Without
 * memory both stay unchanged. */
void consoleBegin(void);

/* Called at the end of the command: returns 1, after a message, if not all of standard output could be written and
 * `status` is 0; else `status`. */
int consoleEnd(int status);

/* stdout and stderr are variables in glibc alone. Elsewhere (musl) the sources of the commands, which are compiled with
 * this header, use these two. */
#ifndef __GLIBC__
extern FILE *consoleOutput, *consoleError;
#ifndef UKODE_CONSOLE_STANDARD
#undef stdout
#undef stderr
#define stdout consoleOutput
#define stderr consoleError
#define printf(...) fprintf(consoleOutput, __VA_ARGS__)
#define vprintf(format, list) vfprintf(consoleOutput, format, list)
#define putchar(c) fputc(c, consoleOutput)
#define puts(text) fprintf(consoleOutput, "%s\n", text)
#endif
#endif

#endif
