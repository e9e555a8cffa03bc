#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Compares `hearth validate` with the validator of firebase-tools, on index files and on random changes of them. Not in CI: it
// needs a copy of firebase-tools, whose `src/firestore/api.ts` it runs, and the Debian packages nodejs and node-typescript.
//
//   compare-validator.js --tools DIR --program HEARTH [--count N] [--seed S] FILE|FOLDER…
//
//   --tools DIR  a git directory or a work tree of github.com/firebase/firebase-tools
//   --count N    how many changed files, default 500
//
// firebase-tools stops at the first fault of form; Hearth also reports what production refuses later. So it fails where
// firebase-tools refuses a file in which Hearth finds no error, and counts Hearth's other errors by rule.
'use strict';
const fs = require('fs'), os = require('os'), path = require('path'), { execFileSync, spawnSync } = require('child_process');

const options = { count: '500', seed: String(Date.now() % 1e9) };
const inputs = [];
for (let rest = process.argv.slice(2); rest.length; ) {
  const word = rest.shift();
  if (word.startsWith('--')) options[word.slice(2)] = rest.shift();
  else inputs.push(word);
}
if (!options.tools || !options.program || !inputs.length) {
  console.error('usage: compare-validator.js --tools DIR --program HEARTH [--count N] [--seed S] FILE|FOLDER…');
  process.exit(64);
}

/** The class of `api.ts`, compiled, with empty modules for all that validation does not need. */
function validator() {
  const ts = require(['typescript', '/usr/share/nodejs/typescript'].find((name) => {
    try { return require.resolve(name); } catch { return false; }
  }) ?? 'typescript');
  const read = (name) => fs.existsSync(path.join(options.tools, 'src'))
    ? fs.readFileSync(path.join(options.tools, name), 'utf8')
    : execFileSync('git', ['--git-dir', options.tools, 'show', `HEAD:${name}`], { encoding: 'utf8' });
  const needed = new Set(['api', 'validator', 'api-types', 'api-spec', 'util', 'api-sort'].map((name) => `src/firestore/${name}`));
  const anything = () => new Proxy(function () {}, { get: (_, key) => (key === 'cyan' ? String : anything()), construct: () => ({}) });
  const loaded = {};
  const load = (name) => {
    if (name === 'src/error') return { FirebaseError: class extends Error {} };
    if (!needed.has(name)) return anything();
    if (loaded[name]) return loaded[name];
    const code = ts.transpileModule(read(`${name}.ts`), { compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2021 } });
    const exports = (loaded[name] = {});
    const relative = (to) => (to.startsWith('.') ? load(path.posix.join(path.posix.dirname(name), to)) : anything());
    new Function('exports', 'require', code.outputText)(exports, relative);
    return exports;
  };
  const { FirestoreApi } = load('src/firestore/api');
  const api = Object.create(FirestoreApi.prototype);
  return (text) => {
    try {
      const { indexes, fieldOverrides } = JSON.parse(text);
      api.validateSpec(api.upgradeOldSpec({ indexes: indexes ?? [], fieldOverrides: fieldOverrides ?? [] }));
      return null;
    } catch (error) {
      return error.message;
    }
  };
}

// mulberry32
let state = Number(options.seed) >>> 0;
function random(bound) {
  state = (state + 0x6d2b79f5) >>> 0;
  let x = Math.imul(state ^ (state >>> 15), state | 1);
  x = (x + Math.imul(x ^ (x >>> 7), x | 61)) ^ x;
  return ((x ^ (x >>> 14)) >>> 0) % bound;
}
const pick = (list) => list[random(list.length)];

/** Changes one to three places of a configuration, as people do who write it by hand. */
function changed(text) {
  const tree = JSON.parse(text);
  const places = [];
  const visit = (node) => {
    for (const key of Object.keys(node)) {
      places.push([node, key]);
      if (node[key] && typeof node[key] === 'object') visit(node[key]);
    }
  };
  visit(tree);
  const values = [null, '', 0, 1, true, false, 'ASCENDING', 'DESCENDING', 'ascending', 'CONTAINS', 'COLLECTION', 'COLLECTION_GROUP', 'collection',
    'SPARSE_ALL', 'ANY_API', [], {}, [{}], { dimension: 3, flat: {} }, { dimension: '3', flat: {} }, { dimension: 3 }];
  const keys = ['order', 'arrayConfig', 'vectorConfig', 'queryScope', 'collectionGroup', 'collectionId', 'fieldPath', 'mode', 'fields', 'indexes', 'ttl',
    'unique', 'density', 'multikey', 'apiScope', 'ordr'];
  for (let count = 1 + random(3); count > 0 && places.length; count--) {
    const [node, key] = pick(places);
    switch (random(4)) {
      case 0: Array.isArray(node) ? node.splice(Number(key), 1) : delete node[key]; break;
      case 1: node[key] = pick(values); break;
      case 2: if (!Array.isArray(node)) node[pick(keys)] = pick(values); break;
      default: if (!Array.isArray(node)) { const value = node[key]; delete node[key]; node[pick(keys)] = value; }
    }
  }
  return JSON.stringify(tree, null, 2);
}

const files = inputs.flatMap((input) => fs.statSync(input).isDirectory()
  ? fs.readdirSync(input, { recursive: true }).map((name) => path.join(input, name)) : [input]).filter((name) => name.endsWith('.json')).sort();
const texts = [];
let unread = 0;
for (const file of files) {
  const text = fs.readFileSync(file, 'utf8');
  try {
    const tree = JSON.parse(text);
    if (tree && typeof tree === 'object' && ('indexes' in tree || 'fieldOverrides' in tree)) texts.push({ name: file, text });
    else unread++;
  } catch { unread++; }
}
const whole = texts.length;
for (let number = 0; number < Number(options.count); number++) {
  const { name, text } = texts[random(whole)];
  texts.push({ name: `${name}, change ${number}`, text: changed(text) });
}

const refuses = validator();
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'compare-validator-'));
const tally = { accepted: 0, refused: 0, unseen: 0, later: {} };
for (const { name, text } of texts) {
  const file = path.join(folder, 'firestore.indexes.json');
  fs.writeFileSync(file, text);
  const run = spawnSync(options.program, ['validate', file, '--format', 'json'], { encoding: 'utf8' });
  const errors = run.stdout.split('\n').filter(Boolean).map((line) => JSON.parse(line)).filter((finding) => finding.severity === 'error');
  const reason = refuses(text);
  if (reason === null) {
    tally.accepted++;
    for (const rule of new Set(errors.map((finding) => finding.rule))) tally.later[rule] = (tally.later[rule] ?? 0) + 1;
  } else if (errors.length) {
    tally.refused++;
  } else {
    tally.unseen++;
    console.log(`${name}: firebase-tools says ${reason.slice(0, 200)}; hearth finds no error (exit ${run.status})`);
    if (name.includes('change')) console.log(text.slice(0, 2000));
  }
}
fs.rmSync(folder, { recursive: true });
console.log(`${whole} files and ${texts.length - whole} changed ones (seed ${options.seed}); ${unread} others are no plain JSON or no index file`);
console.log(`both refuse: ${tally.refused}; firebase-tools accepts: ${tally.accepted}; refused by firebase-tools alone: ${tally.unseen}`);
console.log(`accepted by firebase-tools, with an error of Hearth: ${JSON.stringify(tally.later)}`);
process.exit(tally.unseen ? 1 : 0);
