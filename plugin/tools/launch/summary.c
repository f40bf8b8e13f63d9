/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/launch/summary.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/grow.h"
#include "bridge/base/plain.h"
#include "plugin/tools/terminal/message.h"

/* the number after "key": in a line that the library wrote; 0 if there is none */
static double summaryNumberOf(const char *line, const char *key)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *found = strstr(line, quoted);
    return found ? strtod(found + strlen(quoted), NULL) : 0;
}

/* the text after "key": in such a line; left as it is if there is none */
static void summaryTextOf(const char *line, const char *key, char *text, size_t size)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":\"", key);
    const char *const found = strstr(line, quoted), *const from = found ? found + strlen(quoted) : NULL;
    const char *const to = from ? strchr(from, '"') : NULL;
    if (to) ukPlainCopy(from, (size_t)(to - from), text, size); /* a name of the program's own choice */
}

static void raiseSummaryMaximum(double *largest, double x)
{
    if (!isnan(*largest) && !(x <= *largest)) *largest = x; /* a NaN stays */
}

static void addReasons(const char *line, Summary *s)
{
    const char *from = strstr(line, "\"reasons\":{"), *to = from ? strchr(from, '}') : NULL;
    if (!to) return;
    from += strlen("\"reasons\":{");
    size_t used = strlen(s->reasons);
    if (to > from && used > 0 && used + 2 < sizeof s->reasons) used += (size_t)sprintf(s->reasons + used, ", ");
    for (; from < to && used + 1 < sizeof s->reasons; from++)
        if (*from != '"') s->reasons[used++] = *from;
    s->reasons[used] = 0;
    ukPlainMake(s->reasons, sizeof s->reasons);
}

static void addHash(const char *line, Summary *s)
{
    static const char key[] = "\"hash\":\"";
    const char *const found = strstr(line, key);
    unsigned long long half[2];
    if (!found || sscanf(found + strlen(key), "%16llx%16llx", &half[0], &half[1]) != 2) return;
    s->hashed++;
    for (int k = 0; k < 2; k++) s->hash[k] += half[k];
}

static double shareOf(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

/* Keeps the imbalance of the process with the largest share. */
static void addImbalance(Summary *s, const char *line)
{
    const double impulse = summaryNumberOf(line, "imbalance_impulse");
    const double momentum = summaryNumberOf(line, "imbalance_momentum");
    const double work = summaryNumberOf(line, "imbalance_work"), energy = summaryNumberOf(line, "imbalance_energy");
    const double before =
        fmax(shareOf(s->imbalance_impulse, s->imbalance_momentum), shareOf(s->imbalance_work, s->imbalance_energy));
    if (!(fmax(shareOf(impulse, momentum), shareOf(work, energy)) > before)) return;
    s->imbalance_impulse = impulse, s->imbalance_momentum = momentum;
    s->imbalance_work = work, s->imbalance_energy = energy;
    summaryTextOf(line, "imbalance_joint", s->imbalance_joint, sizeof s->imbalance_joint);
}

/* of the process with the largest share of its larger way */
static void addLinearMotor(Summary *s, const char *line)
{
    const double way = summaryNumberOf(line, "linear_motor_way"), row = summaryNumberOf(line, "linear_motor_row");
    const double before = shareOf(fabs(s->linear_motor_row - s->linear_motor_way),
                                  fmax(fabs(s->linear_motor_row), fabs(s->linear_motor_way)));
    if (!(shareOf(fabs(row - way), fmax(fabs(row), fabs(way))) > before)) return;
    s->linear_motor_way = way, s->linear_motor_row = row;
    summaryTextOf(line, "linear_motor_joint", s->linear_motor_joint, sizeof s->linear_motor_joint);
}

/* Adds the findings about the motion of the steps: joints that they open, motors near their singular pose. */
static void addMotion(Summary *s, const char *line)
{
    const double opening = summaryNumberOf(line, "opening"), length = summaryNumberOf(line, "opening_length");
    if (opening > 0 && (!s->opening_joint[0] || opening * s->opening_length > s->opening * length)) {
        s->opening = opening;
        s->opening_length = length;
        s->opening_time = summaryNumberOf(line, "opening_time");
        summaryTextOf(line, "opening_joint", s->opening_joint, sizeof s->opening_joint);
    }
    if (summaryNumberOf(line, "yielding") > s->yielding) {
        s->yielding = summaryNumberOf(line, "yielding");
        s->yielding_cfm = summaryNumberOf(line, "yielding_cfm");
        summaryTextOf(line, "yielding_joint", s->yielding_joint, sizeof s->yielding_joint);
    }
    const double error = summaryNumberOf(line, "energy_error"), kinetic = summaryNumberOf(line, "energy_kinetic");
    if (fabs(error) * s->energy_kinetic > fabs(s->energy_error) * kinetic || (error != 0 && s->energy_error == 0)) {
        s->energy_error = error;
        s->energy_kinetic = kinetic;
    }
    if (summaryNumberOf(line, "pole_time") > 0 &&
        (!s->pole_joint[0] || summaryNumberOf(line, "pole_sine") < s->pole_sine)) {
        s->pole_sine = summaryNumberOf(line, "pole_sine");
        s->pole_time = summaryNumberOf(line, "pole_time");
        summaryTextOf(line, "pole_joint", s->pole_joint, sizeof s->pole_joint);
    }
}

/* evaluations of the equations: sums, until all is read */
static void addCosts(Summary *s, const char *line)
{
    const double steps = summaryNumberOf(line, "cost_steps");
    const double tolerance = summaryNumberOf(line, "tolerance");
    s->cost_steps += steps;
    if (tolerance > 0 && !(s->tolerance > 0 && s->tolerance <= tolerance)) s->tolerance = tolerance;
    s->evaluations += steps * summaryNumberOf(line, "evaluations");
    s->plain_evaluations += steps * summaryNumberOf(line, "plain_evaluations");
    s->attempts += steps * summaryNumberOf(line, "attempts");
    s->events += steps * summaryNumberOf(line, "events");
    if (!s->event_source[0]) summaryTextOf(line, "event_source", s->event_source, sizeof s->event_source);
}

static void meanCosts(Summary *s)
{
    double *const sum[] = {&s->evaluations, &s->plain_evaluations, &s->attempts, &s->events};
    for (size_t k = 0; k < sizeof sum / sizeof *sum && s->cost_steps > 0; k++) *sum[k] /= s->cost_steps;
}

/* the next text of a list, from `*at` on, which ends after it; false: there is none */
static bool summaryNextText(const char **at, char *text, size_t size)
{
    const char *const from = **at == '"' ? *at + 1 : NULL, *const to = from ? strchr(from, '"') : NULL;
    if (!to) return false;
    ukPlainCopy(from, (size_t)(to - from), text, size);
    *at = to + 1 + (to[1] == ',');
    return true;
}

static bool listHas(const char *list, const char *name)
{
    char text[sizeof *((Summary *)0)->unset_body];
    while (summaryNextText(&list, text, sizeof text))
        if (strcmp(text, name) == 0) return true;
    return false;
}

/* The bodies that every process so far lacks: of the first all, of each other those that it lacks, too. */
static void addUnset(const char *line, Summary *s)
{
    enum { Most = sizeof s->unset_body / sizeof *s->unset_body };
    static const char key[] = "\"unset_bodies\":[";
    const char *const found = strstr(line, key), *list = found ? found + strlen(key) : "";
    const int before = s->unset_bodies;
    if (!found) return;
    s->unset_bodies = 0;
    if (s->without_start++ == 0)
        while (s->unset_bodies < Most && summaryNextText(&list, s->unset_body[s->unset_bodies], sizeof *s->unset_body))
            s->unset_bodies++;
    for (int i = 0; i < before; i++)
        if (listHas(list, s->unset_body[i]))
            memmove(s->unset_body[s->unset_bodies++], s->unset_body[i], sizeof *s->unset_body);
}

static void addUnmet(const char *line, Summary *s)
{
    raiseSummaryMaximum(&s->unknown_joint, summaryNumberOf(line, "unknown_joint"));
    raiseSummaryMaximum(&s->unknown_body, summaryNumberOf(line, "unknown_body"));
    raiseSummaryMaximum(&s->unable_joint, summaryNumberOf(line, "unable_joint"));
    s->without_joint += summaryNumberOf(line, "unknown_joint") > 0;
    s->without_body += summaryNumberOf(line, "unknown_body") > 0;
    addUnset(line, s);
}

/* An object that one process lacks may exist in another. Numbers ascend, so that every process that lacks some lacks
 * the largest of them. */
static void keepUnmet(Summary *s)
{
    if (s->without_joint < s->started) s->unknown_joint = 0;
    if (s->without_body < s->started) s->unknown_body = 0;
    if (s->without_start < s->started) s->unset_bodies = 0;
}

/* one process's line counts: its last, be it of its end or of its progress */
static void addLine(const char *line, Summary *s)
{
    const double steps = summaryNumberOf(line, "steps"), native = summaryNumberOf(line, "native_steps");
    s->ended += strstr(line, "\"event\":\"end\"") != NULL;
    s->steps += steps;
    s->native_steps += native;
    s->simulated += summaryNumberOf(line, "simulated_seconds");
    s->fallbacks += summaryNumberOf(line, "fallbacks");
    s->cfm_islands += summaryNumberOf(line, "cfm_islands");
    s->compromised += summaryNumberOf(line, "compromised");
    raiseSummaryMaximum(&s->compromise, summaryNumberOf(line, "compromise"));
    s->surges += summaryNumberOf(line, "surges");
    if (summaryNumberOf(line, "surge_work") > s->surge_work) {
        s->surge_time = summaryNumberOf(line, "surge_time");
        s->surge_before = summaryNumberOf(line, "surge_before");
        s->surge_work = summaryNumberOf(line, "surge_work");
    }
    if (summaryNumberOf(line, "explosion_steps") > 0 && s->explosion_steps == 0) {
        s->explosion_steps = summaryNumberOf(line, "explosion_steps");
        s->explosion_time = summaryNumberOf(line, "explosion_time");
        s->explosion_before = summaryNumberOf(line, "explosion_before");
        s->explosion_grown = summaryNumberOf(line, "explosion_grown");
        s->explosion_most = summaryNumberOf(line, "explosion_most");
    }
    addImbalance(s, line);
    addLinearMotor(s, line);
    addMotion(s, line);
    addCosts(s, line);
    if (summaryNumberOf(line, "idle_limits") > s->idle_limits) {
        s->idle_limits = summaryNumberOf(line, "idle_limits");
        summaryTextOf(line, "idle_limit", s->idle_limit, sizeof s->idle_limit);
    }
    s->failed += summaryNumberOf(line, "failed");
    s->unwritten += summaryNumberOf(line, "unwritten");
    s->integrated_islands += summaryNumberOf(line, "integrated_islands");
    s->discrete_islands += summaryNumberOf(line, "discrete_islands");
    s->apart = s->apart || summaryNumberOf(line, "apart") > 0;
    if (summaryNumberOf(line, "integrator") > 0) s->integrator = (int)summaryNumberOf(line, "integrator");
    addUnmet(line, s);
    s->checked += summaryNumberOf(line, "checked");
    s->rejected += summaryNumberOf(line, "rejected");
    s->seconds_per_step += steps * summaryNumberOf(line, "seconds_per_step"); /* sums, until all is read */
    s->seconds_per_native_step += native * summaryNumberOf(line, "seconds_per_native_step");
    raiseSummaryMaximum(&s->feasibility, summaryNumberOf(line, "feasibility"));
    raiseSummaryMaximum(&s->stationarity, summaryNumberOf(line, "stationarity"));
    raiseSummaryMaximum(&s->complementarity, summaryNumberOf(line, "complementarity"));
    raiseSummaryMaximum(&s->position_error, summaryNumberOf(line, "position_error"));
    addReasons(line, s);
    if (!s->first_reason[0]) summaryTextOf(line, "first_reason", s->first_reason, sizeof s->first_reason);
    addHash(line, s);
}

/* Whether another line of the same process follows before a new process begins with the same number. */
static bool isLast(const char *line, char *const *lines, size_t after, size_t count)
{
    const double pid = summaryNumberOf(line, "pid");
    for (size_t i = after; i < count; i++) {
        if (summaryNumberOf(lines[i], "pid") != pid) continue;
        return strstr(lines[i], "\"event\":\"start\"") != NULL;
    }
    return true;
}

/* each reason once, whichever process reports it */
static void addUnserved(const char *line, Summary *s)
{
    enum { Most = sizeof s->unserved / sizeof *s->unserved };
    char reason[sizeof *s->unserved] = "";
    summaryTextOf(line, "reason", reason, sizeof reason);
    for (int i = 0; i < s->unserved_count; i++)
        if (strcmp(s->unserved[i], reason) == 0) return;
    if (s->unserved_count < Most) memcpy(s->unserved[s->unserved_count++], reason, sizeof reason);
}

void summaryPrintUnserved(const Summary *summary)
{
    for (int i = 0; i < summary->unserved_count; i++) messagePrint("not stepped by ukode: %s", summary->unserved[i]);
}

/* A line that is not of a process's steps. */
static bool isExplanation(const char *line, Summary *s)
{
    const bool unserved = strstr(line, "\"event\":\"unserved\"") != NULL;
    const bool unreached = strstr(line, "\"event\":\"unreached\"") != NULL;
    if (unserved) addUnserved(line, s);
    if (unreached && !s->unreached[0]) summaryTextOf(line, "reason", s->unreached, sizeof s->unreached);
    return unserved || unreached;
}

void summaryRead(char *text, Summary *s)
{
    char **lines = NULL, *rest = NULL;
    size_t count = 0, capacity = 0;
    *s = (Summary){0};
    for (char *line = text ? strtok_r(text, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest)) {
        if (isExplanation(line, s)) continue;
        if (!ukArrayReserve(&lines, sizeof *lines, count + 1, &capacity)) break;
        lines[count++] = line;
    }
    for (size_t i = 0; i < count; i++) {
        if (strstr(lines[i], "\"event\":\"start\"")) {
            s->started++;
            s->uninitialized += summaryNumberOf(lines[i], "uninitialized") > 0;
        } else if (isLast(lines[i], lines, i + 1, count))
            addLine(lines[i], s);
    }
    keepUnmet(s);
    if (s->steps > 0) s->seconds_per_step /= s->steps;
    meanCosts(s);
    if (s->native_steps > 0) s->seconds_per_native_step /= s->native_steps;
    free(lines);
}
