/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/view/server.h: the HTTP server of `ukode view` (libmicrohttpd): the page, a stream of events for each
 * viewer, and their orders. */
#ifndef UKODE_PLUGIN_TOOLS_VIEW_SERVER_H
#define UKODE_PLUGIN_TOOLS_VIEW_SERVER_H

#include <stdbool.h>
#include <stddef.h>

/* Whether this command was built with libmicrohttpd; else a message names the Debian package. */
bool serverReady(void);
/* Listens at a free port of `listen`, an address of IPv4 or IPv6 (NULL: 127.0.0.1). `touch`: viewers may change the
 * world. `address`: out, where the page is, with its token. false after a message. */
bool serverBegin(const char *listen, bool touch, char *address, size_t size);
/* The page of `ukode report` is at this path, which stays the caller's. */
void serverSetReport(const char *path);
/* Ends all connections. */
void serverEnd(void);

#endif
