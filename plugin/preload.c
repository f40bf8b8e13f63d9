/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/preload.c: at load, whether the program was started with this library in LD_PRELOAD. Then its worlds are
 * ukode's from their creation on; merely linked, the library changes nothing until the program calls it. */
#include "plugin/preload.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bridge/ode/copy.h"
#include "bridge/world/registry.h"

static const char *baseName(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The same file; an entry that cannot be opened ($LIB/libukode.so, a bare name found on the library path) counts if
 * it is of the same name. */
static bool namesLibrary(const char *entry, const char *library)
{
    struct stat x, y;
    if (strchr(entry, '/') && stat(entry, &x) == 0 && stat(library, &y) == 0)
        return x.st_dev == y.st_dev && x.st_ino == y.st_ino;
    const char *const name = baseName(entry);
    return strcmp(name, baseName(library)) == 0 || strncmp(name, "libukode.so", strlen("libukode.so")) == 0;
}

static bool isPreloaded(void)
{
    const char *const list = secure_getenv("LD_PRELOAD");
    Dl_info self;
    if (ukOdeEmbedded()) return false; /* an entry of LD_PRELOAD is another libukode.so */
    if (!list || !dladdr(&ukRegistryEnableByDefault, &self) || !self.dli_fname) return false;
    char *const copy = strdup(list), *rest = NULL;
    bool found = false;
    for (char *entry = copy ? strtok_r(copy, ": ", &rest) : NULL; entry && !found; entry = strtok_r(NULL, ": ", &rest))
        found = namesLibrary(entry, self.dli_fname);
    free(copy);
    return found;
}

static void readPreloadSettings(void)
{
    const char *const disable = secure_getenv("UKODE_DISABLE");
    ukRegistryEnableByDefault = isPreloaded() && !(disable && strcmp(disable, "1") == 0);
}

void ukPreloadDetect(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, readPreloadSettings);
}

/* before the constructor that reads the other UKODE_* variables, which may take the default back */
__attribute__((constructor(102))) static void lookAtLoad(void)
{
    ukPreloadDetect();
}
