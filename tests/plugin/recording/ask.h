/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/plugin/recording/ask.h: one value of a test's recording, by SQLite. */
#ifndef UKODE_TESTS_PLUGIN_RECORDING_ASK_H
#define UKODE_TESTS_PLUGIN_RECORDING_ASK_H

extern char path[64]; /* of the recording */

/* the first value of a query; NaN: NULL, or no row */
double ask(const char *sql);

#endif
