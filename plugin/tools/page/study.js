// SPDX-License-Identifier: BSD-3-Clause
// A study: its runs as points, as lines over parallel axes, and as boxes. All pictures show the runs that are chosen.
'use strict';

const Study = (() => {
    const data = JSON.parse(document.getElementById('data').textContent);
    const at = (id) => document.getElementById(id);
    const okabe = ['#0072b2', '#e69f00', '#009e73', '#d55e00', '#cc79a7', '#56b4e9', '#999999', '#f0e442'];
    const columns = data.columns.map((column, k) => ({...column, ...kindOf(k), k}));
    const named = (name) => columns.find((column) => column.name === name);
    const useful = columns.filter((c) => (c.numeric ? c.low < c.high : c.values.length > 1 && c.values.length <= 60));
    const ranges = new Map(); // column: [low, high] of places on its axis, 0 to 1
    let shown = []; // rows that are chosen

    function kindOf(k) {
        const present = data.rows.map((row) => row[k]).filter((x) => x !== null);
        if (present.length && present.every((x) => typeof x === 'number'))
            return {numeric: true, low: present.reduce((a, b) => Math.min(a, b)), high: present.reduce((a, b) => Math.max(a, b))};
        return {numeric: false, values: [...new Set(present.map(String))].sort()};
    }

    const text = (x) => (x === null || x === undefined ? '–' : typeof x === 'number' ? String(Number(x.toPrecision(5))) : String(x));
    const label = (c) => (c.unit ? `${c.name} [${c.unit}]` : c.name);

    // where a value is on its axis, from 0 to 1; null: nowhere
    function place(c, x) {
        if (x === null || x === undefined) return null;
        if (!c.numeric) return (c.values.indexOf(String(x)) + 0.5) / c.values.length;
        return c.high > c.low ? (x - c.low) / (c.high - c.low) : 0.5;
    }

    function ticks(c) {
        if (!c.numeric) return c.values.map((value) => [place(c, value), value]);
        if (!(c.high > c.low)) return [[0.5, text(c.low)]];
        const rough = (c.high - c.low) / 5, power = 10 ** Math.floor(Math.log10(rough));
        const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough), marks = [];
        for (let i = Math.ceil(c.low / step - 1e-9); i * step <= c.high + 1e-9 * step; i++) marks.push([place(c, i * step), text(i * step)]);
        return marks;
    }

    function draw(parent, name, attributes, words) {
        const element = document.createElementNS('http://www.w3.org/2000/svg', name);
        for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
        if (words !== undefined) element.textContent = words;
        parent.append(element);
        return element;
    }

    function begin(svg, width, height) {
        svg.replaceChildren();
        svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    }

    // ---- colours ------------------------------------------------------------------------------------------------------

    function colourOf(row) {
        const c = named(at('colour').value);
        if (!c) return okabe[0];
        const u = place(c, row[c.k]);
        if (u === null) return '#999999';
        if (!c.numeric) return okabe[c.values.indexOf(String(row[c.k])) % okabe.length];
        const stops = [[0, 68, 136], [60, 140, 160], [221, 170, 51]], v = u * 2, i = Math.min(Math.floor(v), 1);
        return `rgb(${stops[i].map((x, j) => Math.round(x + (stops[i + 1][j] - x) * (v - i))).join(',')})`;
    }

    function showKey() {
        const c = named(at('colour').value), key = at('key');
        key.replaceChildren();
        if (!c) return;
        const sample = (value) => { const row = []; row[c.k] = value; return colourOf(row); };
        for (const value of c.numeric ? [c.low, (c.low + c.high) / 2, c.high] : c.values.slice(0, 12)) {
            const swatch = document.createElement('i');
            swatch.style.background = sample(value);
            key.append(swatch, text(value));
        }
    }

    // ---- which runs ---------------------------------------------------------------------------------------------------

    function choose() {
        shown = data.rows.filter((row) => [...ranges].every(([c, [low, high]]) => {
            const u = place(c, row[c.k]);
            return u !== null && u >= low && u <= high;
        }));
        at('chosen').textContent = `${shown.length} of ${data.rows.length} runs`;
        for (const picture of [parallel, scatter, boxes, showKey, tables]) picture();
    }

    function axesWanted() { return useful.filter((c) => at('axes').querySelector(`input[value="${CSS.escape(c.name)}"]`).checked); }

    // ---- parallel axes ------------------------------------------------------------------------------------------------

    function parallel() {
        const svg = at('parallel'), axes = axesWanted(), width = 1200, height = 380, top = 34, bottom = 352, reach = bottom - top;
        begin(svg, width, height);
        const across = (i) => (axes.length > 1 ? 70 + i * (width - 150) / (axes.length - 1) : width / 2);
        const up = (u) => bottom - u * reach;
        const line = (row) => axes.map((c, i) => [i, place(c, row[c.k])]).filter(([, u]) => u !== null)
            .map(([i, u]) => `${across(i).toFixed(1)},${up(u).toFixed(1)}`).join(' ');
        const chosen = new Set(shown);
        for (const row of data.rows) if (!chosen.has(row)) draw(svg, 'polyline', {points: line(row), class: 'run off'});
        for (const row of shown) draw(svg, 'polyline', {points: line(row), class: 'run', stroke: colourOf(row)});
        axes.forEach((c, i) => {
            const x = across(i);
            draw(svg, 'line', {x1: x, x2: x, y1: top, y2: bottom, class: 'axis'});
            draw(svg, 'text', {x, y: i % 2 ? 12 : 25, 'text-anchor': 'middle', 'font-weight': 600}, label(c));
            for (const [u, words] of ticks(c)) draw(svg, 'text', {x: x + 5, y: up(u) + 4}, words);
            if (ranges.has(c)) {
                const [low, high] = ranges.get(c);
                draw(svg, 'rect', {x: x - 7, width: 14, y: up(high), height: Math.max((high - low) * reach, 2), class: 'brush'});
            }
            const grip = draw(svg, 'rect', {x: x - 14, width: 28, y: top, height: reach, class: 'grip', 'data-column': c.name});
            grip.addEventListener('pointerdown', (event) => brush(event, svg, c, (y) => Math.min(Math.max((bottom - y) / reach, 0), 1)));
        });
        svg.setAttribute('aria-label', `${shown.length} runs over ${axes.map((c) => c.name).join(', ')}; the numbers are in the tables.`);
    }

    function brush(event, svg, c, toPlace) {
        const where = (e) => toPlace(new DOMPoint(e.clientX, e.clientY).matrixTransform(svg.getScreenCTM().inverse()).y);
        const from = where(event);
        const end = (e) => {
            const to = where(e);
            if (Math.abs(to - from) < 0.01) ranges.delete(c);
            else ranges.set(c, [Math.min(from, to), Math.max(from, to)]);
            removeEventListener('pointerup', end);
            choose();
        };
        addEventListener('pointerup', end);
        event.preventDefault();
    }

    // ---- scatter ------------------------------------------------------------------------------------------------------

    const frame = {width: 640, height: 420, left: 70, right: 620, top: 12, bottom: 372};

    function axesOf(svg, x, y) {
        const {left, right, top, bottom} = frame;
        const across = (u) => left + 8 + u * (right - left - 16), up = (u) => bottom - 8 - u * (bottom - top - 16);
        draw(svg, 'path', {d: `M${left},${top}V${bottom}H${right}`, class: 'axis'});
        if (x) {
            for (const [u, words] of ticks(x)) draw(svg, 'text', {x: across(u), y: bottom + 16, 'text-anchor': 'middle'}, words);
            draw(svg, 'text', {x: (left + right) / 2, y: bottom + 38, 'text-anchor': 'middle', 'font-weight': 600}, label(x));
        }
        for (const [u, words] of ticks(y)) {
            draw(svg, 'line', {x1: left, x2: right, y1: up(u), y2: up(u), class: 'grid'});
            draw(svg, 'text', {x: left - 6, y: up(u) + 4, 'text-anchor': 'end'}, words);
        }
        draw(svg, 'text', {x: 14, y: (top + bottom) / 2, 'text-anchor': 'middle', 'font-weight': 600,
            transform: `rotate(-90 14 ${(top + bottom) / 2})`}, label(y));
        return [across, up];
    }

    const good = (row) => row[named('outcome').k] === 'ok';
    const words = (row) => columns.filter((c) => c.role !== 'outcome' || ['outcome', 'seconds', 'why'].includes(c.name))
        .filter((c) => row[c.k] !== null).map((c) => `${c.name} ${text(row[c.k])}`).join(', ');

    function scatter() {
        const svg = at('scatter'), x = named(at('x').value), y = named(at('y').value);
        begin(svg, frame.width, frame.height);
        if (!x || !y) return;
        const [across, up] = axesOf(svg, x, y);
        for (const row of shown) {
            const u = place(x, row[x.k]), v = place(y, row[y.k]);
            if (u === null || v === null) continue;
            const cx = across(u), cy = up(v);
            const mark = good(row) ? draw(svg, 'circle', {cx, cy, r: 4, fill: colourOf(row), class: 'point'})
                : draw(svg, 'path', {d: `M${cx - 4},${cy - 4}l8,8m0,-8l-8,8`, class: 'point fault'});
            draw(mark, 'title', {}, words(row));
            mark.addEventListener('click', () => { at('about-run').textContent = words(row); });
        }
        svg.setAttribute('aria-label', `${y.name} over ${x.name} of ${shown.length} runs; the numbers are in the tables.`);
    }

    // ---- boxes --------------------------------------------------------------------------------------------------------

    const quantile = (sorted, q) => { // linear between the two that are nearest
        const i = q * (sorted.length - 1), k = Math.floor(i);
        return sorted[k] + (i - k) * ((sorted[k + 1] === undefined ? sorted[k] : sorted[k + 1]) - sorted[k]);
    };

    // [name, numbers]: by value, or, of many numbers, in eight ranges
    function groups(of, by) {
        const found = new Map(), distinct = new Set(shown.map((row) => row[by.k]));
        const many = by.numeric && distinct.size > 12;
        for (const row of shown) {
            if (row[of.k] === null || row[by.k] === null) continue;
            const bin = many ? Math.min(Math.floor(8 * place(by, row[by.k])), 7) : row[by.k];
            if (!found.has(bin)) found.set(bin, []);
            found.get(bin).push(row[of.k]);
        }
        const order = [...found.keys()].sort((a, b) => (typeof a === 'number' ? a - b : String(a).localeCompare(String(b))));
        const edge = (i) => text(by.low + i / 8 * (by.high - by.low));
        return order.map((key) => [many ? `${edge(key)}…${edge(key + 1)}` : text(key), found.get(key).sort((a, b) => a - b)]);
    }

    function boxes() {
        const svg = at('boxes'), of = named(at('of').value), by = named(at('by').value);
        begin(svg, frame.width, frame.height);
        if (!of || !by) return;
        const all = groups(of, by), [across, up] = axesOf(svg, null, of);
        all.forEach(([name, sorted], i) => {
            const x = across((i + 0.5) / all.length), half = Math.min(24, 200 / all.length);
            const [low, middle, high] = [0.25, 0.5, 0.75].map((q) => quantile(sorted, q));
            const inside = sorted.filter((v) => v >= low - 1.5 * (high - low) && v <= high + 1.5 * (high - low));
            const y = (v) => up(place(of, v));
            draw(svg, 'path', {d: `M${x},${y(inside[0])}V${y(low)}M${x},${y(high)}V${y(inside[inside.length - 1])}`, class: 'whisker'});
            const box = draw(svg, 'rect', {x: x - half, width: 2 * half, y: y(high), height: Math.max(y(low) - y(high), 1), class: 'box'});
            draw(box, 'title', {}, `${name}: ${sorted.length} runs, quartiles ${text(low)}, ${text(middle)}, ${text(high)}`);
            draw(svg, 'line', {x1: x - half, x2: x + half, y1: y(middle), y2: y(middle), class: 'middle'});
            for (const v of sorted.filter((w) => !inside.includes(w))) draw(svg, 'circle', {cx: x, cy: y(v), r: 2.5, class: 'whisker'});
            draw(svg, 'text', {x, y: frame.bottom + (i % 2 && all.length > 6 ? 28 : 16), 'text-anchor': 'middle'}, name);
        });
        draw(svg, 'text', {x: (frame.left + frame.right) / 2, y: frame.bottom + 42, 'text-anchor': 'middle', 'font-weight': 600}, label(by));
        svg.setAttribute('aria-label', `${of.name} by ${by.name}: medians ${all.map(([name, sorted]) => `${name}: ${text(quantile(sorted, 0.5))}`).join('; ')}.`);
    }

    // ---- tables -------------------------------------------------------------------------------------------------------

    function table(place, caption, head, rows) {
        const made = document.createElement('table');
        made.createCaption().textContent = caption;
        const add = (cells, kind) => {
            const row = made.insertRow();
            for (const cell of cells) {
                const box = document.createElement(kind);
                box.textContent = cell;
                row.append(box);
            }
        };
        add(head, 'th');
        for (const row of rows) add(row, 'td');
        place.replaceChildren(made);
    }

    function tables() {
        const numbers = columns.filter((c) => c.numeric && (c.role === 'result' || c.name === 'seconds' || c.name === 'memory'));
        table(at('numbers'), `Of ${shown.length} runs`, ['column', 'runs', 'mean', 'deviation', 'least', 'median', 'most'], numbers.map((c) => {
            const sorted = shown.map((row) => row[c.k]).filter((x) => x !== null).sort((a, b) => a - b), n = sorted.length;
            const mean = sorted.reduce((a, b) => a + b, 0) / n;
            const deviation = Math.sqrt(sorted.reduce((a, b) => a + (b - mean) ** 2, 0) / (n - 1));
            return n ? [label(c), n, text(mean), n > 1 ? text(deviation) : '–', text(sorted[0]), text(quantile(sorted, 0.5)), text(sorted[n - 1])] : [label(c), 0, '–', '–', '–', '–', '–'];
        }));
        const wanted = columns.filter((c) => c.role !== 'outcome' || ['outcome', 'seconds', 'steps', 'why'].includes(c.name));
        table(at('runs'), shown.length > 500 ? 'The first 500' : '', wanted.map(label), shown.slice(0, 500).map((row) => wanted.map((c) => text(row[c.k]))));
    }

    // ---- all of it ----------------------------------------------------------------------------------------------------

    function options(select, from, wanted) {
        for (const c of from) select.append(new Option(label(c), c.name));
        if (wanted) select.value = wanted.name;
        select.addEventListener('change', choose);
    }

    function start() {
        const numbers = useful.filter((c) => c.numeric), variables = useful.filter((c) => c.role === 'variable');
        const result = useful.find((c) => c.role === 'result' && c.numeric) || useful.find((c) => c.name === 'seconds') || numbers[0];
        at('title').textContent = data.title;
        at('about').textContent = data.about;
        at('text').textContent = data.text;
        at('alike').textContent = data.alike;
        at('alike').hidden = !data.alike;
        for (const outcome of data.outcomes) {
            const item = document.createElement('li');
            item.textContent = `${outcome.runs} ${outcome.outcome}${outcome.why ? `: ${outcome.why}` : ''}${outcome.outcome === 'ok' ? '' : ` (the first is point ${outcome.point})`}`;
            at('outcomes').append(item);
        }
        for (const c of useful) {
            const box = document.createElement('label'), input = document.createElement('input');
            Object.assign(input, {type: 'checkbox', value: c.name, checked: c.role === 'variable' || c.role === 'result'});
            input.addEventListener('change', choose);
            box.append(input, ` ${c.name}`);
            at('axes').append(box);
        }
        options(at('x'), useful, variables.find((c) => c.numeric) || variables[0]);
        options(at('y'), useful, result);
        options(at('of'), numbers, result);
        options(at('by'), useful, variables.find((c) => !c.numeric) || variables[0]);
        at('colour').append(new Option('one for all', ''));
        options(at('colour'), useful, variables.find((c) => !c.numeric) || variables[0]);
        at('all').addEventListener('click', () => { ranges.clear(); choose(); });
        table(at('columns'), '', ['column', 'role', 'unit', 'meaning'], columns.map((c) => [c.name, c.role, c.unit || '', c.meaning || '']));
        choose();
    }

    start();
    return {columns, ranges, choose, named, shown: () => shown};
})();
