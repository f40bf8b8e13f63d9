/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/recording/certificate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/island/view.h"
#include "bridge/joints/class.h"
#include "bridge/user/law.h"
#include "solvers/base/status.h"

enum { block_words = 4 }; /* kind, key, rows, slots */

/* Arrays one behind the other. Without memory they are only measured. */
typedef struct Pen {
    unsigned char *memory;
    size_t used;
    ukEquationRow *row;
} Pen;

/* `count` numbers of `width` bytes, to array `which` */
static void *put(Pen *pen, ukEquationArray which, const void *numbers, size_t count, size_t width)
{
    unsigned char *const at = pen->memory ? pen->memory + pen->used : NULL;
    pen->used += (count * width + 7) / 8 * 8;
    if (!at) return NULL;
    if (numbers && count > 0) memcpy(at, numbers, count * width);
    pen->row->array[which].bytes = at;
    pen->row->array[which].size = count * width;
    return at;
}

static void putDoubles(Pen *pen, ukEquationArray which, const double *numbers, size_t count)
{
    if (numbers) put(pen, which, numbers, count, sizeof *numbers);
}

/* On a machine of the other byte order: the numbers turned round. */
static void order(const ukEquationRow *row)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (int k = 0; k < ukEquationArrays; k++) {
        const bool words = k == ukEquationBody || k == ukEquationBlock || k == ukEquationNormal ||
                           k == ukEquationDisc || k == ukEquationSplitRow;
        const size_t width = words ? 4 : 8;
        unsigned char *bytes = (unsigned char *)row->array[k].bytes;
        for (size_t i = 0; i < row->array[k].size; i += width)
            for (size_t c = 0; c < width / 2; c++) {
                const unsigned char x = bytes[i + c];
                bytes[i + c] = bytes[i + width - 1 - c];
                bytes[i + width - 1 - c] = x;
            }
    }
#else
    (void)row;
#endif
}

static ukEquationKind kindOf(const ukBlockOwner *owner)
{
    if (owner->joint) return ukIsContact(owner->joint) ? ukEquationContact : ukEquationJoint;
    return owner->constraint ? ukEquationConstraint : ukEquationLaw;
}

static void putBodies(Pen *pen, const ukStepper *s, const ukProblem *p, const ukEquationKeys *keys)
{
    const size_t n = (size_t)p->bodies, moving0 = ukViewOf(s, p).moving0;
    int32_t *body = put(pen, ukEquationBody, NULL, n, sizeof *body);
    for (size_t i = 0; body && i < n; i++)
        body[i] = keys->body(keys->context, s->bodies.frames[s->bodies.moving_frame[moving0 + i]].body);
    putDoubles(pen, ukEquationMass, p->mass, n);
    putDoubles(pen, ukEquationInertia, p->inertia, 9 * n);
    putDoubles(pen, ukEquationForce, p->Q, 6 * n);
    putDoubles(pen, ukEquationPrescribed, p->C, 6 * n);
}

/* whose rows, on which bodies, and their coefficients, which follow one another without gaps */
static void putBlocks(Pen *pen, const ukStepper *s, const ukProblem *p, const ukEquationKeys *keys)
{
    const ukBlockOwner *owner = s->rows.owners + ukViewOf(s, p).block0;
    size_t slots = 0, coefficients = 0;
    for (int k = 0; k < p->blocks; k++) {
        slots += (size_t)p->block[k].slots;
        coefficients += 6 * (size_t)p->block[k].rows * (size_t)p->block[k].slots;
    }
    int32_t *at = put(pen, ukEquationBlock, NULL, block_words * (size_t)p->blocks + slots, sizeof *at);
    for (int k = 0; at && k < p->blocks; k++) {
        const ukBlock *block = &p->block[k];
        const ukEquationKind kind = kindOf(&owner[k]);
        *at++ = (int32_t)kind;
        *at++ = kind == ukEquationJoint                        ? keys->joint(keys->context, owner[k].joint)
                : kind == ukEquationLaw && owner[k].law->joint ? keys->joint(keys->context, owner[k].law->joint)
                                                               : 0;
        *at++ = block->rows;
        *at++ = block->slots;
        for (int i = 0; i < block->slots; i++) *at++ = p->body[block->slot + i];
    }
    putDoubles(pen, ukEquationJacobian, p->A, coefficients);
}

static void putRows(Pen *pen, const ukStepper *s, const ukProblem *p, ukFrictionLaw law)
{
    const size_t m = (size_t)p->rows, row0 = ukViewOf(s, p).row0;
    putDoubles(pen, ukEquationRightSide, p->b, m);
    putDoubles(pen, ukEquationSoftness, p->softness, m);
    if (p->lo) {
        putDoubles(pen, ukEquationLower, p->lo, m);
        putDoubles(pen, ukEquationUpper, p->hi, m);
        putDoubles(pen, ukEquationBoundLower, s->rows.bound_lo + row0, m);
        putDoubles(pen, ukEquationBoundUpper, s->rows.bound_hi + row0, m);
    }
    if (p->normal) put(pen, ukEquationNormal, p->normal, m, sizeof *p->normal);
    if (p->cone && p->lo) { /* without bounds all rows hold */
        int32_t *disc = put(pen, ukEquationDisc, NULL, m, sizeof *disc);
        for (int k = 0; disc && k < p->blocks; k++)
            for (int i = p->block[k].row, end = i + p->block[k].rows; i < end; i++)
                disc[i] = ukProblemDisc(p, s->rows.bound_hi + row0, law == ukFrictionElliptic, i, end) - 1;
    }
    if (p->normal && law == ukFrictionTwoPhase) putDoubles(pen, ukEquationLoad, s->rows.loads + row0, m);
}

/* ---- the end of a discrete step ---------------------------------------------------------------------------------- */

/* numbers of each body from its frame, to array `which` */
typedef void FrameWrite(const ukFrame *frame, double *to);
static void putFrames(Pen *pen, const ukStepper *s, const ukProblem *p, ukEquationArray which, size_t width,
                      FrameWrite *write)
{
    const size_t n = (size_t)p->bodies, moving0 = ukViewOf(s, p).moving0;
    double *at = put(pen, which, NULL, width * n, sizeof *at);
    for (size_t i = 0; at && i < n; i++) write(&s->bodies.frames[s->bodies.moving_frame[moving0 + i]], at + width * i);
}

static void writeVelocity(const ukFrame *f, double *to)
{
    memcpy(to, f->start.v, sizeof f->start.v);
}

static void writeVelocityEnd(const ukFrame *f, double *to)
{
    memcpy(to, f->state.v, sizeof f->state.v);
}

static void writePose(const ukFrame *f, double *to)
{
    memcpy(to, f->start.x, sizeof f->start.x);
    memcpy(to + 3, f->start.q, sizeof f->start.q);
}

static void writePoseEnd(const ukFrame *f, double *to)
{
    memcpy(to, f->state.x, sizeof f->state.x);
    memcpy(to + 3, f->state.q, sizeof f->state.q);
}

static void writeCap(const ukFrame *f, double *to)
{
    *to = f->cap;
}

/* Its axis is ODE's of now: of a body that a callback has destroyed there is none, and the pose is not stated. */
static void writeRotation(const ukFrame *f, double *to)
{
    dVector3 axis = {0};
    if (f->finite && f->body->handle) dBodyGetFiniteRotationAxis(f->body->handle, axis);
    to[0] = !f->finite ? 0 : f->body->handle && !f->body->moved ? 1 : -1;
    for (int k = 0; k < 3; k++) to[1 + k] = axis[k];
}

static void putEnd(Pen *pen, const ukStepper *s, const ukProblem *p)
{
    const int *frame = s->bodies.moving_frame + ukViewOf(s, p).moving0;
    bool capped = false, finite = false;
    for (int i = 0; i < p->bodies; i++) {
        capped |= s->bodies.frames[frame[i]].cap < INFINITY;
        finite |= s->bodies.frames[frame[i]].finite;
    }
    putFrames(pen, s, p, ukEquationVelocity, 6, writeVelocity);
    putFrames(pen, s, p, ukEquationVelocityEnd, 6, writeVelocityEnd);
    if (capped) putFrames(pen, s, p, ukEquationSpinCap, 1, writeCap);
    putFrames(pen, s, p, ukEquationPose, 7, writePose);
    putFrames(pen, s, p, ukEquationPoseEnd, 7, writePoseEnd);
    if (finite) putFrames(pen, s, p, ukEquationRotation, 4, writeRotation);
}

/* The rows of `from`, which a split correction has part in, packed: to array `which` */
static void putSplitRows(Pen *pen, const ukStepper *s, const ukProblem *from, ukEquationArray which, const double *rows)
{
    const size_t row0 = ukViewOf(s, from).row0;
    size_t count = 0;
    for (size_t r = 0; r < (size_t)from->rows; r++) count += s->rows.pose[row0 + r];
    void *const at = put(pen, which, NULL, count, rows ? sizeof *rows : sizeof(int32_t));
    for (size_t r = 0, k = 0; at && r < (size_t)from->rows; r++) {
        if (!s->rows.pose[row0 + r]) continue;
        if (rows)
            ((double *)at)[k++] = rows[row0 + r];
        else
            ((int32_t *)at)[k++] = (int32_t)r;
    }
}

static void putSplit(Pen *pen, const ukStepper *s, const ukProblem *p, const ukProblem *from)
{
    putSplitRows(pen, s, from, ukEquationSplitRow, NULL);
    putSplitRows(pen, s, from, ukEquationSplitPush, s->rows.pose_push);
    putSplitRows(pen, s, from, ukEquationSplitSide, s->rows.pose_side);
    putSplitRows(pen, s, from, ukEquationSplitForce, s->rows.pose_lambda);
    putDoubles(pen, ukEquationSplitVelocity, s->bodies.shift + ukViewOf(s, p).column0, 6 * (size_t)p->bodies);
}

static void putAll(Pen *pen, const ukStepper *s, int island, const ukEquationKeys *keys, ukFrictionLaw law)
{
    const ukProblem *p = &s->problems[island];
    const ukSolution out = ukSolutionOf(s, p);
    putBodies(pen, s, p, keys);
    putBlocks(pen, s, p, keys);
    putRows(pen, s, p, law);
    putDoubles(pen, ukEquationAcceleration, out.qdd, 6 * (size_t)p->bodies);
    putDoubles(pen, ukEquationMultiplier, out.lambda, (size_t)p->rows);
    if (s->outcomes[island].continuous) return;
    putEnd(pen, s, p);
    if (s->outcomes[island].split) putSplit(pen, s, p, &s->ideal[island].problem);
}

int ukEquationOf(const ukStepper *s, int island, const ukEquationKeys *keys, ukEquationRow *row)
{
    const ukProblem *p = &s->problems[island];
    const ukOutcome *outcome = &s->outcomes[island];
    const ukFrictionLaw law = ukFrictionOf(s->world);
    memset(row->array, 0, sizeof row->array);
    row->h = 0;
    if (p->bodies == 0) return ukOk;
    Pen pen = {.row = row};
    putAll(&pen, s, island, keys, law);
    if (pen.used > row->room) {
        free(row->memory);
        row->room = pen.used + pen.used / 4;
        row->memory = malloc(row->room);
        if (!row->memory) {
            row->room = 0;
            return ukErrorMemory;
        }
    }
    pen = (Pen){.memory = row->memory, .row = row};
    putAll(&pen, s, island, keys, law);
    order(row);
    row->format = ukEquationFormat;
    row->continuous = outcome->continuous;
    row->law = (int)law;
    row->h = s->h;
    row->coupling = outcome->coupling;
    row->compromise = outcome->compromise;
    return ukOk;
}

static void putRow(ukQueue *queue, long long step, int number, const ukEquationRow *row)
{
    enum { plain = 8 }; /* columns before the arrays */
    ukRows rows;
    size_t bytes = 8 * plain;
    for (int k = 0; k < ukEquationArrays; k++) bytes += 8 + ukRowsBytes(row->array[k].size);
    if (!ukRowsBegin(&rows, queue, ukInsertEquation, bytes)) return;
    ukRowsInt(&rows, step);
    ukRowsInt(&rows, number);
    ukRowsInt(&rows, row->format);
    ukRowsInt(&rows, row->continuous);
    ukRowsInt(&rows, row->law);
    ukRowsReal(&rows, row->h);
    ukRowsReal(&rows, row->coupling);
    ukRowsReal(&rows, row->compromise);
    for (int k = 0; k < ukEquationArrays; k++) ukRowsBlob(&rows, row->array[k].bytes, row->array[k].size);
    ukRowsEnd(&rows);
}

int ukEquationsPut(ukQueue *queue, long long step, const ukStepper *s, const ukEquationKeys *keys, ukEquationRow *row)
{
    for (int i = 0, number = 1; i < s->island_count; i++) {
        const int status = ukEquationOf(s, i, keys, row);
        if (status != ukOk) return status;
        if (row->h > 0) putRow(queue, step, number++, row);
    }
    return ukOk;
}
