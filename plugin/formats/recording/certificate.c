/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/recording/certificate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/island/island.h"
#include "bridge/joints/class.h"
#include "bridge/user/joint_law.h"
#include "solvers/base/status.h"

enum { block_words = 4 }; /* kind, key, rows, slots */

/* Arrays one after the other. Without memory they are only measured. */
typedef struct Pen {
    unsigned char *memory;
    size_t used;
    ukEquationRow *row;
} Pen;

/* `count` numbers of `width` bytes, to array `which` */
static void *putCertificate(Pen *pen, ukEquationArray which, const void *numbers, size_t count, size_t width)
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
    if (numbers) putCertificate(pen, which, numbers, count, sizeof *numbers);
}

/* On a machine of the other byte order: the numbers turned round. */
static void toLittleEndian(const ukEquationRow *row)
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

static void putBodies(Pen *pen, const ukIsland *island, const ukProblem *p, const ukEquationKeys *keys)
{
    const size_t n = (size_t)p->bodies;
    int32_t *body = putCertificate(pen, ukEquationBody, NULL, n, sizeof *body);
    for (size_t i = 0; body && i < n; i++) body[i] = keys->body(keys->context, island->bodies.frame[i]->body);
    putDoubles(pen, ukEquationMass, p->mass, n);
    putDoubles(pen, ukEquationInertia, p->inertia, 9 * n);
    putDoubles(pen, ukEquationForce, p->Q, 6 * n);
    putDoubles(pen, ukEquationPrescribed, p->C, 6 * n);
}

/* whose rows, on which bodies, and their coefficients, which follow one another without gaps */
static void putBlocks(Pen *pen, const ukIsland *island, const ukProblem *p, const ukEquationKeys *keys)
{
    const ukBlockOwner *owner = island->rows.owners;
    size_t slots = 0, coefficients = 0;
    for (int k = 0; k < p->blocks; k++) {
        slots += (size_t)p->block[k].slots;
        coefficients += 6 * (size_t)p->block[k].rows * (size_t)p->block[k].slots;
    }
    int32_t *at = putCertificate(pen, ukEquationBlock, NULL, block_words * (size_t)p->blocks + slots, sizeof *at);
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

static void putRows(Pen *pen, const ukIsland *island, const ukProblem *p, ukFrictionLaw law)
{
    const size_t m = (size_t)p->rows;
    putDoubles(pen, ukEquationRightSide, p->b, m);
    putDoubles(pen, ukEquationSoftness, p->softness, m);
    if (p->lo) {
        putDoubles(pen, ukEquationLower, p->lo, m);
        putDoubles(pen, ukEquationUpper, p->hi, m);
        putDoubles(pen, ukEquationBoundLower, island->rows.bound_lo, m);
        putDoubles(pen, ukEquationBoundUpper, island->rows.bound_hi, m);
    }
    if (p->normal) putCertificate(pen, ukEquationNormal, p->normal, m, sizeof *p->normal);
    if (p->cone && p->lo) { /* without bounds all rows are equalities */
        int32_t *disc = putCertificate(pen, ukEquationDisc, NULL, m, sizeof *disc);
        for (int k = 0; disc && k < p->blocks; k++)
            for (int i = p->block[k].row, end = i + p->block[k].rows; i < end; i++)
                disc[i] = ukProblemDisc(p, island->rows.bound_hi, law == ukFrictionElliptic, i, end) - 1;
    }
    if (p->normal && law == ukFrictionTwoPhase) putDoubles(pen, ukEquationLoad, island->rows.loads, m);
}

/* ---- the end of a discrete step ---------------------------------------------------------------------------------- */

/* numbers of each body from its frame, to array `which` */
typedef void FrameWrite(const ukFrame *frame, double *to);
static void putFrames(Pen *pen, const ukIsland *island, const ukProblem *p, ukEquationArray which, size_t width,
                      FrameWrite *write)
{
    const size_t n = (size_t)p->bodies;
    double *at = putCertificate(pen, which, NULL, width * n, sizeof *at);
    for (size_t i = 0; at && i < n; i++) write(island->bodies.frame[i], at + width * i);
}

/* Writes the velocities that the equations start from: those after impacts, which other integrators than Euler's solve
 * at the start. */
static void putVelocities(Pen *pen, const ukIsland *island, const ukProblem *p)
{
    const bool impacts = island->world->settings.integrator != ukIntegratorEuler;
    double *at = putCertificate(pen, ukEquationVelocity, NULL, 6 * (size_t)p->bodies, sizeof *at);
    for (int i = 0; at && i < p->bodies; i++) {
        const ukFrame *const f = island->bodies.frame[i];
        memcpy(at + 6 * i, impacts ? island->states.arrived + 6 * (f - island->frame) : f->start.v, sizeof f->start.v);
    }
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

/* Writes the finite rotation mode and axis. The axis is read from ODE now: a body that a callback has destroyed has
 * none, and its pose is not recorded. */
static void writeRotation(const ukFrame *f, double *to)
{
    dVector3 axis = {0};
    if (f->rotation && f->body->handle) dBodyGetFiniteRotationAxis(f->body->handle, axis);
    to[0] = f->rotation && (!f->body->handle || f->body->moved) ? -1 : (double)f->rotation;
    for (int k = 0; k < 3; k++) to[1 + k] = axis[k];
}

static void putEnd(Pen *pen, const ukIsland *island, const ukProblem *p)
{
    ukFrame *const *frame = island->bodies.frame;
    bool capped = false, finite = false;
    for (int i = 0; i < p->bodies; i++) {
        capped |= frame[i]->cap < INFINITY;
        finite |= frame[i]->rotation != ukRotationFirstOrder;
    }
    putVelocities(pen, island, p);
    putFrames(pen, island, p, ukEquationVelocityEnd, 6, writeVelocityEnd);
    if (capped) putFrames(pen, island, p, ukEquationSpinCap, 1, writeCap);
    putFrames(pen, island, p, ukEquationPose, 7, writePose);
    putFrames(pen, island, p, ukEquationPoseEnd, 7, writePoseEnd);
    if (finite) putFrames(pen, island, p, ukEquationRotation, 4, writeRotation);
}

/* The rows of `from`, which a split correction has part in, packed: to array `which` */
static void putSplitRows(Pen *pen, const ukIsland *island, const ukProblem *from, ukEquationArray which,
                         const double *rows)
{
    size_t count = 0;
    for (size_t r = 0; r < (size_t)from->rows; r++) count += island->rows.pose[r];
    void *const at = putCertificate(pen, which, NULL, count, rows ? sizeof *rows : sizeof(int32_t));
    for (size_t r = 0, k = 0; at && r < (size_t)from->rows; r++) {
        if (!island->rows.pose[r]) continue;
        if (rows)
            ((double *)at)[k++] = rows[r];
        else
            ((int32_t *)at)[k++] = (int32_t)r;
    }
}

static void putSplit(Pen *pen, const ukIsland *island, const ukProblem *p, const ukProblem *from)
{
    putSplitRows(pen, island, from, ukEquationSplitRow, NULL);
    putSplitRows(pen, island, from, ukEquationSplitPush, island->rows.pose_push);
    putSplitRows(pen, island, from, ukEquationSplitSide, island->rows.pose_side);
    putSplitRows(pen, island, from, ukEquationSplitForce, island->rows.pose_lambda);
    putDoubles(pen, ukEquationSplitVelocity, island->bodies.shift, 6 * (size_t)p->bodies);
}

static void putAll(Pen *pen, const ukIsland *island, const ukEquationKeys *keys, ukFrictionLaw law)
{
    const ukProblem *p = island->problem;
    const ukSolution out = ukSolutionOf(island);
    putBodies(pen, island, p, keys);
    putBlocks(pen, island, p, keys);
    putRows(pen, island, p, law);
    putDoubles(pen, ukEquationAcceleration, out.qdd, 6 * (size_t)p->bodies);
    putDoubles(pen, ukEquationMultiplier, out.lambda, (size_t)p->rows);
    if (island->outcome->continuous) return;
    putEnd(pen, island, p);
    if (island->outcome->split) putSplit(pen, island, p, &island->ideal->problem);
}

int ukEquationOf(const ukIsland *island, const ukEquationKeys *keys, ukEquationRow *row)
{
    const ukProblem *p = island->problem;
    const ukOutcome *outcome = island->outcome;
    const ukFrictionLaw law = ukFrictionOf(island->world);
    memset(row->array, 0, sizeof row->array);
    row->h = 0;
    if (p->bodies == 0) return ukOk;
    Pen pen = {.row = row};
    putAll(&pen, island, keys, law);
    if (pen.used > row->capacity) {
        free(row->memory);
        row->capacity = pen.used + pen.used / 4;
        row->memory = malloc(row->capacity);
        if (!row->memory) {
            row->capacity = 0;
            return ukErrorMemory;
        }
    }
    pen = (Pen){.memory = row->memory, .row = row};
    putAll(&pen, island, keys, law);
    toLittleEndian(row);
    row->format = ukEquationFormat;
    row->form = outcome->continuous ? ukFormContinuous : outcome->impacts ? ukFormImpacts : ukFormDiscrete;
    row->law = (int)law;
    row->h = *island->last_h;
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
    ukRowsInt(&rows, row->form);
    ukRowsInt(&rows, row->law);
    ukRowsReal(&rows, row->h);
    ukRowsReal(&rows, row->coupling);
    ukRowsReal(&rows, row->compromise);
    for (int k = 0; k < ukEquationArrays; k++) ukRowsBlob(&rows, row->array[k].bytes, row->array[k].size);
    ukRowsEnd(&rows);
}

int ukEquationsPut(ukQueue *queue, long long step, const ukIsland *islands, int count, const ukEquationKeys *keys,
                   ukEquationRow *row)
{
    for (int i = 0, number = 1; i < count; i++) {
        const int status = ukEquationOf(&islands[i], keys, row);
        if (status != ukOk) return status;
        if (row->h > 0) putRow(queue, step, number++, row);
    }
    return ukOk;
}
