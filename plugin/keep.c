/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/keep.c: ukWorldSave, ukWorldRestore, ukWorldHash: checks arguments, calls plugin/drive. */
#include <ukode/ukode.h>

#include "plugin/drive.h"
#include "plugin/unknown.h"
#include "solvers/base/status.h"

size_t ukWorldSave(dWorldID world, void *buffer, size_t size)
{
    ukWorld *w = ukKnownWorld(world);
    return w ? ukDriveSave(w, buffer, size) : 0;
}

int ukWorldRestore(dWorldID world, const void *buffer, size_t size)
{
    ukWorld *w = ukKnownWorld(world);
    if (!w) return ukErrorHandle;
    if (!buffer) return ukRefuseArgument("ukWorldRestore: buffer is null");
    return ukDriveRestore(w, buffer, size);
}

int ukWorldHash(dWorldID world, unsigned char hash[16])
{
    const ukWorld *w = ukKnownWorld(world);
    if (!w) return ukErrorHandle;
    if (!hash) return ukRefuseArgument("ukWorldHash: hash is null");
    ukDriveHash(w, hash);
    return ukOk;
}
