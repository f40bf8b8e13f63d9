#include "bridge/assemble.h"

#include <math.h>
#include <string.h>

#include "bridge/log.h"
#include "solvers/status.h"

void ukAssembleContext(const ukWorld *world, double h, ukStepContext *context)
{
    dVector3 g;
    dWorldGetGravity(world->handle, g);
    *context = (ukStepContext){.rows = {.h = h,
                                        .erp = dWorldGetERP(world->handle),
                                        .cfm = dWorldGetCFM(world->handle),
                                        .contact_max_velocity = dWorldGetContactMaxCorrectingVel(world->handle),
                                        .contact_surface_layer = dWorldGetContactSurfaceLayer(world->handle),
                                        .commit = true},
                               .gravity = {g[0], g[1], g[2]},
                               .cone = world->settings.friction == ukFrictionCone};
}

int ukAssembleRowBound(const ukStepper *s)
{
    int rows = 0;
    for (int i = 0; i < s->joint_count; i++) rows += s->joints[i]->class->max_rows;
    return rows;
}

/* A plain equality row is what a joint finds: zero coefficients, no error, unbounded. */
static void clearRows(ukStepper *s, int row, int rows, double *A, int stride)
{
    const size_t bytes = (size_t)rows * sizeof(double);
    memset(A, 0, (size_t)(rows * stride) * sizeof(double));
    memset(s->c + row, 0, bytes);
    memset(s->phi + row, 0, bytes);
    memset(s->target + row, 0, bytes);
    memset(s->cfm + row, 0, bytes);
    memset(s->velocity + row, 0, (size_t)rows);
    memset(s->stop + row, 0, (size_t)rows);
    memset(s->cone + row, 0, (size_t)rows);
    for (int i = row; i < row + rows; i++) {
        s->lo[i] = -INFINITY;
        s->hi[i] = INFINITY;
        s->normal[i] = -1;
    }
}

/* Two tangents of one contact under the elliptic cone: consecutive rows, same normal, with a linear part. */
static void markCone(ukStepper *s, int row, int rows, const double *A, int stride)
{
    for (int i = 0; i + 1 < rows; i++) {
        const double *t1 = A + i * stride, *t2 = t1 + stride;
        const bool translations = (t1[0] != 0 || t1[1] != 0 || t1[2] != 0) && (t2[0] != 0 || t2[1] != 0 || t2[2] != 0);
        if (s->normal[row + i] < 0 || s->normal[row + i] != s->normal[row + i + 1] || !translations) continue;
        s->cone[row + i] = 1;
        return;
    }
}

/* b = (c - A v)/h, softness = cfm/h; the rows' sanity */
static int closeRows(ukStepper *s, int row, int rows, const double *A, int stride, const double *va, const double *vb,
                     double h, bool *bounded)
{
    const double fps = 1 / h;
    for (int i = row; i < row + rows; i++, A += stride) {
        double rate = 0;
        for (int k = 0; k < 6; k++) rate += A[k] * va[k];
        if (vb)
            for (int k = 0; k < 6; k++) rate += A[6 + k] * vb[k];
        s->b[i] = (s->c[i] - rate) * fps;
        s->softness[i] = s->cfm[i] * fps;
        if (s->b[i] * 0 != 0 || s->softness[i] * 0 != 0) return ukErrorNotFinite;
        if (!(s->lo[i] <= s->hi[i]) || s->softness[i] < 0) return ukErrorParameter;
        if (s->lo[i] > -INFINITY || s->hi[i] < INFINITY) *bounded = true;
        if (s->normal[i] >= 0) s->normal[i] += row;
    }
    return ukOk;
}

static int gatherBodies(ukStepper *s, const ukIsland *island, const ukStepContext *context)
{
    int moving = 0;
    for (int i = island->frame; i < island->frame + island->frames; i++) {
        ukFrame *f = &s->frames[i];
        const size_t k = (size_t)s->moving_count;
        bool kinematic;
        int status = ukFrameConstants(f->body, &kinematic);
        f->moving = kinematic ? -1 : moving;
        if (status == ukOk)
            status = ukFrameGather(f, context->gravity, context->rows.h, s->mass + k, s->inertia + 9 * k,
                                   s->inverse_inertia + 9 * k);
        if (status != ukOk) {
            ukErrorSet(status, "body %p: %s", (void *)f->body->handle,
                       status == ukErrorMass ? "mass or inertia not positive definite" : "state or force not finite");
            return status;
        }
        if (kinematic) continue;
        s->moving_frame[k] = i;
        s->moving_handle[k] = f->body->handle;
        s->moving_count++;
        moving++;
    }
    return ukOk;
}

int ukAssembleIsland(ukStepper *s, int index, const ukStepContext *context)
{
    const ukIsland *island = &s->islands[index];
    const int moving0 = s->moving_count, block0 = s->block_count, row0 = s->row_count;
    /* Blocks of one island count their rows and coefficients from its own beginning. */
    double *const A0 = s->A + 12 * (size_t)row0;
    int rows = 0;
    size_t coefficients = 0;
    bool bounded = false, friction = false;

    int status = gatherBodies(s, island, context);
    if (status != ukOk) return status;

    for (int j = island->joint; j < island->joint + island->joints; j++) {
        ukJoint *joint = s->joints[j];
        const ukJointClass *class = joint->class;
        joint->rows = 0;
        if (class->max_rows == 0) continue;
        if (joint->stale || !joint->observed) {
            if (class->refresh) class->refresh(joint);
            joint->stale = false;
        }
        ukFrame *a = &s->frames[joint->body[0]->index];
        ukFrame *b = joint->body[1] ? &s->frames[joint->body[1]->index] : NULL;
        const int row = row0 + rows, stride = b ? 12 : 6;
        double *A = A0 + coefficients;
        clearRows(s, row, class->max_rows, A, stride);
        double nowhere[6] = {0};
        ukRowSink sink = {.J = A,
                          .stride = stride,
                          .c = s->c + row,
                          .phi = s->phi + row,
                          .target = s->target + row,
                          .cfm = s->cfm + row,
                          .lo = s->lo + row,
                          .hi = s->hi + row,
                          .normal = s->normal + row,
                          .velocity = s->velocity + row,
                          .stop = s->stop + row,
                          .force_a = a->force,
                          .force_b = b ? b->force : nowhere};
        const int written = class->rows(joint, &a->state, b ? &b->state : NULL, &context->rows, &sink);
        status = written < 0 ? written : ukOk;
        if (written <= 0 && status == ukOk) continue;
        if (status == ukOk)
            status = closeRows(s, row, written, A, stride, a->state.v, b ? b->state.v : NULL, context->rows.h, &bounded);
        if (status != ukOk) {
            ukErrorSet(status, "%s joint %llu: %s", class->name, (unsigned long long)joint->serial,
                       status == ukErrorParameter ? "a parameter without meaning" : "rows not finite");
            return status;
        }
        if (context->cone && joint->type == dJointTypeContact) markCone(s, row, written, A, stride);
        for (int i = row; i < row + written; i++) {
            if (s->normal[i] < 0) continue;
            s->normal[i] -= row0;
            friction = true;
        }
        const int k = s->block_count++;
        s->block_joint[k] = joint;
        s->slot_body[2 * k] = a->moving;
        s->slot_body[2 * k + 1] = b ? b->moving : -1;
        s->blocks[k] = (ukBlock){
            .row = rows, .rows = written, .slot = 2 * (k - block0), .slots = b ? 2 : 1, .A = coefficients};
        joint->row = row;
        joint->rows = written;
        rows += written;
        coefficients += (size_t)(written * stride);
    }

    /* Motors at their stops have added to the forces by now. */
    for (int k = moving0; k < s->moving_count; k++)
        memcpy(s->Q + 6 * k, s->frames[s->moving_frame[k]].force, 6 * sizeof(double));
    s->row_count += rows;
    s->problems[index] = (ukProblem){.bodies = s->moving_count - moving0,
                                     .blocks = s->block_count - block0,
                                     .rows = rows,
                                     .mass = s->mass + moving0,
                                     .inertia = s->inertia + 9 * (size_t)moving0,
                                     .inverse_inertia = s->inverse_inertia + 9 * (size_t)moving0,
                                     .Q = s->Q + 6 * (size_t)moving0,
                                     .block = s->blocks + block0,
                                     .body = s->slot_body + 2 * (size_t)block0,
                                     .A = A0,
                                     .b = s->b + row0,
                                     .softness = s->softness + row0,
                                     .lo = bounded ? s->lo + row0 : NULL,
                                     .hi = bounded ? s->hi + row0 : NULL,
                                     .normal = friction ? s->normal + row0 : NULL,
                                     .cone = friction && context->cone ? s->cone + row0 : NULL};
    return ukOk;
}
