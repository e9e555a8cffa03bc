// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentEngine
    import DocumentModel
    import Testing

    @testable import FirestoreServer

    /// Clients that do not repeat their aborted transactions.
    @Suite struct AbortedFootprintsTests {
        private func documents(_ numbers: Range<Int>, in collection: String = "c") throws -> Set<DocumentPath> {
            Set(try numbers.map { try DocumentPath(parsing: "\(collection)/d\($0)") })
        }

        @Test func theOldestAreForgotten() throws {
            var aborted = AbortedFootprints(limit: 100_000)
            for first in 1...2_000 {
                aborted.add(Footprint(documents: try documents(first..<first + 1)), to: UInt64(first), at: .now)
                #expect(aborted.byteCount <= 100_000)
            }
            #expect(aborted[1] == nil)
            #expect(try aborted[1_999]?.documents == documents(1_999..<2_000))
            #expect(try aborted[2_000]?.documents == documents(2_000..<2_001))
            for first in 1...2_000 { aborted.remove(UInt64(first)) }
            #expect(aborted.byteCount == 0)
        }

        /// A large one still has its turn, with the collections of its documents or with everything.
        @Test func largeOnes() throws {
            var aborted = AbortedFootprints(limit: 100_000)
            for attempt in 0..<10 {
                aborted.add(Footprint(documents: try documents(100 * attempt..<100 * attempt + 100)), to: 1, at: .now)
            }
            let collection = try #require(aborted[1])
            #expect(collection.documents.isEmpty)
            #expect(try collection.overlaps(Footprint(documents: documents(5_000..<5_001))))
            #expect(try !collection.overlaps(Footprint(documents: documents(0..<1, in: "d"))))
            for attempt in 0..<1_000 {
                aborted.add(Footprint(documents: try documents(0..<1, in: "c\(attempt)")), to: 1, at: .now)
                #expect(aborted.byteCount <= 100_000)
            }
            let everything = try #require(aborted[1])
            #expect(try everything.overlaps(Footprint(documents: documents(0..<1, in: "other"))))
        }

        /// The table of transactions forgets them, too.
        @Test func theTableForgetsTheOldest() throws {
            let table = TransactionTable(abortedLimit: 10_000)
            let first = table.attempt(retrying: nil).attempt
            let id = try table.begin(.readOnly(Timestamp(seconds: 1, nanoseconds: 0)!), first)
            table.note(first, aborted: Footprint(documents: try documents(0..<1)))
            #expect(table.attempt(retrying: id).former != nil)
            for number in 0..<100 {
                let other = table.attempt(retrying: nil).attempt
                table.note(other, aborted: Footprint(documents: try documents(number..<number + 1)))
            }
            #expect(table.attempt(retrying: id).former == nil)
        }
    }
#endif
