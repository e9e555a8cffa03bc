// SPDX-License-Identifier: Apache-2.0

#if Server && Connected
    import DocumentModel
    import Foundation
    import Hearth
    import TestSupport
    import Testing

    /// Bundles beside what the server has.
    @Suite struct LiveBundleTests {
        /// Two old documents, the greatest one and the smallest one of them by name.
        private static func bundle(_ collection: String, project: String = "p") -> Data {
            let root = "projects/\(project)/databases/(default)/documents"
            let time = #"{"seconds":1000,"nanos":9999}"#
            let query = { (name: String, limitType: String) in
                #"{"namedQuery":{"name":"\#(name)","readTime":\#(time),"bundledQuery":{"parent":"\#(root)","#
                    + #""structuredQuery":{"from":[{"collectionId":"\#(collection)"}],"orderBy":[{"field":"#
                    + #"{"fieldPath":"n"},"direction":"DESCENDING"},{"field":{"fieldPath":"__name__"},"#
                    + #""direction":"DESCENDING"}],"limit":{"value":1}},"limitType":"\#(limitType)"}}}"#
            }
            let document = { (id: String, n: Int) in
                [
                    #"{"documentMetadata":{"name":"\#(root)/\#(collection)/\#(id)","readTime":\#(time),"exists":true}}"#,
                    #"{"document":{"name":"\#(root)/\#(collection)/\#(id)","createTime":{"seconds":1,"nanos":9},"#
                        + #""updateTime":{"seconds":1,"nanos":9},"fields":{"n":{"integerValue":\#(n)},"#
                        + #""smile":{"stringValue":"😊"}}}}"#,
                ]
            }
            let elements = ([query("greatest", "FIRST"), query("least", "LAST")] + document("a", 1) + document("b", 2))
                .map { "\($0.utf8.count)\($0)" }.joined()
            let metadata =
                #"{"metadata":{"id":"\#(collection)","createTime":{"seconds":1001,"nanos":9999},"version":1,"#
                + #""totalDocuments":2,"totalBytes":\#(elements.utf8.count)}}"#
            return Data("\(metadata.utf8.count)\(metadata)\(elements)".utf8)
        }

        private func load(_ bundle: Data, _ client: LiveClient) async throws -> [LoadBundleTaskProgress] {
            let steps = Heard<LoadBundleTaskProgress>()
            let ends = Heard<String>()
            client.queue.sync {
                let task = client.database.loadBundle(bundle) { _, error in
                    ends.add(error?.localizedDescription ?? "loaded")
                }
                task.addObserver { steps.add($0) }
            }
            _ = try await ends.next()
            client.queue.sync {}
            return steps.take()
        }

        private func expectContents(_ client: LiveClient, _ all: String, _ greatest: String, _ least: String)
            async throws
        {
            #expect(try await client.collection.getDocuments(source: .cache).text == all)
            for (name, rows) in [("greatest", greatest), ("least", least)] {
                let query = try #require(await client.database.getQuery(named: name))
                #expect(try await query.getDocuments(source: .cache).text == rows)
            }
        }

        @Test(arguments: LiveServer.present, [false, true])
        func loading(_ server: LiveServer, _ isInMemory: Bool) async throws {
            let cache: any LocalCacheSettings = isInMemory ? MemoryCacheSettings() : PersistentCacheSettings()
            let client = try await LiveClient(server, cache: cache)
            let bundle = LiveBundleTests.bundle(client.collection.path)
            let steps = try await load(bundle, client)
            #expect(steps.map(\.documentsLoaded) == [0, 1, 2, 2])
            #expect(steps.map(\.state) == [.inProgress, .inProgress, .inProgress, .success])
            #expect(steps.map(\.totalDocuments) == [2, 2, 2, 2])
            #expect(steps.map(\.bytesLoaded).sorted() == steps.map(\.bytesLoaded))
            #expect(steps.last?.bytesLoaded == steps.last?.totalBytes)
            // Something else is read, which collects what nothing needs.
            _ = try await client.database.collection("other").getDocuments(source: .cache)
            try await expectContents(client, "[a=1 b=2]c", "[b=2]c", "[a=1]c")
            let again = try await load(bundle, client)
            #expect(again.map(\.state) == [.success], "it is not loaded twice")
            #expect(again.last == steps.last)
            try await expectContents(client, "[a=1 b=2]c", "[b=2]c", "[a=1]c")
        }

        /// What the server has said is newer.
        @Test(arguments: LiveServer.present) func newerDocuments(_ server: LiveServer) async throws {
            let client = try await LiveClient(server)
            for (id, n) in [("a", 10), ("b", 20)] { try await client.collection.document(id).setData(["n": n]) }
            let heard = client.listen(to: client.collection, includeMetadataChanges: true)
            _ = try await heard.first("the server's documents") { $0.text == "[a=10 b=20]" }
            let steps = try await load(LiveBundleTests.bundle(client.collection.path), client)
            #expect(steps.last?.state == .success)
            try await client.settle()
            #expect(heard.take().isEmpty)
            try await expectContents(client, "[a=10 b=20]c", "[b=20]c", "[a=10]c")
        }

        @Test(arguments: LiveServer.present) func otherProjects(_ server: LiveServer) async throws {
            let client = try await LiveClient(server)
            let bundle = LiveBundleTests.bundle(client.collection.path, project: "other")
            let steps = try await load(bundle, client)
            #expect(steps.map(\.state) == [.inProgress, .error])
            #expect(steps.map(\.documentsLoaded) == [0, 0])
            #expect(steps.map(\.bytesLoaded) == [0, 0])
            await #expect(throws: FirestoreError.self) { try await client.database.loadBundle(bundle) }
            #expect(try await client.collection.getDocuments().text == "[]")
        }
    }
#endif
