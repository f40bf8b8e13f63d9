/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/export/gltf.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/ukode.h>

#include "bridge/base/grow.h"
#include "bridge/base/plain.h"
#include "plugin/tools/terminal/column.h"
#include "plugin/tools/terminal/output_file.h"

/* ---- text and data ----------------------------------------------------------------------------------------------- */

bool gltfBegin(Gltf *gltf)
{
    *gltf = (Gltf){0};
    for (int k = 0; k < GltfLists; k++) {
        gltf->list[k] = open_memstream(&gltf->text[k], &gltf->length[k]);
        if (gltf->list[k]) continue;
        while (k-- > 0) fclose(gltf->list[k]), free(gltf->text[k]);
        return false;
    }
    return true;
}

/* Completes the texts of the lists; false: there was no memory for some of them. */
static bool endLists(Gltf *gltf)
{
    for (int k = 0; k < GltfLists; k++) {
        gltf->starved |= ferror(gltf->list[k]) != 0;
        gltf->starved |= fclose(gltf->list[k]) != 0;
    }
    return !gltf->starved;
}

/* A new member of a list; its index. */
static int beginGltf(Gltf *gltf, GltfListKind kind)
{
    if (gltf->count[kind] > 0) fputs(",\n", gltf->list[kind]);
    return gltf->count[kind]++;
}

static void putNumbers(FILE *file, const char *name, const double *x, int count)
{
    fprintf(file, "\"%s\":[", name);
    for (int i = 0; i < count; i++) fprintf(file, "%s%.9g", i > 0 ? "," : "", isfinite(x[i]) ? x[i] : 0);
    fputc(']', file);
}

/* numbers of 32 bits, little-endian */
static bool writeWords(FILE *file, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < 4 * count; i++)
        if (fputc((int)(words[i / 4] >> 8 * (i % 4) & 0xff), file) == EOF) return false;
    return true;
}

/* ---- members ----------------------------------------------------------------------------------------------------- */

static const struct {
    const char *type, *target; /* target: what a mesh has it for */
    int width, component;      /* 5126: float, 5125: integer of 32 bits */
    bool range;                /* the format requires its minimum and maximum */
} kinds[] = {[GltfTimes] = {"SCALAR", "", 1, 5126, true},
             [GltfVectors] = {"VEC3", "", 3, 5126, false},
             [GltfQuaternions] = {"VEC4", "", 4, 5126, false},
             [GltfVertices] = {"VEC3", ",\"target\":34962", 3, 5126, true},
             [GltfIndices] = {"SCALAR", ",\"target\":34963", 1, 5125, false}};

static void putRange(FILE *file, const float *x, size_t count, int width)
{
    double least[3], most[3];
    for (int c = 0; c < width; c++) least[c] = most[c] = (double)x[c];
    for (size_t i = 0; i < count * (size_t)width; i++) {
        const size_t c = i % (size_t)width;
        least[c] = fmin(least[c], (double)x[i]), most[c] = fmax(most[c], (double)x[i]);
    }
    fputc(',', file);
    putNumbers(file, "min", least, width);
    fputc(',', file);
    putNumbers(file, "max", most, width);
}

int gltfArray(Gltf *gltf, GltfKind kind, const void *numbers, size_t count)
{
    FILE *const accessors = gltf->list[GltfAccessors];
    const int width = kinds[kind].width, view = beginGltf(gltf, GltfViews), accessor = beginGltf(gltf, GltfAccessors);
    const size_t words = count * (size_t)width;
    fprintf(gltf->list[GltfViews], "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu%s}", gltf->bytes, 4 * words,
            kinds[kind].target);
    writeWords(gltf->list[GltfData], numbers, words);
    gltf->bytes += 4 * words;
    fprintf(accessors, "{\"bufferView\":%d,\"componentType\":%d,\"count\":%zu,\"type\":\"%s\"", view,
            kinds[kind].component, count, kinds[kind].type);
    if (kinds[kind].range) putRange(accessors, numbers, count, width);
    fputc('}', accessors);
    return accessor;
}

int gltfMesh(Gltf *gltf, int positions, int normals, int indices, int material)
{
    FILE *const meshes = gltf->list[GltfMeshes];
    const int mesh = beginGltf(gltf, GltfMeshes);
    fprintf(meshes, "{\"primitives\":[{\"attributes\":{\"POSITION\":%d", positions);
    if (normals >= 0) fprintf(meshes, ",\"NORMAL\":%d", normals);
    fprintf(meshes, "},\"indices\":%d,\"material\":%d}]}", indices, material);
    return mesh;
}

int gltfNode(Gltf *gltf, const char *name, const GltfPose *pose, int mesh, const GltfList *children)
{
    const double *q = pose->orientation;
    double size = 0, turned[4] = {q[1], q[2], q[3], q[0]};
    for (int k = 0; k < 4; k++) size += turned[k] * turned[k];
    FILE *const nodes = gltf->list[GltfNodes];
    const int node = beginGltf(gltf, GltfNodes);
    fputc('{', nodes);
    if (name) {
        char plain[400];
        const size_t length = strlen(name);
        if (!ukPlainIs(name, length)) ukPlainCopy(name, length, plain, sizeof plain);
        fputs("\"name\":", nodes);
        columnWriteText(nodes, ukPlainIs(name, length) ? name : plain);
        fputc(',', nodes);
    }
    putNumbers(nodes, "translation", pose->position, 3);
    fputc(',', nodes);
    if (size > 0 && isfinite(size)) {
        for (int k = 0; k < 4; k++) turned[k] /= sqrt(size);
        putNumbers(nodes, "rotation", turned, 4);
        fputc(',', nodes);
    }
    putNumbers(nodes, "scale", pose->scale, 3);
    if (mesh >= 0) fprintf(nodes, ",\"mesh\":%d", mesh);
    const int count = children ? children->count : 0;
    for (int k = 0; k < count; k++) fprintf(nodes, "%s%d", k > 0 ? "," : ",\"children\":[", children->node[k]);
    fputs(count > 0 ? "]}" : "}", nodes);
    return node;
}

void gltfRoot(Gltf *gltf, int node)
{
    beginGltf(gltf, GltfRoots);
    fprintf(gltf->list[GltfRoots], "%d", node);
}

void gltfAdd(Gltf *gltf, GltfList *list, int node)
{
    if (ukArrayReserve(&list->node, sizeof *list->node, (size_t)list->count + 1, &list->capacity))
        list->node[list->count++] = node;
    else
        gltf->starved = true;
}

void gltfAnimate(Gltf *gltf, int node, const char *path, int times, int values, bool steps)
{
    const int sampler = beginGltf(gltf, GltfSamplers);
    fprintf(gltf->list[GltfSamplers], "{\"input\":%d,\"output\":%d,\"interpolation\":\"%s\"}", times, values,
            steps ? "STEP" : "LINEAR");
    beginGltf(gltf, GltfChannels);
    fprintf(gltf->list[GltfChannels], "{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}", sampler, node, path);
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

static void putMaterials(FILE *json)
{
    static const double colours[GltfMaterials][3] = {{0.55, 0.55, 0.55}, {0.80, 0.35, 0.20}, {0.20, 0.45, 0.75},
                                                     {0.30, 0.60, 0.30}, {0.85, 0.65, 0.20}, {0.50, 0.35, 0.65},
                                                     {0.25, 0.65, 0.65}};
    fputs(",\n\"materials\":[", json);
    for (int k = 0; k < GltfMaterials; k++)
        fprintf(json,
                "%s{\"pbrMetallicRoughness\":{\"baseColorFactor\":[%g,%g,%g,1],\"metallicFactor\":0,"
                "\"roughnessFactor\":0.8},\"doubleSided\":true}",
                k > 0 ? "," : "", colours[k][0], colours[k][1], colours[k][2]);
    fputc(']', json);
}

static void describeGltf(const Gltf *gltf, FILE *json)
{
    static const char *const form[] = {[GltfRoots] = "\"scene\":0,\"scenes\":[{\"nodes\":[%s]}]",
                                       [GltfNodes] = "\"nodes\":[%s]",
                                       [GltfMeshes] = "\"meshes\":[%s]",
                                       [GltfAccessors] = "\"accessors\":[%s]",
                                       [GltfViews] = "\"bufferViews\":[%s]"};
    fprintf(json, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"ukode %s\"}", UKODE_VERSION);
    for (size_t k = 0; k < sizeof form / sizeof *form; k++) {
        if (gltf->count[k] == 0) continue;
        fputs(",\n", json);
        fprintf(json, form[k], gltf->text[k]);
    }
    if (gltf->count[GltfMeshes] > 0) putMaterials(json);
    if (gltf->count[GltfChannels] > 0)
        fprintf(json, ",\n\"animations\":[{\"name\":\"recording\",\"channels\":[%s],\n\"samplers\":[%s]}]",
                gltf->text[GltfChannels], gltf->text[GltfSamplers]);
    if (gltf->bytes > 0) fprintf(json, ",\n\"buffers\":[{\"byteLength\":%zu}]", gltf->bytes);
    fputc('}', json);
}

/* Writes the header and two chunks; the first is padded with blanks to whole words. */
static bool writeChunks(const Gltf *gltf, const char *json, size_t length, FILE *file)
{
    const size_t blanks = (4 - length % 4) % 4, data = gltf->bytes > 0 ? 8 + gltf->bytes : 0;
    const uint32_t head[5] = {0x46546c67, 2, (uint32_t)(20 + length + blanks + data), (uint32_t)(length + blanks),
                              0x4e4f534a};
    const uint32_t binary[2] = {(uint32_t)gltf->bytes, 0x004e4942};
    return writeWords(file, head, 5) && fwrite(json, 1, length, file) == length &&
           fwrite("   ", 1, blanks, file) == blanks &&
           (data == 0 ||
            (writeWords(file, binary, 2) && fwrite(gltf->text[GltfData], 1, gltf->bytes, file) == gltf->bytes));
}

bool gltfWrite(Gltf *gltf, const char *path, char *message, size_t size)
{
    char *text = NULL;
    size_t length = 0;
    FILE *const json = endLists(gltf) ? open_memstream(&text, &length) : NULL;
    if (json) describeGltf(gltf, json);
    bool good = json && !ferror(json);
    if (json && fclose(json) != 0) good = false;
    if (!good) snprintf(message, size, "%s: no memory", path);
    if (good && length + gltf->bytes > UINT32_MAX - 64) {
        good = false;
        snprintf(message, size, "%s: more than 4 GB, the limit of the format", path);
    }
    FILE *const file = good ? outputFileOpen(path, false) : NULL;
    if (good) {
        good = file && writeChunks(gltf, text, length, file);
        if (file) good = outputFileClose(file, path, good);
        if (!good) snprintf(message, size, "%s: %s", path, strerror(errno));
    }
    for (int k = 0; k < GltfLists; k++) free(gltf->text[k]);
    free(text);
    return good;
}
