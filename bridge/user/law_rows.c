/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/user/law_rows.h"

#include <math.h>
#include <string.h>

#include "bridge/joints/bias.h"
#include "bridge/joints/geometry.h"
#include "bridge/joints/row.h"
#include "bridge/world/element.h"

int ukLawRowBound(const ukLaw *law)
{
    return law->joint ? 6 : 3 * law->slots;
}

/* Number of the joint's axes, from `first` on, that slide as one. */
static int axesTogether(const ukJoint *joint, int first)
{
    return first == 0 && joint->class->together > 0 ? joint->class->together : 1;
}

/* Writes the row J of free axis i of the law's joint, and Jdot v. */
static void axisRow(ukLaw *law, int i, const ukState *a, const ukState *b, bool continuous)
{
    const ukJoint *joint = law->joint;
    const double *u = law->axis[i];
    double u_dot[3] = {0};
    ukRowSink sink = {.J = law->J[0], .stride = 12, .bias = law->bias};
    if (!joint->class->world_axes) ukTurnRate(a, u, u_dot);
    if (!law->is_translation[i]) {
        ukRowAxis(&sink, i, u, b != NULL);
        if (continuous) ukBiasAxis(&sink, i, u_dot, a, b);
    } else if (joint->class->at_anchor) {
        double P[3], ra[3], rb[3];
        ukAnchor(b, joint->anchor2, P, rb);
        for (int k = 0; k < 3; k++) ra[k] = P[k] - a->x[k];
        ukRowPoint(&sink, i, u, ra, b ? rb : NULL);
        if (continuous) ukBiasAtAnchor(&sink, i, u, u_dot, ra, rb, a, b);
    } else {
        ukRowSlide(&sink, i, u, a, b);
        if (continuous) ukBiasSlide(&sink, i, u, u_dot, a, b);
    }
}

static void placeJoint(ukLaw *law, const ukState *a, const ukState *b, bool continuous)
{
    const ukJoint *joint = law->joint;
    law->axes = joint->class->axes ? joint->class->axes(joint, a, b, law->axis, law->rate, law->is_translation) : 0;
    memset(law->J, 0, sizeof law->J);
    memset(law->bias, 0, sizeof law->bias);
    for (int i = 0; i < law->axes; i++) axisRow(law, i, a, b, continuous);
    int k = 0, axes = 0;
    for (int first = 0; first < law->axes; first += axes, k++) {
        ukSlide *slide = &law->slide[k];
        slide->axes = axes = axesTogether(joint, first);
        slide->first = first;
        slide->translation = law->is_translation[first] != 0;
        memcpy(slide->axis, law->axis[first], (size_t)axes * sizeof slide->axis[0]);
        memcpy(slide->rate, law->rate + first, (size_t)axes * sizeof(double));
    }
    for (; k < law->slides; k++) law->slide[k].axes = 0;
}

/* Orthonormal basis of the orthogonal complement of `count` vectors, `stride` apart; returns its dimension. */
static int findComplement(const double *rows, int count, int stride, double axis[3][3])
{
    double basis[3][3], largest = 0;
    int rank = 0;
    for (int i = 0; i < count; i++) largest = fmax(largest, sqrt(ukDot(rows + i * stride, rows + i * stride)));
    for (int i = 0; i < count && rank < 3; i++) {
        double x[3] = {rows[i * stride], rows[i * stride + 1], rows[i * stride + 2]};
        for (int sweep = 0; sweep < 2; sweep++)
            for (int k = 0; k < rank; k++) {
                const double c = ukDot(basis[k], x);
                for (int j = 0; j < 3; j++) x[j] -= c * basis[k][j];
            }
        if (!(sqrt(ukDot(x, x)) > 1e-9 * largest)) continue;
        ukNormalize(x);
        memcpy(basis[rank++], x, sizeof x);
    }
    if (rank == 0)
        for (int i = 0; i < 9; i++) axis[i / 3][i % 3] = i % 4 == 0;
    else if (rank == 1)
        ukPlaneSpace(basis[0], axis[0], axis[1]);
    else if (rank == 2)
        ukCross(basis[0], basis[1], axis[0]);
    return 3 - rank;
}

static void placeConstraint(ukLaw *law, const ukState *const *state)
{
    const struct ukConstraint *c = law->constraint;
    for (int k = 0; k < law->slides; k++) {
        ukSlide *slide = &law->slide[k];
        const bool fixed = c->element.body[k]->constant.kinematic;
        slide->axes = fixed ? 0 : findComplement(c->A + 6 * k, c->rows, 6 * law->slots, slide->axis);
        slide->first = k;
        slide->translation = true;
        for (int i = 0; i < slide->axes; i++) slide->rate[i] = ukDot(slide->axis[i], state[k]->v);
    }
}

void ukLawPlace(ukLaw *law, const ukState *const *state, bool continuous)
{
    law->row = law->rows = 0;
    law->viscous_row = -1;
    for (int k = 0; k < law->slides; k++) law->slide[k].row = -1;
    if (law->joint)
        placeJoint(law, state[0], state[1], continuous);
    else
        placeConstraint(law, state);
}

static void writeRow(const ukLaw *law, const ukSlide *slide, int axis, int row, ukRowSink *sink)
{
    double *J = sink->J + row * sink->stride;
    if (law->joint)
        memcpy(J, law->J[slide->first + axis], (size_t)sink->stride * sizeof(double));
    else
        memcpy(J + 6 * slide->first, slide->axis[axis], 3 * sizeof(double));
    if (sink->bias) sink->bias[row] = law->joint ? law->bias[slide->first + axis] : 0;
    sink->velocity[row] = 1;
}

int ukLawRows(ukLaw *law, bool continuous, ukRowSink *sink)
{
    int count = 0;
    for (int k = 0; k < law->slides && law->mu > 0; k++) {
        ukSlide *slide = &law->slide[k];
        if (slide->axes == 0 || (continuous && slide->mode == ukSlideMoving)) continue;
        slide->row = count;
        for (int i = 0; i < slide->axes; i++, count++) {
            writeRow(law, slide, i, count, sink);
            if (!continuous || slide->mode == ukSlideResting) sink->lo[count] = sink->hi[count] = 0;
        }
    }
    if (continuous || !law->joint || law->viscous == 0 || law->axes == 0) return law->rows = count;
    law->viscous_row = count;
    for (int i = 0; i < law->axes; i++, count++) {
        memcpy(sink->J + count * sink->stride, law->J[i], (size_t)sink->stride * sizeof(double));
        sink->velocity[count] = 1;
        sink->cfm[count] = 1 / law->viscous;
        sink->lo[count] = sink->hi[count] = 0;
    }
    return law->rows = count;
}

void ukLawPushAxis(const ukLaw *law, int i, double f, double *force)
{
    for (int c = 0; c < 12; c++) force[c] += f * law->J[i][c];
}

void ukLawPushSlide(const ukLaw *law, const ukSlide *slide, int i, double f, double *force)
{
    if (law->joint)
        ukLawPushAxis(law, slide->first + i, f, force);
    else
        for (int c = 0; c < 3; c++) force[6 * slide->first + c] += f * slide->axis[i][c];
}
