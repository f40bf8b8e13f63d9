// SPDX-License-Identifier: BSD-3-Clause
// A study's page in headless Chromium: no error, no request; runs are drawn, and a range of an axis chooses among them.
// Usage: node page.js PAGE [PICTURE]      PICTURE: where one of the whole page is to go
'use strict';

const {checks, open} = require('../report/browser.js');
const path = require('path');

const {check, failed} = checks('sweep');

async function look({page, errors, requests}, file) {
    await page.goto(`file://${path.resolve(file)}`);
    await page.waitForFunction(() => typeof Study !== 'undefined' && Study.shown().length > 0);
    const shown = () => page.evaluate(() => Study.shown().length);
    const count = (selector) => page.locator(selector).count();
    const runs = await shown();
    check('a line a run', await count('#parallel polyline') === runs);
    check('a point a run', await count('#scatter .point') === runs, await count('#scatter .point'));
    check('boxes', await count('#boxes .box') > 1);
    check('numbers', !(await page.locator('body').innerText()).includes('NaN'));
    const grip = page.locator('#parallel .grip').first();
    await grip.scrollIntoViewIfNeeded();
    const {x, y, width, height} = await grip.boundingBox();
    await page.mouse.move(x + width / 2, y + 0.02 * height);
    await page.mouse.down();
    await page.mouse.move(x + width / 2, y + 0.5 * height);
    await page.mouse.up();
    const chosen = await shown();
    check('a range chooses', chosen > 0 && chosen < runs, `${chosen} of ${runs}`);
    check('and all pictures follow', await count('#scatter .point') === chosen && await count('#parallel .off') === runs - chosen);
    await page.click('#all');
    check('all again', await shown() === runs);
    check('no error', errors.length === 0, errors.join('; '));
    check('no request', requests.length === 0, requests.join(' '));
}

(async () => {
    const browser = await open(1300, 1100);
    await look(browser, process.argv[2]).catch((error) => check(error.stack, false));
    if (process.argv[3]) await browser.page.screenshot({path: process.argv[3], fullPage: true});
    await browser.close();
    process.exit(failed() ? 1 : 0);
})();
