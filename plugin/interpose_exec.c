/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/interpose_exec.c: the interposed exec functions, which replace the process without running its exit handlers:
 * the recording, the file of saved states and the summary are flushed first. One that fails leaves the recording as it
 * was, and the program goes on. Nothing here allocates in a child of vfork, which may call it: a child saves no
 * states. */
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "plugin/drive.h"
#include "plugin/wrap.h"

UKODE_WRAP(execl)
UKODE_WRAP(execle)
UKODE_WRAP(execlp)
UKODE_WRAP(execv)
UKODE_WRAP(execve)
UKODE_WRAP(execveat)
UKODE_WRAP(execvp)
UKODE_WRAP(execvpe)
UKODE_WRAP(fexecve)

#define EXPORTED __attribute__((visibility("default")))

/* the C library's own, which searches PATH, and runs scripts without a first line that says by what */
typedef int Search(const char *file, char *const *words, char *const *environment);
typedef int Descriptor(int file, char *const *words, char *const *environment);
static Search *search;
static Descriptor *descriptor;

#ifdef UKODE_EMBEDDED
extern Search real_execvpe __asm__("__real_execvpe");
extern Descriptor real_fexecve __asm__("__real_fexecve");

static void findExecFunctions(void)
{
    search = real_execvpe;
    descriptor = real_fexecve;
}
#else
__attribute__((constructor(102))) static void findExecFunctions(void)
{
    void *const function[] = {dlsym(RTLD_NEXT, "execvpe"), dlsym(RTLD_NEXT, "fexecve")};
    memcpy(&search, &function[0], sizeof search);
    memcpy(&descriptor, &function[1], sizeof descriptor);
}
#endif

EXPORTED int execve(const char *path, char *const words[], char *const environment[])
{
    ukDriveFlush();
    return (int)syscall(SYS_execve, path, words, environment);
}

EXPORTED int execv(const char *path, char *const words[])
{
    return execve(path, words, environ);
}

EXPORTED int execvpe(const char *file, char *const words[], char *const environment[])
{
    ukDriveFlush();
    if (!search) findExecFunctions();
    errno = ENOSYS;
    return search ? search(file, words, environment) : -1;
}

EXPORTED int execvp(const char *file, char *const words[])
{
    return execvpe(file, words, environ);
}

EXPORTED int fexecve(int file, char *const words[], char *const environment[])
{
    ukDriveFlush();
    if (!descriptor) findExecFunctions();
    errno = ENOSYS;
    return descriptor ? descriptor(file, words, environment) : -1;
}

EXPORTED int execveat(int folder, const char *path, char *const words[], char *const environment[], int flags)
{
    ukDriveFlush();
    return (int)syscall(SYS_execveat, folder, path, words, environment, flags);
}

/* ---- words as arguments, up to a NULL ---------------------------------------------------------------------------- */

static size_t countWords(const char *first, va_list list)
{
    size_t count = 0;
    for (const char *word = first; word; word = va_arg(list, const char *)) count++;
    return count;
}

/* the words and the NULL after them; what follows it is left in the list */
static void copyWords(char **words, const char *first, va_list *list)
{
    *words = (char *)first;
    while (*words) *++words = va_arg(*list, char *);
}

#define COPY_WORDS(words, first, list)                                                                                 \
    va_start(list, first);                                                                                             \
    char *words[countWords(first, list) + 1];                                                                          \
    va_end(list);                                                                                                      \
    va_start(list, first);                                                                                             \
    copyWords(words, first, &list)

EXPORTED int execl(const char *path, const char *first, ...)
{
    va_list list;
    COPY_WORDS(words, first, list);
    va_end(list);
    return execve(path, words, environ);
}

EXPORTED int execlp(const char *file, const char *first, ...)
{
    va_list list;
    COPY_WORDS(words, first, list);
    va_end(list);
    return execvpe(file, words, environ);
}

EXPORTED int execle(const char *path, const char *first, ...)
{
    va_list list;
    COPY_WORDS(words, first, list);
    char *const *const environment = va_arg(list, char *const *);
    va_end(list);
    return execve(path, words, environment);
}
