/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/sized.h: structs that the library writes for programs that were compiled with another version of the
 * header. */
#ifndef UKODE_PLUGIN_SIZED_H
#define UKODE_PLUGIN_SIZED_H

#include <stddef.h>
#include <string.h>

/* Sets the result of a failed call to zeros. */
static inline void ukSizedClear(void *to, size_t size)
{
    if (to) memset(to, 0, size);
}

/* The first `size` bytes of a struct of `known` bytes; bytes beyond it are 0. New members come last, so that an older
 * program gets the members that it knows, and a newer one zeros for those that this library does not have. */
static inline void ukSizedWrite(void *to, size_t size, const void *from, size_t known)
{
    memcpy(to, from, size < known ? size : known);
    if (size > known) memset((char *)to + known, 0, size - known);
}

#endif
