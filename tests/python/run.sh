#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The Python module on PyODE worlds, and its examples. Skipped (77) where python3-pyode is not installed.
# Usage: run.sh BUILD_DIRECTORY
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
python=
for p in python3 /usr/bin/python3; do
    [ -n "$python" ] || ! $p -c 'import ode' 2>/dev/null || python=$p
done
[ -n "$python" ] || { echo "python: skipped: python3-pyode is not installed"; exit 77; }

export UKODE_LIBRARY="$build/libukode.so.0" PYTHONPATH="$here/../../plugin/tools/python" PYTHONDONTWRITEBYTECODE=1
failed=0
try() { "$@" || { echo "python: failed: $*" >&2; failed=1; }; }
try "$python" "$here/test_layout.py" "$build/tests/python/layout"
try "$python" "$here/test_module.py"
for example in servo_arm energy study suspension; do
    try "$python" "$here/../../demos/python/$example.py" >/dev/null
done

if "$python" -c 'import numpy' 2>/dev/null; then
    try "$python" "$here/../../demos/python/cart_pole.py" >/dev/null
fi

# gains of `ukode linearize --lqr` in a program without ukode: at 10 ms both hold, at 0.25 s those of the step alone
gains=$(mktemp -d)
balance=$here/../../demos/python/balance.py
for step in 0.01 0.25; do
    for form in continuous discrete; do
        flag=
        [ $form = continuous ] || flag=--discrete
        "$build/ukode" linearize --lqr $flag --inputs push:1.0 -o "$gains/$step$form.json" -- "$python" "$balance" $step >/dev/null || failed=1
    done
    try "$python" "$balance" $step "$gains/${step}discrete.json" >/dev/null
done
try "$python" "$balance" 0.01 "$gains/0.01continuous.json" >/dev/null
if "$python" "$balance" 0.25 "$gains/0.25continuous.json" >/dev/null; then echo "python: continuous gains hold at 0.25 s"; failed=1; fi
rm -rf "$gains"

# without NumPy, if it can be hidden
try "$python" -c 'import sys; sys.modules["numpy"] = None; sys.path.insert(0, sys.argv[1]); sys.argv[1:] = []
import unittest, test_module; unittest.main(test_module, argv=["", "Functions", "Match"])' "$here"

# ode before ukode: refused by itself, fine under `ukode run`
if "$python" -c 'import ode, ukode' 2>/dev/null; then echo "python: ode before ukode went unnoticed"; failed=1; fi
try "$build/ukode" run --quiet -- "$python" -c 'import ode, ukode; w = ode.World(); assert ukode.World(w).enabled
b = ode.Body(w); w.step(0.01)'

# from a tree of sources, the library of its build folder (a library elsewhere would be found by name)
tree=$(cd "$(mktemp -d)" && pwd -P)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/plugin/tools"
cp -R "$here/../../plugin/tools/python" "$tree/plugin/tools"
ln -s "$build" "$tree/build"
try env -u UKODE_LIBRARY PYTHONPATH="$tree/plugin/tools/python" "$python" -c 'import sys, ukode.library
assert ukode.library.lib._name == sys.argv[1], ukode.library.lib._name' "$tree/build/libukode.so.0"
exit $failed
