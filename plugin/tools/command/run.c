/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/command/run.c: one program under libukode.so, and at its end a line on stderr of what became of its
 * steps. */
#include "plugin/tools/command/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/plural.h"
#include "plugin/options.h"
#include "plugin/tools/launch/command.h"
#include "plugin/tools/launch/launch.h"
#include "plugin/tools/launch/listen.h"
#include "plugin/tools/launch/record_file.h"
#include "plugin/tools/launch/summary.h"
#include "plugin/tools/launch/target.h"
#include "plugin/tools/terminal/message.h"
#include "plugin/tools/terminal/progress.h"

static bool quiet;

void runSetQuiet(void)
{
    quiet = true;
}

static const char *integratorOf(const Summary *s)
{
    static const char *const names[] = {"euler", "rk4", "adaptive", "rattle", "radau"};
    return names[s->integrator >= 0 && s->integrator < 5 ? s->integrator : 0];
}

/* a process reports the start of its first step, and the number of its steps whenever that has doubled */
static void printCrash(const Summary *s, int signal, const char *program)
{
    const double taken = s->steps + s->native_steps + s->failed;
    if (taken > 0)
        messagePrint("%s was ended by signal %d (%s) after at least %.0f step%s", program, signal, strsignal(signal),
                     taken, ukPlural(taken));
    else
        messagePrint("%s was ended by signal %d (%s) in its first step", program, signal, strsignal(signal));
}

/* Prints the imbalance with the larger share: by work, or by the impulse of free bodies. */
static void printImbalance(const Summary *s)
{
    if (s->imbalance_impulse * s->imbalance_energy > s->imbalance_work * s->imbalance_momentum)
        messagePrint("the two forces of %s are not collinear: their net torque has changed the angular momentum of "
                     "its bodies by %.3g N m s, of at most %.3g; --joints exact avoids it",
                     s->imbalance_joint, s->imbalance_impulse, s->imbalance_momentum);
    else
        messagePrint("the two forces of %s are not collinear: the work of their net torque has changed the energy of "
                     "its bodies by %.3g J, of at most %.3g J; --joints exact avoids it",
                     s->imbalance_joint, s->imbalance_work, s->imbalance_energy);
}

static void printLinearMotor(const Summary *s)
{
    messagePrint("the linear motor of %s has moved it by %.3g m instead of %.3g m: ODE's row of it contains the "
                 "rotation of its bodies; --joints exact avoids it",
                 s->linear_motor_joint, s->linear_motor_way, s->linear_motor_row);
}

/* energy that no force of the model gives */
static void printEnergy(const Summary *s)
{
    if (s->surges > 0)
        messagePrint(
            "energy without a physical cause: in %.0f step%s the correction of position errors accelerated bodies "
            "(largest at %.4g s: %.3g J, added to %.3g J); the program may depend on unconverged iterations: see "
            "docs/unconverged.md",
            s->surges, ukPlural(s->surges), s->surge_time, s->surge_work, s->surge_before);
    if (s->explosion_steps > 0)
        messagePrint(
            "explosion: the kinetic energy grows exponentially (at %.4g s: from %.3g J by a factor of %.3g "
            "in %.0f steps), to %.3g J at most; the report of a recording (ukode record --inputs, ukode report) "
            "names the cause and tries remedies",
            s->explosion_time, s->explosion_before, s->explosion_grown, s->explosion_steps, s->explosion_most);
    if (s->imbalance_joint[0]) printImbalance(s);
    if (s->linear_motor_joint[0]) printLinearMotor(s);
}

/* steps that solve their equations and are too long for the motion */
static void printOpening(const Summary *s)
{
    messagePrint(
        "steps too long for the motion: one of them opens %s by %.3g m (at %.4g s; its bodies are %.3g m long there); "
        "use %sa shorter step",
        s->opening_joint, s->opening, s->opening_time, s->opening_length,
        strcmp(integratorOf(s), "adaptive") == 0 ? "" : "--integrator adaptive or ");
}

static void printEnergyError(const Summary *s)
{
    messagePrint("steps too long for the motion: their errors have %s %.3g J (the largest kinetic energy is %.3g J); "
                 "use --integrator adaptive or a shorter step",
                 s->energy_error > 0 ? "added" : "removed", fabs(s->energy_error), s->energy_kinetic);
}

static void printPole(const Summary *s)
{
    messagePrint(
        "singular Euler angles: axes 1 and 3 of %s are parallel within %.2g degrees (at %.4g s): its "
        "motors, and under ODE's own steps its stops, do not hold the angles that are set; use dAMotorUser, or "
        "axes that stay apart",
        s->pole_joint, asin(fmin(s->pole_sine, 1)) * 180 / acos(-1), s->pole_time);
}

/* The cause of many evaluations, and a remedy where there is one. Events are located at any tolerance; below 1e-6 the
 * number of sub-steps depends on it, above rather on the fastest motion. */
static void printCause(const Summary *s)
{
    static const double often = 0.1, fine = 1e-6;
    const bool rattle = strcmp(integratorOf(s), "rattle") == 0;
    if (s->events >= often)
        fprintf(stderr,
                "%.2g events per step (stops, motors of bounded force, dry friction; most in one step: %s); "
                "--integrator euler handles them at the ends of steps",
                s->events, s->event_source);
    else
        fprintf(stderr, "it tried %.2g %s per step%s", s->attempts, rattle ? "parts" : "sub-steps",
                rattle ? ", because steps are too long for the fastest motion; use --integrator adaptive "
                         "or a shorter step"
                : s->tolerance < fine ? "; --tolerance 1e-6 takes fewer"
                                      : ", for the fastest motion");
}

/* An integrator that takes many times the evaluations of a plain step. */
static void printCost(const Summary *s)
{
    if (!(s->evaluations > ukManyEvaluations * s->plain_evaluations)) return;
    fprintf(stderr, "ukode: %s evaluated the equations %.3g times per step, %.2g times as often as in a plain step: ",
            integratorOf(s), s->evaluations, s->evaluations / s->plain_evaluations);
    printCause(s);
    fprintf(stderr, "\n");
}

/* Euler's method with the exact rows is not that of --integrator euler, whose rows are ODE's. */
static void printNoEffect(const Summary *s)
{
    static const char euler[] = "and was stepped by euler with the exact rows of --joints exact";
    const bool adaptive = strcmp(integratorOf(s), "adaptive") == 0 || strcmp(integratorOf(s), "radau") == 0;
    if (!s->apart) {
        messagePrint("%s had no effect: every island had contacts, %s, as under every integrator but euler",
                     integratorOf(s), euler);
        return;
    }
    messagePrint("%s had no effect: every island had contacts%s, %s%s", integratorOf(s),
                 adaptive ? " or stops of the discrete form"
                          : ", motors of finite force, springs or stops of the discrete form",
                 euler, adaptive ? "" : "; --integrator adaptive also takes motors and springs");
}

/* everything unexpected, a line each */
static void printFaults(const Summary *s, const LaunchResult *result, const char *program)
{
    if (result->signal && s->ended < s->started) printCrash(s, result->signal, program);
    if (s->uninitialized > 0)
        messagePrint("the program never called dInitODE or dInitODE2: ODE's own stepper and collision detection "
                     "crash without it; call dInitODE2(0) first");
    if (s->ended < s->started && !result->signal)
        messagePrint("%d of %d process%s that stepped did not complete the summary (killed, or replaced by another "
                     "program): steps may be missing here",
                     s->started - s->ended, s->started, s->started == 1 ? "" : "es");
    if (s->fallbacks > 0)
        messagePrint("%.0f of %.0f steps were left to ODE's own stepper (%s)%s%s", s->fallbacks,
                     s->steps + s->fallbacks, s->reasons[0] ? s->reasons : "unknown reason",
                     s->first_reason[0] ? "; the first: " : "", s->first_reason);
    if (s->failed > 0)
        messagePrint("%.0f of %.0f steps failed and left their world unchanged (%s): UKODE_VERBOSE=1 prints each%s%s",
                     s->failed, s->steps + s->fallbacks + s->failed, s->reasons[0] ? s->reasons : "unknown reason",
                     s->first_reason[0] ? "; the first: " : "", s->first_reason);
    if (strstr(s->reasons, "lapack"))
        messagePrint("LAPACK failed, or LAPACKE is not installed (Debian: liblapacke): see ukode info");
    if (s->rejected > 0)
        messagePrint("the Gauss check rejected %.0f of %.0f steps (largest residual: feasibility %.1e, "
                     "stationarity %.1e, complementarity %.1e)",
                     s->rejected, s->checked, s->feasibility, s->stationarity, s->complementarity);
    printEnergy(s);
    if (s->opening_joint[0]) printOpening(s);
    if (s->yielding_joint[0])
        messagePrint("the world's CFM of %.3g opens %s by %.3g m: it makes all joints springs; dWorldSetCFM(world, "
                     "1e-9), or at most 1e-5",
                     s->yielding_cfm, s->yielding_joint, s->yielding);
    if (s->energy_error != 0) printEnergyError(s);
    if (s->pole_joint[0]) printPole(s);
    printCost(s);
    if (s->idle_limits > 0) {
        fprintf(stderr, "ukode: stops or motors without effect: %s", s->idle_limit);
        if (s->idle_limits > 1) fprintf(stderr, "; and %.0f more: --verbose names them", s->idle_limits - 1);
        fprintf(stderr, "\n");
    }
    if (s->discrete_islands > 0 && s->integrated_islands == 0) printNoEffect(s);
}

/* Prints objects that the configuration names and that the run did not have; false: there are none. */
static bool printMisnamed(const Summary *s)
{
    if (s->unknown_joint > 0)
        messagePrint("error: the configuration names joint %.0f, which the program never created", s->unknown_joint);
    if (s->unknown_body > 0)
        messagePrint("error: the configuration names body %.0f, which the program never created", s->unknown_body);
    for (int i = 0; i < s->unset_bodies; i++)
        messagePrint("error: the configuration sets body %s, which no world had at its first step", s->unset_body[i]);
    if (s->unable_joint > 0)
        messagePrint("error: the configuration sets a law of joint %.0f, whose type cannot have it", s->unable_joint);
    return s->unknown_joint > 0 || s->unknown_body > 0 || s->unset_bodies > 0 || s->unable_joint > 0;
}

static void printMore(const Summary *s)
{
    messagePrint("certificate: %.0f of %.0f checked steps rejected; largest residuals: feasibility %.1e, stationarity "
                 "%.1e, complementarity %.1e; largest position error %.2e",
                 s->rejected, s->checked, s->feasibility, s->stationarity, s->complementarity, s->position_error);
    if (s->discrete_islands > 0)
        messagePrint("%s took %.0f of %.0f islands, euler the others", integratorOf(s), s->integrated_islands,
                     s->integrated_islands + s->discrete_islands);
}

/* the one line of every run that stepped */
static void printSteps(const Summary *s)
{
    const double foreign = s->native_steps - s->fallbacks;
    fprintf(stderr, "ukode: %.0f step%s", s->steps, ukPlural(s->steps));
    if (s->steps > 0) fprintf(stderr, ", %.3g us each", 1e6 * s->seconds_per_step);
    fprintf(stderr, "; %.0f fallback%s to ODE's own step", s->fallbacks, ukPlural(s->fallbacks));
    if (s->checked > 0 || s->steps == 0)
        fprintf(stderr, "; %.0f not certified", s->rejected);
    else
        fprintf(stderr, "; not checked");
    if (s->compromised > 0)
        fprintf(stderr, "; %.0f compromised (relative residual up to %.1e)", s->compromised, s->compromise);
    if (s->cfm_islands > 0) fprintf(stderr, "; CFM ignored in %.0f island%s", s->cfm_islands, ukPlural(s->cfm_islands));
    if (foreign > 0)
        fprintf(stderr, "; %.0f in worlds without ukode, %.3g us each", foreign, 1e6 * s->seconds_per_native_step);
    fprintf(stderr, "\n");
}

/* no step reached the library: the cause, as the library found it in the process, or from the program's file */
static void printNothing(const Summary *s, const char *program)
{
    char reason[1300];
    for (int i = 0; i < s->unserved_count; i++)
        messagePrint("nothing was stepped by ukode: %s; the program ran on its own stepper", s->unserved[i]);
    if (s->unserved_count > 0) return;
    if (targetRefuses(program, reason, sizeof reason))
        messagePrint("nothing was stepped: %s", reason);
    else if (s->unreached[0])
        messagePrint("nothing was stepped: %s", s->unreached);
    else
        messagePrint("nothing was stepped: no process of %s loaded ODE", program);
}

static void printComment(const Summary *s, const LaunchResult *result, const char *program)
{
    const bool native = ukOptionFlag(getenv("UKODE_DISABLE")) > 0;
    if (s->started == 0 && result->signal) {
        messagePrint("%s was ended by signal %d (%s) before it stepped a world of a shared libode", program,
                     result->signal, strsignal(result->signal));
        return;
    }
    if (s->started == 0) {
        printNothing(s, program);
        return;
    }
    summaryPrintUnserved(s);
    printFaults(s, result, program);
    if (s->hashed > 0)
        messagePrint("hash of the final state %016llx%016llx", (unsigned long long)s->hash[0],
                     (unsigned long long)s->hash[1]);
    if (ukOptionFlag(getenv("UKODE_VERBOSE")) > 0) printMore(s);
    if (s->steps == 0 && s->fallbacks == 0 && s->failed == 0) {
        if ((quiet && native) || s->native_steps == 0) return;
        messagePrint("all %.0f steps were ODE's own%s, %.3g us each", s->native_steps, native ? ", as requested" : "",
                     1e6 * s->seconds_per_native_step);
    } else if (!quiet) {
        printSteps(s);
    }
}

int runProgram(char **program, bool *stepped)
{
    if (!recordPrepare()) return ExitNotRun;
    if (!launchPreload()) return ExitNoLibrary;
    if (progressBegin()) setenv("UKODE_PROGRESS", "1", 1);
    if (!listenBegin()) return ExitNotRun;

    const LaunchResult result = launchProgram(program, false, 0);
    Summary summary;
    char *const lines = listenEnd();
    progressEnd();
    summaryRead(lines, &summary);
    free(lines);
    if (result.status != ExitNotFound && result.status != ExitNotRun) printComment(&summary, &result, program[0]);
    if (stepped) *stepped = summary.started > 0;
    const bool misnamed = printMisnamed(&summary); /* the library has printed which files it could not write */
    return (misnamed || summary.unwritten > 0) && result.status == 0 ? ExitMisnamed : result.status;
}

static int runRun(int argc, char **argv)
{
    int status;
    const int first = launchOptions(argc, argv, &commandRun, &status);
    if (first < 0) return status;
    if (!launchRecords()) return ExitUsage;
    return runProgram(argv + first, NULL);
}

const Command commandRun = {
    .name = "run",
    .runs = true,
    .arguments = "[options] -- program arguments",
    .purpose = "runs an ODE program with ukode's steps, and ends with a summary line on stderr",
    .options =
        (const Option[]){OPTION_FLAG("--quiet", &quiet, "do not print the closing line; warnings are still printed"),
                         {0}},
    .run = runRun,
};
