# SPDX-License-Identifier: BSD-3-Clause
"""Recordings that are spoilt, given to every command that reads them: each must end by itself, with 0, or 1 and a
message; with a sanitizer in it, without a report. Cut short, bits flipped, SQL values changed, tables and columns dropped,
renamed and of other types. The programs are begun once each and forked (fork_server.c; $CC compiles it);
every tenth seed is looked through for leaks, too, which takes most of the time.
Usage: spoilt.py BUILD RECORDING FIRST COUNT: copies of RECORDING, spoilt with the seeds FIRST ... FIRST + COUNT - 1."""
import array
import os
import random
import shutil
import signal
import socket
import sqlite3
import struct
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


def blobs(path, r):
    """Bytes within binary values changed, added or removed: inputs, snapshots, surfaces, equations. The file stays sound."""
    file = sqlite3.connect(path)
    places = [(table, column) for table, in file.execute("select name from sqlite_master where type = 'table'").fetchall()
              for _, column, kind, *_ in file.execute('pragma table_info("%s")' % table).fetchall() if kind == 'BLOB']
    table, column = r.choice(places)
    key = columns(file, table)[0]
    rows = file.execute('select "%s", "%s" from "%s" where length("%s") > 0' % (key, column, table, column)).fetchall()
    for row, data in r.sample(rows, min(len(rows), r.choice([1, 1, 5, 40]))):
        data = bytearray(data)
        for _ in range(r.choice([1, 2, 8])):
            at, how = r.randrange(len(data) + 1), r.randrange(4)
            strange = r.choice([b'\0' * 8, b'\xff' * 8, b'\x7f' * 9, struct.pack('<d', r.choice(
                [0.0, 1e308, -1e-308, float('nan'), float('inf')])), bytes([r.randrange(256)])])
            end = at if how == 0 else at + r.randrange(9) if how == 1 else at + len(strange)
            data[at:end] = b'' if how == 1 else strange
        file.execute('update "%s" set "%s" = ? where "%s" is ?' % (table, column, key), (bytes(data), row))
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


class Server:
    """A program that is loaded, and forked for each command."""

    def __init__(self, program, library, folder, leaks):
        self.program = program
        self.out, self.told = os.path.join(folder, 'out'), os.path.join(folder, 'err')
        self.ours, theirs = socket.socketpair()
        setting = dict(os.environ, FORK_SERVER=str(theirs.fileno()), FORK_SERVER_OUT=self.out, FORK_SERVER_ERR=self.told,
                       LD_PRELOAD=library, ASAN_OPTIONS='verify_asan_link_order=0:detect_leaks=%d' % leaks)
        self.process = subprocess.Popen([program], env=setting, pass_fds=[theirs.fileno()])
        theirs.close()

    def hear(self):
        data = self.ours.recv(4)
        if len(data) < 4:
            raise OSError('%s: the server has ended' % self.program)
        return array.array('i', data)[0]

    def run(self, *arguments):
        """What waitpid told, None: it did not end; whether it printed; its errors."""
        data = b''.join(text.encode() + b'\0' for text in (self.program,) + arguments)
        self.ours.settimeout(None)
        self.ours.sendall(array.array('i', [len(data)]).tobytes() + data)
        child = self.hear()
        self.ours.settimeout(300)
        try:
            status = self.hear()
        except socket.timeout:
            os.kill(child, signal.SIGKILL)
            self.ours.settimeout(None)
            self.hear()
            status = None
        with open(self.told, 'rb') as file:
            return status, os.path.getsize(self.out) > 0, file.read().decode(errors='replace')


def judge(server, arguments, seed):
    """None, or what is wrong."""
    status, printed, told = server.run(*arguments)
    command = 'seed %d: %s %s' % (seed, server.program, ' '.join(arguments))
    if status is None:
        return command + ' does not end'
    end = os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status)
    if end not in (0, 1) or 'Sanitizer' in told or 'runtime error' in told:
        return '%s: %d\n%s' % (command, end, told[:3000])
    if end == 1 and not told and not printed:
        return command + ' fails without a word'
    return None


def load(build, folder):
    """The command, and the program that replays for it; and both with a look for leaks."""
    here = os.path.dirname(os.path.abspath(__file__))
    library = os.path.join(folder, 'fork_server.so')
    subprocess.run([os.environ.get('CC', 'cc'), '-shared', '-fPIC', '-O1', '-D_GNU_SOURCE', '-o', library,
                    os.path.join(here, 'fork_server.c'), '-ldl'], check=True)
    return [[Server(os.path.join(os.path.abspath(build), name), library, folder, leaks)
             for name in ('ukode', 'ukode-replay')] for leaks in (0, 1)]


def main(build, recording, first, count):
    good = commands = 0
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        servers = load(build, folder)
        path = os.path.join(folder, 'spoilt.ukode')
        readers = [(1, [path, '0', '0', 'inf', '0', '1']), (0, ['verify', path]), (0, ['report', '--text', path]),
                   (0, ['report', '-o', os.path.join(folder, 'page.html'), path]),
                   (0, ['export', path, '--csv', os.path.join(folder, 'csv')]),
                   (0, ['export', path, '--gltf', os.path.join(folder, 'run.glb')]),
                   (0, ['compare', '--csv', os.path.join(folder, 'd.csv'), recording, path])]
        shutil.copy(recording, path)
        for server, arguments in readers:
            status, _, told = servers[1][server].run(*arguments)
            if status != 0:
                wrong.append('the recording as it is: %s: %s' % (' '.join(arguments), told))
                print(wrong[-1], flush=True)
        for seed in range(first, first + count):
            r = random.Random(seed)
            shutil.copy(recording, path)
            r.choice([truncate, flip, flip, values, values, values, tables, blobs, blobs])(path, r)
            with open(path, 'rb') as file:
                spoilt = file.read()
            for server, arguments in readers:
                with open(path, 'wb') as file:
                    file.write(spoilt)
                what = judge(servers[seed % 10 == 0][server], arguments, seed)
                commands += 1
                if what:
                    wrong.append(what)
                    print(what, flush=True)
            good += 1
            if good % 50 == 0:
                print('%d spoilt recordings, %d wrong' % (good, len(wrong)), flush=True)
        for server in servers[0] + servers[1]:
            server.ours.close()
            server.process.wait()
    print('%d spoilt recordings, %d commands, %d wrong' % (good, commands, len(wrong)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
