/* SPDX-License-Identifier: BSD-3-Clause */
#define UKODE_CONSOLE_STANDARD
#include "plugin/tools/terminal/console.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct Console {
    int file;
    unsigned char before; /* the byte before this write's first one */
} Console;

static bool writeAllBytes(int file, const char *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t n = write(file, bytes, size);
        if (n < 0) return false;
        bytes += n;
        size -= (size_t)n;
    }
    return true;
}

/* Whether c is C0 or DEL, or the second byte of C1. */
static bool isControl(unsigned char before, unsigned char c)
{
    return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f || (before == 0xc2 && c >= 0x80 && c < 0xa0);
}

static ssize_t writeEscaped(void *cookie, const char *bytes, size_t size)
{
    Console *const console = cookie;
    size_t from = 0;
    for (size_t i = 0; i < size; i++) {
        const unsigned char c = (unsigned char)bytes[i], before = console->before;
        char escape[5];
        console->before = c;
        if (!isControl(before, c)) continue;
        snprintf(escape, sizeof escape, "\\x%02x", c);
        if (!writeAllBytes(console->file, bytes + from, i - from) || !writeAllBytes(console->file, escape, 4)) return 0;
        from = i + 1;
    }
    return writeAllBytes(console->file, bytes + from, size - from) ? (ssize_t)size : 0;
}

static FILE *openFiltered(FILE *file, Console *console)
{
    const cookie_io_functions_t functions = {.write = writeEscaped};
    FILE *const made = fopencookie(console, "w", functions);
    if (!made) return file;
    setvbuf(made, NULL, console->file == STDERR_FILENO || isatty(console->file) ? _IOLBF : _IOFBF, BUFSIZ);
    return made;
}

#ifdef __GLIBC__
#define consoleOutput stdout
#define consoleError stderr
#else
FILE *consoleOutput, *consoleError;
#endif

void consoleBegin(void)
{
    static Console output = {.file = STDOUT_FILENO}, error = {.file = STDERR_FILENO};
    consoleOutput = openFiltered(stdout, &output);
    consoleError = openFiltered(stderr, &error);
}

int consoleEnd(int status)
{
    errno = EIO;
    if (fflush(consoleOutput) == 0 && !ferror(consoleOutput)) return status;
    fprintf(consoleError, "ukode: standard output cannot be written: %s\n", strerror(errno));
    return status == 0 ? 1 : status;
}
