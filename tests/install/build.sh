#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Builds where users are: a folder with a blank in its name, a packager's flags, ODE in single precision, a machine on
# which nothing may be installed.
# Usage: build.sh BUILD
set -eu
build=$(cd "$1" && pwd)
source=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset CFLAGS LDFLAGS LD_PRELOAD CMAKE_BUILD_TYPE

failed=0
fail() { echo "build: $*"; failed=1; }
# configure DIRECTORY OPTIONS...: CMake's words in DIRECTORY.log
configure() {
    directory=$1
    shift
    cmake -S "$copy" -B "$directory" -DUKODE_TESTS=OFF -DUKODE_DEMOS=OFF "$@" >"$directory.log" 2>&1
}
# flags DIRECTORY PATTERN: whether every source is compiled with them
flags() { [ "$(grep -c '"command"' "$1/compile_commands.json")" = "$(grep -cE -e '"command".*'"$2" "$1/compile_commands.json")" ]; }
anyFlags() { grep -qE -e '"command".*'"$2" "$1/compile_commands.json"; }

copy="$work/a folder/ukode"
mkdir -p "$copy"
for part in CMakeLists.txt LICENSE README.md .ci plugin bridge solvers demos docs tests; do cp -RP "$source/$part" "$copy"; done

# ---- a packager's flags, in a folder with a blank in its name ---------------------------------------------------------
packaged="$work/a folder/packaged"
configure "$packaged" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS='-O0 -ffast-math -DPACKAGERS_OWN' || { cat "$packaged.log"; fail "BUILD_TYPE=None"; }
flags "$packaged" ' -DPACKAGERS_OWN ' || fail "CMAKE_C_FLAGS are not everywhere"
anyFlags "$packaged" ' -(O2|O3|DNDEBUG) ' && fail "BUILD_TYPE=None: flags that nobody gave"
flags "$packaged" ' -ffast-math .* -fno-fast-math -ffp-contract=off ' || fail "the bits depend on CMAKE_C_FLAGS"
anyFlags "$packaged" ' -Werror' && fail "warnings are errors unasked"
cmake --build "$packaged" -j2 --target ukode ukode_command >"$packaged.log" 2>&1 || { cat "$packaged.log"; fail "build with a packager's flags"; }
"$build/ukode" run --quiet -- "$build/demos/four_bar" -o usual.dat >/dev/null
"$packaged/ukode" run --quiet --report report -- "$build/demos/four_bar" -o packaged.dat >/dev/null 2>err || fail "ukode run from a folder with a blank"
[ ! -s err ] || { cat err; fail "ukode run from a folder with a blank has something to say"; }
grep -q '"event":"end".*"steps":[1-9]' report || fail "ukode run from a folder with a blank did not step"
cmp usual.dat packaged.dat || fail "a packager's flags change the motion"
"$packaged/ukode" info --preload >out 2>err && fail "a path that LD_PRELOAD cannot hold is given out for it"
env LD_PRELOAD= LD_LIBRARY_PATH=/nowhere "$packaged/ukode" run -- sh -c 'echo "$LD_LIBRARY_PATH"' 2>/dev/null | grep -q ':/nowhere$' ||
    fail "LD_LIBRARY_PATH is overwritten"

configure release -DCMAKE_C_FLAGS_RELEASE='-O2 -DRELEASE_OWN' || { cat release.log; fail "CMAKE_C_FLAGS_RELEASE"; }
flags release ' -O2 -DRELEASE_OWN ' || fail "CMAKE_C_FLAGS_RELEASE are not everywhere"
anyFlags release ' -(O3|DNDEBUG) ' && fail "CMAKE_C_FLAGS_RELEASE: flags that nobody gave"
configure usual || { cat usual.log; fail "no options"; }
flags usual ' -O3 -DNDEBUG ' || fail "the usual build is not Release"
configure strict -DUKODE_WERROR=ON && flags strict ' -Werror' || fail "UKODE_WERROR"

# ---- ODE in single precision ------------------------------------------------------------------------------------------
mkdir -p single/include/ode single/lib
cat >single/include/ode/ode.h <<'C'
#define dSINGLE
typedef float dReal;
C
cat >single/ode.pc <<PC
Name: ode
Description: ODE in single precision
Version: 0.16.2
Libs: -L$work/single/lib -lode
Cflags: -I$work/single/include
PC
echo 'const char *dGetConfiguration(void) { return "ODE ODE_single_precision"; }' |
    ${CC:-cc} -x c -shared -fPIC -o single/lib/libode.so -
single() { env PKG_CONFIG_PATH="$work/single" cmake -S "$copy" -B single_build --fresh >single.log 2>&1; }
single && fail "headers of single precision are taken"
grep -q "ODE's headers are of single precision: ukode needs double" single.log || { cat single.log; fail "headers of single precision: why?"; }
sed -i 's/float/double/' single/include/ode/ode.h
rm -rf single_build
single && fail "a library of single precision is taken"
grep -q "libode.so is of single precision: ukode needs double" single.log || { cat single.log; fail "a library of single precision: why?"; }

# ---- a machine on which nothing may be installed ----------------------------------------------------------------------
mkdir bin
for tool in sh env dirname; do ln -s "$(command -v $tool)" bin/$tool; done
printf '#!/bin/sh\necho "$@" >>"%s/installed"\n' "$work" >bin/apt-get
chmod +x bin/apt-get
user() { printf '#!/bin/sh\necho %s\n' "$1" >bin/id; chmod +x bin/id; }
# refused WHY: the README's commands must stop, name the packages and install nothing
refused() {
    for command in .ci/dependencies tests/run demos/run; do
        env PATH="$work/bin" "$copy/$command" >out 2>&1 && fail "$command goes on: $1"
        grep -q "please install:.* gcc .*cmake .*git" out || { cat out; fail "$command does not name the packages: $1"; }
    done
    [ ! -e installed ] || { cat installed; fail "something was installed: $1"; }
    [ ! -d "$copy/build" ] || fail "tests/run goes on: $1"
}
user 1000
refused "no sudo"
printf '#!/bin/sh\nexit 1\n' >bin/sudo
chmod +x bin/sudo
refused "sudo refuses"
user 0
printf '#!/bin/sh\nexit 100\n' >bin/apt-get
refused "apt-get fails"
rm bin/apt-get
refused "no apt-get"

[ $failed -eq 0 ] && echo "build: blanks, flags, single precision and missing rights are met"
exit $failed
