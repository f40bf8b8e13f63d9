/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/body.c: ukBodySetMassless, ukBodyGetMassless: bodies without mass. */
#include "bridge/base/log.h"
#include "bridge/world/frame.h"
#include "bridge/world/registry.h"
#include "plugin/unknown.h"
#include "solvers/base/status.h"

int ukBodySetMassless(dBodyID body, int massless)
{
    ukBody *const b = body ? ukRegistryBody(body) : NULL;
    if (!b) return ukUnknown("body", body);
    if (massless != 0 && massless != 1) return ukRefuseArgument("ukBodySetMassless: massless must be 0 or 1");
    if (b->world->stepping)
        return ukErrorSet(ukErrorChanged, "a body's mass cannot be removed or restored during a step of its world");
    ukFrameDeclareMassless(b, massless == 1);
    return ukOk;
}

int ukBodyGetMassless(dBodyID body)
{
    const ukBody *const b = body ? ukRegistryBody(body) : NULL;
    if (!b) ukUnknown("body", body);
    return b ? b->massless : 0;
}
