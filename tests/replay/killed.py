# SPDX-License-Identifier: BSD-3-Clause
"""A program that is recorded is killed (SIGKILL) at random moments: each time the recording opens, is intact, has every
step up to its last one, and is replayed and verified as far as it goes. It has all steps that the program told, where each
is to be in the file at once; else those that were found there while the program ran, which come by themselves (that they do
within a second is tests/plugin/recording/test_recording_queue.c's).
Usage: killed.py BUILD SCENE COUNT [FIRST SEED]: SCENE as tests/replay/scene.c, which tells its steps."""
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.parse

PATIENCE = 300  # s, for what takes a third of one


def found(path):
    """The last step in the file."""
    try:
        file = sqlite3.connect('file:%s?mode=ro' % urllib.parse.quote(path), timeout=PATIENCE, uri=True)
        last = file.execute('select ifnull(max(number), 0) from step').fetchone()[0]
        file.close()
        return last
    except sqlite3.Error:  # it is being made
        return 0


def kill(library, scene, path, way, moment, later):
    """Steps that must be there after a kill at about step `moment`; how many were told; None: they do not come."""
    setting = dict(os.environ, LD_PRELOAD=library, UKODE_RECORD=path, UKODE_RECORD_INPUTS='1',
                   UKODE_RECORD_CERTIFICATES='1', UKODE_RECORD_AT_ONCE=str(int(way == 'at once')))
    least = told = 0
    with subprocess.Popen([scene, '1000000', 'tell'], env=setting, stdout=subprocess.PIPE) as child:
        end = time.monotonic() + PATIENCE
        while told < moment:
            told = int(child.stdout.readline())
            while way == 'looked at' and told == moment // 2 and least is not None and least < told:
                time.sleep(0.01)  # it steps on until the pipe is full
                least = found(path) if time.monotonic() < end else None
        time.sleep(later)
        child.send_signal(signal.SIGKILL)
    return told if way == 'at once' else least, told


def judge(build, path, least):
    """None, or what is wrong."""
    if least is None:
        return 'its steps do not come into the file'
    if not os.path.exists(path):
        return None if least == 0 else 'there is no recording'
    try:
        file = sqlite3.connect(path)
        intact = file.execute('pragma integrity_check').fetchone()[0]
        count, last = file.execute('select count(*), ifnull(max(number), 0) from step').fetchone()
        file.close()
    except sqlite3.Error as error:
        return 'it does not open: %s' % error if least > 0 else None
    if intact != 'ok' or count != last:
        return 'integrity: %s; %d steps up to step %d' % (intact, count, last)
    if last < least:
        return 'it ends with step %d; %d were there' % (last, least)
    for command in ('replay', 'verify') if last > 0 else ():
        end = subprocess.run([os.path.join(build, 'ukode'), command, path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if end.returncode != 0:
            return '%s: %s' % (command, end.stdout.decode(errors='replace')[:500])
    return None


def main(build, scene, count, first=1):
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        path, library = os.path.join(folder, 'run.ukode'), os.path.join(folder, 'libukode.so')
        os.symlink(os.path.abspath(os.path.join(build, 'libukode.so')), library)
        for seed in range(first, first + count):
            for name in os.listdir(folder):
                if name.startswith('run.'):
                    os.unlink(os.path.join(folder, name))
            r, way = random.Random(seed), ('looked at', 'at once', 'early')[seed % 3 - 1]
            moment = r.randrange(1, 20) if way == 'early' else r.randrange(20, 1500)
            least, taken = kill(library, os.path.abspath(scene), path, way, moment, r.uniform(0, 0.1))
            what = judge(build, path, least)
            if what:
                wrong += 1
                print('moment %d, %s, after %d steps: %s' % (seed, way, taken, what), flush=True)
    print('%d moments, %d wrong' % (count, wrong))
    return 1 if wrong or count < 1 else 0


sys.exit(main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])))
