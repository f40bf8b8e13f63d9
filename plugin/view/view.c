/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/view/view.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "bridge/base/clock.h"
#include "bridge/base/forked.h"
#include "plugin/formats/recording/recorder.h"
#include "plugin/view/act.h"
#include "plugin/view/frame.h"

enum { PendingOrders = 32, OldOrder = 64, LeadLost = 64 };
static const double frame_interval = 1.0 / 32; /* [s] of wall time between frames of a running program */

static struct {
    struct sockaddr_un address;
    atomic_bool wanted; /* UKODE_VIEW is set, and its command has not gone */
    atomic_bool left;   /* it has gone, and a body is still dragged: by a world that has not been stepped since */
    int file;           /* -1: not connected yet */
    ino_t inode;        /* of the socket: a program may close descriptors that it did not open */
    /* the world whose steps are paced and counted, and how many steps of others have passed since its last */
    const ukWorld *lead;
    int others;
    bool paused;
    double steps;             /* to be taken before the pause */
    double pace, wall, start; /* simulated per real second, 0: free; from this wall time and simulated time on [s] */
    ukViewOrder pending[PendingOrders];
    int count;
    unsigned char *frame; /* (ukViewMessage) */
    pthread_mutex_t lock;
} view = {.file = -1, .lock = PTHREAD_MUTEX_INITIALIZER};

/* when the next frame is to be sent, and when orders are read next [wall s] */
static double frame_due, orders_due;
static const double orders_interval = 0.01; /* [s] */

/* A child of a process that is viewed is not; one of a process that has not stepped yet may be. */
static void viewForked(void)
{
    pthread_mutex_init(&view.lock, NULL);
    if (view.file < 0) return;
    close(view.file);
    view.file = -1;
    view.wanted = false;
    view.left = ukViewActDragging();
}

void ukViewOpen(const char *path, bool paused)
{
    view.address.sun_family = AF_UNIX;
    if (!path || !*path || strlen(path) >= sizeof view.address.sun_path) return;
    snprintf(view.address.sun_path, sizeof view.address.sun_path, "%s", path);
    view.paused = paused;
    view.wanted = true;
    ukForkedWatch(viewForked, true);
}

/* ---- the socket -------------------------------------------------------------------------------------------------- */

static void closeView(ukWorld *world)
{
    view.wanted = false;
    view.paused = false;
    view.count = 0;
    ukViewActRelease(world);
    view.left = ukViewActDragging();
    if (view.file >= 0) close(view.file);
    view.file = -1;
}

static bool sameSocket(void)
{
    struct stat s;
    return fstat(view.file, &s) == 0 && S_ISSOCK(s.st_mode) && s.st_ino == view.inode;
}

/* whether this process is viewed; connects before its first step */
static bool connectView(ukWorld *world)
{
    if (view.file >= 0) {
        if (sameSocket()) return true;
        view.file = -1; /* closed by the program: another file may have its number now */
        closeView(world);
        return false;
    }
    const int size = 4 * ukViewMessage;
    struct stat s;
    view.file = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (!view.frame) view.frame = malloc(ukViewMessage);
    if (view.file < 0 || !view.frame ||
        connect(view.file, (const struct sockaddr *)&view.address, sizeof view.address) != 0 ||
        fstat(view.file, &s) != 0) {
        closeView(world);
        return false;
    }
    setsockopt(view.file, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    view.inode = s.st_ino;
    return true;
}

static void sendFrame(ukWorld *world, bool ours)
{
    ukViewHead head = {
        .world = (int32_t)ukRecorderKey(world), .paused = view.paused, .dragged = ukViewActDragged(world)};
    head.number = (double)ukRecorderMoment(world, &head.time);
    /* before its first step a world has no keys: the head alone says whether the program is paused */
    const bool known = head.world > 0;
    if (!known) memcpy(view.frame, &head, sizeof head);
    const size_t size = known ? ukViewFrame(world, ours, &head, view.frame, ukViewMessage) : sizeof head;
    if (size > 0 && send(view.file, view.frame, size, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 && errno == EPIPE)
        closeView(world);
}

/* ---- orders ------------------------------------------------------------------------------------------------------ */

static void setPace(ukWorld *world, double pace)
{
    view.pace = pace > 0 && pace <= 1e6 ? pace : 0;
    view.wall = ukSeconds();
    ukRecorderMoment(world, &view.start);
}

/* Executes an order to the program as a whole; stores others until their world steps. */
static void takeOrder(ukWorld *world, const ukViewOrder *order)
{
    const double x = order->x[0];
    switch (order->kind) {
    case ukViewPause: view.paused = true; break;
    case ukViewRun:
        view.paused = false;
        setPace(world, view.pace);
        break;
    case ukViewStep:
        view.paused = true;
        view.steps = x >= 1 && x <= 1e9 ? x : 1;
        break;
    case ukViewPace: setPace(world, x); break;
    default:
        if (view.count == PendingOrders)
            memmove(view.pending, view.pending + 1, sizeof *view.pending * (size_t)--view.count);
        view.pending[view.count++] = *order;
    }
}

/* Receives the orders that have arrived, waiting at most `milliseconds` for the first (-1: until it arrives). false:
 * the command has ended. */
static bool hearOrders(ukWorld *world, int milliseconds)
{
    ukViewOrder order;
    struct pollfd wait = {.fd = view.file, .events = POLLIN};
    for (bool first = true;; first = false) {
        if (first && milliseconds != 0 && poll(&wait, 1, milliseconds) == 0) return true;
        const ssize_t n = recv(view.file, &order, sizeof order, MSG_DONTWAIT);
        if (n == sizeof order) {
            takeOrder(world, &order);
        } else if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
            return true;
        } else if (n <= 0) {
            closeView(world);
            return false;
        }
    }
}

static void meetOrders(ukWorld *world)
{
    int left = 0;
    for (int i = 0; i < view.count; i++)
        if (!ukViewAct(world, &view.pending[i]) && ++view.pending[i].age < OldOrder)
            view.pending[left++] = view.pending[i];
    view.count = left;
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

/* whether the world's steps are those that are paced: it takes the place of one that is stepped no more */
static bool isPacing(const ukWorld *world)
{
    if (view.lead == world) {
        view.others = 0;
    } else if (!view.lead || ++view.others > LeadLost) {
        view.lead = world;
        view.others = 0;
        view.pace = 0;
    }
    return view.lead == world;
}

/* Waits until the pace permits another step, or changes. */
static void awaitPace(ukWorld *world)
{
    while (view.wanted && view.pace > 0 && !view.paused) {
        double time;
        ukRecorderMoment(world, &time);
        const double early = view.wall + (time - view.start) / view.pace - ukSeconds();
        if (early < -0.25) { /* it cannot keep up: without catching up later */
            setPace(world, view.pace);
            return;
        }
        if (early < 1e-3 || !hearOrders(world, early > 0.1 ? 100 : (int)(1e3 * early))) return;
    }
}

static void awaitRun(ukWorld *world)
{
    while (view.wanted && view.paused && view.steps <= 0) {
        meetOrders(world);
        sendFrame(world, world->enabled);
        if (!view.wanted || !hearOrders(world, -1)) return;
    }
    if (view.steps > 0) view.steps--;
}

/* Removes a viewer's changes from a world. After the viewers have gone, each world does so before its own step, since
 * another thread may be in a step of another world. */
void ukViewLetGo(ukWorld *world)
{
    if (!view.wanted && !view.left) return;
    pthread_mutex_lock(&view.lock);
    ukViewActRelease(world);
    view.left = !view.wanted && ukViewActDragging();
    pthread_mutex_unlock(&view.lock);
}

void ukViewBefore(ukWorld *world)
{
    if (view.left) ukViewLetGo(world);
    if (!view.wanted) return;
    pthread_mutex_lock(&view.lock);
    const bool fresh = view.file < 0;
    if (connectView(world) && ukRecorderKey(world) == 0) ukViewActKeep(world);
    if (view.wanted && (fresh || ukSeconds() >= orders_due || view.paused || view.count > 0)) {
        hearOrders(world, 0);
        orders_due = ukSeconds() + orders_interval;
    }
    if (view.wanted && isPacing(world)) {
        awaitPace(world);
        awaitRun(world);
    }
    meetOrders(world);
    pthread_mutex_unlock(&view.lock);
}

void ukViewAfter(ukWorld *world, bool ours)
{
    if (!view.wanted) return;
    pthread_mutex_lock(&view.lock);
    const double now = ukSeconds();
    if (view.wanted && view.file >= 0 && (now >= frame_due || view.paused)) {
        sendFrame(world, ours);
        if (view.lead == world) frame_due = fmax(frame_due + frame_interval, now);
    }
    pthread_mutex_unlock(&view.lock);
}

void ukViewDestroyed(const ukWorld *world)
{
    if (!world || !view.address.sun_path[0]) return;
    pthread_mutex_lock(&view.lock);
    ukViewActForget(world);
    if (view.lead == world) view.lead = NULL;
    pthread_mutex_unlock(&view.lock);
}
