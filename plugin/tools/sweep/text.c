/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/sweep/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "bridge/base/grow.h"

void textPut(Text *text, const void *bytes, size_t size)
{
    if (!ukArrayReserve(&text->at, 1, text->size + size + 1, &text->capacity)) {
        text->lost = true;
        return;
    }
    if (size > 0) memcpy(text->at + text->size, bytes, size);
    text->size += size;
    text->at[text->size] = 0;
}

void textPrint(Text *text, const char *format, ...)
{
    char *line;
    va_list arguments;
    va_start(arguments, format);
    const int n = vasprintf(&line, format, arguments);
    va_end(arguments);
    if (n < 0) {
        text->lost = true;
        return;
    }
    textPut(text, line, (size_t)n);
    free(line);
}

void textFree(Text *text)
{
    free(text->at);
    *text = (Text){0};
}

void textReadAll(Text *text, int file, size_t most)
{
    char buffer[65536];
    for (ssize_t n; most > 0 && (n = read(file, buffer, most < sizeof buffer ? most : sizeof buffer)) > 0;
         most -= (size_t)n)
        textPut(text, buffer, (size_t)n);
}

void textReadEnd(Text *text, const char *path, size_t most)
{
    struct stat status;
    const int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0) return;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {
        if ((uintmax_t)status.st_size > most) lseek(file, status.st_size - (off_t)most, SEEK_SET);
        textReadAll(text, file, most);
    }
    close(file);
}

const char *textReadFile(Text *text, const char *path, size_t most)
{
    struct stat status;
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    const char *why = file < 0 || fstat(file, &status) != 0 ? strerror(errno) : NULL;
    if (!why && !S_ISREG(status.st_mode)) why = "it is not a regular file";
    if (!why && (uintmax_t)status.st_size > most) why = "it is longer than any study";
    if (!why) textReadAll(text, file, most);
    if (!why && text->size > 0 && memchr(text->at, 0, text->size)) why = "it is not a text";
    if (file >= 0) close(file);
    return why;
}
