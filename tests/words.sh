#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The project's text uses the terms of docs/glossary.md: no retired word of tests/words.list is in the files named below.
# Of Markdown, prose is read: neither indented blocks (programs, and what they print) nor `code` nor the targets of links. Of
# sources, texts in quotation marks (messages, help, findings, meanings of columns).
# Usage: words.sh SOURCE_DIRECTORY
set -u
cd "$1" || exit 2
list=tests/words.list
tab=$(printf '\t')

# the lines of a file as FILE:LINE:TEXT
prose() { sed 's/^    .*//; s/`[^`]*`//g; s/](\([^)]*\))/]/g' "$1" | awk -v file="$1" '{ print file ":" NR ": " $0 }'; }

# the texts in quotation marks of a source, in the same form
quoted() {
    awk -v file="$1" '/^ *#include/ { next }
        { text = ""; rest = $0
          while (match(rest, /"([^"\\]|\\.)*"/)) { text = text " " substr(rest, RSTART, RLENGTH); rest = substr(rest, RSTART + RLENGTH) }
          if (text != "") print file ":" NR ":" text }' "$1"
}

# the text of the files, one pattern after the other; true if none is found
search() { # TEXT
    status=0
    while IFS=$tab read -r pattern replacement example; do
        case $pattern in '#'* | '') continue ;; esac
        grep -iE -e "$pattern" "$1" | head -5 | sed "s|\$|: write $replacement|" | grep '^' && status=1
    done <"$list"
    return $status
}

# names and comments in the sources of plugin/; names of bridge/ are not its own
verbs='(^|[^a-z])(tells?|told|anew|spoil[a-z]*|nobody|somebody)([^a-z_]|$)|(^|[^a-z])tell[A-Z]|[a-z]T(ell|old)([^a-z]|$)'
foreign='journal->told|survey\.told|ukSingleTellFeedback'
named() { sed -E "s/$foreign//g" "$@" | grep -E -e "$verbs"; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for file in README.md plugin/README.md bridge/README.md solvers/README.md docs/*.md; do
    prose "$file" # of architecture.md without the tables of files
done | grep -v '^docs/architecture.md:[0-9]*: |' >"$work/text"
find plugin bridge solvers -name '*.c' | sort >"$work/sources"
while read -r file; do quoted "$file"; done <"$work/sources" | grep -v 'SELECT\|FROM ' >>"$work/text"
[ "$(wc -l <"$work/text")" -gt 4000 ] || { echo "words: the text is missing"; exit 1; }
failed=0
search "$work/text" || failed=1
find plugin -name '*.[ch]' | sort >"$work/plugin"
while read -r file; do named "$file" | sed "s|^|$file: |; s|\$|: write print, report, write, send|"; done <"$work/plugin" | grep '^' && failed=1
for name in tellRows 'the run told' crewTell anew; do # each kind is found
    echo "int $name;" | named - >/dev/null || { echo "words: '$name' goes unnoticed"; failed=1; }
done

# each pattern finds its own example, planted into a page; an example within `code` is not read
fields() { grep -v '^#' "$list" | grep .; }
fields | while IFS=$tab read -r pattern replacement example; do
    echo "Here $example, and \`there $example\`."
done >"$work/page.md"
prose "$work/page.md" >"$work/planted"
search "$work/planted" >"$work/found" && { echo "words: planted words go unnoticed"; failed=1; }
fields >"$work/fields"
while IFS=$tab read -r pattern replacement example; do
    grep -qF "Here $example, and .: write $replacement" "$work/found" || { echo "words: '$example' goes unnoticed"; failed=1; }
done <"$work/fields"
exit $failed
