// SPDX-License-Identifier: Apache-2.0
// The plan of a query as a picture: what each step does, and how much of it came to results.
import { count, drawing, element } from './element.js';

/** What ran, what production would run if that is something else, and what both took. */
export function planPicture(plan, stats, wasScanned) {
    const executed = JSON.stringify(plan.executed);
    const differs = !wasScanned && executed !== JSON.stringify(plan.production.plan);
    return element('section', { class: 'plan', 'aria-label': 'Plan' },
        element('h3', {}, 'Plan'),
        wasScanned ? element('p', { class: 'warning' }, 'No index serves the query: documents were scanned. Production refuses it.') : null,
        bars(stats),
        element('div', { class: 'trees' },
            figure(differs ? 'What ran here' : 'What ran', plan.executed), differs ? figure('What production runs', plan.production.plan) : null));
}

function figure(caption, node) {
    return element('figure', {}, element('figcaption', {}, caption), element('ul', { class: 'steps' }, step(node)));
}

function step({ node, children, ...particulars }) {
    return element('li', {},
        element('div', { class: 'step' }, element('strong', {}, node),
            element('dl', {}, Object.entries(particulars).flatMap(([name, text]) => [element('dt', {}, name), element('dd', {}, text)]))),
        children?.length ? element('ul', {}, children.map(step)) : null);
}

/** Entries, documents and rows beside each other: long bars above a short one are work for nothing. */
function bars(stats) {
    const rows = [['entries scanned', stats.entriesScanned], ['documents read', stats.documentsRead], ['rows', stats.rows]];
    const most = Math.max(1, ...rows.map(([, number]) => number));
    const text = rows.map(([name, number]) => `${count(number)} ${name}`).join(', ');
    const picture = drawing('svg', { viewBox: '0 0 480 72', role: 'img', 'aria-label': text, class: 'bars' },
        rows.flatMap(([name, number], index) => [
            drawing('text', { x: 118, y: 24 * index + 16, 'text-anchor': 'end' }, name),
            drawing('rect', { x: 126, y: 24 * index + 4, width: Math.max(2, 270 * number / most), height: 16, rx: 3, class: `bar${index}` }),
            drawing('text', { x: 132 + Math.max(2, 270 * number / most), y: 24 * index + 16 }, count(number)),
        ]));
    const billed = stats.production;
    return element('div', { class: 'cost' }, picture,
        element('p', {}, `${stats.milliseconds.toFixed(1)} ms`,
            billed ? `. In production: ${count(billed.read_operations)} billed reads, ${count(billed.index_entries_scanned)} entries scanned.` : ''));
}
