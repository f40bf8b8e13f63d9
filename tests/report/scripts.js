// SPDX-License-Identifier: BSD-3-Clause
// The page's scripts by themselves, in Node: what they compute from columns, times and points, without a browser.
// Usage: node scripts.js FOLDER THREE    the folder of the page's scripts; three.js
'use strict';

const fs = require('fs');
const path = require('path');
const vm = require('vm');
const {checks} = require('./browser.js');

const [folder, three] = process.argv.slice(2);
const {check, failed} = checks('report');

// ---- a page without a browser ----------------------------------------------------------------------------------------

const elements = new Map();
function element(id) {
    if (!elements.has(id)) {
        const attributes = new Map();
        elements.set(id, {id, style: {}, textContent: '', value: '', addEventListener: () => undefined,
            setAttribute: (name, value) => attributes.set(name, value), getAttribute: (name) => attributes.get(name)});
    }
    return elements.get(id);
}
const frames = []; // callbacks that wait for a frame
const page = vm.createContext({document: {getElementById: element}, atob, performance: {now: () => 0}, console,
    requestAnimationFrame: (tick) => frames.push(tick)});
const load = (file, name) => vm.runInContext(`${fs.readFileSync(file, 'utf8')};${name ? ` globalThis.${name} = ${name};` : ''}`, page);
const script = (file, name) => load(path.join(folder, file), name);

// ---- columns ---------------------------------------------------------------------------------------------------------

const time = [0, 0.5, 0.75, 1.75, 2, 2.125, 3, 3.5, 5, 6], power = {first: 0, last: 9, power: [4]}, late = {first: 3, last: 8, power: [-2.5]};
const number = time.map((_, i) => i + 1);

// differences, as plugin/tools/terminal/column.h has them: here of thousandths
function packed(numbers) {
    const bytes = [];
    let last = 0;
    for (const x of numbers.map((n) => Math.round(1000 * n))) {
        let code = x - last < 0 ? -2 * (x - last) - 1 : 2 * (x - last);
        if (code === 0) bytes.push(0, 0); // a zero, and no more of them
        for (; code > 127; code = Math.floor(code / 128)) bytes.push(code % 128 + 128);
        if (code > 0) bytes.push(code);
        last = x;
    }
    return {d: Buffer.from(bytes).toString('base64'), n: numbers.length, k: 1, o: 0, s: 0.001};
}

function works() {
    element('data').textContent = JSON.stringify({worlds: [{frames: time.length, time: packed(time), number: packed(number), bodies: [],
        contacts: [], curves: {}, ledger: {}, joints: [{joint: 1, type: 'hinge', ...power}, {joint: 2, type: 'hinge', ...late}]}]});
    script('data.js', 'Data');
    const world = page.Data.world(0);
    check('times are unpacked', time.every((t, i) => Math.abs(world.time[i] - t) < 1e-6), Array.from(world.time));
    const joints = [{first: 0, last: 9, gauss: [[1, -3, 0]]}, {first: 1, last: 9, gauss: [[6, 1]]}];
    const efforts = page.Data.efforts({joints, curves: {gauss_ni: [2, 5, NaN]}}, 1);
    check('shares of the effort: the largest first, then what joints do not have', JSON.stringify(efforts.map(([joint, share, part]) =>
        [joints.indexOf(joint), share, part])) === '[[1,6,1.2],[0,-3,-0.6],[-1,2,0.4]]', efforts);
    check('no effort, no shares', page.Data.efforts({joints, curves: {}}, 0).length === 0 && page.Data.efforts({joints, curves: {gauss_ni: [0]}}, 0).length === 0);
    for (const joint of [power, late]) {
        const work = world.joints[joint === late ? 1 : 0].work, from = time[joint.first];
        const off = Array.from(work).map((w, i) => Math.abs(w - joint.power[0] * (time[joint.first + i] - from)));
        check('work: power times the time since the first frame', work.length === joint.last - joint.first + 1 && off.every((x) => x < 1e-5), off);
    }
}

function rank() {
    script('curves.js', 'Curves');
    const rankOf = (known, events) => Array.from(page.Curves.prototype.rank.call({world: {time, curves: {rank: known}, events}}));
    const unknown = time.map(() => NaN), changes = [{kind: 'rank', time: 0.75, value: 5}, {kind: 'warning', time: 1, value: 9}, {kind: 'rank', time: 3, value: 4}];
    const found = rankOf(unknown, changes), expected = time.map((t) => (t < 0.75 ? NaN : t < 3 ? 5 : 4));
    check('rank: from the events where steps do not know it', found.every((x, i) => Object.is(x, expected[i])), found);
    const known = time.map((_, i) => i), kept = rankOf(known, changes);
    check('rank: of the steps where they do', kept.every((x, i) => x === known[i]), kept);
    check('rank: unknown without either', rankOf(unknown, []).every(Number.isNaN));
}

// ---- tables ----------------------------------------------------------------------------------------------------------

// lines of RFC 4180
function parsed(text) {
    const rows = [[]];
    for (let at = 0; at < text.length;) {
        let field = '';
        if (text[at] === '"') {
            for (at++; text[at] !== '"' || text[at + 1] === '"'; at++) {
                if (text[at] === '"') at++;
                field += text[at];
            }
            at++;
        } else {
            while (at < text.length && !',\r'.includes(text[at])) field += text[at++];
        }
        rows[rows.length - 1].push(field);
        if (text[at] === ',') at++;
        else if (text.slice(at, at + 2) === '\r\n') rows.push([]), at += 2;
        else return rows;
    }
    return rows;
}

function csv() {
    script('download.js', 'Download');
    const names = ['plain', 'a, b', 'says "no"', 'two\nlines', 'both, "and"'];
    const text = page.Download.csvText({unit: '[J]', time: [0, 0.5], shown: names.map((name, k) => [name, [k, k === 1 ? NaN : -k / 3]])});
    const rows = parsed(text);
    check('CSV: names with commas, quotes and ends of lines', JSON.stringify(rows[0]) === JSON.stringify(['time [s]', ...names.map((n) => `${n} [J]`)]), rows[0]);
    check('CSV: as many fields in each line', rows.slice(0, 3).every((row) => row.length === names.length + 1), text);
    check('CSV: numbers', names.every((_, k) => Number(rows[1][k + 1]) === k && (k === 1 ? rows[2][k + 1] === '' : Math.abs(Number(rows[2][k + 1]) + k / 3) < 1e-6)), rows[2]);
    check('CSV: not more digits than the page has', rows.slice(1, 3).every((row) => row.every((x) => x.length <= 10)), text);
}

// ---- time ------------------------------------------------------------------------------------------------------------

function player() {
    script('player.js', 'Player');
    element('speed').value = '1';
    element('loop').setAttribute('aria-pressed', 'false');
    const world = {time, number, frames: time.length}, moments = [];
    const p = new page.Player(world, (t) => moments.push(t));
    let now = 0;
    const run = (ticks) => {
        for (let i = 0; i < ticks && frames.length; i++) frames.splice(0).forEach((tick) => tick(now += 500));
    };
    element('play').onclick();
    run(100);
    check('without loop it stops at the end', !p.playing && p.time === p.end && frames.length === 0, p.time);
    element('loop').onclick();
    element('play').onclick();
    moments.length = 0;
    run(100); // 50 s of 6
    const again = moments.filter((t, i) => i > 0 && t < moments[i - 1]).length;
    check('with loop it begins again and again', p.playing && again >= 7, again);
    element('loop').onclick();
    run(100);
    check('it stops at the end once that is over', !p.playing && p.time === p.end, p.time);
}

// ---- sight -----------------------------------------------------------------------------------------------------------

// The first view has every point in the window, and none of them far within it.
function sight() {
    load(three);
    script('camera.js', 'Camera');
    let seed = 1;
    const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647 - 0.5;
    for (let trial = 0; trial < 200; trial++) {
        const camera = new page.Camera(element('canvas'), vm.runInContext('new THREE.Vector3(0, 0, 1)', page), () => undefined);
        const size = [1, 1, 1].map(() => 10 ** (4 * random())), shift = [random(), random(), random()].map((x) => 20 * x);
        const points = Array.from({length: 3 + trial % 20}, () => vm.runInContext(`new THREE.Vector3(${size.map((s, k) => shift[k] + s * random())})`, page));
        camera.eye.aspect = 0.5 + trial % 4;
        camera.fit(points);
        camera.eye.updateMatrixWorld();
        let most = 0, behind = 0;
        for (const point of points) {
            const seen = point.clone().project(camera.eye), before = point.clone().applyMatrix4(camera.eye.matrixWorldInverse);
            most = Math.max(most, Math.abs(seen.x), Math.abs(seen.y));
            behind += before.z >= 0;
        }
        check('the first view: all points are in the window', behind === 0 && most <= 1 && most > 0.6, `trial ${trial}: ${most}, ${behind} behind`);
    }
}

// ---- arrows ----------------------------------------------------------------------------------------------------------

// The point of an arrow is where the force begins, its tip as far along the force as `scale` says.
function arrows() {
    script('copies.js', 'Copies');
    script('arrows.js', 'Arrows');
    const set = vm.runInContext('new Arrows.Set({add: () => undefined}, false)', page);
    const three3 = (x) => vm.runInContext(`new THREE.Vector3(${x})`, page);
    for (const [cause, force, scale] of [['ideal', [0, 0, -300], 0.01], ['motor', [3, -4, 12], 0.5], ['friction', [-0.2, 0.1, 0.2], 7], ['stop', [0, 50, 0], 0.02]]) {
        const point = [1, -2, 0.5], tip = three3([0, 1, 0]), base = three3([0, 0, 0]);
        set.clear();
        set.add(cause, three3(point), three3(force), scale, 0.3);
        const matrix = vm.runInContext('new THREE.Matrix4()', page).fromArray(set.copies[cause].mesh.instanceMatrix.array);
        base.applyMatrix4(matrix);
        tip.applyMatrix4(matrix);
        const off = ['x', 'y', 'z'].map((c, k) => Math.max(Math.abs(base[c] - point[k]), Math.abs(tip[c] - point[k] - scale * force[k])));
        check(`an arrow of ${force} N`, set.copies[cause].count === 1 && off.every((x) => x < 1e-5), off);
    }
}

// ---- curves ----------------------------------------------------------------------------------------------------------

// what the curves draw: those of the page, and those of joints that are selected
function curves() {
    const n = time.length, of = (f) => Float32Array.from(time, (t, i) => f(t, i)), near = (a, b) => Math.abs(a - b) <= 1e-5 * (1 + Math.abs(b));
    const same = (what, values, f) => check(`curves: ${what}`, values && values.length === n && time.every((t, i) => (Number.isNaN(f(t, i)) ? Number.isNaN(values[i]) : near(values[i], f(t, i)))), Array.from(values || []));
    const kinetic = (t) => 3 + t, potential = (t) => 10 - 2 * t, zero = of(() => 0);
    const energy = {kinetic_energy: of(kinetic), potential_energy: of(potential), position_error: of((t) => t), gauss_ni: of((t) => 1 + t)}; // eslint-disable-line camelcase
    const other = {time: time.map((t) => t / 2), curves: {kinetic_energy: of((t, i) => i), potential_energy: of(() => 100), position_error: of((t, i) => 7 * i)}}; // eslint-disable-line camelcase
    const six = (scale) => [1, 2, 3, 4, 5, 6].map((k) => of((t) => scale * k * (1 + t)));
    const joint = {joint: 1, label: 'one', first: 0, ideal: six(1), motor: six(-3), work: of((t) => t)};
    const late = {joint: 2, label: 'two', first: 4, ideal: six(1).map((c) => c.subarray(0, n - 4)), work: of((t, i) => i).subarray(0, n - 4)};
    const world = {time, h: 0.01, frames: n, events: [], check_tolerance: 1e-7, ghost: other, joints: [joint, late], // eslint-disable-line camelcase
        curves: {...energy, feasibility: zero, stationarity: of(() => 2), complementarity: of(() => 3), rows: zero, active: zero, rank: zero, microseconds: of((t) => 2000 + t)},
        ledger: {time: zero, motors: of((t) => 5 * t), applied: of((t) => t), damping: of((t) => -4 * t), outside: of((t) => -t), residual: of(() => 1e-9)},
        bodies: [{first: 0, last: n - 1, v: [of((t) => t), of(() => 2), of(() => -1)]}, {first: 3, last: n - 1, v: [of((t, i) => 10 * i), zero, zero]}]};
    const drawn = new Map();
    const c = Object.create(page.Curves.prototype);
    Object.assign(c, {world, charts: [], add(title, series, options) {
        drawn.set(title.replace(/ \(.*/, ''), Object.assign(new Map(series.map(([name, values]) => [name, values])), {options}));
        return title;
    }});
    c.build();
    const curve = (title, name) => (drawn.get(title) || new Map()).get(name);
    same('the sum of the energies', curve('Energy', 'sum'), (t) => kinetic(t) + potential(t));
    same('the sum of the other run, at the same times', curve('Energy', 'sum, other run'), (t) => {
        let frame = 0;
        other.time.forEach((u, i) => { if (u <= t) frame = i; });
        return 100 + frame;
    });
    same('the tolerance', curve('Residuals of the Gauss check, scaled', 'tolerance'), () => 1e-7);
    same('stationarity', curve('Residuals of the Gauss check, scaled', 'stationarity'), () => 2);
    same('effort', curve("Constraint effort: Gauss's function", 'G_ni'), (t) => 1 + t);
    same('the fastest body', curve('Speed of the fastest body', 'speed'), (t, i) => Math.max(Math.hypot(t, 2, 1), i < 3 ? 0 : 10 * (i - 3)));
    same('time per simulated time', curve('Time per step / simulated time', 'time per step'), (t) => (2000 + t) * 1e-6 / 0.01);
    const work = drawn.get('Work since the start, by cause');
    check('curves: causes of work, without what is small', work && String([...work.keys()]) === 'motors,damping,applied,outside', work && [...work.keys()]);
    same('gains are stacked', work && work.get('applied'), (t) => 5 * t + t);
    same('losses are stacked below', work && work.get('outside'), (t) => -4 * t - t);
    check('curves: a reader gets the work itself', work && work.options.shown.every(([cause, values]) => values === world.ledger[cause]));
    const outline = [], line = (x, y) => outline.push([x, y]), pen = {beginPath: () => undefined, moveTo: line, lineTo: line, closePath: () => undefined, fill: () => undefined};
    const points = time.map((t) => ({xval: t, canvasx: t, canvasy: 6 * t}));
    work.options.plotter({setName: 'applied', points, drawingContext: pen, dygraph: {toDomYCoord: (y) => y}});
    check('curves: a band lies on those before it', outline.length === 2 * n && outline.every(([t, y], i) => near(y, i < n ? 6 * t : 5 * t)), outline);
    // selected joints
    c.ofJoint(joint);
    same('force by cause', curve('one: force by cause', page.Arrows.causes.motor.text), (t) => 3 * Math.hypot(1, 2, 3) * (1 + t));
    same('torque by cause', curve('one: torque by cause', page.Arrows.causes.ideal.text), (t) => Math.hypot(4, 5, 6) * (1 + t));
    c.ofJoints([joint, late]);
    same('the force of a joint', curve('Selected joints: force', 'one'), (t) => 2 * Math.hypot(1, 2, 3) * (1 + t));
    same('the torque of a joint that comes later', curve('Selected joints: torque', 'two'), (t, i) => (i < 4 ? NaN : Math.hypot(4, 5, 6) * (1 + time[i - 4])));
    same('the work of a joint that comes later', curve('Selected joints: work on their bodies', 'two'), (t, i) => (i < 4 ? NaN : i - 4));
    const words = c.words('title', [['a', [3, NaN, -1, 2]]]);
    check('curves in words', words === `title. a: from ${page.Data.text(-1)} to ${page.Data.text(3)}, at the end ${page.Data.text(2)}.`, words);
    c.world = {...world, ledger: {...world.ledger, stops: of((t) => 1e4 * t)}};
    c.addLedger();
    const cut = drawn.get('Work since the start, by cause');
    check('curves: what is far beyond the energy is stacked last', [...cut.keys()].pop() === 'stops' && cut.options.cut && near(cut.options.cut.limit, 1.15 * 36), cut.options.cut);
}

// ---- what is drawn ---------------------------------------------------------------------------------------------------

const entries = (matrix) => Array.from(matrix.elements); // by column
function rotation(random) {
    const q = vm.runInContext('new THREE.Quaternion()', page).set(random(), random(), random(), random());
    return q.normalize();
}
const numbers = (seed) => () => (seed = (seed * 48271) % 2147483647) / 2147483647 - 0.5;

// The box that stands for a body without a shape has the body's moments of inertia, about the same axes.
function standIns() {
    script('solids.js');
    script('shapes.js', 'Shapes');
    const random = numbers(7);
    for (let trial = 0; trial < 50; trial++) {
        const edge = [1, 2, 3].map((k) => k * (0.7 + random())), mass = 2 + random(), q = rotation(random);
        const turn = vm.runInContext('new THREE.Matrix4()', page).makeRotationFromQuaternion(q), R = entries(turn);
        const moment = edge.map((_, k) => mass / 12 * (edge[(k + 1) % 3] ** 2 + edge[(k + 2) % 3] ** 2));
        const of = (i, j) => [0, 1, 2].reduce((sum, k) => sum + R[4 * k + i] * moment[k] * R[4 * k + j], 0);
        const body = {mass, inertia_xx: of(0, 0), inertia_yy: of(1, 1), inertia_zz: of(2, 2), inertia_xy: of(0, 1), inertia_xz: of(0, 2), inertia_yz: of(1, 2)}; // eslint-disable-line camelcase
        const local = entries(page.Shapes.standIn(body, 10).local), axes = [0, 1, 2].map((k) => local.slice(4 * k, 4 * k + 3));
        const square = axes.map((a) => a.reduce((sum, x) => sum + x * x, 0)), whole = square[0] + square[1] + square[2];
        const own = (i, j) => axes.reduce((sum, a, k) => sum + a[i] * a[j] / square[k] * mass / 12 * (whole - square[k]), 0);
        const off = [0, 1, 2].map((i) => Math.max(...[0, 1, 2].map((j) => Math.abs(own(i, j) - of(i, j)))));
        check(`a box for a body without a shape, ${trial}`, Math.max(...off) < 1e-9, off);
    }
}

// Poses between frames, and joints in the frames of their bodies: the line between two anchors that have come apart.
function joints() {
    script('joints.js', 'Joints');
    vm.runInContext('globalThis.World = {lit: () => ({})}', page);
    const random = numbers(11), vector = (x) => vm.runInContext('new THREE.Vector3()', page).set(...x);
    const at = [0, 0.25, 1], bodies = [1, 2].map((key) => {
        const p = [0, 1, 2].map(() => at.map(random)), q = at.map(() => rotation(random));
        return {body: key, first: 0, last: 2, p, turns: q, q: ['w', 'x', 'y', 'z'].map((c) => q.map((one) => one[c]))};
    });
    const poseOf = (body, t) => { // as it is meant: along a line, and turned as far
        const k = t < at[1] ? 0 : 1, s = (t - at[k]) / (at[k + 1] - at[k]), a = body.turns[k], b = body.turns[k + 1];
        return {x: body.p.map((c) => c[k] + s * (c[k + 1] - c[k])), q: a.clone().set(...['x', 'y', 'z', 'w'].map((c) => a[c] + s * (b[c] - a[c]))).normalize()};
    };
    const anchors = [[0.3, -0.2, 0.5], [0.4, -0.2, 0.1]], world = {time: at, bodyOf: new Map(bodies.map((b) => [b.body, b]))};
    for (const reversed of [false, true]) {
        const joint = {type: 'hinge', first: 0, last: 2, body_1: reversed ? 2 : 1, body_2: reversed ? null : 2, anchor_x: anchors[0][0], anchor_y: anchors[0][1], anchor_z: anchors[0][2], // eslint-disable-line camelcase
            anchor_2_x: anchors[1][0], anchor_2_y: anchors[1][1], anchor_2_z: anchors[1][2], axis_1_x: 0, axis_1_y: 0, axis_1_z: 1, axis_2_x: null}; // eslint-disable-line camelcase
        const set = new page.Joints(Object.assign(world, {joints: [joint]}), {put: () => undefined}, 1);
        const pair = reversed ? [bodies[1], null] : bodies;
        for (const t of [0, 0.1, 0.6]) {
            set.place(t, page.Data.frameAt(at, t), true, null, 3);
            const line = Array.from(set.gaps.geometry.attributes.position.array);
            const where = pair.map((body, i) => { // carried from where it was at the start
                if (!body) return vector(anchors[i]);
                const then = poseOf(body, 0), now = poseOf(body, t);
                return vector(anchors[i]).sub(vector(then.x)).applyQuaternion(then.q.clone().conjugate()).applyQuaternion(now.q).add(vector(now.x));
            });
            const end = where[1].clone().sub(where[0]).multiplyScalar(3).add(where[0]);
            const off = ['x', 'y', 'z'].map((c, k) => Math.max(Math.abs(line[k] - where[0][c]), Math.abs(line[3 + k] - end[c])));
            check(`the gap of a joint at ${t} s, magnified`, set.list.length === 1 && set.gaps.visible && off.every((x) => x < 1e-5), off);
        }
        set.place(0, 0, true, null, 0);
        check('no gap is drawn where none is asked for', !set.gaps.visible);
    }
}

// columns by second differences, with an origin
function column() {
    const numbers = [5, 7, 9.5, 12, 13, 13, 13, 2], scale = 0.5, origin = 5;
    const whole = numbers.map((x) => (x - origin) / scale);
    const second = packed(whole.map((x, i) => (x - (i > 1 ? 2 * whole[i - 1] - whole[i - 2] : i > 0 ? whole[i - 1] : 0)) / 1000).map((d, i, all) => all.slice(0, i + 1).reduce((a, b) => a + b)));
    const textContent = JSON.stringify({worlds: [{frames: numbers.length, time: {...second, k: 2, o: origin, s: scale}, number: null, bodies: [], contacts: [], joints: [], curves: {}, ledger: {}}]});
    const other = vm.createContext({atob, document: {getElementById: () => ({textContent})}});
    vm.runInContext(`${fs.readFileSync(path.join(folder, 'data.js'), 'utf8')}; globalThis.Data = Data;`, other);
    const found = Array.from(other.Data.world(0).time);
    check('columns of second differences', numbers.every((x, i) => Math.abs(found[i] - x) < 1e-6), found);
}

// ---- frames of a program that runs -----------------------------------------------------------------------------------

// What the page makes of a frame, which is written here as plugin/view/protocol.h says: forces of each joint.
function live() {
    const world = {world: 1, time: [], number: [], bodies: [], contacts: [], frames: 0, joints: [{joint: 3, type: 'hinge'}, {joint: 8, type: 'slider'}]};
    world.bodyOf = new Map();
    world.jointOf = new Map(world.joints.map((joint) => [joint.joint, joint]));
    const nodes = new Map(), node = () => ({hidden: false, addEventListener: () => undefined, setAttribute: () => undefined, replaceChildren: () => undefined});
    const at = (id) => { if (!nodes.has(id)) nodes.set(id, node()); return nodes.get(id); };
    const nothing = () => undefined, heard = {};
    const room = vm.createContext({atob, console, setTimeout: nothing, requestAnimationFrame: nothing, fetch: async () => ({ok: false}), performance: {now: () => 0},
        window: {addEventListener: nothing}, document: {getElementById: at, querySelectorAll: () => []}, Option: class {},
        EventSource: class { addEventListener(name, f) { heard[name] = f; } }, Controls: {open: nothing, state: nothing, start: nothing, select: nothing},
        Findings: class {}, Player: class { constructor() { this.slider = {}; } goToFrame() {} go() {} stop() {} },
        World: class { constructor() { Object.assign(this, {show: {}, camera: {place: nothing}, sharpness: {received: nothing}}); } },
        Data: {all: {worlds: [{world: 1}], run: [{}]}, world: () => world, there: () => true, counted: (n) => String(n)}});
    vm.runInContext(fs.readFileSync(path.join(folder, 'live.js'), 'utf8'), room);
    for (let number = 1; number <= 3; number++) {
        const bytes = Buffer.alloc(40 + 28 * world.joints.length), forces = (joint) => [1, 2, 3, 4, 5, 6].map((k) => 100 * number + 10 * joint + k);
        bytes.writeDoubleLE(0.01 * number, 0);
        bytes.writeDoubleLE(number, 8);
        [1, 0, world.joints.length, 0, 0, 0].forEach((x, k) => bytes.writeInt32LE(x, 16 + 4 * k));
        world.joints.forEach(({joint}, k) => {
            bytes.writeInt32LE(joint, 40 + 28 * k);
            forces(joint).forEach((x, i) => bytes.writeFloatLE(x, 44 + 28 * k + 4 * i));
        });
        heard.frame({data: bytes.toString('base64')});
        for (const {joint, ideal, non_ideal} of world.joints) { // eslint-disable-line camelcase
            const found = [...ideal || [], ...non_ideal || []].map((column) => column[column.length - 1]);
            check(`frame ${number}: forces of joint ${joint}`, String(found) === String(forces(joint)), found);
        }
    }
    check('time and number of frames', world.frames === 3 && Math.abs(world.time[2] - 0.03) < 1e-12 && world.number[2] === 3, world.time);
}

works();
rank();
csv();
player();
sight();
arrows();
curves();
column();
standIns();
joints();
live();
process.exit(failed() ? 1 : 0);
