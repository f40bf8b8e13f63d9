// SPDX-License-Identifier: BSD-3-Clause
// An animated PNG of the motion in a report, of which each frame after the first holds only the rectangle that changed.
// Usage: animate.js REPORT.html PICTURE.png FROM TO FRAMES     FROM, TO: times [s]
'use strict';

const fs = require('fs');
const zlib = require('zlib');
const browser = require('../../tests/report/browser.js');

const [report, picture, from, to, count] = process.argv.slice(2);
const width = 360, bytes = 3; // RGB
let height = 0; // as the shape of the view demands

function chunk(name, data) {
    const all = Buffer.alloc(12 + data.length);
    all.writeUInt32BE(data.length, 0);
    all.write(name, 4, 'latin1');
    data.copy(all, 8);
    all.writeUInt32BE(crc(all.subarray(4, 8 + data.length)), 8 + data.length);
    return all;
}

const table = Uint32Array.from({length: 256}, (_, c) => {
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
    return c;
});

function crc(data) {
    let c = 0xffffffff;
    for (const byte of data) c = table[(c ^ byte) & 0xff] ^ (c >>> 8);
    return (c ^ 0xffffffff) >>> 0;
}

// the samples of a canvas, RGB, with five bits each: fewer differences of shading to store
async function frame(page, blank, time) {
    await page.evaluate(`Page.player.go(${time})`);
    await page.waitForTimeout(60);
    const box = await page.locator('#view').boundingBox();
    height = Math.round(width * box.height / box.width);
    const shot = (await page.locator('#view').screenshot()).toString('base64');
    const samples = Buffer.from(await blank.evaluate(`(async () => {
        const bitmap = await createImageBitmap(await (await fetch('data:image/png;base64,${shot}')).blob(),
            {resizeWidth: ${width}, resizeHeight: ${height}, resizeQuality: 'high'});
        const canvas = new OffscreenCanvas(${width}, ${height}), context = canvas.getContext('2d');
        context.drawImage(bitmap, 0, 0);
        let text = '';
        for (const sample of context.getImageData(0, 0, ${width}, ${height}).data) text += String.fromCharCode(sample);
        return btoa(text);
    })()`), 'base64');
    const rgb = Buffer.alloc(width * height * bytes);
    for (let i = 0; i < width * height; i++)
        for (let k = 0; k < bytes; k++) rgb[i * bytes + k] = (samples[i * 4 + k] & 0xf8) | (samples[i * 4 + k] >> 5);
    return rgb;
}

// the rectangle in which two frames differ; one pixel where they do not
function difference(a, b) {
    let left = width, top = height, right = 0, bottom = 0;
    for (let i = 0; i < width * height; i++) {
        const at = i * bytes;
        if (a[at] === b[at] && a[at + 1] === b[at + 1] && a[at + 2] === b[at + 2]) continue;
        const x = i % width, y = Math.floor(i / width);
        left = Math.min(left, x), right = Math.max(right, x + 1), top = Math.min(top, y), bottom = Math.max(bottom, y + 1);
    }
    return right ? {left, top, width: right - left, height: bottom - top} : {left: 0, top: 0, width: 1, height: 1};
}

// compressed rows of a rectangle, each with the filter "up" after the first
function encode(rgb, r) {
    const row = r.width * bytes, raw = Buffer.alloc(r.height * (row + 1));
    for (let y = 0; y < r.height; y++) {
        const at = ((r.top + y) * width + r.left) * bytes, to = y * (row + 1);
        raw[to] = y ? 2 : 0;
        for (let k = 0; k < row; k++) raw[to + 1 + k] = rgb[at + k] - (y ? rgb[at + k - width * bytes] : 0);
    }
    return zlib.deflateSync(raw, {level: 9});
}

function words(...values) {
    const data = Buffer.alloc(4 * values.length);
    values.forEach((value, i) => data.writeUInt32BE(value, 4 * i));
    return data;
}

function animation(frames, delay) {
    const parts = [Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
        chunk('IHDR', Buffer.concat([words(width, height), Buffer.from([8, 2, 0, 0, 0])])),
        chunk('acTL', words(frames.length, 0))];
    let number = 0;
    frames.forEach((rgb, i) => {
        const r = i ? difference(frames[i - 1], rgb) : {left: 0, top: 0, width, height}, end = Buffer.alloc(6);
        end.writeUInt16BE(delay, 0);
        end.writeUInt16BE(1000, 2);
        parts.push(chunk('fcTL', Buffer.concat([words(number++, r.width, r.height, r.left, r.top), end])));
        const data = encode(rgb, r);
        parts.push(i ? chunk('fdAT', Buffer.concat([words(number++), data])) : chunk('IDAT', data));
    });
    return Buffer.concat([...parts, chunk('IEND', Buffer.alloc(0))]);
}

(async () => {
    // samples are read in a page of its own: the report's policy forbids fetch
    const b = await browser.open(1300, 900), blank = await browser.open(100, 100), frames = [];
    try {
        await browser.report(b.page, report);
        for (let i = 0; i < +count; i++) frames.push(await frame(b.page, blank.page, +from + (+to - +from) * i / +count));
    } finally {
        await b.close();
        await blank.close();
    }
    fs.writeFileSync(picture, animation(frames, Math.round(1000 * (+to - +from) / +count)));
})();
