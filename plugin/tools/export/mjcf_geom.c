/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/export/mjcf_geom.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/tools/query/query.h"

bool mjcfReadGeoms(ukReader *reader, int64_t world, MjcfGeoms *g)
{
    const int64_t count = queryOneInteger(reader, "SELECT count(*) FROM shape WHERE world = %lld", (long long)world);
    *g = (MjcfGeoms){.geom = count >= 0 && count < INT_MAX ? calloc((size_t)count + 1, sizeof *g->geom) : NULL};
    if (!g->geom) {
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
        MjcfGeom *const to = &g->geom[g->count++];
        to->key = queryInteger(&q, 0), to->body = queryInteger(&q, 1);
        snprintf(to->type, sizeof to->type, "%.15s", queryRawText(&q, 2));
        for (int k = 0; k < 3; k++) to->size[k] = queryNumber(&q, 3 + k), to->x[k] = queryNumber(&q, 6 + k);
        for (int k = 0; k < 4; k++) to->q[k] = queryNumber(&q, 9 + k);
    }
    queryEnd(&q);
    return !reader->error[0];
}

/* MuJoCo's sizes: half edges, and radius and half length; 0: none of its types, or sizes that are not positive */
static int sizesOf(const MjcfGeom *g, double size[3])
{
    const bool round = strcmp(g->type, "capsule") == 0 || strcmp(g->type, "cylinder") == 0;
    const int count = strcmp(g->type, "box") == 0 ? 3 : round ? 2 : strcmp(g->type, "sphere") == 0 ? 1 : 0;
    for (int k = 0; k < count; k++) {
        size[k] = g->size[k] * (count == 3 || k == 1 ? 0.5 : 1);
        if (!(size[k] > 0 && isfinite(size[k]))) return 0;
    }
    if (strcmp(g->type, "plane") != 0 || g->body != 0) return count;
    size[0] = size[1] = 0, size[2] = 1; /* infinite; the third is the spacing of its grid when drawn */
    return 3;
}

static void putGeom(const MjcfGeom *g, FILE *file, FILE *notes)
{
    double size[3], sum = 0;
    const int count = sizesOf(g, size);
    for (int k = 0; k < 3; k++) sum += g->x[k];
    for (int k = 0; k < 4; k++) sum += g->q[k];
    if (count == 0 || !isfinite(sum)) {
        fprintf(notes, "shape %lld of body %lld (meshes, planes of bodies, rays)\n", (long long)g->key,
                (long long)g->body);
        return;
    }
    fprintf(file, "<geom type=\"%s\" size=\"", g->type);
    for (int k = 0; k < count; k++) fprintf(file, "%s%.17g", k ? " " : "", size[k]);
    fprintf(file, "\" pos=\"%.17g %.17g %.17g\" quat=\"%.17g %.17g %.17g %.17g\"/>\n", g->x[0], g->x[1], g->x[2],
            g->q[0], g->q[1], g->q[2], g->q[3]);
}

void mjcfPutGeoms(const MjcfGeoms *g, int64_t body, FILE *file, FILE *notes)
{
    int low = 0, high = g->count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (g->geom[middle].body < body)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < g->count && g->geom[low].body == body; low++) putGeom(&g->geom[low], file, notes);
}

void mjcfFreeGeoms(MjcfGeoms *g)
{
    free(g->geom);
}
