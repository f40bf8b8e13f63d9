// SPDX-License-Identifier: BSD-3-Clause
// The work curve of a run in which two causes do a billion times the work of the others: its axis shows the others, its
// button the two, and says how far they go. Usage: node scale.js REPORT
'use strict';

const browser = require('./browser.js');

const {check, failed} = browser.checks('report');

(async () => {
    const b = await browser.open(1200, 900);
    try {
        await browser.report(b.page, process.argv[2]);
        const chart = 'Page.curves.charts.find((c) => c.title.startsWith("Work"))';
        const axis = () => b.page.evaluate(`${chart}.graph.yAxisRange()`);
        const button = b.page.locator('.curve button.cut');
        const [low, high] = await axis();
        check('the axis is that of the energies', high > 5 && high < 100 && low < -5 && low > -100, `${low} ${high}`);
        check('the small causes are kept', await b.page.evaluate(`${chart}.series.some(([cause]) => cause === 'contact_normal')`));
        check('one curve is cut', await button.count() === 1, await button.count());
        check('how far the others go', /^axis cut: .*motors reaches 1\.3[0-9]e\+9 J/.test(await button.innerText()), await button.innerText());
        await button.click();
        const whole = await axis();
        check('its button shows them', whole[1] > 1e9 && whole[0] < -1e9, whole);
        await button.click();
        check('and cuts it again', (await axis())[1] === high, await axis());
    } finally {
        await b.close();
    }
    if (b.errors.length) console.log(b.errors.join('; '));
    process.exitCode = failed() || b.errors.length ? 1 : 0;
})().catch((error) => {
    console.error(`report: failed: ${error.message}`);
    process.exitCode = 1;
});
