/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/export/gltf.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/ukode.h>

#include "bridge/base/grow.h"

/* ---- text and data ----------------------------------------------------------------------------------------------- */

static bool growGltf(Gltf *gltf, void *at, size_t *room, size_t need)
{
    const bool grown = ukArrayReserve(at, 1, need, room);
    gltf->starved |= !grown;
    return grown;
}

__attribute__((format(printf, 3, 4))) static void putGltf(Gltf *gltf, GltfText *text, const char *format, ...)
{
    va_list values, again;
    va_start(values, format);
    va_copy(again, values);
    const int length = vsnprintf(NULL, 0, format, values);
    void *at = text->at;
    if (length >= 0 && growGltf(gltf, &at, &text->room, text->length + (size_t)length + 1)) {
        text->at = at;
        vsnprintf(text->at + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
    va_end(values);
}

/* A new member of a list; its index. */
static int beginGltf(Gltf *gltf, GltfText *list)
{
    if (list->count > 0) putGltf(gltf, list, ",\n");
    return list->count++;
}

/* bytes of a character of UTF-8, 0: it is none */
static int characterOf(const unsigned char *s)
{
    const int length = s[0] < 0x80                   ? 1
                       : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
                       : (s[0] & 0xf0) == 0xe0       ? 3
                       : (s[0] & 0xf8) == 0xf0       ? 4
                                                     : 0;
    for (int i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    const int low = s[0] == 0xe0   ? 0xa0
                    : s[0] == 0xf0 ? 0x90
                                   : 0x80,
              high = s[0] == 0xed   ? 0x9f
                     : s[0] == 0xf4 ? 0x8f
                                    : 0xbf;
    return length > 2 && (s[1] < low || s[1] > high || s[0] > 0xf4) ? 0 : length;
}

/* A name as a string of JSON: what is no UTF-8 becomes a question mark. */
static void putString(Gltf *gltf, GltfText *text, const char *name)
{
    putGltf(gltf, text, "\"");
    for (const unsigned char *s = (const unsigned char *)name; *s;) {
        const int length = characterOf(s);
        if (length == 0)
            putGltf(gltf, text, "?");
        else if (*s == '"' || *s == '\\')
            putGltf(gltf, text, "\\%c", *s);
        else if (*s < 0x20 || *s == 0x7f)
            putGltf(gltf, text, "\\u%04x", *s);
        else
            putGltf(gltf, text, "%.*s", length, (const char *)s);
        s += length > 0 ? length : 1;
    }
    putGltf(gltf, text, "\"");
}

static double gltfNumberOf(double x)
{
    return isfinite(x) ? x : 0;
}

static void putNumbers(Gltf *gltf, GltfText *text, const char *name, const double *x, int count)
{
    putGltf(gltf, text, "\"%s\":[", name);
    for (int i = 0; i < count; i++) putGltf(gltf, text, "%s%.9g", i > 0 ? "," : "", gltfNumberOf(x[i]));
    putGltf(gltf, text, "]");
}

static void appendGltf(Gltf *gltf, const void *bytes, size_t size)
{
    void *at = gltf->data;
    if (!growGltf(gltf, &at, &gltf->room, gltf->length + size)) return;
    gltf->data = at;
    memcpy(gltf->data + gltf->length, bytes, size);
    gltf->length += size;
}

/* numbers of 32 bits, little-endian */
static void appendWords(Gltf *gltf, const void *words, size_t count)
{
    const uint32_t *from = words;
    const int one = 1;
    if (*(const char *)&one == 1) {
        appendGltf(gltf, words, 4 * count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        unsigned char bytes[4];
        for (int k = 0; k < 4; k++) bytes[k] = (unsigned char)(from[i] >> 8 * k);
        appendGltf(gltf, bytes, 4);
    }
}

/* ---- members ----------------------------------------------------------------------------------------------------- */

static const struct {
    const char *type, *target; /* target: what a mesh has it for */
    int width, component;      /* 5126: float, 5125: integer of 32 bits */
    bool range;                /* its least and largest are asked for */
} kinds[] = {[GltfTimes] = {"SCALAR", "", 1, 5126, true},
             [GltfVectors] = {"VEC3", "", 3, 5126, false},
             [GltfQuaternions] = {"VEC4", "", 4, 5126, false},
             [GltfVertices] = {"VEC3", ",\"target\":34962", 3, 5126, true},
             [GltfIndices] = {"SCALAR", ",\"target\":34963", 1, 5125, false}};

static void putRange(Gltf *gltf, const float *x, size_t count, int width)
{
    double least[3], most[3];
    for (int c = 0; c < width; c++) least[c] = most[c] = (double)x[c];
    for (size_t i = 0; i < count * (size_t)width; i++) {
        const size_t c = i % (size_t)width;
        least[c] = fmin(least[c], (double)x[i]), most[c] = fmax(most[c], (double)x[i]);
    }
    putGltf(gltf, &gltf->accessors, ",");
    putNumbers(gltf, &gltf->accessors, "min", least, width);
    putGltf(gltf, &gltf->accessors, ",");
    putNumbers(gltf, &gltf->accessors, "max", most, width);
}

int gltfArray(Gltf *gltf, GltfKind kind, const void *numbers, size_t count)
{
    const int width = kinds[kind].width;
    const size_t offset = gltf->length, words = count * (size_t)width;
    appendWords(gltf, numbers, words);
    const int view = beginGltf(gltf, &gltf->views);
    putGltf(gltf, &gltf->views, "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu%s}", offset, 4 * words,
            kinds[kind].target);
    const int accessor = beginGltf(gltf, &gltf->accessors);
    putGltf(gltf, &gltf->accessors, "{\"bufferView\":%d,\"componentType\":%d,\"count\":%zu,\"type\":\"%s\"", view,
            kinds[kind].component, count, kinds[kind].type);
    if (kinds[kind].range) putRange(gltf, numbers, count, width);
    putGltf(gltf, &gltf->accessors, "}");
    return accessor;
}

int gltfMesh(Gltf *gltf, int positions, int normals, int indices, int material)
{
    const int mesh = beginGltf(gltf, &gltf->meshes);
    putGltf(gltf, &gltf->meshes, "{\"primitives\":[{\"attributes\":{\"POSITION\":%d", positions);
    if (normals >= 0) putGltf(gltf, &gltf->meshes, ",\"NORMAL\":%d", normals);
    putGltf(gltf, &gltf->meshes, "},\"indices\":%d,\"material\":%d}]}", indices, material);
    return mesh;
}

int gltfNode(Gltf *gltf, const char *name, const GltfPose *pose, int mesh, const GltfList *children)
{
    const double *q = pose->orientation;
    double size = 0, turned[4] = {q[1], q[2], q[3], q[0]};
    for (int k = 0; k < 4; k++) size += turned[k] * turned[k];
    const int node = beginGltf(gltf, &gltf->nodes);
    putGltf(gltf, &gltf->nodes, "{");
    if (name) {
        putGltf(gltf, &gltf->nodes, "\"name\":");
        putString(gltf, &gltf->nodes, name);
        putGltf(gltf, &gltf->nodes, ",");
    }
    putNumbers(gltf, &gltf->nodes, "translation", pose->position, 3);
    putGltf(gltf, &gltf->nodes, ",");
    if (size > 0 && isfinite(size)) {
        for (int k = 0; k < 4; k++) turned[k] /= sqrt(size);
        putNumbers(gltf, &gltf->nodes, "rotation", turned, 4);
        putGltf(gltf, &gltf->nodes, ",");
    }
    putNumbers(gltf, &gltf->nodes, "scale", pose->scale, 3);
    if (mesh >= 0) putGltf(gltf, &gltf->nodes, ",\"mesh\":%d", mesh);
    const int count = children ? children->count : 0;
    for (int k = 0; k < count; k++)
        putGltf(gltf, &gltf->nodes, "%s%d", k > 0 ? "," : ",\"children\":[", children->node[k]);
    putGltf(gltf, &gltf->nodes, count > 0 ? "]}" : "}");
    return node;
}

void gltfRoot(Gltf *gltf, int node)
{
    beginGltf(gltf, &gltf->roots);
    putGltf(gltf, &gltf->roots, "%d", node);
}

void gltfAdd(Gltf *gltf, GltfList *list, int node)
{
    if (ukArrayReserve(&list->node, sizeof *list->node, (size_t)list->count + 1, &list->room))
        list->node[list->count++] = node;
    else
        gltf->starved = true;
}

void gltfAnimate(Gltf *gltf, int node, const char *path, int times, int values, bool steps)
{
    const int sampler = beginGltf(gltf, &gltf->samplers);
    putGltf(gltf, &gltf->samplers, "{\"input\":%d,\"output\":%d,\"interpolation\":\"%s\"}", times, values,
            steps ? "STEP" : "LINEAR");
    beginGltf(gltf, &gltf->channels);
    putGltf(gltf, &gltf->channels, "{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}", sampler, node, path);
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

static void putList(Gltf *gltf, GltfText *json, const char *name, const GltfText *list)
{
    if (list->count > 0) putGltf(gltf, json, ",\n\"%s\":[%s]", name, list->at ? list->at : "");
}

static void putMaterials(Gltf *gltf, GltfText *json)
{
    static const double colours[GltfMaterials][3] = {{0.55, 0.55, 0.55}, {0.80, 0.35, 0.20}, {0.20, 0.45, 0.75},
                                                     {0.30, 0.60, 0.30}, {0.85, 0.65, 0.20}, {0.50, 0.35, 0.65},
                                                     {0.25, 0.65, 0.65}};
    putGltf(gltf, json, ",\n\"materials\":[");
    for (int k = 0; k < GltfMaterials; k++)
        putGltf(
            gltf, json,
            "%s{\"pbrMetallicRoughness\":{\"baseColorFactor\":[%g,%g,%g,1],\"metallicFactor\":0,\"roughnessFactor\":0."
            "8},"
            "\"doubleSided\":true}",
            k > 0 ? "," : "", colours[k][0], colours[k][1], colours[k][2]);
    putGltf(gltf, json, "]");
}

static void describeGltf(Gltf *gltf, GltfText *json)
{
    putGltf(gltf, json, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"ukode %s\"}", UKODE_VERSION);
    if (gltf->roots.count > 0)
        putGltf(gltf, json, ",\n\"scene\":0,\"scenes\":[{\"nodes\":[%s]}]", gltf->roots.at ? gltf->roots.at : "");
    putList(gltf, json, "nodes", &gltf->nodes);
    putList(gltf, json, "meshes", &gltf->meshes);
    if (gltf->meshes.count > 0) putMaterials(gltf, json);
    if (gltf->channels.count > 0)
        putGltf(gltf, json, ",\n\"animations\":[{\"name\":\"recording\",\"channels\":[%s],\n\"samplers\":[%s]}]",
                gltf->channels.at ? gltf->channels.at : "", gltf->samplers.at ? gltf->samplers.at : "");
    putList(gltf, json, "accessors", &gltf->accessors);
    putList(gltf, json, "bufferViews", &gltf->views);
    if (gltf->length > 0) putGltf(gltf, json, ",\n\"buffers\":[{\"byteLength\":%zu}]", gltf->length);
    putGltf(gltf, json, "}");
    while (json->length % 4 != 0 && !gltf->starved) putGltf(gltf, json, " ");
}

static bool writeWords(FILE *file, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < 4 * count; i++)
        if (fputc((int)(words[i / 4] >> 8 * (i % 4) & 0xff), file) == EOF) return false;
    return true;
}

static bool writeAllGltf(const Gltf *gltf, const GltfText *json, FILE *file)
{
    const size_t data = gltf->length > 0 ? 8 + gltf->length : 0;
    const uint32_t head[5] = {0x46546c67, 2, (uint32_t)(20 + json->length + data), (uint32_t)json->length, 0x4e4f534a};
    const uint32_t binary[2] = {(uint32_t)gltf->length, 0x004e4942};
    return writeWords(file, head, 5) && fwrite(json->at, 1, json->length, file) == json->length &&
           (data == 0 || (writeWords(file, binary, 2) && fwrite(gltf->data, 1, gltf->length, file) == gltf->length));
}

bool gltfWrite(Gltf *gltf, const char *path, char *message, size_t size)
{
    GltfText json = {0};
    describeGltf(gltf, &json);
    bool good = !gltf->starved;
    if (!good) snprintf(message, size, "%s: no memory", path);
    if (good && json.length + gltf->length > UINT32_MAX - 64) {
        good = false;
        snprintf(message, size, "%s: more than 4 GB, the limit of the format", path);
    }
    FILE *const file = good ? fopen(path, "wbe") : NULL;
    if (file) {
        good = writeAllGltf(gltf, &json, file);
        good = fclose(file) == 0 && good;
    }
    if (!file ? good : !good) {
        good = false;
        snprintf(message, size, "%s: %s", path, strerror(errno));
    }
    GltfText *const texts[] = {&gltf->accessors, &gltf->views,    &gltf->meshes,  &gltf->nodes,
                               &gltf->roots,     &gltf->samplers, &gltf->channels};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) free(texts[k]->at);
    free(gltf->data);
    free(json.at);
    *gltf = (Gltf){0};
    return good;
}
