#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The Python module against C, call by call. Skipped (77) where python3-pyode is not installed.
# Usage: calls.sh BUILD_DIRECTORY
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
python=
for p in python3 /usr/bin/python3; do
    [ -n "$python" ] || ! $p -c 'import ode' 2>/dev/null || python=$p
done
[ -n "$python" ] || { echo "python_calls: skipped: python3-pyode is not installed"; exit 77; }
UKODE_LIBRARY="$build/libukode.so.0" PYTHONPATH="$here/../../plugin/tools/python" PYTHONDONTWRITEBYTECODE=1 \
    "$python" "$here/test_calls.py"
