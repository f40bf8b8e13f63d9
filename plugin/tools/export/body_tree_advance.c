/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/export/body_tree_advance.c: from the initial state of a tree of bodies to that after a later step. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/vector.h"
#include "plugin/tools/export/body_tree.h"
#include "plugin/tools/query/query.h"

static bool failStep(ukReader *reader, const BodyTree *m, const char *what)
{
    if (!reader->error[0])
        snprintf(reader->error, sizeof reader->error, "%.200s: step %lld of world %lld: %s", reader->path,
                 (long long)m->step, (long long)m->key, what);
    return false;
}

/* A vector that a body carried along from its initial pose; of the world it stays. */
static void carryVector(const BodyTree *m, const BodyTreeBody *start, int body, bool point, double x[3])
{
    double R[9], in[3], out[3];
    if (body < 0) return;
    bodyTreeInto(&start[body], point, x, in);
    bodyTreeRotation(m->body[body].q, R);
    for (int k = 0; k < 3; k++) out[k] = R[3 * k] * in[0] + R[3 * k + 1] * in[1] + R[3 * k + 2] * in[2];
    for (int k = 0; k < 3; k++) x[k] = out[k] + (point ? m->body[body].x[k] : 0);
}

/* a sleeping body has a row for its last motion only */
static bool readLaterState(ukReader *reader, BodyTreeBody *b, int64_t key)
{
    Query q =
        queryBegin(reader,
                   "SELECT position_x, position_y, position_z, orientation_w, orientation_x, orientation_y, "
                   "orientation_z, velocity_x, velocity_y, velocity_z, spin_x, spin_y, spin_z FROM body_step WHERE "
                   "body = %lld AND step <= %lld ORDER BY step DESC LIMIT 1",
                   (long long)b->key, (long long)key);
    double row[13], square = 0, sum = 0;
    bool there = queryNext(&q);
    for (int k = 0; k < 13; k++) {
        row[k] = there ? queryNumber(&q, k) : NAN;
        sum += row[k];
        if (k > 2 && k < 7) square += row[k] * row[k];
    }
    queryEnd(&q);
    if (!there || !isfinite(sum) || !(fabs(square - 1) < 1e-6)) return false;
    memcpy(b->x, row, sizeof b->x), memcpy(b->q, row + 3, sizeof b->q);
    memcpy(b->v, row + 7, sizeof b->v), memcpy(b->w, row + 10, sizeof b->w);
    return true;
}

static bool existsAfter(ukReader *reader, const char *kind, int64_t object, int64_t key)
{
    return queryOneInteger(
               reader, "SELECT count(*) FROM %s WHERE %s = %lld AND (destroyed_step IS NULL OR destroyed_step > %lld)",
               kind, kind, (long long)object, (long long)key) > 0;
}

/* Removes bodies and joints that no longer exist; `to` is the new index of each body. */
static void dropDestroyed(ukReader *reader, BodyTree *m, int64_t key, int *to)
{
    int bodies = 0, joints = 0;
    for (int i = 0; i < m->bodies; i++) {
        to[i] = existsAfter(reader, "body", m->body[i].key, key) ? bodies : BodyTreeNone;
        if (to[i] >= 0) m->body[bodies++] = m->body[i];
    }
    for (int k = 0; k < m->joints; k++) {
        BodyTreeJoint *const j = &m->joint[k];
        bool stays = existsAfter(reader, "joint", j->key, key);
        for (int i = 0; i < 2; i++) {
            if (j->body[i] >= 0) j->body[i] = to[j->body[i]];
            stays = stays && j->body[i] != BodyTreeNone;
        }
        if (stays) m->joint[joints++] = *j;
    }
    m->bodies = bodies, m->joints = joints;
}

static void advanceJoint(ukReader *reader, const BodyTree *m, const BodyTreeBody *start, int64_t key, BodyTreeJoint *j)
{
    carryVector(m, start, j->body[strcmp(j->type, "PR") == 0], true, j->anchor);
    for (int k = 0; k < 2; k++) carryVector(m, start, j->body[k], false, j->axis[k]);
    j->angle = queryOne(reader,
                        "SELECT angle_1 FROM joint_step WHERE joint = %lld AND step <= %lld ORDER BY step DESC LIMIT 1",
                        (long long)j->key, (long long)key);
    if (j->body[0] == BodyTreeWorld) j->angle = -j->angle; /* ODE's getters reverse it, its stops and motors do not */
}

bool bodyTreeAdvance(ukReader *reader, BodyTree *m)
{
    const int64_t key = queryOneInteger(reader, "SELECT step FROM step WHERE world = %lld AND number = %lld",
                                        (long long)m->key, (long long)m->step);
    if (key < 1) return failStep(reader, m, "it is not in the recording");
    if (queryOneInteger(reader, "SELECT count(*) FROM body_step WHERE step = %lld", (long long)key) == 0)
        return failStep(reader, m, "the states of its bodies were not recorded (--every-step records all)");
    const double h = queryOne(reader, "SELECT h FROM step WHERE step = %lld", (long long)key);
    if (h > 0 && isfinite(h)) m->h = h;
    int *const to = calloc((size_t)m->bodies + 1, sizeof *to);
    BodyTreeBody *start = NULL;
    bool good = to || failStep(reader, m, "out of memory");
    if (good) dropDestroyed(reader, m, key, to);
    free(to);
    good = good && (m->bodies > 0 || failStep(reader, m, "it has no bodies that existed before the first step"));
    if (good) {
        start = malloc((size_t)m->bodies * sizeof *start);
        good = start || failStep(reader, m, "out of memory");
    }
    if (good) memcpy(start, m->body, (size_t)m->bodies * sizeof *start);
    for (int i = 0; good && i < m->bodies; i++)
        good = readLaterState(reader, &m->body[i], key) ||
               failStep(reader, m, "the state of a body is missing or not finite");
    for (int k = 0; good && k < m->joints; k++) advanceJoint(reader, m, start, key, &m->joint[k]);
    free(start);
    return good && !reader->error[0];
}
