# SPDX-License-Identifier: BSD-3-Clause
"""Whether a planar game stays in its plane z = 0 to the last bit (position, velocity, spin and orientation of every body
after every step), and one of its bodies upright (within 60 degrees about z) as often as under ODE.
Usage: planar_trace.py BODY NATIVE UKODE, the number of a body from 0 and two traces (UKODE_TRACE).
Exit status 1: something left the plane, or the body is upright in less than nine tenths of ODE's share."""
import math
import struct
import sys

header = struct.Struct('<IIQIiiIIIIidd5d')  # bridge/tell/trace.h
state = struct.Struct('<13d')               # x, q, v


def judge(name, body):
    data = open(name, 'rb').read()
    at = steps = upright = 0
    time, out = 0.0, None
    while at + header.size <= len(data):
        fields = header.unpack_from(data, at)
        for i in range(fields[7]):
            x, y, z, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz = state.unpack_from(data, at + header.size + i * state.size)
            if out is None and any((z, qx, qy, vz, wx, wy)):
                out = 'body %d in step %d: z %g, vz %g, spin %g %g' % (i + 1, fields[6], z, vz, wx, wy)
            if i == body:
                upright += abs(math.remainder(2 * math.atan2(qz, qw), 2 * math.pi)) < math.pi / 3
        steps, time, at = steps + 1, time + fields[12], at + fields[3]
    share = upright / max(steps, 1)
    print('    %s: %d steps, %.1f s, %s, upright in %.2f of the steps'
          % (name.rsplit('.', 1)[-1], steps, time, 'out of the plane: ' + out if out else 'in the plane', share))
    return steps > 0 and out is None, share


(_, native), (flat, ours) = judge(sys.argv[2], int(sys.argv[1])), judge(sys.argv[3], int(sys.argv[1]))
sys.exit(not flat or ours < 0.9 * native)
