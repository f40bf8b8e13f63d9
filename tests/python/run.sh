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
