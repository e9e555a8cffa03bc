// SPDX-License-Identifier: Apache-2.0
// What web-client.js runs in the browser, in a page that has loaded the SDK as `firebase`.
'use strict';

const { host, project, counts } = JSON.parse(decodeURIComponent(location.hash.slice(1)));
const modes = {
    'streaming': {},
    'long polling': { experimentalForceLongPolling: true, experimentalAutoDetectLongPolling: false },
    'streaming by XHR': { useFetchStreams: false },
};
const report = (line) => fetch('/report', { method: 'POST', body: line });
let apps = 0;

/** A Firestore of an app of its own, as of another page. A name stands for what a browser keeps. */
function open(settings, appName = `app${++apps}`) {
    const app = firebase.initializeApp({ projectId: project }, appName);
    const db = firebase.initializeFirestore(app, settings);
    const [name, port] = host.split(':');
    firebase.connectFirestoreEmulator(db, name, Number(port));
    return db;
}

function expect(condition, text) {
    if (!condition) throw new Error(text);
}

/** The first snapshot of a query or a document for which `condition` is true. */
function snapshot(target, condition) {
    return new Promise((resolve, reject) => {
        const stop = firebase.onSnapshot(target, { includeMetadataChanges: true }, (value) => {
            if (!condition(value)) return;
            resolve(value);
            setTimeout(() => stop());
        }, reject);
    });
}

const fromServer = (value) => !value.metadata.fromCache && !value.metadata.hasPendingWrites;

/** Each test gets a collection of its own, and two Firestores. */
const tests = {
    async 'set and get'(a, b, name) {
        const data = { text: 'é🔥\u2028"\\\n', list: [1, 2.5, null, NaN, true], map: { 'a.b': { c: new Date(0) } }, empty: {} };
        await firebase.setDoc(firebase.doc(a, name, 'x'), data);
        await firebase.setDoc(firebase.doc(a, name, 'nothing'), {});
        const value = (await firebase.getDoc(firebase.doc(b, name, 'x'))).data();
        expect(value.text === data.text, `text is ${value.text}`);
        expect(value.map['a.b'].c.toMillis() === 0 && Number.isNaN(value.list[3]), 'values differ');
        expect((await firebase.getDoc(firebase.doc(b, name, 'nothing'))).exists(), 'an empty document is missing');
        expect(!(await firebase.getDoc(firebase.doc(b, name, 'missing'))).exists(), 'a missing document exists');
    },
    async 'listen'(a, b, name) {
        const seen = [];
        const query = firebase.query(firebase.collection(a, name), firebase.where('n', '>', 0), firebase.orderBy('n', 'desc'));
        const stop = firebase.onSnapshot(query, (value) => seen.push(value.docs.map((doc) => doc.id).join('')));
        const until = (text) => snapshot(query, (value) => value.docs.map((doc) => doc.id).join('') === text && fromServer(value));
        await until('');
        await firebase.setDoc(firebase.doc(b, name, 'a'), { n: 1 });
        await until('a');
        await firebase.setDoc(firebase.doc(b, name, 'b'), { n: 2 });
        await until('ba');
        await firebase.updateDoc(firebase.doc(b, name, 'b'), { n: -1 });
        await until('a');
        await firebase.deleteDoc(firebase.doc(b, name, 'a'));
        await until('');
        stop();
        expect(seen.join() === ',a,ba,a,', `seen: ${seen}`);
    },
    async 'increment'(a, b, name) {
        const writes = [];
        for (let i = 0; i < 25; i++) {
            writes.push(firebase.setDoc(firebase.doc(a, name, 'x'), { n: firebase.increment(1) }, { merge: true }));
            writes.push(firebase.setDoc(firebase.doc(b, name, 'x'), { n: firebase.increment(2) }, { merge: true }));
        }
        await Promise.all(writes);
        const value = await firebase.getDocFromServer(firebase.doc(a, name, 'x'));
        expect(value.get('n') === 75, `n is ${value.get('n')}`);
    },
    async 'batch'(a, b, name) {
        const sizes = [];
        const stop = firebase.onSnapshot(firebase.collection(b, name), (value) => sizes.push(value.size));
        await snapshot(firebase.collection(b, name), fromServer);
        const batch = firebase.writeBatch(a);
        for (let i = 0; i < 500; i++) batch.set(firebase.doc(a, name, `d${i}`), { i });
        await batch.commit();
        await snapshot(firebase.collection(b, name), (value) => value.size === 500);
        stop();
        expect(sizes.every((size) => size === 0 || size === 500), `a part of the commit was shown: ${sizes}`);
    },
    async 'refused write'(a, b, name) {
        const error = await firebase.updateDoc(firebase.doc(a, name, 'missing'), { n: 1 }).catch((error) => error);
        expect(error.code === 'not-found', `the error is ${error.code}`);
        await firebase.setDoc(firebase.doc(a, name, 'next'), {});
    },
    async 'transaction'(a, b, name) {
        const one = (db) => firebase.runTransaction(db, async (transaction) => {
            const value = await transaction.get(firebase.doc(db, name, 'x'));
            transaction.set(firebase.doc(db, name, 'x'), { n: (value.get('n') ?? 0) + 1 });
        });
        await Promise.all([one(a), one(b), one(a)]);
        expect((await firebase.getDocFromServer(firebase.doc(a, name, 'x'))).get('n') === 3, 'a transaction was lost');
    },
    async 'offline and online'(a, b, name) {
        const query = firebase.collection(a, name);
        const stop = firebase.onSnapshot(query, () => {});
        await snapshot(query, fromServer);
        await firebase.disableNetwork(a);
        const write = firebase.setDoc(firebase.doc(a, name, 'own'), { n: 1 });
        await firebase.setDoc(firebase.doc(b, name, 'other'), { n: 2 });
        await snapshot(query, (value) => value.size === 1 && value.metadata.hasPendingWrites);
        await firebase.enableNetwork(a);
        await write;
        await snapshot(query, (value) => value.size === 2 && fromServer(value));
        await snapshot(firebase.collection(b, name), (value) => value.size === 2);
        stop();
    },
    async 'resume'(a, b, name) {
        const batch = firebase.writeBatch(b);
        for (let i = 0; i < 500; i++) batch.set(firebase.doc(b, name, `d${i}`), { i });
        await batch.commit();
        const query = firebase.collection(a, name);
        const stop = firebase.onSnapshot(query, () => {});
        await snapshot(query, (value) => value.size === 500 && fromServer(value));
        await firebase.disableNetwork(a);
        await firebase.setDoc(firebase.doc(b, name, 'd7'), { i: 'new' });
        await firebase.deleteDoc(firebase.doc(b, name, 'd8'));
        let changes = 0;
        firebase.onLog((entry) => { if (/received:.*"documentChange"/.test(entry.message)) changes++; }, { level: 'debug' });
        firebase.setLogLevel('debug');
        await firebase.enableNetwork(a);
        await snapshot(query, (value) => value.size === 499 && fromServer(value));
        firebase.setLogLevel('error');
        firebase.onLog(null);
        stop();
        expect(changes === 1, `${changes} documents came again`);
    },
    /** What IndexedDB keeps: the next visit shows it without the network, sends what was queued, and resumes. */
    async 'persistence'(a, b, name, settings) {
        const visit = () => open({ ...settings, localCache: firebase.persistentLocalCache() }, name);
        const leave = async (db) => {
            await firebase.terminate(db);
            await firebase.deleteApp(db.app);
        };
        const batch = firebase.writeBatch(b);
        for (let i = 0; i < 200; i++) batch.set(firebase.doc(b, name, `d${i}`), { i });
        await batch.commit();
        const first = visit();
        await snapshot(firebase.collection(first, name), (value) => value.size === 200 && fromServer(value));
        await firebase.disableNetwork(first);
        firebase.setDoc(firebase.doc(first, name, 'own'), { i: -1 }).catch(() => {});
        await snapshot(firebase.collection(first, name), (value) => value.size === 201 && value.metadata.hasPendingWrites);
        await leave(first);
        await firebase.setDoc(firebase.doc(b, name, 'd7'), { i: 'new' });
        await firebase.deleteDoc(firebase.doc(b, name, 'd8'));

        const second = visit();
        await firebase.disableNetwork(second);
        const cached = await firebase.getDocsFromCache(firebase.collection(second, name));
        expect(cached.size === 201, `${cached.size} documents were kept`);
        const names = new Set();
        firebase.onLog((entry) => {
            const found = /received:.*"documentChange".*documents\/[^"]*\/([^"]*)"/.exec(entry.message);
            if (found) names.add(found[1]);
        }, { level: 'debug' });
        firebase.setLogLevel('debug');
        await firebase.enableNetwork(second);
        await snapshot(firebase.collection(second, name), (value) => value.size === 200 && fromServer(value));
        firebase.setLogLevel('error');
        firebase.onLog(null);
        await leave(second);
        expect((await firebase.getDocFromServer(firebase.doc(b, name, 'own'))).exists(), 'the queued write was lost');
        names.delete('own');
        expect([...names].join() === 'd7', `these came again: ${[...names]}`);
    },
};

/** All documents of a collection that the server has, through one listener. */
async function load(settings, count) {
    const db = open(settings);
    const start = performance.now();
    const value = await snapshot(firebase.collection(db, `many${count}`), fromServer);
    expect(value.size === count, `${value.size} of ${count} documents came`);
    const time = performance.now() - start;
    await firebase.terminate(db);
    return time;
}

/** Requests of a kind since the last call. */
let requests = [];
new PerformanceObserver((list) => requests.push(...list.getEntries())).observe({ type: 'resource' });
async function polls() {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const list = requests;
    requests = [];
    return list.filter((entry) => /[?&]CI=1/.test(entry.name)).length;
}

async function run(mode, name, body) {
    const limit = new Promise((_, reject) => setTimeout(() => reject(new Error('not done after 300 s')), 300_000));
    const start = performance.now();
    try {
        const time = await Promise.race([body(), limit]) ?? performance.now() - start;
        await report(`ok ${mode}: ${name}: ${time < 10_000 ? `${Math.round(time)} ms` : `${(time / 1_000).toFixed(1)} s`}`);
    } catch (error) {
        await report(`FAIL ${mode}: ${name}: ${error.message}`);
    }
}

const end = () => fetch('/done', { method: 'POST' });
for (const event of ['error', 'unhandledrejection']) {
    window.addEventListener(event, async (value) => {
        await report(`FAIL ${value.message ?? value.reason}`);
        await end();
    });
}

(async () => {
    firebase.setLogLevel('error');
    for (const [mode, settings] of Object.entries(modes)) {
        await polls();
        const [a, b] = [open(settings), open(settings)];
        for (const [name, test] of Object.entries(tests)) {
            await run(mode, name, () => test(a, b, `${mode} ${name}`.replaceAll(' ', '-'), settings));
        }
        await Promise.all([firebase.terminate(a), firebase.terminate(b)]);
        for (const count of counts) await run(mode, `${count} documents in one listener`, () => load(settings, count));
        const count = await polls();
        const isRight = (count > 0) === (mode === 'long polling');
        await report(`${isRight ? 'ok' : 'FAIL'} ${mode}: ${count} requests of long polling`);
    }
    await end();
})();
