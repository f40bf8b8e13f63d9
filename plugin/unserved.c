/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/unserved.h"

#include <stdatomic.h>
#include <stdio.h>

#include "bridge/base/log.h"
#include "bridge/ode/copy.h"
#include "bridge/world/registry.h"
#include "plugin/summary/process.h"

enum { MostReported = 16 };

static _Atomic(const ukOdeFunctions *) reported[MostReported];

/* whether it was not reported before */
static bool noteReported(const ukOdeFunctions *functions)
{
    for (int i = 0; i < MostReported; i++) {
        const ukOdeFunctions *present = NULL;
        if (atomic_compare_exchange_strong(&reported[i], &present, functions)) return true;
        if (present == functions) return false;
    }
    return false;
}

void ukUnservedStepped(const ukOdeFunctions *functions)
{
    char reason[ukOdeReasonLength];
    if (noteReported(functions)) {
        ukOdeReason(functions, reason);
        if (reason[0] && ukRegistryEnableByDefault) ukProcessUnserved(reason);
    }
    ukLogFirstStep();
}

void ukUnservedWorld(void)
{
    static atomic_flag reported = ATOMIC_FLAG_INIT;
    char reason[ukOdeReasonLength];
    if (!ukOde.dFluidDynamicsStep || !ukRegistryEnableByDefault || atomic_flag_test_and_set(&reported)) return;
    snprintf(reason, sizeof reason,
             "%.500s steps groups of bodies in several threads, in worlds that the program did not create: select one "
             "thread in Webots' preferences, or call dToggleODE_MT(0)",
             ukOdePath());
    ukProcessUnserved(reason);
}
