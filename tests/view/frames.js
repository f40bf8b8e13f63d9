// SPDX-License-Identifier: BSD-3-Clause
// `ukode view` of a program in headless Chromium without a graphics processor: frames received and drawn a second, and what
// a drawn frame costs Chromium's processes. Usage: node frames.js BUILD SECONDS CHAINS LINKS [crowd]
// crowd: the page is only shown until the program ends, and what the program prints is printed.
'use strict';

const path = require('path');
const {spawn} = require('child_process');
const browser = require('../report/browser.js');

const build = path.resolve(process.argv[2]), [seconds, chains, links] = process.argv.slice(3, 6).map(Number);
const passive = process.argv[6] === 'crowd';

// {child, address, printed}: of `ukode view` with the program, and what the program has printed once it has ended
function start() {
    const lasts = passive ? seconds : 3 * seconds + 60;
    const program = [path.join(build, 'tests', 'view', 'crowd'), chains, links, lasts].map(String);
    const child = spawn(path.join(build, 'ukode'), ['view', '--no-browser', '--', ...program], {stdio: ['ignore', 'pipe', 'pipe']});
    const printed = new Promise((resolve) => { child.stdout.on('data', (data) => { if (/late/.test(data)) resolve(String(data).trim()); }); });
    let told = '';
    return new Promise((resolve, reject) => {
        child.stderr.on('data', (data) => {
            told += data;
            const found = told.match(/http:\S+/);
            if (found) resolve({child, address: found[0], printed});
        });
        child.on('exit', () => reject(new Error(`ukode view ended: ${told}`)));
    });
}

// seconds of processor of each kind of process so far
async function processors(session) {
    const {processInfo} = await session.send('SystemInfo.getProcessInfo');
    const spent = {};
    for (const {type, cpuTime} of processInfo) spent[type] = (spent[type] || 0) + cpuTime;
    return spent;
}

const state = (page) => page.evaluate(() => ({drawn: Live.drawn, received: Live.frames, now: performance.now()}));

async function measure(page, session) {
    const before = [await state(page), await processors(session)];
    await page.waitForTimeout(1000 * seconds);
    const after = [await state(page), await processors(session)];
    const change = (what) => after[0][what] - before[0][what], passed = change('now') / 1000;
    const spent = Object.keys(after[1]).map((type) => [type, 1000 * (after[1][type] - (before[1][type] || 0)) / change('drawn')]);
    console.log(`received ${(change('received') / passed).toFixed(1)} frames a second, drawn ${(change('drawn') / passed).toFixed(1)}; processor [ms] a drawn frame: ` +
        spent.filter(([, x]) => x > 0.05).map(([type, x]) => `${type} ${x.toFixed(1)}`).join(', '));
}

(async () => {
    const run = await start(), b = await browser.open(1280, 800);
    try {
        await b.page.goto(run.address);
        if (passive) {
            console.log(`crowd: ${await run.printed}`);
        } else {
            while (!await b.page.evaluate('typeof Live !== "undefined" && Live.drawn > 100')) await b.page.waitForTimeout(100);
            const session = await b.page.context().browser().newBrowserCDPSession();
            const [bodies, calls] = await b.page.evaluate('[Live.world.bodies.length, Live.view.renderer.info.render.calls]');
            console.log(`${bodies} bodies, ${calls} draw calls`);
            for (let k = 0; k < 3; k++) await measure(b.page, session);
            console.log(`picture of ${(await b.page.evaluate('[Live.view.canvas.width, Live.view.canvas.height]')).join(' x ')} pixels`);
        }
    } finally {
        await b.close();
        run.child.removeAllListeners('exit');
        run.child.kill('SIGINT');
    }
})();
