#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The public header's text: every setter has a getter, every function that fills a growing struct has its size, every
# line is at most 120 columns wide. C and C++ compilers take the header without a warning, in either precision of ODE.
# The same for the demos and the functions of docs/, with the compiler's default warnings. That a missing getter is
# noticed is tried, too.
# Usage: header.sh SOURCE_DIRECTORY C_COMPILER COMPILER_FLAGS... (C++: CXX, c++ unless set; left out where there is none)
set -u
source=$1 cc=$2 cxx=${CXX:-c++}
shift 2
for flag; do # pkg-config may give empty ones
    shift
    [ -z "$flag" ] || set -- "$@" "$flag"
done
header=$source/plugin/include/ukode/ukode.h
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "header: $*"; failed=1; }

# Setters whose getter has another name, as SETTER=GETTER: ukWorldGetLedger returns the ledger itself.
others='ukWorldSetLedger=ukWorldIsLedgerOn'

without_getter() { # HEADER
    for setter in $(grep -oE '\buk[A-Z][A-Za-z]*Set[A-Z][A-Za-z]*\(' "$1" | tr -d '(' | sort -u | grep -v '^ukX'); do
        getter=$(echo "$setter" | sed 's/Set/Get/')
        for other in $others; do
            [ "${other%=*}" != "$setter" ] || getter=${other#*=}
        done
        grep -qE "^UKODE_API .*\b$getter\(" "$1" || echo "$setter"
    done
}
[ "$(grep -cE '^UKODE_API .*\buk[A-Z][A-Za-z]*Set[A-Z]' "$header")" -ge 20 ] || fail "the setters were not found"
missing=$(without_getter "$header")
[ -z "$missing" ] || fail "no getter for" $missing
for getter in ukWorldGetIntegrator ukJointGetDrag ukConstraintGetError ukWorldIsLedgerOn; do
    grep -vE "^UKODE_API .*\b$getter\(" "$header" >"$work/ukode.h"
    [ "$(without_getter "$work/ukode.h" | wc -l)" = 1 ] || fail "that $getter is missing is not noticed"
done

# a struct that grows is filled by a function with its size, and by nothing else
for struct in ukReport ukLedger ukAudit ukEquations ukDiagnosis ukMobility; do
    grep -qE "^UKODE_API .*Sized\(.*\b$struct \*[a-z]+, size_t size\);" "$header" || fail "$struct: no function with a size"
    ! grep -E "^UKODE_API .*\b$struct \*" "$header" | grep -vq 'size_t size' || fail "$struct: a function without a size"
done

analysis=$source/plugin/include/ukode/analysis.h
for struct in ukLinearization; do
    grep -qE "^UKODE_API .*Sized\(" "$analysis" && tr '\n' ' ' <"$analysis" | grep -qE "$struct \*[a-z]+, size_t size\);" ||
        fail "$struct: no function with a size"
done

wide=$(awk 'length > 120 { print FILENAME ":" FNR }' "$header" "$analysis")
[ -z "$wide" ] || fail "lines of more than 120 columns:" $wide

# ---- compilers --------------------------------------------------------------------------------------------------------

cat >"$work/use.c" <<'C'
#include <ukode/analysis.h>
static int rows(const ukConstraintContext *c, double *A, double *b, void *data) { (void)c; A[0] = b[0]; return data != 0; }
static void law(const ukNonIdealContext *c, double out[2][6], void *data) { (void)data; out[0][0] = c->rate[0]; }
int use(dWorldID w, dJointID j, dBodyID body);
int use(dWorldID w, dJointID j, dBodyID body)
{
    ukReport r;
    ukLinearization l;
    const ukSignal in = {ukSignalBodyForce, 0, body, 0};
    ukSolver solver = ukWorldGetSolver(w);
    ukIntegrator integrator = ukWorldGetIntegrator(w);
    int (*pointer)(dWorldID, ukReport *) = ukWorldGetReport;
    ukConstraintID c = ukConstraintCreate(w, 1, &body, 1, rows, 0);
    return pointer(w, &r) + ukWorldLinearize(w, &in, 1, 0, 0, 0, &l) + (solver == ukSolverAuto) + (integrator == ukIntegratorEuler) + ukJointSetNonIdeal(j, law, 0) +
           ukConstraintSetError(c, 0, 0);
}
C
cp "$work/use.c" "$work/use.cpp"
warnings="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
compile() { "$@" -I"$source/plugin/include" -c -o "$work/use.o" >"$work/log" 2>&1; }
try() { compile "$@" || { fail "$*"; head -5 "$work/log"; }; }
for standard in c99 c11 gnu17; do try "$cc" -std=$standard $warnings "$@" "$work/use.c"; done
command -v "$cxx" >/dev/null || cxx=true
for standard in c++98 c++11 c++17 c++20; do try "$cxx" -std=$standard $warnings "$@" "$work/use.cpp"; done
try "$cc" -std=c11 $warnings "$@" -DdIDESINGLE "$work/use.c"

# The functions that pages define, from a line in a C block that begins with `static` to the next brace in column 1
functions() {
    awk '/^```c$/ { block = 1; next } /^```/ { block = within = 0 } block && /^static / { within = 1 }
         within { print } /^}/ { within = 0 }' "$1"
}
mkdir "$work/pages"
for page in "$source"/docs/*.md; do
    functions "$page" >"$work/functions.c"
    [ ! -s "$work/functions.c" ] || printf '#include <math.h>\n#include <ukode/analysis.h>\n' |
        cat - "$work/functions.c" >"$work/pages/$(basename "$page" .md).c"
done
[ "$(ls "$work/pages" | wc -l)" -ge 2 ] || fail "the functions of pages were not found"
single=$(grep -nE 'Context \*.*\bdReal\b' "$work"/pages/*.c) # not noticed without the call that takes the function
[ -z "$single" ] || fail "dReal in place of double: $single"
for precision in dIDEDOUBLE dIDESINGLE; do
    for example in "$source"/demos/*.c "$source"/demos/papers/*.c "$work"/pages/*.c; do
        try "$cc" -std=gnu11 -Werror -Wno-unused-function "$@" -UdIDEDOUBLE -UdIDESINGLE -D$precision -I"$source" \
            "$example"
    done
done
exit $failed
