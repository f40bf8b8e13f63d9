#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Reports of whole programs in headless Chromium: no error in its console, no request that leaves the page, and it is
# drawn, plays and answers a click. All demos of this project; ODE's own, where DEMOS is a folder of them, built without
# graphics (each steps 200 frames and ends); X-Moto, where it, Xvfb and xdotool are installed.
# Not part of the tests: it takes half an hour.
# Usage: tests/report/programs.sh BUILD [DEMOS]      pages and logs are left in $OUT (a temporary folder)
set -u
build=$(cd "$1" && pwd)
demos=${2:+$(cd "$2" && pwd)}
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../support/demo_keys.sh"
out=${OUT:-$(mktemp -d)}
mkdir -p "$out/home"
cd "$out" || exit 2
passed=0 failed=0 skipped=0

have() { command -v "$1" >/dev/null 2>&1; }
skip() { skipped=$((skipped + 1)); printf '%-24s skipped: %s\n' "$1" "$2"; }
missing=$(node -p "require('$here/browser.js').missing()" 2>/dev/null) || missing=nodejs
[ -z "$missing" ] || { skip all "no $missing here (.ci/dependencies ci installs it)"; exit 77; }

# page NAME: the report of NAME.ukode, and what it finds first
page() {
    local text
    if [ ! -s "$1.ukode" ]; then
        skip "$1" "it steps nothing"
        return
    fi
    if "$build/ukode" report "$1.ukode" --text -o "$1.html" >"$1.txt" 2>"$1.err" &&
        text=$(timeout 300 node "$here/opens.js" "$1.html" 2>&1); then
        passed=$((passed + 1))
        printf '%-24s %s; %s\n' "$1" "$text" "$(head -1 "$1.txt" | cut -c1-90)"
    else
        failed=$((failed + 1))
        printf '%-24s FAILED: %s\n' "$1" "${text:-$(cat "$1.err")}"
    fi
}
# program NAME COMMAND...
program() {
    local name=$1
    shift
    rm -f "$name.ukode"
    timeout 300 "$build/ukode" run --quiet --record "$name.ukode" -- "$@" >"$name.out" 2>&1 </dev/null
    page "$name"
}

for demo in "$build"/demos/* "$build"/demos/papers/*; do
    if [ -f "$demo" ] && [ -x "$demo" ]; then program "$(basename "$demo")" "$demo"; fi
done
for demo in ${demos:+"$demos"/demo_*}; do
    name=$(basename "$demo")
    demo_keys "$name"
    DS_FRAMES=200 program "$name" "$demo"
done

if have Xvfb && have xdotool && { have xmoto || [ -x /usr/games/xmoto ]; }; then
    export LIBGL_ALWAYS_SOFTWARE=1 SDL_AUDIODRIVER=dummy DISPLAY=:$((90 + RANDOM % 900))
    Xvfb "$DISPLAY" -screen 0 640x480x24 -noreset >/dev/null 2>&1 &
    server=$!
    (sleep 15; xdotool mousemove 200 150; xdotool keydown Up) >/dev/null 2>&1 &
    HOME=$out/home PATH=$PATH:/usr/games timeout -k 5 60 "$build/ukode" run --quiet --record xmoto.ukode -- \
        xmoto --nowww --nosound -win -res 320x240 --ugly -p player -l tut1 >xmoto.out 2>&1
    kill "$server"
    unset DISPLAY # Chromium would wait for it
    page xmoto
else
    skip xmoto "xmoto, xvfb or xdotool is not installed"
fi
echo "left in $out"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
