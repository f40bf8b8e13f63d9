#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Records a dozen worlds and writes a page that links their reports: DIRECTORY/gallery.html, and DIRECTORY/NAME.html, which hold
# everything. With headless Chromium (.ci/dependencies ci) each world has a picture.
# Usage: gallery.sh BUILD DIRECTORY
set -eu
build=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
page=$out/gallery.html
list=

# world NAME TITLE SENTENCE OPTIONS -- PROGRAM ARGUMENTS...: records it, and adds it to the page
world() {
    name=$1 title=$2 text=$3
    shift 3
    (cd "$here/.." && "$build/ukode" record -o "$out/$name.ukode" "$@") >"$out/$name.txt" 2>&1 || { cat "$out/$name.txt"; exit 1; }
    "$build/ukode" report "$out/$name.ukode" -o "$out/$name.html"
    printf '<a class="world" href="%s.html"><img src="%s.png" alt="" hidden>\n<h2>%s</h2><p>%s</p></a>\n' \
        "$name" "$name" "$title" "$text" >>"$page.new"
    list="$list $name"
    echo "gallery: $title"
}
scene() { # NAME TITLE SENTENCE OPTIONS: the scene of demos/gallery.c of size $size, for $seconds
    name=$1
    world "$@" -- "$build/demos/gallery" "${name%_rk4}" "$size" "$seconds"
}

cat >"$page.new" <<'HTML'
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>ukode: gallery</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
body { font: 16px/1.4 sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff }
main { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: 1.5rem }
.world { border: 1px solid #bbb; border-radius: 6px; padding: 0 1rem 0.5rem; color: inherit; text-decoration: none; overflow: hidden }
.world:hover, .world:focus { border-color: #0060ad }
img { display: block; width: calc(100% + 2rem); margin: 0 -1rem }
img[hidden] { display: none }
h2 { font-size: 1.1rem; margin: 0.75rem 0 0; color: #0060ad }
p { margin: 0.25rem 0 0.5rem }
</style></head><body>
<h1>Gallery</h1>
<p>Each world is linked to its report: the motion, forces by cause, energy, and what was found.</p>
<main>
HTML

size=1 seconds=5
scene four_bar_rk4 "Four-bar" "Four spatial hinges in one plane: 20 rows of rank 17, by RK4." --integrator rk4
scene bricard "Bricard's linkage" "Six hinges in a loop, which Grübler's count takes for rigid; by RATTLE." --integrator rattle
scene slider_crank "Slider-crank" "Without gravity; its energy stays that of the start." --integrator rk4
world ring_friction "Bead on a ring" "Udwadia and Kalaba's example of a non-ideal constraint: Coulomb friction." -- "$build/demos/papers/ring_friction"
world rolling "Rolling" "Nonholonomic constraints beside closed forms." -- "$build/demos/papers/rolling"
world leaving "Leaving" "A particle that leaves its surface: a one-sided constraint." -- "$build/demos/papers/leaving"
world servo_arm "Servo arm" "Program constraints: the torques that a prescribed motion of the hand requires." -- "$build/demos/papers/servo_arm"
seconds=8
scene walker "Walker" "Nine boxes on eight hinges with servos of bounded torque."
scene car "Car" "Hinge2 suspensions over bumps."
scene gripper "Gripper" "Two fingers of 40 N lift a box of 1 kg by friction."
size=60 seconds=4
scene pile "Pile" "Sixty boxes fall onto a plane and come to rest."
size=6
scene ragdolls "Ragdolls" "Six ragdolls fall to the ground."
size=8 seconds=3
scene net "Net" "Eight by eight boxes joined by balls: many loops, redundant rows."

(cd "$out" && "$build/ukode" modes --at 0.5 -o "$out/modes.html" -- "$build/demos/four_bar") >"$out/modes.txt" 2>&1
printf '<a class="world" href="modes.html">\n<h2>Modes of motion</h2><p>%s</p></a>\n' \
    "The four-bar linearized at 0.5 s: each mode animated, and the poles." >>"$page.new"
printf '</main></body></html>\n' >>"$page.new"

if [ -z "$(node -p "require('$here/../tests/report/browser.js').missing()" 2>/dev/null || echo nodejs)" ]; then
    # shellcheck disable=SC2086
    node "$here/gallery.js" "$out" $list
    sed 's/ hidden>/>/' "$page.new" >"$page"
    rm "$page.new"
else
    mv "$page.new" "$page"
fi
echo "gallery: $page"
