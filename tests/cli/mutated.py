# SPDX-License-Identifier: BSD-3-Clause
"""Mutated files of each kind, given to every command that reads them: each command ends by itself within ten seconds of
its own time and with less than a gigabyte, with an exit status that it documents, a message of its own where it fails, and
no control character in its output.
Usage: mutated.py BUILD FIRST COUNT [KIND ...]: COUNT files of each KIND (recording, state, config, study, database, foreign),
from the seed FIRST on; `foreign`: a file of another kind than the command reads. Each file is given to every command that
reads its kind, with options drawn from the seed. With MUTATED_COUNTS=FILE: what the commands answered, and how often, is
appended to FILE. A test runs a few; 2000 of each take an hour and a half of a processor."""
import collections
import os
import re
import random
import resource
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import spoilt  # noqa: E402  (the mutators of recordings)

SECONDS, BYTES = 10, 1 << 30
MASK = (1 << 64) - 1
answers = collections.Counter()
INTEGRATORS = ('euler', 'rk4', 'adaptive', 'rattle', 'radau')
STUDY = b'''vary gait in trot pace "a bound"
vary x from 1 to 100 count 3 log
vary even halton 0 1
samples = 4
env SPEED = {x}/{gait}
config hinge viscous {even}
result height = SELECT max(position_z) FROM body_step
keep out.txt *.png
time = 60
memory = 2G
record = every-step
'''
CONFIG = b'''solver = sparse
integrator = rk4
check = warn:1e-9
all viscous 0.1
hinge coulomb 0.1 radius 0.02 static 0.2 speed 0.01
name body 1 door
body 1 mass 4 velocity 1 0 0 spin 0 0 1
'''


def controls(out):
    return any((byte < 32 and byte not in b'\n\t') or byte == 127 for byte in out) or b'\xc2\x9b' in out


# a refusal by the command, or by what it runs; what a comparison has found; a run that the program ended
# (of exit status 3 the answer itself says it, in words or in JSON)
MESSAGE = re.compile(rb'^ukode[-a-z]*: |^no equilibrium found |^at \S+ s the joints cannot all be |'
                     rb'^\d+ targets? not reached: |"(?:found|met|targets_met)":0[,\n}]|'
                     rb'\d+ of \d+ steps are verified|^ *(as recorded: )?\d+ of \d+ steps have the states', re.MULTILINE)


def kind_of(words):
    """`report --text`: the command, and the option that decides what it writes."""
    return ' '.join([words[1]] + [word for word in words[2:] if word in (
        '--text', '--csv', '--gltf', '--mjcf', '--urdf', '--sdf', '--native')][:1])


def pattern(out):
    """The last line of a message, without its numbers and names."""
    lines = [line for line in out.decode(errors='replace').split('\n') if line.strip()]
    line = next((line for line in reversed(lines) if line.startswith('ukode')), lines[-1] if lines else '')
    return re.sub(r'[-+.e0-9]*[0-9]', '#', line)[:100]


def statuses(command):
    """The exit statuses of a valid command: a search that finds nothing ends with 3 (docs/analysis.md)."""
    return (0, 1, 3) if command[0] in ('equilibrium', 'assemble') else (0, 1)


def judge(words, statuses, variables=None):
    """None, or what is wrong with a command."""
    begun, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = dict(os.environ, **(variables or {}))
    with tempfile.TemporaryFile() as told:
        process = subprocess.Popen(words, stdout=told, stderr=told, stdin=subprocess.DEVNULL, env=environment)
        try:
            resource.prlimit(process.pid, resource.RLIMIT_CPU, (2 * SECONDS, 2 * SECONDS + 1))
        except ProcessLookupError:
            pass  # it has ended
        try:
            status = process.wait(timeout=600)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return '%s: does not end in %.0f s' % (words, time.monotonic() - begun)
        told.seek(0)
        out = told.read()
    text = out.decode(errors='replace')[-600:]
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if min(seconds, time.monotonic() - begun) > SECONDS:  # of the processor, with the processes that it waited for
        return '%s: takes %.1f s\n%s' % (words, seconds, text)
    if status < 0:
        return '%s: signal %d (%s)\n%s' % (words, -status, signal.strsignal(-status), text)
    if status not in statuses:
        return '%s: exit status %d\n%s' % (words, status, text)
    if controls(out):
        return '%s: control characters\n%r' % (words, out[-600:])
    answers[kind_of(words), status, pattern(out) if status else ''] += 1
    if status != 0 and not MESSAGE.search(out):
        return '%s: fails without a message\n%s' % (words, text)
    return None


def flip_text(data, r):
    """Bytes of a text changed: words repeated, cut, replaced by strange ones."""
    strange = [b'nan', b'inf', b'1e999', b'-1', b'9' * 30, b'{', b'"', b'\xff', b'\x1b[2J', b'=', b'\\\n', b'\0', b'body 1', b'x' * 2000]
    for _ in range(r.randrange(1, 5)):
        at = r.randrange(len(data) + 1)
        how = r.randrange(4)
        if how == 0:
            data = data[:at] + r.choice(strange) + data[at:]
        elif how == 1:
            data = data[:at] + data[at + r.randrange(20):]
        elif how == 2:
            data = data[:at] + bytes([r.randrange(256)]) + data[at + 1:]
        else:
            words = data.split(b' ')
            words[r.randrange(len(words))] = r.choice(strange)
            data = b' '.join(words)
    return data


def flip_bytes(data, r):
    data = bytearray(data)
    for _ in range(r.choice([1, 2, 8, 50])):
        data[r.randrange(len(data))] = r.choice([0, 255, 127, 128, r.randrange(256)])
    return bytes(data[:r.randrange(1, len(data))] if r.random() < 0.2 else data)


def plausible(path, r):
    """Numbers of a database changed into others of their type: those of other rows, their neighbours, other signs and scales."""
    file = sqlite3.connect(path)
    places = [(table, column) for table, in file.execute("select name from sqlite_master where type = 'table'").fetchall()
              for _, column, kind, *_ in file.execute('pragma table_info("%s")' % table).fetchall() if kind in ('INTEGER', 'REAL')]
    for table, column in r.sample(places, r.choice([1, 2, 5])):
        keys = spoilt.columns(file, table)[:2]
        test = ' and '.join('"%s" is ?' % key for key in keys)
        rows = file.execute('select "%s", %s from "%s" where "%s" is not null' % (
            column, ', '.join('"%s"' % key for key in keys), table, column)).fetchall()
        for x, *row in r.sample(rows, min(len(rows), r.choice([1, 3, 100]))):
            if isinstance(x, int):
                x = r.choice([r.choice(rows)[0], x + 1, x - 1, -x, 0, 2**31 - 1])
            else:
                x = r.choice([r.choice(rows)[0], -x, 0.0, 1e6 * x, 1e-6 * x, x + r.gauss(0, 1), r.choice([1e300, 1e-300])])
            try:
                file.execute('update "%s" set "%s" = ? where %s' % (table, column, test), [x] + row)
            except (sqlite3.Error, OverflowError):
                break
    file.commit()
    file.close()


# ---- saved states, whose checksums are set right (plugin/formats/snapshot/digest.h) ----------------------------------

def mix(x):
    x = (x ^ x >> 33) * 0xff51afd7ed558ccd & MASK
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53 & MASK
    return x ^ x >> 33


def repaired(state):
    """A state with its size and its checksum."""
    state = bytearray(state)
    state[16:24] = struct.pack('<Q', len(state))
    lane = [0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89]
    for i, word in enumerate(struct.unpack('<%dQ' % (len(state) // 8), state)):
        if i not in (3, 4):
            x = (lane[i & 3] ^ word) * 0x9e3779b97f4a7c15 & MASK
            lane[i & 3] = (x << 29 | x >> 35) & MASK
    half = [0x452821e638d01377, 0xbe5466cf34e90c6c]
    for k in range(4):
        half[0] = mix(half[0] + lane[k] & MASK)
        half[1] = mix(half[1] ^ lane[3 - k]) + half[0] & MASK
    state[24:40] = struct.pack('<2Q', *half)
    return bytes(state)


def flip_state(data, r):
    """A file of states, in one of which words are others, fewer or more."""
    count, = struct.unpack_from('<Q', data, 16)
    out, at, chosen = data[:24], 24, r.randrange(count)
    for i in range(count):
        number, size = struct.unpack_from('<2Q', data, at)
        state, at = data[at + 16:at + 16 + size], at + 16 + size
        if i == chosen:
            words = [state[k:k + 8] for k in range(40, size, 8)]
            for _ in range(r.choice([1, 1, 2, 8])):
                k, how = r.randrange(len(words)), r.randrange(8)
                if how == 0:
                    del words[k]
                elif how == 1:
                    words.insert(k, words[r.randrange(len(words))])
                else:
                    words[k] = r.choice([struct.pack('<Q', r.choice([0, 1, 2, 7, MASK, 1 << 63, 1 << 32, r.randrange(99)])),
                                         struct.pack('<d', r.choice([1.5, -1.0, 1e-300, 1e300, float('nan'), float('inf')])),
                                         words[r.randrange(len(words))]])
            state = repaired(state[:40] + b''.join(words))
        out += struct.pack('<2Q', number, len(state)) + state
    return out


# ---- the files and their commands -------------------------------------------------------------------------------------

class Files:
    """The good files, and the commands that read a mutated one."""

    def __init__(self, build):
        self.ukode = os.path.join(build, 'ukode')
        self.programs = [[os.path.join(build, 'tests', 'cli', name), '12'] for name in ('rows', 'mixture')]
        self.scene = os.path.join(build, 'demos', 'four_bar')
        self.recordings = ['hinges'] * 3
        for program, short in zip(self.programs, 'rm'):
            for name in INTEGRATORS:
                self.recordings.append('%s.%s' % (short, name))
                self.run(self.ukode, 'record', '-o', self.recordings[-1], '--integrator', name, '--inputs', '--certificates',
                         '--every-step', '--tolerance', '1e-4', '--', *program, *(['servo'] if name in 'euler adaptive' else []))
            self.run(self.ukode, 'run', '--save', short + '.state', '--save-every', '0.05', '--', *program, 'servo')
        self.run(self.ukode, 'record', '-o', 'hinges', '--inputs', '--rate', '10', '--', self.scene)
        with open('good.conf', 'wb') as file:
            file.write(b'vary n in 1 2\nresult x = SELECT max(position_z) FROM body_step\n')
        self.run(self.ukode, 'sweep', 'good.conf', '-o', 'good.db', '--', *self.programs[0])
        with open('some.conf', 'wb') as file:
            file.write(CONFIG)
        names = self.recordings + ['good.db', 'good.conf', 'some.conf', 'r.state', 'm.state']
        self.good = {name: open(name, 'rb').read() for name in names}

    @staticmethod
    def run(*words):
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def database_of(self, name, r):
        with open('bad', 'wb') as file:
            file.write(self.good[name])
        r.choice([spoilt.truncate, spoilt.flip, spoilt.flip, spoilt.values, spoilt.values, spoilt.tables, spoilt.blobs,
                  spoilt.blobs, plausible, plausible, plausible])('bad', r)
        with open('bad', 'rb') as file:
            return file.read()

    @staticmethod
    def readers(r, good):
        """A command of each kind that reads a recording."""
        at = ['--at', r.choice(['0', '0', '0.04']), '--world', r.choice('122')]
        joints, motors = r.choice(['joints', 'motors']), r.choice(['joints', 'force:2', 'push:1.x'])
        return [r.choice([['replay', 'bad'], ['replay', '--native', 'bad'], ['replay', '--world', '2', 'bad'],
                          ['replay', '--integrator', r.choice(INTEGRATORS), '--from', '0.05', 'bad'],
                          ['replay', '--to', '0.1', '--substeps', '2', 'bad']]),
                r.choice([['verify', 'bad'], ['verify', '--all', 'bad']]),
                ['report', '--text', 'bad'],
                ['report', '-o', 'page.html'] + r.choice([['bad'], ['--ghost', 'bad', good], ['--rate', '9', 'bad']]),
                ['export', '--csv', 'csv', 'bad'], ['export', '--gltf', 'run.glb', 'bad'],
                ['export', '--mjcf', 'run.xml', '--step', r.choice('05'), 'bad'],
                ['export', '--urdf', 'run.urdf', '--world', r.choice('12'), '--step', r.choice('05'), 'bad'],
                ['export', '--sdf', 'run.sdf', '--step', r.choice('09'), 'bad'],
                r.choice([['compare', good, 'bad'], ['compare', 'bad', good], ['compare', '--html', 'd.html', 'bad', good]]),
                ['modes'] + r.choice([at, ['-o', 'modes.html'], ['--json']]) + ['bad'],
                ['linearize'] + r.choice([at, ['--lqr'] + at, ['--discrete', '-o', 'run.mat']])
                + ['--inputs', joints, '--outputs', 'joints', 'bad'],
                ['assemble'] + at + r.choice([[], ['--target', '1:0,0,1'], ['-o', 'run.json']]) + ['bad'],
                ['equilibrium'] + at + r.choice([[], ['--json']]) + ['bad'],
                ['inverse', '--actuators', motors] + at + r.choice([[], ['--until', '0.15', '-o', 'run.csv']]) + ['bad']]

    @staticmethod
    def runners(r, options, program):
        """Each command that runs a program."""
        at = ['--at', r.choice(['0', '0.05'])] + (['--world', r.choice('1222')] if 'mixture' in program[0] else [])
        return [words + options + ['--'] + program for words in (
            ['run', '--quiet'], ['record', '-o', 'run.ukode', '--inputs', '--certificates'],
            ['view'] + r.choice([['--text'], ['--text'], ['--text'], ['--no-browser', '--close']]), ['compare'], ['sweep', 'good.conf', '-o', 'new.db'],
            ['modes'] + at, ['linearize', '--inputs', 'joints'] + at, ['assemble'] + at, ['equilibrium'] + at,
            ['inverse', '--actuators', 'joints'] + at, ['info', '--seconds', '1'])]

    def recording(self, r):
        data = self.database_of(r.choice(self.recordings), r)
        return data, [(command, statuses(command), None) for command in self.readers(r, r.choice(self.recordings))]

    def state(self, r):
        i = r.randrange(2)
        good = self.good['rm'[i] + '.state']
        data = flip_bytes(good, r) if r.random() < 0.2 else flip_state(good, r)
        options = ['--integrator', r.choice(INTEGRATORS), '--tolerance', '1e-4', '--restore', 'bad']
        commands = self.runners(r, options, self.programs[i] + ['servo'])
        return data, [(command, statuses(command), None) for command in commands if command[0] != 'compare']

    def config(self, r):
        commands = self.runners(r, ['--config', 'bad'], r.choice(self.programs)) + [['info']]
        commands.append(['modes', '--config', 'bad', r.choice(self.recordings)])
        return flip_text(CONFIG, r), [(command, statuses(command) + (2,), {'UKODE_CONFIG': 'bad'} if command == ['info'] else None)
                                      for command in commands]

    def study(self, r):
        return flip_text(STUDY, r), [(['sweep', 'bad', '-o', 'new.db', '--', './gone', '{gait}', '{x}'], (1, 2), None)]

    def database(self, r):
        data = self.database_of('good.db', r)
        return data, [(['report', '--text', 'bad'], (0, 1), None), (['report', '-o', 'page.html', 'bad'], (0, 1), None),
                      (['export', '--csv', 'csv', 'bad'], (0, 1), None),
                      (['sweep', 'good.conf', '-o', 'bad', '--', './gone'], (0, 1), None)]

    def foreign(self, r):
        """Of another kind than the command reads, as it is or mutated."""
        of_text = ['good.conf', 'some.conf', 'r.state']
        data = self.good[r.choice(of_text)]
        if r.random() < 0.5:
            data = r.choice([flip_text, flip_bytes])(data, r)
        commands = self.readers(r, r.choice(self.recordings))
        data = r.choice([b'', data, data, data])
        commands = r.sample(commands, 2) + [['sweep', 'good.conf', '-o', 'bad', '--', './gone']]
        commands += r.sample(self.runners(r, ['--restore', 'bad'], self.programs[1]), 1) if data[:8] != b'ukodsave' else []
        return data, [(command, (0, 1, 2), None) for command in commands]


def tell_answers(kind, first, count):
    """Appends what the commands answered."""
    with open(os.environ['MUTATED_COUNTS'], 'a') as file:
        file.write('%s: seeds %d to %d\n' % (kind, first, first + count - 1))
        for (command, status, text), often in sorted(answers.items()):
            file.write('%7d  %-16s %d  %s\n' % (often, command, status, text))
    answers.clear()


def main(build, first, count, kinds):
    commands = 0
    wrong = []
    for name in list(os.environ):
        if name.startswith('UKODE_'):
            del os.environ[name]
    resource.setrlimit(resource.RLIMIT_DATA, (BYTES, BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        files = Files(build)
        makers = {'recording': files.recording, 'state': files.state, 'config': files.config, 'study': files.study,
                  'database': files.database, 'foreign': files.foreign}
        for kind in kinds or makers:
            begun, before = time.monotonic(), len(wrong)
            for seed in range(first, first + count):
                data, reads = makers[kind](random.Random('%s %d' % (kind, seed)))
                for words, statuses, variables in reads:
                    with open('bad', 'wb') as file:
                        file.write(data)
                    if words[0] == 'sweep' and 'new.db' in words and os.path.exists('new.db'):
                        os.unlink('new.db')
                    what = judge([files.ukode] + words, statuses, variables)
                    commands += 1
                    if what:
                        wrong.append(what)
                        print('mutated: %s, seed %d: %s' % (kind, seed, what), flush=True)
            print('%s: %d files, %d wrong, %.0f s' % (kind, count, len(wrong) - before, time.monotonic() - begun), flush=True)
            if 'MUTATED_COUNTS' in os.environ:
                tell_answers(kind, first, count)
        os.chdir('/')
    print('mutated: %d commands, %d wrong' % (commands, len(wrong)))
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main(os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]))
