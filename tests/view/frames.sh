#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What `ukode view` costs, with 20 and with 200 bodies stepped a thousand times a second: frames received and drawn a second
# in headless Chromium without a graphics processor; then, in paired runs, what the stepping thread spends a period of 1 ms
# without the command, recorded, and viewed. Not part of the tests: a loaded machine tells nothing.
# Usage: tests/view/frames.sh BUILD [SECONDS, 10 by default [PAIRS, 3 by default]]
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
seconds=${2:-10} pairs=${3:-3} crowd=$build/tests/view/crowd
missing=$(node -p "require('$here/../report/browser.js').missing()" 2>/dev/null) || missing=nodejs
[ -z "$missing" ] || {
    echo "frames: skipped: no $missing here (.ci/dependencies ci installs it)"
    exit 77
}
echo "load $(cut -d' ' -f1 /proc/loadavg), $(nproc) processors"
for chains in 2 20; do
    node "$here/frames.js" "$build" "$seconds" "$chains" 10
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for chains in 2 20; do
    for pair in $(seq "$pairs"); do
        echo "$((10 * chains)) bodies, pair $pair"
        printf '  run:    %s\n' "$("$build/ukode" run --quiet -- "$crowd" "$chains" 10 "$seconds")"
        printf '  record: %s\n' "$("$build/ukode" record -o "$work/$chains.$pair" -- "$crowd" "$chains" 10 "$seconds" 2>"$work/told")"
        node "$here/frames.js" "$build" "$seconds" "$chains" 10 crowd | sed -n 's/^crowd: /  view:   /p'
    done
done
