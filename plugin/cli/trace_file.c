/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/cli/trace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool map(const char *path, TraceFile *f)
{
    struct stat status;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        if (errno == ENOENT) return true;
        fprintf(stderr, "ukode: %s: %s\n", path, strerror(errno));
        return false;
    }
    if (fstat(file, &status) == 0 && status.st_size > 0) {
        void *data = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (data == MAP_FAILED) {
            fprintf(stderr, "ukode: %s: %s\n", path, strerror(errno));
            close(file);
            return false;
        }
        f->data = data;
        f->size = (size_t)status.st_size;
    }
    close(file);
    return true;
}

static const char *wrongBeginning(const ukTraceHeader *r)
{
    static const uint32_t first = 0x31544b55; /* "UKT1" of version 1, which had no version */
    if (r->magic == first || (r->magic == ukTraceMagic && r->version != ukTraceVersion))
        return "it was written by another version of ukode";
    return __builtin_bswap32(r->magic) == ukTraceMagic ? "it was written on a machine of another byte order"
                                                       : "this is not a trace";
}

/* the record at `offset`, or NULL and why not */
static const ukTraceHeader *recordAt(const TraceFile *f, size_t offset, const char **why)
{
    const size_t left = f->size - offset;
    const ukTraceHeader *r = (const ukTraceHeader *)(const void *)((const char *)f->data + offset);
    *why = "the file is cut short here";
    if (left < 8) return NULL;
    *why = wrongBeginning(r);
    if (r->magic != ukTraceMagic || r->version != ukTraceVersion) return NULL;
    *why = "the file is cut short here";
    if (left < sizeof *r) return NULL;
    const uint64_t size =
        sizeof *r + r->bodies * (uint64_t)sizeof(ukTraceBody) + r->reactions * (uint64_t)sizeof(ukTraceReaction);
    const bool whole = r->size == size; /* else there is no telling where it ends */
    if (whole && size > left) return NULL;
    *why = "its checksum does not match";
    return whole && r->checksum == ukTraceChecksum(r, r->size) ? r : NULL;
}

/* a process of the same number as an earlier one begins anew */
static TraceWorld *worldOf(TraceFile *f, const ukTraceHeader *r)
{
    for (int i = f->worlds - 1; i >= 0 && r->step != 1; i--)
        if (f->world[i].process == r->process && f->world[i].world == r->world) return &f->world[i];
    TraceWorld *grown = realloc(f->world, (size_t)(f->worlds + 1) * sizeof *grown);
    if (!grown) return NULL;
    f->world = grown;
    grown[f->worlds] = (TraceWorld){.process = r->process, .world = r->world};
    return &grown[f->worlds++];
}

/* the list doubles whenever its length is a power of two */
static bool keep(TraceWorld *w, const ukTraceHeader *r)
{
    if ((w->count & (w->count - 1)) == 0) {
        const size_t room = w->count > 0 ? 2 * (size_t)w->count : 1;
        const ukTraceHeader **grown = realloc(w->record, room * sizeof *grown);
        if (!grown) return false;
        w->record = grown;
    }
    w->record[w->count++] = r;
    w->step = r->step;
    return true;
}

static void damaged(TraceFile *f, size_t offset, const char *why)
{
    snprintf(f->damage, sizeof f->damage, "damaged: record %d, at byte %zu: %s", f->records + 1, offset, why);
}

bool traceRead(const char *path, TraceFile *f)
{
    *f = (TraceFile){0};
    if (!map(path, f)) return false;
    const char *why = NULL;
    for (size_t offset = 0; offset < f->size;) {
        const ukTraceHeader *r = recordAt(f, offset, &why);
        if (!r) {
            damaged(f, offset, why);
            return true;
        }
        TraceWorld *w = worldOf(f, r);
        if (w && r->step != w->step + 1) {
            damaged(f, offset, "steps are missing before it");
            return true;
        }
        if (!w || !keep(w, r)) {
            fprintf(stderr, "ukode: no memory for %s\n", path);
            return false;
        }
        f->records++;
        offset += r->size;
    }
    return true;
}

void traceFree(TraceFile *f)
{
    for (int i = 0; i < f->worlds; i++) free(f->world[i].record);
    free(f->world);
    if (f->data) munmap(f->data, f->size);
    *f = (TraceFile){0};
}
