/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/model.c: findings that need no motion: masses, moments of inertia, ERP, limits. */
#include <math.h>

#include "plugin/tools/findings/findings.h"

static const double mass_ratio = 1e4;    /* of bodies that a joint or contact connects */
static const double inertia_ratio = 5;   /* of a body's moments and its shapes', as radii squared */
static const double beyond_any = 1.1;    /* of the largest moments that a body can have within its shapes */
static const double strong_erp = 0.81;   /* ODE's manual has 0.1 to 0.8 */
static const double limit_excess = 5e-3; /* beyond a stop at the start [rad or m] */

/* ---- masses ------------------------------------------------------------------------------------------------------ */

static const char pairs[] =
    "SELECT a.body, b.body, a.mass, b.mass, j.joint FROM joint j JOIN body a ON a.body = j.body_1 JOIN body b ON "
    "b.body = "
    "j.body_2 WHERE j.world = %lld AND j.type <> 'contact' AND a.kinematic = 0 AND b.kinematic = 0 "
    "UNION SELECT a.body, b.body, a.mass, b.mass, 0 FROM (SELECT DISTINCT body_1, body_2 FROM contact_step) c "
    "JOIN body a ON a.body = c.body_1 JOIN body b ON b.body = c.body_2 WHERE a.world = %lld AND a.kinematic = 0 AND "
    "b.kinematic = 0";

static void findMassRatios(Findings *findings, int64_t world)
{
    int64_t heavy = 0, light = 0, joint = 0;
    double most = 0, heaviest = 0;
    for (Query q = queryBegin(findings->reader, pairs, (long long)world, (long long)world); queryNext(&q);) {
        const double a = queryNumber(&q, 2), b = queryNumber(&q, 3), ratio = fmax(a / b, b / a);
        if (!(ratio > most) || a == 0 || b == 0) continue; /* 0: declared to have no mass (ukBodySetMassless) */
        most = ratio;
        heaviest = fmax(a, b);
        heavy = queryInteger(&q, a > b ? 0 : 1);
        light = queryInteger(&q, a > b ? 1 : 0);
        joint = queryInteger(&q, 4);
    }
    Finding *const f = most >= mass_ratio ? findingAdd(findings, FindingWarning, "mass_ratio") : NULL;
    if (!f) return;
    f->depth = 2, f->world = world, f->body = light, f->joint = joint, f->value = most, f->excess = most / mass_ratio;
    findingWhat(f, "mass ratio %.3g: %s has %.3g kg, %s connected to it %.3g kg", most,
                findingBody(findings->reader, heavy), heaviest, findingBody(findings->reader, light), heaviest / most);
    findingCause(f, "Equations with such masses lose digits, and rounding and drift of the heavy body accelerate the "
                    "light one; iterative steppers hardly converge.");
    findingRemedy(f, "Check the units; otherwise make the light body heavier, or attach it rigidly to its neighbour.");
}

/* ---- moments of inertia ------------------------------------------------------------------------------------------ */

/* trace of the inertia of a shape of 1 kg about its own centre [m^2]; NaN: not known */
static double traceOf(const char *type, const double size[3], double *volume)
{
    const double r = size[0], l = size[1], pi = 3.14159265358979323846;
    switch (type[0]) {
    case 'b': /* box */
        *volume = size[0] * size[1] * size[2];
        return (size[0] * size[0] + size[1] * size[1] + size[2] * size[2]) / 6;
    case 's': /* sphere */ *volume = 4 * pi / 3 * r * r * r; return 1.2 * r * r;
    case 'c':
        if (type[1] == 'o') return NAN; /* convex */
        if (type[1] == 'y') {
            *volume = pi * r * r * l;
            return r * r + l * l / 6;
        }
        /* capsule: cylinder and two half spheres, 3 r / 8 beyond its ends */
        {
            const double whole = pi * r * r * l, balls = 4 * pi / 3 * r * r * r, away = l / 2 + 3 * r / 8;
            *volume = whole + balls;
            return (whole * (r * r + l * l / 6) + balls * (1.2 * r * r - 2 * 9 * r * r / 64 + 2 * away * away)) /
                   *volume;
        }
    default: return NAN;
    }
}

/* distance of a shape's farthest point from its own centre [m]; NaN: not known */
static double reachOf(const char *type, const double size[3])
{
    switch (type[0]) {
    case 'b': return 0.5 * sqrt(size[0] * size[0] + size[1] * size[1] + size[2] * size[2]);
    case 's': return size[0];
    case 'c':
        return type[1] == 'y' ? hypot(size[0], size[1] / 2) : type[1] == 'a' ? size[0] + size[1] / 2 : (double)NAN;
    default: return NAN;
    }
}

/* Radius squared of a body's shapes at even density, trace of the inertia over the mass, and the most that any
 * distribution of mass within them can have: all of it at their farthest point. NaN: not known */
static double shapeRadius(ukReader *reader, int64_t body, double *most)
{
    double sum = 0, volumes = 0, reach = 0;
    for (Query q =
             queryBegin(reader,
                        "SELECT type, size_1, size_2, size_3, position_x, position_y, position_z FROM shape WHERE "
                        "body = %lld",
                        (long long)body);
         queryNext(&q);) {
        const double size[3] = {queryNumber(&q, 1), queryNumber(&q, 2), queryNumber(&q, 3)};
        const double x = queryNumber(&q, 4), y = queryNumber(&q, 5), z = queryNumber(&q, 6);
        double volume = NAN;
        const double own = traceOf(queryText(&q, 0), size, &volume);
        const double r = reachOf(queryText(&q, 0), size) + sqrt(x * x + y * y + z * z);
        if (!(r <= reach)) reach = r;
        sum += volume * (own + 2 * (x * x + y * y + z * z)), volumes += volume;
    }
    *most = 2 * reach * reach;
    return volumes > 0 ? sum / volumes : NAN;
}

/* moments [0] <= [1] <= [2] of xx yy zz xy xz yz, by Jacobi's rotations */
static void principalMoments(const double inertia[6], double moment[3])
{
    double a[3][3] = {{inertia[0], inertia[3], inertia[4]},
                      {inertia[3], inertia[1], inertia[5]},
                      {inertia[4], inertia[5], inertia[2]}};
    for (int turn = 0; turn < 24; turn++) {
        const int i = turn % 3 == 2, j = turn % 3 == 0 ? 1 : 2;
        if (a[i][j] == 0) continue;
        const double angle = 0.5 * atan2(2 * a[i][j], a[j][j] - a[i][i]), c = cos(angle), s = sin(angle);
        for (int k = 0; k < 3; k++) {
            const double x = a[k][i], y = a[k][j];
            a[k][i] = c * x - s * y, a[k][j] = s * x + c * y;
        }
        for (int k = 0; k < 3; k++) {
            const double x = a[i][k], y = a[j][k];
            a[i][k] = c * x - s * y, a[j][k] = s * x + c * y;
        }
    }
    const double x = a[0][0], y = a[1][1], z = a[2][2];
    moment[0] = fmin(x, fmin(y, z)), moment[2] = fmax(x, fmax(y, z));
    moment[1] = x + y + z - moment[0] - moment[2];
}

static Finding *inertiaFinding(Findings *findings, int64_t world, int64_t body, double excess)
{
    Finding *const f = findingAdd(findings, FindingError, "inertia");
    f->depth = 2, f->world = world, f->body = body, f->value = excess, f->excess = excess;
    return f;
}

/* about another point than the centre of mass, or moved twice: no more than a few times too much */
static void tooMuch(Findings *findings, int64_t world, int64_t body, double ratio, double beyond)
{
    Finding *const f = inertiaFinding(findings, world, body, ratio);
    f->severity = FindingWarning, f->excess = beyond;
    findingWhat(f,
                "wrong inertia: %s has %.3g times the moments of inertia of its shapes, %.3g times the most that its "
                "mass can have within them",
                findingBody(findings->reader, body), ratio, beyond);
    findingCause(f, "Moments about another point than the centre of mass, the parallel axis theorem applied twice, or "
                    "shapes smaller than the parts that they represent.");
    findingRemedy(f,
                  "Set mass and moments about the centre of mass: dMassSetBoxTotal and the like; after dMassTranslate "
                  "and dMassAdd, dMassTranslate(&m, -m.c[0], -m.c[1], -m.c[2]) once.");
}

static void judgeInertia(Findings *findings, int64_t world, int64_t body, double mass, const double tensor[6])
{
    double moment[3];
    principalMoments(tensor, moment);
    const double trace = moment[0] + moment[1] + moment[2], sum = moment[0] + moment[1];
    if (moment[2] > sum * (1 + 1e-6)) {
        Finding *const f = inertiaFinding(findings, world, body, moment[2] / sum);
        findingWhat(f,
                    "wrong inertia: %s has moments %.3g, %.3g, %.3g kg m²: the largest exceeds the sum of the others",
                    findingBody(findings->reader, body), moment[0], moment[1], moment[2]);
        findingCause(f, "No distribution of mass has such moments. Its free rotation gains or loses energy.");
        findingRemedy(f, "Set it from the shape: dMassSetBoxTotal and the like.");
        return;
    }
    double most;
    const double shapes = shapeRadius(findings->reader, body, &most), ratio = trace / mass / shapes,
                 off = fmax(ratio, 1 / ratio);
    if (!(off > inertia_ratio)) {
        if (most > 0 && trace / mass > beyond_any * most) tooMuch(findings, world, body, ratio, trace / mass / most);
        return;
    }
    Finding *const f = inertiaFinding(findings, world, body, off);
    findingWhat(f, "wrong inertia: %s has %.3g times the moments of inertia of its shapes with its mass, %.3g kg",
                findingBody(findings->reader, body), ratio, mass);
    findingCause(f, "Mass and inertia were set separately, or for another shape or unit.");
    findingRemedy(f, "Set both at once: dMassSetBoxTotal, dMassSetSphereTotal and the like, then dBodySetMass.");
}

static void findInertias(Findings *findings, int64_t world)
{
    for (Query q =
             queryBegin(findings->reader,
                        "SELECT body, mass, inertia_xx, inertia_yy, inertia_zz, inertia_xy, inertia_xz, inertia_yz "
                        "FROM body WHERE world = %lld AND kinematic = 0",
                        (long long)world);
         queryNext(&q);) {
        double tensor[6];
        for (int k = 0; k < 6; k++) tensor[k] = queryNumber(&q, 2 + k);
        judgeInertia(findings, world, queryInteger(&q, 0), queryNumber(&q, 1), tensor);
    }
}

/* ---- ERP --------------------------------------------------------------------------------------------------------- */

static void findErp(Findings *findings, int64_t world)
{
    const double value = queryOne(findings->reader, "SELECT erp FROM world WHERE world = %lld", (long long)world);
    const double rows = /* steps that ODE took are recorded without their number of rows */
        queryOne(findings->reader,
                 "SELECT coalesce(max(rows), max(contacts) + (SELECT count(*) FROM joint j WHERE j.world = s.world AND "
                 "j.type NOT IN ('contact', 'null'))) FROM step s WHERE world = %lld",
                 (long long)world);
    const double gain =
        queryOne(findings->reader,
                 "SELECT max(work) FROM ledger_step JOIN step USING (step) WHERE world = %lld AND cause = "
                 "'stabilization'",
                 (long long)world);
    Finding *const f = value > strong_erp && rows > 0 ? findingAdd(findings, FindingWarning, "erp") : NULL;
    if (!f) return;
    char given[60];
    snprintf(given, sizeof given, " (up to %.3g J)", gain);
    if (value >= 1) f->severity = FindingError;
    f->depth = 2, f->world = world, f->value = value, f->excess = value / strong_erp;
    findingWhat(f, "ERP too large: %.3g of every position error is corrected within one step%s", value,
                value > 1 ? ", more than the error itself" : "");
    findingCause(f,
                 "The correction adds a velocity that the bodies keep%s: joints jerk, and contacts push bodies apart.",
                 gain > 0 ? given : "");
    findingRemedy(f, "dWorldSetERP(world, 0.2), at most 0.8.");
}

/* ---- limits ------------------------------------------------------------------------------------------------------ */

/* Of each pair of stops: joint, step, angle before the joint's first step, stops. Angles of motors that drive about
 * axes of their own are those of the step's start; an earlier recording has only those after it. */
static const char at_start[] =
    "SELECT j.joint, min(s.step), CASE lo.axis WHEN 1 THEN angle_1 WHEN 2 THEN angle_2 ELSE angle_3 END - %s, "
    "lo.value, "
    "hi.value FROM joint j JOIN joint_parameter lo ON lo.joint = j.joint AND lo.name = 'lo_stop' JOIN joint_parameter "
    "hi ON hi.joint = j.joint AND hi.axis = lo.axis AND hi.name = 'hi_stop' JOIN joint_parameter erp ON erp.joint = "
    "j.joint AND erp.axis = lo.axis AND erp.name = 'stop_erp' JOIN joint_parameter cfm ON cfm.joint = j.joint AND "
    "cfm.axis = lo.axis AND cfm.name = 'stop_cfm' JOIN %s s ON s.joint = j.joint LEFT JOIN body a ON a.body = "
    "j.body_1 AND a.kinematic = 0 LEFT JOIN body b ON b.body = j.body_2 AND b.kinematic = 0 WHERE j.world = %lld AND "
    "lo.value <= hi.value AND erp.value > 0 AND cfm.value <= 0.01 * (SELECT avg(h) FROM step WHERE world = j.world) * "
    "(coalesce(1 / a.mass, 0) + coalesce(1 / b.mass, 0)) AND %s GROUP BY j.joint, lo.axis";
static const char back[] = "(SELECT h FROM step WHERE step = s.step) * coalesce(CASE lo.axis WHEN 1 THEN rate_1 WHEN 2 "
                           "THEN rate_2 ELSE rate_3 "
                           "END, 0)";

static void beyondLimit(Findings *findings, int64_t world, const Query *q)
{
    const double angle = queryNumber(q, 2), lo = queryNumber(q, 3), hi = queryNumber(q, 4);
    const double beyond = fmax(lo - angle, angle - hi);
    if (!(beyond > limit_excess)) return;
    Finding *const f = findingAdd(findings, FindingError, "limit_at_start");
    f->depth = 2, f->world = world, f->joint = queryInteger(q, 0), f->step = queryInteger(q, 1);
    f->value = beyond, f->unit = "rad or m", f->excess = beyond / limit_excess;
    findingWhat(f, "joint limit violated at the start: %s is at %.4g, its limits are %.4g and %.4g",
                findingJoint(findings->reader, f->joint), angle, lo, hi);
    findingCause(f, "The stop pushes it back from the first step on, by %.3g, and thereby adds energy.", beyond);
    findingRemedy(f,
                  "Start within the limits, or move them; angles are zero in the pose in which the joint was created.");
}

static void findLimits(Findings *findings, int64_t world)
{
    const bool have = findingsHave(findings, "joint_start");
    const struct {
        const char *back, *table, *which;
    } sources[] = {{"0", "joint_start", "j.type <> 'AMotor'"},
                   {"0", "joint_step", "j.type = 'AMotor' AND s.step = j.created_step"},
                   {back, "joint_step", "j.type <> 'AMotor' AND s.step = j.created_step"}};
    for (int k = have ? 0 : 1; k < (have ? 2 : 3); k++)
        for (Query q = queryBegin(findings->reader, at_start, sources[k].back, sources[k].table, (long long)world,
                                  sources[k].which);
             queryNext(&q);)
            beyondLimit(findings, world, &q);
}

void findingsOfModel(Findings *findings, int64_t world)
{
    findMassRatios(findings, world);
    findInertias(findings, world);
    findErp(findings, world);
    findLimits(findings, world);
}
