// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreProtocol
    import SwiftProtobuf
    import TestSupport
    import Testing

    /// The fields of messages, which may name one more than once.
    @Suite struct FieldMessageTests {
        private static let database = DatabaseID(project: "p")

        private static func entry(_ name: String, _ number: Int) -> ProtoFieldEntry {
            .with {
                $0.key = name
                $0.value.integerValue = Int64(number)
            }
        }

        /// Eight times as many fields take about eight times as long. If each moved those behind it, they would take 64 times as
        /// long.
        @Test func theTimeGrowsWithTheNumberOfFields() {
            let growth = growth(from: 2_000, to: 16_000) { count in
                // Backwards, and the first one twice.
                let names = (0..<count).map { "f\(1_000_000 - $0)" }
                var entries = names.map { Self.entry($0, 1) }
                entries.append(Self.entry(names[0], 2))
                let fields = try? Fields(entries, in: Self.database)
                #expect(fields?.count == count && fields?[Text(names[0])] == 2)
            }
            #expect(growth < 20, "\(growth)")
        }
    }
#endif
