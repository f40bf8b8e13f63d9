#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Frames a second of the page with 200 bodies, in headless Chromium without a graphics processor, while it plays: of the
# page's own loop, and what a frame costs its processes. Not part of the tests: a loaded machine tells nothing.
# Usage: tests/report/frames.sh BUILD [SECONDS, 10 by default]
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
missing=$(node -p "require('$here/browser.js').missing()" 2>/dev/null) || missing=nodejs
[ -z "$missing" ] || {
    echo "frames: skipped: no $missing here (.ci/dependencies ci installs it)"
    exit 77
}
"$build/ukode" run --quiet --record "$work/crowd.ukode" -- "$build/tests/report/model" crowd
"$build/ukode" report "$work/crowd.ukode" -o "$work/crowd.html"
echo "load $(cut -d' ' -f1 /proc/loadavg), $(nproc) processors"
node "$here/frames.js" "$work/crowd.html" "${2:-10}"
