/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/view/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "plugin/tools/terminal/message.h"
#include "plugin/tools/view/feed.h"

static struct {
    int door, program; /* where programs connect; the connected one, -1: none */
    int stop[2];
    pthread_t thread;
    pthread_mutex_t lock; /* of `program` */
    unsigned char *frame; /* (ukViewMessage) */
} channel = {.door = -1, .program = -1, .lock = PTHREAD_MUTEX_INITIALIZER};

static void setProgram(int file)
{
    pthread_mutex_lock(&channel.lock);
    if (channel.program >= 0) close(channel.program);
    channel.program = file;
    pthread_mutex_unlock(&channel.lock);
}

/* whether the bytes are a frame: its counts are those of its size */
static bool isFrame(const unsigned char *data, size_t size)
{
    ukViewHead head;
    if (size < sizeof head) return false;
    memcpy(&head, data, sizeof head);
    const int most = ukViewMessage;
    if (head.bodies < 0 || head.joints < 0 || head.contacts < 0) return false;
    if (head.bodies > most || head.joints > most || head.contacts > most) return false;
    return size == sizeof head + (size_t)head.bodies * sizeof(ukViewBody) + (size_t)head.joints * sizeof(ukViewJoint) +
                       (size_t)head.contacts * sizeof(ukViewContact);
}

/* Accepts one program at a time. A second one is refused and runs without a viewer: if its connection waited, the
 * program would stay paused without an order, and a third one would block in connect(). */
static void admitProgram(bool free)
{
    const int file = accept4(channel.door, NULL, NULL, SOCK_CLOEXEC);
    if (free)
        setProgram(file);
    else if (file >= 0)
        close(file);
}

static void *receiveMessages(void *unused)
{
    (void)unused;
    for (;;) {
        const int program = channel.program; /* this thread alone changes it */
        struct pollfd wait[3] = {{.fd = channel.stop[0], .events = POLLIN},
                                 {.fd = program, .events = POLLIN},
                                 {.fd = channel.door, .events = POLLIN}};
        if (poll(wait, 3, -1) < 0 && errno != EINTR) return NULL;
        if (wait[1].revents) { /* first: the next program connects when this one has ended */
            const ssize_t n = recv(program, channel.frame, ukViewMessage, MSG_DONTWAIT);
            if (n > 0 && isFrame(channel.frame, (size_t)n)) feedFrame(channel.frame, (size_t)n);
            if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) setProgram(-1);
        } else if (wait[2].revents) {
            admitProgram(program < 0);
        } else if (wait[0].revents) {
            return NULL;
        }
    }
}

bool channelOpen(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path)
        return messageFail(false, "view: the path of the temporary directory is too long: %s", path);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    channel.frame = malloc(ukViewMessage);
    channel.door = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    const bool good = channel.frame && channel.door >= 0 &&
                      bind(channel.door, (const struct sockaddr *)&address, sizeof address) == 0 &&
                      listen(channel.door, 1) == 0 && pipe2(channel.stop, O_CLOEXEC) == 0 &&
                      pthread_create(&channel.thread, NULL, receiveMessages, NULL) == 0;
    if (!good) messagePrint("view: no socket %s: %s", path, strerror(errno));
    return good;
}

bool channelSend(const ukViewOrder *order)
{
    pthread_mutex_lock(&channel.lock);
    const bool sent = channel.program >= 0 && send(channel.program, order, sizeof *order,
                                                   MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)sizeof *order;
    pthread_mutex_unlock(&channel.lock);
    return sent;
}

void channelClose(void)
{
    const ssize_t written = write(channel.stop[1], "", 1);
    (void)written; /* an empty pipe takes a byte */
    pthread_join(channel.thread, NULL);
    setProgram(-1);
    close(channel.door);
    close(channel.stop[0]);
    close(channel.stop[1]);
    free(channel.frame);
}
