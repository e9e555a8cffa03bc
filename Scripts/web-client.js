// SPDX-License-Identifier: Apache-2.0
// Runs web-client-page.js in headless Chromium against `hearth serve`: see web-client.sh.
'use strict';

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');

const [program, bundle, work, ...counts] = process.argv.slice(2);
const project = 'web';
const children = [];
let failures = 0;

function stop(status) {
    for (const child of children) child.kill('SIGKILL');
    process.exit(status);
}

/** Starts a server, and gives its address. */
function serve() {
    const child = spawn(program, ['serve', '--port', '0', '--ephemeral', '--mode', 'permissive'], { cwd: work });
    children.push(child);
    return new Promise((resolve) => {
        let text = '';
        const read = (part) => {
            text += part;
            const found = /is now running at http:\/\/(\S+)/.exec(text);
            if (found) resolve(found[1].replace('127.0.0.1', 'localhost'));
        };
        child.stdout.on('data', read);
        child.stderr.on('data', read);
        child.on('exit', () => { process.stderr.write(text); stop(1); });
    });
}

/** Writes the documents of the collection `manyN`. */
async function fill(host, count) {
    const root = `projects/${project}/databases/(default)`;
    for (let start = 0; start < count; start += 500) {
        const writes = [];
        for (let i = start; i < Math.min(start + 500, count); i++) {
            const fields = { n: { integerValue: String(i) }, text: { stringValue: `document ${i}` }, flag: { booleanValue: i % 2 === 0 } };
            writes.push({ update: { name: `${root}/documents/many${count}/d${i}`, fields } });
        }
        const answer = await fetch(`http://${host}/v1/${root}/documents:commit`, { method: 'POST', body: JSON.stringify({ writes }) });
        if (!answer.ok) throw new Error(await answer.text());
    }
}

/** Serves the page, and prints what it reports. */
function pages() {
    const page = '<!doctype html><meta charset="utf-8"><script src="/sdk.js"></script><script src="/page.js"></script>';
    const files = { '/sdk.js': bundle, '/page.js': path.join(__dirname, 'web-client-page.js') };
    const server = http.createServer((request, response) => {
        let body = '';
        request.on('data', (part) => { body += part; });
        request.on('end', () => {
            if (request.url === '/report') {
                if (!body.startsWith('ok')) failures++;
                console.log(body);
            }
            if (request.url === '/done') stop(failures > 0 ? 1 : 0);
            const file = files[request.url];
            response.writeHead(200, { 'content-type': file ? 'text/javascript; charset=utf-8' : 'text/html' });
            response.end(file ? fs.readFileSync(file) : page);
        });
    });
    return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)));
}

(async () => {
    const host = await serve();
    for (const count of counts) await fill(host, Number(count));
    const port = await pages();
    const options = encodeURIComponent(JSON.stringify({ host, project, counts: counts.map(Number) }));
    const browser = spawn('chromium', [
        '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run',
        `--user-data-dir=${path.join(work, 'profile')}`, `http://localhost:${port}/#${options}`,
    ], { stdio: ['ignore', 'ignore', process.env.WEB_CLIENT_LOG ? 'inherit' : 'ignore'] });
    children.push(browser);
    browser.on('exit', () => { console.error('The browser has ended.'); stop(1); });
})().catch((error) => { console.error(error); stop(1); });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(1));
