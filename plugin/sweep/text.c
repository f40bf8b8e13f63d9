/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/sweep/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

void textPut(Text *text, const void *bytes, size_t size)
{
    if (text->size + size + 1 > text->room) {
        const size_t room = 2 * (text->size + size) + 64;
        char *const grown = realloc(text->at, room);
        if (!grown) {
            text->lost = true;
            return;
        }
        text->at = grown;
        text->room = room;
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

void textReadEnd(Text *text, const char *path, size_t most)
{
    char buffer[65536];
    FILE *const file = fopen(path, "rbe");
    if (!file) return;
    if (fseeko(file, 0, SEEK_END) == 0) {
        const off_t size = ftello(file);
        if (size >= 0) fseeko(file, (uintmax_t)size > most ? size - (off_t)most : 0, SEEK_SET);
        for (size_t n; most > 0 && (n = fread(buffer, 1, most < sizeof buffer ? most : sizeof buffer, file)) > 0;
             most -= n)
            textPut(text, buffer, n);
    }
    fclose(file);
}
