/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/analyze/errors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/base/vector.h"
#include "bridge/joints/geometry.h"
#include "solvers/base/status.h"
#include "solvers/problem/tolerance.h"

/* The largest and the mean reach of rows in metres: a length of the world. */
static double lengthOfWorld(const ukStepper *s)
{
    double sum = 0;
    int count = 0;
    for (int k = 0; k < s->island_count; k++) {
        const ukProblem *p = &s->islands[k].ideal->problem;
        for (int j = 0; j < p->blocks; j++) {
            const ukBlock *block = &p->block[j];
            const double *J = p->A + block->A;
            for (int i = block->row; i < block->row + block->rows; i++, J += 6 * block->slots) {
                const double reach = ukRowReach(p, block, i);
                if (ukDot(J, J) == 0 || !(reach > 0) || !isfinite(reach)) continue;
                sum += reach;
                count++;
            }
        }
    }
    return count > 0 ? sum / count : 1;
}

int ukErrorsBegin(ukErrors *errors, const ukPoses *poses)
{
    const ukStepper *const s = poses->s;
    const size_t most = (size_t)s->bound.rows + 1, n = (size_t)poses->n;
    *errors = (ukErrors){.poses = poses, .parts = s->joint_count + s->element_count, .most = (int)most};
    errors->length = lengthOfWorld(s);
    errors->B = calloc(most * n + 1, sizeof *errors->B);
    errors->r = calloc(most, sizeof *errors->r);
    errors->phi = calloc(most, sizeof *errors->phi);
    errors->part = calloc(most, sizeof *errors->part);
    if (errors->B && errors->r && errors->phi && errors->part) return ukOk;
    return ukErrorSet(ukErrorMemory, "no memory for the position errors (bodies: %d)", poses->bodies);
}

void ukErrorsEnd(ukErrors *errors)
{
    free(errors->B);
    free(errors->r);
    free(errors->phi);
    free(errors->part);
    *errors = (ukErrors){0};
}

/* Axes x of a and y of b more than a right angle apart: r and J (two rows of `stride`) by the rotation vector about
 * n = y x x that brings b's axis to a's. */
static void alignFar(const ukIsland *island, const ukJoint *joint, double r[2], double *J, int stride)
{
    const ukState *const a = &ukFrameOf(island, joint->body[0])->state;
    const ukState *const b = joint->body[1] ? &ukFrameOf(island, joint->body[1])->state : NULL;
    double x[3], y[3], n[3], plane[2][3];
    ukAxis(a, joint->axis1, x);
    ukAxis(b, joint->axis2, y);
    ukNormalize(y);
    ukNormalize(x);
    const double cosine = ukDot(x, y);
    if (!(cosine < 0)) return;
    ukCross(y, x, n);
    const double sine = sqrt(ukDot(n, n)), angle = atan2(sine, cosine);
    ukPlaneSpace(x, plane[0], plane[1]);
    if (sine < 1e-8) memcpy(n, plane[0], sizeof n);
    ukNormalize(n);
    for (int k = 0; k < 2; k++, J += stride) {
        r[k] = angle * ukDot(n, plane[k]);
        memset(J, 0, (size_t)stride * sizeof *J);
        for (int i = 0; i < 3; i++) {
            J[3 + i] = plane[k][i];
            if (b) J[9 + i] = -plane[k][i];
        }
    }
}

/* Overlap that is kept at a stop or contact, so that its row stays active [m or rad]. */
static const double margin = 2e-13;

/* Whether row i of an island, row `at` of its block, is an error to be met: holonomic and rigid, a stop that is
 * exceeded, a contact that overlaps or has since ukErrorsRelease, or a row that locks a direction without a position
 * error. *phi: the error. */
static bool countRow(const ukErrors *e, const ukIsland *island, const ukBlockOwner *owner, int i, int at, double *phi)
{
    const ukRowArrays *r = &island->rows;
    if (owner->joint && ukIsContact(owner->joint)) {
        ukPosesContact *const contact = ukPosesContactOf(e->poses, owner->joint);
        *phi = contact->gap;
        contact->closed |= *phi < 0;
        return e->contacts && at == 0 && contact->closed;
    }
    if (owner->joint && r->discrete_only[i]) {
        if (r->velocity[i] || *phi == 0 || r->cfm[i] > ukSpringCfm()) return false;
        *phi -= copysign(margin, *phi);
        return true;
    }
    if (!ukRowExact(island, i)) return false;
    if (!r->velocity[i]) return true;
    *phi = 0;
    return owner->joint && at < owner->joint->class->velocity_rows;
}

static void fillBlock(ukErrors *e, const ukIsland *island, int block, int column0, int part)
{
    enum { Widest = 12 };
    const ukProblem *p = &island->ideal->problem;
    const ukBlock *b = &p->block[block];
    const ukBlockOwner *owner = &island->rows.owners[block];
    const int aligned = owner->joint ? owner->joint->class->aligned - 1 : -1, stride = 6 * b->slots;
    double far[2] = {0}, J[2 * Widest];
    if (aligned >= 0) {
        memcpy(J, p->A + b->A + aligned * stride, (size_t)(2 * stride) * sizeof *J);
        memcpy(far, island->rows.phi + b->row + aligned, sizeof far);
        alignFar(island, owner->joint, far, J, stride);
    }
    for (int at = 0; at < b->rows; at++) {
        const bool axis = aligned >= 0 && at >= aligned && at < aligned + 2;
        const double *row = axis ? J + (at - aligned) * stride : p->A + b->A + at * stride;
        double phi = axis ? far[at - aligned] : island->rows.phi[b->row + at],
               *B = e->B + (size_t)e->rows * (size_t)e->poses->n;
        bool linear = false;
        if (!countRow(e, island, owner, b->row + at, at, &phi)) continue;
        for (int slot = 0; slot < b->slots; slot++) linear |= ukDot(row + 6 * slot, row + 6 * slot) > 0;
        const double weight = linear ? 1 / e->length : 1;
        memset(B, 0, (size_t)e->poses->n * sizeof *B);
        for (int slot = 0; slot < b->slots; slot++) {
            const int body = p->body[b->slot + slot];
            for (int c = 0; c < 6 && body >= 0; c++) B[column0 + 6 * body + c] = weight * row[6 * slot + c];
        }
        ukPosesScale(e->poses, false, B);
        e->part[e->rows] = part;
        e->phi[e->rows] = phi;
        e->r[e->rows++] = weight * phi;
        e->gap = fmax(e->gap, fabs(phi));
        e->largest = fmax(e->largest, fabs(weight * phi));
        e->square += weight * phi * (weight * phi);
    }
}

void ukErrorsRelease(const ukErrors *e)
{
    for (int k = 0; k < e->poses->contacts; k++) e->poses->contact[k].closed = e->poses->contact[k].carries;
}

void ukErrorsFill(ukErrors *e)
{
    const ukStepper *const s = e->poses->s;
    int column = 0, elements = s->joint_count;
    e->rows = 0;
    e->square = e->largest = e->gap = 0;
    for (int k = 0; k < s->island_count; k++) {
        const ukIsland *island = &s->islands[k];
        const ukProblem *p = &island->ideal->problem;
        int j = 0, element = 0;
        for (int block = 0; block < p->blocks; block++) {
            const ukBlockOwner *owner = &island->rows.owners[block];
            while (owner->joint && island->joint[j] != owner->joint) j++;
            while (owner->constraint && island->element[element] != &owner->constraint->element) element++;
            const int part = owner->joint ? island->first_joint + j : elements + element;
            if (!e->in || e->in[part]) fillBlock(e, island, block, column, part);
        }
        column += 6 * p->bodies;
        elements += island->elements;
    }
    if (!isfinite(e->square)) e->square = e->largest = INFINITY;
}

ukJoint *ukErrorsPart(const ukErrors *e, int part, struct ukConstraint **constraint)
{
    const ukStepper *const s = e->poses->s;
    *constraint = NULL;
    if (part < s->joint_count) return s->joints[part];
    *constraint = (struct ukConstraint *)s->elements[part - s->joint_count];
    return NULL;
}
