/* SPDX-License-Identifier: BSD-3-Clause */
/* Joint types x situations x integrators x orders of attachment, against closed forms and invariants. `test_matrix
 * --table` prints the tables of docs/accuracy.md, which tests/matrix.sh compares. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/matrix/matrix.h"

static const char *const integrator_name[Integrators] = {"Euler", "RK4", "adaptive", "RATTLE"};

/* Whether islands are stepped in the discrete form under other integrators than Euler, which says so: never (0), in
 * some steps, under each, under all but adaptive. */
enum { Some = 1, Always, Discrete };

/* What a situation may be off by under each integrator: rounding, CFM (of ODE's default: 1e-10), or the order of the
 * integrator. */
static const struct {
    const char *name, *checked;
    Situation *of;
    double most[Integrators];
    int form;
} situations[] = {
    {"impulse",
     "feedback × h = change of momentum; total momentum; opposite wrenches",
     freeImpulse,
     {1e-13, 1e-13, 1e-13, 1e-13},
     0},
    {"invariants", "energy, angular momentum of both bodies, over 0.5 s", freeMomentum, {2e-3, 2e-9, 1e-12, 2e-5}, 0},
    {"order", "pose after 0.4 s (the order is also tested)", freeOrder, {1e-3, 1e-9, 1e-12, 3e-5}, 0},
    {"velocity set", "satisfies the joint after one step, impulse", setVelocity, {1e-7, 1e-13, 1e-13, 1e-13}, 0},
    {"motor, infinite", "rate at once, position, impulse", infiniteMotor, {1e-6, 1e-12, 1e-12, 1e-6}, 0},
    {"motor, finite",
     "velocity F t/m up to its speed, position, impulse",
     finiteMotor,
     {1e-2, 1e-2, 1e-12, 1e-2},
     Discrete},
    {"stop", "e = 0, split: rate 0, position, impulse", reachedStop, {1e-8, 1e-8, 1e-8, 1e-8}, 0},
    {"bounce", "e = 0.5 and 1: rates, momentum, impulse", bouncedOff, {1e-6, 1e-9, 1e-9, 1e-9}, Some},
    {"struck twice",
     "two equal joints between the same bodies, struck at once, e = 0 and 1",
     struckTwice,
     {1e-6, 1e-7, 1e-7, 1e-7},
     Some},
    {"locked", "lo = hi: rate 0, position, impulse", locked, {1e-7, 1e-12, 1e-12, 1e-12}, 0},
    {"constraint", "q¨ = 1: position, rate, impulse", bareConstraint, {5e-3, 1e-12, 1e-12, 1e-6}, 0},
    {"with error", "q¨ = 1 with an error function", heldConstraint, {2e-2, 1e-11, 1e-11, 1e-11}, 0},
    {"viscous", "exp(-c t/m), impulse", viscousLaw, {1e-2, 3e-9, 1e-11, 5e-5}, 0},
    {"dry", "position at rest, impulse", dryLaw, {1e-2, 1e-12, 1e-12, 5e-5}, 0},
    {"user law", "exp(-t/m), impulse", ownLaw, {1e-2, 1e-8, 1e-11, 5e-5}, 0},
    {"contact", "impulse, friction's cone, rolling after sliding", slidingContact, {1e-8, 1e-8, 1e-8, 1e-8}, Always},
};
enum { Situations = sizeof situations / sizeof *situations, MostKinds = 32 };

static const char *const attachment_name[Attachments] = {"(b, 0)", "(0, b)", "(b, base)", "(base, b)"};
static double errors[MostKinds][Situations][Integrators];

/* whether islands were stepped in the form that is documented */
static bool inForm(const Kind *kind, int form, int integrator)
{
    if (form == Some || !kind->make || integrator == ukIntegratorEuler) return true;
    if (form == Discrete && integrator == ukIntegratorAdaptive) form = 0;
    return form == 0 ? discrete_steps == 0 : discrete_steps > 0;
}

static void fill(int kind, int situation, int integrator)
{
    double *most = &errors[kind][situation][integrator];
    *most = -1;
    for (int a = 0; a < Attachments; a++) {
        discrete_steps = 0;
        const double error = situations[situation].of(&kinds[kind], a, integrator);
        if (error < 0) continue;
        *most = larger(*most, error);
        if (!CHECK(error <= situations[situation].most[integrator] &&
                   inForm(&kinds[kind], situations[situation].form, integrator)))
            printf("  %s %s, %s, %s: off by %.2g, %d discrete islands\n", kinds[kind].name, attachment_name[a],
                   situations[situation].name, integrator_name[integrator], error, discrete_steps);
    }
}

/* digits of agreement, at most 15 */
static void printCell(const double error[Integrators])
{
    printf(error[0] < 0 ? " – |" : " ");
    for (int i = 0; i < Integrators && error[0] >= 0; i++)
        printf("%d%s", error[i] > 1e-15 ? (int)floor(-log10(error[i])) : 15, i < Integrators - 1 ? "/" : " |");
}

static void printTables(void)
{
    printf("| situation | checked | Euler | RK4 | adaptive | RATTLE |\n|---|---|---|---|---|---|\n");
    for (int s = 0; s < Situations; s++) {
        printf("| %s | %s |", situations[s].name, situations[s].checked);
        for (int i = 0; i < Integrators; i++) {
            double most = 0;
            for (int k = 0; k < kind_count; k++) most = larger(most, errors[k][s][i]);
            printf(" %.0e |", most);
        }
        printf("\n");
    }
    printf("\n| joint |");
    for (int s = 0; s < Situations; s++) printf(" %s |", situations[s].name);
    printf("\n|---|");
    for (int s = 0; s < Situations; s++) printf("---|");
    printf("\n");
    for (int k = 0; k < kind_count; k++) {
        printf("| %s |", kinds[k].name);
        for (int s = 0; s < Situations; s++) printCell(errors[k][s]);
        printf("\n");
    }
}

int main(int count, char **arguments)
{
    const bool table = count > 1 && strcmp(arguments[1], "--table") == 0;
    dInitODE2(0);
    CHECK(kind_count <= MostKinds);
    for (int k = 0; k < kind_count; k++)
        for (int s = 0; s < Situations; s++)
            for (int i = 0; i < Integrators; i++) fill(k, s, i);
    dCloseODE();
    if (!table) return ukTestEnd();
    printTables();
    return ukTestFailed != 0;
}
