// SPDX-License-Identifier: BSD-3-Clause
// What a viewer asks of the running program: pause, step, pace, gravity, states, motors, and bodies that are dragged.
'use strict';

const Controls = (() => {
    const element = (id) => document.getElementById(id);
    const interval = 33; // [ms] between two orders of one drag or slider
    let live, redraw, drag = null;

    async function order(...words) {
        const response = await fetch('order', {method: 'POST', body: words.join(' ')}).catch(() => null);
        return Boolean(response) && response.ok;
    }

    // the last order of a burst is sent, at most one per interval
    function sender() {
        let waiting = null, timer = 0;
        const send = () => {
            timer = 0;
            if (!waiting) return;
            order(...waiting);
            waiting = null;
            timer = setTimeout(send, interval);
        };
        return {
            put(...words) {
                waiting = words;
                if (!timer) send();
            },
            flush() {
                if (waiting) order(...waiting);
                waiting = null;
            },
        };
    }

    // ---- selection and motors ---------------------------------------------------------------------------------------

    function parameter(joint, name, axis) {
        const found = (live.world.parameters || []).find((p) => p.joint === joint.joint && p.name === name && p.axis === axis);
        return found && Number.isFinite(found.value) ? found.value : 0;
    }

    function slider(text, value, most, least, changed) {
        const label = document.createElement('label'), input = document.createElement('input'), output = document.createElement('output');
        Object.assign(input, {type: 'range', min: String(least), max: String(most), step: String((most - least) / 200), value: String(value)});
        output.textContent = Data.text(value);
        input.oninput = () => { output.textContent = Data.text(Number(input.value)); changed(); };
        label.append(`${text} `, input, ' ', output);
        return [label, input];
    }

    const axesOf = {hinge: 1, slider: 1, hinge2: 2, universal: 2, pr: 2, pu: 3, piston: 2, amotor: 3, lmotor: 3};

    function motors(joint) {
        const rows = [], send = sender();
        for (let axis = 1; axis <= (axesOf[joint.type] || 0) && Data.all.touch; axis++) {
            const vel = parameter(joint, 'vel', axis), fmax = parameter(joint, 'fmax', axis);
            const rate = Math.max(2 * Math.abs(vel), 10), force = Math.max(2 * fmax, live.view ? 4 * live.view.newtons : 100);
            const changed = () => send.put('motor', joint.joint, axis, velInput.value, fmaxInput.value);
            const [velLabel, velInput] = slider(`Vel, axis ${axis}`, vel, rate, -rate, changed);
            const [fmaxLabel, fmaxInput] = slider(`FMax, axis ${axis}`, fmax, force, 0, changed);
            rows.push(velLabel, fmaxLabel);
        }
        element('motors').replaceChildren(...rows);
    }

    function select(thing) {
        if (live.view) live.view.selected = thing;
        element('selected').textContent = thing ? thing.label : 'Nothing selected';
        element('joint').value = thing && thing.kind === 'joint' ? String(thing.joint) : '';
        if (thing && thing.kind === 'joint') motors(thing);
        else element('motors').replaceChildren();
        redraw();
    }

    // ---- a body that is dragged --------------------------------------------------------------------------------------

    function ray(event) {
        const box = element('view').getBoundingClientRect(), caster = new THREE.Raycaster();
        caster.setFromCamera(new THREE.Vector2(2 * (event.clientX - box.left) / box.width - 1, 1 - 2 * (event.clientY - box.top) / box.height),
            live.view.camera.eye);
        return caster;
    }

    function bodyAt(caster) {
        let nearest = Infinity, found = null;
        for (const entry of live.view.bodies.list) {
            if (!entry.there) continue;
            for (const solid of entry.solids) {
                const distance = live.view.solids.meets(caster, solid, entry.matrix);
                if (distance < nearest) [nearest, found] = [distance, entry];
            }
        }
        return found && {entry: found, point: caster.ray.at(nearest, new THREE.Vector3())};
    }

    function begin(event) {
        if (!Data.all.touch || !live.view || !live.following || live.ended || event.shiftKey || event.button !== 0) return;
        if (event.target !== element('view')) return;
        const hit = bodyAt(ray(event));
        if (!hit) return;
        const normal = live.view.camera.eye.getWorldDirection(new THREE.Vector3());
        drag = {body: hit.entry.thing.body, thing: hit.entry.thing, send: sender(), moved: false,
            local: hit.point.clone().applyMatrix4(new THREE.Matrix4().getInverse(hit.entry.matrix)),
            plane: new THREE.Plane().setFromNormalAndCoplanarPoint(normal, hit.point)};
        element('view').setPointerCapture(event.pointerId);
        event.stopPropagation();
    }

    function move(event) {
        if (!drag) return;
        const target = ray(event).ray.intersectPlane(drag.plane, new THREE.Vector3());
        event.stopPropagation();
        if (!target) return;
        drag.moved = true;
        drag.send.put('drag', drag.body, ...drag.local.toArray(), ...target.toArray());
    }

    function end(event) {
        if (!drag) return;
        event.stopPropagation();
        const {body, thing, moved} = drag;
        drag = null;
        if (moved) setTimeout(() => order('release', body), 2 * interval); // after the last of its orders
        else select(thing);
    }

    // ---- the program --------------------------------------------------------------------------------------------------

    const run = () => order(live.paused ? 'run' : 'pause');
    const one = () => order('step', 1);

    function start(of, draw) {
        [live, redraw] = [of, draw];
        document.body.classList.toggle('locked', !Data.all.touch);
        const key = () => (live.world ? live.world.world : 1);
        element('pause').onclick = run;
        element('one').onclick = one;
        element('pace').onchange = () => order('pace', element('pace').value);
        element('gravity').onchange = () => order('gravity', key(), element('gravity').checked ? 1 : 0);
        element('save').onclick = () => order('save', key());
        element('restart').onclick = () => { element('gravity').checked = true; order('restart', key()); };
        element('joint').onchange = () => select(live.world.jointOf.get(Number(element('joint').value)) || null);
        element('stage').addEventListener('pointerdown', begin, true);
        element('stage').addEventListener('pointermove', move, true);
        for (const name of ['pointerup', 'pointercancel']) element('stage').addEventListener(name, end, true);
        element('stage').onclick = (event) => { // the canvas is replaced with the model
            const box = element('view').getBoundingClientRect();
            if (live.view) select(live.view.pick(event.clientX - box.left, event.clientY - box.top) || live.view.selected);
        };
        document.addEventListener('keydown', (event) => {
            if (event.target.matches('select, input') || event.ctrlKey || event.altKey || event.metaKey) return;
            if (event.key === 'p') run();
            if (event.key === 's') one();
        });
    }

    function open() {
        const joints = live.world.joints.filter((joint) => joint.type !== 'contact').slice(0, 500);
        element('joint').replaceChildren(new Option('none', ''), ...joints.map((joint) => new Option(joint.label, joint.joint)));
    }

    function state() {
        const disabled = Boolean(live.ended) || (!live.world && !live.waiting), pressed = String(live.paused);
        if (element('pause').getAttribute('aria-pressed') !== pressed) {
            element('pause').textContent = live.paused ? 'Continue' : 'Pause';
            element('pause').setAttribute('aria-pressed', pressed);
        }
        for (const control of document.querySelectorAll('#program button, #program select, #program input, #motors input'))
            if (control.disabled !== disabled) control.disabled = disabled;
    }

    return {start, open, state, select, order};
})();
