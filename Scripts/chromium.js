// SPDX-License-Identifier: Apache-2.0
// Drives headless Chromium by its DevTools protocol over a pipe: no packages, no port.
'use strict';

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

/** A browser with one page. */
class Browser {
    constructor(folder, options = []) {
        this.process = spawn('chromium', [
            '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', '--remote-debugging-pipe',
            `--user-data-dir=${path.join(folder, 'profile')}`, ...options, 'about:blank',
        ], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], detached: true });
        this.count = 0;
        this.waiting = new Map();
        /** What the page complained about: exceptions, console errors, breaches of its security policy. */
        this.complaints = [];
        let rest = Buffer.alloc(0);
        this.process.stdio[4].on('data', (bytes) => {
            rest = Buffer.concat([rest, bytes]);
            for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
                this.receive(JSON.parse(rest.subarray(0, end).toString()));
                rest = rest.subarray(end + 1);
            }
        });
        this.process.on('exit', () => {
            for (const { reject } of this.waiting.values()) reject(new Error('The browser has ended.'));
        });
    }

    receive(message) {
        const request = this.waiting.get(message.id);
        if (request) {
            this.waiting.delete(message.id);
            if (message.error) request.reject(new Error(message.error.message));
            else request.resolve(message.result);
        } else if (message.method === 'Runtime.exceptionThrown') {
            const { exception, text } = message.params.exceptionDetails;
            this.complaints.push(exception?.description ?? text);
        } else if (message.method === 'Log.entryAdded' && message.params.entry.level === 'error') {
            this.complaints.push(`${message.params.entry.text} ${message.params.entry.url ?? ''}`);
        } else if (message.method === 'Runtime.consoleAPICalled' && message.params.type === 'error') {
            this.complaints.push(JSON.stringify(message.params.args));
        }
    }

    send(method, params = {}, sessionId = this.session) {
        const id = ++this.count;
        return new Promise((resolve, reject) => {
            this.waiting.set(id, { resolve, reject });
            this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId: sessionId ?? undefined })}\0`);
        });
    }

    async start(width, height) {
        const { targetInfos } = await this.send('Target.getTargets');
        const { targetId } = targetInfos.find((target) => target.type === 'page');
        this.session = (await this.send('Target.attachToTarget', { targetId, flatten: true })).sessionId;
        for (const domain of ['Page', 'Runtime', 'Log']) await this.send(`${domain}.enable`);
        await this.resize(width, height);
    }

    resize(width, height) {
        return this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
    }

    /** `light` or `dark`. */
    prefer(scheme) {
        return this.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
    }

    open(address) { return this.send('Page.navigate', { url: address }); }

    /** The value of an expression in the page. */
    async value(expression) {
        const { result, exceptionDetails } = await this.send('Runtime.evaluate', {
            expression, awaitPromise: true, returnByValue: true, userGesture: true,
        });
        if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        return result.value;
    }

    /** Waits until an expression is true, and gives its value. It counts looks, which take longer on a busy machine. */
    async until(expression, what = expression) {
        for (let looks = 0; looks < 1_000; looks++, await new Promise((resolve) => setTimeout(resolve, 25))) {
            const value = await this.value(expression).catch(() => null);
            if (value) return value;
        }
        throw new Error(`This did not come true: ${what}`);
    }

    /** Presses a key: `Tab`, `Enter`, `Ctrl+Enter`, or a character. */
    async press(name) {
        const [key, ...held] = name.split('+').reverse();
        const modifiers = held.includes('Ctrl') ? 2 : held.includes('Shift') ? 8 : 0;
        const codes = { Tab: 9, Enter: 13, Escape: 27, ArrowUp: 38, ArrowDown: 40 };
        const text = key === 'Enter' ? '\r' : key.length === 1 ? key : undefined;
        const event = { key, code: key, modifiers, windowsVirtualKeyCode: codes[key], text: modifiers === 2 ? undefined : text };
        await this.send('Input.dispatchKeyEvent', { type: event.text ? 'keyDown' : 'rawKeyDown', ...event });
        await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event, text: undefined });
    }

    async type(text) {
        for (const character of text) await this.press(character);
    }

    async screenshot(file) {
        const { data } = await this.send('Page.captureScreenshot', { format: 'png' });
        fs.writeFileSync(file, Buffer.from(data, 'base64'));
    }

    /** Ends it with all its processes, which otherwise go on writing into the folder. */
    stop() { process.kill(-this.process.pid, 'SIGKILL'); }
}

module.exports = { Browser };
