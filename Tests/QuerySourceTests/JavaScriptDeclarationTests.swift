// SPDX-License-Identifier: Apache-2.0

import QuerySource
import Testing

/// Declarations and statements of JavaScript and TypeScript that only their lines tell apart.
@Suite struct JavaScriptDeclarationTests {
    /// What stands before a field without a semicolon behind it, and what it declares.
    private static let fields = [
        "map: Map<string, string>", "private items$: Observable<User[]>", "query!: Query<User>", "last?: Page<User>",
        "@Input() map: Map<A, B>", "#map: Map<A, B>", "abstract load(): Promise<void>", "load(a: A): Promise<void>",
        "load<T>(a: T): Array<T>", "[key: string]: Foo<string>", "declare map: Map<A, B>",
        "done: () => Promise<void>", "done: (a: string) => void", "'map': Map<A, B>", "map: Foo<A> | null",
        "abstract get map(): Map<A, B>", "map: 'a' | 'b'", "map: readonly string[]", "map: { a: string }",
        "map: string", "map", "map = 'a'", "map = 'a' as const", "map = this.a!", "map: Foo<A> = new Foo<A>()",
        "map = () => this.a", "count = 0", "load(): Foo<A>\n  {}",
    ]

    @Test(arguments: fields) func fieldsWithoutSemicolons(_ field: String) {
        let head = "import { collection, query, where, getDocs } from 'firebase/firestore';\nclass A {\n"
        let query = "  q() { return getDocs(query(collection(db, this.users), where(this.name, '==', 1))) }\n}"
        for modifier in ["", "private ", "static readonly "] {
            let source = "\(head)  \(field)\n  \(modifier)users = 'u'\n  \(modifier)name = 'n'\n\(query)"
            let found = sites(source, "src/a.ts").map { $0.drop { $0 != " " } }
            #expect(found == [" u.where(\"n\",\"==\",1)"], "\(field) \(modifier)")
        }
    }

    /// A field that has only a type has not the next field's value.
    @Test func fieldsWithoutAValue() {
        let found = sites(
            """
            import { collection, query, where, getDocs } from 'firebase/firestore'
            class A {
              name: Array<string>
              other = 'x'
              load() { return getDocs(query(collection(db, this.name), where('a', '==', 1))) }
            }
            """, "src/a.ts")
        #expect(found == ["5 unresolved: its collection is 'this.name', which this file does not set"])
    }

    @Test func functionsThatAreOnlyDeclared() {
        expect(
            """
            import { collection, query, where, getDocs } from 'firebase/firestore'
            declare function load(a: string): Promise<void>
            const name = 'a'
            let cache: Map<string, string>
            var other = 'b'
            getDocs(query(collection(db, name), where(other, '==', 1)))
            """, "src/a.ts", ["6 a.where(\"b\",\"==\",1)"])
    }

    /// A choice between calls is no method.
    @Test func choicesThatAreStatements() {
        expect(
            """
            x ? getDocs(query(collection(db, 'a'), where('b', '==', 1))) : getDocs(query(collection(db, 'c')))
            const name = 'd'
            y ? db.collection(name).where('e', '==', 1).get() : load({ name })
            """, "src/a.ts", ["1 a.where(\"b\",\"==\",1)", "1 c", "3 d.where(\"e\",\"==\",1)"])
    }

    @Test func countersBeforeALine() {
        expect(
            """
            let q = db.collection('a')
            n++
            q = q.where('b', '==', 1)
            this.n--
            q = q.where('c', '==', n++ + 1)
            q.get()
            """, "src/a.js", ["3 a.where(\"b\",\"==\",1).where(\"c\",\"==\",?)"])
    }
}
