// SPDX-License-Identifier: Apache-2.0
// The indexes with their states and uses, and those that queries lack.
import { copyable, counted, element, empty, failure, show, table } from './element.js';

export class IndexesView {
    constructor(root) {
        this.root = root;
    }

    use(database) { this.database = database; }

    open() { this.refresh(); }

    /** Queries change the counts, and commits an index's state. */
    requested(request) { if (request.queries?.length) this.soon(); }
    changed() { this.soon(); }

    soon() {
        if (this.root.hidden || this.timer) return;
        this.timer = setTimeout(() => { this.timer = null; this.refresh(); }, 500);
    }

    async refresh() {
        const database = this.database;
        try {
            const answer = await database.indexes();
            const text = JSON.stringify(answer);
            // The text that somebody selects to copy stays.
            if (database !== this.database || text === this.shown && this.root.hasChildNodes()) return;
            this.shown = text;
            show(this.root, leftOut(answer.queriesLeftOut), missing(answer), composites(answer.indexes), overrides(answer.fieldOverrides));
        } catch (error) {
            this.shown = null;
            show(this.root, failure(error));
        }
    }
}

const fieldText = (field) => `${field.fieldPath} ${field.order ?? field.arrayConfig ?? 'VECTOR'}`;

function leftOut(count) {
    if (!count) return null;
    return element('p', {}, `${counted(count, 'query is', 'queries are')} not looked at here: there were too many different ones, such as with IDs in field paths.`);
}

function missing(answer) {
    const entries = answer.missing.length + answer.missingOverrides.length;
    if (entries === 0) {
        return [element('h2', {}, 'Missing indexes'),
            empty('Nothing is missing', 'The queries so far have the indexes that they need. Run your tests, and look again.')];
    }
    const whole = { indexes: answer.missing.map((item) => item.definition), fieldOverrides: answer.missingOverrides.map((item) => item.definition) };
    const items = [...answer.missing, ...answer.missingOverrides].map((item) => element('li', {},
        element('p', {}, element('strong', {}, item.definition.collectionGroup),
            item.queries ? ` – wanted by ${counted(item.queries, 'query', 'queries')}` : ''),
        copyable(JSON.stringify(item.definition, null, 2), 'Copy definition')));
    return [element('h2', {}, `Missing indexes (${entries})`),
        element('p', {}, 'Queries so far need these entries in firestore.indexes.json.'),
        element('ul', { class: 'missing' }, items),
        entries > 1 ? element('details', {}, element('summary', {}, 'All of them'), copyable(JSON.stringify(whole, null, 2), 'Copy all')) : null];
}

function composites(indexes) {
    if (indexes.length === 0) {
        return [element('h2', {}, 'Composite indexes'),
            empty('No composite indexes', 'Automatic indexes of single fields are always there. Start hearth serve with --indexes firestore.indexes.json for others.')];
    }
    return [element('h2', {}, `Composite indexes (${indexes.length})`), table('Composite indexes',
        ['Collection', 'Scope', 'Fields', 'State', 'Queries'], indexes.map(({ definition, state, queries }) => [
            definition.collectionGroup, definition.queryScope === 'COLLECTION' ? 'collection' : 'collection group',
            element('code', {}, definition.fields.map(fieldText).join(', ')),
            element('span', { class: state === 'READY' ? 'good' : 'waiting' }, state === 'READY' ? 'ready' : 'building'),
            queries,
        ]))];
}

function overrides(list) {
    if (list.length === 0) return null;
    return [element('h2', {}, `Field overrides (${list.length})`), table('Field overrides', ['Collection', 'Field', 'Indexes', 'Time to live'],
        list.map(({ definition }) => [definition.collectionGroup, element('code', {}, definition.fieldPath),
            (definition.indexes ?? []).map((index) => `${index.order ?? index.arrayConfig} ${index.queryScope}`).join(', ') || 'none',
            definition.ttl ? 'yes' : 'no']))];
}
