// SPDX-License-Identifier: Apache-2.0
// A query as text, its results and its plan.
import { completions } from './completion.js';
import { copyable, counted, element, empty, failure, show, table } from './element.js';
import { planPicture } from './plan.js';
import { encodePath } from './server.js';
import { plainFields, summary } from './values.js';

export class QueryView {
    constructor(root) {
        this.root = root;
        this.form = 'table';
    }

    use(database) {
        this.database = database;
        this.collections = null;
        this.fields = new Map();
    }

    open() {
        if (!this.text) this.frame();
    }

    frame() {
        this.text = element('textarea', {
            id: 'text', rows: 3, spellcheck: 'false', autocomplete: 'off', role: 'combobox', 'aria-autocomplete': 'list',
            'aria-controls': 'words', 'aria-expanded': 'false', 'aria-describedby': 'keys',
            placeholder: 'cities.where(\'state\', \'==\', \'CA\').orderBy(\'population\', \'desc\').limit(10)',
            oninput: () => this.complete(), onkeydown: (event) => this.key(event), onblur: () => this.close(),
        });
        this.words = element('ul', { id: 'words', role: 'listbox', 'aria-label': 'Completions', hidden: true });
        this.answer = element('div', { class: 'answer', 'aria-live': 'polite' });
        show(this.root, element('form', { class: 'ask', onsubmit: (event) => { event.preventDefault(); this.run(); } },
            element('label', { for: 'text' }, 'Query, as in any SDK'),
            element('div', { class: 'box' }, this.text, this.words),
            element('div', { class: 'bar' }, element('button', { class: 'primary' }, 'Run'),
                element('span', { id: 'keys', class: 'dim' }, 'Ctrl+Enter runs. ↓ chooses a completion, Enter takes it, Esc closes the list.'))),
        this.answer);
        show(this.answer, empty('No query yet', 'Write one, or paste it from your program in any language:',
            'cities.where(\'state\', \'==\', \'CA\').orderBy(\'population\')', 'db.collectionGroup(\'landmarks\').count()'));
    }

    // MARK: Completion

    async complete() {
        const place = this.text.selectionStart;
        const text = this.text.value.slice(0, place);
        try {
            this.collections ??= (await this.database.collections('')).collectionIds ?? [];
            const { words, length } = await completions(text, this.collections, (collection, isGroup) => this.fieldsOf(collection, isGroup));
            // Somebody has written on.
            if (this.text.selectionStart !== place || this.text.value.slice(0, place) !== text) return;
            this.length = length;
            this.offer(words.slice(0, 12));
        } catch {
            // A completion is no reason for a message.
            this.close();
        }
    }

    fieldsOf(collection, isGroup) {
        const key = `${collection} ${isGroup}`;
        if (!this.fields.has(key)) this.fields.set(key, this.database.fields(collection, isGroup));
        return this.fields.get(key);
    }

    offer(words) {
        this.chosen = -1;
        show(this.words, words.map((word, index) => element('li', {
            role: 'option', id: `word${index}`, 'aria-selected': 'false',
            onmousedown: (event) => { event.preventDefault(); this.take(word); },
        }, word)));
        this.words.hidden = words.length === 0;
        this.text.setAttribute('aria-expanded', String(words.length > 0));
        this.text.removeAttribute('aria-activedescendant');
    }

    close() { this.offer([]); }

    key(event) {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            return this.run();
        }
        if (this.words.hidden) return;
        const items = [...this.words.children];
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (step) {
            this.chosen = (this.chosen + step + items.length + (this.chosen < 0 && step < 0 ? 1 : 0)) % items.length;
            for (const [index, item] of items.entries()) item.setAttribute('aria-selected', String(index === this.chosen));
            this.text.setAttribute('aria-activedescendant', `word${this.chosen}`);
        } else if (event.key === 'Enter' && this.chosen >= 0) {
            this.take(items[this.chosen].textContent);
        } else if (event.key === 'Escape') {
            this.close();
        } else {
            return;
        }
        event.preventDefault();
    }

    take(word) {
        const end = this.text.selectionStart;
        this.text.setRangeText(word, end - this.length, end, 'end');
        this.close();
        this.text.focus();
    }

    // MARK: Answers

    async run() {
        this.close();
        const text = this.text.value.trim();
        if (!text) return this.text.focus();
        const run = this.latest = {};
        this.root.setAttribute('aria-busy', 'true');
        let parts;
        try {
            const result = await this.database.query(text);
            parts = () => [this.results(result), planPicture(result.plan, result.stats, result.wasScanned)];
        } catch (error) {
            parts = () => [failure(error), error.answer?.fix ? fix(error.answer) : null];
        }
        if (run !== this.latest) return;
        this.root.removeAttribute('aria-busy');
        this.draw = () => show(this.answer, parts());
        this.draw();
    }

    results(result) {
        const choice = (form, label) => element('button', {
            type: 'button', id: `as-${form}`, 'aria-pressed': String(this.form === form), onclick: () => { this.form = form; this.draw(); },
        }, label);
        const rows = result.aggregates ? 1 : result.documents.length;
        return element('section', { 'aria-label': 'Results' },
            element('div', { class: 'bar' }, element('h3', {}, counted(rows, 'row', 'rows')),
                result.isCut ? element('span', { class: 'dim' }, 'The query has no limit: it was run with one of 100.') : null,
                choice('table', 'Table'), choice('json', 'JSON')),
            rows === 0 ? empty('No document matches') : this.form === 'json' ? copyable(JSON.stringify(this.json(result), null, 2)) : this.table(result));
    }

    json({ aggregates, documents }) {
        if (aggregates) return plainFields(aggregates);
        return documents.map((document) => ({ path: this.database.path(document.name), fields: plainFields(document.fields ?? {}) }));
    }

    table({ aggregates, documents }) {
        if (aggregates) return table('Result', Object.keys(aggregates), [Object.values(aggregates).map((value) => summary(value))]);
        const columns = [...new Set(documents.flatMap((document) => Object.keys(document.fields ?? {})))].slice(0, 30);
        return table('Results', ['Document', ...columns], documents.map((document) => {
            const path = this.database.path(document.name);
            return [element('a', { href: `#/documents/${encodePath(path)}` }, path),
                ...columns.map((name) => document.fields?.[name] ? summary(document.fields[name], 60) : '')];
        }), 'rows');
    }
}

/** What makes a refused query served. */
function fix(answer) {
    return element('section', { 'aria-label': 'Missing index' },
        element('h3', {}, 'Add to firestore.indexes.json'), copyable(answer.fix, 'Copy definition'),
        answer.closest ? element('p', {}, `The closest index does not serve the query: ${answer.closest}. ${answer.reason}`) : null);
}
