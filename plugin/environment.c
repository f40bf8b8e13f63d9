/* plugin/environment.c: UKODE_* become the defaults of new worlds when the library is loaded. Nothing is printed here:
 * a preloaded library is loaded by every child process, and only those that step have something to be told. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/log.h"
#include "bridge/registry.h"
#include "bridge/settings.h"
#include "bridge/trace.h"
#include "plugin/options.h"

/* Wrong values leave the program on ODE's native stepper. */
static bool wrong;

static void complain(const char *format, ...)
{
    char message[200];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    ukLogWarning("%s; the program runs on ODE's own stepper", message);
    wrong = true;
}

/* `key`: what the user wrote the value to */
static void apply(int which, const char *key, const char *text)
{
    ukSettings *d = &ukSettingsDefault;
    double number = 0;
    const int value = ukOptionParse(&ukOptions[which], text, &number);
    if (value < 0) {
        char message[200];
        ukOptionComplain(&ukOptions[which], text, message, sizeof message);
        complain("%s=%s", key, message);
        return;
    }
    switch (which) {
    case ukOptionSolver: d->solver = (ukSolver)value; break;
    case ukOptionFriction: d->friction = (ukFriction)value; break;
    case ukOptionCheck:
        d->check = (ukCheckAction)value;
        if (number > 0) d->check_tolerance = number;
        break;
    case ukOptionIntegrator: d->integrator = (ukIntegrator)value; break;
    case ukOptionStabilization:
        d->stabilization = (ukStabilization)value;
        if (number > 0) d->alpha = d->beta = number;
        break;
    default: break;
    }
}

static char *trimmed(char *text)
{
    while (isspace((unsigned char)*text)) text++;
    char *end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1])) *--end = 0;
    return text;
}

/* Lines "solver = sparse"; # begins a comment. */
static void readConfig(const char *path)
{
    char line[256];
    FILE *file = fopen(path, "re");
    if (!file) {
        complain("UKODE_CONFIG=%.60s: %s", path, strerror(errno));
        return;
    }
    for (int number = 1; fgets(line, sizeof line, file); number++) {
        line[strcspn(line, "#")] = 0;
        char *equals = strchr(line, '='), *key = trimmed(line);
        if (!*key) continue;
        int which = 0;
        if (equals) {
            *equals = 0;
            key = trimmed(line);
            while (which < ukOptionCount && strcmp(ukOptions[which].name, key) != 0) which++;
        }
        if (!equals || which == ukOptionCount)
            complain("%.60s, line %d: '%.30s' is not one of: solver, friction, check, integrator, stabilization", path,
                     number, key);
        else
            apply(which, ukOptions[which].name, trimmed(equals + 1));
    }
    fclose(file);
}

static bool flag(const char *variable)
{
    const char *text = getenv(variable);
    const int value = ukOptionFlag(text);
    if (value < 0) complain("%s=%.60s is not one of: 0, 1", variable, text);
    return value > 0;
}

/* after plugin/preload.c, which knows whether the library was preloaded */
__attribute__((constructor)) static void load(void)
{
    ukLogSetVerbose(flag("UKODE_VERBOSE"));
    const char *config = getenv("UKODE_CONFIG");
    if (config && *config) readConfig(config);
    for (int i = 0; i < ukOptionCount; i++) {
        const char *text = getenv(ukOptions[i].variable);
        if (text && *text) apply(i, ukOptions[i].variable, text);
    }
    if (flag("UKODE_DISABLE") || wrong) ukRegistryEnableByDefault = false;
    ukTraceOpen(getenv("UKODE_TRACE"), getenv("UKODE_REPORT"));
}

__attribute__((destructor)) static void unload(void)
{
    ukTraceClose();
}
