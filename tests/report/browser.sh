#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The page of `ukode report` in headless Chromium, and what axe-core finds against it. Skipped (77) without Chromium,
# playwright-core, axe-core, libjs-three, libjs-dygraphs or the demos.
# Usage: browser.sh BUILD
. "$(dirname "$0")/common.sh"
patience=800 # [s] for what takes seconds
needs_pages
needs_browser
[ -x "$build/demos/walker" ] && [ -x "$build/demos/four_bar" ] || skip "no demos were built"

# page RECORDING [OPTIONS]: into RECORDING.html, without its folder
page() {
    recording=$1
    shift
    name=$(basename "$recording" .ukode)
    check "page of $name" "$ukode" report "$recording" "$@" -o "$name.html"
}
for model in four_bar over_strong_erp chain pendulum pulled_through_a_slot; do check "$model is recorded" record $model --every-step; done
page four_bar.ukode
page over_strong_erp.ukode
page chain.ukode --ghost pendulum.ukode
check "four_bar in a browser" timeout $patience node "$here/page.js" four_bar.html "$here/four_bar.png"
check "over_strong_erp in a browser" timeout $patience node "$here/page.js" over_strong_erp.html
page pulled_through_a_slot.ukode
check "works that hide the others" timeout $patience node "$here/scale.js" pulled_through_a_slot.html
check "a ghost in a browser" timeout $patience node "$here/page.js" chain.html
check "axe-core finds nothing against it" timeout $patience node "$here/access.js" over_strong_erp.html chain.html

mkdir tutorial
commands | grep -E '^ukode record ' >commands
while read -r command; do
    command=$(printf '%s\n' "$command" | sed "s#build/demos#'$build'/demos#; s#^ukode#'$ukode'#")
    check "tutorial: $command" sh -c "cd tutorial && $command"
done <commands
page tutorial/hard.ukode
page tutorial/four_bar.ukode
check "both walkers in one page" "$ukode" compare --html both.html tutorial/hard.ukode tutorial/walker.ukode
check "each question in three acts" timeout $patience node "$here/questions.js" hard.html four_bar.html both.html
finish
