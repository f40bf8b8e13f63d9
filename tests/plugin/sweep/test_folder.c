/* SPDX-License-Identifier: BSD-3-Clause */
/* The folder of a sweep's runs, where others begin at the same moment: one that another clears, or looks at, before it
 * is locked is made anew; what is locked stays, what nobody holds any more goes. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugin/tools/sweep/folder.h"
#include "tests/check.h"

/* what another sweep does right after folders are made: clears so many, then holds so many */
static int made, cleared, held, other = -1;
static char last_held[1024];

char *__real_mkdtemp(char *path);
char *__wrap_mkdtemp(char *path);

char *__wrap_mkdtemp(char *path)
{
    if (!__real_mkdtemp(path)) return NULL;
    made++;
    if (made <= cleared) {
        rmdir(path);
    } else if (made <= cleared + held) {
        if (other >= 0) close(other);
        other = open(path, O_RDONLY | O_DIRECTORY);
        flock(other, LOCK_EX);
        snprintf(last_held, sizeof last_held, "%s", path);
    }
    return path;
}

static bool there(const char *path)
{
    return access(path, F_OK) == 0;
}

static bool isLocked(const char *path)
{
    const int folder = open(path, O_RDONLY | O_DIRECTORY);
    const bool locked = folder >= 0 && flock(folder, LOCK_EX | LOCK_NB) != 0;
    close(folder);
    return locked;
}

int main(void)
{
    char base[] = "/tmp/ukode-test-folder-XXXXXX", one[1024], two[1024], three[1024], no[1024];
    if (!CHECK(__real_mkdtemp(base) != NULL)) return ukTestEnd();
    setenv("TMPDIR", base, 1);
    CHECK(folderBegin(one, sizeof one) && made == 1 && isLocked(one));

    made = 0, cleared = 3, held = 2;
    CHECK(folderBegin(two, sizeof two) && made == 6 && isLocked(two));
    CHECK(there(one) && there(last_held)); /* though not ours, it is another's */

    close(other);
    CHECK(folderBegin(three, sizeof three) && made == 7 && isLocked(three));
    CHECK(there(one) && there(two) && !there(last_held));
    folderRemove(base);
    CHECK(!there(base));

    CHECK(freopen("/dev/null", "w", stderr) && !folderBegin(no, sizeof no)); /* the base is gone */
    return ukTestEnd();
}
