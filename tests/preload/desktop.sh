# SPDX-License-Identifier: BSD-3-Clause
# Debian's games with ODE on a virtual screen, for scripts that source this file (bash): which are installed, and one
# function per game that presses its keys through xdotool. $pid is the game's process.

have() { command -v "$1" >/dev/null 2>&1 || [ -x "/usr/games/$1" ]; }

press() { for key in "$@"; do xdotool key "$key" >/dev/null 2>&1; sleep 1; done; }
storm() { sleep 5; xdotool mousemove 300 150; press Return; sleep 1; press Return; sleep 2; xdotool keydown Up; }
moto() { # throttle held; whatever became of the bike, the level begins anew every ten seconds
    sleep 10; xdotool mousemove 200 150
    (while kill -0 "$pid" 2>/dev/null; do
        xdotool keydown Up; sleep 9; xdotool keyup Up; sleep 0.3; xdotool key Return; sleep 1
    done >/dev/null 2>&1) &
}
cade() { sleep 4; press Return z z; xdotool keydown Up; }
maze() { sleep 4; xdotool mousemove 400 300; press space Return; }
