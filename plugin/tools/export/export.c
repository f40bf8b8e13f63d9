/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/export/export.c: a recording as tables for other programs, and as a scene to look at. */
#include "plugin/tools/export/export.h"

#include <stdio.h>
#include <string.h>

#include "plugin/tools/launch/command.h"
#include "plugin/tools/launch/launch.h"
#include "plugin/tools/terminal/limit.h"

typedef struct Options {
    const char *csv, *gltf, *recording;
} Options;

/* the value of an option that stands in words i (and i + 1), NULL: it is another one, "": it has none */
static const char *exportValueOf(const char *option, int argc, char **argv, int *i)
{
    const size_t length = strlen(option);
    if (strncmp(argv[*i], option, length) != 0 || (argv[*i][length] && argv[*i][length] != '=')) return NULL;
    if (argv[*i][length]) return argv[*i] + length + 1;
    return *i + 1 < argc ? argv[++*i] : "";
}

static bool readOptions(int argc, char **argv, Options *o)
{
    for (int i = 0; i < argc; i++) {
        const char *const csv = exportValueOf("--csv", argc, argv, &i), *const gltf =
                                                                            csv ? NULL
                                                                                : exportValueOf("--gltf", argc, argv,
                                                                                                &i);
        if (csv || gltf) {
            if (csv) o->csv = csv;
            if (gltf) o->gltf = gltf;
            if (*(csv ? csv : gltf)) continue;
            fprintf(stderr, "ukode: %s\n", csv ? "--csv needs the name of a folder" : "--gltf needs a file name");
            return false;
        }
        if (argv[i][0] == '-' && argv[i][1]) {
            fprintf(stderr, "ukode: export has no option '%s'\n", argv[i]);
            return false;
        }
        if (o->recording) {
            fprintf(stderr, "ukode: export takes one recording\n");
            return false;
        }
        o->recording = argv[i];
    }
    if (o->recording && (o->csv || o->gltf)) return true;
    fprintf(stderr, "usage: ukode export RECORDING [--csv DIRECTORY] [--gltf FILE.glb]\n");
    return false;
}

static int export(int argc, char **argv)
{
    Options options = {0};
    ukReader reader;
    if (!readOptions(argc, argv, &options)) return ExitUsage;
    limitMemory(argc, argv);
    bool good = ukReaderOpen(&reader, options.recording);
    if (good) {
        if (options.csv) good = exportCsv(&reader, options.csv);
        if (good && options.gltf) good = exportGltf(&reader, options.gltf);
        ukReaderClose(&reader);
    }
    if (!good) fprintf(stderr, "ukode: %s\n", reader.error);
    return good ? 0 : 1;
}

const Command commandExport = {
    .name = "export",
    .arguments = "RECORDING [--csv DIRECTORY] [--gltf FILE.glb]",
    .purpose = "writes a recording as tables for other programs, or as an animated scene",
    .options = "  --csv DIRECTORY          one file per table, TABLE.csv\n"
               "  --gltf FILE.glb          bodies, shapes and their motion as binary glTF 2.0\n",
    .run = export,
};
