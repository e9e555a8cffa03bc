// SPDX-License-Identifier: Apache-2.0
// Makes elements. Texts become text nodes, so that no data is ever read as markup.

/**
 * `element('a', { href: '#/x', onclick: f }, 'text', other)`. Attributes that are null, undefined or false are left out.
 */
export function element(name, attributes = {}, ...children) {
    return fill(document.createElement(name), attributes, children);
}

/** The same for pictures. */
export function drawing(name, attributes = {}, ...children) {
    return fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
}

function fill(node, attributes, children) {
    for (const [key, value] of Object.entries(attributes)) {
        if (value === null || value === undefined || value === false) continue;
        if (typeof value === 'function') node.addEventListener(key.slice(2), value);
        else node.setAttribute(key, value === true ? '' : String(value));
    }
    node.append(...children.flat(2).filter((child) => child !== null && child !== undefined));
    return node;
}

/** A table whose cells are texts, elements, or numbers, which stand at the right. */
export function table(caption, headings, rows, look = '') {
    const alignment = (index) => (typeof rows[0]?.[index] === 'number' ? 'numbers' : null);
    return element('div', { class: `scroll ${look}`, tabindex: look ? 0 : null, role: look ? 'region' : null, 'aria-label': look ? caption : null },
        element('table', {},
            element('caption', { class: 'unseen' }, caption),
            element('thead', {}, element('tr', {}, headings.map((text, index) => element('th', { scope: 'col', class: alignment(index) }, text)))),
            element('tbody', {}, rows.map((cells) => element('tr', {}, cells.map((cell, index) => element('td', { class: alignment(index) },
                typeof cell === 'number' ? count(cell) : cell)))))));
}

/** What a part shows that has nothing to show. */
export function empty(title, ...advice) {
    return element('div', { class: 'empty' }, element('p', { class: 'title' }, title), advice.map((text) => element('p', {}, text)));
}

/** An error of the server, or that there is no server. */
export function failure(error) {
    return element('div', { class: 'failure', role: 'alert' },
        element('p', { class: 'title' }, error.status ?? 'No answer'), element('p', {}, error.message));
}

/** A text to copy, with a button that does it. */
export function copyable(text, label = 'Copy') {
    const button = element('button', { type: 'button', class: 'copy', onclick: copy }, label);
    const content = element('pre', { tabindex: 0 }, text);
    async function copy() {
        try {
            await navigator.clipboard.writeText(text);
        } catch {
            // A page that is not at localhost has no clipboard: the selection can be copied by the keyboard.
            getSelection().selectAllChildren(content);
            button.textContent = 'Selected: press Ctrl+C';
            return;
        }
        button.textContent = 'Copied';
        setTimeout(() => { button.textContent = label; }, 2000);
    }
    return element('div', { class: 'copyable' }, content, button);
}

/** With thousands separators. */
export const count = (number) => Number(number).toLocaleString('en-US');

/** `1 row`, `2,000 rows`. */
export const counted = (number, one, many) => `${count(number)} ${number === 1 ? one : many}`;

/** Replaces what an element shows; the link or button that had the focus has it again. */
export function show(container, ...children) {
    const focused = container.contains(document.activeElement) ? document.activeElement : null;
    const key = focused && (focused.id || focused.getAttribute('href'));
    container.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined));
    if (!key) return;
    const again = [...container.querySelectorAll('[id], [href]')].find((node) => (node.id || node.getAttribute('href')) === key);
    again?.focus({ preventScroll: true });
}

/** Lets the arrow keys go through the links of a list, too. */
export function arrowKeys(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    const links = [...event.currentTarget.querySelectorAll('a')];
    const next = links[links.indexOf(document.activeElement) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
}
