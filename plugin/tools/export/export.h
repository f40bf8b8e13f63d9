/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/export/export.h: `ukode export`: a recording in other formats. */
#ifndef UKODE_PLUGIN_TOOLS_EXPORT_EXPORT_H
#define UKODE_PLUGIN_TOOLS_EXPORT_EXPORT_H

#include "plugin/formats/recording/reader.h"

/* Writes one file per table, TABLE.csv, into a folder that is created if necessary. RFC 4180 with a line of names; NULL
 * is empty, an empty text "", a blob hexadecimal. false: reader->error. */
bool exportCsv(ukReader *reader, const char *directory);

/* The motion as binary glTF 2.0, a node a body. false: reader->error. */
bool exportGltf(ukReader *reader, const char *path);

/* One world as a model of another engine: MuJoCo (MJCF), URDF, SDF; after step `step` of the world, 0: before its first
 * one. What has no counterpart there is listed on stderr and in a comment of the file. false: reader->error. */
typedef bool ModelExporter(ukReader *reader, const char *path, long long world, long long step);
ModelExporter exportMjcf, exportUrdf, exportSdf;

#endif
