// SPDX-License-Identifier: Apache-2.0

#if Server && Connected
    import DocumentModel
    import Foundation
    import Glibc
    import SyncCore
    import Synchronization
    import TestSupport
    import Testing

    @testable import CloudFirestore

    /// Clients that are killed with writes queued, on their way, or just answered.
    @Suite struct KilledClientTests {
        /// Each process goes on with the file of the one before, and is killed one step later than that.
        @Test func nothingQueuedIsLost() async throws {
            let server = try LocalServer()
            let directory = try TemporaryDirectory()
            let (file, log, port) = (directory.path("a.db"), directory.path("log"), server.port)
            try Data().write(to: URL(filePath: log))
            let kills = Rounds.of(80)
            for kill in 1...kills {
                // In the debug round the steps are further apart.
                let step = kill * Rounds.share
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [file = file as String, log = log as String, port = port as Int, step = step as Int] in
                    try await KilledClient(log, killAt: step).run(file, port)
                }
            }
            let last = try Device(file, FirestoreTransport(server.client()))
            let listener = last.listen(try .collection("c"))
            let journal = try Journal(log)
            try await wait(for: "the queue to be sent") {
                guard let values = last.synced(listener) else { return false }
                return journal.isKept(in: values)
            }
            // The server has the same, and nothing was sent again but what had no answer: a pipeline for each kill.
            let values = try #require(last.synced(listener))
            let count = try #require(values["count"])
            #expect(count >= Int64(journal.stored.count))
            #expect(count <= Int64(journal.attempted.count + 10 * kills))
            #expect(journal.stored.count >= kills)
            let documents = try await server.client().documents(of: .collection("c"))
            #expect(documents.count == values.count)
            await last.stop()
        }
    }

    /// What a killed client has written of its work: `a 7` before the write of 7, `s 7` once it is stored.
    private struct Journal {
        var attempted: [Int] = []
        var stored: [Int] = []

        init(_ path: String) throws {
            for line in try String(contentsOf: URL(filePath: path), encoding: .utf8).split(separator: "\n") {
                let words = line.split(separator: " ")
                guard words.count == 2, let n = Int(words[1]) else { continue }
                if words[0] == "a" { attempted.append(n) } else { stored.append(n) }
            }
        }

        static func id(_ n: Int) -> String { "d\(n % 5)" }

        /// Whether every document has its last stored write, or a later one whose line was not written any more.
        func isKept(in values: [String: Int64]) -> Bool {
            Set(stored.map(Journal.id)).allSatisfy { id in
                let last = stored.last { Journal.id($0) == id } ?? 0
                guard let n = values[id].map(Int.init) else { return false }
                return n >= last && attempted.contains(n)
            }
        }
    }

    /// The work of one process.
    private final class KilledClient: Sendable {
        private let log: FileHandle
        private let first: Int
        private let steps: Atomic<Int>

        init(_ path: String, killAt step: Int) throws {
            first = try (Journal(path).attempted.last ?? 0) + 1
            log = try FileHandle(forWritingTo: URL(filePath: path))
            try log.seekToEnd()
            steps = Atomic(step)
        }

        func run(_ file: String, _ port: Int) async throws {
            let client = try FirestoreClient(project: "p", credentials: .emulator(host: "127.0.0.1:\(port)"))
            let device = try Device(file, FirestoreTransport(client)) { effect in
                if case .writeStored(let write) = effect { self.note("s", self.first + write - 1) }
                if self.steps.subtract(1, ordering: .relaxed).newValue == 0 { kill(getpid(), SIGKILL) }
            }
            for n in first..<(first + 20) {
                note("a", n)
                let count = Write(
                    DocumentPath("c", "count"),
                    .update([:], mask: [], transforms: [FieldTransform("n", .increment(.integer(1)))]))
                device.write(.n("c", Journal.id(n), Int64(n)), count)
            }
            try await wait(for: "all answers") { device.state.finished.count == 20 }
            kill(getpid(), SIGKILL)
        }

        private func note(_ kind: String, _ n: Int) { log.write(Data("\(kind) \(n)\n".utf8)) }
    }
#endif
