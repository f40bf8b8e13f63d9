/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/cli/fork_server.c: preloaded into a program, it runs that program's main as often as it is asked, each time in
 * a fork of what is loaded by then: a sanitized program begins in a tenth of the time.
 *
 * Descriptor FORK_SERVER is a socket. Asked: the size of the arguments (int), then each with its end (argv[0] first).
 * Answered: the process (int), and when it has ended what waitpid tells of it (int). Its output goes to the files
 * FORK_SERVER_OUT and FORK_SERVER_ERR. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

typedef int Main(int, char **, char **);
typedef int Start(Main *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
Start __libc_start_main;

static int take(int from, void *to, size_t size)
{
    for (size_t done = 0; done < size;) {
        const ssize_t count = read(from, (char *)to + done, size - done);
        if (count <= 0) return 0;
        done += (size_t)count;
    }
    return 1;
}

static void give(int to, int number)
{
    if (write(to, &number, sizeof number) != (ssize_t)sizeof number) _exit(3);
}

static void redirect(const char *variable, int descriptor)
{
    const int file = open(getenv(variable), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || dup2(file, descriptor) < 0) _exit(3);
    close(file);
}

/* as the kernel lays it out: the environment behind the arguments */
static char **layOut(char *text, size_t size, int *argc)
{
    size_t variables = 0;
    while (environ[variables]) variables++;
    *argc = 0;
    for (size_t i = 0; i < size; i++) *argc += text[i] == 0;
    char **const argv = calloc((size_t)*argc + variables + 2, sizeof *argv);
    if (!argv) _exit(3);
    char *at = text;
    for (int i = 0; i < *argc; i++, at += strlen(at) + 1) argv[i] = at;
    memcpy(argv + *argc + 1, environ, variables * sizeof *argv);
    environ = argv + *argc + 1;
    return argv;
}

/* comes back in a child alone */
static char **serve(int socket, int *argc)
{
    int size = 0;
    while (take(socket, &size, sizeof size) && size > 0) {
        char *const text = malloc((size_t)size);
        if (!text || !take(socket, text, (size_t)size)) break;
        const pid_t child = fork();
        if (child == 0) {
            close(socket);
            redirect("FORK_SERVER_OUT", 1);
            redirect("FORK_SERVER_ERR", 2);
            unsetenv("LD_PRELOAD");
            return layOut(text, (size_t)size, argc);
        }
        free(text);
        int status = 0;
        give(socket, child);
        waitpid(child, &status, 0);
        give(socket, status);
    }
    _exit(0);
}

int __libc_start_main(Main *program, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*dynamic)(void), void *stack)
{
    Start *real;
    *(void **)&real = dlsym(RTLD_NEXT, "__libc_start_main");
    const char *const socket = getenv("FORK_SERVER");
    if (socket) argv = serve(atoi(socket), &argc);
    return real(program, argc, argv, init, fini, dynamic, stack);
}
