// SPDX-License-Identifier: BSD-3-Clause
// The page of `ukode view` in headless Chromium: connect, pause, step, scrub, drag, slider, gravity, restart, reconnect, a
// second viewer, one that vanishes, new bodies, crash, end; watching changes neither the hash of a run nor its recording; no
// error, no request to anywhere else.
// Skipped (77) without Chromium, playwright-core, libmicrohttpd or libjs-three.
// Usage: node page.js BUILD [PICTURE]    PICTURE: written, what a viewer sees
'use strict';

const path = require('path');
const {spawn, spawnSync} = require('child_process');
const browser = require('../report/browser.js');

const {check, failed} = browser.checks('view');
const build = path.resolve(process.argv[2]), picture = process.argv[3];
const ukode = path.join(build, 'ukode'), swing = path.join(build, 'tests', 'view', 'swing');
const patience = Number(process.env.UKODE_PATIENCE || 300) * 1000; // [ms] for what takes a moment

// `ukode view` with a program: {process, address}
function start(...words) {
    const child = spawn(ukode, ['view', '--no-browser', ...words], {stdio: ['ignore', 'ignore', 'pipe']});
    let told = '';
    return new Promise((resolve, reject) => {
        child.stderr.on('data', (data) => {
            told += data;
            const found = told.match(/http:\S+/);
            if (found) resolve({child, address: found[0], told: () => told});
        });
        child.on('exit', () => reject(new Error(`ukode view ended: ${told}`)));
    });
}

const number = (page) => page.evaluate('Live.world ? Live.world.number[Live.world.frames - 1] : 0');

// polls: the page's policy permits no functions that are made of text
async function until(page, what) {
    const end = Date.now() + patience;
    while (Date.now() < end) {
        if (await page.evaluate(`Boolean(typeof Live !== 'undefined' && (${what}))`).catch(() => false)) return;
        await new Promise((resolve) => { setTimeout(resolve, 20); });
    }
    throw new Error(`it never came: ${what}`);
}

const heightOf = (key) => `Live.world.bodyOf.get(${key}).p[2].slice(-1)[0]`;

async function pauseAndStep(page) {
    await until(page, 'Live.paused');
    for (let k = 1; k <= 3; k++) {
        await page.click('#one');
        await until(page, `Live.world && Live.world.number[Live.world.frames - 1] === ${k}`);
    }
    await until(page, 'Live.view && Live.drawn > 0');
    await page.selectOption('#pace', '1');
    await page.click('#pause');
    await until(page, '!Live.paused && Live.world.time[Live.world.frames - 1] > 0.3');
    check('the button says what it does', await page.textContent('#pause') === 'Pause');
    await page.click('#pause');
    await until(page, 'Live.paused');
}

async function scrub(page) {
    await page.focus('#slider');
    await page.keyboard.press('Home');
    check('the first frame is shown', await page.evaluate('Live.player.frame === 0 && !Live.following'));
    await page.click('#one');
    await page.waitForTimeout(200);
    check('a new frame does not end the scrubbing', await page.evaluate('Live.player.frame === 0'));
    await page.click('#live');
    await until(page, 'Live.following && Live.player.frame === Live.world.frames - 1');
}

// where a body is on the screen
const pointOf = (page, key) => page.evaluate((body) => {
    const entry = Live.view.bodies.list.find((e) => e.thing.body === body), box = document.getElementById('view').getBoundingClientRect();
    const at = new THREE.Vector3().setFromMatrixPosition(entry.matrix).project(Live.view.camera.eye);
    return [box.left + (at.x + 1) / 2 * box.width, box.top + (1 - at.y) / 2 * box.height];
}, key);

async function drag(page) {
    await page.evaluate('Live.view.draw(Live.player.time)');
    const [x, y] = await pointOf(page, 2);
    await page.click('#pause');
    await until(page, '!Live.paused');
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y - 60, {steps: 5});
    await until(page, `${heightOf(2)} > 0.2`);
    await page.mouse.up();
    await until(page, `${heightOf(2)} < 0.12`);
    check('the view was not turned', await page.evaluate('Live.view.camera.atHome()'));
}

async function changes(page) {
    await page.selectOption('#joint', '1');
    await page.evaluate(() => {
        const [vel, fmax] = document.querySelectorAll('#motors input');
        fmax.value = fmax.max;
        vel.value = '-5';
        vel.dispatchEvent(new Event('input'));
    });
    const begin = await page.evaluate('Live.world.bodyOf.get(1).p.map((c) => c[c.length - 1])');
    await until(page, `Math.hypot(...Live.world.bodyOf.get(1).p.map((c, k) => c[c.length - 1] - ${JSON.stringify(begin)}[k])) > 0.3`);
    await page.click('#restart');
    await page.click('#gravity');
    await page.waitForTimeout(100);
    await page.click('#restart');
    check('a restart has gravity', await page.evaluate('document.getElementById("gravity").checked'));
}

// The picture is coarser while frames are skipped, and sharper again when none is; what was in vain is tried less often.
async function sharpness(page) {
    const [coarse, steady, sharp, patience] = await page.evaluate(() => {
        const s = new Sharpness({setPixelRatio: () => {}}, true, () => {}), seen = [];
        const frames = (count, skips) => { for (let k = 0; k < count; k++) s.received(skips > 0 && k % skips === 0); };
        frames(100, 3);
        seen.push(s.moving);
        frames(100, 50);
        seen.push(s.moving);
        frames(1000, 0);
        seen.push(s.moving);
        s.change(0.5, false);
        frames(200, 0);
        frames(20, 2);
        return [...seen, s.patience];
    });
    check('coarser where every third frame is skipped', coarse < 0.4, coarse);
    check('and so it stays where one in fifty is', steady === coarse, steady);
    check('sharp again', sharp === 1, sharp);
    check('a resolution that was too much is tried later', patience > 150, patience);
}

async function controlled(b) {
    const run = await start('--paused', '--', swing, '1000000');
    const {page} = b;
    await page.goto(run.address);
    await pauseAndStep(page);
    await sharpness(page);
    await scrub(page);
    await drag(page);
    await changes(page);
    const second = await b.browser.newPage();
    await second.goto(run.address);
    await until(second, 'Live.world && Live.frames > 2');
    await second.close();
    await page.reload();
    await until(page, 'Live.world && Live.frames > 2 && Live.drawn > 2');
    if (picture) await page.screenshot({path: picture});
    run.child.removeAllListeners('exit');
    run.child.kill('SIGTERM');
    await until(page, 'Live.ended || Live.lost');
}

async function remains(b, said) {
    await until(b.page, 'Live.ended && Live.world');
    check(`it says how it ended: ${said}`, (await b.page.textContent('#state')).includes(said), await b.page.textContent('#state'));
    await until(b.page, '!document.getElementById("report").hidden');
    const first = await number(b.page);
    await b.page.click('#first');
    check('what was seen can be scrubbed', first > 1 && await b.page.evaluate('Live.player.frame === 0'));
}

async function crashes(b) {
    const run = await start('--', swing, '1000', '1000', 'crash');
    run.child.removeAllListeners('exit');
    await b.page.goto(run.address);
    await remains(b, 'signal 6');
    run.child.kill('SIGINT');
}

// The run and its recording are those of a run that nobody watches: while two pages show it, of which one vanishes and
// another comes; bodies are new in it.
async function watched(b) {
    const words = ['--hash', '--', swing, '1200', '1000', 'spawn'], hash = (text) => (text.match(/hash of the final state ([0-9a-f]{32})/) || [])[1];
    const alone = spawnSync(ukode, ['run', ...words], {encoding: 'utf8'}), run = await start('--paused', ...words);
    await b.page.goto(run.address);
    const other = await b.browser.newPage();
    await other.goto(run.address);
    for (const page of [b.page, other]) await until(page, 'Live.paused');
    await b.page.click('#pause');
    await until(other, 'Live.world && Live.frames > 3');
    await other.close();
    const again = await b.browser.newPage();
    await again.goto(run.address);
    for (const page of [b.page, again]) await until(page, 'Live.ended && Live.world');
    const last = [await number(b.page), await number(again)]; // a recording has 60 frames per simulated second
    check('a page that comes back has the run to its end', last.every((step) => step > 1200 - 17), last.join(' '));
    check('new bodies are there', await b.page.evaluate('Live.world.bodies.length > 10'));
    await again.close();
    await remains(b, 'status 0');
    check('the recording has all steps', await b.page.evaluate('fetch("report").then((r) => r.text()).then((t) => /"steps":1200\\b/.test(t))'));
    run.child.removeAllListeners('exit');
    const ended = new Promise((resolve) => { run.child.on('exit', resolve); });
    run.child.kill('SIGINT');
    await ended;
    check('a passive viewer does not change the run', hash(alone.stderr) && hash(alone.stderr) === hash(run.told()), run.told());
}

function skip(why) {
    console.log(`view: skipped: ${why}`);
    process.exit(77);
}

(async () => {
    const lacks = browser.missing(), refused = spawnSync(ukode, ['view', '--no-browser', '--close', '--', '/bin/true'], {encoding: 'utf8'}).stderr;
    if (lacks) skip(`no ${lacks} here (.ci/dependencies ci installs it)`);
    if (/Debian: lib/.test(refused)) skip(refused);
    const b = await browser.open(480, 640);
    b.browser = b.page.context().browser();
    try {
        await controlled(b);
        check('no error', b.errors.filter((e) => !/ERR_|Failed to load/.test(e)).length === 0, b.errors.join('; '));
        await watched(b);
        await crashes(b);
        const away = b.requests.filter((url) => !url.startsWith('http://127.0.0.1:'));
        check('no request to anywhere else', away.length === 0, away.join(' '));
        check('no error', b.errors.filter((e) => !/ERR_|Failed to load/.test(e)).length === 0, b.errors.join('; '));
    } finally {
        await b.close();
    }
    process.exit(failed() ? 1 : 0);
})().catch((error) => {
    console.log(error.stack);
    process.exit(1);
});
