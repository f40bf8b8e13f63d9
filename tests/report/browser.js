// SPDX-License-Identifier: BSD-3-Clause
// A headless Chromium, driven over a pipe (its DevTools protocol): what the tests of the page and docs/pictures/make need
// of it, without another package than nodejs.
'use strict';

const {spawn} = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const names = ['chromium', 'chromium-browser', 'google-chrome'];

function find() {
    for (const folder of (process.env.PATH || '').split(':'))
        for (const name of names) if (fs.existsSync(path.join(folder, name))) return path.join(folder, name);
    return null;
}

class Browser {
    // a page of this size; colours: 'light' or 'dark'
    static async open(width, height, colours = 'light') {
        const b = new Browser();
        b.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ukode-page-'));
        b.process = spawn(find(), ['--headless=new', '--no-sandbox', '--remote-debugging-pipe', `--user-data-dir=${b.folder}`,
            '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', '--hide-scrollbars', '--no-first-run',
            '--disable-background-networking', '--disable-component-update', '--force-color-profile=srgb', `--window-size=${width},${height}`, 'about:blank'],
        {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']});
        b.next = 1;
        b.waiting = new Map();
        b.errors = [];
        b.requests = [];
        let rest = '';
        b.process.stdio[4].on('data', (data) => {
            const texts = (rest + data).split('\0');
            rest = texts.pop();
            texts.forEach((text) => b.hear(JSON.parse(text)));
        });
        const {targetInfos} = await b.call('Target.getTargets', {}, null);
        const {sessionId} = await b.call('Target.attachToTarget',
            {targetId: targetInfos.find((t) => t.type === 'page').targetId, flatten: true}, null);
        b.session = sessionId;
        for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await b.call(`${domain}.enable`);
        await b.call('Emulation.setDeviceMetricsOverride', {width, height, deviceScaleFactor: 1, mobile: false});
        await b.call('Emulation.setEmulatedMedia', {features: [{name: 'prefers-color-scheme', value: colours}]});
        return b;
    }

    hear(message) {
        const {method, params} = message;
        if (message.id) {
            const {done, failed} = this.waiting.get(message.id);
            this.waiting.delete(message.id);
            if (message.error) failed(new Error(message.error.message));
            else done(message.result);
        } else if (method === 'Runtime.exceptionThrown') {
            this.errors.push(params.exceptionDetails.exception ? params.exceptionDetails.exception.description : params.exceptionDetails.text);
        } else if (method === 'Runtime.consoleAPICalled' && params.type === 'error') {
            this.errors.push(params.args.map((a) => a.value || a.description).join(' '));
        } else if (method === 'Log.entryAdded' && params.entry.level === 'error') {
            this.errors.push(params.entry.text);
        } else if (method === 'Network.requestWillBeSent') {
            this.requests.push(params.request.url);
        }
    }

    call(method, params = {}, session = this.session) {
        const id = this.next++;
        const message = {id, method, params};
        if (session) message.sessionId = session;
        this.process.stdio[3].write(`${JSON.stringify(message)}\0`);
        return new Promise((done, failed) => this.waiting.set(id, {done, failed}));
    }

    // the value of an expression, awaited
    async value(expression) {
        const {result, exceptionDetails} = await this.call('Runtime.evaluate', {expression, awaitPromise: true, returnByValue: true});
        if (exceptionDetails) throw new Error(exceptionDetails.exception ? exceptionDetails.exception.description : exceptionDetails.text);
        return result.value;
    }

    async until(expression, seconds = 30) {
        for (const end = Date.now() + 1000 * seconds; Date.now() < end;) {
            if (await this.value(expression).catch(() => false)) return;
            await new Promise((done) => setTimeout(done, 50));
        }
        throw new Error(`never: ${expression}`);
    }

    // opens a report, and waits until it is drawn
    async report(file) {
        this.errors.length = this.requests.length = 0;
        await this.call('Page.navigate', {url: `file://${path.resolve(file)}`});
        await this.until('typeof Page !== "undefined" && Page.drawn > 0');
    }

    async key(key) {
        const text = key === 'Enter' ? '\r' : key.length === 1 ? key : undefined;
        const codes = {Enter: 13, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, Home: 36, End: 35, Escape: 27, ' ': 32};
        const event = {key, code: key === ' ' ? 'Space' : key, text, windowsVirtualKeyCode: codes[key]};
        await this.call('Input.dispatchKeyEvent', {type: text ? 'keyDown' : 'rawKeyDown', ...event});
        await this.call('Input.dispatchKeyEvent', {type: 'keyUp', ...event});
    }

    async click(x, y) {
        for (const type of ['mouseMoved', 'mousePressed', 'mouseReleased'])
            await this.call('Input.dispatchMouseEvent', {type, x, y, button: type === 'mouseMoved' ? 'none' : 'left', clickCount: 1});
    }

    // the middle of an element, scrolled into view
    async middle(selector) {
        return this.value(`(() => { const e = document.querySelector(${JSON.stringify(selector)}); e.scrollIntoView({block: 'center'});
            const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`);
    }

    async clickOn(selector) { await this.click(...await this.middle(selector)); }

    // PNG of the window, or of one element
    async picture(selector) {
        const clip = selector && await this.value(`(() => { const r = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
            return {x: r.x + scrollX, y: r.y + scrollY, width: r.width, height: r.height, scale: 1}; })()`);
        const {data} = await this.call('Page.captureScreenshot', {format: 'png', captureBeyondViewport: Boolean(clip), ...(clip ? {clip} : {})});
        return Buffer.from(data, 'base64');
    }

    async close() {
        await this.call('Browser.close', {}, null).catch(() => {});
        if (this.process.exitCode === null) await new Promise((done) => { this.process.once('exit', done); setTimeout(() => this.process.kill('SIGKILL'), 3000).unref(); });
        fs.rmSync(this.folder, {recursive: true, force: true});
    }
}

module.exports = {Browser, find};
