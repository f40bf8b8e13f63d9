/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/export/model_file.h: the common part of the formats of models (MJCF, URDF, SDF): a recorded world, an
 * XML file that is written in parts, and the list of what a format cannot express. */
#ifndef UKODE_PLUGIN_TOOLS_EXPORT_MODEL_FILE_H
#define UKODE_PLUGIN_TOOLS_EXPORT_MODEL_FILE_H

#include <stdio.h>

#include "plugin/tools/export/body_tree.h"
#include "plugin/tools/export/model_shape.h"

enum { ModelNotes, ModelParts = 7 }; /* part 0 is the list; the others are the format's */

typedef struct ModelFile {
    BodyTree tree;
    ModelShapes shapes;
    FILE *part[ModelParts]; /* in memory */
    char *text[ModelParts]; /* their contents, once modelFileWrite has closed them */
    size_t size[ModelParts];
} ModelFile;

/* `path` is the name of `file`. false: reader->error */
typedef bool ModelFilePutter(const ModelFile *model, ukReader *reader, const char *path, FILE *file);

/* Reads the world (body_tree.h explains `step`) and opens the parts. false: reader->error. modelFileFree in either
 * case. */
bool modelFileOpen(ModelFile *model, ukReader *reader, long long world, long long step);
/* Closes the parts, writes the file by `put`, and prints the list to stderr; false: reader->error, or it is set
 * here. */
bool modelFileWrite(ModelFile *model, ukReader *reader, const char *path, ModelFilePutter *put);
void modelFileFree(ModelFile *model);

/* Adds a note on something that the format cannot express. Notes consist of the exporter's words and of numbers,
 * because they become a comment of the file. */
void modelNote(ModelFile *model, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Notes objects that do not exist at the exported state, contacts, and data that a recording does not contain. */
void modelNoteWorld(ModelFile *model, ukReader *reader);
/* Notes parameters of a joint for which no format has a counterpart: the format expresses `axes` of its axes. */
void modelNoteAxes(ModelFile *model, const BodyTreeJoint *joint, int axes);
/* Notes parameters of a hinge's or slider's axis for which only SDF has a counterpart. */
void modelNoteLimits(ModelFile *model, const BodyTreeJoint *joint);
/* Whether an axis has a stop or a motor that acts. */
bool modelAxisActs(const BodyTreeAxis *axis);
/* Whether the stops are at the same position and have CFM: an implicit spring and damper. */
bool modelAxisIsSpring(const BodyTreeAxis *axis);

/* The shortest decimal that reads back as this number, for "%s"; in a buffer of the enclosing block. */
#define EXACT(x) modelNumber((char[32]){0}, x)
const char *modelNumber(char text[32], double x);

void modelPutEscaped(FILE *file, const char *name);
void modelPutName(FILE *file, const char *attribute, const char *name);              /* a space, NAME="VALUE" */
void modelPutNumbers(FILE *file, const char *attribute, const double *x, int count); /* the same */
/* The list as a comment, "" if it is empty. */
void modelPutNotes(const ModelFile *model, FILE *file);

/* The anchor of a joint; the centre of the body if it has none. */
const double *modelAnchor(const BodyTreeJoint *joint, const BodyTreeBody *body);

#endif
