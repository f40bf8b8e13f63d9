#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The tables of docs/contact.md, from the tests themselves:   tests/reference/contact_table.sh BUILD_DIRECTORY
# ODE's complaints about its LCP go to stderr, and are counted there.
set -u
programs=${1:?build directory}/tests/reference/test_contact_
rows=$(mktemp)
trap 'rm -f "$rows" "$rows.err"' EXIT
for problem in block_incline sliding_stop ball_slip_roll coulomb_oscillator sliding_rod redundant_table box_stack \
    masonry_arch rocking_block bouncing_ball newton_cradle; do
    "$programs$problem" table >>"$rows" 2>"$rows.err" || echo "$problem: a figure of ukode is beyond its tolerance" >&2
    echo "$problem: $(grep -c 'LCP internal error' "$rows.err") complaints of dWorldStep's LCP" >&2
done
echo '| problem | quantity | reference ± tolerance | ukode | dWorldStep | dWorldQuickStep (20) |'
echo '|---|---|---|---|---|---|'
grep '^|' "$rows"
echo
echo '| problem | quantity | h | error with h | h/2 | h/4 | quotients |'
echo '|---|---|---|---|---|---|---|'
sed -n 's/^order |/|/p' "$rows"
