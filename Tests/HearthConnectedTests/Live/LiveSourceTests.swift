// SPDX-License-Identifier: Apache-2.0

#if Server && Connected
    import Hearth
    import TestSupport
    import Testing

    /// What reads answer, by what the server has, what the cache has, the network and the source (C-19 to C-22).
    @Suite struct LiveSourceTests {
        enum Document: CaseIterable { case existing, absent, deleted }

        private static let combinations: [(LiveServer, isOnline: Bool)] = LiveServer.present.flatMap {
            [($0, true), ($0, false)]
        }

        private func text(_ read: () async throws -> String) async -> String {
            do { return try await read() } catch let error as FirestoreError { return "\(error.status)" } catch {
                return "\(error)"
            }
        }

        private func answers(_ document: DocumentReference) async -> [String] {
            var answers: [String] = []
            // The cache first: other reads change what it has.
            for source in [FirestoreSource.cache, .default, .server] {
                await answers.append(text { try await document.getDocument(source: source).text })
            }
            return answers
        }

        private func answers(_ query: Query) async -> [String] {
            var answers: [String] = []
            for source in [FirestoreSource.cache, .default, .server] {
                await answers.append(
                    text {
                        let snapshot = try await query.getDocuments(source: source)
                        #expect(snapshot.documentChanges.count == snapshot.count)
                        return snapshot.text
                    })
            }
            return answers
        }

        /// From the cache, from wherever it can be had, from the server.
        @Test(arguments: combinations, Document.allCases)
        func documents(_ place: (server: LiveServer, isOnline: Bool), _ state: Document) async throws {
            let client = try await LiveClient(place.server)
            let document = client.collection.document("a")
            switch state {
            case .existing:
                try await client.serve(["a": 1])
                #expect(try await document.getDocument().text == "1")
            case .absent: break
            case .deleted:
                try await document.setData(["n": 1])
                try await document.delete()
            }
            if !place.isOnline { try await client.database.disableNetwork() }
            let expected =
                switch (state, place.isOnline) {
                case (.existing, true): ["1c", "1", "1"]
                case (.existing, false): ["1c", "1c", "unavailable"]
                case (.absent, true): ["unavailable", "missing", "missing"]
                case (.absent, false): ["unavailable", "unavailable", "unavailable"]
                case (.deleted, true): ["missingc", "missing", "missing"]
                // That a document was deleted is known, but not whether it was created again since.
                case (.deleted, false): ["missingc", "unavailable", "unavailable"]
                }
            #expect(await answers(document) == expected)
            guard state == .existing, !place.isOnline else { return }
            let heard = client.listen(to: document)
            #expect(try await heard.next().map(\.text) == ["1c"])
            #expect(await answers(document) == expected, "a listener changes nothing")
        }

        @Test(arguments: combinations, [false, true])
        func collections(_ place: (server: LiveServer, isOnline: Bool), _ isEmpty: Bool) async throws {
            let client = try await LiveClient(place.server)
            guard !isEmpty else {
                if !place.isOnline { try await client.database.disableNetwork() }
                let expected = place.isOnline ? ["[]c", "[]", "[]"] : ["[]c", "[]c", "unavailable"]
                return #expect(await answers(client.collection) == expected)
            }
            try await client.serve(["a": 1, "b": 2, "c": 3])
            #expect(try await client.collection.getDocuments().text == "[a=1 b=2 c=3]")
            guard !place.isOnline else {
                return #expect(
                    await answers(client.collection) == ["[a=1 b=2 c=3]c", "[a=1 b=2 c=3]", "[a=1 b=2 c=3]"])
            }
            try await client.database.disableNetwork()
            let clean = "[a=1 b=2 c=3]c"
            #expect(await answers(client.collection) == [clean, clean, "unavailable"])
            client.collection.document("b").setData(["other": true], merge: true, completion: nil)
            client.collection.document("c").setData(["n": 30], completion: nil)
            client.collection.document("d").setData(["n": 4], completion: nil)
            let pending = "[a=1 b=2p c=30p d=4p]cp"
            #expect(await answers(client.collection) == [pending, pending, "unavailable"])
            let heard = client.listen(to: client.collection)
            #expect(try await heard.next().map(\.text) == [pending])
            #expect(await answers(client.collection) == [pending, pending, "unavailable"])
        }
    }
#endif
