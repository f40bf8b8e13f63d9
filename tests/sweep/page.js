// SPDX-License-Identifier: BSD-3-Clause
// A study's page in headless Chromium: no error, no request; runs are drawn, and a range of an axis chooses among them.
// Usage: node page.js PAGE [PICTURE]      PICTURE: where one of the whole page is to go
'use strict';

const fs = require('fs');
const {Browser} = require('../report/browser.js');

let failed = 0;
function check(what, good, detail = '') {
    if (good) return;
    failed++;
    console.error(`sweep: failed: ${what} ${detail}`);
}

async function look(b, file) {
    await b.call('Page.navigate', {url: `file://${fs.realpathSync(file)}`});
    await b.until('typeof Study !== "undefined" && Study.shown().length > 0');
    const runs = await b.value('Study.shown().length');
    const count = (selector) => b.value(`document.querySelectorAll(${JSON.stringify(selector)}).length`);
    check('a line a run', await count('#parallel polyline') === runs);
    check('a point a run', await count('#scatter .point') === runs, await count('#scatter .point'));
    check('boxes', await count('#boxes .box') > 1);
    check('numbers', !(await b.value('document.querySelector("main, body").innerText')).includes('NaN'));
    const [x, y, height] = await b.value(`(() => { const e = document.querySelector('#parallel .grip'); e.scrollIntoView({block: 'center'});
        const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y, r.height]; })()`);
    const mouse = (type, at) => b.call('Input.dispatchMouseEvent', {type, x, y: y + at * height, button: 'left', clickCount: 1});
    await mouse('mousePressed', 0.02);
    await mouse('mouseMoved', 0.5);
    await mouse('mouseReleased', 0.5);
    const chosen = await b.value('Study.shown().length');
    check('a range chooses', chosen > 0 && chosen < runs, `${chosen} of ${runs}`);
    check('and all pictures follow', await count('#scatter .point') === chosen && await count('#parallel .off') === runs - chosen);
    await b.clickOn('#all');
    check('all again', await b.value('Study.shown().length') === runs);
    check('no error', b.errors.length === 0, b.errors.join('; '));
    const asked = b.requests.filter((url) => !url.startsWith('file:'));
    check('no request', asked.length === 0, asked.join(' '));
}

(async () => {
    const b = await Browser.open(1300, 1100);
    await look(b, process.argv[2]).catch((error) => check(error.stack, false));
    if (process.argv[3]) fs.writeFileSync(process.argv[3], await b.picture('body'));
    await b.close();
    process.exit(failed ? 1 : 0);
})();
