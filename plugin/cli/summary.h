/* plugin/cli/summary.h: the lines that the library left in UKODE_REPORT, added up over the processes of a run. */
#ifndef UKODE_PLUGIN_CLI_SUMMARY_H
#define UKODE_PLUGIN_CLI_SUMMARY_H

#include <stdbool.h>

typedef struct Summary {
    int started, ended; /* processes that stepped; of these, that came to their end */
    double steps, native_steps, fallbacks, checked, rejected;
    double seconds_per_step, seconds_per_native_step;                  /* means */
    double feasibility, stationarity, complementarity, position_error; /* the largest */
    char reasons[256];                                                 /* of fallbacks, as written */
} Summary;

/* Reads the lines from `offset` on; false: there is no such file. */
bool summaryRead(const char *path, long offset, Summary *summary);
void summaryPrint(const Summary *summary);

#endif
