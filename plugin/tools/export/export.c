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

#define FORMATS                                                                                                        \
    "[--csv DIRECTORY] [--gltf FILE.glb] [--mjcf FILE.xml] [--urdf FILE.urdf] [--sdf FILE.sdf] [--world N] [--step N]"

typedef struct Options {
    const char *csv, *gltf, *mjcf, *urdf, *sdf, *world, *step, *recording;
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
                {"--urdf", "a file name", &o->urdf},
                {"--sdf", "a file name", &o->sdf},
                {"--step", "the number of a step", &o->step},
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
    if (o->recording && (o->csv || o->gltf || o->mjcf || o->urdf || o->sdf)) return true;
    fprintf(stderr, "usage: ukode export RECORDING " FORMATS "\n");
    return false;
}

/* the number that an option gives, at least `least`; `otherwise` without that option; -1: it is not such a number */
static long long readCount(const char *option, const char *value, long long least, long long otherwise)
{
    char *end = NULL;
    if (!value) return otherwise;
    const long long count = strtoll(value, &end, 10);
    if (*value && !*end && count >= least) return count;
    fprintf(stderr, "ukode: %s needs a number, from %lld\n", option, least);
    return -1;
}

static bool exportModels(ukReader *reader, const Options *o, long long world, long long step)
{
    return (!o->mjcf || exportMjcf(reader, o->mjcf, world, step)) &&
           (!o->urdf || exportUrdf(reader, o->urdf, world, step)) &&
           (!o->sdf || exportSdf(reader, o->sdf, world, step));
}

static int export(int argc, char **argv)
{
    Options options = {0};
    ukReader reader;
    if (!readOptions(argc, argv, &options)) return ExitUsage;
    const long long world = readCount("--world", options.world, 1, 1), step = readCount("--step", options.step, 0, 0);
    if (world < 0 || step < 0) return ExitUsage;
    limitMemory(argc, argv);
    bool good = ukReaderOpen(&reader, options.recording);
    if (good) {
        if (options.csv) good = exportCsv(&reader, options.csv);
        if (good && options.gltf) good = exportGltf(&reader, options.gltf);
        good = good && exportModels(&reader, &options, world, step);
        ukReaderClose(&reader);
    }
    if (!good) fprintf(stderr, "ukode: %s\n", reader.error);
    return good ? 0 : 1;
}

const Command commandExport = {
    .name = "export",
    .arguments = "RECORDING " FORMATS,
    .purpose = "writes a recording as tables, as an animated scene, or as a model of another engine",
    .options = "  --csv DIRECTORY          one file per table, TABLE.csv\n"
               "  --gltf FILE.glb          bodies, shapes and their motion as binary glTF 2.0\n"
               "  --mjcf FILE.xml          one world as a model of MuJoCo\n"
               "  --urdf FILE.urdf         one world as a robot in URDF\n"
               "  --sdf FILE.sdf           one world in SDF, the format of Gazebo\n"
               "  --world N                the world of these models; 1 is the first\n"
               "  --step N                 their state: after step N of the world; 0, the default: before the first\n",
    .run = export,
};
