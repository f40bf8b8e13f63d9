/* SPDX-License-Identifier: BSD-3-Clause */
/* Chains of hinged boxes that swing, stepped a thousand times a second in real time: what frames.sh measures.
 *
 *     crowd CHAINS LINKS SECONDS
 *
 * Prints what a step took after the first second, of the stepping thread's and of the process's processor time, in
 * percent of its period of 1 ms, and how many steps ended late. */
#include <ode/ode.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static dBodyID makeLink(dWorldID world, double x, double y)
{
    dMass mass;
    const dBodyID body = dBodyCreate(world);
    dMassSetBox(&mass, 1000, 0.1, 0.1, 0.2);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, x, y, 3);
    return body;
}

static void makeChain(dWorldID world, int links, double x, double y)
{
    dBodyID last = 0;
    for (int k = 0; k < links; k++) {
        const dBodyID body = makeLink(world, x + 0.2 * k, y);
        const dJointID joint = dJointCreateHinge(world, 0);
        dJointAttach(joint, body, last);
        dJointSetHingeAnchor(joint, x + 0.2 * k - 0.1, y, 3);
        dJointSetHingeAxis(joint, 0, 1, 0);
        last = body;
    }
}

int main(int argc, char **argv)
{
    const int chains = argc > 1 ? atoi(argv[1]) : 20, links = argc > 2 ? atoi(argv[2]) : 10;
    const int steps = 1000 * (argc > 3 ? atoi(argv[3]) : 10), warm = 1000;
    double thread = 0, process = 0, due;
    int late = 0;
    dInitODE2(0);
    const dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -9.81);
    for (int i = 0; i < chains; i++) makeChain(world, links, 0.5 * (i % 5), 0.5 * (i / 5));
    due = now(CLOCK_MONOTONIC);
    for (int i = 0; i < steps; i++) {
        if (i == warm) {
            thread = now(CLOCK_THREAD_CPUTIME_ID);
            process = now(CLOCK_PROCESS_CPUTIME_ID);
        }
        dWorldStep(world, 0.001);
        due += 0.001;
        const double left = due - now(CLOCK_MONOTONIC);
        if (left > 0)
            nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * left)}, NULL);
        else
            late++;
    }
    const double percent = 100 / (0.001 * (steps > warm ? steps - warm : 1));
    printf("thread %.2f %%, process %.2f %%, late %d\n", percent * (now(CLOCK_THREAD_CPUTIME_ID) - thread),
           percent * (now(CLOCK_PROCESS_CPUTIME_ID) - process), late);
    dWorldDestroy(world);
    dCloseODE();
    return 0;
}
