// SPDX-License-Identifier: BSD-3-Clause
// Curves over time that share one cursor. A click goes to its moment.
'use strict';

class Curves {
    constructor(place, world, go) {
        this.place = place;
        this.world = world;
        this.go = go;
        this.charts = [];
        place.replaceChildren();
        this.build();
    }

    column(values) { return Array.from(values); }

    build() {
        const w = this.world, c = w.curves, other = w.ghost ? w.ghost.curves : null;
        const beside = (name) => other && this.resampled(other[name]);
        const total = (curves) => curves.kinetic_energy.map((x, i) => x + curves.potential_energy[i]);
        const energies = [['kinetic', c.kinetic_energy, '#e69f00'], ['potential', c.potential_energy, '#0072b2'], ['sum', total(c), '#000000']];
        if (other) energies.push(['sum, other run', this.resampled(total(other)), '#cc79a7']);
        this.add('Energy', energies, {axis: 'energy [J]'});
        this.addLedger();
        const tolerance = w.check_tolerance > 0 ? w.check_tolerance : 1e-9;
        this.add('Residuals of the Gauss check, scaled', [['feasibility', c.feasibility, '#0072b2'], ['stationarity', c.stationarity, '#009e73'],
            ['complementarity', c.complementarity, '#e69f00'], ['tolerance', c.feasibility.map(() => tolerance), '#d55e00']], {log: true, axis: 'residual [1]'});
        const gap = [['position error', c.position_error, '#d55e00']];
        if (other) gap.push(['other run', beside('position_error'), '#cc79a7']);
        this.add('Largest position error of the joints', gap, {log: true, axis: 'gap [m or rad]'});
        this.addRows();
        if (c.gauss_ni && c.gauss_ni.some((x) => x > 0))
            this.add("Constraint effort: Gauss's function", [['G_ni', c.gauss_ni, '#0072b2']], {axis: 'effort [N m/s²]'});
        this.add('Speed of the fastest body', [['speed', this.fastest(), '#009e73']], {axis: 'speed [m/s]'});
        this.add('Time per step / simulated time', [['time per step', c.microseconds.map((x) => x * 1e-6 / w.h), '#0072b2'],
            ['real time', c.microseconds.map(() => 1), '#d55e00']], {log: true, axis: 'ratio [1]'});
    }

    // the rank of rows with bounds (contacts, stops, motors of finite force) is not determined: the title says so
    addRows() {
        const c = this.world.curves, rank = this.rank(), known = rank.filter(Number.isFinite).length;
        const rows = [['rows', c.rows, '#999999'], ['active', c.active, '#0072b2']];
        if (known) rows.push(['rank', rank, '#d55e00']);
        const where = known === rank.length ? 'Rows and rank' : known ? 'Rows and rank (known where no row has bounds)'
            : 'Rows (their rank is known where none has bounds)';
        this.add(where, rows, {axis: 'number [1]'});
    }

    // of each step where it was determined; else from the events that say when it changed
    rank() {
        const c = this.world.curves, changes = this.world.events.filter((e) => e.kind === 'rank' && Number.isFinite(e.value));
        if (c.rank.some(Number.isFinite) || !changes.length) return c.rank;
        return this.world.time.map((t) => changes.reduce((now, e) => (e.time <= t + 1e-9 ? e.value : now), NaN));
    }

    // of the other run, at this one's times
    resampled(values) {
        return values && this.world.time.map((t) => values[Data.frameAt(this.world.ghost.time, t)]);
    }

    fastest() {
        return this.world.time.map((_, frame) => {
            let most = 0;
            for (const body of this.world.bodies) {
                if (!body.v || !Data.there(body, frame)) continue;
                const i = frame - body.first;
                most = Math.max(most, Data.norm(body.v[0][i], body.v[1][i], body.v[2][i]));
            }
            return most;
        });
    }

    // Work by cause since the start, gains stacked upwards, losses downwards. Causes whose work is far more than the energy
    // of the bodies ever was (contacts that contradict each other do so) are stacked last, and the axis is cut below them.
    addLedger() {
        const known = ['time', 'kinetic', 'potential', 'kinetic_start', 'potential_start'];
        const size = (values) => values.reduce((most, x) => Math.max(most, Math.abs(x) || 0), 0);
        const ledger = Object.entries(this.world.ledger).filter(([cause]) => !known.includes(cause));
        const energy = this.energyScale(), beyond = ([, values]) => size(values) > Curves.beyond * energy;
        const largest = Math.max(...ledger.filter((one) => !beyond(one)).map(([, values]) => size(values)), 0);
        const causes = ledger.filter(([, values]) => size(values) > 1e-4 * largest)
            .sort((a, b) => beyond(a) - beyond(b) || size(b[1]) - size(a[1])).slice(0, 9);
        if (!causes.length) return;
        const n = this.world.frames, above = new Float32Array(n), below = new Float32Array(n), base = {};
        const series = causes.map(([cause, values]) => {
            base[cause] = new Float32Array(n);
            const edge = values.map((x, i) => {
                const side = x >= 0 ? above : below;
                base[cause][i] = side[i];
                return side[i] += x || 0;
            });
            return [cause, edge, Arrows.works[cause] || '#999999'];
        });
        const sane = series.filter((_, i) => !beyond(causes[i])), far = causes.filter(beyond);
        const limit = 1.15 * Math.max(energy, ...sane.map(([, edge]) => size(edge)));
        const cut = far.length ? {limit, words: far.map(([cause, values]) => `${cause} reaches ${Data.text(size(values), 'J')}`).join(', ')} : null;
        const fill = (e) => this.fillBand(e, base[e.setName]);
        const estimated = this.world.ledger.unsampled ? '; estimated from some of the steps' : '';
        this.add(`Work since the start, by cause (gains up, losses down${estimated})`, series,
            {plotter: fill, shown: causes.map(([cause, values]) => [cause, values]), axis: 'work [J]', cut});
    }

    // the energy that the bodies had: the largest kinetic one, and how far the potential one went [J]; at least 1e-12
    energyScale() {
        const {kinetic_energy: kinetic, potential_energy: potential} = this.world.curves;
        const range = (values) => values.filter(Number.isFinite).reduce(([a, b], x) => [Math.min(a, x), Math.max(b, x)], [Infinity, -Infinity]);
        const most = range(kinetic)[1], [low, high] = range(potential);
        return Math.max(1e-12, Number.isFinite(most) ? most : 0, high > low ? high - low : 0);
    }

    fillBand(e, base) {
        const context = e.drawingContext, points = e.points;
        if (!points.length) return;
        context.beginPath();
        points.forEach((point, i) => (i ? context.lineTo(point.canvasx, point.canvasy) : context.moveTo(point.canvasx, point.canvasy)));
        for (let i = points.length - 1; i >= 0; i--) {
            const frame = Data.frameAt(this.world.time, points[i].xval);
            context.lineTo(points[i].canvasx, e.dygraph.toDomYCoord(base[frame]));
        }
        context.closePath();
        context.globalAlpha = 0.65;
        context.fillStyle = e.color;
        context.fill();
        context.globalAlpha = 1;
    }

    // `series`: [name, numbers, colour]; `axis`: quantity [unit]; `shown`: the numbers that a reader gets, where they are
    // not those that are drawn; `cut`: the axis goes to +- its limit, until its button is pressed
    add(title, series, {log = false, plotter = null, shown = null, name = '', axis = '', cut = null} = {}) {
        const present = series.filter(([, values]) => values && values.some(Number.isFinite));
        const chart = {title, unit: (axis.match(/\[.*\]/) || [''])[0], time: this.world.time, series: present, shown: shown || present};
        this.frameOf(chart, name);
        if (!present.length) {
            chart.key.textContent = 'not recorded';
            chart.plot.remove();
            chart.cursor.remove();
            return chart.box;
        }
        this.buttons(chart);
        const dark = matchMedia('(prefers-color-scheme: dark)').matches;
        const clean = (x) => (Number.isFinite(x) ? (log ? Math.max(x, 1e-17) : x) : null);
        const rows = Array.from(this.world.time, (t, i) => [t, ...present.map(([, values]) => clean(values[i]))]);
        const options = {
            labels: ['time', ...present.map(([label]) => label)], xlabel: 'time [s]', ylabel: axis, xLabelHeight: 14, yLabelWidth: 14,
            colors: present.map(([, , colour]) => (colour === '#000000' && dark ? '#ffffff' : colour)),
            logscale: log, legend: 'never', drawPoints: false, strokeWidth: 1.6, highlightCircleSize: 3, axisLabelFontSize: 11,
            gridLineColor: dark ? '#3a4046' : '#dddddd', axes: {y: {axisLabelWidth: 58, pixelsPerLabel: 18, axisLabelFormatter: (y) => (log ? y.toExponential(0) : Data.text(y))}},
            clickCallback: (event, t) => this.go(t), drawCallback: (graph) => this.fitCursor(graph, chart.plot, chart.cursor),
        };
        if (plotter) options.plotter = plotter;
        if (cut) options.valueRange = [-cut.limit, cut.limit];
        chart.texts = this.keyTexts(chart.key, present);
        chart.graph = new Dygraph(chart.plot, rows, options);
        if (cut) this.cutButton(chart, cut);
        this.charts.push(chart);
        chart.plot.setAttribute('role', 'img');
        chart.plot.setAttribute('aria-label', this.words(title, chart.shown));
        return chart.box;
    }

    frameOf(chart, name) {
        const element = (kind, className) => Object.assign(document.createElement(kind), {className});
        chart.box = element('div', 'curve');
        if (name) chart.box.dataset.name = name;
        chart.heading = element('h3', '');
        chart.heading.textContent = chart.title;
        [chart.plot, chart.key, chart.cursor] = ['plot', 'key', 'cursor'].map((className) => element('div', className));
        chart.box.append(chart.heading, chart.plot, chart.key, chart.cursor);
        this.place.append(chart.box);
    }

    buttons(chart) {
        const buttons = [['CSV', 'numbers', Download.csv], ['PNG', 'picture', Download.png]].map(([text, what, save]) => {
            const button = document.createElement('button');
            button.type = 'button';
            button.textContent = text;
            button.title = `Save the ${what} of this curve`;
            button.setAttribute('aria-label', `${text}: save the ${what} of ${chart.title}`);
            button.onclick = () => save(chart);
            return button;
        });
        const group = document.createElement('span');
        group.className = 'save';
        group.append(...buttons);
        chart.heading.after(group);
    }

    // says what is beyond the axis, and shows it
    cutButton(chart, cut) {
        const button = document.createElement('button');
        let whole = false;
        button.type = 'button';
        button.className = 'cut';
        const say = () => { button.textContent = whole ? 'cut the axis' : `axis cut: ${cut.words}`; };
        button.onclick = () => {
            whole = !whole;
            chart.graph.updateOptions({valueRange: whole ? [null, null] : [-cut.limit, cut.limit]});
            say();
        };
        say();
        chart.heading.after(button);
    }

    words(title, series) {
        const parts = series.map(([label, values]) => {
            const last = values[values.length - 1], finite = Array.from(values).filter(Number.isFinite);
            const [least, most] = finite.reduce(([a, b], x) => [Math.min(a, x), Math.max(b, x)], [Infinity, -Infinity]);
            return `${label}: from ${Data.text(least)} to ${Data.text(most)}, at the end ${Data.text(last)}`;
        });
        return `${title}. ${parts.join('; ')}.`;
    }

    fitCursor(graph, plot, cursor) { // when the curve has its place
        const area = graph.getArea();
        cursor.style.left = `${plot.offsetLeft}px`;
        cursor.style.top = `${plot.offsetTop + area.y}px`;
        cursor.style.height = `${area.h}px`;
        this.moveCursors();
    }

    moveCursors() {
        if (this.time === undefined) return;
        for (const chart of this.charts) {
            if (!chart.graph) continue;
            const area = chart.graph.getArea(), x = chart.graph.toDomXCoord(this.time);
            chart.cursor.style.transform = `translateX(${x - 1}px)`;
            chart.cursor.style.visibility = x >= area.x - 1 && x <= area.x + area.w + 1 ? 'visible' : 'hidden';
        }
    }

    moveTo(t) {
        this.time = t;
        this.moveCursors();
    }

    // what is below a curve: colours, and the texts that become its numbers
    keyTexts(key, series) {
        return series.map(([label, , colour]) => {
            const item = document.createElement('span'), swatch = document.createElement('i'), text = document.createTextNode('');
            if (Arrows.meanings[label]) item.title = Arrows.meanings[label];
            swatch.className = 'swatch';
            swatch.style.background = colour === '#000000' ? 'currentColor' : colour;
            item.append(swatch, text);
            key.append(item);
            return text;
        });
    }

    // the numbers of a frame below a curve
    showOne(chart, frame) {
        chart.shown.forEach(([label, values], i) => {
            const text = `${label} ${Data.text(values[frame])}  `;
            if (chart.texts[i].data !== text) chart.texts[i].data = text;
        });
    }

    show(frame) { for (const chart of this.charts) this.showOne(chart, frame); }

    // curves of what is selected, and of joints beside it, before the others
    showThing(thing, beside = []) {
        this.charts = this.charts.filter((chart) => {
            if (chart.box.dataset.name !== 'thing') return true;
            chart.graph.destroy();
            return false;
        });
        this.place.querySelectorAll('[data-name="thing"]').forEach((box) => box.remove());
        if (!thing) return;
        const boxes = beside.length ? this.ofJoints([thing, ...beside]) : thing.kind === 'body' ? this.ofBody(thing) : this.ofJoint(thing);
        this.place.prepend(...boxes.filter(Boolean));
        for (const chart of this.charts) chart.graph.resize();
        this.moveCursors();
    }

    whole(thing, values) { // over all frames
        const all = new Float32Array(this.world.frames).fill(NaN);
        if (values) all.set(values.subarray(0, all.length - thing.first), thing.first);
        return all;
    }

    ofBody(body) {
        if (!body.p) return [];
        const xyz = (columns) => columns.map((c, k) => ['xyz'[k], this.whole(body, c), ['#d55e00', '#009e73', '#0072b2'][k]]);
        return [this.add(`${body.label}: position`, xyz(body.p), {name: 'thing', axis: 'position [m]'}),
            this.add(`${body.label}: velocity`, xyz(body.v), {name: 'thing', axis: 'velocity [m/s]'})];
    }

    ofJoint(joint) {
        const some = (columns) => columns && columns.map((c, k) => [`axis ${k + 1}`, this.whole(joint, c), ['#d55e00', '#009e73', '#0072b2'][k]]);
        const byCause = (at) => ['ideal', 'motor', 'stop', 'non_ideal'].filter((cause) => joint[cause]).map((cause) => {
            const [x, y, z] = joint[cause].slice(at, at + 3);
            return [Arrows.causes[cause].text, this.whole(joint, x.map((u, i) => Data.norm(u, y[i], z[i]))), Arrows.causes[cause].colour];
        });
        const boxes = [];
        if (joint.angle && joint.angle.some((c) => c.some(Number.isFinite)))
            boxes.push(this.add(`${joint.label}: angle or position`, some(joint.angle), {name: 'thing', axis: '[rad or m]'}));
        boxes.push(this.add(`${joint.label}: force by cause`, byCause(0), {name: 'thing', axis: 'force [N]'}));
        boxes.push(this.add(`${joint.label}: torque by cause`, byCause(3), {name: 'thing', axis: 'torque [N m]'}));
        if (joint.gauss)
            boxes.push(this.add(`${joint.label}: share of Gauss's function`, [['share of G_ni', this.whole(joint, joint.gauss[0]), '#0072b2']], {name: 'thing', axis: 'effort [N m/s²]'}));
        if (joint.work)
            boxes.push(this.add(`${joint.label}: work on its bodies`, [['work', this.whole(joint, joint.work), '#0072b2']], {name: 'thing', axis: 'work [J]'}));
        return boxes;
    }

    // several joints in the same curves, a colour each
    ofJoints(joints) {
        const series = (values) => joints.map((joint, i) => [joint.label, values(joint), Curves.colours[i % Curves.colours.length]]);
        const total = (joint, at) => this.whole(joint, joint.ideal && joint.ideal[at].map((_, i) => Data.norm(...[0, 1, 2].map((k) =>
            ['ideal', 'motor', 'stop', 'non_ideal'].reduce((sum, cause) => sum + ((joint[cause] && joint[cause][at + k][i]) || 0), 0)))));
        const curve = (title, axis, values) => this.add(`Selected joints: ${title}`, series(values), {name: 'thing', axis});
        return [
            curve('angle or position of axis 1', '[rad or m]', (joint) => this.whole(joint, joint.angle && joint.angle[0])),
            curve('force', 'force [N]', (joint) => total(joint, 0)),
            curve('torque', 'torque [N m]', (joint) => total(joint, 3)),
            curve('work on their bodies', 'work [J]', (joint) => this.whole(joint, joint.work)),
        ];
    }
}

Curves.beyond = 100; // times the energy of the bodies
Curves.colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#999999'];
