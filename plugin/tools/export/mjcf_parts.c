/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/export/mjcf_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "plugin/tools/export/model_file.h"
#include "plugin/tools/terminal/output_file.h"

/* ---- which bodies begin a part ----------------------------------------------------------------------------------- */

/* A subtree becomes a part when it is as high as one file takes: the least number of parts, by induction from the
 * leaves. */
static void closeBody(const BodyTreeBody *b, int i, int *height, bool *begins)
{
    height[i]++;
    begins[i] = b->parent >= 0 && height[i] == MjcfPartDepth;
    if (b->parent >= 0 && !begins[i] && height[b->parent] < height[i]) height[b->parent] = height[i];
}

/* A pipe or a device has no folder for further files, and a symbolic link may lead to one (/dev/stdout). */
static bool hasNeighbours(const char *path)
{
    struct stat status;
    return lstat(path, &status) != 0 || S_ISREG(status.st_mode);
}

static bool reportPartsError(ukReader *reader, const char *path, const char *why)
{
    snprintf(reader->error, sizeof reader->error, "%.300s: %s", path, why);
    return false;
}

/* Depth first without recursion: a chain may be as long as the recording says. */
bool mjcfPartsChoose(const BodyTree *m, const char *path, bool *begins, int *depth, ukReader *reader)
{
    int *const height = calloc((size_t)m->bodies + 1, sizeof *height); /* of the subtrees below, without parts */
    int parts = 0, level = 0;
    *depth = 0;
    if (!height) return reportPartsError(reader, path, "out of memory");
    for (int i = m->first; i >= 0;) {
        if (++level > *depth) *depth = level;
        if (m->body[i].child >= 0) {
            i = m->body[i].child;
            continue;
        }
        for (;; i = m->body[i].parent) {
            closeBody(&m->body[i], i, height, begins);
            parts += begins[i];
            level--;
            if (m->body[i].sibling >= 0 || m->body[i].parent < 0) break;
        }
        i = m->body[i].sibling;
    }
    free(height);
    if (parts == 0 || hasNeighbours(path)) return true;
    return reportPartsError(reader, path,
                            "the tree of bodies is too deep for one file, and this is not a regular file");
}

/* ---- the files --------------------------------------------------------------------------------------------------- */

/* `next`: the first part that begins after this one has ended */
typedef struct MjcfPart {
    const char *begin, *end;
    size_t next;
} MjcfPart;

/* Part 0 is the whole text, the others are in the order in which they begin. NULL: out of memory */
static MjcfPart *indexParts(const char *text, size_t *count)
{
    size_t n = 1, open = 0;
    for (const char *c = text; *c; c++) n += *c == MjcfPartBegin;
    MjcfPart *const part = calloc(n, sizeof *part);
    size_t *const stack = calloc(n, sizeof *stack);
    if (part && stack) {
        part[0] = (MjcfPart){text, text + strlen(text), n};
        n = 1;
        for (const char *c = text; *c; c++) {
            if (*c == MjcfPartBegin) part[n].begin = c + 1, stack[open++] = n++;
            if (*c == MjcfPartEnd) part[stack[--open]].end = c, part[stack[open]].next = n;
        }
    }
    free(stack);
    *count = n;
    if (stack) return part;
    free(part);
    return NULL;
}

/* Name of a part: NAME.part-2.xml for NAME.xml, NAME.part-2 for a name without an extension. NULL: out of memory. */
static char *namePart(const char *path, size_t number)
{
    const char *const slash = strrchr(path, '/'), *const name = slash ? slash + 1 : path,
                      *const dot = strrchr(name, '.');
    const int stem = (int)(dot && dot > name ? (size_t)(dot - path) : strlen(path));
    char *text = NULL;
    return asprintf(&text, "%.*s.part-%zu%s", stem, path, number + 1, path + stem) < 0 ? NULL : text;
}

/* the text of one part, with an element that includes the file of each part in it */
static bool putPart(const MjcfPart *part, size_t count, size_t i, const char *path, FILE *file)
{
    const char *from = part[i].begin;
    for (size_t k = i + 1; k < count && part[k].begin < part[i].end; k = part[k].next) {
        char *const name = namePart(path, k);
        if (!name) return false;
        const char *const slash = strrchr(name, '/');
        fwrite(from, 1, (size_t)(part[k].begin - 1 - from), file);
        fputs("<include", file);
        modelPutName(file, "file", slash ? slash + 1 : name);
        fputs("/>\n", file);
        free(name);
        from = part[k].end + 1;
    }
    fwrite(from, 1, (size_t)(part[i].end - from), file);
    return true;
}

static bool writePart(const MjcfPart *part, size_t count, size_t i, const char *path, ukReader *reader)
{
    char *const name = namePart(path, i);
    FILE *const file = name ? outputFileOpen(name, true) : NULL;
    bool good = file != NULL;
    if (file) {
        fputs("<?xml version=\"1.0\"?>\n<mujoco>\n", file);
        good = putPart(part, count, i, path, file);
        fputs("</mujoco>\n", file);
        good = outputFileClose(file, name, good);
    }
    if (good)
        printf("%s is included by %s\n", name, path);
    else
        snprintf(reader->error, sizeof reader->error, "%.300s: %.80s", name ? name : path, outputFileFault(errno));
    free(name);
    return good;
}

bool mjcfPartsPut(const char *text, const char *path, FILE *file, ukReader *reader)
{
    size_t count = 0;
    MjcfPart *const part = indexParts(text, &count);
    bool good = part && putPart(part, count, 0, path, file);
    if (!good) reportPartsError(reader, path, "out of memory");
    for (size_t i = 1; good && i < count; i++) good = writePart(part, count, i, path, reader);
    free(part);
    return good;
}
