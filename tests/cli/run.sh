#!/bin/sh
# The command's promises: exit statuses, what it says and when it is silent, LD_PRELOAD, reports, comparisons.
# Usage: run.sh BUILD
set -u
build=$(cd "$1" && pwd)
ukode=$build/ukode
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
unset UKODE_SOLVER UKODE_FRICTION UKODE_CHECK UKODE_CONFIG UKODE_TRACE UKODE_REPORT UKODE_VERBOSE UKODE_DISABLE
failed=0
passed=0

# check WHAT COMMAND...: the command must succeed
check() {
    what=$1
    shift
    if "$@"; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "cli: failed: $what"
        echo "--- out"; cat out; echo "--- err"; cat err
    fi
}
# run COMMAND...: its output in out and err, its status in $status
run() { status=0; "$@" >out 2>err || status=$?; }
is() { [ "$1" = "$2" ]; }
silent() { [ ! -s err ]; }
says() { grep -q -- "$1" err; }
prints() { grep -q -- "$1" out; }

door=$build/demos/door

run "$ukode" run -- "$door"
check "a run is silent and keeps the exit status" is "$status" 0
check "a run is silent" silent

run "$ukode" run -- sh -c 'exit 7'
check "exit status of the program" is "$status" 7
check "nothing stepped is told" says 'nothing was stepped'
run "$ukode" run -- sh -c 'kill -TERM $$'
check "signal of the program" is "$status" 143
run "$ukode" run -- ./no-such-program
check "a program that is not there" is "$status" 127
check "and is named" says 'no-such-program'
: >plain_file
run "$ukode" run -- ./plain_file
check "a program that cannot be run" is "$status" 126
run "$ukode" run
check "no program" is "$status" 2
run "$ukode" frobnicate
check "no such command" is "$status" 2
run "$ukode" run --frobnicate -- true
check "no such option" is "$status" 2

run "$ukode" run --solver=fast -- "$door"
check "a wrong option is refused" is "$status" 2
check "naming value" says 'fast'
check "and choices" says 'auto, sparse'
run env UKODE_SOLVER=fast "$ukode" run -- "$door"
check "a wrong variable does not stop the program" is "$status" 0
check "naming value and choices" says 'UKODE_SOLVER=fast is not one of: auto, sparse'
check "and it runs natively" says "steps were ODE's own"
run env UKODE_SOLVER=fast LD_PRELOAD="$("$ukode" info --preload)" sh -c 'true'
check "children that do not step are not told" silent
printf 'solver = fast # comment\n' >config
run env UKODE_CONFIG=config "$ukode" run -- "$door"
check "a wrong line of the configuration" says 'solver=fast is not one of: auto'
printf '# all is well\n\nsolver = m-inverse\ncheck=fallback:1e-10\n' >config
run "$ukode" run --config config --report report -- "$door"
check "a configuration is read" silent
run "$ukode" info
check "info without a configuration" prints 'solver *auto, the default'
run env UKODE_CONFIG=config "$ukode" info
check "info with one" prints 'solver *as the configuration says'
run "$ukode" info -- "$build/demos/four_bar"
check "info of a program" is "$status" 0
check "info of a program: silent" silent
check "info of a program: rank" prints 'rows held rigidly 20, rank 17'
run "$ukode" run --verbose -- "$door"
check "the verbose log has the same" says 'ukode: *hinge joint 2: 5 of 5 rows redundant; reaction not unique: force x'
run "$ukode" run --diagnosis diagnosis -- "$door"
check "a diagnosis beside a run: silent" silent
check "a diagnosis beside a run" grep -q 'rows held rigidly 10, rank 5' diagnosis
run "$ukode" info --seconds 0.1 -- sleep 5
check "info: nothing stepped" is "$status" 1
check "info: is told" says 'sleep stepped nothing'
run "$ukode" info --seconds never -- "$door"
check "info: wrong time" is "$status" 2
run "$ukode" info -- ./no-such-program
check "info: no program" is "$status" 127
printf 'hinge coulomb 0.1 radius 0.02\nhinge coulomb\n' >config
run "$ukode" run --config config -- "$door"
check "a wrong configuration is refused" is "$status" 2
check "naming file and line" says 'config, line 2: coulomb needs a number'
run env UKODE_CONFIG=config "$ukode" run -- "$door"
check "a wrong UKODE_CONFIG does not stop the program" is "$status" 0
check "it is named with file and line" says 'UKODE_CONFIG=config, line 2: coulomb needs a number'
check "and the run is native" says "steps were ODE's own"
run env UKODE_CONFIG=config "$ukode" info
check "info names it, too" prints 'WRONG: config, line 2: coulomb needs a number'
run "$ukode" run --config nowhere -- "$door"
check "no such configuration" says 'nowhere: No such file'
run env UKODE_CHECK=stop:-1 "$ukode" run -- "$door"
check "a number that is none" says 'UKODE_CHECK=stop:-1 is not one of'
for solver in auto sparse m-inverse M_Inverse one-four dalembert gauss-qp; do
    run "$ukode" run --solver $solver -- "$door"
    check "solver $solver" silent
done

run env LD_PRELOAD=libm.so.6 "$ukode" run -- sh -c 'echo "$LD_PRELOAD"'
check "LD_PRELOAD is appended to" prints '^libm.so.6:.*libukode.so'

rm -f report
run "$ukode" run --report report -- sh -c "'$door'; '$door'"
check "children are stepped, and reported" is "$(grep -c '"event":"end".*"steps":200,' report)" 2
run "$ukode" run --native --report native -- "$door"
check "--native steps nothing" is "$(grep -c '"steps":0,"native_steps":200' native)" 1

run "$ukode" run --native --verbose -- "$build/demos/four_bar" -c 0
check "a native abort" is "$status" 134
check "is told" says '1 of 1 processes that stepped were killed'
run "$ukode" run -- "$build/demos/door" 0
check "CFM = 0 goes on" is "$status" 0
run "$ukode" compare -- "$build/demos/door" 0
check "compare survives a native abort" is "$status" 0
check "and tells it" prints 'native: *ended by signal 6'
run "$ukode" compare --csv differences.csv -- "$build/demos/pendulum"
check "compare" is "$status" 0
check "compare: worlds" prints '^world 3: 1 bodies'
check "compare: a row a step" is "$(awk -F, 'NR > 1 && !($4 < 1e-6)' differences.csv | wc -l)" 0
check "compare: rows" is "$(awk -F, '$1 == 1' differences.csv | wc -l)" "$(awk -F, '$1 == 1 {n = $2} END {print n}' differences.csv)"
run "$ukode" compare -- true
check "compare: nothing stepped" is "$status" 1
run "$ukode" info
check "info" is "$status" 0
check "info: precision" prints 'double: usable'

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
