/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/analyze/touch.h"

#include <math.h>
#include <string.h>

#include "bridge/joints/geometry.h"

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

/* The geom of a body that made the contact; NULL: none of the body's is, or there is no body. The contact's own handles
 * may be of geoms that are gone. */
static dGeomID geomOf(const ukBody *body, const ukContact *contact)
{
    dGeomID geom = body ? dBodyGetFirstGeom(body->handle) : NULL;
    while (geom && geom != contact->g1 && geom != contact->g2) geom = dBodyGetNextGeom(geom);
    return geom;
}

/* point - its part along the geom's z axis from its position, up to `half` to either side */
static void nearestOnAxis(dGeomID geom, const double point[3], double half, double on_axis[3])
{
    const dReal *const x = dGeomGetPosition(geom), *const R = dGeomGetRotation(geom);
    double along = 0;
    for (int i = 0; i < 3; i++) along += (point[i] - x[i]) * R[4 * i + 2];
    along = fmin(fmax(along, -half), half);
    for (int i = 0; i < 3; i++) on_axis[i] = x[i] + along * R[4 * i + 2];
}

/* The centre of the surface's curvature at the contact, and its radius. */
static double centreOf(const ukJoint *joint, int side, const double n[3], double centre[3])
{
    static const double side_on = 0.1; /* of a cylinder: cosine of the angle between its axis and the normal */
    const ukContact *const contact = &joint->contact;
    const dGeomID geom = geomOf(joint->body[side], contact);
    dReal radius = 0, length = 0;
    double point[3];
    for (int i = 0; i < 3; i++) centre[i] = point[i] = contact->pos[i];
    if (!geom) return 0;
    switch (dGeomGetClass(geom)) {
    case dSphereClass:
        for (int i = 0; i < 3; i++) centre[i] = dGeomGetPosition(geom)[i];
        return dGeomSphereGetRadius(geom);
    case dCapsuleClass:
        dGeomCapsuleGetParams(geom, &radius, &length);
        nearestOnAxis(geom, point, 0.5 * length, centre);
        return radius;
    case dCylinderClass: {
        const dReal *const R = dGeomGetRotation(geom);
        if (!(fabs(n[0] * R[2] + n[1] * R[6] + n[2] * R[10]) < side_on)) return 0;
        dGeomCylinderGetParams(geom, &radius, &length);
        nearestOnAxis(geom, point, 0.5 * length, centre);
        return radius;
    }
    default: return 0;
    }
}

/* ---- a touch ----------------------------------------------------------------------------------------------------- */

/* A point fixed in a body, and its velocity. */
static void followPoint(const ukState *s, const double local[3], double point[3], double rate[3])
{
    double arm[3];
    ukAnchor(s, local, point, arm);
    ukTurnRate(s, arm, rate);
    for (int i = 0; s && i < 3; i++) rate[i] += s->v[i];
}

/* A direction fixed in a body, and its rate. */
static void turnWith(const ukState *s, const double local[3], double u[3], double rate[3])
{
    ukAxis(s, local, u);
    ukTurnRate(s, u, rate);
}

ukContactShape ukTouchOf(const ukJoint *joint, const ukState *a, const ukState *b)
{
    const ukContact *const contact = &joint->contact;
    ukContactShape touch = {0};
    double n[3], t[2][3], centre[2][3];
    for (int i = 0; i < 3; i++) n[i] = joint->reverse ? -contact->normal[i] : contact->normal[i];
    ukPlaneSpace(n, t[0], t[1]);
    if (contact->surface.mode & dContactFDir1) {
        for (int i = 0; i < 3; i++) t[0][i] = contact->fdir1[i];
        ukCross(n, t[0], t[1]);
    }
    touch.size[0] = ukNormalize(n);
    for (int k = 0; k < 2; k++) touch.size[1 + k] = ukNormalize(t[k]);
    for (int side = 0; side < 2; side++) touch.radius[side] = centreOf(joint, side, n, centre[side]);
    touch.round = touch.radius[0] > 0 && touch.radius[1] > 0;
    touch.carrier = touch.radius[0] == 0 && touch.radius[1] > 0;
    for (int side = 0; side < 2; side++) {
        const ukState *const s = side ? b : a;
        const bool flat = !touch.round && side != touch.carrier;
        double point[3];
        for (int i = 0; i < 3; i++) point[i] = contact->pos[i];
        ukLocalPointAt(s, flat ? point : centre[side], touch.centre[side]);
    }
    const ukState *const other = touch.carrier == 0 ? b : a;
    ukAxisBack(other, n, touch.normal);
    ukAxisBack(other, t[0], touch.tangent);
    ukTouchSettle(&touch, a, b);
    return touch;
}

/* n along the centres of two round sides, at the distance L: *gap */
static void alongCentres(const double d[3], const double d_rate[3], ukTouchPlace *place)
{
    memcpy(place->n, d, sizeof place->n);
    const double L = ukNormalize(place->n), along = ukDot(place->n, d_rate);
    for (int i = 0; i < 3; i++) place->n_rate[i] = L > 0 ? (d_rate[i] - along * place->n[i]) / L : 0;
    place->gap = L;
}

/* t1 across n from the tangent fixed in a body, t2 = n x t1 */
static void tangentsAt(const double fixed[3], const double fixed_rate[3], ukTouchPlace *place)
{
    const double *const n = place->n, *const n_rate = place->n_rate;
    double w[3], w_rate[3], one[3], two[3];
    const double along = ukDot(n, fixed), along_rate = ukDot(n_rate, fixed) + ukDot(n, fixed_rate);
    for (int i = 0; i < 3; i++) {
        w[i] = fixed[i] - along * n[i];
        w_rate[i] = fixed_rate[i] - along_rate * n[i] - along * n_rate[i];
    }
    const double size = ukNormalize(w), growth = ukDot(w, w_rate);
    memcpy(place->t[0], w, sizeof place->t[0]);
    for (int i = 0; i < 3; i++) place->t_rate[0][i] = size > 0 ? (w_rate[i] - growth * w[i]) / size : 0;
    ukCross(n, place->t[0], place->t[1]);
    ukCross(n_rate, place->t[0], one);
    ukCross(n, place->t_rate[0], two);
    for (int i = 0; i < 3; i++) place->t_rate[1][i] = one[i] + two[i];
}

void ukTouchAt(const ukContactShape *touch, const ukState *a, const ukState *b, ukTouchPlace *place)
{
    double centre[2][3], rate[2][3], d[3], d_rate[3], fixed[3], fixed_rate[3];
    const ukState *const other = touch->carrier == 0 ? b : a;
    for (int side = 0; side < 2; side++) followPoint(side ? b : a, touch->centre[side], centre[side], rate[side]);
    for (int i = 0; i < 3; i++) {
        d[i] = centre[0][i] - centre[1][i];
        d_rate[i] = rate[0][i] - rate[1][i];
    }
    if (touch->round) {
        alongCentres(d, d_rate, place);
    } else {
        turnWith(other, touch->normal, place->n, place->n_rate);
        place->gap = ukDot(place->n, d);
    }
    place->gap -= touch->gap;
    turnWith(other, touch->tangent, fixed, fixed_rate);
    tangentsAt(fixed, fixed_rate, place);
    const int c = touch->carrier;
    const double back = (c == 0 ? -1 : 1) * touch->radius[c];
    for (int i = 0; i < 3; i++) {
        place->point[i] = centre[c][i] + back * place->n[i];
        place->point_rate[i] = rate[c][i] + back * place->n_rate[i];
    }
    for (int k = 0; k < 2; k++) place->apart[k] = ukDot(place->t[k], d) - touch->apart[k];
}

void ukTouchSettle(ukContactShape *touch, const ukState *a, const ukState *b)
{
    ukTouchPlace here;
    ukTouchAt(touch, a, b, &here);
    touch->gap += here.gap;
    for (int k = 0; k < 2; k++) touch->apart[k] += here.apart[k];
}

bool ukTouchKeepsPlace(const ukContactShape *touch, ukTouchKind kind)
{
    const bool corner = touch->radius[touch->carrier] == 0;
    return kind == ukTouchNormal || (corner && (kind == ukTouchSlide1 || kind == ukTouchSlide2));
}

/* u . (velocity of body s at the place), as coefficients, and what its rate adds without accelerations */
static double pointSide(const ukTouchPlace *place, const double u[3], const double u_rate[3], const ukState *s,
                        double J[6])
{
    double arm[3], turned[3], arm_rate[3], at[3];
    for (int i = 0; i < 3; i++) {
        arm[i] = place->point[i] - s->x[i];
        arm_rate[i] = place->point_rate[i] - s->v[i];
    }
    memcpy(J, u, 3 * sizeof *J);
    ukCross(arm, u, J + 3);
    ukCross(s->v + 3, arm_rate, turned);
    ukCross(s->v + 3, arm, at);
    double bias = ukDot(u, turned);
    for (int i = 0; i < 3; i++) bias += u_rate[i] * (s->v[i] + at[i]);
    return bias;
}

void ukTouchRow(const ukContactShape *touch, const ukTouchPlace *place, ukTouchKind kind, const ukState *a,
                const ukState *b, double J[12], double *phi, double *bias)
{
    const bool turns = kind >= ukTouchRoll1;
    const int direction = (int)kind % 3; /* normal, t1, t2; of rolling: t1, t2, normal */
    const int which = turns ? (direction + 1) % 3 : direction;
    const double *const u = which == 0 ? place->n : place->t[which - 1];
    const double *const u_rate = which == 0 ? place->n_rate : place->t_rate[which - 1];
    const double size = touch->size[which];
    memset(J, 0, 12 * sizeof *J);
    *bias = 0;
    for (int side = 0; side < 2; side++) {
        const ukState *const s = side ? b : a;
        const double sign = side ? -size : size;
        double *const row = J + 6 * side;
        if (!s) continue;
        double off;
        if (turns) {
            memcpy(row + 3, u, 3 * sizeof *row);
            off = ukDot(u_rate, s->v + 3);
        } else {
            off = pointSide(place, u, u_rate, s, row);
        }
        *bias += sign * off;
        for (int i = 0; i < 6; i++) row[i] *= sign;
    }
    *phi = 0;
    if (kind == ukTouchNormal) *phi = size * place->gap;
    if (!turns && kind != ukTouchNormal && ukTouchKeepsPlace(touch, kind)) *phi = size * place->apart[which - 1];
}
