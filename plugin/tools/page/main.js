// SPDX-License-Identifier: BSD-3-Clause
// Puts the page together: one world at a time, everything at the same moment, one selection.
'use strict';

const Page = (() => {
    const element = (id) => document.getElementById(id);
    const page = {world: null, view: null, curves: null, list: null, findings: null, player: null, selected: null, beside: [], drawn: 0};
    let due = false, turn = 0;

    function redraw() { // once a frame of the screen
        if (due || !page.view) return;
        due = true;
        requestAnimationFrame((now) => {
            due = false;
            page.view.sharpness.frame(now);
            page.view.draw(page.player.time);
            page.drawn++;
        });
    }

    function moved(t, frame) {
        redraw();
        page.curves.moveTo(t);
        if (page.player.playing) return showSome(frame);
        page.curves.show(frame);
        return page.list.show(frame);
    }

    // While it plays, the numbers of one curve a frame, in turn, and then those of what is selected: all at once would
    // make every tenth frame a long one.
    function showSome(frame) {
        const charts = page.curves.charts;
        turn = turn < charts.length ? turn + 1 : 0;
        if (turn < charts.length) page.curves.showOne(charts[turn], frame);
        else page.list.show(frame);
    }

    // `add`: a joint goes beside the joint that is selected, in the same curves, or leaves them
    function select(thing, add = false) {
        const joints = add && thing && thing.kind === 'joint' && page.selected && page.selected.kind === 'joint' && thing !== page.selected;
        if (joints) {
            const without = page.beside.filter((other) => other !== thing);
            page.beside = without.length < page.beside.length ? without : [...without, thing];
            page.curves.showThing(page.selected, page.beside);
            return page.curves.show(page.player.frame);
        }
        page.beside = [];
        page.selected = thing;
        page.list.setSelected(thing);
        page.curves.showThing(thing);
        if (page.view) page.view.selected = thing;
        return moved(page.player.time, page.player.frame);
    }

    function goToFinding(finding) {
        page.player.stop();
        if (finding.time !== null) page.player.go(finding.time);
        const thing = page.world.jointOf.get(finding.joint) || page.world.bodyOf.get(finding.body);
        if (thing) select(thing);
    }

    // ---- the picture ----------------------------------------------------------------------------------------------

    function makeView() {
        try {
            return new World(element('view'), page.world, redraw);
        } catch (error) {
            element('no-view').hidden = false;
            element('view').hidden = true;
            return null;
        }
    }

    function legendEntry(colour, text) {
        const item = document.createElement('span'), swatch = document.createElement('i');
        swatch.style.background = colour;
        item.append(swatch, text);
        return item;
    }

    // the arrows' causes; where a body sleeps at some time, what its darker colour means
    function legend() {
        const entries = Object.values(Arrows.causes).map((cause) => legendEntry(cause.colour, cause.text));
        const sleeps = page.world.bodies.some((body) => body.awake && body.awake[0].some((x) => x < 0.5));
        if (sleeps) entries.push(legendEntry('#47280f', 'darker body: asleep'));
        element('legend').replaceChildren(...entries);
    }

    function scaleText() {
        const view = page.view;
        const newtons = 10 ** Math.round(Math.log10(view.newtons)), metres = newtons * view.arrowScale();
        element('scale').textContent = `arrow of ${Data.text(metres, 'm')} is ${Data.text(newtons, 'N')}; grid ${Data.text(view.ground.step, 'm')}` +
            (view.gap ? `; gaps ${view.gap} times` : '');
    }

    function controls() {
        for (const box of document.querySelectorAll('#shows input[type=checkbox]')) {
            const what = box.id.slice('show-'.length);
            box.onchange = () => { page.view.show[what] = box.checked; redraw(); };
            page.view.show[what] = box.checked;
        }
        element('gaps').onchange = () => { page.view.gap = Number(element('gaps').value); scaleText(); redraw(); };
        element('arrows').oninput = () => { page.view.arrowFactor = 10 ** Number(element('arrows').value); scaleText(); redraw(); };
        const follow = element('follow');
        follow.replaceChildren(new Option('nothing', ''), ...page.world.bodies.slice(0, 500).map((body) => new Option(body.label, body.body)));
        follow.onchange = () => { page.view.followed = page.world.bodyOf.get(Number(follow.value)) || null; redraw(); };
        let down = null;
        element('view').addEventListener('pointerdown', (event) => { down = [event.clientX, event.clientY]; });
        element('view').onclick = (event) => {
            if (down && Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 4) return;
            const box = element('view').getBoundingClientRect();
            select(page.view.pick(event.clientX - box.left, event.clientY - box.top), event.shiftKey);
        };
        scaleText();
    }

    // ---- the keys -------------------------------------------------------------------------------------------------

    function followSelected() {
        if (!page.selected || page.selected.kind !== 'body') return;
        page.view.followed = page.view.followed === page.selected ? null : page.selected;
        element('follow').value = page.view.followed ? String(page.selected.body) : '';
        redraw();
    }

    const keys = {
        ' ': () => page.player.toggle(), ArrowLeft: () => page.player.step(-1), ArrowRight: () => page.player.step(1),
        Home: () => page.player.goToFrame(0), End: () => page.player.goToFrame(page.world.frames - 1),
        '/': () => element('search').focus(), Escape: () => select(null),
        r: () => page.player.setLoop(!page.player.loop), n: () => page.findings.next(1), p: () => page.findings.next(-1),
    };
    const viewKeys = {
        i: () => page.view.camera.turn(0, 0.1), k: () => page.view.camera.turn(0, -0.1), j: () => page.view.camera.turn(-0.1, 0),
        l: () => page.view.camera.turn(0.1, 0), '+': () => page.view.camera.zoom(0.85), '-': () => page.view.camera.zoom(1 / 0.85),
        0: () => page.view.camera.reset(), f: followSelected,
    };

    function onKey(event) {
        const typing = event.target.matches('select, input[type=search]');
        if (event.ctrlKey || event.altKey || event.metaKey || (typing && event.key !== 'Escape')) return;
        if (event.key === ' ' && event.target.matches('button, input[type=checkbox], summary')) return;
        if (event.target.matches('input[type=range]') && event.target !== element('slider') && event.key.startsWith('Arrow')) return;
        const act = keys[event.key] || (page.view && viewKeys[event.key]);
        if (!act) return;
        event.preventDefault();
        if (event.key === 'Escape' && typing) event.target.blur();
        act();
    }

    // ---- a world --------------------------------------------------------------------------------------------------

    function about() {
        const run = Data.all.run[0] || {}, w = page.world;
        const program = (run.program || '').split('/').pop();
        element('title').textContent = `${program || 'ukode report'}`;
        document.title = `${program}: ukode report`;
        element('about').textContent = `${run.arguments || ''} · ${Data.counted(w.steps, 'step')} of ${Data.text(w.h, 's')}, ${w.integrator || ''} · ` +
            `${Data.counted(w.bodies.length, 'body', 'bodies')}, ${Data.counted(w.joints.filter((j) => j.type !== 'contact').length, 'joint')} · ${run.started || ''}`;
        element('foot').textContent = `ukode ${run.ukode_version || ''}, ${run.machine || ''}. Shown: ${Data.counted(w.frames, 'frame')} of ${Data.counted(w.steps, 'step')}; ` +
            'residuals, gaps and times are the largest between two frames.';
        element('ghost-label').hidden = !w.ghost;
        if (w.ghost) element('ghost-name').textContent = `other run (${w.ghost.integrator})`;
    }

    function open(index) {
        if (page.player) page.player.stop();
        if (page.view) page.view.dispose();
        page.world = Data.world(index);
        page.selected = null;
        about();
        page.player = new Player(page.world, moved);
        page.curves = new Curves(element('curves'), page.world, (t) => page.player.go(t));
        page.list = new List(page.world, select);
        page.findings = new Findings(Data.all.findings || [], Data.all.sound || '', Data.all.parting, page.world, goToFinding);
        legend();
        page.view = makeView();
        if (page.view) controls();
        select(null);
        page.player.go(page.world.time[0] || 0);
    }

    function start() {
        const worlds = Data.all.worlds;
        if (!worlds.length) {
            element('about').textContent = 'The recording has no steps.';
            return;
        }
        element('worlds').hidden = worlds.length < 2;
        element('world').replaceChildren(...worlds.map((w, i) => new Option(w.name || `world ${w.world}`, i)));
        element('world').onchange = () => open(Number(element('world').value));
        document.addEventListener('keydown', onKey);
        window.addEventListener('resize', redraw);
        // paper has the tables
        window.addEventListener('beforeprint', () => { element('tables-more').open = true; });
        open(0);
    }

    start();
    return page;
})();
