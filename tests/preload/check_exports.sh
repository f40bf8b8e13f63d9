#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What libukode.so exports is what it means to: the API of <ukode/ukode.h> and <ukode/analysis.h>, and the wrapped functions of bridge/ode/ode.h,
# all of which libode has, except those of a fork (bridge/ode/fork.h). It reads no environment that a set-user-ID program must not trust. And it needs no LAPACK or BLAS, which it looks for when it is asked for a dense solver.
# Usage: check_exports.sh LIBUKODE LIBODE
set -eu
library=$1 libode=$2
source=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
LC_ALL=C
export LC_ALL

exported() { nm -D --defined-only "$1" | awk '$2 != "A" {print $3}' | sed 's/@.*//' | sort; }

sed -n 's/^ *X(\(d[A-Z][A-Za-z0-9]*\),.*/\1/p' "$source/bridge/ode/ode.h" | sort >"$work/wrapped"
# a declaration may be broken anywhere: one line first, the comments out of it
cat "$source/plugin/include/ukode/ukode.h" "$source/plugin/include/ukode/analysis.h" | tr '\n' ' ' | sed 's,/\*,\n/*,g; s,\*/,*/\n,g' | sed '/^\/\*/d' | tr -d '\n' |
    tr ';' '\n' | sed -n 's/.*UKODE_API [^(]*[ *]\(uk[A-Z][A-Za-z0-9]*\)(.*/\1/p' | sort >"$work/api"
[ "$(wc -l <"$work/wrapped")" -ge 100 ] && [ "$(wc -l <"$work/api")" -ge 15 ] || { echo "exports: lists not found"; exit 1; }

failed=0
printf '%s\n' _Exit _exit execl execle execlp execv execve execveat execvp execvpe fexecve | sort - "$work/wrapped" "$work/api" >"$work/meant"
sed -n 's/^ *X(\(dJointSet[A-Z][A-Za-z0-9]*\),.*/\1/p' "$source/bridge/ode/fork.h" | sort - "$work/meant" -o "$work/meant"
exported "$library" >"$work/exported"
if ! diff "$work/meant" "$work/exported" >"$work/diff"; then
    echo "exports: < meant, > exported"
    cat "$work/diff"
    failed=1
fi
exported "$libode" >"$work/ode"
comm -23 "$work/wrapped" "$work/ode" >"$work/missing"
if [ -s "$work/missing" ]; then
    echo "exports: wrapped, but not in libode:"
    cat "$work/missing"
    failed=1
fi
if nm -D --undefined-only "$library" | grep -w getenv; then
    echo "exports: getenv: a set-user-ID program's caller chooses the environment; secure_getenv ignores it there"
    failed=1
fi
if LC_ALL=C readelf -d "$library" | grep 'NEEDED.*\(lapack\|blas\)'; then
    echo "exports: needed from the start"
    failed=1
fi
exit $failed
