/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/unknown.h"

#include <dlfcn.h>
#include <stdbool.h>

#include "bridge/base/log.h"
#include "bridge/ode/copy.h"
#include "bridge/ode/ode.h"
#include "bridge/world/registry.h"
#include "bridge/world/storage.h"
#include "solvers/base/status.h"

/* Whether the program's calls of ODE go to libode and not to the wrappers of this library. The address of a wrapper
 * says nothing: it is bound to the first definition as well. */
static bool isBypassed(void)
{
    void *const first = dlsym(RTLD_DEFAULT, "dWorldCreate");
    Dl_info called, own;
    return first && dladdr(first, &called) && dladdr(&ukOde, &own) && called.dli_fbase != own.dli_fbase;
}

int ukUnknown(const char *kind, const void *handle)
{
    char reason[ukOdeReasonLength] = "";
    const ukOdeFunctions *const ode = ukOdeSearch(NULL, false, false);
    if (ode != &ukOde) ukOdeReason(ode, reason);
    if (!handle && !ukOdeReady())
        ukErrorSet(ukErrorHandle,
                   "null %s: no ODE is loaded: link with -lode after -lukode, and with -Wl,--no-as-needed before both "
                   "if libukode has all functions of ODE that the program calls",
                   kind);
    else if (!handle)
        ukErrorSet(ukErrorHandle, "null %s", kind);
    else if (reason[0])
        ukErrorSet(ukErrorHandle, "unknown %s: %s", kind, reason);
    else if (ukOdeEmbedded())
        ukErrorSet(ukErrorHandle,
                   "unknown or destroyed %s; one whose creation did not reach ukode, if ODE is compiled with -flto: "
                   "compile it with -fno-lto",
                   kind);
    else if (!isBypassed())
        ukErrorSet(ukErrorHandle, "unknown or destroyed %s", kind);
    else
        ukErrorSet(ukErrorHandle,
                   "unknown %s: the program's calls go to libode, not to libukode, because libode was linked or loaded "
                   "first: link with -lukode before -lode, preload libukode.so (ukode run), or use ukWorldAttach",
                   kind);
    return ukErrorHandle;
}

ukWorld *ukKnownWorld(dWorldID world)
{
    ukWorld *w = world ? ukRegistryWorld(world) : NULL;
    if (!w) ukUnknown("world", world);
    if (w) ukWorldRead(w);
    return w;
}

int ukRefuseArgument(const char *what)
{
    return ukErrorSet(ukErrorArgument, "%s", what);
}
