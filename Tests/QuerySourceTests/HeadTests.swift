// SPDX-License-Identifier: Apache-2.0

import QuerySource
import Testing

/// Whatever the head of a function or a type looks like, what follows it is read.
@Suite struct HeadTests {
    private static let javaScript = [
        "function h<T = X>(a: T) { return 1; }", "function h<T extends X = X>(a: T) { return 1; }",
        "function h<T extends (...args: any[]) => any>(a: T) { return 1; }",
        "function h(a): Promise<{ b: 1, c: string }> { return 1; }", "function h(a): (b: X) => void { return 1; }",
        "function h(a): X[number]['key'][] { return 1; }", "function h(a): a is { b: string } { return 1; }",
        "function h(a): asserts a is B { return 1; }", "function h(a): keyof typeof b { return 1; }",
        "function h(a): `a${string}` | 1 | { a: X }[] { return 1; }",
        "async function* h<T>(a: T): AsyncGenerator<{ b: T }> { return 1; }",
        "const h = async <T>(a: T) => { return 1; };", "const h = <T,>(a: T) => { return 1; };",
        "const h = <T extends X = { a: Y }>(a: T): T => { return 1; };",
        "const run = async <T,>(f): Promise<T> => { return f(); }",
        "const h = async (a): Promise<{ b: 1 }> => { return 1; };",
        "const h = (a: any): a is Timestamp => { return 1; }", "const h = (a): 0 | 1 => { return 1; }",
        "const h: (a: T) => Promise<void> = async (a) => { return 1; };",
        "const h: Array<(a: { b: X }) => void> = [(a) => { return 1; }];",
        "class E extends Component<{ a: X }> { m() { return 1; } }",
        "class E extends React.Component<\n  P,\n  S\n> {\n  m() { return 1; }\n}",
        "exports.T = class { m() { return 1; } };", "const T = class extends Base<{ a: X }> { m() { return 1; } };",
        "class E<T extends X = X> implements W { m() { return 1; } }",
        "abstract class E<T> extends F<T, { a: () => void }> { m(): { a: X } { return 1; } }",
        "const o = { m(): { a: X } { return 1; }, get n() { return 1; }, 'o-p'() { return 1; }, async q() { return 1; } };",
    ]
    private static let go = [
        "interface{}", "map[string]struct{}", "*struct{}", "[]struct{ A int }", "[2]interface{}", "chan struct{}",
        "(interface{}, error)", "func(a interface{}) interface{}",
    ]
    private static let dart = [
        "({int a, int b}) g() { return (a: 1, b: 2); }", "(int, int)? g() { return (1, 2); }",
        "void Function(int)? g() { return null; }", "void Function(int) g() { return f; }",
        "Future<Foo>\n    g() async { return 1; }", "Foo\n    g() { return 1; }",
        "Future<({int a, List<B> b})> g() async { return 1; }",
    ]
    private static let python = [
        "def g[T](x: T) -> T:\n    return x", "async def g[T: (int, str)](x: T) -> dict[str, T]:\n    return x",
        "class A[T](B):\n    def g(self) -> T:\n        return 1",
    ]

    /// Each before a query at the level of the file, and in a function before one.
    private static let sources: [(path: String, source: String)] =
        javaScript.flatMap { head in
            let query = "db.collection('c').where('a', '==', 1).orderBy('b').get();"
            return [
                ("a.ts", "\(head)\n\(query)"), ("a.ts", "function outer() {\n\(head)\n\(query)\n}"),
                ("a.ts", "export const f = () => {\n\(head)\n\(query)\n};"),
            ]
        }
        + go.flatMap { result in
            let query = "db.Collection(\"c\").Where(\"a\", \"==\", 1).OrderBy(\"b\", firestore.Asc).Documents(ctx)"
            return [
                ("a.go", "func g() \(result) { return nil }\nfunc q() {\n\(query)\n}"),
                ("a.go", "func (s *S) g(x interface{}) \(result) { return nil }\nfunc (s *S) List() {\n\(query)\n}"),
                ("a.go", "func g[T any](x T) \(result) { return nil }\nfunc q() {\n\(query)\n}"),
                ("a.go", "func q() {\nh := func() \(result) { return nil }\n\(query)\n}"),
            ]
        }
        + dart.flatMap { head in
            let query = "db.collection('c').where('a', isEqualTo: 1).orderBy('b').get();"
            return [
                ("a.dart", "\(head)\nvoid q() {\n\(query)\n}"), ("a.dart", "void q() {\n\(head)\n\(query)\n}"),
                ("a.dart", "class A {\n\(head)\nvoid q() {\n\(query)\n}\n}"),
            ]
        }
        + python.flatMap { head in
            let query = "db.collection('c').where('a', '==', 1).order_by('b').get()"
            let inner = head.split(separator: "\n").map { "    \($0)\n" }.joined()
            return [("a.py", "\(head)\n\(query)"), ("a.py", "def outer():\n\(inner)    \(query)")]
        }

    @Test func whatFollowsAHeadIsRead() {
        for (path, source) in Self.sources {
            let found = sites(source, path)
            #expect(
                found.count == 1 && found[0].hasSuffix(" c.where(\"a\",\"==\",1).orderBy(\"b\")"),
                "\(path): \(found)\n\(source)")
        }
    }

    /// What a file exports is a value, whose methods are functions.
    @Test func exportedValues() {
        let query = "getDocs(query(collection(db, 'c'), where('a', '==', 1), orderBy('b')))"
        let methods =
            "data() { return { a: [] }; }, methods: { async load() { return 1; }, async more() { await \(query); } }"
        for source in [
            "export default { \(methods) };", "export default { \(methods) } satisfies Component;",
            "export default { async fetch(r) { if (r) { return 1; }\nawait \(query); } };",
            "export default { async fetch(r): Promise<{ a: X }> { return 1; } };\n\(query);",
            "export default async (r) => { await \(query); return 1; };",
            "export default () => { return 1; };\n\(query);",
            "export default async function (r) { return 1; }\n\(query);",
            "export default class { m() { return 1; } }\n\(query);",
            "export default abstract class A<T = { a: X }> { m() { return 1; } }\n\(query);",
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
