/* SPDX-License-Identifier: BSD-3-Clause */
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

#define UKODE_LAPACK_NAMES
#include "solvers/base/lapack.h"

ukLapack ukLapackFound;
static bool found;

/* Opens the first of `names` that is installed and provides the function, directly or through a dependency. */
static void *openLibrary(const char *const *names, const char *function)
{
    for (; *names; names++) {
        void *const handle = dlopen(*names, RTLD_LAZY | RTLD_LOCAL);
        if (handle && dlsym(handle, function)) return handle;
        if (handle) dlclose(handle);
    }
    return NULL;
}

/* On Debian, libblas includes CBLAS. Elsewhere CBLAS is a separate library, or OpenBLAS contains BLAS, CBLAS and
 * LAPACKE. */
static void loadLapack(void)
{
    static const char *const lapacke[] = {"liblapacke.so.3", "liblapacke.so", "libopenblas.so.0", "libflexiblas.so.3",
                                          NULL};
    static const char *const cblas[] = {"libopenblas.so.0",  "libcblas.so.3", "libblas.so.3",
                                        "libflexiblas.so.3", "libcblas.so",   NULL};
    static const struct {
        const char *name;
        size_t at;
    } wanted[] = {
#define UKODE_WANTED(name) {#name, offsetof(ukLapack, name)},
        UKODE_LAPACK(UKODE_WANTED)
#undef UKODE_WANTED
    };
    void *const main = openLibrary(lapacke, "LAPACKE_dgesv_work"), *other = NULL;
    if (!main) return;
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
        void *function = dlsym(main, wanted[k].name);
        if (!function && !other) other = openLibrary(cblas, "cblas_ddot");
        if (!function && other) function = dlsym(other, wanted[k].name);
        if (!function) return;
        memcpy((char *)&ukLapackFound + wanted[k].at, &function, sizeof function);
    }
    found = true;
}

bool ukLapackReady(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, loadLapack);
    return found;
}
