/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/terminal/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool isRegular(int file)
{
    struct stat status;
    if (fstat(file, &status) != 0) return false;
    if (S_ISREG(status.st_mode)) return true;
    errno = EEXIST;
    return false;
}

/* Truncates the file only after it is known to be a regular one, and does not wait for a reader if it is a pipe. */
static int openDerived(const char *path)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
    if (file < 0) {
        if (errno == ENXIO) errno = EEXIST; /* a pipe that nothing reads */
        return -1;
    }
    if (isRegular(file) && ftruncate(file, 0) == 0) return file;
    const int error = errno;
    close(file);
    errno = error;
    return -1;
}

FILE *outputFileOpen(const char *path, bool derived)
{
    if (!derived) return fopen(path, "wbe");
    const int file = openDerived(path);
    FILE *const stream = file < 0 ? NULL : fdopen(file, "wb");
    if (file >= 0 && !stream) {
        const int error = errno;
        close(file);
        errno = error;
    }
    return stream;
}

bool outputFileClose(FILE *file, const char *path, bool written)
{
    struct stat status;
    int error = errno;
    const bool regular = fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode);
    if (ferror(file)) { /* the errno of the write that failed may be lost: another one fails alike */
        errno = EIO;
        if (fputc(' ', file) == EOF || fflush(file) != 0) error = errno;
        written = false;
    }
    if (fclose(file) != 0 && written) written = false, error = errno;
    if (!written && regular) unlink(path);
    errno = error;
    return written;
}

int outputFileCheck(const char *path)
{
    struct stat status;
    char folder[PATH_MAX];
    if (stat(path, &status) == 0) {
        if (S_ISDIR(status.st_mode)) return EISDIR;
        return access(path, W_OK) == 0 ? 0 : errno;
    }
    /* 0: a dangling link, whose target is created on opening */
    if (errno != ENOENT || lstat(path, &status) == 0) return errno == ENOENT || errno == 0 ? 0 : errno;
    const char *const slash = strrchr(path, '/');
    if (slash && !slash[1]) return EISDIR;
    const int length = slash ? (int)(slash - path) : 0;
    if (length >= (int)sizeof folder) return ENAMETOOLONG;
    snprintf(folder, sizeof folder, "%.*s", length, path);
    return access(slash == path ? "/" : length > 0 ? folder : ".", W_OK | X_OK) == 0 ? 0 : errno;
}

const char *outputFileFault(int error)
{
    if (error == ELOOP) return "it is a symbolic link, which is not followed";
    if (error == EEXIST) return "it is not a regular file";
    return strerror(error);
}
