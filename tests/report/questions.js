// SPDX-License-Identifier: BSD-3-Clause
// The questions of the tutorial, asked of the walker's page as a new user would: what is clicked and pressed is counted
// from the page's opening on, and what then answers must be in sight. At most three acts a question.
// Usage: node questions.js WALKER FOUR_BAR BOTH      (pages; BOTH: the walker's with another run as a ghost)
'use strict';

const browser = require('./browser.js');

const {check, failed} = browser.checks('report');

// The hands of a user: everything that is done counts, scrolling to what is not in sight as well.
class Hands {
    constructor(page) {
        this.page = page;
        this.acts = 0;
    }

    async click(selector) {
        this.acts++;
        await this.page.click(selector);
    }

    async press(key) {
        this.acts++;
        await this.page.keyboard.press(key);
    }

    // the text of what is there, brought into sight
    async read(selector) {
        const at = this.page.locator(selector).first();
        const inSight = await at.evaluate((element) => {
            const r = element.getBoundingClientRect();
            return r.top >= 0 && r.bottom <= window.innerHeight && element.checkVisibility();
        });
        if (!inSight) {
            this.acts++;
            await at.scrollIntoViewIfNeeded();
        }
        return at.innerText();
    }
}

const curve = (title) => `.curve:has(h3:text("${title}"))`;

const questions = [
    ['what is wrong with the model', 'walker', async (hands) => {
        check('a finding in words, with its remedy', (await hands.read('#findings li .what')).length > 10 && (await hands.read('#findings li .remedy')).length > 10);
        await hands.click('#findings li button');
        check('and its moment', Math.abs(await hands.page.evaluate('Page.player.time - Page.findings.items[0].time')) < 0.02);
    }],
    ['what it looks like', 'walker', async (hands) => {
        const drawn = await hands.page.evaluate('Page.drawn');
        await hands.click('#play');
        await hands.page.waitForFunction((n) => Page.player.time > 0.1 && Page.drawn > n + 1, drawn);
    }],
    ['what pulls in joint 3, and why', 'walker', async (hands) => {
        await hands.click('#list li:text-matches("^hinge 3:")');
        await hands.press('End');
        const text = await hands.read('#details');
        check('its reaction by cause', /ideal\s+-?\d/.test(text) && /motor\s+-?\d/.test(text), text);
        check('whether it is unique', /reaction is unique/.test(text), text);
        check('over time', await hands.page.locator(curve('hinge 3: torque by cause')).count() === 1);
    }],
    ['why it loses energy', 'walker', async (hands) => {
        await hands.press('End');
        const text = await hands.read(`${curve('Work since the start')} .key`);
        check('the ledger by cause', /motors -?\d/.test(text) && /integration -?\d/.test(text), text);
    }],
    ['which joint is redundant, and which to change', 'four_bar', async (hands) => {
        const text = await hands.read('#findings li:has-text("redundant joints")');
        check('the joints and how many rows', /hinge 1, hinge 2, hinge 3, hinge 4 have 3 redundant rows/.test(text), text);
        check('what to change', /ball|universal|slider/.test(await hands.read('#findings li:has-text("redundant joints") .remedy')), text);
    }],
    ['what is different from before', 'both', async (hands) => {
        check('where they part, in words', /diverge at step \d+/.test(await hands.read('#parting')));
        check('the other run is drawn', await hands.page.isChecked('#show-ghost'));
        await hands.click('#play');
        await hands.page.waitForFunction(() => Page.player.time > 0.1);
    }],
];

(async () => {
    const [walker, four_bar, both] = process.argv.slice(2), pages = {walker, four_bar, both};
    const b = await browser.open(1400, 900);
    try {
        for (const [question, name, answer] of questions) {
            const begun = Date.now(), hands = new Hands(b.page);
            await browser.report(b.page, pages[name]);
            await answer(hands);
            const seconds = (Date.now() - begun) / 1000;
            console.log(`${question}: ${hands.acts} acts, ${seconds.toFixed(1)} s`);
            check(`${question}: at most three acts`, hands.acts <= 3, hands.acts);
        }
    } finally {
        await b.close();
    }
    process.exitCode = failed() ? 1 : 0;
})().catch((error) => {
    console.error(`report: failed: ${error.message}`);
    process.exitCode = 1;
});
