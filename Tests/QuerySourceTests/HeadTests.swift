// SPDX-License-Identifier: Apache-2.0

import QuerySource
import Testing

/// Whatever the head of a function or a type looks like, what follows it is read.
@Suite struct HeadTests {
    /// What a file exports is a value, whose methods are functions.
    @Test func exportedValues() {
        let query = "getDocs(query(collection(db, 'c'), where('a', '==', 1), orderBy('b')))"
        let methods =
            "data() { return { a: [] }; }, methods: { async load() { return 1; }, async more() { await \(query); } }"
        for source in [
            "export default { \(methods) };", "export default { \(methods) } satisfies Component;",
            "export default { async fetch(r) { if (r) { return 1; }\nawait \(query); } };",
            "export default async (r) => { await \(query); return 1; };",
            "export default () => { return 1; };\n\(query);",
            "export default async function (r) { return 1; }\n\(query);",
            "export default class { m() { return 1; } }\n\(query);",
            "export default [{ a() { return 1; } }];\n\(query);", "export default connect(a)(b);\n\(query);",
            "export default interface A { a: X }\n\(query);",
            // Whatever is not read right at this level ends nothing.
            "{ return 1; }\n\(query);",
        ] {
            let found = sites("import { query } from 'firebase/firestore';\n\(source)", "a.ts")
            #expect(
                found.count == 1 && found[0].hasSuffix(" c.where(\"a\",\"==\",1).orderBy(\"b\")"), "\(found)\n\(source)"
            )
        }
    }
}
