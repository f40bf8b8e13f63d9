/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/snapshot/file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bridge/base/log.h"
#include "bridge/base/output.h"
#include "bridge/world/registry.h"
#include "plugin/formats/snapshot/keep.h"
#include "plugin/formats/snapshot/states.h"
#include "solvers/base/status.h"

enum { PathLength = 1024 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool saves, restores;
static char save_path[PathLength], restore_path[PathLength];
static double save_every;
static pid_t process; /* that saves: forked children do not */
static uint64_t worlds;
static ukSavedStates saved, found; /* saved: by ascending numbers; found: in the order of the file */
static size_t fresh,
    living; /* saved states that are not in the file yet; worlds when the saved ones were compared with them */

/* index of the first saved entry whose number is at least `number` */
static size_t filePlaceOf(uint64_t number)
{
    size_t low = 0, high = saved.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (saved.at[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool isAt(size_t place, uint64_t number)
{
    return place < saved.count && saved.at[place].number == number;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

const char *ukKeepFileRestore(const char *path)
{
    if (!path || !*path) return NULL;
    const char *const fault = ukStatesRead(path, &found);
    snprintf(restore_path, sizeof restore_path, "%s", path);
    restores = !fault && found.count > 0;
    return fault;
}

bool ukKeepFileTake(ukWorld *world)
{
    /* examined again only if it has changed since */
    if (!restores || world->keep.taken || world->keep.tried == world->changes) return false;
    pthread_mutex_lock(&lock);
    size_t left = 0;
    for (size_t i = 0; i < found.count && !world->keep.taken; i++) {
        ukSavedState *const entry = &found.at[i];
        if (entry->taken) continue;
        world->keep.taken = entry->taken = ukKeepRestore(world, entry->bytes, entry->size) == ukOk;
    }
    if (!world->keep.taken && world->keep.tried == 0)
        ukLogWarning("%s: a world starts without a saved state: %s", restore_path, ukErrorMessage());
    world->keep.tried = world->changes;
    for (size_t i = 0; i < found.count; i++) left += !found.at[i].taken;
    if (left == 0) {
        restores = false;
        ukStatesForget(&found);
    }
    pthread_mutex_unlock(&lock);
    return world->keep.taken;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

void ukKeepFileSave(const char *path, double every)
{
    char *const here = path && *path && path[0] != '/' ? getcwd(NULL, 0) : NULL;
    if (!path || !*path) return;
    const int n = snprintf(save_path, sizeof save_path, "%s%s%s", here ? here : "", here ? "/" : "", path);
    saves = n > 0 && n < PathLength - 16;
    save_every = every;
    process = getpid();
    free(here);
}

static bool writeWords(FILE *file, const uint64_t *word, int count)
{
    bool ok = true;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < ukStatesWordBytes; k++) ok &= putc((int)(word[i] >> 8 * k & 255), file) != EOF;
    return ok;
}

static bool writeAll(FILE *file)
{
    bool ok = writeWords(file, (uint64_t[ukStatesHeaderWords]){ukStatesMagic, ukStatesVersion, saved.count},
                         ukStatesHeaderWords);
    for (size_t i = 0; i < saved.count && ok; i++) {
        const ukSavedState *e = &saved.at[i];
        ok = writeWords(file, (uint64_t[ukStatesEntryWords]){e->number, e->size}, ukStatesEntryWords);
        ok = ok && fwrite(e->bytes, 1, e->size, file) == e->size;
    }
    return ok;
}

static const char *writeBeside(const char *beside)
{
    const int descriptor = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY, 0666);
    FILE *const file = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    if (!file) {
        const int error = errno;
        if (descriptor >= 0) close(descriptor);
        return strerror(error);
    }
    bool ok = writeAll(file) && fflush(file) == 0 && fsync(descriptor) == 0;
    int error = errno;
    if (fclose(file) != 0) ok = false, error = errno;
    return ok ? NULL : strerror(error);
}

/* Synchronizes the folder, so that the name is on the disk as well; errors (some file systems cannot do it) are
 * ignored. */
static void synchronizeFolder(void)
{
    char folder[PathLength];
    snprintf(folder, sizeof folder, "%s", save_path);
    char *const slash = strrchr(folder, '/');
    if (slash) slash[slash == folder] = 0;
    const int descriptor = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    if (fsync(descriptor) != 0) ukLog("%s: %s", folder, strerror(errno));
    close(descriptor);
}

/* Writes a temporary file, synchronizes it to the disk, then renames it: after a crash of the machine, either the old
 * or the new file is complete. A temporary file of the same name was left by a killed process with this number. */
static void replaceFile(void)
{
    char beside[PathLength + 16];
    snprintf(beside, sizeof beside, "%s.%d", save_path, (int)process);
    const char *fault = ukStatesOccupied(save_path);
    if (!fault) unlink(beside), fault = writeBeside(beside);
    if (!fault && rename(beside, save_path) != 0) fault = strerror(errno);
    if (!fault) {
        synchronizeFolder();
        return;
    }
    ukLogWarning("%s: %s: no more states are saved", save_path, fault);
    ukOutputFailed();
    unlink(beside);
    saves = false;
}

/* Removes the saved states of destroyed worlds, which cannot be continued. */
static void dropDestroyedWorlds(void)
{
    size_t kept = 0;
    for (size_t i = 0; i < saved.count; i++) saved.at[i].lives = false;
    ukRegistryLock();
    living = ukRegistry.worlds.count;
    for (size_t i = 0; i < ukRegistry.worlds.capacity; i++) {
        const ukMapEntry *const e = &ukRegistry.worlds.entries[i];
        const uint64_t number = e->key ? ((const ukWorld *)e->value)->keep.number : 0;
        const size_t place = filePlaceOf(number);
        if (isAt(place, number)) saved.at[place].lives = true;
    }
    ukRegistryUnlock();
    for (size_t i = 0; i < saved.count; i++) {
        if (saved.at[i].lives) {
            saved.at[kept++] = saved.at[i];
            continue;
        }
        fresh -= saved.at[i].fresh;
        free(saved.at[i].bytes);
    }
    saved.count = kept;
}

static bool worldsChanged(void)
{
    ukRegistryLock();
    const bool changed = ukRegistry.worlds.count != living;
    ukRegistryUnlock();
    return changed;
}

static void writeFresh(void)
{
    if (fresh == 0) return;
    replaceFile();
    for (size_t i = 0; i < saved.count; i++) saved.at[i].fresh = false;
    fresh = 0;
}

/* Saves the state of a world in memory. The file is written for all worlds at once: as soon as each of them has a new
 * state, or one of them a second one. Writing it for each world would take a time that grows with the square of their
 * number. */
static void saveStateOf(ukWorld *world)
{
    const size_t size = ukKeepSave(world, NULL, 0);
    unsigned char *const bytes = size > 0 ? malloc(size) : NULL;
    if (worldsChanged()) dropDestroyedWorlds();
    const uint64_t number = world->keep.number;
    const size_t place = filePlaceOf(number);
    ukSavedState *entry = NULL;
    if (bytes && ukKeepSave(world, bytes, size) == size)
        entry = isAt(place, number) ? &saved.at[place] : ukStatesInsert(&saved, place, number);
    if (!entry) { /* the state before stays */
        free(bytes);
        return;
    }
    free(entry->bytes);
    entry->bytes = bytes;
    entry->size = size;
    const bool second = entry->fresh;
    fresh += !second;
    entry->fresh = true;
    if (!second && fresh < saved.count) return;
    dropDestroyedWorlds();
    writeFresh();
}

bool ukKeepFileSaves(void)
{
    return saves && getpid() == process;
}

void ukKeepFileStep(ukWorld *world, double h)
{
    if (!ukKeepFileSaves()) return;
    world->keep.since += h;
    if (world->keep.since < save_every * (1 - 1e-9)) return;
    world->keep.since = 0;
    pthread_mutex_lock(&lock);
    if (world->keep.number == 0) world->keep.number = ++worlds;
    saveStateOf(world);
    pthread_mutex_unlock(&lock);
}

void ukKeepFileNow(ukWorld *world)
{
    if (!saves || getpid() != process) return;
    world->keep.since = 0;
    pthread_mutex_lock(&lock);
    if (world->keep.number == 0) world->keep.number = ++worlds;
    saveStateOf(world);
    writeFresh();
    pthread_mutex_unlock(&lock);
}

void ukKeepFileFlush(void)
{
    if (!saves || getpid() != process || pthread_mutex_trylock(&lock) != 0) return;
    writeFresh();
    pthread_mutex_unlock(&lock);
}

void ukKeepFileClose(void)
{
    pthread_mutex_lock(&lock);
    if (saves && getpid() == process) writeFresh();
    saves = restores = false;
    fresh = living = 0;
    ukStatesForget(&saved);
    ukStatesForget(&found);
    pthread_mutex_unlock(&lock);
}
