#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What findings say, and of which joints: recordings of models whose types, stops, masses and speeds are changed to what a
# finding must tell apart; severities, advice and numbers beside whether it is there. Skipped (77) without sqlite3.
# Usage: edges.sh BUILD
. "$(dirname "$0")/common.sh"
command -v sqlite3 >/dev/null || skip "no sqlite3 here (Debian: sqlite3)"

# says MODEL SQL PATTERN: the report after the change has a line with it; silent: it has none
changed() { cp "$1.ukode" changed.ukode && sqlite3 changed.ukode "$2" && "$ukode" report changed.ukode --text >text; }
says() { check "$1: $3: $2" sh -c "cat text; [ \"$(changed "$1" "$2" && grep -c -e "$3" text)\" -ge 1 ]"; }
silent() { check "$1: not $3: $2" sh -c "cat text; [ \"$(changed "$1" "$2" && grep -c -e "$3" text)\" = 0 ]"; }
# one value of the model's recording
value() { sqlite3 "$1.ukode" "$2"; }

for model in servo_of_too_high_gain gimbal_of_the_world car_that_turns_over newtons_of_friction euler_angles_driven \
    two_hinges_on_a_door stack; do
    check "$model is recorded" record $model --every-step
done
check "gimbal_in_the_world is recorded natively" record gimbal_in_the_world "--every-step --native"

# jitter: an ERP above 0.8 is one of its causes; what moves on while it shakes is none
says servo_of_too_high_gain "UPDATE world SET erp = 0.81" '^   do: .*ERP 0.2 to 0.8'
says servo_of_too_high_gain "UPDATE world SET erp = 0.8" '(jitter)'
silent servo_of_too_high_gain "UPDATE world SET erp = 0.8" 'ERP 0.2 to 0.8'
way=$(value servo_of_too_high_gain "SELECT max(w) FROM (SELECT sum(sqrt(velocity_x * velocity_x + velocity_y * velocity_y + \
    velocity_z * velocity_z) * 0.01) AS w FROM body_step GROUP BY body)")
rows=$(value servo_of_too_high_gain "SELECT max(step) FROM body_step")
silent servo_of_too_high_gain "UPDATE body_step SET position_x = position_x + step * $way / $rows" '(jitter)'

# numbers in the text: a force that changes its sign in each step of 10 ms turns a velocity 100 times per second; what a
# damper with c h / m = 2.5 makes of a speed in a step is -1.5 times it, as kinetic energies of the recording confirm
record shaken_on_ice --every-step
check "a report of what is shaken" sh -c "'$ukode' report shaken_on_ice.ukode --text >text"
often=$(sed -n 's/.*, reversing \([0-9.e+-]*\) times per second for .*/\1/p' text)
check "reversals per second: $often" awk "BEGIN {exit !(${often:-0} >= 99 && ${often:-0} <= 103)}"
record explicit_damper "" 2>/dev/null
check "a report of what grows" sh -c "'$ukode' report explicit_damper.ukode --text >text"
grows=$(sed -n 's/.* all speeds grow by a factor of \([0-9.e+-]*\) each.*/\1/p' text)
own=$(value explicit_damper "SELECT sqrt(a.kinetic_energy / b.kinetic_energy) FROM step a JOIN step b ON b.step = a.step - 1 WHERE a.step = 40")
check "speeds grow by $grows, in the recording by $own" awk "BEGIN {exit !(${grows:-0} > 0.99 * $own && ${grows:-0} < 1.01 * $own)}"

# stops beyond pi: natively, of angles. In the recording are the two groups of a universal joint.
stop() { # TYPE AXIS
    echo "UPDATE joint SET type = '$1'; UPDATE joint_parameter SET value = 3.2 WHERE name = 'hi_stop' AND axis = $2"
}
for angle in hinge/1 hinge2/1 universal/1 universal/2 PU/1 PU/2 PR/2 piston/2; do
    says gimbal_in_the_world "$(stop ${angle%/*} ${angle#*/})" 'stop without effect: axis '${angle#*/}' '
done
silent gimbal_in_the_world "$(stop universal 2); UPDATE step SET ukode = 1" 'stop without effect'
for length in slider PR piston; do silent gimbal_in_the_world "$(stop $length 1)" 'stop without effect'; done
silent gimbal_in_the_world "UPDATE joint_parameter SET axis = 3 WHERE axis = 2; $(stop PU 3)" 'stop without effect'

# stops in the other order: of all but angular motors, which take them so
other="UPDATE joint_parameter SET value = -value WHERE name IN ('lo_stop', 'hi_stop')"
for type in hinge slider universal PU; do
    says gimbal_in_the_world "UPDATE joint SET type = '$type'; $other" 'low stop is above the high one'
done
silent gimbal_in_the_world "UPDATE joint SET type = 'AMotor'; $other" 'stop without effect'

# groups that act about the other axis: of universal joints and PU
for type in universal PU; do says gimbal_of_the_world "UPDATE joint SET type = '$type'" '(swapped_stops)'; done
for type in hinge2 PR; do silent gimbal_of_the_world "UPDATE joint SET type = '$type'" '(swapped_stops)'; done

# A couple's share of the momentum: without spin this is reduced mass x distance x speed, half as large for two equal
# masses as for one of them beside a very heavy one.
share() { # SQL
    changed car_that_turns_over "UPDATE body_step SET spin_x = 0, spin_y = 0, spin_z = 0; $1"
    sed -n 's/.*net torque has changed the angular momentum of its bodies by \([0-9.e+-]*\) of.*/\1/p' text
}
light=$(share "UPDATE body SET mass = 2")
heavy=$(share "UPDATE body SET mass = 2; UPDATE body SET mass = 2e12 WHERE body = 1")
check "a couple's share of the momentum: $light, $heavy" sh -c "echo '$light $heavy' | awk 'NF == 2 {exit !(\$1 > 1.98 * \$2 && \$1 < 2.02 * \$2)} {exit 1}'"

# a mu that is meant as a coefficient is a warning, one of newtons a note
mu() {
    echo "UPDATE contact_step SET mu = $1, mu_is_force = 1, normal_x = 0, normal_y = 0, normal_z = 1, force_x = $1, \
        force_y = 0, force_z = 10, slip_x = 1, slip_y = 0, slip_z = 0"
}
for mu in 0.5 1.9; do says newtons_of_friction "$(mu $mu)" 'warning (mu_is_force)'; done
for mu in 2.1 500; do says newtons_of_friction "$(mu $mu)" 'note (mu_is_force)'; done

# an angular motor near its singularity: the nearest of the pass that is named, not of a later one
pass="UPDATE joint_step SET angle_2 = CASE WHEN step BETWEEN 20 AND 22 THEN 1.43 WHEN step BETWEEN 60 AND 62 THEN 1.52 ELSE 0 END"
says euler_angles_driven "$pass" '(amotor_singular).*reaches 1.43 rad.*at 0.2 s'
silent euler_angles_driven "UPDATE joint_step SET angle_2 = 1.39" '(amotor_singular)'

# long steps: by turn and by way, and what is advised
turn() { echo "UPDATE body_step SET spin_x = 0, spin_y = $1 / 0.01, spin_z = 0, velocity_x = 0, velocity_y = 0, velocity_z = 0; UPDATE step SET h = 0.01"; }
says stack "$(turn 0.9)" 'warning (step_too_long).*rotates by 0.9 rad'
says stack "$(turn 1.1)" 'error (step_too_long).*rotates by 1.1 rad'
silent stack "$(turn 0.49)" 'step_too_long'
silent stack "$(turn 0.9); UPDATE step SET contacts = 0; UPDATE world SET integrator = 'adaptive'" 'step_too_long'
says stack "$(turn 0.9); UPDATE world SET integrator = 'adaptive'" 'step_too_long'
says stack "$(turn 0.9); UPDATE step SET contacts = 0; UPDATE world SET integrator = 'rk4'" 'step_too_long'
thick=$(value stack "SELECT min(size_1, size_2, size_3) FROM shape WHERE body IS NOT NULL LIMIT 1")
along() { echo "$(turn 0); UPDATE body_step SET velocity_$1 = $2 * $thick / 0.01"; } # of 0.4 x 0.4 x 0.2: thickness along z
says stack "$(along z 2)" 'moves by 2 of its thickness'
says stack "$(along z 2)" 'h <= 0.001 s'
silent stack "$(along z 0.9)" 'step_too_long'
silent stack "$(along x 1.9)" 'step_too_long'
says stack "$(along x 2.2)" 'moves by 1.1 of its thickness'

# what is soft is a spring, whose rows are none too many
says two_hinges_on_a_door "UPDATE world SET cfm = 1e-9" '(redundant_joints)'
silent two_hinges_on_a_door "UPDATE world SET cfm = 1" '(redundant_joints)'
finish
