// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreProtocol
    import Testing

    @testable import FirestoreServer

    /// A request may set the rules of a database that does not exist.
    @Suite struct RulesSourceTests {
        private func id(_ number: Int) -> DatabaseID { DatabaseID(project: Text("p\(number)")) }

        @Test func rulesAreNotTakenWithoutEnd() throws {
            let source = RulesSource(limit: 100_000)
            let open = ServedRules(documents: "match /open/{id} { allow read; }")
            var count = 0
            let refusal = #expect(throws: RequestError.self) {
                while count < 1_000 {
                    try source.set(open, of: id(count))
                    count += 1
                }
            }
            #expect(refusal?.status == .resourceExhausted)
            #expect((10..<100).contains(count))
            #expect(source.rules(of: id(count)) == nil)
            // Those of the others remain, and may be exchanged.
            let other = ServedRules(documents: "match /shut/{id} { allow read; }")
            try source.set(other, of: id(0))
            #expect(source.rules(of: id(0)) === other && source.rules(of: id(1)) === open)
            source.replace(nil)
            try source.set(open, of: id(count))
            #expect(source.rules(of: id(count)) === open)
        }
    }
#endif
