/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/base/progress.h"

#include <fcntl.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static ukProgressPage *page; /* set once, before any analysis begins */

int ukProgressOpen(const char *path)
{
    struct stat s;
    const int file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0) return 0;
    if (fstat(file, &s) == 0 && s.st_size >= (off_t)sizeof *page) {
        void *const at = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (at != MAP_FAILED) page = at;
    }
    close(file);
    return page != NULL;
}

void ukProgressStore(ukProgressStage stage, double done, double of)
{
    if (!page) return;
    page->done = done;
    page->of = of;
    page->stage = (int)stage;
}
