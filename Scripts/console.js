// SPDX-License-Identifier: Apache-2.0
// Tests the console in headless Chromium: see console.sh.
'use strict';

const assert = require('node:assert');
const { spawn } = require('node:child_process');
const path = require('node:path');
const { Browser } = require('./chromium.js');

const [work, program, screenshots, measured] = process.argv.slice(2);
const root = 'projects/demo/databases/(default)';
const hostile = '<img src=x onerror=window.broken=1>';
const wanted = { collectionGroup: 'cities', queryScope: 'COLLECTION', fields: [{ fieldPath: 'state', order: 'ASCENDING' }, { fieldPath: 'population', order: 'ASCENDING' }] };
const children = [];
let host = measured;
let browser;

function stop(status) {
    for (const child of children) child.kill('SIGKILL');
    browser?.stop();
    process.exit(status);
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(1));

/** Starts a server, and gives its address. */
function serve() {
    const child = spawn(program, ['serve', '--port', '0', '--ephemeral'], { cwd: work });
    children.push(child);
    return new Promise((resolve) => {
        let text = '';
        for (const stream of [child.stdout, child.stderr]) {
            stream.on('data', (part) => {
                text += part;
                const found = /is now running at http:\/\/(\S+)/.exec(text);
                if (found) resolve(found[1].replace('127.0.0.1', 'localhost'));
            });
        }
        child.on('exit', () => { process.stderr.write(text); stop(1); });
    });
}

/** Sends a request as another client would. */
async function send(method, place, body) {
    const response = await fetch(`http://${host}${place}`, { method, body: body && JSON.stringify(body) });
    return response.json();
}

function commit(documents) {
    const writes = documents.map(([name, fields]) => ({ update: { name: `${root}/documents/${name}`, fields } }));
    return send('POST', `/v1/${root}/documents:commit`, { writes });
}

const city = (name, state, population) => [`cities/${name}`, {
    name: { stringValue: name }, state: { stringValue: state }, population: { integerValue: String(population) },
    place: { geoPointValue: { latitude: 37.5, longitude: -122 } },
    tags: { arrayValue: { values: [{ stringValue: 'coast' }, { stringValue: 'bay' }] } },
    mayor: { mapValue: { fields: { name: { stringValue: 'A. Person' }, since: { timestampValue: '2020-01-08T00:00:00Z' } } } },
}];
const states = ['CA', 'NY', 'WA', 'TX'];
const cities = Array.from({ length: 120 }, (_, index) => city(`city${String(index).padStart(3, '0')}`, states[index % 4], 10_000 + 997 * index));

// What the page shows.
const text = (selector) => `document.querySelector(${JSON.stringify(selector)})?.textContent`;
const shows = (selector, part) => browser.until(`${text(selector)}?.includes(${JSON.stringify(part)})`, `${selector} shows ${part}`);
const go = (hash) => browser.value(`void (location.hash = ${JSON.stringify(hash)})`);
const click = (selector) => browser.value(`document.querySelector(${JSON.stringify(selector)}).click()`);

async function ask(query, key = 'Ctrl+Enter') {
    await go('#/query');
    await browser.until('document.querySelector("#text")');
    await browser.value(`document.querySelector('#text').focus(), document.querySelector('#text').value = ''`);
    await browser.send('Input.insertText', { text: query });
    await browser.press(key);
}

const tests = {
    'an empty server says what to do, and its first document appears': async () => {
        await shows('#documents', `FIRESTORE_EMULATOR_HOST=${host}`);
        await commit(cities);
        await shows('.list', 'city000');
        assert.equal(await browser.value('document.querySelectorAll(".list li").length'), 50);
    },
    'pages go on and back': async () => {
        await click('#next');
        await shows('.pages', '51 to 100');
        await click('#next');
        await shows('.pages', '101 to 120');
        assert.ok(await browser.value('document.querySelector("#next").disabled'));
        await click('#previous');
        await shows('.list', 'city050');
    },
    'a path is found': async () => {
        await browser.value('document.querySelector("#path").value = "cities/city101", document.querySelector(".find").requestSubmit()');
        await shows('.detail', 'A. Person');
        await shows('.detail', '[37.5, -122]');
    },
    'a change is seen at once, in the document and in the list': async () => {
        await go('#/documents/cities');
        await shows('.list', 'city000');
        await go('#/documents/cities/city000');
        await shows('.detail', 'city000');
        await commit([['cities/city000', { name: { stringValue: 'renamed' } }], ['landmarks/pier', { n: { integerValue: '1' } }]]);
        await shows('.detail', 'renamed');
        await shows('.list', 'renamed');
        await shows('.collections', 'landmarks');
        await commit([city('city000', 'CA', 10_000)]);
    },
    'a document below another is shown with its parents': async () => {
        await commit([['cities/city001/parks/p1/benches/b1', { wood: { booleanValue: true } }]]);
        await go('#/documents/cities/city001/parks');
        await shows('.list', 'only has documents below it');
        await go('#/documents/cities/city001/parks/p1/benches/b1');
        await shows('.detail', 'wood');
        await shows('.trail', 'benches');
    },
    'what documents contain is text': async () => {
        await commit([[`${hostile}/${hostile}`, { [hostile]: { stringValue: hostile } }]]);
        await go(`#/documents/${encodeURIComponent(hostile)}/${encodeURIComponent(hostile)}`);
        await shows('.detail', hostile);
        await ask(`db.collection("${hostile}")`);
        await shows('.answer', hostile);
        await ask(hostile);
        await shows('.failure', 'INVALID_ARGUMENT');
        assert.equal(await browser.value('document.querySelectorAll("main img").length'), 0);
        assert.equal(await browser.value('window.broken'), undefined);
        const { headers } = await fetch(`http://${host}/console`);
        assert.match(headers.get('content-security-policy'), /default-src 'none'.*require-trusted-types-for 'script'/);
    },
    'a query is completed, run, and explained, by keys alone': async () => {
        await ask('', 'Escape');
        await browser.type('ci');
        await shows('#words', 'cities');
        await browser.press('ArrowDown');
        await browser.press('Enter');
        await browser.type('.wh');
        await shows('#words', 'where(');
        await browser.press('ArrowDown');
        await browser.press('Enter');
        await browser.type('"mayor.s');
        await shows('#words', 'mayor.since');
        await browser.press('Escape');
        for (let step = 0; step < 'mayor.s'.length; step++) await browser.value('document.execCommand("delete")');
        await browser.type('state", "==", "CA").limit(7)');
        await browser.press('Ctrl+Enter');
        await shows('.answer h3', '7 rows');
        assert.equal(await browser.value('document.querySelectorAll(".answer tbody tr").length'), 7);
        assert.equal(await browser.value('document.querySelector(".bars").getAttribute("aria-label")'), '7 entries scanned, 7 documents read, 7 rows');
        await shows('.steps', 'Index scan');
        await click('#as-json');
        await shows('.answer pre', '"population": 10000');
    },
    'a query without a limit shows its first rows, and an aggregation its result': async () => {
        await ask('cities');
        await shows('.answer', 'The query has no limit');
        await shows('.answer h3', '100 rows');
        await ask('cities.count()');
        await shows('.answer', '120');
    },
    'a refused query shows what production says, and the definition to copy': async () => {
        await ask('cities.where("state", "==", "CA").orderBy("population")');
        await shows('.failure', 'The query requires an index. You can create it here: https://console.firebase.google.com/');
        await browser.value('document.querySelector(".answer .copy").focus()');
        await browser.press('Enter');
        await shows('.answer .copy', 'Copied');
        assert.deepEqual(JSON.parse(await browser.value('navigator.clipboard.readText()')).indexes, [wanted]);
    },
    'the missing index is listed until it is there, and then its uses': async () => {
        await go('#/indexes');
        await shows('.missing', 'wanted by');
        assert.deepEqual(JSON.parse(await browser.value('document.querySelector(".missing pre").textContent')), wanted);
        await send('PUT', `/emulator/v1/${root}:indexes`, { indexes: [wanted], fieldOverrides: [] });
        await ask('cities.where("state", "==", "CA").orderBy("population")');
        await shows('.answer h3', '30 rows');
        await go('#/indexes');
        await shows('#indexes table', 'state ASCENDING, population ASCENDING');
        await shows('#indexes td:nth-child(4)', 'ready');
        await shows('#indexes td:nth-child(5)', '1');
        await shows('#indexes', 'Nothing is missing');
    },
    'requests appear with their cost, without those of the console': async () => {
        await go('#/requests');
        const query = { from: [{ collectionId: 'cities' }], where: { fieldFilter: { field: { fieldPath: 'population' }, op: 'LESS_THAN', value: { integerValue: '12000' } } } };
        await send('POST', `/v1/${root}/documents:runQuery`, { structuredQuery: query });
        await shows('#requests', 'cities where population < 12000');
        const cells = await browser.value('[...document.querySelectorAll("#requests tbody tr:first-child td")].map((cell) => cell.textContent)');
        assert.deepEqual([cells[2], ...cells.slice(4)], ['OK', '3', '0', '3']);
        await send('POST', `/v1/${root}/documents:runQuery`, { structuredQuery: { ...query, orderBy: [{ field: { fieldPath: 'name' } }] } });
        await shows('#requests', 'FAILED_PRECONDITION');
        const requests = await browser.value('document.querySelector("#requests table").textContent');
        assert.ok(!requests.includes(':query') && !requests.includes('listCollectionIds'), requests);
    },
    'every part is reached by keys': async () => {
        await browser.open('about:blank');
        await browser.open(`http://${host}/console#/documents/cities`);
        await shows('.list', 'city000');
        const reached = [];
        for (let step = 0; step < 80; step++) {
            await browser.press('Tab');
            const outline = await browser.value('getComputedStyle(document.activeElement).outlineStyle');
            const name = await browser.value('(document.activeElement.textContent || document.activeElement.id).slice(0, 40)');
            assert.equal(outline, 'solid', `the focus is seen at ${name}`);
            reached.push(name);
            if (name === 'Next') break;
        }
        for (const part of ['Skip to the content', 'Documents', 'Query', 'Indexes', 'Requests', 'path', 'Open', 'cities', 'Next']) {
            assert.ok(reached.includes(part), `${part} is reached: ${reached.join(', ')}`);
        }
        await browser.value('document.querySelector(".list a").focus()');
        await browser.press('ArrowDown');
        await browser.press('Enter');
        await shows('.detail h2', 'city001');
    },
    'light and dark can be read, and nothing is wider than 1,000 pixels': async () => {
        await browser.resize(1000, 760);
        await ask('cities.where("state", "==", "CA").orderBy("population")');
        await shows('.answer h3', '30 rows');
        for (const scheme of ['light', 'dark']) {
            await browser.prefer(scheme);
            for (const part of ['documents/cities/city001', 'query', 'indexes', 'requests']) {
                await go(`#/${part}`);
                await browser.until('document.querySelector("main > section:not([hidden]) h2, main > section:not([hidden]) h3")');
                const [isWide, poor] = await browser.value(`(${measure})()`);
                assert.ok(!isWide, `${part} is wider than 1,000 pixels`);
                assert.deepEqual(poor, [], `${part} in ${scheme}`);
                if (screenshots) await browser.screenshot(path.join(screenshots, `${part.split('/')[0]}-${scheme}.png`));
            }
        }
    },
};

/** In the page: whether something is wider than its place, and the texts whose contrast is below that of WCAG's level AA. */
function measure() {
    const light = (color) => {
        const [r, g, b] = color.match(/[\d.]+/g).slice(0, 3).map((part) => part / 255)
            .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const poor = new Set();
    for (const node of document.querySelectorAll('body *')) {
        const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
        if (!own || !node.checkVisibility() || node.disabled || node.closest('svg, .unseen')) continue;
        let behind = node;
        while (behind !== document.documentElement && /, 0\)$/.test(getComputedStyle(behind).backgroundColor)) behind = behind.parentElement;
        const [one, two] = [light(getComputedStyle(node).color), light(getComputedStyle(behind).backgroundColor)].sort((a, b) => b - a);
        if ((one + 0.05) / (two + 0.05) < 4.5) poor.add(`${node.tagName}.${node.className} ${node.textContent.slice(0, 30)}`);
    }
    // Only rows of documents, which have any number of fields, may be scrolled sideways.
    const parts = [document.documentElement, ...document.querySelectorAll('.scroll:not(.rows), .column')].filter((part) => part.checkVisibility());
    return [parts.some((part) => part.scrollWidth > part.clientWidth), [...poor]];
}

/** From the request of the page until its first document is in it and can be painted, several times. */
async function timeFirstPage() {
    await browser.send('Page.addScriptToEvaluateOnNewDocument', { source: `new MutationObserver((_, observer) => {
        if (!document.querySelector('.list li')) return;
        observer.disconnect();
        requestAnimationFrame(() => { window.first = performance.now(); });
    }).observe(document, { childList: true, subtree: true })` });
    const times = [];
    for (let run = 0; run < 9; run++) {
        await browser.open('about:blank');
        await browser.send('Network.clearBrowserCache');
        await browser.open(`http://${host}/console`);
        times.push(await browser.until('window.first'));
    }
    console.log(`first page: ${times.map((time) => Math.round(time)).sort((a, b) => a - b).join(', ')} ms`);
}

(async () => {
    host = host || await serve();
    browser = new Browser(work);
    await browser.start(1200, 800);
    if (measured) {
        await timeFirstPage();
        stop(0);
    }
    await browser.send('Browser.grantPermissions', { permissions: ['clipboardReadWrite', 'clipboardSanitizedWrite'] }, null);
    await browser.open(`http://${host}/console`);
    let failures = 0;
    for (const [name, test] of Object.entries(tests)) {
        const start = Date.now();
        browser.complaints = [];
        try {
            await test();
            assert.deepEqual(browser.complaints.filter((text) => !/status of 40[04]/.test(text)), [], 'the page complained');
            console.log(`ok      ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
        } catch (error) {
            failures++;
            console.log(`FAILED  ${name}: ${error.message}`);
            if (screenshots) await browser.screenshot(path.join(screenshots, `failed-${failures}.png`));
        }
    }
    console.log(`console: ${Object.keys(tests).length - failures} of ${Object.keys(tests).length} passed`);
    stop(failures > 0 ? 1 : 0);
})().catch((error) => { console.error(error); stop(1); });
