/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/kinematic.c: finding: kinematic bodies that the program moves by setting poses instead of
 * velocities. Contacts and joints then see a body at rest that is elsewhere in the next step. */
#include <math.h>

#include "bridge/base/vector.h"
#include "plugin/tools/findings/findings.h"

static const double unexplained = 0.5; /* of a motion between two samples: not that of the velocities */
static const double least = 1e-6;      /* [m, rad] smaller motions may be rounding */
static const int repeated = 10;        /* samples: fewer are resets */
/* Its own speed, relative to that of its motion. With more, it moves by velocities that change or turn too fast for the
 * recording's rate. */
static const double still = 0.25;

/* A body's poses, and its velocities at the ends of steps; of one %lld, the body. `meets`: it has a contact with a
 * body that is not kinematic in this step, or a joint with one. */
static const char samples[] =
    "WITH free AS MATERIALIZED (SELECT body FROM body WHERE kinematic = 0) SELECT s.step, s.time, s.h, p.position_x, "
    "p.position_y, p.position_z, p.velocity_x, p.velocity_y, p.velocity_z, p.orientation_w, p.orientation_x, "
    "p.orientation_y, p.orientation_z, p.spin_x, p.spin_y, p.spin_z, EXISTS (SELECT 1 FROM contact_step c WHERE c.step "
    "= s.step AND ((c.body_1 = p.body AND c.body_2 IN free) OR (c.body_2 = p.body AND c.body_1 IN free))) OR EXISTS "
    "(SELECT 1 FROM joint j WHERE j.type <> 'null' AND ((j.body_1 = p.body AND j.body_2 IN free) OR (j.body_2 = p.body "
    "AND j.body_1 IN free))) FROM body_step p JOIN step s ON s.step = p.step WHERE p.body = %lld ORDER BY s.step";

typedef struct Sample {
    double time, x[3], v[3], q[4], w[3];
    bool meets;
    int64_t step;
} Sample;

/* Motion of a body between its samples, by translation or by rotation. */
typedef struct Driven {
    int moves, jumps; /* pairs of samples between which it moves; of these, those that its velocities do not explain */
    int met;          /* of the latter, where it has contacts or joints */
    double way, time; /* of the jumps [m or rad], [s] */
    double speed;     /* its own then, mean [m/s or rad/s] */
    int64_t first;    /* step */
} Driven;

static Sample sampleOf(Query *q)
{
    Sample s = {.step = queryInteger(q, 0), .time = queryNumber(q, 1), .meets = queryInteger(q, 16) != 0};
    for (int k = 0; k < 3; k++) s.x[k] = queryNumber(q, 3 + k), s.v[k] = queryNumber(q, 6 + k);
    for (int k = 0; k < 4; k++) s.q[k] = queryNumber(q, 9 + k);
    for (int k = 0; k < 3; k++) s.w[k] = queryNumber(q, 13 + k);
    return s;
}

/* A step moves a body by the velocity at its end, several steps by a mean of those: by at least the smaller part that
 * either leaves is not explained. */
static void addMotion(Driven *d, const double way[3], const double before[3], const double after[3], const Sample *s,
                      double h)
{
    double left[3][3];
    for (int k = 0; k < 3; k++) {
        left[0][k] = way[k] - h * before[k];
        left[1][k] = way[k] - h * after[k];
        left[2][k] = way[k] - h * (before[k] + after[k]) / 2;
    }
    const double whole = ukSize(way, 3), rest = fmin(fmin(ukSize(left[0], 3), ukSize(left[1], 3)), ukSize(left[2], 3));
    if (!(whole > least)) return;
    d->moves++;
    if (!(rest > unexplained * whole)) return;
    if (d->jumps++ == 0) d->first = s->step;
    d->met += s->meets;
    d->way += whole, d->time += h, d->speed += h * ukSize(after, 3);
}

/* the rotation vector from a to b, world axes */
static void turnBetween(const double a[4], const double b[4], double turn[3])
{
    const double w = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    const double v[3] = {a[0] * b[1] - b[0] * a[1] - (b[2] * a[3] - b[3] * a[2]),
                         a[0] * b[2] - b[0] * a[2] - (b[3] * a[1] - b[1] * a[3]),
                         a[0] * b[3] - b[0] * a[3] - (b[1] * a[2] - b[2] * a[1])};
    const double sine = ukSize(v, 3), angle = 2 * atan2(sine, fabs(w)), factor = sine > 0 ? angle / sine : 0;
    for (int k = 0; k < 3; k++) turn[k] = (w < 0 ? -factor : factor) * v[k];
}

static void addDriven(Findings *findings, int64_t world, int64_t body, const Driven *d, bool turns)
{
    Finding *const f = findingAdd(findings, FindingWarning, "moved_without_velocity");
    const double rate = d->way / d->time, own = d->speed / d->time;
    f->depth = 1, f->world = world, f->body = body, f->step = d->first;
    f->value = rate, f->unit = turns ? "rad/s" : "m/s", f->excess = d->jumps / (double)repeated;
    findingWhat(f, "%s is %s by its pose, not by its velocity: at %.3g %s, while its velocity is %.3g %s",
                findingBody(findings->reader, body), turns ? "rotated" : "moved", rate, f->unit, own, f->unit);
    findingCause(f, "Contacts and joints use the velocities of bodies: they treat this one as if it had only that "
                    "velocity. What it carries does not follow it, and what it pushes is moved by ERP alone.");
    findingRemedy(
        f, turns ? "Before each step, dBodySetAngularVel with the angle to the next pose divided by h, instead of "
                   "dBodySetRotation or dBodySetQuaternion."
                 : "Before each step, dBodySetLinearVel with the way to the next position divided by h, instead of "
                   "dBodySetPosition.");
}

static bool isDriven(const Driven *d)
{
    return d->met >= repeated && 2 * d->jumps > d->moves && d->speed < still * d->way;
}

static void judgeKinematic(Findings *findings, int64_t world, int64_t body)
{
    Driven moved = {.moves = 0}, turned = {.moves = 0};
    Sample before = {.step = 0};
    for (Query q = queryBegin(findings->reader, samples, (long long)body); queryNext(&q);) {
        const Sample s = sampleOf(&q);
        double way[3], turn[3];
        const double h = s.time - before.time;
        if (before.step) {
            for (int k = 0; k < 3; k++) way[k] = s.x[k] - before.x[k];
            turnBetween(before.q, s.q, turn);
            addMotion(&moved, way, before.v, s.v, &s, h);
            addMotion(&turned, turn, before.w, s.w, &s, h);
        }
        before = s;
    }
    if (isDriven(&moved)) addDriven(findings, world, body, &moved, false);
    if (isDriven(&turned)) addDriven(findings, world, body, &turned, true);
}

void findingsOfKinematic(Findings *findings, int64_t world)
{
    for (Query q =
             queryBegin(findings->reader, "SELECT body FROM body WHERE world = %lld AND kinematic = 1 ORDER BY body",
                        (long long)world);
         queryNext(&q);)
        judgeKinematic(findings, world, queryInteger(&q, 0));
}
