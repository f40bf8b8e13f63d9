/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/recording/sqlite.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

ukSqlite ukSql;
static bool found;

static void loadSqlite(void)
{
    static const struct {
        const char *name;
        size_t at;
    } wanted[] = {
#define UKODE_WANTED(type, name, arguments) {"sqlite3_" #name, offsetof(ukSqlite, name)},
        UKODE_SQLITE(UKODE_WANTED)
#undef UKODE_WANTED
    };
    void *const library = dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
        void *const function = dlsym(library, wanted[k].name);
        if (!function) return;
        memcpy((char *)&ukSql + wanted[k].at, &function, sizeof function);
    }
    found = true;
}

bool ukSqliteReady(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, loadSqlite);
    return found;
}
