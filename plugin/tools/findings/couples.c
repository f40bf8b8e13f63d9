/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/couples.c: finding: joints whose two forces are not collinear, and whose net torque, a couple,
 * has changed the motion. bridge/results/imbalance.h judges single steps in the same way. */
#include <math.h>

#include "bridge/base/vector.h"
#include "plugin/tools/findings/findings.h"
#include "plugin/tools/findings/turn.h"

static const double noticed = 0.05;  /* angular impulse over angular momentum, or work over energy */
static const double rounding = 1e-9; /* of the anchor's coordinates and levers: a gap below this is none */

/* A point that both bodies carry, where they were when it was recorded. */
typedef struct Carried {
    double local[2][3];
} Carried;

/* Before a SELECT, of one %lld, the joint: the bodies that joints connect with its own, a NULL for the static world. */
#define MECHANISM                                                                                                      \
    "WITH RECURSIVE link(a, b) AS MATERIALIZED (SELECT body_1, body_2 FROM joint WHERE type <> 'null' UNION ALL "      \
    "SELECT body_2, body_1 FROM joint WHERE type <> 'null'), own(body) AS (SELECT body_1 FROM joint WHERE joint = "    \
    "%lld UNION SELECT l.b FROM own JOIN link l ON l.a = own.body) "

/* step, time, whether the mechanism has contacts, force on body 1; then of each body position, orientation, velocity,
 * spin, mass, largest inertia */
static const char reactions[] = MECHANISM
    "SELECT s.step, s.time, EXISTS (SELECT 1 FROM contact_step c WHERE c.step = s.step AND (c.body_1 IN own OR "
    "c.body_2 IN own)), r.force_ideal_x + ifnull(r.force_motor_x, 0) + ifnull(r.force_stop_x, 0), r.force_ideal_y + "
    "ifnull(r.force_motor_y, 0) + ifnull(r.force_stop_y, 0), r.force_ideal_z + ifnull(r.force_motor_z, 0) + "
    "ifnull(r.force_stop_z, 0), %s, %s FROM joint j JOIN joint_step r ON "
    "r.joint = j.joint JOIN step s ON s.step = r.step LEFT JOIN body_step p ON p.step = r.step AND p.body = j.body_1 "
    "LEFT JOIN body_step q ON q.step = r.step AND q.body = j.body_2 LEFT JOIN body a ON a.body = j.body_1 LEFT JOIN "
    "body b ON b.body = j.body_2 AND b.kinematic = 0 WHERE j.joint = %lld ORDER BY s.step";
static const char of_p[] = "p.position_x, p.position_y, p.position_z, p.orientation_w, p.orientation_x, "
                           "p.orientation_y, p.orientation_z, p.velocity_x, p.velocity_y, p.velocity_z, p.spin_x, "
                           "p.spin_y, p.spin_z, a.mass, max(a.inertia_xx, a.inertia_yy, a.inertia_zz)";
static const char of_q[] = "q.position_x, q.position_y, q.position_z, q.orientation_w, q.orientation_x, "
                           "q.orientation_y, q.orientation_z, q.velocity_x, q.velocity_y, q.velocity_z, q.spin_x, "
                           "q.spin_y, q.spin_z, ifnull(b.mass, 0), ifnull(max(b.inertia_xx, b.inertia_yy, "
                           "b.inertia_zz), 0)";
enum { First = 6, Each = 15 };

/* The state of one body in a row of the query; `there`: it has one. */
typedef struct Pose {
    bool there;
    double x[3], q[4], v[3], w[3], mass, inertia;
} Pose;

static Pose poseOf(Query *q, int body)
{
    Pose pose = {.q = {1}};
    const int at = First + Each * body;
    pose.there = isfinite(queryNumber(q, at)) && isfinite(queryNumber(q, at + 13));
    if (!pose.there) return pose;
    double *const place[] = {pose.x, pose.q, pose.v, pose.w, &pose.mass, &pose.inertia};
    static const int size[] = {3, 4, 3, 3, 1, 1};
    int column = at;
    for (size_t i = 0; i < sizeof size / sizeof *size; i++)
        for (int k = 0; k < size[i]; k++) place[i][k] = queryNumber(q, column++);
    return pose;
}

/* Upper bounds of the angular momentum and of the kinetic energy of the bodies about one another, or about the anchor
 * where the other is the world or kinematic. */
typedef struct Relative {
    double momentum, kinetic;
} Relative;

static Relative relativeOf(const Pose pose[2], const double anchor[3])
{
    double x[3], v[3], spin[2];
    const Pose *const one = pose[0].there ? &pose[0] : &pose[1];
    const bool two = pose[0].there && pose[1].there && pose[1].mass > 0;
    for (int k = 0; k < 3; k++) {
        x[k] = one->x[k] - (two ? pose[1].x[k] : anchor[k]);
        v[k] = one->v[k] - (two ? pose[1].v[k] : 0);
    }
    const double product = pose[0].mass * pose[1].mass, sum = pose[0].mass + pose[1].mass;
    const double reduced = !two          ? one->mass
                           : product > 0 ? product / sum
                                         : sum; /* bodies without mass transmit forces */
    for (int k = 0; k < 2; k++) spin[k] = ukSize(pose[k].w, 3);
    return (Relative){
        .momentum = pose[0].inertia * spin[0] + pose[1].inertia * spin[1] + reduced * ukSize(x, 3) * ukSize(v, 3),
        .kinetic =
            (pose[0].inertia * spin[0] * spin[0] + pose[1].inertia * spin[1] * spin[1] + reduced * ukDot(v, v)) / 2};
}

/* Work and impulse of the couple of one joint so far, and the motion with which they are compared. */
typedef struct Couple {
    Carried carried;
    double gravity[3];
    bool begun, anchored;     /* the mechanism has joints to the world, or to kinematic bodies */
    double impulse[3], work;  /* [N m s], [J] */
    double turned, worked;    /* the largest of these */
    double momentum, kinetic; /* the largest */
    double low, high;         /* potential energy [J] */
    double time;
} Couple;

/* gap between the two images of the anchor, and the second of them */
static void gapOfCouple(const Carried *carried, const Pose pose[2], double gap[3], double anchor[3])
{
    double at[2][3];
    for (int k = 0; k < 2; k++) {
        turnVector(pose[k].q, false, carried->local[k], at[k]);
        for (int i = 0; i < 3; i++) at[k][i] += pose[k].x[i];
    }
    for (int i = 0; i < 3; i++) {
        gap[i] = at[0][i] - at[1][i];
        anchor[i] = at[1][i];
    }
}

/* The energy of bodies that nothing else acts on is that of their relative motion. */
static void addEnergy(Couple *c, const Pose pose[2], bool free, double relative)
{
    double kinetic = 0, potential = 0;
    for (int k = 0; k < 2; k++) {
        const double spin = pose[k].inertia * ukDot(pose[k].w, pose[k].w);
        kinetic += (pose[k].mass * ukDot(pose[k].v, pose[k].v) + spin) / 2;
        potential -= pose[k].mass * ukDot(c->gravity, pose[k].x);
    }
    c->kinetic = fmax(c->kinetic, free ? relative : kinetic);
    if (free) return;
    c->low = fmin(c->low, potential);
    c->high = fmax(c->high, potential);
}

static void addCouple(Couple *c, const Pose pose[2], bool free, const double f[3], double now)
{
    double gap[3], at[3], torque[3];
    const double h = now - c->time;
    gapOfCouple(&c->carried, pose, gap, at);
    const Relative relative = relativeOf(pose, at);
    addEnergy(c, pose, free, relative.kinetic);
    c->time = now;
    if (!(ukSize(gap, 3) >
          rounding * (ukSize(c->carried.local[0], 3) + ukSize(c->carried.local[1], 3) + ukSize(at, 3))))
        return;
    for (int i = 0; i < 3; i++) torque[i] = gap[(i + 1) % 3] * f[(i + 2) % 3] - gap[(i + 2) % 3] * f[(i + 1) % 3];
    c->work += h * ukDot(torque, pose[0].w);
    c->worked = fmax(c->worked, fabs(c->work));
    if (!free) return;
    for (int i = 0; i < 3; i++) c->impulse[i] += h * torque[i];
    c->turned = fmax(c->turned, ukSize(c->impulse, 3));
    c->momentum = fmax(c->momentum, relative.momentum);
}

static double impulseShare(const Couple *c)
{
    return c->momentum > 0 ? c->turned / c->momentum : 0;
}

static double energyOf(const Couple *c)
{
    return fmax(c->kinetic, c->high > c->low ? c->high - c->low : 0);
}

static double workShare(const Couple *c)
{
    return energyOf(c) > 0 ? c->worked / energyOf(c) : 0;
}

static void beginCouple(Couple *c, const Pose pose[2], const double anchor[3], double time)
{
    for (int k = 0; k < 2; k++) {
        double d[3];
        for (int i = 0; i < 3; i++) d[i] = anchor[i] - pose[k].x[i];
        turnVector(pose[k].q, true, d, c->carried.local[k]);
    }
    c->low = INFINITY, c->high = -INFINITY, c->time = time;
    c->begun = true;
}

static void addCoupleFinding(Findings *findings, int64_t world, int64_t joint, int64_t step, const Couple *c)
{
    const bool turns = impulseShare(c) > workShare(c);
    Finding *const f = findingAdd(findings, FindingError, "forces_not_collinear");
    f->depth = 2, f->world = world, f->joint = joint, f->step = step;
    f->value = turns ? c->turned : c->worked, f->unit = turns ? "N m s" : "J";
    f->excess = fmax(impulseShare(c), workShare(c)) / noticed;
    if (turns)
        findingWhat(f,
                    "the two forces of %s are not collinear: their net torque has changed the angular momentum of its "
                    "bodies by %.3g of its largest value",
                    findingJoint(findings->reader, joint), impulseShare(c));
    else
        findingWhat(f,
                    "the two forces of %s are not collinear: the work of their net torque is %.3g J (largest energy "
                    "of its bodies: %.3g J)",
                    findingJoint(findings->reader, joint), c->worked, energyOf(c));
    findingCause(f, "ODE's rows of this type act on each body at its own anchor. When the joint is displaced, the two "
                    "forces form a couple, which changes angular momentum and energy.");
    findingRemedy(f, "--joints exact, or ukWorldSetJointRule(world, ukJointRuleExact).");
}

/* the shares are judged at the end: at the start of a motion, any is large */
static void judgeCouple(Findings *findings, int64_t world, int64_t joint, const double anchor[3], Couple c)
{
    int64_t step = 0;
    double most = 0;
    for (Query q = queryBegin(findings->reader, reactions, (long long)joint, of_p, of_q, (long long)joint);
         queryNext(&q);) {
        const Pose pose[2] = {poseOf(&q, 0), poseOf(&q, 1)};
        const double f[3] = {queryNumber(&q, 3), queryNumber(&q, 4), queryNumber(&q, 5)};
        if (!c.begun) beginCouple(&c, pose, anchor, queryNumber(&q, 1));
        if (!isfinite(f[0] + f[1] + f[2])) continue;
        addCouple(&c, pose, !c.anchored && queryInteger(&q, 2) == 0, f, queryNumber(&q, 1));
        const double share = fmax(impulseShare(&c), workShare(&c));
        if (share > most) most = share, step = queryInteger(&q, 0);
    }
    if (fmax(impulseShare(&c), workShare(&c)) > noticed) addCoupleFinding(findings, world, joint, step, &c);
}

static bool isAnchored(const Findings *findings, int64_t joint)
{
    return queryOneInteger(findings->reader,
                           MECHANISM "SELECT count(*) FROM own LEFT JOIN body b ON b.body = own.body WHERE own.body IS "
                                     "NULL OR b.kinematic = 1",
                           (long long)joint) > 0;
}

/* joints that may slide far: of these ODE's rows are those of the satisfied joint. A torque on a kinematic body has no
 * effect. */
void findingsOfCouples(Findings *findings, int64_t world)
{
    static const char joints[] =
        "SELECT j.joint, j.anchor_x, j.anchor_y, j.anchor_z, w.gravity_x, w.gravity_y, w.gravity_z FROM joint j JOIN "
        "world w ON w.world = j.world LEFT JOIN body a ON a.body = j.body_1 WHERE j.world = %lld AND j.type IN "
        "('hinge2', 'PU') AND w.integrator IN ('euler', 'native') AND (w.integrator = 'native' OR w.joint_rule = "
        "'ode') AND (j.type = 'hinge2' OR j.body_1 IS NOT NULL) AND ifnull(a.kinematic, 0) = 0 ORDER BY j.joint";
    for (Query q = queryBegin(findings->reader, joints, (long long)world); queryNext(&q);) {
        const double anchor[3] = {queryNumber(&q, 1), queryNumber(&q, 2), queryNumber(&q, 3)};
        const int64_t joint = queryInteger(&q, 0);
        Couple c = {.gravity = {queryNumber(&q, 4), queryNumber(&q, 5), queryNumber(&q, 6)}};
        c.anchored = isAnchored(findings, joint);
        if (isfinite(anchor[0] + anchor[1] + anchor[2])) judgeCouple(findings, world, joint, anchor, c);
    }
}
