/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/launch/listen.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bridge/base/output.h"
#include "plugin/tools/terminal/message.h"
#include "plugin/tools/terminal/progress.h"

/* A descriptor that shells and programs do not choose themselves: those that close what they do not know are met by the
 * other way in (bridge/base/output.c). */
enum { HighDescriptor = 200, MostText = 64 << 20 };

static struct {
    int read_end, write_end; /* the pipe's ends */
    int stop[2];             /* a byte: the program has ended */
    pthread_t thread;
    char *text;
    size_t size;
    char outer[ukPipeAddressLength]; /* of the `ukode` that started this one; "": none */
} pipe_of_ours;

static void appendReceived(const char *data, size_t size)
{
    if (pipe_of_ours.size + size > MostText) return;
    char *grown = realloc(pipe_of_ours.text, pipe_of_ours.size + size + 1);
    if (!grown) return;
    memcpy(grown + pipe_of_ours.size, data, size);
    pipe_of_ours.text = grown;
    pipe_of_ours.size += size;
    grown[pipe_of_ours.size] = 0;
}

/* reads until a stop is requested, and then the data that has already arrived */
static void *readLines(void *unused)
{
    char data[ukPipeLine + 1];
    struct pollfd wait[2] = {{.fd = pipe_of_ours.read_end, .events = POLLIN},
                             {.fd = pipe_of_ours.stop[0], .events = POLLIN}};
    (void)unused;
    for (;;) {
        const ssize_t n = read(pipe_of_ours.read_end, data, ukPipeLine);
        if (n > 0) {
            appendReceived(data, (size_t)n);
            data[n] = 0;
            progressLine(data);
        } else if (wait[1].revents) {
            return NULL;
        } else if (poll(wait, 2, -1) < 0 && errno != EINTR) {
            return NULL;
        }
    }
}

static bool failToCreate(const char *what, int error)
{
    return messageFail(false, "cannot create a %s: %s", what, strerror(error));
}

bool listenBegin(void)
{
    int end[2];
    char address[ukPipeAddressLength];
    const char *outer = getenv("UKODE_PIPE");
    snprintf(pipe_of_ours.outer, sizeof pipe_of_ours.outer, "%s", outer ? outer : "");
    pipe_of_ours.text = NULL;
    pipe_of_ours.size = 0;
    appendReceived("", 0);
    if (pipe2(end, O_CLOEXEC | O_NONBLOCK) != 0) return failToCreate("pipe", errno);
    if (pipe2(pipe_of_ours.stop, O_CLOEXEC) != 0) return failToCreate("pipe", errno);
    pipe_of_ours.read_end = end[0];
    pipe_of_ours.write_end = fcntl(end[1], F_DUPFD, HighDescriptor);
    if (pipe_of_ours.write_end < 0) pipe_of_ours.write_end = dup(end[1]); /* where no process may have so many */
    close(end[1]);
    if (pipe_of_ours.write_end < 0) return failToCreate("pipe", errno);
    ukPipeAddress(address, pipe_of_ours.write_end);
    setenv("UKODE_PIPE", address, 1);
    const int error = pthread_create(&pipe_of_ours.thread, NULL, readLines, NULL);
    return error == 0 || failToCreate("thread", error);
}

static void passOn(const char *text)
{
    for (const char *end; (end = strchr(text, '\n')) != NULL; text = end + 1)
        if (!ukPipeWrite(pipe_of_ours.outer, text, (size_t)(end + 1 - text))) return;
}

char *listenEnd(void)
{
    const ssize_t written = write(pipe_of_ours.stop[1], "", 1);
    (void)written; /* an empty pipe takes a byte */
    pthread_join(pipe_of_ours.thread, NULL);
    const int ends[] = {pipe_of_ours.read_end, pipe_of_ours.write_end, pipe_of_ours.stop[0], pipe_of_ours.stop[1]};
    for (int i = 0; i < 4; i++) close(ends[i]);
    if (pipe_of_ours.outer[0])
        setenv("UKODE_PIPE", pipe_of_ours.outer, 1);
    else
        unsetenv("UKODE_PIPE");
    if (pipe_of_ours.outer[0] && pipe_of_ours.text) passOn(pipe_of_ours.text);
    return pipe_of_ours.text;
}
