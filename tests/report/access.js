// SPDX-License-Identifier: BSD-3-Clause
// What axe-core finds against the page's accessibility (WCAG 2.1 A and AA, and its best practices), in light and in dark,
// with nothing and with a joint selected, everything unfolded. Usage: node access.js PAGE...
// PAGE: a report, or a study's
'use strict';

const fs = require('fs');
const path = require('path');
const browser = require('./browser.js');

// what is wrong with the page as it is, in words
async function wrong(page) {
    const found = await page.evaluate(() => window.axe.run(document, {resultTypes: ['violations']}));
    return found.violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id} (${rule.impact}): ${node.target.join(' ')}: ` +
        node.failureSummary.split('\n').slice(1).join(';')));
}

async function look(report, colorScheme) {
    const b = await browser.open(1400, 900, {colorScheme, bypassCSP: true}); // axe-core itself is let in
    const all = [];
    try {
        await b.page.goto(`file://${path.resolve(report)}`);
        await b.page.waitForFunction(() => typeof Study !== 'undefined' || (typeof Page !== 'undefined' && Page.drawn > 0));
        await b.page.evaluate(fs.readFileSync(browser.axe(), 'utf8'));
        await b.page.evaluate('for (const more of document.querySelectorAll("details")) more.open = true');
        all.push(...await wrong(b.page));
        if (await b.page.evaluate('typeof Page !== "undefined" && Page.list !== null')) {
            await b.page.evaluate('Page.list.choose(Page.list.things.length - 1)');
            all.push(...(await wrong(b.page)).filter((text) => !all.includes(text)));
        }
    } finally {
        await b.close();
    }
    for (const text of all) console.error(`report: failed: ${report}, ${colorScheme}: ${text}`);
    return all.length;
}

(async () => {
    let failed = 0;
    for (const report of process.argv.slice(2)) {
        for (const theme of ['light', 'dark']) failed += await look(report, theme);
    }
    process.exitCode = failed ? 1 : 0;
})();
