/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/bench/gate/gate.c: compares the passes (factorizations) of scenes and random islands with stored counts. The
 * counts do not depend on the speed or the load of the machine.
 * Usage: gate          exit status 1 where a case takes more than 3 % more passes than stored, or a step fails
 *        gate --store  stores the present counts, in tests/bench/gate/passes.txt
 *        gate --steps CASE ITERATIONS STEPS    takes the steps of one case, for instructions.py
 *
 * A line of that file is CASE ITERATIONS STEPS PASSES; # begins a comment. CASE is SCENE:SIZE/LAW, or an integrator in
 * place of LAW, where a step has at most ITERATIONS fixed-point iterations on the friction bounds, or islands:ROWS/LAW
 * (warm: from their own solution), where STEPS random islands of at most ROWS rows are solved. PASSES is the sum over
 * all steps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demos/scenes.h"
#include "solvers/base/status.h"
#include "tests/solvers/bounded_oracle.h"
#include "ukode/ukode.h"

enum { MaxCases = 64, MaxLine = 256 };
static const double allowed = 1.03; /* passes relative to the stored ones */

typedef struct GateCase {
    char name[64]; /* with the law */
    int iterations, steps;
    long stored, passes; /* passes: of this build; -1: a step failed */
} GateCase;

typedef struct GateLaw {
    const char *name;
    SceneStepFn *step;
    ukFriction friction;
    ukFrictionLaw island;
    int warm;
    ukIntegrator integrator;
} GateLaw;

static const GateLaw *lawByName(const char *name)
{
    static const GateLaw laws[] = {
        {"two-phase", ukWorldStep, ukFrictionOde, ukFrictionTwoPhase, 0, ukIntegratorEuler},
        {"box", dWorldQuickStep, ukFrictionOde, ukFrictionCoupled, 0, ukIntegratorEuler},
        {"cone", dWorldQuickStep, ukFrictionCone, ukFrictionElliptic, 0, ukIntegratorEuler},
        {"two-phase-warm", ukWorldStep, ukFrictionOde, ukFrictionTwoPhase, 1, ukIntegratorEuler},
        {"rk4", ukWorldStep, ukFrictionOde, ukFrictionTwoPhase, 0, ukIntegratorRK4},
        {"adaptive", ukWorldStep, ukFrictionOde, ukFrictionTwoPhase, 0, ukIntegratorAdaptive},
        {"rattle", ukWorldStep, ukFrictionOde, ukFrictionTwoPhase, 0, ukIntegratorRattle},
    };
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
        if (strcmp(name, laws[i].name) == 0) return &laws[i];
    return NULL;
}

static long countScene(const char *scene, int n, const GateLaw *law, const GateCase *c)
{
    long passes = 0;
    Scene *s = sceneByName(scene, n);
    if (!s) return -1;
    ukWorldEnable(s->world);
    ukWorldSetFriction(s->world, law->friction);
    ukWorldSetFrictionRounds(s->world, c->iterations);
    ukWorldSetIntegrator(s->world, law->integrator);
    for (int i = 0; i < c->steps && passes >= 0; i++) {
        ukReport report;
        if (sceneStep(s, 0.01, law->step) == 1 && ukWorldGetReport(s->world, &report) == 0 && report.ok)
            passes += report.factorizations;
        else
            passes = -1;
    }
    sceneDestroy(s);
    return passes;
}

/* Random islands without a warm start; `warm`: those solved to 1e-11, once more from their own solution. */
static long countIslands(int rows, const GateLaw *law, const GateCase *c)
{
    static ukOracleProblem o;
    ukRandom random = {21};
    ukFrictionSolver *solver = ukFrictionSolverCreate();
    const ukFrictionChoice choice = {.law = law->island, .iterations = c->iterations, .tolerance = 1e-9};
    long passes = 0;
    if (rows > ukOracleRows) return -1;
    for (int k = 0; k < c->steps && passes >= 0; k++) {
        double qdd[6 * ukOracleBodies], lambda[ukOracleRows], guess[ukOracleRows], lo[ukOracleRows], hi[ukOracleRows];
        double loads[ukOracleRows] = {0}; /* the guess of phase 1 */
        ukSolution s = {.qdd = qdd, .lambda = lambda, .lo = lo, .hi = hi, .loads = law->warm ? loads : NULL};
        ukOracleBegin(&o, &random, ukRandomInt(&random, 1, 4));
        ukOracleFill(&o, &random, ukRandomInt(&random, rows / 4, rows), k % 2 ? 1e-6 : 1e-3, 1, true);
        int failed = ukFrictionSolve(solver, &o.p, &choice, NULL, &s) != ukOk || !(s.residual <= 1e-9);
        if (law->warm && !failed) {
            if (s.residual > 1e-11) continue; /* a warm start improves it, in a pass */
            memcpy(guess, lambda, sizeof guess);
            failed = ukFrictionSolve(solver, &o.p, &choice, guess, &s) != ukOk || !(s.residual <= 1e-9);
        }
        passes = failed ? -1 : passes + s.passes;
    }
    ukFrictionSolverDestroy(solver);
    return passes;
}

/* passes of the case, -1: a step failed, or there is no such scene or law */
static long countPasses(const GateCase *c)
{
    char scene[64];
    const char *const colon = strchr(c->name, ':'), *const slash = strchr(c->name, '/');
    const GateLaw *const law = slash ? lawByName(slash + 1) : NULL;
    if (!colon || !law) return -1;
    const int n = atoi(colon + 1);
    snprintf(scene, sizeof scene, "%.*s", (int)(colon - c->name), c->name);
    return strcmp(scene, "islands") == 0 ? countIslands(n, law, c) : countScene(scene, n, law, c);
}

/* Reads the cases, and the comments ahead of them; their number, -1 where the file is missing or a line is wrong. */
static int readCases(const char *path, GateCase *cases, char *head, size_t head_size)
{
    char line[MaxLine];
    int count = 0;
    FILE *file = fopen(path, "r");
    if (!file) return -1;
    while (count >= 0 && fgets(line, sizeof line, file)) {
        GateCase *const c = &cases[count < MaxCases ? count : 0];
        if (line[0] == '#') {
            if (strlen(head) + strlen(line) < head_size) strcat(head, line);
        } else if (count < MaxCases &&
                   sscanf(line, "%63s %d %d %ld", c->name, &c->iterations, &c->steps, &c->stored) == 4) {
            count++;
        } else {
            fprintf(stderr, "gate: %s: not CASE ITERATIONS STEPS PASSES, or too many cases: %s", path, line);
            count = -1;
        }
    }
    fclose(file);
    return count > 0 ? count : -1;
}

static int storeCases(const char *path, const char *head, const GateCase *cases, int count)
{
    FILE *file = fopen(path, "w");
    if (!file) return -1;
    fputs(head, file);
    for (int i = 0; i < count; i++)
        fprintf(file, "%-26s %2d %5d %7ld\n", cases[i].name, cases[i].iterations, cases[i].steps, cases[i].passes);
    return fclose(file);
}

/* Counts and prints each case; how many have failed, or take more than is allowed; *fewer: how many take fewer. */
static int compareCases(GateCase *cases, int count, int store, int *fewer)
{
    int bad = 0;
    for (int i = 0; i < count; i++) {
        GateCase *const c = &cases[i];
        c->passes = countPasses(c);
        const int more = !store && (double)c->passes > allowed * (double)c->stored, failed = c->passes < 0;
        bad += more || failed;
        *fewer += !failed && c->passes < c->stored;
        printf("%-26s %5d steps, %7ld passes, stored %7ld  %s\n", c->name, c->steps, c->passes, c->stored,
               failed                  ? "A STEP FAILED, or no such case"
               : more                  ? "MORE THAN 3 % MORE"
               : c->passes < c->stored ? "fewer"
                                       : "");
        fflush(stdout);
    }
    return bad;
}

int main(int argc, char **argv)
{
    static GateCase cases[MaxCases];
    char head[4096] = "";
    if (argc == 5 && strcmp(argv[1], "--steps") == 0) {
        GateCase one = {.iterations = atoi(argv[3]), .steps = atoi(argv[4])};
        snprintf(one.name, sizeof one.name, "%s", argv[2]);
        dInitODE2(0);
        one.passes = countPasses(&one);
        dCloseODE();
        return one.passes < 0;
    }
    const int store = argc == 2 && strcmp(argv[1], "--store") == 0;
    const int count = argc == 1 || store ? readCases(UKODE_GATE_FILE, cases, head, sizeof head) : -1;
    if (count < 0) {
        fprintf(stderr, "usage: gate [--store], with the counts in " UKODE_GATE_FILE "\n");
        return 2;
    }
    int fewer = 0;
    dInitODE2(0);
    const int bad = compareCases(cases, count, store, &fewer);
    dCloseODE();
    if (bad > 0) printf("gate: %d of %d cases fail\n", bad, count);
    if (store && bad == 0 && storeCases(UKODE_GATE_FILE, head, cases, count) != 0) return perror(UKODE_GATE_FILE), 2;
    if (fewer > 0 && !store) printf("gate: fewer passes in %d cases; to store them: %s --store\n", fewer, argv[0]);
    return bad > 0;
}
