// SPDX-License-Identifier: BSD-3-Clause
// A program that runs: frames from the server are appended to the recording so far; the picture shows the newest one, or an
// earlier one. Frames that are not received are lost for this page only: the report of the run has all of them.
'use strict';

// As World, but the contacts of a frame are those that came with it.
class LiveWorld extends World {
    * contactsAt(frame) {
        for (const slot of this.world.touching[frame] || []) yield [slot, 0];
    }
}

const Live = (() => {
    const element = (id) => document.getElementById(id);
    const MostNumbers = 6e6; // of poses that are kept for scrubbing
    const live = {world: null, view: null, player: null, following: true, frames: 0, drawn: 0, paused: false, ended: false, findings: []};
    let due = false, renewing = false, arrived = 0; // arrived: when the last frame came [ms]

    function redraw() {
        if (due || !live.view) return;
        due = true;
        requestAnimationFrame((now) => {
            due = false;
            live.view.sharpness.frame(now, now - arrived < 100);
            live.view.draw(live.player.time);
            live.drawn++;
        });
    }

    // ---- the model, and what is appended to it ---------------------------------------------------------------------

    const lists = (columns) => columns && columns.map((c) => Array.from(c));

    // columns that can grow
    function grow(w) {
        [w.time, w.number] = [Array.from(w.time), Array.from(w.number)];
        w.touching = w.time.map((_, frame) => w.contacts.filter((slot) => slot.there && Data.there(slot, frame) && slot.there[0][frame - slot.first] > 0.5)
            .map((slot) => ({p: slot.p.map((c) => [c[frame - slot.first]]), n: slot.n.map((c) => [c[frame - slot.first]]),
                f: slot.f.map((c) => [c[frame - slot.first]])})));
        w.contacts = Array.from({length: 400}, () => ({}));
        for (const body of w.bodies) for (const name of ['p', 'q', 'awake']) body[name] = lists(body[name]) || [];
        for (const joint of w.joints) for (const name of ['ideal', 'non_ideal']) joint[name] = lists(joint[name]);
        for (const joint of w.joints) joint.motor = joint.stop = null; // live forces are not split by cause
        return w;
    }

    // `real[place]`, ...: a thing's numbers at this frame; the frames that it missed repeat its last ones
    function append(thing, columns, frame, real, place) {
        if (thing.first === undefined || thing.last < thing.first) [thing.first, thing.last] = [frame, frame - 1];
        for (let missed = frame - 1 - thing.last; missed > 0; missed--)
            for (const {name} of columns) for (const c of thing[name]) c.push(c[c.length - 1]);
        for (const {name, from, count} of columns) {
            if (!thing[name] || !thing[name].length)
                thing[name] = Array.from({length: count}, () => new Array(frame - thing.first).fill(NaN));
            for (let k = 0; k < thing[name].length; k++) thing[name][k].push(k < count ? real[place + from + k] : NaN);
        }
        thing.last = frame;
    }

    // ukViewHead, ukViewBody, ukViewJoint, ukViewContact (plugin/view/protocol.h), in words of four bytes
    const words = {head: 10, body: 9, joint: 7, contact: 9};
    const bodyColumns = [{name: 'p', from: 1, count: 3}, {name: 'q', from: 4, count: 4}, {name: 'awake', from: 8, count: 1}];
    const jointColumns = [{name: 'ideal', from: 1, count: 3}, {name: 'non_ideal', from: 4, count: 3}];

    // `keys` and `real`: the same words as integers and as numbers; `body`, `joint`, `contact`: where each one begins
    function decode(text) {
        const raw = atob(text), bytes = new Uint8Array(raw.length);
        for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
        const at = new DataView(bytes.buffer), keys = new Int32Array(bytes.buffer), real = new Float32Array(bytes.buffer);
        const [world, bodies, joints, contacts, paused, dragged] = keys.subarray(4, words.head);
        const places = (from, count, size) => Array.from({length: count}, (_, k) => from + k * size);
        const body = places(words.head, bodies, words.body), joint = places(words.head + words.body * bodies, joints, words.joint);
        const contact = places(words.head + words.body * bodies + words.joint * joints, contacts, words.contact);
        for (const place of body) real[place + 8] = keys[place + 8]; // awake
        return {time: at.getFloat64(0, true), number: at.getFloat64(8, true), world, paused, dragged, keys, real, body, joint, contact};
    }

    // The older half of what is kept loses every second frame.
    function thin(w) {
        const keep = (i) => i >= w.frames >> 1 || i % 2 === 0;
        for (const thing of [...w.bodies, ...w.joints]) {
            if (thing.first === undefined) continue;
            const kept = (c) => c.filter((_, i) => keep(thing.first + i));
            for (const name of ['p', 'q', 'awake', 'ideal', 'non_ideal']) if (thing[name]) thing[name] = thing[name].map(kept);
            const count = (end) => { let n = 0; for (let i = 0; i < end; i++) n += keep(i); return n; };
            [thing.first, thing.last] = [count(thing.first), count(thing.last + 1) - 1];
        }
        for (const name of ['time', 'number', 'touching']) w[name] = w[name].filter((_, i) => keep(i));
        w.frames = w.time.length;
    }

    // false: it has a body or joint that the model lacks
    function take(frame) {
        const w = live.world;
        if (w.frames > 0 && frame.number <= w.number[w.frames - 1]) return true;
        const {keys, real} = frame, at = w.frames;
        if (frame.body.some((k) => !w.bodyOf.has(keys[k])) || frame.joint.some((k) => !w.jointOf.has(keys[k]))) return false;
        w.time.push(frame.time);
        w.number.push(frame.number);
        w.touching.push(frame.contact.map((k) => {
            const three = (from) => [0, 1, 2].map((i) => [real[k + from + i]]);
            return {p: three(0), n: three(3), f: three(6)};
        }));
        for (const k of frame.body) append(w.bodyOf.get(keys[k]), bodyColumns, at, real, k);
        for (const k of frame.joint) append(w.jointOf.get(keys[k]), jointColumns, at, real, k);
        w.frames++;
        if (w.frames * w.bodies.length * 7 > MostNumbers) thin(w);
        return true;
    }

    // ---- the page ---------------------------------------------------------------------------------------------------

    function makeView(before) {
        try {
            const view = new LiveWorld(element('view'), live.world, redraw);
            if (before) for (const name of ['azimuth', 'height', 'distance']) view.camera[name] = before.camera[name];
            if (before) view.camera.target.copy(before.camera.target);
            view.camera.place();
            return view;
        } catch (error) {
            element('no-view').hidden = false;
            element('view').hidden = true;
            return null;
        }
    }

    // the old one keeps its listeners and its context of WebGL
    function replaceCanvas(view) {
        view.dispose();
        view.renderer.forceContextLoss();
        Shapes.forget();
        view.canvas.replaceWith(view.canvas.cloneNode(true));
    }

    function shows() {
        for (const box of document.querySelectorAll('#shows input[type=checkbox]')) {
            const what = box.id.slice('show-'.length);
            box.onchange = () => { live.view.show[what] = box.checked; redraw(); };
            live.view.show[what] = box.checked;
        }
    }

    function about() {
        const run = Data.all.run[0] || {}, program = (run.program || '').split('/').pop();
        element('title').textContent = program || 'ukode view';
        document.title = `${program}: ukode view`;
        element('about').textContent = `${run.arguments || ''} · ${live.world.integrator || ''} · ${Data.counted(live.world.bodies.length, 'body', 'bodies')}, ` +
            Data.counted(live.world.joints.filter((j) => j.type !== 'contact').length, 'joint');
    }

    function open(index) {
        const before = live.view, selected = before && before.selected && before.selected.body;
        live.world = grow(Data.world(index));
        about();
        live.player = new Player(live.world, redraw);
        if (before) replaceCanvas(before);
        live.view = makeView(before);
        if (live.view) shows();
        Controls.open(live);
        if (selected) Controls.select(live.world.bodyOf.get(selected) || null);
        showFindings();
        followEnd();
    }

    function followEnd() {
        live.player.slider.max = String(Math.max(live.world.frames - 1, 0));
        if (live.following) live.player.goToFrame(live.world.frames - 1);
        else live.player.go(live.player.time);
    }

    function setFollowing(following) {
        live.following = following;
        element('live').setAttribute('aria-pressed', String(following));
        if (following && live.player) {
            live.player.stop();
            followEnd();
        }
    }

    function showFindings() {
        if (live.world) live.shown = new Findings(live.findings, 'No findings so far.', null, live.world, (finding) => {
            setFollowing(false);
            if (finding.time !== null) live.player.go(finding.time);
            Controls.select(live.world.jointOf.get(finding.joint) || live.world.bodyOf.get(finding.body) || null);
        });
    }

    function state() { // with every frame: what is the same is not set again, or the page would be laid out again
        const text = live.ended || (live.lost ? 'Connection lost: connecting again' : live.paused ? 'Paused' : live.world ? 'Running'
            : 'Waiting for the first step');
        if (element('state').textContent !== text) element('state').textContent = text;
        Controls.state(live);
    }

    // ---- what comes -------------------------------------------------------------------------------------------------

    async function get(what) {
        const response = await fetch(what, {cache: 'no-store'});
        return response.ok ? response.json() : null;
    }

    function useModel(model) {
        if (!model || !model.worlds.length) return;
        const world = live.world && live.world.world;
        Object.assign(Data.all, model);
        element('worlds').hidden = model.worlds.length < 2;
        element('world').replaceChildren(...model.worlds.map((w, i) => new Option(w.name || `world ${w.world}`, i)));
        const index = Math.max(model.worlds.findIndex((w) => w.world === world), 0);
        element('world').value = String(index);
        open(index);
    }

    // One request at a time, and a pause after each: a program may make bodies all the time.
    async function renew() {
        if (renewing) return;
        renewing = true;
        const model = await get('model').catch(() => null);
        if (model) useModel(model);
        setTimeout(() => { renewing = false; }, model ? 1000 : 100);
    }

    function onFrame(event) {
        const frame = decode(event.data);
        live.frames++;
        arrived = performance.now();
        if (live.view) live.view.sharpness.received(due);
        live.paused = frame.paused === 1;
        if (frame.world === 0) live.waiting = true; // before the first step: there is nothing to be seen
        else if (!live.world || (frame.world !== live.world.world && !Data.all.worlds.some((w) => w.world === frame.world))) renew();
        else if (frame.world === live.world.world && !take(frame)) renew();
        else if (frame.world === live.world.world) followEnd();
        state();
    }

    function listen() {
        const events = new EventSource('events');
        events.addEventListener('frame', onFrame);
        events.addEventListener('findings', async () => {
            live.findings = await get('findings').catch(() => null) || live.findings;
            showFindings();
        });
        events.addEventListener('end', async () => {
            const response = await fetch('ending', {cache: 'no-store'}).catch(() => null);
            live.ended = response && response.ok ? await response.text() : 'The program has ended';
            events.close();
            element('report').hidden = !(await fetch('report', {cache: 'no-store'}).catch(() => ({ok: false}))).ok;
            useModel(await get('model').catch(() => null));
            state();
        });
        events.onopen = () => {
            if (live.lost) renew(); // what was missed
            live.lost = false;
            state();
        };
        events.onerror = () => {
            live.lost = true;
            state();
        };
    }

    element('world').onchange = () => open(Number(element('world').value));
    element('live').onclick = () => setFollowing(true);
    for (const id of ['first', 'back', 'play', 'forth']) element(id).addEventListener('click', () => setFollowing(false), true);
    element('last').addEventListener('click', () => setFollowing(true));
    element('slider').addEventListener('pointerdown', () => setFollowing(false));
    element('slider').addEventListener('keydown', () => setFollowing(false));
    window.addEventListener('resize', redraw);
    Controls.start(live, redraw);
    if (Data.all.worlds.length) useModel(Data.all);
    listen();
    state();
    return live;
})();
