// SPDX-License-Identifier: BSD-3-Clause
// What was found, worst first: a click goes to the moment, and selects the body or joint.
'use strict';

class Findings {
    constructor(found, sound, parting, world, go) {
        this.go = go;
        this.items = found.map((f) => Findings.of(f, world.world)).filter((f) => f);
        this.list = document.getElementById('findings');
        this.at = -1;
        const line = document.getElementById('sound'), apart = document.getElementById('parting');
        line.hidden = this.items.length > 0;
        line.textContent = sound;
        apart.hidden = !parting;
        apart.textContent = parting || '';
        this.list.replaceChildren(...this.items.map((finding, i) => this.item(finding, i)));
    }

    // Of findings that are alike those of this world: the first of them, and the others as `alike`; null: none.
    static of(finding, world) {
        const [first, ...alike] = [finding, ...(finding.alike || [])].filter((f) => f.world === null || f.world === world);
        return first ? {...finding, ...first, alike} : null;
    }

    item(finding, i) {
        const item = document.createElement('li');
        item.className = finding.severity;
        const span = (name, text) => {
            const element = document.createElement('span');
            element.className = name;
            element.textContent = text;
            return element;
        };
        const times = finding.alike.length ? `, ${finding.alike.length + 1} times` : '';
        item.append(span('what', `${finding.severity}${times}: ${finding.what}`), ' ');
        if (finding.time !== null) {
            const button = document.createElement('button');
            button.type = 'button';
            button.textContent = `at ${Data.text(finding.time, 's')}`;
            button.onclick = () => this.goTo(i);
            item.append(button, ' ');
        }
        item.append(span('more', `${finding.cause} `), span('remedy', finding.remedy));
        if (finding.alike.length) item.append(this.others(finding, span));
        return item;
    }

    // those that are alike, to be opened: each goes to its own moment
    others(finding, span) {
        const details = document.createElement('details'), summary = document.createElement('summary');
        summary.textContent = `the other ${finding.alike.length}`;
        details.append(summary, ...finding.alike.map((other) => {
            const item = document.createElement('div'), button = document.createElement('button');
            button.type = 'button';
            button.textContent = other.name || 'go there';
            button.onclick = () => this.go(other);
            item.append(button, ' ', span('more', other.what));
            return item;
        }));
        return details;
    }

    goTo(i) {
        if (!this.items[i]) return;
        this.at = i;
        [...this.list.children].forEach((item, k) => item.classList.toggle('here', k === i));
        this.list.children[i].scrollIntoView({block: 'nearest'});
        this.go(this.items[i]);
    }

    next(step) {
        if (this.items.length) this.goTo((this.at + step + this.items.length) % this.items.length);
    }
}
