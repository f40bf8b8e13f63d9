/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/findings/freedom.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/grow.h"
#include "plugin/tools/findings/findings.h"
#include "plugin/tools/findings/turn.h"

static const struct {
    const char *name;
    int rows;
} kinds[] = {
    [KindNone] = {"no joint", 0},        [KindBall] = {"ball", 3},         [KindHinge] = {"hinge", 5},
    [KindSlider] = {"slider", 5},        [KindFixed] = {"fixed joint", 6}, [KindUniversal] = {"universal joint", 4},
    [KindHinge2] = {"hinge-2 joint", 4}, [KindPiston] = {"piston", 4},     [KindUnknown] = {"joint", 0}};

int kindRows(Kind kind)
{
    return kinds[kind].rows;
}
const char *kindName(Kind kind)
{
    return kinds[kind].name;
}

static Kind kindOf(const char *type)
{
    static const struct {
        const char *type;
        Kind kind;
    } known[] = {{"ball", KindBall},     {"hinge", KindHinge},   {"slider", KindSlider},
                 {"fixed", KindFixed},   {"hinge2", KindHinge2}, {"universal", KindUniversal},
                 {"piston", KindPiston}, {"AMotor", KindNone},   {"LMotor", KindNone},
                 {"null", KindNone}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(type, known[i].type) == 0) return known[i].kind;
    return KindUnknown;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

#define POSE(t)                                                                                                        \
    t ".position_x, " t ".position_y, " t ".position_z, " t ".orientation_w, " t ".orientation_x, " t                  \
      ".orientation_y, " t ".orientation_z"

/* Anchors and axes stand for a pose of the body that carries them: where the joint and its bodies begin with the same
 * step, that before this step; else, or in a recording without it, that after the joint's first recorded one. */
static const char from_start[] =
    "EXISTS (SELECT 1 FROM joint_start x WHERE x.joint = j.joint AND (j.body_1 IS NULL OR x.step = (SELECT step FROM "
    "body_start WHERE body = j.body_1)) AND (j.body_2 IS NULL OR x.step = (SELECT step FROM body_start WHERE body = "
    "j.body_2)))";
static const char first_recorded[] = "(SELECT min(step) FROM joint_step WHERE joint = j.joint)";

/* joint, type, bodies (0: none that moves), whether it is a spring, anchor, axes; poses of the body that carries them,
 * then and now; of both now */
static const char link_rows[] =
    "SELECT j.joint, j.type, CASE WHEN a.kinematic = 0 THEN a.body ELSE 0 END, CASE WHEN b.kinematic = 0 THEN b.body "
    "ELSE 0 END, j.joint IN (" FINDINGS_SOFT "), t.anchor_x, t.anchor_y, t.anchor_z, t.axis_1_x, t.axis_1_y, "
    "t.axis_1_z, t.axis_2_x, t.axis_2_y, t.axis_2_z, " POSE("o") ", " POSE(
        "n") ", p.position_x, p.position_y, "
             "p.position_z, r.position_x, r.position_y, r.position_z FROM joint j LEFT JOIN body a ON a.body = "
             "j.body_1 LEFT "
             "JOIN body b ON b.body = j.body_2 JOIN %s t ON t.joint = j.joint JOIN %s o ON o.body = coalesce(j.body_1, "
             "j.body_2) AND o.step = %s JOIN %s n ON n.body = o.body AND n.step = %s LEFT JOIN %s p ON p.body = "
             "j.body_1 AND "
             "p.step = n.step LEFT JOIN %s r ON r.body = j.body_2 AND r.step = n.step WHERE j.world = %lld AND j.type "
             "<> "
             "'contact' AND EXISTS (SELECT 1 FROM joint_step s WHERE s.joint = j.joint AND s.step = %lld) AND %s ORDER "
             "BY "
             "j.joint";

static void readLink(const Query *q, Link *link, int64_t body[2])
{
    double then[7], now[7], local[3], point[3];
    *link = (Link){.joint = queryInteger(q, 0), .kind = kindOf(queryText(q, 1)), .body = {-1, -1}};
    if (queryInteger(q, 4)) link->kind = KindNone; /* a spring, which has its own share of every load */
    for (int k = 0; k < 2; k++) body[k] = queryInteger(q, 2 + k);
    for (int k = 0; k < 7; k++) then[k] = queryNumber(q, 14 + k), now[k] = queryNumber(q, 21 + k);
    link->has_anchor = isfinite(queryNumber(q, 5));
    for (int k = 0; k < 3; k++) point[k] = (link->has_anchor ? queryNumber(q, 5 + k) : then[k]) - then[k];
    turnVector(then + 3, true, point, local);
    turnVector(now + 3, false, local, link->anchor);
    for (int k = 0; k < 3; k++) link->anchor[k] += now[k];
    for (int i = 0; i < 2; i++) {
        double axis[3];
        for (int k = 0; k < 3; k++) axis[k] = queryNumber(q, 8 + 3 * i + k);
        if (!isfinite(axis[0])) continue;
        turnVector(then + 3, true, axis, local);
        turnVector(now + 3, false, local, link->axis[i]);
    }
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) link->arm[i][k] = link->anchor[k] - queryNumber(q, 28 + 3 * i + k);
}

/* ---- mechanisms: links joined by moving bodies ------------------------------------------------------------------- */

typedef struct All {
    Link *link;
    int64_t (*body)[2];
    int *island;
    int count;
    size_t room[3]; /* of each */
} All;

static bool reserveAll(All *all)
{
    const size_t more = (size_t)all->count + 1;
    return ukArrayReserve(&all->link, sizeof *all->link, more, &all->room[0]) &&
           ukArrayReserve(&all->body, sizeof *all->body, more, &all->room[1]) &&
           ukArrayReserve(&all->island, sizeof *all->island, more, &all->room[2]);
}

static bool shareBody(const int64_t a[2], const int64_t b[2])
{
    return (a[0] && (a[0] == b[0] || a[0] == b[1])) || (a[1] && (a[1] == b[0] || a[1] == b[1]));
}

/* numbers the islands; links are few, and this is quadratic */
static int findIslands(All *all)
{
    int islands = 0;
    for (int i = 0; i < all->count; i++) all->island[i] = -1;
    for (int first = 0; first < all->count; first++) {
        if (all->island[first] >= 0) continue;
        all->island[first] = islands;
        for (bool more = true; more;) {
            more = false;
            for (int i = 0; i < all->count; i++)
                for (int k = 0; all->island[i] < 0 && k < all->count; k++)
                    if (all->island[k] == islands && shareBody(all->body[i], all->body[k])) {
                        all->island[i] = islands;
                        more = true;
                    }
        }
        islands++;
    }
    return islands;
}

static int bodyIndex(Mechanism *m, int64_t body)
{
    if (body == 0) return -1;
    for (int i = 0; i < m->bodies; i++)
        if (m->body[i] == body) return i;
    m->body[m->bodies] = body;
    return m->bodies++;
}

static bool makeMechanism(const All *all, int island, Mechanism *m)
{
    int count = 0, rows = 0;
    double length = 0;
    for (int i = 0; i < all->count; i++)
        if (all->island[i] == island) count++, rows += kindRows(all->link[i].kind);
    *m = (Mechanism){.links = 0};
    if (rows == 0 || rows > MechanismRows) return false;
    m->link = malloc((size_t)count * sizeof *m->link);
    m->body = malloc(2 * (size_t)count * sizeof *m->body);
    if (!m->link || !m->body) {
        mechanismFree(m);
        return false;
    }
    for (int i = 0; i < all->count; i++) {
        if (all->island[i] != island) continue;
        Link *const link = &m->link[m->links++];
        *link = all->link[i];
        for (int k = 0; k < 2; k++) {
            link->body[k] = bodyIndex(m, all->body[i][k]);
            if (link->body[k] >= 0)
                length = fmax(length, hypot(hypot(link->arm[k][0], link->arm[k][1]), link->arm[k][2]));
        }
    }
    m->length = length > 0 ? length : 1;
    return true;
}

/* false: no memory, or too many */
static bool readLinks(Query q, All *all)
{
    while (queryNext(&q)) {
        if (all->count >= 2000 || !reserveAll(all)) {
            queryEnd(&q);
            return false;
        }
        readLink(&q, &all->link[all->count], all->body[all->count]);
        all->count++;
    }
    return true;
}

static bool readAll(ukReader *reader, int64_t world, int64_t step, bool at_start, All *all)
{
    char here[32], others[700] = "1";
    const long long w = (long long)world, s = (long long)step;
    snprintf(here, sizeof here, "%lld", s);
    if (queryOne(reader, "SELECT count(*) FROM sqlite_master WHERE name = 'joint_start'") > 0) {
        const char *const now = at_start ? "body_start" : "body_step", *const when = at_start ? "t.step" : here;
        snprintf(others, sizeof others, "NOT %s", from_start);
        const Query q = queryBegin(reader, link_rows, w, "joint_start", "body_start", "t.step", now, when, now, now, w,
                                   s, from_start);
        if (!readLinks(q, all)) return false;
    }
    const Query q = queryBegin(reader, link_rows, w, "joint", "body_step", first_recorded, "body_step", here,
                               "body_step", "body_step", w, s, others);
    return readLinks(q, all);
}

int mechanismsRead(ukReader *reader, int64_t world, int64_t step, bool at_start, Mechanism *mechanisms, int most)
{
    All all = {.link = NULL};
    int found = 0;
    if (!readAll(reader, world, step, at_start, &all)) all.count = 0;
    const int islands = findIslands(&all);
    for (int i = 0; i < islands && found < most; i++) found += makeMechanism(&all, i, &mechanisms[found]);
    free(all.link);
    free(all.body);
    free(all.island);
    return found;
}

/* Joins the components of two bodies, which are numbered by their lowest index. */
static bool joinComponents(int *component, int bodies, int a, int b)
{
    const int x = component[a], y = component[b];
    for (int i = 0; i <= bodies; i++)
        if (component[i] == x || component[i] == y) component[i] = x < y ? x : y;
    return x != y;
}

int mechanismLoops(const Mechanism *m)
{
    int loops = 0;
    int *const component = malloc(((size_t)m->bodies + 1) * sizeof *component); /* the last one is the world */
    for (int i = 0; component && i <= m->bodies; i++) component[i] = i;
    for (int i = 0; component && i < m->links; i++) {
        const int *const body = m->link[i].body;
        if (kindRows(m->link[i].kind) == 0) continue;
        loops +=
            !joinComponents(component, m->bodies, body[0] < 0 ? m->bodies : body[0], body[1] < 0 ? m->bodies : body[1]);
    }
    free(component);
    return loops;
}

void mechanismFree(Mechanism *m)
{
    free(m->link);
    free(m->body);
    *m = (Mechanism){.links = 0};
}
