#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# ukode.formulas, with NumPy's arrays where there is NumPy, and without. ODE's bindings are not needed.
# Usage: formulas.sh BUILD_DIRECTORY
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
export UKODE_LIBRARY="$build/libukode.so.0" PYTHONPATH="$here/../../plugin/tools/python" PYTHONDONTWRITEBYTECODE=1 OPENBLAS_NUM_THREADS=1
python=python3
for p in python3 /usr/bin/python3; do
    if $p -c 'import numpy' 2>/dev/null; then python=$p; break; fi
done
"$python" "$here/test_formulas.py"
"$python" -c 'import sys; sys.modules["numpy"] = None; sys.path.insert(0, sys.argv[1]); sys.argv[1:] = []
import unittest, test_formulas; unittest.main(test_formulas, argv=[""])' "$here"
