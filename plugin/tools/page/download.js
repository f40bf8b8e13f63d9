// SPDX-License-Identifier: BSD-3-Clause
// A curve as a file: its numbers as CSV, its picture as PNG.
'use strict';

const Download = (() => {
    function offer(blob, name) {
        const link = document.createElement('a');
        link.href = URL.createObjectURL(blob);
        link.download = name;
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    }

    const fileName = (title, kind) => `${title.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_|_$/g, '').toLowerCase() || 'curve'}.${kind}`;

    // a field of RFC 4180
    const field = (text) => (/[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);

    // The numbers of a page are rounded to multiples of a unit; what is computed from them is of single precision. Digits
    // beyond that are left out: of times, which are multiples of a step, the last one, too.
    function number(x, unit, exact) {
        if (!Number.isFinite(x)) return '';
        const digits = -Math.log10(unit);
        if (!(unit > 0) || !Number.isFinite(digits)) return Number(x.toPrecision(7));
        return Number(x.toFixed(Math.min(100, Math.max(0, exact ? Math.floor(digits) : Math.ceil(digits)))));
    }

    // `chart`: title, axis (quantity and unit), time, series [name, numbers, colour]
    function csvText(chart) {
        const columns = chart.shown.map(([, values]) => values);
        const lines = [['time [s]', ...chart.shown.map(([name]) => `${name} ${chart.unit}`.trim())].map(field).join(',')];
        chart.time.forEach((t, i) => lines.push([number(t, chart.time.unit, true), ...columns.map((values) => number(values[i], values.unit))].join(',')));
        return `${lines.join('\r\n')}\r\n`;
    }

    const csv = (chart) => offer(new Blob([csvText(chart)], {type: 'text/csv'}), fileName(chart.title, 'csv'));

    // The canvas of the curve, with the texts that the page lays over it: title, axes, key. Twice as sharp as the page.
    function picture(chart) {
        const box = chart.box.getBoundingClientRect(), canvas = document.createElement('canvas'), scale = 2;
        [canvas.width, canvas.height] = [scale * box.width, scale * box.height];
        const context = canvas.getContext('2d'), style = getComputedStyle(document.body);
        context.scale(scale, scale);
        context.fillStyle = style.backgroundColor;
        context.fillRect(0, 0, box.width, box.height);
        const at = (element) => {
            const r = element.getBoundingClientRect();
            return [r.left - box.left, r.top - box.top, r.width, r.height];
        };
        context.drawImage(chart.graph.hidden_, ...at(chart.graph.hidden_));
        const write = (element, text, x, y, turned) => {
            const of = getComputedStyle(element);
            context.save();
            context.font = `${of.fontWeight} ${of.fontSize} ${of.fontFamily}`;
            context.fillStyle = of.color;
            context.textBaseline = 'middle';
            context.textAlign = turned ? 'center' : 'left';
            context.translate(x, y);
            if (turned) context.rotate(-Math.PI / 2);
            context.fillText(text, 0, 0);
            context.restore();
        };
        for (const element of chart.box.querySelectorAll('h3, .dygraph-axis-label, .dygraph-xlabel, .dygraph-ylabel')) {
            const [x, y, width, height] = at(element), turned = element.matches('.dygraph-ylabel');
            const text = element.firstChild && element.firstChild.data !== undefined ? element.firstChild.data : element.textContent;
            write(element, text, turned ? x + width / 2 : x, y + height / 2, turned);
        }
        for (const item of chart.key.children) {
            const [x, y, , height] = at(item), swatch = item.querySelector('.swatch');
            context.fillStyle = getComputedStyle(swatch).backgroundColor;
            context.fillRect(x, y + height / 2 - 5, 10, 10);
            write(item, item.textContent, x + 14, y + height / 2);
        }
        return canvas;
    }

    const png = (chart) => picture(chart).toBlob((blob) => offer(blob, fileName(chart.title, 'png')), 'image/png');

    return {csv, csvText, picture, png};
})();
