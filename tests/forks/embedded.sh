#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# ukode::embedded: programs and plugins that ODE and ukode are linked into. Their steps have the bits of the preloaded library.
# Called by run.sh in its folder, where scene-plain, scene-single, host and screw.o are.
# Usage: embedded.sh BUILD TREE CACHE LATER, the options that rename the functions that ODE 0.12 lacks (with
# UKODE_FORKS_SUBPROJECT=1: ukode is also built as a subproject with optimisation, which takes minutes)
set -eu
build=$1 tree=$2 cache=$3 later=$4
root=$(cd "$(dirname "$0")/../.." && pwd)
here=$(cd "$(dirname "$0")" && pwd)
failed=0
fail() { echo "forks: embedded: $*"; failed=1; }
for component in library development; do
    cmake --install "$build" --prefix "$PWD/prefix" --component $component >install.log 2>&1 || { tail -3 install.log; exit 1; }
done

project() { # project NAME OPTIONS...
    name=$1
    shift
    {
        cmake -S "$here/embedded" -B "$name" -DODE_TREE="$tree" -DODE_OBJECTS="$cache/plain" "$@" &&
            cmake --build "$name" -j2 --target embedded plugin asleep earlier
    } >"$name.log" 2>&1 || { tail -20 "$name.log"; fail "$name: the project is not built"; exit 1; }
}
lto=-flto # clang needs the linker's plugin
echo 'int main(void) { return 0; }' | ${CXX:-c++} $lto -x c++ -o nothing - 2>nothing.err || lto=
project package -DCMAKE_PREFIX_PATH="$PWD/prefix" -DCMAKE_C_FLAGS=-Wno-deprecated-declarations -DLTO=$lto

# ---- what does not link is refused when the project is configured ----------------------------------------------------------
mkdir old-headers # of the class of ODE 0.12
cp -r "$cache/old-tree/earlier" old-headers/include
cp -r old-headers gazebo-headers
echo 'ODE_API dJointID dJointCreateScrew (dWorldID, dJointGroupID);' >>gazebo-headers/include/ode/objects.h
unconfigured() { # unconfigured TEXT OPTIONS...
    text=$1
    shift
    if cmake -S "$here/embedded" -B unconfigured -DODE_OBJECTS="$cache/plain" -DCMAKE_PREFIX_PATH="$PWD/prefix" "$@" >unconfigured.log 2>&1
    then fail "configured: $text"; fi
    tr -s ' \n' ' ' <unconfigured.log | grep -q "UKODE_ODE: .*$text" || { tail -20 unconfigured.log; fail "the message is not '$text'"; }
    rm -rf unconfigured
}
unconfigured "old-headers/include/ode are the headers of ODE 0.12 or older: the installed ukode::embedded is compiled with those of 0.13 or later" -DODE_TREE="$PWD/old-headers"
unconfigured "gazebo-headers/include/ode are the headers of Gazebo's fork of ODE" -DODE_TREE="$PWD/gazebo-headers"
unconfigured "vendored is an ODE of single precision (dIDESINGLE), which ukode::embedded does not serve" -DODE_TREE="$tree" -DPRECISION=SINGLE
unconfigured "the headers of Gazebo's fork" -DODE_TREE="$PWD/gazebo-headers" -DUKODE_SOURCE="$root"

# by hand: link NAME PRECISION OBJECTS... and further arguments
archive=$(find "$PWD/prefix" -name libukode-embedded.a)
wrap=$(find "$PWD/prefix" -name embedded.wrap)
link() {
    output=$1 precision=$2
    shift 2
    ${CC:-cc} -std=c11 -O1 -w -D"${define:-EMBEDDED}" -DdIDE"$precision" -I"$tree/include" -I"$PWD/prefix/include" ${flags:-} -c -o "$output.o" "$here/scene.c"
    # shellcheck disable=SC2086
    ${CXX:-c++} ${flags:-} -o "$output" "$output.o" -Wl,@"$wrap" -Wl,--whole-archive,"$archive",--no-whole-archive "$@" \
        -pthread -ldl -lm 2>"$output.err" || { tail -3 "$output.err"; return 1; }
}
for linker in bfd gold lld; do
    echo 'int main(void) { return 0; }' | ${CXX:-c++} -x c++ -fuse-ld=$linker -o nothing - 2>nothing.err || continue
    link by-hand-$linker DOUBLE "$cache"/plain/*.o -fuse-ld=$linker || fail "linking with $linker"
done
flags="$lto -O1" link by-hand-lto DOUBLE "$cache"/plain/*.o || fail "linking with LTO"
if echo 'int main(void) { return 0; }' | ${CXX:-c++} -static -x c++ -o nothing - 2>nothing.err; then
    link by-hand-static DOUBLE "$cache"/plain/*.o -static || fail "linking statically"
fi
if echo 'int main(void) { return 0; }' | ${CXX:-c++} -static-pie -fPIE -x c++ -o nothing - 2>nothing.err; then
    flags=-fPIE link by-hand-static-pie DOUBLE "$cache"/plain/*.o -static-pie || fail "linking statically, at any address"
fi

# ---- bits ----------------------------------------------------------------------------------------------------------------
final() { # final REPORT: steps, steps that ODE took, and the hash of the last state
    tail -n 1 "$1" | sed 's/.*"worlds":[0-9]*,"steps":\([0-9]*\),"native_steps":\([0-9]*\),.*"hash":"\([0-9a-f]*\)".*/\1 \2 \3/'
}
same() { # same NAME COMMAND...: as scene-plain under the preloaded library
    name=$1
    shift
    UKODE_HASH=1 UKODE_REPORT=report "$@" >out 2>err || { cat err; fail "$name: fails"; }
    cmp preloaded.out out || fail "$name: the motion differs from the preloaded library's"
    [ "$(final report)" = "$(final preloaded.report)" ] || fail "$name: $(final report) for $(final preloaded.report)"
    rm -f report
}
every() { # every VARIABLES...: all programs with these settings
    env "$@" LD_PRELOAD="$PWD/libukode.so" UKODE_HASH=1 UKODE_REPORT=preloaded.report ./scene-plain >preloaded.out 2>err ||
        { cat err; fail "preloaded, $*"; }
    case $(final preloaded.report) in "100 0 "*) ;; *) fail "preloaded, $*: $(final preloaded.report)" ;; esac
    same "a program, $*" env "$@" package/embedded
    same "a plugin, $*" env "$@" ./host local "$plugin"
    for program in by-hand-*; do
        [ ! -x "$program" ] || same "$program, $*" env "$@" "./$program"
    done
    rm preloaded.report
}
plugin=./package/libplugin.so
every UKODE_INTEGRATOR=euler
every UKODE_INTEGRATOR=euler UKODE_JOINTS=exact
every UKODE_INTEGRATOR=rk4
every UKODE_INTEGRATOR=adaptive
every UKODE_INTEGRATOR=rattle
./scene-plain >native.out
package/asleep >out
cmp native.out out || fail "linking alone changes the motion"

# ---- single steps of every joint type beside ODE's own -----------------------------------------------------------------------
package/earlier >out 2>&1 || { cat out; fail "single steps differ from ODE's"; }

# ---- headers of ODE 0.12: the sources that use what these lack ---------------------------------------------------------------
(cd "$root" && ${CC:-cc} -fsyntax-only -std=c11 -D_GNU_SOURCE -DUKODE_EMBEDDED -Wall -Wextra -Wconversion -Werror -DdIDEDOUBLE \
    -I. -Iplugin/include -isystem "$cache/old-tree/earlier" $(grep -lE 'UKODE_(LATER|ODE_EARLIER)|UKODE_SYMBOL\(|ukSurface(Set)?Rolling|dJointType(DBall|Transmission)' \
        bridge/*/*.c plugin/*.c plugin/tools/replay/*.c)) || fail "headers of ODE 0.12: the sources do not compile"

# ---- the parity programs, linked that way ----------------------------------------------------------------------------------
parity() { # parity PROGRAM: as the program with the shared ODE, which calls the same functions of ukode
    # shellcheck disable=SC2046
    ${CXX:-c++} -o "embedded-$1" $(find objects/parity_test_"$1".dir objects/parity_shared.dir objects/tests_support.dir -name '*.o') \
        scenes.a -Wl,@"$wrap" -Wl,--whole-archive,"$archive",--no-whole-archive "$cache"/plain/*.o -pthread -ldl -lm ||
        { fail "$1: not linked"; return; }
    UKODE_HASH=1 UKODE_REPORT=report "./embedded-$1" >out 2>err || { tail -5 out; fail "$1: fails"; }
    LD_LIBRARY_PATH=$PWD/plain UKODE_HASH=1 UKODE_REPORT=shared.report "$build/tests/parity/test_$1" >shared.out 2>err || fail "$1: fails with a shared ODE"
    cmp shared.out out || fail "$1: the results differ from those with a shared ODE"
    [ "$(final report)" = "$(final shared.report)" ] || fail "$1: $(final report) for $(final shared.report)"
    rm -f report shared.report
}
ln -s "$build/tests/CMakeFiles" objects # paths without a blank
ln -s "$build/libukode_scenes.a" scenes.a
for program in parity_equality rows_hinge2; do
    if [ -d "objects/parity_test_$program.dir" ]; then parity $program; else fail "no objects of $program"; fi
done

# ---- recordings ----------------------------------------------------------------------------------------------------------
UKODE_RECORD=e.ukode UKODE_RECORD_INPUTS=1 UKODE_RECORD_CERTIFICATES=1 UKODE_RECORD_EVERY_STEP=1 package/embedded >out 2>err ||
    { cat err; fail "recording"; }
"$build/ukode" verify e.ukode >out 2>&1 || { tail -3 out; fail "the recording is not verified"; }
"$build/ukode" replay e.ukode >out 2>&1 || { tail -3 out; fail "the recording is not replayed"; }

# ---- copies that are refused ----------------------------------------------------------------------------------------------
refuses() { # refuses NAME TEXT PRECISION OBJECTS...
    name=$1 text=$2 precision=$3
    shift 3
    link refused "$precision" "$@" || { fail "$name: not linked"; return; }
    if ./refused >out 2>err; then fail "$name: not refused"; fi
    grep -q "^scene: .*$PWD/refused is $text" err || { cat err; fail "$name: the cause is not '$text'"; }
}
refuses "single precision" "an ODE of single precision" SINGLE "$cache"/single/*.o
define=ASLEEP link asleep-single SINGLE "$cache"/single/*.o || fail "single precision: not linked"
./asleep-single >out
./scene-single >native.out
cmp native.out out || fail "single precision: linking alone changes the motion"
refuses "Gazebo" "Gazebo's fork" DOUBLE "$cache"/plain/*.o screw.o
if link refused DOUBLE "$cache"/old/*.o 2>/dev/null >out; then fail "0.12 is linked"; fi
grep -q "undefined reference to .dJointCreateTransmission'" refused.err || fail "0.12: no undefined symbol"

# ---- as a subproject, from the sources, with ODE's headers of the project -------------------------------------------------
if [ "${UKODE_FORKS_SUBPROJECT:-0}" = 1 ]; then
    project subproject -DUKODE_SOURCE="$root" -DCMAKE_BUILD_TYPE=Release -DLTO=$lto
    LD_PRELOAD="$PWD/libukode.so" ./scene-plain >preloaded.out
    for program in subproject/embedded "./host local subproject/libplugin.so"; do
        $program >out
        cmp preloaded.out out || fail "subproject: $program: the motion differs"
    done
fi
# headers of ODE 0.12; without optimisation, which takes a third of the time
project twelve -DUKODE_SOURCE="$root" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O0 -DODE_TREE="$cache/old-tree" \
    -DODE_OBJECTS="$cache/old" -DODE_HEADERS="$cache/old-tree/earlier" -DODE_OPTIONS="$(echo "$later" | tr ' \n' ';;')"
twelve/earlier 300 >out 2>&1 || { cat out; fail "ODE 0.12: single steps differ from ODE's"; }
twelve/asleep >native.out
UKODE_HASH=1 UKODE_RECORD=t.ukode UKODE_RECORD_INPUTS=1 UKODE_RECORD_CERTIFICATES=1 UKODE_REPORT=report twelve/embedded >out
"$here/near.sh" native.out out || { diff native.out out; fail "ODE 0.12: the motion differs"; }
case $(final report) in "100 0 "*) ;; *) fail "ODE 0.12: $(final report)" ;; esac
"$build/ukode" verify t.ukode >out 2>&1 || { tail -3 out; fail "ODE 0.12: the recording is not verified"; }
"$build/ukode" replay t.ukode >out 2>&1 || { tail -3 out; fail "ODE 0.12: the recording is not replayed"; }
exit $failed
