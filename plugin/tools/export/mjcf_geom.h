/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/export/mjcf_geom.h: shapes of a recorded world as MJCF's geoms; boxes, spheres, capsules, cylinders, static planes. */
#ifndef UKODE_PLUGIN_TOOLS_EXPORT_MJCF_GEOM_H
#define UKODE_PLUGIN_TOOLS_EXPORT_MJCF_GEOM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "plugin/formats/recording/reader.h"

typedef struct MjcfGeom {
    int64_t key, body; /* body 0: static */
    char type[16];
    double size[3], x[3], q[4];
} MjcfGeom;

typedef struct MjcfGeoms {
    MjcfGeom *geom; /* by body */
    int count;
} MjcfGeoms;

/* false: reader->error. mjcfFreeGeoms in either case. */
bool mjcfReadGeoms(ukReader *reader, int64_t world, MjcfGeoms *geoms);
/* The geoms of a body to `file`; a line to `notes` for each shape without a counterpart. */
void mjcfPutGeoms(const MjcfGeoms *geoms, int64_t body, FILE *file, FILE *notes);
void mjcfFreeGeoms(MjcfGeoms *geoms);

#endif
