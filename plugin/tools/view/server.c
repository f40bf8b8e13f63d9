/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/view/server.h"

#include <stdio.h>

#include "plugin/tools/terminal/message.h"

#ifndef UKODE_MICROHTTPD

bool serverReady(void)
{
    return messageFail(false,
                       "view: this command was built without libmicrohttpd (Debian: libmicrohttpd-dev); `--text` does "
                       "not need it");
}

bool serverBegin(const char *listen, bool touch, char *address, size_t size)
{
    (void)listen, (void)touch, (void)address, (void)size;
    return false;
}

void serverSetReport(const char *path)
{
    (void)path;
}

void serverEnd(void)
{
}

#else

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugin/tools/page/page.h"
#include "plugin/tools/view/channel.h"
#include "plugin/tools/view/feed.h"
#include "plugin/tools/view/request.h"

enum { Connections = 32, ConnectionMemory = 16384, ConnectionSeconds = 30 };

static struct {
    struct MHD_Daemon *daemon;
    Gate gate;
    const char *report; /* NULL: not yet */
    pthread_mutex_t lock;
} server = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- answers ----------------------------------------------------------------------------------------------------- */

static enum MHD_Result answerRequest(struct MHD_Connection *connection, unsigned status, const char *type,
                                     struct MHD_Response *response)
{
    static const char *const headers[][2] = {{"Cache-Control", "no-store"},
                                             {"Referrer-Policy", "no-referrer"},
                                             {"X-Content-Type-Options", "nosniff"},
                                             {"X-Frame-Options", "DENY"},
                                             {"Cross-Origin-Resource-Policy", "same-origin"}};
    if (!response) return MHD_NO;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
    MHD_add_response_header(response, "Content-Type", type);
    const enum MHD_Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

/* If a response cannot be created, the caller still owns the text, file or stream. */

/* `text` is freed; NULL: 404 */
static enum MHD_Result answerText(struct MHD_Connection *connection, const char *type, char *text)
{
    if (!text)
        return answerRequest(connection, 404, "text/plain",
                             MHD_create_response_from_buffer(9, "not there", MHD_RESPMEM_PERSISTENT));
    struct MHD_Response *const response = MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_FREE);
    if (!response) free(text);
    return answerRequest(connection, 200, type, response);
}

static enum MHD_Result answerStatus(struct MHD_Connection *connection, int status)
{
    return answerRequest(connection, (unsigned)status, "text/plain",
                         MHD_create_response_from_buffer(0, "", MHD_RESPMEM_PERSISTENT));
}

static bool writeModel(FILE *file, void *context)
{
    char *const model = feedCopy(FeedModel);
    (void)context;
    fprintf(file, "\"touch\":%s,", server.gate.touch ? "true" : "false");
    if (model)
        fwrite(model + 1, 1, strlen(model) - 2, file);
    else
        fprintf(file, "\"run\":[],\"meshes\":{},\"worlds\":[]");
    free(model);
    return true;
}

static char *livePage(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *const file = open_memstream(&text, &size);
    const bool good = file && pageWrite(file, "live.html", writeModel, NULL);
    if (file && fclose(file) == 0 && good) return text;
    free(text);
    return NULL;
}

static enum MHD_Result answerReport(struct MHD_Connection *connection)
{
    struct stat s;
    pthread_mutex_lock(&server.lock);
    const int file = server.report ? open(server.report, O_RDONLY | O_CLOEXEC) : -1;
    pthread_mutex_unlock(&server.lock);
    if (file < 0 || fstat(file, &s) != 0) {
        if (file >= 0) close(file);
        return answerText(connection, "text/plain", NULL);
    }
    struct MHD_Response *const response = MHD_create_response_from_fd((uint64_t)s.st_size, file);
    if (!response) close(file);
    return answerRequest(connection, 200, "text/html; charset=utf-8", response);
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* The stream of events to one viewer: `sent` of the `size` bytes of `event` are sent so far. An event may be longer
 * than a buffer. */
typedef struct Stream {
    FeedPlace place;
    char *event;
    size_t size, sent;
} Stream;

static ssize_t readEvents(void *context, uint64_t position, char *buffer, size_t size)
{
    Stream *const stream = context;
    (void)position;
    if (!stream->event) {
        stream->event = feedNext(&stream->place);
        if (!stream->event) return MHD_CONTENT_READER_END_OF_STREAM;
        stream->size = strlen(stream->event);
        stream->sent = 0;
    }
    const size_t left = stream->size - stream->sent, n = left < size ? left : size;
    memcpy(buffer, stream->event + stream->sent, n);
    stream->sent += n;
    if (stream->sent == stream->size) {
        free(stream->event);
        stream->event = NULL;
    }
    return (ssize_t)n;
}

static void endStream(void *context)
{
    Stream *const stream = context;
    free(stream->event);
    free(stream);
}

static enum MHD_Result answerEvents(struct MHD_Connection *connection)
{
    Stream *const stream = calloc(1, sizeof *stream);
    struct MHD_Response *const response =
        stream ? MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 65536, readEvents, stream, endStream) : NULL;
    if (stream && !response) endStream(stream);
    return answerRequest(connection, 200, "text/event-stream", response);
}

/* ---- requests ---------------------------------------------------------------------------------------------------- */

/* The body of a request that is being received. */
typedef struct Body {
    Route route;
    size_t size;
    char text[RequestBody];
} Body;

static int takeOrder(const Body *body)
{
    ukViewOrder order;
    if (body->size > sizeof body->text) return 413;
    if (!requestOrder(body->text, body->size, &order)) return 400;
    if (requestTouches(&order) && !server.gate.touch) return 403;
    return channelSend(&order) ? 204 : 409;
}

enum { ModelWait = 5 }; /* [s] longest wait for the program's model */

static enum MHD_Result answerRoute(struct MHD_Connection *connection, const Body *body)
{
    switch (body->route) {
    case RoutePage: return answerText(connection, "text/html; charset=utf-8", livePage());
    case RouteEvents: return answerEvents(connection);
    case RouteModel: feedRenewModel(ModelWait); return answerText(connection, "application/json", feedCopy(FeedModel));
    case RouteFindings: return answerText(connection, "application/json", feedCopy(FeedFindings));
    case RouteEnding: return answerText(connection, "text/plain; charset=utf-8", feedCopy(FeedEnd));
    case RouteReport: return answerReport(connection);
    default: return answerStatus(connection, takeOrder(body));
    }
}

static enum MHD_Result handleRequest(void *context, struct MHD_Connection *connection, const char *url,
                                     const char *method, const char *version, const char *data, size_t *size,
                                     void **own)
{
    Body *body = *own;
    (void)context, (void)version;
    if (!body) {
        const Request request = {.method = method,
                                 .path = url,
                                 .host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host"),
                                 .origin = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Origin"),
                                 .site = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Sec-Fetch-Site")};
        Route route;
        const int refused = requestJudge(&server.gate, &request, &route);
        if (refused) return answerStatus(connection, refused);
        if (!(*own = body = calloc(1, sizeof *body))) return MHD_NO;
        body->route = route;
        return MHD_YES;
    }
    if (*size == 0) return answerRoute(connection, body);
    if (body->size <= sizeof body->text && *size <= sizeof body->text - body->size)
        memcpy(body->text + body->size, data, *size);
    body->size = body->size > sizeof body->text ? body->size : body->size + *size; /* beyond: too large */
    *size = 0;
    return MHD_YES;
}

static void forgetBody(void *context, struct MHD_Connection *connection, void **own,
                       enum MHD_RequestTerminationCode code)
{
    (void)context, (void)connection, (void)code;
    free(*own);
    *own = NULL;
}

/* ---- begin and end ----------------------------------------------------------------------------------------------- */

bool serverReady(void)
{
    return true;
}

static bool chooseToken(char token[RequestToken + 1])
{
    unsigned char bytes[RequestToken / 2];
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) return false;
    for (size_t i = 0; i < sizeof bytes; i++) snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

typedef union SocketAddress {
    struct sockaddr any;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
} SocketAddress;

/* Parses one address; that of all interfaces of a machine is refused, because the Host of requests could not be
 * checked. */
static bool parseAddress(const char *text, SocketAddress *address)
{
    memset(address, 0, sizeof *address);
    if (inet_pton(AF_INET, text, &address->four.sin_addr) == 1) {
        address->four.sin_family = AF_INET;
        return address->four.sin_addr.s_addr != INADDR_ANY;
    }
    if (inet_pton(AF_INET6, text, &address->six.sin6_addr) != 1) return false;
    address->six.sin6_family = AF_INET6;
    return !IN6_IS_ADDR_UNSPECIFIED(&address->six.sin6_addr);
}

bool serverBegin(const char *listen, bool touch, char *address, size_t size)
{
    const char *const where = listen ? listen : "127.0.0.1";
    SocketAddress socket;
    if (!parseAddress(where, &socket))
        return messageFail(false, "view: --listen: '%s' is not the address of one interface", where);
    const bool six = socket.any.sa_family == AF_INET6;
    char host[INET6_ADDRSTRLEN]; /* as browsers write it in Host: 0:0:0:0:0:0:0:1 is ::1 there */
    if (!inet_ntop(socket.any.sa_family, six ? (void *)&socket.six.sin6_addr : &socket.four.sin_addr, host,
                   sizeof host))
        return messageFail(false, "view: --listen: '%s': %s", where, strerror(errno));
    if (!chooseToken(server.gate.token)) return messageFail(false, "view: no random token: %s", strerror(errno));
    server.gate.touch = touch;
    server.daemon = MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | (six ? MHD_USE_IPv6 : MHD_NO_FLAG), 0, NULL,
        NULL, handleRequest, NULL, MHD_OPTION_SOCK_ADDR, &socket.any, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)Connections, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)ConnectionMemory,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)ConnectionSeconds, MHD_OPTION_NOTIFY_COMPLETED, forgetBody, NULL,
        MHD_OPTION_END);
    const union MHD_DaemonInfo *const info =
        server.daemon ? MHD_get_daemon_info(server.daemon, MHD_DAEMON_INFO_BIND_PORT) : NULL;
    if (!info) {
        if (server.daemon) MHD_stop_daemon(server.daemon);
        server.daemon = NULL;
        return messageFail(false, "view: cannot listen at %s: %s", where, strerror(errno));
    }
    snprintf(server.gate.host[0], sizeof server.gate.host[0], six ? "[%s]:%d" : "%s:%d", host, info->port);
    if (!listen) snprintf(server.gate.host[1], sizeof server.gate.host[1], "localhost:%d", info->port);
    snprintf(address, size, "http://%s/%s/", server.gate.host[0], server.gate.token);
    return true;
}

void serverSetReport(const char *path)
{
    pthread_mutex_lock(&server.lock);
    server.report = path;
    pthread_mutex_unlock(&server.lock);
}

void serverEnd(void)
{
    feedClose();
    if (server.daemon) MHD_stop_daemon(server.daemon);
}

#endif
