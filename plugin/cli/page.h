/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/cli/page.h: one HTML file that holds everything: plugin/report/ (within the command), three.js and dygraphs of
 * Debian, found when the page is made, and the data. */
#ifndef UKODE_PLUGIN_CLI_PAGE_H
#define UKODE_PLUGIN_CLI_PAGE_H

#include <stdbool.h>
#include <stdio.h>

/* false after a message that names the Debian packages: a library is not here. */
bool pageReady(void);

/* Writes the page; `data` writes the JSON. false: it could not, or `data` says so. */
bool pageWrite(FILE *file, bool (*data)(FILE *file, void *context), void *context);

#endif
