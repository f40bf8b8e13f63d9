# SPDX-License-Identifier: BSD-3-Clause
"""Mutated files of each kind, given to every command that reads them: each command ends by itself within ten seconds of
its own time and with less than a gigabyte, with an exit status that it documents, a message where it fails, and no control
character in its output.
Usage: mutated.py BUILD FIRST COUNT [KIND ...]: COUNT files of each KIND (recording, analysis, rows, state, config, study,
database), from the seed FIRST on; `analysis`: recordings for the commands that analyse a world, `rows`: of user constraints. A test runs a few; 2000 of each take two hours of a processor."""
import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import spoilt  # noqa: E402  (the mutators of recordings)

SECONDS, BYTES = 10, 1 << 30
INTEGRATORS = ('euler', 'rk4', 'adaptive', 'rattle')
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
check = report:1e-9
all viscous 0.1
hinge coulomb 0.1 radius 0.02 static 0.2 speed 0.01
name body 1 door
body 1 mass 4 velocity 1 0 0 spin 0 0 1
'''


def limits():
    resource.setrlimit(resource.RLIMIT_DATA, (BYTES, BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def controls(out):
    return any((byte < 32 and byte not in b'\n\t') or byte == 127 for byte in out) or b'\xc2\x9b' in out


def judge(words, statuses, variables=None):
    """None, or what is wrong with a command."""
    begun, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = dict(os.environ, **(variables or {}))
    with tempfile.TemporaryFile() as told:
        process = subprocess.Popen(words, stdout=told, stderr=told, stdin=subprocess.DEVNULL, env=environment,
                                   preexec_fn=limits)
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
    if seconds > SECONDS:  # its own, and those of the processes that it waited for
        return '%s: takes %.1f s\n%s' % (words, seconds, text)
    if status < 0:
        return '%s: signal %d (%s)\n%s' % (words, -status, signal.strsignal(-status), text)
    if status not in statuses:
        return '%s: exit status %d\n%s' % (words, status, text)
    if controls(out):
        return '%s: control characters\n%r' % (words, out[-600:])
    if status != 0 and not out:
        return '%s: fails without a word' % words
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


class Files:
    """The good files, and the commands that read a mutated one."""

    def __init__(self, build):
        self.ukode = os.path.join(build, 'ukode')
        self.demo = os.path.join(build, 'demos', 'door')
        self.scene = os.path.join(build, 'demos', 'four_bar')
        self.run(self.ukode, 'record', '-o', 'good.ukode', '--inputs', '--certificates', '--rate', '100', '--', self.demo)
        self.run(self.ukode, 'run', '--save', 'state', '--save-every', '0.5', '--', self.demo)
        self.rows = os.path.join(build, 'tests', 'cli', 'rows')
        for name in INTEGRATORS:
            self.run(self.ukode, 'record', '-o', name, '--integrator', name, '--inputs', '--certificates', '--every-step', '--',
                     self.rows, '40')
        self.run(self.ukode, 'record', '-o', 'hinges', '--inputs', '--', self.scene)
        self.run(self.ukode, 'run', '--save', 'rows.state', '--save-every', '0.1', '--', self.rows, '40')
        with open('good.conf', 'wb') as file:
            file.write(b'vary n in 1 2\nresult x = SELECT max(position_z) FROM body_step\n')
        self.run(self.ukode, 'sweep', 'good.conf', '-o', 'good.db', '--', self.demo)
        self.good = {name: open(name, 'rb').read() for name in
                     ('good.ukode', 'state', 'good.db', 'rows.state', 'hinges') + INTEGRATORS}

    @staticmethod
    def run(*words):
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def database(self, name, r):
        with open('bad', 'wb') as file:
            file.write(self.good[name])
        r.choice([spoilt.truncate, spoilt.flip, spoilt.flip, spoilt.values, spoilt.values, spoilt.values, spoilt.tables,
                  spoilt.blobs, spoilt.blobs])('bad', r)
        with open('bad', 'rb') as file:
            return file.read()

    def recording(self, r):
        data = self.database('good.ukode', r)
        commands = [['replay', 'bad'], ['replay', '--native', 'bad'], ['verify', 'bad'], ['verify', '--all', 'bad'],
                    ['report', '--text', 'bad'], ['report', '-o', 'page.html', 'bad'],
                    ['report', '-o', 'page.html', '--ghost', 'bad', 'good.ukode'], ['export', '--csv', 'csv', 'bad'],
                    ['export', '--gltf', 'run.glb', 'bad'], ['export', '--mjcf', 'run.xml', 'bad'],
                    ['export', '--urdf', 'run.urdf', '--sdf', 'run.sdf', '--step', '2', 'bad'], ['compare', 'good.ukode', 'bad'], ['compare', 'bad', 'good.ukode']]
        return data, [(command, (0, 1), None) for command in commands]

    def analysis(self, r):
        at = r.choice(['0', '0.1', '0.3'])
        data = self.database(r.choice(['good.ukode', 'hinges', 'hinges', 'euler', 'adaptive']), r)
        commands = [['modes', '--at', at, 'bad'], ['modes', '-o', 'modes.html', 'bad'], ['linearize', '--at', at, 'bad'],
                    ['linearize', '--inputs', 'joints', '--outputs', 'joints', '--discrete', '-o', 'run.mat', 'bad'],
                    ['assemble', '--at', at, 'bad'], ['assemble', '--world', '2', '-o', 'run.json', 'bad'],
                    ['equilibrium', '--json', '--at', at, 'bad'],
                    ['inverse', '--actuators', 'joints', '--at', at, '--until', '0.35', '-o', 'run.csv', 'bad']]
        return data, [(command, (0, 1), None) for command in r.sample(commands, 4)]

    def constraints(self, r):
        data = self.database(r.choice(INTEGRATORS), r)
        commands = [['replay', 'bad'], ['replay', '--integrator', r.choice(INTEGRATORS), 'bad'], ['verify', 'bad'],
                    ['verify', '--all', 'bad'], ['report', '-o', 'page.html', 'bad'], ['export', '--mjcf', 'run.xml', 'bad'],
                    ['compare', 'good.ukode', 'bad']]
        return data, [(command, (0, 1), None) for command in commands]

    def state(self, r):
        if r.random() < 0.5:
            return flip_bytes(self.good['state'], r), [(['run', '--quiet', '--restore', 'bad', '--', self.demo], (0, 1), None)]
        return flip_bytes(self.good['rows.state'], r), [(['run', '--quiet', '--integrator', r.choice(INTEGRATORS), '--restore',
                                                          'bad', '--', self.rows, '20'], (0, 1), None)]

    def config(self, r):
        return flip_text(CONFIG, r), [(['run', '--quiet', '--config', 'bad', '--', self.demo], (0, 1, 2), None),
                                      (['info'], (0, 1), {'UKODE_CONFIG': 'bad'})]

    def study(self, r):
        return flip_text(STUDY, r), [(['sweep', 'bad', '-o', 'new.db', '--', './gone', '{gait}', '{x}'], (1, 2), None)]

    def sweep(self, r):
        data = self.database('good.db', r)
        return data, [(['report', '--text', 'bad'], (0, 1), None), (['report', '-o', 'page.html', 'bad'], (0, 1), None),
                      (['sweep', 'good.conf', '-o', 'bad', '--', './gone'], (0, 1), None)]


def main(build, first, count, kinds):
    commands = 0
    wrong = []
    for name in list(os.environ):
        if name.startswith('UKODE_'):
            del os.environ[name]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        files = Files(build)
        makers = {'recording': files.recording, 'analysis': files.analysis, 'rows': files.constraints,
                  'state': files.state, 'config': files.config, 'study': files.study,
                  'database': files.sweep}
        for kind in kinds or makers:
            begun, before = time.monotonic(), len(wrong)
            for seed in range(first, first + count):
                data, reads = makers[kind](random.Random('%s %d' % (kind, seed)))
                for words, statuses, variables in reads:
                    with open('bad', 'wb') as file:
                        file.write(data)
                    what = judge([files.ukode] + words, statuses, variables)
                    commands += 1
                    if what:
                        wrong.append(what)
                        print('mutated: %s, seed %d: %s' % (kind, seed, what), flush=True)
            print('%s: %d files, %d wrong, %.0f s' % (kind, count, len(wrong) - before, time.monotonic() - begun), flush=True)
        os.chdir('/')
    print('mutated: %d commands, %d wrong' % (commands, len(wrong)))
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main(os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]))
