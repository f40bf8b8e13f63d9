#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The project's text uses the terms of docs/glossary.md: no retired word of tests/words.list is in the files named below.
# Of Markdown, prose is read: neither indented blocks (programs, and what they print) nor `code` nor the targets of links. Of
# sources, texts in quotation marks (messages, help, findings, meanings of columns), and the comments, for the patterns that
# begin with + in the list.
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

# the comments of C sources, each as one line FILE:LINE:TEXT
comments() {
    awk '{ text = $0; if (FNR == 1) inside = 0
          while (text != "") {
              if (!inside) { at = index(text, "/*"); if (!at) break; inside = 1; line = FNR; said = ""; text = substr(text, at + 2) }
              at = index(text, "*/")
              part = at ? substr(text, 1, at - 1) : text
              sub(/^ *\*? */, " ", part)
              said = said part
              if (!at) break
              inside = 0; print FILENAME ":" line ":" said; text = substr(text, at + 2)
          } }' "$@"
}

# the text of the files, one pattern after the other; true if none is found. comments: the patterns with + alone
search() { # TEXT [comments]
    status=0
    while IFS=$tab read -r pattern replacement example; do
        case $pattern in '#'* | '') continue ;; esac
        case $pattern in '+'*) pattern=${pattern#+} ;; *) [ $# = 1 ] || continue ;; esac
        grep -iE -e "$pattern" "$1" | head -"${most:-5}" | sed "s|\$|: write $replacement|" | grep '^' && status=1
    done <"$list"
    return $status
}

# names and comments of the sources
verbs='(^|[^a-z])(tells?|told|anew|spoil[a-z]*|nobody|somebody)([^a-z_]|$)|(^|[^a-z])tell[A-Z]|[a-z]T(ell|old)([^a-z]|$)'
named() { grep -E -e "$verbs" "$@"; }

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
comments $(find plugin bridge solvers -name '*.[ch]' -type f | sort) >"$work/comments"
[ "$(wc -l <"$work/comments")" -gt 8000 ] || { echo "words: the comments are missing"; exit 1; }
any=$(sed -n "s/^+\\([^$tab]*\\)$tab.*/\\1/p" "$list" | paste -sd '|' -)
grep -iE -e "$any" "$work/comments" >"$work/suspects" # one search for all, which takes a tenth of the time
search "$work/suspects" comments || failed=1
named $(find plugin bridge solvers -name '*.[ch]' -type f | sort) | sed 's|$|: write print, report, write, send|' | grep '^' && failed=1
for name in tellRows 'the run told' crewTell anew; do # each kind is found
    echo "int $name;" | named - >/dev/null || { echo "words: '$name' goes unnoticed"; failed=1; }
done

# each pattern finds its own example, planted into a page; an example within `code` is not read
fields() { grep -v '^#' "$list" | grep .; }
fields | while IFS=$tab read -r pattern replacement example; do
    echo "Here $example, and \`there $example\`."
done >"$work/page.md"
fields | sed -n 's/^+//p' | while IFS=$tab read -r pattern replacement example; do # in comments of one line and of two
    printf 'int a; /* here %s */\n/* and\n * %s */\n' "$example" "$(echo "$example" | sed 's/ /\n * /')"
done >"$work/comments.c"
prose "$work/page.md" >"$work/planted"
search "$work/planted" >"$work/found" && { echo "words: planted words go unnoticed"; failed=1; }
fields >"$work/fields"
while IFS=$tab read -r pattern replacement example; do
    grep -qF "Here $example, and .: write $replacement" "$work/found" || { echo "words: '$example' goes unnoticed"; failed=1; }
    case $pattern in '+'*) planted=$((${planted:-0} + 2)) ;; esac
done <"$work/fields"
comments "$work/comments.c" >"$work/planted"
most=1000 search "$work/planted" comments >"$work/found"
while IFS= read -r comment; do
    grep -qF "$comment: write " "$work/found" || { echo "words: the comment goes unnoticed: $comment"; failed=1; }
done <"$work/planted"
[ "$(wc -l <"$work/planted")" = "${planted:-0}" ] || { echo "words: comments are not read as they are"; failed=1; }
exit $failed
