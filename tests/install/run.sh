#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Installs a build into a fresh prefix, moves it, and uses it as users do: pkg-config, find_package, `ukode run`.
# Usage: run.sh BUILD
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
command -v c++ >/dev/null || { echo "install: skipped: no C++ compiler here (Debian: g++)"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() { echo "install: $*"; exit 1; }

cmake --install "$build" --prefix "$work/first" >install.log || { cat install.log; fail "cmake --install"; }
mv first prefix # nothing may remember where it was installed
libdir=$(dirname "$(find "$work/prefix" -name 'libukode.so')")
LD_LIBRARY_PATH=$libdir
PKG_CONFIG_PATH=$libdir/pkgconfig
export LD_LIBRARY_PATH PKG_CONFIG_PATH
for f in include/ukode/ukode.h bin/ukode; do [ -e "prefix/$f" ] || fail "$f is not installed"; done

# 1. pkg-config, C and C++
flags=$(pkg-config --cflags --libs ukode)
case " $flags" in *" -lukode"*" -lode"*) ;; *) fail "libukode must come before libode: $flags" ;; esac
# shellcheck disable=SC2086
${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Werror -o consumer "$here/consumer.c" $flags -lm
./consumer || fail "the program linked through pkg-config"
# shellcheck disable=SC2086
c++ -x c++ -Wall -Wextra -Werror -o consumer_cpp "$here/consumer.c" -x none $flags -lm
./consumer_cpp || fail "the C++ program"

# the tutorial's program, its constraint function and the call that creates the constraint, and the ledger
awk '/^```c$/ {k++; inside = 1; next} /^```$/ {inside = 0} inside {print > ("tutorial" k ".c")}' \
    "$here/../../docs/tutorial.md"
# shellcheck disable=SC2086
${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Werror -o tutorial tutorial1.c $flags
./tutorial || fail "the tutorial's program"
{
    printf '#include <ukode/ukode.h>\nukConstraintID create(dWorldID world, dBodyID sleigh);\n'
    cat tutorial2.c
    printf 'ukConstraintID create(dWorldID world, dBodyID sleigh)\n{\n'
    cat tutorial3.c
    printf 'return edge;\n}\n'
} >constraint.c
{
    printf '#include <stdio.h>\n#include <ukode/ukode.h>\nvoid ledger(dWorldID world);\nvoid ledger(dWorldID world)\n{\n'
    cat tutorial4.c
    printf '}\n'
} >ledger.c
for part in constraint ledger; do
    # shellcheck disable=SC2086
    ${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Werror -c $part.c $flags || fail "the tutorial's $part"
done

# the examples, as the package ukode-doc has them
mkdir examples
cp -R "$here/../../demos" examples/demos
cp "$here/../../plugin/package/examples.cmake" examples/CMakeLists.txt
{ cmake -S examples -B examples/build -DCMAKE_PREFIX_PATH="$work/prefix" && cmake --build examples/build -j2; } >examples.log 2>&1 ||
    { tail -20 examples.log; fail "building the examples"; }
[ "$(find examples/build/demos -type f -perm -u+x ! -path '*CMakeFiles*' | wc -l)" = \
    "$(find examples/demos -name '*.c' ! -name 'scenes*' ! -name paper.c | wc -l)" ] || fail "an example is not built"
prefix/bin/ukode run -- examples/build/demos/four_bar >/dev/null 2>&1 || fail "running an example"

# the archive, which is in the program then; ODE stays shared and brings its own libstdc++ (whose -lstdc++ is there only
# with a C++ compiler)
# shellcheck disable=SC2086
${CC:-cc} -std=c11 -o static "$here/consumer.c" $(pkg-config --cflags ukode) "$libdir/libukode.a" \
    $(pkg-config --static --libs ukode | sed 's/-lukode//; s/-lstdc++//') || fail "linking the archive"
ldd ./static | grep -q libukode && fail "the archive is not what was linked"
./static || fail "the program with the archive"

# the formulas, which know nothing of ODE
readelf -d "$libdir/libukode-formulas.so" | grep NEEDED | grep -q libode && fail "libukode-formulas needs ODE"
flags=$(pkg-config --cflags --libs ukode-formulas)
case " $flags" in *" -lode"*) fail "ukode-formulas asks for ODE: $flags" ;; esac
# shellcheck disable=SC2086
${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Werror -o formulas "$here/formulas/formulas.c" $flags -lm
./formulas || fail "the program of the formulas"
# shellcheck disable=SC2086
c++ -x c++ -Wall -Wextra -Werror -o formulas_cpp "$here/formulas/formulas.c" -x none $flags -lm
./formulas_cpp || fail "the C++ program of the formulas"
awk '/^```c$/ {inside = 1; next} /^```$/ {inside = 0} inside' "$here/../../docs/formulas.md" |
    sed '1a int main(void) {' >page.c
echo 'return !(qdd[0] > 0.999999 && qdd[0] < 1.000001 && qdd[1] > 0.999999 && qdd[1] < 1.000001); }' >>page.c
# shellcheck disable=SC2086
${CC:-cc} -std=c11 -Wall -Wextra -Werror -o page page.c $flags && ./page || fail "the program of docs/formulas.md"
nm -D --defined-only "$libdir/libukode-formulas.so" | awk '{print $3}' | sort >exported
sed -n 's/^UKODE_API .*\(ukFormula[A-Za-z0-9]*\)(.*/\1/p' "$work/prefix/include/ukode/formulas.h" | sort >meant
diff meant exported || fail "what libukode-formulas exports is not its header's"

# 2. find_package
cmake -S "$here/formulas" -B formulas_package -DCMAKE_PREFIX_PATH="$work/prefix" >package.log 2>&1 ||
    { cat package.log; fail "find_package(ukode-formulas)"; }
cmake --build formulas_package >package.log 2>&1 || { cat package.log; fail "build with find_package(ukode-formulas)"; }
(unset LD_LIBRARY_PATH; formulas_package/formulas) || fail "the program linked through find_package(ukode-formulas)"
cmake -S "$here" -B package -DCMAKE_PREFIX_PATH="$work/prefix" >package.log 2>&1 || { cat package.log; fail "find_package"; }
cmake --build package >package.log 2>&1 || { cat package.log; fail "build with find_package"; }
(unset LD_LIBRARY_PATH; package/consumer) || fail "the program linked through find_package"

# 3. the command, on a program that does not know ukode
unset LD_LIBRARY_PATH
prefix/bin/ukode --version | grep -q '^ukode [0-9]' || fail "ukode --version"
prefix/bin/ukode info >info.txt || { cat info.txt; fail "ukode info"; }
prefix/bin/ukode run --quiet --report report -- "$build/demos/pendulum" >out.txt 2>err.txt || { cat err.txt; fail "ukode run"; }
[ -s err.txt ] && { cat err.txt; fail "ukode run has something to say"; }
grep -q '"event":"end".*"steps":[1-9]' report || { cat report; fail "ukode run did not step"; }

# 4. uninstall
cmake --install "$build" --prefix "$work/again" >install.log
cmake -D manifest="$build/install_manifest.txt" -P "$here/../../plugin/package/uninstall.cmake" || fail "uninstall"
[ -z "$(find "$work/again" -type f -o -type l)" ] || fail "uninstalling leaves $(find "$work/again" -type f)"
[ -z "$(find "$work/again" -name 'ukode*' -type d)" ] || fail "uninstalling leaves $(find "$work/again" -name 'ukode*')"
echo "install: pkg-config, find_package and ukode run work from a moved prefix"
