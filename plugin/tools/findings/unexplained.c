/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/unexplained.c: finding: energy that changes in ODE's own steps, for which no work by cause is
 * known. Judged are the bodies that nothing with energy of its own is joined to: no spring, no motor, no stop that was
 * reached, no kinematic body. */
#include <math.h>

#include "bridge/base/vector.h"
#include "plugin/tools/findings/findings.h"
#include "plugin/tools/findings/turn.h"

static const double share_lost = 0.05; /* of the energy that moves */
static const double at_rest = 0.1;     /* of the energy that lifts bodies by their radius of gyration */
static const double at_once = 0.5;     /* of the change, between two recorded steps: an impact, or set by the program */
static const double least_energy = 1e-9; /* [J] */

/* SQL, of world (2), interval between recorded steps, world (3): the bodies that are judged */
#define JUDGED                                                                                                         \
    "WITH RECURSIVE active(joint) AS (SELECT joint FROM joint WHERE joint IN (" FINDINGS_SOFT                          \
    ") UNION SELECT p.joint FROM joint_parameter p JOIN joint j ON j.joint = p.joint WHERE j.world = %lld AND "        \
    "((p.name IN ('cfm', 'stop_cfm', 'suspension_cfm') AND p.value > 1e-5) OR (p.name = 'fmax' AND p.value > 0)) "     \
    "UNION SELECT r.joint FROM (SELECT joint, step, 1 AS axis, angle_1 AS angle, rate_1 AS rate FROM joint_step "      \
    "UNION ALL SELECT joint, step, 2, angle_2, rate_2 FROM joint_step UNION ALL SELECT joint, step, 3, angle_3, "      \
    "rate_3 FROM joint_step) r JOIN joint_parameter l ON l.joint = r.joint AND l.axis = r.axis AND l.name = "          \
    "'lo_stop' JOIN joint_parameter u ON u.joint = r.joint AND u.axis = r.axis AND u.name = 'hi_stop' LEFT JOIN "      \
    "joint_parameter e ON e.joint = r.joint AND e.axis = r.axis AND e.name = 'bounce' WHERE l.value < u.value AND "    \
    "coalesce(e.value, 0) < 1 AND NOT r.angle BETWEEN l.value + %.17g * abs(r.rate) AND u.value - %.17g * "            \
    "abs(r.rate)), link(a, b) AS (SELECT body_1, body_2 FROM joint WHERE world = %lld UNION SELECT body_2, body_1 "    \
    "FROM joint WHERE world = %lld), driven(body) AS (SELECT body FROM body WHERE world = %lld AND kinematic != 0 "    \
    "UNION SELECT body_1 FROM joint WHERE joint IN active UNION SELECT body_2 FROM joint WHERE joint IN active "       \
    "UNION SELECT link.b FROM link JOIN driven ON link.a = driven.body) "

/* what the query's rows say, step by step: key, mass, inertia (6), gravity (3), position, orientation, velocity, spin
 */
#define STATE(t)                                                                                                       \
    "b.mass, b.inertia_xx, b.inertia_yy, b.inertia_zz, b.inertia_xy, b.inertia_xz, b.inertia_yz, w.gravity_x, "        \
    "w.gravity_y, w.gravity_z, " t ".position_x, " t ".position_y, " t ".position_z, " t ".orientation_w, " t          \
    ".orientation_x, " t ".orientation_y, " t ".orientation_z, " t ".velocity_x, " t ".velocity_y, " t                 \
    ".velocity_z, " t ".spin_x, " t ".spin_y, " t ".spin_z"
static const char states[] = JUDGED "SELECT s.step, " STATE(
    "v") " FROM step s JOIN body_step v ON v.step = s.step JOIN body b ON b.body = "
         "v.body JOIN world w ON w.world = s.world WHERE s.world = %lld AND b.body NOT IN (SELECT body FROM driven "
         "WHERE body IS NOT NULL) ORDER BY s.step";
enum { Mass = 1, Inertia = 2, Gravity = 8, Position = 11, Orientation = 14, Velocity = 18, Spin = 21 };

typedef struct Energy {
    double kinetic, potential, weighty; /* [J]; that which lifts every body by its radius of gyration */
} Energy;

static void readNumbers(const Query *q, int column, int count, double *x)
{
    for (int k = 0; k < count; k++) x[k] = queryNumber(q, column + k);
}

static void addBodyEnergy(const Query *q, Energy *e)
{
    double I[6], g[3], x[3], turn[4], v[3], w[3];
    const double m = queryNumber(q, Mass);
    readNumbers(q, Inertia, 6, I), readNumbers(q, Gravity, 3, g), readNumbers(q, Position, 3, x),
        readNumbers(q, Orientation, 4, turn);
    readNumbers(q, Velocity, 3, v), readNumbers(q, Spin, 3, w);
    turnVector(turn, true, w, w);
    const double spin = I[0] * w[0] * w[0] + I[1] * w[1] * w[1] + I[2] * w[2] * w[2] +
                        2 * (I[3] * w[0] * w[1] + I[4] * w[0] * w[2] + I[5] * w[1] * w[2]);
    e->kinetic += (m * ukDot(v, v) + spin) / 2;
    e->potential -= m * ukDot(g, x);
    e->weighty += m * sqrt((I[0] + I[1] + I[2]) / (2 * m)) * sqrt(ukDot(g, g));
}

typedef struct Course {
    int64_t last;                             /* step */
    int steps;                                /* that were recorded */
    double first, now, jump;                  /* energies; the largest change from one to the next [J] */
    double kinetic, lowest, highest, weighty; /* largest kinetic energy, range of the potential one [J] */
} Course;

static void addStep(Course *c, int64_t step, const Energy *e)
{
    const double sum = e->kinetic + e->potential;
    if (c->steps++ == 0)
        c->first = sum, c->lowest = c->highest = e->potential;
    else
        c->jump = fmax(c->jump, fabs(sum - c->now));
    c->now = sum, c->last = step;
    c->kinetic = fmax(c->kinetic, e->kinetic);
    c->lowest = fmin(c->lowest, e->potential), c->highest = fmax(c->highest, e->potential);
    c->weighty = fmax(c->weighty, e->weighty);
}

static Course courseOf(Findings *findings, int64_t world)
{
    Course c = {.last = 0};
    Energy e = {0};
    int64_t step = 0;
    const long long w = (long long)world;
    const double interval = queryOne(findings->reader,
                                     "SELECT (max(time) - min(time)) / max(count(*) - 1, 1) FROM step WHERE world = "
                                     "%lld AND step IN (SELECT step FROM joint_step)",
                                     w);
    const double margin = isfinite(interval) ? interval : 0;
    for (Query q = queryBegin(findings->reader, states, w, w, margin, margin, w, w, w, w); queryNext(&q);) {
        if (queryInteger(&q, 0) != step) {
            if (step) addStep(&c, step, &e);
            e = (Energy){0};
            step = queryInteger(&q, 0);
        }
        addBodyEnergy(&q, &e);
    }
    if (step) addStep(&c, step, &e);
    return c;
}

void findingsOfUnexplainedEnergy(Findings *findings, int64_t world)
{
    const double others = queryOne(findings->reader,
                                   "SELECT (SELECT max(contacts) FROM step WHERE world = %lld) + (SELECT count(*) "
                                   "FROM ledger_step l JOIN step s ON s.step = l.step WHERE s.world = %lld)",
                                   (long long)world, (long long)world);
    if (others > 0) return;
    const Course c = courseOf(findings, world);
    const double change = c.now - c.first, moving = fmax(c.kinetic, c.highest - c.lowest);
    const double share = fabs(change) / moving;
    if (!(moving > least_energy) || !(share > share_lost) || moving < at_rest * c.weighty) return;
    if (c.jump > at_once * fabs(change)) return;
    Finding *const f = findingAdd(findings, FindingNote, "energy");
    f->world = world, f->step = c.last, f->value = change, f->unit = "J", f->excess = share / share_lost;
    findingWhat(f, "energy %s: %.3g J (energy of the motion: %.3g J)", change > 0 ? "gained" : "lost", fabs(change),
                moving);
    findingCause(f,
                 "ODE's own stepper took the steps, so the cause is unknown; applied forces and damping are included.");
    findingRemedy(f, "Record with ukode's steps, which record the work by cause.");
}
