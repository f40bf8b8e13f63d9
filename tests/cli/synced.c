/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/cli/synced.c: preloaded into a program, it appends to the file SYNCED a line for each file that the program
 * renames: "synced" if fsync had last brought exactly this file, with the size it has now, to the disk, else "lost";
 * and "folder" when fsync of a folder follows a rename. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int fsync(int file);
int rename(const char *from, const char *to);

static struct stat last; /* the file of the last fsync, at that moment */
static int renamed;      /* since the last fsync */

static void tell(const char *line)
{
    const char *const path = getenv("SYNCED");
    const int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
    if (file < 0) return;
    if (write(file, line, strlen(line)) < 0) abort();
    close(file);
}

int fsync(int file)
{
    int (*real)(int);
    *(void **)&real = dlsym(RTLD_NEXT, "fsync");
    const int status = real(file);
    if (status != 0 || fstat(file, &last) != 0) memset(&last, 0, sizeof last);
    if (S_ISDIR(last.st_mode) && renamed) tell("folder\n");
    renamed = 0;
    return status;
}

int rename(const char *from, const char *to)
{
    int (*real)(const char *, const char *);
    struct stat now;
    *(void **)&real = dlsym(RTLD_NEXT, "rename");
    const int same = stat(from, &now) == 0 && now.st_ino == last.st_ino && now.st_dev == last.st_dev &&
                     now.st_size == last.st_size && now.st_size > 0;
    tell(same ? "synced\n" : "lost\n");
    renamed = 1;
    return real(from, to);
}
