/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/interpose_exit.c: the interposed _exit and _Exit, which end a process without its exit handlers, as workers
 * of a pool do (Python's multiprocessing): the recording, the file of saved states and the summary are completed first,
 * and at quick_exit. */
#include <stdlib.h>
#include <unistd.h>

#include "plugin/drive.h"
#include "plugin/wrap.h"

UKODE_WRAP(_exit)
UKODE_WRAP(_Exit)

/* The C library's quick_exit does not call the interposed _exit. Registered first, called last: the program's own
 * handlers may step. */
__attribute__((constructor)) static void watchQuickExit(void)
{
    at_quick_exit(ukDriveLeave);
}

__attribute__((visibility("default"))) _Noreturn void _exit(int status)
{
    ukDriveExit(status);
}

__attribute__((visibility("default"))) _Noreturn void _Exit(int status)
{
    _exit(status);
}
