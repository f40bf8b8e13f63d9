// SPDX-License-Identifier: BSD-3-Clause
// Plays a report, and counts its frames. Usage: node frames.js REPORT SECONDS
'use strict';

const browser = require('./browser.js');

// seconds of processor of each kind of process so far
async function processors(session) {
    const {processInfo} = await session.send('SystemInfo.getProcessInfo');
    const spent = {};
    for (const {type, cpuTime} of processInfo) spent[type] = (spent[type] || 0) + cpuTime;
    return spent;
}

// runs in the page: plays for so long; the times of its frames, and what drawing takes of each in the page itself [ms]
async function play(seconds) {
    const view = Page.view, draw = view.draw.bind(view), ends = [], inside = [];
    view.draw = (t) => {
        const begun = performance.now();
        draw(t);
        inside.push(performance.now() - begun);
        ends.push(performance.now());
    };
    document.getElementById('speed').value = '0.25'; // the motion lasts as long as is measured
    Page.player.go(0);
    Page.player.toggle();
    await new Promise((done) => setTimeout(done, 1000 * seconds));
    Page.player.stop();
    view.draw = draw;
    return {apart: ends.slice(1).map((t, i) => t - ends[i]), inside};
}

(async () => {
    const [report, seconds] = [process.argv[2], Number(process.argv[3])];
    const b = await browser.open(1400, 900);
    try {
        await browser.report(b.page, report);
        await b.page.evaluate(play, 2); // what is compiled is warm
        const session = await b.page.context().browser().newBrowserCDPSession();
        const before = await processors(session);
        const {apart, inside} = await b.page.evaluate(play, seconds);
        const after = await processors(session);
        const sorted = [...apart].sort((x, y) => x - y), at = (share) => sorted[Math.floor(share * (sorted.length - 1))].toFixed(1);
        const mean = (list) => list.reduce((sum, x) => sum + x, 0) / list.length;
        const size = await b.page.evaluate('[Page.world.bodies.length, Page.view.renderer.info.render.calls, Page.view.canvas.width, Page.view.canvas.height]');
        console.log(`${size[0]} bodies, ${size[1]} draw calls, ${size[2]} x ${size[3]} pixels`);
        console.log(`${(1000 / mean(apart)).toFixed(1)} frames a second; between frames ${at(0.5)} ms in the middle, ${at(0.95)} ms at the 95th of 100, ${at(1)} ms at most`);
        console.log(`drawing, in the page's own thread: ${mean(inside).toFixed(1)} ms a frame`);
        for (const type of Object.keys(after))
            console.log(`processor, ${type}: ${(1000 * (after[type] - (before[type] || 0)) / inside.length).toFixed(1)} ms a frame`);
    } finally {
        await b.close();
    }
})();
