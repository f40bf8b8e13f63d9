/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/sweep/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugin/tools/terminal/message.h"

static const char prefix[] = "ukode-sweep-";
enum {
    OpenFolders = 16,
    MostTries = 1000
}; /* descriptors that a walk keeps open; attempts until no other sweep clears a folder */

static int removeEntry(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status;
    (void)place;
    if (type == FTW_DNR) chmod(path, S_IRWXU);
    remove(path);
    return 0;
}

void folderRemove(const char *path)
{
    nftw(path, removeEntry, OpenFolders, FTW_DEPTH | FTW_PHYS);
}

static size_t sum;

static int addFileSize(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)path;
    (void)place;
    if (type == FTW_F) sum += (size_t)status->st_blocks * 512;
    return 0;
}

size_t folderSize(const char *path)
{
    sum = 0;
    nftw(path, addFileSize, OpenFolders, FTW_PHYS);
    return sum;
}

/* a folder of ours without a lock */
static void clearUnlocked(const char *path)
{
    struct stat status;
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) return;
    if (fstat(folder, &status) == 0 && status.st_uid == geteuid() && flock(folder, LOCK_EX | LOCK_NB) == 0)
        folderRemove(path);
    close(folder);
}

static void clearOthers(const char *base)
{
    char path[1024];
    DIR *const directory = opendir(base);
    if (!directory) return;
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0) continue;
        if (snprintf(path, sizeof path, "%s/%s", base, entry->d_name) < (int)sizeof path) clearUnlocked(path);
    }
    closedir(directory);
}

/* Locks the folder by a descriptor that stays open; false: between its creation and the lock another sweep (of two
 * ranks that start together, say) has cleared it, or has locked it. */
static bool claimFolder(const char *path)
{
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0 && flock(folder, LOCK_EX | LOCK_NB) == 0 && access(path, W_OK) == 0) return true;
    if (folder >= 0) close(folder);
    return false;
}

bool folderBegin(char *path, size_t size)
{
    const char *const variable = getenv("TMPDIR"), *const base = variable && *variable ? variable : "/tmp";
    char *const whole = realpath(base, NULL);
    clearOthers(base);
    for (int i = 0; i < MostTries; i++) {
        const int n = snprintf(path, size, "%s/%sXXXXXX", whole ? whole : base, prefix);
        if (n < 0 || (size_t)n >= size || !mkdtemp(path)) break;
        if (claimFolder(path)) {
            free(whole);
            return true;
        }
    }
    free(whole);
    return messageFail(false, "cannot create the temporary directory %s: %s", path, strerror(errno));
}
