/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/export/export.c: a recording as tables for other programs, as a scene to look at, and as a model of
 * another engine. */
#include "plugin/tools/export/export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/tools/launch/command.h"
#include "plugin/tools/launch/launch.h"
#include "plugin/tools/terminal/limit.h"
#include "plugin/tools/terminal/option.h"

typedef struct Options {
    const char *csv, *gltf, *mjcf, *world, *recording;
} Options;

/* the value of an option that stands in words i (and i + 1), NULL: it is another one, "": it has none */
static const char *exportValueOf(const char *option, int argc, char **argv, int *i)
{
    int used = 1;
    const char *const value = optionValue(option, argc - *i, argv + *i, &used);
    *i += used - 1;
    return value;
}

/* whether words i (and i + 1) are an option with a value; *good: it has one */
static bool readOption(int argc, char **argv, int *i, Options *o, bool *good)
{
    const struct {
        const char *name, *needs;
        const char **to;
    } list[] = {{"--csv", "the name of a folder", &o->csv},
                {"--gltf", "a file name", &o->gltf},
                {"--mjcf", "a file name", &o->mjcf},
                {"--world", "the number of a world", &o->world}};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        const char *const value = exportValueOf(list[k].name, argc, argv, i);
        if (!value) continue;
        *list[k].to = value;
        *good = *value != 0;
        if (!*good) fprintf(stderr, "ukode: %s needs %s\n", list[k].name, list[k].needs);
        return true;
    }
    return false;
}

static bool readOptions(int argc, char **argv, Options *o)
{
    for (int i = 0; i < argc; i++) {
        bool good = true;
        if (readOption(argc, argv, &i, o, &good)) {
            if (good) continue;
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
    if (o->recording && (o->csv || o->gltf || o->mjcf)) return true;
    fprintf(stderr,
            "usage: ukode export RECORDING [--csv DIRECTORY] [--gltf FILE.glb] [--mjcf FILE.xml [--world N]]\n");
    return false;
}

/* the key of --world, 1 without that option; 0: it is not a number */
static long long exportedWorld(const Options *o)
{
    char *end = NULL;
    if (!o->world) return 1;
    const long long key = strtoll(o->world, &end, 10);
    if (key > 0 && !*end) return key;
    fprintf(stderr, "ukode: --world needs the number of a world, from 1\n");
    return 0;
}

static int export(int argc, char **argv)
{
    Options options = {0};
    ukReader reader;
    if (!readOptions(argc, argv, &options)) return ExitUsage;
    const long long world = exportedWorld(&options);
    if (world == 0) return ExitUsage;
    limitMemory(argc, argv);
    bool good = ukReaderOpen(&reader, options.recording);
    if (good) {
        if (options.csv) good = exportCsv(&reader, options.csv);
        if (good && options.gltf) good = exportGltf(&reader, options.gltf);
        if (good && options.mjcf) good = exportMjcf(&reader, options.mjcf, world);
        ukReaderClose(&reader);
    }
    if (!good) fprintf(stderr, "ukode: %s\n", reader.error);
    return good ? 0 : 1;
}

const Command commandExport = {
    .name = "export",
    .arguments = "RECORDING [--csv DIRECTORY] [--gltf FILE.glb] [--mjcf FILE.xml [--world N]]",
    .purpose = "writes a recording as tables, as an animated scene, or as a model of MuJoCo",
    .options = "  --csv DIRECTORY          one file per table, TABLE.csv\n"
               "  --gltf FILE.glb          bodies, shapes and their motion as binary glTF 2.0\n"
               "  --mjcf FILE.xml          one world at the start of the run as a model of MuJoCo\n"
               "  --world N                the world of --mjcf; 1 is the first\n",
    .run = export,
};
