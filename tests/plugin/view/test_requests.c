/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests to `ukode view`: without its token, of a foreign host or from another site none is answered, and mutated
 * orders are refused or are within the bounds of their kind. */
#include "plugin/tools/view/request.h"
#include "tests/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const Gate gate = {
    .token = "0123456789abcdef0123456789abcdef", .host = {"127.0.0.1:8080", "localhost:8080"}, .touch = true};

static int judge(const char *method, const char *path, const char *host, const char *origin, const char *site)
{
    Route route;
    return requestJudge(&gate, &(Request){method, path, host, origin, site}, &route);
}

static void answersItsOwn(void)
{
    static const char *const names[Routes] = {"", "events", "model", "findings", "ending", "report", "order"};
    for (int k = 0; k < Routes; k++) {
        char path[80];
        Route route;
        snprintf(path, sizeof path, "/%s/%s", gate.token, names[k]);
        const char *const method = k == RouteOrder ? "POST" : "GET", *const other = k == RouteOrder ? "GET" : "POST";
        const Request request = {.method = method, .path = path, .host = "localhost:8080"};
        CHECK(requestJudge(&gate, &request, &route) == 0 && (int)route == k);
        CHECK(judge(other, path, "127.0.0.1:8080", NULL, NULL) == 405);
    }
}

static void refusesWithoutToken(void)
{
    char path[80];
    for (int i = 0; i < RequestToken; i++) {
        snprintf(path, sizeof path, "/%s/model", gate.token);
        path[1 + i] ^= 1;
        CHECK(judge("GET", path, "127.0.0.1:8080", NULL, NULL) == 403);
    }
    static const char *const paths[] = {"",
                                        "/",
                                        "//",
                                        "/model",
                                        "/0123456789abcdef0123456789abcde/model",
                                        "/0123456789abcdef0123456789abcdef0/model",
                                        "0123456789abcdef0123456789abcdef"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        CHECK(judge("GET", paths[i], "127.0.0.1:8080", NULL, NULL) == 403);
    CHECK(judge("GET", "/0123456789abcdef0123456789abcdef/etc", "127.0.0.1:8080", NULL, NULL) == 404);
}

/* a foreign name that resolves to the loopback address (DNS rebinding), and pages of other sites */
static void refusesForeigners(void)
{
    static const char order[] = "/0123456789abcdef0123456789abcdef/order";
    static const char *const hosts[] = {
        NULL, "", "evil.example:8080", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:8080.evil"};
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) CHECK(judge("POST", order, hosts[i], NULL, NULL) == 403);
    static const char *const origins[] = {
        "null", "http://evil.example", "https://127.0.0.1:8080", "http://127.0.0.1:80", "http://localhost:8080", ""};
    for (size_t i = 0; i < sizeof origins / sizeof *origins; i++)
        CHECK(judge("POST", order, "127.0.0.1:8080", origins[i], NULL) == 403);
    CHECK(judge("POST", order, "127.0.0.1:8080", "http://127.0.0.1:8080", "same-origin") == 0);
    CHECK(judge("POST", order, "127.0.0.1:8080", NULL, "cross-site") == 403);
    CHECK(judge("POST", order, "127.0.0.1:8080", NULL, "same-site") == 403);
    CHECK(judge("GET", "/0123456789abcdef0123456789abcdef/", "127.0.0.1:8080", NULL, "cross-site") == 0); /* a link */
}

static const char *const samples[] = {
    "pause",           "run",         "step 1", "pace 0.1", "drag 3 0.1 0 -2 1 2 3.5e-1", "release 3",
    "motor 2 1 -3 10", "gravity 1 0", "save 1", "restart 1"};
enum { Samples = sizeof samples / sizeof *samples };

static void readsOrders(void)
{
    ukViewOrder order;
    for (int k = 0; k < Samples; k++) {
        CHECK(requestOrder(samples[k], strlen(samples[k]), &order));
        CHECK(order.kind == k + 1);
    }
    CHECK(requestOrder(samples[4], strlen(samples[4]), &order) && order.key == 3 && order.x[5] == 0.35);
    CHECK(requestOrder(samples[6], strlen(samples[6]), &order) && order.axis == 1 && order.x[0] == -3);
    static const char *const wrong[] = {"",
                                        " pause",
                                        "pause ",
                                        "pause 1",
                                        "step",
                                        "step  1",
                                        "step 1 2",
                                        "step 0",
                                        "step -1",
                                        "step 1.5",
                                        "pace -1",
                                        "motor 1 1 1 -3",
                                        "gravity 1 2",
                                        "pace nan",
                                        "pace inf",
                                        "pace 1e999",
                                        "drag 0 1 2 3 4 5 6",
                                        "drag 1.5 1 2 3 4 5 6",
                                        "motor 1 0 1 1",
                                        "motor 1 4 1 1",
                                        "motor 9e9 1 1 1",
                                        "save -1",
                                        "gravity 1",
                                        "Pause"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) CHECK(!requestOrder(wrong[i], strlen(wrong[i]), &order));
    char text[2 * RequestBody];
    memset(text, '1', sizeof text);
    memcpy(text, "step ", 5);
    CHECK(!requestOrder(text, sizeof text, &order));
    CHECK(!requestOrder("run\0", 4, &order));
}

/* ---- mutations --------------------------------------------------------------------------------------------------- */

static unsigned long long state = 1;

static unsigned draw(unsigned below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % below;
}

/* a copy of a text in memory of its own size, so that a sanitizer sees what is read beyond it */
static char *mutate(const char *from, size_t *size)
{
    static const char *const words[] = {" ",           "-",  "1e308", "0x1p9", "nan", ".",
                                        "99999999999", "\n", "\xff",  "drag",  "%20"};
    size_t n = strlen(from);
    char text[200];
    memcpy(text, from, n);
    for (unsigned k = 1 + draw(3); k > 0; k--) {
        const size_t at = draw((unsigned)n + 1);
        const char *const word = words[draw(sizeof words / sizeof *words)];
        const size_t length = strlen(word);
        if (draw(3) == 0 && at < n) {
            text[at] = (char)draw(256);
        } else if (draw(2) == 0 && at < n) {
            memmove(text + at, text + at + 1, n - at - 1);
            n--;
        } else if (n + length < sizeof text) {
            memmove(text + at + length, text + at, n - at);
            memcpy(text + at, word, length);
            n += length;
        }
    }
    char *const copy = malloc(n + 1);
    memcpy(copy, text, n);
    copy[n] = 0;
    *size = n;
    return copy;
}

static bool withinBounds(const ukViewOrder *order)
{
    for (int i = 0; i < 6; i++)
        if (!isfinite(order->x[i]) || fabs(order->x[i]) > 1e9) return false;
    return order->kind > 0 && order->kind < ukViewKinds && order->key >= 0 && order->axis >= 0 && order->axis <= 3 &&
           order->age == 0;
}

static void survivesMutations(void)
{
    int taken = 0, wrong = 0, answered = 0;
    for (int i = 0; i < 200000; i++) {
        size_t size;
        ukViewOrder order;
        char *const text = mutate(samples[draw(Samples)], &size);
        if (requestOrder(text, size, &order)) {
            taken++;
            wrong += !withinBounds(&order);
        }
        free(text);
        char *const path = mutate("/0123456789abcdef0123456789abcdef/order", &size);
        char *const host = mutate("127.0.0.1:8080", &size);
        const bool own = strncmp(path, "/0123456789abcdef0123456789abcdef/", 34) == 0 &&
                         (strcmp(host, gate.host[0]) == 0 || strcmp(host, gate.host[1]) == 0);
        const int status = judge("POST", path, host, draw(2) ? NULL : "http://127.0.0.1:8080", NULL);
        wrong += status != 403 && !own;
        answered += status == 0;
        free(path);
        free(host);
    }
    CHECK(taken > 1000 && taken < 150000); /* some are orders still */
    CHECK(wrong == 0);
    CHECK(answered < 2000);
}

int main(void)
{
    answersItsOwn();
    refusesWithoutToken();
    refusesForeigners();
    readsOrders();
    survivesMutations();
    return ukTestEnd();
}
