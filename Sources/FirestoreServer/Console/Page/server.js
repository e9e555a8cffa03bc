// SPDX-License-Identifier: Apache-2.0
// Asks the server, as an administrator whom security rules do not concern.

/** What the server refused: its status, its message, and the rest of its answer. */
export class Refusal extends Error {
    constructor(answer) {
        super(answer.error?.message ?? 'The server gave no reason.');
        this.status = answer.error?.status ?? 'UNKNOWN';
        this.answer = answer;
    }
}

async function send(method, path, body, signal) {
    const response = await fetch(path, {
        method, signal, body: body && JSON.stringify(body),
        headers: { authorization: 'Bearer owner', 'x-hearth-console': '1' },
    });
    const answer = await response.json();
    if (!response.ok) throw new Refusal(Array.isArray(answer) ? answer[0] : answer);
    return answer;
}

/** A path with its segments encoded. */
export const encodePath = (path) => path.split('/').map(encodeURIComponent).join('/');

/** One database of the server: `projects/P/databases/D`. */
export class Database {
    constructor(name) {
        this.name = name;
        this.documents = `/v1/${encodePath(name)}/documents`;
        this.tool = `/emulator/v1/${encodePath(name)}`;
    }

    static async all() { return (await send('GET', '/emulator/v1/databases')).databases; }

    /** IDs of the collections below a document, or at the root. */
    async collections(parent, pageToken, signal) {
        const place = parent ? `/${encodePath(parent)}` : '';
        return send('POST', `${this.documents}${place}:listCollectionIds`, { pageSize: 200, pageToken }, signal);
    }

    /** A page of a collection's documents; also names that only have documents below them. */
    async list(collection, pageSize, pageToken, signal) {
        const parameters = new URLSearchParams({ pageSize, showMissing: 'true', pageToken: pageToken ?? '' });
        return send('GET', `${this.documents}/${encodePath(collection)}?${parameters}`, undefined, signal);
    }

    /** A document; null if there is none. */
    async get(path, signal) {
        try {
            return await send('GET', `${this.documents}/${encodePath(path)}`, undefined, signal);
        } catch (error) {
            if (error.status === 'NOT_FOUND') return null;
            throw error;
        }
    }

    /** Runs a query that is text. */
    async query(text) { return send('POST', `${this.tool}:query`, { query: text }); }

    /** The field paths of a collection's first documents. */
    async fields(collection, isGroup) {
        const parameters = new URLSearchParams({ collection });
        if (isGroup) parameters.set('collectionGroup', '1');
        return (await send('GET', `${this.tool}:fields?${parameters}`)).fields;
    }

    async indexes() { return send('GET', `${this.tool}:indexStates`); }

    async usage() { return send('GET', `${this.tool}:usage`); }

    /** The path of a document behind `documents/`. */
    path(name) { return name.slice(this.name.length + '/documents/'.length); }

    /** Changes and requests as they happen. */
    events() { return new EventSource(`${this.tool}:events`); }
}
