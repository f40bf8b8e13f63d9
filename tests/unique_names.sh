#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Names that a reader can search for: a type uk... is defined once in bridge/, solvers/ and plugin/, public headers
# included, and a static function's name is used in two files at most.
# Usage: unique_names.sh SOURCE_DIRECTORY
set -u
cd "$1" || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

types() { # FILES: types with two definitions: blocks, typedefs of one line, of functions, of pointers to a struct (handles)
    { grep -hoE '^(\} uk[A-Za-z0-9]+;|(struct|union|enum) uk[A-Za-z0-9]+ \{)' "$@"
      grep -hE '^typedef ' "$@" | sed -nE '/^typedef (struct|union|enum) (uk[A-Za-z0-9]+) \2;/d; s/.*\{.*\} *(uk[A-Za-z0-9]+);.*/\1/p; t
          s/^typedef [^({]*\b(uk[A-Za-z0-9]+)(\(|;).*/\1/p; s/^typedef .*\(\*(uk[A-Za-z0-9]+)\)\(.*/\1/p'
    } | grep -oE 'uk[A-Za-z0-9]+' | sort | uniq -d
}

statics() { # FILES: names of static functions in more than two of them
    awk '/^(static|UKODE_INLINE) [^=;]*\(/ { name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name)
            if (!((name, FILENAME) in seen)) { seen[name, FILENAME] = 1; count[name]++; where[name] = where[name] " " FILENAME } }
        END { for (name in count) if (count[name] > 2) print name ":" where[name] }' "$@" | sort
}

files=$(find bridge solvers plugin -name '*.[ch]' -type f | sort) # without links, as of plugin/include
[ -n "$files" ] || exit 2
failed=0
types $files >"$work/types"
[ ! -s "$work/types" ] || { sed 's/^/defined twice: /' "$work/types"; failed=1; }
statics $files >"$work/statics"
[ ! -s "$work/statics" ] || { sed 's/^/in more than two files: /' "$work/statics"; failed=1; }

# the search itself
for i in 1 2 3; do
    printf '%s\n' 'typedef struct ukAnnounced ukAnnounced;' 'static int' 'made(void);' 'static void often(int a)' \
        'UKODE_INLINE double inlined(double a)' >"$work/$i.c"
done
while IFS='|' read -r name one two; do
    for text in "$one" "$two"; do printf "$text"; done >"$work/4.c"
    [ "$(types "$work"/1.c "$work"/4.c)" = "$name" ] || { echo "unique_names: $name, defined twice, goes unnoticed"; failed=1; }
done <<'EOF'
ukBlock|typedef struct ukBlock {\n} ukBlock;\n|typedef struct ukBlock {\n} ukBlock;\n
ukLine|typedef struct ukLine { int a; } ukLine;\n|typedef struct ukLine {\n} ukLine;\n
ukKind|typedef enum ukKind { ukKindA } ukKind;\n|typedef double ukKind;\n
ukFn|typedef int ukFn(int a);\n|typedef int (*ukFn)(double a);\n
ukID|typedef struct ukThing *ukID;\n|typedef int ukID;\n
EOF
[ "$(statics "$work"/[123].c | cut -d: -f1 | paste -sd ' ' -)" = "inlined often" ] ||
    { echo "unique_names: a name in three files goes unnoticed"; failed=1; }
exit $failed
