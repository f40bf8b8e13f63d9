// SPDX-License-Identifier: BSD-3-Clause
// The pictures of docs/tutorial.md, of the reports in one folder into another: see docs/pictures/make.
'use strict';

const fs = require('fs');
const path = require('path');
const {Browser} = require('../../tests/report/browser.js');

const [from, to] = process.argv.slice(2);
const settled = 'new Promise((done) => setTimeout(done, 300))';

async function take(b, name, actions, selector) {
    await b.value(`(() => { ${actions} })()`);
    await b.value(settled);
    fs.writeFileSync(path.join(to, `${name}.png`), await b.picture(selector));
}

(async () => {
    const b = await Browser.open(1300, 900);
    try {
        await b.report(path.join(from, 'walker.html'));
        await take(b, 'walker', 'Page.player.go(3)');
        await take(b, 'joint', 'Page.list.choose(Page.list.things.findIndex((x) => x.joint === 3)); Page.player.go(3);', '#right');
        await b.report(path.join(from, 'four_bar.html'));
        await take(b, 'four_bar', 'Page.player.go(Page.player.end * 0.8)');
    } finally {
        await b.close();
    }
})();
