# SPDX-License-Identifier: BSD-3-Clause
"""Recordings that are spoilt, given to every command that reads them: each must end by itself, with 0, or 1 and a
message; with a sanitizer in it, without a report. Cut short, bits flipped, SQL values changed, tables and columns dropped,
renamed and of other types.
Usage: spoilt.py BUILD RECORDING FIRST COUNT: copies of RECORDING, spoilt with the seeds FIRST ... FIRST + COUNT - 1."""
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile

STRANGE = [None, 0, 1, -1, 2**31 - 1, -2**31, 2**53, 2**62, 2**63 - 1, -2**63, 0.5, -1e300, 1e300, float('inf'), 'x', '', '9' * 400,
           b'', b'\x00', b'\xff' * 7, b'\x01' * 4096]


def truncate(path, r):
    os.truncate(path, r.randrange(os.path.getsize(path)))


def flip(path, r):
    size = os.path.getsize(path)
    with open(path, 'r+b') as file:
        for _ in range(r.choice([1, 4, 30, 300])):
            at = r.randrange(r.choice([100, 8192, size]))
            file.seek(at)
            byte = file.read(1)[0]
            file.seek(at)
            file.write(bytes([byte ^ 1 << r.randrange(8)]))


def columns(file, table):
    return [row[1] for row in file.execute('pragma table_info("%s")' % table)]


def values(path, r):
    file = sqlite3.connect(path)
    tables = [row[0] for row in file.execute("select name from sqlite_master where type = 'table'")]
    for _ in range(r.choice([1, 3, 10])):
        table = r.choice(tables)
        column = r.choice(columns(file, table))
        count = file.execute('select count(*) from "%s"' % table).fetchone()[0]
        where = r.choice(['', ' limit 1 offset %d' % r.randrange(max(count, 1))])
        keys = [c for c in columns(file, table)[:2]]
        for row in file.execute('select %s from "%s"%s' % (', '.join('"%s"' % c for c in keys), table, where)).fetchall():
            try:
                test = ' and '.join('"%s" is ?' % c for c in keys)
                file.execute('update "%s" set "%s" = ? where %s' % (table, column, test), (r.choice(STRANGE),) + row)
            except (sqlite3.Error, OverflowError):
                break
    file.commit()
    file.close()


def tables(path, r):
    file = sqlite3.connect(path)
    table = r.choice([row[0] for row in file.execute("select name from sqlite_master where type = 'table'")])
    column = r.choice(columns(file, table))
    for sql in r.sample(['drop table "%s"' % table, 'alter table "%s" drop column "%s"' % (table, column),
                         'alter table "%s" rename column "%s" to other' % (table, column), 'delete from "%s"' % table,
                         'alter table "%s" rename to other' % table,
                         'create table other as select * from "%s"; drop table "%s"; alter table other rename to "%s"'
                         % (table, table, table),
                         'alter table "%s" rename to other; create view "%s" as select * from other' % (table, table)], 2):
        try:
            file.executescript(sql)
        except sqlite3.Error:
            pass
    file.close()


def judge(command, seed):
    """None, or what is wrong."""
    try:
        end = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    except subprocess.TimeoutExpired:
        return 'seed %d: %s does not end' % (seed, ' '.join(command))
    told = end.stderr.decode(errors='replace')
    if end.returncode not in (0, 1) or 'Sanitizer' in told or 'runtime error' in told:
        return 'seed %d: %s: %d\n%s' % (seed, ' '.join(command), end.returncode, told[:3000])
    if end.returncode == 1 and not told and not end.stdout:
        return 'seed %d: %s fails without a word' % (seed, ' '.join(command))
    return None


def main(build, recording, first, count):
    ukode = os.path.join(build, 'ukode')
    refused = read = 0
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'spoilt.ukode')
        commands = [[ukode, 'replay', path], [ukode, 'verify', path], [ukode, 'report', '--text', path],
                    [ukode, 'report', '-o', os.path.join(folder, 'page.html'), path],
                    [ukode, 'export', path, '--csv', os.path.join(folder, 'csv')],
                    [ukode, 'export', path, '--gltf', os.path.join(folder, 'run.glb')],
                    [ukode, 'compare', '--csv', os.path.join(folder, 'd.csv'), recording, path]]
        for seed in range(first, first + count):
            r = random.Random(seed)
            shutil.copy(recording, path)
            r.choice([truncate, flip, flip, values, values, values, tables])(path, r)
            spoilt = path + '.spoilt'
            shutil.copy(path, spoilt)
            for command in commands:
                shutil.copy(spoilt, path)
                what = judge(command, seed)
                if what:
                    wrong.append(what)
                    print(what, flush=True)
                refused += what is None
            read += 1
    print('%d spoilt recordings, %d commands, %d wrong' % (read, refused + len(wrong), len(wrong)))
    return 1 if wrong else 0


sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
