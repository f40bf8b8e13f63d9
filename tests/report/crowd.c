/* SPDX-License-Identifier: BSD-3-Clause */
/* For the page's size, 20 bodies; for its frames a second, 200: 100 boxes that fall into a heap, and ten chains of ten
 * links above it. */
#include <stddef.h>

#include "tests/report/model.h"

static void heap(void)
{
    for (int i = 0; i < 100; i++) {
        const double shift = 0.07 * (i * 7 % 5 - 2);
        box(1, 0.4, 0.4, 0.4, 0.6 * (i % 5) + shift, 0.6 * (i / 5 % 5) - shift, 0.3 + 0.55 * (i / 25));
    }
}

static void chains(void)
{
    for (int k = 0; k < 10; k++) {
        dBodyID last = 0;
        for (int i = 0; i < 10; i++) {
            const double x = -3 + 0.3 * i, y = -1 + 0.5 * k;
            const dBodyID link = box(1, 0.26, 0.1, 0.1, x + 0.15, y, 4);
            if (i % 2)
                hinge(last, link, x, y, 4, 0, 1, 0);
            else
                ballJoint(last, link, x, y, 4);
            last = link;
        }
    }
}

static void crowd(void)
{
    ground();
    heap();
    chains();
}

/* a rack of ten boxes and a chain of ten links beside it, ten seconds */
static void twenty(void)
{
    dBodyID last = 0;
    ground();
    for (int i = 0; i < 10; i++) {
        box(1, 0.4, 0.4, 0.4, 0.7 * (i % 5), 0.05 * (i / 5), 0.3 + 0.45 * (i / 5));
        const dBodyID link = box(1, 0.26, 0.1, 0.1, -3 + 0.3 * i + 0.15, 2, 4);
        hinge(last, link, -3 + 0.3 * i, 2, 4, 0, 1, 0);
        last = link;
    }
}

const Model large_models[] = {
    {"twenty", NULL, 0.01, 1000, twenty, NULL},
    {"crowd", NULL, 0.01, 500, crowd, NULL},
    {NULL, NULL, 0, 0, NULL, NULL},
};
