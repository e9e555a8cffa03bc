// SPDX-License-Identifier: Apache-2.0
// The last requests and what they cost, as they end.
import { element, empty, show, table } from './element.js';

const kept = 500;
const shown = 200;

export class RequestsView {
    constructor(root) {
        this.root = root;
        this.requests = [];
        this.filter = '';
        this.isPaused = false;
    }

    use() { this.requests = []; }

    open() {
        if (!this.list) this.frame();
        this.draw();
    }

    frame() {
        const filter = element('input', { id: 'filter', type: 'search', placeholder: 'RunQuery, cities, FAILED_PRECONDITION…', oninput: () => { this.filter = filter.value.toLowerCase(); this.draw(); } });
        const pause = element('button', { type: 'button', 'aria-pressed': 'false', onclick: () => {
            this.isPaused = !this.isPaused;
            pause.setAttribute('aria-pressed', String(this.isPaused));
            pause.textContent = this.isPaused ? 'Go on' : 'Pause';
            this.draw();
        } }, 'Pause');
        const clear = element('button', { type: 'button', onclick: () => { this.requests = []; this.draw(true); } }, 'Clear');
        this.list = element('div', {});
        show(this.root, element('div', { class: 'bar' }, element('h2', {}, 'Requests'),
            element('label', { for: 'filter' }, 'Show only'), filter, pause, clear), this.list);
    }

    requested(request) {
        // The server sends the last ones again after a break.
        if (this.requests.some((known) => known.number === request.number && known.time === request.time)) return;
        this.requests.unshift(request);
        this.requests.length = Math.min(this.requests.length, kept);
        if (this.root.hidden || this.timer) return;
        this.timer = setTimeout(() => { this.timer = null; this.draw(); }, 100);
    }

    draw(isForced = false) {
        if (this.root.hidden || !this.list || this.isPaused && !isForced && this.list.hasChildNodes()) return;
        if (this.requests.length === 0) {
            return show(this.list, empty('No requests yet', `Requests of clients of ${location.host} appear here while the page is open. The console's own are left out.`));
        }
        const found = this.requests.filter((request) => JSON.stringify(request).toLowerCase().includes(this.filter));
        if (found.length === 0) return show(this.list, empty('No request matches', 'Change the text to look for.'));
        show(this.list, table('Requests', ['Time', 'Request', 'Status', 'ms', 'Read', 'Written', 'Entries'], found.slice(0, shown).map(row)));
    }
}

/** Which indexes served a query, or why it was refused; the long link is beside the definition. */
function reason({ refused, indexes }) {
    if (!refused) return element('span', { class: 'dim' }, indexes);
    const [text, link] = refused.replace(/^[A-Z_]+ /, '').split(' You can create it here:');
    return element('span', { class: 'bad' }, text, link ? [' ', element('a', { href: '#/indexes' }, 'See its definition')] : null);
}

function row(request) {
    const queries = request.queries ?? [];
    return [
        request.time.slice(11, 23),
        element('div', { class: 'request' }, element('strong', {}, request.method.replace(/^(\w+) \/v1\/projects\/[^/]+\/databases\/[^/]+\/documents/, '$1 …')),
            request.database ? element('span', { class: 'dim' }, request.database.replace(/^projects\//, '').replace('/databases/', ' / ')) : null,
            queries.map((query) => element('div', {}, element('code', {}, query.query), reason(query)))),
        element('span', { class: request.status === 'OK' ? 'good' : 'bad' }, request.status),
        Number(request.milliseconds.toFixed(1)), request.documentsRead, request.documentsWritten,
        request.entriesScanned,
    ];
}
