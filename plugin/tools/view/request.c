/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/view/request.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Compares in a time that does not depend on where the texts differ. */
static bool sameToken(const char *given, const char *token)
{
    unsigned char difference = 0;
    for (int i = 0; i < RequestToken; i++) difference |= (unsigned char)(given[i] ^ token[i]);
    return difference == 0;
}

static bool ownHost(const Gate *gate, const char *host)
{
    for (int i = 0; i < RequestHosts && host; i++)
        if (gate->host[i][0] && strcmp(gate->host[i], host) == 0) return true;
    return false;
}

static bool ownOrigin(const Gate *gate, const Request *request)
{
    static const char scheme[] = "http://";
    if (!request->origin) return true;
    return strncmp(request->origin, scheme, sizeof scheme - 1) == 0 &&
           strcmp(request->origin + sizeof scheme - 1, request->host) == 0 && ownHost(gate, request->host);
}

int requestJudge(const Gate *gate, const Request *request, Route *route)
{
    static const char *const names[Routes] = {"", "events", "model", "findings", "ending", "report", "order"};
    const char *const path = request->path;
    const char *const site = request->site;
    if (!ownHost(gate, request->host) || !ownOrigin(gate, request)) return 403;
    if (strnlen(path, RequestToken + 2) < RequestToken + 2 || path[0] != '/' || path[RequestToken + 1] != '/')
        return 403;
    if (!sameToken(path + 1, gate->token)) return 403;
    for (*route = 0; *route < Routes; ++*route) {
        if (strcmp(path + RequestToken + 2, names[*route]) != 0) continue;
        /* the page itself may be reached by a link */
        if (*route != RoutePage && site && strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0) return 403;
        const char *const method = *route == RouteOrder ? "POST" : "GET";
        return strcmp(request->method, method) == 0 ? 0 : 405;
    }
    return 404;
}

/* ---- orders ------------------------------------------------------------------------------------------------------ */

typedef struct OrderForm {
    const char *name;
    ukViewKind kind;
    bool keyed, axis;
    int reals;
} OrderForm;

static const OrderForm forms[] = {
    {"pause", ukViewPause, false, false, 0}, {"run", ukViewRun, false, false, 0},
    {"step", ukViewStep, false, false, 1},   {"pace", ukViewPace, false, false, 1},
    {"drag", ukViewDrag, true, false, 6},    {"release", ukViewRelease, true, false, 0},
    {"motor", ukViewMotor, true, true, 2},   {"gravity", ukViewGravity, true, false, 1},
    {"save", ukViewSave, true, false, 0},    {"restart", ukViewRestart, true, false, 0},
};

/* the next number of the text, in (least, most); false: there is none */
static bool readNumber(char **at, double least, double most, double *x)
{
    char *end;
    if (**at != ' ') return false;
    ++*at;
    if (!strchr("-.0123456789", **at) || !**at) return false; /* strtod takes more: blanks, inf, nan */
    *x = strtod(*at, &end);
    if (end == *at || !(*x >= least) || !(*x <= most)) return false;
    *at = end;
    return true;
}

/* Whether the numbers of an order have a meaning. */
static bool hasMeaning(const ukViewOrder *order)
{
    const double *x = order->x;
    switch (order->kind) {
    case ukViewStep: return x[0] >= 1 && x[0] == floor(x[0]);
    case ukViewPace: return x[0] >= 0;
    case ukViewMotor: return x[1] >= 0;
    case ukViewGravity: return x[0] == 0 || x[0] == 1;
    default: return true;
    }
}

bool requestOrder(const char *body, size_t size, ukViewOrder *order)
{
    char text[RequestBody + 1];
    double x;
    *order = (ukViewOrder){.kind = 0};
    if (size > RequestBody || memchr(body, 0, size)) return false;
    memcpy(text, body, size);
    text[size] = 0;
    const size_t length = strcspn(text, " ");
    const OrderForm *form = NULL;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strlen(forms[i].name) == length && memcmp(text, forms[i].name, length) == 0) form = &forms[i];
    if (!form) return false;
    char *at = text + length;
    order->kind = (int32_t)form->kind;
    if (form->keyed) {
        if (!readNumber(&at, 1, INT32_MAX, &x) || x != floor(x)) return false;
        order->key = (int32_t)x;
    }
    if (form->axis) {
        if (!readNumber(&at, 1, 3, &x) || x != floor(x)) return false;
        order->axis = (int32_t)x;
    }
    for (int i = 0; i < form->reals; i++)
        if (!readNumber(&at, -1e9, 1e9, &order->x[i])) return false;
    return *at == 0 && hasMeaning(order);
}

bool requestTouches(const ukViewOrder *order)
{
    return order->kind != ukViewPause && order->kind != ukViewRun && order->kind != ukViewStep &&
           order->kind != ukViewPace && order->kind != ukViewSave;
}
