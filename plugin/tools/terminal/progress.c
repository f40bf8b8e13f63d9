/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/terminal/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bridge/base/clock.h"
#include "bridge/base/plural.h"

static const double interval = 0.2;    /* between two drawings [s] */
static const double line_interval = 1; /* between two whole lines */
static bool shown, drawn, lines;
static double begun, last;

bool progressBegin(void)
{
    const char *const terminal = getenv("TERM");
    shown = isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
    drawn = false;
    begun = last = ukSeconds();
    return shown;
}

bool progressBeginLines(void)
{
    lines = !progressBegin();
    shown = true;
    if (lines) last = begun - line_interval; /* the first at once */
    return shown;
}

void progressText(const char *text)
{
    const double now = ukSeconds();
    if (!shown || now - last < (lines ? line_interval : interval)) return;
    last = now;
    if (lines) {
        dprintf(STDERR_FILENO, "ukode: %s\n", text);
        return;
    }
    drawn = true;
    dprintf(STDERR_FILENO, "\rukode: %s\033[K", text); /* what stderr would escape (plugin/tools/terminal/console.h) */
}

static void showState(double simulated_seconds, double not_certified, const char *cost)
{
    char text[240];
    snprintf(text, sizeof text, "%.1f s simulated, %.3g x real time, %.0f step%s not certified%s", simulated_seconds,
             simulated_seconds / (ukSeconds() - begun), not_certified, ukPlural(not_certified), cost);
    progressText(text);
}

void progressShow(double simulated_seconds, double not_certified)
{
    showState(simulated_seconds, not_certified, "");
}

static double progressNumberOf(const char *line, const char *key)
{
    const char *const found = strstr(line, key);
    return found ? strtod(found + strlen(key), NULL) : 0;
}

void progressLine(const char *line)
{
    if (!shown) return;
    const double taken = progressNumberOf(line, "\"evaluations\":");
    const double plain = progressNumberOf(line, "\"plain_evaluations\":");
    char cost[80] = "";
    if (taken > ukManyEvaluations * plain)
        snprintf(cost, sizeof cost, ", %.3g evaluations per step (plain: %.3g)", taken, plain);
    showState(progressNumberOf(line, "\"simulated_seconds\":"), progressNumberOf(line, "\"rejected\":"), cost);
}

void progressEnd(void)
{
    if (drawn) dprintf(STDERR_FILENO, "\r\033[K");
    shown = drawn = lines = false;
}
