/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/export/body_tree.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/tools/query/query.h"

static bool readNumbers(Query *q, int column, double *x, int count)
{
    bool finite = true;
    for (int k = 0; k < count; k++) {
        x[k] = queryNumber(q, column + k);
        finite = finite && isfinite(x[k]);
    }
    return finite;
}

/* The user's name if every format takes it and no other object has it, else KIND_KEY. */
static void nameObject(char *to, const char *name, int64_t namesakes, const char *kind, int64_t key)
{
    const size_t length = strlen(name);
    bool usable = namesakes == 1 && length > 0 && length < 40 && strncmp(name, "body_", 5) != 0 &&
                  strncmp(name, "joint_", 6) != 0 && strcmp(name, "world") != 0 && strncmp(name, "__", 2) != 0 &&
                  !strstr(name, "::"); /* SDF's */
    for (size_t i = 0; i < length; i++) usable = usable && name[i] >= ' ' && name[i] < 0x7f && name[i] != '/';
    if (usable)
        snprintf(to, BodyTreeNameSize, "%s", name);
    else
        snprintf(to, BodyTreeNameSize, "%s%lld", kind, (long long)key);
}

static bool reportTreeError(ukReader *reader, const char *format, long long key)
{
    char what[160];
    snprintf(what, sizeof what, format, key);
    if (!reader->error[0]) snprintf(reader->error, sizeof reader->error, "%.200s: %s", reader->path, what);
    return false;
}

static bool readBody(Query *q, BodyTreeBody *b)
{
    *b = (BodyTreeBody){.key = queryInteger(q, 0),
                        .parent = BodyTreeWorld,
                        .joint = BodyTreeNone,
                        .child = BodyTreeNone,
                        .sibling = BodyTreeNone};
    nameObject(b->name, queryRawText(q, 1), queryInteger(q, 2), "body_", b->key);
    b->kinematic = queryInteger(q, 3) == 1;
    if (!readNumbers(q, 4, &b->mass, 1) || !readNumbers(q, 5, b->inertia, 6) || !readNumbers(q, 11, b->x, 3) ||
        !readNumbers(q, 14, b->q, 4) || !readNumbers(q, 18, b->v, 3) || !readNumbers(q, 21, b->w, 3))
        return reportTreeError(q->reader, "body %lld: mass or initial state is not finite", b->key);
    double square = 0;
    for (int k = 0; k < 4; k++) square += b->q[k] * b->q[k];
    if (b->mass > 0 && fabs(square - 1) < 1e-6) return true;
    if (b->mass == 0)
        return reportTreeError(
            q->reader, "body %lld has no mass (ukBodySetMassless), which moving bodies of MJCF, URDF and SDF must have",
            b->key);
    return reportTreeError(q->reader, "body %lld: mass is not positive, or orientation is not a unit quaternion",
                           b->key);
}

static bool readBodies(ukReader *reader, BodyTree *m)
{
    const int64_t count = queryOneInteger(reader, "SELECT count(*) FROM body WHERE world = %lld", (long long)m->key);
    if (count < 1 || count > INT_MAX / 4) return reportTreeError(reader, "world %lld has no bodies", m->key);
    m->body = calloc((size_t)count, sizeof *m->body);
    if (!m->body) return reportTreeError(reader, "world %lld: out of memory", m->key);
    Query q = queryOfWorld(
        reader,
        "SELECT body, name, count(*) OVER (PARTITION BY name), kinematic, mass, inertia_xx, inertia_yy, inertia_zz, "
        "inertia_xy, inertia_xz, inertia_yz, position_x, position_y, position_z, orientation_w, orientation_x, "
        "orientation_y, orientation_z, velocity_x, velocity_y, velocity_z, spin_x, spin_y, spin_z FROM body JOIN "
        "body_start "
        "USING (body) WHERE world = ?1 AND step = (SELECT min(step) FROM step WHERE world = ?1) ORDER BY body",
        m->key);
    bool good = true;
    while (good && m->bodies < count && queryNext(&q)) good = readBody(&q, &m->body[m->bodies++]);
    queryEnd(&q);
    return good && !reader->error[0];
}

static int bodyIndex(const BodyTree *m, int64_t key)
{
    int low = 0, high = m->bodies;
    if (key == 0) return BodyTreeWorld;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (m->body[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < m->bodies && m->body[low].key == key ? low : BodyTreeNone;
}

/* notes print it: only a type of ODE */
static void nameType(char to[16], const char *type)
{
    static const char *const types[] = {"ball",   "hinge",  "slider",       "universal", "hinge2", "fixed",
                                        "AMotor", "LMotor", "plane2d",      "PR",        "PU",     "piston",
                                        "dball",  "dhinge", "transmission", "null"};
    snprintf(to, 16, "unknown");
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (strcmp(types[k], type) == 0) snprintf(to, 16, "%s", type);
}

static bool readJoint(Query *q, const BodyTree *m, BodyTreeJoint *j)
{
    *j = (BodyTreeJoint){.key = queryInteger(q, 0)};
    nameObject(j->name, queryRawText(q, 1), queryInteger(q, 2), "joint_", j->key);
    nameType(j->type, queryRawText(q, 3));
    for (int k = 0; k < 2; k++) j->body[k] = bodyIndex(m, queryInteger(q, 4 + k));
    for (int k = 0; k < 3; k++) j->limit[k] = (BodyTreeAxis){.lo = -INFINITY, .hi = INFINITY, .fudge = 1};
    j->erp = NAN;
    readNumbers(q, 6, j->anchor, 3), readNumbers(q, 9, j->axis[0], 3), readNumbers(q, 12, j->axis[1], 3);
    readNumbers(q, 15, &j->angle, 1);
    if (j->body[0] == BodyTreeWorld) j->angle = -j->angle; /* ODE's getters reverse it, its stops and motors do not */
    return j->body[0] != BodyTreeNone && j->body[1] != BodyTreeNone && j->body[0] != j->body[1];
}

static void readParameters(ukReader *reader, BodyTreeJoint *j)
{
    Query q = queryBegin(reader, "SELECT axis, name, value FROM joint_parameter WHERE joint = %lld", (long long)j->key);
    while (queryNext(&q)) {
        const int64_t axis = queryInteger(&q, 0);
        const char *const name = queryRawText(&q, 1);
        const double value = queryNumber(&q, 2);
        if (axis < 1 || axis > 3 || isnan(value)) continue;
        BodyTreeAxis *const l = &j->limit[axis - 1];
        struct {
            const char *name;
            double *to;
        } list[] = {{"lo_stop", &l->lo},
                    {"hi_stop", &l->hi},
                    {"vel", &l->vel},
                    {"fmax", &l->fmax},
                    {"fudge_factor", &l->fudge},
                    {"bounce", &l->bounce},
                    {"cfm", &l->cfm},
                    {"erp", &j->erp},
                    {"stop_erp", &l->stop_erp},
                    {"stop_cfm", &l->stop_cfm},
                    {"suspension_erp", &j->suspension_erp},
                    {"suspension_cfm", &j->suspension_cfm}};
        for (size_t k = 0; k < sizeof list / sizeof *list; k++)
            if (strcmp(list[k].name, name) == 0) *list[k].to = value;
    }
}

static bool readTreeJoints(ukReader *reader, BodyTree *m)
{
    const int64_t count = queryOneInteger(reader, "SELECT count(*) FROM joint WHERE world = %lld", (long long)m->key);
    if (count < 0 || count > INT_MAX / 4) return reportTreeError(reader, "world %lld has too many joints", m->key);
    m->joint = calloc((size_t)count + 1, sizeof *m->joint);
    if (!m->joint) return reportTreeError(reader, "world %lld: out of memory", m->key);
    Query q = queryOfWorld(
        reader,
        "SELECT j.joint, name, count(*) OVER (PARTITION BY name) + (SELECT count(*) FROM body b WHERE b.world = ?1 AND "
        "b.name "
        "= j.name), type, body_1, body_2, s.anchor_x, s.anchor_y, "
        "s.anchor_z, "
        "s.axis_1_x, s.axis_1_y, s.axis_1_z, s.axis_2_x, s.axis_2_y, s.axis_2_z, s.angle_1 FROM joint j JOIN "
        "joint_start s "
        "USING (joint) WHERE world = ?1 AND step = (SELECT min(step) FROM step WHERE world = ?1) ORDER BY j.joint",
        m->key);
    while (m->joints < count && queryNext(&q)) m->joints += readJoint(&q, m, &m->joint[m->joints]);
    queryEnd(&q);
    for (int j = 0; j < m->joints; j++) readParameters(reader, &m->joint[j]);
    return !reader->error[0];
}

/* ---- the tree ---------------------------------------------------------------------------------------------------- */

static bool isAxis(const double *a)
{
    return fabs(a[0] * a[0] + a[1] * a[1] + a[2] * a[2] - 1) < 1e-6; /* false for NaN */
}

static void addFreedom(BodyTreeFreedom *f, int *count, bool slides, const double *axis, double sign)
{
    f[*count].slides = slides;
    for (int k = 0; k < 3; k++) f[*count].axis[k] = sign * axis[k];
    ++*count;
}

int bodyTreeFreedoms(const BodyTreeJoint *j, int child, BodyTreeFreedom f[3], bool *is_ball)
{
    static const double frame[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const bool one = isAxis(j->axis[0]), two = isAxis(j->axis[1]), first = child == j->body[0];
    /* the angle of stops and motors is that of body 1 relative to body 2; that of the body where one of them is the
     * world */
    const double sign = first || j->body[0] == BodyTreeWorld ? 1 : -1;
    int n = 0;
    *is_ball = strcmp(j->type, "ball") == 0;
    if (*is_ball) {
        for (int k = 0; k < 3; k++) addFreedom(f, &n, false, frame[k], 1);
    } else if (strcmp(j->type, "fixed") == 0) {
        return 0;
    } else if (strcmp(j->type, "plane2d") == 0 && (j->body[0] == BodyTreeWorld || j->body[1] == BodyTreeWorld)) {
        for (int k = 0; k < 3; k++) addFreedom(f, &n, k < 2, frame[k], 1);
    } else if (strcmp(j->type, "hinge") == 0 && one) {
        addFreedom(f, &n, false, j->axis[0], sign);
    } else if (strcmp(j->type, "slider") == 0 && one) {
        addFreedom(f, &n, true, j->axis[0], sign);
    } else if (strcmp(j->type, "piston") == 0 && one) {
        addFreedom(f, &n, true, j->axis[0], sign), addFreedom(f, &n, false, j->axis[0], sign);
    } else if (strcmp(j->type, "universal") == 0 && one && two) {
        addFreedom(f, &n, false, j->axis[first], sign), addFreedom(f, &n, false, j->axis[!first], sign);
    } else if (strcmp(j->type, "hinge2") == 0 && one && two) {
        if (!first && j->suspension_cfm > 0) addFreedom(f, &n, true, j->axis[0], sign);
        addFreedom(f, &n, false, j->axis[first], sign), addFreedom(f, &n, false, j->axis[!first], sign);
        if (first && j->suspension_cfm > 0) addFreedom(f, &n, true, j->axis[0], sign);
    } else if (strcmp(j->type, "PR") == 0 && one &&
               two) { /* body 1 slides along axis 1; axis 2 passes through the anchor */
        addFreedom(f, &n, !first, j->axis[first], sign), addFreedom(f, &n, first, j->axis[!first], sign);
    } else {
        return -1;
    }
    return n;
}

/* Rank of a joint in the choice of the tree: joints that formats can express as constraints are the last to enter it,
 * so that they close the loops. */
static int treeRank(const BodyTreeJoint *j)
{
    static const char *const last[] = {"hinge", "ball", "fixed"};
    BodyTreeFreedom freedom[3];
    bool is_ball;
    if (bodyTreeFreedoms(j, j->body[0] == BodyTreeWorld ? j->body[1] : j->body[0], freedom, &is_ball) < 0) return 4;
    for (int k = 0; k < 3; k++)
        if (strcmp(j->type, last[k]) == 0) return k + 1;
    return 0;
}

static int findRoot(int *set, int i)
{
    while (set[i] != i) i = set[i] = set[set[i]];
    return i;
}

/* Chooses the spanning tree by Kruskal's algorithm; the world, and every kinematic body, is the set `bodies`. */
static void chooseSpanningTree(BodyTree *m, int *set)
{
    const int n = m->bodies;
    for (int i = 0; i <= n; i++) set[i] = i < n && m->body[i].kinematic ? n : i;
    for (int rank = 0; rank < 4; rank++) {
        for (int k = 0; k < m->joints; k++) {
            BodyTreeJoint *const j = &m->joint[k];
            if (treeRank(j) != rank) continue;
            const int a = findRoot(set, j->body[0] < 0 ? n : j->body[0]),
                      b = findRoot(set, j->body[1] < 0 ? n : j->body[1]);
            j->in_tree = a != b;
            set[a < b ? a : b] = a < b ? b : a; /* the world stays a root */
        }
    }
}

static void addChild(BodyTree *m, int parent, int child, int joint)
{
    int *const first = parent < 0 ? &m->first : &m->body[parent].child;
    m->body[child].parent = parent, m->body[child].joint = joint;
    m->body[child].sibling = *first;
    *first = child;
}

/* Orients the tree from the world: breadth first over the joints of each body (lists in next, by ends 2 j and 2 j +
 * 1). */
static void orientTree(BodyTree *m, int *head, int *next, int *queue, bool *seen)
{
    int begin = 0, end = 0, root = 0;
    for (int i = 0; i <= m->bodies; i++) head[i] = -1;
    for (int e = 2 * m->joints - 1; e >= 0; e--) {
        if (!m->joint[e / 2].in_tree) continue;
        const int at = m->joint[e / 2].body[e % 2], place = at < 0 ? m->bodies : at;
        next[e] = head[place], head[place] = e;
    }
    m->first = BodyTreeNone;
    queue[end++] = m->bodies;
    for (int i = m->bodies - 1; i >= 0; i--)
        if (m->body[i].kinematic) addChild(m, BodyTreeWorld, i, BodyTreeNone), seen[i] = true, queue[end++] = i;
    for (;;) {
        while (begin < end) {
            const int place = queue[begin++], parent = place == m->bodies ? BodyTreeWorld : place;
            for (int e = head[place]; e >= 0; e = next[e]) {
                const int child = m->joint[e / 2].body[1 - e % 2];
                if (child < 0 || seen[child]) continue;
                addChild(m, parent, child, e / 2), seen[child] = true, queue[end++] = child;
            }
        }
        while (root < m->bodies && seen[root]) root++;
        if (root == m->bodies) return;
        addChild(m, BodyTreeWorld, root, BodyTreeNone), seen[root] = true, queue[end++] = root;
    }
}

static bool buildTree(ukReader *reader, BodyTree *m)
{
    const size_t n = (size_t)m->bodies + 1, ends = 2 * (size_t)m->joints + 1;
    int *const work = calloc(3 * n + ends, sizeof *work);
    bool *const seen = calloc(n, sizeof *seen);
    if (work && seen) {
        chooseSpanningTree(m, work);
        orientTree(m, work + n, work + 3 * n, work + 2 * n, seen);
    }
    free(seen);
    const bool good = work && seen;
    free(work);
    return good || reportTreeError(reader, "world %lld: out of memory", m->key);
}

bool bodyTreeRead(ukReader *reader, int64_t world, int64_t step, BodyTree *m)
{
    *m = (BodyTree){.key = world, .step = step, .first = BodyTreeNone};
    Query q =
        queryBegin(reader,
                   "SELECT gravity_x, gravity_y, gravity_z, (SELECT h FROM step WHERE step.world = world.world ORDER "
                   "BY step LIMIT 1), erp, cfm FROM world WHERE world = %lld",
                   (long long)world);
    if (!queryNext(&q)) return reportTreeError(reader, "world %lld is not in the recording", world);
    const bool finite = readNumbers(&q, 0, m->gravity, 3) && readNumbers(&q, 3, &m->h, 1) && m->h > 0;
    m->erp = queryNumber(&q, 4), m->cfm = queryNumber(&q, 5);
    queryEnd(&q);
    if (!finite) return reportTreeError(reader, "world %lld: gravity or step size is not finite, or no step", world);
    return readBodies(reader, m) && readTreeJoints(reader, m) && (step == 0 || bodyTreeAdvance(reader, m)) &&
           buildTree(reader, m);
}

void bodyTreeFree(BodyTree *m)
{
    free(m->body);
    free(m->joint);
}
