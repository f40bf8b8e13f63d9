/* SPDX-License-Identifier: BSD-3-Clause */
/* What is written from another's process: appended, nothing left open, the first error told once and no more tried; a
 * pipe's descriptor that is something else by now is left alone; a reader that went away raises nothing. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bridge/base/output.h"
#include "tests/check.h"

static char directory[] = "output-XXXXXX";

static void contains(const char *name, const char *text)
{
    char found[64] = "";
    FILE *file = fopen(name, "r");
    if (!CHECK(file != NULL)) return;
    found[fread(found, 1, sizeof found - 1, file)] = 0;
    fclose(file);
    if (!CHECK(strcmp(found, text) == 0)) printf("%s: '%s', not '%s'\n", name, found, text);
}

/* names are of where the program began; nothing is left open that it could close, or take for its own */
static void files(void)
{
    ukOutput o;
    ukOutputOpen(&o, "appended");
    CHECK(ukOutputWanted(&o));
    CHECK(mkdir("elsewhere", 0700) == 0 && chdir("elsewhere") == 0);
    const int free_before = dup(STDIN_FILENO);
    close(free_before);
    ukOutputAppend(&o, "a", 1);
    const int free_after = dup(STDIN_FILENO);
    close(free_after);
    CHECK(free_before > 2 && free_before == free_after);
    ukOutputAppend(&o, "b", 1);
    CHECK(chdir("..") == 0);
    contains("appended", "ab");
    CHECK(rmdir("elsewhere") == 0);
}

static void errors(void)
{
    ukOutput o;
    fflush(stderr);
    const int usual = dup(STDERR_FILENO), said = open("said", O_RDWR | O_CREAT | O_APPEND, 0600);
    dup2(said, STDERR_FILENO);
    ukOutputOpen(&o, "/dev/full");
    ukOutputAppend(&o, "a", 1);
    CHECK(!ukOutputWanted(&o));
    ukOutputAppend(&o, "b", 1);
    dup2(usual, STDERR_FILENO);
    close(usual);
    close(said);
    contains("said", "ukode: cannot write /dev/full: No space left on device\n");
    ukOutputOpen(&o, NULL);
    CHECK(!ukOutputWanted(&o));
    ukOutputOpen(&o, "");
    CHECK(!ukOutputWanted(&o));
    ukOutputAppend(&o, "c", 1);
}

static bool hears(int file, const char *text)
{
    char found[64] = "";
    const ssize_t n = read(file, found, sizeof found - 1);
    return n == (ssize_t)strlen(text) && memcmp(found, text, (size_t)n) == 0;
}

/* in a child, as the program is; its own descriptor of the pipe: there, closed, another file's */
static void pipes(void)
{
    char address[ukPipeAddressLength];
    int end[2], status;
    CHECK(pipe2(end, O_NONBLOCK) == 0);
    ukPipeAddress(address, end[1]);
    CHECK(ukPipeWrite(address, "one\n", 4) && hears(end[0], "one\n"));
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        bool told;
        close(end[1]);
        told = ukPipeWrite(address, "two\n", 4);
        dup2(open("own", O_RDWR | O_CREAT, 0600), end[1]);
        told = ukPipeWrite(address, "three\n", 6) && told;
        _exit(told && lseek(end[1], 0, SEEK_END) == 0 ? 0 : 1);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    CHECK(hears(end[0], "two\nthree\n"));
    close(end[0]); /* SIGPIPE would end this test */
    CHECK(!ukPipeWrite(address, "four\n", 5));
    close(end[1]);
    CHECK(!ukPipeWrite(address, "five\n", 5));
    CHECK(!ukPipeWrite("", "six\n", 4) && !ukPipeWrite("nonsense", "six\n", 4));
}

int main(void)
{
    if (!mkdtemp(directory) || chdir(directory) != 0) return 2;
    files();
    errors();
    pipes();
    const char *const left[] = {"appended", "said", "own"};
    for (int i = 0; i < 3; i++) remove(left[i]);
    CHECK(chdir("..") == 0 && rmdir(directory) == 0);
    return ukTestEnd();
}
