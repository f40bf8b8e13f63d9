/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/plugin/recording/columns.h: reads values of a recording with SQLite and compares them. */
#ifndef UKODE_TESTS_PLUGIN_RECORDING_COLUMNS_H
#define UKODE_TESTS_PLUGIN_RECORDING_COLUMNS_H

#include <stdbool.h>

#include <ukode/ukode.h>

#include "tests/plugin/recording/ask.h"

static const double h = 0.01;

/* Begins and ends the recording of a world at `path`. */
void begin(dWorldID w, bool certificates);
void end(dWorldID w);

double column(const char *table, const char *name, const char *where);
/* Checks a column; expected NaN: NULL. */
void is(const char *table, const char *name, const char *where, double expected, double tolerance);
/* columns NAME_x, NAME_y, NAME_z */
void isVector(const char *table, const char *name, const char *where, const double x[3], double tolerance);

#endif
