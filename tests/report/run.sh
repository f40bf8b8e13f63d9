#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `ukode report`: of models with one planted fault the first finding names it, of sound ones there is none; a page is
# whole, small, and refers to no network. Skipped (77) without sqlite3, the demos, libjs-three or libjs-dygraphs.
# Usage: run.sh BUILD
. "$(dirname "$0")/common.sh"
needs_pages
command -v sqlite3 >/dev/null || skip "no sqlite3 here (Debian: sqlite3)"
[ -x "$build/demos/walker" ] && [ -x "$build/demos/four_bar" ] || skip "no demos were built"

# the first finding is of this kind ("-": there is none; "+kind": there is one; "!kind": there is none of this kind)
names() {
    record "$1" "$3" && "$ukode" report "$1.ukode" --text >"$1.txt" && cat "$1.txt" || return 1
    case $2 in
    +*) grep -q "^[0-9]*\. [a-z]* (${2#+})" "$1.txt" ;;
    !*) ! grep -q "^[0-9]*\. [a-z]* (${2#!})" "$1.txt" ;;
    slower_than_real_time) [ "$(first "$1.txt")" = "$2" ] ;;
    *) # a loaded machine is slow, whatever the model
        sed '/(slower_than_real_time)/d' "$1.txt" >"$1.model"
        [ "$(first "$1.model" | grep . || echo -)" = "$2" ]
        ;;
    esac
}

check "a recording that is not there" sh -c "! '$ukode' report nothing.ukode --text"
check "a recording" record pendulum ""
for model in $("$build/tests/report/model" --list | tr ' ' '/'); do
    check "$model, at 60 Hz" names "${model%/*}" "${model#*/}" ""
    check "$model" names "${model%/*}" "${model#*/}" --every-step
done
# The models of single rules: one process records them all.
rule() { # FOLDER MODEL KIND
    "$ukode" report "$1/$2.ukode" --text >"$1/$2.txt" && cat "$1/$2.txt" || return 1
    case $3 in
    +*) grep -q "^[0-9]*\. [a-z]* (${3#+})" "$1/$2.txt" ;;
    !*) ! grep -q "^[0-9]*\. [a-z]* (${3#!})" "$1/$2.txt" ;;
    -) ! grep -v '(slower_than_real_time)' "$1/$2.txt" | grep -q "^[0-9]*\. [a-z]* (" ;;
    esac
}
for every in "" every; do
    mkdir "rules$every"
    check "models of single rules are recorded" "$ukode" run --quiet -- "$build/tests/report/model" --record "rules$every" $every
    for model in $("$build/tests/report/model" --rules | tr ' ' '/'); do
        check "rule of $model, recorded ${every:-at 60 Hz}" rule "rules$every" "${model%/*}" "${model#*/}"
    done
done

# what steps report of themselves is found in the models that are made for it, and in no other of them
for kind in refused conflict not_certified left_to_ode compromise; do
    "$build/tests/report/model" --rules | sed -n "s/ +$kind\$//p" | sort >meant
    [ $kind != compromise ] || echo rigid_hinges_axes >>meant # its axes are torn apart
    grep -l "^[0-9]*\. [a-z]* ($kind)" rulesevery/*.txt | sed 's#.*/##; s/\.txt$//' | sort >found
    check "$kind: in its models alone" sh -c "sort meant | diff - found"
done

# A recording of an earlier version lacks the state before the first step: it is read, and judged as far as it goes.
old() { # MODEL KIND
    cp "rulesevery/$1.ukode" old.ukode && sqlite3 old.ukode "DROP TABLE body_start; DROP TABLE joint_start; DROP TABLE bounded_row_step; \
        ALTER TABLE contact_step DROP COLUMN mu; ALTER TABLE contact_step DROP COLUMN mu_is_force; \
        ALTER TABLE contact_step DROP COLUMN undirected; \
        DELETE FROM joint_parameter WHERE name = 'mode'; DELETE FROM event WHERE kind IN ('moved', 'surge')" &&
        "$ukode" report old.ukode --text >old.txt && cat old.txt && [ "$(first old.txt | grep . || echo -)" = "$2" ]
}
check "an earlier recording: stops" old stop_of_a_hinge limit_at_start
check "an earlier recording: within stops" old fast_within_its_stops -
check "an earlier recording: axes" old door_off joints_misfit
check "an earlier recording: friction" old slope_that_slides friction_limit
check "an earlier recording: friction without load" old friction_without_load -
check "an earlier recording: rows of user constraints" old rope_too_short -

check "run tells of an explosion" sh -c \
    "'$ukode' run --quiet -- '$build/tests/report/model' erp_that_overshoots 2>&1 | grep 'energy without a physical cause'"
check "and of none" sh -c \
    "! '$ukode' run --quiet -- '$build/tests/report/model' stuck_at_a_wall 2>&1 | grep 'energy without a physical cause'"
for steps in --joints=ode --native; do # whoever takes the steps; slowly, and severalfold in each
    for model in erp_that_overshoots bead_on_a_turning_rod explicit_spring_too_stiff; do
        check "run $steps tells of the explosion of $model" sh -c "'$ukode' run --quiet $steps -- \
            '$build/tests/report/model' $model 2>&1 | grep '^ukode: explosion: .* exponentially (at [0-9.e+]* s: from '"
    done
    for model in rocket struck_after_creeping inverted_pendulum motor_spins_up pendulum; do
        check "run $steps tells of none of $model" sh -c \
            "! '$ukode' run --quiet $steps -- '$build/tests/report/model' $model 2>&1 | grep 'explosion'"
    done
done
for steps in --joints=ode --joints=exact --native --integrator=adaptive; do
    check "run $steps names the singular AMotor of euler_angles_driven" sh -c "'$ukode' run --quiet $steps -- \
        '$build/tests/report/model' euler_angles_driven 2>&1 | grep '^ukode: singular Euler angles: .* AMotor joint 1 '"
done
for model in euler_angles_spin euler_angles_wide_stops; do # stops: of ODE's own steps only
    check "run --native names the singular AMotor of $model" sh -c "'$ukode' run --quiet --native -- \
        '$build/tests/report/model' $model 2>&1 | grep '^ukode: singular Euler angles: .* AMotor joint 1 '"
done
for model in wheel_motor_without_force car_at_rest soft_car bumpy_car; do # forces and gaps of rounding; the ground bears it
    check "run names no couple of $model" sh -c \
        "! '$ukode' run --quiet -- '$build/tests/report/model' $model 2>&1 | grep collinear"
done
for model in car_that_turns_over chassis_on_soft_spring sliding_pair; do
    check "run names the couple of $model" sh -c \
        "'$ukode' run --quiet -- '$build/tests/report/model' $model 2>&1 | grep collinear"
done
for model in turning_arm turning_arm_backwards braked_arm; do
    for steps in --joints=ode --native; do
        check "run $steps names the linear motor of $model" sh -c "'$ukode' run --quiet $steps -- \
            '$build/tests/report/model' $model 2>&1 | grep '^ukode: the linear motor of PR joint 2 has moved it by'"
    done
    for steps in --joints=exact --integrator=rk4; do
        check "run $steps names none of $model" sh -c \
            "! '$ukode' run --quiet $steps -- '$build/tests/report/model' $model 2>&1 | grep 'linear motor'"
    done
done
for model in arm_first arm_that_does_not_turn turning_arm_weak_motor arm_with_a_servo arm_of_the_world slider_that_turns; do
    check "run names no linear motor of $model" sh -c \
        "! '$ukode' run --quiet -- '$build/tests/report/model' $model 2>&1 | grep 'linear motor'"
done
for model in soft_world_hinge soft_world_chain soft_world_gimbal; do
    check "run names the joint of $model that the world's CFM opens" sh -c \
        "'$ukode' run --quiet -- '$build/tests/report/model' $model 2>&1 | grep \"^ukode: the world's CFM of .* opens .* by\""
done
for model in soft_ball_in_soft_world ball_of_before soft_world_light_load soft_world_open_at_start soft_world_whirls; do
    check "run names no joint of $model" sh -c \
        "! '$ukode' run --quiet -- '$build/tests/report/model' $model 2>&1 | grep \"the world's CFM\""
done
check "no step was taken: why, instead of a page" sh -c \
    "! '$ukode' report rulesevery/direction_of_nan.ukode 2>said && grep 'every step failed, the first: .*fdir1 is not finite' said"
for model in user_angles_spin euler_angles_held euler_angles_without_stops euler_angles_turn_little euler_angles_nod hinge_spins; do
    check "run names no AMotor of $model" sh -c \
        "! '$ukode' run --quiet -- '$build/tests/report/model' $model 2>&1 | grep singular"
done
check "run names a joint that its steps open" sh -c "'$ukode' run --quiet -- '$build/tests/report/model' whirls_fast \
    2>&1 | grep '^ukode: steps too long for the motion: one of them opens hinge joint 1 by 0.116 m (at 0.01 s; its bodies are 0.5 m'"
for model in pendulum stack rocket; do
    check "run names none of $model" sh -c \
        "! '$ukode' run --quiet -- '$build/tests/report/model' $model 2>&1 | grep 'too long for the motion'"
done
check "compare tells of explosions of both runs" sh -c \
    "[ \$('$ukode' compare -- '$build/tests/report/model' erp_that_overshoots | grep -cE '^(native|ukode): explosion') = 2 ]"
check "and of none" sh -c "! '$ukode' compare -- '$build/tests/report/model' rocket | grep -E '(explosion|surge)'"

check "a spring damped by the step, with inputs" "$ukode" record --quiet --inputs -o damped.ukode -- \
    "$build/tests/report/model" undamped_slider
check "adaptive is tried on it" sh -c "'$ukode' report damped.ukode --text | grep -A2 '(spring_damped)' |
    grep '^ *do: *--integrator adaptive (tried: all steps taken'"

check "one line of a sound model" [ "$(wc -l <pendulum.txt)" = 1 ]
check "its numbers" grep -qx 'Nothing wrong was found in [0-9]* steps of 1 body and 1 joint\.' pendulum.txt
check "copies of a fault: one line" [ "$(grep -c '(inertia)' copies_of_a_fault.txt)" = 1 ]
check "and how many they are" grep -q '^1\. error (inertia), 14 times: ' copies_of_a_fault.txt
check "which they are" grep -q '^   also: body 2, .*, body 13 and 1 more' copies_of_a_fault.txt
check "words of severity" sh -c "! cat ./*.txt | grep -E '^[0-9]' | grep -vE '^[0-9]+\. (error|warning|note) \('"
check "findings as a table" [ "$(sqlite3 gravity_twice.ukode 'SELECT kind FROM finding WHERE finding = 1')" = gravity_twice ]
check "in it each copy has a row, with the first one's key" \
    [ "$(sqlite3 copies_of_a_fault.ukode "SELECT count(*), count(alike), max(alike) FROM finding WHERE kind = 'inertia'")" = '14|13|1' ]

# Advice: MODEL OPTIONS KIND WORDS: what is to be done about the finding of this kind; "!WORDS": what is not said.
advised() {
    "$ukode" run --quiet --record advice.ukode --every-step $2 -- "$build/tests/report/model" "$1" &&
        "$ukode" report advice.ukode --text >advice.txt || return 1
    grep -A2 "^[0-9]*\\. [a-z]* ($3)" advice.txt | sed -n 's/^   do:  //p' | head -1 >do
    cat advice.txt
    case $4 in
    !*) [ -s do ] && ! grep -q -e "${4#!}" do ;;
    *) grep -q -e "$4" do ;;
    esac
}
while IFS='|' read -r model options kind words; do
    check "advice: $model $options: $kind: $words" advised "$model" "$options" "$kind" "$words"
done <<'END'
bent_wheel||drift|^--integrator adaptive (record with --inputs, .*); else a shorter step
bent_wheel|--inputs|drift|^--integrator adaptive (tried: [0-9.e-]* m or rad instead of
bent_wheel|--inputs|drift|!rk4
bent_wheel|--inputs --integrator rk4|drift|^--integrator adaptive (tried: [0-9.e-]* m or rad instead of
bent_wheel|--native|step_too_long|^h <= 0.001 s
heavy_rope|--native --inputs|drift|^--integrator adaptive (tried: [0-9.e-]* m instead of
overshoots_without_shapes||explosion|^--integrator adaptive (record with --inputs
overshoots_without_shapes|--inputs|explosion|^--integrator adaptive (tried: [0-9.e-]* J instead of [0-9.e+]*, [0-9.e-]* ms per step).$
overshoots_without_shapes|--native --inputs|explosion|^--integrator adaptive (tried: [0-9.e-]* J instead of
overshoots_without_shapes|--inputs|erp|^dWorldSetERP(world, 0.2), .* But no other .* reduces the error (tried: --stabilization split: all steps taken, position errors up to
overshoots_without_shapes|--inputs|energy_stabilization|!split
overshoots_without_shapes|--integrator rk4 --inputs|erp|!stabilization
erp_that_overshoots|--inputs|explosion|^--integrator adaptive (tried: [0-9.e-]* J instead of [0-9.e+]*, [0-9.e-]* ms per step, contacts as recorded).$
erp_that_overshoots|--inputs|drift|^--integrator adaptive (untested: a replay cannot recompute contacts); else a shorter step
erp_that_overshoots|--native --inputs|explosion|contacts as recorded
slides_on_a_turning_axis||explosion|!exact
slides_on_a_turning_axis|--inputs|explosion|^--joints exact (tried: 0.19 J instead of
slides_on_a_turning_axis|--native --inputs|explosion|^--integrator adaptive (tried: 0.19 J instead of
slides_on_a_turning_axis|--inputs|energy_stabilization|^--joints exact (tried: [0-9.e-]* J instead of
slides_on_a_turning_axis||energy_stabilization|!split
stiff_force_of_the_program|--native --inputs|explosion|^A shorter step (a replay cannot test it
thrown_by_its_joint|--inputs|surge|^--integrator adaptive (tried: 0 J instead of
thrown_by_its_joint|--inputs|surge|!split
heavy_rope||drift|^--integrator adaptive (record with --inputs
heavy_rope||drift|!rk4
heavy_rope|--inputs|drift|^--integrator adaptive (tried: [0-9.e-]* m instead of
heavy_rope_beside_a_ball||drift|^--integrator adaptive (record with --inputs
heavy_rope_beside_a_ball|--inputs|drift|^--integrator adaptive (tried: [0-9.e-]* m instead of .*, contacts as recorded).$
whip|--inputs|energy_integration|^--integrator adaptive (tried: [0-9.e-]* J instead of
whip||energy_integration|^--integrator adaptive (record with --inputs
whip|--native|energy|!--integrator
closed_track||erp|!split
open_track||erp|^--stabilization split (record with --inputs
open_track|--inputs|erp|^--stabilization split (tried: all steps taken
open_track|--stabilization split|erp|!split
spins_on_the_ground||step_too_long|^h <= 
spins_on_the_ground|--inputs|step_too_long|!integrator
flicker||contact_flickers|^dWorldSetContactSurfaceLayer(world, 1e-3); dWorldSetCFM
flicker||contact_flickers|!bounce_vel
flicker_with_layer||contact_flickers|!SurfaceLayer
flicker_with_cfm||contact_flickers|!dWorldSetCFM
flicker_with_bounce||contact_flickers|bounce_vel
flicker_with_strong_erp||contact_flickers|a smaller ERP; dWorldSetContactMaxCorrectingVel
flicker_with_bounded_velocity||contact_flickers|!MaxCorrectingVel
capped_flywheel||motor_limit|^Raise the body.s maximum angular speed
damped_flywheel||motor_limit|less damping
loaded_flywheel||motor_limit|^Raise dParamFMax
weak_lift||motor_limit|^Raise dParamFMax
weak_lift_on_the_ground||motor_limit|^Raise dParamFMax
weak_lift_on_its_foot||motor_limit|^Raise dParamFMax
presses_on_a_wall||motor_limit|^For a gripper or a clamp this is normal
gripper||motor_limit|^For a gripper or a clamp this is normal
END
check "a higher cap cures the capped flywheel" sh -c "'$ukode' run --quiet --record cap.ukode -- \
    '$build/tests/report/model' capped_higher_flywheel && ! '$ukode' report cap.ukode --text | grep motor_limit"
"$ukode" run --quiet --record advice.ukode --inputs --integrator adaptive -- "$build/tests/report/model" heavy_rope
check "what is adaptive is not advised to be" sh -c "'$ukode' report advice.ukode --text | grep -c -e --integrator | grep -qx 0"

answers() { # COMMAND
    set -- "$(printf '%s\n' "$1" | sed "s#build/demos#'$build'/demos#; s#^ukode#'$ukode'#; s#-o [a-z_]*\.html##")"
    case $1 in *" --ghost "*) return 0 ;; *" report "*) set -- "$1 --text" ;; esac
    (cd tutorial && sh -c "$1") >answer && cat answer && case $1 in sqlite3*) grep -q '[^|]' answer ;; esac
}
mkdir tutorial
commands >commands
check "the tutorial asks seven questions or more" [ "$(grep -c ^sqlite3 commands)" -ge 7 ]
while read -r command; do check "tutorial: $command" answers "$command"; done <commands

check "no libraries: the packages are named" sh -c \
    "! UKODE_JAVASCRIPT=$work '$ukode' report pendulum.ukode -o x.html 2>said; grep libjs-three said && grep libjs-dygraphs said"
check "no page is left then" [ ! -e x.html ]
for model in four_bar stack over_strong_erp; do
    check "page of $model" "$ukode" report $model.ukode -o $model.html
    check "its size: below 2 MB" [ "$(wc -c <$model.html)" -lt 2000000 ]
done
record twenty ""
check "page of ten seconds of twenty bodies" "$ukode" report twenty.ukode -o twenty.html
check "its size: at most 2 MB" [ "$(wc -c <twenty.html)" -le 2000000 ]
check "another run as a ghost" "$ukode" report chain.ukode --ghost pendulum.ukode -o chain.html
check "compare says that runs do not part" sh -c "'$ukode' compare -- '$build/tests/report/model' four_bar | grep 'The runs do not diverge'"
check "compare says where they do" sh -c \
    "'$ukode' compare --integrator rk4 --html both.html -- '$build/tests/report/model' four_bar | grep 'The runs diverge at step'"
check "both runs in one page" grep -q '"ghost":{' both.html
check "without -o: a page beside the recording, which is named" sh -c \
    "cp four_bar.ukode beside.ukode && [ \"\$('$ukode' report beside.ukode)\" = beside.html ] && [ -s beside.html ]"
check "no reference to the network" sh -c "! grep -oE '(src|href)=\"https?:' four_bar.html"
finish
