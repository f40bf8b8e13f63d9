#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Findings at the edges of their conditions: recordings of models whose numbers are changed to just above and just below
# each threshold, and to what only looks alike. Skipped (77) without sqlite3.
# Usage: conditions.sh BUILD
. "$(dirname "$0")/common.sh"
command -v sqlite3 >/dev/null || skip "no sqlite3 here (Debian: sqlite3)"

# finds MODEL KIND SQL: the model's recording has that finding after the change; misses: it has not
changed() {
    cp "$1.ukode" changed.ukode
    sqlite3 changed.ukode "$2" && "$ukode" report changed.ukode --text >text
}
finds() { check "$1: $2: $3" sh -c "cat text; [ \"$(changed "$1" "$3" && grep -c "($2)" text)\" -ge 1 ]"; }
misses() { check "$1: no $2: $3" sh -c "cat text; [ \"$(changed "$1" "$3" && grep -c "($2)" text)\" = 0 ]"; }
# both MODEL KIND ABOVE BELOW
both() { finds "$1" "$2" "$3"; misses "$1" "$2" "$4"; }

for model in stack motor_too_weak friction_missing friction_at_its_limit contact_that_flickers over_strong_erp \
    mass_ratio_1e5 pendulum; do
    check "$model is recorded" record $model --every-step
done

# contacts sink by their depth over the thickness of the smaller body, whichever of the two that is
pair=$(sqlite3 stack.ukode 'SELECT body_1 FROM contact_step WHERE body_2 IS NOT NULL LIMIT 1')
other=$(sqlite3 stack.ukode "SELECT body_2 FROM contact_step WHERE body_2 IS NOT NULL AND body_1 = $pair LIMIT 1")
thick=$(sqlite3 stack.ukode "SELECT min(size_1, size_2, size_3) FROM shape WHERE body = $pair")
for large in "$pair" "$other"; do
    grown="UPDATE shape SET size_1 = 50, size_2 = 50, size_3 = 50 WHERE body = $large; UPDATE contact_step SET depth ="
    here="WHERE (body_1 = $pair AND body_2 = $other) OR (body_1 = $other AND body_2 = $pair)"
    both stack contact_sinks "$grown 0.11 * $thick $here" "$grown 0.09 * $thick $here"
done
misses stack contact_sinks "UPDATE contact_step SET depth = $thick WHERE step % 15 = 0" # the average counts

# motors
motor="UPDATE joint_step SET torque_motor_x = 0, torque_motor_z = 0, torque_motor_y ="
speed=$(sqlite3 motor_too_weak.ukode "SELECT value FROM joint_parameter WHERE name = 'vel' LIMIT 1")
limit=$(sqlite3 motor_too_weak.ukode "SELECT value FROM joint_parameter WHERE name = 'fmax' LIMIT 1")
both motor_too_weak motor_limit "$motor $limit, rate_1 = 0.94 * $speed" "$motor $limit, rate_1 = 0.96 * $speed"
both motor_too_weak motor_limit "$motor 0.9995 * $limit, rate_1 = 0.5 * $speed" "$motor 0.998 * $limit, rate_1 = 0.5 * $speed"
misses motor_too_weak motor_limit "$motor CASE WHEN step % 5 < 2 THEN $limit ELSE 0 END, rate_1 = 0.5 * $speed"
for often in 2 3; do # at half its speed so often in five steps, at its speed in the others: too slow on average either way
    slowly="$motor CASE WHEN step % 5 < $often THEN $limit ELSE 0 END, rate_1 = CASE WHEN step % 5 < $often THEN 0.5 ELSE 1 END * $speed"
    if [ $often = 2 ]; then misses motor_too_weak motor_limit "$slowly"; else finds motor_too_weak motor_limit "$slowly"; fi
done
servo="$motor CASE WHEN step % 5 < 3 THEN $limit ELSE 0 END, rate_1 =" # at its limit in three steps of five
both motor_too_weak motor_limit "$servo 0.019" "$servo 0.021"
both motor_too_weak motor_limit "$servo -0.019" "$servo -0.5" # driven backwards it does not stand
misses motor_too_weak motor_limit "$servo CASE WHEN step % 5 < 1 THEN 0 ELSE 1 END"

# friction
both friction_missing friction_missing "UPDATE contact_step SET slip_x = 0.021, slip_y = 0, slip_z = 0" \
    "UPDATE contact_step SET slip_x = 0.019, slip_y = 0, slip_z = 0"
misses friction_missing friction_missing "UPDATE contact_step SET force_x = 1e-3 * force_z"
finds friction_at_its_limit friction_limit "UPDATE run SET rate = rate"
misses friction_at_its_limit friction_limit "UPDATE contact_step SET slip_x = 0, slip_y = 0, slip_z = 0 WHERE step % 4 = 0"
misses friction_at_its_limit friction_limit "UPDATE contact_step SET force_x = 1.2 * force_x, force_y = 1.2 * force_y WHERE step % 2 = 0"

# contacts that are lost and found again: ten times or more
finds contact_that_flickers contact_flickers "UPDATE run SET rate = rate"
misses contact_that_flickers contact_flickers "DELETE FROM event WHERE kind LIKE 'contact%' AND event NOT IN (SELECT event FROM event WHERE kind LIKE 'contact%' ORDER BY event LIMIT 18)"

# the model
both over_strong_erp erp "UPDATE world SET erp = 0.85" "UPDATE world SET erp = 0.8"
light=$(sqlite3 mass_ratio_1e5.ukode 'SELECT body FROM body ORDER BY mass LIMIT 1')
heavy=$(sqlite3 mass_ratio_1e5.ukode 'SELECT max(mass) FROM body')
both mass_ratio_1e5 mass_ratio "UPDATE body SET mass = $heavy / 1.1e4 WHERE body = $light" \
    "UPDATE body SET mass = $heavy / 0.9e4 WHERE body = $light"

# what steps report of themselves, in models of joints, of contacts, and natively
check "pendulum is recorded natively" "$ukode" run --quiet --native --record native.ukode --every-step -- \
    "$build/tests/report/model" pendulum
for model in pendulum stack over_strong_erp; do
    finds $model not_certified "UPDATE step SET ok = 0 WHERE number = 7"
    finds $model left_to_ode "UPDATE step SET fallback = 1 WHERE number > 3"
    both $model compromise "UPDATE step SET compromise = 1.1e-6 WHERE number = 3" "UPDATE step SET compromise = 0.9e-6"
    finds $model slower_than_real_time "UPDATE step SET microseconds = 1.1e6 * h"
    finds $model conflict "INSERT INTO event (step, world, time, kind, value, text) VALUES (5, 1, 0.05, 'conflict', -14, \
        'hinge joint 1: contradicts other joints')"
done
# all steps together, not a slow one; only steps, not the number of rows or of iterations
misses pendulum slower_than_real_time "UPDATE step SET microseconds = CASE WHEN number = 9 THEN 9e5 * h ELSE 1e5 * h END"
# a step in five that another process interrupts, and two, which are the model's own slowness
misses stack slower_than_real_time "UPDATE step SET microseconds = CASE WHEN number % 5 = 3 THEN 9e6 * h ELSE 0.9e6 * h END"
finds stack slower_than_real_time "UPDATE step SET microseconds = CASE WHEN number % 5 < 3 THEN 2e6 * h ELSE 0.1e6 * h END"
for model in pendulum stack over_strong_erp motor_too_weak native; do
    misses $model slower_than_real_time "UPDATE step SET microseconds = 0.9e6 * h"
    misses $model not_certified "UPDATE step SET feasibility = 1e-10, stationarity = 1e-10"
    misses $model left_to_ode "UPDATE step SET passes = 40, pivots = 40"
    misses $model compromise "UPDATE step SET coupling = 1e-3"
    misses $model conflict "INSERT INTO event (step, world, time, kind, value) VALUES (5, 1, 0.05, 'sleep', -14)"
done

# a refused step: what is advised depends on why
refusal() { # MODEL STATUS TEXT PATTERN
    check "$1: refused with $2: $4" sh -c "cat text; [ \"$(changed "$1" "INSERT INTO event (step, world, time, kind, value, text) \
        VALUES (5, 1, 0.05, 'refused', $2, '$3')" && grep -A2 '(refused)' text | grep -c -e "$4")\" = 1 ]"
}
refusal pendulum -4 'body 1: its force is not finite' 'do:  .*not finite, or an impossible motion'
refusal pendulum -9 'the step is too long' 'do:  --integrator adaptive (record with --inputs'
refusal stack -9 'an iteration hit its bound' 'do:  A shorter step'
refusal pendulum -16 'the work budget is spent' 'do:  .*--budget'
refusal pendulum -10 'the Gauss check rejected the step' 'do:  --check resolve'
refusal pendulum -13 'a function returned 3' 'do:  A function of the program'

# a gap that stays open is drift; one step's is not
both pendulum drift "UPDATE step SET position_error = 0.5 WHERE number > 5" "UPDATE step SET position_error = 0.5 WHERE number = 50"
finish
