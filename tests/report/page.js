// SPDX-License-Identifier: BSD-3-Clause
// The page in headless Chromium: no error, no request, and slider, keys, click and search do what they say.
// Usage: node page.js REPORT [PICTURE]    PICTURE: what the motion looks like at its middle; made where it is not there
'use strict';

const fs = require('fs');
const browser = require('./browser.js');

const {check, failed} = browser.checks('report');

const value = (page, text) => page.evaluate(text);

async function time(page) {
    const t = () => value(page, 'Page.player.time'), frame = () => value(page, 'Page.player.frame');
    const share = async () => await t() / await value(page, 'Page.player.end');
    await page.focus('#slider');
    await page.keyboard.press('Home');
    check('Home: the first frame', await frame() === 0);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    check('right arrow: one frame', await frame() === 2, await frame());
    await page.keyboard.press('ArrowLeft');
    check('left arrow: one frame back', await frame() === 1);
    await page.keyboard.press('End');
    check('End: the last frame', await frame() === await value(page, 'Page.world.frames - 1'));
    await page.click('#slider');
    check('slider: a click in its middle is the middle', Math.abs(await share() - 0.5) < 0.05, await share());
    await page.selectOption('#speed', '0.1'); // not at its end before the second press
    await value(page, 'document.activeElement.blur()');
    const before = await t();
    await page.keyboard.press(' ');
    await page.waitForFunction((t) => Page.player.time > t + 0.05, before);
    await page.keyboard.press(' ');
    check('space: plays, and stops', !await value(page, 'Page.player.playing'));
    await page.click('.curve .plot');
    check('a click on a curve goes to its moment', Math.abs(await share() - 0.5) < 0.1, await t());
    const cursors = await value(page, '[...document.querySelectorAll(".curve .cursor")].map((c) => parseFloat(c.style.transform.slice(11)))');
    check('curves share their cursor', cursors.length > 4 && cursors.every((x) => Math.abs(x - cursors[0]) < 1), cursors);
}

async function choice(page) {
    const selected = () => value(page, 'Page.selected && Page.selected.label');
    await page.keyboard.press('/');
    await page.keyboard.type('body 2');
    check('search: what is not meant is gone', await value(page, 'document.querySelectorAll("#list li").length < Page.list.things.length'));
    await page.keyboard.press('Enter');
    check('search: Enter selects', await selected() === 'body 2', await selected());
    check('the selected one has its numbers', (await page.textContent('#details')).includes('speed'));
    check('and its curves', await page.locator('.curve[data-name=thing]').count() > 0);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    check('Esc: nothing is selected', await selected() === null);
    await value(page, 'window.scrollTo(0, 0)');
    await value(page, 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    const at = await value(page, `(() => { const v = Page.view, r = v.canvas.getBoundingClientRect();
        Data.pose(v.world, v.world.bodies[0], Page.player.time, v.p, v.q);
        const p = v.p.clone().project(v.camera.eye);
        return [r.x + (p.x + 1) / 2 * r.width, r.y + (1 - p.y) / 2 * r.height]; })()`);
    await page.mouse.click(...at);
    check('a click in the picture selects', await selected() !== null, at);
}

async function sight(page) {
    const distance = () => value(page, 'Page.view.camera.distance');
    const before = await distance();
    await page.hover('#view');
    await page.mouse.wheel(0, -100);
    await page.waitForFunction((d) => Page.view.camera.distance < d, before);
    await value(page, 'document.activeElement.blur()');
    await page.keyboard.press('-');
    check('minus: farther', Math.abs(await distance() / before - 1) < 0.1);
    const turned = await value(page, 'Page.view.camera.azimuth');
    await page.keyboard.press('l');
    check('l: the view turns', await value(page, 'Page.view.camera.azimuth') !== turned);
    await page.keyboard.press('0');
    check('0: all in view', Math.abs(await distance() - await value(page, 'Page.view.camera.home.distance')) < 1e-9);
}

// what each box under "Show" switches is drawn: pieces of it in the picture, with and without
async function parts(page) {
    const pieces = () => value(page, 'Page.view.draw(Page.player.time), Page.view.renderer.info.render.triangles + Page.view.renderer.info.render.lines');
    await value(page, 'Page.player.go(Page.player.end / 2)');
    for (const what of ['shapes', 'joints', 'forces', 'grid', 'trails']) {
        const box = page.locator(`#show-${what}`), before = await box.isChecked(), shown = await pieces();
        await box.setChecked(!before);
        const other = await pieces();
        check(`${what} are drawn where they are wanted`, before ? other < shown : other > shown, `${shown} ${other}`);
        await box.setChecked(before);
    }
}

async function words(page) {
    const found = await value(page, 'Data.all.findings.length');
    if (found === 0) return check('a sound model: one line', (await page.textContent('#sound')).startsWith('Nothing wrong'));
    check('all findings are there', await page.locator('#findings li').count() === found);
    await page.keyboard.press('n');
    check('n: goes to the first finding', await page.locator('#findings li.here').count() === 1);
    check('tables for a screen reader', await page.locator('#table-of-all table').count() >= 1);
    return undefined;
}

// the work by cause, where it is drawn: causes that arrows have, too, are of the arrows' colours; its axis has numbers
async function ledger(page) {
    const chart = 'Page.curves.charts.find((c) => c.value)';
    if (!await value(page, `!!${chart}`)) return;
    const pairs = {ideal: 'ideal', motors: 'motor', stops: 'stop', contact_normal: 'contact', contact_friction: 'friction', nonideal: 'non_ideal'};
    const other = await value(page, `Object.entries(${JSON.stringify(pairs)}).filter(([work, arrow]) => Arrows.works[work] !== Arrows.causes[arrow].colour)
        .concat(${chart}.series.filter(([cause, , colour]) => Arrows.works[cause] !== colour))`);
    check('causes: colours of arrows and curves agree', other.length === 0, other);
    const labels = await value(page, `${chart}.plot.querySelectorAll('.dygraph-axis-label-y').length`);
    check('work by cause: more than one number on its axis', labels >= 2, labels);
}

// A kind of solid in a material of its own begins with the draw that first shows it: that picture, and the next one of the
// same moment, agree (but for pixels where surfaces coincide), and what was asked for is in it. Copies merged into one mesh
// look like instances.
async function firstDraws(page) {
    const off = await value(page, `(() => {
        const view = Page.view, small = document.createElement('canvas'), [width, height] = [small.width, small.height] = [480, 320];
        const picture = () => {
            view.draw(Page.player.time);
            small.getContext('2d').drawImage(view.canvas, 0, 0, width, height);
            return small.getContext('2d').getImageData(0, 0, width, height).data;
        };
        const apart = (a, b) => {
            let count = 0;
            for (let i = 0; i < a.length; i += 4) count += [0, 1, 2].some((k) => Math.abs(a[i + k] - b[i + k]) > 40);
            return count / (width * height);
        };
        const twice = (set) => {
            view.solids.forEach((copies) => view.scene.remove(copies.mesh));
            view.solids.copies.clear();
            set();
            return [picture(), picture()];
        };
        const body = view.world.bodies[0], joint = view.joints.list.length ? view.joints.list[0].thing : null;
        const plain = twice(() => { view.selected = null; });
        const shown = {'nothing selected': [apart(...plain), 1]}, {most} = Copies;
        let merged = 0;
        view.solids.forEach((copies) => { merged += copies instanceof Merged; });
        Copies.most = 0;
        shown['instances, not merged'] = [apart(plain[0], twice(() => {})[0]), merged];
        Copies.most = most;
        for (const [name, set] of [['a body selected', () => { view.selected = body; }], ['a joint selected', () => { view.selected = joint; }],
            ['no shapes', () => { view.selected = null; view.show.shapes = false; }]]) {
            const pair = twice(set);
            shown[name] = [apart(...pair), apart(plain[0], pair[0])];
        }
        view.show.shapes = true;
        return shown;
    })()`);
    for (const [name, [twice, plain]] of Object.entries(off)) {
        check(`${name}: the first picture and the second agree`, twice < 0.003, twice);
        check(`${name}: the picture shows it`, plain > 1e-5, plain);
    }
}

// At first, all bodies are in the window at all times.
async function wholeView(page) {
    const reach = await value(page, `(() => { const v = Page.view; let most = 0;
        v.draw(Page.player.time);
        for (const at of v.points) { const p = at.clone().project(v.camera.eye); most = Math.max(most, Math.abs(p.x), Math.abs(p.y)); }
        return most; })()`);
    check('the first view fills the window', reach > 0.6 && reach <= 1, reach);
}

async function transport(page) {
    await page.selectOption('#speed', '100');
    await page.click('#loop');
    await page.click('#last');
    check('last frame', await value(page, 'Page.player.frame') === await value(page, 'Page.world.frames - 1'));
    await page.click('#play');
    await page.waitForFunction(() => Page.player.playing && Page.player.frame < Page.world.frames - 1);
    check('loop: it goes on from the beginning', await value(page, 'Page.player.playing'));
    await page.click('#loop');
    await page.waitForFunction(() => !Page.player.playing);
    check('without loop: it stops at the end', await value(page, 'Page.player.time >= Page.player.end'));
    await page.click('#first');
    check('first frame', await value(page, 'Page.player.frame') === 0);
    await page.selectOption('#speed', '1');
}

// curves: a unit on each axis; their numbers and picture as files; several joints in one
async function curves(page) {
    const axes = await value(page, '[...document.querySelectorAll(".curve .plot")].filter((p) => !/\\[.+\\]/.test((p.querySelector(".dygraph-ylabel") || {}).textContent) || !/\\[s\\]/.test((p.querySelector(".dygraph-xlabel") || {}).textContent)).length');
    check('each axis has its unit', axes === 0, axes);
    const lines = (await value(page, 'Download.csvText(Page.curves.charts[0])')).split('\r\n');
    const [time, kinetic, unit] = await value(page, '[Page.world.time[3], Page.world.curves.kinetic_energy[3], Page.world.curves.kinetic_energy.unit]');
    check('CSV: a line per frame', lines.length === await value(page, 'Page.world.frames') + 2, lines.length);
    check('CSV: names with units', lines[0].startsWith('time [s],kinetic [J]'), lines[0]);
    check('CSV: the numbers of the curve', lines[4].split(',').slice(0, 2).map(Number).every((x, i) => Math.abs(x - [time, kinetic][i]) <= [1e-6 * time, unit][i]), lines[4]);
    check('CSV: times without the rounding of the page', lines.slice(1, 9).every((line) => line.split(',')[0].length <= 6), lines[4]);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('.curve:not([data-name]) .save button:first-child')]);
    check('CSV: a file of the curve\'s name', download.suggestedFilename() === 'energy.csv', download.suggestedFilename());
    const drawn = await value(page, `(() => { const c = Download.picture(Page.curves.charts[0]), data = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
        const colours = new Set(); for (let i = 0; i < data.length; i += 4) colours.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]); return [c.width, colours.size]; })()`);
    check('PNG: the curve is in it', drawn[0] > 300 && drawn[1] > 10, drawn);
    const joints = await value(page, 'Page.world.joints.filter((j) => j.type !== "contact").length');
    if (joints < 2) return;
    await page.fill('#search', '');
    const items = page.locator('#list li').filter({hasText: / and /});
    await items.nth(0).click();
    await items.nth(1).click({modifiers: ['Shift']});
    const series = await value(page, 'Page.curves.charts.filter((c) => c.box.dataset.name === "thing").map((c) => c.series.length)');
    check('Shift and click: two joints in the same curves', series.length > 0 && series.every((n) => n === 2), series);
    await items.nth(1).click({modifiers: ['Shift']});
    check('Shift and click again: one', await value(page, 'Page.beside.length') === 0);
    await page.keyboard.press('Escape');
}

// The picture (480 x 320, without text) beside the stored one. Other versions of the browser smooth edges otherwise: at
// most 2 % of the pixels may differ by more than 40 of 255 in a channel.
async function picture(page, file) {
    await value(page, `(() => { const v = Page.view; v.selected = null; v.canvas.style.width = '480px'; v.canvas.style.height = '320px';
        v.camera.reset(); Page.player.go(Page.player.end / 2); })()`);
    await page.waitForFunction(() => Page.view.canvas.width === 480); // what stands is sharp
    const now = await value(page, 'Page.view.draw(Page.player.time), Page.view.canvas.toDataURL()');
    if (!fs.existsSync(file)) return fs.writeFileSync(file, Buffer.from(now.split(',')[1], 'base64'));
    const stored = `data:image/png;base64,${fs.readFileSync(file).toString('base64')}`;
    const off = await page.evaluate(async (pictures) => {
        const pixels = async (url) => {
            const image = new Image();
            image.src = url;
            await image.decode();
            const canvas = document.createElement('canvas');
            [canvas.width, canvas.height] = [480, 320];
            const context = canvas.getContext('2d');
            context.drawImage(image, 0, 0);
            return context.getImageData(0, 0, 480, 320).data;
        };
        const [a, b] = await Promise.all(pictures.map(pixels));
        let count = 0;
        for (let i = 0; i < a.length; i += 4) count += [0, 1, 2].some((k) => Math.abs(a[i + k] - b[i + k]) > 40);
        return count / (a.length / 4);
    }, [now, stored]);
    return check('the picture is the stored one', off <= 0.02, `${100 * off} % of the pixels differ`);
}

(async () => {
    const [report, stored] = process.argv.slice(2);
    const b = await browser.open(1200, 900);
    try {
        await browser.report(b.page, report);
        await firstDraws(b.page);
        await wholeView(b.page);
        await words(b.page);
        await ledger(b.page);
        await transport(b.page);
        await curves(b.page);
        await time(b.page);
        await choice(b.page);
        await sight(b.page);
        await parts(b.page);
        if (stored) await picture(b.page, stored);
        check('no error in the console', b.errors.length === 0, b.errors.join('\n'));
        check('no request leaves the page', b.requests.length === 0, b.requests.join(' '));
    } finally {
        await b.close();
    }
    process.exit(failed() ? 1 : 0);
})().catch((error) => {
    console.error(`report: failed: ${error.stack}`);
    process.exit(1);
});
