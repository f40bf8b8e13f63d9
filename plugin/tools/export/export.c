/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/export/export.c: a recording as tables for other programs, as an animated scene, and as a model of
 * another engine. */
#include "plugin/tools/export/export.h"

#include <stdio.h>
#include <string.h>

#include "plugin/tools/launch/command.h"
#include "plugin/tools/launch/launch.h"
#include "plugin/tools/terminal/limit.h"
#include "plugin/tools/terminal/message.h"
#include "plugin/tools/terminal/option.h"

#define FORMATS                                                                                                        \
    "[--csv DIRECTORY] [--gltf FILE.glb] [--mjcf FILE.xml] [--urdf FILE.urdf] [--sdf FILE.sdf] [--world N] [--step N]"

typedef struct Options {
    const char *csv, *gltf, *mjcf, *urdf, *sdf, *recording;
    long world, step;
} Options;

static Options options = {.step = -1}; /* world 0, step -1: not given */

static bool exportModels(ukReader *reader)
{
    const Options *const o = &options;
    const long world = o->world > 0 ? o->world : 1, step = o->step > 0 ? o->step : 0;
    return (!o->mjcf || exportMjcf(reader, o->mjcf, world, step)) &&
           (!o->urdf || exportUrdf(reader, o->urdf, world, step)) &&
           (!o->sdf || exportSdf(reader, o->sdf, world, step));
}

static int runExport(int argc, char **argv)
{
    ukReader reader;
    if (!launchArguments(argc, argv, &commandExport, &options.recording)) return ExitUsage;
    if (!options.csv && !options.gltf && !options.mjcf && !options.urdf && !options.sdf) {
        fprintf(stderr, "usage: ukode export RECORDING " FORMATS "\n");
        return ExitUsage;
    }
    if (!options.mjcf && !options.urdf && !options.sdf && (options.world > 0 || options.step >= 0))
        return messageFail(ExitUsage, "%s does not apply: --csv and --gltf export all worlds and steps",
                           options.world > 0 ? "--world" : "--step");
    limitMemory(argc, argv);
    bool good = ukReaderOpen(&reader, options.recording);
    if (good) {
        if (options.csv) good = exportCsv(&reader, options.csv);
        if (good && options.gltf) good = exportGltf(&reader, options.gltf);
        good = good && exportModels(&reader);
        ukReaderClose(&reader);
    }
    if (!good) messagePrint("%s", reader.error);
    return good ? 0 : 1;
}

const Command commandExport = {
    .name = "export",
    .arguments = "RECORDING " FORMATS,
    .purpose = "writes a recording as tables, as an animated scene, or as a model of another engine",
    .options =
        (const Option[]){
            OPTION_TEXT("--csv", "DIRECTORY", &options.csv, "the name of a folder", "one file per table, TABLE.csv"),
            OPTION_TEXT("--gltf", "FILE.glb", &options.gltf, "a file name",
                        "bodies, shapes and their motion as binary glTF 2.0"),
            OPTION_TEXT("--mjcf", "FILE.xml", &options.mjcf, "a file name", "one world as a model of MuJoCo"),
            OPTION_TEXT("--urdf", "FILE.urdf", &options.urdf, "a file name", "one world as a robot in URDF"),
            OPTION_TEXT("--sdf", "FILE.sdf", &options.sdf, "a file name", "one world in SDF, the format of Gazebo"),
            OPTION_WHOLE("--world", "N", &options.world, 1, 9e15, "a number, from 1",
                         "the world of these models; 1 is the first"),
            OPTION_WHOLE("--step", "N", &options.step, 0, 9e15, "a number, from 0",
                         "export the state after step N of the world; default: 0, the initial state"),
            {0}},
    .run = runExport,
};
