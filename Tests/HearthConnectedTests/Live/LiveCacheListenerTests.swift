// SPDX-License-Identifier: Apache-2.0

#if Server && Connected
    import DocumentModel
    import Hearth
    import TestSupport
    import Testing

    /// Listeners of the cache, alone and beside listeners of the server (C-29).
    @Suite(.serialized) struct LiveCacheListenerTests {
        private func client(_ server: LiveServer, _ values: [String: Int64]) async throws -> LiveClient {
            let client = try await LiveClient(server)
            try await client.serve(values.mapValues { .integer($0) })
            return client
        }

        /// The cache has what was read before, be it nothing. Neither the network nor other clients move its listeners.
        @Test(arguments: LiveServer.present, [[:], ["a": 1]])
        func firstResults(_ server: LiveServer, _ values: [String: Int64]) async throws {
            let client = try await client(server, values)
            _ = try await client.collection.getDocuments()
            let query = client.listen(to: client.collection, includeMetadataChanges: true, source: .cache)
            #expect(try await query.next().map(\.text) == [values.isEmpty ? "[]c" : "[a=1]c"])
            // A query that would need a composite index of the server's.
            let composite = client.collection.whereField("n", isGreaterThan: 0).whereField("m", isLessThan: "x")
            let wide = client.listen(to: composite, source: .cache)
            #expect(try await wide.next().map(\.text) == ["[]c"])
            if !values.isEmpty {
                let document = client.listen(to: client.collection.document("a"), source: .cache)
                #expect(try await document.next().map(\.text) == ["1c"])
            }
            try await client.database.disableNetwork()
            try await client.database.enableNetwork()
            try await client.serve(["other": 5])
            let new = client.collection.document("new")
            try await client.database.runTransaction { _ = $0.setData(["n": 1], forDocument: new) }
            try await client.settle()
            #expect(query.take().isEmpty)
        }

        @Test(arguments: LiveServer.present) func severalAtOnce(_ server: LiveServer) async throws {
            let client = try await client(server, ["a": 0, "b": 1])
            _ = try await client.collection.getDocuments()
            let query = client.collection.whereField("n", isGreaterThan: 0).order(by: "n")
            let (first, second) = (client.listen(to: query, source: .cache), client.listen(to: query, source: .cache))
            for heard in [first, second] { #expect(try await heard.next().map(\.text) == ["[b=1]c"]) }
            try await client.collection.document("c").setData(["n": 2])
            for heard in [first, second] { #expect(try await heard.next().map(\.text) == ["[b=1 c=2p]cp"]) }
            first.remove()
            try await client.collection.document("d").setData(["n": 3])
            #expect(try await second.next().map { $0.text.hasPrefix("[b=1 c=2") } == [true])
            try await client.settle()
            #expect(first.take().isEmpty && second.take().isEmpty)
        }

        /// Nobody listens to the server, so the acknowledgement alone is no news.
        @Test(arguments: LiveServer.present) func acknowledgementsAreNoNews(_ server: LiveServer) async throws {
            let client = try await client(server, ["a": 0, "b": 1])
            _ = try await client.collection.getDocuments()
            let query = client.collection.whereField("n", isNotEqualTo: 0).order(by: "n")
            let heard = client.listen(to: query, includeMetadataChanges: true, source: .cache)
            #expect(try await heard.next().map(\.text) == ["[b=1]c"])
            try await client.collection.document("c").setData(["n": 2])
            #expect(try await heard.next().map(\.text) == ["[b=1 c=2p]cp"])
            try await client.settle()
            #expect(heard.take().isEmpty)
        }

        /// A query of the first rows and one of the last rows of the reversed order are one target of the server.
        @Test(arguments: LiveServer.present) func mirroredQueries(_ server: LiveServer) async throws {
            let client = try await client(server, ["a": 0, "b": 1, "c": 1])
            _ = try await client.collection.getDocuments()
            let (up, down) = (
                client.collection.order(by: "n").limit(to: 2),
                client.collection.order(by: "n", descending: true).limit(toLast: 2)
            )
            let first = client.listen(to: up, source: .cache)
            let last = client.listen(to: down, source: .cache)
            #expect(try await first.next().map(\.text) == ["[a=0 b=1]c"])
            #expect(try await last.next().map(\.text) == ["[b=1 a=0]c"])
            first.remove()
            let again = client.listen(to: up, source: .cache)
            #expect(try await again.next().map(\.text) == ["[a=0 b=1]c"])
            try await client.collection.document("d").setData(["n": -1])
            #expect(try await again.next().map(\.text) == ["[d=-1p a=0]cp"])
            #expect(try await last.next().map(\.text) == ["[a=0 d=-1p]cp"])
            last.remove()
            try await client.collection.document("a").updateData(["n": -2])
            // The acknowledged write of `d` is pending for a view that saw it made, and for no other.
            #expect(try await again.next().map(\.text) == ["[a=-2p d=-1p]cp"])
            let late = client.listen(to: down, source: .cache)
            #expect(try await late.next().map(\.text) == ["[d=-1 a=-2]c"])
        }

        @Test(arguments: LiveServer.present) func theServerFirst(_ server: LiveServer) async throws {
            let client = try await client(server, ["a": 0, "b": 1])
            let query = client.collection.whereField("n", isGreaterThanOrEqualTo: 1).order(by: "n")
            let live = client.listen(to: query)
            #expect(try await live.next().map(\.text) == ["[b=1]"])
            let cached = client.listen(to: query, source: .cache)
            #expect(try await cached.next().map(\.text) == ["[b=1]"], "the other listener keeps the result current")
            // Another client's news, and news of a transaction, reach both.
            let new = client.collection.document("c")
            try await client.database.runTransaction { _ = $0.setData(["n": 2], forDocument: new) }
            for heard in [live, cached] {
                #expect(try await heard.first("the new row") { $0.count == 2 }.text == "[b=1 c=2]")
            }
            live.remove()
            try await client.collection.document("d").setData(["n": 3])
            let alone = try await cached.first("the own write") { $0.count == 3 }
            #expect(alone.documents.map(\.documentID) == ["b", "c", "d"])
            try await client.settle()
            #expect(live.take().isEmpty)
        }

        @Test(arguments: LiveServer.present, [false, true])
        func theCacheFirst(_ server: LiveServer, _ isFilled: Bool) async throws {
            let client = try await client(server, ["a": 0, "b": 1])
            if isFilled { _ = try await client.collection.getDocuments() }
            let query = client.collection.whereField("n", isNotEqualTo: 0).order(by: "n")
            let cached = client.listen(to: query, includeMetadataChanges: true, source: .cache)
            #expect(try await cached.next().map(\.text) == [isFilled ? "[b=1]c" : "[]c"])
            let live = client.listen(to: query, includeMetadataChanges: true)
            #expect(try await live.next(isFilled ? 2 : 1).map(\.text) == (isFilled ? ["[b=1]c", "[b=1]"] : ["[b=1]"]))
            #expect(try await cached.next().map(\.text) == ["[b=1]"])
            try await client.collection.document("c").setData(["n": 2])
            for heard in [live, cached] {
                #expect(try await heard.next(2).map(\.text) == ["[b=1 c=2p]p", "[b=1 c=2]"])
            }
            try await client.settle()
            #expect(live.take().isEmpty && cached.take().isEmpty)
        }

        /// Listeners of one query come and go, of either source.
        @Test(arguments: LiveServer.present) func comingAndGoing(_ server: LiveServer) async throws {
            let client = try await client(server, ["a": 0, "b": 1])
            let query = client.collection.whereField("n", isGreaterThan: 0).order(by: "n")
            let ids = { (snapshot: QuerySnapshot) in snapshot.documents.map(\.documentID) }
            let live = client.listen(to: query)
            #expect(try await live.next().map(ids) == [["b"]])
            let cached = client.listen(to: query, source: .cache)
            #expect(try await cached.next().map(ids) == [["b"]])
            live.remove()
            try await client.collection.document("c").setData(["n": 2])
            #expect(try await cached.next().map(ids) == [["b", "c"]])
            let again = client.listen(to: query)
            #expect(try await again.first("both rows") { $0.count == 2 }.documents.map(\.documentID) == ["b", "c"])
            cached.remove()
            try await client.collection.document("b").updateData(["n": 3])
            _ = try await again.first("the new order") { ids($0) == ["c", "b"] }
            let last = client.listen(to: query, source: .cache)
            #expect(try await last.next().map(ids) == [["c", "b"]])
            try await client.settle()
            #expect(cached.take().isEmpty && live.take().isEmpty)
        }
    }
#endif
