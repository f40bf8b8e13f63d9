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

#include "bridge/base/grow.h"
#include "bridge/base/log.h"
#include "bridge/world/registry.h"
#include "plugin/formats/snapshot/keep.h"
#include "solvers/base/status.h"

enum { PathLength = 1024, HeaderWords = 3, EntryWords = 2, WordBytes = 8 };
static const uint64_t magic = 0x65766173646f6b75u, version = 1; /* "ukodsave" */

/* one world's state */
typedef struct Entry {
    uint64_t number; /* of the world in its process, in the order of first steps */
    size_t size;
    unsigned char *bytes; /* owned */
    bool taken;           /* restored */
    bool lives;           /* its world is there; of saved ones, while those that are not are sought */
    bool fresh;           /* saved, and not in the file yet */
} Entry;

typedef struct Entries {
    Entry *at;
    size_t count, capacity;
} Entries;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool saves, restores;
static char save_path[PathLength], restore_path[PathLength];
static double save_every;
static pid_t process; /* that saves: forked children do not */
static uint64_t worlds;
static Entries saved, found; /* saved: by ascending numbers; found: in the order of the file */
static size_t fresh,
    living; /* saved states that are not in the file yet; worlds when the saved ones were compared with them */

static void forget(Entries *entries)
{
    for (size_t i = 0; i < entries->count; i++) free(entries->at[i].bytes);
    free(entries->at);
    *entries = (Entries){0};
}

/* a new entry at that place, those from there on moved up; NULL: no memory */
static Entry *insert(Entries *entries, size_t place, uint64_t number)
{
    if (!ukArrayReserve(&entries->at, sizeof *entries->at, entries->count + 1, &entries->capacity)) return NULL;
    Entry *const entry = &entries->at[place];
    memmove(entry + 1, entry, (entries->count++ - place) * sizeof *entry);
    *entry = (Entry){.number = number};
    return entry;
}

/* of saved ones, the place of the first whose number is that or above */
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

static bool readWord(FILE *file, uint64_t *word)
{
    unsigned char byte[WordBytes];
    *word = 0;
    if (fread(byte, 1, sizeof byte, file) != sizeof byte) return false;
    for (int k = 0; k < WordBytes; k++) *word |= (uint64_t)byte[k] << 8 * k;
    return true;
}

static const char *readEntry(FILE *file, size_t most)
{
    uint64_t number, size;
    if (!readWord(file, &number) || !readWord(file, &size) || size > most) return "it is truncated";
    unsigned char *const bytes = malloc(size + 1);
    Entry *const entry = bytes ? insert(&found, found.count, number) : NULL;
    if (!entry) {
        free(bytes);
        return "there is no memory for it";
    }
    entry->bytes = bytes;
    entry->size = size;
    if (fread(bytes, 1, size, file) != size) return "it is truncated";
    return ukKeepWhole(bytes, size) == ukOk ? NULL : "it is corrupt";
}

static int compareNumbers(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static const char *eachOnce(void)
{
    uint64_t *const number = malloc((found.count + 1) * sizeof *number);
    bool twice = false;
    if (!number) return "there is no memory for it";
    for (size_t i = 0; i < found.count; i++) number[i] = found.at[i].number;
    qsort(number, found.count, sizeof *number, compareNumbers);
    for (size_t i = 1; i < found.count; i++) twice |= number[i] == number[i - 1];
    free(number);
    return twice ? "it has a world twice" : NULL;
}

static const char *readAll(FILE *file, off_t size)
{
    uint64_t mark, saved_version, count;
    if (!readWord(file, &mark) || mark != magic || !readWord(file, &saved_version))
        return "it is not a file of saved states";
    if (saved_version != version) return "it is of another version";
    if (!readWord(file, &count) || count > (uint64_t)size / (EntryWords * WordBytes)) return "it is truncated";
    const char *fault = NULL;
    for (uint64_t i = 0; i < count && !fault; i++) fault = readEntry(file, (size_t)size);
    return fault ? fault : eachOnce();
}

/* Of another kind it could have no end, or keep the program waiting for what comes. NULL: *fault says why. */
static FILE *openRegular(const char *path, off_t *size, const char **fault)
{
    struct stat status;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0 || fstat(descriptor, &status) != 0)
        *fault = strerror(errno);
    else if (!S_ISREG(status.st_mode))
        *fault = "it is not a regular file";
    FILE *const file = *fault ? NULL : fdopen(descriptor, "rb");
    if (!file && !*fault) *fault = strerror(errno);
    if (!file && descriptor >= 0) close(descriptor);
    if (file) *size = status.st_size;
    return file;
}

const char *ukKeepFileRestore(const char *path)
{
    if (!path || !*path) return NULL;
    off_t size = 0;
    const char *fault = NULL;
    FILE *const file = openRegular(path, &size, &fault);
    if (!file) return fault;
    fault = readAll(file, size);
    fclose(file);
    if (fault) forget(&found);
    snprintf(restore_path, sizeof restore_path, "%s", path);
    restores = !fault && found.count > 0;
    return fault;
}

bool ukKeepFileTake(ukWorld *world)
{
    /* examined again only if it has changed since */
    if (!restores || world->keep.taken || world->keep.looked == world->changes) return false;
    pthread_mutex_lock(&lock);
    size_t left = 0;
    for (size_t i = 0; i < found.count && !world->keep.taken; i++) {
        Entry *const entry = &found.at[i];
        if (entry->taken) continue;
        world->keep.taken = entry->taken = ukKeepRestore(world, entry->bytes, entry->size) == ukOk;
    }
    if (!world->keep.taken && world->keep.looked == 0)
        ukLogWarning("%s: a world starts without a saved state: %s", restore_path, ukErrorMessage());
    world->keep.looked = world->changes;
    for (size_t i = 0; i < found.count; i++) left += !found.at[i].taken;
    if (left == 0) {
        restores = false;
        forget(&found);
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
        for (int k = 0; k < WordBytes; k++) ok &= putc((int)(word[i] >> 8 * k & 255), file) != EOF;
    return ok;
}

static bool writeAll(FILE *file)
{
    bool ok = writeWords(file, (uint64_t[HeaderWords]){magic, version, saved.count}, HeaderWords);
    for (size_t i = 0; i < saved.count && ok; i++) {
        const Entry *e = &saved.at[i];
        ok = writeWords(file, (uint64_t[EntryWords]){e->number, e->size}, EntryWords);
        ok = ok && fwrite(e->bytes, 1, e->size, file) == e->size;
    }
    return ok;
}

/* In a folder of others' there may be anything in its place: a link is not followed, and nothing but a file
 * replaced. */
static const char *occupied(void)
{
    struct stat status;
    if (lstat(save_path, &status) != 0) return errno == ENOENT ? NULL : strerror(errno);
    if (S_ISLNK(status.st_mode)) return "it is a symbolic link, which is not followed";
    return S_ISREG(status.st_mode) ? NULL : "it is not a regular file";
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

/* so that the name, too, is on the disk; what cannot be opened or synchronized (some file systems) is left */
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

/* Beside its name, to the disk, then in its place: whatever ends the machine, one of the two states is there whole. A
 * file of the same name beside it is of a process of this number that was killed. */
static void replaceFile(void)
{
    char beside[PathLength + 16];
    snprintf(beside, sizeof beside, "%s.%d", save_path, (int)process);
    const char *fault = occupied();
    if (!fault) unlink(beside), fault = writeBeside(beside);
    if (!fault && rename(beside, save_path) != 0) fault = strerror(errno);
    if (!fault) {
        synchronizeFolder();
        return;
    }
    ukLogWarning("%s: %s: no more states are saved", save_path, fault);
    unlink(beside);
    saves = false;
}

/* states of destroyed worlds cannot be continued */
static void drop(void)
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

/* A file is written for all worlds at once: when every one has a new state, or one its second. Written for each, it
 * would take a time that grows with the square of their number. */
static void renew(ukWorld *world)
{
    const size_t size = ukKeepSave(world, NULL, 0);
    unsigned char *const bytes = size > 0 ? malloc(size) : NULL;
    if (worldsChanged()) drop();
    const uint64_t number = world->keep.number;
    const size_t place = filePlaceOf(number);
    Entry *entry = NULL;
    if (bytes && ukKeepSave(world, bytes, size) == size)
        entry = isAt(place, number) ? &saved.at[place] : insert(&saved, place, number);
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
    drop();
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
    renew(world);
    pthread_mutex_unlock(&lock);
}

void ukKeepFileNow(ukWorld *world)
{
    if (!saves || getpid() != process) return;
    world->keep.since = 0;
    pthread_mutex_lock(&lock);
    if (world->keep.number == 0) world->keep.number = ++worlds;
    renew(world);
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
    forget(&saved);
    forget(&found);
    pthread_mutex_unlock(&lock);
}
