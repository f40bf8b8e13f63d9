/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/base/forked.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MostWatchers = 8 };
typedef void Watcher(void);

static atomic_int *mark; /* 1; the kernel makes it 0 in a child. NULL: children cannot be recognized */
static Watcher *watcher[MostWatchers];
static atomic_int watchers;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void markAgain(void)
{
    if (mark) *mark = 1;
}

static void makeMark(void)
{
#ifdef MADV_WIPEONFORK
    const size_t size = (size_t)sysconf(_SC_PAGESIZE);
    void *const page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return;
    if (madvise(page, size, MADV_WIPEONFORK) != 0 || pthread_atfork(NULL, NULL, markAgain) != 0) {
        munmap(page, size);
        return;
    }
    mark = page;
    markAgain();
#endif
}

bool ukForkedWatch(void (*child)(void), bool handler)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, makeMark); /* its handler is the first one that runs in a child of fork */
    if (handler && pthread_atfork(NULL, NULL, child) != 0) return false;
    pthread_mutex_lock(&lock);
    const bool room = watchers < MostWatchers;
    if (room) watcher[watchers++] = child;
    pthread_mutex_unlock(&lock);
    return room;
}

void ukForkedCheck(void)
{
    if (!mark || *mark) return;
    markAgain();
    pthread_mutex_init(&lock, NULL);
    for (int i = 0; i < watchers; i++) watcher[i]();
}
