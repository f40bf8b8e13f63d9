/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/base/pool.h"

#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "bridge/base/forked.h"

static struct {
    pthread_mutex_t busy; /* held by the caller of a job */
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t go, done;
    pthread_t thread[ukPoolMost];
    int threads; /* without the caller */
    bool watched, quit;
    int open, working; /* threads that may still join the job, and those at work on it */
    void (*task)(void *, int);
    void *context;
    int tasks;
    fenv_t environment;
    atomic_int next;
} pool = {.busy = PTHREAD_MUTEX_INITIALIZER,
          .lock = PTHREAD_MUTEX_INITIALIZER,
          .go = PTHREAD_COND_INITIALIZER,
          .done = PTHREAD_COND_INITIALIZER};

static void runTasks(void)
{
    for (int k; (k = atomic_fetch_add(&pool.next, 1)) < pool.tasks;) pool.task(pool.context, k);
}

static void *runWorker(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        while (!pool.quit && pool.open == 0) pthread_cond_wait(&pool.go, &pool.lock);
        if (pool.quit) break;
        pool.open--;
        pool.working++;
        pthread_mutex_unlock(&pool.lock);
        fesetenv(&pool.environment);
        runTasks();
        pthread_mutex_lock(&pool.lock);
        if (--pool.working == 0) pthread_cond_signal(&pool.done);
    }
    pthread_mutex_unlock(&pool.lock);
    return NULL;
}

/* Resets the pool in a forked child, which has the forking thread alone. */
static void forgetPool(void)
{
    pthread_mutex_init(&pool.busy, NULL);
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.go, NULL);
    pthread_cond_init(&pool.done, NULL);
    pool.threads = pool.open = pool.working = 0;
}

/* Starts workers until there are `threads`. Signals are left to the program's own threads. */
static void startWorkers(int threads)
{
    if (pool.threads >= threads) return;
    if (!pool.watched && !ukForkedWatch(forgetPool, true)) return;
    pool.watched = true;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (pool.threads < threads && pthread_create(&pool.thread[pool.threads], NULL, runWorker, NULL) == 0)
        pool.threads++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void ukPoolRun(int threads, int tasks, void (*task)(void *context, int k), void *context)
{
    if (threads > ukPoolMost) threads = ukPoolMost;
    if (threads > tasks) threads = tasks;
    if (threads < 2 || pthread_mutex_trylock(&pool.busy) != 0) {
        for (int k = 0; k < tasks; k++) task(context, k);
        return;
    }
    startWorkers(threads - 1);
    pthread_mutex_lock(&pool.lock);
    pool.task = task;
    pool.context = context;
    pool.tasks = tasks;
    pool.next = 0;
    fegetenv(&pool.environment);
    pool.open = threads - 1 < pool.threads ? threads - 1 : pool.threads;
    pthread_cond_broadcast(&pool.go);
    pthread_mutex_unlock(&pool.lock);
    runTasks();
    pthread_mutex_lock(&pool.lock);
    pool.open = 0;
    while (pool.working > 0) pthread_cond_wait(&pool.done, &pool.lock);
    pthread_mutex_unlock(&pool.lock);
    pthread_mutex_unlock(&pool.busy);
}

/* at exit, and before the library's code goes with dlclose */
__attribute__((destructor)) static void dismiss(void)
{
    ukForkedCheck();
    pthread_mutex_lock(&pool.lock);
    pool.quit = true;
    pthread_cond_broadcast(&pool.go);
    pthread_mutex_unlock(&pool.lock);
    for (int k = 0; k < pool.threads; k++) pthread_join(pool.thread[k], NULL);
}
