// SPDX-License-Identifier: Apache-2.0

import QuerySource
import Testing

/// All ways that a program may take are followed, or a query is unresolved.
@Suite struct WayTests {
    private static let cases = [
        SourceCase(
            "a field and a direction by one condition",
            """
            const field = flag ? 'a' : 'b';
            const direction = flag ? 'asc' : 'desc';
            db.collection('c').where(field, '==', 1).orderBy('z', direction).get();
            """,
            ["3 c.where(\"a\",\"==\",1).orderBy(\"z\")", "3 c.where(\"b\",\"==\",1).orderBy(\"z\",\"desc\")"]),
        SourceCase(
            "steps by two conditions",
            """
            let q = db.collection('c').orderBy('z');
            if (x) { q = q.where('a', '==', 1); }
            if (x > 3) { q = q.where('b', '==', 1); }
            q.get();
            """,
            [
                "1 c.orderBy(\"z\")", "1 c.orderBy(\"z\").where(\"a\",\"==\",1)",
                "1 c.orderBy(\"z\").where(\"a\",\"==\",1).where(\"b\",\"==\",1)",
                "1 c.orderBy(\"z\").where(\"b\",\"==\",1)",
            ]),
        SourceCase(
            "a default that does nothing",
            """
            let field = 'a';
            switch (x) { case 1: field = 'b'; break; case 2: case 3: field = 'd'; break; default: }
            db.collection('c').where(field, '==', 1).get();
            """, ["3 c.where(\"a\",\"==\",1)", "3 c.where(\"b\",\"==\",1)", "3 c.where(\"d\",\"==\",1)"]),
        SourceCase(
            "a case that runs into the next one",
            """
            let q = db.collection('c').where('z', '==', 1);
            switch (x) {
              case 1: q = q.where('a', '==', 1);
              case 2: { q = q.where('b', '==', 1); break; }
              case 3: throw new Error();
              case 4: q = q.where('d', '==', 1);
            }
            q.get();
            """,
            [
                "1 c.where(\"z\",\"==\",1)", "1 c.where(\"z\",\"==\",1).where(\"a\",\"==\",1).where(\"b\",\"==\",1)",
                "1 c.where(\"z\",\"==\",1).where(\"b\",\"==\",1)", "1 c.where(\"z\",\"==\",1).where(\"d\",\"==\",1)",
            ]),
        SourceCase(
            "a variable that may keep its value",
            """
            let first = 'a', second = 'b';
            first ??= 'd';
            x && (second ||= 'e');
            db.collection('c').where(first, '==', 1).get();
            db.collection('c').where(second, '==', 1).get();
            """,
            [
                "4 c.where(\"a\",\"==\",1)", "4 c.where(\"d\",\"==\",1)", "5 c.where(\"b\",\"==\",1)",
                "5 c.where(\"e\",\"==\",1)",
            ]),
        SourceCase(
            "a member that has several values",
            """
            const NAMES = { x: flag ? 'a' : 'b', y: 'd' };
            db.collection('c').where(NAMES[`${k}`], '==', 1).get();
            """, ["2 c.where(\"d\",\"==\",1)", "2 unresolved: the field of a filter is the member 'x'"]),
        SourceCase(
            "members of another object",
            """
            const base = { users: 'v' };
            const all = { ...other, users: 'u' }, some = { users: 'u', ...base }, none = { users: 'u', ...other };
            db.collection(all.users).where('a', '==', 1).get();
            db.collection(some.users).where('a', '==', 1).get();
            db.collection(none.users).where('a', '==', 1).get();
            """,
            [
                "3 u.where(\"a\",\"==\",1)", "4 v.where(\"a\",\"==\",1)",
                "5 unresolved: its collection is the member 'users'",
            ]),
    ]

    @Test(arguments: cases) func sitesOfCases(_ one: SourceCase) { expect(one.source, "src/a.js", one.sites) }

    @Test func casesOfOtherLanguages() {
        expect(
            """
            class A { void f() {
              Query q = db.collection("c").whereEqualTo("z", 1);
              switch (x) { case 1: q = q.whereEqualTo("a", 1); default: q = q.whereEqualTo("b", 1); }
              q.get();
            } }
            """, "A.java",
            [
                "2 c.where(\"z\",\"==\",1).where(\"a\",\"==\",1).where(\"b\",\"==\",1)",
                "2 c.where(\"z\",\"==\",1).where(\"b\",\"==\",1)",
            ])
        // In Go a case without statements does nothing.
        expect(
            """
            func f() {
            	q := client.Collection("c").Where("z", "==", 1)
            	switch x {
            	case 1:
            	case 2:
            		q = q.Where("a", "==", 1)
            	default:
            		q = q.Where("b", "==", 1)
            	}
            	q.Documents(ctx)
            }
            """, "a.go",
            [
                "2 c.where(\"z\",\"==\",1)", "2 c.where(\"z\",\"==\",1).where(\"a\",\"==\",1)",
                "2 c.where(\"z\",\"==\",1).where(\"b\",\"==\",1)",
            ])
    }

    /// A case is followed into a bounded number of others, and what is left is not silent.
    @Test func manyCasesThatRunIntoEachOther() {
        let cases = (0..<40).map { "case \($0): f\($0)();\n" }.joined()
        let found = sites("switch (x) {\n\(cases)}\ndb.collection('c').where('a', '==', 1).get();", "a.js")
        #expect(found.contains { $0.contains("unresolved") }, "\(found)")
    }
}
