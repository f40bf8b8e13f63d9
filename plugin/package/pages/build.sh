#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The documentation as HTML: README.md and docs/*.md by pandoc, the reference of the public header by Doxygen.
# Links between pages stay; a link to a source file, which is not installed, becomes its name.
# Usage: build.sh SOURCE DOXYFILE OUTPUT
set -eu
source=$1 doxyfile=$2 output=$3
here=$source/plugin/package/pages
rm -rf "$output"
mkdir -p "$output/pictures"
cp "$here/page.css" "$output"
cp "$source"/docs/*.svg "$output"
cp "$source"/docs/pictures/*.png "$source"/docs/pictures/*.svg "$output/pictures"
page() { # FILE OUTPUT
    title=$(sed -n 's/^# //p' "$1" | head -1)
    pandoc -f gfm -t html5 --mathml --standalone --toc --toc-depth 2 --lua-filter "$here/pages.lua" --css page.css \
        --metadata "pagetitle=$title" --metadata lang=en "$1" -o "$2"
}
page "$source/README.md" "$output/index.html"
for file in "$source"/docs/*.md; do page "$file" "$output/$(basename "$file" .md).html"; done
doxygen "$doxyfile"
