#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The command's promises: exit statuses, what it says and when it is silent, LD_PRELOAD, reports, comparisons.
# Usage: run.sh BUILD
set -u
build=$(cd "$1" && pwd)
ukode=$build/ukode
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
here=$(cd "$(dirname "$0")" && pwd)
cd "$work" || exit 2
unset UKODE_SOLVER UKODE_FRICTION UKODE_CHECK UKODE_CONFIG UKODE_RECORD UKODE_REPORT UKODE_VERBOSE UKODE_DISABLE UKODE_PIPE UKODE_SAVE UKODE_SAVE_EVERY UKODE_RESTORE
library=$work/libukode.so # LD_PRELOAD takes no path with a blank
ln -s "$build/libukode.so" "$library"
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
# the closing line of N sound steps, and nothing else
sound() { [ "$(wc -l <err)" = 1 ] && says "^ukode: $1 steps, .* us each; 0 fallbacks to ODE's own step; 0 not certified$"; }
# whole STEPS SECONDS: of simulated time, as the summary's last line has it
whole() { tail -1 report | grep -q "\"event\":\"end\".*steps\":$1,.*\"simulated_seconds\":$2[,}]"; }
says() { grep -q -- "$1" err; }
prints() { grep -q -- "$1" out; }

door=$build/demos/door
for program in stack leaves thrown costly worlds crashes first_step; do
    # shellcheck disable=SC2046
    ${CC:-cc} -std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra $(pkg-config --cflags ode) -o $program "$here/$program.c" \
        $(pkg-config --libs ode) -lm || exit 2
done

run "$ukode" run -- "$door"
check "a run keeps the exit status" is "$status" 0
check "a run ends with one line" sound 200
run "$ukode" run --quiet -- "$door"
check "--quiet: not even that" silent
run "$ukode" run --quiet -- true
check "--quiet: what is not as it was meant is told" says 'nothing was stepped'
run "$ukode" run --quiet --check fallback:1e-300 -- "$door"
check "--quiet: fallbacks are told" says 'steps were left to ODE'
check "--quiet: without the closing line" is "$(wc -l <err)" 1

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
case $build in
*[\ :\;]*) ;; # refused there, see tests/install/build.sh
*)
    run "$ukode" info --preload
    check "info --preload is the library's path" test "$(cat out)" -ef "$library"
    ;;
esac
run env UKODE_SOLVER=fast LD_PRELOAD="$library" sh -c 'true'
check "children that do not step are not told" silent
printf 'solver = fast # comment\n' >config
run env UKODE_CONFIG=config "$ukode" run -- "$door"
check "a wrong line of the configuration" says 'solver=fast is not one of: auto'
printf '# all is well\n\nsolver = m-inverse\ncheck=fallback:1e-10\n' >config
run "$ukode" run --config config --report report -- "$door"
check "a configuration is read" sound 200
printf 'step = 0.001\n' >stepped
run "$ukode" run --config stepped --report report -- "$door"
check "a step of another size" whole 200 0.2
run env UKODE_STEP=0 "$ukode" run --config stepped --report report -- "$door"
check "the program's own again" whole 200 1
run "$ukode" run --native --step=0.002 --report report -- "$door"
check "of ODE's own steps, too" whole 200 0.4
run env UKODE_STEP=0.002 UKODE_SOLVER=fast "$ukode" run --report report -- "$door"
check "not beside a wrong variable" whole 200 1
run "$ukode" run --step small -- "$door"
check "what is no step" says "step: small is not valid, expected SECONDS"
run "$ukode" info
check "info without a configuration" prints 'solver *auto, the default'
run env UKODE_CONFIG=config "$ukode" info
check "info with one" prints 'solver *as the configuration says'
run "$ukode" info -- "$build/demos/four_bar"
check "info of a program" is "$status" 0
check "info of a program: silent" silent
check "info of a program: rank" prints 'rigid rows 20, rank 17'
run "$ukode" run --verbose -- "$door"
check "the verbose log has the same" says 'ukode: *hinge joint 2: 5 of 5 rows redundant; reaction not unique: force x'
run "$ukode" run --diagnosis diagnosis -- "$door"
check "a diagnosis beside a run: no word" sound 200
check "a diagnosis beside a run" grep -q 'rigid rows 10, rank 5' diagnosis
run "$ukode" info --seconds 0.1 -- sleep 100000
check "info: nothing stepped" is "$status" 1
check "info: the message says so" says 'sleep took no step'
run "$ukode" info --seconds never -- "$door"
check "info: wrong time" is "$status" 2
run "$ukode" info -- ./no-such-program
check "info: no program" is "$status" 127
"$ukode" run --record passed.ukode -- "$door" >/dev/null 2>&1
for command in info run; do
    run "$ukode" $command passed.ukode
    check "$command: a recording is no program" is "$status" 127
    check "$command: it is named, with the commands for it" says '`ukode report passed.ukode`'
done
cp "$door" beside
run "$ukode" run -- beside
check "a program in this folder, not in PATH" is "$status" 127
check "how it is written" says 'the file in this folder is ./beside'
printf 'hinge coulomb 0.1 radius 0.02\nhinge coulomb\n' >config
run "$ukode" run --config config -- "$door"
check "a wrong configuration is refused" is "$status" 2
check "naming file and line" says 'config, line 2: coulomb needs a number'
run env UKODE_CONFIG=config "$ukode" run -- "$door"
check "a wrong UKODE_CONFIG does not stop the program" is "$status" 0
check "it is named with file and line" says 'UKODE_CONFIG=config, line 2: coulomb needs a number'
check "and the run is native" says "steps were ODE's own"
run env UKODE_CONFIG=config "$ukode" info
check "info names it, too" prints 'error: config, line 2: coulomb needs a number'
run "$ukode" run --config nowhere -- "$door"
check "no such configuration" says 'nowhere: No such file'
printf 'joint 9 coulomb 0.3 radius 0.1\n' >config
run "$ukode" run --config config -- "$door"
check "a joint that is never created is an error" says 'error: the configuration names joint 9, which the program never created'
check "with its exit status" is "$status" 1
printf 'joint 1 coulomb 0.3 radius 0.1\nname body 9 lid\n' >config
run "$ukode" run --config config -- "$door"
check "so is a body" says 'error: the configuration names body 9, which the program never created'
check "joints that exist are none" is "$(grep -c 'names joint' err)" 0
check "the exit status is that of the error" is "$status" 1
printf 'body lid mass 3\n' >config
run "$ukode" record --config config -o config.ukode -- "$door"
check "a body whose initial values are set and that never exists" says 'error: the configuration sets body lid, which no world had'
check "is an error of record, too" is "$status" 1
printf 'body lid mass 3\nbody hatch mass 2\n' >config
printf 'body hatch mass 2\nbody flap mass 1\n' >second
printf 'body flap mass 1\n' >third
run "$ukode" run --config config -- sh -c "'$door' && UKODE_CONFIG=second '$door'"
check "what two processes lack" says 'error: the configuration sets body hatch, which no world had'
check "and not what one of them lacks" is "$(grep -c 'sets body' err)" 1
run "$ukode" run --config config -- sh -c "'$door' && UKODE_CONFIG=third '$door'"
check "two processes that lack different bodies: no error" is "$status" 0
printf 'body 1 mass 3\n' >config
run "$ukode" run --config config -- "$door"
check "one that exists is none" is "$status" 0
run env UKODE_CHECK=stop:-1 "$ukode" run -- "$door"
check "a number that is none" says 'UKODE_CHECK=stop:-1 is not one of'
for solver in auto sparse m-inverse M_Inverse one-four dalembert gauss-qp; do
    run "$ukode" run --solver $solver -- "$door"
    check "solver $solver" sound 200
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
check "is told" says 'four_bar was ended by signal 6'
run "$ukode" run -- "$build/demos/door" 0
check "CFM = 0 goes on" is "$status" 0
run "$ukode" compare -- "$build/demos/door" 0
check "compare survives a native abort" is "$status" 0
check "and tells it" prints 'native: *ended by signal 6'
run "$ukode" compare --csv differences.csv -- "$build/demos/pendulum"
check "compare" is "$status" 0
check "compare: position errors have a unit" prints "^  largest position error \[m or rad\] "
check "compare: gaps of joints natively, too" prints "^  largest gap of a joint's anchors \[m\]  *[0-9.e-]*[1-9][0-9.e-]*  *[0-9.e-]*\$"
check "compare: worlds" prints '^world 3: 1 body at first'
check "compare: a row a step" is "$(awk -F, 'NR > 1 && !($4 < 1e-6)' differences.csv | wc -l)" 0
check "compare: rows" is "$(awk -F, '$1 == 1' differences.csv | wc -l)" "$(awk -F, '$1 == 1 {n = $2} END {print n}' differences.csv)"
run "$ukode" run --native -- "$door"
check "--native says so" says "^ukode: all 200 steps were ODE's own, as requested"
run "$ukode" run --check off -- "$door"
check "nothing checked, nothing certified" says '; not checked$'
run "$ukode" run --check fallback:1e-300 -- "$door"
check "fallbacks are counted" says '; [1-9][0-9]* fallbacks to ODE'
check "and told why" says '[1-9][0-9]* of 200 steps were left to ODE.s own stepper (check:.*; the first: .*rejected by the Gauss check'

# ---- rk4 where it has something to do, and where not -----------------------------------------------------------------
run "$ukode" run --integrator rk4 -- "$door"
check "rk4" sound 200
run "$ukode" run --integrator rk4 -- ./stack
for integrator in rk4 adaptive rattle; do
    run "$ukode" run --integrator $integrator -- ./stack
    check "$integrator without effect says so" says "$integrator had no effect: every island had contacts.*, and was stepped by euler with the exact rows"
    check "$integrator recommends none where every island has contacts" says "--joints exact, as under every integrator but euler$"
done
if [ -x "$build/tests/report/model" ]; then # a motor of finite force
    for integrator in rk4 rattle; do
        run "$ukode" run --integrator $integrator -- "$build/tests/report/model" strong_arm
        check "$integrator names the one that takes motors" says "--joints exact; --integrator adaptive also takes motors"
    done
    run "$ukode" run --integrator adaptive -- "$build/tests/report/model" strong_arm
    check "which does" sh -c '! grep "no effect" err'
fi

# ---- an integrator that takes many evaluations -----------------------------------------------------------------------
run "$ukode" run --integrator adaptive -- ./costly motors
check "the cause of many evaluations: events" says 'adaptive evaluated .* times as often as in a plain step: 2.9 events per step'
check "their joint and what avoids them" says 'most in one step: slider joint [1-3]); --integrator euler handles them'
run "$ukode" run --integrator euler -- ./costly motors
check "euler handles them at the ends of steps" sound 50
run "$ukode" run --integrator adaptive -- ./costly rope
check "the cause of many evaluations: sub-steps" says 'it tried [0-9]* sub-steps per step; --tolerance 1e-6 takes fewer$'
taken() { sed -n 's/.*equations \([0-9.]*\) times per step.*/\1/p' err; }
fine=$(taken)
run "$ukode" run --integrator adaptive --tolerance 1e-6 -- ./costly rope
check "fewer at a looser tolerance" awk "BEGIN { exit !($(taken) < 0.8 * $fine) }"
check "which is not advised again" says 'sub-steps per step, for the fastest motion$'
run "$ukode" run --integrator rattle -- ./costly rope
check "the cause of many evaluations: parts" says 'it tried [0-9]* parts per step, .*; use --integrator adaptive or a shorter step$'
if python3 -c 'import pty' 2>/dev/null; then
    run python3 "$here/../replay/terminal.py" "$ukode" run --integrator adaptive -- ./costly rope 1000
    check "on a terminal the cost is displayed while the program runs" says ' not certified, [0-9]* evaluations per step (plain: 8)'
    run python3 "$here/../replay/terminal.py" "$ukode" run --integrator rk4 -- ./worlds 20000
    check "that of plain steps is not" sh -c '! grep "evaluations per step" err'
else
    echo "cli: no python3 here, the status line was not tried"
fi
run "$ukode" run --integrator rk4 -- ./worlds 100
check "a plain run names no cost" sh -c '! grep "evaluated the equations" err'

# ---- energy without a cause ------------------------------------------------------------------------------------------
run "$ukode" run -- ./thrown
check "bodies thrown by a correction are reported" says 'energy without a physical cause: in 1 step .*docs/unconverged.md$'
check "in steps that are certified" says '; 0 not certified$'
check "the page is there" test -s "$here/../../docs/unconverged.md"

# ---- what the library tells its command comes over a pipe ------------------------------------------------------------
for report in /dev/full /dev/null; do
    run "$ukode" run --report $report -- "$door"
    check "report $report: exit status" is "$status" "$([ $report = /dev/null ] && echo 0 || echo 1)"
    check "report $report: steps" says '^ukode: 200 steps'
done
run "$ukode" run --report /dev/full -- "$door"
check "a report that cannot be written is told" says 'cannot write /dev/full: No space left on device'
run env UKODE_REPORT=nowhere/report "$ukode" run -- "$door"
check "nor one that cannot be made" says 'cannot write .*/nowhere/report: No such file'
rm -f report
mkdir -p elsewhere
run "$ukode" run --report report -- sh -c "cd elsewhere && '$door'"
check "a report is where it was asked for" grep -q '"event":"end"' report
check "and not where the program went" is "$(ls elsewhere)" ""
run env UKODE_REPORT=report.chdir LD_PRELOAD="$library" ./leaves elsewhere
check "not even without the command" grep -q '"event":"end"' report.chdir
for way in elsewhere close reuse fork daemon mute; do
    run "$ukode" run -- ./leaves $way
    check "a program that does: $way" says '^ukode: [1-9][0-9]* steps, .*0 not certified$'
    check "exit status: $way" is "$status" 0
done
check "its own file stays its own" is "$(cat reused)" "own"
run "$ukode" run -- sh -c "'$door'; sh -c 'exec \"$door\"'; '$ukode' run -- '$door'"
check "children, and a run in the run" says '^ukode: 600 steps'

# ---- crashes ---------------------------------------------------------------------------------------------------------
# crash STATUS WORDS OPTION ARGUMENTS: what is said of a program that ends so
crash() {
    what="first_step $4 $5 $3"
    run "$ukode" run $3 -- ./first_step $4 $5
    check "$what: exit status" is "$status" "$1"
    check "$what: not that nothing was stepped" sh -c '! grep "nothing was stepped" err'
    [ -z "$2" ] || check "$what: $2" says "$2"
}
initialize="never called dInitODE or dInitODE2: ODE's own stepper and collision detection crash"
for option in "" --native; do
    crash 134 'was ended by signal 6 (.*) before it stepped a world' "$option" dInitODE 0
    crash 134 'was ended by signal 6 (.*) after at least 1 step$' "$option" dInitODE2 1
    crash 134 'was ended by signal 6 (.*) after at least 4 steps' "$option" dInitODE 5
    crash 134 'was ended by signal 6 (.*) after at least 64 steps' "$option" dInitODE2 100
    crash 0 '' "$option" dInitODE 1000
    check "one that calls dInitODE is not told to" sh -c "! grep dInitODE err"
    crash 0 '' "$option" dInitODE2 1000
    check "one that calls dInitODE2 is not told to" sh -c "! grep dInitODE err"
done
crash 0 "$initialize" "" none 1000
crash 139 "$initialize" --native none 1000
check "where it crashed" says 'was ended by signal 11 (.*) in its first step'

# ---- the order of -lukode and -lode ----------------------------------------------------------------------------------
for order in "-lode -lukode" "-lukode -lode"; do
    # shellcheck disable=SC2046,SC2086
    ${CC:-cc} -std=c11 $(pkg-config --cflags ode) -I"$here/../../plugin/include" -o order "$here/link_order.c" -L"$build" \
        -Wl,--no-as-needed $order -lm || exit 2
    run env LD_LIBRARY_PATH="$build" ./order
    if [ "$order" = "-lode -lukode" ]; then
        for what in enable report body joint; do
            check "$order: $what is refused" prints "^$what -[0-9]* unknown [a-z]*: .*link with -lukode before -lode"
        done
        run env LD_LIBRARY_PATH="$build" "$ukode" run --quiet -- ./order
    fi
    for what in enable report body joint; do check "$order: $what" prints "^$what 0 "; done
    check "a null world is one" prints '^null -[0-9]* null world$'
    check "a destroyed world is one" prints '^destroyed -[0-9]* unknown or destroyed world$'
done

# a linker that omits libraries of which it needs no symbol (--as-needed) omits libode here
# shellcheck disable=SC2046
${CC:-cc} -std=c11 $(pkg-config --cflags ode) -I"$here/../../plugin/include" -o order "$here/link_order.c" -L"$build" \
    -Wl,--as-needed -lukode -lode -lm || exit 2
run env LD_LIBRARY_PATH="$build" ./order
for what in enable report body joint; do
    check "without ODE: $what" prints "^$what -[0-9]* null [a-z]*: no ODE is loaded: link with -lode .*--no-as-needed"
done

# ---- saved states ----------------------------------------------------------------------------------------------------
run "$ukode" run --quiet -- ./worlds 300
mv out whole
run "$ukode" run --quiet --save some.state --save-every 1 -- ./worlds 150
check "states are saved" [ "$status" = 0 -a -s some.state ]
check "nothing else is left" is "$(echo ./*state*)" ./some.state
run "$ukode" run --restore=some.state -- ./worlds 201
check "and gone on from, to the bit" cmp -s out whole
run env UKODE_RESTORE=some.state UKODE_SAVE=next.state UKODE_SAVE_EVERY=0 LD_PRELOAD="$library" ./worlds 51
run "$ukode" run --restore next.state --threads 2 -- ./worlds 151
check "and again" cmp -s out whole
run "$ukode" run --restore some.state -- "$door"
check "another program begins by itself" says "some.state: a world starts without a saved state: saved state: .*not built the same way"
check "and takes its steps" says "200 steps"
head -c 3000 some.state >short.state
run "$ukode" run --restore short.state -- ./worlds 5
check "--restore names a truncated file" says "--restore: short.state: it is truncated"
run "$ukode" run --restore none.state -- ./worlds 5
check "one that is not there, too" says "--restore: none.state: No such file"
check "before the program starts" [ "$status" = 2 ]
run env UKODE_RESTORE=none.state "$ukode" run -- ./worlds 5
check "by the variable it does not stop the program" says "UKODE_RESTORE=none.state: No such file.*ODE's own stepper"
run "$ukode" run --save some.state --save-every often -- "$door"
check "--save-every wants a number" [ "$status" = 2 ]
run env UKODE_SAVE=/nowhere/some.state "$ukode" run -- "$door"
check "a file that cannot be written is reported once" is "$(grep -c 'no more states are saved' err)" 1
check "and the status says so" [ "$status" = 1 ]

# ---- recordings ------------------------------------------------------------------------------------------------------
run "$ukode" record -o run.ukode --rate 20 -- "$door"
check "record" is "$status" 0
check "record: the closing line" says '^ukode: 200 steps, .*0 not certified$'
check "record: where it is, and its size" says "^ukode: recorded into $PWD/run.ukode ([0-9.]* MB)$"
check "record: what to do next" says "^ukode: to view it: ukode report $PWD/run.ukode$"
run "$ukode" record --quiet -o run.ukode -- "$door"
check "record --quiet" silent
run "$ukode" verify run.ukode
check "record: no certificates unasked" says "no certificates"
run "$ukode" record -o run.ukode --every-step --certificates -- sh -c "'$door' && '$door'"
check "record: an earlier recording is replaced" is "$status" 0
check "record: a file a process" [ -s run.ukode -a -s run-2.ukode -a ! -e run-3.ukode ]
run "$ukode" verify run.ukode
check "record: certificates" is "$status" 0
run "$ukode" record -o run.ukode -- "$door"
check "record: so are those of further processes" [ -s run.ukode -a ! -e run-2.ukode ]
run env UKODE_RECORD="$work/run.ukode" "$ukode" run --record=other.ukode -- "$door"
check "run --record" [ -s other.ukode -a ! -e run-2.ukode ]
echo precious >mine
run "$ukode" record -o mine -- "$door"
check "record: no other file is replaced" is "$status" 126
check "record: it is told" says 'mine exists and is not a recording'
check "record: it is as it was" is "$(cat mine)" precious
run "$ukode" run --record=/no/such/folder/x.ukode -- "$door"
check "record: the program is not started" is "$status" 126
check "record: why" says 'no recording: .*No such file'
run "$ukode" record --rate 0 -- "$door"
check "record: a wrong rate" is "$status" 2

# ---- help of each command --------------------------------------------------------------------------------------------
for command in run:--quiet compare:--csv info:--seconds; do
    run "$ukode" "${command%:*}" --help
    check "${command%:*} --help" is "$status" 0
    check "lists its own option" prints "^  ${command#*:} "
    check "and the common ones" prints '^  --solver '
    check "to stdout" silent
done
for command in report:--ghost verify:--tolerance export:--format replay:--; do
    run "$ukode" "${command%:*}" --help
    check "${command%:*} --help" is "$status" 0
    check "${command%:*} --help: usage" prints "^usage: ukode ${command%:*} "
    check "${command%:*} --help has no options of a run" is "$(grep -c -e '--solver' out)" 0
    mv out by_option
    run "$ukode" help "${command%:*}"
    check "help ${command%:*} is the same" cmp -s out by_option
done
run "$ukode" help walk
check "help of no command" is "$status" 2
run "$ukode" run --solver auto -h -- "$door"
check "-h after other options" prints '^usage: ukode run '
run "$ukode" run --help
check "run --help has nothing of compare" is "$(grep -c -e --csv out)" 0
for word in --help -h help; do
    run "$ukode" $word
    check "ukode $word" is "$status" 0
    check "ukode $word names the commands" prints '^  ukode compare '
    check "ukode $word has the options of each" prints '^options of compare alone:'
done
run "$ukode" --version
check "ukode --version" prints '^ukode [0-9]'
run "$ukode"
check "ukode alone" is "$status" 2
check "ukode alone says how" says '^usage: ukode '
run "$ukode" walk
check "no such command" is "$status" 2
check "no such command, in words" says "no command 'walk'"

# ---- comparisons: two runs, spoilt recordings of them; two recordings ------------------------------------------------
cat >spoil <<'SCRIPT'
#!/bin/sh
# spoil HOW PROGRAM: its recording, spoilt
"$2"
case $1 in
no) ;;
cut) truncate -s 8192 "$UKODE_RECORD" ;;
overwritten) head -c 30000 /dev/zero | dd of="$UKODE_RECORD" bs=8192 seek=3 conv=notrunc 2>/dev/null ;;
foreign) cat "$0" >"$UKODE_RECORD" ;;
gone) rm "$UKODE_RECORD" ;;
esac
SCRIPT
chmod +x spoil
spoilt() { # spoilt HOW WHAT
    run "$ukode" compare -- ./spoil "$1" "$door"
    check "a spoilt recording ($1) fails" is "$status" 1
    check "a spoilt recording ($1) is named" says "$2"
}
mkdir tmp
run env TMPDIR="$work/tmp" "$ukode" compare -- ./spoil no "$door"
check "a sound comparison" is "$status" 0
check "a sound comparison: no word" silent
check "a sound comparison: where they part, first" prints 'The runs do not diverge: after each step (of 200)'
check "a sound comparison leaves nothing" is "$(ls tmp)" ""
spoilt cut 'native.ukode: database disk image is malformed'
spoilt overwritten 'native.ukode: the file is damaged'
spoilt foreign 'native.ukode: .*not'
spoilt gone 'the recording of the run native is truncated: it has 0 of 200 steps'
run "$ukode" compare --integrator rk4 -- "$build/demos/four_bar"
check "runs that part: step, body, by how much" \
    prints 'The runs diverge at step 1, 0.01 s: body [1-3] is .* m and .* rad from its pose natively. No joint has a dJoint'
run "$ukode" record -o first.ukode --every-step -- "$build/demos/four_bar"
run "$ukode" record -o second.ukode --every-step --integrator rk4 -- "$build/demos/four_bar"
run "$ukode" compare first.ukode second.ukode
check "runs that part: the joint, and in what" \
    prints 'The reaction with the largest difference is that of hinge joint [1-4]:.* force [xz] by [0-9.]* of [0-9.]* N[,.]'
run "$ukode" compare -- ./crashes
check "a program that crashes: its last steps are compared" prints 'steps  *17  *17$'
check "a program that crashes: it is told" prints 'ukode: *ended by signal 11'

run "$ukode" record -o first.ukode --every-step -- "$door"
run "$ukode" record -o second.ukode -- "$door"
run "$ukode" compare first.ukode second.ukode
check "two recordings" is "$status" 0
check "two recordings: of the steps that both have" prints 'do not diverge: after each step (of [1-9][0-9]*) .* in first.ukode'
check "two recordings: their names" prints ' first.ukode  *second.ukode$'
energies() { # of the first or the last step of each, as printed; and as recorded
    sed -n "s/^ *energy after the $1 step \[J\]  *//p" out | tr -s ' '
    for file in first.ukode second.ukode; do python3 - $file "$1" <<'E2'
import sqlite3, sys
order = "" if sys.argv[2] == "first" else "DESC"
sql = f"SELECT kinetic_energy + potential_energy FROM step WHERE world = 1 ORDER BY step {order} LIMIT 1"
print("%.8g" % sqlite3.connect(sys.argv[1]).execute(sql).fetchone()[0])
E2
    done | paste -sd ' '
}
for step in first last; do check "two recordings: energy of the $step step" is "$(energies $step | uniq | wc -l)" 1; done
check "two recordings: the energy changes" is "$( (energies first; energies last) | uniq | wc -l)" 2
run "$ukode" record -o second.ukode --friction cone --every-step -- ./stack
run "$ukode" compare first.ukode second.ukode
check "two recordings of different programs" prints 'bodies or joints differ'
run "$ukode" compare first.ukode nowhere.ukode
check "one that is not there" says "nowhere.ukode: No such file"
run "$ukode" record -o second.ukode -- "$door"
dd if=/dev/zero of=second.ukode bs=8192 seek=2 count=30 conv=notrunc 2>/dev/null
run "$ukode" compare first.ukode second.ukode
check "a spoilt one" is "$status" 1
check "a spoilt one is told" says 'second.ukode: database disk image is malformed'

# spoilt in other ways, a few of them; by hand 1000 with a sanitizer: tests/cli/spoilt.py build-asan RECORDING 1 1000
if python3 -c 'import sqlite3' 2>/dev/null; then
    run "$ukode" record -o spoilt.ukode --every-step --inputs --certificates -- "$door"
    run python3 "$here/spoilt.py" "$build" spoilt.ukode 1 12
    check "spoilt recordings are refused, or read to where they hold" is "$status" 0
    check "all of them" prints '^12 spoilt recordings, 84 commands, 0 wrong$'
else
    echo "cli: no python3 with sqlite3 here, spoilt recordings were not tried"
fi

# ---- UKODE_CONFIG that is no file ------------------------------------------------------------------------------------
printf '\177ELF\000\001' >binary
mkfifo fifo
for config in elsewhere:'a directory' nowhere:'No such file' binary:'not a text' fifo:'a pipe' /dev/zero:'too long'; do
    run env UKODE_CONFIG="${config%%:*}" "$ukode" run -- "$door"
    check "UKODE_CONFIG=${config%%:*}: the program runs" is "$status" 0
    check "it is told" says "UKODE_CONFIG=.*${config%%:*}: ${config#*:}"
    check "and the run is native" says "steps were ODE's own"
done

run "$ukode" compare -- true
check "compare: nothing stepped" is "$status" 1
run "$ukode" info
check "info" is "$status" 0
check "info: precision" prints 'precision  *double'
check "info: once" is "$(grep -c double out)" 1
check "info: aligned" is "$(sed '1,/^$/d; 1d' out | sed 1d | grep -cvE '^  [a-zA-Z_ -]{15} [^ ]')" 0

# a machine without LAPACKE: libraries of these names that have nothing in them
mkdir bare
echo 'int ukode_has_nothing;' | ${CC:-cc} -shared -fPIC -x c - -o bare/liblapacke.so.3
for name in liblapacke.so libopenblas.so.0 libflexiblas.so.3; do cp bare/liblapacke.so.3 bare/$name; done
run env LD_LIBRARY_PATH=bare "$ukode" info
check "info without LAPACKE fails" is "$status" 1
check "and names the package" prints 'LAPACKE, CBLAS *LAPACKE .* was not found.*(Debian: liblapacke)'
run env LD_LIBRARY_PATH=bare "$ukode" info -- "$door"
check "no diagnosis without LAPACKE" is "$status" 1
check "and why" says 'no diagnosis: LAPACKE .* was not found.*(Debian: liblapacke)'
run env LD_LIBRARY_PATH=bare "$ukode" run --solver m-inverse -- "$door"
check "a run with a solver that needs it says so" says 'LAPACKE is not installed (Debian: liblapacke)'
run env LD_LIBRARY_PATH=bare "$ukode" run -- "$door"
check "a run that does not need it" is "$status" 0

# without /proc: library, replay and the program's name are found through argv[0]
bare() { unshare -rm sh -c 'mount -t tmpfs none /proc && exec "$@"' bare "$@"; }
if bare true 2>/dev/null; then
    run bare "$ukode" record --inputs -o bare.ukode -- "$door"
    check "without /proc: a program is recorded" is "$status" 0
    run bare "$ukode" replay bare.ukode
    check "without /proc: and replayed" prints 'have the states of the recording'
    run bare "$ukode" info
    check "without /proc: info names the library" prints 'library  *.*/libukode.so'
    check "without /proc: the recording names the program" grep -q "$door" bare.ukode
else
    echo "cli: no mount namespaces here, commands without /proc were not tried"
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
