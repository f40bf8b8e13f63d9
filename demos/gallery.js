// SPDX-License-Identifier: BSD-3-Clause
// A picture of each report NAME.html in a folder, at two fifths of its run: NAME.png. Usage: gallery.js FOLDER NAME...
'use strict';

const path = require('path');
const browser = require('../tests/report/browser.js');

const [folder, ...names] = process.argv.slice(2);

(async () => {
    const b = await browser.open(900, 700);
    try {
        for (const name of names) {
            await browser.report(b.page, path.join(folder, `${name}.html`));
            await b.page.evaluate('Page.player.go(Page.player.end * 0.4)');
            await b.page.waitForTimeout(200);
            await b.page.locator('#view').screenshot({path: path.join(folder, `${name}.png`)});
        }
    } finally {
        await b.close();
    }
})();
