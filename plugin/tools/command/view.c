/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/command/view.c: `ukode view`: a running program in the browser, or its findings in the terminal. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "plugin/options.h"
#include "plugin/tools/command/report.h"
#include "plugin/tools/command/run.h"
#include "plugin/tools/launch/command.h"
#include "plugin/tools/launch/launch.h"
#include "plugin/tools/page/page.h"
#include "plugin/tools/terminal/message.h"
#include "plugin/tools/view/channel.h"
#include "plugin/tools/view/feed.h"
#include "plugin/tools/view/server.h"
#include "plugin/tools/view/watch.h"

extern char **environ;

static struct {
    const char *listen, *output;
    bool text, paused, close, locked, hidden;
    char folder[700], socket[800], copy[800], page[800], opener[800];
} wish;

/* ---- the browser ------------------------------------------------------------------------------------------------- */

/* The address has the token, and other users see the arguments of processes: the browser is given a file that only this
 * user may read, which leads on to the address. */
static void openBrowser(const char *address)
{
    const char *const x = getenv("DISPLAY"), *const wayland = getenv("WAYLAND_DISPLAY");
    if (wish.hidden || !((x && *x) || (wayland && *wayland))) return;
    const int file = open(wish.opener, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) return;
    dprintf(file, "<!DOCTYPE html><meta http-equiv=\"refresh\" content=\"0; url=%s\"><a href=\"%s\">ukode view</a>\n",
            address, address);
    close(file);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    char name[] = "xdg-open", *const words[] = {name, wish.opener, NULL};
    pid_t pid;
    if (posix_spawnp(&pid, name, &files, NULL, words, environ) != 0)
        messagePrint("view: xdg-open was not found (Debian: xdg-utils): open the address in a browser");
    posix_spawn_file_actions_destroy(&files);
}

/* ---- after the program ------------------------------------------------------------------------------------------- */

static int interrupted[2];

static void onInterrupt(int signal)
{
    const int error = errno;
    const ssize_t written = write(interrupted[1], "", 1);
    (void)signal, (void)written;
    errno = error;
}

/* From now on, a signal to end this command is stored, so that its folder can be removed first. While the program runs,
 * such signals are passed on to it (plugin/tools/launch/launch.c). */
static bool beginInterrupt(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_flags = SA_RESTART};
    if (pipe2(interrupted, O_CLOEXEC) != 0) return false;
    action.sa_handler = onInterrupt;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaction(signals[i], &action, NULL);
    return true;
}

static void awaitInterrupt(void)
{
    char byte;
    while (read(interrupted[0], &byte, 1) < 0 && errno == EINTR) {}
}

static void describeEnd(int status)
{
    char *text = NULL;
    const int n =
        status > 128 ? asprintf(&text, "the program was ended by signal %d (%s)", status - 128, strsignal(status - 128))
                     : asprintf(&text, "the program has ended with status %d", status);
    feedPut(FeedEnd, n < 0 ? NULL : text);
}

static void showEnd(int status, bool stepped)
{
    if (stepped && reportPage(getenv("UKODE_RECORD"), NULL, wish.page, NULL) == 0) serverSetReport(wish.page);
    describeEnd(status);
    const bool ended =
        status == 128 + SIGTERM || status == 128 + SIGHUP; /* most likely this command was asked to end */
    if (wish.close || ended || !stepped) {
        const struct timespec moment = {.tv_nsec = 300000000};
        nanosleep(&moment, NULL); /* for the last events */
        return;
    }
    messagePrint("the page remains until this command is interrupted (Ctrl-C)");
    awaitInterrupt();
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

static bool prepareFolder(void)
{
    if (!launchMakeDirectory(wish.folder, sizeof wish.folder)) return false;
    snprintf(wish.socket, sizeof wish.socket, "%s/socket", wish.folder);
    snprintf(wish.copy, sizeof wish.copy, "%s/copy.ukode", wish.folder);
    snprintf(wish.page, sizeof wish.page, "%s/report.html", wish.folder);
    snprintf(wish.opener, sizeof wish.opener, "%s/open.html", wish.folder);
    const char *const recording = getenv("UKODE_RECORD");
    char path[800];
    snprintf(path, sizeof path, "%s/run.ukode", wish.folder);
    if (!recording || !*recording) launchSetPath("UKODE_RECORD", path);
    return true;
}

static bool beginServer(void)
{
    char address[200];
    if (!channelOpen(wish.socket) || !serverBegin(wish.listen, !wish.locked, address, sizeof address)) return false;
    setenv("UKODE_VIEW", wish.socket, 1);
    messagePrint("view: %s", address);
    openBrowser(address);
    return true;
}

static int runView(int argc, char **argv)
{
    int status;
    const int first = launchOptions(argc, argv, &commandView, &status);
    if (first < 0) return status;
    if (wish.output && !launchWithout((const char *const[]){"record", NULL}, "-o names the recording"))
        return ExitUsage;
    if (wish.output) launchSetPath("UKODE_RECORD", wish.output);
    if (wish.paused) setenv("UKODE_VIEW_PAUSED", "1", 1);
    if (wish.text && (wish.listen || wish.locked || wish.hidden || wish.close))
        return messageFail(ExitUsage, "view: %s does not apply: --text has no page",
                           wish.listen   ? "--listen"
                           : wish.locked ? "--no-touch"
                           : wish.hidden ? "--no-browser"
                                         : "--close");
    if (wish.text && wish.paused)
        return messageFail(ExitUsage, "view: --paused needs the page, which continues the program; --text has none");
    if (!wish.text && (!serverReady() || !pageReady())) return ExitNotRun;
    if (!wish.locked && ukOptionFlag(getenv("UKODE_DISABLE")) > 0) {
        messagePrint("view: ODE's own stepper takes the steps: viewers cannot change the motion");
        wish.locked = true;
    }
    if (!beginInterrupt() || !prepareFolder()) return ExitNotRun;
    status = ExitNotRun;
    bool stepped = false;
    if ((wish.text || beginServer()) && watchBegin(getenv("UKODE_RECORD"), wish.copy, wish.text)) {
        status = runProgram(argv + first, &stepped);
        watchEnd();
        if (!wish.text) {
            showEnd(status, stepped);
            serverEnd();
            channelClose();
        }
    }
    launchRemoveDirectory(wish.folder);
    return status;
}

const Command commandView = {
    .name = "view",
    .runs = true,
    .arguments = "[options] -- program arguments",
    .purpose = "runs an ODE program as run does, and shows it in the browser while it runs: motion, forces, findings; "
               "with pause, single steps, slow motion, and bodies that can be dragged (docs/view.md)",
    .options =
        (const Option[]){
            OPTION_FLAG("--text", &wish.text, "no page: print findings on standard error as they begin"),
            OPTION_FLAG("--paused", &wish.paused, "pause before the first step"),
            OPTION_FLAG("--no-touch", &wish.locked, "viewers cannot change the motion"),
            OPTION_FLAG("--no-browser", &wish.hidden, "do not open a browser"),
            OPTION_FLAG("--close", &wish.close, "end with the program; default: the page remains until Ctrl-C"),
            OPTION_TEXT("--listen", "ADDRESS", &wish.listen, "an address",
                        "listen on this interface, not on 127.0.0.1: read docs/security.md first"),
            OPTION_TEXT("-o", "FILE", &wish.output, "a file name", "keep the recording of the run"),
            {0}},
    .run = runView,
};
