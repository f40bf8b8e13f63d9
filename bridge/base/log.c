/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/base/log.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

#include "bridge/base/plain.h"
#include "solvers/base/status.h"

enum { LineLength = 512, WarningLength = 512, MaxWarnings = 8 };

static _Thread_local struct {
    int status;
    unsigned count;
    char message[LineLength];
} last_error;

static const struct {
    int status;
    const char *name, *text;
} texts[] = {
    {ukOk, "ok", "success"},
    {ukErrorArgument, "argument", "an argument is null or out of range"},
    {ukErrorHandle, "handle", "the world, body, joint or constraint does not exist (or no longer exists)"},
    {ukErrorStepsize, "stepsize", "the step size is not finite or not greater than zero"},
    {ukErrorNotFinite, "not-finite", "a state, a force or a joint parameter is NaN or infinite"},
    {ukErrorMass, "mass", "a mass matrix is not positive definite"},
    {ukErrorSingular, "singular", "the system is singular"},
    {ukErrorMemory, "memory", "out of memory"},
    {ukErrorLapack, "lapack", "LAPACK reported a failure, or LAPACKE is not installed (Debian: liblapacke)"},
    {ukErrorNotConverged, "not-converged", "an iteration did not converge to its tolerance"},
    {ukErrorCheck, "check", "the Gauss check rejected the step"},
    {ukErrorUnsupported, "unsupported", "this version does not support that; ODE's own step does"},
    {ukErrorChanged, "changed", "a world, body or joint was changed inside a callback of the step"},
    {ukErrorCallback, "callback", "a user function failed or wrote NaN"},
    {ukErrorContradiction, "contradiction", "constraints contradict each other"},
    {ukErrorParameter, "parameter", "a joint parameter is invalid (lo > hi, NaN, infinite force)"},
    {ukErrorBudget, "budget", "the step's work budget is spent"},
};
enum { TextCount = sizeof texts / sizeof *texts };

int ukErrorSet(int status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    last_error.status = status;
    last_error.count++;
    vsnprintf(last_error.message, sizeof last_error.message, format, args);
    va_end(args);
    return status;
}

unsigned ukErrorCount(void)
{
    return last_error.count;
}

int ukErrorEnsure(int status, unsigned errors)
{
    if (status != ukOk && (last_error.count == errors || last_error.status != status))
        ukErrorSet(status, "%s", ukErrorText(status));
    return status;
}

int ukErrorStatus(void)
{
    return last_error.status;
}

const char *ukErrorMessage(void)
{
    return last_error.message;
}

const char *ukErrorText(int status)
{
    for (int i = 0; i < TextCount; i++)
        if (texts[i].status == status) return texts[i].text;
    return status > 0 ? "unknown status: statuses are zero or negative" : "unknown status";
}

const char *ukErrorName(int status)
{
    for (int i = 0; i < TextCount; i++)
        if (texts[i].status == status) return texts[i].name;
    return "unknown";
}

static atomic_bool is_verbose;

static pthread_mutex_t waiting_lock = PTHREAD_MUTEX_INITIALIZER;
static char waiting[MaxWarnings][WarningLength];
static atomic_int waiting_count;

void ukLogSetVerbose(bool verbose)
{
    is_verbose = verbose;
}

bool ukLogIsVerbose(void)
{
    return is_verbose;
}

static void printLogLine(const char *format, va_list args)
{
    char line[LineLength];
    vsnprintf(line, sizeof line, format, args);
    ukPlainMake(line, sizeof line); /* it may contain names of a configuration file */
    fprintf(stderr, "ukode: %s\n", line);
}

void ukLog(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (is_verbose) printLogLine(format, args);
    va_end(args);
}

void ukLogFault(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    printLogLine(format, args);
    va_end(args);
}

/* a child that was forked while another thread printed */
static void logForked(void)
{
    pthread_mutex_init(&waiting_lock, NULL);
}

__attribute__((constructor)) static void watchForks(void)
{
    pthread_atfork(NULL, NULL, logForked);
}

void ukLogWarning(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    pthread_mutex_lock(&waiting_lock);
    if (waiting_count < MaxWarnings) {
        vsnprintf(waiting[waiting_count], WarningLength, format, args);
        ukPlainMake(waiting[waiting_count], WarningLength);
        waiting_count++;
    }
    pthread_mutex_unlock(&waiting_lock);
    va_end(args);
}

void ukLogFirstStep(void)
{
    if (waiting_count == 0) return;
    pthread_mutex_lock(&waiting_lock);
    for (int i = 0; i < waiting_count; i++) fprintf(stderr, "ukode: %s\n", waiting[i]);
    waiting_count = 0;
    pthread_mutex_unlock(&waiting_lock);
}
