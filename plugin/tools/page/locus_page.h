/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/page/locus_page.h: the poles of the runs of a sweep (docs/sweep.md), whose programs are `ukode modes`: a
 * root locus, as a table, as CSV, or on the page of modes. */
#ifndef UKODE_PLUGIN_TOOLS_PAGE_LOCUS_PAGE_H
#define UKODE_PLUGIN_TOOLS_PAGE_LOCUS_PAGE_H

/* Prints a row per run; `path`: a page (.html) or all poles (.csv); NULL: neither. The exit status. */
int locusPage(const char *database, const char *path);

#endif
