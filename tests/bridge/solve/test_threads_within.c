/* SPDX-License-Identifier: BSD-3-Clause */
/* Large islands, whose work is divided among threads: the same bits with one thread and with several; every step is
 * certified; one failure names the same body and leaves the world unchanged; two such islands side by side. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include <ukode/ukode.h>

#include "demos/scenes.h"
#include "solvers/problem/partition.h"
#include "tests/check.h"
#include "tests/support/body_state.h"

enum { Steps = 4 };

static uint64_t hashScene(const Scene *s, uint64_t hash)
{
    for (int i = 0; i < s->count; i++) hash = hashBody(hash, s->bodies[i]);
    return hash;
}

/* hash of all states and reports; *least: the fewest unknowns of a step */
static uint64_t play(const char *name, int size, int threads, int *least)
{
    Scene *s = sceneByName(name, size);
    uint64_t hash = 0;
    ukReport r;
    *least = 1 << 30;
    CHECK(ukWorldSetThreads(s->world, threads) == 0);
    for (int k = 0; k < Steps; k++) {
        CHECK(sceneStep(s, 0.002, ukWorldStep));
        CHECK(ukWorldGetReport(s->world, &r) == 0);
        CHECK(r.ok && r.feasibility < 1e-12 && r.stationarity < 1e-12);
        const dReal told[] = {r.gaussian,       r.feasibility,    r.stationarity, r.complementarity,
                              r.velocity_error, r.position_error, (dReal)r.rank};
        hash = hashBytes(hashScene(s, hash), told, sizeof told);
        if (6 * r.bodies + r.rows < *least) *least = 6 * r.bodies + r.rows;
    }
    sceneDestroy(s);
    return hash;
}

static void testScenes(void)
{
    static const struct {
        const char *name;
        int size;
    } scene[] = {{"chain", 3700}, {"chain", 9200}, {"loop", 4600}, {"tree", 4095}, {"hub", 4500}, {"net", 62}};
    for (size_t i = 0; i < sizeof scene / sizeof *scene; i++) {
        int unknowns;
        const uint64_t one = play(scene[i].name, scene[i].size, 1, &unknowns);
        printf("%s %d: %d unknowns, %016llx\n", scene[i].name, scene[i].size, unknowns, (unsigned long long)one);
        for (int threads = 2; threads <= 4; threads++)
            CHECK(play(scene[i].name, scene[i].size, threads, &unknowns) == one);
    }
}

/* A force that is not finite: the step fails, names the body, and changes nothing. */
static void testFailure(void)
{
    char message[2][256];
    for (int threads = 1; threads <= 2; threads++) {
        Scene *s = sceneByName("chain", 3700);
        CHECK(ukWorldSetThreads(s->world, threads) == 0);
        CHECK(sceneStep(s, 0.002, ukWorldStep));
        const uint64_t before = hashScene(s, 0);
        dBodyAddForce(s->bodies[1234], NAN, 0, 0);
        dBodyAddForce(s->bodies[3600], NAN, 0, 0);
        CHECK(!sceneStep(s, 0.002, ukWorldStep));
        snprintf(message[threads - 1], sizeof message[0], "%s", ukGetLastErrorMessage());
        CHECK(hashScene(s, 0) == before);
        for (int k = 0; k < 2; k++) dBodySetForce(s->bodies[k == 0 ? 1234 : 3600], 0, 0, 0);
        CHECK(sceneStep(s, 0.002, ukWorldStep));
        sceneDestroy(s);
    }
    printf("%s\n", message[0]);
    CHECK(strcmp(message[0], message[1]) == 0 && strstr(message[0], "force is not finite") != NULL);
}

/* A chain of hinges that hangs from (0, y, 0). stops: every 90th hinge has narrow stops, so that rows come and go,
 * every 180th a motor, too, which pushes at its stops. */
static void hang(dWorldID world, dReal y, int links, dBodyID *body, bool stops)
{
    for (int k = 0; k < links; k++) {
        dMass mass;
        body[k] = dBodyCreate(world);
        dMassSetBoxTotal(&mass, 1, 0.2, 0.1, 0.1);
        dBodySetMass(body[k], &mass);
        dBodySetPosition(body[k], 0.2 * k + 0.1, y, 0);
        dJointID hinge = dJointCreateHinge(world, NULL);
        dJointAttach(hinge, k % 2 ? body[k - 1] : body[k], k % 2 ? body[k] : k > 0 ? body[k - 1] : NULL);
        dJointSetHingeAnchor(hinge, 0.2 * k, y, 0);
        dJointSetHingeAxis(hinge, 0, k % 2, !(k % 2));
        if (!stops || k % 90 != 7) continue;
        dJointSetHingeParam(hinge, dParamLoStop, -1e-6 * k);
        dJointSetHingeParam(hinge, dParamHiStop, 1e-6 * k);
        if (k % 180 == 7) continue;
        dJointSetHingeParam(hinge, dParamVel, k % 4 < 2 ? 0.5 : -0.5);
        dJointSetHingeParam(hinge, dParamFMax, 2);
    }
}

static uint64_t playTwo(int threads)
{
    enum { Links = 3700 };
    static dBodyID body[2 * Links];
    dWorldID world = dWorldCreate();
    uint64_t hash = 0;
    dWorldSetGravity(world, 0, 0, -9.8);
    ukWorldEnable(world);
    CHECK(ukWorldSetThreads(world, threads) == 0);
    hang(world, 0, Links, body, false);
    hang(world, 5, Links, body + Links, false);
    for (int k = 0; k < Steps; k++) {
        CHECK(ukWorldStep(world, 0.002));
        for (int i = 0; i < 2 * Links; i++) hash = hashBody(hash, body[i]);
    }
    dWorldDestroy(world);
    return hash;
}

/* *rows: the sum of the rows of all steps */
static uint64_t playStops(int threads, int *rows)
{
    enum { Links = 3700 };
    static dBodyID body[Links];
    dWorldID world = dWorldCreate();
    uint64_t hash = 0;
    ukReport r;
    int changes = 0, last = 0;
    *rows = 0;
    dWorldSetGravity(world, 0, 0, -9.8);
    ukWorldEnable(world);
    CHECK(ukWorldSetThreads(world, threads) == 0);
    hang(world, 0, Links, body, true);
    for (int k = 0; k < 8; k++) {
        CHECK(ukWorldStep(world, 0.002));
        CHECK(ukWorldGetReport(world, &r) == 0);
        CHECK(r.ok);
        *rows += r.rows;
        changes += k > 0 && r.rows != last;
        last = r.rows;
        for (int i = 0; i < Links; i++) hash = hashBody(hash, body[i]);
    }
    CHECK(changes > 0); /* the places of the last step are then wrong ones */
    dWorldDestroy(world);
    return hash;
}

static void testStops(void)
{
    int rows[4];
    const uint64_t one = playStops(1, &rows[0]);
    for (int threads = 2; threads <= 4; threads++)
        CHECK(playStops(threads, &rows[threads - 1]) == one && rows[threads - 1] == rows[0]);
    printf("stops: %d rows in 8 steps\n", rows[0]);
    CHECK(rows[0] > 8 * 5 * 3700);
}

int main(void)
{
    dInitODE2(0);
    testScenes();
    testStops();
    testFailure();
    const uint64_t one = playTwo(1);
    CHECK(playTwo(2) == one);
    CHECK(playTwo(3) == one);
    dCloseODE();
    return ukTestEnd();
}
