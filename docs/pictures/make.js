// SPDX-License-Identifier: BSD-3-Clause
// The pictures of docs/tutorial.md, of the reports in one folder into another: see docs/pictures/make.
'use strict';

const path = require('path');
const browser = require('../../tests/report/browser.js');

const [from, to] = process.argv.slice(2);

async function take(page, name, actions, selector) {
    await page.evaluate(`(() => { ${actions} })()`);
    await page.waitForTimeout(300);
    await (selector ? page.locator(selector) : page).screenshot({path: path.join(to, `${name}.png`)});
}

(async () => {
    const b = await browser.open(1300, 900);
    try {
        await browser.report(b.page, path.join(from, 'walker.html'));
        await take(b.page, 'walker', 'Page.player.go(3)');
        await take(b.page, 'joint', 'Page.list.choose(Page.list.things.findIndex((x) => x.joint === 3)); Page.player.go(3);', '#right');
        await browser.report(b.page, path.join(from, 'four_bar.html'));
        await take(b.page, 'four_bar', 'Page.player.go(Page.player.end * 0.8)');
    } finally {
        await b.close();
    }
})();
