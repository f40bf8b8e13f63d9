# SPDX-License-Identifier: BSD-3-Clause
"""A program that is recorded is killed (SIGKILL) at random moments: each time the recording opens, is intact, has every
step up to its last one, lacks at most the last second, and is replayed and verified as far as it goes.
Usage: killed.py BUILD SCENE COUNT [FIRST SEED]: SCENE as tests/replay/scene.c, which tells its steps."""
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time


def kill(library, scene, path, after):
    """Steps that were taken a second before the program was killed, and when it was."""
    setting = dict(os.environ, LD_PRELOAD=library, UKODE_RECORD=path, UKODE_RECORD_INPUTS='1',
                   UKODE_RECORD_CERTIFICATES='1')
    told = []
    with subprocess.Popen([scene, '1000000', 'tell'], env=setting, stdout=subprocess.PIPE) as child:
        end = time.monotonic() + after
        while time.monotonic() < end:
            told.append((time.monotonic(), int(child.stdout.readline())))
        now = time.monotonic()
        child.send_signal(signal.SIGKILL)
    return max([step for when, step in told if when < now - 1], default=0), told[-1][1]


def judge(build, path, least):
    """None, or what is wrong."""
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
        return 'it ends with step %d; %d were taken a second before' % (last, least)
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
            least, taken = kill(library, os.path.abspath(scene), path, random.Random(seed).uniform(0.05, 3))
            what = judge(build, path, least)
            if what:
                wrong += 1
                print('moment %d, after %d steps: %s' % (seed, taken, what), flush=True)
    print('%d moments, %d wrong' % (count, wrong))
    return 1 if wrong or count < 1 else 0


sys.exit(main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])))
