/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/snapshot/whole.h: the header and the checksum of a saved state (plugin/formats/snapshot/keep.h).
 * Needs no world: the `ukode` command checks a file of states before it starts a program. */
#ifndef UKODE_PLUGIN_FORMATS_SNAPSHOT_WHOLE_H
#define UKODE_PLUGIN_FORMATS_SNAPSHOT_WHOLE_H

#include <stddef.h>
#include <stdint.h>

enum { ukKeepVersion = 6 }; /* another one with each setting that comes, and each field of a record */

/* Magic, version, size [bytes]; then the checksum, of all words but its own two. */
enum { ukKeepMagicAt = 0, ukKeepVersionAt = 8, ukKeepSizeAt = 16, ukKeepSumAt = 24, ukKeepHeader = 40 };
static const uint64_t ukKeepMagic = 0x7065656b646f6b75u; /* "ukodkeep" */

/* Computes the checksum of `size` bytes, a multiple of 8. */
void ukKeepChecksum(const unsigned char *bytes, size_t size, unsigned char sum[16]);
/* Whether the bytes are a saved state, whole and of this version: ukOk, ukErrorArgument, ukErrorUnsupported. */
int ukKeepWhole(const void *buffer, size_t size);

#endif
