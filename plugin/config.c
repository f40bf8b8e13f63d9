/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/config.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bridge/base/grow.h"
#include "bridge/base/plain.h"

enum { MostText = 1 << 20 };

/* Joint types that can have a law: the classes of bridge/joints/ by name (tests/plugin/interface/test_config.c compares
 * the two). */
static const struct {
    const char *name;
    dJointType type;
    bool turns; /* a free axis to turn about, hence a bearing with a radius */
    bool bears; /* a free axis, and a force: dry friction */
} types[] = {
    {"ball", dJointTypeBall, true, true},       {"hinge", dJointTypeHinge, true, true},
    {"slider", dJointTypeSlider, false, true},  {"universal", dJointTypeUniversal, true, true},
    {"hinge2", dJointTypeHinge2, true, true},   {"AMotor", dJointTypeAMotor, true, false},
    {"LMotor", dJointTypeLMotor, false, false}, {"plane2d", dJointTypePlane2D, true, true},
    {"PR", dJointTypePR, true, true},           {"PU", dJointTypePU, true, true},
    {"piston", dJointTypePiston, true, true},   {"dhinge", dJointTypeDHinge, true, true},
};
enum { TypeCount = sizeof types / sizeof *types };

typedef struct Reader {
    ukConfig *config;
    char *rest; /* of the line, for strtok_r */
    char *message;
    size_t size;
} Reader;

/* Sets the message of a line that is refused; returns -1. */
static int refuseConfigLine(Reader *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(r->message, r->size, format, args);
    va_end(args);
    return -1;
}

static char *trimLine(char *text)
{
    while (isspace((unsigned char)*text)) text++;
    char *end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1])) *--end = 0;
    return text;
}

static char *nextWord(Reader *r)
{
    return strtok_r(NULL, " \t\r\n", &r->rest);
}

/* Reads "solver = sparse", which is split at the =. */
static int readSetting(Reader *r, const char *key, const char *value)
{
    int which = 0;
    while (which < ukOptionCount && strcasecmp(ukOptions[which].name, key) != 0) which++;
    if (which == ukOptionCount) {
        char names[200] = "";
        for (int i = 0; i < ukOptionCount; i++)
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i > 0 ? ", " : "", ukOptions[i].name);
        return refuseConfigLine(r, "'%.30s' is not one of: %s", key, names);
    }
    double number[2] = {0};
    const int index = ukOptionParse(&ukOptions[which], value, number);
    if (index < 0) {
        char choices[200];
        ukOptionComplain(&ukOptions[which], value, choices, sizeof choices);
        return refuseConfigLine(r, "%s=%s", ukOptions[which].name, choices);
    }
    r->config->option[which].value = index;
    memcpy(r->config->option[which].number, number, sizeof number);
    return 0;
}

/* Reads a number >= 0. */
static int readAmount(Reader *r, const char *what, double *x)
{
    const char *text = nextWord(r);
    char *end;
    if (!text) return refuseConfigLine(r, "%s needs a number", what);
    *x = strtod(text, &end);
    if (end == text || *end || !(*x >= 0) || !isfinite(*x))
        return refuseConfigLine(r, "%s: '%.30s' is not a number >= 0", what, text);
    return 0;
}

static int appendLawDefault(Reader *r, const ukLawDefault *law)
{
    ukConfig *config = r->config;
    if (!ukArrayReserve(&config->law, sizeof *law, (size_t)config->laws + 1, &config->law_capacity))
        return refuseConfigLine(r, "no memory");
    config->law[config->laws++] = *law;
    return 0;
}

/* Reads the joints to which laws apply; `which`: index of their type in the table, -1: not by type. */
static int readLawOwner(Reader *r, const char *first, ukLawDefault *law, int *which)
{
    *law = (ukLawDefault){.type = dJointTypeNone};
    *which = -1;
    if (strcasecmp(first, "all") == 0) return 0;
    if (strcasecmp(first, "joint") == 0) {
        const char *text = nextWord(r);
        char *end;
        const unsigned long long serial = text && isdigit((unsigned char)*text) ? strtoull(text, &end, 10) : 0;
        if (serial == 0 || *end) return refuseConfigLine(r, "joint needs its number in the order of creation, from 1");
        law->serial = serial;
        return 0;
    }
    for (int i = 0; i < TypeCount; i++) {
        if (strcasecmp(types[i].name, first) != 0) continue;
        law->type = types[i].type;
        *which = i;
        return 0;
    }
    return refuseConfigLine(
        r,
        "'%.30s' is not one of: all, joint N, ball, hinge, slider, universal, hinge2, AMotor, LMotor, plane2d, "
        "PR, PU, piston, dhinge",
        first);
}

/* Reads the number after the word `name`, if that is *next; *next: the word after both. */
static int readOptional(Reader *r, const char *name, double *x, bool *given, char **next)
{
    *given = *next && strcasecmp(*next, name) == 0;
    if (!*given) return 0;
    if (readAmount(r, name, x) != 0) return -1;
    *next = nextWord(r);
    return 0;
}

/* Reads "mu [radius r] [static mu speed v]"; *next: the word after it, NULL: none. */
static int readCoulomb(Reader *r, ukLawDefault *law, int which, char **next)
{
    bool radius, at_rest, speed;
    law->kind = ukLawCoulomb;
    if (which >= 0 && !types[which].bears)
        return refuseConfigLine(r, "a joint of type %s has no bearing: coulomb does not apply", types[which].name);
    if (readAmount(r, "coulomb", &law->mu) != 0) return -1;
    *next = nextWord(r);
    if (readOptional(r, "radius", &law->arm, &radius, next) != 0) return -1;
    if (!radius && which >= 0 && types[which].turns && law->mu > 0)
        return refuseConfigLine(r, "dry friction of type %s needs the radius of its bearing: coulomb %g radius R",
                                types[which].name, law->mu);
    if (readOptional(r, "static", &law->mu_static, &at_rest, next) != 0) return -1;
    if (readOptional(r, "speed", &law->speed, &speed, next) != 0) return -1;
    if (at_rest != speed || (at_rest && (law->speed == 0 || law->mu == 0 || law->mu_static < law->mu)))
        return refuseConfigLine(r, "coulomb MU static MUS speed V needs MUS >= MU > 0, and V > 0");
    return 0;
}

static int readLaws(Reader *r, const char *first)
{
    static const char known[] = "coulomb MU [radius R] [static MUS speed V], viscous C, drag K";
    ukLawDefault law;
    int which, status = readLawOwner(r, first, &law, &which);
    if (status != 0) return status;
    char *name = nextWord(r);
    if (!name) return refuseConfigLine(r, "no law: %s", known);
    while (name && status == 0) {
        ukLawDefault one = law;
        char *next = NULL;
        const bool drag = strcasecmp(name, "drag") == 0;
        if (strcasecmp(name, "coulomb") == 0) {
            status = readCoulomb(r, &one, which, &next);
        } else if (drag || strcasecmp(name, "viscous") == 0) {
            one.kind = drag ? ukLawDrag : ukLawViscous;
            status = readAmount(r, drag ? "drag" : "viscous", &one.coefficient);
            next = status == 0 ? nextWord(r) : NULL;
        } else {
            status = refuseConfigLine(r, "'%.30s' is not one of: %s", name, known);
        }
        if (status == 0) status = appendLawDefault(r, &one);
        name = next;
    }
    return status;
}

/* Reads "body N a name" or "joint N a name". */
static int readObjectName(Reader *r)
{
    ukConfig *const config = r->config;
    const char *const kind = nextWord(r), *const number = nextWord(r);
    char *end = "";
    const bool joint = kind && strcasecmp(kind, "joint") == 0;
    const unsigned long long serial = number && isdigit((unsigned char)*number) ? strtoull(number, &end, 10) : 0;
    const char *const text = number && r->rest ? trimLine(r->rest) : "";
    if ((!joint && (!kind || strcasecmp(kind, "body") != 0)) || serial == 0 || *end || !*text)
        return refuseConfigLine(
            r, "a name is: name body N NAME, or name joint N NAME; N is its number in the order of creation, "
               "from 1");
    const ukNameDefault named = {.joint = joint, .serial = serial, .name = strdup(text)};
    if (!named.name ||
        !ukArrayReserve(&config->name, sizeof named, (size_t)config->names + 1, &config->name_capacity)) {
        free(named.name);
        return refuseConfigLine(r, "no memory");
    }
    config->name[config->names++] = named;
    return 0;
}

/* Reads a number of any sign. */
static int readAnyNumber(Reader *r, const char *what, double *x)
{
    const char *const text = nextWord(r);
    char *end;
    *x = text ? strtod(text, &end) : 0;
    if (!text || end == text || *end || !isfinite(*x))
        return refuseConfigLine(r, "%s: '%.30s' is not a number", what, text ? text : "");
    return 0;
}

/* Reads the body of a start line: a number, a name, or a name in quotation marks. */
static int readStartBody(Reader *r, ukStartDefault *start)
{
    char *text = r->rest ? r->rest + strspn(r->rest, " \t") : "", *end;
    if (*text == '"') {
        end = strchr(++text, '"');
        if (!end || end == text) return refuseConfigLine(r, "body: the closing quotation mark is missing");
        *end = 0;
        r->rest = end + 1;
    } else if (!(text = nextWord(r))) {
        return refuseConfigLine(r, "body needs its name, or its number in the order of creation, from 1");
    } else if (isdigit((unsigned char)*text)) {
        start->serial = strtoull(text, &end, 10);
        if (*end || start->serial == 0)
            return refuseConfigLine(r, "body: '%.30s' is neither a number from 1 nor a name", text);
        return 0;
    }
    start->name = strdup(text);
    return start->name ? 0 : refuseConfigLine(r, "no memory");
}

/* ODE ends a program whose geoms collide beyond 2^53 of its spaces' smallest cells (1/8 m) from the origin. */
static const double farthest = 1e12; /* m, m/s, rad/s */

/* Reads "mass 8 velocity 1 0 0 ...". */
static int readStartLine(Reader *r, ukStartDefault *s)
{
    static const char known[] = "mass M, position X Y Z, orientation W X Y Z, velocity X Y Z, spin X Y Z";
    const struct {
        const char *name;
        unsigned given;
        int count;
        double *to;
    } kinds[] = {{"mass", ukStartMass, 1, &s->mass},
                 {"position", ukStartPosition, 3, s->position},
                 {"orientation", ukStartOrientation, 4, s->orientation},
                 {"velocity", ukStartVelocity, 3, s->velocity},
                 {"spin", ukStartSpin, 3, s->spin}};
    enum { Kinds = sizeof kinds / sizeof *kinds };
    for (const char *text; (text = nextWord(r)) != NULL;) {
        int k = 0;
        while (k < Kinds && strcasecmp(kinds[k].name, text) != 0) k++;
        if (k == Kinds) return refuseConfigLine(r, "'%.30s' is not one of: %s", text, known);
        for (int i = 0; i < kinds[k].count; i++) {
            if (readAnyNumber(r, kinds[k].name, &kinds[k].to[i]) != 0) return -1;
            if (kinds[k].count == 3 && fabs(kinds[k].to[i]) > farthest)
                return refuseConfigLine(r, "%s: %g is more than %g", kinds[k].name, kinds[k].to[i], farthest);
        }
        s->given |= kinds[k].given;
    }
    const double *const q = s->orientation;
    if (!s->given) return refuseConfigLine(r, "a body's initial values are: %s", known);
    if ((s->given & ukStartMass) && !(s->mass > 0)) return refuseConfigLine(r, "mass: %g is not positive", s->mass);
    if ((s->given & ukStartOrientation) && q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0)
        return refuseConfigLine(r, "orientation: zero quaternion");
    return 0;
}

static int readBodyLine(Reader *r)
{
    ukConfig *const config = r->config;
    if (!ukArrayReserve(&config->start, sizeof *config->start, (size_t)config->starts + 1, &config->start_capacity))
        return refuseConfigLine(r, "no memory");
    ukStartDefault *const last = &config->start[config->starts++];
    *last = (ukStartDefault){.serial = 0};
    return readStartBody(r, last) == 0 ? readStartLine(r, last) : -1;
}

static int readLine(Reader *r, char *line)
{
    line[strcspn(line, "#")] = 0;
    line = trimLine(line);
    if (!*line) return 0;
    const bool named = strncasecmp(line, "name", 4) == 0 && isspace((unsigned char)line[4]);
    const bool begins = strncasecmp(line, "body", 4) == 0 && isspace((unsigned char)line[4]);
    char *equals = named || begins ? NULL : strchr(line, '=');
    if (equals) {
        *equals = 0;
        return readSetting(r, trimLine(line), trimLine(equals + 1));
    }
    const char *first = strtok_r(line, " \t\r\n", &r->rest);
    if (begins) return readBodyLine(r);
    return named ? readObjectName(r) : readLaws(r, first);
}

/* Why a file cannot be a configuration; NULL: it may be one. Other kinds of files could be endless, or block the
 * program until data arrive. */
static const char *refusalOf(int file)
{
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0) return strerror(errno);
    if (S_ISDIR(status.st_mode)) return "a directory, not a file";
    if (S_ISFIFO(status.st_mode)) return "a pipe, not a file";
    return NULL;
}

/* The file's text, 0 at its end, to be freed; NULL: why not, in `why`. */
static char *textOf(const char *path, const char **why)
{
    size_t used = 0;
    ssize_t n = 1;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    *why = refusalOf(file);
    char *const text = *why ? NULL : malloc(MostText + 1);
    if (!*why && !text) *why = "no memory";
    while (text && n > 0 && used <= MostText) {
        n = read(file, text + used, MostText + 1 - used);
        if (n > 0) used += (size_t)n;
    }
    if (n < 0) *why = strerror(errno);
    if (!*why && used > MostText) *why = "too long for a configuration";
    if (!*why && memchr(text, 0, used)) *why = "not a text";
    if (file >= 0) close(file);
    if (!*why) {
        text[used] = 0;
        return text;
    }
    free(text);
    return NULL;
}

int ukConfigRead(const char *path, ukConfig *config, char *message, size_t size)
{
    char what[240] = "";
    const char *why;
    int status = 0, number = 0;
    *config = (ukConfig){.law = NULL};
    for (int i = 0; i < ukOptionCount; i++) config->option[i].value = -1;
    Reader r = {.config = config, .message = what, .size = sizeof what};
    char *const text = textOf(path, &why);
    if (!text) {
        snprintf(message, size, "%.80s: %s", path, why);
        return -1;
    }
    for (char *line = text, *next; status == 0 && *line; line = next, number++) {
        next = line + strcspn(line, "\n");
        if (*next) *next++ = 0;
        status = readLine(&r, line);
    }
    if (status != 0) {
        ukPlainMake(what, sizeof what); /* a terminal is not to act upon it */
        snprintf(message, size, "%.80s, line %d: %s", path, number, what);
        ukConfigFree(config);
    }
    free(text);
    return status;
}

void ukConfigFree(ukConfig *config)
{
    free(config->law);
    for (int i = 0; i < config->names; i++) free(config->name[i].name);
    free(config->name);
    for (int i = 0; i < config->starts; i++) free(config->start[i].name);
    free(config->start);
    *config = (ukConfig){.law = NULL};
    for (int i = 0; i < ukOptionCount; i++) config->option[i].value = -1;
}
