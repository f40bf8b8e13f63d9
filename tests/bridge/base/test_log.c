/* SPDX-License-Identifier: BSD-3-Clause */
/* Every status has a text; the last error is the thread's own; nothing is printed unasked, warnings once and at a step.
 */
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include <ukode/ukode.h>

#include "bridge/base/log.h"
#include "solvers/base/status.h"
#include "tests/check.h"

static void texts(void)
{
    for (int status = -15; status <= 0; status++) {
        CHECK(strstr(ukGetErrorString(status), "unknown") == NULL);
        CHECK(strlen(ukErrorName(status)) > 0 && !strchr(ukErrorName(status), ' '));
        for (int other = -15; other < status; other++) {
            CHECK(strcmp(ukGetErrorString(status), ukGetErrorString(other)) != 0);
            CHECK(strcmp(ukErrorName(status), ukErrorName(other)) != 0);
        }
    }
    const int odd[] = {1, 2, INT_MAX, -16, -1000, INT_MIN};
    for (int i = 0; i < 6; i++) CHECK(ukGetErrorString(odd[i]) && strlen(ukGetErrorString(odd[i])) > 0);
}

static void *inThread(void *unused)
{
    CHECK(ukGetLastError() == ukOk && strcmp(ukGetLastErrorMessage(), "") == 0);
    ukErrorSet(ukErrorMass, "body %d", 7);
    CHECK(ukGetLastError() == ukErrorMass && strcmp(ukGetLastErrorMessage(), "body 7") == 0);
    return unused;
}

static void lastError(void)
{
    char longer[1000];
    pthread_t thread;
    CHECK(ukGetLastError() == ukOk && strcmp(ukGetLastErrorMessage(), "") == 0);
    ukErrorSet(ukErrorStepsize, "step size %g", -0.5);
    CHECK(pthread_create(&thread, NULL, inThread, NULL) == 0);
    pthread_join(thread, NULL);
    CHECK(ukGetLastError() == ukErrorStepsize && strcmp(ukGetLastErrorMessage(), "step size -0.5") == 0);
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = 0;
    ukErrorSet(ukErrorArgument, "%s", longer);
    CHECK(strlen(ukGetLastErrorMessage()) == 511);
}

/* what `speak` prints on stderr */
static const char *heard(void (*speak)(void))
{
    static char text[4096];
    int ends[2];
    const int saved = dup(STDERR_FILENO);
    if (pipe(ends) != 0) return "no pipe";
    dup2(ends[1], STDERR_FILENO);
    speak();
    dup2(saved, STDERR_FILENO);
    close(ends[1]);
    close(saved);
    const ssize_t n = read(ends[0], text, sizeof text - 1);
    close(ends[0]);
    text[n > 0 ? n : 0] = 0;
    return text;
}

static void logOnce(void)
{
    ukLog("rank %d", 3);
}

static void warn(void)
{
    ukLogWarning("no such solver: %s", "x");
}

static void printing(void)
{
    CHECK(strcmp(heard(logOnce), "") == 0);
    ukLogSetVerbose(true);
    CHECK(strcmp(heard(logOnce), "ukode: rank 3\n") == 0);
    ukLogSetVerbose(false);
    CHECK(strcmp(heard(logOnce), "") == 0);
    CHECK(strcmp(heard(warn), "") == 0);
    CHECK(strcmp(heard(ukLogFirstStep), "ukode: no such solver: x\n") == 0);
    CHECK(strcmp(heard(ukLogFirstStep), "") == 0);
    for (int i = 0; i < 100; i++) ukLogWarning("again");
    CHECK(strlen(heard(ukLogFirstStep)) == 8 * strlen("ukode: again\n"));
}

int main(void)
{
    texts();
    lastError();
    printing();
    return ukTestEnd();
}
