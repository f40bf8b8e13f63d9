# SPDX-License-Identifier: BSD-3-Clause
"""Runs a command with a terminal as its standard error, whatever that gets on this program's own; its exit status.
Usage: terminal.py COMMAND ARGUMENTS..."""
import os
import pty
import subprocess
import sys

ours, theirs = pty.openpty()
process = subprocess.Popen(sys.argv[1:], stderr=theirs, env=dict(os.environ, TERM='xterm'))
os.close(theirs)
while True:
    try:
        text = os.read(ours, 4096)
    except OSError:  # the last of them has closed it
        break
    if not text:
        break
    os.write(2, text)
sys.exit(process.wait())
