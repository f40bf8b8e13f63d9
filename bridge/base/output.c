/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bridge/base/log.h"

/* A write to a pipe without a reader fails, and raises SIGPIPE in this thread, which is taken back. */
static ssize_t writeQuietly(int file, const void *data, size_t size)
{
    const struct timespec now = {0};
    sigset_t broken, before, pending;
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &broken, &before);
    const ssize_t n = write(file, data, size);
    const int error = errno;
    if (n < 0 && error == EPIPE && !sigismember(&pending, SIGPIPE))
        while (sigtimedwait(&broken, NULL, &now) < 0 && errno == EINTR) {}
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return n;
}

/* 0 or errno */
static int writeAllOutput(int file, const void *data, size_t size)
{
    const char *p = data;
    while (size > 0) {
        const ssize_t n = writeQuietly(file, p, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n < 0 ? errno : EIO;
        p += n;
        size -= (size_t)n;
    }
    return 0;
}

static bool isFile(int file, unsigned long long device, unsigned long long inode)
{
    struct stat s;
    return file >= 0 && fstat(file, &s) == 0 && s.st_dev == device && s.st_ino == inode;
}

static atomic_int failures;

void ukOutputFailed(void)
{
    failures++;
}

int ukOutputFailures(void)
{
    return failures;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

void ukOutputOpen(ukOutput *output, const char *path)
{
    char here[ukOutputPathLength / 2] = "";
    *output = (ukOutput){0};
    if (!path || !*path) return;
    const bool relative = path[0] != '/' && getcwd(here, sizeof here);
    const int n = snprintf(output->path, sizeof output->path, "%s%s%s", here, relative ? "/" : "", path);
    if (n > 0 && (size_t)n < sizeof output->path) return;
    ukLogWarning("the name of a file to write is too long: %.80s...", path);
    ukOutputFailed();
    output->path[0] = 0;
}

/* 0 or errno */
static int appendOutput(const char *path, const void *data, size_t size)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0666);
    if (file < 0) return errno;
    const int error = writeAllOutput(file, data, size);
    close(file);
    return error;
}

void ukOutputAppend(ukOutput *output, const void *data, size_t size)
{
    if (!ukOutputWanted(output)) return;
    const int error = appendOutput(output->path, data, size);
    if (error == 0) return;
    ukLogWarning("cannot write %s: %s", output->path, strerror(error));
    ukOutputFailed();
    output->path[0] = 0;
    ukLogFirstStep();
}

/* ---- the pipe ---------------------------------------------------------------------------------------------------- */

typedef struct Address {
    int file, process;
    unsigned long long device, inode;
} Address;

void ukPipeAddress(char address[ukPipeAddressLength], int file)
{
    struct stat s = {0};
    fstat(file, &s);
    snprintf(address, ukPipeAddressLength, "%d:%d:%llu:%llu", file, (int)getpid(), (unsigned long long)s.st_dev,
             (unsigned long long)s.st_ino);
}

/* Writes a line to a pipe that does not block. A command that does not read for a second has ended, or never will
 * read. */
static bool writeOutput(int file, const char *line, size_t size)
{
    ssize_t n;
    while ((n = writeQuietly(file, line, size)) < 0) {
        struct pollfd room = {.fd = file, .events = POLLOUT};
        if (errno == EINTR) continue;
        if (errno != EAGAIN || poll(&room, 1, 1000) <= 0) return false;
    }
    return (size_t)n == size;
}

bool ukPipeWrite(const char *address, const char *line, size_t size)
{
    Address a;
    char path[64];
    if (size > ukPipeLine) return false;
    if (sscanf(address, "%d:%d:%llu:%llu", &a.file, &a.process, &a.device, &a.inode) != 4) return false;
    if (isFile(a.file, a.device, a.inode)) return writeOutput(a.file, line, size);
    snprintf(path, sizeof path, "/proc/%d/fd/%d", a.process, a.file);
    const int file = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    const bool written = isFile(file, a.device, a.inode) && writeOutput(file, line, size);
    if (file >= 0) close(file);
    return written;
}
