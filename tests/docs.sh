#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the documentation names is there: files that links and `paths` point to, headings of links, tests, the public
# header's functions and types. The same for files that comments name.
# A name in capitals stands for any: bridge/joints/NAME.c.
# Usage: docs.sh SOURCE_DIRECTORY
set -u
cd "$1" || exit 2
failed=0
missing() { # PAGE WHAT
    echo "docs: $1: $2"
    failed=1
}

# the headings of a page as the anchors that links name them by
anchors() {
    sed -n 's/^##* //p' "$1" | tr '[:upper:] ' '[:lower:]-' | LC_ALL=C sed 's/[^a-z0-9_-]//g'
}

links() { grep -o '](\([^)]*\))' "$1" | sed 's/^](//; s/)$//' | grep -v '^https*:' | sort -u; }
quoted() { grep -o '`[^` ]*`' "$1" | tr -d '`' | sort -u; }

# a file, a folder, a file without its ending, or a pattern
exists() {
    for found in $1 "$1".[ch] "$1".sh; do
        [ -e "$found" ] && return 0
    done
    return 1
}

words=$(cat plugin/include/ukode/*.h | grep -oE '\buk[A-Z][A-Za-z0-9]*\b' | sort -u)
for page in README.md docs/*.md solvers/README.md bridge/README.md; do
    [ -e "$page" ] || continue
    folder=$(dirname "$page")
    for link in $(links "$page"); do
        file=${link%%#*} anchor=
        case $link in *'#'*) anchor=${link#*#} ;; esac
        file=${file:+$folder/$file}
        [ -e "${file:-$page}" ] || { missing "$page" "link to $link"; continue; }
        [ -z "$anchor" ] || anchors "${file:-$page}" | grep -qx -e "$anchor" || missing "$page" "no heading for $link"
    done
    for path in $(quoted "$page" | grep -E '^(solvers|bridge|plugin|demos|tests|docs|\.ci)/[A-Za-z0-9_./*{},-]+$' | grep -vE '/out/|NAME'); do
        exists "$path" || missing "$page" "no file $path"
    done
    for test in $(grep -oE '\btest_[a-z0-9_]+' "$page" | sort -u); do
        [ -n "$(find tests -name "${test%_}*.c" -o -name "$test.sh" | head -1)" ] || missing "$page" "no test $test"
    done
    for word in $(grep -oE '\buk[A-Z][A-Za-z0-9]*' "$page" | sort -u); do
        case $word in ukNounVerb | *NAME) continue ;; esac
        printf '%s\n' "$words" | grep -qx "$word" || grep -rqw "$word" solvers bridge --include='*.h' ||
            missing "$page" "nothing is called $word"
    done
done

named=$(grep -rnoE '\b(bridge|solvers|plugin|tests|demos|docs)/[a-zA-Z0-9_/]+\.(c|h|md|sh)\b' bridge solvers plugin tests demos \
    --include='*.[ch]' --include='*.sh' --include='*.txt' | grep -v NAME | sed 's/^\([^:]*\):[0-9]*:/\1 /' | sort -u)
while read -r file name; do
    [ -e "$name" ] || missing "$file" "no file $name"
done <<LIST
$named
LIST
exit $failed
