/* SPDX-License-Identifier: BSD-3-Clause */
/* ODE's default CFM in a closed loop (Bricard's linkage): set aside and told, once, or left where the user asks for
 * that; and whoever solves, dense or sparse, solves the same problem. */
#include <string.h>
#include <unistd.h>

#include <ukode/ukode.h>

#include "bridge/base/log.h"
#include "demos/scenes.h"
#include "tests/check.h"

enum { Steps = 50, Solvers = 5 }; /* all but the one that needs full rank */

static ukCfmRule rule;

/* how often CFM was set aside */
static int follow(void)
{
    Scene *scene = sceneByName("bricard", 0);
    int aside = 0;
    CHECK(ukWorldSetCfmRule(scene->world, rule) == 0);
    for (int i = 0; i < Steps; i++) {
        ukReport r;
        CHECK(sceneStep(scene, 0.01, ukWorldStep) == 1 && ukWorldGetReport(scene->world, &r) == 0 && r.ok);
        aside += r.cfm_islands;
    }
    sceneDestroy(scene);
    return aside;
}

static void told(ukCfmRule which, bool expected)
{
    static char text[65536];
    int ends[2];
    const int saved = dup(STDERR_FILENO);
    if (!CHECK(pipe(ends) == 0)) return;
    dup2(ends[1], STDERR_FILENO);
    rule = which;
    ukLogSetVerbose(true);
    const int aside = follow();
    ukLogSetVerbose(false);
    dup2(saved, STDERR_FILENO);
    close(ends[1]);
    close(saved);
    const ssize_t n = read(ends[0], text, sizeof text - 1);
    close(ends[0]);
    text[n > 0 ? n : 0] = 0;
    const char *line = strstr(text, "CFM of 1e-10 is ignored");
    CHECK(expected ? aside > Steps / 2 : aside == 0);
    CHECK((line != NULL) == expected);
    CHECK(!line || !strstr(line + 1, "CFM of 1e-10"));
}

/* the same motion, for as long as a step takes it */
static void solvers(void)
{
    Scene *scene[Solvers];
    int aside = 0;
    for (int k = 0; k < Solvers; k++) {
        scene[k] = sceneByName("bricard", 0);
        CHECK(ukWorldSetSolver(scene[k]->world, (ukSolver)(ukSolverSparse + k)) == 0);
    }
    for (int i = 0; i < Steps; i++) {
        ukReport first = {0}, r;
        for (int k = 0; k < Solvers; k++) {
            CHECK(sceneStep(scene[k], 0.01, ukWorldStep) == 1 && ukWorldGetReport(scene[k]->world, &r) == 0 && r.ok);
            if (k == 0) first = r;
            CHECK(r.cfm_islands == first.cfm_islands && r.rank == first.rank);
            for (int b = 0; b < scene[k]->count; b++) {
                const dBodyID x = scene[k]->bodies[b], y = scene[0]->bodies[b];
                CHECK_NEAR_ALL(dBodyGetLinearVel(x), dBodyGetLinearVel(y), 3, 1e-9);
                CHECK_NEAR_ALL(dBodyGetAngularVel(x), dBodyGetAngularVel(y), 3, 1e-9);
            }
        }
        aside += first.cfm_islands;
    }
    CHECK(aside > Steps / 2);
    for (int k = 0; k < Solvers; k++) sceneDestroy(scene[k]);
}

int main(void)
{
    dInitODE2(0);
    told(ukCfmAuto, true);
    told(ukCfmOde, false);
    solvers();
    dCloseODE();
    return ukTestEnd();
}
