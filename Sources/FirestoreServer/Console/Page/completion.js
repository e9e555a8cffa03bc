// SPDX-License-Identifier: Apache-2.0
// What could follow in the text of a query: collections, calls, operators and fields, by what stands before the cursor.

const calls = ['where(', 'orderBy(', 'limit(', 'limitToLast(', 'offset(', 'select(', 'startAt(', 'startAfter(', 'endAt(', 'endBefore(',
    'count()', 'aggregate(', 'findNearest('];
const operators = ['==', '!=', '<', '<=', '>', '>=', 'in', 'not-in', 'array-contains', 'array-contains-any'];
const heads = ['collection(', 'collectionGroup('];

/** What the text up to the cursor is about: the innermost open call, its argument, the string that is open, the collection. */
function scan(text) {
    const open = [];
    let [name, string, quote, collection, isGroup] = ['', '', null, null, false];
    for (const character of text) {
        if (quote) {
            if (character !== quote) { string += character; continue; }
            quote = null;
            const last = open.at(-1);
            if (last?.call.startsWith('collection') && last.position === 0) [collection, isGroup] = [string, last.call === 'collectionGroup'];
        } else if (character === '"' || character === '\'') {
            [quote, string] = [character, ''];
        } else if ('([{'.includes(character)) {
            open.push({ call: name, position: 0 });
            name = '';
        } else if (')]}'.includes(character)) {
            open.pop();
        } else if (character === ',') {
            if (open.length) open.at(-1).position++;
        } else if (/[\p{L}\p{N}_-]/u.test(character)) {
            name += character;
        } else {
            if (character === '.' && !open.length && collection === null && name && name !== 'db') collection = name;
            name = '';
        }
    }
    return { ...(open.at(-1) ?? { call: '', position: 0 }), string: quote ? string : null, collection, isGroup };
}

/**
 * What could stand in place of the last `length` characters before the cursor.
 *
 * @param collections the IDs of collections
 * @param fields gives the field paths of a collection
 */
export async function completions(text, collections, fields) {
    const found = scan(text);
    const from = (words, start) => ({ words: words.filter((word) => word.startsWith(start) && word !== start), length: start.length });
    if (found.string !== null) {
        const { call, position, string } = found;
        if (heads.includes(`${call}(`) && position === 0) return from(collections, string);
        if (call === 'where' && position === 1) return from(operators, string);
        if (call === 'orderBy' && position === 1) return from(['asc', 'desc'], string);
        const takesField = ['where', 'orderBy', 'sum', 'average', 'findNearest'].includes(call) && position === 0 || call === 'select';
        return takesField && found.collection ? from(await fields(found.collection, found.isGroup), string) : from([], '');
    }
    const word = /[\p{L}\p{N}_-]*$/u.exec(text)[0];
    const before = text.slice(0, text.length - word.length);
    if (!before.trim()) return from([...collections, ...heads], word);
    if (before === 'db.') return from(heads, word);
    return before.endsWith('.') ? from(calls, word) : from([], '');
}
