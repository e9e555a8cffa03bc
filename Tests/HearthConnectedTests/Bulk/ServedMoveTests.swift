// SPDX-License-Identifier: Apache-2.0

#if Server && Connected
    import BulkMove
    import DocumentEngine
    import DocumentModel
    import CloudFirestore
    import ReplicaStore
    import SyncCore
    import TestSupport
    import Testing

    /// A bulk move over the wire, to a `hearth serve` in this process.
    @Suite struct ServedMoveTests {
        private let server: LocalServer
        private let folder: TemporaryDirectory

        init() throws {
            server = try LocalServer()
            folder = try TemporaryDirectory()
        }

        private func path(_ number: Int) -> DocumentPath {
            let parent = DocumentPath("c", "d\(number / 2)")
            guard number % 2 == 1 else { return parent }
            return CollectionPath(parent.resource.appending("sub")).document("s")
        }

        @Test func thereAndBack() async throws {
            let own = Reference(database: DatabaseID(project: "hearth"), path: path(0).resource)
            let source = try TemporaryDatabase(
                documents: Dictionary(
                    uniqueKeysWithValues: (0..<5_000).map { number in
                        (
                            path(number),
                            Fields([
                                Field("n", .integer(Int64(number))), Field("own", .reference(own)),
                                Field("v", .vector([1, 2])), Field("b", .bytes([0, 255])),
                            ])!
                        )
                    }))
            var options = Engine.Options()
            options.identity = LocalServer.database
            let replica = try EngineReplica(folder.path("replica.db"), options)
            let client = try server.client()
            let push = Push(
                source.engine, replica: replica, server: client, ramp: WriteRamp(start: 100_000),
                clock: ContinuousClock(), random: { 0.5 }
            ) { _ in
            }
            let summary = try await push.run()
            #expect(summary.isComplete && summary.written == 5_000, "\(summary)")
            let pull = try await Pull(client, clock: ContinuousClock()) { 0.5 }
            var count = 0
            while let page = try await pull.next() {
                for document in page {
                    count += 1
                    let kept = try replica.engine.document(document.path)
                    #expect(kept?.updateTime == document.version)
                    #expect(kept?.createTime == document.createTime)
                    let fields = try #require(document.fields)
                    #expect(kept?.fields.isIdentical(to: fields) == true)
                    let original = try source.engine.document(document.path)?.fields
                        .movingReferences(from: source.engine.database, to: LocalServer.database)
                    #expect(original?.isIdentical(to: fields) == true)
                }
            }
            #expect(count == 5_000)
            await client.close()
        }
    }
#endif
