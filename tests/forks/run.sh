#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copies of ODE as programs bring them: linked, needed by a plugin, linked into a plugin, opened with dlopen, older, single,
# forked. Each is stepped by ukode as its own copy, or refused by name with the bits of its own stepper.
# Usage: run.sh BUILD (with UKODE_ODE_SOURCE: a folder with ODE's source)
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
cache=$build/tests/forks
tree=${UKODE_ODE_SOURCE:-}
[ -n "$tree" ] || tree=$("$here/source.sh" "$cache" 2>"$build/forks.log") ||
    { echo "forks: skipped: $(tail -1 "$build/forks.log")"; exit 77; }
command -v "${CXX:-c++}" >/dev/null || { echo "forks: skipped: no C++ compiler"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
library=$work/libukode.so # LD_PRELOAD takes no path with a blank
ln -s "$build/libukode.so" "$library"
ln -s "$build/libukode.so.0" "$work/libukode.so.0"
unset LD_PRELOAD UKODE_DISABLE UKODE_SOLVER UKODE_VERBOSE UKODE_CONFIG UKODE_RECORD UKODE_REPORT UKODE_PIPE

failed=0
fail() { echo "forks: $*"; failed=1; }

# ---- builds of ODE ---------------------------------------------------------------------------------------------------
# odeObjects NAME FLAGS...: the tree in tree-NAME, or the original one, as objects in the cache
odeObjects() {
    name=$1
    shift
    [ ! -e "$cache/$name/done" ] || return 0
    "$here/build_ode.sh" "$tree_of" "$cache/$name" "$@" && : >"$cache/$name/done"
}
patched() { # patched NAME: a copy of the source to edit
    [ -e "$cache/$1-tree" ] || cp -r "$tree" "$cache/$1-tree"
    tree_of=$cache/$1-tree
}
tree_of=$tree
odeObjects plain -DdIDEDOUBLE -DdNODEBUG
odeObjects single -DdIDESINGLE -DdNODEBUG
# the class of 0.12 (earlier.sh), without the functions that came later
later=$(sed -n 's/^    X([a-zA-Z]*, \(dJoint[A-Za-z0-9]*\), .*/-D\1=x\1/p' "$here/../../bridge/ode/earlier.h")
sum=$(cat "$here"/earlier.sh "$here/../../bridge/ode/earlier.h" | cksum | tr -d ' ')
if [ "$(cat "$cache/old-sum" 2>/dev/null)" != "$sum" ]; then
    rm -rf "${cache:?}/old" "$cache/old-tree"
    patched old
    "$here/earlier.sh" "$tree_of"
    "$here/former_amotor.sh" "$tree_of"
    # shellcheck disable=SC2086
    odeObjects old -DdIDEDOUBLE -DdNODEBUG $later
    echo "$sum" >"$cache/old-sum"
fi
# the class of 0.13 and 0.14: without two setters, and Euler AMotors of then; Webots' fork is of that class
former="-DdJointSetHinge2Axes=xJointSetHinge2Axes -DdJointSetDBallDistance=xJointSetDBallDistance"
changed() { # changed NAME SCRIPT FILES: objects of a copy of the source that the script edits; the files that depend on it
    sum=$(cat "$here"/webots.sh "$here"/former_amotor.sh "$here"/fluid.cpp | cksum | tr -d ' ')
    if [ "$(cat "$cache/$1-sum" 2>/dev/null)" != "$sum" ]; then
        rm -rf "${cache:?}/$1" "$cache/$1-tree"
        patched "$1"
        "$2" "$tree_of"
        cp -r "$cache/plain" "$cache/$1"
        rm "$cache/$1/done"
        export ONLY="amotor|hinge2|dball$3"
        # shellcheck disable=SC2086
        odeObjects "$1" -DdIDEDOUBLE -DdNODEBUG $former
        unset ONLY
        echo "$sum" >"$cache/$1-sum"
    fi
}
changed thirteen "$here/former_amotor.sh" ""
changed webots "$here/webots.sh" "|hinge|ode|export-dif|fluid"

shared() { # shared LIBRARY SONAME OBJECTS... and further arguments
    output=$1 soname=$2
    shift 2
    ${CXX:-c++} -shared -o "$output" -Wl,-soname,"$soname" "$@" -lm -pthread
}
mkdir -p plain old single gazebo webots unknown thirteen
ln -sfn "$cache" cache # a path without a blank, for lists of files
shared plain/libode.so.8 libode.so.8 "$cache"/plain/*.o
shared plain/libode.so.6 libode.so.6 "$cache"/plain/*.o
shared old/libode.so.1 libode.so.1 "$cache"/old/*.o
shared single/libode.so.8 libode.so.8 "$cache"/single/*.o
echo 'void *dJointCreateScrew(void *w, void *g) { return w ? g : w; }' | ${CC:-cc} -x c -fPIC -c -o screw.o -
shared gazebo/libopende.so libopende.so "$cache"/plain/*.o screw.o
shared webots/libode.so libode.so "$cache"/webots/*.o
shared thirteen/libode.so.3 libode.so.3 "$cache"/thirteen/*.o
cp "$cache/plain/ode.o" unknown/ode.o
objcopy --redefine-sym dWorldGetCFM=xWorldGetCFM unknown/ode.o
# shellcheck disable=SC2046
shared unknown/libode.so libode.so $(ls cache/plain/*.o | grep -v /ode.o) unknown/ode.o

# ---- programs --------------------------------------------------------------------------------------------------------
scene() { # scene OUTPUT TREE PRECISION ARGUMENTS...
    output=$1 headers=$2/include precision=$3
    shift 3
    ${CC:-cc} -std=c11 -O1 -Wall -Wextra -Wno-deprecated-declarations -I"$headers" -DdIDE"$precision" -o "$output" "$here/scene.c" "$@" -lm
}
for kind in plain unknown; do
    library_of=$(ls $kind/lib*.so* | head -1)
    scene scene-$kind "$tree" DOUBLE "$library_of" -Wl,-rpath,"$work/$kind"
done
scene scene-six "$tree" DOUBLE plain/libode.so.6 -Wl,-rpath,"$work/plain"
scene scene-gazebo "$tree" DOUBLE gazebo/libopende.so -Wl,-rpath,"$work/gazebo"
scene scene-thirteen "$tree" DOUBLE thirteen/libode.so.3 -Wl,-rpath,"$work/thirteen"
${CC:-cc} -std=c11 -O1 -Wall -Wextra -DdIDEDOUBLE -I"$tree/include" -o amotor "$here/amotor.c" thirteen/libode.so.3 \
    -Wl,-rpath,"$work/thirteen"
scene scene-webots "$tree" DOUBLE webots/libode.so -Wl,-rpath,"$work/webots"
${CC:-cc} -std=c11 -O1 -Wall -Wextra -Wno-deprecated-declarations -DdIDEDOUBLE -I"$tree/include" -o webots-world \
    "$here/webots.c" webots/libode.so -Wl,-rpath,"$work/webots"
${CC:-cc} -std=c11 -O1 -Wall -Wextra -Wno-deprecated-declarations -DdIDEDOUBLE -I"$tree/include" -o webots-bin "$here/webots.c" webots/libode.so
${CC:-cc} -std=c11 -O1 -Wall -Wextra -Wno-deprecated-declarations -DdIDEDOUBLE -DOWN_STEP -I"$tree/include" -I"$here/../../plugin/include" \
    -o webots-own "$here/webots.c" "$library" webots/libode.so -Wl,-rpath,"$work:$work/webots"
scene scene-old "$cache/old-tree" DOUBLE old/libode.so.1 -Wl,-rpath,"$work/old"
scene scene-single "$tree" SINGLE single/libode.so.8 -Wl,-rpath,"$work/single"
scene needs-eight.so "$tree" DOUBLE -shared -fPIC -DPLUGIN plain/libode.so.8 -Wl,-rpath,"$work/plain"
scene needs-six.so "$tree" DOUBLE -shared -fPIC -DPLUGIN plain/libode.so.6 -Wl,-rpath,"$work/plain"
scene needs-single.so "$tree" SINGLE -shared -fPIC -DPLUGIN single/libode.so.8 -Wl,-rpath,"$work/single"
scene needs-old.so "$cache/old-tree" DOUBLE -shared -fPIC -DPLUGIN old/libode.so.1 -Wl,-rpath,"$work/old"
${CC:-cc} -std=c11 -O1 -fPIC -w -DPLUGIN -DdIDEDOUBLE -I"$tree/include" -c -o plugin.o "$here/scene.c"
${CC:-cc} -std=c11 -O1 -fPIC -w -DdIDEDOUBLE -I"$tree/include" -c -o program.o "$here/scene.c"
shared carries.so carries.so plugin.o "$cache"/plain/*.o
printf '{ global: run; local: *; };\n' >hidden.map
shared hides.so hides.so plugin.o "$cache"/plain/*.o -Wl,--version-script=hidden.map
shared carries-thirteen.so carries-thirteen.so plugin.o "$cache"/thirteen/*.o
${CC:-cc} -std=c11 -O1 -fPIC -w -DPLUGIN -DdIDESINGLE -I"$tree/include" -c -o plugin-single.o "$here/scene.c"
shared carries-single.so carries-single.so plugin-single.o "$cache"/single/*.o
${CXX:-c++} -w -O2 -flto -fvisibility=hidden -fPIE -pie -Wl,-z,now -DdIDEDOUBLE -I"$tree/include" -o scene-tight -x c++ "$here/scene.c" \
    -x none plain/libode.so.8 -Wl,-rpath,"$work/plain" -lm 2>tight.err || fail "C++, LTO: $(tail -1 tight.err)"
${CC:-cc} -o scene-behind program.o "$library" plain/libode.so.8 -Wl,--no-as-needed -Wl,-rpath,"$work:$work/plain" -lm
${CXX:-c++} -o scene-static program.o "$cache"/plain/*.o -lm -pthread
${CC:-cc} -std=c11 -D_GNU_SOURCE -o host "$here/host.c" -ldl
${CC:-cc} -std=c11 -D_GNU_SOURCE -o byhand "$here/byhand.c" -ldl

near() { "$here/near.sh" "$1" "$2" ${real:-double}; }
runs() { # runs NAME COMMAND...: native.out, and ukode run's out and err
    name=$1
    shift
    "$@" >native.out 2>native.err || fail "$name: fails without ukode"
    [ -s native.out ] || fail "$name: prints nothing"
    "$build/ukode" run -- "$@" >out 2>err || { cat err; fail "$name: fails under ukode"; }
}
stepped() { # stepped NAME STEPS COMMAND...: all steps are ukode's, of the program's own copy
    steps=$2
    set -- "$1" "$@"
    shift 1
    name=$1
    shift 2
    runs "$name" "$@"
    near native.out out || { diff native.out out; fail "$name: the motion differs"; }
    grep -q "^ukode: $steps steps, .* 0 fallbacks to ODE's own step; 0 not certified$" err || { cat err; fail "$name: not $steps steps"; }
}
refused() { # refused NAME TEXT COMMAND...: native bits, and the cause
    text=$2
    name=$1
    shift 2
    runs "$name" "$@"
    cmp native.out out || fail "$name: the bits differ"
    grep -q "^ukode: nothing was stepped.*$text" err || { cat err; fail "$name: the cause is not '$text'"; }
    [ "$(grep -c "$text" err)" = 1 ] || { cat err; fail "$name: the cause is not printed once"; }
    LD_PRELOAD=$library "$@" >out 2>err || fail "$name: fails when preloaded"
    cmp native.out out || fail "$name: the bits differ when preloaded"
}

# ---- copies that are served ------------------------------------------------------------------------------------------
stepped "linked" 100 ./scene-plain
stepped "linked, C++, LTO, hidden symbols, bound at once" 100 ./scene-tight
stepped "linked after ukode" 40 ./scene-behind 40
stepped "linked, another name" 100 ./scene-six
stepped "needed by a plugin" 100 ./host local ./needs-eight.so
stepped "needed by a plugin, another name" 100 ./host local ./needs-six.so
stepped "in a plugin" 100 ./host local ./carries.so
stepped "in a plugin that is opened again" 200 ./host reload ./carries.so ./carries.so
stepped "in plugins, one after the other" 200 ./host reload ./carries.so ./needs-six.so

stepped "0.13" 100 ./scene-thirteen
stepped "0.13, in a plugin" 100 ./host local ./carries-thirteen.so
# the other integrators: as with the original build, and recorded, verified and replayed
for setting in UKODE_JOINTS=exact UKODE_INTEGRATOR=rk4 UKODE_INTEGRATOR=adaptive UKODE_INTEGRATOR=rattle UKODE_CHECK=stop; do
    env "$setting" LD_PRELOAD="$library" ./scene-plain >native.out
    for program in ./scene-thirteen ./scene-six "./host local ./carries.so"; do
        # shellcheck disable=SC2086
        env "$setting" LD_PRELOAD="$library" UKODE_REPORT=report $program >out
        cmp native.out out || fail "$setting, $program: the bits differ from those with libode.so.8"
        grep -q '"event":"end".*"steps":100,"native_steps":0,"fallbacks":0,' report || fail "$setting, $program: not 100 steps"
        rm report
    done
done
"$build/ukode" record -o thirteen.ukode --inputs --certificates -- ./scene-thirteen >out 2>&1 || { cat out; fail "0.13: recording"; }
for command in verify replay; do
    "$build/ukode" $command thirteen.ukode >out 2>&1 || { tail -3 out; fail "0.13: ukode $command"; }
done
# AMotors attached as (0, body) were others then
for which in user euler; do
    for body in first second; do
        runs "0.13, AMotor, $which, $body" ./amotor $body $which
        near native.out out || { diff native.out out; fail "0.13, AMotor, $which, $body body: the motion differs"; }
        grep -q '^ukode: 50 steps, .* 0 fallbacks.* 0 not certified' err || { cat err; fail "0.13, AMotor, $which, $body body: not 50 steps"; }
    done
done
"$here/webots_steps.sh" "$build" || failed=1

# ---- single precision ----------------------------------------------------------------------------------------------------
real=float
stepped "single precision" 40 ./scene-single 40
runs "single precision, linked" ./scene-single
mv out linked.out
runs "single precision, needed by a plugin" ./host local ./needs-single.so
cmp linked.out out || fail "single precision, needed by a plugin: the bits differ from those of a linked copy"
runs "single precision, in a plugin" ./host local ./carries-single.so
cmp linked.out out || fail "single precision, in a plugin: the bits differ from those of a linked copy"
"$build/ukode" record -o single.ukode --inputs --certificates -- ./scene-single >out 2>&1 || { cat out; fail "single: recording"; }
"$build/ukode" verify --all single.ukode >out 2>&1 || { tail -3 out; fail "single precision: ukode verify"; }
if "$build/ukode" replay single.ukode >out 2>&1; then fail "single precision: a replay in double precision has its bits"; fi
grep -q 'recorded with an ODE of single precision' out || { cat out; fail "single precision: why the replay differs"; }
for pair in "needs-six.so needs-single.so" "needs-single.so needs-six.so"; do
    # shellcheck disable=SC2086
    set -- $pair
    runs "two precisions: $pair" ./host local ./"$1" ./"$2"
    tail -n "$(($(wc -l <native.out) / 2))" native.out >second.native
    tail -n "$(($(wc -l <out) / 2))" out | cmp second.native - || fail "two precisions: $pair: the bits of the second differ"
done
# all joint types, on the library's functions: as with the copy in double precision, under every integrator
for precision in SINGLE DOUBLE; do
    kind=$(echo $precision | sed 's/SINGLE/single/; s/DOUBLE/plain/')
    ${CC:-cc} -std=c11 -O1 -D_GNU_SOURCE -Wall -Wextra -Wno-deprecated-declarations -I"$tree/include" -I"$here/../../plugin/include" \
        -DdIDE$precision -o joints-$kind "$here/single.c" "$library" $kind/libode.so.8 \
        -Wl,-rpath,"$work:$work/$kind" -lm
done
for integrator in euler rk4 adaptive rattle; do
    for rule in ode exact; do
        ./joints-plain $integrator $rule >native.out && ./joints-single $integrator $rule >out ||
            fail "single precision: $integrator, rows $rule"
        near native.out out || fail "single precision: $integrator, rows $rule: the motion differs"
    done
done
real=double
"$here/single_parity.sh" "$tree" || failed=1

# ---- two at once: the first is served, the other keeps its own steps -----------------------------------------------------
for pair in "carries.so needs-six.so" "needs-six.so carries.so" "needs-eight.so needs-six.so"; do
    # shellcheck disable=SC2086
    set -- $pair
    runs "two: $pair" ./host local ./"$1" ./"$2"
    near native.out out || { diff native.out out; fail "two: $pair: the motion differs"; }
    tail -n "$(($(wc -l <native.out) / 2))" native.out >second.native
    tail -n "$(($(wc -l <out) / 2))" out | cmp second.native - || fail "two: $pair: the bits of the second differ"
    grep -q '^ukode: not stepped by ukode: .* is a second copy of ODE in this process' err &&
        [ "$(grep -c 'is a second copy' err)" = 1 ] &&
        grep -q '^ukode: 100 steps, ' err || { cat err; fail "two: $pair: what is reported"; }
done
# a call by a jump, of a geom: it reaches the geom's own copy
cp "$cache/plain/collision_kernel.o" renamed.o
objcopy --redefine-sym dGeomDestroy=realGeomDestroy renamed.o
for plugin in one two three; do
    ${CC:-cc} -std=c11 -O2 -fPIC -w -DNAME="\"$plugin\"" -DdIDEDOUBLE -I"$tree/include" -c -o tail.o "$here/tail.c"
    # shellcheck disable=SC2046
    shared tail-$plugin.so tail-$plugin.so tail.o renamed.o $(ls cache/plain/*.o | grep -v /collision_kernel.o)
done
${CC:-cc} -std=c11 -D_GNU_SOURCE -DHOST -o tail "$here/tail.c" -ldl
runs "tail calls" ./tail ./tail-one.so ./tail-two.so ./tail-three.so
[ "$(cat native.out)" = "$(printf 'one\ntwo\nthree')" ] || fail "tail calls: the test's plugins"
cmp native.out out || { cat out; fail "tail calls: a geom is destroyed by another copy"; }
runs "a refused one first" ./host local ./needs-old.so ./needs-six.so
near native.out out || fail "a refused one first: the motion differs"
grep -q '^ukode: not stepped by ukode: .*/old/libode.so.1 is ODE 0.12 or older' err && grep -q '^ukode: 100 steps, ' err ||
    { cat err; fail "a refused one first: what is reported"; }

# ---- copies that are refused -------------------------------------------------------------------------------------------
refused "0.12" "$work/old/libode.so.1 is ODE 0.12 or older" ./scene-old
refused "0.12, needed by a plugin" "$work/old/libode.so.1 is ODE 0.12 or older" ./host local ./needs-old.so
refused "Gazebo" "$work/gazebo/libopende.so is Gazebo's fork" ./scene-gazebo
refused "unknown" "$work/unknown/libode.so is an unknown build of ODE: it lacks dWorldGetCFM" ./scene-unknown

# a program with a static ODE that is linked with libukode.so exports the functions of ODE that libukode.so names
${CC:-cc} -std=c11 -O1 -w -DEMBEDDED -DdIDEDOUBLE -I"$tree/include" -I"$here/../../plugin/include" -c -o enables.o "$here/scene.c"
${CXX:-c++} -o scene-lukode enables.o "$cache"/plain/*.o "$library" -Wl,-rpath,"$work" -lm -pthread
if ./scene-lukode >out 2>err; then fail "static with -lukode: enabled"; fi
grep -q "scene-lukode is an unknown build of ODE: .*link it with ukode::embedded" err || { cat err; fail "static with -lukode: the cause is not named"; }

# ---- calls that do not reach ukode ----------------------------------------------------------------------------------------
refused "RTLD_DEEPBIND" "bound to $work/plain/libode.so.6 and do not reach ukode: .*RTLD_DEEPBIND" \
    ./host deep ./needs-six.so
refused "static" "ODE is linked statically into .*scene-static" ./scene-static
refused "static in a plugin" "ODE is linked statically into .*hides.so" ./host local ./hides.so
refused "dlsym" "plain/libode.so.6 is loaded, but no object is linked with its dWorldStep: it was called through dlsym" \
    ./byhand plain/libode.so.6
refused "dlsym, another class" "old/libode.so.1 is loaded, but no object is linked" ./byhand old/libode.so.1
if ./host space ./needs-six.so >/dev/null 2>&1; then
    refused "dlmopen" "was loaded with dlmopen into another namespace" ./host space ./needs-six.so
fi
if ${CXX:-c++} -static -o scene-no-linker program.o "$cache"/plain/*.o -lm -pthread 2>/dev/null; then
    refused "a static program" "scene-no-linker is linked statically: without a dynamic linker" ./scene-no-linker
fi
if ${CXX:-c++} -static-pie -o scene-static-pie program.o "$cache"/plain/*.o -lm -pthread 2>/dev/null; then
    refused "a static-pie program" "scene-static-pie is linked statically: without a dynamic linker" ./scene-static-pie
fi
cp scene-plain scene-user
chmod 755 "$work" plain
[ "$(id -u)" != 0 ] || chown nobody scene-user # as root, of another user
chmod u+s scene-user
"$build/ukode" run -- ./scene-user >out 2>err || fail "set-user-ID: fails"
[ "$(id -u)" = "$(stat -c %u scene-user)" ] || grep -q "nothing was stepped: ./scene-user is set-user-ID" err ||
    { cat err; fail "set-user-ID: the cause is not named"; }

# ---- the library itself -------------------------------------------------------------------------------------------------
cp thirteen/libode.so.3 thirteen/libode.so.8
mkdir fork
shared fork/libode.so.8 libode.so.8 "$cache"/webots/*.o
parity() { # parity FOLDER PROGRAMS...
    folder=$1
    shift
    for test in "$@"; do
        [ -x "$build/tests/parity/test_$test" ] || { fail "no parity program $test"; continue; }
        LD_LIBRARY_PATH=$work/$folder "$build/tests/parity/test_$test" >out 2>&1 || { tail -5 out; fail "$test with $folder/libode.so.8"; }
    done
}
parity plain parity_equality
parity thirteen parity_equality rows_joints rows_motors rows_hinge2
parity fork parity_equality rows_motors rows_hinge2

"$here/musl.sh" "$tree" || failed=1

# ---- with ukode in the program -----------------------------------------------------------------------------------------
"$here/embedded.sh" "$build" "$tree" "$cache" "$later" || failed=1

[ $failed -eq 0 ] && echo "forks: every copy of ODE is stepped as it is, or refused by name"
exit $failed
