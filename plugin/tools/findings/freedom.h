/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/freedom.h: the degrees of freedom that a world's joints leave, from their recorded anchors and
 * axes at one step: the rows of each joint type, as velocities of unit length in (v, length x spin), and their rank. */
#ifndef UKODE_PLUGIN_TOOLS_FINDINGS_FREEDOM_H
#define UKODE_PLUGIN_TOOLS_FINDINGS_FREEDOM_H

#include <stdbool.h>
#include <stdint.h>

#include "plugin/tools/query/query.h"

typedef enum Kind {
    KindNone, /* leaves everything free: of a joint that is left out, or that only drives */
    KindBall,
    KindHinge,
    KindSlider,
    KindFixed,
    KindUniversal,
    KindHinge2,
    KindPiston, /* turns about its axis and slides along it */
    KindUnknown
} Kind;

typedef struct Link {
    int64_t joint;
    Kind kind;
    int body[2];                             /* indices of Mechanism.body; -1: what does not move */
    double anchor[3], axis[2][3], arm[2][3]; /* world's frame at the step; arm: anchor from the bodies' centres */
    bool has_anchor;
} Link;

/* The links of one step that hang together: an island of the joints alone. */
typedef struct Mechanism {
    int bodies, links;
    int64_t *body; /* keys */
    Link *link;
    double length; /* [m] of the scaling */
} Mechanism;

enum { MechanismRows = 160 }; /* of one mechanism; larger ones are not examined */

typedef struct Rank {
    int rows, rank;
    double least; /* smallest singular value that counts, of unit rows; 0: no rows */
    double rest;  /* largest singular value that does not count; 0: all count */
} Rank;

/* All mechanisms of a world at a step, up to `most`; their number. `at_start`: of the joints that took part in this
 * step at the poses before their first one, where the recording has them. A mechanism that is too large is left out;
 * joints that are springs by their CFM are of no kind. */
int mechanismsRead(ukReader *reader, int64_t world, int64_t step, bool at_start, Mechanism *mechanisms, int most);
void mechanismFree(Mechanism *mechanism);

/* Of all links, as their kinds say. Rank counts singular values above `tolerance`, of unit rows. */
Rank mechanismRank(const Mechanism *mechanism, double tolerance);

/* Number of independent loops that the links with rows form, the world being one body: 0, and no row can depend on
 * others. */
int mechanismLoops(const Mechanism *mechanism);

int kindRows(Kind kind);
const char *kindName(Kind kind);

#endif
