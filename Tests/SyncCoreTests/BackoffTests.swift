// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import SyncCore
import Testing

@Suite struct BackoffTests {
    /// Each failure and the wait that follows it.
    private static func waits(_ codes: [StatusCode]) throws -> [Int] {
        let client = ScriptedClient()
        client.listen(try ScriptedClient.collection())
        return codes.map { code in
            let wait = client.fail(.watch, code).waits(.backoff(.watch)).last!
            // A wait counts from the last attempt, and no time passes between that and the failure.
            client.now += Int64(wait.milliseconds) * 1_000
            client.feed(.timer(.backoff(.watch), ticket: wait.ticket))
            return wait.milliseconds
        }
    }

    @Test func waitsGrowByHalfUpToAMinute() throws {
        let waits = try BackoffTests.waits(Array(repeating: .unavailable, count: 14))
        #expect(waits[0] == 0)
        var base = 1_000.0
        for wait in waits.dropFirst() {
            #expect((base / 2 - 1...base * 1.5).contains(Double(wait)), "\(waits)")
            base = min(base * 1.5, 60_000)
        }
    }

    @Test func anExhaustedServerIsLeftAloneForAMinute() throws {
        let waits = try BackoffTests.waits([.resourceExhausted])
        #expect((30_000...90_000).contains(waits[0]))
    }

    /// Each refusal means the longest wait. Then the listen and the queue go on.
    @Test(arguments: SyncStream.allCases) func anExhaustedServerIsAskedAgain(_ stream: SyncStream) throws {
        let client = ScriptedClient()
        client.listen(try ScriptedClient.collection())
        client.feed(.write([.set(ScriptedClient.path("a"), .empty)], write: 1))
        for _ in 0..<3 {
            let wait = try #require(client.fail(stream, .resourceExhausted).waits(.backoff(stream)).last)
            #expect((30_000...90_000).contains(wait.milliseconds))
            client.now += Int64(wait.milliseconds) * 1_000
            client.feed(.timer(.backoff(stream), ticket: wait.ticket))
        }
        #expect(client.effects.finished.isEmpty)
        client.sync([], at: 3)
        client.acknowledge(at: 4)
        #expect(client.effects.finished == [1: .ok])
        #expect(client.effects.snapshots.last?.isFromCache == false)
    }

    @Test func aMessageOfTheServerEndsTheWaits() throws {
        let client = ScriptedClient()
        client.listen(try ScriptedClient.collection())
        client.fail(.watch, .unavailable)
        client.connectAgain(.watch)
        client.sync([], at: 1)
        #expect(client.fail(.watch, .unavailable).waits(.backoff(.watch)).map(\.milliseconds) == [0])
    }

    @Test func credentialsAreRenewedUnlessTheStreamHadWorked() throws {
        let client = ScriptedClient()
        let health = client.listen(try ScriptedClient.collection()).waits(.health(.watch)).last!
        client.feed(.timer(.health(.watch), ticket: health.ticket))
        func renews(_ effects: [SyncEffect]) -> Bool {
            effects.contains { if case .invalidateCredentials = $0 { true } else { false } }
        }
        #expect(!renews(client.fail(.watch, .unauthenticated)))
        client.connectAgain(.watch)
        #expect(renews(client.fail(.watch, .unauthenticated)))
    }

    @Test func aStreamWithoutTargetsIsClosedAfterAMinute() throws {
        let client = ScriptedClient()
        client.listen(try ScriptedClient.collection())
        let idle = try #require(client.feed(.unlisten(listener: 1)).waits(.idle(.watch)).last)
        #expect(idle.milliseconds == 60_000)
        client.feed(.timer(.idle(.watch), ticket: idle.ticket))
        #expect(client.connections[.watch] == nil)
    }
}
