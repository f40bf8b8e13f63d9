/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of contact scenes through the active set alone: how many passes, how good, how long.
 *
 *   bench_active_set [scene [law [steps]]]     scene: stack10 stack50 heavy8 pyramid10 wall8 pile200 slide20 ragdolls20
 * ... law: two-phase coupled elliptic, or all
 *
 * ODE serves as the collision detector only; the little simulator here writes the rows of contacts, balls and hinges
 * with stops itself (discrete form: b = (c - A v)/h, softness = cfm/h) and steps semi-implicitly. Contacts are matched
 * with those of the step before by pair and position for the warm start. One CSV line a run on stdout, processor time.
 * BENCH_CFM, BENCH_MU2 (second friction coefficient), BENCH_CONTACTS (a pair, at most), BENCH_COLD=1 (no warm start),
 * BENCH_VERBOSE=1 (a line a step). */
#include "solvers/base/status.h"
#include "solvers/bounded/friction_law.h"

#include <ode/ode.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MaxBodies = 512, MaxBlocks = 8192, MaxRows = 24 * 1024, MaxContacts = 8, MaxJoints = 512 };

typedef struct Box {
    double x[3], q[4], R[9], v[6];
    double half[3], mass, inertia[3]; /* body frame */
    dGeomID geom;
} Box;

typedef struct Joint { /* ball, or hinge when `hinge`; anchors and axes in body frames */
    int a, b, hinge;
    double ra[3], rb[3], axis[3], side[3], lo, hi; /* axis and side: the same in both bodies at the start */
    double warm[6];
} Joint;

typedef struct Contact {
    int a, b;                  /* b = -1: the plane */
    double at[3], n[4], depth; /* n: into body a; four doubles as ODE's vectors */
    int row;
} Contact;

typedef struct Scene {
    const char *name;
    double h, erp, cfm, mu, mu2, max_velocity;
    int collide_boxes, contacts_max;
    dSpaceID space;
    dGeomID plane;
    Box box[MaxBodies];
    Joint joint[MaxJoints];
    int boxes, joints;
    Contact contact[MaxBlocks], old[MaxBlocks];
    int contacts, olds;
    double old_lambda[MaxRows];
} Scene;

/* the problem's arrays */
static struct {
    double mass[MaxBodies], inertia[9 * MaxBodies], inverse[9 * MaxBodies], Q[6 * MaxBodies];
    ukBlock block[MaxBlocks];
    int body[2 * MaxBlocks];
    double A[12 * MaxRows], b[MaxRows], softness[MaxRows], lo[MaxRows], hi[MaxRows], warm[MaxRows];
    int normal[MaxRows];
    unsigned char cone[MaxRows];
    double qdd[6 * MaxBodies], lambda[MaxRows];
    int blocks, rows;
    size_t used;
} P;

static unsigned long long seed;
static double uniform(double lo, double hi)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return lo + (hi - lo) * (double)(seed >> 11) / 9007199254740992.0;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void cross(const double *x, const double *y, double *z)
{
    z[0] = x[1] * y[2] - x[2] * y[1];
    z[1] = x[2] * y[0] - x[0] * y[2];
    z[2] = x[0] * y[1] - x[1] * y[0];
}

static double dot(const double *x, const double *y)
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

static void rotate(const double *R, const double *x, double *y)
{
    for (int i = 0; i < 3; i++) y[i] = dot(R + 3 * i, x);
}

/* R of q, and the geom's pose */
static void place(Box *k)
{
    const double *q = k->q;
    const double R[9] = {
        1 - 2 * (q[2] * q[2] + q[3] * q[3]), 2 * (q[1] * q[2] - q[0] * q[3]),     2 * (q[1] * q[3] + q[0] * q[2]),
        2 * (q[1] * q[2] + q[0] * q[3]),     1 - 2 * (q[1] * q[1] + q[3] * q[3]), 2 * (q[2] * q[3] - q[0] * q[1]),
        2 * (q[1] * q[3] - q[0] * q[2]),     2 * (q[2] * q[3] + q[0] * q[1]),     1 - 2 * (q[1] * q[1] + q[2] * q[2])};
    memcpy(k->R, R, sizeof R);
    dGeomSetPosition(k->geom, k->x[0], k->x[1], k->x[2]);
    const dQuaternion pose = {q[0], q[1], q[2], q[3]};
    dGeomSetQuaternion(k->geom, pose);
}

static int addBox(Scene *s, double x, double y, double z, double lx, double ly, double lz, double mass)
{
    Box *k = &s->box[s->boxes];
    memset(k, 0, sizeof *k);
    k->x[0] = x, k->x[1] = y, k->x[2] = z, k->q[0] = 1;
    k->half[0] = lx / 2, k->half[1] = ly / 2, k->half[2] = lz / 2, k->mass = mass;
    for (int i = 0; i < 3; i++) {
        const double u = 2 * k->half[(i + 1) % 3], w = 2 * k->half[(i + 2) % 3];
        k->inertia[i] = mass * (u * u + w * w) / 12;
    }
    k->geom = dCreateBox(s->space, lx, ly, lz);
    dGeomSetData(k->geom, k);
    place(k);
    return s->boxes++;
}

static Joint *addBall(Scene *s, int a, int b, double x, double y, double z)
{
    Joint *j = &s->joint[s->joints++];
    memset(j, 0, sizeof *j);
    const double at[3] = {x, y, z};
    j->a = a, j->b = b;
    for (int i = 0; i < 3; i++) j->ra[i] = at[i] - s->box[a].x[i], j->rb[i] = at[i] - s->box[b].x[i];
    j->axis[1] = 1, j->side[0] = 1;
    return j;
}

static void addHinge(Scene *s, int a, int b, double x, double y, double z, double lo, double hi)
{
    Joint *j = addBall(s, a, b, x, y, z);
    j->hinge = 1, j->lo = lo, j->hi = hi;
}

static void collide(void *data, dGeomID a, dGeomID b)
{
    Scene *s = data;
    Box *i = dGeomGetData(a), *j = dGeomGetData(b);
    if (i && j && !s->collide_boxes) return;
    dContactGeom at[MaxContacts];
    const int count = dCollide(a, b, s->contacts_max, at, sizeof *at);
    for (int c = 0; c < count && s->contacts < MaxBlocks; c++) {
        Contact *k = &s->contact[s->contacts++];
        const double sign = i ? 1 : -1;
        k->a = (int)((i ? i : j) - s->box), k->b = i && j ? (int)(j - s->box) : -1;
        for (int e = 0; e < 3; e++) k->at[e] = at[c].pos[e], k->n[e] = sign * at[c].normal[e];
        k->depth = at[c].depth;
    }
}

typedef struct Row {
    const double *u, *at; /* linear u on a and -u on b at world point `at` (levers), or angular when `at` is NULL */
    double rate, softness, lo, hi;
    int normal;
} Row;

/* of the present block */
static void row(const Scene *s, int a, int b, const Row *r)
{
    ukBlock *k = &P.block[P.blocks];
    double *A = P.A + P.used;
    memset(A, 0, sizeof(double) * (size_t)(6 * k->slots));
    double speed = 0;
    for (int side = 0; side < k->slots; side++, A += 6) {
        const Box *box = &s->box[side == 0 ? a : b];
        for (int e = 0; e < 3; e++) (r->at ? A : A + 3)[e] = side == 0 ? r->u[e] : -r->u[e];
        if (r->at) {
            const double lever[3] = {r->at[0] - box->x[0], r->at[1] - box->x[1], r->at[2] - box->x[2]};
            cross(lever, A, A + 3);
        }
        speed += dot(A, box->v) + dot(A + 3, box->v + 3);
    }
    P.used += (size_t)(6 * k->slots);
    P.b[P.rows] = (r->rate - speed) / s->h;
    P.softness[P.rows] = r->softness, P.lo[P.rows] = r->lo, P.hi[P.rows] = r->hi, P.normal[P.rows] = r->normal;
    P.cone[P.rows] = 0, P.warm[P.rows] = 0;
    P.rows++, k->rows++;
}

static void beginBlock(int a, int b)
{
    ukBlock *k = &P.block[P.blocks];
    *k = (ukBlock){.row = P.rows, .rows = 0, .slot = 2 * P.blocks, .slots = b >= 0 ? 2 : 1, .A = P.used};
    P.body[2 * P.blocks] = a, P.body[2 * P.blocks + 1] = b >= 0 ? b : a;
}

static void jointRows(Scene *s, Joint *j)
{
    Box *a = &s->box[j->a], *b = &s->box[j->b];
    double ra[3], rb[3];
    rotate(a->R, j->ra, ra), rotate(b->R, j->rb, rb);
    beginBlock(j->a, j->b);
    const int first = P.rows;
    for (int e = 0; e < 3; e++) {
        double u[3] = {0};
        u[e] = 1;
        row(s, j->a, j->b, &(Row){u, NULL, 0, 0, -INFINITY, INFINITY, -1});
        /* each body's own lever */
        double *A = P.A + P.used - 12, w[3];
        memcpy(A, u, sizeof u), cross(ra, u, A + 3);
        for (int i = 0; i < 3; i++) w[i] = -u[i];
        memcpy(A + 6, w, sizeof w), cross(rb, w, A + 9);
        const double speed = dot(A, a->v) + dot(A + 3, a->v + 3) + dot(A + 6, b->v) + dot(A + 9, b->v + 3);
        P.b[P.rows - 1] = (-s->erp / s->h * (a->x[e] + ra[e] - b->x[e] - rb[e]) - speed) / s->h;
        P.softness[P.rows - 1] = s->cfm / s->h;
    }
    if (j->hinge) {
        double u[3], p[3], q[3], axis_b[3], side_b[3], w[3];
        rotate(a->R, j->axis, u), rotate(a->R, j->side, p), cross(u, p, q);
        rotate(b->R, j->axis, axis_b), rotate(b->R, j->side, side_b);
        cross(u, axis_b, w);
        const double gain = s->erp / s->h, soft = s->cfm / s->h;
        row(s, j->a, j->b, &(Row){p, NULL, gain * dot(w, p), soft, -INFINITY, INFINITY, -1});
        row(s, j->a, j->b, &(Row){q, NULL, gain * dot(w, q), soft, -INFINITY, INFINITY, -1});
        cross(p, side_b, w);
        const double angle = atan2(dot(w, u), dot(p, side_b));
        if (angle < j->lo) row(s, j->a, j->b, &(Row){u, NULL, gain * (angle - j->lo), soft, -INFINITY, 0, -1});
        if (angle > j->hi) row(s, j->a, j->b, &(Row){u, NULL, gain * (angle - j->hi), soft, 0, INFINITY, -1});
    }
    for (int i = first; i < P.rows; i++)
        P.warm[i] = i - first < 5 || j->warm[5] * (P.hi[i] > 0 ? 1 : -1) > 0 ? j->warm[i - first] : 0;
    P.blocks++;
}

static void contactRows(Scene *s, Contact *k)
{
    dVector3 t1, t2;
    dPlaneSpace(k->n, t1, t2);
    beginBlock(k->a, k->b);
    k->row = P.rows;
    const double c = s->erp / s->h * k->depth, soft = s->cfm / s->h;
    row(s, k->a, k->b, &(Row){k->n, k->at, c < s->max_velocity ? c : s->max_velocity, soft, 0, INFINITY, -1});
    if (s->mu > 0) {
        row(s, k->a, k->b, &(Row){t1, k->at, 0, soft, -s->mu, s->mu, k->row});
        row(s, k->a, k->b, &(Row){t2, k->at, 0, soft, -s->mu2, s->mu2, k->row});
        P.cone[k->row + 1] = 1;
    }
    P.blocks++;
    double best = 0.02 * 0.02;
    for (int i = 0; i < s->olds; i++) {
        const Contact *o = &s->old[i];
        if (o->a != k->a || o->b != k->b) continue;
        const double d[3] = {o->at[0] - k->at[0], o->at[1] - k->at[1], o->at[2] - k->at[2]};
        if (dot(d, d) >= best || dot(o->n, k->n) < 0.9) continue;
        best = dot(d, d);
        for (int r = 0; r < (s->mu > 0 ? 3 : 1); r++) P.warm[k->row + r] = s->old_lambda[o->row + r];
    }
}

static void assemble(Scene *s)
{
    P.blocks = P.rows = 0, P.used = 0;
    for (int i = 0; i < s->boxes; i++) {
        Box *k = &s->box[i];
        double *I = P.inertia + 9 * i, *J = P.inverse + 9 * i, *Q = P.Q + 6 * i, L[3], tau[3];
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) {
                I[3 * r + c] = J[3 * r + c] = 0;
                for (int e = 0; e < 3; e++) {
                    I[3 * r + c] += k->R[3 * r + e] * k->inertia[e] * k->R[3 * c + e];
                    J[3 * r + c] += k->R[3 * r + e] / k->inertia[e] * k->R[3 * c + e];
                }
            }
        rotate(I, k->v + 3, L), cross(L, k->v + 3, tau);
        P.mass[i] = k->mass;
        Q[0] = Q[1] = 0, Q[2] = -9.81 * k->mass;
        for (int e = 0; e < 3; e++) Q[3 + e] = tau[e];
    }
    for (int i = 0; i < s->joints; i++) jointRows(s, &s->joint[i]);
    s->contacts = 0;
    dSpaceCollide(s->space, s, collide);
    for (int i = 0; i < s->contacts; i++) contactRows(s, &s->contact[i]);
}

static void integrate(Scene *s)
{
    for (int i = 0; i < s->boxes; i++) {
        Box *k = &s->box[i];
        for (int e = 0; e < 6; e++) k->v[e] += s->h * P.qdd[6 * i + e];
        for (int e = 0; e < 3; e++) k->x[e] += s->h * k->v[e];
        const double *w = k->v + 3, *q = k->q;
        double d[4] = {-dot(w, q + 1), 0, 0, 0}, n = 0;
        cross(w, q + 1, d + 1);
        for (int e = 0; e < 3; e++) d[1 + e] += q[0] * w[e];
        for (int e = 0; e < 4; e++) k->q[e] += 0.5 * s->h * d[e], n += k->q[e] * k->q[e];
        for (int e = 0; e < 4; e++) k->q[e] /= sqrt(n);
        place(k);
    }
    int at = 0;
    for (int i = 0; i < s->joints; i++, at++) {
        Joint *j = &s->joint[i];
        memset(j->warm, 0, sizeof j->warm);
        for (int r = 0; r < P.block[at].rows; r++) j->warm[r] = P.lambda[P.block[at].row + r];
    }
    memcpy(s->old, s->contact, sizeof(Contact) * (size_t)s->contacts);
    memcpy(s->old_lambda, P.lambda, sizeof(double) * (size_t)P.rows);
    s->olds = s->contacts;
}

static void ragdoll(Scene *s, double x, double y, double z)
{
    const int pelvis = addBox(s, x, y, z, 0.2, 0.3, 0.15, 8), belly = addBox(s, x, y, z + 0.2, 0.2, 0.3, 0.2, 8);
    const int chest = addBox(s, x, y, z + 0.45, 0.22, 0.35, 0.25, 12),
              head = addBox(s, x, y, z + 0.75, 0.18, 0.16, 0.24, 4);
    addHinge(s, pelvis, belly, x, y, z + 0.09, -0.5, 0.5);
    addHinge(s, belly, chest, x, y, z + 0.31, -0.5, 0.5);
    addBall(s, chest, head, x, y, z + 0.6);
    for (int side = -1; side <= 1; side += 2) {
        const double ya = y + 0.24 * side, yl = y + 0.1 * side;
        const int upper = addBox(s, x, ya, z + 0.42, 0.1, 0.1, 0.28, 2),
                  lower = addBox(s, x, ya, z + 0.14, 0.09, 0.09, 0.26, 1.5);
        const int hand = addBox(s, x, ya, z - 0.05, 0.08, 0.04, 0.1, 0.5);
        const int thigh = addBox(s, x, yl, z - 0.3, 0.14, 0.14, 0.4, 6),
                  shin = addBox(s, x, yl, z - 0.72, 0.11, 0.11, 0.4, 4);
        const int foot = addBox(s, x + 0.05, yl, z - 0.95, 0.24, 0.1, 0.06, 1);
        addBall(s, chest, upper, x, ya, z + 0.56);
        addHinge(s, upper, lower, x, ya, z + 0.27, -2.0, 0);
        addBall(s, lower, hand, x, ya, z + 0.005);
        addBall(s, pelvis, thigh, x, yl, z - 0.09);
        addHinge(s, thigh, shin, x, yl, z - 0.51, 0, 2.3);
        addHinge(s, shin, foot, x, yl, z - 0.92, -0.6, 0.6);
    }
}

static int build(Scene *s, const char *name)
{
    memset(s, 0, sizeof *s);
    seed = 12345;
    s->name = name, s->h = 0.01, s->erp = 0.2, s->cfm = 1e-10, s->mu = s->mu2 = 0.5, s->max_velocity = INFINITY;
    s->collide_boxes = 1, s->contacts_max = MaxContacts;
    s->space = dHashSpaceCreate(0);
    s->plane = dCreatePlane(s->space, 0, 0, 1, 0);
    int n = 0;
    if (sscanf(name, "stack%d", &n) == 1)
        for (int i = 0; i < n; i++) addBox(s, 0, 0, 0.25 + 0.5 * i, 0.5, 0.5, 0.5, 1);
    else if (sscanf(name, "heavy%d", &n) == 1) /* each box twice the mass of the one below */
        for (int i = 0; i < n; i++) addBox(s, 0, 0, 0.25 + 0.5 * i, 0.5, 0.5, 0.5, pow(2, i));
    else if (sscanf(name, "pyramid%d", &n) == 1)
        for (int r = 0; r < n; r++)
            for (int i = 0; i < n - r; i++) addBox(s, 0.55 * (i + 0.5 * r), 0, 0.25 + 0.5 * r, 0.5, 0.5, 0.5, 1);
    else if (sscanf(name, "wall%d", &n) == 1)
        for (int r = 0; r < n; r++)
            for (int i = 0; i < 6; i++) addBox(s, 0.51 * (i + 0.5 * (r & 1)), 0, 0.15 + 0.3 * r, 0.5, 0.3, 0.3, 1);
    else if (sscanf(name, "pile%d", &n) == 1)
        for (int i = 0; i < n; i++) {
            const int k = addBox(s, 0.6 * (i % 5) + uniform(-0.1, 0.1), 0.6 * (i / 5 % 5) + uniform(-0.1, 0.1),
                                 0.4 + 0.6 * (i / 25), uniform(0.3, 0.5), uniform(0.3, 0.5), uniform(0.3, 0.5), 1);
            for (int e = 0; e < 6; e++) s->box[k].v[e] = uniform(-0.5, 0.5);
        }
    else if (sscanf(name, "ragdoll%d", &n) == 1) { /* the n-th of a crowd whose members do not touch */
        for (int i = 0; i < n; i++) uniform(0, 1);
        s->collide_boxes = 0;
        ragdoll(s, 0, 0, 1.3 + uniform(0, 0.3));
        for (int k = 0; k < s->boxes; k++) s->box[k].v[0] = uniform(-1, 1), s->box[k].v[1] = uniform(-1, 1);
    } else if (sscanf(name, "slide%d", &n) == 1) { /* boxes that slide out */
        for (int i = 0; i < n; i++) {
            const int k = addBox(s, 1.5 * i, 0, 0.25, 0.5, 0.5, 0.5, 1 + i);
            s->box[k].v[0] = 1, s->box[k].v[1] = 0.3 * i, s->box[k].v[5] = uniform(-3, 3);
        }
    } else
        return 0;
    return 1;
}

typedef struct Tally {
    double seconds, slowest, worst, top, end, speed;
    long steps, rows, passes;
    int most, good, fine, failed;
} Tally;

static void simulate(const char *name, ukFrictionLaw law, int steps, Tally *t)
{
    static Scene s;
    if (!build(&s, name)) {
        fprintf(stderr, "no scene `%s'\n", name);
        t->failed++;
        return;
    }
    const char *cfm = getenv("BENCH_CFM"), *mu2 = getenv("BENCH_MU2"), *contacts = getenv("BENCH_CONTACTS");
    if (cfm) s.cfm = atof(cfm);
    if (mu2) s.mu2 = atof(mu2);
    if (contacts) s.contacts_max = atoi(contacts);
    for (int i = 0; i < s.boxes; i++) t->top = fmax(t->top, s.box[i].x[2]);
    ukFrictionSolver *set = ukFrictionSolverCreate();
    for (int i = 0; i < steps; i++) {
        assemble(&s);
        ukProblem q = {.bodies = s.boxes, .blocks = P.blocks, .rows = P.rows};
        q.mass = P.mass, q.inertia = P.inertia, q.inverse_inertia = P.inverse, q.Q = P.Q;
        q.block = P.block, q.body = P.body, q.A = P.A, q.b = P.b, q.softness = P.softness;
        q.lo = P.lo, q.hi = P.hi, q.normal = P.normal, q.cone = P.cone;
        ukSolution solution = {.qdd = P.qdd, .lambda = P.lambda};
        const double start = now();
        const ukFrictionChoice choice = {.law = law, .iterations = ukUsualRounds, .tolerance = 1e-9};
        const int status = ukFrictionSolve(set, &q, &choice, getenv("BENCH_COLD") ? NULL : P.warm, &solution);
        const double took = now() - start;
        if (status != ukOk) {
            fprintf(stderr, "%s step %d: status %d\n", name, i, status);
            t->failed++;
            break;
        }
        if (getenv("BENCH_VERBOSE"))
            printf("  step %d rows %d active %d passes %d residual %.2e  %.0f us\n", i, P.rows, solution.active,
                   solution.passes, solution.residual, 1e6 * took);
        t->seconds += took, t->slowest = fmax(t->slowest, took);
        t->steps++, t->rows += P.rows, t->passes += solution.passes;
        if (solution.passes > t->most) t->most = solution.passes;
        t->good += solution.residual <= 1e-8, t->fine += solution.residual <= 1e-11;
        t->worst = fmax(t->worst, solution.residual);
        integrate(&s);
    }
    for (int i = 0; i < s.boxes; i++) {
        t->end = fmax(t->end, s.box[i].x[2]);
        for (int e = 0; e < 3; e++) t->speed = fmax(t->speed, fabs(s.box[i].v[e]));
    }
    ukFrictionSolverDestroy(set);
    dSpaceDestroy(s.space);
}

static void run(const char *name, ukFrictionLaw law, int steps)
{
    static const char *laws[] = {"two-phase", "coupled", "elliptic"};
    Tally t = {0};
    int crowd = 0;
    if (sscanf(name, "ragdolls%d", &crowd) == 1)
        for (int i = 0; i < crowd; i++) {
            char member[32];
            snprintf(member, sizeof member, "ragdoll%d", i);
            simulate(member, law, steps, &t);
        }
    else
        simulate(name, law, steps, &t);
    const double n = t.steps > 0 ? (double)t.steps : 1;
    printf("%s,%s,%ld,%.0f,%.2f,%d,%.2f,%.2f,%.1e,%.0f,%.0f,%.3f,%.4f,%.1e,%s\n", name, laws[law], t.steps,
           (double)t.rows / n, (double)t.passes / n, t.most, 100 * t.good / n, 100 * t.fine / n, t.worst,
           1e6 * t.seconds / n, 1e6 * t.slowest, t.top, t.end, t.speed, t.failed ? "FAILED" : "ok");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static const char *scenes[] = {"stack10", "stack50", "pyramid10", "wall8", "pile200", "ragdolls20", "slide20"};
    const int steps = argc > 3 ? atoi(argv[3]) : 300;
    dInitODE();
    printf(
        "scene,law,steps,rows,passes,most passes,%% <= 1e-8,%% <= 1e-11,worst residual,us,us at most,top at the start,"
        "top at the end,speed at the end,\n");
    for (int law = 0; law < 3; law++) {
        if (argc > 2 && strcmp(argv[2], "all") != 0 &&
            law != (strcmp(argv[2], "two-phase") == 0 ? 0
                    : strcmp(argv[2], "coupled") == 0 ? 1
                                                      : 2))
            continue;
        if (argc > 1 && strcmp(argv[1], "all") != 0)
            run(argv[1], (ukFrictionLaw)law, steps);
        else
            for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) run(scenes[i], (ukFrictionLaw)law, steps);
    }
    dCloseODE();
    return 0;
}
