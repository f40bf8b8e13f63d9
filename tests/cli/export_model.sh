#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `ukode export --mjcf`, `--urdf` and `--sdf` read back by mjcf.py, urdf.py and sdf.py: velocities, energies and first accelerations of
# six mechanisms, in both orders of attachment; the state after a step; names that are markup; what is not expressible is listed.
# Shapes in all orientations (shapes.c) by shapes.py. A deep tree is in several files of MJCF, which are the same model together. The files are also loaded by check_urdf. Skipped (77) without it or python3.
# Usage: export_model.sh BUILD
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
command -v python3 >/dev/null || { echo "export_model: skipped: no python3 here (Debian: python3)"; exit 77; }
command -v check_urdf >/dev/null || { echo "export_model: skipped: no check_urdf here (Debian: liburdfdom-tools)"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# shellcheck disable=SC2046
${CC:-cc} -std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra $(pkg-config --cflags ode) -o mechanisms "$here/mechanisms.c" \
    $(pkg-config --libs ode) -lm

wrong() { echo "export_model: $*"; exit 1; }

export_worlds() { # RECORDING PREFIX STATE WORLD... -- OPTION...: exports each world in each format, and compares
    recording=$1 prefix=$2 state=$3 worlds=
    shift 3
    while [ $# -gt 0 ] && [ "$1" != -- ]; do worlds="$worlds $1" && shift; done
    [ $# -eq 0 ] || shift
    mjcf='' urdf='' sdf=''
    for world in $worlds; do
        model=$prefix$world
        "$build/ukode" export "$recording" "$@" --world "$world" --mjcf "$model.mjcf" --urdf "$model.urdf" --sdf "$model.sdf" 2>notes
        for format in mjcf urdf sdf; do
            awk -v model="$model.$format:" '/^ukode: / { mine = $NF == model; next } mine' notes >lines # each note is in the comment, too
            [ "$(grep -cxFf lines "$model.$format")" -ge "$(wc -l <lines)" ] || wrong "$model.$format lacks one of: $(cat lines)"
            eval "$format=\"\$$format \$recording \$model.\$format \$world \$state\""
        done
    done
    # each number is the shortest that reads back as the same
    # shellcheck disable=SC2086
    python3 - $mjcf $urdf $sdf <<'END' || wrong "$prefix: numbers"
import re, sys
for name in sys.argv[1:]:
    if not name.endswith(('.mjcf', '.urdf', '.sdf')): continue
    for number in re.findall(r'[-+]?\d+\.\d{14,}(?:e[-+]\d+)?', open(name).read()):
        shortest = next(s for s in ('%.*g' % (d, float(number)) for d in (15, 16, 17)) if float(s) == float(number))
        if number != shortest: sys.exit('%s: %s, not %s' % (name, number, shortest))
END
    # shellcheck disable=SC2086
    python3 "$here/mjcf.py" $mjcf && python3 "$here/urdf.py" $urdf && python3 "$here/sdf.py" $sdf || wrong "$prefix"
}

for state in rest moving; do
    for order in "" swapped; do
        "$build/ukode" run --quiet --record "$state$order.ukode" --every-step -- ./mechanisms $state $order 2>/dev/null
        export_worlds "$state$order.ukode" "$state$order" $state 1 2 3 4 5 6
        grep -q 'world: ERP 0.2 and CFM' "$state${order}1.mjcf" || wrong "ERP and CFM are not listed"
        for format in mjcf urdf sdf; do
            grep -q 'AMotor): the whole joint' "$state${order}5.$format" || wrong "the AMotor is not listed"
        done
    done
done
"$build/ukode" run --quiet --integrator rk4 --record after.ukode --every-step -- ./mechanisms moving 2>/dev/null
export_worlds after.ukode after after 2 4 -- --step 1
grep -q 'joints: parameters are those of their first step' after2.sdf || wrong "the time of the parameters is not listed"
for model in *.urdf; do check_urdf "$model" >out || wrong "$model: $(cat out)"; done

# shapes, in all orientations, are where the program has them
# shellcheck disable=SC2046
${CC:-cc} -std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra $(pkg-config --cflags ode) -o shapes "$here/shapes.c" $(pkg-config --libs ode) -lm
"$build/ukode" run --quiet --record shapes.ukode --every-step -- ./shapes >printed 2>/dev/null
"$build/ukode" export shapes.ukode --mjcf shapes.mjcf --urdf shapes.urdf --sdf shapes.sdf 2>/dev/null || wrong "shapes are not exported"
python3 "$here/shapes.py" printed shapes.mjcf shapes.urdf shapes.sdf || wrong "shapes"

# the comparison sees a wrong model
spoil() { # FILE WORLD EXPRESSION
    sed "$3" "$1" >spoilt
    cmp -s "$1" spoilt && wrong "nothing to spoil by $3"
    if python3 "$here/${1##*.}.py" rest.ukode spoilt "$2" rest 2>/dev/null; then wrong "$3 is not noticed"; fi
}
spoil rest1.mjcf 1 's/mass="2"/mass="2.001"/'
spoil rest1.mjcf 1 's/stiffness="512"/stiffness="513"/'
spoil rest1.mjcf 1 's/springref="0.25"/springref="-0.25"/'
spoil rest2.mjcf 2 's/<connect.*//'
spoil rest3.mjcf 3 's/kv="/kv="-/'
spoil rest6.mjcf 6 's/<weld.*//'
spoil rest6.mjcf 6 's/<joint joint1=.*//'
spoil rest5.mjcf 5 's/damping="/damping="1/'
spoil rest1.urdf 1 's/<mass value="2"/<mass value="2.001"/'
spoil rest1.urdf 1 's/damping="/damping="1/'
spoil rest2.urdf 2 's/<axis xyz="0 1 0"/<axis xyz="1 0 0"/'
spoil rest6.urdf 6 's/rpy="0 0 0"/rpy="0 0 1"/'
spoil rest2.sdf 2 's/type="revolute"/type="fixed"/'
spoil rest3.sdf 3 's/<velocity>500/<velocity>-500/'
spoil rest1.sdf 1 's/<spring_reference>/&-/'
spoil rest1.sdf 1 's/<upper>/&1/'
spoil rest1.urdf 1 's/ upper="/&1/'
spoil rest1.mjcf 1 's/ range="/&1/'
spoil rest6.sdf 6 's/<lower>.*//'
spoil rest5.sdf 5 's/<suspension><cfm>0/<suspension><cfm>1/'

grep -q '<geom type="box" size="0.25 0.5 1"' rest6.mjcf || wrong "the box is missing"

# a deep tree: files that a parser takes which counts how deep elements are
"$build/ukode" run --quiet --record deep.ukode --every-step -- ./mechanisms deep 2>/dev/null
for name in deep.xml "a \"b'&<.c.xml" deep .xml; do
    folder=$(mktemp -d folder.XXXXXX)
    "$build/ukode" export deep.ukode --mjcf "$folder/$name" >said 2>/dev/null
    python3 "$here/mjcf.py" deep.ukode "$folder/$name" 1 moving || wrong "$name: not the deep tree"
    [ "$(find "$folder" -type f | wc -l)" = $(($(wc -l <said) + 1)) ] || wrong "$name: its parts are not named: $(cat said)"
    [ "$(wc -l <said)" = 4 ] || wrong "$name: more parts than are necessary: $(cat said)"
done
refused() { # NAME WHY: the deep tree is not written there, and the file that WHY is about stays as it is
    if "$build/ukode" export deep.ukode --mjcf "$1" >said 2>notes; then wrong "a deep tree goes to $1"; fi
    grep -q "$2" notes || wrong "$1: $(cat notes)"
}
echo mine >mine
ln -s mine link.part-3.xml
refused link.xml 'link.part-3.xml: it is a symbolic link'
mkfifo pipe.part-2.xml
refused pipe.xml 'pipe.part-2.xml: it is not a regular file'
refused /dev/null 'too deep for one file'
ln -s mine linked.xml
refused linked.xml 'too deep for one file'
grep -q include mine && wrong "a file is written through a symbolic link"
[ ! -e /dev/null.part-2 ] || wrong "a file beside a device"

python3 - rest.ukode <<'E2'
import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
for body, name in ((1, '"/><geom a="<&'), (2, "\x1b\u00fc"), (3, "twice"), (4, "twice"), (5, "body_4")):
    database.execute("update body set name = ? where body = ?", (name.replace("/", " "), body))
database.execute("update joint set name = '--><body>', type = '--><x>' where joint = 2")
database.commit()
E2
for world in 1 2; do
    for format in mjcf urdf sdf; do "$build/ukode" export rest.ukode --world=$world --$format=names$world.$format 2>/dev/null; done
    python3 - names$world $world <<'E3' || wrong "names are not escaped"
import sys, xml.etree.ElementTree as tree
names = [b.get("name") for b in tree.parse(sys.argv[1] + ".mjcf").getroot().iter("body")]
for other in ("urdf", "sdf"):
    root = tree.parse(sys.argv[1] + "." + other).getroot()
    links = [b.get("name") for b in root.iter("link") if b.find("inertial") is not None]
    assert sorted(links) == sorted(names), links
    assert len({j.get("name") for j in root.iter("joint")}) == len(list(root.iter("joint")))
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
status 2 "$build/ukode" export rest.ukode --step -1 --sdf none.xml
status 1 "$build/ukode" export rest.ukode --step 2 --sdf none.xml
grep -q 'step 2 of world 1: it is not in the recording' out || wrong "$(cat out)"
status 1 "$build/ukode" export rest.ukode --mjcf /dev/full
for mass in 0 -1; do # 0: ukBodySetMassless
    python3 -c 'import sqlite3, sys; d = sqlite3.connect("rest.ukode"); d.execute(sys.argv[1]); d.commit()' \
        "update body set mass = $mass where body = 1"
    status 1 "$build/ukode" export rest.ukode --mjcf none.xml
    case $mass in 0) want='body 1 has no mass (ukBodySetMassless)' ;; *) want='body 1: mass is not positive' ;; esac
    grep -qF "$want" out || wrong "$(cat out)"
done
