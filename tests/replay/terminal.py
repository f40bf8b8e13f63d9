# SPDX-License-Identifier: BSD-3-Clause
"""Runs a command with a terminal as its standard error, whatever that gets on this program's own; its exit status. Until
something is written there the command runs for 2 ms at a time and is stopped for 0.3 s in between, so that what is written
a few times a second is written by the fastest, too.
Usage: terminal.py COMMAND ARGUMENTS..."""
import os
import pty
import select
import signal
import subprocess
import sys
import time

ours, theirs = pty.openpty()
process = subprocess.Popen(sys.argv[1:], stderr=theirs, env=dict(os.environ, TERM='xterm'), start_new_session=True)
os.close(theirs)


def written(seconds):
    return bool(select.select([ours], [], [], seconds)[0])


while not written(0.002) and process.poll() is None:
    os.killpg(process.pid, signal.SIGSTOP)
    time.sleep(0.3)
    os.killpg(process.pid, signal.SIGCONT)
while True:
    try:
        text = os.read(ours, 4096)
    except OSError:  # the last of them has closed it
        break
    if not text:
        break
    os.write(2, text)
sys.exit(process.wait())
