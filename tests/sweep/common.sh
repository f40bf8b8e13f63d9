# SPDX-License-Identifier: BSD-3-Clause
# What the tests of `ukode sweep` share; sourced with $1 the build directory: functions, in a temporary folder.
set -u
here=$(cd "$(dirname "$0")" && pwd) build=$(cd "$1" && pwd)
ukode=$build/ukode walker=$build/demos/walker
skip() { # WHY: the whole test
    echo "sweep: skipped: $1"
    exit 77
}
command -v python3 >/dev/null || skip "no python3 to ask databases with (Debian: python3)"
"$ukode" info >/dev/null 2>&1
[ -x "$walker" ] || skip "no demos were built"
work=$(mktemp -d)
mkdir "$work/tmp"
export TMPDIR="$work/tmp"
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
passed=0 failed=0
check() { # WHAT COMMAND...
    what=$1
    shift
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $what"; tail -20 err 2>/dev/null; fi
}
ask() { python3 -c '
import sqlite3, sys
text = lambda x: "" if x is None else x.decode() if isinstance(x, bytes) else str(x)
for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]): print("|".join(map(text, row)))' "$@"; }
answers() { [ "$(ask "$1" "$2")" = "$3" ] || { echo "$2: $(ask "$1" "$2"), not $3"; return 1; }; }
is() { [ "$1" = "$2" ] || { echo "'$1', not '$2'"; return 1; }; }
says() { grep -q -e "$1" err; }
nothing_left() { [ -z "$(ls -A "$TMPDIR")" ] || { ls "$TMPDIR"; return 1; }; }
state() { sed -n 's/^State:[[:space:]]*\(.\).*/\1/p' "/proc/$1/status" 2>/dev/null; } # of a process; Z, X: it has ended
ended() { case $(state "$1") in '' | Z | X) ;; *) return 1 ;; esac; }
soon() { # COMMAND...: it succeeds within a minute
    tries=0
    until "$@"; do [ $((tries += 1)) -le 600 ] || return 1; sleep 0.1; done
}
finish() {
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
    exit
}
walk_study() { # walk.conf: of 32 runs
    cat >walk.conf <<'E2'
vary gait in trot pace
vary seed from 1 to 4 count 4
vary mass from 5 to 6 count 2
config body 1 mass {mass}
repeat = 2
result far = SELECT max(position_x) FROM body_step WHERE body = 1
result mass_was = SELECT mass FROM body WHERE body = 1
time = 300
E2
}
