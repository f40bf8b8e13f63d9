/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/rest.c: finding: bodies that jitter: they touch others, do not travel, and do not come to
 * rest. */
#include <math.h>
#include <string.h>

#include "plugin/tools/findings/findings.h"

static const double shakes = 0.02; /* speed, of what gravity gives in a step */
static const double nowhere = 0.3; /* way, of what it would be without turning back */
static const int turns_at_least = 20;
static const double seconds_at_least = 0.5;
static const int between = 4; /* rows from one turn to the next, at most */

/* A body's recorded velocities in a row, while it touches something, and turns back again and again. */
typedef struct Shaking {
    int64_t body, since;
    int turns, last;               /* last: rows since the last turn */
    double begun, ended, way, sum; /* [s]; [m]; of squared speeds */
    double v[3], x[3], from[3];
    int rows;
} Shaking;

static const char touching[] =
    "WITH c AS (SELECT step, body_1 AS body FROM contact_step UNION SELECT step, body_2 FROM contact_step WHERE body_2 "
    "IS NOT NULL) SELECT b.body, b.step, s.time, b.velocity_x, b.velocity_y, b.velocity_z, b.position_x, b.position_y, "
    "b.position_z FROM c JOIN body_step b ON b.step = c.step AND b.body = c.body JOIN step s ON s.step = b.step WHERE "
    "s.world = %lld AND b.awake ORDER BY b.body, b.step";

static void beginRest(Shaking *s, const Query *q)
{
    *s = (Shaking){.body = queryInteger(q, 0), .since = queryInteger(q, 1), .begun = queryNumber(q, 2)};
    s->ended = s->begun;
    for (int k = 0; k < 3; k++) s->v[k] = queryNumber(q, 3 + k), s->x[k] = s->from[k] = queryNumber(q, 6 + k);
}

/* one more row of the same body; `least`: speed [m/s] */
static void addShakingRow(Shaking *s, const Query *q, double least)
{
    double dot = 0, own = 0, before = 0;
    const double time = queryNumber(q, 2), apart = time - s->ended;
    for (int k = 0; k < 3; k++) {
        const double v = queryNumber(q, 3 + k);
        dot += v * s->v[k], own += v * v, before += s->v[k] * s->v[k];
        s->v[k] = v;
        s->x[k] = queryNumber(q, 6 + k);
    }
    const bool turned = dot < -0.3 * sqrt(own * before) && fmin(own, before) > least * least;
    if (turned && s->turns == 0) beginRest(s, q);
    s->turns += turned;
    s->last = turned ? 0 : s->last + 1;
    s->way += sqrt(own) * apart, s->sum += own, s->rows++, s->ended = time;
}

static bool isJitter(const Shaking *s)
{
    double net = 0;
    for (int k = 0; k < 3; k++) net += (s->x[k] - s->from[k]) * (s->x[k] - s->from[k]);
    return s->turns >= turns_at_least && s->ended - s->begun >= seconds_at_least && sqrt(net) < nowhere * s->way;
}

static void keepWorst(Shaking *worst, const Shaking *s)
{
    if (isJitter(s) && (worst->rows == 0 || s->sum * worst->rows > worst->sum * s->rows)) *worst = *s;
}

/* contacts that are lost and found again make a body shake: that has a finding already */
static bool hasChatter(const Findings *findings, int64_t world)
{
    for (int i = 0; i < findings->count; i++)
        if (findings->list[i].world == world && strcmp(findings->list[i].kind, "contact_flickers") == 0) return true;
    return false;
}

static void addJitter(Findings *findings, int64_t world, const Shaking *s, double least)
{
    const double speed = sqrt(s->sum / s->rows), rate = s->turns / (s->ended - s->begun);
    Finding *const f = findingAdd(findings, FindingWarning, "jitter");
    f->depth = 1, f->world = world, f->body = s->body, f->step = s->since, f->value = speed, f->unit = "m/s";
    f->excess = speed / least;
    findingWhat(f, "jitter: %s vibrates at %.3g m/s at rest, reversing %.3g times per second for %.3g s",
                findingBody(findings->reader, s->body), speed, rate, s->ended - s->begun);
    const ContactSettings set = findingsContactSettings(findings, world, s->body);
    findingCause(f,
                 "A force overshoots in each step: a servo with a gain above one over the step, forces that the "
                 "program computes from the last velocity%s.",
                 set.bounce > 0 ? ", a bounce at rest" : "");
    findingRemedy(f, "Less gain, %s%sa softer contact (soft_cfm), or a shorter step.",
                  set.bounce > 0 ? "bounce_vel above g h, " : "", set.erp > 0.8 ? "ERP 0.2 to 0.8, " : "");
}

void findingsOfRest(Findings *findings, int64_t world)
{
    const double least = shakes * queryOne(findings->reader,
                                           "SELECT sqrt(w.gravity_x * w.gravity_x + w.gravity_y * w.gravity_y + "
                                           "w.gravity_z * w.gravity_z) * avg(s.h) FROM world w JOIN step s ON s.world "
                                           "= w.world WHERE w.world = %lld",
                                           (long long)world);
    Shaking s = {.body = 0}, worst = {.rows = 0};
    if (!(least > 0) || hasChatter(findings, world)) return;
    for (Query q = queryBegin(findings->reader, touching, (long long)world); queryNext(&q);) {
        if (queryInteger(&q, 0) == s.body && s.last < between) {
            addShakingRow(&s, &q, least);
            continue;
        }
        keepWorst(&worst, &s);
        beginRest(&s, &q);
    }
    keepWorst(&worst, &s);
    if (worst.rows > 0) addJitter(findings, world, &worst, least);
}
