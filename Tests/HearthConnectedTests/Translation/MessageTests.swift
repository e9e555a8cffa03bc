// SPDX-License-Identifier: Apache-2.0

#if Server && Connected
    import DocumentModel
    import FirestoreProtocol
    import CloudFirestore
    import JSONText
    import QueryPlanner
    import SwiftProtobuf
    import TestSupport
    import Testing

    @testable import SyncCore

    /// What the client sends is what the server reads, and the other way round.
    @Suite struct MessageTests {
        private let database = LocalServer.database

        @Test func queries() throws {
            try check(
                generate: { random in
                    let documents = DocumentGenerator().documents(20, &random)
                    return QueryGenerator(documents).query(&random).with { $0.limitToLast = false }
                },
                failure: { query in
                    let read = try Query(query.message(in: database), under: query.parent, in: database)
                    let (sent, received) = (json(.documents(query)), json(.documents(read)))
                    return sent == received ? nil : "\(received) instead of \(sent)"
                })
        }

        @Test func aggregations() throws {
            try check(
                generate: { random in
                    let documents = DocumentGenerator().documents(20, &random)
                    var query = QueryGenerator(documents).aggregationQuery(&random)
                    query.query.limitToLast = false
                    return query
                },
                failure: { query in
                    let read = try AggregationQuery(
                        query.message(in: database), under: query.query.parent, in: database)
                    let (sent, received) = (json(.aggregation(query)), json(.aggregation(read)))
                    return sent == received ? nil : "\(received) instead of \(sent)"
                })
        }

        private func json(_ request: QueryRequest) -> String {
            var writer = JSONWriter()
            QueryJSON.write(request, to: &writer, database: database)
            return writer.string
        }

        @Test func writes() throws {
            try check(
                generate: { random in write(&random) },
                failure: { write in
                    let read = try Write(write.message(in: database), in: database)
                    return "\(read)" == "\(write)" ? nil : "\(read)"
                })
        }

        private func write(_ random: inout SeededGenerator) -> Write {
            let values = ValueGenerator()
            let path = DocumentPath("c", "d")
            let paths: [FieldPath] = ["a", "b.c", FieldPath([Text("x.y")])]
            var write: Write
            switch random.int(0..<4) {
            case 0: write = Write(path, .delete)
            case 1: write = Write(path, .verify)
            default:
                let transforms: [FieldTransform.Operation] = [
                    .serverTimestamp, .increment(.integer(2)), .maximum(.double(0.5)), .minimum(.integer(-1)),
                    .appendMissingElements([.integer(1)]), .removeAllFromArray([.string("a")]),
                ]
                write = Write(
                    path,
                    .update(
                        values.fields(&random, depth: 2),
                        mask: random.chance(0.5) ? Array(paths.prefix(random.int(0..<4))) : nil,
                        transforms: random.chance(0.5) ? [FieldTransform(paths[0], random.pick(transforms))] : []))
            }
            if random.chance(0.3) { write.precondition = .exists(random.chance(0.5)) }
            if random.chance(0.3) { write.precondition = .updateTime(values.timestamp(&random)) }
            return write
        }

        @Test func listenRequests() throws {
            let document = WatchRequest.add(
                ListenRequest(
                    target: SyncTarget(document: DocumentPath("c", "d")), wireID: 3, targetID: 2, resumeToken: [1, 2],
                    readTime: Timestamp(microseconds: 5), expectedCount: 7, purpose: .limboResolution)
            ).message(in: database)
            #expect(document.database == "projects/p/databases/(default)")
            #expect(document.labels == ["goog-listen-tags": "limbo-document"])
            #expect(document.addTarget.targetID == 3)
            #expect(document.addTarget.documents.documents == ["projects/p/databases/(default)/documents/c/d"])
            // A token outranks a time.
            #expect(Array(document.addTarget.resumeToken) == [1, 2])
            #expect(document.addTarget.expectedCount.value == 7)

            let query = try SyncQuery.collection("c").target
            let add = WatchRequest.add(
                ListenRequest(
                    target: query, wireID: 9, targetID: 2, resumeToken: [], readTime: Timestamp(microseconds: 5),
                    expectedCount: nil, purpose: .listen)
            ).message(in: database)
            #expect(add.labels.isEmpty)
            #expect(add.addTarget.query.parent == "projects/p/databases/(default)/documents")
            #expect(add.addTarget.query.structuredQuery.from.map(\.collectionID) == ["c"])
            #expect(add.addTarget.readTime.nanos == 5_000)
            #expect(!add.addTarget.hasExpectedCount)
            #expect(WatchRequest.remove(wireID: 9).message(in: database).removeTarget == 9)
        }

        @Test func writeRequests() throws {
            let handshake = SyncCore.WriteRequest.handshake.message(in: database)
            #expect(handshake.database == "projects/p/databases/(default)")
            #expect(handshake.writes.isEmpty && handshake.streamToken.isEmpty)
            let goodbye = SyncCore.WriteRequest.goodbye(streamToken: [7]).message(in: database)
            #expect(goodbye.writes.isEmpty && Array(goodbye.streamToken) == [7])
        }

        @Test func rejectedTargets() throws {
            var response = ProtoListenResponse()
            response.targetChange.targetChangeType = .remove
            response.targetChange.targetIds = [4]
            response.targetChange.cause.code = 7
            response.targetChange.cause.message = "no"
            guard case .targetsRejected([4], let error)? = try WatchChange(response, in: database) else {
                Issue.record("not a rejection")
                return
            }
            #expect(error == SyncError(.permissionDenied, "no"))
            // A cause that is OK is the answer to the client's own removal.
            response.targetChange.cause.code = 0
            guard case .target(.removed, [4], _, nil)? = try WatchChange(response, in: database) else {
                Issue.record("not a removal")
                return
            }
        }

        @Test func filtersAndUnknownMessages() throws {
            var response = ProtoListenResponse()
            response.filter.targetID = 4
            response.filter.count = 2
            response.filter.unchangedNames.bits.padding = 9
            guard case .existenceFilter(let filter, 4)? = try WatchChange(response, in: database) else {
                Issue.record("not a filter")
                return
            }
            #expect(filter.count == 2)
            // No set has such a padding.
            #expect(filter.unchangedNames == nil)
            #expect(try WatchChange(ProtoListenResponse(), in: database) == nil)
            response.targetChange.targetChangeType = .UNRECOGNIZED(99)
            #expect(try WatchChange(response, in: database) == nil)
        }

        @Test func unreadableDocuments() {
            var response = ProtoListenResponse()
            response.documentChange.document.name = "projects/other/databases/(default)/documents/c/d"
            #expect(throws: RequestError.self) { try WatchChange(response, in: database) }
            response.documentChange.document.name = "projects/p/databases/(default)/documents/c"
            #expect(throws: RequestError.self) { try WatchChange(response, in: database) }
        }

        /// Databases that were Datastore's have names that no request may have.
        @Test func reservedNames() throws {
            var response = ProtoListenResponse()
            response.documentDelete.document = "projects/p/databases/(default)/documents/c/__id7__"
            guard case .deletion(let path, nil, [])? = try WatchChange(response, in: database) else {
                Issue.record("not a deletion")
                return
            }
            #expect(path.id == "__id7__")
        }
    }
#endif
