// SPDX-License-Identifier: BSD-3-Clause
// The recording as the page holds it: columns unpacked (plugin/tools/terminal/column.h has their form), poses between frames.
'use strict';

const Data = (() => {
    const all = JSON.parse(document.getElementById('data').textContent);

    // a column's numbers: `count` of them
    function column(packed, count) {
        const numbers = new Float32Array(count);
        if (packed === null || packed === undefined) return numbers.fill(NaN);
        if (typeof packed === 'number') return numbers.fill(packed);
        numbers.unit = packed.s; // what it is rounded to
        const text = atob(packed.d);
        let at = 0, last = 0, before = 0, zeros = 0;
        const integer = () => {
            let x = 0, unit = 1, byte;
            do {
                byte = text.charCodeAt(at++);
                x += (byte & 127) * unit;
                unit *= 128;
            } while (byte & 128);
            return x;
        };
        for (let i = 0; i < packed.n && i < count; i++) {
            let difference = 0;
            if (zeros > 0) {
                zeros--;
            } else {
                const x = integer();
                if (x === 0) zeros = integer();
                else difference = x % 2 ? -(x + 1) / 2 : x / 2;
            }
            const x = difference + (packed.k === 2 && i > 1 ? 2 * last - before : last);
            before = i > 0 ? last : x;
            last = x;
            numbers[i] = packed.o + packed.s * x;
        }
        return numbers;
    }

    // columns of a thing, which is there from frame `first` to frame `last`
    function unpack(thing, names) {
        const count = thing.last === undefined ? 0 : thing.last - thing.first + 1;
        for (const name of names)
            if (thing[name]) thing[name] = thing[name].map((packed) => column(packed, Math.max(count, 0)));
        return thing;
    }

    function unpackBodies(bodies) {
        for (const body of bodies) {
            unpack(body, ['p', 'q', 'v', 'w', 'awake']);
            body.kind = 'body';
            body.label = body.name || `body ${body.body}`;
        }
        return bodies;
    }

    function unpackCurves(curves, frames) {
        for (const name of Object.keys(curves)) curves[name] = column(curves[name], frames);
        return curves;
    }

    // a world, unpacked when it is first shown
    function world(index) {
        const w = all.worlds[index];
        if (w.unpacked) return w;
        w.unpacked = true;
        for (const run of w.ghost ? [w, w.ghost] : [w]) {
            run.time = column(run.time, run.frames);
            run.number = column(run.number, run.frames);
            unpackBodies(run.bodies);
            unpackCurves(run.curves, run.frames);
        }
        unpackCurves(w.ledger, w.frames);
        w.bodyOf = new Map(w.bodies.map((body) => [body.body, body]));
        w.jointOf = new Map(w.joints.map((joint) => [joint.joint, joint]));
        for (const joint of w.joints) {
            unpack(joint, ['angle', 'rate', 'ideal', 'motor', 'stop', 'non_ideal', 'power', 'unique_reaction', 'gauss']);
            joint.kind = 'joint';
            joint.label = joint.name || `${joint.type} ${joint.joint}`;
            joint.work = integral(w.time, joint);
        }
        for (const slot of w.contacts) unpack(slot, ['there', 'bodies', 'p', 'n', 'depth', 'f', 'slip']);
        return w;
    }

    // of power: the work since the joint's first frame
    function integral(time, joint) {
        if (!joint.power) return null;
        const power = joint.power[0], work = new Float32Array(power.length);
        for (let i = 1; i < work.length; i++)
            work[i] = work[i - 1] + (power[i] || 0) * (time[joint.first + i] - time[joint.first + i - 1]);
        return work;
    }

    // Joints by their share of Gauss's function at a frame, the largest first: [joint, share, part of the total]. The
    // last one, without a joint, is what contacts and user constraints have.
    function efforts(world, frame) {
        const total = world.curves.gauss_ni ? world.curves.gauss_ni[frame] : NaN;
        if (!(total > 0)) return [];
        const shares = world.joints.filter((joint) => joint.gauss && there(joint, frame))
            .map((joint) => [joint, joint.gauss[0][frame - joint.first]]).filter(([, share]) => Number.isFinite(share));
        const rest = total - shares.reduce((sum, [, share]) => sum + share, 0);
        if (Math.abs(rest) > 1e-3 * total) shares.push([null, rest]);
        return shares.sort((a, b) => Math.abs(b[1]) - Math.abs(a[1])).map(([joint, share]) => [joint, share, share / total]);
    }

    // the last frame at or before a time
    function frameAt(time, t) {
        let low = 0, high = time.length - 1;
        while (low < high) {
            const middle = (low + high + 1) >> 1;
            if (time[middle] <= t + 1e-9) low = middle;
            else high = middle - 1;
        }
        return low;
    }

    const there = (thing, frame) => thing.first !== undefined && frame >= thing.first && frame <= thing.last;

    // Pose of a body at a time, between two frames: a straight line, and the shorter turn. false: it is not there.
    function pose(run, body, t, position, orientation) {
        const frame = frameAt(run.time, t);
        if (!there(body, frame)) return false;
        const i = frame - body.first, j = Math.min(i + 1, body.last - body.first);
        const span = run.time[body.first + j] - run.time[frame];
        const s = span > 0 ? Math.min(Math.max((t - run.time[frame]) / span, 0), 1) : 0;
        const at = (c) => c[i] + s * (c[j] - c[i]), {p, q} = body;
        position.set(at(p[0]), at(p[1]), at(p[2]));
        orientation.set(at(q[1]), at(q[2]), at(q[3]), at(q[0])).normalize();
        return true;
    }

    const norm = (x, y, z) => Math.hypot(x, y, z);
    // three significant digits, for people
    function text(x, unit) {
        if (x === null || x === undefined || Number.isNaN(x)) return '–';
        const size = Math.abs(x);
        const digits = size !== 0 && (size < 1e-3 || size >= 1e6) ? x.toExponential(2) : String(Number(x.toPrecision(4)));
        return unit ? `${digits} ${unit}` : digits;
    }

    const counted = (n, one, several = `${one}s`) => `${n} ${n === 1 ? one : several}`;

    return {all, world, efforts, frameAt, there, pose, norm, text, counted};
})();
