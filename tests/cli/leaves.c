/* SPDX-License-Identifier: BSD-3-Clause */
/* leaves HOW: steps a falling body after it has left the place where it was started: its directory, its descriptors,
 * its process. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ode/ode.h>

static void step(void)
{
    dInitODE2(0);
    const dWorldID world = dWorldCreate();
    dBodyCreate(world);
    for (int i = 0; i < 100; i++) dWorldStep(world, 0.01);
    dWorldDestroy(world);
    dCloseODE();
}

static void closeAll(void)
{
    for (int file = 3; file < 1024; file++) close(file);
}

/* every descriptor that the program did not open is a file of its own */
static void reuseAll(void)
{
    const int own = open("reused", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
    for (int file = 3; file < 1024; file++)
        if (file != own) dup2(own, file);
    if (write(own, "own\n", 4) != 4) perror("reused");
}

static int forked(void)
{
    int status = -1;
    const pid_t child = fork();
    if (child == 0) {
        step();
        return 0;
    }
    return waitpid(child, &status, 0) == child ? status : 1;
}

/* its parent ends first; this one is not the command's child any more, and is waited for by a pipe */
static int daemonized(void)
{
    int end[2];
    char c;
    if (pipe(end) != 0) return 1;
    if (fork() == 0) {
        close(end[0]);
        setsid();
        if (chdir("/") != 0 || fork() != 0) _exit(0);
        for (int file = 0; file < 1024; file++)
            if (file != end[1]) close(file);
        step();
        return 0; /* the end of the pipe is closed after the library told its sums */
    }
    close(end[1]);
    while (read(end[0], &c, 1) > 0) {}
    return 0;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    if (strcmp(how, "fork") == 0) return forked();
    if (strcmp(how, "daemon") == 0) return daemonized();
    if (strcmp(how, "close") == 0)
        closeAll();
    else if (strcmp(how, "reuse") == 0)
        reuseAll();
    else if (strcmp(how, "mute") == 0)
        close(STDERR_FILENO);
    else if (chdir(how) != 0)
        return 1;
    step();
    return 0;
}
