#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `ukode export` read back: a glTF file against its recording (gltf.py), CSV files against it. Skipped (77) without python3.
# Usage: export.sh BUILD
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
command -v python3 >/dev/null || { echo "export: skipped: no python3 here (Debian: python3)"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# shellcheck disable=SC2046
${CC:-cc} -std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra $(pkg-config --cflags ode) -o directions "$here/directions.c" \
    $(pkg-config --libs ode) -lm
"$build/ukode" run --quiet --record run.ukode --every-step -- ./directions
python3 - run.ukode <<'E'
import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
for text in ('say "a"', "a,b", "a\nb", "a\rb", "", "a b", '"', "a\tb", "a\x7fb", "\x1b[31mred\x01"):  # what a table must quote, and what not
    database.execute("insert into event (step, kind, text) values (1, 'warning', ?)", (text,))
database.commit()
E
"$build/ukode" export run.ukode --gltf run.glb --csv tables >out
python3 "$here/gltf.py" run.ukode run.glb
python3 - run.ukode tables <<'E2'
import csv, re, sqlite3, sys
control = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")  # a terminal would obey these: they are written in digits
database = sqlite3.connect(sys.argv[1])
names = [n for n, in database.execute("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")]
assert "body_step" in names
for name in names:
    with open("%s/%s.csv" % (sys.argv[2], name), newline="", encoding="utf-8", errors="surrogateescape") as file:
        rows = list(csv.reader(file))
    query = database.execute('select * from "%s"' % name)
    assert rows[0] == [c[0] for c in query.description], name
    text = lambda x: "" if x is None else x.hex() if isinstance(x, bytes) else control.sub(lambda c: "\\x%02x" % ord(c[0]), x)
    assert not any(control.search(field) for row in rows for field in row), name
    for row, values in zip(rows[1:], query.fetchall(), strict=True):
        for got, x in zip(row, values, strict=True):
            assert (float(got) == x if isinstance(x, (int, float)) else got == text(x)), (name, got, x)
E2
