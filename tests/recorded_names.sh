#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tools compare the types of joints with the names that recordings hold (ukJointClass.name) to the letter: "amotor" would
# never match. Usage: recorded_names.sh SOURCE
set -eu
cd "$1"
names=$(sed -n 's/.*\.name = "\([A-Za-z0-9]*\)".*/\1/p' bridge/joints/*.c | sort -u)
[ "$(echo "$names" | wc -l)" -ge 17 ] || { echo "recorded_names: not all names of joint types were found: $names"; exit 1; }
failed=0
for name in $names; do
    wrong=$(grep -rniE "[\"']$name[\"']" plugin/tools --include=*.c --include=*.h --include=*.js | grep -vE "[\"']$name[\"']" || true)
    [ -z "$wrong" ] || { echo "recorded_names: recordings have '$name': $wrong"; failed=1; }
done
exit $failed
