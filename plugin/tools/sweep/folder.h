/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/sweep/folder.h: folders for runs, removed by the sweep that made them or, if it was killed, by the next
 * one. */
#ifndef UKODE_PLUGIN_TOOLS_SWEEP_FOLDER_H
#define UKODE_PLUGIN_TOOLS_SWEEP_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/* Creates a folder below TMPDIR or /tmp, and locks it as long as this process lives; removes folders that are not
 * locked any more. false after a message. */
bool folderBegin(char *path, size_t size);
/* Removes the folder and its contents. */
void folderRemove(const char *path);
/* Disk space of all files in the folder [bytes]. */
size_t folderSize(const char *path);

#endif
