/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that records and does what programs do to their process. Usage: forks HOW [COUNT]; its exit status is 0
 * when all of its children ended in time and as they should. */
#include <ode/ode.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static const double h = 0.001;

static dWorldID chain(int links)
{
    const dWorldID world = dWorldCreate();
    dBodyID last = 0;
    dWorldSetGravity(world, 0, 0, -9.81);
    for (int i = 0; i < links; i++) {
        const dBodyID body = dBodyCreate(world);
        const dJointID joint = dJointCreateHinge(world, 0);
        dBodySetPosition(body, i + 0.5, 0, 0);
        dJointAttach(joint, body, last);
        dJointSetHingeAnchor(joint, i, 0, 0);
        dJointSetHingeAxis(joint, 0, 1, 0);
        last = body;
    }
    return world;
}

static void steps(dWorldID world, int count)
{
    for (int k = 0; k < count; k++) dWorldStep(world, h);
}

/* waits at most a minute; 0: it ended by itself with status 0 */
static int ended(pid_t child)
{
    int status;
    for (int k = 0; k < 6000; k++) {
        if (waitpid(child, &status, WNOHANG) == child) return status;
        usleep(10000);
    }
    fprintf(stderr, "a child hangs\n");
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return 1;
}

static int forks(dWorldID world, int count, int at_once)
{
    int bad = 0;
    for (int i = 0; i < count; i++) {
        steps(world, 3);
        const pid_t child = fork();
        if (child == 0) {
            steps(world, 5);
            if (at_once) _exit(0);
            exit(0);
        }
        bad += ended(child) != 0;
    }
    return bad;
}

/* children whose C library calls no handlers: they step, unrecorded, and end */
static int bare(dWorldID world, int count)
{
    int bad = 0;
    for (int i = 0; i < count; i++) {
        steps(world, 3);
        const pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
        if (child == 0) {
            steps(world, 500);
            if (i % 2) _exit(0);
            exit(0);
        }
        bad += ended(child) != 0;
    }
    return bad;
}

static atomic_int stop;

static void *stepInThread(void *unused)
{
    (void)unused;
    dAllocateODEDataForThread(dAllocateMaskAll);
    const dWorldID world = chain(10);
    while (!stop) steps(world, 1);
    return NULL;
}

static void *makeInThread(void *unused)
{
    (void)unused;
    dAllocateODEDataForThread(dAllocateMaskAll);
    while (!stop) {
        const dWorldID world = chain(3);
        steps(world, 1);
        dWorldDestroy(world);
    }
    return NULL;
}

/* two threads step worlds of their own, a third makes some, while this one forks */
static int threads(dWorldID world, int count)
{
    pthread_t thread[3];
    for (int i = 0; i < 3; i++) pthread_create(&thread[i], NULL, i < 2 ? stepInThread : makeInThread, NULL);
    const int bad = forks(world, count, 0);
    stop = 1;
    for (int i = 0; i < 3; i++) pthread_join(thread[i], NULL);
    return bad;
}

typedef struct Elsewhere {
    int count, bad;
} Elsewhere;

static void *forkInThread(void *of)
{
    Elsewhere *const e = of;
    dAllocateODEDataForThread(dAllocateMaskAll);
    e->bad = forks(chain(5), e->count, 0);
    stop = 1;
    return NULL;
}

/* a thread forks that is not the first one, which steps meanwhile */
static int elsewhere(dWorldID world, int count)
{
    Elsewhere e = {count, 0};
    pthread_t thread;
    if (pthread_create(&thread, NULL, forkInThread, &e) != 0) return 1;
    while (!stop) steps(world, 1);
    pthread_join(thread, NULL);
    return e.bad;
}

static int spawn(dWorldID world, char *self)
{
    pid_t child;
    char *const arguments[] = {self, "plain", NULL};
    steps(world, 50);
    if (posix_spawn(&child, self, NULL, NULL, arguments, environ) != 0) return 1;
    const int status = ended(child);
    steps(world, 50);
    return status;
}

/* a child that has its parent's memory, and ends by _exit, or is replaced, or is not because there is no such
 * program */
static int vforks(dWorldID world)
{
    volatile int bad = 0;
    for (volatile int i = 0; i < 20; i++) {
        steps(world, 5);
        const pid_t child = vfork();
        if (child == 0) {
            if (i % 3 == 1) execl("/bin/false", "false", (char *)NULL);
            if (i % 3 == 2) execl("/nowhere", "nowhere", (char *)NULL);
            _exit(3);
        }
        bad += ended(child) != (i % 3 == 1 ? 1 : 3) << 8;
    }
    return bad;
}

/* closes what it has not opened, and has a file of its own under one of these numbers */
static int closes(dWorldID world)
{
    steps(world, 100);
    usleep(2000000); /* a transaction has ended, on a loaded machine, too: the next one begins in the next step */
    syscall(SYS_close_range, 3, ~0u, 0);
    for (int i = 0; i < 32; i++)
        if (open("own", O_RDWR | O_CREAT | O_APPEND, 0600) < 0) return 1;
    for (int i = 0; i < 100; i++) {
        steps(world, 10);
        usleep(10000);
    }
    return 0;
}

/* after two attempts that fail */
static int replaced(dWorldID world, const char *how)
{
    char name[] = "true";
    char *const words[] = {name, NULL};
    const int folder = open("/bin", O_RDONLY | O_DIRECTORY), program = open("/bin/true", O_RDONLY);
    if (execl("/nowhere", "nowhere", (char *)NULL) != -1 || errno != ENOENT) return 1;
    if (execvp("no-such-program", words) != -1 || errno != ENOENT) return 1;
    steps(world, 100);
    if (strcmp(how, "execl") == 0) execl("/bin/true", "true", "1", "2", (char *)NULL);
    if (strcmp(how, "execlp") == 0) execlp("true", "true", "1", (char *)NULL);
    if (strcmp(how, "execle") == 0)
        execle("/bin/sh", "sh", "-c", "test $ukode = 1", (char *)NULL, (char *[]){"ukode=1", NULL});
    if (strcmp(how, "execv") == 0) execv("/bin/true", words);
    if (strcmp(how, "execve") == 0) execve("/bin/true", words, environ);
    if (strcmp(how, "execvp") == 0) execvp("true", words);
    if (strcmp(how, "execvpe") == 0) execvpe("true", words, environ);
    if (strcmp(how, "execveat") == 0) execveat(folder, "true", words, environ, 0);
    if (strcmp(how, "fexecve") == 0) fexecve(program, words, environ);
    return 1;
}

/* Registered before the recorder's handlers, it runs after them: what they have locked stays locked for so long, and
 * what they have not locked is in use by the writer of a world that is stepped meanwhile. */
static void pauseBeforeFork(void)
{
    usleep(300000);
}

/* ThreadSanitizer takes a forked child's threads for those of its parent that it does not have, and aborts ("dup
 * thread"), if they get the same stacks. Stacks of another size are other ones. */
static void changeStacks(void)
{
    pthread_attr_t attributes;
    size_t size = 0;
    if (pthread_getattr_default_np(&attributes) != 0) return;
    pthread_attr_getstacksize(&attributes, &size);
    pthread_attr_setstacksize(&attributes, size + (size >> 1));
    pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
}

int main(int argc, char **argv)
{
    const char *const how = argc > 1 ? argv[1] : "plain";
    const int count = argc > 2 ? atoi(argv[2]) : 10;
    if (getenv("FORKS_STACKS")) pthread_atfork(NULL, NULL, changeStacks);
    if (strcmp(how, "late") == 0) pthread_atfork(pauseBeforeFork, NULL, NULL);
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateMaskAll);
    const dWorldID world = chain(5);
    if (strcmp(how, "forks") == 0) return forks(world, count, 0);
    if (strcmp(how, "bare") == 0) return bare(world, count);
    if (strcmp(how, "at_once") == 0) return forks(world, count, 1);
    if (strcmp(how, "threads") == 0) return threads(world, count);
    if (strcmp(how, "elsewhere") == 0) return elsewhere(world, count);
    if (strcmp(how, "late") == 0) return elsewhere(chain(200), count);
    if (strcmp(how, "spawn") == 0) return spawn(world, argv[0]);
    if (strcmp(how, "vforks") == 0) return vforks(world);
    if (strcmp(how, "closes") == 0) return closes(world);
    steps(world, 200);
    if (strcmp(how, "chdir") == 0 && chdir("/") != 0) return 1;
    if (strcmp(how, "setuid") == 0 && setgid(65534) + setuid(65534) != 0) return 1;
    if (strcmp(how, "daemon") == 0 && daemon(0, 0) != 0) return 1;
    steps(world, 200);
    if (strcmp(how, "_exit") == 0) _exit(0);
    if (strcmp(how, "quick_exit") == 0) quick_exit(0);
    if (strstr(how, "exec")) return replaced(world, how);
    usleep(2000000); /* a transaction ends after a third of a second, later on a loaded machine */
    if (strcmp(how, "abort") == 0) abort();
    if (strcmp(how, "kill") == 0) raise(SIGKILL);
    return 0;
}
