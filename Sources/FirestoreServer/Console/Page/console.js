// SPDX-License-Identifier: Apache-2.0
// The page: which database and which part it shows, and what happens on the server.
import { element, empty, show } from './element.js';
import { Database } from './server.js';
import { DocumentsView } from './documents.js';
import { IndexesView } from './indexes.js';
import { QueryView } from './query.js';
import { RequestsView } from './requests.js';

const main = document.getElementById('main');
const chooser = document.getElementById('database');
const connection = document.getElementById('connection');
const views = {
    documents: new DocumentsView(document.getElementById('documents')),
    query: new QueryView(document.getElementById('query')),
    indexes: new IndexesView(document.getElementById('indexes')),
    requests: new RequestsView(document.getElementById('requests')),
};
let database = null;
let events = null;
let names = [];

/** `#/documents/cities/SF` is the part `documents` and its path. */
function route() {
    const [, part, ...segments] = location.hash.split('/');
    const name = part in views ? part : 'documents';
    for (const key of Object.keys(views)) views[key].root.hidden = key !== name;
    for (const link of document.querySelectorAll('nav a')) {
        if (link.getAttribute('href') === `#/${name}`) link.setAttribute('aria-current', 'page');
        else link.removeAttribute('aria-current');
    }
    document.title = `${name[0].toUpperCase()}${name.slice(1)} – Hearth console`;
    if (database) views[name].open(segments.map(decodeURIComponent).join('/'));
}

function choose(name) {
    database = new Database(name);
    sessionStorage.setItem('database', name);
    for (const view of Object.values(views)) view.use(database);
    listen();
    route();
}

function listen() {
    events?.close();
    events = database.events();
    events.addEventListener('open', () => { connection.textContent = 'live'; connection.className = 'live'; });
    events.addEventListener('error', () => { connection.textContent = 'not connected'; connection.className = 'lost'; });
    events.addEventListener('change', (event) => {
        const { documents } = JSON.parse(event.data);
        for (const view of Object.values(views)) view.changed?.(documents ?? null);
    });
    events.addEventListener('request', (event) => {
        const request = JSON.parse(event.data);
        for (const view of Object.values(views)) view.requested?.(request);
        if (request.database && !names.includes(request.database)) listDatabases();
    });
}

async function listDatabases() {
    names = await Database.all();
    show(chooser, names.map((name) => element('option', { value: name, selected: name === database?.name },
        name.replace(/^projects\//, '').replace('/databases/', ' / '))));
    chooser.disabled = names.length === 0;
}

/** Waits until there is a database: the first request of a client makes it. */
async function start() {
    await listDatabases();
    while (names.length === 0) {
        views.documents.root.hidden = false;
        show(views.documents.root, empty('No database yet', 'The first request of a client makes its database. Set',
            `FIRESTORE_EMULATOR_HOST=${location.host}`, 'and run your program: its documents appear here.'));
        await new Promise((resolve) => setTimeout(resolve, 1000));
        await listDatabases();
    }
    const last = sessionStorage.getItem('database');
    choose(names.includes(last) ? last : names[0]);
    await listDatabases();
}

addEventListener('hashchange', route);
chooser.addEventListener('change', () => choose(chooser.value));
document.querySelector('.skip').addEventListener('click', (event) => { event.preventDefault(); main.focus(); });
start().catch((error) => {
    connection.textContent = error.message;
    connection.className = 'lost';
});
