#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Numbers in the text of findings, against those that the recordings give (numbers.py). Skipped (77) without python3.
# Usage: numbers.sh BUILD
. "$(dirname "$0")/common.sh"
command -v python3 >/dev/null || skip "no python3 here"
mkdir rules
check "models of single rules are recorded" "$ukode" run --quiet -- "$build/tests/report/model" --record rules every
check "numbers of the findings" python3 "$here/numbers.py" "$ukode" rules
finish
