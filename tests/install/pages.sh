#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The documentation as HTML: made without a warning (every public symbol is documented), and without a dead link. That
# both are noticed is tried, too.
# Usage: pages.sh SOURCE
set -eu
source=$1
for tool in pandoc doxygen python3; do
    command -v $tool >/dev/null || { echo "pages: skipped: no $tool here"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "pages: $*"; exit 1; }
doxyfile() { # HEADER
    sed "s|@PROJECT_VERSION@|0|; s|@PROJECT_DESCRIPTION@||; s|@pages_output@|$work/pages|; s|@pages_strict@|YES|
        s|@CMAKE_CURRENT_SOURCE_DIR@/plugin/include/ukode/ukode.h|$1|; s|@CMAKE_CURRENT_SOURCE_DIR@|$source|g" \
        "$source/plugin/package/pages/Doxyfile.in"
}
doxyfile "$source/plugin/include/ukode/ukode.h" >"$work/Doxyfile"
"$source/plugin/package/pages/build.sh" "$source" "$work/Doxyfile" "$work/pages" || fail "a page cannot be made"
python3 "$source/tests/install/links.py" "$work/pages" || fail "dead links"
formulas=$(grep -c '^ *```math' "$source/docs/theory.md")
[ "$formulas" -gt 20 ] || fail "theory.md has no formulas"
[ "$(grep -o '<math display="block"' "$work/pages/theory.html" | wc -l)" = "$formulas" ] || fail "a formula is not rendered"
for symbol in ukWorldStep ukReport ukErrorContradiction ukNonIdealFn ukFormulaMInverse; do
    grep -rqs "$symbol" "$work/pages/reference" || fail "the reference has no $symbol"
done

sed '0,/^\/\*\* The report of the last/s//\/* The report of the last/' "$source/plugin/include/ukode/ukode.h" >"$work/ukode.h"
doxyfile "$work/ukode.h" >"$work/Doxyfile"
cp -r "$work/pages" "$work/kept"
! doxygen "$work/Doxyfile" >/dev/null 2>&1 || fail "an undocumented function is not noticed"
rm "$work/kept/theory.html"
! python3 "$source/tests/install/links.py" "$work/kept" >/dev/null || fail "a dead link is not noticed"
