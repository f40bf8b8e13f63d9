#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Names that a reader can search for: a type is defined once in bridge/, solvers/ and plugin/, and a static function's name
# is used in two files at most.
# Usage: unique_names.sh SOURCE_DIRECTORY
set -u
cd "$1" || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

types() { # FILES: types with two definitions
    grep -hoE '^(\} uk[A-Za-z0-9]+;|(struct|union|enum) uk[A-Za-z0-9]+ \{)' "$@" | grep -oE 'uk[A-Za-z0-9]+' | sort | uniq -d
}

statics() { # FILES: names of static functions in more than two of them
    awk '/^static [^=;]*\(/ { name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name)
            if (!((name, FILENAME) in seen)) { seen[name, FILENAME] = 1; count[name]++; where[name] = where[name] " " FILENAME } }
        END { for (name in count) if (count[name] > 2) print name ":" where[name] }' "$@" | sort
}

files=$(find bridge solvers plugin -name '*.[ch]' ! -path 'plugin/include/*' | sort)
[ -n "$files" ] || exit 2
failed=0
types $files >"$work/types"
[ ! -s "$work/types" ] || { sed 's/^/defined twice: /' "$work/types"; failed=1; }
statics $files >"$work/statics"
[ ! -s "$work/statics" ] || { sed 's/^/in more than two files: /' "$work/statics"; failed=1; }

# the search itself
for i in 1 2 3; do printf 'typedef struct ukTwice {\n} ukTwice;\nstatic int\nmade(void);\nstatic void often(int a)\n' >"$work/$i.c"; done
[ "$(types "$work"/1.c "$work"/2.c)" = ukTwice ] || { echo "unique_names: a type defined twice goes unnoticed"; failed=1; }
[ "$(statics "$work"/?.c | cut -d: -f1)" = often ] || { echo "unique_names: a name in three files goes unnoticed"; failed=1; }
exit $failed
