/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/view/request.h: which requests the server of `ukode view` answers, and the orders in their bodies.
 *
 * An address has a token of 128 random bits as its first part: requests without it
 * are answered with 403.
 * The Host must be one of the server's own, since a foreign name that resolves to the loopback address (DNS rebinding)
 * is sent as it is; an Origin, if one is sent, must be the server's, which refuses the pages of other sites. */
#ifndef UKODE_PLUGIN_TOOLS_VIEW_REQUEST_H
#define UKODE_PLUGIN_TOOLS_VIEW_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "plugin/view/protocol.h"

enum { RequestToken = 32, RequestHosts = 4, RequestBody = 512 /* bytes at most */ };

/* Conditions that every request must satisfy. */
typedef struct Gate {
    char token[RequestToken + 1];
    char host[RequestHosts][96]; /* "127.0.0.1:8080"; "": none */
    bool touch;                  /* viewers may change the world */
} Gate;

typedef enum Route {
    RoutePage,
    RouteEvents,
    RouteModel,
    RouteFindings,
    RouteEnding,
    RouteReport,
    RouteOrder,
    Routes
} Route;

/* Headers that a request lacks are NULL. */
typedef struct Request {
    const char *method, *path, *host, *origin, *site; /* site: Sec-Fetch-Site */
} Request;

/* 0: it is to be answered, at *route; else the status of HTTP that refuses it. */
int requestJudge(const Gate *gate, const Request *request, Route *route);

/* The order in a body: a name and its numbers, separated by blanks, as in docs/view.md. false: it is none. */
bool requestOrder(const char *body, size_t size, ukViewOrder *order);
/* Whether it changes the motion: refused with --no-touch. */
bool requestTouches(const ukViewOrder *order);

#endif
