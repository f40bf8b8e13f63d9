/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/diagnose/coordinate.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/island/metric.h"
#include "bridge/user/joint_law.h"
#include "bridge/user/law_rows.h"

static double coordinateUnit(const ukIsland *island, const ukCoordinate *c)
{
    double sum = 0;
    for (int k = 0; k < 2; k++) {
        double x[6];
        if (c->of[k] < 0) continue;
        memcpy(x, c->J + 6 * k, sizeof x);
        ukMetricRow(&island->ideal->problem, c->of[k], x);
        for (int i = 0; i < 6; i++) sum += x[i] * x[i];
    }
    return sqrt(sum);
}

/* Free axes of a joint as a joint law finds them; motors have none of their own. */
static int jointCoordinates(const ukIsland *island, ukJoint *joint, ukCoordinate *out)
{
    ukSlide slide[3];
    ukLaw law = {.joint = joint, .slide = slide, .slides = 3};
    const ukState *state[2] = {NULL, NULL};
    int of[2] = {-1, -1}, count = 0;
    for (int k = 0; k < 2; k++) {
        const ukFrame *frame = joint->body[k] ? ukIslandFrame(island, joint->body[k]) : NULL;
        if (!frame) continue;
        state[k] = &frame->state;
        of[k] = frame->moving;
    }
    if (!state[0] || joint->class->motor || !joint->class->axes) return 0;
    ukLawPlace(&law, state, false);
    for (int i = 0; i < law.axes; i++) {
        ukCoordinate *c = &out[count];
        *c = (ukCoordinate){.joint = joint, .axis = i, .of = {of[0], of[1]}};
        memcpy(c->J, law.J[i], sizeof c->J);
        c->unit = coordinateUnit(island, c);
        count += c->unit > 0;
    }
    return count;
}

static int byCreation(const void *a, const void *b)
{
    const ukCoordinate *x = a, *y = b;
    if (x->joint != y->joint) return x->joint->serial < y->joint->serial ? -1 : 1;
    return x->axis - y->axis;
}

int ukCoordinatesOf(const ukIsland *island, ukCoordinate *coordinate)
{
    int count = 0;
    for (int j = 0; j < island->joints; j++)
        if (!ukIsContact(island->joint[j])) count += jointCoordinates(island, island->joint[j], coordinate + count);
    qsort(coordinate, (size_t)count, sizeof *coordinate, byCreation);
    for (int b = 0; b < island->ideal->problem.bodies; b++)
        for (int axis = 0; axis < 6; axis++) {
            ukCoordinate *c = &coordinate[count++];
            *c = (ukCoordinate){.body = island->bodies.frame[b]->body, .axis = axis, .of = {b, -1}};
            c->J[axis] = 1;
            c->unit = coordinateUnit(island, c);
        }
    return count;
}

double ukCoordinateRate(const ukCoordinate *c, const double *v)
{
    double sum = 0;
    for (int k = 0; k < 12; k++)
        if (c->of[k / 6] >= 0) sum += c->J[k] * v[6 * c->of[k / 6] + k % 6];
    return sum;
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

typedef struct MotionText {
    char *words;
    size_t length;
} MotionText;

__attribute__((format(printf, 2, 3))) static void addWords(MotionText *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(text->words + text->length, ukMotionWords - text->length, format, args);
    va_end(args);
    if (n > 0) text->length += (size_t)n < ukMotionWords - text->length ? (size_t)n : ukMotionWords - 1 - text->length;
}

static void addBodyMotion(MotionText *text, const ukCoordinate *c)
{
    static const char *const directions[] = {"along x", "along y", "along z", "about x", "about y", "about z"};
    if (c->body->name)
        addWords(text, "%.80s %s", c->body->name, directions[c->axis]);
    else
        addWords(text, "body %llu %s", (unsigned long long)c->body->serial, directions[c->axis]);
}

/* axes: the bits of those that move */
static void addJointMotion(MotionText *text, const ukJoint *joint, unsigned axes)
{
    if (joint->name)
        addWords(text, "%.80s", joint->name);
    else
        addWords(text, "%s %llu", joint->class->name, (unsigned long long)joint->serial);
    if (joint->class->free_axes <= 1) return;
    addWords(text, axes & (axes - 1) ? " axes" : " axis");
    for (int i = 0, given = 0; i < 3; i++)
        if (axes >> i & 1) addWords(text, given++ ? "+%d" : " %d", i + 1);
}

static unsigned movingAxes(const ukCoordinate *c, int count, const double *v, double least)
{
    unsigned axes = 0;
    for (int i = 0; i < count && c[i].joint == c->joint; i++)
        if (fabs(ukCoordinateRate(&c[i], v)) > least * c[i].unit) axes |= 1u << c[i].axis;
    return axes;
}

static int axesOfSameJoint(const ukCoordinate *c, int count)
{
    int same = 1;
    while (same < count && c[same].joint == c->joint) same++;
    return same;
}

void ukMotionDescribe(const ukCoordinate *coordinate, int count, const ukCoordinate *lead, const double *v,
                      double least, char words[ukMotionWords])
{
    enum { MostNamed = 8 };
    MotionText text = {.words = words};
    int moving = lead->body != NULL, named = 0;
    words[0] = 0;
    for (int i = 0; i < count && coordinate[i].joint; i += axesOfSameJoint(coordinate + i, count - i))
        moving += movingAxes(coordinate + i, count - i, v, least) != 0;
    if (lead->body) addBodyMotion(&text, lead), named++;
    for (int lead_first = 1; lead_first >= 0; lead_first--) /* the joint of the coordinate, then those that follow it */
        for (int i = 0; i < count && coordinate[i].joint; i += axesOfSameJoint(coordinate + i, count - i)) {
            const unsigned axes = movingAxes(coordinate + i, count - i, v, least);
            if (axes == 0 || (coordinate[i].joint == lead->joint) != lead_first || named >= MostNamed) continue;
            if (named > 0)
                addWords(&text, ++named < moving ? ", " : " and ");
            else
                named++;
            addJointMotion(&text, coordinate[i].joint, axes);
        }
    if (named < moving) addWords(&text, " and %d more", moving - named);
    if (moving > 1) addWords(&text, " together");
}
