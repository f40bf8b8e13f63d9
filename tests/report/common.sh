# SPDX-License-Identifier: BSD-3-Clause
# What the tests of `ukode report` share; sourced with $1 the build directory: functions, in a temporary folder.
set -u
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
ukode=$build/ukode
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0
passed=0

# check WHAT COMMAND...: the command must succeed; its output is shown where it does not
check() {
    what=$1
    shift
    if "$@" >out 2>&1; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "report: failed: $what"
        cat out
    fi
}
skip() { # WHY: the whole test
    echo "report: skipped: $1"
    exit 77
}
needs_pages() {
    for file in three/three.min.js dygraphs/dygraph.min.js; do
        [ -e "/usr/share/javascript/$file" ] || skip "no $file here (Debian: libjs-three, libjs-dygraphs)"
    done
}
needs_browser() { # and axe-core
    missing=$(node -p "const b = require('$here/browser.js'); b.missing() || (b.axe() ? '' : 'axe-core')" 2>/dev/null) ||
        missing=nodejs
    [ -z "$missing" ] || skip "no $missing here (.ci/dependencies ci installs it)"
}
finish() {
    echo "report: $passed passed, $failed failed"
    [ $failed = 0 ]
    exit
}
# record MODEL [OPTION]: into MODEL.ukode
record() { "$ukode" run --quiet --record "$1.ukode" $2 -- "$build/tests/report/model" "$1"; }
# its first finding
first() { sed -n '1s/^1\. [a-z]* (\([a-z_]*\)).*/\1/p' "$1"; }

# The tutorial's commands, those that make recordings and those that ask them: each question has an answer.
commands() {
    awk '/^    \$ /{print_it(); c = substr($0, 7); next} /^        / && c {sub(/^ */, " "); c = c $0; next} {print_it()}
        function print_it() {if (c) print c; c = ""} END {print_it()}' "$here/../../docs/tutorial.md" |
        grep -E '^(ukode (record|report)|sqlite3) '
}
