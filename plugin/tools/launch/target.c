/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/launch/target.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { TargetPathLength = 1024 };

/* Finds the program as execvp does. */
static bool findInPath(const char *program, char path[TargetPathLength])
{
    const char *const list = getenv("PATH");
    snprintf(path, TargetPathLength, "%s", program);
    if (strchr(program, '/') || !list) return access(path, X_OK) == 0;
    for (const char *folder = list; *folder; folder += strcspn(folder, ":") + (folder[strcspn(folder, ":")] != 0)) {
        snprintf(path, TargetPathLength, "%.*s/%s", (int)strcspn(folder, ":"), folder, program);
        if (access(path, X_OK) == 0) return true;
    }
    return false;
}

static size_t readStart(const char *path, void *data, size_t size)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = file < 0 ? 0 : read(file, data, size);
    if (file >= 0) close(file);
    return n > 0 ? (size_t)n : 0;
}

/* the interpreter of a script; false: it is none */
static bool interpreterOf(const char *path, char interpreter[TargetPathLength])
{
    char line[TargetPathLength] = "";
    const size_t n = readStart(path, line, sizeof line - 1);
    if (n < 3 || line[0] != '#' || line[1] != '!') return false;
    const char *const name = line + 2 + strspn(line + 2, " \t");
    snprintf(interpreter, TargetPathLength, "%.*s", (int)strcspn(name, " \t\n"), name);
    return interpreter[0] != 0;
}

/* whether an ELF file of this machine's class has no interpreter, that is, no dynamic linker */
static bool isStatic(const char *path, bool *foreign)
{
    union {
        Elf64_Ehdr elf;
        char bytes[4096];
    } start;
    const size_t n = readStart(path, &start, sizeof start);
    *foreign = false;
    if (n < sizeof start.elf || memcmp(start.elf.e_ident, ELFMAG, SELFMAG) != 0) return false;
    *foreign = (start.elf.e_ident[EI_CLASS] == ELFCLASS64) != (sizeof(void *) == 8);
    if (*foreign || start.elf.e_ident[EI_CLASS] != ELFCLASS64) return false;
    for (int i = 0; i < start.elf.e_phnum; i++) {
        const size_t at = start.elf.e_phoff + (size_t)i * start.elf.e_phentsize;
        Elf64_Phdr header;
        if (at + sizeof header > n) return false;
        memcpy(&header, start.bytes + at, sizeof header);
        if (header.p_type == PT_INTERP) return false;
    }
    return true;
}

static bool refusesFile(const char *path, char *reason, size_t size)
{
    struct stat s;
    bool foreign;
    const bool found = stat(path, &s) == 0;
    if (found && (s.st_mode & (S_ISUID | S_ISGID)))
        snprintf(reason, size, "%s is set-user-ID or set-group-ID: the dynamic linker ignores LD_PRELOAD there", path);
    else if (found && getxattr(path, "security.capability", NULL, 0) > 0)
        snprintf(reason, size, "%s has file capabilities: the dynamic linker ignores LD_PRELOAD there", path);
    else if (found && isStatic(path, &foreign))
        snprintf(reason, size, "%s is linked statically: without a dynamic linker, nothing can be preloaded", path);
    else if (found && foreign)
        snprintf(reason, size, "%s is a %d-bit program, but libukode.so is %d-bit", path, sizeof(void *) == 8 ? 32 : 64,
                 (int)(8 * sizeof(void *)));
    else
        return false;
    return true;
}

bool targetRefuses(const char *program, char *reason, size_t size)
{
    char path[TargetPathLength], interpreter[TargetPathLength];
    if (!findInPath(program, path)) return false;
    if (interpreterOf(path, interpreter)) return refusesFile(interpreter, reason, size);
    return refusesFile(path, reason, size);
}
