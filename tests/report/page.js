// SPDX-License-Identifier: BSD-3-Clause
// The page in headless Chromium: no error, no request, and slider, keys, click and search do what they say.
// Usage: node page.js REPORT [PICTURE]    PICTURE: what the motion looks like at its middle; made where it is not there
'use strict';

const fs = require('fs');
const {Browser} = require('./browser.js');

let failed = 0;
function check(what, good, detail = '') {
    if (good) return;
    failed++;
    console.error(`report: failed: ${what} ${detail}`);
}

async function time(b) {
    const t = () => b.value('Page.player.time'), frame = () => b.value('Page.player.frame');
    await b.value('document.getElementById("slider").focus()');
    await b.key('Home');
    check('Home: the first frame', await frame() === 0);
    await b.key('ArrowRight');
    await b.key('ArrowRight');
    check('right arrow: one frame', await frame() === 2, await frame());
    await b.key('ArrowLeft');
    check('left arrow: one frame back', await frame() === 1);
    await b.key('End');
    check('End: the last frame', await frame() === await b.value('Page.world.frames - 1'));
    await b.clickOn('#slider');
    const middle = await t() / await b.value('Page.player.end');
    check('slider: a click in its middle is the middle', Math.abs(middle - 0.5) < 0.05, middle);
    await b.value('document.activeElement.blur()');
    const before = await t();
    await b.key(' ');
    await b.until(`Page.player.time > ${before} + 0.05`);
    await b.key(' ');
    check('space: plays, and stops', !await b.value('Page.player.playing'));
    await b.clickOn('.curve .plot');
    check('a click on a curve goes to its moment', Math.abs(await t() / await b.value('Page.player.end') - 0.5) < 0.1, await t());
    const cursors = await b.value('[...document.querySelectorAll(".curve .cursor")].map((c) => parseFloat(c.style.transform.slice(11)))');
    check('curves share their cursor', cursors.length > 4 && cursors.every((x) => Math.abs(x - cursors[0]) < 1), cursors);
}

async function choice(b) {
    const selected = () => b.value('Page.selected && Page.selected.label');
    await b.key('/');
    for (const letter of 'body 2') await b.key(letter);
    check('search: what is not meant is gone', await b.value('document.querySelectorAll("#list li").length < Page.list.things.length'));
    await b.key('Enter');
    check('search: Enter selects', await selected() === 'body 2', await selected());
    check('the selected one has its numbers', (await b.value('document.getElementById("details").textContent')).includes('speed'));
    check('and its curves', await b.value('document.querySelectorAll(".curve[data-name=thing]").length') > 0);
    await b.key('Escape');
    await b.key('Escape');
    check('Esc: nothing is selected', await selected() === null);
    await b.value('window.scrollTo(0, 0)');
    await b.value('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    const at = await b.value(`(() => { const v = Page.view, b = v.bodies[0], r = v.canvas.getBoundingClientRect();
        const p = b.group.position.clone().project(v.camera.eye);
        return [r.x + (p.x + 1) / 2 * r.width, r.y + (1 - p.y) / 2 * r.height]; })()`);
    await b.click(...at);
    check('a click in the picture selects', await selected() !== null, at);
}

async function sight(b) {
    const distance = () => b.value('Page.view.camera.distance');
    const before = await distance(), [x, y] = await b.middle('#view');
    await b.call('Input.dispatchMouseEvent', {type: 'mouseWheel', x, y, deltaX: 0, deltaY: -100});
    await b.until(`Page.view.camera.distance < ${before}`);
    await b.value('document.activeElement.blur()');
    await b.key('-');
    check('minus: farther', Math.abs(await distance() / before - 1) < 0.1);
    const turned = await b.value('Page.view.camera.azimuth');
    await b.key('l');
    check('l: the view turns', await b.value('Page.view.camera.azimuth') !== turned);
    await b.key('0');
    check('0: all in view', Math.abs(await distance() - await b.value('Page.view.camera.home.distance')) < 1e-9);
}

async function words(b) {
    const found = await b.value('Data.all.findings.length');
    if (found === 0) return check('a sound model: one line', (await b.value('document.getElementById("sound").textContent')).startsWith('Nothing wrong'));
    check('all findings are there', await b.value('document.querySelectorAll("#findings li").length') === found);
    await b.key('n');
    check('n: goes to the first finding', await b.value('document.querySelectorAll("#findings li.here").length') === 1);
    check('tables for a screen reader', await b.value('document.querySelectorAll("#table-of-all table").length') >= 1);
    return undefined;
}

// The picture (480 x 320, without text) beside the stored one. Other versions of the browser smooth edges otherwise: at
// most 2 % of the pixels may differ by more than 40 of 255 in a channel.
async function picture(b, file) {
    await b.value(`(() => { const v = Page.view; v.selected = null; v.canvas.style.width = '480px'; v.canvas.style.height = '320px';
        v.camera.reset(); Page.player.go(Page.player.end / 2); })()`);
    const now = await b.value('Page.view.draw(Page.player.time), Page.view.canvas.toDataURL()');
    if (!fs.existsSync(file)) return fs.writeFileSync(file, Buffer.from(now.split(',')[1], 'base64'));
    const stored = `data:image/png;base64,${fs.readFileSync(file).toString('base64')}`;
    const off = await b.value(`(async () => {
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
        const a = await pixels(${JSON.stringify(now)}), b = await pixels(${JSON.stringify(stored)});
        let off = 0;
        for (let i = 0; i < a.length; i += 4) off += [0, 1, 2].some((k) => Math.abs(a[i + k] - b[i + k]) > 40);
        return off / (a.length / 4);
    })()`);
    return check('the picture is the stored one', off <= 0.02, `${100 * off} % of the pixels differ`);
}

(async () => {
    const [report, stored] = process.argv.slice(2);
    const b = await Browser.open(1200, 900);
    try {
        await b.report(report);
        await words(b);
        await time(b);
        await choice(b);
        await sight(b);
        if (stored) await picture(b, stored);
        check('no error in the console', b.errors.length === 0, b.errors.join('\n'));
        const out = b.requests.filter((url) => !/^(file|data|blob):/.test(url));
        check('no request leaves the page', out.length === 0, out.join(' '));
    } finally {
        await b.close();
    }
    process.exit(failed ? 1 : 0);
})().catch((error) => {
    console.error(`report: failed: ${error.stack}`);
    process.exit(1);
});
