// SPDX-License-Identifier: Apache-2.0
// Shows values in the form of Firestore's REST interface.
import { element } from './element.js';

const kinds = {
    nullValue: 'null', booleanValue: 'boolean', integerValue: 'integer', doubleValue: 'double', timestampValue: 'timestamp',
    stringValue: 'string', bytesValue: 'bytes', referenceValue: 'reference', geoPointValue: 'geo point', arrayValue: 'array',
    mapValue: 'map',
};

function parts(value) {
    const key = Object.keys(value ?? {}).find((name) => name in kinds) ?? 'nullValue';
    return { key, kind: kinds[key], content: value?.[key] };
}

/** The type's name. */
export const kindOf = (value) => parts(value).kind;

/** A value on one line, cut to a length. */
export function summary(value, length = 120) {
    const text = line(value);
    return text.length > length ? `${text.slice(0, length)}…` : text;
}

function line(value) {
    const { key, content } = parts(value);
    switch (key) {
    case 'nullValue': return 'null';
    case 'stringValue': return JSON.stringify(content);
    case 'referenceValue': return content.replace(/^projects\/[^/]+\/databases\/[^/]+\/documents\//, '');
    case 'geoPointValue': return `[${content.latitude ?? 0}, ${content.longitude ?? 0}]`;
    case 'arrayValue': return `[${(content.values ?? []).slice(0, 20).map(line).join(', ')}${content.values?.length > 20 ? ', …' : ''}]`;
    case 'mapValue': {
        const names = Object.keys(content.fields ?? {});
        return `{${names.slice(0, 20).map((name) => `${name}: ${line(content.fields[name])}`).join(', ')}${names.length > 20 ? ', …' : ''}}`;
    }
    default: return String(content);
    }
}

/** Fields as a tree; maps and arrays open. */
export function fieldTree(fields) {
    return element('ul', { class: 'tree' }, Object.keys(fields).sort().map((name) => branch(name, fields[name])));
}

function branch(name, value) {
    const { key, kind, content } = parts(value);
    const label = [element('span', { class: 'name' }, name), ' ', element('span', { class: 'kind' }, kind), ' '];
    const inner = key === 'mapValue' ? Object.entries(content.fields ?? {})
        : key === 'arrayValue' ? (content.values ?? []).map((item, index) => [String(index), item]) : null;
    if (!inner?.length) return element('li', {}, label, element('span', { class: `value ${key}` }, summary(value, 2000)));
    const details = element('details', {}, element('summary', {}, label, element('span', { class: 'value' }, summary(value, 60))));
    // A document may have ten thousand values: only those are made that somebody opens.
    details.addEventListener('toggle', () => {
        details.append(element('ul', { class: 'tree' }, inner.map(([inner, item]) => branch(inner, item))));
    }, { once: true });
    return element('li', {}, details);
}

/** Plain JSON for people: numbers too large for JavaScript, times and references become strings. */
export function plain(value) {
    const { key, content } = parts(value);
    switch (key) {
    case 'nullValue': return null;
    case 'integerValue': return Number.isSafeInteger(Number(content)) ? Number(content) : content;
    case 'arrayValue': return (content.values ?? []).map(plain);
    case 'mapValue': return plainFields(content.fields ?? {});
    default: return content;
    }
}

/** The same for a document's fields. */
export const plainFields = (fields) => Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, plain(value)]));
