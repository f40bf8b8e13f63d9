/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/view/feed.h: the data for viewers: the last frames of the program, its model, findings and end, shared
 * by the thread that receives, the one that analyses, and one thread per viewer. All calls from any thread. */
#ifndef UKODE_PLUGIN_TOOLS_VIEW_FEED_H
#define UKODE_PLUGIN_TOOLS_VIEW_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Texts of which a newer version replaces the older one. */
typedef enum FeedText {
    FeedModel,    /* the recording so far, as the data of a page (plugin/tools/page/data.h), in braces */
    FeedFindings, /* findings as JSON */
    FeedEnd,      /* how the program ended, in words */
    FeedTexts
} FeedText;

/* The bytes of a frame (plugin/view/protocol.h). */
void feedFrame(const void *frame, size_t size);
/* Takes the text, which is freed later; NULL: nothing. */
void feedPut(FeedText which, char *text);
/* A copy of the text, to be freed; NULL: there is none. */
char *feedCopy(FeedText which);
/* Requests a model of the present state, and waits for it for at most `seconds`. */
void feedRenewModel(double seconds);
/* Whether a viewer requested a model since the last call. */
bool feedModelAsked(void);

/* Ends the events, and with them the threads of the viewers. */
void feedClose(void);

/* Where a viewer is in the stream; zeroed at first. */
typedef struct FeedPlace {
    uint64_t frame;
    unsigned version[FeedTexts];
    bool greeted;
} FeedPlace;

/* The next server-sent event for a viewer, waited for at most a second, then a comment that keeps the connection; to be
 * freed. A viewer that is too slow misses frames. NULL: the stream is closed, or no memory. */
char *feedNext(FeedPlace *place);

#endif
