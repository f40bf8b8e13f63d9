#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The layers: plugin -> bridge -> solvers, never upwards. solvers/ knows neither ODE nor I/O; demos/ knows only ODE,
# demos/papers/ only the public header besides.
# Usage: include_order.sh SOURCE_DIRECTORY
set -u
cd "$1" || exit 2
failed=0

# refuse WHAT PATTERN FILES...: no line of the files may match
refuse() {
    what=$1 pattern=$2
    shift 2
    [ $# -gt 0 ] || { echo "include_order: no files for: $what"; failed=1; return; }
    if grep -nE "$pattern" "$@" /dev/null; then
        echo "include_order: $what"
        failed=1
    fi
}

files() { find "$1" -name '*.[ch]' | sort; }

refuse "solvers/ includes only solvers/" '^[[:space:]]*#[[:space:]]*include[[:space:]]*"(bridge|plugin|demos|tests)/' $(files solvers)
refuse "solvers/ knows neither ODE nor I/O" '^[[:space:]]*#[[:space:]]*include[[:space:]]*<(ode/|ukode/|stdio|unistd|fcntl|sys/)' $(files solvers)
refuse "bridge/ includes only bridge/, solvers/ and the public header" '^[[:space:]]*#[[:space:]]*include[[:space:]]*"(plugin|demos|tests)/' $(files bridge)
refuse "plugin/ does not include demos or tests" '^[[:space:]]*#[[:space:]]*include[[:space:]]*"(demos|tests)/' $(files plugin)
refuse "a recording is verified by code that shares nothing with the solvers" '^[[:space:]]*#[[:space:]]*include[[:space:]]*"solvers/' $(files plugin/tools/verify)
refuse "only the replay program has the engine within it; the findings share the dense rank" \
    '^[[:space:]]*#[[:space:]]*include[[:space:]]*"solvers/([^be]|base/[^s]|equality/[^l])' $(files plugin/tools | grep -v '^plugin/tools/replay/')
refuse "joint types are named in bridge/joints/ alone: ask the class" 'dJointType[A-Z]' $(files bridge | grep -vE '^bridge/(joints|ode)/')
refuse "demos/ are ordinary ODE programs" 'ukode|"(solvers|bridge|plugin)/' $(files demos | grep -v '^demos/papers/')
refuse "demos/papers/ includes of ukode only the public header" '^[[:space:]]*#[[:space:]]*include[[:space:]]*"(solvers|bridge|plugin|tests)/' $(files demos/papers)
exit $failed
