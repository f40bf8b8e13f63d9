/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/terminal/limit.h: limits the memory that reading a file may take. */
#ifndef UKODE_PLUGIN_TOOLS_TERMINAL_LIMIT_H
#define UKODE_PLUGIN_TOOLS_TERMINAL_LIMIT_H

/* Limits the data of this process (RLIMIT_DATA) to 768 MB and 100 bytes for each byte of the files among the words;
 * a limit that is lower stays. */
void limitMemory(int count, char *const *words);

#endif
