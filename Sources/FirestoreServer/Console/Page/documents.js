// SPDX-License-Identifier: Apache-2.0
// Collections, the documents of one of them in pages, and one document; all of them as they change.
import { arrowKeys, copyable, element, empty, failure, show } from './element.js';
import { encodePath } from './server.js';
import { fieldTree, plainFields, summary } from './values.js';

const pageSize = 50;
/** The first page; how many documents are before one, its token alone does not say. */
const firstPage = { token: '', first: 0 };
const link = (path) => `#/documents/${encodePath(path)}`;
const parentOf = (path) => path.split('/').slice(0, -1).join('/');

export class DocumentsView {
    constructor(root) {
        this.root = root;
        this.path = '';
    }

    use(database) {
        this.database = database;
        this.pages = [firstPage];
        this.collection = null;
    }

    /** Shows a collection or a document, whose collection stays beside it. */
    open(path) {
        this.path = path;
        const segments = path ? path.split('/') : [];
        const collection = segments.slice(0, segments.length - 1 + segments.length % 2).join('/');
        if (collection !== this.collection || segments.length % 2 === 1) this.pages = [firstPage];
        this.collection = collection;
        this.document = path && segments.length % 2 === 0 ? path : null;
        this.frame();
        this.refresh();
    }

    frame() {
        if (this.parts) return;
        const input = element('input', {
            id: 'path', name: 'path', placeholder: 'cities/SF', autocomplete: 'off', spellcheck: 'false',
        });
        const form = element('form', { class: 'find', onsubmit: go }, element('label', { for: 'path' }, 'Go to path'), input,
            element('button', {}, 'Open'));
        function go(event) {
            event.preventDefault();
            location.hash = link(input.value.trim().replace(/^\/|\/$/g, ''));
        }
        const column = (name, label) => element('div', { class: `column ${name}`, role: 'region', 'aria-label': label });
        this.parts = {
            trail: element('nav', { class: 'trail', 'aria-label': 'Path' }),
            collections: column('collections', 'Collections'),
            list: column('list', 'Documents'),
            detail: column('detail', 'Document'),
        };
        show(this.root, element('div', { class: 'bar' }, this.parts.trail, form),
            element('div', { class: 'columns' }, this.parts.collections, this.parts.list, this.parts.detail));
    }

    changed(documents) {
        if (this.root.hidden || !this.database) return;
        const isHere = !documents || documents.some((path) => parentOf(path) === this.collection || path.startsWith(`${this.document}/`));
        this.refresh(documents, isHere);
    }

    /**
     * Asks again for what is shown. If that is being asked for, it is done once more afterwards: under many writes, too, every
     * answer is shown.
     */
    async refresh(changed, isHere = true) {
        if (this.isBusy) {
            this.isDue = true;
            return;
        }
        this.isBusy = true;
        const asked = this.place();
        const isCurrent = () => asked === this.place();
        try {
            await this.ask(changed, isHere, isCurrent);
        } catch (error) {
            if (isCurrent()) show(this.parts.list, failure(error));
        }
        this.isBusy = false;
        if (!this.isDue) return;
        this.isDue = false;
        this.refresh();
    }

    /** What is shown; an answer for something else comes too late. */
    place() { return JSON.stringify([this.database.name, this.path, this.pages.at(-1).token]); }

    async ask(changed, isHere, isCurrent) {
        const { collectionIds = [] } = await this.database.collections('');
        if (!isCurrent()) return;
        if (!this.collection && collectionIds.length > 0) {
            history.replaceState(null, '', link(collectionIds[0]));
            return this.open(collectionIds[0]);
        }
        this.showCollections(collectionIds);
        this.showTrail();
        if (isHere) await Promise.all([this.showList(isCurrent, changed), this.showDetail(isCurrent)]);
    }

    showTrail() {
        const segments = this.path ? this.path.split('/') : [];
        show(this.parts.trail, element('ol', {}, segments.map((name, index) => element('li', {},
            element('a', { href: link(segments.slice(0, index + 1).join('/')), 'aria-current': index === segments.length - 1 && 'page' },
                name)))));
    }

    showCollections(ids) {
        const root = this.path.split('/')[0];
        show(this.parts.collections, element('h2', {}, 'Collections'), ids.length === 0
            ? empty('No collections', 'They appear with their first document, at once.')
            : links(ids.map((id) => ({ path: id, text: id, isHere: id === root }))));
    }

    async showList(isCurrent, changed) {
        if (!this.collection) return show(this.parts.list), show(this.parts.detail);
        const { token, first } = this.pages.at(-1);
        const { documents = [], nextPageToken } = await this.database.list(this.collection, pageSize, token);
        if (!isCurrent()) return;
        const items = documents.map((document) => {
            const path = this.database.path(document.name);
            return {
                path, text: path.split('/').at(-1), isHere: path === this.document, isChanged: changed?.includes(path),
                note: document.createTime ? Object.entries(document.fields ?? {}).sort(scalarsFirst).slice(0, 4)
                    .map(([name, value]) => `${name}: ${summary(value, 40)}`).join('  ') : 'only has documents below it',
            };
        });
        const turn = (pages) => () => { this.pages = pages; this.refresh(); };
        const next = { token: nextPageToken, first: first + items.length };
        show(this.parts.list, element('h2', {}, this.collection.split('/').at(-1)), items.length === 0
            ? empty('No documents here', 'Write one with a client: it appears at once.') : links(items),
        element('div', { class: 'pages' },
            element('button', { id: 'previous', type: 'button', disabled: this.pages.length === 1, onclick: turn(this.pages.slice(0, -1)) }, 'Previous'),
            element('span', {}, items.length ? `${first + 1} to ${first + items.length}` : ''),
            element('button', { id: 'next', type: 'button', disabled: !nextPageToken, onclick: turn([...this.pages, next]) }, 'Next')));
    }

    async showDetail(isCurrent) {
        if (!this.document) {
            return show(this.parts.detail, empty('No document chosen', 'Choose one of the list, or go to its path.'));
        }
        const [document, { collectionIds = [] }] = await Promise.all([
            this.database.get(this.document), this.database.collections(this.document)]);
        if (!isCurrent()) return;
        // What is open stays open while the document has not changed.
        const state = JSON.stringify([this.document, document?.updateTime, collectionIds]);
        if (state === this.shown && this.parts.detail.hasChildNodes()) return;
        this.shown = state;
        show(this.parts.detail, element('h2', {}, this.document.split('/').at(-1)),
            document ? content(document) : empty('There is no such document', this.document),
            collectionIds.length ? [element('h3', {}, 'Collections below'),
                links(collectionIds.map((id) => ({ path: `${this.document}/${id}`, text: id })))] : []);
    }
}

const isInner = ([, value]) => Number('mapValue' in value || 'arrayValue' in value);
const scalarsFirst = (one, two) => isInner(one) - isInner(two);

function links(items) {
    return element('ul', { class: 'links', onkeydown: arrowKeys }, items.map((item) => element('li', {},
        element('a', { href: link(item.path), 'aria-current': item.isHere && 'true', class: item.isChanged && 'changed' },
            element('span', { class: 'id' }, item.text), item.note ? element('span', { class: 'note' }, item.note) : null))));
}

function content(document) {
    const fields = document.fields ?? {};
    return [
        Object.keys(fields).length ? fieldTree(fields) : empty('No fields'),
        element('dl', { class: 'times' }, element('dt', {}, 'created'), element('dd', {}, document.createTime),
            element('dt', {}, 'updated'), element('dd', {}, document.updateTime)),
        element('details', {}, element('summary', {}, 'JSON'), copyable(JSON.stringify(plainFields(fields), null, 2))),
    ];
}
