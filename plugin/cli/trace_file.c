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

/* the record at `offset`, or NULL where none begins or the file ends within it */
static const ukTraceHeader *recordAt(const TraceFile *f, size_t offset)
{
    if (f->size - offset < sizeof(ukTraceHeader)) return NULL;
    const ukTraceHeader *r = (const ukTraceHeader *)(const void *)((const char *)f->data + offset);
    const size_t size = sizeof *r + r->bodies * sizeof(ukTraceBody) + r->reactions * sizeof(ukTraceReaction);
    return r->magic == ukTraceMagic && r->size == size && size <= f->size - offset ? r : NULL;
}

static TraceWorld *worldOf(TraceFile *f, const ukTraceHeader *r)
{
    for (int i = f->worlds - 1; i >= 0; i--)
        if (f->world[i].process == r->process && f->world[i].world == r->world) return &f->world[i];
    TraceWorld *grown = realloc(f->world, (size_t)(f->worlds + 1) * sizeof *grown);
    if (!grown) return NULL;
    f->world = grown;
    grown[f->worlds] = (TraceWorld){.process = r->process, .world = r->world};
    return &grown[f->worlds++];
}

bool traceRead(const char *path, TraceFile *f)
{
    *f = (TraceFile){0};
    if (!map(path, f)) return false;
    const ukTraceHeader *r;
    for (size_t offset = 0; (r = recordAt(f, offset)) != NULL; offset += r->size) {
        TraceWorld *w = worldOf(f, r);
        /* the list doubles whenever its length is a power of two */
        if (w && (w->count & (w->count - 1)) == 0) {
            const size_t room = w->count > 0 ? 2 * (size_t)w->count : 1;
            const ukTraceHeader **grown = realloc(w->record, room * sizeof *grown);
            if (!grown)
                w = NULL;
            else
                w->record = grown;
        }
        if (!w) {
            fprintf(stderr, "ukode: no memory for %s\n", path);
            return false;
        }
        w->record[w->count++] = r;
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
