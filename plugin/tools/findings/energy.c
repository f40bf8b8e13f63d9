/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/energy.c: findings: energy that is lost or gained by the integrator, by ERP, or by forces that
 * the program applies. Shares are of the energy that moves: the largest kinetic energy, or the range of the
 * potential. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/plural.h"
#include "plugin/tools/findings/findings.h"

static const double share_lost = 0.05;     /* by the integrator or ERP, of the energy that moves */
static const double explained = 0.7;       /* of the time step's error: damping is then its cause */
static const double sure = 2;              /* times what an estimate misses: less is not reported */
static const double set_by_program = 1e-6; /* work between two steps, of the energy that moves */
static const double same = 0.05;           /* applied work and gravity's, relative */
static const double many_turns = 6;        /* of a velocity, from step to step, one after the other */
static const double at_rest = 0.1;         /* of the energy that lifts bodies by their radius of gyration */
static const int grows_again = 12;         /* steps, and by so much, which no motor that starts does: */
static const double explodes = 1e6;
static const double least_energy = 1e-9; /* [J] */

typedef struct Energies {
    double moving;  /* [J] */
    double done;    /* [J] largest work of the model's own motors, friction and the like */
    double weighty; /* that lifts every body by its radius of gyration [J] */
    double unsure;  /* what an estimate from sampled steps misses [J]; 0: of every step, or there is no ledger */
    int samples;    /* of the estimate; 0: it is none */
    int64_t last;   /* step; of those with work by cause, where there are */
} Energies;

/* Of a cause since the world's first row, without the steps before which the program set velocities or poses: what
 * joints do not allow of these changes in that step, and is no fault of its length. The work of the program in a step
 * counts from a share of the energy that moves. */
static double workSince(Findings *findings, int64_t world, const Energies *e, const char *cause)
{
    return queryOne(
        findings->reader,
        "SELECT coalesce(sum(a.work), 0) FROM (SELECT l.step AS step, l.work - lag(l.work) OVER (ORDER BY l.step) AS "
        "work FROM ledger_step l JOIN step s ON s.step = l.step WHERE s.world = %lld AND l.cause = '%s' AND l.step <= "
        "%lld) a LEFT JOIN (SELECT l.step AS step, l.work - coalesce(lag(l.work) OVER (ORDER BY l.step), 0) AS work "
        "FROM ledger_step l JOIN step s ON s.step = l.step WHERE s.world = %lld AND l.cause = 'outside') o ON o.step = "
        "a.step WHERE coalesce(abs(o.work), 0) <= %.17g",
        (long long)world, cause, (long long)e->last, (long long)world, set_by_program * e->moving);
}

double findingsWork(Findings *findings, int64_t world, const char *causes)
{
    return queryOne(findings->reader,
                    "SELECT sum(work) FROM ledger_step WHERE cause IN (%s) AND step = (SELECT max(l.step) FROM "
                    "ledger_step l JOIN step s ON s.step = l.step WHERE s.world = %lld)",
                    causes, (long long)world);
}

static double workOf(Findings *findings, int64_t step, const char *cause)
{
    return queryOne(findings->reader, "SELECT work FROM ledger_step WHERE step = %lld AND cause = '%s'",
                    (long long)step, cause);
}

static void readUnsampled(Findings *findings, int64_t world, Energies *e)
{
    e->samples = (int)queryOneInteger(findings->reader,
                                      "SELECT count(*) FROM ledger_step JOIN step USING (step) WHERE world = %lld AND "
                                      "cause = 'unsampled'",
                                      (long long)world);
    e->unsure = e->samples > 0 ? fabs(workOf(findings, e->last, "unsampled")) : 0;
}

static Energies energiesOf(Findings *findings, int64_t world)
{
    Energies e = {0};
    Query q =
        queryBegin(findings->reader,
                   "SELECT max(kinetic_energy), max(potential_energy) - min(potential_energy), coalesce((SELECT "
                   "max(l.step) FROM ledger_step l JOIN step t ON t.step = l.step WHERE t.world = %lld), max(step)) "
                   "FROM step WHERE world = %lld",
                   (long long)world, (long long)world);
    if (queryNext(&q)) {
        e.moving = fmax(queryNumber(&q, 0), queryNumber(&q, 1));
        e.last = queryInteger(&q, 2);
    }
    queryEnd(&q);
    e.done =
        fmax(0, queryOne(findings->reader,
                         "SELECT max(abs(work)) FROM ledger_step WHERE step = %lld AND cause IN ('motors', 'applied', "
                         "'nonideal', 'contact_friction', 'contact_normal', 'damping', 'ideal', 'outside')",
                         (long long)e.last));
    readUnsampled(findings, world, &e);
    e.weighty =
        queryOne(findings->reader,
                 "SELECT sum(b.mass * sqrt((b.inertia_xx + b.inertia_yy + b.inertia_zz) / (2 * b.mass))) * "
                 "sqrt(max(w.gravity_x * w.gravity_x + w.gravity_y * w.gravity_y + w.gravity_z * w.gravity_z)) FROM "
                 "body b JOIN world w ON w.world = b.world WHERE b.world = %lld AND b.kinematic = 0",
                 (long long)world);
    return e;
}

/* ---- what the numerical method takes or gives -------------------------------------------------------------------- */

/* In a jam forces without bounds do opposite works on the same small motion: what one cause has, another one took. */
static bool isJam(Findings *findings, int64_t world, const Energies *e, double sum)
{
    const double contacts =
        workSince(findings, world, e, "contact_normal") + workSince(findings, world, e, "contact_friction");
    return fabs(sum) > e->moving && fabs(contacts + sum) < 0.05 * fabs(sum);
}

/* What the time step gives (of the sign of `sum`) in the very steps in which contacts and stops take as much. In the
 * discrete form a body that lands keeps its position in that step: gravity's work on the mean velocity is booked to the
 * time step, and the normal force takes it with the energy of the impact. Their sum is what the motion gains. */
static double exchangedWithImpacts(Findings *findings, int64_t world, const Energies *e, double sum)
{
    return queryOne(
        findings->reader,
        "SELECT coalesce(sum(min(abs(i), abs(c))), 0) FROM (SELECT t.work - lag(t.work) OVER (ORDER BY t.step) AS i, "
        "n.work + p.work - lag(n.work + p.work) OVER (ORDER BY t.step) AS c FROM ledger_step t JOIN step s ON s.step = "
        "t.step JOIN ledger_step n ON n.step = t.step AND n.cause = 'contact_normal' JOIN ledger_step p ON p.step = "
        "t.step AND p.cause = 'stops' WHERE s.world = %lld AND t.cause = 'integration' AND t.step <= %lld) WHERE i * c "
        "< "
        "0 AND i * %.17g > 0",
        (long long)world, (long long)e->last, sum);
}

static void findNumericalWork(Findings *findings, int64_t world, const Energies *e)
{
    static const struct {
        const char *cause, *kind, *words, *why, *remedy;
    } causes[] = {
        {"integration", "energy_integration", "the time step",
         "Semi-implicit Euler evaluates joints and gravity at the start of the step.", ""},
        {"gyroscopic", "energy_gyroscopic", "the gyroscopic torque of the time step",
         "A body rotates far in one step, about an axis that is not a principal axis.", ""},
        {"stabilization", "energy_stabilization", "ERP and CFM",
         "The correction of position errors adds a velocity that the bodies keep, and rows with CFM yield.",
         "a smaller ERP."},
    };
    /* what one takes and another gives back is no loss: their sum, and the one that has most of it */
    /* joints that are open at the start: their correction gives energy in the first step, and takes it afterwards */
    const bool open = findingsFound(findings, world, "gap_at_start");
    double work[3], sum = 0;
    int most = 0;
    for (int k = 0; k < 3; k++) {
        work[k] = open ? workOf(findings, e->last, causes[k].cause) : workSince(findings, world, e, causes[k].cause);
        sum += work[k];
    }
    for (int k = 1; k < 3; k++)
        if (work[k] * sum > work[most] * sum) most = k;
    const Damping damping = findingsDamping(findings, world, e->last);
    const double exchanged = most == 0 ? exchangedWithImpacts(findings, world, e, sum) : 0;
    const double share = (fabs(sum) - exchanged - e->unsure) / fmax(e->moving, e->done);
    char how[80] = "";
    if (e->samples > 0)
        snprintf(how, sizeof how, " (estimated from %d step%s, to %.2g J)", e->samples, ukPlural(e->samples),
                 e->unsure);
    if (!(share > share_lost) || fabs(sum) < sure * e->unsure) return;
    if (e->moving < at_rest * e->weighty) return; /* bodies settle, and no more */
    if (isJam(findings, world, e, sum)) return;
    if (most == 0 && sum < 0 && damping.step_error > explained * (fabs(sum) - exchanged)) {
        findingsAddDamping(findings, world, e->last, &damping, fabs(sum));
        return;
    }
    Finding *const f = findingAdd(findings, FindingWarning, causes[most].kind);
    f->world = world, f->step = e->last, f->value = sum, f->unit = "J", f->excess = share / share_lost;
    findingWhat(f, "energy %s %s: %.3g J (energy of the motion: %.3g J)%s", sum > 0 ? "gained from" : "lost to",
                causes[most].words, fabs(sum), e->moving, how);
    findingCause(f, "%s Over the run: time step %.3g J, gyroscopic %.3g J, ERP and CFM %.3g J.", causes[most].why,
                 work[0], work[1], work[2]);
    findingRemedy(f, "%s", causes[most].remedy);
}

/* ---- gravity twice ----------------------------------------------------------------------------------------------- */

/* step by step what is done beside gravity's own work: by the ledger, what the program applies; without one, all that
 * becomes kinetic energy and did not come from the potential */
static const char work_beside_gravity[] =
    "SELECT l.work - lag(l.work) OVER (ORDER BY s.step), s.potential_energy - lag(s.potential_energy) OVER (ORDER BY "
    "s.step) "
    "FROM step s JOIN ledger_step l ON l.step = s.step AND l.cause = 'applied' WHERE s.world = %lld ORDER BY s.step";
static const char gain_beside_gravity[] =
    "SELECT kinetic_energy + potential_energy - lag(kinetic_energy + potential_energy) OVER (ORDER BY step), "
    "potential_energy - lag(potential_energy) OVER (ORDER BY step) FROM step WHERE world = %lld AND NOT EXISTS (SELECT "
    "1 "
    "FROM ledger_step) ORDER BY step";

/* Fits the works of the steps by *ratio times those of gravity, in least squares; *off: norm of the residuals relative
 * to the norm of gravity's works. false: fewer than 10 steps, or gravity does no work. */
static bool compareWithGravity(Findings *findings, int64_t world, const char *sql, double *ratio, double *off)
{
    double ag = 0, gg = 0, aa = 0;
    int steps = 0;
    char text[900];
    snprintf(text, sizeof text, sql, (long long)world);
    for (Query q = queryBegin(findings->reader, "%s", text); queryNext(&q);) {
        const double applied = queryNumber(&q, 0), gravity = -queryNumber(&q, 1);
        if (!isfinite(applied) || !isfinite(gravity)) continue;
        ag += applied * gravity, gg += gravity * gravity, aa += applied * applied, steps++;
    }
    *ratio = ag / gg;
    *off = sqrt(fmax(aa - *ratio * ag, 0) / gg);
    return steps >= 10 && gg > 0;
}

/* Whether bodies without joints and contacts fall at g, along gravity: then the force that does the work of gravity
 * a second time has another direction. False where there are no such bodies. */
static bool fallsOnce(Findings *findings, int64_t world)
{
    static const char fall[] =
        "WITH p AS (SELECT s.time AS time, sum(b.mass * (v.velocity_x * w.gravity_x + v.velocity_y * w.gravity_y + "
        "v.velocity_z * w.gravity_z)) AS along, sum(b.mass) * (w.gravity_x * w.gravity_x + w.gravity_y * w.gravity_y + "
        "w.gravity_z * w.gravity_z) AS weight FROM step s JOIN body_step v ON v.step = s.step JOIN body b ON b.body = "
        "v.body JOIN world w ON w.world = s.world WHERE s.world = %lld AND b.kinematic = 0 GROUP BY s.step) SELECT "
        "((SELECT along FROM p ORDER BY time DESC LIMIT 1) - (SELECT along FROM p ORDER BY time LIMIT 1)) / "
        "(avg(weight) * (max(time) - min(time))) FROM p";
    const double attached = queryOne(findings->reader,
                                     "SELECT max(contacts) + (SELECT count(*) FROM joint WHERE world = %lld) FROM step "
                                     "WHERE world = %lld",
                                     (long long)world, (long long)world);
    return attached == 0 && queryOne(findings->reader, fall, (long long)world) < 1.5;
}

static void gravityTwice(Findings *findings, int64_t world, const Energies *e)
{
    double ratio = 0, off = 1;
    if (!compareWithGravity(findings, world, work_beside_gravity, &ratio, &off))
        compareWithGravity(findings, world, gain_beside_gravity, &ratio, &off);
    if (!(fabs(ratio - 1) < same) || !(off < same) || fallsOnce(findings, world)) return;
    Finding *const f = findingAdd(findings, FindingError, "gravity_twice");
    f->depth = 3, f->world = world, f->step = e->last, f->value = ratio, f->excess = 1 / (off + 1e-3);
    findingWhat(f, "gravity twice: other forces do %.3g times the work of gravity, step by step", ratio);
    findingCause(
        f, "dWorldSetGravity is set, and dBodyAddForce adds each body's weight a second time: bodies fall at 2 g.");
    findingRemedy(f, "Remove one of the two.");
}

/* ---- springs that the program computes --------------------------------------------------------------------------- */

/* velocities of one body, step by step, and how often the last of them turned back one after the other */
typedef struct Turning {
    int64_t body, step, since;
    double v[3], h, mass;
    double size_first, size;
    double applied; /* work of applied forces in these steps, without its sign [J]; NaN: not known */
    int turns;
} Turning;

static const double far =
    0.5; /* [rad] of a turn in a step: a velocity that turns with its body may seem to turn back */

static bool turnedBack(Turning *t, const Query *q)
{
    double dot = 0, own = 0, other = 0;
    for (int k = 0; k < 3; k++) {
        const double x = queryNumber(q, 3 + k);
        dot += x * t->v[k], own += x * x, other += t->v[k] * t->v[k];
        t->v[k] = x;
    }
    t->size = sqrt(own);
    return dot < -0.5 * sqrt(own * other) && own > 1e-12 && queryNumber(q, 9) * t->h < far;
}

/* Steps in a row of each body that touches nothing: other rules report on bodies in contact. */
static const char velocities[] =
    "WITH a AS (SELECT s.step, l.work - lag(l.work) OVER (ORDER BY s.step) AS work FROM step s JOIN ledger_step l ON "
    "l.step = s.step AND l.cause = 'applied' WHERE s.world = %lld) SELECT b.body, s.number, s.h, b.velocity_x, "
    "b.velocity_y, b.velocity_z, s.step, abs(a.work), m.mass, sqrt(b.spin_x * b.spin_x + b.spin_y * b.spin_y + "
    "b.spin_z * b.spin_z) FROM body_step b JOIN body m ON m.body = b.body JOIN step s ON s.step = b.step LEFT JOIN a "
    "ON a.step = s.step WHERE s.world = %lld AND NOT (s.contacts > 0 AND EXISTS (SELECT 1 FROM contact_step c WHERE "
    "c.step = b.step AND b.body IN (c.body_1, c.body_2))) ORDER BY b.body, s.step";

/* Whether the motion grows, by forces that the program applied meanwhile: by at least a tenth of the body's own energy
 * per step. */
static bool isExplicit(const Turning *t)
{
    return t->turns >= many_turns && t->size > 1.01 * t->size_first &&
           !(t->applied < 0.1 * t->turns * 0.5 * t->mass * t->size_first * t->size_first);
}

static bool findLongestTurning(Findings *findings, int64_t world, Turning *found)
{
    Turning t = {.body = 0};
    found->turns = 0;
    for (Query q = queryBegin(findings->reader, velocities, (long long)world, (long long)world); queryNext(&q);) {
        const bool next = t.body == queryInteger(&q, 0) && queryInteger(&q, 1) == t.step + 1;
        if (!next) t = (Turning){.body = queryInteger(&q, 0)};
        t.step = queryInteger(&q, 1), t.h = queryNumber(&q, 2), t.mass = queryNumber(&q, 8);
        const double before = t.size;
        if (turnedBack(&t, &q)) {
            if (t.turns++ == 0) t.since = queryInteger(&q, 6), t.size_first = before, t.applied = 0;
            t.applied += queryNumber(&q, 7);
        } else {
            t.turns = 0;
        }
        if (t.turns > found->turns && isExplicit(&t)) *found = t;
    }
    return found->turns >= many_turns;
}

/* Without poses of every step: kinetic energy that grows by the same factor again and again, and comes from nothing
 * that is recorded. Steps of the longest such growth, its first step, and the factor of the speed. */
static int longestGrowth(Findings *findings, int64_t world, double moving, int64_t *since, double *factor)
{
    int run = 0, longest = 0;
    double last = 0, potential = 0, first = 0;
    int64_t begun = 0;
    for (Query q =
             queryBegin(findings->reader,
                        "SELECT step, kinetic_energy, potential_energy FROM step WHERE world = %lld ORDER BY step",
                        (long long)world);
         queryNext(&q);) {
        const double kinetic = queryNumber(&q, 1), fallen = potential - queryNumber(&q, 2);
        const bool grows = last > 0 && kinetic > 1.2 * last && kinetic - last > 10 * fabs(fallen);
        if (grows && run++ == 0) begun = queryInteger(&q, 0), first = last;
        if (!grows) run = 0;
        if (run > longest && kinetic > explodes * first && kinetic > 1e-3 * moving) {
            longest = run;
            *since = begun;
            *factor = pow(kinetic / first, 0.5 / run);
        }
        last = kinetic, potential = queryNumber(&q, 2);
    }
    return longest;
}

static void describeStiff(Findings *findings, Finding *f, int turns, double h)
{
    f->depth = 3, f->excess = turns;
    if (f->body)
        findingWhat(f,
                    "explicit spring or damper too stiff: the velocity of %s reverses in %d consecutive steps, growing "
                    "by a factor of %.3g each",
                    findingBody(findings->reader, f->body), turns, f->value);
    else
        findingWhat(f,
                    "explicit spring or damper too stiff: in %d consecutive steps all speeds grow by a factor of %.3g "
                    "each, without a recorded cause",
                    turns, f->value);
    findingCause(f, "A force that the program computes from the state at the start of a step is constant over the "
                    "step: beyond a stiffness of 4 m/h² (damping 2 m/h) this is unstable.");
    findingRemedy(
        f, "Use ERP and CFM of a joint, ukForceCreate under --integrator adaptive, a softer spring, or h < %.2g s.",
        h / 4);
}

static void stiffSpring(Findings *findings, int64_t world, const Energies *e)
{
    Turning t;
    int64_t since = 0;
    double factor = 1;
    const double applied =
        queryOne(findings->reader,
                 "SELECT max(abs(work)) FROM ledger_step JOIN step USING (step) WHERE world = %lld AND "
                 "cause = 'applied'",
                 (long long)world);
    const double h = queryOne(findings->reader, "SELECT avg(h) FROM step WHERE world = %lld", (long long)world);
    const bool turns = (isnan(applied) || applied > 0.01 * e->moving) && findLongestTurning(findings, world, &t);
    const int grown =
        turns || applied < 0.01 * e->moving ? 0 : longestGrowth(findings, world, e->moving, &since, &factor);
    Finding *const f = (turns && isfinite(applied)) || grown >= grows_again
                           ? findingAdd(findings, FindingError, "stiff_spring")
                           : NULL;
    if (!f) return;
    f->world = world, f->body = turns ? t.body : 0, f->step = turns ? t.since : since;
    f->value = turns ? pow(t.size / t.size_first, 1.0 / t.turns) : factor;
    describeStiff(findings, f, turns ? t.turns : grown, h);
}

void findingsOfEnergy(Findings *findings, int64_t world)
{
    const Energies e = energiesOf(findings, world);
    if (!(e.moving > least_energy)) return;
    /* recordings that know the state before the first step book the work of springs among what is applied */
    const bool springs = findingsSprings(findings, world);
    if (!springs || findingsHave(findings, "joint_start")) findNumericalWork(findings, world, &e);
    gravityTwice(findings, world, &e);
    stiffSpring(findings, world, &e);
}
