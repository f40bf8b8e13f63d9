/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/page/page.h: writes a page as one HTML file, which contains plugin/tools/page/ (part of the command),
 * three.js and dygraphs of Debian (found when the page is made), and the data. */
#ifndef UKODE_PLUGIN_TOOLS_PAGE_PAGE_H
#define UKODE_PLUGIN_TOOLS_PAGE_PAGE_H

#include <stdbool.h>
#include <stdio.h>

/* false after a message that names the Debian packages: a library is not here. */
bool pageReady(void);

/* Writes the page of that form ("page.html": of a recording; "live.html": of a
 * program that runs; "study.html": of a sweep,
 * "modes.html": of modes of motion; these two need no libraries); `data`
 * writes the JSON. false: it could not, or `data` says so. */
bool pageWrite(FILE *file, const char *form, bool (*data)(FILE *file, void *context), void *context);

#endif
