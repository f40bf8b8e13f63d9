// SPDX-License-Identifier: BSD-3-Clause
// Modes of motion: each one animated over the bodies, a list of them, and their poles; of a sweep, those of all runs (root locus).
'use strict';

const Modes = (() => {
    const page = JSON.parse(document.getElementById('data').textContent), locus = page.locus || null;
    let data = page.answer;
    const at = (id) => document.getElementById(id);
    const text = (x) => String(Number(x.toPrecision(6)));
    const part = (x, mode) => text(Math.abs(x) < 1e-9 * Math.hypot(mode.growth, mode.frequency) ? 0 : x); // rounding is no growth
    const counted = (n, what) => `${n} ${what}${n === 1 ? '' : 's'}`;
    const view = {turn: 0.6, lift: 0.35, zoom: 1};
    let chosen = 0, phase = 0, playing = true, last = 0;

    // ---- vectors and quaternions (w, x, y, z) ----

    const add = (a, b) => a.map((x, i) => x + b[i]);
    const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

    function rotate(q, v) {
        const axis = q.slice(1), t = cross(axis, v).map((x) => 2 * x), u = cross(axis, t);
        return v.map((x, i) => x + q[0] * t[i] + u[i]);
    }

    function multiply(a, b) {
        const u = a.slice(1), v = b.slice(1), c = cross(u, v);
        return [a[0] * b[0] - u[0] * v[0] - u[1] * v[1] - u[2] * v[2], ...c.map((x, i) => x + a[0] * v[i] + b[0] * u[i])];
    }

    function exponential(theta) {
        const angle = Math.hypot(...theta), factor = angle > 0 ? Math.sin(angle / 2) / angle : 0.5;
        return [Math.cos(angle / 2), ...theta.map((x) => factor * x)];
    }

    // ---- the bodies ----

    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.5 : -0.5]);
    const edges = [[0, 1], [2, 3], [4, 5], [6, 7], [0, 2], [1, 3], [4, 6], [5, 7], [0, 4], [1, 5], [2, 6], [3, 7]];
    const points = data.bodies.flatMap((body) => corners.map((c) =>
        add(body.position, rotate(body.orientation, c.map((x, i) => x * body.box[i])))))
        .concat(data.joints.filter((j) => j.anchor).map((j) => j.anchor));
    const low = [0, 1, 2].map((i) => Math.min(...points.map((p) => p[i])));
    const high = [0, 1, 2].map((i) => Math.max(...points.map((p) => p[i])));
    const centre = low.map((x, i) => (x + high[i]) / 2);
    const size = Math.max(1e-6, Math.hypot(...high.map((x, i) => x - low[i])));

    // displacement of body k in the chosen mode at the present phase, so large that the farthest moves by a part of the size
    function displacement(k) {
        const mode = data.modes[chosen], c = Math.cos(phase), s = Math.sin(phase), zero = [0, 0, 0, 0, 0, 0];
        if (!mode) return zero;
        const reach = data.bodies.reduce((most, body, b) => {
            const arm = Math.hypot(...body.box) / 2;
            const moves = (x) => Math.hypot(...x.slice(6 * b, 6 * b + 3)) + arm * Math.hypot(...x.slice(6 * b + 3, 6 * b + 6));
            return Math.max(most, moves(mode.shape), moves(mode.shape_imag));
        }, 1e-12);
        const scale = 0.3 * size * at('amplitude').valueAsNumber / reach;
        return zero.map((_, i) => scale * (c * mode.shape[6 * k + i] - s * mode.shape_imag[6 * k + i]));
    }

    function project(p, width, height) {
        const v = p.map((x, i) => x - centre[i]), scale = 0.8 * Math.min(width, height) / size * view.zoom;
        const c = Math.cos(view.turn), s = Math.sin(view.turn), x = c * v[0] + s * v[1], y = c * v[1] - s * v[0];
        return [width / 2 + scale * x, height / 2 - scale * (v[2] * Math.cos(view.lift) + y * Math.sin(view.lift))];
    }

    function drawBody(context, body, d, colour, width, height) {
        const q = multiply(exponential(d.slice(3)), body.orientation), x = add(body.position, d.slice(0, 3));
        const on = corners.map((c) => project(add(x, rotate(q, c.map((e, i) => e * body.box[i]))), width, height));
        context.strokeStyle = colour;
        context.beginPath();
        for (const [a, b] of edges) {
            context.moveTo(...on[a]);
            context.lineTo(...on[b]);
        }
        context.stroke();
    }

    function draw() {
        const canvas = at('picture'), ratio = window.devicePixelRatio || 1;
        const width = canvas.clientWidth, height = canvas.clientHeight;
        canvas.width = width * ratio;
        canvas.height = height * ratio;
        const context = canvas.getContext('2d');
        if (!context) return;
        context.scale(ratio, ratio);
        context.lineWidth = 1;
        data.bodies.forEach((body) => drawBody(context, body, [0, 0, 0, 0, 0, 0], '#9999', width, height));
        context.lineWidth = 2;
        data.bodies.forEach((body, k) => drawBody(context, body, displacement(k), '#0072b2', width, height));
        context.fillStyle = '#d55e00';
        for (const joint of data.joints.filter((j) => j.anchor)) {
            const [x, y] = project(joint.anchor, width, height);
            context.beginPath();
            context.arc(x, y, 3, 0, 2 * Math.PI);
            context.fill();
        }
    }

    // ---- list and poles ----

    // the joint whose bodies move most against each other
    function movesMost(mode) {
        const shape = (b) => (b < 0 ? [0, 0, 0, 0, 0, 0] : mode.shape.slice(6 * b, 6 * b + 6));
        let best = '–', most = 0;
        for (const joint of data.joints) {
            const b = shape(joint.bodies[1]), d = Math.hypot(...shape(joint.bodies[0]).map((x, i) => x - b[i]));
            if (d > most * (1 + 1e-9)) [most, best] = [d, joint.name];
        }
        return best;
    }

    function choose(k) {
        chosen = k;
        phase = 0;
        [...at('list').children].forEach((row, i) => row.classList.toggle('chosen', i === k));
        [...at('poles').querySelectorAll('circle')].filter((c) => !c.dataset.run).forEach((c) => c.setAttribute('fill', Number(c.dataset.mode) === k ? '#d55e00' : '#0072b2'));
        const mode = data.modes[k];
        at('shown').textContent = mode ? `mode ${k + 1}: ${text(mode.frequency / (2 * Math.PI))} Hz${mode.unstable ? ', unstable' : ''}` : 'no modes';
        draw();
    }

    function fillList() {
        at('list').replaceChildren();
        data.modes.forEach((mode, k) => {
            const row = document.createElement('tr');
            const cells = [k + 1, text(mode.frequency / (2 * Math.PI)), text(mode.frequency), part(mode.growth, mode) + (mode.unstable ? ' (unstable)' : ''),
                           text(Math.abs(mode.damping) < 1e-9 ? 0 : mode.damping), movesMost(mode)];
            for (const cell of cells) row.appendChild(document.createElement('td')).textContent = cell;
            row.tabIndex = 0;
            row.addEventListener('click', () => choose(k));
            row.addEventListener('keydown', (event) => { if (event.key === 'Enter') choose(k); });
            at('list').appendChild(row);
        });
    }

    function element(name, attributes) {
        const e = document.createElementNS('http://www.w3.org/2000/svg', name);
        for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
        return at('poles').appendChild(e);
    }

    // ---- root locus ----

    // the place of a run between the least (0) and the largest (1) value of a variable; of texts, their order of appearance
    function place(run, variable) {
        const values = locus.runs.map((r) => r.values[variable]), numbers = values.every((v) => typeof v === 'number');
        const ranks = numbers ? values : values.map((v) => values.indexOf(v));
        const low = ranks.reduce((a, b) => Math.min(a, b)), high = ranks.reduce((a, b) => Math.max(a, b));
        return high > low ? (ranks[run] - low) / (high - low) : 0;
    }

    function colour(part) {
        const blue = [0, 114, 178], orange = [213, 94, 0];
        return `rgb(${blue.map((c, i) => Math.round(c + part * (orange[i] - c))).join(', ')})`;
    }

    function drawLocus(x, y) {
        if (!locus) return;
        const variable = Number(at('variable').value) || 0;
        locus.runs.forEach((run, k) => {
            const fill = colour(place(k, variable));
            for (const [growth, frequency] of run.poles)
                for (const side of frequency > 0 ? [1, -1] : [1]) {
                    const dot = element('circle', {cx: x(growth), cy: y(side * frequency), r: 2.5, fill, 'data-run': k});
                    dot.addEventListener('click', () => chooseRun(k));
                }
        });
    }

    // run k of the sweep: its modes, where the page has them
    function chooseRun(k) {
        const run = locus.runs[k], named = locus.variables.map((v, i) => `${v.name} = ${run.values[i]}`).join(', ');
        at('run').value = k;
        at('values').textContent = `point ${run.point}: ${named}${run.answer ? '' : ' (poles only)'}`;
        if (run.answer) {
            data = run.answer;
            describe();
            fillList();
        }
        drawPoles();
        choose(Math.min(chosen, Math.max(0, data.modes.length - 1)));
    }

    function beginLocus() {
        at('locus').hidden = false;
        locus.variables.forEach((variable, k) => {
            const option = document.createElement('option');
            option.value = k;
            option.textContent = variable.name;
            at('variable').appendChild(option);
        });
        at('run').setAttribute('max', locus.runs.length - 1);
        at('run').addEventListener('input', () => chooseRun(Number(at('run').value)));
        at('variable').addEventListener('input', () => chooseRun(Number(at('run').value)));
        chooseRun(0);
    }

    function drawPoles() {
        const all = data.modes.map((m) => [m.growth, m.frequency]).concat(locus ? locus.runs.flatMap((run) => run.poles) : []);
        const width = 400, height = 320, most = all.reduce((m, p) => Math.max(m, Math.abs(p[0]), p[1]), 1e-9) * 1.15;
        const x = (re) => width / 2 + re / most * (width / 2 - 30), y = (im) => height / 2 - im / most * (height / 2 - 20);
        at('poles').replaceChildren();
        at('poles').setAttribute('viewBox', `0 0 ${width} ${height}`);
        element('line', {x1: 0, x2: width, y1: y(0), y2: y(0), stroke: '#888'});
        element('line', {x1: x(0), x2: x(0), y1: 0, y2: height, stroke: '#888'});
        for (const [px, py, words] of [[width - 4, y(0) - 4, text(most)], [x(0) - 4, 12, text(most)]])
            element('text', {x: px, y: py, 'text-anchor': 'end', 'font-size': 11, fill: 'currentColor'}).textContent = words;
        drawLocus(x, y);
        data.modes.forEach((mode, k) => {
            for (const side of mode.frequency > 0 ? [1, -1] : [1]) {
                const pole = element('circle', {cx: x(mode.growth), cy: y(side * mode.frequency), r: 5, fill: '#0072b2', 'data-mode': k});
                pole.addEventListener('click', () => choose(k));
            }
        });
    }

    // ---- playing ----

    function advance(now) {
        const seconds = Math.min(0.1, (now - last) / 1000);
        last = now;
        if (playing) {
            phase += 2 * Math.PI * at('speed').valueAsNumber * seconds;
            draw();
        }
        requestAnimationFrame(advance);
    }

    function describe() {
        const rest = data.acceleration > 1e-6 ? ` Not an equilibrium: it accelerates by ${text(data.acceleration)} kg½ m/s².` : '';
        at('about').textContent = `About the state at ${text(data.time)} s: ${counted(data.modes.length, 'mode')}, and ${counted(data.zero, 'motion')} without a restoring force.${rest}`;
    }

    function begin() {
        describe();
        fillList();
        drawPoles();
        choose(0);
        if (locus) beginLocus();
        at('play').addEventListener('click', () => {
            playing = !playing;
            at('play').textContent = playing ? 'Pause' : 'Play';
        });
        at('amplitude').addEventListener('input', draw);
        const canvas = at('picture');
        canvas.addEventListener('pointerdown', (event) => canvas.setPointerCapture(event.pointerId));
        canvas.addEventListener('pointermove', (event) => {
            if (!event.buttons) return;
            view.turn += event.movementX * 0.01;
            view.lift = Math.max(-1.5, Math.min(1.5, view.lift + event.movementY * 0.01));
            draw();
        });
        canvas.addEventListener('wheel', (event) => {
            event.preventDefault();
            view.zoom *= Math.exp(-event.deltaY * 0.001);
            draw();
        });
        requestAnimationFrame(advance);
    }

    return {begin, choose, chooseRun, displacement, movesMost, place, project};
})();
Modes.begin();
