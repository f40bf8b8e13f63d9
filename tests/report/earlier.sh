#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Recordings of earlier versions, which lack tables and columns that were added since: made from new ones by taking these
# away. What is read of them is what is there. Skipped (77) without sqlite3.
# Usage: earlier.sh BUILD
. "$(dirname "$0")/common.sh"
command -v sqlite3 >/dev/null || skip "no sqlite3 here (Debian: sqlite3)"
added='world.joint_rule world.surface_layer world.max_correcting_velocity contact_step.bounce contact_step.mu
contact_step.mu_is_force contact_step.undirected step.gauss_i step.gauss_ni joint_step.gauss_i joint_step.gauss_ni'

# earlier NEW OLD
earlier() {
    cp "$1" "$2"
    for column in $added; do
        echo "ALTER TABLE ${column%.*} DROP COLUMN ${column#*.}; DELETE FROM unit WHERE table_name = '${column%.*}' AND"
        echo "column_name = '${column#*.}';"
    done | sqlite3 "$2" && sqlite3 "$2" "DROP TABLE body_start; DROP TABLE joint_start;
        DELETE FROM unit WHERE table_name IN ('body_start', 'joint_start')"
}
# kinds RECORDING: of its findings, in order of the alphabet
kinds() { "$ukode" report "$1" --text | sed -n 's/^[0-9]*\. [a-z]* (\([a-z_]*\)).*/\1/p' | sort -u; }
# those of the new one, but for what only its start and its surfaces tell
same() {
    for its in old new; do kinds $its.ukode | grep -vE '^(joints_misfit|moved_apart|mu_is_force)$' >$its.kinds; done
    diff old.kinds new.kinds
}
quietly() { "$@" >out 2>err && ! grep -q "no such" out err || { cat out err; false; }; }

for model in stack motor_too_weak friction_missing over_strong_erp pendulum limit_violated_at_start copies_of_a_fault car_that_bobs; do
    check "$model is recorded" record $model ''
    mv $model.ukode new.ukode
    check "$model: an earlier recording is made" earlier new.ukode old.ukode
    check "$model: its findings" same
    check "$model: its page" quietly "$ukode" report old.ukode -o old.html
    check "$model: beside a new one" quietly "$ukode" report new.ukode --ghost old.ukode -o both.html
    check "$model: as tables" quietly "$ukode" export old.ukode --csv csv --gltf old.glb
    check "$model: compared" quietly "$ukode" compare old.ukode new.ukode
    check "$model: compared, the other way" quietly "$ukode" compare new.ukode old.ukode
    rm -rf csv
done

# advice is tried where the inputs can be replayed, which those of another version cannot
check "inputs are recorded" record limit_violated_at_start --inputs
cp limit_violated_at_start.ukode new.ukode
check "they become older" sqlite3 new.ukode 'UPDATE snapshot SET format = 1'
"$ukode" report limit_violated_at_start.ukode --text >tried.txt
"$ukode" report new.ukode --text >untried.txt
check "the advice was tried" grep -q '(tried: ' tried.txt
check "older inputs are not" sh -c '! grep -q "(tried" untried.txt'
check "and it says why" grep -q '(untested: the inputs are those of another version)' untried.txt
finish
