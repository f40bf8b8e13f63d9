#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Files that options name: a missing one, a folder, one of another kind, one that cannot be written. Each is an error
# with its name and a status that is not 0, before the program starts where that can be known; nothing of a user's is
# replaced, and no half of a file is left.
# Usage: files.sh BUILD
set -u
build=$(cd "$1" && pwd)
ukode=$build/ukode
door=$build/demos/door
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
unset UKODE_CONFIG UKODE_RECORD UKODE_REPORT UKODE_DIAGNOSIS UKODE_DISABLE UKODE_PIPE UKODE_SAVE UKODE_RESTORE
failed=0

check() {
    what=$1
    shift
    "$@" && return
    failed=$((failed + 1))
    echo "files: failed: $what"
    echo "--- out"; cat out; echo "--- err"; cat err
}
run() { status=0; "$@" >out 2>err || status=$?; }
is() { [ "$1" = "$2" ]; }
says() { grep -q -- "$1" err; }
# refused STATUS TEXT: with one line, and the program has not run
refused() { is "$status" "$1" && is "$(wc -l <err)" 1 && says "$2" && [ ! -s out ]; }
# no writes beyond 4 kB: as on a full disk
full() { (trap '' XFSZ; ulimit -f 8; exec "$@"); }

mkdir folder
: >empty
echo hello >text
"$ukode" record -o good.ukode --every-step --inputs --certificates -- "$door" >out 2>err || exit 2
"$ukode" run --save good.state -- "$door" >out 2>err || exit 2
head -c 1000 good.state >short.state
cp good.state bad.state
printf '\377' | dd of=bad.state bs=1 seek=900 conv=notrunc 2>dd.err

# ---- options without effect -----
alone() { # COMMAND...: refused, by the name of the first option
    option=$(echo "$*" | sed 's/^[^-]*\(--[a-z-]*\).*/\1/')
    run "$ukode" "$@"
    check "$*" refused 2 "^ukode: $option does not apply: "
}
for option in "--rate 5" --every-step --at-once --inputs --certificates "--save-every 1"; do
    # shellcheck disable=SC2086
    alone run $option -- "$door"
done
for option in "--record x.ukode" "--rate 5" --every-step --hash; do
    # shellcheck disable=SC2086
    alone compare $option -- "$door"
done
alone compare --integrator rk4 good.ukode good.ukode
alone info --report x -- "$door"
alone modes --record x.ukode good.ukode
alone linearize --report x -- "$door"
alone replay --restore good.state good.ukode
for option in "--rate 5" --every-step --at-once --inputs --certificates; do
    # shellcheck disable=SC2086
    alone info $option -- "$door"
done
for option in "--rate 5" --every-step --at-once --inputs --certificates; do
    # shellcheck disable=SC2086
    alone replay $option good.ukode
done
: >config
alone replay --config config good.ukode
alone replay --hash good.ukode
alone compare --restore good.state -- "$door"
printf 'vary x in 1\n' >study.conf
for option in "--record x.ukode" "--save x.state" "--report x" --hash; do
    # shellcheck disable=SC2086
    run "$ukode" sweep study.conf $option -- "$door"
    check "sweep $option" refused 2 "^ukode: ${option%% *} does not apply: every run has its own files"
done
for option in "--rate 5" --every-step --at-once --inputs --certificates; do
    # shellcheck disable=SC2086
    run "$ukode" sweep study.conf $option -- "$door"
    check "sweep $option" refused 1 "^ukode: ${option%% *} does not apply: the study records nothing"
done
echo 'record = yes' >>study.conf
run "$ukode" sweep study.conf --inputs -- "$door"
check "a study that records" is "$status" 0

refuses() { # OPTION COMMAND...
    option=$1
    shift
    run "$ukode" "$@"
    check "$*" refused 2 "^ukode: .*$option does not apply: "
}
refuses --rate report good.ukode --text --rate 5
refuses --ghost report good.ukode --text --ghost good.ukode
refuses --rate report study.db --rate 5
refuses --ghost report study.db --ghost good.ukode
refuses --world export good.ukode --csv csv --world 1
refuses --step export good.ukode --gltf x.glb --step 0
for option in --no-touch --no-browser --close; do refuses $option view --text $option -- "$door"; done
refuses --listen view --text --listen 127.0.0.1 -- "$door"
refuses --show compare --show good.ukode good.ukode
refuses --rate run --record x.ukode --rate 5 --every-step -- "$door"
for command in record "view --text"; do
    # shellcheck disable=SC2086
    refuses --record $command -o x.ukode --record y.ukode -- "$door"
done
run "$ukode" modes --at 5 good.ukode
check "modes after the end of a recording" refused 1 '^ukode: good.ukode: the recorded run took no step at 5 s or later ('
refuses --at modes --at 1 study.db
refuses --world modes --world 1 study.db
refuses --json modes --json study.db
refuses --method modes --method differences study.db
refuses --integrator modes --integrator rk4 study.db
run "$ukode" info --preload -- "$door"
check "info --preload takes no program" refused 2 '^ukode: info --preload takes no other words'
check "no file is made" is "$(echo x* csv*)" 'x* csv*'
run "$ukode" report good.ukode --text -o both.html --rate 5
check "--rate is of the page beside --text" is "$status" 0
run "$ukode" replay --from 3 good.ukode
check "a replay of no step" [ "$status" = 1 ]
check "says so" says '^ukode: good.ukode: it has no step from 3 s to inf s'
run "$ukode" replay --from 0.5 --to 0.2 --integrator rk4 good.ukode
check "a replay that ends before it begins" [ "$status" = 1 ]
run "$ukode" replay --bench 1 --from 3 good.ukode
check "a benchmark of no step" [ "$status" = 1 ]

# ---- options without effect on ODE's own steps -----
for option in "--solver sparse" "--friction cone" "--friction-rounds 9" "--cfm ode" "--joints exact" "--check stop" \
    "--integrator rk4" "--tolerance 1e-6" "--stabilization split" "--threads 2" "--budget 9" "--passes 9" \
    "--save x.state" "--save x.state --save-every 0" "--restore good.state" "--diagnosis x"; do
    for command in run record view sweep; do
        study=$([ $command = sweep ] && echo study.conf)
        # shellcheck disable=SC2086
        run "$ukode" $command $study --native $option -- "$door"
        check "$command --native $option" refused 2 \
            "^ukode: ${option%% *} does not apply: \(ODE's own stepper takes the steps\|every run has its own\)"
    done
    # shellcheck disable=SC2086
    run env UKODE_DISABLE=1 "$ukode" run $option -- "$door"
    check "UKODE_DISABLE=1 run $option" refused 2 "^ukode: ${option%% *} does not apply: ODE's own stepper"
done
alone replay --solver sparse --native good.ukode
for option in "--step 0.02" --hash "--report report" "--config config" "--record native.ukode --rate 5" --verbose; do
    # shellcheck disable=SC2086
    run "$ukode" run --native $option -- "$door"
    check "run --native $option" is "$status" 0
done
run env UKODE_INTEGRATOR=rk4 UKODE_SAVE=x.state "$ukode" run --native -- "$door"
check "variables may be set for runs of ukode's steps" is "$status" 0
for command in info modes linearize assemble equilibrium compare; do
    # shellcheck disable=SC2086
    run "$ukode" $command --native -- "$door"
    check "$command --native" refused 2 'native and UKODE_DISABLE do not apply'
done
for command in info modes compare; do
    run env UKODE_DISABLE=1 "$ukode" $command -- "$door"
    check "UKODE_DISABLE=1 $command" refused 2 'native and UKODE_DISABLE do not apply'
done
run env UKODE_DISABLE=0 "$ukode" compare -- "$door"
check "UKODE_DISABLE=0 compare" is "$status" 0
check "no file is made" is "$(echo x*)" 'x*'
run env UKODE_RECORD_EVERY_STEP=1 UKODE_SAVE_EVERY=1 "$ukode" run -- "$door"
check "variables may be set for other runs" is "$status" 0
run env UKODE_RECORD="$work/given.ukode" "$ukode" run --every-step -- "$door"
check "the recording may be a variable's" is "$status" 0

# ---- files that are read -----
restore() {
    run "$ukode" run --restore "$1" -- "$door"
    check "--restore $1" refused 2 "^ukode: --restore: $1: $2"
}
restore none 'No such file'
restore nowhere/x 'No such file'
restore folder 'it is not a regular file'
restore /dev/null 'it is not a regular file'
restore empty 'it is not a file of saved states'
restore text 'it is not a file of saved states'
restore good.ukode 'it is not a file of saved states'
restore short.state 'it is truncated'
restore bad.state 'it is corrupt'
for command in record compare info modes; do
    run "$ukode" $command --restore none -- "$door"
    check "$command --restore" refused 2 '^ukode: --restore: none: No such file'
done
run "$ukode" run --restore good.state -- sh -c "cd / && exec '$door'"
check "--restore of a relative path, after a change of folder" is "$status" 0
check "and its state is taken" says '^ukode: 199 steps'
run env UKODE_RESTORE=none "$ukode" run -- "$door"
check "a wrong variable does not stop the program" is "$status" 0
run "$ukode" inverse --motion folder good.ukode
check "--motion of a folder" [ "$status" = 2 ]
check "and says so" says 'folder: it is not a regular file'

# ---- files that the program's process writes -----
for option in save report diagnosis; do
    run "$ukode" run --$option folder -- "$door"
    check "--$option of a folder" refused 2 "^ukode: --$option: folder: Is a directory"
    run "$ukode" run --$option nowhere/x -- "$door"
    check "--$option in no folder" refused 2 "^ukode: --$option: nowhere/x: No such file"
done
run "$ukode" run --save text -- "$door"
check "--save over another file" refused 2 '^ukode: --save: text: it is not a file of saved states, and is not replaced'
run env UKODE_SAVE=text "$ukode" run -- "$door"
check "by the variable: the file stays" is "$(cat text)" hello
check "and the run reports it" [ "$status" = 1 ]
run "$ukode" run --save empty -- "$door"
check "--save over an empty file" [ "$status" = 0 ]
run "$ukode" run --save good.state -- "$door"
check "--save over older states" [ "$status" = 0 ]
for command in "run --record" "record -o" "view --text -o"; do
    # shellcheck disable=SC2086
    run "$ukode" $command nowhere/x -- "$door"
    check "$command in no folder" refused 126 'nowhere/x: No such file'
done
for option in report diagnosis; do
    [ -e /dev/full ] || break
    run "$ukode" run --$option /dev/full -- "$door"
    check "--$option without space" [ "$status" = 1 ]
    check "--$option without space is named" says '^ukode: cannot write /dev/full: No space left'
    check "and the program has run" test -s out
done
run "$ukode" run --report /dev/full -- sh -c "'$door'; exit 7"
check "the program's status comes first" [ "$status" = 7 ]
for quiet in "" --quiet; do
    # shellcheck disable=SC2086
    run "$ukode" record $quiet -o gone.ukode -- sh -c "'$door' && rm gone.ukode"
    check "a recording that the program removes" [ "$status" = 1 ]
    check "is missed ($quiet)" says '^ukode: error: there is no recording at .*gone.ukode'
done
run full timeout 60 "$ukode" record -o full.ukode -- "$door"
check "a recording without space" [ "$status" = 1 ]
check "is named" says '^ukode: no recording: .*full.ukode: '
check "and leaves no file" is "$(echo full*)" 'full*'
run full "$ukode" run --save full.state --save-every 0 -- "$door"
check "a state that fits" [ "$status" = 0 ]
printf 'all coulomb 0\n' >config
run sh -c "trap '' XFSZ; ulimit -f 2; exec '$ukode' run --save none.state -- '$door'"
check "states without space" [ "$status" = 1 ]
check "leave no file" is "$(echo none.state*)" 'none.state*'

# ---- files that the command writes -----
for path in folder nowhere/x; do
    for command in "report good.ukode -o $path" "export good.ukode --gltf $path" "export good.ukode --mjcf $path" \
        "export good.ukode --urdf $path" "export good.ukode --sdf $path" "compare --csv $path good.ukode good.ukode" \
        "compare --html $path good.ukode good.ukode" "compare --csv $path -- $door" "compare --html $path -- $door" \
        "modes -o $path good.ukode" "linearize -o $path good.ukode" "assemble -o $path good.ukode" \
        "inverse -o $path good.ukode"; do
        # shellcheck disable=SC2086
        run "$ukode" $command
        check "$command" refused 1 "^ukode: $path: "
    done
done
for command in "report good.ukode -o half" "export good.ukode --gltf half" "compare --csv half good.ukode good.ukode" \
    "compare --html half good.ukode good.ukode" "modes -o half.html good.ukode" "linearize -o half.mat good.ukode"; do
    # shellcheck disable=SC2086
    run sh -c "trap '' XFSZ; ulimit -f 0; exec '$ukode' $command" 2>err
    check "$command without space" [ "$status" = 1 ]
    check "$command leaves no half of a file" is "$(echo half*)" 'half*'
done
for command in info help "run --help" "report --text good.ukode" "verify good.ukode" "modes good.ukode" \
    "replay good.ukode" "compare good.ukode good.ukode"; do
    [ -e /dev/full ] || break
    status=0
    # shellcheck disable=SC2086
    "$ukode" $command >/dev/full 2>err || status=$?
    check "$command >/dev/full" [ "$status" = 1 ]
    check "$command >/dev/full says why" says 'standard output cannot be written: No space left'
done
[ $failed = 0 ] || exit 1
echo "files: all passed"
