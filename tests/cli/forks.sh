#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Recordings of programs that fork, spawn, change their identity or end without a handler: no process hangs, each that
# stepped has a recording that verifies, and files of the program's own stay as they are.
# With a build of the preset tsan, the program has the thread sanitizer, too, and each of its reports fails a check (by hand).
# Usage: forks.sh BUILD [COUNT [CASE...]]     COUNT: of forks in one process; 1000. CASE: a name that `wanted` takes below; all
set -u
build=$(cd "$1" && pwd) count=${2:-1000}
[ $# -lt 2 ] || shift
shift
cases=" $* "
wanted() { case $cases in "  " | *" $1 "*) true ;; *) false ;; esac }
ukode=$build/ukode
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
here=$(cd "$(dirname "$0")" && pwd)
cd "$work" || exit 2
passed=0 failed=0
check() { # WHAT COMMAND...
    what=$1
    shift
    if "$@" >/dev/null 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "forks: failed: $what"
        tail -3 err 2>/dev/null
    fi
}
is() { [ "$1" = "$2" ] || { echo "$1, not $2" >>err; false; }; }
sanitizer=
if nm -D "$build/libukode.so" | grep -q __tsan_init; then
    sanitizer='-g -fsanitize=thread'
    export FORKS_STACKS=1 TSAN_OPTIONS=die_after_fork=0
fi
# shellcheck disable=SC2046,SC2086
${CC:-cc} -std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra $sanitizer $(pkg-config --cflags ode) -o forks "$here/forks.c" \
    $(pkg-config --libs ode) -lm -lpthread || exit 2

record() { # HOW [COUNT]: the recordings of it, and its exit status in $status
    rm -f run*.ukode
    "$ukode" record -o run.ukode --inputs --certificates --every-step -- ./forks "$@" >out 2>err
    status=$?
}
recordings() { find . -name 'run*.ukode' | wc -l; }
verified() { # all of them
    for file in run*.ukode; do "$ukode" verify "$file" >>out 2>>err || return 1; done
}
steps() { "$ukode" verify "$1" 2>>err | sed -n 's/ of [0-9]* steps are verified$//p'; }
replayed() {
    for file in run*.ukode; do "$ukode" replay "$file" >>out 2>>err || return 1; done
}

if wanted forks; then
    record forks "$count"
    check "$count forks while recording: no child hangs" is "$status" 0
    check "each child has its recording" is "$(recordings)" $((count + 1))
    check "their number is printed, without their parent's" grep -q "recorded $count other processes, up to .*run-$((count + 1)).ukode" err
    for k in 2 $((count / 2)) $((count + 1)); do
        check "child $k: verified" "$ukode" verify "run-$k.ukode"
        check "child $k: replayed" "$ukode" replay "run-$k.ukode"
    done
    check "their parent: verified" "$ukode" verify run.ukode
fi
if wanted at_once; then
    record at_once 20
    check "children that end by _exit" is "$status" 0
    check "_exit: each has its recording" is "$(recordings)" 21
    check "_exit: all are verified" verified
    check "_exit: all are replayed" replayed
fi
if wanted bare && [ -z "$sanitizer" ]; then # the thread sanitizer does not know of such a fork, and takes the child for the parent
    record bare 10
    cp err recorded
    check "children of the system call clone: no child hangs, and the status says that they have no recording" is "$status" 1
    check "their parent alone has a recording" is "$(recordings)" 1
    check "which is verified" verified
    check "which is replayed" replayed
    check "the reason is reported" grep -q 'forked without the handlers' recorded
fi
if wanted threads; then
    record threads 20
    check "forks beside threads that step and make worlds: no child hangs" is "$status" 0
    check "beside threads: each child has its recording" is "$(recordings)" 21
    check "beside threads: all are verified" verified
    check "beside threads: all are replayed" replayed
fi
if wanted elsewhere; then
    record elsewhere 20
    check "forks by another thread: no child hangs" is "$status" 0
    check "by another thread: each child has its recording" is "$(recordings)" 21
    check "by another thread: all are verified" verified
    check "by another thread: all are replayed" replayed
fi
if wanted late; then
    record late 10
    check "forks while the writer is at work: no child hangs" is "$status" 0
    check "the writer at work: each child has its recording" is "$(recordings)" 11
    check "the writer at work: all are verified" verified
fi
if wanted spawn; then
    record spawn
    check "posix_spawn" is "$status" 0
    check "posix_spawn: a recording each" is "$(recordings)" 2
    check "posix_spawn: verified" verified
    check "posix_spawn: replayed" replayed
fi
if wanted vforks; then
    record vforks
    check "vfork: the parent goes on" is "$status" 0
    check "vfork: verified" verified
    check "vfork: every step but the last is recorded, sealed and holds" [ "$(steps run.ukode)" -ge 99 ]
    check "vfork: replayed" replayed
fi
if wanted closes && [ -z "$sanitizer" ]; then # a race for a descriptor is what this one is about
    record closes
    check "close_range: the program ends, and the status says that the recording ended before it" is "$status" 1
    cp err recorded
    check "close_range: its own file stays empty" [ ! -s own ]
    check "close_range: verified" verified
    check "close_range: every step but the last before it is recorded, sealed and holds" [ "$(steps run.ukode)" -ge 99 ]
    check "close_range: the end of the recording is reported" grep -q "closed the recording's file descriptor" recorded
    check "close_range: replayed" replayed
fi
for how in execl execle execlp execv execve execveat execvp execvpe fexecve; do
    wanted $how || continue
    record $how
    check "$how: the program is replaced" is "$status" 0
    check "$how: every step but the last is recorded, sealed and holds" [ "$(steps run.ukode)" -ge 499 ]
    check "$how: replayed" replayed
done
for how in plain chdir daemon _exit quick_exit abort kill; do
    wanted $how || continue
    record $how
    if [ $how = daemon ]; then # it goes on behind the command, which has ended
        k=0
        until "$ukode" verify run-2.ukode >/dev/null 2>&1 || [ $k -gt 100 ]; do
            sleep 0.3
            k=$((k + 1))
        done
    fi
    check "$how: a recording" [ -s run.ukode ]
    case $how in
    *_exit) check "$how: every step is recorded" [ "$(steps run.ukode)" -ge 400 ] ;;
    esac
    check "$how: verified" verified
    check "$how: replayed" replayed
done
if wanted setuid && [ "$(id -u)" = 0 ]; then
    chmod 777 .
    record setuid
    check "setuid: verified" verified
    check "setuid: replayed" replayed
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
