/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/sweep/mpi.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bridge/base/clock.h"
#include "plugin/tools/terminal/message.h"

/* handles of Open MPI are addresses of its own objects */
typedef void *Handle;

typedef struct Status {
    int source, tag, error, cancelled;
    size_t count;
} Status;

#define CALLS(X)                                                                                                       \
    X(Init, (int *, char ***))                                                                                         \
    X(Finalize, (void))                                                                                                \
    X(Comm_rank, (Handle, int *))                                                                                      \
    X(Comm_size, (Handle, int *))                                                                                      \
    X(Comm_set_errhandler, (Handle, Handle))                                                                           \
    X(Isend, (const void *, int, Handle, int, int, Handle, Handle *))                                                  \
    X(Test, (Handle *, int *, Status *))                                                                               \
    X(Iprobe, (int, int, Handle, int *, Status *))                                                                     \
    X(Get_count, (const Status *, Handle, int *))                                                                      \
    X(Recv, (void *, int, Handle, int, int, Handle, Status *))

static struct {
#define MEMBER(name, arguments) int(*name) arguments;
    CALLS(MEMBER)
} mpi;
static Handle world, byte, errors_return;

enum { AnySource = -1, Tag = 1, Success = 0 };

/* messages that are under way keep their bytes */
typedef struct Sent {
    Handle request;
    void *bytes;
    struct Sent *next;
} Sent;
static Sent *sent;

bool mpiWanted(void)
{
    const char *const size = getenv("OMPI_COMM_WORLD_SIZE"), *const slurm = getenv("SLURM_NTASKS");
    if (size) return atoi(size) > 1;
    return getenv("PMIX_RANK") && (!slurm || atoi(slurm) > 1);
}

bool mpiMissed(void)
{
    const char *const tasks = getenv("SLURM_STEP_NUM_TASKS");
    return tasks && atoi(tasks) > 1 && !getenv("OMPI_COMM_WORLD_SIZE") && !getenv("PMIX_RANK");
}

static bool loadMpi(void)
{
    static const struct {
        const char *name;
        size_t at;
    } calls[] = {
#define CALL(name, arguments) {"MPI_" #name, __builtin_offsetof(__typeof__(mpi), name)},
        CALLS(CALL)};
    void *const library = dlopen("libmpi.so.40", RTLD_NOW | RTLD_GLOBAL); /* its parts need its symbols */
    if (!library) return false;
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) {
        void *const call = dlsym(library, calls[k].name);
        if (!call) return false;
        memcpy((char *)&mpi + calls[k].at, &call, sizeof call);
    }
    world = dlsym(library, "ompi_mpi_comm_world");
    byte = dlsym(library, "ompi_mpi_byte");
    errors_return = dlsym(library, "ompi_mpi_errors_return");
    return world && byte && errors_return;
}

bool mpiBegin(int *rank, int *ranks)
{
    if (!loadMpi())
        return messageFail(
            false, "libmpi.so.40 was not found, which a sweep under mpirun needs: install it (Debian: libopenmpi3)");
    if (mpi.Init(NULL, NULL) != Success || mpi.Comm_set_errhandler(world, errors_return) != Success ||
        mpi.Comm_rank(world, rank) != Success || mpi.Comm_size(world, ranks) != Success)
        return messageFail(false, "MPI cannot be initialised");
    return true;
}

/* Frees the messages that have arrived. */
static void freeArrived(void)
{
    for (Sent **at = &sent; *at;) {
        Sent *const s = *at;
        int done = 0;
        if (mpi.Test(&s->request, &done, NULL) == Success && !done) {
            at = &s->next;
            continue;
        }
        *at = s->next;
        free(s->bytes);
        free(s);
    }
}

bool mpiSend(int to, const void *bytes, size_t size)
{
    Sent *const s = size <= INT_MAX ? malloc(sizeof *s) : NULL;
    void *const copy = s ? malloc(size + 1) : NULL;
    if (copy && size > 0) memcpy(copy, bytes, size);
    if (!copy || mpi.Isend(copy, (int)size, byte, to, Tag, world, &s->request) != Success) {
        free(copy);
        free(s);
        return false;
    }
    s->bytes = copy;
    s->next = sent;
    sent = s;
    freeArrived();
    return true;
}

bool mpiReceive(Text *message, int *from)
{
    Status status = {0};
    int there = 0, size = 0;
    if (sent) freeArrived();
    if (mpi.Iprobe(AnySource, Tag, world, &there, &status) != Success || !there) return false;
    if (mpi.Get_count(&status, byte, &size) != Success || size < 0) return false;
    char *const bytes = malloc((size_t)size + 1);
    if (!bytes || mpi.Recv(bytes, size, byte, status.source, Tag, world, &status) != Success) {
        free(bytes);
        return false;
    }
    *from = status.source;
    textPut(message, bytes, (size_t)size);
    free(bytes);
    return true;
}

void mpiEnd(bool all, int status)
{
    if (!all) { /* those that are gone would be waited for */
        fflush(NULL);
        const double begun = ukSeconds();
        while (sent && ukSeconds() - begun < 1) freeArrived();
        _exit(status);
    }
    while (sent) freeArrived();
    mpi.Finalize();
}
