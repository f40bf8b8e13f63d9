/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/command/analyze_progress.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bridge/base/clock.h"
#include "bridge/base/progress.h"
#include "plugin/tools/launch/launch.h"
#include "plugin/tools/terminal/progress.h"

static ukProgressPage *page;
static double begun;

static void describeProgress(char *text, size_t size)
{
    const int stage = page->stage;
    const double done = page->done, of = page->of;
    switch (stage) {
    case ukProgressRunning: snprintf(text, size, "%.4g s of %.4g s simulated", done, of); return;
    case ukProgressConstraints: snprintf(text, size, "factoring the constraints"); return;
    case ukProgressLinearizing: snprintf(text, size, "linearizing: %.0f %%", of > 0 ? 100 * done / of : 0); return;
    case ukProgressModes: snprintf(text, size, "finding the modes"); return;
    case ukProgressAssembling: snprintf(text, size, "assembling: start %.0f of at most %.0f", done + 1, of); return;
    case ukProgressBalancing:
        snprintf(text, size, "searching an equilibrium: iteration %.0f of at most %.0f", done + 1, of);
        return;
    default: snprintf(text, size, "forces at %.4g s of %.4g s", done, of); return;
    }
}

static void showProgress(void)
{
    char text[120], line[160];
    describeProgress(text, sizeof text);
    snprintf(line, sizeof line, "%s (%.0f s)", text, ukSeconds() - begun);
    progressText(line);
}

void analyzeProgressBegin(const char *folder, double until, bool always)
{
    char path[1200];
    if (!(always ? progressBeginLines() : progressBegin())) return;
    snprintf(path, sizeof path, "%s/progress", folder);
    const int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) return;
    void *const at = ftruncate(file, sizeof *page) == 0
                         ? mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                         : MAP_FAILED;
    close(file);
    if (at == MAP_FAILED) return;
    page = at;
    page->of = until;
    begun = ukSeconds();
    launchObserve(showProgress);
}

void analyzeProgressEnd(void)
{
    launchObserve(NULL);
    progressEnd();
    if (page) munmap(page, sizeof *page);
    page = NULL;
}
