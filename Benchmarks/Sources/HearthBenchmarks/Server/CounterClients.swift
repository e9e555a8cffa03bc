// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Synchronization

/// Clients that add one to the same counter, all at once.
enum CounterClients {
    /// How often a client begins a transaction before it gives up.
    private static let attempts = 5

    /// Returns how many succeed.
    static func run(_ count: Int, port: Int) throws -> Int {
        let first = try GRPCClient(port: port)
        let zero = Requests.set("counters/c", [("n", Requests.integer(0))])
        _ = try first.exchange(first.call("Commit", Requests.commit([zero]).bytes))
        let successes = Mutex(0)
        let group = DispatchGroup()
        for _ in 0..<count {
            group.enter()
            Thread.detachNewThread {
                if (try? add(port)) == true { successes.withLock { $0 += 1 } }
                group.leave()
            }
        }
        group.wait()
        return successes.withLock { $0 }
    }

    private static func add(_ port: Int) throws -> Bool {
        let client = try GRPCClient(port: port)
        var former: [UInt8] = []
        for _ in 0..<attempts {
            // Options of a transaction that repeats another.
            let options = Message().message(3, former.isEmpty ? Message() : Message().data(1, former))
            let begin = former.isEmpty ? Requests.begin : Requests.begin.message(2, options)
            let begun = try client.exchange(client.call("BeginTransaction", begin.bytes))
            guard let id = Message.payload(1, of: begun.dropFirst(5)) else { return false }
            let transaction = Array(id)
            let read = try client.exchange(
                client.call("BatchGetDocuments", Requests.read("counters/c", in: transaction).bytes))
            let value = number(in: read.dropFirst(5))
            let write = Requests.set("counters/c", [("n", Requests.integer(value + 1))])
            let commit = try client.exchange(
                client.call("Commit", Requests.commit([write], in: transaction).bytes))
            if !commit.isEmpty { return true }
            former = transaction
        }
        return false
    }

    /// The integer in the only field of the document in an answer.
    private static func number(in answer: ArraySlice<UInt8>) -> Int {
        guard let document = Message.payload(1, of: answer), let field = Message.payload(2, of: document),
            let value = Message.payload(2, of: field)
        else { return 0 }
        return value.dropFirst().enumerated().reduce(0) { $0 | Int($1.element & 0x7F) << (7 * $1.offset) }
    }
}
