/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/keep.c: ukWorldSave, ukWorldRestore, ukWorldHash: checks arguments, calls plugin/formats/snapshot. */
#include <ukode/ukode.h>

#include "bridge/base/log.h"
#include "bridge/world/registry.h"
#include "plugin/formats/inputs/inputs.h"
#include "plugin/formats/snapshot/keep.h"
#include "plugin/unknown.h"
#include "plugin/view/view.h"

size_t ukWorldSave(dWorldID world, void *buffer, size_t size)
{
    ukWorld *w = ukKnownWorld(world);
    if (w && !ukWorldWithinStep(w)) ukViewLetGo(w);
    return w ? ukKeepSave(w, buffer, size) : 0;
}

int ukWorldRestore(dWorldID world, const void *buffer, size_t size)
{
    ukWorld *w = ukKnownWorld(world);
    if (!w) return ukErrorHandle;
    if (!buffer) return ukRefuseArgument("ukWorldRestore: buffer");
    if (!ukWorldWithinStep(w)) {
        ukViewLetGo(w);
        if (w->journal) ukInputsRestore(w);
    }
    const int status = ukKeepRestore(w, buffer, size);
    if (w->journal && status == ukOk) ukInputsRestored(w);
    return status;
}

int ukWorldHash(dWorldID world, unsigned char hash[16])
{
    const ukWorld *w = ukKnownWorld(world);
    if (!w) return ukErrorHandle;
    if (!hash) return ukRefuseArgument("ukWorldHash: hash");
    ukKeepHash(w, hash);
    return ukOk;
}
