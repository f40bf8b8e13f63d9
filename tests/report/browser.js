// SPDX-License-Identifier: BSD-3-Clause
// Reports in headless Chromium, by playwright-core: what the tests of the page and docs/pictures/make share.
'use strict';

const fs = require('fs');
const os = require('os');
const path = require('path');

const patience = 300000; // [ms] for what takes a moment, of a slow or loaded machine
const names = ['chromium', 'chromium-browser', 'google-chrome'];

// a package where Node finds it, or where .ci/dependencies has put it; null: nowhere
function find(name) {
    const cache = path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'ukode');
    try {
        return require.resolve(name, {paths: [__dirname, cache]});
    } catch (error) {
        return null;
    }
}

function playwright() {
    const file = find('playwright-core');
    return file && require(file);
}

// the file of axe-core, or null
const axe = () => find('axe-core/axe.min.js');

function executable() {
    const files = (process.env.PATH || '').split(':').flatMap((folder) => names.map((name) => path.join(folder, name)));
    return files.find((file) => fs.existsSync(file));
}

// what a test needs and this machine lacks, in words; '': nothing
function missing() {
    const lacks = [[executable(), 'chromium'], [playwright(), 'playwright-core']].filter(([there]) => !there).map(([, name]) => name);
    return lacks.join(' and ');
}

// A page of this size, drawn without a graphics processor; `errors` of its console and `requests` that leave it.
async function open(width, height, options = {}) {
    const browser = await playwright().chromium.launch({executablePath: executable(),
        args: ['--enable-unsafe-swiftshader'], timeout: patience});
    const page = await browser.newPage({viewport: {width, height}, ...options});
    page.setDefaultTimeout(patience);
    const errors = [], requests = [];
    page.on('pageerror', (error) => errors.push(error.stack));
    page.on('console', (message) => { if (message.type() === 'error') errors.push(message.text()); });
    page.on('request', (request) => { if (!/^(file|data|blob):/.test(request.url())) requests.push(request.url()); });
    return {page, errors, requests, close: () => browser.close()};
}

// opens a report, and waits until it is drawn
async function report(page, file) {
    await page.goto(`file://${path.resolve(file)}`);
    await page.waitForFunction(() => typeof Page !== 'undefined' && Page.drawn > 0);
}

// check(what, good, detail) tells what is not as it should be, on behalf of `who`; failed() counts that
function checks(who) {
    let count = 0;
    const check = (what, good, detail = '') => {
        if (good) return;
        count++;
        console.error(`${who}: failed: ${what} ${detail}`);
    };
    return {check, failed: () => count};
}

module.exports = {axe, checks, missing, open, report};
