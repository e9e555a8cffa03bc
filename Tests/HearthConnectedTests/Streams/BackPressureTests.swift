// SPDX-License-Identifier: Apache-2.0

#if Server && Connected
    import DocumentModel
    import FirestoreProtocol
    import SwiftProtobuf
    import SyncCore
    import Synchronization
    import TestSupport
    import Testing

    @testable import CloudFirestore

    /// A server that says more than the machine has taken is not read on.
    @Suite struct BackPressureTests {
        private static let count = 1_000

        /// A change of a document of ten kilobytes.
        private static func message(_ number: Int) -> ProtoListenResponse {
            var response = ProtoListenResponse()
            response.documentChange.targetIds = [1]
            response.documentChange.document.name = "projects/p/databases/(default)/documents/c/d\(number)"
            let text = Text(String(repeating: "x", count: 10_000))
            response.documentChange.document.fields = Fields([Field("s", .string(text))])!.messages
            response.documentChange.document.updateTime.seconds = 1
            return response
        }

        @Test func aBusyMachineIsNotOverrun() async throws {
            let server = try ScriptedServer()
            let client = try FirestoreClient(project: "p", credentials: .emulator(host: server.host))
            let transport = FirestoreTransport(client)
            let reported = Mutex(0)
            transport.start { input in
                if case .watch = input { reported.withLock { $0 += 1 } }
            }
            transport.open(.watch, connection: 1)
            let call = try await server.call("Listen")
            for number in 0..<BackPressureTests.count { try call.send(BackPressureTests.message(number)) }
            let room = FirestoreTransport.room
            try await wait(for: "the messages that have room") { reported.withLock { $0 } >= room }

            // What the connection carries after another call's answer was read cannot be on its way any more.
            async let answer = client.documents(at: [DocumentPath("c", "a")])
            let other = try await server.call("BatchGetDocuments")
            var missing = ProtoBatchGetDocumentsResponse()
            missing.missing = "projects/p/databases/(default)/documents/c/a"
            missing.readTime.seconds = 1
            try other.send(missing)
            other.end()
            _ = try await answer
            // What was read from the socket together with the message that filled the room is reported, too.
            #expect(reported.withLock { $0 } < 2 * room)

            var taken = 0
            try await wait(for: "all messages") {
                let count = reported.withLock { $0 }
                #expect(count - taken < 2 * room)
                for _ in taken..<count { transport.watchMessageTaken() }
                taken = count
                return count == BackPressureTests.count
            }
            await transport.stop()
        }
    }
#endif
