#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs that know nothing of ukode, native and preloaded: the same output, and every step taken by whom it should be.
# Usage: run.sh BUILD
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
library=$work/libukode.so # LD_PRELOAD takes no path with a blank
ln -s "$build/libukode.so" "$library"
unset LD_PRELOAD UKODE_DISABLE UKODE_SOLVER UKODE_VERBOSE UKODE_CONFIG UKODE_RECORD UKODE_REPORT UKODE_PIPE
OPENBLAS_NUM_THREADS=1
export OPENBLAS_NUM_THREADS

failed=0
fail() { echo "preload: $*"; failed=1; }

# shellcheck disable=SC2046,SC2086
compile() { # compile OUTPUT SOURCE FLAGS...: flags in the order given
    output=$1 file=$2
    shift 2
    ${CC:-cc} -std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra -I"$source" -I"$source/plugin/include" $(pkg-config --cflags ode) \
        -o "$output" "$here/$file" "$@" -lm
}
ode=$(pkg-config --libs ode)

# steps WORD: how many of the last report's steps, summed over its processes: steps (ukode's) or native_steps
steps() {
    [ -e report ] || { echo 0; return; }
    sed -n '/"event":"end"/s/.*"'"$1"'":\([0-9]*\).*/\1/p' report | awk '{n += $1} END {print n + 0}'
}

preloaded() { # preloaded COMMAND...: into preloaded.out, preloaded.err, report
    rm -f report
    LD_PRELOAD=$library UKODE_REPORT=$work/report "$@" >preloaded.out 2>preloaded.err
}

# compare NAME STEPS COMMAND...: STEPS ukode, mixed or ode: who is to take them
compare() {
    name=$1 who=$2
    shift 2
    "$@" >native.out 2>native.err || fail "$name: fails without ukode"
    preloaded "$@" || fail "$name: fails under ukode"
    [ -s native.out ] || fail "$name: printed nothing"
    diff native.out preloaded.out || fail "$name: native < and ukode > differ"
    diff native.err preloaded.err || fail "$name: stderr differs"
    took "$name" "$who"
}

took() {
    ours=$(steps steps) native=$(steps native_steps)
    case $2 in
    ukode) [ "$ours" -gt 0 ] && [ "$native" -eq 0 ] ;;
    ode) [ "$ours" -eq 0 ] ;;
    esac || fail "$1: $ours steps by ukode, $native by ODE, meant: $2"
}

# ---- objects that end ------------------------------------------------------------------------------------------------
compile life life.c $ode
compare "life" ukode ./life
cp native.out life.out
grep -q 'joint reused: yes' native.out && grep -q 'body reused: yes' native.out || fail "life: no address was reused"

compile getters getters.c $ode
compare "getters, callbacks, sleep" ukode ./getters

if ${CXX:-c++} -O1 -o throwing "$here/throwing.cpp" $ode 2>/dev/null; then
    compare "callbacks that throw" ukode ./throwing
else
    echo "preload: no C++ compiler here, exceptions not tried"
fi

compile refused refused.c $ode
preloaded ./refused || { fail "refused"; cat preloaded.out; }

compile late late.c $ode
preloaded ./late || fail "late: a world destroyed after dCloseODE"
took late ukode
./late >/dev/null 2>&1 && echo "preload: note: this ODE survives late.c by itself"

# ---- ways in ---------------------------------------------------------------------------------------------------------
compile module.so module.c -shared -fPIC $ode
compile loader loader.c -ldl
compare "module loaded with RTLD_LOCAL" ukode ./loader ./module.so

compile handle handle.c -ldl
compare "functions by dlsym" ode ./handle

compile libearly.so early.c -shared -fPIC $ode
compile early early_main.c -L. -learly -Wl,-rpath,"$work" $ode
compare "simulating constructor" ukode ./early

mkdir -p lib # the linker must find this very library first
ln -s "$build/libukode.so" lib/libukode.so
compile linked_first linked.c -Llib -lukode $ode -Wl,-rpath,"$build"
./linked_first ukode-first >out || { fail "linked -lukode -lode"; cat out; }
compile linked_last linked.c -Wl,--no-as-needed $ode -Llib -lukode -Wl,-rpath,"$build"
./linked_last ode-first >out || { fail "linked -lode -lukode"; cat out; }
compile life_first life.c -Wl,--no-as-needed -Llib -lukode $ode -Wl,-rpath,"$build"
rm -f report
UKODE_REPORT=$work/report ./life_first >out 2>err || fail "life linked with ukode"
diff life.out out || fail "life linked with ukode, nothing enabled: the output differs"
took "merely linked" ode

# ---- threads ---------------------------------------------------------------------------------------------------------
compile threads threads.c -pthread $ode
compare "threads" ukode ./threads

# ---- steps that ukode refuses: ODE's own, or none ----------------------------------------------------------------------
rm -f report
LD_PRELOAD=$library UKODE_CHECK=fallback:1e-300 UKODE_REPORT=$work/report ./life >out 2>err || fail "fallback"
diff life.out out || fail "fallback: the output differs"
[ "$(steps fallbacks)" -gt 0 ] || fail "fallback: no step was left to ODE"
LD_PRELOAD=$library UKODE_CHECK=stop:1e-300 UKODE_REPORT=$work/report ./life >out 2>err || fail "stop"
grep -q 'a step failed' out || fail "stop: no step failed"
[ "$(steps failed)" -gt 0 ] || fail "stop: failed steps are not counted"
grep -q '"first_reason":"[^"]*rejected by the Gauss check' report || fail "stop: the first reason is missing"

# ---- friction that the program knows nothing of ----------------------------------------------------------------------
# wheels of 1 kg, I = (0.4^2 + 0.6^2)/12: viscous, w = 0.01/(I/c + 0.01) a step; dry, mu r m g/I a second
compile friction friction.c $ode
compare "friction, none" ukode ./friction
printf 'hinge coulomb 0.01 radius 0.1\njoint 1 coulomb 0 viscous 0.02 # later lines win\n' >laws
rm -f report
LD_PRELOAD=$library UKODE_CONFIG=laws UKODE_REPORT=$work/report ./friction >out 2>err || fail "UKODE_CONFIG"
[ ! -s err ] || { fail "UKODE_CONFIG: something was said"; cat err; }
took "UKODE_CONFIG" ukode
awk 'BEGIN {I = (0.16 + 0.36)/12; printf "%.4f\n%.4f\n%.4f\n", (1 + 0.02*0.01/I)^-200, 1 - 2*0.001*9.81/I, 1 - 0.001*9.81/I}' >expected
diff expected out || fail "UKODE_CONFIG: rates expected < and found >"
printf 'hinge viscous 0.02\nhinge sticky 1\n' >laws
rm -f report
LD_PRELOAD=$library UKODE_CONFIG=laws UKODE_REPORT=$work/report ./friction >out 2>err || fail "wrong UKODE_CONFIG"
grep -q "UKODE_CONFIG=laws, line 2: 'sticky' is not one of: coulomb" err || fail "wrong UKODE_CONFIG is not told"
diff native.out out || fail "wrong UKODE_CONFIG: the world is not as it was"
took "wrong UKODE_CONFIG" ode

# ---- diagnosis of a program that never ends ---------------------------------------------------------------------------
compile misplaced misplaced.c $ode
"$build/ukode" info --seconds 3600 -- ./misplaced stepped >out 2>err &
info=$!
until [ -e stepped ] && grep -q '^SigCgt:.*[2367abef][0-9a-f]\{3\}$' /proc/$info/status || ! kill -0 $info; do sleep 0.05; done
kill -ALRM $info || : # as its clock does when the time is up
wait $info || fail "info of a program"
[ ! -s err ] || { fail "info of a program: something was said"; cat err; }
cat >expected <<'TEXT'
world 1 at 0 s: bodies 2, joints 3, user constraints 0, rigid rows 15, rank 11
  hinge joint 2: 4 of 5 rows redundant; reaction not unique: force y, force z, torque x, torque y, torque z
  hinge joint 3: 4 of 5 rows redundant; reaction not unique: force y, force z, torque x, torque y, torque z
  conflict: these joints contradict each other in positions by 0.001 m:
    hinge joint 2
    hinge joint 3
TEXT
grep -v 'singular values' out | diff expected - || fail "info: expected < and found >"

# ---- what a usual program may ask for ---------------------------------------------------------------------------------
UKODE_REPORT=others.report ./linked_first ukode-first >out || fail "UKODE_REPORT of a usual program"
[ -s others.report ] || fail "a usual program has no report"

# ---- where it has nothing to do --------------------------------------------------------------------------------------
rm -f report
LD_PRELOAD=$library UKODE_DISABLE=1 UKODE_REPORT=$work/report ./life >out 2>err || fail "disabled"
diff life.out out || fail "UKODE_DISABLE=1: the output differs"
took "UKODE_DISABLE=1" ode

preloaded sh -c 'true; ls / >/dev/null; echo child' || fail "children"
[ "$(cat preloaded.out)" = child ] && [ ! -s preloaded.err ] && [ ! -e report ] || fail "children: something was said"

archive=$(${CC:-cc} -print-file-name=libode.a)
if [ "$archive" != libode.a ] && compile life_static life.c "$archive" -l:libccd.so.2 -lstdc++ -pthread 2>static.err; then
    ./life_static >out
    diff life.out out || fail "static ODE: native output differs"
    preloaded ./life_static || fail "static ODE: fails under ukode"
    diff life.out preloaded.out || fail "static ODE: the output differs"
    took "static ODE" ode
    if [ -x "$build/ukode" ]; then
        "$build/ukode" run -- ./life_static >out 2>err
        grep -q 'nothing was stepped: ODE is linked statically into .*/life_static' err ||
            { cat err; fail "static ODE: ukode run does not name the cause"; }
    fi
else
    echo "preload: no static libode here, not tried"
fi

# an ODE of single precision that the program brings, and that lacks most functions: their float arguments pass unread
compile libode_single.so.1 single_ode.c -shared -fPIC -Wl,-soname,libode_single.so.1
compile single single.c libode_single.so.1 -Wl,-rpath,"$work"
./single >native.out || fail "single precision: fails without ukode"
preloaded ./single || fail "single precision: fails under ukode"
diff native.out preloaded.out || fail "single precision: native < and ukode > differ"
[ "$(wc -l <preloaded.err)" = 1 ] && grep -q 'is ODE 0.12 or older .*own steps are used' preloaded.err ||
    { cat preloaded.err; fail "single precision: what is told"; }
took "single precision" ode

# ---- Python ----------------------------------------------------------------------------------------------------------
python=
for p in python3 /usr/bin/python3; do
    [ -z "$python" ] && $p -c 'import ode' 2>/dev/null && python=$p
done
if [ -n "$python" ]; then
    compare "pyode" ukode "$python" "$here/pendulum.py"
else
    echo "preload: no pyode here, not tried"
fi

# ---- exported names --------------------------------------------------------------------------------------------------
readelf -d "$library" | grep NEEDED | grep -q libode && fail "libukode.so needs libode: it must take the program's"
libode=$(ldd ./life | awk '$1 ~ /^libode\.so/ {print $3}')
"$here/check_exports.sh" "$library" "$libode" || fail "exported names"

[ $failed -eq 0 ] && echo "preload: all ways in behave"
exit $failed
