// SPDX-License-Identifier: Apache-2.0

import QuerySource
import Testing

/// How languages declare what queries are built of, and lines that are for the compiler.
@Suite struct DeclarationTests {
    @Test func conditionalLinesOfSwift() {
        expect(
            """
            #if canImport(FirebaseFirestore)
            import FirebaseFirestore
            #endif
            final class Store {
                func load() async throws {
                    #if DEBUG
                    print("x")
                    #endif
                    db.collection("a").whereField("b", isEqualTo: 1).getDocuments { _, _ in }
                    #if targetEnvironment(simulator) // here, too
                    db.collection("c").whereField("d", isEqualTo: 1).getDocuments { _, _ in }
                    #elseif os(iOS)
                    db.collection("e").whereField("f", isEqualTo: 1).getDocuments { _, _ in }
                    #else
                    db.collection("g").whereField("h", isEqualTo: 1).getDocuments { _, _ in }
                    #endif
                    let found = try await db.collection("i")
                        #if DEBUG
                        .limit(to: 3)
                        #endif
                        .getDocuments()
                }
            }
            """, "Store.swift",
            [
                "9 a.where(\"b\",\"==\",1)", "11 c.where(\"d\",\"==\",1)", "13 e.where(\"f\",\"==\",1)",
                "15 g.where(\"h\",\"==\",1)", "17 i.limit(3)",
            ])
    }
}
