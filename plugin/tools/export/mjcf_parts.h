/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/export/mjcf_parts.h: a deep tree of bodies in several XML files. MuJoCo's XML parser refuses elements
 * that are nested deeper than 100 (versions before 3) or 500, but it parses an included file on its own and inserts its
 * elements afterwards: a subtree in a file of its own, NAME.part-2.xml next to NAME.xml, is the same model. */
#ifndef UKODE_PLUGIN_TOOLS_EXPORT_MJCF_PARTS_H
#define UKODE_PLUGIN_TOOLS_EXPORT_MJCF_PARTS_H

#include <stdbool.h>
#include <stdio.h>

#include "plugin/tools/export/body_tree.h"

/* Bodies that are nested in one file, at most: with <mujoco>, <worldbody> and the root of the document, fewer than 100
 * elements. */
enum { MjcfPartDepth = 90 };

/* begin and end of a part in the text of all bodies, which consists of printable characters otherwise */
enum { MjcfPartBegin = 1, MjcfPartEnd = 2 };

/* Marks the bodies with which a part begins, as few as possible, of a model whose file will be `path`. depth: of the
 * tree. false: reader->error, memory ran out, or there are parts and `path` is something else than a regular file. */
bool mjcfPartsChoose(const BodyTree *tree, const char *path, bool *begins, int *depth, ukReader *reader);

/* Writes the text of all bodies to `file`, whose name is `path`, and each part in it to a file of its own, which it
 * includes; prints the names of these. false: reader->error. */
bool mjcfPartsPut(const char *text, const char *path, FILE *file, ukReader *reader);

#endif
