// SPDX-License-Identifier: BSD-3-Clause
// Opens a report: each of its worlds is drawn, plays, and answers a selection; no error, no request.
// Usage: node opens.js REPORT
'use strict';

const browser = require('./browser.js');

(async () => {
    const b = await browser.open(1200, 900);
    let worlds = 0, told = '';
    try {
        await browser.report(b.page, process.argv[2]);
        worlds = await b.page.evaluate('Data.all.worlds.length');
        for (let i = 0; i < worlds; i++) {
            if (i > 0) await b.page.selectOption('#world', String(i));
            for (const box of ['trails', 'grid']) await b.page.locator(`#show-${box}`).check();
            await b.page.selectOption('#gaps', '100');
            await b.page.selectOption('#speed', '5');
            await b.page.click('#play');
            await b.page.waitForTimeout(700);
            await b.page.evaluate('Page.player.stop()');
            for (const kind of ['body', 'joint'])
                await b.page.evaluate((k) => { const at = Page.list.things.findIndex((x) => x.kind === k); if (at >= 0) Page.list.choose(at); }, kind);
            await b.page.evaluate('Page.player.go(Page.player.end / 2), Page.view.draw(Page.player.time)');
            await b.page.keyboard.press('n');
        }
        told = await b.page.evaluate('`${Page.world.bodies.length} bodies, ${Page.world.frames} moments`');
        if (worlds === 0 || await b.page.evaluate('Page.view === null')) b.errors.push('nothing is drawn');
    } finally {
        await b.close();
    }
    if (b.errors.length || b.requests.length) {
        console.log([...b.errors, ...b.requests.map((url) => `asks for ${url}`)].join('; '));
        process.exit(1);
    }
    console.log(`${worlds === 1 ? '' : `${worlds} worlds, `}${told}`);
})().catch((error) => {
    console.log(error.stack);
    process.exit(1);
});
