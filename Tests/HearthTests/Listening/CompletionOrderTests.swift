// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Hearth
import Testing

/// Who hears that a write is done has its rows already, as with FirebaseFirestore, where listeners show a write at once.
@Suite struct CompletionOrderTests {
    private let audience: Audience
    private var cities: CollectionReference { audience.cities }

    init() throws {
        audience = try Audience()
    }

    private func expectRows(
        ofEach round: (Int, @escaping @Sendable () -> Void) throws -> Void
    ) throws {
        let heard = audience.listen(to: cities)
        _ = heard.take()
        let counts = Heard<Int>()
        for number in 0..<50 {
            let isDone = DispatchSemaphore(value: 0)
            // On the queue of the callbacks, where the listener's come first.
            try round(number) {
                counts.add(heard.take().count)
                isDone.signal()
            }
            isDone.wait()
        }
        #expect(counts.take() == Array(repeating: 1, count: 50))
    }

    @Test func writesWithACallback() throws {
        try expectRows { number, finish in
            cities.document("\(number)").setData(["n": number]) { _ in finish() }
        }
    }

    @Test func transactionsWithACallback() throws {
        try expectRows { number, finish in
            audience.database.runTransaction({ [cities] transaction, _ in
                transaction.setData(["n": number], forDocument: cities.document("\(number)"))
                return nil
            }) { _, _ in finish() }
        }
    }

    /// The callback of a wait that follows a write which nobody waited for.
    @Test func waitsForPendingWrites() throws {
        try expectRows { number, finish in
            cities.document("\(number)").setData(["n": number])
            audience.database.waitForPendingWrites { _ in finish() }
        }
    }

    @Test func awaitedWrites() async throws {
        let heard = audience.listen(to: cities)
        _ = heard.take()
        for number in 0..<50 {
            try await cities.document("\(number)").setData(["n": number])
            await withCheckedContinuation { continuation in audience.queue.async { continuation.resume() } }
            #expect(heard.take().count == 1, "write \(number)")
        }
    }
}
