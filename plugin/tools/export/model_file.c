/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/export/model_file.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/tools/query/query.h"
#include "plugin/tools/terminal/output_file.h"

/* ---- the file ---------------------------------------------------------------------------------------------------- */

bool modelFileOpen(ModelFile *o, ukReader *reader, long long world, long long step)
{
    *o = (ModelFile){0};
    bool good = bodyTreeRead(reader, world, step, &o->tree) && modelShapesRead(reader, world, &o->shapes);
    for (int k = 0; good && k < ModelParts; k++) {
        o->part[k] = open_memstream(&o->text[k], &o->size[k]);
        good = o->part[k] != NULL;
    }
    if (!good && !reader->error[0])
        snprintf(reader->error, sizeof reader->error, "%.300s: out of memory", reader->path);
    return good;
}

/* false: an earlier write failed, or memory ran out */
static bool closeParts(ModelFile *o)
{
    bool good = true;
    for (int k = 0; k < ModelParts; k++) {
        if (o->part[k] && ferror(o->part[k])) good = false;
        if (o->part[k] && fclose(o->part[k]) != 0) good = false;
        o->part[k] = NULL;
    }
    return good;
}

bool modelFileWrite(ModelFile *o, ukReader *reader, const char *path, ModelFilePutter *put)
{
    bool good = closeParts(o);
    if (!good && !reader->error[0]) snprintf(reader->error, sizeof reader->error, "%.300s: out of memory", path);
    if (reader->error[0]) return false;
    FILE *const file = outputFileOpen(path, false);
    good = file != NULL;
    if (file) {
        fputs("<?xml version=\"1.0\"?>\n", file);
        good = put(o, reader, path, file) && !ferror(file);
        good = outputFileClose(file, path, good);
    }
    if (reader->error[0]) {
        good = false;
    } else if (!good) {
        snprintf(reader->error, sizeof reader->error, "%.300s: %.80s", path, outputFileFault(errno));
    } else if (*o->text[ModelNotes]) {
        fprintf(stderr, "ukode: without a counterpart in %s:\n%s", path, o->text[ModelNotes]);
    }
    return good;
}

void modelFileFree(ModelFile *o)
{
    closeParts(o);
    for (int k = 0; k < ModelParts; k++) free(o->text[k]);
    modelShapesFree(&o->shapes);
    bodyTreeFree(&o->tree);
}

/* ---- XML --------------------------------------------------------------------------------------------------------- */

/* names of objects are printable ASCII, those of files need not be */
void modelPutEscaped(FILE *file, const char *name)
{
    for (; *name; name++) {
        if (strchr("&<>\"'", *name) || (unsigned char)*name < ' ')
            fprintf(file, "&#%d;", *name);
        else
            fputc(*name, file);
    }
}

const char *modelNumber(char text[32], double x)
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, 32, "%.*g", digits, x);
        if (strtod(text, NULL) == x) break;
    }
    return text;
}

void modelPutNumbers(FILE *file, const char *attribute, const double *x, int count)
{
    fprintf(file, " %s=\"", attribute);
    for (int k = 0; k < count; k++) fprintf(file, "%s%s", k ? " " : "", EXACT(x[k]));
    fputc('"', file);
}

void modelPutName(FILE *file, const char *attribute, const char *name)
{
    fprintf(file, " %s=\"", attribute);
    modelPutEscaped(file, name);
    fputc('"', file);
}

void modelPutNotes(const ModelFile *o, FILE *file)
{
    if (*o->text[ModelNotes]) fprintf(file, "<!-- Without a counterpart in this file:\n%s-->\n", o->text[ModelNotes]);
}

/* ---- what a format cannot express -------------------------------------------------------------------------------- */

void modelNote(ModelFile *o, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(o->part[ModelNotes], format, arguments);
    va_end(arguments);
    fputc('\n', o->part[ModelNotes]);
}

bool modelAxisActs(const BodyTreeAxis *l)
{
    return l->fmax > 0 || (l->lo <= l->hi && (isfinite(l->lo) || isfinite(l->hi)));
}

bool modelAxisIsSpring(const BodyTreeAxis *l)
{
    return l->lo == l->hi && isfinite(l->lo) && l->stop_cfm > 0;
}

void modelNoteLimits(ModelFile *o, const BodyTreeJoint *j)
{
    const BodyTreeAxis *const l = &j->limit[0];
    const bool stops = l->lo <= l->hi && (isfinite(l->lo) || isfinite(l->hi));
    const long long key = (long long)j->key;
    if (stops && l->bounce > 0) modelNote(o, "joint %lld: bounce %.6g of its stops", key, l->bounce);
    if (stops && l->fmax > 0 && l->fudge < 1) modelNote(o, "joint %lld: its fudge factor %.6g", key, l->fudge);
    if (l->fmax > 0 && l->cfm > 0) modelNote(o, "joint %lld: CFM %.6g of its motor", key, l->cfm);
}

void modelNoteAxes(ModelFile *o, const BodyTreeJoint *j, int axes)
{
    const long long key = (long long)j->key;
    if ((axes < 1 && modelAxisActs(&j->limit[0])) || modelAxisActs(&j->limit[1]) || modelAxisActs(&j->limit[2]))
        modelNote(o, "joint %lld (%s): its stops and motors", key, j->type);
    if (strcmp(j->type, "hinge2") == 0 && !(j->suspension_cfm > 0))
        modelNote(o, "joint %lld (hinge2): the ERP %.6g of its rigid suspension", key, j->suspension_erp);
    if (!isnan(j->erp) && (fabs(j->erp - o->tree.erp) > 0 || fabs(j->limit[0].cfm - o->tree.cfm) > 0))
        modelNote(o, "joint %lld (%s): its ERP %.6g and CFM %.6g", key, j->type, j->erp, j->limit[0].cfm);
}

/* bodies and joints that the exported state lacks */
static void noteOthers(ModelFile *o, ukReader *reader)
{
    static const char *const kind[] = {"body", "joint"};
    for (int k = 0; k < 2; k++) {
        const int64_t count = queryOneInteger(reader, "SELECT count(*) FROM %s WHERE world = %lld", kind[k],
                                              (long long)o->tree.key),
                      others = count - (k ? o->tree.joints : o->tree.bodies);
        if (others > 0)
            modelNote(o, "%lld of the %s rows: they are not there before the first step, or not in the exported state",
                      (long long)others, kind[k]);
    }
}

void modelNoteWorld(ModelFile *o, ukReader *reader)
{
    noteOthers(o, reader);
    if (queryOneInteger(reader, "SELECT max(contacts) FROM step WHERE world = %lld", (long long)o->tree.key) > 0)
        modelNote(o, "contacts: friction, bounce and softness, which the program sets contact by contact");
    if (o->tree.step > 0)
        modelNote(o, "joints: parameters are those of their first step, not of step %lld", (long long)o->tree.step);
    modelNote(o,
              "user constraints, joint laws and forces of the program: the tables of a recording do not contain them");
}

const double *modelAnchor(const BodyTreeJoint *j, const BodyTreeBody *b)
{
    return isfinite(j->anchor[0] + j->anchor[1] + j->anchor[2]) ? j->anchor : b->x;
}
