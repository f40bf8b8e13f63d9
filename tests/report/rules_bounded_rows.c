/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/report/rules_bounded_rows.c: one-sided and bounded rows of user constraints: models with each fault, and sound
 * ones that look like them. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include <dlfcn.h>
#include <math.h>
#include <stddef.h>

#include "tests/report/model.h"

#include <ukode/ukode.h> /* its types: the library is preloaded */

/* A row on one body: a gap or error along `axis` (0 to 2 translation, 3 to 5 rotation) from `level`, which moves with
 * `speed`; a rope of length `level` from the origin; or a rate with the target `speed`. */
typedef enum Kind { Gap, Rope, Rate } Kind;
typedef struct Row {
    Kind kind;
    int axis;
    double level, speed, sign;
    double a, phi, psi; /* factors of A, phi and psi; 1: a correct function */
    void *constraint;
} Row;
static Row rows[2];
static dBodyID bob;

static int writeRow(const ukConstraintContext *c, double *A, double *b, void *data)
{
    const Row *const r = data;
    const double *const x = c->bodies->position, *const v = c->bodies->velocity;
    if (r->kind != Rope) return A[r->axis] = r->a * r->sign, 0;
    const double length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    double along = 0, square = 0;
    for (int k = 0; k < 3; k++) A[k] = -r->a * x[k] / length, along += x[k] / length * v[k], square += v[k] * v[k];
    b[0] = r->a * (square - along * along) / length;
    return 0;
}

static int writeError(const ukConstraintContext *c, double *phi, double *psi, void *data)
{
    const Row *const r = data;
    const double *const x = c->bodies->position;
    const double *const v = r->axis < 3 ? c->bodies->velocity : c->bodies->spin;
    const double length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    if (r->kind == Rope) {
        phi[0] = r->phi * (r->level - length);
        psi[0] = -r->psi * (x[0] * v[0] + x[1] * v[1] + x[2] * v[2]) / length;
    } else if (r->kind == Gap) {
        phi[0] = r->phi * r->sign * (x[r->axis] - r->level - r->speed * c->time);
        psi[0] = r->psi * r->sign * (v[r->axis] - r->speed);
    } else {
        phi[0] = NAN;
        psi[0] = v[r->axis % 3] - r->speed;
    }
    return 0;
}

static void bound(Row *r, double low, double high)
{
    int (*set)(void *, int, double, double) = NULL;
    *(void **)&set = dlsym(RTLD_DEFAULT, "ukConstraintSetBounds");
    if (set && r->constraint) set(r->constraint, 0, low, high);
}

/* low > high: one-sided, with this restitution */
static void limited(dBodyID body, int which, Row row, double low, double high, double restitution)
{
    void *(*create)(dWorldID, int, const dBodyID *, int, ukConstraintFn *, void *) = NULL;
    int (*error)(void *, ukErrorFn *, void *) = NULL, (*one_sided)(void *, int) = NULL;
    int (*bounce)(void *, int, double) = NULL;
    Row *const r = &rows[which];
    *r = row;
    *(void **)&create = dlsym(RTLD_DEFAULT, "ukConstraintCreate");
    *(void **)&error = dlsym(RTLD_DEFAULT, "ukConstraintSetError");
    *(void **)&one_sided = dlsym(RTLD_DEFAULT, "ukConstraintSetOneSided");
    *(void **)&bounce = dlsym(RTLD_DEFAULT, "ukConstraintSetRestitution");
    if (!create || !error || !one_sided || !bounce) return;
    r->constraint = create(world, 1, &body, 1, writeRow, r);
    error(r->constraint, writeError, r);
    if (low > high)
        one_sided(r->constraint, 0), bounce(r->constraint, 0, restitution);
    else
        bound(r, low, high);
}

static void bobAt(double x, double z, double vx, double vz)
{
    bob = ball(1, 0.1, x, 0, z);
    dBodySetLinearVel(bob, vx, 0, vz);
}
static void oneSided(Row row, double restitution)
{
    limited(bob, 0, row, 1, -1, restitution);
}

static const Row floor_row = {.kind = Gap, .axis = 2, .sign = 1, .a = 1, .phi = 1, .psi = 1};
static const Row rope_row = {.kind = Rope, .level = 1, .a = 1, .phi = 1, .psi = 1};
static const Row wheel_row = {.kind = Rate, .axis = 5, .speed = 3, .sign = 1, .a = 1, .phi = 1, .psi = 1};
static Row with(Row row, double level, double phi, double psi)
{
    row.level = level, row.phi = phi, row.psi = psi;
    return row;
}
static void weightlessBob(double vx)
{
    dWorldSetGravity(world, 0, 0, 0);
    bobAt(0, 0, vx, 0);
}

/* ---- violated before the first step ------------------------------------------------------------------------------ */

static void withinFloor(void)
{
    bobAt(0, -0.02, 0, 0), oneSided(floor_row, 0);
}
static void ropeTooShort(void)
{
    bobAt(1.05, 0, 0, 0), oneSided(rope_row, 0);
}
static void beyondAngle(void)
{
    weightlessBob(0);
    oneSided((Row){.kind = Gap, .axis = 0, .level = -0.03, .sign = -1, .a = 1, .phi = 1, .psi = 1}, 0);
}
static void tautAtOnce(void)
{
    bobAt(1, 0, 2, 0), oneSided(rope_row, 0);
}
static void fallsOnTouch(void)
{
    bobAt(0, 0, 0, -1), oneSided(floor_row, 0);
}
static void clutchTurnsBack(void)
{
    weightlessBob(0);
    dBodySetAngularVel(bob, 0, 0, -3);
    Row clutch = wheel_row;
    clutch.speed = 0;
    oneSided(clutch, 0);
}

/* ---- too weak ---------------------------------------------------------------------------------------------------- */

static void weakHoist(void) /* lifts 9.81 N at 1 m/s with 8 N */
{
    bobAt(0, 0, 0, 0);
    limited(bob, 0, (Row){.kind = Rate, .axis = 2, .speed = 1, .sign = 1, .a = 1}, -8, 8, 0);
}
static void weakServo(void)
{
    bobAt(0, 0, 0, 0);
    limited(bob, 0, floor_row, -9, 9, 0);
}
static void weakWheel(void)
{
    weightlessBob(0);
    limited(bob, 0, wheel_row, -0.01, 0.01, 0);
}
static void drag(int step)
{
    (void)step;
    dBodyAddTorque(bob, 0, 0, -0.02 * dBodyGetAngularVel(bob)[2]);
}

/* ---- without effect ---------------------------------------------------------------------------------------------- */

static void withoutCoefficients(void)
{
    Row row = floor_row;
    row.a = 0;
    bobAt(0, 1, 0, 0), oneSided(row, 0);
}
static void boundsOfZero(void)
{
    bobAt(0, 0, 0, 0), limited(bob, 0, floor_row, 0, 0, 0);
}
static void motorOfZero(void)
{
    weightlessBob(0);
    limited(bob, 0, wheel_row, 0, 0, 0);
}

/* ---- wrong error functions --------------------------------------------------------------------------------------- */

static void fallsWith(Row row)
{
    bobAt(0, 2, 0, 0), oneSided(row, 0);
}
static void signOfRate(void)
{
    fallsWith(with(floor_row, 0, 1, -1));
}
static void noRate(void)
{
    fallsWith(with(floor_row, 0, 1, 0));
}
static void millimetres(void)
{
    fallsWith(with(floor_row, 0, 1000, 1));
}
static void gapTooLarge(void) /* six times the gap: ERP 0.2 overshoots */
{
    bobAt(0, -5e-4, 0, 0), oneSided(with(floor_row, 0, 6, 1), 0);
}
static void strongCorrection(void)
{
    dWorldSetERP(world, 1.2);
    bobAt(0, -5e-4, 0, 0), oneSided(floor_row, 0);
}
static void ropeOfSquares(void) /* its error is that of the squares of two lengths of 3 m, its A that of the lengths */
{
    bobAt(0, -3.0005, 0, 0), oneSided(with(rope_row, 3, 6, 1), 0);
}

/* ---- sound ------------------------------------------------------------------------------------------------------- */

static void restsOnFloor(void)
{
    bobAt(0, 0, 0, 0), oneSided(floor_row, 0);
}
static void ropeThatTightens(void)
{
    bobAt(0.5, 0, 0, 0), oneSided(rope_row, 0);
}
static void bouncesOnFloor(void)
{
    bobAt(0, 0.5, 0, 0), oneSided(floor_row, 0.6);
}
static void spinsUp(void)
{
    weightlessBob(0);
    limited(bob, 0, wheel_row, -0.03, 0.03, 0);
}
static void servoLifts(void)
{
    bobAt(0, 0, 0, 0);
    limited(bob, 0, with(floor_row, 0.05, 1, 1), -20, 20, 0);
}
static void slidesAtBrake(void)
{
    weightlessBob(3);
    limited(bob, 0, (Row){.kind = Rate, .axis = 0, .sign = 1, .a = 1}, -0.5, 0.5, 0);
}
static void bouncesAtOnce(void) /* the impact of the first step is that of its restitution */
{
    weightlessBob(0);
    dBodySetLinearVel(bob, 0, 0, -1);
    oneSided(floor_row, 0.6);
}
static void pushedAlongBrake(int step) /* at a constant speed: the brake bears what pushes */
{
    (void)step;
    dBodyAddForce(bob, 0.5, 0, 0);
}
static void swingsOnRope(void)
{
    bobAt(0, -1, 0.5, 0), oneSided(rope_row, 0);
}
static void farFromFloor(void)
{
    bobAt(0, 10, 0, 0), oneSided(with(floor_row, -5, 1, 1), 0);
}
static void littleWithin(void)
{
    bobAt(0, -0.001, 0, 0), oneSided(floor_row, 0);
}
static void risesWithFloor(void)
{
    Row row = floor_row;
    row.speed = 0.4;
    bobAt(0, 0, 0, 0.4), oneSided(row, 0);
}
static void switchedOff(int step)
{
    if (step == 40) bound(&rows[0], 0, 0);
}
static void landsOnFloor(void)
{
    bobAt(0, 0.5, 0, 0), oneSided(floor_row, 0);
}

const RuleModel bounded_row_models[] = {
    {{"bob_within_its_floor", "+row_at_start", 0.01, 30, withinFloor, NULL}, 0},
    {{"rope_too_short", "+row_at_start", 0.01, 30, ropeTooShort, NULL}, 0},
    {{"bob_beyond_its_limit", "+row_at_start", 0.01, 30, beyondAngle, NULL}, ModelRk4},
    {{"rope_taut_by_a_jerk", "+row_jump_at_start", 0.01, 30, tautAtOnce, NULL}, 0},
    {{"bob_falls_onto_its_floor", "+row_jump_at_start", 0.01, 30, fallsOnTouch, NULL}, ModelRk4},
    {{"clutch_turns_back", "+row_jump_at_start", 0.01, 30, clutchTurnsBack, NULL}, 0},
    {{"weak_user_hoist", "+row_limit", 0.01, 60, weakHoist, NULL}, 0},
    {{"weak_user_servo", "+row_limit", 0.01, 60, weakServo, NULL}, ModelRk4},
    {{"weak_user_wheel", "+row_limit", 0.01, 200, weakWheel, drag}, 0},
    {{"row_without_coefficients", "+idle_row", 0.01, 30, withoutCoefficients, NULL}, 0},
    {{"row_with_bounds_of_zero", "+idle_row", 0.01, 30, boundsOfZero, NULL}, 0},
    {{"user_motor_without_force", "+idle_row", 0.01, 30, motorOfZero, NULL}, ModelRk4},
    {{"psi_of_the_wrong_sign", "+row_rate", 0.01, 60, signOfRate, NULL}, 0},
    {{"psi_of_zero", "+row_rate", 0.01, 60, noRate, NULL}, ModelRk4},
    {{"phi_in_millimetres", "+row_rate", 0.01, 60, millimetres, NULL}, 0},
    {{"gap_ten_times_too_large", "+row_flickers", 0.01, 150, gapTooLarge, NULL}, 0},
    {{"gap_with_a_strong_erp", "+row_flickers", 0.01, 150, strongCorrection, NULL}, 0},
    {{"rope_of_squares", "+row_flickers", 0.01, 150, ropeOfSquares, NULL}, 0},
    {{"bob_rests_on_its_floor", "-", 0.01, 150, restsOnFloor, NULL}, 0},
    {{"rope_that_tightens", "-", 0.01, 150, ropeThatTightens, NULL}, 0},
    {{"bob_bounces_on_its_floor", "-", 0.01, 150, bouncesOnFloor, NULL}, 0},
    {{"user_wheel_spins_up", "-", 0.01, 150, spinsUp, NULL}, 0},
    {{"user_servo_lifts", "-", 0.01, 150, servoLifts, NULL}, 0},
    {{"bob_slides_at_its_brake", "-", 0.01, 150, slidesAtBrake, NULL}, 0},
    {{"bob_bounces_in_its_first_step", "-", 0.01, 60, bouncesAtOnce, NULL}, 0},
    {{"bob_pushed_along_its_brake", "-", 0.01, 100, slidesAtBrake, pushedAlongBrake}, 0},
    {{"bob_swings_on_its_rope", "-", 0.01, 150, swingsOnRope, NULL}, ModelRk4},
    {{"bob_far_from_its_floor", "-", 0.01, 60, farFromFloor, NULL}, 0},
    {{"bob_a_little_within_its_floor", "-", 0.01, 60, littleWithin, NULL}, ModelRk4},
    {{"bob_rises_with_its_floor", "-", 0.01, 60, risesWithFloor, NULL}, 0},
    {{"user_wheel_is_switched_off", "-", 0.01, 100, spinsUp, switchedOff}, 0},
    {{"bob_lands_on_its_floor", "-", 0.01, 100, landsOnFloor, NULL}, ModelRk4},
    {{NULL, NULL, 0, 0, NULL, NULL}, 0},
};
