/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/export/model_shape.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/tools/query/query.h"

/* The shape's type; ModelShapeTypes if the type is not supported (mesh, ray, plane of a body), a size is not positive
 * and finite, or the pose is not finite. */
static ModelShapeType judgeShape(const ModelShape *s, const char *name)
{
    static const struct {
        const char *name;
        int sizes;
    } types[ModelShapeTypes] = {{"box", 3}, {"sphere", 1}, {"capsule", 2}, {"cylinder", 2}, {"plane", 0}};
    int type = 0;
    double sum = 0;
    while (type < ModelShapeTypes && strcmp(types[type].name, name) != 0) type++;
    if (type == ModelShapeTypes || (type == ModelPlane && s->body != 0)) return ModelShapeTypes;
    for (int k = 0; k < types[type].sizes; k++)
        if (!(s->size[k] > 0 && isfinite(s->size[k]))) return ModelShapeTypes;
    for (int k = 0; k < 3; k++) sum += s->x[k];
    for (int k = 0; k < 4; k++) sum += s->q[k];
    return isfinite(sum) ? (ModelShapeType)type : ModelShapeTypes;
}

bool modelShapesRead(ukReader *reader, int64_t world, ModelShapes *g)
{
    const int64_t count = queryOneInteger(reader, "SELECT count(*) FROM shape WHERE world = %lld", (long long)world);
    *g = (ModelShapes){.shape = count >= 0 && count < INT_MAX ? calloc((size_t)count + 1, sizeof *g->shape) : NULL};
    if (!g->shape) {
        if (!reader->error[0]) snprintf(reader->error, sizeof reader->error, "%.300s: out of memory", reader->path);
        return false;
    }
    Query q = queryOfWorld(
        reader,
        "SELECT shape, coalesce(body, 0), type, size_1, size_2, size_3, position_x, position_y, position_z, "
        "orientation_w, orientation_x, orientation_y, orientation_z FROM shape WHERE world = ?1 ORDER BY "
        "coalesce(body, 0), shape",
        world);
    while (g->count < count && queryNext(&q)) {
        ModelShape *const to = &g->shape[g->count++];
        to->key = queryInteger(&q, 0), to->body = queryInteger(&q, 1);
        for (int k = 0; k < 3; k++) to->size[k] = queryNumber(&q, 3 + k), to->x[k] = queryNumber(&q, 6 + k);
        for (int k = 0; k < 4; k++) to->q[k] = queryNumber(&q, 9 + k);
        to->type = judgeShape(to, queryRawText(&q, 2));
    }
    queryEnd(&q);
    return !reader->error[0];
}

void modelShapesPut(const ModelShapes *g, int64_t body, ModelShapePutter *put, void *to, FILE *notes)
{
    int low = 0, high = g->count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (g->shape[middle].body < body)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < g->count && g->shape[low].body == body; low++) {
        const ModelShape *const s = &g->shape[low];
        if (s->type != ModelShapeTypes)
            put(s, to);
        else
            fprintf(notes, "shape %lld of body %lld: no counterpart (meshes, rays and planes of bodies have none)\n",
                    (long long)s->key, (long long)s->body);
    }
}

void modelShapesFree(ModelShapes *g)
{
    free(g->shape);
}
