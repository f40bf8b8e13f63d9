// SPDX-License-Identifier: BSD-3-Clause
// Bodies and joints: a list to search, the numbers of the selected one, and tables of all of them.
'use strict';

const Tables = (() => {
    function cell(row, text, head) {
        const element = document.createElement(head ? 'th' : 'td');
        if (head) element.scope = head;
        element.textContent = text;
        row.append(element);
    }

    // rows of texts; the first of each is its heading
    function table(caption, heads, rows) {
        const element = document.createElement('table');
        element.createCaption().textContent = caption;
        if (heads) {
            const row = element.createTHead().insertRow();
            for (const head of heads) cell(row, head, 'col');
        }
        const body = element.createTBody();
        for (const texts of rows) {
            const row = body.insertRow();
            texts.forEach((text, i) => cell(row, text, i ? null : 'row'));
        }
        return element;
    }
    return {table};
})();

class List {
    constructor(world, select) {
        this.world = world;
        this.select = select;
        this.search = document.getElementById('search');
        this.list = document.getElementById('list');
        this.details = document.getElementById('details');
        this.things = [...world.bodies, ...world.joints.filter((joint) => joint.type !== 'contact')];
        this.active = -1;
        this.search.oninput = () => this.fill();
        this.search.onkeydown = (event) => this.key(event);
        this.list.onkeydown = (event) => this.key(event);
        this.fill();
        this.showAll();
    }

    nameOf(key) {
        const body = this.world.bodyOf.get(key);
        return body ? body.label : 'the world';
    }

    textOf(thing) {
        if (thing.kind === 'body') return `${thing.label}${thing.name ? ` (body ${thing.body})` : ''}`;
        return `${thing.label}${thing.name ? ` (${thing.type} ${thing.joint})` : ''}: ${this.nameOf(thing.body_1)} and ${this.nameOf(thing.body_2)}`;
    }

    fill() {
        const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
        this.shown = this.things.filter((thing) => {
            const text = `${this.textOf(thing)} ${thing.kind}`.toLowerCase();
            return words.every((word) => text.includes(word));
        });
        this.active = this.shown.length ? 0 : -1;
        this.list.replaceChildren(...this.shown.slice(0, 500).map((thing, i) => {
            const item = document.createElement('li');
            item.id = `item-${i}`;
            item.setAttribute('role', 'option');
            item.textContent = this.textOf(thing);
            item.onclick = (event) => this.choose(i, event.shiftKey);
            return item;
        }));
        this.mark();
    }

    mark() {
        const index = this.shown.indexOf(this.selected);
        [...this.list.children].forEach((item, i) => item.setAttribute('aria-selected', String(i === index)));
        if (this.active >= 0) this.list.setAttribute('aria-activedescendant', `item-${this.active}`);
    }

    choose(index, add = false) {
        if (!this.shown[index]) return;
        this.active = index;
        this.select(this.shown[index], add);
        const item = this.list.children[index];
        if (item) item.scrollIntoView({block: 'nearest'});
    }

    key(event) {
        const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
        if (step) this.choose(Math.min(Math.max((this.shown.includes(this.selected) ? this.active + step : 0), 0), this.shown.length - 1));
        else if (event.key === 'Enter') this.choose(Math.max(this.active, 0));
        else return;
        event.preventDefault();
        event.stopPropagation();
    }

    setSelected(thing) {
        this.selected = thing;
        this.active = this.shown.indexOf(thing);
        this.mark();
        document.getElementById('selected').textContent = thing ? this.textOf(thing) : 'Nothing selected';
    }

    // the numbers of the selected one at a frame
    show(frame) {
        const thing = this.selected;
        if (!thing) return this.details.replaceChildren(...this.effort(frame));
        if (!Data.there(thing, frame)) {
            this.details.textContent = 'It does not exist at this time.';
            return undefined;
        }
        const parts = thing.kind === 'body' ? this.body(thing, frame - thing.first) : this.joint(thing, frame - thing.first);
        return this.details.replaceChildren(...parts);
    }

    // the joints with the largest shares of Gauss's function at a frame
    effort(frame) {
        const rows = Data.efforts(this.world, frame).slice(0, 6)
            .map(([joint, share, part]) => [joint ? joint.label : 'contacts and user constraints', Data.text(Number(share.toPrecision(3))), `${Math.round(100 * part)} %`]);
        return rows.length ? [Tables.table("Joints with the largest shares of Gauss's function G_ni [N m/s²]", null, rows)] : [];
    }

    body(body, i) {
        const at = (columns) => columns.map((c) => Data.text(c[i]));
        const joints = this.world.joints.filter((j) => j.type !== 'contact' && (j.body_1 === body.body || j.body_2 === body.body));
        return [
            Tables.table('', null, [
                ['mass', Data.text(body.mass, 'kg'), '', ''],
                ['inertia', ...[body.inertia_xx, body.inertia_yy, body.inertia_zz].map((x) => Data.text(x)), 'kg m²'],
                ['position', ...at(body.p), 'm'], ['velocity', ...at(body.v), 'm/s'], ['spin', ...at(body.w), 'rad/s'],
                ['speed', Data.text(Data.norm(...body.v.map((c) => c[i])), 'm/s')],
            ]),
            this.paragraph(body.kinematic ? 'Kinematic: moved by the program, not by forces.' : body.awake && body.awake[0][i] < 0.5 ? 'Asleep.' : 'Awake.'),
            this.paragraph(joints.length ? `Joints: ${joints.map((j) => j.label).join(', ')}.` : 'No joints.'),
        ];
    }

    joint(joint, i) {
        const rows = [];
        for (const cause of ['ideal', 'motor', 'stop', 'non_ideal']) {
            if (!joint[cause]) continue;
            const numbers = joint[cause].map((c) => c[i]);
            if (!numbers.some((x) => Number.isFinite(x) && x !== 0) && cause !== 'ideal') continue;
            const force = numbers.slice(0, 3), torque = numbers.slice(3);
            const short = (x) => Data.text(Number(x.toPrecision(3)));
            rows.push([Arrows.causes[cause].text, ...[...force, Data.norm(...force), ...torque, Data.norm(...torque)].map(short)]);
        }
        const unique = joint.unique_reaction && joint.unique_reaction[0][i];
        const word = unique > 0.5 ? 'Its reaction is unique.' : unique < 0.5
            ? 'Its reaction is not unique: redundant joints could carry part of it.' : 'Whether its reaction is unique was not determined.';
        const numbers = [];
        for (const [name, columns] of [['angle or position', joint.angle], ['rate', joint.rate]]) {
            const values = columns ? columns.map((c) => c[i]).filter(Number.isFinite) : [];
            if (values.length) numbers.push([name, ...values.map((x) => Data.text(x))]);
        }
        if (joint.power) numbers.push(['power', Data.text(joint.power[0][i], 'W')]);
        if (joint.gauss) numbers.push(["share of Gauss's function", Data.text(joint.gauss[0][i], 'N m/s²')]);
        if (joint.work) numbers.push(['work so far', Data.text(joint.work[i], 'J')]);
        return [
            this.paragraph(`${joint.type} of ${this.nameOf(joint.body_1)} and ${this.nameOf(joint.body_2)}. ${word}`),
            Tables.table('', null, numbers),
            Tables.table(`On ${this.nameOf(joint.body_1 === null ? joint.body_2 : joint.body_1)}: force [N], torque about its centre of mass [N m]`, ['cause', 'Fx', 'Fy', 'Fz', '|F|', 'Tx', 'Ty', 'Tz', '|T|'], rows),
        ];
    }

    paragraph(text) {
        const p = document.createElement('p');
        p.textContent = text;
        return p;
    }

    // what a screen reader, or paper, has instead of the picture: largest values of everything
    showAll() {
        const most = (columns) => {
            let size = 0;
            if (columns) for (let i = 0; i < columns[0].length; i++) size = Math.max(size, Data.norm(columns[0][i], columns[1][i], columns[2][i]) || 0);
            return Data.text(size);
        };
        const w = this.world;
        const bodies = w.bodies.slice(0, 300).map((b) => [b.label, Data.text(b.mass), most(b.v), most(b.w)]);
        const joints = w.joints.filter((j) => j.type !== 'contact').slice(0, 300).map((j) => [j.label, this.nameOf(j.body_1), this.nameOf(j.body_2),
            most(j.ideal), most(j.motor), most(j.stop), most(j.non_ideal), Data.text(j.work ? j.work[j.work.length - 1] : NaN),
            !j.unique_reaction ? '–' : j.unique_reaction[0].some((x) => x < 0.5) ? 'no' : j.unique_reaction[0].some((x) => x > 0.5) ? 'yes' : '–']);
        const events = w.events.slice(0, 300).map((e) => [Data.text(e.time, 's'), e.kind, e.text || '']);
        const tables = [Tables.table('Bodies, largest values of the run', ['body', 'mass [kg]', 'speed [m/s]', 'spin [rad/s]'], bodies)];
        if (joints.length)
            tables.push(Tables.table('Joints, largest forces of the run', ['joint', 'body 1', 'body 2', 'ideal [N]', 'motor [N]', 'stop [N]',
                'non-ideal [N]', 'work [J]', 'unique'], joints));
        if (events.length) tables.push(Tables.table('Events', ['time', 'kind', 'in words'], events));
        document.getElementById('table-of-all').replaceChildren(...tables);
    }
}
