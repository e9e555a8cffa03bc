// SPDX-License-Identifier: Apache-2.0

#if Server
    import FirestoreProtocol
    import Foundation
    import Glibc
    import SwiftProtobuf
    import Synchronization
    import Testing

    /// Calls whose client is gone before the server gets to them.
    @Suite struct GoneClientTests {
        private static let calls = 100

        /// 100 calls that are reset while the server has no thread for them, each of which would read 20 documents.
        @Test(arguments: ["RunQuery", "ListDocuments", "RunAggregationQuery"])
        func resetCalls(_ method: String) async throws {
            let server = try TestServer()
            let connection = try await GRPCConnection.open(server.port)
            try await connection.fill("c", 20)
            let pool = BusyPool()
            try await Task(executorPreference: OwnThread()) {
                defer { pool.release() }
                pool.waitUntilBusy()
                for _ in 0..<Self.calls {
                    let stream = try await connection.begin(method)
                    await stream.send(try Self.request(method), isLast: true)
                    try await stream.reset()
                }
                // What is behind the resets on their connection, and needs no thread of the pool.
                try await connection.commit([])
            }.value
            // The pool takes calls in their order.
            for _ in 0..<20 { _ = try await connection.exchange("RunQuery", ProtoRunQueryRequest(.all("none"))) }
            let usage = try await server.http("GET", "/emulator/v1/\(Names.database):usage")
            #expect(usage.object["documentsRead"] as? Int == 0)
            #expect(usage.object["entriesScanned"] as? Int == 0)
        }

        private static func request(_ method: String) throws -> [UInt8] {
            switch method {
            case "RunQuery": try frame(ProtoRunQueryRequest(.all("c")))
            case "ListDocuments":
                try frame(
                    ProtoListDocumentsRequest.with {
                        $0.parent = Names.root
                        $0.collectionID = "c"
                    })
            default:
                try frame(
                    ProtoRunAggregationQueryRequest.with {
                        $0.parent = Names.root
                        $0.structuredAggregationQuery.structuredQuery = .all("c")
                        $0.structuredAggregationQuery.aggregations = [.with { $0.count = .init() }]
                    })
            }
        }
    }

    /// Takes every thread of the tasks that name no executor. They run: threads that wait would be replaced.
    private final class BusyPool: Sendable {
        private let running = Atomic(0)
        private let isReleased = Atomic(false)
        private let count = ProcessInfo.processInfo.activeProcessorCount

        init() {
            for _ in 0..<count { Task.detached { self.run() } }
        }

        deinit { release() }

        private func run() {
            running.add(1, ordering: .relaxed)
            while !isReleased.load(ordering: .relaxed) { sched_yield() }
        }

        /// Blocks its thread: even the end of a task's sleep needs one of the pool.
        func waitUntilBusy() {
            while running.load(ordering: .relaxed) < count { sched_yield() }
        }

        func release() { isReleased.store(true, ordering: .relaxed) }
    }
#endif
