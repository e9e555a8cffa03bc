// SPDX-License-Identifier: Apache-2.0

import QuerySource
import Testing

/// Lists of constraints that methods change.
@Suite struct ListTests {
    private static let changes: [(change: String, queries: [String])] = [
        ("parts.unshift(where('a', '==', 1));", ["where(\"a\",\"==\",1).orderBy(\"z\")"]),
        ("parts.unshift(orderBy('a'), ...[orderBy('b')]);", ["orderBy(\"a\").orderBy(\"b\").orderBy(\"z\")"]),
        ("if (x) parts.unshift(orderBy('a'));", ["orderBy(\"a\").orderBy(\"z\")", "orderBy(\"z\")"]),
        ("parts.splice(0, 0, orderBy('a'), limit(3));", ["orderBy(\"a\").limit(3).orderBy(\"z\")"]),
        ("parts.splice(1, 0, orderBy('a'));", ["orderBy(\"z\").orderBy(\"a\")"]),
        ("parts.addAll([where('a', '==', 1)]);", ["orderBy(\"z\").where(\"a\",\"==\",1)"]),
        ("parts.sort(byKind);", ["orderBy(\"z\")"]),
        (
            "parts = [x && where('a', '==', 1), ...parts].filter(Boolean);",
            ["orderBy(\"z\")", "where(\"a\",\"==\",1).orderBy(\"z\")"]
        ),
        ("parts = [where('a', '==', 1), ...parts].filter((x) => x);", ["where(\"a\",\"==\",1).orderBy(\"z\")"]),
    ]

    @Test func changesAreFollowed() {
        for (change, queries) in Self.changes {
            expect(source(change), "a.js", queries.map { "4 a.\($0)" })
        }
    }

    /// What a method does with constraints that is not known makes the list unknown.
    @Test func otherMethodsThatGetParts() {
        for (name, before) in [("insert", ""), ("splice", "0, 1, ")] {
            expect(
                source("parts.\(name)(\(before)where('a', '==', 1));"), "a.js",
                ["4 unresolved: a part of it is what '\(name)' makes of a list"])
        }
    }

    private func source(_ change: String) -> String {
        """
        import 'firebase/firestore';
        let parts = [orderBy('z')];
        \(change)
        getDocs(query(collection(db, 'a'), ...parts));
        """
    }

    @Test func filtersOfOtherLanguages() {
        expect(
            """
            def f(a):
                filters = [FieldFilter("a", "==", 1)]
                filters.extend([FieldFilter("b", "==", 1)])
                return db.collection("a").where(filter=And(filters=filters)).get()
            """, "a.py", ["4 a.where(and(where(\"a\",\"==\",1),where(\"b\",\"==\",1)))"])
        expect(
            """
            func f() {
                var parts = [Filter.whereField("a", isEqualTo: 1)]
                parts.append(contentsOf: [Filter.whereField("b", isEqualTo: 1)])
                db.collection("a").whereFilter(Filter.andFilter(parts)).getDocuments { _, _ in }
            }
            """, "a.swift", ["4 a.where(and(where(\"a\",\"==\",1),where(\"b\",\"==\",1)))"])
    }
}
