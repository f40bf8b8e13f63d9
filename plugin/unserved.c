/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/unserved.h"

#include <pthread.h>

#include "bridge/base/log.h"
#include "bridge/ode/copy.h"
#include "bridge/world/registry.h"
#include "plugin/summary/process.h"

enum { MostReported = 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const ukOdeFunctions *reported[MostReported];

/* whether it was not reported before */
static bool noteReported(const ukOdeFunctions *functions)
{
    int i = 0;
    pthread_mutex_lock(&lock);
    while (i < MostReported && reported[i] && reported[i] != functions) i++;
    const bool first = i < MostReported && !reported[i];
    if (first) reported[i] = functions;
    pthread_mutex_unlock(&lock);
    return first;
}

void ukUnservedStepped(const ukOdeFunctions *functions)
{
    char reason[ukOdeReasonLength];
    if (noteReported(functions)) {
        ukOdeReason(functions, reason);
        if (reason[0] && ukRegistryEnableByDefault) {
            ukLogWarning("%s: ODE's own steps are used", reason);
            ukProcessUnserved(reason);
        }
    }
    ukLogFirstStep();
}
