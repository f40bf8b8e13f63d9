#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `ukode export --mjcf` read back by mjcf.py: velocities, energies and first accelerations of six mechanisms, in both orders of
# attachment; names that are markup; what is not expressible is listed. Skipped (77) without python3.
# Usage: export_model.sh BUILD
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
command -v python3 >/dev/null || { echo "export_model: skipped: no python3 here (Debian: python3)"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# shellcheck disable=SC2046
${CC:-cc} -std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra $(pkg-config --cflags ode) -o mechanisms "$here/mechanisms.c" \
    $(pkg-config --libs ode) -lm

wrong() { echo "export_model: $*"; exit 1; }

for state in rest moving; do
    for order in "" swapped; do
        "$build/ukode" run --quiet --record "$state$order.ukode" --every-step -- ./mechanisms $state $order 2>/dev/null
        for world in 1 2 3 4 5 6; do
            model=$state$order$world.xml
            "$build/ukode" export "$state$order.ukode" --world $world --mjcf "$model" 2>notes
            python3 "$here/mjcf.py" "$state$order.ukode" "$model" $world $state || wrong "$model: not the recorded mechanism"
            while read -r line; do # each note is in the comment, too
                case $line in ukode:*) ;; *) grep -qF -- "$line" "$model" || wrong "$model lacks the note: $line" ;; esac
            done <notes
        done
        grep -q 'world: ERP 0.2 and CFM' "$state${order}1.xml" || wrong "ERP and CFM are not listed"
    grep -q 'AMotor): the whole joint' "$state${order}5.xml" || wrong "the AMotor is not listed"
    done
done

# the comparison sees a wrong model
spoil() { # FILE WORLD EXPRESSION
    sed "$3" "$1" >spoilt.xml
    cmp -s "$1" spoilt.xml && wrong "nothing to spoil by $3"
    if python3 "$here/mjcf.py" rest.ukode spoilt.xml "$2" rest 2>/dev/null; then wrong "$3 is not noticed"; fi
}
spoil rest1.xml 1 's/mass="2"/mass="2.001"/'
spoil rest1.xml 1 's/stiffness="512"/stiffness="513"/'
spoil rest1.xml 1 's/springref="0.25"/springref="-0.25"/'
spoil rest1.xml 1 's/kv="/kv="-/'
spoil rest2.xml 2 's/<connect.*//'
spoil rest3.xml 3 's/kv="/kv="-/'
spoil rest6.xml 6 's/<weld.*//'
spoil rest6.xml 6 's/<joint joint1=.*//'
spoil rest5.xml 5 's/damping="/damping="1/'

grep -q '<geom type="box" size="0.25 0.5 1"' rest6.xml || wrong "the box is missing"

python3 - rest.ukode <<'E2'
import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
for body, name in ((1, '"/><geom a="<&'), (2, "\x1b\u00fc"), (3, "twice"), (4, "twice"), (5, "body_4")):
    database.execute("update body set name = ? where body = ?", (name.replace("/", " "), body))
database.execute("update joint set name = '--><body>', type = '--><x>' where joint = 2")
database.commit()
E2
for world in 1 2; do
    "$build/ukode" export rest.ukode --world=$world --mjcf=names$world.xml 2>/dev/null
    python3 - names$world.xml $world <<'E3' || wrong "names are not escaped"
import sys, xml.etree.ElementTree as tree
names = [b.get("name") for b in tree.parse(sys.argv[1]).getroot().iter("body")]
assert sorted(names) == [['" ><geom a="<&', "body_2"], ["body_3", "body_4", "body_5"]][int(sys.argv[2]) - 1], names
E3
done

# refusals
status() { want=$1; shift; set +e; "$@" >out 2>&1; got=$?; set -e; [ $got = "$want" ] || wrong "$* ended with $got: $(cat out)"; }
status 1 "$build/ukode" export rest.ukode --world 9 --mjcf none.xml
grep -q 'world 9 is not in the recording' out || wrong "$(cat out)"
[ ! -e none.xml ] || wrong "a refused export leaves a file"
status 2 "$build/ukode" export rest.ukode --world x --mjcf none.xml
status 2 "$build/ukode" export rest.ukode --mjcf
status 1 "$build/ukode" export rest.ukode --mjcf /dev/full
python3 -c 'import sqlite3; d = sqlite3.connect("rest.ukode"); d.execute("update body set mass = 0 where body = 1"); d.commit()'
status 1 "$build/ukode" export rest.ukode --mjcf none.xml
grep -q 'body 1: mass is not positive' out || wrong "$(cat out)"
