/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/interpose_exit.c: the interposed _exit and _Exit, which end a process without its exit handlers, as workers
 * of a pool do (Python's multiprocessing): the recording and the file of saved states are completed first. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bridge/base/forked.h"
#include "plugin/formats/recording/recorder.h"
#include "plugin/formats/snapshot/file.h"
#include "plugin/wrap.h"

UKODE_WRAP(_exit)
UKODE_WRAP(_Exit)

__attribute__((visibility("default"))) _Noreturn void _exit(int status)
{
    ukForkedCheck();
    ukRecorderLeave();
    ukKeepFileFlush();
    for (;;) syscall(SYS_exit_group, status);
}

__attribute__((visibility("default"))) _Noreturn void _Exit(int status)
{
    _exit(status);
}
