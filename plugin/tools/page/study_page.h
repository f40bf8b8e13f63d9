/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/page/study_page.h: the database of a sweep as a page, or as text. */
#ifndef UKODE_PLUGIN_TOOLS_PAGE_STUDY_PAGE_H
#define UKODE_PLUGIN_TOOLS_PAGE_STUDY_PAGE_H

#include <stdbool.h>

#include "plugin/formats/recording/reader.h"

/* Opens the database of a sweep: its columns have plain names. false: r->error. To be closed by ukReaderClose if
 * true. */
bool studyOpen(ukReader *r, const char *path);

/* `page`: NULL: the database's name with .html; `text`: counts and results on standard output, and no page unless it is
 * named. The exit status. */
int studyPage(const char *database, const char *page, bool text);

#endif
