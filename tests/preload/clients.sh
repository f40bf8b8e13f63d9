#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Debian's ODE programs under `ukode run`: steps are ukode's, none falls back, no new crash. X-Moto's bikes, which nothing
# but symmetry holds in their plane, stay in it to the last bit, and upright as often as under ODE; give it 300 seconds for
# a minute or more of play.
# Usage: tests/preload/clients.sh BUILD [SECONDS each, 60 by default]
# What is not installed is skipped (apt-get install xvfb xdotool libgl1-mesa-dri xmoto stormbaancoureur mu-cade mokomaze
# python3-pyode ompl-demos libompl-dev g++). Screenshots, where ImageMagick's import is there, and summaries are left in $OUT (a temporary folder).
set -u
build=$(cd "$1" && pwd)
seconds=${2:-60}
out=${OUT:-$(mktemp -d)}
mkdir -p "$out/home"
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/preload/desktop.sh
. "$here/desktop.sh"
export HOME=$out/home LIBGL_ALWAYS_SOFTWARE=1 SDL_AUDIODRIVER=dummy
passed=0 failed=0 skipped=0

say() { printf '%-18s %s\n' "$1" "$2"; }
number() { sed -n "s/.*\"$2\":\([-+.0-9e]*\).*/\1/p" "$1" | tail -n 1; }

# judge NAME RETURN-CODE STOCK-RETURN-CODE LEAST-STEPS
judge() {
    local file=$out/$1.json steps=0 fallbacks=0 rejected=0
    if [ -s "$file" ]; then
        steps=$(number "$file" steps) fallbacks=$(number "$file" fallbacks) rejected=$(number "$file" rejected)
    fi
    local text="rc $2 (ODE alone: $3), ${steps:-0} steps, ${fallbacks:-0} fallbacks, ${rejected:-0} rejected"
    if { [ "$2" = "$3" ] || [ "$2" = 0 ]; } && [ "${steps:-0}" -ge "$4" ] && [ "${fallbacks:-0}" = 0 ]; then
        passed=$((passed + 1)); say "$1" "$text"
    else
        failed=$((failed + 1)); say "$1" "FAILED: $text"
    fi
}

# desktop NAME DRIVER COMMAND...: in a virtual screen, driven by the shell function DRIVER, natively and under ukode
desktop() {
    local name=$1 driver=$2
    shift 2
    if ! have "$1" || ! have Xvfb || ! have xdotool; then
        skipped=$((skipped + 1)); say "$name" "skipped: not installed"
        return
    fi
    local program=$1 screen=$((90 + RANDOM % 900)) code stock
    shift
    have "$program" && [ -x "/usr/games/$program" ] && program=/usr/games/$program
    Xvfb ":$screen" -screen 0 800x600x24 -noreset >/dev/null 2>&1 &
    local server=$!
    sleep 1
    export DISPLAY=:$screen
    timeout -k 5 $((seconds < 20 ? seconds : 20)) "$program" "$@" >"$out/$name.stock" 2>&1 & local pid=$!
    $driver; wait "$pid"; stock=$?
    UKODE_REPORT=$out/$name.json timeout -k 5 "$seconds" "$build/ukode" run -- "$program" "$@" >"$out/$name.out" 2>&1 &
    pid=$!
    $driver
    sleep $((seconds > 30 ? seconds - 30 : 1))
    have import && import -window root "$out/$name.png" >/dev/null 2>&1
    wait "$pid"; code=$?
    kill "$server"; wait "$server" 2>/dev/null
    judge "$name" "$code" "$stock" 200
}

# planar NAME BODY DRIVER COMMAND...: the states after every step, natively and under ukode
planar() {
    local name=$1 body=$2 driver=$3 screen=$((90 + RANDOM % 900)) mode pid server
    shift 3
    have "$1" && have Xvfb && have xdotool || return
    [ -x "/usr/games/$1" ] && set -- "/usr/games/$1" "${@:2}"
    for mode in native ukode; do
        Xvfb ":$screen" -screen 0 640x480x24 -noreset >/dev/null 2>&1 & server=$!
        sleep 1
        export DISPLAY=:$screen
        rm -f "$out/$name.$mode.ukode"
        UKODE_RECORD=$out/$name.$mode.ukode UKODE_RECORD_EVERY_STEP=1 UKODE_DISABLE=$([ $mode = native ] && echo 1) \
            timeout -k 5 "$seconds" "$build/ukode" run -- "$@" >"$out/$name.planar" 2>&1 & pid=$!
        $driver; wait "$pid"
        kill "$server"; wait "$server" 2>/dev/null
    done
    if python3 "$here/planar.py" "$body" "$out/$name.native.ukode" "$out/$name.ukode.ukode"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1)); say "$name" "FAILED: out of its plane, or not upright where ODE's is"
    fi
}

desktop stormbaancoureur storm stormbaancoureur
desktop xmoto moto xmoto --nowww --nosound -win -res 320x240 --ugly -p player -l tut1
planar xmoto 2 moto xmoto --nowww --nosound -win -res 320x240 --ugly -p player -l tut1
desktop mu-cade cade mu-cade
desktop mokomaze maze mokomaze

for script in "$here"/pyode_*.py; do
    name=$(basename "$script" .py)
    if ! /usr/bin/python3 -c 'import ode' 2>/dev/null; then
        skipped=$((skipped + 1)); say "$name" "skipped: python3-pyode is not installed"
        continue
    fi
    /usr/bin/python3 "$script" >"$out/$name.stock" 2>&1; stock=$?
    UKODE_REPORT=$out/$name.json "$build/ukode" run -- /usr/bin/python3 "$script" >"$out/$name.out" 2>&1; code=$?
    judge "$name" "$code" "$stock" 200
    tail -n 1 "$out/$name.out" | grep -v '^ukode:' | sed 's/^/    /'
done

# A motion planner that steps a free body thousands of times; Debian ships its source. It ends by itself after a second
# or so, and then begins anew, planning at random, until the time is over; alone it destroys its world after dCloseODE.
planner=/usr/share/ompl/demos/OpenDERigidBodyPlanning.cpp
if [ -e "$planner" ] && have g++ && [ -d /usr/include/ompl-1.5 ] &&
    g++ -O1 -w "$planner" -I/usr/include/ompl-1.5 -I/usr/include/eigen3 -lompl -lode -o "$out/planner"; then
    { "$out/planner" >"$out/ompl.stock"; } 2>/dev/null; stock=$?
    end=$((SECONDS + seconds)) runs=0 code=0
    while [ "$SECONDS" -lt "$end" ] && { [ "$code" = 0 ] || [ "$code" = "$stock" ]; }; do
        UKODE_REPORT=$out/ompl.json "$build/ukode" run -- "$out/planner" >"$out/ompl.out" 2>&1; code=$?
        runs=$((runs + 1))
    done
    judge ompl "$code" "$stock" 200
    echo "    $runs runs"
else
    skipped=$((skipped + 1)); say ompl "skipped: ompl-demos, libompl-dev or g++ is not installed"
fi

echo "left in $out"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
