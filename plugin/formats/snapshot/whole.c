/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/snapshot/whole.h"

#include <string.h>

#include "bridge/base/log.h"
#include "plugin/formats/snapshot/digest.h"
#include "solvers/base/status.h"

static uint64_t wholeWordAt(const unsigned char *bytes)
{
    uint64_t word = 0;
    for (int k = 0; k < 8; k++) word |= (uint64_t)bytes[k] << 8 * k;
    return word;
}

void ukKeepChecksum(const unsigned char *bytes, size_t size, unsigned char sum[16])
{
    ukDigest digest = ukDigestBegin();
    for (size_t at = 0; at < size; at += 8)
        if (at != ukKeepSumAt && at != ukKeepSumAt + 8)
            ukDigestWord(&digest, (int)(at / 8 & 3), wholeWordAt(bytes + at));
    ukDigestEnd(&digest, sum);
}

static int refuseWhole(int status, const char *what)
{
    return ukErrorSet(status, "saved state: %s", what);
}

int ukKeepWhole(const void *buffer, size_t size)
{
    const unsigned char *const bytes = buffer;
    unsigned char sum[16];
    if (size < ukKeepHeader || wholeWordAt(bytes + ukKeepMagicAt) != ukKeepMagic)
        return refuseWhole(ukErrorArgument, "the data are not a saved state");
    if (wholeWordAt(bytes + ukKeepVersionAt) != ukKeepVersion)
        return refuseWhole(ukErrorUnsupported, "it was written in another version of its format");
    if (wholeWordAt(bytes + ukKeepSizeAt) != size || size % 8 != 0)
        return refuseWhole(ukErrorArgument, "it is truncated");
    ukKeepChecksum(bytes, size, sum);
    return memcmp(sum, bytes + ukKeepSumAt, sizeof sum) == 0 ? ukOk : refuseWhole(ukErrorArgument, "it is corrupt");
}
